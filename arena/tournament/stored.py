"""What stores there are, how large, and when they were used: read beside a run that may be writing."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.errors import ArenaError, nearest
from arena.tournament.lock import Holder, Tell, holder, holding
from arena.tournament.store_file import BESIDE, SCHEMA, later, looking, told_as_sentences

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
    """The stores in ``folder``, by name. Raises ``ArenaError`` where it may not be looked into."""
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ArenaError(
            f"{folder}: cannot be looked into ({error.strerror}); choose another with --out"
        ) from None
    return [_read(folder / name, names) for name in names if name.endswith(_END)]


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
            for path in (run.path, *run.aside):
                for end in BESIDE:
                    Path(f"{path}{end}").unlink(missing_ok=True)
            lock.unlink(missing_ok=True)


def _read(path: Path, names: Sequence[str]) -> StoredRun:
    """The store at ``path``, in whose folder are files of these names."""
    aside = re.compile(re.escape(path.name) + r"\.damaged-[0-9]+")
    run = StoredRun(
        path.name.removesuffix(_END),
        path,
        sum(map(_size, (path, Path(f"{path}-wal")))),
        holder=holder(path.with_suffix(".lock")),
        aside=tuple(path.with_name(name) for name in names if aside.fullmatch(name)),
    )
    try:
        with looking(path) as connection:
            return _looked(run, connection)
    except sqlite3.Error as error:
        return replace(run, problem=str(error))


def _looked(run: StoredRun, connection: sqlite3.Connection) -> StoredRun:
    """The run with what stands in its store."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA:
        return replace(run, problem=later(version))
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return run  # ended as it began
    query = "SELECT ifnull(sum(games), 0), ifnull(sum(turns), 0) FROM blocks"
    games, turns = connection.execute(query).fetchone()
    last = None
    if version >= 2:
        query = "SELECT command, started, ended FROM runs ORDER BY id DESC LIMIT 1"
        last = connection.execute(query).fetchone()
    command, started, ended = last or (None, None, None)
    return replace(
        run, games=games, turns=turns, used=ended or started, is_done=ended is not None, command=command
    )


def _size(path: Path) -> int:
    """A file's size in bytes, 0 where there is none (any more)."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
