"""A bot that nobody thought out: its numbers were found by playing, with ``benchmarks/tune.py``."""

from typing import Any

import numpy as np
import numpy.typing as npt

from arena import Turns, VectorBot

# Points of each scale. What is staked of the greatest bet is the sum of what STAKES says for them, point by point.
EDGE = (-0.2, -0.1, 0.0, 0.1, 0.2, 0.4, 0.8)  # chips to expect for a chip
GAP = (5, 7, 8, 9, 10, 12)  # ranks that win; on a pair those of the called side
POT = (0.01, 0.03, 0.1, 0.3, 1.0)  # chips in the pot for each of one's own
LEFT = (0, 1, 2, 4, 8)  # rounds to come
LEAD = (-0.2, -0.05, 0.0, 0.05, 0.2)  # ahead of the best other, in chips of the start
SCALES = (EDGE, GAP, POT, LEFT, LEAD)

STAKES = (
    -0.78, -0.63, 0.13, 0.45, 0.86, 0.94, 0.92,
    -0.01, -0.06, 0.22, 0.09, 0.29, 0.21,
    0.09, 0.04, 0.15, 0.06, -0.32,
    0.22, 0.08, -0.03, 0.26, 0.25,
    0.06, -0.01, 0.11, 0.06, -0.02,
)  # fmt: skip


class Learner(VectorBot):
    """Stakes what its table says, which the arena tuned for chips. Question: does play teach what reckoning misses?

    Between the points of a scale the table is a straight line, beyond them it is flat.
    """

    def __init__(self, stakes: list[float] | tuple[float, ...] = STAKES) -> None:
        ends = np.cumsum([len(scale) for scale in SCALES])
        self.stakes = np.split(np.array(stakes, dtype=float), ends[:-1])

    def bet(self, turns: Turns) -> npt.ArrayLike:
        share = np.zeros(len(turns))
        for places, scale, stakes in zip(self._places(turns), SCALES, self.stakes, strict=True):
            share += np.interp(places, scale, stakes)
        most = np.minimum(turns.max_bet, turns.pot // turns.odds)  # on trips the pot pays no more
        stake = np.rint(np.clip(share, 0, 1) * most).astype(np.int64)
        return np.where(stake >= turns.min_bet, stake, 0)

    def _places(self, turns: Turns) -> tuple[Any, ...]:
        """Where the turns are on each scale, ``(n,)`` each."""
        on_side = np.where(turns.call > 0, 14 - turns.low, turns.low - 2)
        gap = np.where(turns.call == 0, turns.gap, on_side)
        left = turns.rounds - turns.round if turns.rounds else np.full(len(turns), LEFT[-1])
        others = np.delete(turns.stacks, turns.seat, axis=1).max(axis=1)
        lead = (turns.chips - others) / turns.rules.chips
        return turns.edge, gap, turns.pot / turns.chips, left, lead
