"""YAML that a person wrote → plain data, with the place of every key and value.

Scalars mean what YAML 1.2 says: ``on``, ``1_000``, ``010``, ``1:30`` and dates, which YAML 1.1 readers turn
into Booleans and numbers, stay text and are marked as *doubtful*. Aliases and ``<<`` merges work; their
expansion is bounded. Nothing recurses deeper than ``MAX_DEPTH``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from arena.bot.source import MAX_BYTES, Place, read_text
from arena.errors import ArenaError, Problem
from arena.wording import NO, YES, printable

MAX_DEPTH = 30
MAX_VALUES = 100_000  # with aliases expanded

Keys = tuple[str | int, ...]


def dotted(path: Keys) -> str:
    """``table.ante.amount``, fit to be printed whatever the keys are.

    >>> dotted(("bots", 0, "na\\nme"))
    'bots.0.na\\\\nme'
    """
    return ".".join(printable(str(key)) for key in path)


_NULL = {"", "~", "null", "Null", "NULL"}
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]{0,39})")
_NUMBER = re.compile(
    r"[-+]?([0-9]{1,30}\.[0-9]{0,30}|\.[0-9]{1,30}|[0-9]{1,30}(?=[eE]))([eE][-+]?[0-9]{1,3})?"
)
_DOUBTFUL = [
    (re.compile(r"yes|on|y", re.I), YES),
    (re.compile(r"no|off|n", re.I), NO),
    (re.compile(r"[-+]?[0-9][0-9_]*_[0-9_]*"), "write numbers without underscores"),
    (re.compile(r"[-+]?0[0-9]+"), "write numbers without leading zeros"),
    (re.compile(r"[-+]?0[xob][0-9a-fA-F_]+"), "write numbers with ten digits"),
    (re.compile(r"[-+]?[0-9_]+(:[0-5]?[0-9])+(\.[0-9_]*)?"), "some readers take it for a number to base 60"),
    (re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?"), "some readers take it for a date"),
    (re.compile(r"[-+]?\.(inf|nan)", re.I), "write a finite number"),
    (re.compile(r"[-+]?[0-9]+|[-+]?[0-9.]+[eE][-+]?[0-9]+"), "write a number of fewer digits"),
]


@dataclass
class Tree:
    """Data with places by path of keys; ``doubtful``: what to write instead; ``problems``: bad keys."""

    data: Any
    values: dict[Keys, Place] = field(default_factory=dict)
    keys: dict[Keys, Place] = field(default_factory=dict)
    doubtful: dict[Keys, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def place(self, path: Keys, *, of_key: bool = False) -> Place:
        """Where ``path`` (its key or its value) is, or the nearest thing around it that is written down."""
        while path not in self.values:
            path, of_key = path[:-1], True
        return self.keys.get(path, self.values[path]) if of_key else self.values[path]

    def put(self, path: Keys, tree: Tree) -> None:
        """Lay ``tree`` at ``path``, in place of what is there. Raises ``ArenaError`` where no key can be."""
        parent = self.data
        for depth, key in enumerate(path[:-1], 1):
            if parent.get(key) is None:
                parent[key] = {}
                self.values[path[:depth]] = tree.values[()]
            parent = parent[key]
            if not isinstance(parent, dict):
                above = dotted(path[:depth])
                raise ArenaError(
                    tree.values[()].problem(f"{above} is no mapping, so nothing can be set under it")
                )
        parent[path[-1]] = tree.data
        for mine, its in ((self.values, tree.values), (self.keys, tree.keys)):
            for old in [k for k in mine if k[: len(path)] == path]:
                del mine[old]
            mine.update({path + k: place for k, place in its.items()})
        self.doubtful = {k: v for k, v in self.doubtful.items() if k[: len(path)] != path}
        self.doubtful.update({path + k: v for k, v in tree.doubtful.items()})
        self.problems += tree.problems


def read_yaml(path: Path) -> Tree:
    """The data of a YAML file. Raises ``ArenaError`` where it cannot be read at all."""
    return parse_yaml(read_text(path)[1], Place(path))


def parse_yaml(text: str, origin: Place) -> Tree:
    """The data of a YAML text; ``origin`` is its file, or the label that stands for places in it.

    Raises ``ArenaError`` for no YAML, too deep or too large; duplicate keys are ``problems`` of the tree.
    """
    if len(text) > MAX_BYTES:
        raise ArenaError(origin.problem("the text is larger than 1 MB; shorten it"))
    try:
        root = _Builder(origin).build(text)
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        place = _at(origin, before.count("\n"), len(before) - before.rfind("\n") - 1)
        message = f"the character U+{int(error.character):04X} is not allowed in YAML; delete it"
        raise ArenaError(place.problem(message)) from None
    except yaml.MarkedYAMLError as error:
        raise ArenaError(_syntax_problem(error, text, origin)) from None
    tree = Tree(None)
    tree.data = _expand(root, (), tree) if root else None
    tree.values.setdefault((), _at(origin, 0, 0))
    return tree


def _at(origin: Place, line: int, column: int) -> Place:
    return origin if origin.path is None else origin._replace(line=line + 1, column=column + 1)


def _syntax_problem(error: yaml.MarkedYAMLError, text: str, origin: Place) -> Problem:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    lines = text.split("\n")
    content = lines[line] if line < len(lines) else ""
    indent = content[: len(content) - len(content.lstrip())]
    if "\t" in indent or content[column : column + 1] == "\t":
        at = content.index("\t")
        return _at(origin, line, at).problem("a tab stands where YAML wants spaces; indent with spaces")
    said = error.problem or "cannot be read"
    if said.startswith("mapping values are not allowed"):
        said = "a ':' stands where no key can be; check the line before it, or quote the text"
    elif "cannot start any token" in said:
        said = f"{content[column : column + 1]!r} cannot start a value; quote the text"
    context = f" ({error.context})" if error.context else ""
    return _at(origin, line, column).problem(f"this is no valid YAML: {said}{context}")


@dataclass(eq=False)
class _Node:
    """A scalar (``text``) or a collection (``children``: items, or keys and values in turn) as written."""

    place: Place
    text: str | None = None
    is_plain: bool = False
    is_mapping: bool = False
    children: list[_Node] = field(default_factory=list)
    values: int = 1  # with aliases expanded
    height: int = 1
    is_open: bool = False


class _Builder:
    """Makes nodes of parser events, without recursion, and stops at what is too deep or too large."""

    def __init__(self, origin: Place) -> None:
        self.origin = origin
        self.anchors: dict[str, _Node] = {}
        self.open: list[_Node] = []
        self.root: _Node | None = None

    def build(self, text: str) -> _Node | None:
        events: Iterator[Any] = yaml.parse(text, Loader=yaml.SafeLoader)
        for event in events:
            mark = event.start_mark
            place = _at(self.origin, mark.line, mark.column)
            if isinstance(event, yaml.DocumentStartEvent) and self.root:
                raise ArenaError(place.problem("a second document begins here; keep one, without ---"))
            if isinstance(event, yaml.CollectionEndEvent):
                self._close()
            elif isinstance(event, yaml.AliasEvent):
                self._add(self._alias(event, place), place)
            elif isinstance(event, yaml.NodeEvent):
                self._start(event, place)
        return self.root

    def _alias(self, event: Any, place: Place) -> _Node:
        node = self.anchors.get(event.anchor)
        if node is None:
            raise ArenaError(place.problem(f"*{event.anchor} has no anchor &{event.anchor} before it"))
        if node.is_open:
            raise ArenaError(place.problem(f"*{event.anchor} stands inside what it means; write it out"))
        return node

    def _start(self, event: Any, place: Place) -> None:
        if event.tag not in (None, "!", "tag:yaml.org,2002:str"):
            raise ArenaError(place.problem("tags (!...) are not read here; write the plain value"))
        if isinstance(event, yaml.ScalarEvent):
            node = _Node(place, event.value, is_plain=event.style is None and event.tag is None)
            self._add(node, place)
        else:
            node = _Node(place, is_mapping=isinstance(event, yaml.MappingStartEvent), is_open=True)
            self.open.append(node)
            if len(self.open) > MAX_DEPTH:
                raise ArenaError(place.problem(f"nested deeper than {MAX_DEPTH} levels; flatten it"))
        if event.anchor is not None:
            self.anchors[event.anchor] = node

    def _close(self) -> None:
        node = self.open.pop()
        node.is_open = False
        self._add(node, node.place)

    def _add(self, node: _Node, place: Place) -> None:
        """Put a finished node where it belongs."""
        if not self.open:
            self.root = node
            return
        parent = self.open[-1]
        parent.children.append(node)
        parent.values += node.values
        parent.height = max(parent.height, node.height + 1)
        if parent.values > MAX_VALUES:
            raise ArenaError(
                place.problem(f"more than {MAX_VALUES:,} values (aliases written out); shorten it")
            )
        if parent.height > MAX_DEPTH:
            raise ArenaError(place.problem(f"nested deeper than {MAX_DEPTH} levels; flatten it"))


def _expand(node: _Node, path: Keys, tree: Tree) -> Any:
    """The data of a node; places go into ``tree``."""
    tree.values[path] = node.place
    if node.text is not None:
        return _scalar(node, path, tree)
    if not node.is_mapping:
        return [_expand(child, (*path, index), tree) for index, child in enumerate(node.children)]
    data: dict[str, Any] = {}
    for key, value in _pairs(node, tree, path):
        name = str(key.text)
        tree.keys[(*path, name)] = key.place
        data[name] = _expand(value, (*path, name), tree)
    return data


def _pairs(node: _Node, tree: Tree, path: Keys) -> Iterator[tuple[_Node, _Node]]:
    """A mapping's keys and values, merges (``<<``) laid under what stands beside them."""
    own: dict[str, tuple[_Node, _Node]] = {}
    merged: dict[str, tuple[_Node, _Node]] = {}
    for key, value in zip(node.children[::2], node.children[1::2], strict=True):
        if key.text is None:
            tree.problems.append(key.place.problem("expected a word as the key, found a list or mapping"))
        elif key.text == "<<" and key.is_plain:
            for base in [value] if value.is_mapping else value.children or [value]:
                if not base.is_mapping:
                    tree.problems.append(base.place.problem("<<: expected a mapping (an alias of one)"))
                    continue
                for base_key, base_value in _pairs(base, tree, path):
                    merged.setdefault(str(base_key.text), (base_key, base_value))
        elif key.text in own:
            first = own[key.text][0].place
            where = f" first in line {first.line}," if first.line else ""
            tree.problems.append(
                key.place.problem(
                    f"{dotted((*path, key.text))}: the key is there twice,{where} delete one of the two"
                )
            )
        else:
            own[key.text] = key, value
    return iter((merged | own).values())


def _scalar(node: _Node, path: Keys, tree: Tree) -> Any:
    text = str(node.text)
    if not node.is_plain:
        return text
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text) and math.isfinite(float(text)):
        return float(text)
    for pattern, way_out in _DOUBTFUL:
        if pattern.fullmatch(text):
            tree.doubtful[path] = way_out
            break
    return text
