"""Entrants: the bots that sources name, found by reading their files, with parameters and content hash."""

from __future__ import annotations

import ast
import hashlib
import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.bot.classes import BANKS, BotClass, BotFile, read_classes
from arena.bot.source import Place, missing, read_bytes, text_of
from arena.bot.versions import superseded, version_of
from arena.errors import ArenaError, Problem, nearest

MAX_NAME = 40
_BOT_TEXT = re.compile(r"(?P<path>.+?\.py)(?::(?P<rest>.*))?", re.DOTALL)
_FORMS = "file.py, file.py:Class or file.py:Class(threshold=7)"


@dataclass(frozen=True)
class BotSource:
    """Where bots are to be found: a folder, or a file with perhaps one class, its parameters and its name.

    ``at`` is where the tournament file (or the command line) says so.
    """

    path: Path
    class_name: str | None = None
    name: str | None = None
    params: Mapping[str, object] = field(default_factory=dict, hash=False)
    at: Place | None = None


@dataclass(frozen=True)
class Entrant:
    """A bot entered in a tournament; ``content`` is a hash of file, class and parameters, not of the name."""

    name: str
    file: Path
    source: bytes
    class_name: str
    line: int
    params: tuple[tuple[str, object], ...] = field(hash=False)  # sorted by key
    is_vector: bool
    content: str
    plays: tuple[str, ...] = BANKS  # at tables of these banks


Found = tuple[list[tuple[Entrant, Place]], list[Problem]]


class _Files:
    """Bots' files, each read once; those in ``instead`` as if they held these bytes (None: as if they were not there)."""

    def __init__(self, instead: Mapping[Path, bytes | None]) -> None:
        self._instead = instead
        self._read: dict[Path, tuple[bytes, BotFile]] = {}

    def read(self, path: Path) -> tuple[bytes, BotFile]:
        """A file's bytes and the classes in it. Raises ``ArenaError``."""
        if path not in self._read:
            if path.suffix != ".py":
                raise ArenaError(Problem("expected a Python file, its name ending in .py", path))
            data = self._instead.get(path)
            data = read_bytes(path) if data is None else data
            self._read[path] = data, read_classes(text_of(data, path), path)
        return self._read[path]

    def is_there(self, path: Path) -> bool:
        """Whether there is such a file or folder."""
        return self._instead[path] is not None if path in self._instead else os.path.exists(path)

    def bots_in(self, folder: Path) -> list[str]:
        """Names of the files in a folder that hold bots in play. Raises ``OSError``."""
        names = {p.name for p in folder.iterdir() if not p.is_dir()}
        for path, data in self._instead.items():
            if path.parent == folder:
                names = names | {path.name} if data is not None else names - {path.name}
        found = {name for name in names if name.endswith(".py") and name[0] not in "._"}
        return sorted(found - superseded(names))


def find_entrants(
    sources: Sequence[BotSource], instead: Mapping[Path, bytes | None] | None = None
) -> tuple[tuple[Entrant, ...], tuple[Problem, ...]]:
    """The entrants of ``sources``, in order of content hash (then name), and what is wrong with the rest.

    A broken file or class, or a name used twice, is left out and a problem with its place. Files in ``instead`` are taken to
    hold these bytes (None: not to be there).
    """
    files = _Files(instead or {})
    found: list[tuple[Entrant, Place]] = []
    problems: list[Problem] = []
    for source in sources:
        try:
            entrants, wrong = _of_source(source, files)
        except ArenaError as error:
            entrants, wrong = [], list(error.problems)
        found += entrants
        problems += wrong
    by_name: dict[str, list[tuple[Entrant, Place]]] = {}
    for entrant, place in found:
        by_name.setdefault(entrant.name, []).append((entrant, place))
    problems += [_namesakes(same) for same in by_name.values() if len(same) > 1]
    unique = [same[0][0] for same in by_name.values() if len(same) == 1]
    return tuple(sorted(unique, key=lambda e: (e.content, e.name))), tuple(dict.fromkeys(problems))


def able(entrants: Sequence[Entrant], bank: str) -> tuple[tuple[Entrant, ...], tuple[Problem, ...]]:
    """Those who play at tables of this bank, and a note for each of the others."""
    notes = tuple(
        Problem(
            f"{e.name} does not play where the bank is {bank} (it says plays = {e.plays})", e.file, e.line
        )
        for e in entrants
        if bank not in e.plays
    )
    return tuple(e for e in entrants if bank in e.plays), notes


def parse_bot(text: str, relative_to: Path) -> BotSource:
    """The source named by ``file.py``, ``file.py:Class``, ``file.py:Class(threshold=7)`` or a folder.

    Raises ``ArenaError`` where the text is none of these.
    """
    match = _BOT_TEXT.fullmatch(text)
    path = match["path"] if match else text
    if not text.strip() or not text.isprintable():
        raise ArenaError(f"expected {_FORMS}, got {text[:60]!r}")
    where = Path(os.path.normpath(relative_to / path))
    if match is None or match["rest"] is None:
        return BotSource(where)
    try:
        class_name, params = _parse_class(match["rest"])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        message = f"expected {_FORMS} with plain values (7, 0.5, 'x', True, None, [1, 2]), got {text[:60]!r}"
        raise ArenaError(message) from None
    return BotSource(where, class_name, params=params)


def _parse_class(text: str) -> tuple[str, dict[str, object]]:
    """``Class(threshold=7)`` taken apart, literals only. Raises ``SyntaxError`` or ``ValueError``."""
    node = ast.parse(text.strip(), mode="eval").body
    if isinstance(node, ast.Name):
        return node.id, {}
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)) or node.args:
        raise ValueError
    params = {k.arg: ast.literal_eval(k.value) for k in node.keywords if k.arg is not None}
    if len(params) < len(node.keywords):  # **mapping, or a keyword given twice
        raise ValueError
    return node.func.id, params


def name_problem(name: str) -> str | None:
    """Why ``name`` cannot be a bot's name, if so."""
    if not name.strip() or name != name.strip():
        return f"expected a name without spaces around it, got {name[:60]!r}"
    if not name.isprintable() or "|" in name:
        return f"expected a name of printable characters without |, got {name[:60]!r}"
    if len(name) > MAX_NAME:
        return f'a name has at most {MAX_NAME} characters, "{name[:60]}" has {len(name)}; give a shorter name'
    return None


def value_problem(value: object, depth: int = 0) -> str | None:
    """Why ``value`` cannot be a parameter, if so: only numbers (63 bits, finite), text and lists can."""
    if isinstance(value, list) and depth < 20:
        return next((p for p in (value_problem(v, depth + 1) for v in value) if p), None)
    fits = value is None or isinstance(value, bool)
    if isinstance(value, int):
        fits = abs(value) < 2**63
    elif isinstance(value, float):
        fits = math.isfinite(value)
    elif isinstance(value, str):
        fits = not any("\ud800" <= c <= "\udfff" for c in value)
    if fits:
        return None
    return f"expected a number, text, true, false, null or a list of these, got {_short(value)}"


def _short(value: object) -> str:
    names: dict[type, str] = {
        dict: "a mapping",
        tuple: "a tuple (write a list: [1, 2])",
        set: "a set",
        list: "lists in lists",
    }
    if isinstance(value, int) and abs(value) >= 2**63:
        return "a whole number of more than 63 bits"
    return names.get(type(value)) or repr(value)[:60]


def _of_source(source: BotSource, files: _Files) -> Found:
    """The entrants of one source with their places. Raises ``ArenaError`` where there can be none."""
    at = source.at
    if not files.is_there(source.path):
        lost = missing(source.path)
        raise ArenaError(at.problem(f"{source.path}: {lost.message}") if at else lost)
    if source.path.is_dir():
        return _of_folder(source, files)
    data, file = files.read(source.path)
    chosen, problems = _choose(source, file)
    found = []
    for cls in chosen:
        if cls.problem:
            problems.append(Problem(cls.problem, source.path, cls.line, cls.column))
            continue
        place = at or Place(source.path, cls.line, cls.column)
        wrong = _param_problems(source, cls)
        name = _name(source, cls)
        wrong += [f"class {cls.name}: {p}" for p in [name_problem(name)] if p]
        problems += [place.problem(message) for message in wrong]
        if not wrong:
            params = tuple(sorted(source.params.items()))
            content = _content(data, cls.name, params)
            entrant = Entrant(
                name, source.path, data, cls.name, cls.line, params, cls.is_vector, content, cls.plays
            )
            found.append((entrant, place))
    return found, problems


def _of_folder(source: BotSource, files: _Files) -> Found:
    place = source.at or Place(source.path)
    if source.class_name or source.name or source.params:
        message = f"{source.path} is a folder: class, name and params need the bot's .py file"
        raise ArenaError(place.problem(message))
    try:
        names = files.bots_in(source.path)
    except OSError as error:
        raise ArenaError(place.problem(f"{source.path} cannot be read: {error.strerror}")) from None
    if not names:
        message = f"{source.path} has no bots: put a .py file with a class deriving from arena.Bot there"
        raise ArenaError(place.problem(message))
    found: list[tuple[Entrant, Place]] = []
    problems: list[Problem] = []
    for name in names:
        try:
            entrants, wrong = _of_source(BotSource(source.path / name), files)
        except ArenaError as error:
            entrants, wrong = [], list(error.problems)
        found += entrants
        problems += wrong
    return found, problems


def _choose(source: BotSource, file: BotFile) -> tuple[list[BotClass], list[Problem]]:
    """The classes that a source of one file means. Raises ``ArenaError`` where there is none."""
    place = source.at or Place(source.path)
    playing = [c for c in file.classes if not c.name.startswith("_") and not c.is_base]
    names = [c.name for c in playing]
    if source.class_name is not None:
        if source.class_name.startswith("_"):
            raise ArenaError(
                place.problem(f"class {source.class_name} starts with _, so it is no entrant; rename it")
            )
        same = [c for c in file.classes if c.name == source.class_name]
        if same:
            return same, []
        there = f" (bots there: {', '.join(names)})" if names else f": {file.hint}"
        hint = nearest(source.class_name, names)
        raise ArenaError(
            place.problem(f"{source.path.name} has no bot class {source.class_name}{hint}{there}")
        )
    if not playing:
        raise ArenaError(Problem(f"no bot class here: {file.hint}", source.path))
    if len(playing) > 1 and (source.name is not None or source.params):
        listed = ", ".join(names)
        raise ArenaError(
            place.problem(f"{source.path.name} has several bots ({listed}); say which one with class:")
        )
    return playing, []


def _param_problems(source: BotSource, cls: BotClass) -> list[str]:
    takes = cls.parameters
    listed = f"it takes {', '.join(takes.known)}" if takes.known else "it takes none"
    problems = []
    for key, value in source.params.items():
        if key not in takes.known and not takes.takes_any:
            hint = nearest(key[:60], takes.known)
            problems.append(f"class {cls.name} has no parameter {key[:60]!r}{hint} ({listed})")
        elif wrong := value_problem(value):
            problems.append(f"class {cls.name}, parameter {key[:60]!r}: {wrong}")
    lacking = [name for name in takes.required if name not in source.params]
    if lacking:
        way_out = f"give it in the tournament file (params: {{{lacking[0]}: ...}}) or a default in __init__"
        problems.append(f"class {cls.name} needs a value for {', '.join(lacking)}; {way_out}")
    return problems


def _name(source: BotSource, cls: BotClass) -> str:
    if source.name is not None:
        return source.name
    values = ", ".join(f"{key}={value!r}" for key, value in sorted(source.params.items()))
    version = version_of(source.path.name)
    own = (cls.name if cls.label is None else cls.label) + (f"@{version.number}" if version else "")
    return own + (f"({values})" if values else "")


def _namesakes(same: Sequence[tuple[Entrant, Place]]) -> Problem:
    places = " and ".join(f"{e.file}:{e.line} (class {e.class_name})" for e, _ in same)
    return same[-1][1].problem(
        f'{len(same)} bots are called "{same[0][0].name}": {places}; give each a name of its own '
        '(name = "..." in the class, or name: in the tournament file)'
    )


def _content(data: bytes, class_name: str, params: tuple[tuple[str, object], ...]) -> str:
    """16 bytes as hex: a hash of the file's bytes, the class and the parameters."""
    canonical = json.dumps([class_name, dict(params)], sort_keys=True, separators=(",", ":"))
    digest = hashlib.blake2b(len(data).to_bytes(8, "little") + data, digest_size=16)
    digest.update(canonical.encode())
    return digest.hexdigest()
