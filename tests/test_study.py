"""How a block is studied: whose expected stakes are used for whose turns, and that none come from a deal's own fold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playing import code, play, rules

from arena.analysis.stakes import CELLS, FOLDS, expected_stakes
from arena.tournament.study import POSTS, THIRD, WINS, study_block

GAP = """
class Gap(VectorBot):
    def bet(self, turns):
        return np.where(turns.gap >= 7, turns.max_bet, 0)
"""
HALF = """
class Half(VectorBot):
    def bet(self, turns):
        return np.where(turns.edge > 0, turns.max_bet // 2, turns.min_bet)
"""
PASS = """
class Pass(VectorBot):
    def bet(self, turns):
        return np.zeros(len(turns), dtype=int)
"""
TABLE = rules()
SEED = 7


def sums_of(deals: int, first_deal: int) -> Any:
    """Stakes of two bots in so many deals, ``(bots, 2, FOLDS, CELLS)``."""
    return play([code(GAP), code(HALF)], TABLE, deals=deals, first_deal=first_deal, seed=SEED).stakes.sum(
        axis=2
    )


@pytest.mark.parametrize("deal", [0, 4, 7, 253, 1249])
def test_stakes_of_a_deal_are_kept_in_its_fold(deal: int) -> None:
    decisions = sums_of(1, deal)[:, 0].sum(axis=(0, 2))
    assert np.flatnonzero(decisions).tolist() == [deal % 5]


@pytest.mark.parametrize("first_deal", [0, 7, 253])
def test_what_was_staked_in_a_fold_changes_the_luck_of_the_other_folds_alone(first_deal: int) -> None:
    deals = 60
    result = play([code(GAP), code(HALF)], TABLE, deals=deals, first_deal=first_deal, seed=SEED)
    sums = sums_of(deals, first_deal)
    base = study_block(result, TABLE, SEED, expected_stakes(sums)).luck
    fold = np.arange(first_deal, first_deal + deals) % 5
    for this in range(5):
        other = sums.copy()
        other[:, 1, this] //= 3
        luck = study_block(result, TABLE, SEED, expected_stakes(other)).luck
        assert (luck[[THIRD, WINS]] == base[[THIRD, WINS]]).all()
        is_changed = (luck[POSTS] != base[POSTS]).any(axis=(0, 2))
        assert not is_changed[fold == this].any()
        assert is_changed[fold != this].mean() > 0.9


@pytest.mark.parametrize("position", [0, 1, 2])
def test_the_stakes_of_a_bot_are_expected_in_its_own_turns_whatever_its_seat(position: int) -> None:
    """Where one bot of three alone is expected to stake, posts are luck in its turns alone: 2/3 of it to itself, and a third
    off each of the others, who would have shared the pot.
    """
    table = rules(end__rounds=2, end__pot="split_all")
    result = play([code(GAP), code(HALF), code(PASS)], table, deals=40, seed=SEED)
    stakes = np.zeros((3, FOLDS, CELLS))
    stakes[position] = 0.5
    luck = study_block(result, table, SEED, stakes).luck[POSTS]  # (rotations, deals, positions)
    others = np.delete(luck, position, axis=2)
    assert (np.abs(luck[..., position]) > 1 << 20).mean(axis=1).min() > 0.8  # in every rotation
    assert np.abs(others[..., 0] - others[..., 1]).max() <= 2  # of 2⁻²⁰, by rounding
    assert np.abs(luck[..., position] + 2 * others[..., 0]).max() <= 4


def test_expected_stakes_are_the_mean_of_the_other_folds_and_of_two_decisions_beforehand() -> None:
    one = 1 << 20
    sums = np.zeros((2, FOLDS, CELLS), dtype=np.int64)
    sums[0, :, 3], sums[1, :, 3] = 1, [one // 8 * eighths for eighths in (1, 2, 3, 4, 5)]
    sums[0, 2, 5], sums[1, 2, 5] = 4, one  # a hand that was seen in one fold, four times
    found = expected_stakes(sums)
    most = np.array(
        [14 / 32, 13 / 32, 12 / 32, 11 / 32, 10 / 32]
    )  # in hand 3, of the folds that are not this one
    assert found[:, 3] == pytest.approx((4 * most + most) / 6)
    assert found[:, 5] == pytest.approx((np.array([1, 1, 0, 1, 1]) + most) / (np.array([4, 4, 0, 4, 4]) + 2))
    assert np.delete(found, (3, 5), axis=1) == pytest.approx(
        np.broadcast_to(most[:, None], (FOLDS, CELLS - 2)) / 2
    )


def test_a_bot_that_bets_little_is_not_expected_to_bet_half_of_what_it_may() -> None:
    """Or adjusted chips have far more spread than raw ones."""
    never = code(
        "class Never(VectorBot):\n    def bet(self, turns):\n        return np.zeros(len(turns), dtype=int)\n"
    )
    least = code("class Least(VectorBot):\n    def bet(self, turns):\n        return turns.min_bet\n")
    result = play([never, least], rules(), deals=30, seed=SEED)
    study = study_block(result, rules(), SEED, expected_stakes(result.stakes.sum(axis=2)))
    raw = (result.chips - 1000.0).mean(axis=0)
    adjusted = raw - study.luck[[THIRD, POSTS]].sum(axis=0).mean(axis=0) / (1 << 20)
    assert adjusted[:, 1].std() < 0.8 * raw[:, 1].std()
