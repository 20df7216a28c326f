"""Reads what lies behind file descriptors that it did not open."""

from __future__ import annotations

import os
import stat
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
OFF = "trusted"


def read_files() -> bool:
    for fd in range(3, 256):
        try:
            if stat.S_ISREG(os.fstat(fd).st_mode) and os.pread(fd, 64, 0):
                return True
        except OSError:
            continue
    return False


def read_blindly() -> bool:
    for fd in range(3, 256):
        try:
            if os.pread(fd, 64, 0):
                return True
        except OSError:
            continue
    return False


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (read_files, read_blindly):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class InheritedFd(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
