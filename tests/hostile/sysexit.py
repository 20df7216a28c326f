"""Leaves Python in the ordinary way."""

from __future__ import annotations

import sys
from typing import Any

from arena import Bot

EXPECT = "fault:EXCEPTION"


class Sysexit(Bot):
    def bet(self, turn: Any) -> int:
        sys.exit(0)
