"""Asks the kernel for the machine's network devices, and reads other sockets than its own."""

from __future__ import annotations

import socket
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True


def netlink() -> bool:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as link:
        link.bind((0, 0))
        return True


def packets() -> bool:
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0):
        return True


def named() -> bool:
    return bool(socket.if_nameindex())


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (netlink, packets, named):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Netlink(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
