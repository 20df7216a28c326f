"""A bot that counts the cards."""

from arena import Bot, Turn


class Edge(Bot):
    """Bets all it may whenever the unseen cards favour it. Question: how much is counting worth?

    `turn.edge` is exact while no cap binds. On trips the pot caps what a bet wins, so it stakes what the pot
    can pay in full, and only if that is worth more than 0, which may be a payment, a pass or the least bet.
    """

    def bet(self, turn: Turn) -> int:
        if turn.kind == "trips":
            stake = max(turn.min_bet, min(turn.max_bet, turn.pot // turn.odds))
            return stake if turn.value(stake) > turn.value(0) else 0
        return turn.max_bet if turn.edge > 0 else 0
