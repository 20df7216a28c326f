"""Connects to a port of this machine."""

from __future__ import annotations

import socket
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True


def connected(port: int) -> bool:
    with socket.socket() as link:
        link.connect(("127.0.0.1", port))
        return link.send(b"hello") == 5


def listening(port: int) -> bool:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        return True


@cache
def worked(port: int) -> str:
    """The ways in that were open."""
    found = []
    for way in (connected, listening):
        try:
            if way(port):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Tcp(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, port: int = 0, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (port,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
