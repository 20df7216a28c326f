"""Bots that hang, each in its own way, are ended in time and said to be late; one that crashes is told at which decision."""

from __future__ import annotations

import hashlib

import pytest
from hostile_lab import CannotBeHereError, hostile_bots, play
from playing import PASS, code, rules

from arena.bot.faults import Fault
from arena.bot.harness import BotCode
from arena.bot.host import Limits
from arena.tournament.blocks import Block
from arena.tournament.executors import Setup
from arena.tournament.runner import Run

pytestmark = [pytest.mark.slow, pytest.mark.alone]
BOTS = hostile_bots()
LATE = [name for name, bot in BOTS.items() if bot.expect == "late"]
LAYERS = "identity,limits,landlock,seccomp,imports"


@pytest.mark.parametrize("name", LATE)
@pytest.mark.parametrize("who", ["root", "user"])
def test_a_bot_that_hangs_is_late(who: str, name: str) -> None:
    try:
        outcome = play([name], who, LAYERS, decision_s=0.02, bank_s=0.05, rounds=6, deals=1)[name]
    except CannotBeHereError as why:
        pytest.skip(str(why))
    assert outcome.verdict() == "late"


def test_of_seven_hundred_decisions_the_one_that_crashed_is_named() -> None:
    bot = BOTS["blame_700"]
    source = bot.path.read_bytes()
    crashing = BotCode(source, bot.path.name, bot.class_name, {}, hashlib.sha256(source).hexdigest())
    setup = Setup((crashing, code(PASS)), rules(), 7, 10, Limits(0.02, 1.0, 256 << 20), False)
    block = Block((0, 1), 0, 750)
    with Run(setup, 1) as run:
        (result,) = run.play([block], lambda _: None)
        assert run.out == {0: Fault.DIED}
    first = result.first_faults[0, 0, Fault.DIED]
    assert first.deal == 699
    assert "exit code 7" in first.text
    assert result.faults[:, 0, Fault.DIED].tolist() == [750, 750]
