"""Control variates by folds, the disagreement flag, and games saved: values by hand, and nothing to tell."""

import math

import numpy as np
import pytest
from scipy import stats

from arena.analysis.variates import Agreement, GamesSaved, adjust, agreement, games_saved


def test_what_luck_explains_wholly_is_taken_away_wholly() -> None:
    rng = np.random.default_rng(0)
    luck = rng.normal(0, 1, (40, 2, 2))
    w = np.array([0.5, 0.25]) + luck @ np.array([0.02, -0.01])
    found = adjust(w, luck)
    assert found.is_adjusted
    assert found.rows == pytest.approx(np.broadcast_to([0.5, 0.25], (40, 2)), abs=1e-12)


def test_beta_by_hand() -> None:
    # Control ±1 in turn, w = 3 · control on deals of folds 1–4 and 0 on those of fold 0: beta is 3 for
    # fold 0, which has none of it, and for each other fold three quarters of it, 3 · 24/32
    control = np.where(np.arange(40) % 2 == 0, 1.0, -1.0)[:, None, None]
    is_fold_0 = np.arange(40) % 5 == 0
    w = np.where(is_fold_0, 0.0, 3 * control[:, 0, 0])[:, None]
    beta = (w - adjust(w, control).rows)[:, 0] / control[:, 0, 0]
    assert beta == pytest.approx(np.where(is_fold_0, 3.0, 2.25))


def test_beta_depends_on_nothing_of_its_own_fold() -> None:
    rng = np.random.default_rng(1)
    w, luck, deals = rng.random((60, 3)), rng.normal(size=(60, 3, 2)), np.arange(7, 127, 2)
    before = adjust(w, luck, deals).rows
    mine = deals % 5 == 3
    changed = np.where(mine[:, None], rng.random((60, 3)), w)
    after = adjust(changed, luck, deals).rows
    assert (changed - after)[mine] == pytest.approx((w - before)[mine], abs=1e-12)
    assert not np.allclose((changed - after)[~mine], (w - before)[~mine])


@pytest.mark.parametrize("deals", [0, 1, 2, 19])
def test_few_deals_are_left_as_they_are(deals: int) -> None:
    w = np.random.default_rng(2).random((deals, 2))
    found = adjust(w, np.ones((deals, 2, 3)))
    assert not found.is_adjusted
    assert (found.rows == w).all()


def test_controls_that_say_nothing_or_the_same_twice_do_no_harm() -> None:
    rng = np.random.default_rng(3)
    one = rng.normal(0, 1, (50, 2, 1))
    w = 0.5 + 0.1 * one[:, :, 0] + rng.normal(0, 0.1, (50, 2))
    expected = adjust(w, one).rows
    nothing = np.zeros_like(one)
    for controls in ([one, nothing], [nothing, nothing + 0.1, one], [one, 7e9 * one, -one], [1e-150 * one]):
        found = adjust(w, np.concatenate(controls, axis=2)).rows
        assert found == pytest.approx(expected, abs=1e-9)
    assert (adjust(w, nothing).rows == w).all()
    assert not adjust(w, np.zeros((50, 2, 0))).is_adjusted


def test_deals_of_a_single_fold_teach_nothing() -> None:
    rng = np.random.default_rng(4)
    w, luck = rng.random((30, 2)), rng.normal(size=(30, 2, 1))
    found = adjust(w, luck, np.arange(0, 150, 5))
    assert not found.is_adjusted
    assert (found.rows == w).all()


def test_rows_that_never_vary_stay() -> None:
    luck = np.random.default_rng(5).normal(size=(30, 2, 1))
    assert adjust(np.full((30, 2), 0.5), luck).rows == pytest.approx(np.full((30, 2), 0.5))


def test_controls_of_other_deals_are_an_error() -> None:
    with pytest.raises(ValueError, match="expected controls of"):
        adjust(np.zeros((30, 2)), np.zeros((29, 2, 1)))


def test_luck_far_from_zero_disagrees() -> None:
    # 1..11: mean 6, standard error 1, so t = 6 against t(.99975, 10) for two bots
    luck = np.column_stack([np.zeros(11), np.arange(1.0, 12.0)])
    found = agreement(luck)
    assert found.max_t == pytest.approx(6)
    assert found.quantile == pytest.approx(stats.t.ppf(1 - 0.001 / 4, 10))
    assert (found.agrees, found.bot) == (False, 1)
    assert agreement(luck - 1.5).agrees  # t = 4.5; the quantile is 5.05


def test_no_luck_agrees_and_too_few_deals_say_nothing() -> None:
    assert agreement(np.zeros((50, 8))).agrees
    assert agreement(np.zeros((1, 2))) == agreement(np.zeros((0, 2))) == Agreement(None, None, None, None)
    assert agreement(np.array([[1.0, -1.0], [1.0, 2.0]])).agrees


def test_luck_that_never_varies_is_judged_by_its_sign() -> None:
    assert agreement(np.full((8, 1), 0.5)).agrees  # 2^-7 = 0.0078
    assert not agreement(np.full((11, 1), 0.5)).agrees  # 2^-10 = 0.00098
    assert not agreement(np.full((5000, 2), -1e-3)).agrees


def test_games_saved_are_ratios_of_variances() -> None:
    # Bots 0 and 1 are spread half as far once adjusted: 4 times; bot 2 a third: 9 times
    x = np.random.default_rng(6).permutation(np.eye(20))[:, :3]
    found = games_saved(x, x / np.array([2.0, 2.0, 3.0]))
    assert found.bots == pytest.approx((4, 4, 9))
    # variance v, covariance −c: differences 2(v + c) before; after, 0–1: (v + c)/2, 0–2: v/4 + v/9 + c/3
    v, c = 1 / 20, 1 / 380
    assert found.pairs == pytest.approx(2 * (v + c) / (v * 13 / 36 + c / 3))


def test_games_saved_say_nothing_where_nothing_varies() -> None:
    rng = np.random.default_rng(7)
    one = rng.normal(1e6, 1, (30, 1))
    raw = np.concatenate([one, one, np.full((30, 1), 0.1)], axis=1)  # clones, and a bot that never bets
    found = games_saved(raw, raw / 2)
    assert found.bots == (pytest.approx(4), pytest.approx(4), None)
    assert found.pairs == pytest.approx(4)  # of each clone and the third
    assert games_saved(raw[:, :2], raw[:, :2]).pairs is None
    assert games_saved(raw, np.zeros_like(raw)) == GamesSaved((None, None, None), None)
    assert games_saved(raw[:1], raw[:1]) == GamesSaved((None, None, None), None)
    assert not math.isnan(games_saved(raw[:2], raw[:2]).pairs or 0)
    with pytest.raises(ValueError, match="expected adjusted rows"):
        games_saved(raw, raw[:, :2])
