"""Makes number with two thousand million digits."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "late"


class Bigint(Bot):
    def bet(self, turn: Any) -> int:
        return 3 ** (1 << 32) % 2
