"""Runs another program and waits for it."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True


_PROGRAM = ["/bin/true"]


def spawned() -> bool:
    pid = os.posix_spawn(_PROGRAM[0], _PROGRAM, {})
    return os.waitpid(pid, 0)[1] == 0


def ran() -> bool:
    return __import__("subprocess").run(_PROGRAM).returncode == 0


def through_a_shell() -> bool:
    return os.system("exit 0") == 0


@cache
def worked() -> str:
    """The ways in that were open."""
    found = []
    for way in (spawned, ran, through_a_shell):
        try:
            if way():
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Subprocess(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
