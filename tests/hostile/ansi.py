"""Raises an error whose text would clear a terminal, change its title and colour it."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:EXCEPTION"


class Ansi(Bot):
    def bet(self, turn: Any) -> int:
        print("\x1b[2J\x1b]0;owned\x07\x1b[31mprinted\x1b[0m", flush=True)
        raise ValueError("\x1b[2J\x1b]0;owned\x07\x1b[31mraised\x1b[0m\r\x08\u202e")
