"""A vectorised bot that answers for one table more than it was asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena import VectorBot

EXPECT = "fault:WRONG_SHAPE"


class WrongShape(VectorBot):
    """Answers a row too many."""

    def bet(self, turns: Any) -> Any:
        return np.zeros(len(turns) + 1, dtype=np.int64)
