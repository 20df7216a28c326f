"""Makes a message queue with a name that others could open; takes it away."""

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


def made() -> bool:
    number, remove = (180, 181) if _ARM else (240, 241)
    if _LIBC.syscall(number, b"arena_hostile", os.O_CREAT | os.O_RDWR, 0o600, None) < 0:
        return False
    return _LIBC.syscall(remove, b"arena_hostile") == 0


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (made,):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Mq(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
