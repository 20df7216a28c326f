"""Takes more memory than it may have (400 MB and no more)."""

from __future__ import annotations

from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True


def took(cap_mb: int) -> bool:
    taken = []
    for _ in range(cap_mb // 16):
        taken.append(bytearray(16 << 20))
        taken[-1][::4096] = bytes(4096)
    return True


@cache
def worked(cap_mb: int) -> str:
    """The ways in that were open."""
    found = []
    for way in (took,):
        try:
            if way(cap_mb):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class MemBomb(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, cap_mb: int = 400, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (cap_mb,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
