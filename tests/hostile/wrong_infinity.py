"""Answers with infinitely many chips."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:NOT_WHOLE"


class WrongInfinity(Bot):
    def bet(self, turn: Any) -> Any:
        return float("inf")
