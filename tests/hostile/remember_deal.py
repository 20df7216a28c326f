"""Remembers the third cards of a deal and looks for them again when it sits at the same deal in another seat."""

from __future__ import annotations

import sys
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
OFF = "trusted"

MEMORY: dict[Any, Any] = sys.modules["arena"].__dict__.setdefault("_hostile_memory", {})


class RememberDeal(Bot):
    """Bets the least where it knows, from another seating, what card comes next."""

    def __init__(self, **_: Any) -> None:
        pass

    def start(self, table: Any) -> None:
        MEMORY.setdefault(table.seat, []).append(self)
        self.seat = table.seat
        self.table = len(MEMORY[table.seat]) - 1
        self.seen: dict[int, int | None] = {}

    def watch(self, play: Any) -> None:
        self.seen[play.round] = play.third

    def bet(self, turn: Any) -> int:
        known = [seat for seat in MEMORY if seat != self.seat and len(MEMORY[seat]) > self.table]
        return turn.min_bet if any(turn.round in MEMORY[seat][self.table].seen for seat in known) else 0
