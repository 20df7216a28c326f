"""Sends every process it may a signal (signal 0, which harms nobody)."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True


def killed_all() -> bool:
    os.kill(-1, 0)
    return True


def killed_the_group() -> bool:
    os.killpg(0, 0)
    return True


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (killed_all, killed_the_group):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class KillAll(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
