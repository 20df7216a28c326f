"""Content keys: everything that a block depends on is in them, and what play itself is has a number."""

from __future__ import annotations

import dataclasses
import hashlib
import json

import numpy as np
import playing
import pytest

from arena.bot.faults import Fault
from arena.bot.host import Limits
from arena.tournament.blocks import BlockResult
from arena.tournament.executors import Setup
from arena.tournament.keys import PLAYS, lineup_key, setup_key

BOTS = """
class Counter(Bot):
    def start(self, table):
        self.seen = 0

    def watch(self, play):
        self.seen += play.third is not None

    def bet(self, turn):
        chance = turn.uniform()
        if chance < 0.02:
            return -1 if chance < 0.01 else {}[turn.gap]
        bet = turn.max_bet if turn.edge > 0 else turn.min_bet if self.rng.random() < 0.2 else 0
        return bet if turn.value(bet) > -0.5 and self.seen % 7 else bet // 2

    def call_ace(self, turn):
        return "high" if turn.other > 7 else "low"

    def call_pair(self, turn):
        return "higher" if turn.higher > turn.losses else "lower"
"""
VECTOR = """
class Wide(VectorBot):
    def bet(self, turns):
        wide = (turns.gap >= 7) | ((turns.stacks.max(axis=1) > turns.chips) & (turns.unseen[:, 14] > 1))
        return np.where(wide & (turns.uniform() < 0.9), turns.max_bet // 2, np.where(turns.wins < 3, 7, 0))
"""
# What the block of each number came to. An entry is never changed: another block needs another number.
GOLDEN = {1: "22adcfadb9dc5f1e1b76176d085fc230"}


def told(result: BlockResult) -> str:
    """A hash of all that a block left."""
    parts = [getattr(result, name) for name in ("chips", "turns", "fault_log", "bets", "calls", "stakes")]
    out = hashlib.sha256()
    for part in parts:
        out.update(repr((part.shape, part.tolist())).encode())
    first = sorted([*map(int, key), at.deal, at.step, at.text] for key, at in result.first_faults.items())
    out.update(json.dumps(first).encode())
    return out.hexdigest()[:32]


def test_a_block_that_plays_otherwise_has_another_number() -> None:
    counter, wide = playing.code(BOTS), playing.code(VECTOR)
    hashes = []
    for preset, bots in (
        ("nepali", [counter, wide]),
        ("bicycle", [wide, counter, wide]),
        ("denexa_house", [counter, wide]),
        ("article", [counter, counter]),
    ):
        result = playing.play(bots, playing.rules(preset), deals=60, first_deal=480)
        assert result.fault_log.size
        hashes.append(told(result))
    assert hashlib.sha256("".join(hashes).encode()).hexdigest()[:32] == GOLDEN.get(PLAYS), (
        "blocks play otherwise than those of this number in stores: raise PLAYS in arena/tournament/keys.py, and add what "
        "it comes to here"
    )
    assert max(GOLDEN) == PLAYS


def setup_of(*bots: str) -> Setup:
    codes = tuple(playing.code(bot) for bot in (bots or (playing.GAP8, playing.PASS)))
    return Setup(codes, playing.rules(), 7, 10, Limits(0.02, 1.0, 1 << 28), False)


OTHER = {
    "rules": playing.rules(ante__amount=11),
    "seed": 8,
    "faults": 11,
    "limits": Limits(0.02, 1.5, 1 << 28),
    "is_trusted": True,
}


@pytest.mark.parametrize("field", [f.name for f in dataclasses.fields(Setup) if f.name != "bots"])
def test_every_field_of_a_setup_is_in_its_key(field: str) -> None:
    base = setup_of()
    other = dataclasses.replace(base, **{field: OTHER[field]})
    assert setup_key(other) != setup_key(base)
    assert setup_key(dataclasses.replace(base)) == setup_key(base)


def test_python_numpy_and_the_number_of_play_are_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {setup_key(setup_of())}
    for target, value in (
        ("arena.tournament.keys.PLAYS", PLAYS + 1),
        ("arena.tournament.keys.sys.version_info", (3, 99, 0)),
        ("arena.tournament.keys.np.__version__", "99.0.1"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(target, value)
            keys.add(setup_key(setup_of()))
    assert len(keys) == 4
    monkeypatch.setattr(
        "arena.tournament.keys.np.__version__", ".".join(np.__version__.split(".")[:2]) + ".99"
    )
    assert setup_key(setup_of()) in keys


def test_a_lineup_is_its_bots_in_order_whoever_else_takes_part() -> None:
    two, three = setup_of(), setup_of(BOTS, playing.GAP8, playing.PASS)
    of = setup_key(two)
    assert of == setup_key(three)
    base = lineup_key(of, two, (0, 1), {})
    assert lineup_key(of, three, (1, 2), {}) == base
    gap, passes = two.bots
    moved = dataclasses.replace(gap, file_name="other.py")
    changed = dataclasses.replace(gap, content="0" * 64)
    keys = {
        lineup_key(of, dataclasses.replace(two, bots=(bot, passes)), (0, 1), {}) for bot in (moved, changed)
    }
    keys |= {lineup_key(of, two, (1, 0), {})}
    keys |= {lineup_key(of, two, (0, 1), {bot: kind}) for bot in (0, 1) for kind in (Fault.DIED, Fault.LATE)}
    assert len(keys | {base}) == 8
    assert lineup_key(of, three, (1, 2), {0: Fault.DIED}) == base
