"""What a wager before the posts is worth: exact expectations over both posts and the third card, by the unseen cards.

Hands stand along the first axis, tables ``(n,)`` along the last. Unseen cards come as counts by rank, ``(n, 15)``; rules may
be the view of them that a bot has. Sums accumulate hand by hand (``sum`` goes another way where there is one table), so that
no table depends on others.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from arena.game.bank import GAP, odds_of, raise_of
from arena.game.values import ACE, LOW_ACE, TWO, Ints

if TYPE_CHECKING:
    from arena.game.rules import TableRules

Floats = npt.NDArray[np.float64]
RANKS = range(TWO, ACE + 1)
PART = 256  # tables thought about together: memory


class _Plan(NamedTuple):
    """All hands two posts can make: ranks ``(105, 1)``, and which of them a first post under one of its names and a second
    may be made into, ``at`` ``(names, 13, 13, hands)``."""

    low: Ints
    high: Ints
    at: Ints


@cache
def _plan(first_ace: str, second_ace: str) -> _Plan:
    hands = [(low, high) for low in range(LOW_ACE, ACE + 1) for high in range(low, ACE + 1)]
    names = 2 if first_ace == "call" else 1
    at = np.empty((names, 13, 13, 4), dtype=np.int64)
    for name, first, second in np.ndindex(names, 13, 13):
        called = LOW_ACE if name and first + TWO == ACE else first + TWO
        made = _hands(first_ace, second_ace, called, first + TWO, second + TWO)
        found = [hands.index(hand) for hand in made]
        at[name, first, second] = (found * 4)[:4]
    most = 1 if (at == at[..., :1]).all() else 4
    low, high = (np.array(side)[:, None] for side in zip(*hands, strict=True))
    return _Plan(low, high, at[..., :most])


def _hands(first_ace: str, second_ace: str, called: int, first: int, second: int) -> list[tuple[int, int]]:
    """The hands that a first post, by what it was called, and a second can be made; see rules.md, "A turn"."""
    if called == second:
        return [(called, called)]
    firsts = (LOW_ACE, ACE) if first == ACE and first_ace == "choose" else (called,)
    seconds = (LOW_ACE, ACE) if second == ACE and second_ace == "choose" else (second,)
    return [(min(a, b), max(a, b)) for a in firsts for b in seconds]


class _Cards(NamedTuple):
    """The hands' third cards: how many win and hit a post, ``(105, n)``, and how many there are, ``(n,)``."""

    wins: Ints
    hits: Ints
    total: Ints


def _third_cards(plan: _Plan, base: Ints) -> _Cards:
    """``base`` ``(n, 15)`` has both posts still in."""
    low, high = plan.low[:, 0], plan.high[:, 0]
    card, counts = np.where(low == LOW_ACE, ACE, low), base.T
    up_to = counts.cumsum(axis=0)
    is_pair, is_one_rank = (low == high)[:, None], (card == high)[:, None]
    between = up_to[np.maximum(high - 1, 0)] - up_to[low]
    wins = np.where(is_pair, counts[card] - 2, between)
    hits = np.where(is_pair, 0, counts[card] + np.where(is_one_rank, 0, counts[high]) - 2)
    return _Cards(wins, hits, counts.sum(axis=0) - 2)


def _expected(plan: _Plan, worth: Floats, unseen: Ints, second: Ints) -> Floats:
    """The expectation ``(n,)`` over both posts of what hands are worth ``(105, n)``, aces named for the best."""
    best = worth[plan.at].max(axis=3)  # (names, first, second, n)
    left = second.T[TWO:] - np.eye(13, dtype=np.int64)[:, :, None]
    named = np.add.accumulate(left / (second.sum(axis=1) - 1) * best, axis=2)[:, :, -1]
    parts = unseen.T[TWO:] / unseen.sum(axis=1) * named.max(axis=0)
    return np.asarray(np.add.accumulate(parts, axis=0)[-1])


def _packs(rules: TableRules, unseen: Ints) -> tuple[Ints, Ints]:
    """What the second post is of, the first still in, and the third card, both still in: all cards once too few are left."""
    full = np.where(np.arange(15) < TWO, 0, 4 * rules.deck.packs)
    left = unseen.sum(axis=1)[:, None]
    return np.where(left > 1, unseen, full), np.where(left > 2, unseen, full)


def wager_edges(rules: TableRules, unseen: Ints) -> Floats:
    """Expected chips ``(2, n)`` a chip wagered before the posts: if it is never raised, and what raises by as much add
    where they pay. Exact while no cap binds; with ``raise: none`` nothing is added. At least one card is unseen.

    Where aces are named the two add up to the best that can be made, the names being for that.
    """
    if len(unseen) > 1 and (unseen == unseen[0]).all():  # shuffled before every turn
        return np.repeat(wager_edges(rules, unseen[:1]), len(unseen), axis=1)
    out = np.empty((2, len(unseen)))
    for start in range(0, len(unseen), PART):
        part = slice(start, start + PART)
        out[:, part] = _edges(rules, unseen[part])
    return out


def _edges(rules: TableRules, unseen: Ints) -> Floats:
    plan, (second, third) = _plan(rules.ace.first, rules.ace.second), _packs(rules, unseen)
    cards = _third_cards(plan, third)
    step = plan.high - plan.low
    odds = np.broadcast_to(odds_of(rules, np.full(step.shape, GAP), np.maximum(step - 1, 0)), step.shape)
    lost = cards.total - cards.wins + (rules.post.multiplier - 1) * cards.hits
    edge = (odds * cards.wins - lost) / cards.total
    edge = np.where(step == 0, rules.pair.trips_odds * cards.wins / cards.total, edge) * (step != 1)
    more = np.maximum(edge, 0) * (step > 1) * (rules.bet.raise_ == "wager")
    alone, whole = (_expected(plan, worth, unseen, second) for worth in (edge, edge + more))
    return np.stack([alone, whole - alone])


class Wagers:
    """Wagers that are asked for at tables ``(n,)``, and what they are worth if the best is made of all that follows.

    ``alone`` and ``more`` are :func:`wager_edges`. ``most`` is the greatest wager, and the most that may be staked in all.
    """

    def __init__(
        self, rules: TableRules, unseen: Ints, round: int, bank: Ints, chips: Ints, most: Ints
    ) -> None:
        self.rules, self.round = rules, round
        self._unseen, self._bank, self._chips, self._most = unseen, bank, chips, most
        self.alone, self.more = wager_edges(rules, unseen)
        self.odds = sorted({1, rules.pair.trips_odds, *(rules.odds_by_gap or ())})
        is_named = (rules.ace.first, rules.ace.second) != ("high", "high")
        may_bind = rules.post.multiplier > 1 or is_named
        self._is_capped = np.broadcast_to(may_bind, len(unseen)) | (self.odds[-1] * most > bank)

    @cached_property
    def edge(self) -> Floats:
        """Expected chips per chip wagered ``(n,)``, raised by as much wherever that pays: exact while no cap binds."""
        return np.asarray(self.alone + self.more)

    def value(self, wagers: Any) -> Floats:
        """Expected chips of these wagers ``(…, n)``, exact, with every cap."""
        asked = np.broadcast_to(wagers, (*np.shape(wagers)[:-1], len(self._unseen)))
        worth = asked * self.alone + np.minimum(self._most - asked, asked) * self.more
        for start in range(0, len(self._unseen), PART):
            capped = start + np.flatnonzero(self._is_capped[start : start + PART])
            for at in np.ndindex(asked.shape[:-1]) if len(capped) else ():
                worth[(*at, capped)] = self._capped(capped, asked[(*at, capped)])
        return np.asarray(worth)

    def value_at(self, at: int, wager: int) -> float:
        """The same of one wager at one table."""
        alone, more, most, is_capped = self._lists
        if is_capped[at]:
            return float(self._capped(np.array([at]), np.array([wager]))[0])
        worth: float = wager * alone[at] + min(most[at] - wager, wager) * more[at]
        return worth

    @cached_property
    def _lists(self) -> tuple[list[Any], ...]:
        return tuple(column.tolist() for column in (self.alone, self.more, self._most, self._is_capped))

    def _capped(self, at: Ints, wager: Ints) -> Floats:
        """Hand by hand, for where a cap may bind or an ace be named."""
        rules, unseen, bank, chips = self.rules, self._unseen[at], self._bank[at], self._chips[at]
        plan, (second, third) = _plan(rules.ace.first, rules.ace.second), _packs(rules, unseen)
        cards, step = _third_cards(plan, third), plan.high - plan.low
        odds: Any = odds_of(rules, np.full(step.shape, GAP), np.maximum(step - 1, 0))
        odds = np.where(step == 0, rules.pair.trips_odds, odds)
        losses = np.where(step == 0, 0, cards.total - cards.wins - cards.hits)  # a pair gives the wager back

        def worth(more: Any) -> Floats:
            stake = wager + more
            won = cards.wins * np.minimum(odds * stake, bank)
            hit = cards.hits * np.minimum(rules.post.multiplier * stake, chips)
            return np.asarray((won - losses * stake - hit) / cards.total)

        most = np.where(step > 1, raise_of(rules, self._most[at], wager), 0)
        least, full = np.minimum(rules.bet.min, most), bank // odds - wager
        raises = [0, most, *(np.clip(more, least, most) for more in (full, full + 1))]
        best = np.max([worth(more) for more in raises], axis=0) * (step != 1)
        return _expected(plan, best, unseen, second)

    def candidates(self, least: Ints) -> list[Ints]:
        """Legal wagers ``(n,)``, ``least`` first, of which one is worth most.

        Between two points where a cap begins to bind the value is the best of several straight lines, so that a best wager
        is beside such a point or a limit. What caps losses only makes it bend upwards: it need not be looked at.
        """
        points = [self._most // 2]  # from here on a raise is less than the wager
        if self.rules.bank == "dealer":
            paid = [self._bank // odd for odd in self.odds]
            points += [*paid, *(part // 2 for part in paid), *(part - self.rules.bet.min for part in paid)]
        beside = [np.clip(point + more, least, self._most) for point in points for more in (0, 1)]
        return [least, *beside, self._most]
