"""The bot that plays to finish first, beside plain enumerations of the last two turns of a game, card by card."""

from __future__ import annotations

import hashlib
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from playing import play, rules, same

from arena.bot.harness import BotCode, Seating
from arena.bot.host import ChildServer, LocalHost
from arena.game.cards import SeededDraws
from arena.game.engine import Engine
from arena.game.questions import PAIR, Question
from arena.game.rules import TableRules, preset_names

BOTS = Path(__file__).parent.parent / "bots"


def bot(file: str, name: str) -> BotCode:
    source = (BOTS / file).read_bytes()
    return BotCode(source, file, name, {}, hashlib.sha256(source + name.encode()).hexdigest())


FINISHER = bot("strong/finisher.py", "Finisher")

# Bets what is worth most, and calls by default as Finisher does: beside it stands what only planning changes.
COUNTER_SOURCE = b"""
from arena import Bot

class Counter(Bot):
    def bet(self, turn):
        full = turn.pot // turn.odds
        stakes = [min(max(stake, turn.min_bet), turn.max_bet) for stake in (full, full + 1, turn.max_bet)]
        return max([0, *stakes], key=turn.value)
"""
COUNTER = BotCode(COUNTER_SOURCE, "counter.py", "Counter", {}, hashlib.sha256(COUNTER_SOURCE).hexdigest())


class Hand(NamedTuple):
    """A bet that was asked for: ranks named, cards unseen by rank, chips; ``me`` is 0 where the one who bets deals."""

    low: int
    high: int
    call: int
    unseen: tuple[int, ...]
    mine: int
    theirs: int
    pot: int
    most: int


class Asked:
    """A player that hands every bet to a bot and keeps what was asked and answered."""

    def __init__(self, code: BotCode, table: TableRules, seat: int, tables: int) -> None:
        self.host = LocalHost(code, Seating(tables, seat, 2, table), np.arange(tables, dtype=np.uint64))
        self.kept: list[tuple[Hand, int]] = []

    def call_ace(self, question: Question) -> tuple[Any, None]:
        return np.zeros(len(question.rows), dtype=bool), None

    def call_pair(self, question: Question) -> tuple[Any, None]:
        return question.wins >= question.losses, None

    def bet(self, question: Question) -> tuple[Any, None]:
        q, answers = question, self.host.ask(question)
        assert answers.codes is None
        unseen = self.host.turns(q).unseen.tolist()
        columns = (
            q.low,
            q.high,
            np.where(q.kind == PAIR, q.call, 0),
            q.chips,
            q.tables.chips[1 - q.seat][q.rows],
            q.pot,
        )
        for row, (low, high, call, mine, theirs, pot) in enumerate(
            zip(*(c.tolist() for c in columns), strict=True)
        ):
            hand = Hand(low, high, call, tuple(unseen[row]), mine, theirs, pot, int(q.max_bet[row]))
            self.kept.append((hand, int(answers.values[row])))
        return answers.values, None


def asked(table: TableRules, to_come: int, stacks: int, pot: int, tables: int) -> list[tuple[Hand, int]]:
    """Hands of the last round and the finisher's bets on them: any pack, stacks and pots up to those given."""
    chance = np.random.default_rng(1_000 * to_come + stacks)
    dealer = 1
    player = Asked(FINISHER, table, dealer if to_come == 0 else 0, tables)
    engine = Engine(table, 2, tables, SeededDraws(3, 0, tables), player)
    engine.round = table.end.rounds or 0
    engine.dealer[:] = dealer
    engine.pot[:] = chance.integers(1, pot + 1, tables)
    engine.chips[0] = chance.integers(1, stacks + 1, tables)
    near = engine.chips[0] + chance.integers(-pot, 3 * pot, tables)  # leads that a pot can turn
    engine.chips[1] = np.maximum(near, 1)
    for row in range(tables):
        seen = chance.choice(52, chance.integers(0, 42), replace=False)
        engine.unseen[0, row] &= ~np.bitwise_or.reduce(
            np.uint64(1) << seen.astype(np.uint64), initial=np.uint64(0)
        )
    engine.turn(1 if to_come == 0 else 0)
    return player.kept


# ---- rules.md, written out for two players


def result(low: int, high: int, call: int, third: int) -> str:
    """What a third card of this rank does to a bet."""
    if third in (low, high) or (low == 1 and third == 14):
        return "hit"
    won = low < third < high if call == 0 else third > low if call > 0 else third < low
    return "win" if won else "loss"


def change(what: str, stake: int, times: int, chips: int) -> int:
    """What that brings the one who bet."""
    return {"pass": 0, "win": stake, "loss": -stake, "hit": -min(times * stake, chips)}[what]


def share(mine: int, theirs: int, pot: int, i_deal: bool) -> Fraction:
    """My share of a win: the last with chips takes the pot, else it is halved; the odd chip is not the dealer's."""
    if mine == 0 or theirs == 0:
        return Fraction(mine > 0)
    mine, theirs = mine + (pot + (not i_deal)) // 2, theirs + (pot + i_deal) // 2
    return Fraction((mine > theirs) * 2 + (mine == theirs), 2)


def times(table: TableRules, is_pair: bool) -> int:
    return table.pair.post if is_pair else table.post.multiplier


class Posts(NamedTuple):
    """Two posts: how likely they are, the chances of a bet on them by what happens, what a hit costs, may they be bet on."""

    likely: Fraction
    bet: dict[str, Fraction]
    cost: int
    may_bet: bool


@cache
def all_posts(table: TableRules, unseen: tuple[int, ...]) -> list[Posts]:
    """All posts that a turn may bring, a first ace named low and a pair called to the side with more unseen cards.

    At least three cards are unseen.
    """
    out, cards = [], sum(unseen)
    for first in range(2, 15):
        for second in range(2, 15):
            weight = unseen[first] * (unseen[second] - (first == second))
            if weight <= 0:
                continue
            left = list(unseen)
            left[first] -= 1
            left[second] -= 1
            named = 1 if first == 14 and table.ace.first == "call" else first
            low, high = min(named, second), max(named, second)
            call = 0
            if low == high:
                call = 1 if sum(left[low + 1 :]) >= sum(left[:low]) else -1
            bet = {what: Fraction(0) for what in ("win", "loss", "hit")}
            for third in range(2, 15):
                bet[result(low, high, call, third)] += Fraction(left[third], cards - 2)
            likely = Fraction(weight, cards * (cards - 1))
            out.append(Posts(likely, bet, times(table, low == high), high - low != 1))
    assert sum(posts.likely for posts in out) == 1
    return out


@cache
def turn_of_a_counter(table: TableRules, unseen: tuple[int, ...]) -> dict[tuple[str, int], Fraction]:
    """What becomes of the turn of one who bets on what favours him: what happens and what a hit costs, with chances."""
    out: Counter[tuple[str, int]] = Counter()
    for posts in all_posts(table, unseen):
        bet = posts.bet
        if posts.may_bet and bet["win"] > bet["loss"] + posts.cost * bet["hit"]:
            for what, chance in bet.items():
                out[what, posts.cost] += posts.likely * chance
        else:
            out["pass", posts.cost] += posts.likely
    return dict(out)


def with_antes(table: TableRules, mine: int, theirs: int, pot: int) -> tuple[int, int, int]:
    """The chips once an emptied pot is anted anew."""
    if not (mine and theirs and pot == 0 and table.ante.when_empty):
        return mine, theirs, pot
    paid, met = min(table.ante.amount, mine), min(table.ante.amount, theirs)
    return mine - paid, theirs - met, paid + met


@cache
def chance_after(table: TableRules, unseen: tuple[int, ...], mine: int, theirs: int, pot: int) -> Fraction:
    """My chance where the dealer, who counts, has the last turn."""
    mine, theirs, pot = with_antes(table, mine, theirs, pot)
    stake, chance = min(pot, theirs), Fraction(0)
    for (what, cost), likely in turn_of_a_counter(table, unseen).items():
        theirs_change = change(what, stake, cost, theirs)
        chance += likely * share(mine, theirs + theirs_change, pot - theirs_change, i_deal=False)
    return chance


def chances(table: TableRules, hand: Hand, to_come: int) -> dict[int, tuple[Fraction, Fraction]]:
    """Of every legal bet: the chance to finish first, and the chips to expect."""
    out = {}
    for stake in range(hand.most + 1):
        chance, chips = Fraction(0), Fraction(0)
        for third in range(2, 15) if stake else [0]:
            likely = Fraction(hand.unseen[third], sum(hand.unseen)) if stake else Fraction(1)
            if not likely:
                continue
            what = result(hand.low, hand.high, hand.call, third) if stake else "pass"
            mine_change = change(what, stake, times(table, hand.low == hand.high), hand.mine)
            then = hand.mine + mine_change, hand.theirs, hand.pot - mine_change
            left = tuple(n - (0 < rank == third) for rank, n in enumerate(hand.unseen))
            chips += likely * mine_change
            chance += likely * (
                share(*then, i_deal=True) if to_come == 0 else chance_after(table, left, *then)
            )
        out[stake] = chance, chips
    return out


# ---- the finisher beside them

TABLES = [rules("nepali"), rules("article"), rules("nepali", post__multiplier=1, ante__when_empty=False)]


@pytest.mark.parametrize("stacks", [12, 1000])  # all chips at stake, or many times the pot
@pytest.mark.parametrize("table", TABLES, ids=["nepali", "article", "one post, no ante"])
def test_no_bet_on_the_last_turn_is_likelier_to_win_and_of_equals_none_has_more_chips(
    table: TableRules, stacks: int
) -> None:
    hands = asked(table, 0, stacks, 40, 150)
    choices = 0
    for hand, bet in hands:
        by_bet = chances(table, hand, 0)
        choices += len({chance for chance, _ in by_bet.values()}) > 1
        assert by_bet[bet] == max(by_bet.values()), hand
    assert len(hands) > 75
    assert choices > 20


@pytest.mark.parametrize(
    ("table", "stacks"),
    [
        pytest.param(TABLES[0], 1000, id="nepali", marks=pytest.mark.slow),
        pytest.param(TABLES[1], 25, id="article, short of chips", marks=pytest.mark.slow),
    ],
)
def test_no_bet_on_the_turn_before_the_last_is_likelier_to_win_against_a_counter(
    table: TableRules, stacks: int
) -> None:
    hands = [(hand, bet) for hand, bet in asked(table, 1, stacks, 30, 25) if sum(hand.unseen) > 3]
    for hand, bet in hands:
        by_bet = chances(table, hand, 1)
        assert by_bet[bet][0] == max(chance for chance, _ in by_bet.values()), (hand, bet)
    assert len(hands) > 10


def test_the_finisher_wins_far_more_games_than_a_counter_and_fewer_chips() -> None:
    edge, deals = bot("edge.py", "Edge"), 400
    chips = play([FINISHER, edge], deals=deals).chips  # (rotations, deals, bots)
    won = (np.sign(chips[..., 0] - chips[..., 1]) / 2 + 0.5).mean(axis=0)
    assert won.mean() - 4 * won.std() / deals**0.5 > 0.55  # a counter wins half of them against itself
    assert chips[..., 0].mean() < 980


@pytest.mark.parametrize("name", preset_names())
def test_where_it_does_not_plan_to_finish_first_it_bets_for_chips_as_a_counter_does(name: str) -> None:
    """Among several it plans the last three rounds of a number that is known."""
    others, table = [bot("gap.py", "Gap8"), bot("least_bet.py", "LeastBet")], rules(name)
    a, b = (play([one, *others], table, deals=30) for one in (FINISHER, COUNTER))
    steps = None if table.end.rounds is None else 3 * (table.end.rounds - 3)
    assert (a.bets[:, :steps] == b.bets[:, :steps]).all()
    assert a.faults.sum() == 0


def test_at_a_table_that_does_not_end_by_rounds_two_players_play_for_chips() -> None:
    duel = rules("nepali", end__rounds=None, end__turns=60)
    gap = bot("gap.py", "Gap8")
    a, b = (play([one, gap], duel, deals=30) for one in (FINISHER, COUNTER))
    assert (a.bets == b.bets).all()


FRESH = (0, 0, *[4] * 13)


def chance_of_playing(table: TableRules, mine: int, theirs: int, pot: int, is_last: bool) -> Fraction:
    """My chance before my turn, with the best bets on a fresh pack's posts; a counter's follows unless it is the last."""
    if not mine or not theirs:
        return Fraction(mine > 0)

    def then(what: str, stake: int, cost: int) -> Fraction:
        delta = change(what, stake, cost, mine)
        left = mine + delta, theirs, pot - delta
        return share(*left, i_deal=True) if is_last else chance_after(table, FRESH, *left)

    whole, seen = Fraction(0), {}
    for posts in all_posts(table, FRESH):
        key = (*posts.bet.values(), posts.cost) if posts.may_bet else ()
        if key not in seen:
            stakes = range(1, min(pot, mine) + 1) if posts.may_bet else []
            worth = [sum(p * then(what, s, posts.cost) for what, p in posts.bet.items()) for s in stakes]
            seen[key] = max([then("pass", 0, 0), *map(Fraction, worth)])
        whole += posts.likely * seen[key]
    return whole


@pytest.mark.parametrize(("mine", "theirs", "pot"), [(1000, 1000, 10), (990, 1010, 28), (14, 30, 16)])
@pytest.mark.parametrize("dealer_moves", ["each_round", "never"])
def test_the_plan_for_a_last_round_is_near_to_what_an_enumeration_of_it_gives(
    dealer_moves: str, mine: int, theirs: int, pot: int
) -> None:
    """It is asked on its turn as the dealer of the last round but one: in the last it plays first if the deal moves."""
    table = rules("nepali", play__dealer_moves=dealer_moves, ante__amount=6, chips=(mine + theirs + pot) // 2)
    space: dict[str, Any] = {}
    exec(compile(FINISHER.source, "finisher.py", "exec"), space)
    chips = (np.array([n]) for n in (mine, theirs, pot))
    planned = float(space["Prospects"](table).chance(2, *chips)[0])
    mine, theirs, pot = mine - 6, theirs - 6, pot + 12
    if dealer_moves == "each_round":
        exact = chance_of_playing(table, mine, theirs, pot, is_last=False)
    else:
        exact, stake = Fraction(0), min(pot, theirs)
        for (what, cost), likely in turn_of_a_counter(table, FRESH).items():
            delta = change(what, stake, cost, theirs)
            left = with_antes(table, mine, theirs + delta, pot - delta)
            exact += likely * chance_of_playing(table, *left, is_last=True)
    assert abs(planned - float(exact)) < 0.05, (planned, float(exact))
    assert 0.02 < exact < 0.98


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nepali", "article"])
def test_the_plan_for_a_whole_game_is_what_games_against_a_counter_give(name: str) -> None:
    """Induction stands where rollouts could: games played to their end are the rollouts that it is held against."""
    table, deals = rules(name), 3000
    chips = play([FINISHER, bot("edge.py", "Edge")], table, deals=deals).chips  # (rotations, deals, bots)
    won = (np.sign(chips[..., 0] - chips[..., 1]) / 2 + 0.5).mean(axis=0)
    error = won.std(ddof=1) / deals**0.5
    planned = chance_of_a_game(table)
    assert error < 0.01
    assert abs(planned - won.mean()) < 0.01 + 3 * error, (planned, won.mean())


def chance_of_a_game(table: TableRules) -> float:
    """What the plan reckons with as a game's first turn is over and nothing was won or lost in it."""
    space: dict[str, Any] = {}
    exec(compile(FINISHER.source, "finisher.py", "exec"), space)
    each = np.array([table.chips - table.ante.amount])
    to_come = 2 * (table.end.rounds or 0) - 1
    return float(space["Prospects"](table).chance(to_come, each, each, np.array([2 * table.ante.amount]))[0])


def test_its_games_do_not_depend_on_how_they_are_cut_into_batches() -> None:
    bots = [FINISHER, bot("edge.py", "Edge")]
    whole = play(bots, deals=60)
    for first, deals in ((0, 1), (1, 22), (23, 37)):
        part = play(bots, first_deal=first, deals=deals)
        assert (part.bets == whole.bets[:, : part.bets.shape[1], first : first + deals]).all()


def test_a_locked_process_plays_the_same_games_within_its_time() -> None:
    bots, server = [FINISHER, bot("strong/learner.py", "Learner")], ChildServer()
    try:
        locked = play(bots, deals=40, server=server, decision_s=0.02)
    finally:
        server.close()
    assert not locked.faults.any()
    assert same(locked, play(bots, deals=40))
