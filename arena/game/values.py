"""What calls are worth before the cards they are about: exact expectations over the unseen cards.

Every later choice is taken to be the best one by expected chips. Unseen cards come as counts by rank, ``(n, 15)``, index =
rank; rules may be the view of them that a bot has. Element by element only, so that no row depends on those beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from arena.game.bank import CONSECUTIVE, GAP, PAIR, TRIPS, most_of, multiplier_of, odds_of, raise_of

if TYPE_CHECKING:
    from arena.game.rules import TableRules

Ints = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]
LOW_ACE, TWO, ACE = 1, 2, 14


@dataclass(frozen=True, slots=True)
class Money:
    """What a hand may be bet with, ``(n,)`` each: chips of the bank and the player's, and a wager that stands already."""

    round: int
    bank: Ints
    chips: Ints
    wager: Ints


def ace_value(rules: TableRules, called: int, other: Ints, unseen: Ints, money: Money) -> Floats:
    """Expected chips ``(n,)`` of an ace that is ``called`` 1 or 14; ``other`` is the other post, 0 if still to come.

    Everything not on the table is shuffled where a card is needed and none is left, as the table does.
    """
    full, out = _full(rules), np.zeros(len(unseen))
    for rank in np.unique(other).tolist():
        at = np.flatnonzero(other == rank)
        some = Money(money.round, *(part[at] for part in (money.bank, money.chips, money.wager)))
        if rank:
            left = _or_shuffled(unseen[at], full, (ACE, rank))
            out[at] = _hand_value(rules, called, rank, left, some)
        else:
            out[at] = _before_second(rules, called, unseen[at], some)
    return out


def pair_value(rules: TableRules, rank: Ints, is_higher: bool, unseen: Ints, money: Money) -> Floats:
    """Expected chips ``(n,)`` of a pair that is called higher or lower."""
    full, out = _full(rules), np.zeros(len(unseen))
    for low in np.unique(rank).tolist():
        at = np.flatnonzero(rank == low)
        some = Money(money.round, *(part[at] for part in (money.bank, money.chips, money.wager)))
        left = _or_shuffled(unseen[at], full, (low, low))
        out[at] = _pair_called(rules, low, is_higher, left, some)
    return out


def _full(rules: TableRules) -> Ints:
    counts = np.full(15, 4 * rules.deck.packs)
    counts[:2] = 0
    return counts


def _or_shuffled(left: Ints, full: Ints, on_table: tuple[int, ...]) -> Ints:
    """What is left, or where that is nothing, all cards but those on the table."""
    has_some = left.sum(axis=1) > 0
    if has_some.all():
        return left
    rest = full.copy()
    np.subtract.at(rest, [ACE if rank == LOW_ACE else rank for rank in on_table], 1)
    return np.where(has_some[:, None], left, rest)


def _before_second(rules: TableRules, called: int, unseen: Ints, money: Money) -> Floats:
    """The expectation over the second post of the best that can be made of the hand."""
    full = _full(rules)
    unseen = _or_shuffled(unseen, full, (ACE,))
    total, out = unseen.sum(axis=1), np.zeros(len(unseen))
    for rank in range(TWO, ACE + 1):
        left = unseen.copy()
        left[:, rank] -= unseen[:, rank] > 0
        left = _or_shuffled(left, full, (ACE, rank))
        values = [_hand_value(rules, called, named, left, money) for named in _namings(rules, called, rank)]
        out += unseen[:, rank] / total * np.max(values, axis=0)
    return out


def _namings(rules: TableRules, first: int, second: int) -> tuple[int, ...]:
    """What the second post may be called: an ace beside one that was not called low is a pair at once."""
    may_choose = second == ACE and first != ACE and rules.ace.second == "choose"
    return (LOW_ACE, ACE) if may_choose else (second,)


def _hand_value(rules: TableRules, one: int, other: int, unseen: Ints, money: Money) -> Floats:
    """The most that two posts, their aces named, are worth."""
    low, high = min(one, other), max(one, other)
    rule = rules.pair.rule if low == high else rules.consecutive if high - low == 1 else "gap"
    nothing = np.zeros(len(unseen))
    if rule in ("pass", "push"):
        return nothing
    if rule == "pay_min":
        return nothing - np.minimum(rules.bet.min, money.chips)
    if rule == "auto_pay":
        return nothing + np.minimum(rules.pair_pay_chips, money.bank)
    if rule == "higher_lower":
        calls = [low != ACE] if low <= TWO or low == ACE else [True, False]
        return np.asarray(np.max([_pair_called(rules, low, call, unseen, money) for call in calls], axis=0))
    if low == high:
        wins = unseen[:, ACE if low == LOW_ACE else low]
        return _best(rules, TRIPS, 0, wins, np.zeros_like(wins), unseen.sum(axis=1) - wins, money)
    wins = unseen[:, low + 1 : high].sum(axis=1)
    hits = sum(
        (unseen[:, rank] for rank in {ACE if low == LOW_ACE else low, high}), start=np.zeros_like(wins)
    )
    kind = GAP if high - low > 1 else CONSECUTIVE
    return _best(rules, kind, high - low - 1, wins, hits, unseen.sum(axis=1) - wins - hits, money)


def _pair_called(rules: TableRules, rank: int, is_higher: bool, unseen: Ints, money: Money) -> Floats:
    card = ACE if rank == LOW_ACE else rank
    hits = unseen[:, card]
    wins = (unseen[:, rank + 1 :] if is_higher else unseen[:, :rank]).sum(axis=1)
    if is_higher and rank == LOW_ACE:
        wins = wins - hits
    return _best(rules, PAIR, 0, wins, hits, unseen.sum(axis=1) - wins - hits, money)


def _best(
    rules: TableRules, kind: int, gap: int, wins: Ints, hits: Ints, losses: Ints, money: Money
) -> Floats:
    """The value of the best legal bet: from cap to cap it is a straight line, so a best one is beside a cap or a limit."""
    kinds = np.full(len(wins), kind)
    odds = np.broadcast_to(odds_of(rules, kinds, np.full(len(wins), gap)), len(wins))
    multiplier = multiplier_of(rules, kinds)
    most = most_of(rules, money.round, money.bank, money.chips, kinds)
    is_trips, rule = kind == TRIPS, rules.pair.rule
    if rules.bet.before_posts:
        most = np.zeros_like(most) if is_trips else raise_of(rules, most, money.wager)
    least, total = np.minimum(rules.bet.min, most), wins + hits + losses

    def value(bet: Ints) -> Floats:
        stake = bet + money.wager
        lost = 0 if rule == "auto_trips" and is_trips else losses * stake
        worth = (
            wins * np.minimum(odds * stake, money.bank)
            - lost
            - hits * np.minimum(multiplier * stake, money.chips)
        )
        return np.asarray(worth / total)

    full = money.bank // odds - money.wager
    values = [value(np.clip(bet, least, most)) for bet in (least, full, full + 1, most)]
    takes = is_trips and rule == "auto_pay_or_trips"
    if takes:
        values.append(np.where(most > 0, np.minimum(rules.pair_pay_chips, money.bank), 0.0))
    elif rules.bet.may_pass or rules.bet.before_posts:
        values.append(value(np.zeros_like(most)))
    return np.asarray(np.max(values, axis=0))
