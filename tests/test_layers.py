"""Folder order is import order: a room imports only the rooms above it (the order of ``ROOMS``)."""

from __future__ import annotations

import ast
import graphlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# Rows of modules, first to last; "arena" is the package's own door, which opens on the rows above it.
ROOMS = [
    {"arena.errors"},
    {"arena.wording"},
    {"arena.game.chance"},
    {"arena.game.cards"},
    {"arena.game.rules"},
    {"arena.game.bank"},
    {"arena.game.values"},
    {"arena.game.wager_values"},
    {"arena.game.odds", "arena.game.describe", "arena.game.wagers"},
    {"arena.game.answers"},
    {"arena.game.tables"},
    {"arena.game.questions"},
    {"arena.game.hand"},
    {"arena.game.engine"},
    {"arena.game.scenario"},
    {"arena.bot"},
    {"arena"},
    {"arena.analysis"},
    {"arena.tournament"},
    {"arena.check"},
    {"arena.report"},
    {"arena.cli"},
]
ROWS = {room: row for row, rooms in enumerate(ROOMS) for room in rooms}
EMPTY = {"arena.game"}  # a folder whose modules stand in rows of their own


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = sorted((ROOT / "arena").rglob("*.py"))
MODULES = {module_of(path): path for path in FILES}


def room(module: str) -> str | None:
    """The room a module is in; None where the list has none for it."""
    if module in ROWS:
        return module
    return next((name for name in ROWS if name != "arena" and module.startswith(f"{name}.")), None)


@cache
def imports(path: Path) -> list[str]:
    """What a file imports anywhere in it, modules by their full names."""
    return list(_imports(path))


@cache
def house_classes() -> set[str]:
    bots = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "bots").rglob("*.py")]
    return {node.name for tree in bots for node in tree.body if isinstance(node, ast.ClassDef)}


def _imports(path: Path) -> Iterator[str]:
    package = module_of(path) if path.name == "__init__.py" else module_of(path).rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*up, *([node.module] if node.module else [])])
            for alias in node.names:
                name = f"{base}.{alias.name}"
                yield name if name in MODULES else base


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_its_own_room_and_rooms_above_it(module: str) -> None:
    assert room(module) or module in EMPTY, f"{module} is in no room: add it to ROOMS"
    for imported in imports(MODULES[module]):
        if imported.partition(".")[0] == "arena":
            above, here = ROWS.get(room(imported) or "", 99), ROWS.get(room(module) or "", -1)
            is_same = room(imported) == room(module)
            assert above < here or is_same, f"{module} imports {imported}, which is no room above it"


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Whatever is imported anywhere in a module counts: in functions and for type checkers alone, too."""
    graph = {module: set(imports(path)) & set(MODULES) - {module} for module, path in MODULES.items()}
    assert sum(map(len, graph.values())) > len(graph)
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


@pytest.mark.parametrize("module", MODULES)
def test_scipy_is_for_analysis_and_no_house_bot_is_known(module: str) -> None:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not house_classes() & names
    for imported in imports(MODULES[module]):
        top = imported.partition(".")[0]
        assert top != "bots"
        assert top != "scipy" or module.startswith("arena.analysis.")


@pytest.mark.parametrize("path", sorted((ROOT / "bots").rglob("*.py")), ids=lambda path: path.stem)
def test_a_house_bot_imports_arena_numpy_and_what_python_has(path: Path) -> None:
    found = set(imports(path))
    assert {name.partition(".")[0] for name in found} <= {"arena", "numpy"} | sys.stdlib_module_names
    assert not [name for name in found if name.startswith("arena.")], "bots know what `arena` shows them"
