"""Pretends that someone pressed Ctrl-C."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:EXCEPTION"


class Kbint(Bot):
    def bet(self, turn: Any) -> int:
        raise KeyboardInterrupt
