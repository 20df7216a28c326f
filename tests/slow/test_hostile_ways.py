"""Each single way of each hostile bot works where nothing stops it: a way that never works proves nothing when it fails."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest
from hostile_lab import CannotBeHereError, hostile_bots, play, why_closed
from playing import PASS, code, rules
from playing import play as play_bots

from arena.bot.confine import CALLS, machine
from arena.bot.faults import Fault
from arena.bot.harness import Seating
from arena.bot.host import ChildHost, Limits
from arena.bot.server import ChildServer
from arena.tournament.blocks import Block
from arena.tournament.match import bot_streams

pytestmark = [pytest.mark.slow, pytest.mark.alone]
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


SWEEP = """
import ctypes

LIBC = ctypes.CDLL(None, use_errno=True)


class Sweep(Bot):
    def __init__(self, listed):
        self.listed = set(listed)

    def bet(self, turn):
        through = []
        for number in {*range(1024), *(1 << k for k in range(10, 30)), (1 << 30) - 1} - self.listed:
            result = LIBC.syscall(*(ctypes.c_long(word) for word in (number, -1, -1, -1, -1, -1, -1)))
            if result != -1 or ctypes.get_errno() != 1:
                through.append(number)
        raise RuntimeError(f"through: {through}")
"""
# uretprobe and uprobe of x86-64: newer kernels hold them before any filter; without a probe they end the caller or fail.
PAST_FILTERS = {335, 336}


def test_no_system_call_off_the_list_comes_through_in_a_bots_process() -> None:
    listed = {numbers[machine().column] for numbers in CALLS.values()} | PAST_FILTERS
    server = ChildServer()
    try:
        sweep = code(SWEEP, "Sweep", listed=sorted(listed))
        first = play_bots([sweep, code(PASS)], server=server, deals=1).first_faults[0, 0, Fault.EXCEPTION]
        assert first.text.endswith("through: []")
        known = code(SWEEP, "Sweep", listed=sorted(listed - {CALLS["getpid"][machine().column]}))
        first = play_bots([known, code(PASS)], server=server, deals=1).first_faults[0, 0, Fault.EXCEPTION]
        assert first.text.endswith(f"through: [{CALLS['getpid'][machine().column]}]")
    finally:
        server.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may look at the memory of a locked process")
def test_no_memory_of_a_bots_process_can_be_written_and_run() -> None:
    server = ChildServer()
    passes = code(PASS)
    host = ChildHost(
        server, passes, Seating(2, 0, 2, rules()), bot_streams(7, passes.content, 0, Block((0, 1), 0, 2)),
        Limits(1.0, 1.0, 96 << 20),
    )  # fmt: skip
    try:
        assert host.start.codes is None
        rights = [line.split()[1] for line in Path(f"/proc/{host._pid}/maps").read_text().splitlines()]
        assert any("x" in right for right in rights)
        assert not [right for right in rights if "w" in right and "x" in right]
    finally:
        host.close()
        server.close()
