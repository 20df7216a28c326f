"""A bot that knows the odds and forgets the cards."""

from arena import Bot, Turn


class FreshPack(Bot):
    """Bets all it may where a fresh pack would favour it. Question: beside Edge, what is forgetting's price?

    Unlike the Gap bots it knows the table's multipliers and packs: seven pays where a post costs one bet.
    Trips are passed.
    """

    def bet(self, turn: Turn) -> int:
        if turn.kind == "trips":
            return 0
        ranks = {"higher": min(14 - turn.low, 12), "lower": turn.low - 2, None: turn.gap}[turn.call]
        is_one_rank = turn.kind == "pair" or (turn.low, turn.high) == (1, 14)
        of_a_rank = 4 * turn.rules.deck.packs
        wins, hits = of_a_rank * ranks, of_a_rank * (1 if is_one_rank else 2) - 2
        losses = 13 * of_a_rank - 2 - wins - hits
        return turn.max_bet if wins > losses + turn.multiplier * hits else 0
