"""A block studied: its logged answers replayed through the engine, without asking a bot, to see what was luck.

Sums come out as whole numbers in units of 2⁻²⁰, so that they are the same in whatever order results are added up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arena.analysis.luck import Luck
from arena.analysis.skill import SkillSums, add_skill
from arena.analysis.stakes import FOLDS
from arena.analysis.wager_skill import add_wager_skill
from arena.game.cards import SeededDraws
from arena.game.engine import Engine
from arena.game.questions import Question
from arena.game.rules import TableRules
from arena.game.tables import Bools, Ints
from arena.tournament.blocks import Block, BlockResult, Int64s
from arena.tournament.match import Retold, step_of

ONE = 1 << 20
THIRD, POSTS, WINS = range(3)


@dataclass(frozen=True)
class BlockStudy:
    """What was luck in a block: ``luck`` ``(3, rotations, deals, positions)``, by third cards and by posts in chips, and by
    third cards in games won, all in units of 2⁻²⁰. ``skill`` is by position, and so are ``mistakes``: the one that cost most
    chips, None where nothing was lost.
    """

    block: Block
    luck: Int64s
    skill: tuple[SkillSums, ...]
    mistakes: tuple[Mistake | None, ...]


@dataclass(frozen=True, order=True)
class Mistake:
    """A bet or a wager that lost chips by exact expectation; the least one cost most, or came first."""

    minus_lost: float
    lineup: tuple[int, ...]
    deal: int
    rotation: int
    step: int  # (round − 1) · seats + place in the round

    @property
    def lost(self) -> float:
        """Chips given away, as the report's *lost*."""
        return -self.minus_lost


def worse(one: Mistake | None, other: Mistake | None) -> Mistake | None:
    """The costlier of two mistakes, the earlier of equals."""
    return min(one, other) if one and other else one or other


class _Graded(Retold):
    """Kept answers given again, every bet and wager graded against exact play on the way."""

    def __init__(self, result: BlockResult, rotation: int) -> None:
        super().__init__(result, rotation)
        self._block, self._rotation = result.block, rotation
        self.skill = [SkillSums.zero() for _ in result.block.lineup]
        self.mistakes: list[Mistake | None] = [None] * len(result.block.lineup)

    def bet(self, question: Question) -> tuple[Ints, Bools | None]:
        bets, faulty = super().bet(question)
        self._keep(question, add_skill(self.skill[question.seat], question, bets))
        return bets, faulty

    def wager(self, question: Question) -> tuple[Ints, Bools | None]:
        wagers, faulty = super().wager(question)
        self._keep(question, add_wager_skill(self.skill[question.seat], question, wagers))
        return wagers, faulty

    def _keep(self, question: Question, lost: npt.NDArray[np.float64]) -> None:
        """Keep the costliest decision of its seat."""
        worst, seat = int(lost.argmax()), question.seat
        if lost[worst] > 0:
            step = step_of(question.round, question.place, question.tables.seats)
            deal = self._block.first_deal + int(question.rows[worst])
            found = Mistake(-float(lost[worst]), self._block.lineup, deal, self._rotation, step)
            self.mistakes[seat] = worse(self.mistakes[seat], found)


def study_block(
    result: BlockResult, rules: TableRules, seed: int, stakes: npt.NDArray[np.float64] | None
) -> BlockStudy:
    """The study of a block; ``stakes`` ``(positions, FOLDS, CELLS)`` are expected of its bots, None: third cards only."""
    block, k = result.block, len(result.block.lineup)
    fold = np.arange(block.first_deal, block.first_deal + block.deals) % FOLDS
    draws = SeededDraws(seed, block.first_deal, block.deals)
    out = np.zeros((3, k, block.deals, k), dtype=np.int64)
    skill = [SkillSums.zero()] * k
    mistakes: list[Mistake | None] = [None] * k
    for rotation in range(k):
        seats = [(position + rotation) % k for position in range(k)]
        by_seat = None if stakes is None else stakes[np.argsort(seats)]
        luck = Luck(rules, k, block.deals, by_seat, fold)
        told = _Graded(result, rotation)
        engine = Engine(rules, k, block.deals, draws, told, witness=luck)
        engine.play()
        skill = [old + told.skill[seat] for old, seat in zip(skill, seats, strict=True)]
        mistakes = [worse(old, told.mistakes[seat]) for old, seat in zip(mistakes, seats, strict=True)]
        for kind, part in enumerate((luck.third_luck, luck.posts_luck, luck.wins_luck)):
            out[kind, rotation] = np.rint(part[seats].T * ONE)
    return BlockStudy(block, out, tuple(skill), tuple(mistakes))
