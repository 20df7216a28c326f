"""The file of a store: opened, checked, brought to the present schema, or set aside where it is damaged.

SQLite in its WAL mode: whatever ends a process loses at most the blocks not yet written. A schema's number stands in
``user_version``; ``_STEPS[n]`` leads from version n to n + 1, each in a transaction of its own.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from arena.errors import ArenaError
from arena.tournament.lock import Tell
from arena.tournament.packing import is_whole

_APPLICATION = 0x41524E41  # "ARNA", in the file's head
_GARBLED = (TypeError, UnicodeError)  # a number where text was; letters, also in SQLite's own message
_LEAST_BYTES = 512  # what is shorter SQLite takes for empty
_STEPS = (
    (  # 1: blocks by content key; `again`: a time limit struck, so it is played again
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
        """CREATE TABLE blocks (
            id INTEGER PRIMARY KEY, lineup BLOB NOT NULL, first_deal INTEGER NOT NULL, deals INTEGER NOT NULL,
            games INTEGER NOT NULL, turns INTEGER NOT NULL, again INTEGER NOT NULL, data BLOB NOT NULL,
            UNIQUE (lineup, first_deal, deals))""",
    ),
    (  # 2: runs, and which was the last to use a block (a table of its own: to update a block's row writes its data anew)
        "CREATE TABLE runs (id INTEGER PRIMARY KEY, command TEXT NOT NULL, started TEXT NOT NULL, ended TEXT)",
        "CREATE TABLE used (block INTEGER PRIMARY KEY, run INTEGER NOT NULL)",
    ),
)
SCHEMA = len(_STEPS)
BESIDE = ("-wal", "-shm", "")  # what SQLite keeps beside a file, and the file

# Errors that say nothing of what is in the file.
_NOT_DAMAGE = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_NOMEM,
)

_CLOSED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM)
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class _DamagedFileError(Exception):
    """A file that cannot be used as it is."""


def open_file(path: Path, tell: Tell) -> sqlite3.Connection:
    """A connection to the store ``path``, made if need be, readable by its owner alone; autocommit.

    A damaged file is renamed, which ``tell`` says, and a new one made. Raises ``ArenaError`` for one of a later schema, or
    where files cannot be written.
    """
    try:
        return _open(path)
    except _DamagedFileError as damage:
        aside = set_aside(path)
        tell(
            f"{path}: the store is damaged ({damage}); it is set aside as {aside.name}, and games are played anew"
        )
        return _open(path)


def set_aside(path: Path) -> Path:
    """Rename a store, and what SQLite keeps beside it; its new path."""
    n = 1
    while (aside := path.with_name(f"{path.name}.damaged-{n}")).exists():
        n += 1
    for end in BESIDE:
        if os.path.exists(f"{path}{end}"):
            os.rename(f"{path}{end}", f"{aside}{end}")
    return aside


def _open(path: Path) -> sqlite3.Connection:
    with told_as_sentences(path):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        if 0 < path.stat().st_size < _LEAST_BYTES:
            raise _DamagedFileError("it is cut off")
        connection = sqlite3.connect(path, isolation_level=None, timeout=10)
        try:
            _prepare(connection, path)
            _check(connection)
        except BaseException as error:
            connection.close()
            if isinstance(error, _GARBLED) or (isinstance(error, sqlite3.Error) and is_damage(error)):
                raise _DamagedFileError(str(error)) from None
            raise
        return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Set a connection up, and bring its file to the present schema."""
    connection.execute(
        "PRAGMA synchronous = NORMAL"
    )  # nothing torn by a power cut; the last moments may be lost
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    is_empty = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application != _APPLICATION and not (is_empty and version == 0):
        raise _DamagedFileError("it is no store of the arena")
    if version > SCHEMA:
        raise ArenaError(
            f"{path}: {later(version)}; use that version, move the file away, or choose another folder with --out"
        )
    connection.execute("PRAGMA journal_mode = WAL")
    for step in range(version, SCHEMA):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in _STEPS[step]:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {step + 1}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def later(version: int) -> str:
    """That a store has a schema of a later version."""
    return f"stored by a later version of the arena (schema {version}, this one knows {SCHEMA})"


def _check(connection: sqlite3.Connection) -> None:
    """Have SQLite look at every page, and every checksum compared: ten million turns take a few hundredths of a second."""
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise _DamagedFileError(found.replace("\n", " "))
    if _tables(connection) != _tables_of_a_new_one():
        raise _DamagedFileError("its tables are others")
    for table in ("meta", "runs", "used"):
        connection.execute(f"SELECT * FROM {table}").fetchall()
    query = "SELECT data, lineup, first_deal, deals, again FROM blocks"
    with closing(connection.execute(query)) as rows:
        if not all(is_whole(data, label(*row)) for data, *row in rows):
            raise _DamagedFileError("a block's checksum is another")


def _tables(connection: sqlite3.Connection) -> set[tuple[str, ...]]:
    """Tables and indexes as they were made, in SQLite's words."""
    return set(connection.execute("SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_master"))


def _tables_of_a_new_one() -> set[tuple[str, ...]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in (statement for step in _STEPS for statement in step):
            connection.execute(statement)
        return _tables(connection)


def label(lineup: bytes, first_deal: int, deals: int, again: int) -> bytes:
    """A row's own words, which its checksum is of too."""
    return b"%b %d %d %d" % (lineup, first_deal, deals, again)


@contextmanager
def looking(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to look with, beside whoever writes; what SQLite needs beside the file comes and goes if it may.

    Where it may not, nobody here can be writing, and a file that was closed is read as it is. A damaged one raises
    ``sqlite3.Error``, also where SQLite's own message repeats what is no text in it.
    """
    mode = "mode=rw"
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        mode = "mode=ro" if os.path.exists(f"{path}-wal") else "mode=ro&immutable=1"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=10)) as connection:
        try:
            yield connection
        except UnicodeDecodeError as error:
            raise sqlite3.DatabaseError(error.object.decode("utf-8", "replace")) from None


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error tells of a damaged file, and not of a full disk or the like."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is None or code & 0xFF not in _NOT_DAMAGE


@contextmanager
def told_as_sentences(path: Path) -> Iterator[None]:
    """Turn what the system says of a file that cannot be written into an ``ArenaError``."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        if isinstance(error, sqlite3.Error) and is_damage(error):
            raise
        if isinstance(error, OSError):
            reason, is_closed = error.strerror, error.errno not in _NO_ROOM
        else:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            reason, is_closed = f"{error}, {getattr(error, 'sqlite_errorname', None)}", code in _CLOSED
        way_out = "make the place writable, or choose another folder with --out"
        if not is_closed:
            way_out = "make room or free the place, and the same command goes on from there"
        raise ArenaError(
            f"{path}: results cannot be stored ({reason}). What was stored is safe: {way_out}"
        ) from error
