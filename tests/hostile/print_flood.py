"""Prints ten megabytes."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "harmless"


class PrintFlood(Bot):
    round_one = True

    def bet(self, turn: Any) -> int:
        if self.round_one:
            self.round_one = False
            for _ in range(10_000):
                print("x" * 1000)
        return 0
