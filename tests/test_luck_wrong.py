"""Wrong ways to measure luck, and that enumeration finds them out: what proves the right way could have failed."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import test_luck
from playing import rules
from test_luck import Counter, Whim, expected_luck, some_rules, with_packs

from arena.analysis.luck import Luck
from arena.game import cards as c
from arena.game.questions import PostDraw, ThirdDraw
from arena.game.rules import TableRules

WHOLE = np.uint64(c.FULL)


def _fresh_third() -> Any:
    """Fresh packs less the two posts, by hand code."""
    masks = []
    for code in range(270):
        low, high = (code // 15, code % 15) if code < c.HIGHER else (code % 15, code % 15)
        low, high = low if low > 1 else 14, high if high > 1 else 14
        mask = c.FULL & ~(1 << 4 * (max(low, 2) - 2)) & ~(2 << 4 * (max(high, 2) - 2))
        masks.append(mask)
    return np.array(masks, dtype=np.uint64)


FRESH_THIRD = _fresh_third()


class FreshPacks(Luck):
    """Wrong: odds of fresh packs less the posts, in place of the unseen cards of the moment."""

    def third(self, draw: ThirdDraw) -> None:
        unseen = np.full_like(draw.unseen, WHOLE)
        unseen[0] = FRESH_THIRD[draw.code]
        super().third(replace(draw, unseen=unseen))

    def post(self, draw: PostDraw) -> None:
        super().post(replace(draw, unseen=np.full_like(draw.unseen, WHOLE)))


class ActualCall(Luck):
    """Wrong: the first post's worth by the call that was made of its ace, its expectation by the predicted one."""

    def _second(self, state: Any, rank: Any, forming: Any) -> Any:
        luck = super()._second(state, rank, forming)
        called = self._hands.expected_after(forming.worth, state, forming.after)
        is_luck = forming.after.sum(axis=0) > 0  # a last card is none
        return luck + np.where(is_luck, called - forming.expected, 0)


class StaleAtShuffle(Luck):
    """Wrong: where the pack ran out in mid-turn, the third card by the cards unseen before that."""

    def post(self, draw: PostDraw) -> None:
        if draw.first is None:
            if not hasattr(self, "before"):
                self.before = np.zeros((len(draw.unseen), self.third_luck.shape[1]), dtype=np.uint64)
            self.before[:, draw.rows] = draw.unseen
        super().post(draw)

    def third(self, draw: ThirdDraw) -> None:
        before = self.before[:, draw.rows]
        super().third(replace(draw, unseen=np.where(c.count(before) <= 2, before, draw.unseen)))


def found_out(chance: random.Random, player: Any, tables: list[tuple[TableRules, list[int]]]) -> Any:
    """At how many of these tables the mean luck of each kind is not 0, ``(3,)``, and the greatest such mean."""
    means = np.array([np.abs(expected_luck(chance, player, *at, 1)[0]).max(axis=1) for at in tables])
    return (means > 1e-3).sum(axis=0), means.max(axis=0)


def some_tables(
    chance: random.Random, unseen: tuple[int, ...], ace_first: str | None = None
) -> list[tuple[TableRules, list[int]]]:
    """Rules as ``test_luck`` has them, shuffled when exhausted, and so many unseen cards, an ace among them."""
    out: list[tuple[TableRules, list[int]]] = []
    while len(out) < 15:
        table = some_rules(chance)
        if table.deck.shuffle != "exhausted":
            continue
        table = with_packs(table, min(table.deck.packs, 3))  # few courses after a shuffle
        if ace_first is not None:
            table = table.model_copy(update={"ace": table.ace.model_copy(update={"first": ace_first})})
        out.append((table, sorted({*chance.sample(range(48), chance.choice(unseen) - 1), 51})))
    return out


@pytest.mark.parametrize("player", [Counter(), Whim()], ids=["counter", "whim"])
def test_the_right_way_is_right_at_the_tables_below(player: Any) -> None:
    chance = random.Random(5)
    for unseen, ace in (((5, 8), None), ((4, 6), "call"), ((1, 2), None)):
        assert (found_out(chance, player, some_tables(chance, unseen, ace))[0] == 0).all()


def test_odds_of_fresh_packs_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_luck, "Luck", FreshPacks)
    chance = random.Random(5)
    times, most = found_out(chance, Counter(), some_tables(chance, (5, 8)))
    assert (times >= [12, 12, 5]).all()
    assert (most > [1, 0.2, 0.01]).all()


def test_the_call_that_was_made_in_half_of_a_term_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_luck, "Luck", ActualCall)
    chance = random.Random(5)
    times, most = found_out(chance, Whim(), some_tables(chance, (4, 6), "call"))
    assert times[1] >= 5
    assert most[1] > 0.05
    assert times[0] == times[2] == 0  # the other terms are right


def test_a_shuffle_forgotten_in_mid_turn_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_luck, "Luck", StaleAtShuffle)
    chance = random.Random(5)
    times, most = found_out(chance, Whim(), some_tables(chance, (1, 2)))
    assert times[0] >= 5
    assert times[2] >= 5
    assert most[0] > 1
    assert times[1] == 0
    assert found_out(chance, Whim(), some_tables(chance, (3, 5)))[0].max() == 0  # no shuffle, no error


def test_fresh_packs_less_the_posts_are_what_they_say() -> None:
    table = rules()
    assert c.count(FRESH_THIRD[None, [2 * 15 + 10, c.HIGHER + 6, 1 * 15 + 14]]).tolist() == [50, 50, 50]
    assert table.deck.packs == 1
