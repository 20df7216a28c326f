"""The roster: the folder that a tournament's ``bots:`` names, and what is in play there, on file, and whose.

Submitted files stand there as ``wide@1.py``, ``wide@2.py`` (``arena.bot.versions`` says which of them play); earlier
versions and withdrawn bots lie in ``out_of_play/``. Files without a version were put there by hand, and are their keeper's
to change. A name belongs to the file name that it came in under and to the user whose file the roster's copy is (``ls -l``
shows it).
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.bot.classes import BotClass, read_classes
from arena.bot.house import is_house
from arena.bot.source import read_text
from arena.bot.versions import Version, superseded, version_of
from arena.errors import ArenaError, nearest
from arena.tournament.spec import TournamentSpec

OUT_OF_PLAY = "out_of_play"


@dataclass(frozen=True)
class Entry:
    """A bot's file in the roster: ``names`` are those of its bots without a version, () where it cannot be read."""

    path: Path
    version: Version | None  # None: put there by hand
    names: tuple[str, ...]
    owner: int  # user number
    source: bytes
    is_in_play: bool

    @property
    def stem(self) -> str:
        """The file name that it came in under, without ``.py``."""
        return self.path.stem if self.version is None else self.version.stem

    @property
    def full_names(self) -> tuple[str, ...]:
        """Its bots' names in tournaments."""
        return self.names if self.version is None else tuple(f"{n}@{self.version.number}" for n in self.names)

    @property
    def is_house(self) -> bool:
        """Whether it is one of the house roster's, to the byte."""
        return is_house(self.source)


def roster_of(spec: TournamentSpec) -> Path:
    """The one folder among a tournament's ``bots:``. Raises ``ArenaError`` where there is none, or several."""
    folders = list(dict.fromkeys(source.path for source in spec.bots if source.path.is_dir()))
    if len(folders) == 1:
        return folders[0]
    what = "several folders" if folders else "no folder, but files one by one"
    raise ArenaError(
        spec.problem(
            "bots",
            f"submitted bots live in the folder that it names, and it names {what}; write bots: FOLDER, or another --config",
        )
    )


def entries(folder: Path) -> list[Entry]:
    """Every bot's file of a roster, in play and on file, by name and version. Raises ``OSError``."""
    out = []
    for place in (folder, folder / OUT_OF_PLAY):
        names = sorted(p.name for p in place.iterdir() if p.is_file()) if place.is_dir() else []
        old = superseded(names)
        for name in names:
            if name.endswith(".py") and name[0] not in "._":
                with suppress(FileNotFoundError):  # withdrawn this moment
                    out.append(_entry(place / name, place == folder and name not in old))
    return sorted(out, key=lambda e: (e.stem, e.version or Version("", 0), not e.is_in_play))


def _entry(path: Path, is_in_play: bool) -> Entry:
    owner, source = path.stat().st_uid, b""
    names: tuple[str, ...] = ()
    with suppress(ArenaError):
        source, text = read_text(path)
        names = tuple(map(own_name, playing(read_classes(text, path).classes)))
    return Entry(path, version_of(path.name), names, owner, source, is_in_play)


def playing(classes: Sequence[BotClass]) -> list[BotClass]:
    """Those classes of a file that play."""
    return [cls for cls in classes if not cls.name.startswith("_") and not cls.is_base]


def own_name(cls: BotClass) -> str:
    """What a class's bot is called."""
    return cls.name if cls.label is None else cls.label


def user_name(number: int) -> str:
    """A user's name, or number where it has none."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"number {number}"


def tidy(folder: Path) -> None:
    """Move what is out of play to where it lies for good, and remove what a killed submission left. Raises ``OSError``."""
    names = {p.name for p in folder.iterdir() if p.is_file()}
    for name in sorted(superseded(names)):
        with suppress(_OccupiedError):  # it does not play where it is, either
            _put_away(folder, name)
    left = {p.name for p in folder.iterdir() if p.is_file()}
    for name in sorted(left):
        is_half = name.startswith(".") and name.endswith(".py.new")
        if is_half or (name.endswith(".kept") and not _is_of_use(name, left)):
            (folder / name).unlink(missing_ok=True)


def _is_of_use(kept: str, names: set[str]) -> bool:
    """Whether a ``wide@1.kept`` has its file, and a later version beside it."""
    version = version_of(kept.removesuffix(".kept") + ".py")
    if version is None:
        return True  # not one of ours
    others = [v for name in names if (v := version_of(name)) and v.stem == version.stem]
    return version in others and max(others) > version


class _OccupiedError(ArenaError):
    """Where a file is to lie is another."""


def _put_away(folder: Path, name: str) -> Path:
    """Move a file out of play; a copy of what lies there is removed. Raises ``_OccupiedError`` where another is."""
    away = folder / OUT_OF_PLAY / name
    away.parent.mkdir(exist_ok=True)
    if away.exists() and away.read_bytes() != (folder / name).read_bytes():
        raise _OccupiedError(
            f"{away} is there already, and {folder / name} would lie there; move one of them away"
        )
    os.replace(folder / name, away)
    return away


def put(folder: Path, name: str, data: bytes) -> None:
    """Make a file, whole and at one instant, where there is none. Raises ``OSError``, and then there is none.

    It is written without a name first, so that nothing is left however the process ends; where the system has no such
    files, under a hidden one, which :func:`tidy` removes.
    """
    here = os.open(folder, os.O_RDONLY)
    try:
        try:
            _put_unnamed(here, folder, name, data)
        except FileExistsError:
            raise
        except (AttributeError, OSError):  # O_TMPFILE is Linux's, and not of all its file systems
            _put_by_rename(folder, name, data)
        os.fsync(here)
    finally:
        os.close(here)


def _put_unnamed(here: int, folder: Path, name: str, data: bytes) -> None:
    handle = os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o644)
    try:
        _write(handle, data)
        # given a folder's number, Python calls linkat, which can follow the link to a file without a name
        os.link(f"/proc/self/fd/{handle}", name, src_dir_fd=here, dst_dir_fd=here, follow_symlinks=True)
    finally:
        os.close(handle)


def _put_by_rename(folder: Path, name: str, data: bytes) -> None:
    half = folder / f".{name}.new"
    try:
        handle = os.open(half, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_NOFOLLOW, 0o644)
        try:
            _write(handle, data)
        finally:
            os.close(handle)
        os.link(half, folder / name)
    finally:
        half.unlink(missing_ok=True)


def _write(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
    os.fsync(handle)


def withdraw(folder: Path, name: str) -> tuple[Entry, Path]:
    """Take the file that a bot's name (``Wide@2``, ``Wide``) or a file's (``wide@2``) means out of play, and keep it.

    The file, and where it lies now. An earlier version stays out of play. The caller holds the folder. Raises
    ``ArenaError``, ``OSError``.
    """
    tidy(folder)
    entry = _meant(folder, name)
    if entry.is_house:
        raise ArenaError(
            f"{name} is of the house roster, which stays; a tournament without it lists its bots one by one under bots:"
        )
    if entry.owner != os.geteuid():
        raise ArenaError(
            f"{name} belongs to user {user_name(entry.owner)}, and you are {user_name(os.geteuid())}; have them withdraw it"
        )
    earlier = [
        e.path
        for e in entries(folder)
        if e.stem == entry.stem and e.path.parent == folder and not e.is_in_play
    ]
    if earlier:  # else it would be the latest
        raise ArenaError(
            f"{earlier[0]} is not the file of that name in {folder / OUT_OF_PLAY}; move one of them away"
        )
    away = _put_away(folder, entry.path.name)
    tidy(folder)  # the mark that kept it in play
    return entry, away


def _meant(folder: Path, name: str) -> Entry:
    """The one file in play that ``name`` means. Raises ``ArenaError``."""

    def means(entry: Entry) -> bool:
        files = (entry.path.name, entry.path.stem, entry.stem)
        return name in (*entry.full_names, *entry.names) or name in files

    there = entries(folder)
    exact = [e for e in there if name in (*e.full_names, e.path.stem, e.path.name) and e.is_in_play]
    found = exact or [e for e in there if means(e) and e.is_in_play]
    if len(found) == 1:
        return found[0]
    if found:
        listed = " and ".join(", ".join(e.full_names) or e.path.name for e in found)
        raise ArenaError(f"{name} could be {listed}; say which")
    if any(means(e) for e in there):
        raise ArenaError(f"{name} is out of play already; its file lies in {folder / OUT_OF_PLAY}")
    known = [n for e in there if e.is_in_play for n in e.full_names]
    raise ArenaError(
        f'no bot called "{name}" plays in {folder}{nearest(name, known)}; arena bots {folder} lists them'
    )
