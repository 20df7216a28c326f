"""Answers with a number of a million bits."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:TOO_BIG"


class WrongHuge(Bot):
    def bet(self, turn: Any) -> Any:
        return 1 << 1_000_000
