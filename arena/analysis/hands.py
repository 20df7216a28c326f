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
from arena.game.bank import raise_of
from arena.game.rules import TableRules
from arena.game.tables import Ints, Rows, Tables

Floats = npt.NDArray[np.float64]

ACE, LOW_ACE = 14, 1
STATES = 14  # of the first post: ranks 2 … 13, an ace that is not (yet) low, an ace called low
HIGH_STATE, LOW_STATE = 12, 13
# Where hands stand: a low ace with 2 … 14, two aces being the last of these; 2 … 13 with a high ace; blocks of a lower
# post 2 … 12 with those above it up to 13; pairs.
_LOW_ACE, _TWO_ACES, _HIGH_ACE, _PAIRS = slice(0, 13), 12, slice(13, 25), slice(91, 104)
_BELOW = np.tri(14, 13, -1)
_STARTS = [25 + sum(13 - k for k in range(2, lo)) for lo in range(2, 14)]
_INNER = [(slice(*_STARTS[lo - 2 : lo]), lo) for lo in range(2, 13)]


@dataclass(slots=True)
class Money:
    """What the actor may stake at some tables, ``(n,)`` each: greatest bets on a gap, a pair and trips; chips and pot; and
    the wager that stands already.
    """

    most: Floats
    most_pair: Floats
    most_trips: Floats
    chips: Floats
    pot: Floats
    wager: Floats

    def at(self, where: Rows) -> Money:
        """The same at some of the tables."""
        return Money(
            *(
                getattr(self, name)[where]
                for name in ("most", "most_pair", "most_trips", "chips", "pot", "wager")
            )
        )


def money(tables: Tables, seat: int, round: int, rows: Ints, wager: Ints) -> Money:
    """Limits by rules.md, "A turn", step 6; of the raise, where a wager stands."""
    rules = tables.rules
    chips, pot = tables.chips[seat][rows].astype(np.float64), tables.bank(rows).astype(np.float64)
    most = np.minimum(chips, pot)
    if round == 1 and rules.bet.first_round_max == "half_pot":
        most = np.minimum(most, np.maximum(pot // 2, rules.bet.min))
    elif round == 1 and rules.bet.first_round_max == "ante":
        most = np.minimum(most, rules.ante.amount)
    gap = pair = most
    if rules.bet.must_cover_post:
        gap = np.minimum(most, chips // rules.post.multiplier)
        pair = np.minimum(most, chips // rules.pair.post)
    staked = wager.astype(np.float64)
    if rules.bet.before_posts:
        gap = raise_of(rules, most, staked)
    return Money(gap, pair, most, chips, pot, staked)


class Hands:
    """The hands of a table's rules. ``index`` ``(STATES, 13)``: first post's state and second rank − 2 to the hand.

    Hands stand in four blocks: a low ace and 2 … 14, 2 … 13 and a high ace, neither by lower rank, pairs by rank.
    ``predicted`` is the state an ace on the first post is taken to be in before it is called.
    """

    def __init__(self, rules: TableRules) -> None:
        self.rules = rules
        self.predicted = LOW_STATE if rules.ace.first == "call" else HIGH_STATE
        hands = [(LOW_ACE, hi) for hi in range(2, 15)] + [(lo, ACE) for lo in range(2, 14)]
        hands += [(lo, hi) for lo in range(2, 13) for hi in range(lo + 1, 14)]
        hands += [(rank, rank) for rank in range(2, 15)]
        place = {hand: i for i, hand in enumerate(hands)}
        named = [[place[self._named(state, second)] for second in range(2, 15)] for state in range(STATES)]
        self.index = np.array(named)
        self._seconds = np.ascontiguousarray(self.index.T)
        self.orders = np.zeros((len(hands), 1))  # in which two ranks come to the hand, under predicted calls
        for state in (*range(HIGH_STATE), self.predicted):
            np.add.at(self.orders[:, 0], self.index[state], 1)
        rule = rules.pair.rule
        self.is_trips = rule in ("trips_bet", "auto_pay_or_trips", "auto_trips")
        self._pair_pay_chips = None if rule == "higher_lower" or self.is_trips else rules.pair_pay_chips
        gap = np.array([hi - lo - 1 for lo, hi in hands])
        self.cell = np.where(gap < 0, TRIPS_CELL if self.is_trips else PAIR_CELL, gap)
        self._touching = np.flatnonzero(gap == 0)
        self._rooms = np.empty((2, 0))
        odds = (1,) * 13 if rules.odds_by_gap is None else rules.odds_by_gap
        self._paid_more = [
            (i, lo, hi, odds[hi - lo - 1] - 1) for i, (lo, hi) in enumerate(hands) if hi - lo > 1
        ]
        self._paid_more = [hand for hand in self._paid_more if hand[3]]

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

    def worth(self, base: Floats, money: Money, stakes: Floats, out: Floats) -> Floats:
        """Worth of every hand, put in ``out`` ``(hands, n)``; ``base`` ``(13, n)`` counts by rank with both posts still in.

        ``stakes`` ``(CELLS, n)``: the share of the greatest bet expected, by cell.
        """
        rules = self.rules
        below = _BELOW @ base  # [rank − 2]: cards of lower ranks, aces being high
        left = below[13] - 2
        if rules.bet.before_posts:
            return self._wagered(base, below, left, money, stakes, out)
        self._gaps(base, below, money.most / left, out)
        if self._pair_pay_chips is None:
            most = money.most_trips if self.is_trips else money.most_pair
            out[_PAIRS] = self._bet_pairs(base, below) * (most / left)
        favoured = np.maximum(out, 0.0, out=self._room(0, len(left)))
        by_hand = self._room(1, len(left))
        favoured *= np.take(stakes[HANDS:] - stakes[:HANDS], self.cell, axis=0, out=by_hand, mode="clip")
        out *= np.take(stakes, self.cell, axis=0, out=by_hand, mode="clip")
        out += favoured
        if self._pair_pay_chips is not None:
            is_paid = rules.pair.rule == "auto_pay"
            out[_PAIRS] = np.minimum(self._pair_pay_chips, money.pot) if is_paid else 0
        if rules.consecutive != "bet":
            is_paid = rules.consecutive == "pay_min"
            out[self._touching] = -np.minimum(rules.bet.min, money.chips) if is_paid else 0
        return out

    def _wagered(
        self, base: Floats, below: Floats, left: Floats, money: Money, stakes: Floats, out: Floats
    ) -> Floats:
        """The same where a wager stands: on a gap it and the raise expected, on a pair it alone, and neighbours push."""
        self._gaps(base, below, 1 / left, out)
        raised = np.where(
            out > 0, stakes[HANDS:].take(self.cell, axis=0), stakes[:HANDS].take(self.cell, axis=0)
        )
        out *= money.wager + raised * money.most
        out[_PAIRS] = self.rules.pair.trips_odds * (base - 2) * (money.wager / left)
        out[self._touching] = 0
        return out

    def _room(self, which: int, n: int) -> Floats:
        """Room for a number of every hand, ``(hands, n)``, the same memory each time: fresh memory is slow."""
        need = len(self.cell) * n
        if self._rooms.shape[1] < need:
            self._rooms = np.empty((2, need))
        return self._rooms[which, :need].reshape(-1, n)

    def _gaps(self, base: Floats, below: Floats, scale: Floats, out: Floats) -> None:
        """Edges of all hands but pairs times ``scale``: wins − losses − multiplier · hits, both posts taken out.

        Twice the cards between, less all cards, less (multiplier − 1) of those like a post: that is a sum of a part of
        the higher post and a part of the lower one.
        """
        like = 1.0 - self.rules.post.multiplier
        likes, twice = base * (like * scale), below * (2 * scale)
        upper = twice[:13] + likes  # of posts 2 … 14
        upper += (2 - 2 * like - below[13]) * scale
        lower = np.subtract(twice[1:13], likes[:12], out=twice[1:13])  # of posts 2 … 13
        np.add(upper, likes[12], out=out[_LOW_ACE])
        out[_TWO_ACES] -= likes[12]  # the two posts are of one rank
        np.subtract(upper[12], lower, out=out[_HIGH_ACE])
        for block, lo in _INNER:
            np.subtract(upper[lo - 1 : 12], lower[lo - 2], out=out[block])
        for hand, lo, hi, more in self._paid_more:
            out[hand] += more * (below[hi - 2] - below[lo - 1]) * scale
        out[_PAIRS] = 0

    def _bet_pairs(self, base: Floats, below: Floats) -> Floats:
        """The same of pairs that are bet on, ``(13, n)``, called for the side with more cards, or of trips."""
        pair = self.rules.pair
        like = pair.trips_odds + 1.0 if self.is_trips else 1.0 - pair.post
        edge = like * base + (2 - 2 * like - below[13])
        if not self.is_trips:
            edge += 2 * np.maximum(below[:13], below[13] - below[1:])
        return np.asarray(edge)

    def expected(self, worth: Floats, counts: Floats) -> Floats:
        """Expected worth before the first post, ``(n,)``: at least two cards of ``counts`` ``(13, n)`` are unseen."""
        n, ace, orders = counts.sum(axis=0), counts[12], self.orders
        deals = self._room(0, len(n))  # in how many ways two cards make the hand
        np.multiply(counts, orders[_LOW_ACE] * ace, out=deals[_LOW_ACE])
        deals[_TWO_ACES] = orders[_TWO_ACES] * ace * (ace - 1)
        np.multiply(counts[:12], orders[_HIGH_ACE] * ace, out=deals[_HIGH_ACE])
        twice = 2 * counts
        for block, lo in _INNER:
            np.multiply(counts[lo - 1 : 12], twice[lo - 2], out=deals[block])
        np.multiply(counts, orders[_PAIRS] * (counts - 1), out=deals[_PAIRS])
        deals *= worth
        return np.asarray(deals.sum(axis=0) / (n * (n - 1)))

    def expected_after(self, worth: Floats, state: Ints, counts: Floats) -> Floats:
        """Expected worth before the second post, ``(n,)``; ``counts`` ``(13, n)`` with the first post out."""
        n = worth.shape[1]
        at = np.take(self._seconds, state, axis=1)  # (13, n), of each second rank
        at *= n
        at += np.arange(n)
        possible = np.take(worth.ravel(), at)
        possible *= counts
        return np.asarray(possible.sum(axis=0) / counts.sum(axis=0))
