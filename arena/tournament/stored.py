"""What stores there are, how large, and when they were used: read beside a run that may be writing."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ArenaError, nearest
from arena.tournament.lock import Holder, Tell, holder, holding
from arena.tournament.store_file import looking, told_as_sentences

_END = ".sqlite"


@dataclass(frozen=True)
class StoredRun:
    """One store. ``problem`` says why it cannot be read; then numbers are 0. ``aside`` are damaged files kept beside it.

    ``used`` is when a run on it last began or ended (UTC, ISO), ``is_done`` whether the last one wrote its report.
    """

    name: str
    path: Path
    size_bytes: int
    games: int = 0
    turns: int = 0
    used: str | None = None
    is_done: bool = False
    command: str | None = None
    holder: Holder | None = None
    aside: tuple[Path, ...] = ()
    problem: str | None = None


def stored_runs(folder: Path) -> list[StoredRun]:
    """The stores in ``folder``, by name."""
    return [_read(path) for path in sorted(folder.glob(f"*{_END}"))]


def named_runs(folder: Path, names: Sequence[str]) -> list[StoredRun]:
    """Those of these names, or all where there are none. Raises ``ArenaError`` for a name that no store has."""
    runs = {run.name: run for run in stored_runs(folder)}
    unknown = [name for name in names if name not in runs]
    if unknown:
        listed = f"(runs: {', '.join(runs) or 'none'})"
        raise ArenaError(
            f'nothing is stored of a run "{name}" in {folder}{nearest(name, runs)} {listed}'
            for name in unknown
        )
    return [runs[name] for name in names] if names else list(runs.values())


def remove(run: StoredRun, tell: Tell) -> None:
    """Remove a store and what was set aside of it. Raises ``ArenaError`` where it cannot be."""
    with told_as_sentences(run.path):
        lock = run.path.with_suffix(".lock")
        with holding(lock, tell):
            for end in ("", "-wal", "-shm"):
                Path(f"{run.path}{end}").unlink(missing_ok=True)
            for path in run.aside:
                path.unlink(missing_ok=True)
            lock.unlink(missing_ok=True)


def _read(path: Path) -> StoredRun:
    aside = tuple(sorted(path.parent.glob(f"{path.name}.damaged-*")))
    size = sum(file.stat().st_size for end in ("", "-wal") if (file := Path(f"{path}{end}")).exists())
    run = StoredRun(path.stem, path, size, holder=holder(path.with_suffix(".lock")), aside=aside)
    try:
        with looking(path) as connection:
            games, turns = connection.execute(
                "SELECT ifnull(sum(games), 0), ifnull(sum(turns), 0) FROM blocks"
            ).fetchone()
            last = None
            if connection.execute("PRAGMA user_version").fetchone()[0] >= 2:
                query = "SELECT command, started, ended FROM runs ORDER BY id DESC LIMIT 1"
                last = connection.execute(query).fetchone()
    except sqlite3.Error as error:
        return StoredRun(path.stem, path, size, holder=run.holder, aside=aside, problem=str(error))
    command, started, ended = last or (None, None, None)
    return StoredRun(
        path.stem, path, size, games, turns, ended or started, ended is not None, command, run.holder, aside
    )
