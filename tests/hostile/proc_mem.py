"""Searches the memory of the process that deals for its deck."""

from __future__ import annotations

import hashlib
import os
import re
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True


_DECK = re.compile(rb"PLANTED-DECK:([a-zA-Z]{52})")
_MOST = 1 << 26


def searched(host_pid: int, deck_hash: str) -> bool:
    with open(f"/proc/{host_pid}/maps") as maps, open(f"/proc/{host_pid}/mem", "rb", 0) as memory:
        for line in maps:
            span, rights = line.split()[:2]
            begin, end = (int(part, 16) for part in span.split("-"))
            if not rights.startswith("rw") or end - begin > _MOST:
                continue
            try:
                found = _DECK.findall(os.pread(memory.fileno(), end - begin, begin))
            except OSError:
                continue
            if any(hashlib.sha256(deck).hexdigest() == deck_hash for deck in found):
                return True
    return False


@cache
def worked(host_pid: int, deck_hash: str) -> str:
    """The ways in that were open."""
    found = []
    for way in (searched,):
        try:
            if way(host_pid, deck_hash):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class ProcMem(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, host_pid: int = 0, deck_hash: str = "", tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (host_pid, deck_hash), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
