"""Sends its parent, and the process that deals, a signal (signal 0, which harms nobody)."""

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


def _pids(host_pid: int) -> list[int]:
    try:
        return [host_pid, os.getppid()]
    except OSError:
        return [host_pid]


def killed(host_pid: int) -> bool:
    for pid in _pids(host_pid):
        os.kill(pid, 0)
    return True


def killed_a_thread(host_pid: int) -> bool:
    return any(_LIBC.syscall(131 if _ARM else 234, pid, pid, 0) == 0 for pid in _pids(host_pid))  # tgkill


def killed_by_pidfd(host_pid: int) -> bool:
    pidfd = _LIBC.syscall(434, host_pid, 0)  # pidfd_open
    return pidfd >= 0 and _LIBC.syscall(424, pidfd, 0, None, 0) == 0  # pidfd_send_signal


@cache
def worked(host_pid: int) -> str:
    """The ways in that were open."""
    found = []
    for way in (killed, killed_a_thread, killed_by_pidfd):
        try:
            if way(host_pid):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class KillParent(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, host_pid: int = 0, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (host_pid,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
