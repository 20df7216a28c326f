"""House bots written the other way round: scalar for vectorised and back. Each must play its twin's game."""

import numpy as np
import numpy.typing as npt

from arena import Bot, Kind, Turn, Turns, VectorBot


class LadderScalar(Bot):
    """Twin of ``Ladder``."""

    def bet(self, turn: Turn) -> int:
        ranks = {"higher": 14 - turn.low, "lower": turn.low - 2, None: turn.gap}[turn.call]
        return max(turn.max_bet * min(ranks - 7, 5) // 5, turn.min_bet) if ranks > 7 else 0


class EdgeVector(VectorBot):
    """Twin of ``Edge``."""

    def bet(self, turns: Turns) -> npt.ArrayLike:
        within_pot = np.maximum(turns.min_bet, np.minimum(turns.max_bet, turns.pot // turns.odds))
        on_trips = np.where(turns.value(within_pot) > turns.value(np.zeros_like(turns.pot)), within_pot, 0)
        on_others = np.where(turns.edge > 0, turns.max_bet, 0)
        return np.where(turns.kind == Kind.TRIPS, on_trips, on_others)


class RandomBetVector(VectorBot):
    """Twin of ``RandomBet``."""

    def bet(self, turns: Turns) -> npt.ArrayLike:
        choices = turns.max_bet - turns.min_bet + 1 + turns.may_pass
        bet = turns.max_bet - (turns.uniform() * choices).astype(np.int64)
        return np.where(bet >= turns.min_bet, bet, 0)
