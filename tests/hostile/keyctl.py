"""Keeps a key in the kernel, and looks for those of others."""

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


def kept() -> bool:
    number = 217 if _ARM else 248  # add_key, to the keyring of this process
    return _LIBC.syscall(number, b"user", b"hostile", b"x", 1, -2) >= 0


def looked() -> bool:
    return _LIBC.syscall(219 if _ARM else 250, 0, -3, 0) >= 0  # keyctl: id of the session's keyring


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (kept, looked):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Keyctl(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
