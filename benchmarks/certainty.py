"""How many deals and seconds it takes to be sure of a difference, by four ways to play and analyse, in one run.

Run it on a quiet machine: ``python benchmarks/certainty.py [--json] [--quick]``. Four house bots play a pilot of seeded
deals: at 2 seats every pair by itself, at 4 seats all four at one table. For each pair the difference of net chips a game is
measured by deal, and from its standard deviation follow the deals after which the half-width of its t interval is 1 %
of the starting chips: ``n = (t_{n−1} · sd / half-width)²``, at 95 %.

| method | a deal is | luck taken off |
|---|---|---|
| independent | one game, in a seating that changes from deal to deal | none |
| duplicates | a game in each rotation of the seats | none |
| third_card | the same | of third cards |
| everything | the same | of third cards and of posts, by stakes learned across folds of deals |

``games`` are games at a table, ``games_saved`` those of *independent* to those of *everything*, ``deals_saved`` the same of
deals. What *everything* needs is measured on runs of so many deals, each of which learns its stakes from itself as a
tournament does, in fives; below 20 deals nothing is learned, so *everything* is *third_card* where that is enough by then,
and else takes 20 deals at least. ``variance_ratio`` is what is saved in the long run: the variance a game of *independent*
to that of *everything*, with stakes learned from the whole pilot. ``seconds`` are processor time on one core, of play with
trusted bots and of the study that a method needs, both measured on the pilot.

``analysis`` is of ten million turns of play with 4 seats, kept in memory and then studied by two workers: ``seconds``
from there to the standings, and ``peak_mb``, the greatest memory of the main process and of both workers, together.
With ``--quick`` it is of a million turns, and seconds and memory are those of a million: ``turns_studied`` says of how many.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.analysis.intervals import t_quantile
from arena.analysis.stakes import FOLDS, LEAST_DEALS, expected_stakes
from arena.bot.harness import BotCode, Seating
from arena.bot.host import Host, Limits, LocalHost
from arena.game.cards import SeededDraws
from arena.game.rules import table_rules
from arena.tournament.blocks import Block, BlockResult
from arena.tournament.executors import Setup
from arena.tournament.match import bot_streams, play_block
from arena.tournament.plan import Plan
from arena.tournament.rows import collect
from arena.tournament.runner import Run, block_deals
from arena.tournament.standings import standings
from arena.tournament.study import ONE, POSTS, THIRD, BlockStudy, study_block

SEED, CONFIDENCE, HALF_WIDTH = 1, 0.95, 0.01
RULES = table_rules()
BLOCK_DEALS, TURNS, WORKERS = 1000, 10_000_000, 2
SAVED = ("games_saved", "deals_saved", "variance_ratio")
HOUSE = {"Edge": "edge.py", "Gap8": "gap.py", "Kelly": "kelly.py", "HalfPot8": "pot8.py"}
VECTOR = b"""
import numpy as np
from arena import VectorBot

class Gap(VectorBot):
    def __init__(self, threshold=8):
        self.threshold = threshold

    def bet(self, turns):
        return np.where(turns.gap >= self.threshold, turns.max_bet, 0)

class Edge(VectorBot):
    def bet(self, turns):
        return np.where(turns.edge > 0, turns.max_bet, 0)
"""

Floats = npt.NDArray[np.float64]


def house_bots() -> list[BotCode]:
    """The four bots from ``bots/``."""
    folder = Path(__file__).parent.parent / "bots"
    return [code((folder / file).read_bytes(), file, name) for name, file in HOUSE.items()]


def code(source: bytes, file: str, name: str, **params: Any) -> BotCode:
    """A bot of a source."""
    content = hashlib.sha256(source + name.encode() + repr(params).encode()).hexdigest()
    return BotCode(source, file, name, params, content)


@dataclass(frozen=True)
class Pilot:
    """Games played to measure by: ``net`` and ``luck`` by deal, rotation and bot; processor seconds of a game."""

    bots: Sequence[BotCode]
    net: Floats
    luck: Floats  # (2, deals, rotations, bots): third cards, posts
    play_s: float
    third_s: float
    study_s: float
    _runs: dict[int, Floats] = field(default_factory=dict)

    @classmethod
    def of(cls, bots: Sequence[BotCode], deals: int) -> Pilot:
        """A pilot of these bots at one table."""
        play_s, played = timed(lambda: runs_of(bots, min(BLOCK_DEALS, deals), deals))
        stakes = expected_stakes(sum(r.stakes.sum(axis=2) for r in played))
        third_s, _ = timed(lambda: [study_block(r, RULES, SEED, None) for r in played])
        study_s, studied = timed(lambda: [study_block(r, RULES, SEED, stakes) for r in played])
        games = sum(r.chips[..., 0].size for r in played)
        luck = np.concatenate([s.luck[[THIRD, POSTS]].transpose(0, 2, 1, 3) / ONE for s in studied], axis=1)
        net = np.concatenate([r.chips.transpose(1, 0, 2) - float(RULES.chips) for r in played])
        return cls(bots, net, luck, play_s / games, third_s / games, study_s / games)

    def methods(self, one: int, other: int) -> dict[str, Any]:
        """Deals, games and seconds by method for the difference of two bots."""
        deals, k, _ = self.net.shape
        net, luck = (x[..., one] - x[..., other] for x in (self.net, self.luck))
        third = net - luck[THIRD]
        alone = net[np.arange(deals), np.arange(deals) % k]
        everything = (third - luck[POSTS]).mean(axis=1)
        full_s = self.play_s + self.study_s
        need = {
            "independent": needed(alone, 1, self.play_s),
            "duplicates": needed(net.mean(axis=1), k, self.play_s),
            "third_card": needed(third.mean(axis=1), k, self.play_s + self.third_s),
            "everything": self._learned(one, other, needed(everything, k, full_s, LEAST_DEALS), full_s),
        }
        if need["third_card"]["deals"] < LEAST_DEALS:
            need["everything"] = need["third_card"]
        saved = {x: round(need["independent"][x] / need["everything"][x], 1) for x in ("games", "deals")}
        ratio = float(alone.var(ddof=1) / (k * everything.var(ddof=1)))
        found = {"games_saved": saved["games"], "deals_saved": saved["deals"]}
        return {**need, **found, "variance_ratio": round(ratio, 1)}

    def _learned(self, one: int, other: int, least: dict[str, float], game_s: float) -> dict[str, float]:
        """The same where each run of so many deals learns its stakes from itself; ``least`` by those of the pilot."""
        need, found = {"deals": 0.0}, least
        while found["deals"] > need["deals"]:
            need = found
            rows = self._rows_of_runs(min(-(-int(need["deals"]) // FOLDS) * FOLDS, len(self.net)))
            spread = float(np.sqrt((rows[..., one] - rows[..., other]).var(axis=1, ddof=1).mean()))
            found = needed_for(spread, self.net.shape[1], game_s, LEAST_DEALS)
        return need

    def _rows_of_runs(self, run: int) -> Floats:
        """Adjusted rows ``(runs, run, bots)`` of runs of so many deals, each of which learns its stakes from itself."""
        if run not in self._runs:
            rows = []
            for played in runs_of(self.bots, run, len(self.net)):
                study = study_block(played, RULES, SEED, expected_stakes(played.stakes.sum(axis=2)))
                rows.append((played.chips - study.luck[[THIRD, POSTS]].sum(axis=0) / ONE).mean(axis=0))
            self._runs[run] = np.stack(rows)
        return self._runs[run]


def runs_of(bots: Sequence[BotCode], run: int, deals: int) -> list[BlockResult]:
    """As many whole runs of so many deals as there are in ``deals``."""
    lineup = tuple(range(len(bots)))
    return [play(bots, Block(lineup, at, run)) for at in range(0, deals - run + 1, run)]


def play(bots: Sequence[BotCode], block: Block) -> BlockResult:
    """A block played in this process."""

    def host(entrant: int, seat: int, tables: int) -> Host:
        seating = Seating(tables, seat, len(block.lineup), RULES)
        return LocalHost(bots[entrant], seating, bot_streams(SEED, bots[entrant].content, seat, block))

    return play_block(block, RULES, SeededDraws(SEED, block.first_deal, block.deals), host, 10)


def timed(work: Callable[[], list[Any]]) -> tuple[float, list[Any]]:
    """Processor seconds of some work, and what came of it."""
    start = time.process_time()
    out = work()
    return time.process_time() - start, out


def needed(rows: Floats, games: int, game_s: float, least: int = 2) -> dict[str, float]:
    """What it takes with rows ``(deals,)`` of ``games`` each that spread like these; at least ``least`` deals."""
    return needed_for(float(rows.std(ddof=1)), games, game_s, least)


def needed_for(spread: float, games: int, game_s: float, least: int) -> dict[str, float]:
    """The same of rows with this standard deviation, in chips."""
    sds = spread / (HALF_WIDTH * RULES.chips)
    n = 2.0
    while (more := (t_quantile(CONFIDENCE, max(2, int(np.ceil(n)))) * sds) ** 2) > n:
        n = more if more < 1.001 * n else min(more, 1.1 * n + 1)  # from below: t falls as n grows
    deals = max(least, int(np.ceil(n)))
    return {"deals": deals, "games": deals * games, "seconds": round(deals * games * game_s, 4)}


def tables(deals: int) -> Iterator[tuple[int, dict[str, Any], float]]:
    """By table size: what each pair needs, and nanoseconds of study a turn."""
    bots, names = house_bots(), list(HOUSE)
    pairs = list(itertools.combinations(range(len(bots)), 2))
    turns = RULES.end.rounds or 1
    by_two = {pair: Pilot.of([bots[i] for i in pair], deals) for pair in pairs}
    by_four = Pilot.of(bots, deals)
    two_s = float(np.mean([pilot.study_s for pilot in by_two.values()]))
    for seats, pilots, study_s in ((2, by_two, two_s), (4, dict.fromkeys(pairs, by_four), by_four.study_s)):
        found = {
            f"{names[i]} − {names[j]}": pilots[i, j].methods(*((0, 1) if seats == 2 else (i, j)))
            for i, j in pairs
        }
        yield seats, found, study_s / (seats * turns) * 1e9


def analysis(scale: int) -> dict[str, float]:
    """Seconds and memory to study ten million turns over ``scale``; see the head of this file."""
    bots = tuple(code(VECTOR, "bench.py", "Gap", threshold=t) for t in (7, 8, 9))
    bots += (code(VECTOR, "bench.py", "Edge"),)
    setup = Setup(bots, RULES, SEED, 10, Limits(1.0, 1.0, 256 << 20), is_trusted=True)
    deals = TURNS // scale // (16 * (RULES.end.rounds or 1))
    todo = Plan([(0, 1, 2, 3)], block_deals(deals, 4, RULES), deals).reach(deals)
    with Run(setup, WORKERS) as run:
        results = run.play(todo, lambda *_: None)
        start = time.perf_counter()
        stakes = expected_stakes(sum(r.stakes.sum(axis=2) for r in results))
        studies: list[BlockStudy] = run.study(results, stakes)
        rows = collect(results, 4, RULES.chips, [(0, 1, 2, 3)], studies)
        standings(rows, ["7", "8", "9", "edge"], "adjusted", rules=RULES)
        seconds = time.perf_counter() - start
    turns = int(rows.turns.sum())
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kilobytes += WORKERS * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return {"turns_studied": turns, "seconds": round(seconds, 2), "peak_mb": round(kilobytes / 1024)}


def print_table(out: dict[str, Any]) -> None:
    """The same as text."""
    for seats in ("2", "4"):
        target = f"until ±{HALF_WIDTH:.0%} of the starting chips, by the pilot's spread"
        print(f"\n{seats} seats                 deals (seconds) {target}")
        for pair, need in out[seats].items():
            cells = [
                f"{m} {x['deals']:,} ({x['seconds']:.3f})" for m, x in need.items() if isinstance(x, dict)
            ]
            saved = ", ".join(f"{name.replace('_', ' ')} {need[name]:.1f}" for name in SAVED)
            print(f"{pair:18} {'  '.join(cells)}  {saved}")
    print()
    for name, value in out["analysis"].items():
        print(f"{name:22} {value}")


def main() -> None:
    """Measure, and print a table or one JSON object."""
    parser = argparse.ArgumentParser(description="Deals and seconds until a difference is known.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="a smaller pilot, a tenth of the analysis")
    parser.add_argument(
        "--pilot", type=int, metavar="DEALS", help="deals of the pilot (default: 2000, quick: 1000)"
    )
    parser.add_argument("--analysis", type=int, metavar="SCALE", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.analysis:
        print(json.dumps(analysis(given.analysis)))
        return
    out: dict[str, Any] = {}
    per_turn = {}
    for seats, pairs, ns in tables(given.pilot or (1000 if given.quick else 2000)):
        out[str(seats)], per_turn[str(seats)] = pairs, round(ns)
    # in a process of its own, so that the memory is that of the analysis
    command = [sys.executable, __file__, "--analysis", "10" if given.quick else "1"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    out["analysis"] = {"analysis_ns_per_turn": per_turn, **found}
    if given.json:
        print(json.dumps(out, ensure_ascii=False))
    else:
        print_table(out)


if __name__ == "__main__":
    main()
