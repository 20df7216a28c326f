"""One holder at a time, by a lock of the operating system: it is gone with its process, however that ends.

Who holds it stands in the locked file, whose content says nothing while nobody does.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from arena.errors import ArenaError

Tell = Callable[[str], None]
_RETRY_S = 0.05


@dataclass(frozen=True)
class Holder:
    """Who holds a lock: process and time (UTC, ISO)."""

    pid: int
    since: str


@contextmanager
def holding(path: Path, tell: Tell) -> Iterator[None]:
    """Hold the lock file ``path``, made if need be; while another process does, say so once and wait.

    Raises ``ArenaError`` where files cannot be locked, ``OSError`` where it cannot be written.
    """
    handle = _take(path, tell)
    try:
        me = {"pid": os.getpid(), "since": datetime.now(UTC).isoformat(timespec="seconds")}
        text = json.dumps(me).encode("ascii")
        os.ftruncate(handle, 0)
        os.pwrite(handle, text, 0)
        yield
    finally:
        os.close(handle)


@contextmanager
def holding_folder(folder: Path, tell: Tell) -> Iterator[None]:
    """Hold ``folder`` itself, which leaves nothing in it; while another process does, say so once and wait.

    Raises ``ArenaError`` where it cannot be locked, ``OSError`` where it cannot be read.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        has_told = False
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not has_told:
                    tell(f"{folder}: another submission is under way; waiting for it to end")
                    has_told = True
                time.sleep(_RETRY_S)
            except OSError as error:
                raise ArenaError(
                    f"{folder}: the folder cannot be locked ({error.strerror}); use one on a local disk"
                ) from None
        yield
    finally:
        os.close(handle)


def holder(path: Path) -> Holder | None:
    """Who holds the lock file ``path`` now, None if nobody does or it may not be read."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return None
    except BlockingIOError:
        return _read(handle)
    finally:
        os.close(handle)


def _take(path: Path, tell: Tell) -> int:
    """The lock file, open and locked."""
    has_told = False
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                who = _read(handle)
                if who is not None and not has_told:
                    tell(
                        f"{path.stem}: process {who.pid} has been on it since {who.since}; waiting for it to end"
                    )
                    has_told = True
                time.sleep(_RETRY_S)
                continue
            if _is_same_file(handle, path):  # else its last holder has removed it
                kept, handle = handle, -1
                return kept
        except OSError as error:
            raise ArenaError(
                f"{path}: files cannot be locked there ({error.strerror}); choose another folder with --out"
            ) from None
        finally:
            if handle >= 0:
                os.close(handle)


def _is_same_file(handle: int, path: Path) -> bool:
    try:
        there, here = os.stat(path), os.fstat(handle)
    except FileNotFoundError:
        return False
    return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)


def _read(handle: int) -> Holder | None:
    try:
        who = json.loads(os.pread(handle, 1000, 0))
        return Holder(int(who["pid"]), str(who["since"]))
    except (ValueError, KeyError, TypeError):
        return None  # taken this moment, nothing written yet
