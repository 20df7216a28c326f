"""Makes one call into C that does not come back for years, and that no signal interrupts."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "late"


class OneCall(Bot):
    def bet(self, turn: Any) -> int:
        return sum(range(1 << 62))
