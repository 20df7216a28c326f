"""Makes System V shared memory, semaphores and queues, which outlive a process; takes them away."""

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


_GET = {"shm": (194, 29), "sem": (190, 64), "msg": (186, 68)}
_CONTROL = {"shm": (195, 31), "sem": (191, 66), "msg": (187, 71)}


def _made(what: str, *arguments: int) -> bool:
    made = _LIBC.syscall(_GET[what][0 if _ARM else 1], 0, *arguments)
    if made < 0:
        return False
    _LIBC.syscall(_CONTROL[what][0 if _ARM else 1], made, *((0,) if what == "sem" else ()), 0, None)
    return True


def made_memory() -> bool:
    return _made("shm", 4096, 0o1600)


def made_semaphore() -> bool:
    return _made("sem", 1, 0o1600)


def made_queue() -> bool:
    return _made("msg", 0o1600)


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (made_memory, made_semaphore, made_queue):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class SysvShm(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
