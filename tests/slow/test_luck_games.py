"""Luck has mean zero in whole games: under random rules, with bots that count and bots that bet at random, and with stakes
learned across folds of few deals; wrong ways to measure it are found out.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from playing import GAP, code, play, rules
from scipy.special import ndtri
from test_luck import some_rules
from test_luck_wrong import ActualCall, FreshPacks, StaleAtShuffle

from arena.analysis.luck import Luck
from arena.analysis.stakes import CELLS, FOLDS, expected_stakes, stake_sums
from arena.game import cards as c
from arena.game.engine import Engine
from arena.game.questions import Question
from arena.game.rules import TableRules
from arena.tournament.blocks import BlockResult
from arena.tournament.match import Retold

pytestmark = pytest.mark.slow
SEED, TABLE, SHORT = 23, rules(), rules(end__rounds=2)
COUNTER = """
class Counter(VectorBot):
    def bet(self, turns):
        return np.where(turns.edge > 0, turns.max_bet, 0)
    def call_ace(self, turns):
        return np.ones(len(turns), dtype=bool)
    def call_pair(self, turns):
        return turns.higher < turns.lower
"""
RANDOM = """
class Random(VectorBot):
    def bet(self, turns):
        return np.where(turns.uniform() < 0.3, 0, np.ceil(turns.max_bet * turns.uniform()).astype(int))
    def call_ace(self, turns):
        return turns.uniform() < 0.5
    call_pair = call_ace
"""
NEVER = """
class Never(VectorBot):
    def bet(self, turns):
        return np.zeros(len(turns), dtype=int)
"""

Floats = Any


class Staking(Retold):
    """Adds up the stakes of each seat by group of deals as answers are given again."""

    def __init__(self, result: BlockResult, rotation: int, group: Any, n_groups: int) -> None:
        super().__init__(result, rotation)
        seats = len(result.block.lineup)
        self.group, self.n_groups = group, n_groups
        self.sums = np.zeros((seats, 2, n_groups, CELLS), dtype=np.int64)

    def bet(self, question: Question) -> Any:
        bets, faulty = super().bet(question)
        self.sums[question.seat] += stake_sums(question, bets, self.group[question.rows], self.n_groups)
        return bets, faulty


def luck_of(result: BlockResult, table: TableRules, stakes: Floats, group: Any, kind: type[Luck]) -> Floats:
    """Luck by kind, ``(3, deals, rotations, bots)``; ``stakes`` ``(bots, groups, CELLS)``, ``group`` ``(deals,)``."""
    block, k = result.block, len(result.block.lineup)
    draws = c.SeededDraws(SEED, block.first_deal, block.deals)
    found = np.zeros((3, block.deals, k, k))
    for rotation in range(k):
        seats = [(position + rotation) % k for position in range(k)]
        luck = kind(table, k, block.deals, stakes[np.argsort(seats)], group)
        told = Retold(result, rotation)
        Engine(table, k, block.deals, draws, told, witness=luck).play()
        found[:, :, rotation] = [part[seats].T for part in (luck.third_luck, luck.posts_luck, luck.wins_luck)]
    return found


def t_of(x: Floats) -> Floats:
    """t of the means over axis 0; 0 where nothing varies."""
    spread = x.std(axis=0, ddof=1)
    return x.mean(axis=0) / np.where(spread > 1e-12, spread, np.inf) * np.sqrt(len(x))


def luck_ts(
    texts: Sequence[Any], table: TableRules, deals: int, kind: type[Luck] = Luck, first_deal: int = 0
) -> Floats:
    """t of each kind of luck and bot over these deals, ``(3, bots)``, stakes learned across their folds."""
    result = play(texts, table, deals=deals, seed=SEED, first_deal=first_deal)
    stakes = expected_stakes(result.stakes.sum(axis=2))
    fold = np.arange(first_deal, first_deal + deals) % FOLDS
    return t_of(luck_of(result, table, stakes, fold, kind).mean(axis=2).transpose(1, 0, 2))


def long_rules(chance: random.Random) -> TableRules:
    """Any rules, over so many rounds that packs run out."""
    table = some_rules(chance)
    rounds = chance.choice([6, 8, 11])
    return table.model_copy(update={"end": table.end.model_copy(update={"rounds": rounds})})


def test_luck_has_mean_zero_under_random_rules() -> None:
    """All together: the greatest |t| would be beyond the bound once in a thousand runs."""
    chance = random.Random(8)
    found: list[float] = []
    for at in range(24):
        seats, table = chance.choice([2, 2, 3, 4]), long_rules(chance)
        bots = [code((COUNTER, RANDOM)[(at + seat) % 2]) for seat in range(seats)]
        found += luck_ts(bots, table, 2000, first_deal=2000 * at).ravel().tolist()
    varied = np.abs([t for t in found if t != 0])
    assert len(varied) > 100
    assert varied.max() < -ndtri(0.0005 / len(varied))
    assert 0.7 < np.sqrt((varied**2).mean()) < 1.3  # as great as they should be, and not only not too great


def test_fresh_pack_odds_are_found_out_by_a_counter_and_by_nobody_else() -> None:
    assert np.abs(luck_ts([code(GAP), code(GAP, threshold=6)], TABLE, 6000, FreshPacks)).max() < 4
    counters = [code(COUNTER), code(GAP)]
    third, _, wins = luck_ts(counters, TABLE, 6000, FreshPacks)
    assert np.abs([third, wins]).min() > 5
    assert np.abs(luck_ts(counters, TABLE, 6000)).max() < 4


def test_a_call_that_was_made_in_half_of_a_term_is_found_out() -> None:
    bots = [code(COUNTER), code(GAP)]  # that call high, that call low
    third, posts, wins = luck_ts(bots, TABLE, 24_000, ActualCall)
    assert np.abs(posts).min() > 4.5
    assert np.abs([third, wins]).max() < 4
    assert np.abs(luck_ts(bots, TABLE, 12_000)).max() < 4


def test_a_shuffle_forgotten_in_mid_turn_is_found_out() -> None:
    bots, table = [code(GAP, threshold=6), code(NEVER)], rules(end__rounds=30)
    third, posts, wins = luck_ts(bots, table, 6000, StaleAtShuffle)
    assert np.abs([third, wins]).min() > 5
    assert np.abs(posts).max() < 4
    assert np.abs(luck_ts(bots, table, 6000)).max() < 4


# ---- stakes learned from few deals


def same_deals(sums: Any) -> Floats:
    """The wrong way to learn: the mean stake of all deals, those it is used on among them."""
    n, share = sums.sum(axis=-2)[..., 0, :], sums.sum(axis=-2)[..., 1, :]
    mean = share / (np.maximum(n, 1) * float(1 << 20))
    return np.repeat(mean[..., None, :], FOLDS, axis=-2)


def stakes_by_run(result: BlockResult, table: TableRules, deals: int, learn: Any) -> tuple[Floats, Any]:
    """Stakes that each run of so many deals learns from itself, ``(bots, runs · FOLDS, CELLS)``, and each deal's place."""
    block, k = result.block, len(result.block.lineup)
    runs, at = block.deals // deals, np.arange(block.deals)
    group = at // deals * FOLDS + at % FOLDS
    sums = np.zeros((k, 2, runs * FOLDS, CELLS), dtype=np.int64)
    draws = c.SeededDraws(SEED, block.first_deal, block.deals)
    for rotation in range(k):
        told = Staking(result, rotation, group, runs * FOLDS)
        Engine(table, k, block.deals, draws, told).play()
        sums += told.sums[[(position + rotation) % k for position in range(k)]]
    by_run = sums.reshape(k, 2, runs, FOLDS, CELLS).swapaxes(1, 2)
    return learn(by_run).reshape(k, -1, CELLS), group


def posts_luck_by_run(deals: int, runs: int, learn: Any) -> Floats:
    """The mean luck by posts of a bot against one that never bets in runs of so many deals, ``(runs,)``.

    Each run learns its stakes from itself. Games are short, so that many kinds of hands are rare in a run.
    """
    out = []
    for first in range(0, deals * runs, 4000):
        result = play([code(GAP), code(NEVER)], SHORT, deals=4000, first_deal=first, seed=SEED)
        stakes, group = stakes_by_run(result, SHORT, deals, learn)
        luck = luck_of(result, SHORT, stakes, group, Luck)[1].mean(axis=1)
        out.append(luck[:, 0].reshape(-1, deals).mean(axis=1))
    return np.concatenate(out)


@pytest.mark.parametrize(("deals", "runs"), [(10, 4000), (50, 1600), (100, 800), (400, 200)])
def test_stakes_learned_across_folds_bring_no_bias(deals: int, runs: int) -> None:
    assert abs(t_of(posts_luck_by_run(deals, runs, expected_stakes))) < 3.5


@pytest.mark.parametrize(("deals", "runs", "bias_chips"), [(10, 4000, 0.4), (50, 1600, 0.04)])
def test_stakes_learned_on_the_same_deals_are_biased(deals: int, runs: int, bias_chips: float) -> None:
    luck = posts_luck_by_run(deals, runs, same_deals)
    assert t_of(luck) > 5
    assert luck.mean() > bias_chips
