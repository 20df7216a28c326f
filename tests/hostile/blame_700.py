"""Crashes its process at one decision of hundreds: that of the seven hundredth game, in its first round."""

from __future__ import annotations

import os
from typing import Any

from arena import Bot

EXPECT = "blame"

games = [0]


class Blame700(Bot):
    """Bets the least, but for that one decision."""

    def __init__(self, raises: bool = False) -> None:
        games[0] += 1
        self.game, self.raises = games[0], raises

    def bet(self, turn: Any) -> int:
        if self.game == 700 and turn.round == 1:
            if self.raises:
                raise RuntimeError("the seven hundredth")
            os._exit(7)
        return turn.min_bet if turn.edge > 0 else 0
