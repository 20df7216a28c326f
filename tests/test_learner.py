"""The learner's table of stakes, and the tool that tuned it."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from playing import code, play, rules

from arena.bot.harness import BotCode
from arena.game.rules import preset_names

ROOT = Path(__file__).parent.parent
FILE = ROOT / "bots" / "strong" / "learner.py"


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = loaded  # dataclasses look their module up there
    spec.loader.exec_module(loaded)
    return loaded


LEARNER = module(FILE)
TUNE = module(ROOT / "benchmarks" / "tune.py")
SHIPPED = re.search(r"STAKES = \(\n.*?\)  # fmt: skip\n", FILE.read_text(), re.DOTALL)


def learner(stakes: list[float]) -> BotCode:
    made: BotCode = TUNE.code(FILE, "Learner", stakes=stakes)
    return made


# A bot that stakes the same sum of straight lines by hand, a point of each scale at a time.
BY_HAND = """
class ByHand(Bot):
    def bet(self, turn):
        ranks = {"higher": 14 - turn.low, "lower": turn.low - 2, None: turn.gap}[turn.call]
        edge = min(max((turn.edge - 0.1) / 0.1, 0), 1)   # from 0 at .1 to 1 at .2
        wide = min(max((ranks - 8) / 1, 0), 1)           # from 0 at 8 to 1 at 9
        big = min(max((turn.pot / turn.chips - 0.1) / 0.2, 0), 1)
        late = 1 - min(max(turn.rounds - turn.round, 0), 1)
        lead = (turn.chips - max(turn.stacks[: turn.seat] + turn.stacks[turn.seat + 1 :])) / 1000
        ahead = min(max((lead - 0.05) / 0.15, 0), 1)
        share = 0.5 * edge + 0.25 * wide + 0.125 * big + 0.125 * late - 0.5 * ahead
        stake = round(min(max(share, 0), 1) * turn.max_bet)
        return stake if stake >= turn.min_bet else 0
"""


def test_a_stake_is_the_sum_of_the_five_scales_each_a_straight_line_between_its_points() -> None:
    stakes = [0.0, 0, 0, 0, 0.5, 0.5, 0.5]  # edge
    stakes += [0, 0, 0, 0.25, 0.25, 0.25]  # gap
    stakes += [0, 0, 0, 0.125, 0.125]  # pot
    stakes += [0.125, 0, 0, 0, 0]  # rounds left
    stakes += [0, 0, 0, 0, -0.5]  # lead
    for seats in (2, 3):
        others = [
            code("class Gap(Bot):\n    def bet(self, turn):\n        return turn.max_bet * (turn.gap > 7)\n")
        ]
        others *= seats - 1
        a, b = (play([one, *others], rules("nepali"), deals=60) for one in (learner(stakes), code(BY_HAND)))
        assert (a.bets == b.bets).all()
        assert len(set(a.bets.ravel().tolist())) > 50


@pytest.mark.parametrize("name", preset_names())
def test_the_learner_makes_no_mistake_on_any_table(name: str) -> None:
    others = [code("class Most(Bot):\n    def bet(self, turn):\n        return turn.max_bet\n")]
    for seats in (2, 5):
        played = play([learner(list(LEARNER.STAKES)), *(others * (seats - 1))], rules(name), deals=20)
        assert not played.faults.any()


def test_the_file_holds_the_shipped_table_as_the_tool_writes_it() -> None:
    assert SHIPPED is not None
    assert SHIPPED[0] == TUNE.as_text(LEARNER.STAKES, TUNE.scale_sizes())
    assert len(LEARNER.STAKES) == len(TUNE.START) == sum(TUNE.scale_sizes())


@pytest.mark.slow
def test_tuning_gives_the_same_table_for_the_same_seed_and_one_that_is_better_than_its_start() -> None:
    budget = TUNE.Budget(3, tables=4, deals=40, proof_deals=300, rivals=TUNE.RIVALS[:1])
    one, same, other = (TUNE.tune(seed, budget) for seed in (3, 3, 4))
    assert one == same
    assert TUNE.as_text(one.stakes, TUNE.scale_sizes()) == TUNE.as_text(same.stakes, TUNE.scale_sizes())
    assert one.stakes != other.stakes
    for found in (one, other):
        assert found.result - found.start > found.gain_error > 0


def test_the_shipped_table_beats_the_bots_it_was_tuned_against_on_cards_of_another_seed() -> None:
    worth = TUNE.worth(LEARNER.STAKES, 20_261_130, 0, 1000)
    assert worth.mean() - 2 * worth.std() / 1000**0.5 > 0


def test_no_report_is_of_the_seed_that_tuned() -> None:
    seeds = {yaml.safe_load(path.read_text())["seed"] for path in (ROOT / "configs").glob("*.yaml")}
    assert seeds
    assert TUNE.SEED not in seeds


@pytest.mark.slow
def test_the_shipped_table_is_what_the_tool_gives() -> None:
    found = TUNE.tune(TUNE.SEED, TUNE.SHIPPED)
    assert SHIPPED is not None
    assert TUNE.as_text(found.stakes, TUNE.scale_sizes()) == SHIPPED[0]
