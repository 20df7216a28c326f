"""A bot that watches the others."""

from arena import Bot, Play, Table, Turn


class Mood(Bot):
    """Stakes what somebody else staked last. Question: is it enough to go along with the table?

    It still chooses its hands by the odds (and passes trips). Until somebody bets it stakes the least it may.
    """

    def start(self, table: Table) -> None:
        self.seat = table.seat
        self.stake = 0

    def watch(self, play: Play) -> None:
        if play.seat != self.seat and play.bet > 0:
            self.stake = play.bet

    def bet(self, turn: Turn) -> int:
        stake = min(max(self.stake, turn.min_bet), turn.max_bet)
        return stake if turn.edge > 0 and turn.kind != "trips" else 0
