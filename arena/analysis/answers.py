"""What players ask of a game, measured at the places that games came to: decisions judged exactly, the deal as the unit.

*Is counting worth it?* At a bet, the best one by the unseen cards against the best one by fresh packs less the posts, both
worth what the unseen cards say. *Should a leader pass late?* On a turn that ends the game, with more chips than anybody
else, the exact chance of winning after a pass against that after the best bet by chips.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arena.analysis.intervals import Floats, Interval, is_constant, t_quantile
from arena.analysis.skill import fresh_counts, grades_of
from arena.analysis.terms import Int64s, part_of
from arena.analysis.wp import is_last_turn, win_grades
from arena.game.cards import pick
from arena.game.questions import Question


def counting_prices(question: Question) -> Floats:
    """Chips given away at each bet ``(n,)`` by who bets best without counting, as a report's *lost*."""
    wins, hits, losses = (np.rint(x).astype(np.int64) for x in fresh_counts(question))
    unseen = replace(question, wins=wins, hits=hits, losses=losses)
    blind = grades_of(unseen, np.zeros(len(question.rows), dtype=np.int64)).best_stake
    return grades_of(question, blind).lost


@dataclass(frozen=True, slots=True)
class LeaderTurns:
    """Last turns of leaders where the bet matters: ``rows`` ``(m,)`` of the question.

    ``gain`` ``(m,)``: the chance of winning after a pass less that after the best bet by chips; ``cost`` ``(m,)``: chips
    lost by the pass.
    """

    rows: Int64s
    gain: Floats
    cost: Floats


def leader_turns(question: Question) -> LeaderTurns:
    """The last turns of leaders among these bets, where a pass is open, a bet pays in chips, and either may win or lose."""
    last = is_last_turn(question)
    tables, seat = question.tables, question.seat
    nothing = np.zeros(0)
    if last is None or not last.any() or not tables.rules.bet.may_pass:
        return LeaderTurns(nothing.astype(np.int64), nothing, nothing)
    chips = pick(tables.chips, question.rows)
    others = np.delete(chips, seat, axis=0).max(axis=0)
    at = np.flatnonzero(last & (chips[seat] > others))
    some = part_of(question, at)
    none = np.zeros(len(at), dtype=np.int64)
    passed = grades_of(some, none)
    best = passed.best_stake
    after_pass, after_bet = (win_grades(some, bets) for bets in (none, best))
    matters = (best > 0) & ~after_pass.is_forced
    gain = after_bet.lost - after_pass.lost
    return LeaderTurns(at[matters], gain[matters], passed.lost[matters])


def ratio_interval(sums: Floats, counts: Floats, confidence: float) -> Interval | None:
    """The mean of what is counted, ``Σ sums / Σ counts`` of deals ``(deals,)``, with its interval; None if nothing is.

    The deal is the unit: the ratio's standard error is ``√(D · s²) / Σ counts`` of the residuals ``sums − ratio · counts``
    (linearised; Cochran, Sampling Techniques, 1977, 6.4).
    """
    total = float(counts.sum())
    if total == 0:
        return None
    ratio, deals = float(sums.sum()) / total, len(sums)
    if deals < 2:
        return Interval(ratio, None)
    rest = sums - ratio * counts
    if is_constant(rest[:, None], float(np.abs(sums).max()))[0]:
        return Interval(ratio, None, is_identical=True)
    half = t_quantile(confidence, deals) * float(rest.std(ddof=1)) * np.sqrt(deals) / total
    return Interval(ratio, float(half))
