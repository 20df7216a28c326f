"""Answers with a bet that is still to be computed."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:NOT_WHOLE"


class WrongGenerator(Bot):
    def bet(self, turn: Any) -> Any:
        yield turn.min_bet
