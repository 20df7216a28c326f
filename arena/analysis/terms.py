"""What the stakes of a bet question move, for the modules that grade bets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.bot.turns import Kind
from arena.game.bank import multiplier_of, odds_of
from arena.game.cards import pick
from arena.game.questions import Question

Int64s = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Terms:
    """How bets are read and paid, arrays of shape ``(n,)``.

    ``odds`` chips are won and ``multiplier`` chips lost on a hit for each chip staked, before caps. A bet of 0
    is the stake ``zero``: 0 where it passes, else the least bet. It takes ``paid`` chips for sure where a pair
    pays who does not bet on it (``auto_pay_or_trips``), 0 elsewhere. ``base`` is the wager that a stake raises.
    """

    odds: Int64s
    multiplier: Int64s
    zero: Int64s
    paid: Int64s
    base: Int64s

    def stakes(self, bets: Int64s) -> Int64s:
        """The stakes of these bets ``(n,)``."""
        return np.where(bets == 0, self.zero, bets)


def terms_of(question: Question) -> Terms:
    """The terms of a bet question."""
    rules, rule, n = question.tables.rules, question.tables.rules.pair.rule, len(question.rows)
    paid = nothing = np.broadcast_to(np.int64(0), n)
    multiplier = np.broadcast_to(multiplier_of(rules, question.kind), n)
    zero = nothing if rules.bet.may_pass or rules.bet.before_posts else question.min_bet
    odds = np.broadcast_to(odds_of(rules, question.kind, np.maximum(question.high - question.low - 1, 0)), n)
    if rule == "auto_pay_or_trips":
        is_trips = question.kind == Kind.TRIPS
        paid = np.where(is_trips, np.minimum(rules.pair_pay_chips, question.pot), 0)
        zero = np.where(is_trips, 0, zero)
    return Terms(odds, multiplier, zero, paid, question.wager)


_BY_TABLE = (
    "rows",
    "low",
    "high",
    "kind",
    "call",
    "pot",
    "chips",
    "min_bet",
    "max_bet",
    "wins",
    "hits",
    "losses",
)


def part_of(question: Question, at: Any) -> Question:
    """The question at some of its tables: ``at`` is a slice or an index array into its ``(n,)`` arrays."""
    some = {name: getattr(question, name)[at] for name in (*_BY_TABLE, "other", "wager")}
    return replace(question, unseen=pick(question.unseen, at), **some)
