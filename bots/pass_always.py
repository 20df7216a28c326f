"""A bot that never bets."""

from arena import Bot, Turn


class PassAlways(Bot):
    """Passes every turn. Question: what do the antes alone do to a stack?

    Everyone else is measured from here. Where passing is not allowed its 0 is the least bet.
    """

    def bet(self, turn: Turn) -> int:
        return 0
