"""Reads the machine's password file, by every way of opening one."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
_ARM = "aarch64" in sys.implementation._multiarch
_LIBC = ctypes.CDLL(None, use_errno=True)


_FILE = b"/etc/passwd"


def opened() -> bool:
    with open(_FILE, "rb") as file:
        return b"root" in file.read()


def opened_raw() -> bool:
    number = 56 if _ARM else 257  # openat
    fd = _LIBC.syscall(number, -100, _FILE, os.O_RDONLY)
    return fd >= 0 and b"root" in os.read(fd, 4096)


def opened_anew() -> bool:
    how = (ctypes.c_uint64 * 3)()
    fd = _LIBC.syscall(437, -100, _FILE, how, ctypes.sizeof(how))  # openat2
    return fd >= 0 and b"root" in os.read(fd, 4096)


def opened_as_data() -> bool:
    _LIBC.fopen.restype = ctypes.c_void_p
    return bool(_LIBC.fopen(_FILE, b"r"))


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (opened, opened_raw, opened_anew, opened_as_data):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class ReadPasswd(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
