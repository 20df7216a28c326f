"""A bot that sits on its lead."""

from arena import Bot, Turn


class LeaderPasses(Bot):
    """Bets with the odds; in the last rounds passes if nobody has more. Question: is a lead worth guarding?

    Look at win share as well as chips. On tables without rounds nothing is ever late; trips are passed.
    """

    def __init__(self, late: int = 3) -> None:
        self.late = late

    def bet(self, turn: Turn) -> int:
        is_late = turn.rounds > 0 and turn.round > turn.rounds - self.late
        if is_late and turn.chips == max(turn.stacks):
            return 0
        return turn.max_bet if turn.edge > 0 and turn.kind != "trips" else 0
