"""A bot without any idea of the game."""

from arena import Bot, Turn


class RandomBet(Bot):
    """Draws any legal bet, a pass among them, all equally likely. Question: how far does chance alone get?

    Chance comes from `turn.uniform()`, so the same turn of the same deal always has the same answer.
    """

    def bet(self, turn: Turn) -> int:
        choices = turn.max_bet - turn.min_bet + 1 + turn.may_pass
        bet = turn.max_bet - int(turn.uniform() * choices)
        return bet if bet >= turn.min_bet else 0
