"""What a bank covers and pays: the limits of a bet, its odds, and what hitting a post costs, by the rules alone.

The bank is the pot, a house, or the dealer (rules.md, "House and dealer"); wherever a pot limits or pays, what the bank
holds does. Functions take arrays ``(n,)`` and rules, or the view of them that a bot has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from arena.game.rules import TableRules

Ints = npt.NDArray[np.integer[Any]]
_TRIPS_RULES = ("trips_bet", "auto_pay_or_trips", "auto_trips")
GAP, CONSECUTIVE, PAIR, TRIPS, WAGER = range(5)


def multiplier_of(rules: TableRules, kind: Ints) -> Any:
    """What hitting a post costs for each chip bet; one number where all hands that are bet on are alike."""
    pair, post = rules.pair, rules.post.multiplier
    if pair.rule in _TRIPS_RULES:
        return np.where(kind == TRIPS, 1, post)
    if pair.rule == "higher_lower" and pair.post != post:
        return np.where(kind == PAIR, pair.post, post)
    return post


def pays_even(rules: TableRules) -> bool:
    """Whether a chip bet wins one on every hand."""
    return rules.odds_by_gap is None and rules.pair.rule not in _TRIPS_RULES


def odds_of(rules: TableRules, kind: Ints, gap: Ints) -> Any:
    """What a chip bet wins; 1 where that is so of every hand."""
    odds: Any = 1
    if rules.odds_by_gap is not None:
        odds = np.where(kind == GAP, np.take(rules.odds_by_gap, gap), 1)
    if rules.pair.rule in _TRIPS_RULES:
        odds = np.where(kind == TRIPS, rules.pair.trips_odds, odds)
    return odds


def most_of(rules: TableRules, round: int, bank: Ints, chips: Ints, kind: Ints) -> Any:
    """The greatest bet, a wager before it included: by bank, own chips, first round and cover."""
    bet = rules.bet
    most = np.minimum(bank, chips)
    if round == 1 and bet.first_round_max == "half_pot":
        most = np.minimum(most, np.maximum(bank // 2, bet.min))
    elif round == 1 and bet.first_round_max == "ante":
        most = np.minimum(most, rules.ante.amount)
    if bet.must_cover_post:
        most = np.minimum(most, chips // multiplier_of(rules, kind))
    return most


def raise_of(rules: TableRules, most: Any, wager: Any) -> Any:
    """The greatest raise of these wagers where all told ``most`` may be staked."""
    return np.minimum(most - wager, wager) if rules.bet.raise_ == "wager" else np.zeros_like(wager)
