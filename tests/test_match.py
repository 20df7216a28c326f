"""Blocks: the same games whoever plays them, however they are cut, and all that was answered is kept."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import GAP8, PASS, code, play, rules, same

from arena.bot.harness import BotCode
from arena.bot.host import ChildServer
from arena.game.cards import SeededDraws
from arena.game.engine import Engine
from arena.game.rules import preset_names
from arena.tournament.match import Retold

HERE = Path(__file__).parent
TABLES = [name for name in preset_names() if name != "red_dog"]
RANDOM = """
class Random(Bot):
    def bet(self, turn):
        return turn.min_bet + int(turn.uniform() * (turn.max_bet - turn.min_bet + 1)) if turn.uniform() < 0.5 else 0
    def call_ace(self, turn):
        return "high" if turn.uniform() < 0.5 else "low"
    def call_pair(self, turn):
        return "higher" if turn.uniform() < 0.5 else "lower"
"""


@pytest.fixture(scope="module")
def server() -> Iterator[ChildServer]:
    made = ChildServer()
    yield made
    made.close()


def from_file(path: Path, class_name: str) -> BotCode:
    source = path.read_bytes()
    content = hashlib.sha256(source + class_name.encode()).hexdigest()
    return BotCode(source, path.name, class_name, {}, content)


@pytest.mark.parametrize("preset", TABLES)
def test_a_bot_against_its_clone_nets_exactly_nothing(preset: str) -> None:
    for text in (GAP8, RANDOM):
        result = play([code(text), code(text)], rules(preset), deals=40)
        assert result.chips.sum(axis=0)[:, 0].tolist() == result.chips.sum(axis=0)[:, 1].tolist()
        assert (result.chips[0, :, 0] != result.chips[0, :, 1]).any()


def test_three_clones_net_nothing_over_three_rotations() -> None:
    result = play([code(RANDOM)] * 3, deals=20)
    assert (result.chips.sum(axis=0) == 3 * 1000).all()


TWINS = [
    ("ladder.py", "Ladder", "LadderScalar"),
    ("edge.py", "Edge", "EdgeVector"),
    ("random_bet.py", "RandomBet", "RandomBetVector"),
    ("mood.py", "Mood", "MoodVector"),
]


@pytest.mark.parametrize(("file", "house", "twin"), TWINS)
@pytest.mark.parametrize("preset", TABLES)
def test_the_same_idea_scalar_and_vectorised_plays_the_same_games(
    file: str, house: str, twin: str, preset: str
) -> None:
    one, other = from_file(HERE.parent / "bots" / file, house), from_file(HERE / "data" / "twins.py", twin)
    other = BotCode(
        other.source, other.file_name, other.class_name, other.params, one.content
    )  # the same chance
    a = play([one, code(GAP8), code(RANDOM)], rules(preset), deals=20)
    b = play([other, code(GAP8), code(RANDOM)], rules(preset), deals=20)
    assert same(a, b)
    assert a.faults.sum() == 0
    assert (a.bets > 0).any()


def test_children_and_the_worker_play_the_same_games_at_a_mixed_table(server: ChildServer) -> None:
    ladder = from_file(HERE.parent / "bots" / "ladder.py", "Ladder")
    mood = from_file(HERE.parent / "bots" / "mood.py", "Mood")
    bots = [ladder, mood, code(RANDOM), code(GAP8)]
    for preset in ("nepali", "denexa_house"):
        assert same(play(bots, rules(preset), deals=12), play(bots, rules(preset), deals=12, server=server))


def test_a_block_cut_in_two_holds_the_same_games() -> None:
    bots = [code(RANDOM), code(GAP8), code(PASS)]
    whole = play(bots, deals=60)
    for first, deals in ((0, 25), (25, 35)):
        part = play(bots, first_deal=first, deals=deals)
        assert (part.chips == whole.chips[:, first : first + deals]).all()
        assert (part.bets == whole.bets[:, : part.bets.shape[1], first : first + deals]).all()


@settings(max_examples=12, deadline=None, derandomize=True)
@given(
    preset=st.sampled_from(TABLES),
    seats=st.integers(2, 8),
    packs=st.sampled_from([1, 2, 8]),
    chips=st.sampled_from([1, 7, 100, 1_000_000_000]),
)
def test_kept_answers_retell_the_games(preset: str, seats: int, packs: int, chips: int) -> None:
    table = rules(preset, deck__packs=packs, chips=chips, end__rounds=5)
    bots = [code(RANDOM), code(GAP8), code("class Bad(Bot):\n    def bet(self, turn):\n        return -1\n")]
    result = play([bots[k % 3] for k in range(seats)], table, deals=9)
    for rotation in range(seats):
        told = Retold(result, rotation)
        engine = Engine(table, seats, 9, SeededDraws(7, 0, 9), told)
        engine.play()
        where = [(position + rotation) % seats for position in range(seats)]
        assert (result.chips[rotation] == engine.chips[where].T).all()
    assert (result.chips.sum(axis=2) == seats * chips).all()
    assert result.bets.itemsize == (2 if seats * chips < 2**15 else 4 if seats * chips < 2**31 else 8)


def test_start_watch_and_rng_see_what_the_table_sees() -> None:
    text = """
class Watcher(Bot):
    def start(self, table):
        assert (table.seats, table.rules.chips) == (3, 1000)
        self.seat, self.seen, self.rng_at_start = table.seat, [], table.rng
    def watch(self, play):
        self.seen.append(play)
        assert len(play.stacks) == 3 and sum(play.stacks) + play.pot == 3000
        assert play.third is None or 2 <= play.third <= 14
        assert (play.bet > 0) == (play.third is not None)
        assert play.delta == 0 or play.bet > 0
    def bet(self, turn):
        assert self.rng is self.rng_at_start
        assert turn.seat == self.seat and turn.stacks[self.seat] == turn.chips
        assert not self.seen or self.seen[-1].pot + (turn.pot - self.seen[-1].pot) == turn.pot
        assert sum(turn.unseen) == turn.wins + turn.hits + turn.losses
        assert len(self.seen) % 3 == (turn.dealer - turn.seat - 1) % 3 or turn.round
        return self.rng.randint(0, min(5, turn.max_bet))
"""
    result = play([code(text), code(GAP8), code(PASS)], deals=30)
    assert result.faults.sum() == 0, result.first_faults


def test_chance_of_a_bot_is_of_seed_deal_seat_and_content_alone() -> None:
    text = (
        "class Coin(Bot):\n    def bet(self, turn):\n        return self.rng.randint(0, 1) * turn.min_bet\n"
    )
    other = text.replace("0, 1", "0,1")
    with_gap, with_pass = play([code(text), code(GAP8)], deals=30), play([code(text), code(PASS)], deals=30)
    first = (with_gap.bets[0, 1] > 0) == (
        with_pass.bets[0, 1] > 0
    )  # seat 1 acts first: the same view, the same coin
    assert first.all() or first.mean() > 0.99
    assert (play([code(other), code(PASS)], deals=30).bets[0] != with_pass.bets[0]).any()
    assert (play([code(text), code(PASS)], deals=30, seed=8).bets[0] != with_pass.bets[0]).any()


def test_uniform_is_uniform_and_new_at_every_turn() -> None:
    text = """
class Uniform(VectorBot):
    def start(self, tables):
        self.drawn = []
    def bet(self, turns):
        a, b = turns.uniform(), turns.uniform()
        self.drawn += [a, b]
        assert 0 <= a.min() and a.max() < 1
        if turns.round[0] == 10:
            all_drawn = np.concatenate(self.drawn)
            assert abs(all_drawn.mean() - 0.5) < 4 / np.sqrt(12 * len(all_drawn))
            assert len(np.unique(all_drawn)) == len(all_drawn)
        return turns.min_bet * 0
"""
    result = play([code(text), code(PASS)], deals=400)
    assert result.faults.sum() == 0, result.first_faults


SECRETS = {"seed": 0x3141592653589793_2384626433832795, "first_deal": 2_718_281}
MASK = 0x5A5A5A5A5A5A5A5A
SPY = """
import gc, mmap, re, sys

MASK, MASKED = DISGUISED  # the numbers themselves must not stand in the bot's own code

def numbers_in(thing):
    if issubclass(type(thing), int) or type(thing) in (np.int64, np.uint64, np.int32, np.uint32):
        yield int(thing)
    elif isinstance(thing, np.ndarray) and thing.dtype.kind in "iu":
        yield from thing.ravel().tolist()
    elif isinstance(thing, (bytes, bytearray, mmap.mmap)):
        raw = bytes(thing)
        for at in range(min(8, max(len(raw) - 7, 0))):
            yield from np.frombuffer(raw, np.int64, (len(raw) - at) // 8, at).tolist()
        yield from map(int, re.findall(b"[0-9]{5,39}", raw))
    elif isinstance(thing, str):
        yield from map(int, re.findall("[0-9]{5,39}", thing))

def search():
    todo, frame = [gc.get_objects(), sys.modules], sys._getframe()
    while frame:
        todo.append(dict(frame.f_locals))
        frame = frame.f_back
    seen = {}  # by id; what is kept here keeps its id
    while todo:
        thing = todo.pop()
        if id(thing) not in seen and thing is not seen:
            seen[id(thing)] = thing
            if any(number ^ MASK in MASKED for number in numbers_in(thing)):
                return f"found in a {type(thing).__name__} among {len(seen)}"
            todo += gc.get_referents(thing)
    return f"nothing found among {len(seen)}"

class Spy(Bot):
    def bet(self, turn):
        raise RuntimeError(search())
"""


def spy(server: ChildServer | None, *secrets: int) -> tuple[str, int]:
    """What a bot finds that looks for these numbers in all that its process can reach, and at how many objects it looked."""
    masked = {number ^ MASK for number in secrets}
    bot = code(SPY.replace("DISGUISED", repr((MASK, masked))), "Spy")
    result = play([bot, code(PASS)], deals=2, server=server, faults=1, decision_s=60.0, **SECRETS)
    said = " ".join(fault.text for fault in result.first_faults.values())
    match = re.search(r"(nothing found|found in a \w+) among (\d+)", said)
    assert match is not None, said
    return match[1], int(match[2])


@pytest.mark.parametrize("secret", SECRETS)
def test_neither_seed_nor_deal_is_anywhere_in_the_process_of_a_bot(secret: str, server: ChildServer) -> None:
    number = SECRETS[secret]
    parts = {part for part in (number >> 64, number & (1 << 64) - 1) if part}  # of a seed of 128 bits
    where, looked = spy(server, number, number + 1, *parts)
    assert where == "nothing found"
    assert looked > 10_000


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.slow
def test_the_same_search_finds_both_in_the_worker_itself(secret: str) -> None:
    """Trusted bots run where the tournament does; and so it is known that the search can find what is there."""
    assert spy(None, SECRETS[secret])[0].startswith("found in")


def test_a_turn_tells_neither_entrant_nor_deal() -> None:
    text = """
class Spy(Bot):
    def bet(self, turn):
        names = {n for n in dir(turn) if not n.startswith("__")} | set(vars(turn._turns))
        assert not {n for n in names if "seed" in n or "deal" in n.replace("dealer", "") or "entrant" in n}, names
        return 0
"""
    assert play([code(text), code(PASS)], deals=3).faults.sum() == 0
