"""Answers with a negative bet."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:NEGATIVE"


class WrongNegative(Bot):
    def bet(self, turn: Any) -> Any:
        return -turn.min_bet
