"""Results that nobody played: blocks, entrants and a specification for the tests of standings and reports."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from arena.analysis.skill import GAPS, PARTS, POTS, ROUNDS_LEFT, Measure, SkillSums, WinMeasure
from arena.analysis.stopping import Rule, RuleHalfWidth, RuleRanked, state
from arena.game.rules import table_rules
from arena.tournament.blocks import Block, BlockResult, FirstFault
from arena.tournament.spec import Stop
from arena.tournament.standings import Rows, Standings, collect, ranked_rows, standings
from arena.tournament.study import ONE
from arena.tournament.tournament import Looks

START = 1000


def block_result(
    lineup: Sequence[int],
    first_deal: int,
    chips: Any,
    turns: Any = None,
    faults: Mapping[tuple[int, int, int], tuple[int, FirstFault]] | None = None,
) -> BlockResult:
    """A result with final ``chips`` ``(rotations, deals, positions)``; 3 turns a game unless said otherwise.

    ``faults`` is keyed by rotation, position and kind: how many, and the first.
    """
    chips = np.asarray(chips, dtype=np.int64)
    rotations, deals, positions = chips.shape
    log = [(rotation, 0, place, kind, n) for (rotation, place, kind), (n, _) in (faults or {}).items()]
    return BlockResult(
        block=Block(tuple(lineup), first_deal, deals),
        chips=chips,
        turns=np.full((rotations, deals, positions), 3) if turns is None else np.asarray(turns),
        fault_log=np.array(log, dtype=np.int64).reshape(-1, 5),
        first_faults={key: first for key, (_, first) in (faults or {}).items()},
        bets=np.zeros((rotations, 1, deals), dtype=np.int32),
        calls=np.zeros((rotations, 1, deals), dtype=np.uint8),
        stakes=np.zeros(
            (positions, 2, -(-(first_deal + deals) // 250) - first_deal // 250, 5, 30), dtype=np.int64
        ),
    )


def random_results(bots: int, deals: int, seed: int = 1, block: int = 50) -> list[BlockResult]:
    """A heads-up round robin where a bot is the better the lower its index."""
    rng = np.random.default_rng(seed)
    out = []
    for i, j in itertools.combinations(range(bots), 2):
        for first in range(0, deals, block):
            size = (2, min(block, deals - first))
            net = np.clip(np.rint(rng.normal(8 * (j - i), 150, size)), -START, START).astype(np.int64)
            out.append(block_result((i, j), first, np.stack([START + net, START - net], axis=2)))
    return out


def random_standings(bots: int, deals: int, names: Sequence[str] | None = None, **options: Any) -> Standings:
    """The standings of :func:`random_results`."""
    rows = collect(random_results(bots, deals), bots, START)
    return standings(rows, names or [f"bot {i}" for i in range(bots)], **options)


def lucky_rows(deals: int = 60, skill: float = 10, luck_mean: float = 0, luck: float = 40) -> Rows:
    """Two bots in one lineup: the first wins ``skill`` ± 5 by turns, and ``luck_mean`` ± ``luck`` of luck by other turns."""
    one, two = np.tile([1, -1], deals)[:deals], np.tile([1, 1, -1, -1], deals)[:deals]
    lucky = luck_mean + luck * one
    won = (skill + 5 * two + lucky).astype(np.int64)
    chips = np.stack([START + won, START - won], axis=1)
    rows = collect([block_result((0, 1), 0, np.stack([chips, chips]))], 2, START)
    both = np.stack([lucky, -lucky], axis=1)
    sums = np.stack([2 * both, 0 * both, both / 200]) * ONE  # of two games
    return replace(rows, luck=np.rint(sums).astype(np.int64))


def skill_sums(
    cells: Mapping[tuple[str, str, str], Mapping[Measure, float]], last: Sequence[float] = (0, 0, 0)
) -> SkillSums:
    """Sums by (gap, pot, rounds left), those in parts as the fractions they are; ``last``: turns, unforced, chance lost."""
    sums = SkillSums.zero()
    for (gap, pot, left), values in cells.items():
        for measure, value in values.items():
            unit = PARTS if measure >= Measure.STAKE else 1
            at = (GAPS.index(gap), POTS.index(pot), ROUNDS_LEFT.index(left))
            sums.cells[(measure, *at)] = round(value * unit)
    sums.wins[:] = [round(n * (PARTS if i == WinMeasure.LOST else 1)) for i, n in enumerate(last)]
    return sums


def looks_at(rows: Rows, stop: Stop, prefixes: Sequence[int], rank_by: Any = "chips") -> Looks:
    """The looks of a run at these numbers of deals."""
    rule: Rule = RuleRanked(stop.indifferent_chips) if stop.chips is None else RuleHalfWidth(stop.chips)
    x, least = ranked_rows(rows, rank_by), stop.min_deals or 100
    return Looks(stop, tuple(state(x[:n], rule, 0.95, least) for n in prefixes))


def entrants(names: Sequence[str]) -> Any:
    """Entrants of these names."""
    return [
        SimpleNamespace(
            name=name,
            file=Path("/somewhere/only/here/bots.py"),
            class_name="Gap",
            params=(("threshold", 7),),
            content=f"{place:032x}",
        )
        for place, name in enumerate(names)
    ]


def spec(**changes: Any) -> Any:
    """A specification, as far as reports read it."""
    limits = SimpleNamespace(model_dump=lambda mode: {"decision_ms": 20, "faults": 10})
    fields = {
        "name": "test",
        "seed": 7,
        "table": table_rules(),
        "seats": 2,
        "schedule": "round_robin",
        "lineups": None,
        "against": (),
        "deals": 100,
        "stop": None,
        "rank_by": "chips",
        "confidence": 0.95,
        "limits": limits,
        "rulings": ("ace.second: our reading",),
    }
    return SimpleNamespace(**(fields | changes))
