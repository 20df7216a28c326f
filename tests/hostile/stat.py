"""Asks whether files are there, without opening them."""

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


def stated() -> bool:
    return os.stat("/etc/passwd").st_size > 0


def accessed() -> bool:
    return os.access("/etc/passwd", os.F_OK)


def stated_raw() -> bool:
    room = ctypes.create_string_buffer(512)
    return _LIBC.syscall(291 if _ARM else 332, -100, b"/etc/passwd", 0, 0x7FF, room) == 0  # statx


def read_link() -> bool:
    return bool(os.readlink("/proc/self/exe"))


def where() -> bool:
    return bool(os.getcwd())


def free_space() -> bool:
    return os.statvfs("/").f_blocks > 0


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (stated, accessed, stated_raw, read_link, where, free_space):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Stat(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
