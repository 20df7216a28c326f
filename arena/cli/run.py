"""``arena run``: a tournament from its file to its report."""

from __future__ import annotations

import os
import platform
import shlex
import sqlite3
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from arena.bot.entrant import Entrant, able, find_entrants
from arena.cli.interrupts import uninterrupted
from arena.cli.progress import Progress, lost_sentence
from arena.cli.say import columns, say, tell
from arena.cli.seed import KeptSeed, SeedType, say_commitment, say_outsiders, say_seed
from arena.errors import ArenaError, Problem
from arena.game.rules import MAX_CHIPS
from arena.tournament.blame import time_faults
from arena.tournament.plan import Plan
from arena.tournament.runner import seconds_to_play, usable_workers
from arena.tournament.schedule import Lineup, meeting_spread, spec_lineups
from arena.tournament.spec import TournamentSpec, load_spec
from arena.tournament.store import FOLDER, Shelf, Store, open_store, peek_store
from arena.tournament.tournament import Held, hold, most_deals, plan_of, setup_of, with_first_look

_EXAMPLES = """
\b
Examples:
  arena run configs/default.yaml
  arena run configs/default.yaml --deals 200 --set table.ante.amount=20
  arena run configs/default.yaml --deals 5000   after 1,000: plays 4,000
  arena run configs/default.yaml --fresh        plays everything anew
  arena run configs/default.yaml --out /tmp/reports --workers 1
  arena run configs/default.yaml --seed secret  with strangers' bots aboard
"""


@click.command(epilog=_EXAMPLES)
@click.argument("config", type=click.Path(path_type=Path))
@click.option(
    "--seed", type=SeedType(), help="Seed of the cards, in place of the file's; secret: drawn for this run."
)
@click.option("--deals", type=int, help="Deals to play, in place of the file's.")
@click.option("--until", metavar="RULE", help="Stop early: ranked, or half_width=CHIPS (rank_by: wins: a share of games, "
              "such as 0.02); in place of deals.")  # fmt: skip
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Any key of the file, dotted.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes that play (default: all processors).")
@click.option("--out", type=click.Path(path_type=Path), default=Path("reports"), show_default=True,
              help="Folder that the report's own folder goes into.")  # fmt: skip
@click.option("--fresh", is_flag=True, help="Forget what is stored of this run, and play everything anew.")
@click.option("--dry-run", is_flag=True, help="Say what would be played and how long it takes; play nothing.")
@click.option("--strict", is_flag=True, help="Start only if no bot has to be left out.")
@click.option("--trust-bots", is_flag=True,
              help="Run bots inside the workers: only if you wrote every one yourself.")  # fmt: skip
def run(
    config: Path,
    seed: str | None,
    deals: int | None,
    until: str | None,
    overrides: tuple[str, ...],
    workers: int | None,
    out: Path,
    fresh: bool,
    dry_run: bool,
    strict: bool,
    trust_bots: bool,
) -> None:
    """Play a tournament and write its report.

    CONFIG is a tournament file; see configs/. The report goes to OUT/NAME: report.html to open in a browser, report.md,
    standings.csv, head_to_head.csv, results.json; the standings also to standard output. Games are stored under OUT/.store
    as they are played: the same command goes on where it was stopped, and after a change plays only what is new.
    """
    from arena.report.folder import check_folder
    from arena.report.write import FILES, PICTURE_FILES

    given = [f"{key}={value}" for key, value in (("seed", seed), ("deals", deals)) if value is not None]
    if until is not None and deals is not None:
        raise ArenaError(
            "--until and --deals do not go together: it plays until its rule is met; "
            f"--set stop.max_deals={deals} says how many deals at the most"
        )
    rule = [] if until is None else [f"stop={rule_of(until)}", "deals=null"]
    spec = load_spec(config, [*rule, *overrides, *given])  # --set stop.max_deals=… goes with --until
    entrants, left_out = entrants_of(spec, strict)
    spec = with_first_look(spec, len(entrants))
    lineups = spec_lineups(spec, entrants)
    workers = workers or usable_workers()
    if dry_run:
        _dry_run(spec, entrants, lineups, workers, out, fresh, trust_bots)
        return
    check_folder(out / spec.name, (*FILES, *PICTURE_FILES))
    command = shlex.join(["arena", *(word for word in sys.argv[1:] if word != "--fresh")])
    try:
        play_stored(spec, entrants, left_out, workers, out, trust_bots, command, fresh)
    except KeyboardInterrupt:
        kept = " with its secret seed" if spec.is_seed_secret else ""
        told = f"what was played is stored{kept}, an earlier report is as it was"
        tell(f"\ninterrupted: {told}; go on with:", command)
        sys.exit(130)


def play_stored(
    spec: TournamentSpec,
    entrants: Sequence[Entrant],
    left_out: Sequence[Problem],
    workers: int,
    out: Path,
    trust_bots: bool,
    command: str,
    fresh: bool = False,
) -> Held:
    """Play what is not stored yet in ``out``, store it, and write the report; ``command`` is what goes on with it."""
    with open_store(out / FOLDER, spec.name, tell) as store:
        if fresh:
            store.clear()
        seeds = KeptSeed(store)
        spec = seeds.take(spec, lambda kept: _is_stored(kept, entrants, store, trust_bots))
        lineups = spec_lineups(spec, entrants)
        number = store.begin(command)
        shelf = store.shelf(setup_of(spec, entrants, trust_bots), number)
        job = _Job(spec, entrants, lineups, workers, out / spec.name, trust_bots, left_out)
        held = _play(job, store, shelf)
        shelf.note_used()
        store.end(number)
        seeds.forget(spec)
    return held


def entrants_of(
    spec: TournamentSpec, strict: bool, instead: Mapping[Path, bytes | None] | None = None
) -> tuple[tuple[Entrant, ...], tuple[Problem, ...]]:
    """The bots that take part, and why others do not; these are named on standard error.

    ``instead`` is as in ``find_entrants``. Raises ``ArenaError`` where too few are left, or (``strict``) any is broken;
    who says that he does not play at such a table is not.
    """
    entrants, problems = find_entrants(spec.bots, instead)
    if strict and problems:
        raise ArenaError(
            [*problems, f"--strict: nothing is played while bots are broken ({len(problems)} here)"]
        )
    entrants, elsewhere = able(entrants, spec.table.bank)
    problems = (*problems, *elsewhere)
    if len(entrants) < spec.seats:
        found = {0: "no bot", 1: "one bot"}.get(len(entrants), f"{len(entrants)} bots")
        found += " left, without those named above," if problems else ""
        way_out = "mend those, or add bots" if problems else "add bots"
        sentence = f"{found} to seat at a table of {spec.seats}; {way_out}, or set seats lower"
        if spec.seats == 2:
            found += "" if problems else " found,"
            sentence = f"{found} and a game takes two; {way_out} to the folder that bots: names"
        raise ArenaError([*problems, spec.problem("bots", sentence)])
    for problem in problems:
        tell(f"left out: {problem}")
    return entrants, problems


def rule_of(text: str) -> str:
    """``ranked`` or ``half_width=5`` as the YAML of a ``stop:`` key. Raises ``ArenaError``."""
    when, equals, chips = text.partition("=")
    if (when, equals) == ("ranked", ""):
        return "{when: ranked}"
    if when == "half_width" and _is_above_0(chips):
        return f"{{when: half_width, chips: {chips}}}"
    raise ArenaError(f"--until {text}: expected ranked, or half_width=CHIPS above 0 such as half_width=5")


def _is_above_0(text: str) -> bool:
    try:
        return 0 < float(text) <= MAX_CHIPS
    except ValueError:
        return False


@dataclass(frozen=True)
class _Job:
    """What is to be played, by whom, and where its report goes."""

    spec: TournamentSpec
    entrants: Sequence[Entrant]
    lineups: Sequence[Lineup]
    workers: int
    folder: Path
    is_trusted: bool
    left_out: Sequence[Problem]

    @property
    def names(self) -> list[str]:
        """The bots' names, as lineups number them."""
        return [entrant.name for entrant in self.entrants]


def _play(job: _Job, store: Store, shelf: Shelf) -> Held:
    """Play what is not stored, tell the standings, write the report."""
    spec = job.spec
    if not job.is_trusted:
        say_outsiders(spec, job.entrants)
    say_commitment(spec)
    started = datetime.now(UTC)
    held, new_turns, played_s = _hold(job, shelf)
    KeptSeed(store).is_told(spec)
    _say(job, held)
    about = {
        "started": started.isoformat(timespec="seconds"),
        "played_s": round(played_s, 3),
        "turns_played": new_turns,
        "turns_per_s": round(new_turns / played_s),
        "workers": job.workers,
        "seed": "secret, drawn for this run" if spec.is_seed_secret else "written",
        **_isolation(held, job.entrants, job.is_trusted),
        "machine": platform.machine(),
        "system": platform.system(),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "left_out": [str(problem) for problem in job.left_out],
    }
    _write(job, held, about)
    tell(f"report: {job.folder / 'report.html'} (played in {played_s:.1f} s)")
    return held


def _hold(job: _Job, shelf: Shelf) -> tuple[Held, int, float]:
    """The tournament held, how many turns of it were played just now, and in how many seconds."""
    spec, clock = job.spec, time.perf_counter()
    if spec.schedule == "balanced":
        tell(f"{_meetings(job.lineups, len(job.entrants))}; intervals speak of this schedule")
    plan = plan_of(spec, job.lineups, shelf)
    plan.reach(most_deals(spec))
    games = len(job.lineups) * spec.seats * most_deals(spec)
    if plan.known:
        tell(_new_games(spec, plan, games))
        shelf.note_used(plan.known)
    with Progress(job.names, spec.table.chips, games, games - plan.games_new) as progress:
        held = hold(
            spec,
            job.entrants,
            job.lineups,
            job.workers,
            job.is_trusted,
            progress.add,
            progress.isolated,
            shelf,
        )
    return held, progress.new_turns, time.perf_counter() - clock


def _say(job: _Job, held: Held) -> None:
    """The standings on standard output, and beside them what else must be known."""
    from arena.report.terminal import looks_text, standings_text

    say(standings_text(held.standings, columns()))
    say_seed(job.spec)
    for lost in held.lost:
        tell(lost_sentence(lost, job.names))
    if held.looks is not None:
        say(looks_text(held.looks, held.standings))


def _write(job: _Job, held: Held, about: Mapping[str, Any]) -> None:
    """The report, which is written whole once it is begun; ``about`` goes to ``run.json``."""
    from arena.report.write import write_report
    from arena.tournament.answers import run_answers
    from arena.tournament.telling import MOST_STEPS, telling_games, told

    spec = job.spec
    with uninterrupted():
        answers = run_answers(held, spec.table, spec.seed, spec.confidence)
        worst = telling_games(held, spec.table.chips)
        telling = told(held, spec.table, spec.seed, job.names, worst, MOST_STEPS)
        write_report(job.folder, spec, job.entrants, held.standings, about, held.looks, answers, telling)


def _isolation(held: Held, entrants: Sequence[Entrant], trust_bots: bool) -> dict[str, Any]:
    """How bots were isolated, where their time ran out, and which blocks they fell out of only once."""
    return {
        "isolation": "none" if trust_bots else "a locked process for each bot, seat and seating",
        "locks": [] if trust_bots else held.isolation.split(", "),
        "time_faults": [
            {"bots": [entrants[i].name for i in block.lineup], "first_deal": block.first_deal, "faults": late}
            for block, late in time_faults(held.results)
        ],
        "played_again": [
            {
                "bot": entrants[lost.entrant].name,
                "why": lost.kind.label,
                "bots": [entrants[i].name for i in lost.block.lineup],
                "first_deal": lost.block.first_deal,
                "deals": lost.block.deals,
            }
            for lost in held.lost
        ],
    }


def _new_games(spec: TournamentSpec, plan: Plan, games: int) -> str:
    """How many games are not stored yet: ``24,000 of 156,000 games are new``."""
    return f"{'' if spec.stop is None else 'at most '}{plan.games_new:,} of {games:,} games are new"


def _meetings(lineups: Sequence[Lineup], bots: int) -> str:
    least, most = meeting_spread(lineups, bots)
    return f"pairs of bots meet in {least} to {most} of {len(lineups)} lineups"


def _dry_run(
    spec: TournamentSpec,
    entrants: Sequence[Entrant],
    lineups: Sequence[Lineup],
    workers: int,
    out: Path,
    fresh: bool,
    trust_bots: bool,
) -> None:
    """Say what would be played, what is stored being left out unless ``fresh``; nothing is written or waited for."""
    plan = plan_of(spec, lineups)
    with suppress(sqlite3.Error), peek_store(out / FOLDER, spec.name) as store:
        if store is not None and not fresh:
            spec = KeptSeed(store).kept(spec) or spec
            lineups = spec_lineups(spec, entrants)
            plan = plan_of(spec, lineups, store.shelf(setup_of(spec, entrants, trust_bots)))
    plan.reach(most_deals(spec))
    _say_plan(spec, entrants, lineups, workers, plan)


def _is_stored(spec: TournamentSpec, entrants: Sequence[Entrant], store: Store, trust_bots: bool) -> bool:
    """Whether every game of a tournament is stored."""
    plan = plan_of(spec, spec_lineups(spec, entrants), store.shelf(setup_of(spec, entrants, trust_bots)))
    plan.reach(most_deals(spec))
    return plan.games_new == 0


def _say_plan(
    spec: TournamentSpec, entrants: Sequence[Entrant], lineups: Sequence[Lineup], workers: int, plan: Plan
) -> None:
    """Say what would be played."""
    deals = most_deals(spec)
    todo = [block for block in plan.reach(deals) if block not in plan.known]
    games = len(lineups) * spec.seats * deals
    say(f"{spec.name}: {len(entrants)} bots, {spec.schedule.replace('_', ' ')}, {spec.seats} seats")
    for entrant in sorted(entrants, key=lambda e: (e.name, e.content)):
        say(f"  {entrant.name}  ({entrant.file.name}:{entrant.line})")
    limit = "" if spec.stop is None else "at most "
    say(f"{len(lineups):,} lineups x {spec.seats} rotations x {limit}{deals:,} deals = {games:,} games")
    if spec.stop is not None:
        say(
            f"looks every 250 deals from {spec.stop.min_deals:,} on, until {spec.stop.when.replace('_', ' ')}"
        )
    if spec.schedule == "balanced":
        say(_meetings(lineups, len(entrants)))
    for lineup in lineups[:10]:
        say(f"  {' - '.join(entrants[i].name for i in lineup)}")
    if len(lineups) > 10:
        say(f"  … and {len(lineups) - 10:,} more lineups")
    if spec.is_seed_secret and spec.schedule == "balanced" and not plan.known:
        say("Lineups follow from the seed, which every run draws anew: these are an example.")
    if plan.known:
        say(_new_games(spec, plan, games))
    seconds = seconds_to_play(todo, spec.seats, spec.table, workers)
    unit = (
        f"{seconds:.0f} s"
        if seconds < 120
        else f"{seconds / 60:.0f} min"
        if seconds < 7200
        else f"{seconds / 3600:.0f} h"
    )
    say(
        f"{len(todo):,} blocks; about {unit} with {workers} workers (an estimate from turns; bots that think take longer)"
    )
