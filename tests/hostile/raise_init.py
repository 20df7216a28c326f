"""Raises an error as it is made."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:INIT"


class RaiseInit(Bot):
    def __init__(self) -> None:
        raise ValueError("not made")

    def bet(self, turn: Any) -> int:
        return 0
