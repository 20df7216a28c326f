"""Computes for ever."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "late"


class Spin(Bot):
    def bet(self, turn: Any) -> int:
        while True:
            pass
