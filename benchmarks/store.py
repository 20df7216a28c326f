"""What storing games costs, and how long a report takes to write again from what is stored.

Run it on a quiet machine: ``python benchmarks/store.py [--json] [--quick]``. The default roster plays in this process,
trusted, which is the fastest that play can be.

| figure | is |
|---|---|
| store_share | time to store blocks (packed, written, committed), to the time to play them |
| bytes_per_turn | the store's file, by turn played |
| most_bytes_per_turn | the same of the lineup that takes most, its blocks alone |
| reopen_s | from a closed store of so many turns to all results in memory, and the report's files written at the end |
| of these | check_s (every page and checksum), find_s (read and unpacked), report_s (the files) |
| analysis_s | for comparison: the study of luck and skill, and standings, in one process |
| turns | how many |
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from arena.bot.entrant import find_entrants
from arena.report.write import write_report
from arena.tournament.blocks import BlockResult
from arena.tournament.executors import Worker
from arena.tournament.packing import pack
from arena.tournament.rows import collect
from arena.tournament.schedule import spec_lineups
from arena.tournament.spec import load_spec
from arena.tournament.standings import standings
from arena.tournament.store import open_store
from arena.tournament.tournament import plan_of, setup_of

DEFAULT = Path(__file__).parent.parent / "configs" / "default.yaml"


def measured(deals: int, folder: Path) -> dict[str, Any]:
    """All figures of the default tournament with so many deals, stored in ``folder``."""
    spec = load_spec(DEFAULT, [f"deals={deals}"])
    entrants, _ = find_entrants(spec.bots)
    lineups = spec_lineups(spec, entrants)
    setup = setup_of(spec, entrants, True)
    worker = Worker(setup)
    spent = {"play": 0.0, "store": 0.0}
    turns, densest = 0, 0.0
    with open_store(folder, "bench", print) as store:
        shelf = store.shelf(setup, store.begin("benchmark"))
        for block in plan_of(spec, lineups).reach(deals):
            start = time.perf_counter()
            result = worker.play(block)
            spent["play"] += time.perf_counter() - start
            assert isinstance(result, BlockResult)
            start = time.perf_counter()
            shelf.keep(result, {})
            spent["store"] += time.perf_counter() - start
            played = int(result.turns.sum())
            turns += played
            densest = max(densest, len(pack(result)) / played)
    size = (folder / "bench.sqlite").stat().st_size
    clock = [time.perf_counter()]
    with open_store(folder, "bench", print) as store:
        clock.append(time.perf_counter())
        shelf = store.shelf(setup, store.begin("benchmark"))
        plan = plan_of(spec, lineups, shelf)
        found = [shelf.find(block, {}) for block in plan.reach(deals)]
        shelf.note_used(plan.known)
        results = [result for result in found if result is not None]
        assert len(results) == len(found)
        clock.append(time.perf_counter())
    studies = [worker.study(result, None) for result in results]
    rows = collect(results, len(entrants), spec.table.chips, lineups, studies)
    summed = standings(rows, [e.name for e in entrants], spec.rank_by, spec.confidence, rules=spec.table)
    clock.append(time.perf_counter())
    write_report(folder / "report", spec, entrants, summed, {})
    clock.append(time.perf_counter())
    check_s, find_s, analysis_s, report_s = (b - a for a, b in pairwise(clock))
    return {
        "store_share": round(spent["store"] / spent["play"], 4),
        "bytes_per_turn": round(size / turns, 3),
        "most_bytes_per_turn": round(densest, 3),
        "reopen_s": round(check_s + find_s + report_s, 2),
        "check_s": round(check_s, 3),
        "find_s": round(find_s, 3),
        "report_s": round(report_s, 3),
        "analysis_s": round(analysis_s, 1),
        "turns": turns,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--quick", action="store_true", help="a fiftieth of ten million turns")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measured(60 if options.quick else 2800, Path(folder))
    if options.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:20} {value:,}")


if __name__ == "__main__":
    main()
