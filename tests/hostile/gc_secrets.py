"""Searches the objects of its own process for the deck and for what deals."""

from __future__ import annotations

import gc
import hashlib
import sys
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
OFF = "trusted"


def deck_in_objects(deck_hash: str) -> bool:
    for holder in gc.get_objects():
        for thing in holder.values() if type(holder) is dict else ():
            if type(thing) is bytes and hashlib.sha256(thing).hexdigest() == deck_hash:
                return True
    return False


def draws_in_objects(deck_hash: str) -> bool:
    return any(type(thing).__name__ in ("SeededDraws", "Engine") for thing in gc.get_objects())


def draws_in_frames(deck_hash: str) -> bool:
    frame = sys._getframe()
    while frame is not None:
        if {"seed", "draws", "engine", "block"} & set(frame.f_locals):
            return True
        frame = frame.f_back
    return False


@cache
def worked(deck_hash: str) -> str:
    """The ways in that were open."""
    found = []
    for way in (deck_in_objects, draws_in_objects, draws_in_frames):
        try:
            if way(deck_hash):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class GcSecrets(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, deck_hash: str = "", tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (deck_hash,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
