"""Answers with a number as text."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:NOT_WHOLE"


class WrongText(Bot):
    def bet(self, turn: Any) -> Any:
        return str(turn.min_bet)
