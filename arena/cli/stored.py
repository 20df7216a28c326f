"""``arena runs`` and ``arena prune``: what is stored of runs, and what of it is not needed."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import out_option
from arena.cli.say import say, tell
from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.tournament.stored import StoredRun


@click.command(epilog="\b\nExamples:\n  arena runs\n  arena runs --out /tmp/reports --json")
@out_option
@click.option("--json", "as_json", is_flag=True, help="One JSON array.")
def runs(out: Path, as_json: bool) -> None:
    """List what is stored of runs: games, size, last use.

    A run's games are stored in OUT/.store/NAME.sqlite; arena run goes on from there.
    """
    from tabulate import tabulate

    from arena.tournament.store import FOLDER
    from arena.tournament.stored import stored_runs

    found = stored_runs(out / FOLDER)
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(run) for run in found], indent=2, default=str))
        return
    if not found:
        tell(f"nothing is stored in {out / FOLDER}")
        return
    lines = []
    for run in found:
        state = "done" if run.is_done else "cut short: its command goes on"
        if run.holder is not None:
            state = f"process {run.holder.pid} is on it"
        if run.problem is not None:
            state = f"cannot be read: {run.problem}"
        if run.aside:
            state += f"; {len(run.aside)} damaged set aside"
        lines.append(
            [run.name, f"{run.games:,}", f"{run.turns:,}", size(run.size_bytes), run.used or "", state]
        )
    head = ["run", "games", "turns", "size", "last use (UTC)", "state"]
    align = ["left", "right", "right", "right", "left", "left"]
    click.echo(tabulate(lines, headers=head, disable_numparse=True, colalign=align))


_EXAMPLES = """
\b
Examples:
  arena prune --dry-run          what could go, of every run
  arena prune default            games that its last run did not use
  arena prune --whole default    all that is stored of it; its report stays
"""


@click.command(epilog=_EXAMPLES)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@out_option
@click.option(
    "--whole", is_flag=True, help="All that is stored of these runs, and their damaged files set aside."
)
@click.option("--dry-run", is_flag=True, help="Say what would be removed; remove nothing.")
def prune(names: tuple[str, ...], out: Path, whole: bool, dry_run: bool) -> None:
    """Remove stored games that no current run needs; reports stay.

    Needed are the games that the run done last under a name has used, and those of runs begun since. Without names:
    of all runs.
    """
    from arena.tournament.store import FOLDER, open_store
    from arena.tournament.stored import named_runs, remove

    if whole and not names:
        raise ArenaError("--whole: name the runs to remove; arena runs lists them")
    would = "would be " if dry_run else ""
    for run in named_runs(out / FOLDER, names):
        if whole:
            if not dry_run:
                remove(run, tell)
            say(f"{run.name}: all {run.games:,} games ({size(run.size_bytes)}) {would}removed")
            continue
        if run.problem is not None:
            tell(f"{run.name}: left as it is: it cannot be read ({run.problem}); --whole removes it")
        elif dry_run:
            say(f"{run.name}: {_unneeded(run):,} of {run.games:,} games would be removed")
        else:
            with open_store(run.path.parent, run.name, tell) as store:
                all_of, unneeded = store.amount(), store.amount(is_unneeded=True)
                if unneeded.blocks:
                    store.prune()
            say(f"{run.name}: {unneeded.games:,} of {all_of.games:,} games removed")


def _unneeded(run: StoredRun) -> int:
    """The games that pruning would remove; the store is only looked into. A damaged one, to be set aside whole, has none."""
    from arena.tournament.store import peek_store

    with suppress(sqlite3.Error), peek_store(run.path.parent, run.name) as store:
        if store is not None:
            return store.amount(is_unneeded=True).games
    return 0


def size(size_bytes: int) -> str:
    """A file's size for people: ``2.9 MB``."""
    return f"{size_bytes / 1e6:.1f} MB" if size_bytes >= 1e5 else f"{size_bytes / 1e3:.0f} kB"
