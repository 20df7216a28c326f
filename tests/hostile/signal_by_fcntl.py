"""Has the kernel send the process that deals a signal (SIGURG, which all ignore) when its next question comes."""

from __future__ import annotations

import ctypes
import os
import signal
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
_LIBC = ctypes.CDLL(None, use_errno=True)


_GET_FLAGS, _SET_FLAGS, _SET_OWNER, _SET_SIGNAL = 3, 4, 8, 10  # of fcntl


def owned(host_pid: int) -> bool:
    set_up = False
    for fd in range(3, 64):
        flags = _LIBC.fcntl(fd, _GET_FLAGS)
        if flags >= 0 and _LIBC.fcntl(fd, _SET_OWNER, host_pid) == 0:
            _LIBC.fcntl(fd, _SET_SIGNAL, signal.SIGURG)
            set_up |= _LIBC.fcntl(fd, _SET_FLAGS, flags | os.O_ASYNC) == 0
    return set_up


def owned_by_ioctl(host_pid: int) -> bool:
    pid, on = ctypes.c_int(host_pid), ctypes.c_int(1)
    fds = [fd for fd in range(3, 64) if _LIBC.ioctl(fd, 0x8901, ctypes.byref(pid)) == 0]  # FIOSETOWN
    return any(_LIBC.ioctl(fd, 0x5452, ctypes.byref(on)) == 0 for fd in fds)  # FIOASYNC


@cache
def worked(host_pid: int) -> str:
    """The ways in that were open."""
    found = []
    for way in (owned, owned_by_ioctl):
        try:
            if way(host_pid):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class SignalByFcntl(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, host_pid: int = 0, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (host_pid,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
