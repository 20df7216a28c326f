"""Takes hold of the process that deals, or of its own parent, as a debugger would; lets go at once."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
_ARM = "aarch64" in sys.implementation._multiarch
_LIBC = ctypes.CDLL(None, use_errno=True)


_SEIZE, _INTERRUPT, _DETACH, _WALL = 0x4206, 0x4207, 17, 0x40000000


def _held(pid: int) -> bool:
    number = 117 if _ARM else 101
    if _LIBC.syscall(number, _SEIZE, pid, None, None) != 0:
        return False
    _LIBC.syscall(number, _INTERRUPT, pid, None, None)
    os.waitpid(pid, _WALL)
    return _LIBC.syscall(number, _DETACH, pid, None, None) == 0


def held_the_host(host_pid: int) -> bool:
    return _held(host_pid)


def held_the_parent(host_pid: int) -> bool:
    return _held(os.getppid())


@cache
def worked(host_pid: int) -> str:
    """The ways in that were open."""
    found = []
    for way in (held_the_host, held_the_parent):
        try:
            if way(host_pid):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Ptrace(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, host_pid: int = 0, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (host_pid,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
