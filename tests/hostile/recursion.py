"""Asks itself for ever."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:EXCEPTION"


class Recursion(Bot):
    def bet(self, turn: Any) -> int:
        return self.bet(turn)
