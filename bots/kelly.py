"""A bot that sizes its bet so that its chips grow fastest in the long run."""

from math import sqrt

from arena import Bot, Turn


class Kelly(Bot):
    """Bets Kelly's share of its chips by the exact counts. Question: does saving chips for later hands pay?

    With odds b, multiplier m, and w, l, h of n unseen cards that win, lose and hit, the share f for which
    w·log(1 + b·f) + l·log(1 − f) + h·log(1 − m·f) is greatest is where the slope is zero, the smaller root of
    n·b·m·f² − (w·b·(1 + m) + l·(b − m) + h·m·(b − 1))·f + (w·b − l − h·m) = 0.
    `fraction` bets that part of it: half of Kelly's stake gives up about a quarter of the growth for half the swings.
    """

    def __init__(self, fraction: float = 1.0) -> None:
        self.fraction = fraction

    def bet(self, turn: Turn) -> int:
        wins, losses, hits = turn.wins, turn.losses, turn.hits
        b = turn.odds
        m = turn.multiplier if hits else 1  # where no card hits, m would only bring in the root 1/m
        gain = wins * b - losses - hits * m
        if gain <= 0:
            return 0
        square = (wins + losses + hits) * b * m
        linear = wins * b * (1 + m) + losses * (b - m) + hits * m * (b - 1)
        share = (linear - sqrt(linear * linear - 4 * square * gain)) / (2 * square)
        stake = min(int(turn.chips * share * self.fraction), turn.max_bet, turn.pot // b)
        return stake if stake >= turn.min_bet and turn.value(stake) > turn.value(0) else 0
