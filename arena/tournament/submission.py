"""A bot submitted: one file read, every reason against it found, and put into the roster as a version.

Whose a name is: the file's that it came in as, and the user's who submitted that. So ``wide.py`` with a bot ``Wide``
becomes ``wide@1.py``, ``Wide@1``; the same user's next ``wide.py`` with a ``Wide`` in it becomes ``Wide@2``; a ``Wide`` in
another file, or from another user, is refused. Nobody has to sign in, and a mistake replaces nobody's bot.
"""

from __future__ import annotations

import keyword
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.bot.entrant import MAX_NAME, BotSource, Entrant, find_entrants, parse_bot
from arena.bot.source import MAX_BYTES, missing
from arena.bot.versions import Version, version_of
from arena.errors import ArenaError
from arena.tournament.roster import OUT_OF_PLAY, Entry, entries, put, tidy, user_name
from arena.wording import plural, printable

_LONGEST = MAX_NAME - len("@999")


@dataclass(frozen=True)
class Submission:
    """A file as it was read, once: what is checked is what goes in. ``reasons`` are those against it so far."""

    path: Path
    data: bytes
    entrants: tuple[Entrant, ...]
    reasons: tuple[str, ...]

    @property
    def stem(self) -> str:
        """The file's name without ``.py``."""
        return self.path.stem


@dataclass(frozen=True)
class Placement:
    """Where a submission goes; ``old`` is the version in play before, which stays so if ``keeps_old``."""

    folder: Path
    version: Version
    data: bytes
    old: Entry | None
    keeps_old: bool

    @property
    def path(self) -> Path:
        """The file it becomes."""
        return self.folder / self.version.file_name

    @property
    def instead(self) -> Mapping[Path, bytes | None]:
        """What is to be taken for the roster's files, for it to be as it will be."""
        kept = self._kept_version
        return {self.path: self.data} | ({self.folder / kept.kept_name: b""} if kept else {})

    @property
    def _kept_version(self) -> Version | None:
        return self.old.version if self.old is not None and self.keeps_old else None

    def commit(self) -> None:
        """Put it in, at one instant, and the version before out of play. The caller holds the folder. Raises ``OSError``."""
        if kept := self._kept_version:
            (self.folder / kept.kept_name).touch()
        put(self.folder, self.version.file_name, self.data)
        tidy(self.folder)


def read_submission(text: str) -> Submission:
    """The submission of the file that ``text`` names. Raises ``ArenaError`` where there is none."""
    source = parse_bot(text, Path())
    if source.class_name is not None:
        raise ArenaError(
            f"{text[:60]}: a submission is a whole file; submit {source.path}, with parameters as defaults of __init__"
        )
    path = source.path
    try:
        data, reasons = _read(path)
    except FileNotFoundError:
        raise ArenaError(missing(path)) from None
    except (OSError, ValueError) as error:
        raise ArenaError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    entrants: tuple[Entrant, ...] = ()
    if data is not None and path.suffix == ".py":
        entrants, problems = find_entrants([BotSource(path)], {path: data})
        reasons += map(str, problems)
    reasons += name_problems(path, entrants)
    return Submission(path, data or b"", entrants, tuple(reasons))


def name_problems(path: Path, entrants: Sequence[Entrant]) -> list[str]:
    """Why a file's name or those of its bots cannot be a submission's."""
    wrong = _file_name_problems(path)
    return wrong + [f"{path}:{e.line}: {why}" for e in entrants for why in _name_problems("a bot", e.name)]


def link_problem(path: Path) -> str | None:
    """Why a symbolic link is refused; None where it is none. Raises ``OSError``."""
    if not stat.S_ISLNK(os.lstat(path).st_mode):
        return None
    return (
        f"{path} is a symbolic link, and a submission is a file itself; submit {printable(os.readlink(path))}"
    )


def _read(path: Path) -> tuple[bytes | None, list[str]]:
    """The bytes of a regular file, or None and why it is none. Raises ``OSError``."""
    if link := link_problem(path):
        return None, [link]
    mode = os.lstat(path).st_mode
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "no regular file"
        return None, [f"{path} is {what}, and a submission is one file of Python text"]
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None, [f"{path} is no regular file any more"]
        data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            size = os.fstat(handle).st_size
            return None, [
                f"{path} has {plural(size, 'byte')}, and a submission at most {MAX_BYTES:,}; shorten it"
            ]
    return data, []


def _file_name_problems(path: Path) -> list[str]:
    if path.suffix != ".py":
        return [f"{path}: expected a Python file, its name ending in .py"]
    if version := version_of(path.name):
        return [f"{path} is named as a version; submit it under its own name: cp {path} {version.stem}.py"]
    return [f"{path}: {wrong}" for wrong in _name_problems("the file", path.stem)]


def _name_problems(what: str, name: str) -> list[str]:
    """Why a name cannot be one of a submission's: names are ASCII, or they could look like another's."""
    shown = printable(name)
    if not name.isascii() or not name.isidentifier() or keyword.iskeyword(name):
        return [
            f"{what} is called {shown!r}, and names are identifiers: letters, digits and _, no digit first; rename it"
        ]
    if name.startswith("_"):
        return [f"{what} is called {shown!r}, and what starts with _ does not play; rename it"]
    if len(name) > _LONGEST:
        return [
            f"{what} is called {shown!r}…, {len(name)} characters, and {_LONGEST} is the most; shorten it"
        ]
    return []


def place(submission: Submission, folder: Path, keeps_old: bool) -> tuple[Placement, list[str]]:
    """Where a submission goes, and the reasons why it may not. Raises ``ArenaError``, ``OSError``."""
    away = folder / OUT_OF_PLAY
    if away.exists() and not away.is_dir():
        raise ArenaError(f"{away} is to be the folder of bots out of play, and is a file; move it away")
    there = entries(folder)
    same = [e for e in there if e.version is not None and e.stem == submission.stem]
    number = max((e.version.number for e in same if e.version), default=0) + 1
    old = next((e for e in reversed(same) if e.is_in_play), None)
    placement = Placement(
        folder, Version(submission.stem, number), submission.data, old, keeps_old and old is not None
    )
    return placement, _taken(submission, there, old)


def _taken(submission: Submission, there: Sequence[Entry], old: Entry | None) -> list[str]:
    """Whose the names already are, where they are somebody else's."""
    if any(entry.is_in_play and entry.path.resolve() == submission.path.resolve() for entry in there):
        here = submission.path
        return [
            f"it lies in the roster already, and plays as it is; to submit it: mv {here} . && arena submit {here.name}"
        ]
    names = {entrant.name.casefold(): entrant.name for entrant in submission.entrants}
    reasons = []
    for entry in there:
        shared = [name for key, name in names.items() if key in {n.casefold() for n in entry.names}]
        is_same_stem = entry.stem.casefold() == submission.stem.casefold()
        if shared or is_same_stem:
            what = f"the name {', '.join(shared)}" if shared else f"the file name {submission.stem}.py"
            if why := _why_not(submission, entry, bool(shared)):
                reasons.append(f"{what} is taken: {why}")
    if old is not None and old.source == submission.data:
        reasons.append(f"it is to the byte what {old.path.name} holds, which plays already; change it first")
    return list(dict.fromkeys(reasons))


def _why_not(submission: Submission, entry: Entry, is_name_shared: bool) -> str | None:
    """Why a name or file name of an entry is not the submitter's to use; None where it is."""
    lies = entry.path.name if entry.is_in_play else f"{OUT_OF_PLAY}/{entry.path.name}"
    rename = "rename yours" if is_name_shared else "rename your file"
    if entry.is_house:
        return f"{lies} is of the house roster, which stays; {rename}"
    if entry.version is None:
        return f"{lies} was put there by hand, and submissions leave such files alone; {rename}"
    if entry.owner != os.geteuid():
        return f"{lies} is user {user_name(entry.owner)}'s; {rename}"
    if entry.stem != submission.stem:
        return f"{lies} came in as {entry.stem}.py; submit it as that for a new version, or {rename}"
    if not is_name_shared and submission.entrants and entry.names and entry.is_in_play:
        return f"{lies} has {', '.join(entry.names)}, and yours has none of these; rename your file, or withdraw that first"
    return None
