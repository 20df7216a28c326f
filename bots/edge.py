"""A bot that counts the cards."""

from arena import Bot, Turn


class Edge(Bot):
    """Bets what is worth most by the unseen cards and every cap. Question: how much is counting worth?

    No other bet wins more chips with this hand. A hit costs at most all chips, which only makes a stake better as it
    grows: so it is all or nothing. On trips the pot caps the win, and a stake is best where the pot just pays it in full.
    """

    def bet(self, turn: Turn) -> int:
        stakes = [turn.max_bet]
        if turn.kind == "trips":
            in_full = turn.pot // turn.odds
            stakes = [max(turn.min_bet, min(turn.max_bet, stake)) for stake in (in_full, in_full + 1)]
        return max([0, *stakes], key=turn.value)
