"""Luck of the cards, removed exactly: what every draw did to every seat beyond its expectation just before it.

For any function W of the state before a draw and the card drawn, ``W(card) − Σ_r u_r/N · W(r)`` has mean zero given that state,
so subtracting it changes no bot's expectation, only its spread. Three draws, three terms (statistics.md, "Luck, removed
exactly"):

- *third card*: W is what a seat would hold if the game ended after settlement and re-ante;
- *second post*: W is that where nothing is bet, else the stake expected of the bot times the hand's edge;
- *first post*: W is the expectation of the second post's W under a predicted ace call.

Replies later than a draw are predicted, never used: aces are named for the wider gap, ``call`` aces low, pairs for the side
with more unseen cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from arena.analysis.stakes import HANDS, PAIR_CELL, TRIPS_CELL
from arena.game import cards as c
from arena.game.questions import PostDraw, ThirdDraw
from arena.game.rules import TableRules
from arena.game.tables import Tables

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

ACE, LOW_ACE = 14, 1
_STATES = 14  # of the first post: ranks 2 … 13, an ace not (yet) low, an ace called low
_LOW_STATE = 13
_CHUNK = 512  # tables at a time, so that a hundred hands of each stay in the cache


class _Hands:
    """All hands that two posts can form, under predicted replies: for each, what is bet on or paid, as columns.

    ``lo``, ``hi``, ``kind`` (cell without its sign; −1: something is paid or nothing happens), and the coefficients of the
    edge's numerator in the unseen counts by rank.
    """

    def __init__(self, rules: TableRules) -> None:
        self.rules = rules
        self.index = np.zeros((_STATES, 13), dtype=np.int64)  # (state of the first post, second rank − 2) → hand
        keys: dict[tuple[int, int], int] = {}
        for state in range(_STATES):
            for second in range(2, 15):
                key = self._named(state, second)
                self.index[state, second - 2] = keys.setdefault(key, len(keys))
        self.n = len(keys)
        self.lo = np.array([key[0] for key in keys])
        self.hi = np.array([key[1] for key in keys])
        self.is_pair = self.lo == self.hi
        self.predicted_ace = _LOW_STATE if rules.ace.first == "call" else ACE - 2
        self._coefficients()

    def _named(self, state: int, second: int) -> tuple[int, int]:
        """Lower and higher post once every ace has its predicted name."""
        ace = self.rules.ace
        first = LOW_ACE if state == _LOW_STATE else state + 2
        if first == second:
            return first, second
        if first == ACE and ace.first == "choose" and second - 2 > ACE - 1 - second:
            first = LOW_ACE
        if second == ACE and ace.second == "choose" and first != LOW_ACE and first - 2 > ACE - 1 - first:
            second = LOW_ACE
        return min(first, second), max(first, second)

    def _coefficients(self) -> None:
        """Masks over ranks 2 … 14, ``(n, 13)``: cards that win and that hit, for gaps; for pairs those above and below."""
        ranks = np.arange(2, 15)
        lo, hi = self.lo[:, None], self.hi[:, None]
        ace_as = np.where(lo == LOW_ACE, ACE, lo)
        self.posts = ((ranks == ace_as).astype(np.int64)) + ((ranks == hi) & (hi != ace_as))
        self.between = ((ranks > lo) & (ranks < hi)).astype(np.int64)
        own = ranks == np.where(hi == LOW_ACE, ACE, hi)
        self.above = ((ranks > hi) & ~own & self.is_pair[:, None]).astype(np.int64)
        self.below = ((ranks < lo) & self.is_pair[:, None]).astype(np.int64)


class _Values:
    """The worth of every hand at some tables, before it is known which one the posts form: ``(hands, n)``."""

    def __init__(self, hands: _Hands, base: Floats, left: Floats, money: _Money, stakes: Floats) -> None:
        """``base`` ``(13, n)`` counts by rank with the posts still in, ``left`` ``(n,)`` cards once they are out.

        ``stakes`` ``(CELLS, n)`` or ``(CELLS, 1)``: the share of the greatest bet that is expected.
        """
        rules = hands.rules
        worth = np.zeros((hands.n, base.shape[1]))
        gaps = np.flatnonzero(~hands.is_pair & (hands.hi - hands.lo > 1))
        hits = hands.posts @ base - 2
        self._bet(worth, gaps, hands, base, hits, left, money.most, stakes, rules.post.multiplier)
        touching = np.flatnonzero(hands.hi - hands.lo == 1)
        if rules.consecutive == "pay_min":
            worth[touching] = -np.minimum(rules.bet.min, money.chips)
        elif rules.consecutive == "bet":
            self._bet(worth, touching, hands, base, hits, left, money.most, stakes, rules.post.multiplier)
        pairs = np.flatnonzero(hands.is_pair)
        if rules.pair.rule == "auto_pay":
            worth[pairs] = np.minimum(rules.pair_pay_chips, money.pot)
        elif rules.pair.rule == "higher_lower":
            self._pairs(worth, pairs, hands, base, hits, left, money, stakes)
        elif rules.pair.rule != "pass":
            wins = hits[pairs]
            edge = (rules.pair.trips_odds + 1) * wins - left
            worth[pairs] = self._staked(edge, left, money.most_trips, stakes, np.full(len(pairs), TRIPS_CELL))
        self.worth = worth

    def _bet(
        self, worth: Floats, which: Ints, hands: _Hands, base: Floats, hits: Floats, left: Floats, most: Floats,
        stakes: Floats, multiplier: int,
    ) -> None:  # fmt: skip
        edge = 2 * (hands.between[which] @ base) + (1 - multiplier) * hits[which] - left
        gap = hands.hi[which] - hands.lo[which] - 1
        worth[which] = self._staked(edge, left, most, stakes, gap)

    def _pairs(
        self, worth: Floats, which: Ints, hands: _Hands, base: Floats, hits: Floats, left: Floats, money: _Money,
        stakes: Floats,
    ) -> None:  # fmt: skip
        wins = np.maximum(hands.above[which] @ base, hands.below[which] @ base)
        edge = 2 * wins + (1 - hands.rules.pair.post) * hits[which] - left
        worth[which] = self._staked(edge, left, money.most_pair, stakes, np.full(len(which), PAIR_CELL))

    @staticmethod
    def _staked(numerator: Floats, left: Floats, most: Floats, stakes: Floats, cell: Ints) -> Floats:
        """Expected stake times edge."""
        share = np.where(numerator > 0, stakes[cell + HANDS], stakes[cell])
        return np.asarray(share * numerator * (most / left))


class _Money:
    """What an actor may stake at some tables: the greatest bets on a gap, a pair and trips, chips and pot, ``(n,)`` each."""

    def __init__(self, tables: Tables, seat: int, round: int, rows: Any) -> None:
        rules = tables.rules
        self.chips = tables.chips[seat][rows].astype(np.float64)
        self.pot = tables.pot[rows].astype(np.float64)
        most = np.minimum(self.chips, self.pot)
        if round == 1 and rules.bet.first_round_max == "half_pot":
            most = np.minimum(most, np.maximum(self.pot // 2, rules.bet.min))
        elif round == 1 and rules.bet.first_round_max == "ante":
            most = np.minimum(most, rules.ante.amount)
        self.most = self.most_pair = self.most_trips = most
        if rules.bet.must_cover_post:
            self.most = np.minimum(most, self.chips // rules.post.multiplier)
            self.most_pair = np.minimum(most, self.chips // rules.pair.post)


class Luck:
    """A witness that adds up every seat's luck as a game is replayed.

    ``stakes`` ``(seats, FOLDS, CELLS)`` are the stakes expected of the bot in each seat (None: third-card luck only), ``fold``
    ``(tables,)`` the fold of each table's deal. ``third``, ``posts`` and ``wins`` ``(seats, tables)`` are in chips, chips, and
    games won: zero-mean each.
    """

    def __init__(self, rules: TableRules, seats: int, tables: int, stakes: Floats | None, fold: Ints) -> None:
        self.rules, self.seats = rules, seats
        self.third_luck: Floats = np.zeros((seats, tables))
        self.posts_luck: Floats = np.zeros((seats, tables))
        self.wins_luck: Floats = np.zeros((seats, tables))
        self._stakes, self._fold = stakes, fold
        self._hands = _Hands(rules)

    # ---- third card

    def third(self, draw: ThirdDraw) -> None:
        """Add what the third card did."""
        tables, rows, seat = draw.tables, draw.rows, draw.seat
        chips, pot = tables.chips[:, rows], tables.pot[rows]
        n = c.count(draw.unseen)
        win = c.count(draw.unseen & c.WINS[draw.code]) / n
        hit = c.count(draw.unseen & c.HITS[draw.code]) / n
        happened = np.stack([draw.wins, draw.hits, ~(draw.wins | draw.hits)]).astype(np.float64)
        surprise = happened - np.stack([win, hit, 1 - win - hit])
        left = self._turns_left(draw)
        for beyond, delta in zip(surprise, (draw.gain, -draw.hit_cost, -draw.loss), strict=True):
            after, rest = settled(self.rules, chips, pot, seat, delta)
            held = worth_now(self.rules, after, rest)
            self.third_luck[:, rows] += beyond * held
            self.wins_luck[:, rows] += beyond * winning(after, rest, left)

    def _turns_left(self, draw: ThirdDraw) -> Floats:
        """About how many turns are still to come after this one."""
        end = self.rules.end
        turns = np.full(len(draw.rows), np.inf)
        if end.rounds is not None:
            turns = np.minimum(turns, (end.rounds - draw.round) * self.seats + self.seats - 1 - draw.place)
        if end.turns is not None:
            turns = np.minimum(turns, end.turns - draw.tables.turns[draw.rows] - 1)
        return np.maximum(turns, 0)

    # ---- posts

    def post(self, draw: PostDraw) -> None:
        """Add what a post did to the hand that is forming, by the stake expected on it."""
        if self._stakes is None:
            return
        seat, rows, tables = draw.seat, draw.rows, draw.tables
        shares = pot_shares(self.rules, tables.chips[:, rows])
        mine = -shares
        mine[seat] += 1
        counts = c.count_by_rank(draw.unseen)[:, 2:].T.astype(np.float64)
        luck = np.empty(len(rows))
        for start in range(0, len(rows), _CHUNK):
            at = slice(start, start + _CHUNK)
            money = _Money(tables, seat, draw.round, rows[at])
            stakes = self._stakes[seat][self._fold[rows[at]]].T
            rank = c.ranks(draw.card[at])
            if draw.first is None or draw.is_low is None:
                luck[at] = self._first(counts[:, at], rank, money, stakes)
            else:
                state = np.where(draw.is_low[at], _LOW_STATE, draw.first[at] - 2)
                luck[at] = self._second(counts[:, at], draw.first[at], state, rank, money, stakes)
        self.posts_luck[:, rows] += luck * mine

    def _first(self, counts: Floats, rank: Ints, money: _Money, stakes: Floats) -> Floats:
        """Of the first post: the expected worth of the hand it begins, beyond that before it was drawn."""
        hands, n = self._hands, counts.sum(axis=0)
        full = 4.0 * self.rules.deck.packs
        base = np.where(n > 2, counts, full)  # two cards left: both are turned up, and the bet's card comes after a shuffle
        worth = _Values(hands, base, base.sum(axis=0) - 2, money, stakes).worth
        expected = np.zeros((13, len(n)))
        for first in range(13):
            state = hands.predicted_ace if first == ACE - 2 else first
            after = np.where(n > 1, counts, full)  # one card left: the second post comes after a shuffle
            for second in range(13):
                expected[first] += worth[hands.index[state, second]] * (after[second] - (second == first))
        expected /= np.where(n > 1, n - 1, 13 * full - 1)
        return np.asarray(expected[rank - 2, np.arange(len(n))] - (expected * counts).sum(axis=0) / n)

    def _second(self, counts: Floats, first: Ints, state: Ints, rank: Ints, money: _Money, stakes: Floats) -> Floats:
        """Of the second post: the worth of the hand it makes, beyond what the first post let expect."""
        hands, n = self._hands, counts.sum(axis=0)
        at = np.arange(len(n))
        base = np.where(n > 1, counts, 4.0 * self.rules.deck.packs)
        base[first - 2, at] += n > 1  # the worth of a hand is counted with both posts still in
        worth = _Values(hands, base, base.sum(axis=0) - 2, money, stakes).worth
        possible = worth[hands.index[state].T, at]
        return np.asarray(possible[rank - 2, at] - (possible * counts).sum(axis=0) / n)


def pot_shares(rules: TableRules, chips: Ints) -> Floats:
    """The share of the pot that each seat would have if the game ended now, ``(seats, n)``."""
    live = chips > 0
    n_live = live.sum(axis=0)
    if rules.end.pot == "split_all":
        return np.asarray(np.where(n_live == 1, live, 1 / len(chips)))
    return np.asarray(live / np.maximum(n_live, 1))


def worth_now(rules: TableRules, chips: Ints, pot: Ints) -> Floats:
    """What each seat would hold if the game ended now, ``(seats, n)``."""
    return np.asarray(chips + pot * pot_shares(rules, chips))


def settled(rules: TableRules, chips: Ints, pot: Ints, seat: int, delta: Ints) -> tuple[Ints, Ints]:
    """Chips ``(seats, n)`` and pot ``(n,)`` after ``delta`` has moved from the pot to ``seat``, re-ante included."""
    after, rest = chips.copy(), pot - delta
    after[seat] += delta
    if rules.ante.when_empty and not rules.end.pot_taken and not rest.all():
        empty = c.at(rest == 0)
        pay = np.minimum(after[:, empty], rules.ante.amount)
        after[:, empty] -= pay
        rest[empty] = pay.sum(axis=0)
    return after, rest


def winning(chips: Ints, pot: Ints, turns_left: Floats) -> Floats:
    """A rough chance of each seat to end with the most chips, ``(seats, n)``: a normal lead over the best of the others.

    Any function would do; this one, from statistics.md ("Win share"), follows the truth closely enough to save games.
    """
    out = np.empty(chips.shape)
    spread = 0.35 * (pot + 20) * np.sqrt(np.maximum(turns_left, 0.25))
    for seat in range(len(chips)):
        lead = chips[seat] - np.delete(chips, seat, axis=0).max(axis=0)
        out[seat] = ndtr(lead / spread)
    return out
