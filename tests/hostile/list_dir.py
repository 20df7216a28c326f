"""Lists folders: the root, and the one it runs in."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True


def listed() -> bool:
    return bool(os.listdir("/"))


def scanned() -> bool:
    return any(os.scandir("."))


def listed_processes() -> bool:
    return bool(os.listdir("/proc"))


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (listed, scanned, listed_processes):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class ListDir(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
