"""Luck of the cards, removed exactly: what every draw did to every seat beyond its expectation just before it.

For any function W of the state before a draw and the card drawn, ``W(card) − Σ_r u_r/N · W(r)`` has mean zero given that
state, so subtracting it changes no bot's expectation, only its spread. Three draws, three terms (statistics.md, "Luck,
removed exactly"):

- *third card*: W is what a seat would hold if the game ended after settlement and re-ante;
- *second post*: W is the stake expected of the bot times the hand's edge; where nothing is bet it is what is paid, less the
  seat's share of it, without a re-ante that this brings or a seat that goes out by it: rare, and a W as fair as any;
- *first post*: W is the expectation of the second post's W under a predicted ace call.

Where a house or the dealer is the bank there is no pot to share: a seat holds its own chips, and what the actor wins a
dealer loses. A wager before the posts is known at all three draws; what is expected of the bot is then its raise.

Replies later than a draw are predicted, never used: aces are named for the wider gap, ``call`` aces low, pairs for the side
with more unseen cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from arena.analysis.hands import LOW_STATE, Hands, Money, money
from arena.game import cards as c
from arena.game.questions import PostDraw, ThirdDraw
from arena.game.rules import TableRules

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_CHUNK = 1024  # tables at a time: a hundred hands of each


class Luck:
    """A witness that adds up every seat's luck as a game is replayed.

    ``stakes`` ``(seats, FOLDS, CELLS)`` are the stakes expected of the bot in each seat (None: third-card luck only),
    ``fold`` ``(tables,)`` the fold of each table's deal. ``third_luck``, ``posts_luck`` and ``wins_luck``
    ``(seats, tables)`` are in chips, chips, and games won: zero-mean each.
    """

    def __init__(self, rules: TableRules, seats: int, tables: int, stakes: Floats | None, fold: Ints) -> None:
        self.rules, self.seats = rules, seats
        self.third_luck: Floats = np.zeros((seats, tables))
        self.posts_luck: Floats = np.zeros((seats, tables))
        self.wins_luck: Floats = np.zeros((seats, tables))
        self._stakes, self._fold = stakes, fold
        self._hands = Hands(rules)
        self._forming: list[_Forming] = []
        self._worths = np.empty(len(self._hands.cell) * tables)

    # ---- third card

    def third(self, draw: ThirdDraw) -> None:
        """Add what the third card did."""
        tables, rows, seat = draw.tables, draw.rows, draw.seat
        n = c.count(draw.unseen)
        win = c.count(draw.unseen & c.WINS[draw.code]) / n
        hit = c.count(draw.unseen & c.HITS[draw.code]) / n
        # three courses beside one another, ``(seats, 3 · tables)``: won, hit a post, lost
        beyond = np.concatenate(
            [draw.wins - win, draw.hits - hit, ~(draw.wins | draw.hits) - (1 - win - hit)], dtype=np.float64
        )
        delta = np.concatenate([draw.gain, -draw.hit_cost, -draw.loss])
        chips = np.tile(c.pick(tables.chips, rows), 3)
        if self.rules.bank == "pot":
            after, rest = settled(self.rules, chips, np.tile(tables.pot[rows], 3), seat, delta)
            scale = np.asarray(0.35 * (rest + 20), dtype=np.float64)
        else:
            after = paid(self.rules, chips, np.tile(tables.dealer[rows], 3), seat, delta)
            rest, scale = np.zeros_like(delta), (np.tile(draw.hit_cost, 3) + 1).astype(np.float64)
        held = beyond * worth_now(self.rules, after, rest)
        won = beyond * winning(after, scale, np.tile(self._turns_left(draw), 3))
        courses = (self.seats, 3, len(rows))
        c.add(self.third_luck, rows, held.reshape(courses).sum(axis=1))
        c.add(self.wins_luck, rows, won.reshape(courses).sum(axis=1))

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
        if draw.first is None or draw.is_low is None:
            self._forming = list(self._first_posts(draw, self._stakes[draw.seat]))
            return
        state = np.where(draw.is_low, LOW_STATE, draw.first - 2)
        rank = c.ranks(draw.card)
        luck = np.concatenate([self._second(state[f.at], rank[f.at], f) for f in self._forming])
        shares = pot_shares(self.rules, c.pick(draw.tables.chips, draw.rows))
        if self.rules.bank == "dealer":
            shares[draw.tables.dealer[draw.rows], np.arange(len(draw.rows))] = 1
        shares *= -luck
        shares[draw.seat] += luck
        c.add(self.posts_luck, draw.rows, shares)

    def _first_posts(self, draw: PostDraw, stakes: Floats) -> Iterator[_Forming]:
        """The hands that a first post begins, in parts."""
        limits, rank = money(draw.tables, draw.seat, draw.round, draw.rows, draw.wager), c.ranks(draw.card)
        counts = rank_counts(draw.unseen)
        for at, some in self._parts(draw.rows, stakes):
            yield self._first(at, counts[:, at], rank[at], limits.at(at), some)

    def _parts(self, rows: Ints, stakes: Floats) -> Iterator[tuple[slice, Floats]]:
        """The rows in parts of at most a chunk, each with the expected stakes ``(CELLS, n)`` of its deals' folds."""
        by_fold = np.ascontiguousarray(stakes.T)
        for start in range(0, len(rows), _CHUNK):
            at = slice(start, min(start + _CHUNK, len(rows)))
            yield at, by_fold.take(self._fold[rows[at]], axis=1)

    def _first(self, at: slice, counts: Floats, rank: Ints, limits: Money, stakes: Floats) -> _Forming:
        """Of the first post: the expected worth of the hand it begins, beyond that before it was drawn."""
        hands, n = self._hands, counts.sum(axis=0)
        base, before = counts, counts
        if n.min() <= 2:
            full = 4.0 * self.rules.deck.packs
            # where two are left, both are posts, and a shuffle comes before the bet
            base = np.where(n > 2, counts, full)
            before = np.where(n > 1, counts, full)
        room = self._worths[len(hands.cell) * at.start : len(hands.cell) * at.stop].reshape(-1, len(n))
        worth = hands.worth(base, limits, stakes, out=room)
        state = np.where(rank == 14, hands.predicted, rank - 2)
        after = before.copy()
        after[rank - 2, np.arange(len(n))] -= 1
        expected = hands.expected_after(worth, state, after)
        luck = expected - hands.expected(worth, before)
        return _Forming(at, worth, state, after, expected, np.where(n > 1, luck, 0))  # a last card is no luck

    def _second(self, state: Ints, rank: Ints, forming: _Forming) -> Floats:
        """Of both posts: to the luck of the first, the worth of the hand made beyond what the first let expect.

        Between the two neither chips nor the cards have changed but for the first: only an ace may be called
        otherwise than predicted.
        """
        hands, worth, expected = self._hands, forming.worth, forming.expected
        other = c.at(state != forming.state)
        if len(other):
            expected = expected.copy()
            expected[other] = hands.expected_after(
                c.pick(worth, other), state[other], c.pick(forming.after, other)
            )
        luck = worth[hands.index[state, rank - 2], np.arange(len(state))] - expected
        return forming.luck + np.where(forming.after.sum(axis=0) > 1, luck, 0)


@dataclass(slots=True)
class _Forming:
    """Hands that a first post has begun at some rows, ``at``, of a turn: arrays end in ``(n,)``.

    ``worth`` of every hand, ``after``: counts by rank without the post; its predicted ``state``, the worth ``expected``
    by that, and what the post was beyond what was expected before it, its ``luck``.
    """

    at: slice
    worth: Floats
    state: Ints
    after: Floats
    expected: Floats
    luck: Floats


_SHIFTS = np.arange(0, 52, 4, dtype=np.uint64)[:, None]


def rank_counts(unseen: c.Masks) -> Floats:
    """Unseen cards of ranks 2 … 14: ``(packs, n)`` to ``(13, n)``."""
    out = np.zeros((13, unseen.shape[1]))
    for pack in unseen:
        out += np.bitwise_count((pack >> _SHIFTS) & np.uint64(15))
    return out


def pot_shares(rules: TableRules, chips: Ints) -> Floats:
    """The share of the pot that each seat would have if the game ended now, ``(seats, n)``; 0 where there is none."""
    if rules.bank != "pot":
        return np.zeros(chips.shape)
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
        pay = np.minimum(c.pick(after, empty), rules.ante.amount)
        c.add(after, empty, -pay)
        rest[empty] = pay.sum(axis=0)
    return after, rest


def paid(rules: TableRules, chips: Ints, dealer: Ints, seat: int, delta: Ints) -> Ints:
    """Chips ``(seats, n)`` after ``delta`` has moved from the bank, a house or the ``dealer`` ``(n,)``, to ``seat``."""
    after = chips.copy()
    after[seat] += delta
    if rules.bank == "dealer":
        after[dealer, np.arange(len(delta))] -= delta
    return after


def winning(chips: Ints, scale: Floats, turns_left: Floats) -> Floats:
    """A rough chance of each seat to end with the most chips, ``(seats, n)``: a normal lead over the best of the others.

    ``scale`` is about what a turn moves. Any function would do; this one, from statistics.md ("Win share"), follows the
    truth closely enough to save games.
    """
    spread = scale * np.sqrt(np.maximum(turns_left, 0.25))
    if len(chips) == 2:
        leads = ndtr((chips[0] - chips[1]) / spread)
        return np.stack([leads, 1 - leads])
    most = chips.max(axis=0)
    is_most = chips == most
    next_most = np.where(is_most, -1, chips).max(axis=0)
    next_most = np.where(is_most.sum(axis=0) > 1, most, next_most)
    return np.asarray(ndtr((chips - np.where(is_most, next_most, most)) / spread))
