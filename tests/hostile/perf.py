"""Opens the kernel's windows on other processes: counters, file events, comparisons."""

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


def counted() -> bool:
    about = ctypes.create_string_buffer(120)
    about[4] = 120
    about[0] = 1  # a software counter
    about[40] = 0x60  # of programs only
    return _LIBC.syscall(241 if _ARM else 298, about, 0, -1, -1, 0) >= 0


def notified() -> bool:
    return _LIBC.inotify_init1(0) >= 0


def watched() -> bool:
    return _LIBC.epoll_create1(0) >= 0 and _LIBC.timerfd_create(1, 0) >= 0


def measured() -> bool:
    return _LIBC.sysinfo(ctypes.create_string_buffer(256)) == 0


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (counted, notified, watched, measured):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Perf(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
