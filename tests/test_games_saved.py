"""Taking luck out saves the games that it is said to save, and every part of it does its share.

Bands are those of statistics.md, "Luck, removed exactly", widened by what these bots and seeds may differ from its own:
third cards alone 5–7×, with duplicates 12–37×, with posts 34–114×, a random bettor 2.4–4.3×, the win share 1.5–3.6×.
Measured here: 10–11, 18–24, 26–39, 3.5–4.4, 1.9–2.2.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from playing import GAP, code, play, rules

from arena.analysis.stakes import expected_stakes
from arena.analysis.variates import adjust
from arena.tournament.rows import Rows, collect
from arena.tournament.study import ONE, POSTS, THIRD, study_block

TABLE, SEED, DEALS = rules(), 23, 1500
EDGE = """
class Edge(VectorBot):
    def bet(self, turns):
        return np.where(turns.edge > 0, turns.max_bet, 0)
"""
RANDOM = """
class Random(VectorBot):
    def bet(self, turns):
        return np.where(turns.uniform() < 0.3, 0, np.ceil(turns.max_bet * turns.uniform()).astype(int))
"""
PAIRS = {
    "gaps": (code(GAP), code(GAP, threshold=7)),
    "counter": (code(GAP), code(EDGE)),
    "random": (code(RANDOM), code(GAP)),
}


@cache
def played(pair: str) -> tuple[Any, Rows]:
    """Differences of the two bots in every game, ``(raw, third, posts)`` each ``(rotations, deals)``, and the rows."""
    result = play(PAIRS[pair], TABLE, deals=DEALS, seed=SEED)
    study = study_block(result, TABLE, SEED, expected_stakes(result.stakes.sum(axis=2)))
    parts = np.stack([result.chips.astype(float), *(study.luck[[THIRD, POSTS]] / ONE)])
    return parts[..., 0] - parts[..., 1], collect([result], 2, TABLE.chips, studies=[study])


def saved(pair: str) -> tuple[float, float, float]:
    """Games saved per game played: by third cards in single games, with both rotations, and with posts too."""
    raw, third, posts = played(pair)[0]
    alone = raw.var(axis=1, ddof=1).mean()
    less = raw - third
    both = (2 * rows.mean(axis=0).var(ddof=1) for rows in (less, less - posts))
    return float(alone / less.var(axis=1, ddof=1).mean()), *(float(alone / x) for x in both)


@pytest.mark.parametrize("pair", ["gaps", "counter"])
def test_luck_taken_out_saves_games_of_bots_without_chance(pair: str) -> None:
    third, duplicates, posts = saved(pair)
    assert 5 < third < 14
    assert 12 < duplicates < 37
    assert 22 < posts < 114


def test_luck_taken_out_saves_fewer_games_of_a_random_bettor() -> None:
    third, duplicates, posts = saved("random")
    assert 2.4 < third < 5
    assert 2.4 < duplicates < 5
    assert 2.4 < posts < 6


@pytest.mark.parametrize(("pair", "part"), [("gaps", 0.75), ("counter", 0.85), ("random", 0.92)])
def test_the_luck_of_posts_lowers_the_variance_beyond_that_of_third_cards(pair: str, part: float) -> None:
    _, third, both = saved(pair)
    assert third / both < part


@pytest.mark.parametrize("pair", PAIRS)
def test_luck_taken_out_saves_games_where_wins_are_counted(pair: str) -> None:
    rows = played(pair)[1]
    by_wins, by_all = (
        float((rows.win_share.var(axis=0) / adjust(rows.win_share, x.transpose(1, 2, 0), rows.deals).rows.var(axis=0)).min())
        for x in (rows.mean_luck[2:], rows.mean_luck)
    )  # fmt: skip
    assert 1.5 < by_wins < 2.6
    assert 1.8 < by_all < 3.6
    assert by_all > by_wins
