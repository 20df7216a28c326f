"""Imports a module that is on no list."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:EXCEPTION"


class ForeignImport(Bot):
    """Needs a database to pass."""

    def bet(self, turn: Any) -> int:
        import sqlite3

        return len(sqlite3.apilevel) * 0
