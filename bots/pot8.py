"""Bots that look at the gap of two posts alone and differ in what they stake."""

from arena import Bot, Turn


class Pot8(Bot):
    """Bets the pot on a gap of eight or more, passes pairs. Question: beside Gap8, what are pairs worth?"""

    def bet(self, turn: Turn) -> int:
        return turn.max_bet if turn.gap >= 8 else 0


class HalfPot8(Bot):
    """Bets half the pot where Pot8 bets all of it. Question: is it better to win less and risk less?"""

    plays = ("pot", "dealer")  # of a house's chips there is no half

    def bet(self, turn: Turn) -> int:
        half = min(max(turn.pot // 2, turn.min_bet), turn.max_bet)
        return half if turn.gap >= 8 else 0
