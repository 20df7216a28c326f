"""What a bot's decisions cost it against exact play: its skill at a table, and the decisions that cost most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.analysis.skill import Grades, SkillReport, SkillSums, add_grades, add_skill, grades_of
from arena.analysis.wager_skill import wager_grades
from arena.check.bench import SEATS, SEED
from arena.check.decisions import Decision, bot_seat, decision_of
from arena.game.cards import SeededDraws
from arena.game.engine import Engine
from arena.game.questions import Question
from arena.game.rules import TableRules
from arena.game.tables import Bools, Ints
from arena.tournament.blocks import BlockResult
from arena.tournament.match import Retold

MOST = 3


@dataclass(frozen=True)
class Costly:
    """A bet, the least of the best ones, and the chips that it gave away against that, by exact expectation.

    ``share`` is the same as a share of the chips everyone starts with: so tables can be compared.
    """

    decision: Decision
    bet: int
    best: int
    lost_chips: float
    share: float

    def __str__(self) -> str:
        """``3.25 chips: 40 in place of 0, preset …``."""
        return f"{self.lost_chips:,.2f} chips: {self.bet:,} in place of {self.best:,}, {self.decision}"


class _Graded(Retold):
    """Answers given again; the bets of one seat are graded, and those that cost most are kept."""

    def __init__(self, preset: str, result: BlockResult, rotation: int) -> None:
        super().__init__(result, rotation)
        self._preset, self._first_deal, self._seat = preset, result.block.first_deal, bot_seat(rotation)
        self.skill = SkillSums.zero()
        self.costly: list[Costly] = []

    def bet(self, question: Question) -> tuple[Ints, Bools | None]:
        bets, faulty = super().bet(question)
        if question.seat == self._seat:
            add_skill(self.skill, question, bets)
            self._keep(question, grades_of(question, bets))
        return bets, faulty

    def wager(self, question: Question) -> tuple[Ints, Bools | None]:
        wagers, faulty = super().wager(question)
        if question.seat == self._seat:
            grades = wager_grades(question, wagers)
            add_grades(self.skill, question, grades)
            self._keep(question, grades)
        return wagers, faulty

    def _keep(self, question: Question, grades: Grades) -> None:
        chips = question.tables.rules.chips
        for at in np.argsort(-grades.lost, kind="stable")[:MOST].tolist():
            lost = float(grades.lost[at])
            if lost > 0:
                decision = decision_of(self._preset, self._first_deal + int(question.rows[at]), question, at)
                stake, best = int(grades.stake[at]), int(grades.best_stake[at])
                self.costly.append(Costly(decision, stake, best, lost, lost / chips))
        self.costly = dearest(self.costly)


def dearest(costly: list[Costly]) -> list[Costly]:
    """The few that cost most, by their share of the starting chips; equal ones in the order of the deals."""
    return sorted(costly, key=lambda c: (-c.share, c.decision.deal, c.decision.round, c.decision.seat))[:MOST]


def costs(preset: str, rules: TableRules, result: BlockResult) -> tuple[SkillReport, list[Costly]]:
    """The bot's skill in a block, and its dearest decisions."""
    sums, costly = SkillSums.zero(), list[Costly]()
    block = result.block
    draws = SeededDraws(SEED, block.first_deal, block.deals)
    for rotation in range(SEATS):
        told = _Graded(preset, result, rotation)
        Engine(rules, SEATS, block.deals, draws, told).play()
        sums, costly = sums + told.skill, costly + told.costly
    return SkillReport.of(sums, rules), dearest(costly)
