"""Luck of the cards, removed exactly: what every draw did to every seat beyond its expectation just before it.

For any function W of the state before a draw and the card drawn, ``W(card) − Σ_r u_r/N · W(r)`` has mean zero given that
state, so subtracting it changes no bot's expectation, only its spread. Three draws, three terms (statistics.md, "Luck,
removed exactly"):

- *third card*: W is what a seat would hold if the game ended after settlement and re-ante;
- *second post*: W is that where nothing is bet, else the stake expected of the bot times the hand's edge;
- *first post*: W is the expectation of the second post's W under a predicted ace call.

Replies later than a draw are predicted, never used: aces are named for the wider gap, ``call`` aces low, pairs for the side
with more unseen cards.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from arena.analysis.hands import LOW_STATE, Hands, Money, money
from arena.analysis.stakes import FOLDS
from arena.game import cards as c
from arena.game.questions import PostDraw, ThirdDraw
from arena.game.rules import TableRules

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_CHUNK = 256  # tables at a time, so that a hundred hands of each stay in the cache


class Luck:
    """A witness that adds up every seat's luck as a game is replayed.

    ``stakes`` ``(seats, FOLDS, CELLS)`` are the stakes expected of the bot in each seat (None: third-card luck only),
    ``fold`` ``(tables,)``, ascending, the fold of each table's deal. ``third_luck``, ``posts_luck`` and ``wins_luck``
    ``(seats, tables)`` are in chips, chips, and games won: zero-mean each.
    """

    def __init__(self, rules: TableRules, seats: int, tables: int, stakes: Floats | None, fold: Ints) -> None:
        self.rules, self.seats = rules, seats
        self.third_luck: Floats = np.zeros((seats, tables))
        self.posts_luck: Floats = np.zeros((seats, tables))
        self.wins_luck: Floats = np.zeros((seats, tables))
        self._stakes, self._fold = stakes, fold
        self._hands = Hands(rules)
        self._worth: list[Floats] = []  # of the hands that the first post began, part by part

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
        return np.asarray(np.maximum(turns, 0))

    # ---- posts

    def post(self, draw: PostDraw) -> None:
        """Add what a post did to the hand that is forming, by the stake expected on it."""
        if self._stakes is None:
            return
        tables, rows, seat = draw.tables, draw.rows, draw.seat
        counts = c.count_by_rank(draw.unseen)[:, 2:].T.astype(np.float64)
        rank = c.ranks(draw.card)
        luck = np.zeros(len(rows))
        if draw.first is None or draw.is_low is None:
            limits = money(tables, seat, draw.round, rows)
            self._worth = []
            for at, stakes in self._parts(rows, self._stakes[seat]):
                luck[at] = self._first(counts[:, at], rank[at], limits.at(at), stakes)
        else:
            state = np.where(draw.is_low, LOW_STATE, draw.first - 2)
            parts = zip(self._parts(rows, self._stakes[seat]), self._worth, strict=True)
            for (at, _), worth in parts:
                luck[at] = self._second(counts[:, at], state[at], rank[at], worth)
        shares = pot_shares(self.rules, tables.chips[:, rows])
        mine = -shares
        mine[seat] += 1
        self.posts_luck[:, rows] += luck * mine

    def _parts(self, rows: Ints, stakes: Floats) -> Iterator[tuple[slice, Floats]]:
        """The rows in parts of one fold and at most a chunk, each with that fold's expected stakes."""
        edges = np.searchsorted(self._fold[rows], np.arange(FOLDS + 1))
        for fold in range(FOLDS):
            for start in range(edges[fold], edges[fold + 1], _CHUNK):
                yield slice(start, min(start + _CHUNK, edges[fold + 1])), stakes[fold]

    def _first(self, counts: Floats, rank: Ints, limits: Money, stakes: Floats) -> Floats:
        """Of the first post: the expected worth of the hand it begins, beyond that before it was drawn."""
        hands, n = self._hands, counts.sum(axis=0)
        full = 4.0 * self.rules.deck.packs
        base = np.where(
            n > 2, counts, full
        )  # two cards left: both are posts, and a shuffle comes before the bet
        worth = hands.worth(base, limits, stakes)
        self._worth.append(worth)
        at, state = np.arange(len(n)), np.where(rank == 14, hands.predicted, rank - 2)
        after = np.where(n > 1, counts, full)
        after[rank - 2, at] -= 1
        luck = hands.expected_after(worth, state, after) - hands.expected(
            worth, np.where(n > 1, counts, full)
        )
        return np.where(n > 1, luck, 0)  # a last card is no luck

    def _second(self, counts: Floats, state: Ints, rank: Ints, worth: Floats) -> Floats:
        """Of the second post: the worth of the hand it makes, beyond what the first post let expect.

        ``worth`` is that of the first post: between the two neither chips nor the cards it counts with have changed.
        """
        hands, at = self._hands, np.arange(len(state))
        made = worth[hands.index[state, rank - 2], at]
        luck = made - hands.expected_after(worth, state, counts)
        return np.where(counts.sum(axis=0) > 1, luck, 0)


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
