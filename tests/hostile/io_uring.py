"""Opens a ring through which the kernel would open files for it."""

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


def ringed() -> bool:
    return _LIBC.syscall(425, 2, ctypes.create_string_buffer(120)) >= 0  # io_uring_setup


def queued() -> bool:
    return _LIBC.syscall(0 if _ARM else 206, 2, ctypes.create_string_buffer(8)) == 0  # io_setup


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (ringed, queued):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class IoUring(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
