"""Answers with the class of whole numbers."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:NOT_WHOLE"


class WrongClass(Bot):
    def bet(self, turn: Any) -> Any:
        return int
