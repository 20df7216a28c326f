"""What was played before: finished blocks by content key, in one file for each name of a run.

A store lives at ``OUT/.store/NAME.sqlite``, beside the folder of reports that is replaced whole. What is found there is what
would have been played, so results never depend on it.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from arena.bot.faults import Fault
from arena.errors import ArenaError
from arena.tournament.blocks import Block, BlockResult
from arena.tournament.executors import Out, Setup
from arena.tournament.keys import lineup_key, setup_key
from arena.tournament.lock import Tell, holding
from arena.tournament.packing import DamagedError, pack, unpack
from arena.tournament.schedule import Lineup
from arena.tournament.store_file import SCHEMA, label, looking, open_file, told_as_sentences

FOLDER = ".store"


@dataclass(frozen=True)
class Amount:
    """So much of a store."""

    blocks: int
    games: int
    turns: int


class Store:
    """An open store; see :func:`open_store`. Its methods raise ``ArenaError`` where the disk is full."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    def get(self, key: str) -> str | None:
        """What :meth:`put` last kept under ``key``."""
        with told_as_sentences(self.path):
            row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def put(self, key: str, value: str | None) -> None:
        """Keep a text under ``key`` until it is put anew or, by None, taken out; readable by the file's owner alone."""
        with told_as_sentences(self.path):
            if value is None:
                self._connection.execute("DELETE FROM meta WHERE key = ?", (key,))
            else:
                self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def begin(self, command: str) -> int:
        """The number of a run that begins now; ``command`` says for people what it was."""
        row = (command.encode("utf-8", "replace").decode(), _now())
        with told_as_sentences(self.path):
            cursor = self._connection.execute("INSERT INTO runs (command, started) VALUES (?, ?)", row)
        return int(cursor.lastrowid or 0)

    def end(self, run: int) -> None:
        """Have a run be done: its report is written."""
        with told_as_sentences(self.path):
            self._connection.execute("UPDATE runs SET ended = ? WHERE id = ?", (_now(), run))

    def block(self, key: bytes, lineup: Lineup, first_deal: int, deals: int) -> BlockResult | None:
        """The block stored under a lineup's key, whether or not a time limit struck in it; None where there is none."""
        query = "SELECT data, again FROM blocks WHERE lineup = ? AND first_deal = ? AND deals = ?"
        with told_as_sentences(self.path):
            row = self._connection.execute(query, (key, first_deal, deals)).fetchone()
        if row is None:
            return None
        return _unpacked(row[0], Block(lineup, first_deal, deals), label(key, first_deal, deals, row[1]))

    def shelf(self, setup: Setup, run: int = 0, with_late: bool = False) -> Shelf:
        """The blocks of tournaments of this setup, for the run that :meth:`begin` gave the number of (0: only to look).

        ``with_late``: those too in which a time limit struck, to be told of and not to be gone on with.
        """
        return Shelf(self.path, self._connection, setup, run, with_late)

    def clear(self) -> None:
        """Forget everything."""
        with told_as_sentences(self.path):
            tables = "".join(f"DELETE FROM {table};" for table in ("blocks", "meta", "runs", "used"))
            self._connection.executescript(f"BEGIN; {tables} COMMIT; VACUUM")

    def amount(self, is_unneeded: bool = False) -> Amount:
        """How much is stored; or how much of it neither the run that was done last has used nor one begun since."""
        query = "SELECT count(*), ifnull(sum(games), 0), ifnull(sum(turns), 0) FROM blocks"
        with told_as_sentences(self.path):
            row = self._connection.execute(query + (f" WHERE {_UNNEEDED}" if is_unneeded else "")).fetchone()
        return Amount(*row)

    def prune(self) -> None:
        """Remove the blocks that are not needed, and give their room back."""
        with told_as_sentences(self.path):
            self._connection.executescript(
                f"""BEGIN;
                DELETE FROM blocks WHERE {_UNNEEDED};
                DELETE FROM used WHERE block NOT IN (SELECT id FROM blocks);
                DELETE FROM runs WHERE id < {_LAST_DONE};
                COMMIT; VACUUM"""
            )


_LAST_DONE = "(SELECT ifnull(max(id), 0) FROM runs WHERE ended IS NOT NULL)"
_UNNEEDED = f"ifnull((SELECT run FROM used WHERE block = blocks.id), 0) < {_LAST_DONE}"


def _unpacked(data: bytes, block: Block, of: bytes) -> BlockResult:
    try:
        return unpack(data, block, of)
    except DamagedError as error:
        raise sqlite3.DatabaseError(str(error)) from None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Shelf:
    """The stored blocks of tournaments of one setup."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, setup: Setup, run: int, with_late: bool = False
    ) -> None:
        self._path, self._connection, self._setup, self._run = path, connection, setup, run
        self._most_again = int(with_late)
        self._of = setup_key(setup)
        self._deals: dict[bytes, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        self._used: list[int] = []
        query = "SELECT lineup, first_deal, deals FROM blocks WHERE again <= ? ORDER BY deals"
        with told_as_sentences(path), closing(connection.execute(query, (self._most_again,))) as rows:
            for lineup, first, deals in rows:
                self._deals[lineup][first].append(deals)

    def _key(self, lineup: Lineup, out: Out) -> bytes:
        return lineup_key(self._of, self._setup, lineup, out)

    def blocks(self, lineup: Lineup, out: Out | None = None) -> Mapping[int, Sequence[int]]:
        """First deal → lengths, ascending, of this lineup's blocks that were there as the shelf was made.

        The bots in ``out`` are out.
        """
        return self._deals.get(self._key(lineup, out or {}), {})

    def find(self, block: Block, out: Out) -> BlockResult | None:
        """The stored result of a block, the bots in ``out`` being out."""
        of = (self._key(block.lineup, out), block.first_deal, block.deals)
        with told_as_sentences(self._path):
            row = self._connection.execute(
                "SELECT id, data, again FROM blocks WHERE lineup = ? AND first_deal = ? AND deals = ? AND again <= ?",
                (*of, self._most_again),
            ).fetchone()
        if row is None:
            return None
        self._used.append(row[0])
        return _unpacked(row[1], block, label(*of, row[2]))

    def keep(self, result: BlockResult, out: Out) -> None:
        """Store a result, at once and whole. One in which a time limit struck is kept to be looked at, not to be found."""
        block = result.block
        late = {
            block.lineup[position] for position in result.fault_log[result.fault_log[:, 3] == Fault.LATE, 2]
        }
        of = (self._key(block.lineup, out), block.first_deal, block.deals, int(not late <= set(out)))
        size = (len(result.chips) * block.deals, int(result.turns.sum()))
        row = (*of, *size, pack(result, label(*of)))
        with self._transaction():
            cursor = self._connection.execute(
                "INSERT OR REPLACE INTO blocks (lineup, first_deal, deals, again, games, turns, data)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            self._used.append(int(cursor.lastrowid or 0))
            self._note_used()

    def note_used(self, blocks: Iterable[Block] = ()) -> None:
        """Write down which blocks this run has used so far, and that it will use these."""
        rows = [(self._run, self._key(b.lineup, {}), b.first_deal, b.deals) for b in blocks]
        with self._transaction():
            self._connection.executemany(
                "INSERT OR REPLACE INTO used SELECT id, ? FROM blocks"
                " WHERE lineup = ? AND first_deal = ? AND deals = ?",
                rows,
            )
            self._note_used()

    def _note_used(self) -> None:
        rows = [(block, self._run) for block in self._used]
        self._connection.executemany("INSERT OR REPLACE INTO used VALUES (?, ?)", rows)
        self._used.clear()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with told_as_sentences(self._path), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield


@contextmanager
def open_store(folder: Path, name: str, tell: Tell) -> Iterator[Store]:
    """The store of the run ``name`` in ``folder``, for one process at a time: a second one waits, which ``tell`` says.

    The file is checked first; a damaged one is set aside, which ``tell`` says too. Raises ``ArenaError`` where it
    cannot be written.
    """
    path = folder / f"{name}.sqlite"
    with ExitStack() as stack:
        with told_as_sentences(path):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            stack.enter_context(holding(folder / f"{name}.lock", tell))
            connection = stack.enter_context(closing(open_file(path, tell)))
        try:
            yield Store(path, connection)
        except sqlite3.Error as error:
            raise ArenaError(
                f"{path}: the store is damaged ({error}); the same command checks it, sets it aside and plays anew"
            ) from error


@contextmanager
def peek_store(folder: Path, name: str) -> Iterator[Store | None]:
    """The store of the run ``name`` to look into, whoever holds it; None where there is none, or none of this version.

    What is looked at may raise ``sqlite3.Error`` where the file is damaged: it is left for :func:`open_store` to set aside.
    """
    path = folder / f"{name}.sqlite"
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(looking(path))
            is_present = connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA
        except sqlite3.Error:
            is_present = False
        yield Store(path, connection) if is_present else None
