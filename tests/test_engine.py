"""The engine against the oracle: random rules, seats, stacks, cards seen and replies, many tables at once.

Both get the same cards, computed here card by card from the draw law that ``SeededDraws`` documents, and
the same replies. Scenario files, the cut for the deal and the independence of a batch's tables stand below.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import test_oracle
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import SUITS, Card, Event, Table, View
from scipy.stats import chisquare

from arena.errors import ArenaError
from arena.game import cards as c
from arena.game import chance
from arena.game.engine import Engine
from arena.game.questions import ASK_ACE_1, ASK_ACE_2, ASK_BET, ASK_PAIR, ASK_WAGER, PAIR, Question, TurnOver
from arena.game.rules import TableRules, table_rules
from arena.game.scenario import Scenario, event_dict, first_difference, play_scenario, read_scenarios

DATA = Path(__file__).parent / "data"
DOCS = Path(__file__).parent.parent / "docs"
KINDS = ("gap", "consecutive", "pair", "trips")

# ---- the draw law, card by card


def drawn(word: int, packs: int, unseen: set[tuple[int, int]]) -> tuple[int, int]:
    """Pack and card at the head of a word's order: its candidates in turn, then the least hashed priority."""
    bits = 6
    while 64 * packs > 1 << bits:
        bits += 1
    for k in range(64 // bits):
        candidate = word >> k * bits & (1 << bits) - 1
        if divmod(candidate, 64) in unseen:
            return divmod(candidate, 64)
    return min(unseen, key=lambda at: chance.word(word ^ chance.word(64 * at[0] + 1, at[1]), 0))


@given(st.integers(1, 8), st.integers(0, 2**64 - 1), st.randoms(use_true_random=False), st.integers(1, 416))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_a_vectorised_draw_is_the_card_by_card_one(
    packs: int, key: int, rng: random.Random, depth: int
) -> None:
    pack = [(k, card) for k in range(packs) for card in range(52)]
    masks = [rng.sample(pack, rng.randint(1, min(depth, len(pack)))) for _ in range(8)]
    unseen = np.zeros((packs, len(masks)), dtype=np.uint64)
    for i, mask in enumerate(masks):
        for k, card in mask:
            unseen[k, i] |= np.uint64(1 << card)
    words = [chance.word(key, i) for i in range(len(masks))]
    got_packs, got_cards = c.first_unseen(np.array(words, dtype=np.uint64), unseen)
    got = list(zip(np.broadcast_to(got_packs, len(masks)).tolist(), got_cards.tolist(), strict=True))
    assert got == [drawn(word, packs, set(mask)) for word, mask in zip(words, masks, strict=True)]


def number(card: Card) -> tuple[int, int]:
    """The oracle's card as the engine counts: its pack and its number."""
    return card[2], 4 * (card[0] - 2) + "SHDC".index(SUITS[card[1]])


def same_cards(seed: int, deal: int, packs: int) -> Callable[[int, int, int, list[Card]], Card]:
    """An oracle's draw that gives the cards of a seeded deal."""
    key = int(chance.deal_keys("cards", seed, deal, 1)[0])

    def draw(round: int, place: int, which: int, unseen: list[Card]) -> Card:
        cards = {number(card): card for card in unseen}
        return cards[drawn(chance.word(key, (8 * round + place) * 4 + which), packs, set(cards))]

    return draw


# ---- the same tables for both


@dataclass(frozen=True)
class Case:
    """A batch of tables: one set of rules; stacks, dealers and cards already seen by table.

    ``start`` is None for whole games; a round and a place of it to begin in the midst of play, antes in.
    """

    table: dict[str, Any]
    seats: int
    tables: int
    seed: int
    start: tuple[int, int] | None = None

    @property
    def rules(self) -> TableRules:
        return table_rules(self.table)

    def stacks(self, table: int) -> list[int]:
        """Chips by seat, some at 0; at least one player has some, and two in the midst of play."""
        rng = random.Random(f"stacks {self.seed} {table}")
        ante, chips = self.table["ante"]["amount"], self.table["chips"]
        common = [0, 1, 2, 3, ante, ante + 1, 2 * ante, chips, chips, rng.randint(1, 10 * ante)]
        least = 1 if self.start is None else 2
        share = 0.5 if self.start is None else 0.9
        stacks = [rng.choice(common) if rng.random() < share else chips for _ in range(self.seats)]
        return stacks if sum(map(bool, stacks)) >= least else [chips] * least + stacks[least:]

    def pot(self, table: int) -> int:
        """What is in the pot when play begins."""
        if self.start is None or self.table["bank"] != "pot":
            return 0
        return random.Random(f"pot {self.seed} {table}").randint(1, 3 * self.table["ante"]["amount"])

    def dealer(self, table: int) -> int:
        return random.Random(f"dealer {self.seed} {table}").randrange(self.seats)

    def seen(self, table: int) -> list[tuple[int, int]]:
        """Packs and cards turned up before the game, so that packs run out at every step of a turn."""
        rng = random.Random(f"seen {self.seed} {table}")
        packs = self.table["deck"]["packs"]
        pack = [(k, card) for k in range(packs) for card in range(52)]
        left = rng.choice([len(pack), rng.randint(0, 12), rng.randint(0, len(pack))])
        if rng.random() < 0.25:  # only some ranks are left, so that pairs, aces and neighbours abound
            ranks = {12, *rng.sample(range(12), 3)}
            return [at for at in pack if at[1] // 4 not in ranks]
        return rng.sample(pack, len(pack) - left)

    def reply(self, table: int, round: int, place: int, what: int, least: int = 0, most: int = 0) -> object:
        """An answer, legal or not, by table, round, place and kind of question."""
        key = chance.key("reply", self.seed, table)
        rng = random.Random(chance.word(key, (round * 8 + place) * 4 + what))
        if what in (ASK_ACE_1, ASK_ACE_2):
            return rng.choice(["low", "high", "low", "high", "higher", None, 1, True])
        if what == ASK_PAIR:
            return rng.choice(["higher", "lower", "higher", "lower", "low", None, 1, ["higher"]])
        if rng.random() < 0.75:
            return rng.choice([most, most, rng.randint(least, most), rng.randint(least, most), least, 0])
        return rng.choice(
            [least - 1, most + 1, -1, True, float(most), None, str(most), 10**30, float("nan"), [most]]
        )


class Batch:
    """Plays a case through the engine: the player who replies and the observer who writes down, by table."""

    def __init__(
        self, case: Case, first: int = 0, tables: int | None = None, is_watched: bool = True
    ) -> None:
        self.case, self.first = case, first
        tables = case.tables if tables is None else tables
        self.events: list[list[Event]] = [[] for _ in range(tables)]
        self.views: list[list[View]] = [[] for _ in range(tables)]
        self.turns: list[list[dict[str, Any]]] = [[] for _ in range(tables)]
        self.dealers = [-1] * tables
        draws = c.SeededDraws(case.seed, first, tables)
        told = (self, self.turn_over) if is_watched else (None, None)
        self.engine = engine = Engine(case.rules, case.seats, tables, draws, self, *told)
        for i in range(tables):
            engine.chips[:, i] = case.stacks(first + i)
            engine.dealer[i] = case.dealer(first + i)
            engine.pot[i] += case.pot(first + i)
            for pack, card in case.seen(first + i):
                engine.unseen[pack, i] ^= np.uint64(1 << card)
        self.total = engine.chips.sum(axis=0) + engine.pot
        if case.start is None:
            engine.play()
        else:
            self._play_on(*case.start)

    def _play_on(self, round: int, place: int) -> None:
        engine, engine.round = self.engine, round
        while engine.playing.any():
            for later in range(place, engine.seats):
                engine.turn(later)
            if engine.playing.any():
                engine.start_round()
            place = 0

    # what the engine tells

    def note(self, event: str, rows: c.Ints, columns: dict[str, Any]) -> None:
        assert len(rows)
        for i, row in enumerate(rows.tolist()):
            if not self.events[row]:
                self.dealers[row] = int(self.engine.dealer[row])
            self.events[row].append(event_dict(event, {key: col[i].item() for key, col in columns.items()}))

    def turn_over(self, turn: TurnOver) -> None:
        engine = self.engine
        assert engine.chips.min() >= 0
        assert engine.pot.min() >= 0
        assert (engine.chips.sum(axis=0) + engine.pot == self.total).all()
        names = ("first", "second", "third", "bet", "delta", "wager")
        for i, row in enumerate(turn.rows.tolist()):
            columns = {name: int(getattr(turn, name)[i]) for name in names}
            self.turns[row].append({"seat": turn.seat, "round": turn.round, "place": turn.place} | columns)

    # what the engine asks

    def call_ace(self, question: Question) -> tuple[c.AnyInts, c.AnyInts]:
        return self._call(question, "low", "high", np.zeros(len(question.rows), dtype=bool))

    def call_pair(self, question: Question) -> tuple[c.AnyInts, c.AnyInts]:
        return self._call(question, "lower", "higher", question.wins >= question.losses)

    def _call(self, question: Question, no: str, yes: str, default: Any) -> tuple[c.AnyInts, c.AnyInts]:
        replies = list(self._replies(question))
        faulty = np.array([not (isinstance(reply, str) and reply in (no, yes)) for reply in replies])
        return np.where(faulty, default, np.array([reply == yes for reply in replies])), faulty

    def bet(self, question: Question) -> tuple[c.AnyInts, c.AnyInts]:
        limits = zip(question.min_bet.tolist(), question.max_bet.tolist(), strict=True)
        legal = [
            type(reply) is int and (reply == 0 or least <= reply <= most)
            for reply, (least, most) in zip(self._replies(question), limits, strict=True)
        ]
        bets = [reply if ok else 0 for reply, ok in zip(self._replies(question, False), legal, strict=True)]
        return np.array(bets, dtype=np.int64), ~np.array(legal)

    wager = bet

    def _replies(self, question: Question, keep: bool = True) -> Iterator[object]:
        for i, row in enumerate(question.rows.tolist()):
            if keep:
                self.views[row].append(self._view(question, i, row))
            least, most = int(question.min_bet[i]), int(question.max_bet[i])
            yield self.case.reply(
                self.first + row, question.round, question.place, question.what, least, most
            )

    def _view(self, q: Question, i: int, row: int) -> View:
        """What the engine shows, under the oracle's names."""
        low, high, call = int(q.low[i]), int(q.high[i]), int(q.call[i])
        unseen = c.count_by_rank(q.unseen[:, [i]])[0].tolist()
        view: View = {"round": q.round, "place": q.place, "seat": q.seat, "dealer": int(q.tables.dealer[row])}
        view |= {"pot": int(q.pot[i]), "chips": int(q.chips[i]), "stacks": q.tables.chips[:, row].tolist()}
        view["wager"] = int(q.wager[i])
        if q.what == ASK_WAGER:
            return view | {"min": int(q.min_bet[i]), "max": int(q.max_bet[i])} | {"unseen": unseen}
        view["unseen"] = unseen
        if q.what in (ASK_ACE_1, ASK_ACE_2):
            return view | {"ace": 1 if q.what == ASK_ACE_1 else 2, "other": int(q.other[i])}
        view |= {"low": low, "high": high, "gap": max(high - low - 1, 0), "kind": KINDS[q.kind[i]]}
        if q.what == ASK_PAIR:
            return view | {"higher": int(q.wins[i]), "lower": int(q.losses[i])}
        view["call"] = ("higher" if call > 0 else "lower") if q.kind[i] == PAIR else ""
        limits = {"min": int(q.min_bet[i]), "max": int(q.max_bet[i])}
        return view | limits | {name: int(getattr(q, name)[i]) for name in ("wins", "hits", "losses")}


def oracle_game(case: Case, table: int, dealer: int) -> tuple[Table, list[View]]:
    """The oracle's game at a table, and what its players saw."""
    views: list[View] = []

    def ask(kind: str, seat: int, view: View) -> object:
        if kind == "wager":
            hidden, what = {"low", "high", "gap", "kind", "call"}, ASK_WAGER
        elif kind == "ace":
            hidden, what = {"low", "high", "gap", "kind", "call"}, view["ace"] - 1
        else:
            hidden, what = ({"call"}, ASK_PAIR) if kind == "pair" else (set(), ASK_BET)
        views.append({key: value for key, value in view.items() if key not in hidden})
        limits = (view["min"], view["max"]) if kind in ("bet", "wager") else ()
        return case.reply(table, view["round"], view["place"], what, *limits)

    draw = same_cards(case.seed, table, case.table["deck"]["packs"])
    game = Table(case.table, case.stacks(table), dealer, draw, ask)
    seen = set(case.seen(table))
    game.unseen = [card for card in game.unseen if number(card) not in seen]
    game.pot = case.pot(table)
    if case.start is None:
        game.begin()
    else:
        game.round, game.place = case.start[0], case.start[1] - 1
    game.play(None)
    return game, views


def check_chips(events: list[Event], stacks: list[int], pot: int) -> list[int]:
    """Chips after these events, which neither make nor lose chips and leave nothing below 0."""
    chips, total = list(stacks), sum(stacks) + pot
    for event in events:
        moved = {"ante": -event.get("pay", 0), "pay": event.get("delta", 0), "share": event.get("amount", 0)}
        if event["e"] in moved:
            chips[event["seat"]] += moved[event["e"]]
            pot -= moved[event["e"]]
            assert pot == event.get("pot", pot)
            assert min(pot, *chips) >= 0
    assert sum(chips) + pot == total
    return chips


def check_turns(turns: list[dict[str, Any]], events: list[Event]) -> None:
    """Turns as they were told when over are those of the events."""
    posts = [(e["seat"], *e["cards"]) for e in events if e["e"] == "posts"]
    assert [(t["seat"], c.card_text(t["first"]), c.card_text(t["second"])) for t in turns] == posts
    thirds = [(e["seat"], e["card"]) for e in events if e["e"] == "third"]
    assert [(t["seat"], c.card_text(t["third"])) for t in turns if t["third"] >= 0] == thirds
    paid = [(e["seat"], e["delta"]) for e in events if e["e"] == "pay" and e["delta"]]
    assert [(t["seat"], t["delta"]) for t in turns if t["delta"]] == paid
    wagers = [e for e in events if e["e"] == "wager"]
    assert all(t["third"] >= 0 for t in turns if t["bet"])
    assert wagers or all(t["bet"] > 0 and not t["wager"] for t in turns if t["third"] >= 0)
    assert not wagers or all(e["min"] <= t["wager"] <= e["max"] for e, t in zip(wagers, turns, strict=True))


def check(case: Case) -> None:
    """Plays the case through both and compares every table; then one alone, and all of them unwatched."""
    batch = Batch(case)
    for table in range(case.tables):
        is_cut = case.start is None and case.table["play"]["first_dealer"] == "high_card"
        dealer = batch.dealers[table] if is_cut else case.dealer(table)
        game, views = oracle_game(case, table, dealer)
        for i, pair in enumerate(zip(batch.events[table], game.events, strict=False)):
            assert pair[0] == pair[1], f"table {table}, event {i}"
        assert len(batch.events[table]) == len(game.events)
        assert batch.views[table] == views
        assert batch.engine.chips[:, table].tolist() == game.chips
        if case.table["bank"] == "pot":
            assert check_chips(batch.events[table], case.stacks(table), case.pot(table)) == game.chips
            assert int(batch.engine.pot[table]) == game.pot == 0
        assert int(batch.engine.pot[table]) == (game.house if case.table["bank"] == "house" else 0)
        assert int(batch.engine.turns[table]) == game.turns
        assert int(c.count(batch.engine.unseen)[table]) == len(game.unseen)
        check_turns(batch.turns[table], game.events)
    some = case.seed % case.tables
    alone = Batch(case, first=some, tables=1)
    assert (alone.events[0], alone.views[0], alone.turns[0]) == (
        batch.events[some],
        batch.views[some],
        batch.turns[some],
    )
    unwatched = Batch(case, is_watched=False)
    assert unwatched.views == batch.views
    for name in ("chips", "pot", "dealer", "turns", "since_shuffle", "unseen"):
        assert (getattr(unwatched.engine, name) == getattr(batch.engine, name)).all(), name


def groups(**keys: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(keys)


def one_of(*values: object) -> st.SearchStrategy[object]:
    return st.sampled_from(values)


BOOLEANS = one_of(True, False)
AMOUNTS = one_of(1, 1, 1, 2, 3, 5, 10, 10, 1000, 10**9)
TABLES = groups(
    chips=one_of(1, 7, 20, 50, 50, 300, 300, 1000, 10**9),
    bank=one_of("pot", "pot", "house", "dealer"),
    deck=groups(
        packs=one_of(1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8),
        shuffle=one_of("exhausted", "exhausted", "dealer_turn", "each_turn"),
    ),
    play=groups(
        direction=one_of("right", "left"),
        first_dealer=one_of("seat_0", "high_card"),
        dealer_moves=one_of("each_round", "never"),
    ),
    ante=groups(amount=AMOUNTS, each_round=BOOLEANS, when_empty=one_of(True, True, False)),
    bet=groups(
        min=AMOUNTS,
        first_round_max=one_of("pot", "half_pot", "ante"),
        may_pass=BOOLEANS,
        must_cover_post=BOOLEANS,
    ),
    ace=groups(first=one_of("call", "choose", "high"), second=one_of("high", "choose")),
    consecutive=one_of("pass", "bet", "pay_min"),
    pair=groups(
        rule=one_of("higher_lower", "auto_pay", "trips_bet", "auto_pay_or_trips", "pass"),
        pay=one_of(1, 2, 3, 1000),
        pay_unit=one_of("min_bet", "chip"),
        post=one_of(1, 2, 3, 1000),
        trips_odds=one_of(1, 11, 25, 1000),
    ),
    post=groups(multiplier=one_of(1, 2, 3, 1000)),
    end=groups(
        rounds=one_of(1, 2, 3, 5, 8, None),
        turns=one_of(1, 2, 5, 17, 40, 80, None),
        pot_taken=one_of(False, False, True),
        pot=one_of("split_live", "split_all"),
    ),
)


def lay_wagers(draw: st.DrawFn, table: dict[str, Any]) -> None:
    """What only a house's or a dealer's table may have: payouts by gap, and in half the cases wagers before the posts."""
    payouts = draw(st.dictionaries(st.integers(1, 12), one_of(1, 2, 5, 1000), min_size=1) | st.none())
    if payouts:
        table["payouts"] = payouts
    if draw(BOOLEANS):
        table["bet"] |= {"before_posts": True, "raise": draw(one_of("wager", "wager", "none"))}
        table["bet"] |= {"may_pass": False, "must_cover_post": False}
        table["consecutive"] = "push"
        table["pair"]["rule"] = "auto_trips"


@st.composite
def cases(draw: st.DrawFn, budget: int = 1500) -> Case:
    """Cases whose oracle plays about ``budget`` turns at most, all tables together."""
    table, seats = draw(TABLES), draw(st.integers(2, 8))
    end = table["end"]
    if end["rounds"] is None and end["turns"] is None:
        end["turns"] = 25
    if table["bank"] != "pot":
        lay_wagers(draw, table)
    turns = min(seats * (end["rounds"] or 1000), end["turns"] or 1000)
    most = max(1, min(40, budget // turns))
    return Case(table, seats, draw(st.integers(1, most)), draw(st.integers(0, 2**32)))


@st.composite
def midst(draw: st.DrawFn) -> Case:
    """A few turns in the midst of play, mostly in the last round, small pots, short stacks: how games end."""
    case = draw(cases(budget=80))
    end = case.table["end"]
    end["turns"] = min(end["turns"] or 12, 12)
    round = draw(one_of(1, end["rounds"] or 2, end["rounds"] or 2))
    return replace(case, start=(round, draw(st.integers(0, case.seats - 1))))


QUICK = settings(derandomize=True, deadline=None, max_examples=25)
SLOW = settings(deadline=None, database=None, max_examples=2000)


@given(cases())
@QUICK
def test_the_engine_plays_every_table_of_a_batch_as_the_oracle_does(case: Case) -> None:
    check(case)


@given(midst())
@QUICK
def test_the_engine_plays_on_from_any_turn_as_the_oracle_does(case: Case) -> None:
    check(case)


@pytest.mark.slow
@given(cases(budget=4000) | midst())
@SLOW
def test_the_engine_plays_as_the_oracle_does_at_length(case: Case) -> None:
    check(case)


def dotted(value: Any, prefix: str = "") -> set[str]:
    if not isinstance(value, dict):
        return {prefix}
    return {key for name, below in value.items() for key in dotted(below, f"{prefix}.{name}")}


def test_the_random_rules_leave_no_key_out() -> None:
    met: set[str] = set()

    @given(cases())
    @settings(derandomize=True, max_examples=30, deadline=None)
    def meet(case: Case) -> None:
        met.update(dotted({**case.table, "payouts": None}))

    meet()
    known = dotted({**table_rules({"preset": "red_dog"}).model_dump(), "payouts": None})
    assert met == known


def nepali(seats: int, tables: int, **over: Any) -> Case:
    table = table_rules(over).model_dump()
    return Case(table, seats, tables, seed=7)


@pytest.mark.parametrize("packs", [1, 2, 8])
def test_a_game_does_not_depend_on_the_tables_beside_it(packs: int) -> None:
    case = nepali(3, 40, deck={"packs": packs}, play={"first_dealer": "high_card"})
    batch = Batch(case)
    for table in range(40):
        alone = Batch(case, first=table, tables=1)
        assert alone.events[0] == batch.events[table]
        assert alone.views[0] == batch.views[table]
        assert (alone.engine.chips[:, 0] == batch.engine.chips[:, table]).all()
        assert (alone.engine.unseen[:, 0] == batch.engine.unseen[:, table]).all()
    later = Batch(case, first=25, tables=15)
    assert later.events == batch.events[25:]


# ---- the cut for the deal


class Cuts:
    """A card source whose cuts are written down: ``cards[attempt][seat]``."""

    def __init__(self, *cards: dict[int, str]) -> None:
        self.cards = cards
        self.asked: list[tuple[int, int]] = []

    def draw(self, *_: object) -> tuple[Any, c.Ints]:
        raise AssertionError("no card is needed before the antes")

    def cut(self, attempt: int, seat: int, rows: c.Ints, unseen: c.Masks) -> tuple[Any, c.Ints]:
        self.asked.append((attempt, seat))
        card = c.parse_card(self.cards[attempt][seat])
        assert unseen[0, 0] >> np.uint64(card) & np.uint64(1), "a card is cut twice"
        return 0, np.array([card])


def cut_engine(seats: int, tables: int, draws: Any) -> Engine:
    rules = table_rules({"play": {"first_dealer": "high_card"}})
    return Engine(rules, seats, tables, draws, player=None)  # type: ignore[arg-type]


def test_the_highest_card_deals_and_ties_cut_again_among_themselves() -> None:
    cuts = Cuts({0: "KD", 1: "9S", 2: "KS", 3: "KC"}, {0: "4D", 2: "AH", 3: "AD"}, {2: "2S", 3: "3S"})
    engine = cut_engine(4, 1, cuts)
    engine.start_game()
    assert engine.dealer.tolist() == [3]
    assert cuts.asked == [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (1, 3), (2, 2), (2, 3)]
    assert c.count(engine.unseen).tolist() == [52]


def test_a_seat_without_chips_does_not_cut() -> None:
    cuts = Cuts({1: "2D", 2: "3D"})
    engine = cut_engine(3, 1, cuts)
    engine.chips[0] = 0
    engine.start_game()
    assert engine.dealer.tolist() == [2]


@pytest.mark.parametrize("seats", range(2, 9))
def test_every_seat_is_as_likely_to_deal_first(seats: int) -> None:
    engine = cut_engine(seats, 20_000, c.SeededDraws(11, 0, 20_000))
    engine.start_game()
    assert chisquare(np.bincount(engine.dealer, minlength=seats)).pvalue > 1e-4
    assert (c.count(engine.unseen) == 52).all()


def test_empty_seats_never_deal_first_and_the_others_do_equally() -> None:
    engine = cut_engine(5, 20_000, c.SeededDraws(12, 0, 20_000))
    engine.chips[[0, 3]] = 0
    engine.start_game()
    dealers = np.bincount(engine.dealer, minlength=5)
    assert dealers[[0, 3]].tolist() == [0, 0]
    assert chisquare(dealers[[1, 2, 4]]).pvalue > 1e-4


# ---- scenarios

SCENARIOS = [scenario for name in ("seeds", "random") for scenario in read_scenarios(DATA / f"{name}.jsonl")]


def outcome_as_expected(scenario: Scenario) -> dict[str, Any]:
    assert scenario.expect is not None
    return {**scenario.expect, "id": scenario.id}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_a_scenario_plays_as_expected(scenario: Scenario) -> None:
    got = play_scenario(scenario)
    assert first_difference(outcome_as_expected(scenario), got) is None
    assert got == outcome_as_expected(scenario)


def worked_hands() -> Iterator[tuple[str, Callable[..., None], dict[str, Any]]]:
    """The tests of the oracle that play hands worked out by hand, with each set of their parameters."""
    for name, test in vars(test_oracle).items():
        if not name.startswith("test_") or not {"play", "banked"} & {*test.__code__.co_names}:
            continue
        sets: list[dict[str, Any]] = [{}]
        for mark in getattr(test, "pytestmark", []):
            names = [mark.args[0]] if isinstance(mark.args[0], str) else list(mark.args[0])
            rows = [row if len(names) > 1 else (row,) for row in mark.args[1]]
            sets = [one | dict(zip(names, row, strict=True)) for one in sets for row in rows]
        yield from ((f"{name}-{i}", test, given) for i, given in enumerate(sets))


@pytest.mark.parametrize("hand", list(worked_hands()), ids=lambda hand: hand[0])
def test_a_hand_worked_out_for_the_oracle_is_the_engines_too(
    hand: tuple[str, Callable[..., None], dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def by_the_engine(given: dict[str, Any], rules: dict[str, Any]) -> dict[str, Any]:
        played = {"id": "T", "preset": "nepali", "overrides": rules, **given}
        return play_scenario(Scenario.model_validate(played))

    monkeypatch.setattr(test_oracle, "play_scenario", by_the_engine)
    hand[1](**hand[2])


def corrupted(**over: Any) -> str | None:
    got = play_scenario(SCENARIOS[0])
    return first_difference({**outcome_as_expected(SCENARIOS[0]), **over}, got)


def test_the_first_difference_from_what_was_expected_is_named() -> None:
    events = list((SCENARIOS[0].expect or {})["events"])
    changed = [*events[:2], {**events[2], "pay": 11}, {**events[3], "seat": 0}, *events[4:]]
    assert corrupted(events=changed, pot=0) == (
        'event 3: expected {"e": "ante", "seat": 0, "pay": 11, "pot": 30}, '
        'got {"e": "ante", "seat": 0, "pay": 10, "pot": 30}'
    )
    pay = '{"e": "pay", "seat": 2, "delta": 20, "pot": 10}'
    assert corrupted(events=events[:-1]) == f"event 7: expected nothing more, got {pay}"
    assert corrupted(events=[*events, {"e": "pass", "seat": 2}]) == (
        'event 8: expected {"e": "pass", "seat": 2}, got nothing more'
    )


@pytest.mark.parametrize(
    ("key", "wrong", "said"),
    [
        ("chips", [990, 990, 1000], "chips: expected [990, 990, 1000], got [990, 990, 1010]"),
        ("pot", 30, "pot: expected 30, got 10"),
        ("stock", 52, "stock: expected 52, got 49"),
        ("next", None, "next: expected None, got 1"),
    ],
)
def test_a_difference_in_the_end_is_named(key: str, wrong: object, said: str) -> None:
    assert corrupted(**{key: wrong}) == said


def scenario(**over: Any) -> Scenario:
    base: dict[str, Any] = {"id": "T", "preset": "nepali", "chips": [100, 100], "pot": 20, "dealer": 0}
    base |= {"start": "turn", "actor": 1, "turns": 1, "draws": ["3D", "QS"]}
    return Scenario.model_validate(base | {"replies": [{"ask": "bet", "reply": 0}]} | over)


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ({"draws": ["3D"]}, "a card is needed and draws has none left"),
        ({"draws": ["3D", "QS", "4S"]}, "1 of its draws were never needed"),
        ({"replies": []}, "bet is asked, but replies has nothing next"),
        ({"replies": [{"ask": "ace", "reply": "low"}]}, "bet is asked, but replies has ace next"),
        ({"draws": ["3D", "3D"]}, "3D is drawn, but it has been seen already"),
        ({"seen": ["3D", "3D"]}, "seen names 3D too often"),
        ({"draws": ["3D", "11S"]}, "expected a card such as 3S, 10H or QD, got '11S'"),
        ({"overrides": {"bet.mim": 1}}, "table.bet.mim"),
    ],
)
def test_a_scenario_that_cannot_be_played_says_why(over: dict[str, Any], said: str) -> None:
    with pytest.raises(ArenaError, match=re.escape(f"scenario T: {said}")):
        play_scenario(scenario(**over))


def test_a_scenario_of_two_packs_may_run_out_between_the_posts() -> None:
    pack = [rank + suit for rank in c.RANK_TEXT.values() for suit in c.SUITS]
    seen = [card for card in pack * 2 if card != "3D"] + ["3D"]
    got = play_scenario(scenario(overrides={"deck.packs": 2}, seen=seen))
    assert [event["e"] for event in got["events"]] == ["shuffle", "posts", "ask", "pass"]
    assert (got["events"][0]["stock"], got["stock"]) == (103, 102)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no scenario in this file"),
        ('{"id": "A"}', ":1: preset: expected text, but the key is missing; write it"),
        ("\n{", ":2: expected a JSON object"),
        ("[" * 100_000, ":1: "),
        ('{"id": "A", "sead": 1}', ':1: sead: unknown key "sead" (keys here: id, title, '),
    ],
)
def test_a_wrong_scenario_file_is_named_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_text(text)
    with pytest.raises(ArenaError, match=re.escape(said)):
        list(read_scenarios(path))


def test_a_scenario_names_seats_that_are_there(tmp_path: Path) -> None:
    path = tmp_path / "seats.jsonl"
    for over, said in (({"dealer": 2}, "seats 0 to 1"), ({"actor": None}, "names the seat to act")):
        path.write_text(json.dumps(scenario().model_dump() | over))
        with pytest.raises(ArenaError, match=said):
            list(read_scenarios(path))


def test_the_examples_of_the_manual_play_as_written(tmp_path: Path) -> None:
    text = (DOCS / "scenarios.md").read_text(encoding="utf-8")
    examples = re.findall(r"```json\n(.*?)```", text, flags=re.DOTALL)
    path = tmp_path / "example.jsonl"
    path.write_text("\n".join(json.dumps(json.loads(example)) for example in examples))
    scenarios = list(read_scenarios(path))
    assert len(scenarios) == 2
    for scenario in scenarios:
        assert play_scenario(scenario) == outcome_as_expected(scenario)
        rules = test_oracle.resolve(test_oracle.PRESETS, scenario.preset, scenario.overrides)
        assert test_oracle.play_scenario(scenario.model_dump(), rules) == scenario.expect
