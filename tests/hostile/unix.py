"""Connects to a socket in the file system."""

from __future__ import annotations

import socket
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True


def connected(unix_path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(unix_path)
        return link.send(b"hello") == 5


def paired(unix_path: str) -> bool:
    one, other = socket.socketpair()
    return one.send(b"x") == 1 and other.recv(1) == b"x"


@cache
def worked(unix_path: str) -> str:
    """The ways in that were open."""
    found = []
    for way in (connected, paired):
        try:
            if way(unix_path):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Unix(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, unix_path: str = "", tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (unix_path,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
