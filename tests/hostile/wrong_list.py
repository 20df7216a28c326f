"""Answers with a list of one bet."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:NOT_WHOLE"


class WrongList(Bot):
    def bet(self, turn: Any) -> Any:
        return [turn.min_bet]
