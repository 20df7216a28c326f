"""Answers with nothing."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:NOT_WHOLE"


class WrongNone(Bot):
    def bet(self, turn: Any) -> Any:
        return None
