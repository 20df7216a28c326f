"""Reads and sets limits of its parent (to what they are)."""

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


def limited(host_pid: int) -> bool:
    number, core = 261 if _ARM else 302, 4
    old = (ctypes.c_uint64 * 2)()
    for pid in (host_pid, os.getppid()):
        if _LIBC.syscall(number, pid, core, None, old) == 0:
            return _LIBC.syscall(number, pid, core, old, None) == 0
    return False


def niced(host_pid: int) -> bool:
    os.setpriority(os.PRIO_PROCESS, host_pid, os.getpriority(os.PRIO_PROCESS, host_pid))
    return True


@cache
def worked(host_pid: int) -> str:
    """The ways in that were open."""
    found = []
    for way in (limited, niced):
        try:
            if way(host_pid):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Prlimit(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, host_pid: int = 0, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (host_pid,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
