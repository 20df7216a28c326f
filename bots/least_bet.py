"""A bot that always bets, and never more than it must."""

from arena import Bot, Turn


class LeastBet(Bot):
    """Bets the least it may on every hand. Question: how little does it cost to bet without looking?"""

    def bet(self, turn: Turn) -> int:
        return turn.min_bet
