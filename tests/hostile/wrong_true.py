"""Answers with True, which is no number of chips."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:NOT_WHOLE"


class WrongTrue(Bot):
    def bet(self, turn: Any) -> Any:
        return True
