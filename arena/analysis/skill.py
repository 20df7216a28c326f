"""Skill: chips lost per decision against exact play, without luck (statistics.md, "Skill").

A decision's loss is what the best legal bet was worth in exact expected change, caps included, less what the
chosen one was worth, times 1 − share: that part of a lost chip stays in the pot for its player where the pot is
shared. Beside it stands the same with fresh-pack odds, counted from full packs less the two posts: how the bet
looks to somebody who does not count. Who bets by those odds loses nothing there, and what he loses by the exact
ones is the price of not counting; what is lost by fresh-pack odds is lost by sizing.

Numerators are whole numbers below 2^53, so a best bet loses exactly 0, and sums are whole numbers of fixed
parts: no order of decisions, batches or workers changes a bit of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from arena.analysis.terms import Int64s, Terms, part_of, terms_of
from arena.analysis.wp import win_grades
from arena.bot.turns import Kind
from arena.game import cards as c
from arena.game.questions import Question
from arena.game.rules import TableRules

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

PARTS = 1 << 26  # of the starting chips, of a stake, of a win: ten million turns at worst are far below 2^63
MOST_BETS = 2048.0  # a loss counts in the error rate as at most so many greatest bets, and sums stay exact
_CHUNK = 1 << 14

GAPS = (*map(str, range(13)), "pair", "trips", "wager")
POT_EDGES = (2, 4, 8, 16, 32, 64)  # in antes
POTS = ("under 2 antes", *(f"{a}–{2 * a} antes" for a in POT_EDGES[:-1]), "64 antes and more")
ROUNDS_LEFT = (
    "0",
    "1",
    "2",
    "3–4",
    "5 and more",
    "limited by turns only",
)  # by end.rounds: end.turns may come first


class Measure(IntEnum):
    """What is summed over decisions; all from ``STAKE`` on in parts of 1 / ``PARTS``."""

    DECISIONS = 0
    UNFORCED = 1
    AGREED = 2  # among the unforced
    FRESH_AGREED = 3
    STAKE = 4  # of the greatest bet
    BEST_STAKE = 5
    LOST = 6  # of the starting chips
    FRESH_LOST = 7
    ERROR = 8  # loss in greatest bets
    FRESH_ERROR = 9


class WinMeasure(IntEnum):
    """What is summed over last turns."""

    TURNS = 0
    UNFORCED = 1
    LOST = 2  # chances of winning, in parts of 1 / ``PARTS``


@dataclass(frozen=True, slots=True)
class Grades:
    """What decisions were worth beside the best; arrays of shape ``(n,)``, losses in chips.

    ``stake`` is the chosen one (the least bet where 0 means that), ``best_stake`` the least of the best.
    ``agrees``: a best bet is on the chosen side of zero, betting or not (where passing is not allowed: more
    than the least bet or not). So where both sides are worth the same either is right.
    ``is_forced``: only one stake was legal.
    """

    stake: Int64s
    best_stake: Int64s
    lost: Floats
    agrees: Bools
    fresh_lost: Floats
    fresh_agrees: Bools
    is_forced: Bools


def grades_of(question: Question, bets: Int64s) -> Grades:
    """The grades of bets ``(n,)`` as they counted: 0, or from the least to the greatest bet."""
    terms, rules = terms_of(question), question.tables.rules
    stake = terms.stakes(bets)
    is_zero = stake == terms.zero
    zero = _Option.of(question, terms, terms.zero)
    chosen = _Option.of(question, terms, stake)
    above = [_Option.of(question, terms, at) for at in _candidates(question, terms)]
    factor = 1 - 1 / _sharers(question) if rules.bank == "pot" else 1.0
    wins, hits, losses = (x.astype(np.float64) for x in (question.wins, question.hits, question.losses))
    exact = _Judge(wins, hits, losses, terms.paid, factor)
    lost, agrees, best = exact.grade(zero, chosen, above, is_zero)
    fresh = _Judge(*fresh_counts(question), terms.paid, factor)
    fresh_lost, fresh_agrees, _ = fresh.grade(zero, chosen, above, is_zero)
    return Grades(
        stake, best.astype(np.int64), lost, agrees, fresh_lost, fresh_agrees, terms.zero == question.max_bet
    )


def _candidates(question: Question, terms: Terms) -> list[Int64s]:
    """Stakes above the stake of 0, in rising order, one of which is best wherever that of 0 is not.

    Where a hit may cost all that is left, the value is convex in the stake, and 0 or the greatest bet is best: a stake
    beside ⌊chips/multiplier⌋ is never better than both. Trips have no hits; what they win is capped at the pot, so
    that the value is concave, and if any bet pays one beside pot/odds pays best. Where other odds have hits besides, the
    greatest bet may be best, too.
    """
    most = question.max_bet
    is_trips = question.kind == Kind.TRIPS
    is_even = question.tables.rules.odds_by_gap is None
    if is_even and not is_trips.any():
        return [most]
    first = np.minimum(np.maximum(terms.zero + 1, question.min_bet), most)
    full = question.pot // terms.odds - terms.base
    if not is_even:
        return [*(np.clip(at, first, most) for at in (full, full + 1)), most]
    return [np.where(is_trips, np.clip(at, first, most), most) for at in (full, full + 1)]


def _sharers(question: Question) -> Floats | float:
    """Between how many the pot would be shared now."""
    tables = question.tables
    if tables.rules.end.pot == "split_all":
        return float(tables.seats)
    live = np.zeros(len(question.rows))
    for chips in tables.chips:
        live += chips[question.rows] > 0
    return live


_WINNERS = np.bitwise_count(c.WINS).astype(np.float64)
_HITTERS = np.bitwise_count(c.HITS).astype(np.float64)


def fresh_counts(question: Question) -> tuple[Floats, Floats, Floats]:
    """Cards that win, hit a post and lose ``(n,)`` among fresh packs less the two posts."""
    packs = question.tables.rules.deck.packs
    code, is_trips = question.codes(), question.kind == Kind.TRIPS
    wins = packs * _WINNERS[code] - np.where(is_trips, 2, 0)
    hits = packs * _HITTERS[code] - np.where(is_trips, 0, 2)
    return wins, hits, 52 * packs - 2 - wins - hits


@dataclass(frozen=True, slots=True)
class _Option:
    """A stake at every table: itself, and what it makes the chips lost on a loss, won on a win, lost on a hit.

    Whole numbers as floats ``(n,)``.
    """

    stake: Floats
    loss: Floats
    gain: Floats
    hit_cost: Floats

    @classmethod
    def of(cls, question: Question, terms: Terms, stake: Int64s) -> _Option:
        staked = stake.astype(np.float64)
        total = staked if terms.base.strides == (0,) else staked + terms.base
        gain = np.minimum(terms.odds * total, question.pot)
        return cls(staked, total, gain, np.minimum(terms.multiplier * total, question.chips))


@dataclass(frozen=True, slots=True)
class _Judge:
    """Counts to judge stakes by: whole numbers as floats ``(n,)``; ``paid`` is what a stake of 0 takes.

    ``factor`` is the part of a lost chip that does not stay with its player.
    """

    wins: Floats
    hits: Floats
    losses: Floats
    paid: Int64s
    factor: Floats | float

    def worth(self, option: _Option) -> Floats:
        """Expected change times cards: whole numbers below 2^53 (chips to 8·10⁹, 416 cards, caps)."""
        return self.wins * option.gain - self.losses * option.loss - self.hits * option.hit_cost

    def grade(
        self, zero: _Option, chosen: _Option, above: list[_Option], is_zero: Bools
    ) -> tuple[Floats, Bools, Floats]:
        """Loss in chips, whether the side of zero is right, and the least best stake."""
        cards = self.wins + self.hits + self.losses
        sure = self.paid * cards if self.paid.strides != (0,) else 0.0
        zero_worth = self.worth(zero) + sure
        most, best = zero_worth, zero.stake
        above_most = self.worth(above[0])
        for option in above:
            worth = self.worth(option)
            best = np.where(worth > most, option.stake, best)
            most = np.maximum(most, worth)
            above_most = np.maximum(above_most, worth)
        chosen_worth = np.where(is_zero, zero_worth, self.worth(chosen))
        agrees = np.where(is_zero, zero_worth, above_most) == most
        return (most - chosen_worth) * self.factor / cards, agrees, best


@dataclass(frozen=True, slots=True)
class SkillSums:
    """Sums over decisions, whole numbers: add them in any order.

    ``cells`` ``(measures, gaps, pots, rounds left)`` by :class:`Measure`, ``GAPS``, ``POTS``, ``ROUNDS_LEFT``;
    ``wins`` ``(win measures,)`` by :class:`WinMeasure`. Sums of different table rules do not add up.
    """

    cells: Int64s
    wins: Int64s

    @classmethod
    def zero(cls) -> SkillSums:
        """The sums of no decisions."""
        shape = (len(Measure), len(GAPS), len(POTS), len(ROUNDS_LEFT))
        return cls(np.zeros(shape, dtype=np.int64), np.zeros(len(WinMeasure), dtype=np.int64))

    def __add__(self, other: SkillSums) -> SkillSums:
        return SkillSums(self.cells + other.cells, self.wins + other.wins)


def add_skill(sums: SkillSums, question: Question, bets: Int64s) -> Floats:
    """Add a bot's decisions to its ``sums``: a bet question and the bets ``(n,)`` that counted. What each lost, in chips.

    In place: the sums of a question are far larger than most questions.
    """
    lost = np.empty(len(bets))
    for start in range(0, len(bets), _CHUNK):
        part = slice(start, start + _CHUNK)
        some = question if len(bets) <= _CHUNK else part_of(question, part)
        grades = grades_of(some, bets[part])
        add_grades(sums, some, grades)
        lost[part] = grades.lost
    last = win_grades(question, bets)
    if len(last.at):
        sums.wins[:] += len(last.at), int((~last.is_forced).sum()), int(_in_parts(last.lost).sum())
    return lost


def add_grades(sums: SkillSums, question: Question, grades: Grades) -> None:
    """Add graded decisions to a bot's ``sums``, in place."""
    sums.cells[..., _rounds_left(question)] += _cells(question, grades)


def _in_parts(x: Floats) -> Floats:
    return np.rint(x * PARTS)


def _rounds_left(question: Question) -> int:
    """The index into ``ROUNDS_LEFT`` of the rounds to come after this one."""
    rounds = question.tables.rules.end.rounds
    return 5 if rounds is None else (0, 1, 2, 3, 3, 4)[min(rounds - question.round, 5)]


def _cells(question: Question, grades: Grades) -> Int64s:
    """Sums of decisions ``(measures, gaps, pots)``."""
    rules, size = question.tables.rules, len(GAPS) * len(POTS)
    index = np.where(question.kind >= Kind.PAIR, question.kind + 11, question.high - question.low - 1) * len(
        POTS
    )
    for edge in POT_EDGES:
        index += question.pot >= edge * rules.ante.amount
    most = question.max_bet.astype(np.float64)
    is_free = ~grades.is_forced
    values = {
        Measure.STAKE: grades.stake / most,
        Measure.BEST_STAKE: grades.best_stake / most,
        Measure.LOST: grades.lost / rules.chips,
        Measure.FRESH_LOST: grades.fresh_lost / rules.chips,
        Measure.ERROR: np.minimum(grades.lost / most, MOST_BETS),
        Measure.FRESH_ERROR: np.minimum(grades.fresh_lost / most, MOST_BETS),
    }
    cells = np.empty((len(Measure), size), dtype=np.int64)
    cells[Measure.DECISIONS] = np.bincount(index, minlength=size)
    cells[Measure.UNFORCED] = np.bincount(index, is_free, size)
    cells[Measure.AGREED] = np.bincount(index, is_free & grades.agrees, size)
    cells[Measure.FRESH_AGREED] = np.bincount(index, is_free & grades.fresh_agrees, size)
    for measure, value in values.items():  # exact: whole numbers that add up to less than 2^53
        cells[measure] = np.bincount(index, _in_parts(value), size)
    return cells.reshape(len(Measure), len(GAPS), len(POTS))


@dataclass(frozen=True, slots=True)
class SkillRow:
    """Skill over some decisions; means are None where there is nothing to take them of.

    A turn on which nothing was asked is no decision. ``error_rate`` is 1000 × loss / greatest bet per unforced
    decision, ``agreement`` the share of unforced decisions on the right side of zero; ``fresh_…`` are the same
    by fresh-pack odds.
    """

    label: str
    decisions: int
    unforced: int
    lost_chips: float
    lost_per_decision_chips: float | None
    fresh_lost_per_decision_chips: float | None
    error_rate: float | None
    fresh_error_rate: float | None
    agreement: float | None
    fresh_agreement: float | None


@dataclass(frozen=True, slots=True)
class StakePoint:
    """A point of the stake curve: mean stake as a share of the greatest bet, and that of the exact best."""

    gap: str
    decisions: int
    stake: float
    best_stake: float


@dataclass(frozen=True, slots=True)
class SkillReport:
    """A bot's skill, in all and split; rows without decisions are left out.

    ``last_turns`` were graded by chances of winning, of which ``last_turns_unforced`` had a choice;
    ``win_lost_per_turn`` is the mean chance given away on those, None where there are none.
    """

    total: SkillRow
    by_gap: tuple[SkillRow, ...]
    by_pot: tuple[SkillRow, ...]
    by_rounds_left: tuple[SkillRow, ...]
    curve: tuple[StakePoint, ...]
    last_turns: int
    last_turns_unforced: int
    win_lost_per_turn: float | None

    @classmethod
    def of(cls, sums: SkillSums, rules: TableRules) -> SkillReport:
        """The report of sums that were made under these rules."""
        cells, chips = sums.cells, rules.chips
        gaps = cells.sum(axis=(2, 3))
        turns, unforced, lost = sums.wins.tolist()
        return cls(
            total=_row("all", cells.sum(axis=(1, 2, 3)), chips),
            by_gap=_rows(GAPS, gaps, chips),
            by_pot=_rows(POTS, cells.sum(axis=(1, 3)), chips) if rules.bank == "pot" else (),
            by_rounds_left=_rows(ROUNDS_LEFT, cells.sum(axis=(1, 2)), chips),
            curve=tuple(_point(label, at) for label, at in zip(GAPS, gaps.T, strict=True) if at[0]),
            last_turns=turns,
            last_turns_unforced=unforced,
            win_lost_per_turn=_mean(lost, unforced),
        )


def _mean(total: int, n: int, unit: int = 1) -> float | None:
    """The mean in units of one, of a total in parts; whole numbers until the one division."""
    return total * unit / (n * PARTS) if n else None


def _rows(labels: tuple[str, ...], sums: Int64s, chips: int) -> tuple[SkillRow, ...]:
    rows = (_row(label, at, chips) for label, at in zip(labels, sums.T, strict=True))
    return tuple(row for row in rows if row.decisions)


def _row(label: str, sums: Int64s, chips: int) -> SkillRow:
    """The row of sums ``(measures,)``."""
    of = dict(zip(Measure, sums.tolist(), strict=True))
    n, free = of[Measure.DECISIONS], of[Measure.UNFORCED]
    return SkillRow(
        label,
        n,
        free,
        lost_chips=of[Measure.LOST] * chips / PARTS,
        lost_per_decision_chips=_mean(of[Measure.LOST], n, chips),
        fresh_lost_per_decision_chips=_mean(of[Measure.FRESH_LOST], n, chips),
        error_rate=_mean(of[Measure.ERROR], free, 1000),
        fresh_error_rate=_mean(of[Measure.FRESH_ERROR], free, 1000),
        agreement=of[Measure.AGREED] / free if free else None,
        fresh_agreement=of[Measure.FRESH_AGREED] / free if free else None,
    )


def _point(label: str, sums: Int64s) -> StakePoint:
    n, stake, best = (int(sums[m]) for m in (Measure.DECISIONS, Measure.STAKE, Measure.BEST_STAKE))
    return StakePoint(label, n, stake / (n * PARTS), best / (n * PARTS))
