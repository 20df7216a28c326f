"""Answers with a whole number that is no integer by type."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:NOT_WHOLE"


class WrongFloat(Bot):
    def bet(self, turn: Any) -> Any:
        return float(turn.min_bet)
