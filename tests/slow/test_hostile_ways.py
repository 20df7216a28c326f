"""Each single way of each hostile bot works where nothing stops it: a way that never works proves nothing when it fails."""

from __future__ import annotations

import ast

import pytest
from hostile_lab import CannotBeHereError, hostile_bots, play, why_closed

pytestmark = pytest.mark.slow
BOTS = {
    name: bot
    for name, bot in hostile_bots().items()
    if bot.is_intrusion and bot.expect == "harmless" and name not in ("exec", "ponder", "remember_deal")
}


def ways(name: str) -> set[str]:
    """The names of a bot's ways in, as its source lists them."""
    for node in ast.walk(ast.parse(BOTS[name].path.read_text())):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and node.target.id == "way":
            assert isinstance(node.iter, ast.Tuple)
            return {one.id for one in node.iter.elts if isinstance(one, ast.Name)}
    raise AssertionError(f"{name} has no ways")


@pytest.mark.parametrize("layers", ["", "trusted"])
def test_every_way_in_is_open_to_root_where_nothing_stops_it(layers: str) -> None:
    off = layers or "unlocked"
    names = [name for name, bot in BOTS.items() if bot.off == off]
    try:
        found = play(names, "root", layers, tell=True)
    except CannotBeHereError as why:
        pytest.skip(str(why))
    closed = {name: why for name in names if (why := why_closed(name, "root"))}
    print(closed)
    told = {name: found[name].told["EXCEPTION"].rpartition("worked: ")[2].split() for name in names}
    assert {name: ways(name) - set(told[name]) for name in names if name not in closed} == {
        name: set() for name in names if name not in closed
    }
    assert sum(map(len, told.values())) > (70 if off == "unlocked" else 4)
