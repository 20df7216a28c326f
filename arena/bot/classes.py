"""The bot classes of a Python source text, found by reading it with ``ast``; nothing of it is ever run."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ArenaError, Problem

_ROOTS = {f"{module}.{name}": name for module in ("arena", "arena.bot.api") for name in ("Bot", "VectorBot")}
BANKS = ("pot", "house", "dealer")
_MAX_CHAIN = 100  # classes a bot may derive through: more is no design, and reading must stay cheap
_CODING = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Parameters:
    """Keywords that a class takes; ``takes_any``: any other too (``**kwargs``)."""

    known: tuple[str, ...] = ()
    required: tuple[str, ...] = ()  # without a default
    takes_any: bool = False
    by_position: tuple[str, ...] = ()  # without a default and without a keyword: nobody can give them


@dataclass(frozen=True)
class BotClass:
    """A class that derives from ``Bot`` or ``VectorBot``; ``problem`` says why it cannot play, if so."""

    name: str
    line: int
    column: int
    is_vector: bool
    label: str | None  # its ``name = "..."``
    plays: tuple[
        str, ...
    ]  # the banks of the tables that it can play at: its ``plays = ("pot", ...)``, or all
    parameters: Parameters
    is_base: bool  # others derive from it and it has no bet of its own: only there to be derived from
    problem: str | None


@dataclass(frozen=True)
class BotFile:
    """The bot classes of a file in their order, and what may be wrong where there are none."""

    classes: tuple[BotClass, ...]
    hint: str


class _Class:
    """A class as read: members of its body by name, same-file ancestors (itself first), kinds of bot."""

    def __init__(self, node: ast.ClassDef, bases: Sequence[str | _Class | None]) -> None:
        self.node = node
        self.members = _members(node.body)
        inherited = [c for base in bases if isinstance(base, _Class) for c in base.chain]
        # As in Python a shared ancestor comes after all that derive from it.
        last_seen = dict.fromkeys(reversed(inherited))
        self.is_too_deep = len(last_seen) >= _MAX_CHAIN
        self.chain: tuple[_Class, ...] = (self, *list(reversed(last_seen))[: _MAX_CHAIN - 1])
        roots = {_ROOTS[base] for base in bases if isinstance(base, str) and base in _ROOTS}
        self.kinds: frozenset[str] = frozenset(roots).union(*(c.kinds for c in self.chain[1:]))


def read_classes(text: str, path: Path) -> BotFile:
    """The bot classes of ``text``. Raises ``ArenaError`` where it is no Python that can be read."""
    try:
        tree = _parse(text, path)
        classes, orphans = _walk(tree.body)
        derived_from = {base for c in classes for base in c.chain[1:]}
        lines: dict[str, list[int]] = {}
        for c in classes:
            lines.setdefault(c.node.name, []).append(c.node.lineno)
        counting = [c for c in classes if c.kinds and c.node.lineno == lines[c.node.name][-1]]
        found = tuple(_describe(c, c in derived_from, lines[c.node.name]) for c in counting)
    except (RecursionError, MemoryError):
        raise ArenaError(Problem("the code is nested too deeply to be read; flatten it", path)) from None
    hint = 'write "class Name(Bot)" with a method bet(self, turn), or start the file\'s name with _'
    if orphans:
        name, base = orphans[0]
        hint = f'class {name} derives from {base}, which is not imported: add "from arena import {base}"'
    return BotFile(found, hint)


def _parse(text: str, path: Path) -> ast.Module:
    for line, content in enumerate(text.split("\n", 2)[:2], 1):
        coding = _CODING.match(content)
        if coding and coding[1].lower().replace("_", "-") not in ("utf-8", "utf8"):
            message = f"expected UTF-8, the line asks for {coding[1]}; save as UTF-8 and delete the line"
            raise ArenaError(Problem(message, path, line, coding.start(1) + 1))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a stranger's text is the stranger's business
            return ast.parse(text)
    except SyntaxError as error:
        message = f"the file is no valid Python: {error.msg}; correct it and run again"
        raise ArenaError(Problem(message, path, error.lineno, error.offset or None)) from None
    except ValueError as error:
        raise ArenaError(Problem(f"the file is no valid Python: {error}", path)) from None


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body and of the ``if``, ``try`` and ``with`` in it."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.TryStar | ast.With):
            for part in ("body", "handlers", "orelse", "finalbody"):
                for inner in getattr(node, part, ()):
                    yield from _statements(inner.body if isinstance(inner, ast.ExceptHandler) else [inner])


def _members(body: Sequence[ast.stmt]) -> dict[str, ast.stmt]:
    """What the body of a class defines, by name; the last definition counts, as in Python."""
    members: dict[str, ast.stmt] = {}
    for node in _statements(body):
        if isinstance(node, Function):
            members[node.name] = node
        elif isinstance(node, ast.Assign):
            members.update({t.id: node for t in node.targets if isinstance(t, ast.Name)})
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            members[node.target.id] = node
    return members


def _walk(body: Sequence[ast.stmt]) -> tuple[list[_Class], list[tuple[str, str]]]:
    """The classes of a module in order, and those whose base ``Bot`` or ``VectorBot`` is not imported."""
    env: dict[str, str | _Class] = {}  # what a name stands for: a dotted name from elsewhere, or a class
    classes: list[_Class] = []
    orphans: list[tuple[str, str]] = []
    for node in _statements(body):
        if isinstance(node, ast.Import):
            for a in node.names:
                first = a.name.partition(".")[0]
                env[a.asname or first] = a.name if a.asname else first
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for a in node.names:
                is_star = a.name == "*" and f"{node.module}.Bot" in _ROOTS
                names = ("Bot", "VectorBot") if is_star else (a.name,)
                env.update({(a.asname or name): f"{node.module}.{name}" for name in names})
        elif isinstance(node, ast.Assign):
            value = _resolve(node.value, env)
            for target in node.targets:
                if isinstance(target, ast.Name):
                    env.pop(target.id, None)
                    env.update({target.id: value} if value is not None else {})
        elif isinstance(node, ast.ClassDef):
            bases = [_resolve(base, env) for base in node.bases]
            classes.append(_Class(node, bases))
            env[node.name] = classes[-1]
            lost = [b.id for b in node.bases if isinstance(b, ast.Name) and b.id not in env]
            orphans += [(node.name, name) for name in lost if name in ("Bot", "VectorBot")]
    return classes, orphans


def _resolve(node: ast.expr, env: dict[str, str | _Class]) -> str | _Class | None:
    """What ``Name`` or ``module.Name`` stands for, where the file says it."""
    if isinstance(node, ast.Name):
        return env.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _resolve(node.value, env)
        return f"{owner}.{node.attr}" if isinstance(owner, str) else None
    return None


def _describe(cls: _Class, is_derived_from: bool, lines: Sequence[int]) -> BotClass:
    name = cls.node.name
    bet = _lookup(cls, "bet")
    has_bet = bet is not None and not isinstance(bet, ast.AsyncFunctionDef) and not _is_abstract(bet)
    parameters = _parameters(cls)
    label, problem = _label(cls)
    plays, unplayable = _plays(cls)
    problem = problem or unplayable
    if len(lines) > 1:
        problem = f"class {name} is there twice, first in line {lines[0]}; rename one"
    elif cls.is_too_deep:
        problem = f"class {name} derives through more than {_MAX_CHAIN} classes; shorten the chain"
    elif len(cls.kinds) > 1:
        problem = f"class {name} derives from both Bot and VectorBot; choose one"
    elif not has_bet:
        problem = f'class {name} has no bet(turn): write "def bet(self, turn)", or start its name with _'
    elif parameters.by_position:
        given = ", ".join(parameters.by_position)
        problem = f"class {name}: __init__ takes {given} by position only; take away the / or give a default"
    return BotClass(
        name,
        cls.node.lineno,
        cls.node.col_offset + 1,
        "VectorBot" in cls.kinds,
        label,
        plays,
        parameters,
        is_derived_from and not has_bet,
        problem,
    )


def _lookup(cls: _Class, member: str) -> ast.stmt | None:
    return next((c.members[member] for c in cls.chain if member in c.members), None)


def _last_name(node: ast.expr) -> str:
    """``b`` of a decorator ``a.b`` or ``a.b(...)``."""
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_abstract(node: ast.stmt) -> bool:
    return isinstance(node, Function) and any(_last_name(d) == "abstractmethod" for d in node.decorator_list)


def _label(cls: _Class) -> tuple[str | None, str | None]:
    """The class's own ``name = "..."``, and what is wrong with it. A base's name is not inherited."""
    node = cls.members.get("name")
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return None, None
    if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return node.value.value, None
    return None, (
        f'class {cls.node.name}: expected a text in quotes as its name (name = "..."), '
        "since the file is read and not run"
    )


def _plays(cls: _Class) -> tuple[tuple[str, ...], str | None]:
    """The banks of the class's ``plays = ("pot", "dealer")``, its own or a base's, and what is wrong with it."""
    node = _lookup(cls, "plays")
    if node is None:
        return BANKS, None
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
    given = (
        [e.value for e in value.elts if isinstance(e, ast.Constant)] if isinstance(value, ast.Tuple) else []
    )
    if given and len(given) == len(getattr(value, "elts", ())) and all(bank in BANKS for bank in given):
        return tuple(bank for bank in BANKS if bank in given), None
    return BANKS, (
        f'class {cls.node.name}: expected banks in brackets as what it plays (plays = ("pot", "dealer"); '
        f"banks: {', '.join(BANKS)}), since the file is read and not run"
    )


def _parameters(cls: _Class) -> Parameters:
    """The keywords of the nearest ``__init__``, written or made by ``@dataclass``."""
    for c in cls.chain:
        node = c.members.get("__init__")
        if isinstance(node, Function):
            return _signature(node.args)
        if node is not None:
            return Parameters(takes_any=True)
        if any(_last_name(d) == "dataclass" for d in c.node.decorator_list):
            return _fields(c)
    return Parameters()


def _signature(args: ast.arguments) -> Parameters:
    positional = [a.arg for a in (*args.posonlyargs, *args.args)]
    needed = positional[1 : max(len(positional) - len(args.defaults), 1)]  # without self
    only = {a.arg for a in args.posonlyargs}
    known = [name for name in positional[1:] if name not in only] + [a.arg for a in args.kwonlyargs]
    required = [name for name in needed if name not in only]
    required += [a.arg for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is None]
    by_position = tuple(name for name in needed if name in only)
    return Parameters(tuple(known), tuple(required), args.kwarg is not None, by_position)


def _fields(cls: _Class) -> Parameters:
    """The keywords of the ``__init__`` that ``@dataclass`` makes."""
    has_default: dict[str, bool] = {}
    for c in reversed(cls.chain):
        if not any(_last_name(d) == "dataclass" for d in c.node.decorator_list):
            continue
        for node in c.node.body:
            if not (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)):
                continue
            options = {}
            if isinstance(node.value, ast.Call) and _last_name(node.value) == "field":
                options = {k.arg: k.value for k in node.value.keywords}
                defaulted = "default" in options or "default_factory" in options
            else:
                defaulted = node.value is not None
            is_out = isinstance(out := options.get("init"), ast.Constant) and out.value is False
            if "ClassVar" not in ast.unparse(node.annotation) and not is_out:
                has_default[node.target.id] = defaulted
    return Parameters(tuple(has_default), tuple(n for n, given in has_default.items() if not given))
