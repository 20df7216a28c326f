"""A bot that stakes more on better hands, written for many tables at once."""

import numpy as np
import numpy.typing as npt

from arena import Turns, VectorBot


class Ladder(VectorBot):
    """Stakes a fifth of what it may for each rank of gap above seven. Question: should stakes follow the gap?

    Gap 8 stakes one fifth, gap 12 everything. A pair counts like a gap of the ranks on the called side.
    """

    def bet(self, turns: Turns) -> npt.ArrayLike:
        on_side = np.where(turns.call > 0, 14 - turns.low, turns.low - 2)
        ranks = np.where(turns.call == 0, turns.gap, on_side)
        stake = turns.max_bet * np.clip(ranks - 7, 0, 5) // 5
        return np.where(ranks > 7, np.maximum(stake, turns.min_bet), 0)
