"""Copies the deck out of the memory of the process that deals, knowing where it lies."""

from __future__ import annotations

import ctypes
import hashlib
import sys
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
_ARM = "aarch64" in sys.implementation._multiarch
_LIBC = ctypes.CDLL(None, use_errno=True)


class _Vector(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


def copied(host_pid: int, deck_hash: str, address: int) -> bool:
    room = ctypes.create_string_buffer(52)
    here, there = _Vector(ctypes.addressof(room), 52), _Vector(address, 52)
    number = 270 if _ARM else 310  # process_vm_readv
    _LIBC.syscall(number, host_pid, ctypes.byref(here), 1, ctypes.byref(there), 1, ctypes.c_ulong(0))
    return hashlib.sha256(room.raw[:52]).hexdigest() == deck_hash


@cache
def worked(host_pid: int, deck_hash: str, address: int) -> str:
    """The ways in that were open."""
    found = []
    for way in (copied,):
        try:
            if way(host_pid, deck_hash, address):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class VmReadv(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(
        self, host_pid: int = 0, deck_hash: str = "", address: int = 0, tell: bool = False, **_: Any
    ) -> None:
        self.place, self.tell = (host_pid, deck_hash, address), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
