"""Raises its own limits as far as they go, and puts them back."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
_ARM = "aarch64" in sys.implementation._multiarch
_LIBC = ctypes.CDLL(None, use_errno=True)


def raised() -> bool:
    number, found = 261 if _ARM else 302, False  # prlimit64
    for resource in range(16):
        old = (ctypes.c_uint64 * 2)()
        if _LIBC.syscall(number, 0, resource, None, old) == 0 and old[0] < old[1]:
            more = (ctypes.c_uint64 * 2)(old[1], old[1])
            found |= _LIBC.syscall(number, 0, resource, more, None) == 0
            _LIBC.syscall(number, 0, resource, old, None)
    return found


def raised_the_old_way() -> bool:
    resource = __import__("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    return soft != hard


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (raised, raised_the_old_way):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class RaiseRlimit(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
