"""Doubles a text for ever, and catches whatever is raised to stop it."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "late"


class StrLoop(Bot):
    def bet(self, turn: Any) -> int:
        text = "x"
        while True:
            try:
                text += text
            except BaseException:
                text = "x"
