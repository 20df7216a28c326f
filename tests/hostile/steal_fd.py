"""Takes a copy of a file descriptor out of the process that deals."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
_LIBC = ctypes.CDLL(None, use_errno=True)


def stolen(host_pid: int) -> bool:
    pidfd = _LIBC.syscall(434, host_pid, 0)  # pidfd_open
    return pidfd >= 0 and any(_LIBC.syscall(438, pidfd, fd, 0) >= 0 for fd in range(3, 16))  # pidfd_getfd


def through_proc(host_pid: int) -> bool:
    return any(os.path.exists(f"/proc/{host_pid}/fd/{fd}") for fd in range(3, 16))


@cache
def worked(host_pid: int) -> str:
    """The ways in that were open."""
    found = []
    for way in (stolen, through_proc):
        try:
            if way(host_pid):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class StealFd(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, host_pid: int = 0, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (host_pid,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
