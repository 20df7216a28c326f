"""Connects to a socket that has a name but no file."""

from __future__ import annotations

import socket
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True


def connected(abstract: str) -> bool:
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(f"\0{abstract}")
        return link.send(b"hello") == 5


@cache
def worked(abstract: str) -> str:
    """The ways in that were open."""
    found = []
    for way in (connected,):
        try:
            if way(abstract):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class AbstractSocket(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, abstract: str = "", tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (abstract,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
