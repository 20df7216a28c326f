"""Results that nobody played: blocks, entrants and a specification for the tests of standings and reports."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from arena.game.rules import table_rules
from arena.tournament.blocks import Block, BlockResult, FirstFault
from arena.tournament.standings import Standings, collect, standings

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
        "rank_by": "chips",
        "confidence": 0.95,
        "limits": limits,
    }
    return SimpleNamespace(**(fields | changes))
