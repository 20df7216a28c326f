"""Makes a file in memory."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
_LIBC = ctypes.CDLL(None, use_errno=True)


def made() -> bool:
    return os.memfd_create("hostile") >= 0


def made_secret() -> bool:
    return _LIBC.syscall(447, 0) >= 0  # memfd_secret


def piped() -> bool:
    return len(os.pipe()) == 2


def doubled() -> bool:
    return os.dup(0) >= 0


def counted() -> bool:
    return _LIBC.eventfd(0, 0) >= 0


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (made, made_secret, piped, doubled, counted):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Memfd(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
