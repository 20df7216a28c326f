"""House bots written the other way round: scalar for vectorised and back. Each must play its twin's game."""

import numpy as np
import numpy.typing as npt

from arena import Bot, Kind, Plays, Tables, Turn, Turns, VectorBot


class LadderScalar(Bot):
    """Twin of ``Ladder``."""

    def bet(self, turn: Turn) -> int:
        ranks = {"higher": 14 - turn.low, "lower": turn.low - 2, None: turn.gap}[turn.call]
        return max(turn.max_bet * min(ranks - 7, 5) // 5, turn.min_bet) if ranks > 7 else 0


class EdgeVector(VectorBot):
    """Twin of ``Edge``."""

    def bet(self, turns: Turns) -> npt.ArrayLike:
        in_full = turns.pot // turns.odds
        best, worth = np.zeros_like(turns.pot), turns.value(0)
        for stake in (np.where(turns.kind == Kind.TRIPS, in_full, turns.max_bet), in_full + 1):
            stake = np.clip(stake, turns.min_bet, turns.max_bet)
            is_better = turns.value(stake) > worth
            best, worth = np.where(is_better, stake, best), np.maximum(worth, turns.value(stake))
        return best


class RandomBetVector(VectorBot):
    """Twin of ``RandomBet``."""

    def bet(self, turns: Turns) -> npt.ArrayLike:
        choices = turns.max_bet - turns.min_bet + 1 + turns.may_pass
        bet = turns.max_bet - (turns.uniform() * choices).astype(np.int64)
        return np.where(bet >= turns.min_bet, bet, 0)


class MoodVector(VectorBot):
    """Twin of ``Mood``: what each table staked last is kept by ``row``."""

    def start(self, tables: Tables) -> None:
        self.seat = tables.seat
        self.stake = np.zeros(tables.n, dtype=np.int64)

    def watch(self, plays: Plays) -> None:
        by_others = (plays.seat != self.seat) & (plays.bet > 0)
        self.stake[plays.row[by_others]] = plays.bet[by_others]

    def bet(self, turns: Turns) -> npt.ArrayLike:
        stake = np.clip(self.stake[turns.row], turns.min_bet, turns.max_bet)
        return np.where((turns.edge > 0) & (turns.kind != Kind.TRIPS), stake, 0)
