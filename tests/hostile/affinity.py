"""Moves itself to every processor there is, and its parent too."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True


def moved(host_pid: int) -> bool:
    os.sched_setaffinity(0, range(1024))
    return True


def moved_the_host(host_pid: int) -> bool:
    os.sched_setaffinity(host_pid, os.sched_getaffinity(host_pid))
    return True


def hurried(host_pid: int) -> bool:
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    return True


@cache
def worked(host_pid: int) -> str:
    """The ways in that were open."""
    found = []
    for way in (moved, moved_the_host, hurried):
        try:
            if way(host_pid):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Affinity(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, host_pid: int = 0, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (host_pid,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
