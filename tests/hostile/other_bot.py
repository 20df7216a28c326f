"""Reads the source of another bot."""

from __future__ import annotations

import linecache
from functools import cache
from pathlib import Path
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True


def read(other_bot: str) -> bool:
    return "class " in Path(other_bot).read_text()


def read_by_traceback(other_bot: str) -> bool:
    return bool(linecache.getlines(other_bot))


def imported(other_bot: str) -> bool:
    code = (
        __import__("importlib.util").util.spec_from_file_location("other", other_bot).loader.get_code("other")
    )
    return code is not None


@cache
def worked(other_bot: str) -> str:
    """The ways in that were open."""
    found = []
    for way in (read, read_by_traceback, imported):
        try:
            if way(other_bot):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class OtherBot(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, other_bot: str = "bots/edge.py", tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (other_bot,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
