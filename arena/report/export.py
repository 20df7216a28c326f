"""Games and turns of a finished run as tables for pandas, polars or DuckDB: Parquet, CSV or JSON lines.

Rows are written as they are told, some deals at a time, so memory does not grow with the run. The same run gives the same
bytes, however its deals were cut into blocks (Parquet: for one version of pyarrow).
"""

from __future__ import annotations

import csv
import importlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from arena.errors import ArenaError
from arena.report.folder import filling
from arena.report.past_run import PastRun
from arena.report.text import csv_name, visible
from arena.tournament.game_columns import DECISIONS, GAMES, NONE, Array, Field, game_columns

FORMATS = ("parquet", "csv", "jsonl")
TABLES = {"games": GAMES, "decisions": DECISIONS}


@dataclass(frozen=True)
class Exported:
    """What was written: rows of each table."""

    games: int
    rows: Mapping[str, int]


class _Writer(Protocol):
    """Takes columns of a table, and is closed."""

    def write(self, columns: Mapping[str, Array]) -> None: ...

    def close(self) -> None: ...


def check_format(form: str) -> None:
    """Raise ``ArenaError`` where a format needs what is not installed."""
    if form == "parquet":
        _pyarrow("pyarrow")


def export(
    run: PastRun, form: str, folder: Path, progress: Callable[[int], None] = lambda games: None
) -> Exported:
    """Write the tables of a run into ``folder``, both of them or none; ``progress`` is told of games done.

    Raises ``ArenaError`` where they cannot be written, or the games stored are not those that the run reported.
    """
    files = {table: f"{table}.{form}" for table in TABLES}
    rows, games = dict.fromkeys(TABLES, 0), 0
    net, sat = np.zeros(len(run.names), dtype=np.int64), np.zeros(len(run.names), dtype=np.int64)
    with filling(folder, files.values(), "export") as new:
        with _writers(form, {table: new / name for table, name in files.items()}, run.names) as writers:
            for number, result in run.results():
                first_game = number * run.deals * run.spec.seats
                for told in game_columns(result, run.spec.table, run.spec.seed, number, first_game):
                    for table, columns in (("games", told.by_game), ("decisions", told.by_turn)):
                        writers[table].write(columns)
                        rows[table] += len(columns["game"])
                    np.add.at(net, told.by_game["bot"], told.by_game["net_chips"])
                    np.add.at(sat, told.by_game["bot"], 1)
                    games += told.games
                    progress(games)
        run.check_net(net / sat)
    return Exported(games, rows)


@contextmanager
def _writers(form: str, paths: Mapping[str, Path], names: Sequence[str]) -> Iterator[dict[str, _Writer]]:
    """A writer for each table, whose files are whole and on the disk at the end."""
    kinds: dict[str, Callable[[Path, Sequence[Field], Sequence[str]], _Writer]]
    kinds = {"csv": _Csv, "jsonl": _JsonLines, "parquet": _Parquet}
    with ExitStack() as stack:
        writers: dict[str, _Writer] = {}
        for table, path in paths.items():
            writers[table] = kinds[form](path, TABLES[table], names)
            stack.callback(writers[table].close)
        yield writers
    for path in paths.values():
        with open(path, "rb") as file:
            os.fsync(file.fileno())


def _words(field: Field, names: Sequence[str]) -> list[str]:
    return list(names if field.words is None else field.words)


def _values(field: Field, column: Array, words: Sequence[str]) -> list[Any]:
    """A column's values as Python has them, None where one is missing."""
    if field.kind == "word":
        there = [*words, None]
        return [there[i] for i in np.where(column == NONE, len(words), column).tolist()]
    values: list[Any] = column.tolist()
    if field.kind == "int" and (column == NONE).any():
        return [None if value == NONE else value for value in values]
    if field.kind == "float" and np.isnan(column).any():
        return [None if value != value else value for value in values]
    return values


class _Csv:
    """A header and lines that end in LF; what is missing is empty, truth values are ``true`` and ``false``."""

    def __init__(self, path: Path, fields: Sequence[Field], names: Sequence[str]) -> None:
        shown = [csv_name(name) for name in names]
        self._fields = [(field, _words(field, shown)) for field in fields]
        self._file = open(path, "x", encoding="utf-8", newline="")  # noqa: SIM115  closed in close
        self._csv = csv.writer(self._file, lineterminator="\n")
        self._csv.writerow(field.name for field in fields)

    def write(self, columns: Mapping[str, Array]) -> None:
        """Write some rows."""
        self._csv.writerows(
            zip(*(self._column(f, columns[f.name], words) for f, words in self._fields), strict=True)
        )

    @staticmethod
    def _column(field: Field, column: Array, words: Sequence[str]) -> list[Any]:
        values = _values(field, column, words)
        return ["true" if value else "false" for value in values] if field.kind == "bool" else values

    def close(self) -> None:
        """End the file."""
        self._file.close()


class _JsonLines:
    """An object a line, every key in every one; what is missing is null."""

    def __init__(self, path: Path, fields: Sequence[Field], names: Sequence[str]) -> None:
        shown = [visible(name) for name in names]
        self._fields = [(field, _words(field, shown)) for field in fields]
        self._names = [field.name for field in fields]
        self._file = open(path, "x", encoding="ascii", newline="")  # noqa: SIM115  closed in close
        self._json = json.JSONEncoder(separators=(",", ":"), allow_nan=False)

    def write(self, columns: Mapping[str, Array]) -> None:
        """Write some rows."""
        rows = zip(*(_values(f, columns[f.name], words) for f, words in self._fields), strict=True)
        self._file.writelines(
            self._json.encode(dict(zip(self._names, row, strict=True))) + "\n" for row in rows
        )

    def close(self) -> None:
        """End the file."""
        self._file.close()


class _Parquet:
    """Whole numbers of 64 bits, doubles, truth values, and words as dictionaries; zstd."""

    def __init__(self, path: Path, fields: Sequence[Field], names: Sequence[str]) -> None:
        self._pa = _pyarrow("pyarrow")
        shown = [visible(name) for name in names]
        self._fields = [(field, self._pa.array(_words(field, shown))) for field in fields]
        kinds = {"int": self._pa.int64(), "float": self._pa.float64(), "bool": self._pa.bool_()}
        word = self._pa.dictionary(self._pa.int32(), self._pa.string())
        self._schema = self._pa.schema([(field.name, kinds.get(field.kind, word)) for field in fields])
        self._file = _pyarrow("pyarrow.parquet").ParquetWriter(path, self._schema, compression="zstd")

    def write(self, columns: Mapping[str, Array]) -> None:
        """Write some rows."""
        arrays = [self._array(field, columns[field.name], words) for field, words in self._fields]
        self._file.write_table(self._pa.Table.from_arrays(arrays, schema=self._schema))

    def _array(self, field: Field, column: Array, words: Any) -> Any:
        missing = np.isnan(column) if field.kind == "float" else column == NONE
        if field.kind == "word":
            codes = self._pa.array(np.where(missing, 0, column).astype(np.int32), mask=missing)
            return self._pa.DictionaryArray.from_arrays(codes, words)
        return self._pa.array(column, mask=missing)

    def close(self) -> None:
        """End the file."""
        self._file.close()


def _pyarrow(module: str) -> Any:
    """A module of pyarrow, which is not among what the arena needs. Raises ``ArenaError`` where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ArenaError(
            "--to parquet needs pyarrow, which is not installed here: pip install pyarrow (the arena's extra of the name "
            "export), or choose --to csv or --to jsonl"
        ) from None
