"""Answers with a float of numpy's."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena import Bot

EXPECT = "fault:NOT_WHOLE"


class WrongNumpyFloat(Bot):
    def bet(self, turn: Any) -> Any:
        return np.float64(turn.min_bet)
