"""Computes for ever as its file is run."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "late"


while True:
    pass


class ImportHang(Bot):
    def bet(self, turn: Any) -> int:
        return 0
