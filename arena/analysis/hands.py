"""Every hand that two posts can form, and what each is worth to a seat before it is known which one comes.

Worth is the stake expected of the bot times the hand's edge where a bet is asked, what is paid where nothing is asked, else
nothing. Replies still to come are predicted: aces are named for the wider gap, those called before the second post low,
pairs called for the side with more unseen cards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arena.analysis.stakes import HANDS, PAIR_CELL, TRIPS_CELL
from arena.game.rules import TableRules
from arena.game.tables import Ints, Rows, Tables

Floats = npt.NDArray[np.float64]

ACE, LOW_ACE = 14, 1
STATES = 14  # of the first post: ranks 2 … 13, an ace that is not (yet) low, an ace called low
HIGH_STATE, LOW_STATE = 12, 13
RANKS = np.arange(2, 15)


@dataclass(slots=True)
class Money:
    """What the actor may stake at some tables, ``(n,)`` each: greatest bets on a gap, a pair and trips; chips and pot."""

    most: Floats
    most_pair: Floats
    most_trips: Floats
    chips: Floats
    pot: Floats

    def at(self, where: Rows) -> Money:
        """The same at some of the tables."""
        return Money(
            *(getattr(self, name)[where] for name in ("most", "most_pair", "most_trips", "chips", "pot"))
        )


def money(tables: Tables, seat: int, round: int, rows: Ints) -> Money:
    """Limits by rules.md, "A turn", step 6."""
    rules = tables.rules
    chips, pot = tables.chips[seat][rows].astype(np.float64), tables.pot[rows].astype(np.float64)
    most = np.minimum(chips, pot)
    if round == 1 and rules.bet.first_round_max == "half_pot":
        most = np.minimum(most, np.maximum(pot // 2, rules.bet.min))
    elif round == 1 and rules.bet.first_round_max == "ante":
        most = np.minimum(most, rules.ante.amount)
    gap = pair = most
    if rules.bet.must_cover_post:
        gap = np.minimum(most, chips // rules.post.multiplier)
        pair = np.minimum(most, chips // rules.pair.post)
    return Money(gap, pair, most, chips, pot)


class Hands:
    """The hands of a table's rules. ``index`` ``(STATES, 13)``: first post's state and second rank − 2 to the hand.

    ``predicted`` is the state an ace on the first post is taken to be in before it is called.
    """

    def __init__(self, rules: TableRules) -> None:
        self.rules = rules
        self.predicted = LOW_STATE if rules.ace.first == "call" else HIGH_STATE
        self.index = np.zeros((STATES, 13), dtype=np.int64)
        keys: dict[tuple[int, int], int] = {}
        for state in range(STATES):
            for second in range(2, 15):
                key = self._named(state, second)
                self.index[state, second - 2] = keys.setdefault(key, len(keys))
        self.n = len(keys)
        self._lo, self._hi = (np.array([key[side] for key in keys]) for side in (0, 1))
        self._orders()
        self._counts()

    def _named(self, state: int, second: int) -> tuple[int, int]:
        """Lower and higher post once every ace has its predicted name."""
        ace = self.rules.ace
        first = LOW_ACE if state == LOW_STATE else state + 2
        if first == second:
            return first, second
        if first == ACE and ace.first == "choose" and second - 2 > ACE - 1 - second:
            first = LOW_ACE
        if second == ACE and ace.second == "choose" and first != LOW_ACE and first - 2 > ACE - 1 - first:
            second = LOW_ACE
        return min(first, second), max(first, second)

    def _orders(self) -> None:
        """In how many orders of two ranks each hand comes under predicted calls, and of which ranks (index = rank − 2)."""
        self.orders = np.zeros((self.n, 1))
        self.ranks = np.zeros((2, self.n), dtype=np.int64)
        for first in range(13):
            state = self.predicted if first == HIGH_STATE else first
            for second in range(13):
                hand = self.index[state, second]
                self.orders[hand] += 1
                self.ranks[:, hand] = first, second
        self.is_pair = (self.ranks[0] == self.ranks[1])[:, None]  # two cards of one rank, even if named apart

    def _counts(self) -> None:
        """Rows of coefficients in the unseen counts by rank, both posts still in: the edge times the cards left is linear.

        With ``left = Σ base − 2`` and hits two less than the posts' ranks hold, ``numerator = rows @ base + constant``.
        """
        rules, lo, hi = self.rules, self._lo[:, None], self._hi[:, None]
        pair = lo == hi
        posts = (np.where(lo == LOW_ACE, ACE, lo) == RANKS) | (np.where(hi == LOW_ACE, ACE, hi) == RANKS)
        between = (lo < RANKS) & (hi > RANKS)
        self._sides = [
            np.flatnonzero(pair[:, 0]),
            ((hi < RANKS) & ~posts).astype(float),
            (lo > RANKS).astype(float),
        ]
        is_trips = rules.pair.rule in ("trips_bet", "auto_pay_or_trips")
        multiplier = np.where(pair, rules.pair.post, rules.post.multiplier)
        self.rows = 2.0 * between + (1 - multiplier) * posts - 1
        self.constant = (2 - 2 * (1 - multiplier)).astype(np.float64)
        if is_trips:
            self.rows = np.where(pair, (rules.pair.trips_odds + 1) * posts - 1, self.rows)
            self.constant = np.where(pair, 2 - 2 * (rules.pair.trips_odds + 1), self.constant)
        gap = self._hi - self._lo - 1
        self.cell = np.where(pair[:, 0], TRIPS_CELL if is_trips else PAIR_CELL, gap)
        self._pairs, self._touching = np.flatnonzero(pair), np.flatnonzero(gap == 0)
        self.is_trips = is_trips

    def worth(self, base: Floats, money: Money, stakes: Floats) -> Floats:
        """Worth of every hand, ``(hands, n)``; ``base`` ``(13, n)`` counts by rank with both posts still in.

        ``stakes`` ``(CELLS,)``: the share of the greatest bet expected, by cell.
        """
        rules = self.rules
        numerator = self.rows @ base
        numerator += self.constant
        if rules.pair.rule == "higher_lower":
            which, above, below = self._sides
            numerator[which] += 2 * np.maximum(above[which] @ base, below[which] @ base)
        out = np.where(numerator > 0, stakes[self.cell + HANDS][:, None], stakes[self.cell][:, None])
        out *= numerator
        left = base.sum(axis=0) - 2
        if not rules.bet.must_cover_post:
            out *= money.most / left
        else:
            pairs = money.most_trips if self.is_trips else money.most_pair
            out *= np.where(self.cell[:, None] >= PAIR_CELL, pairs, money.most) / left
        if rules.consecutive != "bet":
            out[self._touching] = (
                -np.minimum(rules.bet.min, money.chips) if rules.consecutive == "pay_min" else 0
            )
        if rules.pair.rule in ("auto_pay", "pass"):
            out[self._pairs] = (
                np.minimum(rules.pair_pay_chips, money.pot) if rules.pair.rule == "auto_pay" else 0
            )
        return out

    def expected(self, worth: Floats, counts: Floats) -> Floats:
        """Expected worth before the first post, ``(n,)``: at least two cards of ``counts`` ``(13, n)`` are unseen."""
        n = counts.sum(axis=0)
        second = counts[self.ranks[1]]
        second -= self.is_pair
        second *= counts[self.ranks[0]]
        second *= self.orders
        second *= worth
        return np.asarray(second.sum(axis=0) / (n * (n - 1)))

    def expected_after(self, worth: Floats, state: Ints, counts: Floats) -> Floats:
        """Expected worth before the second post, ``(n,)``; ``counts`` ``(13, n)`` with the first post out."""
        possible = worth[self.index[state].T, np.arange(worth.shape[1])]
        possible *= counts
        return np.asarray(possible.sum(axis=0) / counts.sum(axis=0))
