"""A report folder is rewritten as a whole or not at all.

The new folder is made beside the old one, hard links standing for files that are not ours, and put in its
place by two renames. A run cut off between them leaves ``.NAME.old``, which the next one puts back or
removes.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.errors import ArenaError


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make ``folder`` hold ``files`` (relative name → content) beside whatever else it holds.

    Raises ``ArenaError`` where that cannot be done; then the old files are as they were and nothing is
    left behind.
    """
    with filling(folder, files) as new:
        for name, content in files.items():
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "xb") as out:
                out.write(content)
                out.flush()
                os.fsync(out.fileno())


@contextmanager
def filling(folder: Path, files: Collection[str], what: str = "report") -> Iterator[Path]:
    """A new folder to write ``files`` into, which takes the place of ``folder`` once they are written; the rest is kept.

    Raises ``ArenaError`` in the words of ``what`` is written; then, and wherever else it is left by an exception, the old
    files are as they were and nothing is left behind.
    """
    folder = Path(os.path.realpath(folder))
    new, old = (folder.parent / f".{folder.name}.{end}" for end in ("new", "old"))
    try:
        _check(folder, files)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _alone_in(folder.parent):
            _recover(folder, new, old)
            try:
                _keep(folder, new, files)
                yield new
                _sync(new)
                _swap(folder, new, old)
            except BaseException:
                shutil.rmtree(new, ignore_errors=True)
                raise
            shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        reason = error.args[0][0][2] if isinstance(error, shutil.Error) else error.strerror or error
        raise ArenaError(
            f"{folder}: the {what} could not be written ({reason}); what was there is as it was. "
            "Free the place or choose another folder with --out"
        ) from error


def check_folder(folder: Path, files: Collection[str]) -> None:
    """Raise ``ArenaError`` now if a report of these files could not be written there later."""
    folder = Path(os.path.realpath(folder))
    try:
        _check(folder, files)
        if os.path.ismount(folder):
            raise ArenaError(f"{folder}: a report folder cannot be a mount point; choose another with --out")
        place = folder.parent
        while not place.exists():
            place = place.parent
        with tempfile.TemporaryFile(dir=place):
            pass
        if folder.is_dir():
            with tempfile.TemporaryFile(dir=folder):
                pass
    except OSError as error:
        raise ArenaError(
            f"{folder}: no report can be written there ({error.strerror or error}); "
            "make it writable or choose another folder with --out"
        ) from None


def _check(folder: Path, files: Collection[str]) -> None:
    if folder.exists() and not folder.is_dir():
        raise ArenaError(
            f"{folder}: expected a folder for the report, found a file; choose another with --out"
        )
    for name in files:
        if (folder / name).is_dir():
            raise ArenaError(
                f"{folder / name}: the report has a file of this name, found a folder; move it away"
            )


@contextmanager
def _alone_in(parent: Path) -> Iterator[None]:
    """Hold the lock on ``parent``: two runs that report to one place come one after the other."""
    handle = os.open(parent, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _recover(folder: Path, new: Path, old: Path) -> None:
    """Tidy up after a run that was cut off: before its swap, in the middle of it, or after."""
    if old.is_dir():
        if folder.exists():
            shutil.rmtree(old)
        else:
            os.rename(old, folder)
    if new.is_dir():
        shutil.rmtree(new)


def _keep(folder: Path, new: Path, files: Collection[str]) -> None:
    """Make ``new`` hold what is kept of ``folder``: all but ``files``."""
    ours = {os.path.normpath(folder / name) for name in files}

    def replaced(place: str, names: list[str]) -> list[str]:
        return [name for name in names if os.path.normpath(os.path.join(place, name)) in ours]

    if folder.is_dir():
        shutil.copytree(folder, new, symlinks=True, ignore=replaced, copy_function=_link)
    else:
        new.mkdir()


def _link(source: str, target: str) -> None:
    """The same file under ``target``, or a copy where the file system has no hard links."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


def _swap(folder: Path, new: Path, old: Path) -> None:
    """Put ``new`` in the place of ``folder``; if the second rename fails the first is undone."""
    was_there = folder.is_dir()
    if was_there:
        os.rename(folder, old)
    try:
        os.rename(new, folder)
    except BaseException:
        if was_there:
            os.rename(old, folder)
        raise
    with suppress(OSError):  # the new report is in its place; only a power cut could still undo that
        _sync(folder.parent)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
