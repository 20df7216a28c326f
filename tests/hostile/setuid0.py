"""Becomes the superuser."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
NEEDS = "root"
_LIBC = ctypes.CDLL(None, use_errno=True)


def became() -> bool:
    os.setresuid(0, 0, 0)
    return os.getuid() == 0


def owns() -> bool:
    os.chown("/", 0, 0)
    return True


def has_power() -> bool:
    header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    return _LIBC.capget(header, data) == 0 and (data[0] | data[1] | data[3] | data[4]) != 0


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (became, owns, has_power):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Setuid0(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
