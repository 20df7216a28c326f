"""What the engine costs, as ratios to a floor taken in the same run on one core.

The floor is making the same turn objects from ready columns and calling the same bots, with no engine. Run it on a quiet
machine: ``python benchmarks/engine.py [--json] [--quick]``.

| figure | is |
|---|---|
| floor_ns | the floor, nanoseconds a turn of play (scalar bots, batches of 4096) |
| scalar_ratio | play with scalar bots in the worker at 4096 tables, to the floor |
| vector_ratio | play with vectorised bots at 16384 tables, to the floor |
| child_ratio | scalar bots in child processes at 4096 tables, to the same in the worker |
| child_turn_ratio | the same with all bots started before, in either: what a turn costs beyond start-up |
| workers_ratio | turns a second of two workers, to one worker |
| default_* | scalar and child at 1000 tables, the default run's own batches |
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from arena.bot.harness import BotCode, Harness, Seating
from arena.bot.host import ChildHost, Host, Limits, LocalHost
from arena.bot.server import ChildServer
from arena.bot.turns import scalar_turns
from arena.game.cards import SeededDraws
from arena.game.rules import table_rules
from arena.tournament.blocks import Block
from arena.tournament.executors import Setup
from arena.tournament.match import bot_streams, play_block
from arena.tournament.runner import Run

SEED = 1
SCALAR = b"""
from arena import Bot

class Gap8(Bot):
    def bet(self, turn):
        return turn.max_bet if turn.gap >= 8 else 0

class Edge(Bot):
    def bet(self, turn):
        return turn.max_bet if turn.edge > 0 else 0
"""
VECTOR = b"""
import numpy as np
from arena import VectorBot

class Gap8(VectorBot):
    def bet(self, turns):
        return np.where(turns.gap >= 8, turns.max_bet, 0)

class Edge(VectorBot):
    def bet(self, turns):
        return np.where(turns.edge > 0, turns.max_bet, 0)
"""
RULES = table_rules()
LIMITS = Limits(1.0, 1.0, 256 << 20)


def codes(source: bytes) -> tuple[BotCode, ...]:
    """The gap bot and the counter of a source."""
    content = hashlib.sha256(source).hexdigest()
    return tuple(BotCode(source, "bench.py", name, {}, content) for name in ("Gap8", "Edge"))


def play(
    bots: Sequence[BotCode], tables: int, server: ChildServer | None = None, is_started: bool = False
) -> tuple[float, int]:
    """Seconds and turns of one block of this many tables; ``is_started``: less the time it takes to start its bots."""
    block = Block((0, 1), 0, tables)

    def host(entrant: int, seat: int, n: int) -> Host:
        seating, streams = Seating(n, seat, 2, RULES), bot_streams(SEED, bots[entrant].content, seat, block)
        if server is None:
            return LocalHost(bots[entrant], seating, streams)
        return ChildHost(server, bots[entrant], seating, streams, LIMITS)

    make = host
    if is_started:
        hosts = {(entrant, seat): host(entrant, seat, tables) for entrant in (0, 1) for seat in (0, 1)}
        assert all(made.start.codes is None for made in hosts.values())  # reading it waits for the start

        def make(entrant: int, seat: int, n: int) -> Host:
            return hosts[entrant, seat]

    start = time.perf_counter()
    result = play_block(block, RULES, SeededDraws(SEED, 0, tables), make, 10)
    return time.perf_counter() - start, int(result.turns.sum())


def recorded(bots: Sequence[BotCode], tables: int) -> list[tuple[Harness, Any]]:
    """Every question of a block, with the harness it was put to."""
    kept: list[tuple[Harness, Any]] = []
    ask = Harness.ask

    def keep(self: Harness, turns: Any) -> Any:
        kept.append((self, turns))
        return ask(self, turns)

    Harness.ask = keep  # type: ignore[method-assign]
    try:
        play(bots, tables)
    finally:
        Harness.ask = ask  # type: ignore[method-assign]
    return kept


def floor(questions: Sequence[tuple[Harness, Any]]) -> float:
    """Seconds to make the same turns from ready columns and call the same bots."""
    total = 0.0
    for harness, turns in questions:
        turns.__dict__.pop("edge", None)
        turns.__dict__.pop("gap", None)
        methods = [harness._bots[row].bet for row in turns.row.tolist()]
        out: list[Any] = []
        append = out.append
        start = time.perf_counter()
        for method, turn in zip(methods, scalar_turns(turns), strict=True):
            append(method(turn))
        total += time.perf_counter() - start
    return total


def workers_ratio(blocks: int, times: int) -> float:
    """Speed of two workers to that of one over as many blocks, start-up left out: the median of runs in turn."""
    setup = Setup(codes(SCALAR), RULES, SEED, 10, LIMITS, is_trusted=False)
    spent: dict[int, list[float]] = {1: [], 2: []}
    with Run(setup, 1) as one, Run(setup, 2) as two:
        for turn in range(times + 1):
            todo = [Block((0, 1), 1000 * (turn * blocks + k), 1000) for k in range(blocks)]
            for workers, run in ((1, one), (2, two)):
                start = time.perf_counter()
                run.play(todo, lambda *_: None)
                spent[workers].append(time.perf_counter() - start)
    return statistics.median(a / b for a, b in zip(spent[1][1:], spent[2][1:], strict=True))


def best(measure: Callable[[], tuple[float, int]], times: int) -> float:
    """Nanoseconds a turn, the least of several runs."""
    return min(seconds / turns for seconds, turns in (measure() for _ in range(times))) * 1e9


def main() -> None:
    """Measure, and print a table or one JSON object."""
    parser = argparse.ArgumentParser(description="Engine speed as ratios to a floor.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    given = parser.parse_args()
    times = 3 if given.quick else 7
    scalar, vector = codes(SCALAR), codes(VECTOR)
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[:1])
    server = ChildServer()
    questions = recorded(scalar, 4096)
    turns = play(scalar, 4096)[1]
    figures: dict[str, list[float]] = {}
    for _ in range(times):  # in turn, so that a change of the machine's speed meets all alike
        for name, measure in (
            ("floor", lambda: (floor(questions), turns)),
            ("scalar", lambda: play(scalar, 4096)),
            ("child", lambda: play(scalar, 4096, server)),
            ("vector", lambda: play(vector, 16384)),
            ("default_scalar", lambda: play(scalar, 1000)),
            ("default_child", lambda: play(scalar, 1000, server)),
            ("scalar_turn", lambda: play(scalar, 4096, is_started=True)),
            ("child_turn", lambda: play(scalar, 4096, server, is_started=True)),
        ):
            figures.setdefault(name, []).append(best(measure, 1))
    server.close()
    os.sched_setaffinity(0, cores)
    ns = {name: min(values) for name, values in figures.items()}
    out = {
        "floor_ns": round(ns["floor"]),
        "scalar_ratio": round(ns["scalar"] / ns["floor"], 3),
        "vector_ratio": round(ns["vector"] / ns["floor"], 3),
        "child_ratio": round(ns["child"] / ns["scalar"], 3),
        "child_turn_ratio": round(ns["child_turn"] / ns["scalar_turn"], 3),
        "workers_ratio": round(workers_ratio(8 if given.quick else 24, times), 3),
        "scalar_turns_per_s": round(1e9 / ns["scalar"]),
        "vector_turns_per_s": round(1e9 / ns["vector"]),
        "default_scalar_ratio": round(ns["default_scalar"] / ns["floor"], 3),
        "default_child_ratio": round(ns["default_child"] / ns["default_scalar"], 3),
    }
    if given.json:
        print(json.dumps(out))
    else:
        for name, value in out.items():
            print(f"{name:22} {value:>12,}")


if __name__ == "__main__":
    main()
