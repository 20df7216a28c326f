"""Sends a datagram to a port of this machine."""

from __future__ import annotations

import socket
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True


def sent(udp_port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        return link.sendto(b"hello", ("127.0.0.1", udp_port)) == 5


def sent_6(udp_port: int) -> bool:
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as link:
        return link.sendto(b"hello", ("::1", udp_port)) == 5


@cache
def worked(udp_port: int) -> str:
    """The ways in that were open."""
    found = []
    for way in (sent, sent_6):
        try:
            if way(udp_port):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Udp(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, udp_port: int = 0, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (udp_port,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
