"""Tune the learner's table of stakes by playing: the cross-entropy method over the arena's own games, seeded and repeatable.

``python benchmarks/tune.py`` prints the numbers that stand in ``bots/strong/learner.py``; ``--write`` puts them there. Same
seed, same numbers, to the byte.

A generation is a number of tables of stakes, each number drawn from a normal distribution of its own. All of them play
the same deals, in every rotation, against each rival, with trusted bots in this process. Deals are new in every
generation, and of a seed that no report uses. What a table is worth are its net chips a game less the luck of third
cards. The best tables give the next generation its means and standard deviations (Rubinstein and Kroese, *The
Cross-Entropy Method*, 2004); the means of the last are the result. At the end the start and the result play deals that
neither has seen.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist, fmean, pstdev
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.bot.harness import BotCode, Seating
from arena.bot.host import Host, LocalHost
from arena.game.cards import SeededDraws
from arena.game.rules import table_rules
from arena.tournament.blocks import Block
from arena.tournament.match import bot_streams, play_block
from arena.tournament.study import ONE, THIRD, study_block

BOTS = Path(__file__).parent.parent / "bots"
LEARNER = BOTS / "strong" / "learner.py"
RULES = table_rules()
RIVALS = (("exact.py", "Exact"), ("kelly.py", "Kelly"), ("fresh_pack.py", "FreshPack"))
# Half of the greatest bet on every hand that the unseen cards favour: points of edge, then gap, pot, left and lead.
START = (-0.5, -0.5, 0.0, 0.5, 0.5, 0.5, 0.5, *[0.0] * 21)
SPREAD, LEAST_SPREAD = 0.25, 0.03  # of a number in the first generation, and in any
ELITE, KEPT = 0.25, 0.3  # the share of tables that count, and what is kept of the means and spreads before

Stakes = tuple[float, ...]


@dataclass(frozen=True)
class Budget:
    """How much is played: ``deals`` by each of ``tables`` in each generation, ``proof_deals`` in the end."""

    generations: int
    tables: int
    deals: int
    proof_deals: int = 2000
    rivals: tuple[tuple[str, str], ...] = RIVALS


SEED, SHIPPED = 7, Budget(20, 24, 300)  # of the table in the learner's file; some two minutes on one core


@dataclass(frozen=True)
class Tuned:
    """A table of stakes and what it is worth, with that of the start, in chips a game; ± is two standard errors."""

    stakes: Stakes
    start: float
    result: float
    gain_error: float


def code(path: Path, name: str, **params: Any) -> BotCode:
    """A house bot."""
    source = path.read_bytes()
    content = hashlib.sha256(source + name.encode() + repr(params).encode()).hexdigest()
    return BotCode(source, path.name, name, params, content)


def worth(
    stakes: Stakes, seed: int, first_deal: int, deals: int, rivals: Sequence[tuple[str, str]] = RIVALS
) -> npt.NDArray[np.float64]:
    """Chips a game won against the rivals by deal, ``(deals,)``, less the luck of third cards."""
    block = Block((0, 1), first_deal, deals)
    total = np.zeros(deals, dtype=np.int64)
    for file, name in rivals:
        bots = code(LEARNER, "Learner", stakes=list(stakes)), code(BOTS / file, name)

        def host(entrant: int, seat: int, tables: int, bots: Sequence[BotCode] = bots) -> Host:
            streams = bot_streams(seed, bots[entrant].content, seat, block)
            return LocalHost(bots[entrant], Seating(tables, seat, 2, RULES), streams)

        played = play_block(block, RULES, SeededDraws(seed, first_deal, deals), host, 10)
        assert not played.faults.any(), "a bot that tunes or is tuned against makes no mistakes"
        luck = study_block(played, RULES, seed, None).luck[THIRD, :, :, 0]
        total += ((played.chips[:, :, 0] - RULES.chips) * ONE - luck).sum(axis=0)
    return np.asarray(total / (ONE * 2 * len(rivals)))


def tune(seed: int, budget: Budget, tell: Callable[[str], None] = lambda _: None) -> Tuned:
    """The table that a budget comes to."""
    tables, deals, rivals = budget.tables, budget.deals, budget.rivals
    chance, normal = random.Random(seed), NormalDist()
    means, spreads = list(START), [SPREAD] * len(START)
    for generation in range(budget.generations):
        drawn = [
            tuple(
                round(m + s * normal.inv_cdf(chance.random()), 3) for m, s in zip(means, spreads, strict=True)
            )
            for _ in range(tables)
        ]
        worths = [float(worth(stakes, seed, generation * deals, deals, rivals).mean()) for stakes in drawn]
        best = sorted(range(tables), key=lambda k: (-worths[k], k))[: max(2, round(ELITE * tables))]
        columns = list(zip(*(drawn[k] for k in best), strict=True))
        means = [KEPT * old + (1 - KEPT) * fmean(column) for old, column in zip(means, columns, strict=True)]
        spreads = [
            max(LEAST_SPREAD, KEPT * old + (1 - KEPT) * pstdev(column))
            for old, column in zip(spreads, columns, strict=True)
        ]
        tell(
            f"generation {generation + 1}: {fmean(worths):+.2f} chips a game, the best {fmean(worths[k] for k in best):+.2f}"
        )
    stakes = tuple(round(mean, 2) + 0.0 for mean in means)  # + 0.0: no minus before a nought
    n, first = budget.proof_deals, budget.generations * deals
    before, after = (worth(table, seed, first, n, rivals) for table in (START, stakes))
    error = 2 * float((after - before).std(ddof=1)) / n**0.5
    return Tuned(stakes, float(before.mean()), float(after.mean()), error)


def as_text(stakes: Stakes, sizes: Sequence[int]) -> str:
    """The table as it stands in the learner's file, a line a scale."""
    lines, at = [], 0
    for size in sizes:
        lines.append("    " + ", ".join(f"{n:g}" for n in stakes[at : at + size]) + ",\n")
        at += size
    return "STAKES = (\n" + "".join(lines) + ")  # fmt: skip\n"


def scale_sizes() -> list[int]:
    """How many points each scale of the learner has."""
    space: dict[str, Any] = {}
    exec(compile(LEARNER.read_bytes(), LEARNER.name, "exec"), space)
    return [len(scale) for scale in space["SCALES"]]


def main() -> None:
    """Tune, and print the table."""
    parser = argparse.ArgumentParser(description="Tune the learner's stakes.")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--generations", type=int, default=SHIPPED.generations)
    parser.add_argument("--tables", type=int, default=SHIPPED.tables)
    parser.add_argument("--deals", type=int, default=SHIPPED.deals)
    parser.add_argument("--write", action="store_true", help="put the numbers into bots/strong/learner.py")
    given = parser.parse_args()
    budget = Budget(given.generations, given.tables, given.deals)
    found = tune(given.seed, budget, lambda line: print(line, file=sys.stderr, flush=True))
    text = as_text(found.stakes, scale_sizes())
    print(text, end="")
    print(
        f"start {found.start:+.2f}, result {found.result:+.2f}, gain ± {found.gain_error:.2f} chips a game",
        file=sys.stderr,
    )
    if given.write:
        LEARNER.write_text(
            re.sub(r"STAKES = \(\n.*?\)  # fmt: skip\n", text, LEARNER.read_text(), flags=re.DOTALL)
        )


if __name__ == "__main__":
    main()
