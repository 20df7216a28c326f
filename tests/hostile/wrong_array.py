"""Answers with an array of one bet."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena import Bot

EXPECT = "fault:NOT_WHOLE"


class WrongArray(Bot):
    def bet(self, turn: Any) -> Any:
        return np.array([turn.min_bet])
