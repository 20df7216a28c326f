"""Becomes a shell, which leaves a file behind."""

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


def _command(folder: str) -> list[str]:
    return ["/bin/sh", "-c", f"echo here > {folder}/exec"]


def became(folder: str) -> None:
    os.execv("/bin/sh", _command(folder))


def became_raw(folder: str) -> bool:
    words = [*map(os.fsencode, _command(folder)), None]
    arguments = (ctypes.c_char_p * len(words))(*words)
    nothing = (ctypes.c_char_p * 1)(None)
    return _LIBC.syscall(281 if _ARM else 322, -100, b"/bin/sh", arguments, nothing, 0) == 0  # execveat


@cache
def worked(folder: str) -> str:
    """The ways in that were open."""
    found = []
    for way in (became, became_raw):
        try:
            if way(folder):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Exec(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, folder: str = "/nowhere", tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (folder,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
