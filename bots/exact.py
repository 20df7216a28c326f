"""A bot that takes whatever is worth most."""

from typing import Literal

from arena import Bot, Turn


class Exact(Bot):
    """Bets, calls and wagers what is worth most by the unseen cards. Question: beside Edge, what do the caps matter?

    From cap to cap the value of a bet is a straight line, so a best one is beside a limit or what the pot can pay in
    full. It plays for chips alone: rounds, leads and other players' stacks are nothing to it.
    """

    def bet(self, turn: Turn) -> int:
        full = turn.pot // turn.odds - turn.wager
        inside = {min(max(bet, turn.min_bet), turn.max_bet) for bet in (full, full + 1)}
        return max(sorted({0, turn.min_bet, turn.max_bet} | inside), key=turn.value)

    def call_ace(self, turn: Turn) -> Literal["low", "high"]:
        return "high" if turn.value_of("high") > turn.value_of("low") else "low"

    def call_pair(self, turn: Turn) -> Literal["higher", "lower"]:
        return "higher" if turn.value_of("higher") >= turn.value_of("lower") else "lower"

    def wager(self, turn: Turn) -> int:
        if turn.edge <= 0 and turn.multiplier == 1:
            return turn.min_bet  # caps make a wager worth no more than its edge
        paid = [
            turn.pot // odds for odds in {1, turn.rules.pair.trips_odds, *(turn.rules.payouts or {}).values()}
        ]
        caps = [
            turn.max_bet // 2,
            *paid,
            *(cap // 2 for cap in paid),
            *(cap - turn.rules.bet.min for cap in paid),
        ]
        beside = {min(max(cap + more, turn.min_bet), turn.max_bet) for cap in caps for more in (0, 1)}
        return max(sorted({turn.min_bet, turn.max_bet} | beside), key=turn.value)
