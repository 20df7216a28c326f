"""Aborts as a failed assertion in C would."""

from __future__ import annotations

import os
from typing import Any

from arena import Bot

EXPECT = "died"


class Abort(Bot):
    def bet(self, turn: Any) -> int:
        os.abort()
