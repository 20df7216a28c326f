"""Computes for ever as it is made."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "late"


class InitHang(Bot):
    def __init__(self) -> None:
        while True:
            pass

    def bet(self, turn: Any) -> int:
        return 0
