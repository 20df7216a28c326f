"""Maps memory that can be both written and run, to bring code of its own."""

from __future__ import annotations

import ctypes
import mmap
import sys
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
_ARM = "aarch64" in sys.implementation._multiarch
_LIBC = ctypes.CDLL(None, use_errno=True)


_RWX = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
_RW = mmap.PROT_READ | mmap.PROT_WRITE


def mapped() -> bool:
    return len(mmap.mmap(-1, 4096, prot=_RWX)) == 4096


def turned() -> bool:
    memory = mmap.mmap(-1, 4096, prot=_RW)
    at = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return _LIBC.mprotect(ctypes.c_void_p(at), 4096, mmap.PROT_READ | mmap.PROT_EXEC) == 0


def turned_by_key() -> bool:
    memory = mmap.mmap(-1, 4096, prot=_RW)
    at = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return _LIBC.syscall(288 if _ARM else 329, ctypes.c_void_p(at), 4096, 5, -1) == 0  # pkey_mprotect


def all_reads_run() -> bool:
    return _LIBC.personality(0x0400000) >= 0


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (mapped, turned, turned_by_key, all_reads_run):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class RwxMapping(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
