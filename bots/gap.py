"""Bots that bet from a fixed gap on: the rule of thumb every player learns first."""

from arena import Bot, Turn


class Gap8(Bot):
    """Bets all it may on a gap of eight or more. Question: from which gap on does betting pay?

    A pair counts like a gap of the ranks on the called side: sixes called higher are a gap of eight.
    Neighbours and bets on trips have no gap and are passed.
    """

    def __init__(self, threshold: int = 8) -> None:
        self.threshold = threshold

    def bet(self, turn: Turn) -> int:
        ranks = {"higher": 14 - turn.low, "lower": turn.low - 2, None: turn.gap}[turn.call]
        return turn.max_bet if ranks >= self.threshold else 0


class Gap7(Gap8):
    """Gap8 from seven on. Question: is the hand that breaks even at double post payments worth its swings?"""

    def __init__(self, threshold: int = 7) -> None:
        super().__init__(threshold)


class Gap9(Gap8):
    """Gap8 from nine on. Question: what does caution cost, waiting for better hands than needed?"""

    def __init__(self, threshold: int = 9) -> None:
        super().__init__(threshold)
