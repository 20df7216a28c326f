"""Answers with not a number."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:NOT_WHOLE"


class WrongNan(Bot):
    def bet(self, turn: Any) -> Any:
        return float("nan")
