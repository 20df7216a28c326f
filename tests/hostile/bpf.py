"""Loads a program of two instructions into the kernel."""

from __future__ import annotations

import ctypes
import struct
import sys
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
_ARM = "aarch64" in sys.implementation._multiarch
_LIBC = ctypes.CDLL(None, use_errno=True)


def loaded() -> bool:
    program = struct.pack("<BBhi", 0xB7, 0, 0, 0) + struct.pack("<BBhi", 0x95, 0, 0, 0)  # r0 = 0; exit
    code, licence = ctypes.create_string_buffer(program), ctypes.create_string_buffer(b"GPL")
    about = struct.pack("<IIQQ", 1, 2, ctypes.addressof(code), ctypes.addressof(licence))
    about = ctypes.create_string_buffer(about + bytes(96))
    return _LIBC.syscall(280 if _ARM else 321, 5, about, 48) >= 0


def mapped() -> bool:
    about = ctypes.create_string_buffer(struct.pack("<IIII", 2, 4, 8, 1) + bytes(96))
    return _LIBC.syscall(280 if _ARM else 321, 0, about, 32) >= 0


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (loaded, mapped):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Bpf(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
