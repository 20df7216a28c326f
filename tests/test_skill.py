"""Skill: losses worked out by hand, against every legal bet under random rules, and against the odds of the same hand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from grading import fresh_loss, loss, skill_of
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import rules
from test_odds import Asks

from arena.analysis.skill import (
    GAPS,
    PARTS,
    Measure,
    SkillReport,
    SkillSums,
    grades_of,
)
from arena.analysis.terms import part_of
from arena.game import cards as c
from arena.game.engine import Engine
from arena.game.questions import ASK_BET, GAP, PAIR, TRIPS, Question
from arena.game.rules import TableRules, table_rules


def ints(*x: int) -> c.Ints:
    return np.array(x, dtype=np.int64)


class Nobody:
    """Answers nothing: for tables that are only looked at."""

    def call_ace(self, question: Question) -> Any:
        raise AssertionError

    call_pair = bet = call_ace


def question(
    table: TableRules,
    counts: tuple[int, int, int],
    *,
    pot: int,
    low: int,
    high: int,
    kind: int = GAP,
    call: int = 0,
    limits: tuple[int, int],
    stacks: tuple[int, ...] = (1000, 1000),
    round: int = 1,
    times: int = 1,
) -> Question:
    """A bet question to seat 0, the same at ``times`` tables; ``counts`` are wins, hits and losses."""
    engine = Engine(table, len(stacks), times, c.SeededDraws(0, 0, times), Nobody())
    engine.chips[:] = np.array(stacks)[:, None]
    engine.pot[:] = pot
    engine.round = round

    def full(x: int) -> c.Ints:
        return np.full(times, x, dtype=np.int64)

    wins, hits, losses = map(full, counts)
    return Question(
        what=ASK_BET, seat=0, round=round, place=0, rows=np.arange(times), low=full(low), high=full(high),
        kind=full(kind), call=full(call), pot=full(pot), chips=full(stacks[0]), min_bet=full(limits[0]),
        max_bet=full(limits[1]), wins=wins, hits=hits, losses=losses, other=full(0), wager=full(0), unseen=engine.unseen,
        tables=engine,
    )  # fmt: skip


# ---- by hand


def test_passing_a_good_hand_and_betting_a_bad_one_lose_their_edge() -> None:
    good = question(
        rules(), (32, 6, 12), pot=20, low=3, high=12, limits=(1, 20), times=4
    )  # gap 8: +.16 a chip
    assert loss(good, ints(20, 10, 1, 0)) == pytest.approx([0, 0.8, 1.52, 1.6], abs=1e-12)
    bad = question(rules(), (12, 6, 32), pot=20, low=3, high=7, limits=(1, 20), times=3)  # gap 3: −.64
    assert loss(bad, ints(0, 1, 20)) == pytest.approx([0, 0.32, 6.4], abs=1e-12)


def test_what_stays_in_the_pot_for_the_player_is_not_lost() -> None:
    hand: dict[str, Any] = {"pot": 20, "low": 3, "high": 12, "limits": (1, 20)}
    for end_pot, stacks, share in (
        ("split_live", (50, 50, 50, 50), 1 / 4),
        ("split_live", (50, 0, 50, 50), 1 / 3),
        ("split_all", (50, 0, 50, 50), 1 / 4),
    ):
        asked = question(rules(end__pot=end_pot), (32, 6, 12), stacks=stacks, **hand)
        assert loss(asked, ints(0)) == pytest.approx([3.2 * (1 - share)])


def test_a_hit_costs_no_more_than_all_chips() -> None:
    # multiplier 2, 10 chips: staking 10 a hit costs 10, not 20; (30·10 − 14·10 − 6·10)/50 = 2
    asked = question(rules(), (30, 6, 14), pot=20, low=3, high=12, limits=(1, 10), stacks=(10, 50), times=3)
    assert loss(asked, ints(10, 5, 0)) == pytest.approx([0, 1 - 0.2, 1.0])  # 5: (150 − 70 − 60)/50 = .4


def test_trips_are_best_bet_where_the_pot_can_just_pay_and_0_is_the_least_bet_where_it_is_no_pass() -> None:
    asked = question(
        rules("denexa_house", bet__min=1),
        (2, 0, 48),
        pot=100,
        low=9,
        high=9,
        kind=TRIPS,
        limits=(1, 100),
        times=4,
    )
    # 25 to 1: a bet of 4 wins 100: (200 − 192)/50 = .16; 1 is worth .04, 8 is worth −3.68
    graded = grades_of(asked, ints(4, 0, 1, 8))
    assert graded.lost == pytest.approx([0, 0.06, 0.06, 1.92])
    assert graded.stake.tolist() == [4, 1, 1, 8]
    assert graded.best_stake.tolist() == [4] * 4
    assert graded.agrees.tolist() == [True, False, False, True]


def test_trips_may_be_best_bet_a_chip_beyond_what_the_pot_pays_in_full() -> None:
    table = rules("denexa_house", bet__min=1)
    asked = question(table, (2, 0, 10), pot=110, low=9, high=9, kind=TRIPS, limits=(1, 100), times=3)
    # 4 is worth (200 − 40)/12, 5 (220 − 50)/12, 6 (220 − 60)/12; a fresh pack has 48 losers: 4 is best
    assert loss(asked, ints(4, 5, 6)) == pytest.approx([10 / 24, 0, 10 / 24])
    assert fresh_loss(asked, ints(4, 5, 6)) == pytest.approx(
        [0, (8 - (220 - 240)) / 100, (8 - (220 - 288)) / 100]
    )
    two_packs = rules("denexa_house", bet__min=1, deck__packs=2, post__multiplier=2)
    asked = question(two_packs, (2, 0, 10), pot=110, low=9, high=9, kind=TRIPS, limits=(1, 100))
    assert fresh_loss(asked, ints(1)) == pytest.approx([((600 - 4 * 96) - (150 - 96)) / 102 / 2])


def test_0_takes_the_payment_on_pairs_that_pay() -> None:
    table = rules(
        "denexa_house", pair__rule="auto_pay_or_trips", bet__min=5, pair__pay=2, pair__pay_unit="min_bet"
    )
    asked = question(table, (2, 0, 48), pot=100, low=9, high=9, kind=TRIPS, limits=(5, 100), times=2)
    # the payment is 10; a bet of 5 is worth (2·100 − 48·5)/50 = −.8
    assert loss(asked, ints(0, 5)) == pytest.approx([0, 5.4])
    assert grades_of(asked, ints(0, 5)).agrees.tolist() == [True, False]


def test_either_side_is_right_where_zero_is_worth_as_much() -> None:
    even = question(rules(), (28, 6, 16), pot=20, low=3, high=11, limits=(1, 20), times=2)
    graded = grades_of(even, ints(0, 20))
    assert graded.lost.tolist() == [0, 0]
    assert graded.agrees.tolist() == [True, True]
    assert graded.best_stake.tolist() == [0, 0]


def test_fresh_odds_tell_sizing_from_counting() -> None:
    # gap 8 with eight of the winners gone: a fresh pack says +.16, the unseen cards (24 − 12 − 12)/42 = 0
    asked = question(rules(), (23, 6, 12), pot=20, low=3, high=12, limits=(1, 20), times=2)
    assert loss(asked, ints(20, 0)) == pytest.approx([20 / 41 / 2, 0])
    assert fresh_loss(asked, ints(20, 0)) == pytest.approx([0, 1.6])
    pair = question(rules(), (10, 2, 20), pot=20, low=6, high=6, kind=PAIR, call=1, limits=(1, 20))
    # sixes called higher: 32 win, 2 hit at double, 16 lose of 50
    assert fresh_loss(pair, ints(0)) == pytest.approx([20 * (32 - 16 - 4) / 50 / 2])
    lower = question(rules(), (10, 2, 20), pot=20, low=6, high=6, kind=PAIR, call=-1, limits=(1, 20))
    assert fresh_loss(lower, ints(20)) == pytest.approx([20 * (32 + 4 - 16) / 50 / 2])
    ace = question(rules(deck__packs=2), (48, 2, 0), pot=20, low=1, high=14, limits=(1, 20))
    assert fresh_loss(ace, ints(0)) == pytest.approx([20 * (96 - 2 * 6) / 102 / 2])


def test_the_report_is_the_mean_of_what_was_graded() -> None:
    asked = question(
        rules(end__rounds=10), (32, 6, 12), pot=20, low=3, high=12, limits=(1, 20), times=4, round=6
    )
    sums = skill_of(asked, ints(20, 10, 0, 0))
    report = SkillReport.of(sums, rules())
    row = report.total
    assert (row.decisions, row.unforced, row.agreement, row.fresh_agreement) == (4, 4, 0.5, 0.5)
    assert row.lost_chips == pytest.approx(4.0, abs=1e-4)
    assert row.lost_per_decision_chips == row.fresh_lost_per_decision_chips == pytest.approx(1.0, abs=1e-4)
    assert row.error_rate == row.fresh_error_rate == pytest.approx(50, abs=1e-4)
    assert [r.label for r in (*report.by_gap, *report.by_rounds_left)] == ["8", "3–4"]
    assert [r.label for r in report.by_pot] == ["4–8 antes" if rules().ante.amount == 5 else "2–4 antes"]
    (point,) = report.curve
    assert (point.gap, point.decisions, point.stake, point.best_stake) == ("8", 4, 0.375, 1.0)
    assert (report.last_turns, report.win_lost_per_turn) == (0, None)


def test_one_legal_stake_is_forced_and_no_error() -> None:
    table = rules("denexa", bet__min=5)
    asked = question(table, (0, 6, 44), pot=3, low=3, high=4, kind=1, limits=(3, 3), times=2)
    row = SkillReport.of(skill_of(asked, ints(0, 3)), table).total
    assert (row.decisions, row.unforced, row.lost_chips) == (2, 0, 0)
    assert (row.error_rate, row.agreement) == (None, None)


def test_a_loss_of_thousands_of_greatest_bets_counts_as_2048_in_the_error_rate() -> None:
    table = rules("denexa_house", pair__rule="auto_pay_or_trips", pair__pay=1000, chips=10_000)
    stacks = (1, 10_000)  # the payment of 5,000 chips was left for a bet of 1
    asked = question(table, (0, 0, 48), pot=9000, low=9, high=9, kind=TRIPS, limits=(1, 1), stacks=stacks)
    row = SkillReport.of(skill_of(asked, ints(1)), table).total
    assert row.lost_chips == pytest.approx(5001 / 2, abs=1e-3)
    assert row.error_rate == 1000 * 2048


def test_no_decisions_make_an_empty_report() -> None:
    report = SkillReport.of(SkillSums.zero(), rules())
    assert (report.total.decisions, report.total.lost_per_decision_chips, report.by_gap, report.curve) == (
        0,
        None,
        (),
        (),
    )


# ---- every legal bet, under random rules


def random_rules(rng: random.Random, bank: str = "pot") -> TableRules:
    """A small table: 2 to 60 chips, every rule that touches a bet."""
    table = random_table(rng)
    if bank != "pot":
        table |= {"bank": bank, "payouts": rng.choice([None, {1: 5, 2: 4, 3: 2, 4: 1}, {3: 2, 8: 30}])}
        if rng.random() < 0.6:
            table["bet"] |= {
                "before_posts": True,
                "raise": "wager",
                "may_pass": False,
                "must_cover_post": False,
            }
            table |= {"consecutive": "push", "pair": table["pair"] | {"rule": "auto_trips"}}
    return table_rules(table)


def random_table(rng: random.Random) -> dict[str, Any]:
    """The same of a pot's table, as it would be written."""
    rounds, turns = rng.choice([(1, None), (2, None), (3, None), (None, rng.randint(1, 12)), (3, 4)])
    return (
        {
            "chips": rng.choice([3, 10, 30, 60]),
            "deck": {"packs": rng.choice([1, 1, 1, 2]), "shuffle": rng.choice(["exhausted", "dealer_turn", "each_turn"])},
            "play": {"direction": rng.choice(["left", "right"]), "dealer_moves": rng.choice(["each_round", "never"])},
            "ante": {
                "amount": rng.choice([1, 2, 5]),
                "each_round": rng.random() < 0.5,
                "when_empty": rng.random() < 0.7,
            },
            "bet": {
                "min": rng.choice([1, 1, 3, 7]),
                "first_round_max": rng.choice(["pot", "half_pot", "ante"]),
                "may_pass": rng.random() < 0.6,
                "must_cover_post": rng.random() < 0.3,
            },
            "ace": {"first": rng.choice(["call", "choose", "high"]), "second": rng.choice(["high", "choose"])},
            "consecutive": rng.choice(["pass", "bet", "pay_min"]),
            "pair": {
                "rule": rng.choice(["higher_lower", "trips_bet", "auto_pay_or_trips"]),
                "pay": rng.choice([1, 2, 3]),
                "post": rng.choice([1, 2, 3]),
                "trips_odds": rng.choice([1, 3, 11, 25]),
            },
            "post": {"multiplier": rng.choice([1, 2, 3])},
            "end": {
                "rounds": rounds,
                "turns": turns,
                "pot_taken": rng.random() < 0.3,
                "pot": rng.choice(["split_live", "split_all"]),
            },
        }
    )  # fmt: skip


class RandomPlayer:
    """Bets and calls at random, and keeps every bet's question."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def call_ace(self, question: Question) -> tuple[Any, None]:
        return self.rng.random(len(question.rows)) < 0.5, None

    call_pair = call_ace

    def random_bets(self, q: Question) -> c.Ints:
        some = self.rng.integers(q.min_bet, q.max_bet + 1)
        ends = np.where(self.rng.random(len(some)) < 0.4, q.max_bet, some)
        return np.where(self.rng.random(len(some)) < 0.7, ends, 0)

    def bet(self, question: Question) -> tuple[c.Ints, None]:
        bets = self.random_bets(question)
        self.see(question, bets)
        return bets, None

    def wager(self, question: Question) -> tuple[c.Ints, None]:
        return self.random_bets(question), None

    def see(self, question: Question, bets: c.Ints) -> None:
        raise NotImplementedError


def play(table: TableRules, seed: int, player: Any, tables: int = 6) -> None:
    seats = 2 + seed % 4
    Engine(table, seats, tables, c.SeededDraws(seed, 0, tables), player).play()


class BruteForce(RandomPlayer):
    """Holds grades against the value of every legal bet, from the words of the rules."""

    def see(self, question: Question, bets: c.Ints) -> None:
        got = grades_of(question, bets)
        assert got.lost.min() >= 0
        assert loss(question, got.best_stake).tolist() == [0] * len(bets)
        for i in range(len(bets)):
            table = question.tables.rules
            live = sum(bool(chips) for chips in question.tables.chips[:, question.rows[i]])
            share = Fraction(1, live if table.end.pot == "split_live" else question.tables.seats)
            share = share if table.bank == "pot" else Fraction(0)
            takes = table.pair.rule == "auto_pay_or_trips" and question.kind[i] == TRIPS
            legal = dict(self.legal(question, i, takes))
            zero = legal[0] if 0 in legal else legal[int(question.min_bet[i])]
            chosen = legal.get(int(bets[i]), zero)
            best = max(legal.values())
            assert got.lost[i] == pytest.approx(float((best - chosen) * (1 - share)), abs=1e-9)
            assert got.best_stake[i] == min(bet for bet, value in legal.items() if value == best)
            least = 0 if 0 in legal else int(question.min_bet[i])
            sides = [
                max((v for b, v in legal.items() if (b > least) is side), default=None)
                for side in (False, True)
            ]
            assert got.is_forced[i] == (len(legal) == 1)
            assert got.agrees[i] == (sides[max(int(bets[i]), least) > least] == best)

    @staticmethod
    def legal(q: Question, i: int, takes: bool) -> Iterator[tuple[int, Fraction]]:
        """Legal stakes and what each is worth."""
        table, n = q.tables.rules, int(q.wins[i] + q.hits[i] + q.losses[i])
        pot, chips = int(q.pot[i]), int(q.chips[i])
        if takes:
            yield (
                0,
                Fraction(min(pot, table.pair.pay * (1 if table.pair.pay_unit == "chip" else table.bet.min))),
            )
        elif table.bet.may_pass:
            yield 0, Fraction(0)
        odds = table.pair.trips_odds if q.kind[i] == TRIPS else 1
        if q.kind[i] == GAP:
            gap = int(q.high[i] - q.low[i]) - 1
            odds = ([1] + [(table.payouts or {})[g] for g in sorted(table.payouts or {}) if g <= gap])[-1]
        multiplier = table.pair.post if q.kind[i] == PAIR else table.post.multiplier
        for bet in [0] * table.bet.before_posts + list(range(int(q.min_bet[i]), int(q.max_bet[i]) + 1)):
            stake = int(q.wager[i]) + bet
            won, hit = min(odds * stake, pot), min(multiplier * stake, chips)
            yield bet, Fraction(int(q.wins[i]) * won - int(q.losses[i]) * stake - int(q.hits[i]) * hit, n)


@pytest.mark.parametrize("bank", ["pot", "house", "dealer"])
@given(seed=st.integers(0, 2**32))
@settings(derandomize=True, deadline=None, max_examples=80)
def test_losses_are_those_of_every_legal_bet_tried(bank: str, seed: int) -> None:
    play(random_rules(random.Random(seed), bank), seed, BruteForce(seed))


class AgainstOdds(Asks):
    """Holds grades against ``arena odds`` of the same hand."""

    def bet(self, q: Question) -> tuple[c.Ints, None]:
        bets = np.where(self.rng.random(len(q.rows)) < 0.7, self.rng.integers(q.min_bet, q.max_bet + 1), 0)
        got = grades_of(q, bets)
        factor = 1 - 1 / (q.tables.chips[:, q.rows] > 0).sum(axis=0)
        for i in range(len(bets)):
            o = self._odds(q, i)
            assert got.best_stake[i] == o.best_bet
            lost = float(o.value(o.best_bet) - o.value(int(bets[i]))) * factor[i]
            assert got.lost[i] == pytest.approx(lost, abs=1e-9)
            self.checked += 1
        return bets, None


@pytest.mark.parametrize("preset", ["nepali", "article", "bicycle"])
def test_best_bets_are_those_of_the_odds_command(preset: str) -> None:
    assert AgainstOdds(rules(preset, end__pot="split_live", end__rounds=4), 3, 30).checked > 100


# ---- sums


class Splits(RandomPlayer):
    """Sums of whole questions and of their tables one by one, in another order."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.whole, self.pieces = SkillSums.zero(), [SkillSums.zero()]

    def see(self, question: Question, bets: c.Ints) -> None:
        self.whole += skill_of(question, bets)
        for i in self.rng.permutation(len(bets)):
            self.pieces.insert(0, skill_of(part_of(question, [i]), bets[[i]]))


def test_rounds_left_are_those_of_the_rules_and_turns_are_no_rounds() -> None:
    labels = []
    for limits in (
        {"end__rounds": 3},
        {"end__rounds": 3, "end__turns": 5},
        {"end__rounds": None, "end__turns": 5},
    ):
        table = rules(**limits)
        asked = question(table, (30, 6, 14), pot=20, low=3, high=12, limits=(1, 20))
        asked.round = 1
        (row,) = SkillReport.of(skill_of(asked, ints(0)), table).by_rounds_left
        labels.append(row.label)
    assert labels == ["2", "2", "limited by turns only"]


@pytest.mark.parametrize("seed", range(8))
def test_sums_do_not_depend_on_batches_or_order(seed: int) -> None:
    player = Splits(seed)
    play(random_rules(random.Random(seed)), seed, player, tables=12)
    total = sum(player.pieces, start=SkillSums.zero())
    assert player.whole.cells.tobytes() == total.cells.tobytes()
    assert player.whole.wins.tobytes() == total.wins.tobytes()
    assert player.whole.cells[Measure.DECISIONS].sum() == len(player.pieces) - 1


def test_large_batches_are_the_sum_of_small_ones() -> None:
    asked = question(rules(), (30, 6, 12), pot=20, low=3, high=12, limits=(1, 20), times=40_000)
    bets = np.arange(40_000) % 21
    parts = [skill_of(part_of(asked, slice(k, k + 1000)), bets[k : k + 1000]) for k in range(0, 40_000, 1000)]
    assert (skill_of(asked, bets).cells == sum(parts, start=SkillSums.zero()).cells).all()


def test_chips_beyond_counting_stay_whole() -> None:
    table = rules(chips=10**9, ante__amount=10**6)
    asked = question(
        table, (48, 2, 0), pot=7 * 10**9, low=1, high=14, limits=(1, 10**9), stacks=(10**9,) * 8, times=1000
    )
    sums = skill_of(asked, np.zeros(1000, dtype=np.int64))
    most = (48 * 10**9 - 2 * 10**9) / 50 * 7 / 8
    assert sums.cells[Measure.LOST].sum() == 1000 * round(most / 10**9 * PARTS)
    assert sums.cells[Measure.LOST, GAPS.index("12")].sum() == sums.cells[Measure.LOST].sum()
