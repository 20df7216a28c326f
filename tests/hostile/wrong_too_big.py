"""Answers with one chip too many."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:TOO_BIG"


class WrongTooBig(Bot):
    def bet(self, turn: Any) -> Any:
        return turn.max_bet + 1
