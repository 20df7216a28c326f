"""The text of a file that someone wrote, and places in it. Nothing here runs or imports what it reads."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

from arena.errors import ArenaError, Problem, nearest

MAX_BYTES = 1_000_000


class Place(NamedTuple):
    """Where something was said: a file, line and column (from 1), or a ``label`` (``--set seed=x``)."""

    path: Path | None
    line: int | None = None
    column: int | None = None
    label: str = ""

    def problem(self, message: str) -> Problem:
        """What is wrong here."""
        message = f"{self.label}: {message}" if self.label else message
        return Problem(message, self.path, self.line, self.column)


def text_of(data: bytes, path: Path) -> str:
    """The text of a file's bytes, without a byte order mark: at most 1 MB of UTF-8.

    Raises ``ArenaError``, with the place, where it is anything else.
    """
    if len(data) > MAX_BYTES:
        raise ArenaError(Problem("the file is larger than 1 MB; shorten it", path))
    bad: int | None = None
    try:
        text = data.decode("utf-8-sig")
        bad, what = data.find(b"\0"), "holds a NUL byte; write it anew as plain text"
    except UnicodeDecodeError as error:
        bad, what = error.start, f"is not UTF-8 text (byte 0x{data[error.start]:02x}); save the file as UTF-8"
    if bad >= 0:
        start = data.rfind(b"\n", 0, bad) + 1
        column = len(data[start:bad].decode("utf-8", "replace")) + 1
        raise ArenaError(Problem(f"the line {what}", path, data.count(b"\n", 0, bad) + 1, column))
    return text


def read_text(path: Path) -> tuple[bytes, str]:
    """The bytes of a regular file, and their text. Raises ``ArenaError`` as :func:`read_bytes` and :func:`text_of` do."""
    data = read_bytes(path)
    return data, text_of(data, path)


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file, no more than one beyond 1 MB. Raises ``ArenaError`` where it cannot be read."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # before opening: a pipe would wait for ever
            what = "a folder" if path.is_dir() else "no regular file"
            raise ArenaError(Problem(f"expected a file, found {what}", path))
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise ArenaError(missing(path)) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise ArenaError(Problem(f"cannot be read: {_reason(error)}", path)) from None


def missing(path: Path) -> Problem:
    """That there is nothing at ``path``, with the nearest name that its folder holds."""
    try:
        around = sorted(entry.name for entry in path.parent.iterdir() if not entry.name.startswith("."))
    except OSError:
        hint = f"; its folder {path.parent} is missing too" if not path.parent.is_dir() else ""
    else:
        hint = nearest(path.name, around)
    return Problem(f"there is no such file or folder{hint or '; check the path'}", path)


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)
