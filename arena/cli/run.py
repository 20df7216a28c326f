"""``arena run``: a tournament from its file to its report."""

from __future__ import annotations

import os
import platform
import shlex
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from arena.bot.entrant import Entrant, find_entrants
from arena.bot.harness import BotCode
from arena.cli.progress import Progress
from arena.errors import ArenaError, Problem
from arena.tournament.blocks import Block
from arena.tournament.executors import Setup
from arena.tournament.runner import block_deals, play_blocks, seconds_to_play, usable_workers
from arena.tournament.schedule import Lineup, blocks, meeting_spread, spec_lineups
from arena.tournament.spec import TournamentSpec, load_spec

_EXAMPLES = """
\b
Examples:
  arena run configs/default.yaml
  arena run configs/default.yaml --deals 200 --set table.ante.amount=20
  arena run configs/default.yaml --out /tmp/reports --workers 1
"""


@click.command(epilog=_EXAMPLES)
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--seed", type=int, help="Seed of the cards, in place of the file's.")
@click.option("--deals", type=int, help="Deals to play, in place of the file's.")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Any key of the file, dotted.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes that play (default: all processors).")
@click.option("--out", type=click.Path(path_type=Path), default=Path("reports"), show_default=True,
              help="Folder that the report's own folder goes into.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Say what would be played and how long it takes; play nothing.")
@click.option("--strict", is_flag=True, help="Start only if no bot has to be left out.")
@click.option("--trust-bots", is_flag=True,
              help="Run bots inside the workers: only if you wrote every one yourself.")  # fmt: skip
def run(
    config: Path,
    seed: int | None,
    deals: int | None,
    overrides: tuple[str, ...],
    workers: int | None,
    out: Path,
    dry_run: bool,
    strict: bool,
    trust_bots: bool,
) -> None:
    """Play a tournament and write its report.

    CONFIG is a tournament file; see configs/. The report goes to OUT/NAME: report.md, standings.csv,
    head_to_head.csv, results.json; the standings also to standard output.
    """
    given = [f"{key}={value}" for key, value in (("seed", seed), ("deals", deals)) if value is not None]
    spec = load_spec(config, [*overrides, *given])
    entrants, left_out = entrants_of(spec, strict)
    lineups = spec_lineups(spec, entrants)
    todo = blocks(lineups, spec.deals, block_deals(spec.deals, spec.seats, spec.table))
    workers = workers or usable_workers()
    if dry_run:
        _say_plan(spec, entrants, lineups, todo, workers)
        return
    try:
        _play(spec, entrants, lineups, todo, workers, out / spec.name, trust_bots, left_out)
    except KeyboardInterrupt:
        again = shlex.join(["arena", *sys.argv[1:]])
        click.echo(
            f"\ninterrupted: nothing was written, an earlier report is as it was; again: {again}", err=True
        )
        sys.exit(130)


def entrants_of(spec: TournamentSpec, strict: bool) -> tuple[tuple[Entrant, ...], tuple[Problem, ...]]:
    """The bots that take part, and why others do not; these are named on standard error.

    Raises ``ArenaError`` where too few are left, or (``strict``) any had to be left out.
    """
    entrants, problems = find_entrants(spec.bots)
    if strict and problems:
        raise ArenaError(
            [*problems, f"--strict: nothing is played while bots are broken ({len(problems)} here)"]
        )
    if len(entrants) < spec.seats:
        found = {0: "no bot", 1: "one bot"}.get(len(entrants), f"{len(entrants)} bots")
        sentence = f"{found} to seat at a table of {spec.seats}; add bots, or set seats lower"
        if spec.seats == 2:
            sentence = f"{found} found, and a game takes two; add bots to the folder that bots: names"
        raise ArenaError([*problems, spec.problem("bots", sentence)])
    for problem in problems:
        click.echo(f"left out: {problem}", err=True)
    return entrants, problems


def setup_of(spec: TournamentSpec, entrants: Sequence[Entrant], is_trusted: bool) -> Setup:
    """What workers need to play this tournament."""
    bots = tuple(BotCode(e.source, e.file.name, e.class_name, dict(e.params), e.content) for e in entrants)
    limits = spec.limits
    return Setup(
        bots,
        spec.table,
        spec.seed,
        limits.faults,
        limits.decision_ms / 1000,
        limits.bank_ms / 1000,
        is_trusted,
    )


def _play(
    spec: TournamentSpec,
    entrants: Sequence[Entrant],
    lineups: Sequence[Lineup],
    todo: Sequence[Block],
    workers: int,
    folder: Path,
    trust_bots: bool,
    left_out: Sequence[Problem],
) -> None:

    from arena.report.folder import check_folder
    from arena.report.terminal import standings_text
    from arena.report.write import FILES, write_report
    from arena.tournament.standings import collect, standings

    check_folder(folder, FILES)
    if trust_bots:
        click.echo("bots are trusted: they run inside the workers, not in processes of their own", err=True)
    started, clock = datetime.now(UTC), time.perf_counter()
    names = [e.name for e in entrants]
    with Progress(names, spec.table.chips, todo) as progress:
        results = play_blocks(todo, setup_of(spec, entrants, trust_bots), workers, progress.add)
    played_s = time.perf_counter() - clock
    rows = collect(results, len(entrants), spec.table.chips, lineups)
    table = standings(rows, names, spec.rank_by, spec.confidence, is_ranked=spec.schedule != "gauntlet")
    about: dict[str, Any] = {
        "started": started.isoformat(timespec="seconds"),
        "played_s": round(played_s, 3),
        "total_s": round(time.perf_counter() - clock, 3),
        "turns_per_s": round(table.turns / played_s),
        "workers": workers,
        "isolation": "none (bots trusted)"
        if trust_bots
        else "a process for each bot, seat and seating; not locked",
        "machine": platform.machine(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "left_out": [str(problem) for problem in left_out],
    }
    write_report(folder, spec, entrants, table, about)
    click.echo(standings_text(table))
    click.echo(f"report: {folder / 'report.md'} (played in {played_s:.1f} s)", err=True)


def _say_plan(
    spec: TournamentSpec,
    entrants: Sequence[Entrant],
    lineups: Sequence[Lineup],
    todo: Sequence[Block],
    workers: int,
) -> None:
    """Say what would be played."""
    games = len(lineups) * spec.seats * spec.deals
    click.echo(f"{spec.name}: {len(entrants)} bots, {spec.schedule.replace('_', ' ')}, {spec.seats} seats")
    for entrant in entrants:
        click.echo(f"  {entrant.name}  ({entrant.file.name}:{entrant.line})")
    click.echo(f"{len(lineups):,} lineups x {spec.seats} rotations x {spec.deals:,} deals = {games:,} games")
    if spec.schedule == "balanced":
        least, most = meeting_spread(lineups, len(entrants))
        click.echo(f"pairs of bots meet in {least} to {most} lineups")
    for lineup in lineups[:10]:
        click.echo(f"  {' - '.join(entrants[i].name for i in lineup)}")
    if len(lineups) > 10:
        click.echo(f"  … and {len(lineups) - 10:,} more lineups")
    seconds = seconds_to_play(todo, spec.seats, spec.table, workers)
    unit = (
        f"{seconds:.0f} s"
        if seconds < 120
        else f"{seconds / 60:.0f} min"
        if seconds < 7200
        else f"{seconds / 3600:.0f} h"
    )
    click.echo(
        f"{len(todo):,} blocks; about {unit} with {workers} workers (an estimate from turns; bots that think take longer)"
    )
