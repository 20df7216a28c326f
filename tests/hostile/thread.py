"""Starts a thread of its own."""

from __future__ import annotations

import _thread
import threading
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True


def started() -> bool:
    done = threading.Event()
    threading.Thread(target=done.set, daemon=True).start()
    return done.wait(1)


def started_low() -> bool:
    lock = _thread.allocate_lock()
    lock.acquire()
    _thread.start_new_thread(lock.release, ())
    return lock.acquire(timeout=1)


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (started, started_low):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Thread(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
