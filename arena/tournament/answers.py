"""Answers to what players ask that take a run's games: what counting is worth, and whether a leader should pass late.

Its stored answers are replayed, and every decision is judged by exact play; no bot is asked. The first deals of an even
choice of lineups are enough, so that a run is not held up by this.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from arena.analysis.answers import counting_prices, leader_turns, ratio_interval
from arena.analysis.intervals import Interval
from arena.game.cards import SeededDraws
from arena.game.engine import Engine
from arena.game.questions import Question
from arena.game.rules import TableRules
from arena.game.tables import Bools, Ints
from arena.tournament.blocks import BlockResult
from arena.tournament.match import Retold
from arena.tournament.schedule import Lineup
from arena.tournament.tournament import Held

LEAST_DEALS, MOST_LINEUPS, ENOUGH_TURNS = 50, 24, 240_000


@dataclass(frozen=True)
class RunAnswers:
    """What a run's first ``deals`` deals say; None where there was nothing to judge.

    ``counting``: chips a game and player that who does not count gives away, betting best otherwise, at the places that this
    run's bots came to. ``leader_gain``: by how much a pass raises a leader's chance of winning on the last turn, where the
    best bet by chips is not to pass; ``leader_cost``: the chips it costs; ``leader_turns``: how many such turns.
    """

    deals: int
    counting: Interval | None
    leader_gain: Interval | None
    leader_cost: Interval | None
    leader_turns: int


def run_answers(held: Held, rules: TableRules, seed: int, confidence: float) -> RunAnswers:
    """The answers of a tournament that is over; the deals used follow from its size
    and the length of its games alone."""
    every = sorted({result.block.lineup for result in held.results})
    seats = len(every[0])
    turns = seats * min(
        (rules.end.rounds or 1 << 30) * seats, rules.end.turns or 1 << 30
    )  # of a lineup's deal, at most
    number = min(MOST_LINEUPS, max(1, ENOUGH_TURNS // (LEAST_DEALS * turns)))
    lineups = every[:: -(-len(every) // number)]
    deals = min(len(held.rows.deals), max(2, ENOUGH_TURNS // (len(lineups) * turns)))
    sums = _Sums(deals)
    for result in _heads(held.results, lineups, deals):
        for rotation in range(len(result.block.lineup)):
            _replay(result, rotation, rules, seed, sums)
    return RunAnswers(
        deals=deals,
        counting=ratio_interval(sums.price, sums.seats, confidence),
        leader_gain=ratio_interval(sums.gain, sums.turns, confidence),
        leader_cost=ratio_interval(sums.cost, sums.turns, confidence),
        leader_turns=int(sums.turns.sum()),
    )


class _Sums:
    """Sums by deal, ``(deals,)`` each."""

    def __init__(self, deals: int) -> None:
        self.price, self.seats, self.gain, self.cost, self.turns = (np.zeros(deals) for _ in range(5))


class _Judged(Retold):
    """Kept answers given again, every bet judged on the way."""

    def __init__(self, result: BlockResult, rotation: int, deals: Ints, sums: _Sums) -> None:
        super().__init__(result, rotation, slice(len(deals)))
        self._deals, self._sums = deals, sums

    def bet(self, question: Question) -> tuple[Ints, Bools | None]:
        """The bet that is kept."""
        deals, sums = self._deals[question.rows], self._sums
        sums.price[deals] += counting_prices(question)
        found = leader_turns(question)
        if len(found.rows):
            at = deals[found.rows]
            sums.gain[at] += found.gain
            sums.cost[at] += found.cost
            sums.turns[at] += 1
        return super().bet(question)


def _heads(results: Iterable[BlockResult], lineups: Collection[Lineup], deals: int) -> list[BlockResult]:
    """The results that have any of the first deals, by lineup and deal: floats are to be summed in one order."""
    some = [r for r in results if r.block.first_deal < deals and r.block.lineup in lineups]
    return sorted(some, key=lambda result: (result.block.lineup, result.block.first_deal))


def _replay(result: BlockResult, rotation: int, rules: TableRules, seed: int, sums: _Sums) -> None:
    block, k = result.block, len(result.block.lineup)
    n = min(block.deals, len(sums.price) - block.first_deal)
    deals = np.arange(block.first_deal, block.first_deal + n)
    sums.seats[deals] += k
    judged = _Judged(result, rotation, deals, sums)
    Engine(rules, k, n, SeededDraws(seed, block.first_deal, n), judged).play()
