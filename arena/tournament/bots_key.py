"""The ``bots:`` key of a tournament file: a folder, a file, or a list of bots."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.bot.entrant import BotSource, name_problem, parse_bot, value_problem
from arena.bot.source import missing
from arena.errors import ArenaError, Problem, nearest
from arena.tournament.yaml_source import Keys, Tree, dotted
from arena.wording import found

_KEYS = ("file", "class", "name", "params")
_FORMS = (
    'a folder, a file, or a list of "file.py", "file.py:Class(threshold=7)" or {file, class, name, params}'
)
_VALUE: dict[str, Any] = {"type": ["string", "number", "boolean", "null", "array"]}
BOTS_SCHEMA: dict[str, Any] = {
    "description": "The bots: a folder, a file, or a list; paths are relative to this file.",
    "anyOf": [
        {"type": "string"},
        {
            "type": "array",
            "minItems": 1,
            "items": {
                "anyOf": [
                    {"type": "string", "description": "file.py, file.py:Class or file.py:Class(threshold=7)"},
                    {
                        "type": "object",
                        "required": ["file"],
                        "additionalProperties": False,
                        "properties": {
                            "file": {"type": "string", "description": "The bot's file."},
                            "class": {"type": "string", "description": "Its class, where there are several."},
                            "name": {"type": "string", "description": "Its name in this tournament."},
                            "params": {
                                "type": "object",
                                "additionalProperties": _VALUE,
                                "description": "Keywords of the class's __init__.",
                            },
                        },
                    },
                ]
            },
        },
    ],
}


def read_bots(tree: Tree, folder: Path, problems: list[Problem]) -> tuple[BotSource, ...]:
    """What ``bots:`` names; what is wrong is added to ``problems``. Never empty."""
    placeholder = (BotSource(folder),)
    if "bots" not in tree.data:
        problems.append(
            tree.place(()).problem(f"bots: expected {_FORMS}, but the key is missing; write bots: ../bots")
        )
        return placeholder
    value = tree.data["bots"]
    if isinstance(value, str):
        return tuple(_source(tree, ("bots",), value, folder, problems)) or placeholder
    if not isinstance(value, list) or not value:
        hint = '; begin the entry with "- "' if isinstance(value, Mapping) else ""
        got = "an empty list" if value == [] else found(value)
        problems.append(tree.place(("bots",)).problem(f"bots: expected {_FORMS}, got {got}{hint}"))
        return placeholder
    sources: list[BotSource] = []
    for index, entry in enumerate(value):
        sources += _source(tree, ("bots", index), entry, folder, problems)
    return tuple(sources) or placeholder


def _source(tree: Tree, path: Keys, entry: object, folder: Path, problems: list[Problem]) -> list[BotSource]:
    """The one source of an entry, or none and why."""
    where = dotted(path)
    place = tree.place(path)
    if isinstance(entry, Mapping):
        return _from_mapping(tree, path, entry, folder, problems)
    if not isinstance(entry, str):
        problems.append(place.problem(f"{where}: expected {_FORMS}, got {found(entry)}"))
        return []
    try:
        source = parse_bot(entry, folder)
    except ArenaError as error:
        problems += [place.problem(f"{where}: {p.message}") for p in error.problems]
        return []
    if not os.path.exists(source.path):
        problems.append(place.problem(f"{where}: {source.path}: {missing(source.path).message}"))
    return [replace(source, at=place)]


def _from_mapping(
    tree: Tree, path: Keys, entry: Mapping[str, object], folder: Path, problems: list[Problem]
) -> list[BotSource]:
    wrong: list[tuple[Keys, str]] = []
    for key, value in entry.items():
        if key not in _KEYS:
            listed = f"(keys here: {', '.join(_KEYS)})"
            wrong.append(((key,), f'unknown key "{dotted((key,))}"{nearest(key[:60], _KEYS)} {listed}'))
        elif key == "params":
            wrong += _param_problems(tree, (*path, key), value)
        elif not (isinstance(value, str) and value and "\0" not in value):
            wrong.append(((key,), f"expected text, got {found(value)}"))
        elif key == "name" and (why := name_problem(value)):
            wrong.append(((key,), why))
    where = Path(os.path.normpath(folder / str(entry.get("file"))))
    if "file" not in entry:
        wrong.append(((), "file: expected a bot's file, but the key is missing; write file: bot.py"))
    elif not wrong and not os.path.exists(where):
        wrong.append((("file",), f"{where}: {missing(where).message}"))
    for keys, message in wrong:
        full = (*path, *keys)
        is_key = len(keys) == 1 and keys[0] not in _KEYS
        problems.append(tree.place(full, of_key=is_key).problem(f"{dotted(full)}: {message}"))
    if wrong:
        return []
    class_name, name = (str(entry[key]) if key in entry else None for key in ("class", "name"))
    params = entry.get("params") or {}
    assert isinstance(params, Mapping)
    return [BotSource(where, class_name, name, dict(params), tree.place(path))]


def _param_problems(tree: Tree, path: Keys, params: object) -> list[tuple[Keys, str]]:
    """What is wrong with ``params:``, by keys from the entry on."""
    if params is None:
        return []
    if not isinstance(params, Mapping):
        return [(("params",), f"expected a mapping such as {{threshold: 7}}, got {found(params)}")]
    wrong: list[tuple[Keys, str]] = [
        (("params", key), why) for key, value in params.items() if (why := value_problem(value))
    ]
    for doubtful, way_out in tree.doubtful.items():
        if doubtful[: len(path)] == path:
            why = f"without quotes YAML readers do not agree what it is; quote it ({way_out})"
            wrong.append((("params", *doubtful[len(path) :]), why))
    return wrong
