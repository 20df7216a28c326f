"""Raises an error at each decision."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:EXCEPTION"


class RaiseDecide(Bot):
    def bet(self, turn: Any) -> int:
        raise ValueError("no bet today")
