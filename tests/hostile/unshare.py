"""Leaves for namespaces of its own, where it would be root."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
_LIBC = ctypes.CDLL(None, use_errno=True)


_USER, _MOUNTS, _NAMES = 0x10000000, 0x00020000, 0x04000000


def became_root() -> bool:
    return _LIBC.unshare(_USER) == 0


def left_mounts() -> bool:
    return _LIBC.unshare(_MOUNTS) == 0


def left_names() -> bool:
    return _LIBC.unshare(_NAMES) == 0


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (became_root, left_mounts, left_names):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Unshare(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
