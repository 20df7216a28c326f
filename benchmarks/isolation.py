"""What isolation costs, as ratios to play inside the worker taken in turn in the same run.

Run it on a quiet machine: ``python benchmarks/isolation.py [--json] [--quick]``.

| figure | is |
|---|---|
| per_decision_ratio | scalar bots in locked processes that are already started, to the same in the worker, by batch |
| start_ms | a process forked, locked, looked at and given its bot for 1000 tables (milliseconds, with the server's work) |
| default_ratio | the default tournament from first process to standings, isolated to trusted |
| layers | start_ms with single locks left off |
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from engine import RULES, SCALAR, SEED, codes

from arena.bot.confine import Layers
from arena.bot.entrant import find_entrants
from arena.bot.harness import Seating
from arena.bot.host import ChildHost, Host, Limits, LocalHost
from arena.bot.server import ChildServer
from arena.game.cards import SeededDraws
from arena.tournament.blocks import Block
from arena.tournament.match import bot_streams, play_block
from arena.tournament.runner import usable_workers
from arena.tournament.schedule import spec_lineups
from arena.tournament.spec import load_spec
from arena.tournament.tournament import hold

LIMITS = Limits(0.02, 1.0, 256 << 20)
BOTS = codes(SCALAR)
DEFAULT = Path(__file__).parent.parent / "configs" / "default.yaml"


def made(entrant: int, seat: int, tables: int, server: ChildServer | None) -> Host:
    """A bot at a seat, started."""
    seating = Seating(tables, seat, 2, RULES)
    streams = bot_streams(SEED, BOTS[entrant].content, seat, Block((0, 1), 0, tables))
    if server is None:
        return LocalHost(BOTS[entrant], seating, streams)
    return ChildHost(server, BOTS[entrant], seating, streams, LIMITS)


def decision_s(tables: int, server: ChildServer | None) -> float:
    """Seconds a turn of a block of this many tables, its bots started before."""
    hosts = {(entrant, seat): made(entrant, seat, tables, server) for entrant in (0, 1) for seat in (0, 1)}
    for host in hosts.values():
        assert host.start.codes is None
    draws = SeededDraws(SEED, 0, tables)
    start = time.perf_counter()
    result = play_block(Block((0, 1), 0, tables), RULES, draws, lambda bot, seat, _: hosts[bot, seat], 10)
    return (time.perf_counter() - start) / int(result.turns.sum())


def start_s(server: ChildServer) -> float:
    """Seconds until a bot's process has answered for the first time, less what its instances take."""
    start = time.perf_counter()
    host = made(0, 0, 1000, server)
    assert host.start.codes is None
    taken = time.perf_counter() - start
    host.close()
    return taken


def default_s(is_trusted: bool) -> float:
    """Seconds of the default tournament."""
    spec = load_spec(DEFAULT)
    entrants, _ = find_entrants(spec.bots)
    start = time.perf_counter()
    hold(spec, entrants, spec_lineups(spec, entrants), usable_workers(), is_trusted, lambda *_: None)
    return time.perf_counter() - start


def in_turn(times: int, **measures: Callable[[], float]) -> dict[str, list[float]]:
    """Each measure so many times, in turn, so that a change of the machine's speed meets all alike."""
    found: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(times):
        for name, measure in measures.items():
            found[name].append(measure())
    return found


def start_ms(times: int) -> dict[str, float]:
    """Milliseconds to start a process, by the locks it puts on."""
    every = Layers()
    kinds = {"all": every, "none": Layers(False, False, False, False)}
    kinds |= {f"no {name}": Layers(**{name: False}) for name in ("identity", "limits", "landlock", "seccomp")}
    out = {}
    for name, layers in kinds.items():
        server = ChildServer(layers)
        start_s(server)
        out[name] = round(1e3 * statistics.median(start_s(server) for _ in range(10 * times)), 2)
        server.close()
    return out


def main() -> None:
    """Measure, and print a table or one JSON object."""
    parser = argparse.ArgumentParser(description="What isolation costs, as ratios to play inside the worker.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions, and no tournament")
    given = parser.parse_args()
    times = 3 if given.quick else 7
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[-1:])
    server = ChildServer()
    ratios = {}
    for tables in (4096, 1024):
        found = in_turn(
            times, here=partial(decision_s, tables, None), child=partial(decision_s, tables, server)
        )
        ratios[str(tables)] = round(min(found["child"]) / min(found["here"]), 3)
    server.close()
    starts = start_ms(times)
    os.sched_setaffinity(0, cores)
    out: dict[str, Any] = {"per_decision_ratio": ratios, "start_ms": starts["all"], "layers": starts}
    if not given.quick:
        found = in_turn(3, trusted=lambda: default_s(True), isolated=lambda: default_s(False))
        out["default_ratio"] = round(min(found["isolated"]) / min(found["trusted"]), 3)
        out["default_s"] = {name: round(min(taken), 2) for name, taken in found.items()}
    if given.json:
        print(json.dumps(out))
    else:
        for name, value in out.items():
            print(f"{name:20} {value}")


if __name__ == "__main__":
    main()
