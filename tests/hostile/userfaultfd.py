"""Asks to handle page faults itself, the way to stop the kernel in the middle."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
_ARM = "aarch64" in sys.implementation._multiarch
_LIBC = ctypes.CDLL(None, use_errno=True)


def asked() -> bool:
    number = 282 if _ARM else 323
    return any(_LIBC.syscall(number, flags) >= 0 for flags in (0, 1))  # 1: faults of programs only


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (asked,):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Userfaultfd(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
