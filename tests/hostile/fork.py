"""Starts one more process, which ends at once."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
_ARM = "aarch64" in sys.implementation._multiarch
_LIBC = ctypes.CDLL(None, use_errno=True)


def forked() -> bool:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    return os.waitpid(pid, 0)[0] == pid


def cloned() -> bool:
    pid = _LIBC.syscall(220 if _ARM else 56, signal.SIGCHLD, None, None, None, None)  # clone
    if pid == 0:
        os._exit(0)
    return pid > 0


def cloned_anew() -> bool:
    arguments = (ctypes.c_uint64 * 8)(0, 0, 0, 0, signal.SIGCHLD)
    pid = _LIBC.syscall(435, arguments, ctypes.sizeof(arguments))  # clone3
    if pid == 0:
        os._exit(0)
    return pid > 0


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (forked, cloned, cloned_anew):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Fork(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
