"""A wrong answer is a fault: counted by kind, never clamped, never the end of anything."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from playing import GAP8, PASS, code, play, rules, same

from arena.bot.faults import Fault
from arena.bot.seat import BotOutError
from arena.bot.server import ChildServer


@pytest.fixture(scope="module")
def server() -> Iterator[ChildServer]:
    made = ChildServer()
    yield made
    made.close()


WRONG = {
    "too big": ("return turn.max_bet + 1", Fault.TOO_BIG),
    "huge": ("return 10 ** 30", Fault.TOO_BIG),
    "negative": ("return -1", Fault.NEGATIVE),
    "hugely negative": ("return -(10 ** 30)", Fault.NEGATIVE),
    "none": ("return None", Fault.NOT_WHOLE),
    "float": ("return 5.0", Fault.NOT_WHOLE),
    "nan": ("return float('nan')", Fault.NOT_WHOLE),
    "true": ("return True", Fault.NOT_WHOLE),
    "numpy bool": ("return np.bool_(True)", Fault.NOT_WHOLE),
    "text": ("return '5'", Fault.NOT_WHOLE),
    "list": ("return [5]", Fault.NOT_WHOLE),
    "array": ("return np.array([5])", Fault.NOT_WHOLE),
    "class": ("return int", Fault.NOT_WHOLE),
    "exception": ("return 1 // 0", Fault.EXCEPTION),
    "stop iteration": ("raise StopIteration", Fault.EXCEPTION),
    "exit": ("raise SystemExit", Fault.EXCEPTION),
    "keyboard": ("raise KeyboardInterrupt", Fault.EXCEPTION),
    "recursion": ("return self.bet(turn)", Fault.EXCEPTION),
    "memory": ("return len(bytearray(1 << 60))", Fault.EXCEPTION),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_bet_counts_as_zero_and_is_named_by_kind(name: str, server: ChildServer) -> None:
    body, kind = WRONG[name]
    bad = code(f"class Bad(Bot):\n    def bet(self, turn):\n        {body}\n")
    local, child = (play([bad, code(GAP8)], server=where, deals=10) for where in (None, server))
    passes = play([code(PASS), code(GAP8)], deals=10)
    assert same(local, child)
    assert (local.chips == passes.chips).all()
    assert local.faults[:, 0, kind].sum() > 0
    assert local.faults.sum() == local.faults[:, 0, kind].sum()
    assert (local.faults[:, 0].sum(axis=1) <= 10 * 10).all()


def test_a_bet_below_the_least_is_too_small() -> None:
    bad = code("class Bad(Bot):\n    def bet(self, turn):\n        return turn.min_bet - 1 or 1\n")
    result = play([bad, code(GAP8)], rules("denexa"), deals=20)
    assert result.faults[:, 0, Fault.TOO_SMALL].sum() > 0
    assert result.faults[:, 0].sum() == result.faults[:, 0, Fault.TOO_SMALL].sum()


def test_numpy_integers_and_whole_number_types_are_no_fault() -> None:
    texts = ["return np.int64(turn.max_bet)", "return np.uint8(min(turn.max_bet, 9))", "return One(1)"]
    head = "from enum import IntEnum\nclass One(IntEnum):\n    ONE = 1\n"
    for body in texts:
        bot = code(f"{head}class Fine(Bot):\n    def bet(self, turn):\n        {body}\n", "Fine")
        assert play([bot, code(PASS)], deals=10).faults.sum() == 0


def test_after_ten_faults_in_a_game_the_rest_is_played_by_default() -> None:
    bad = code("class Bad(Bot):\n    def bet(self, turn):\n        return -1\n")
    result = play([bad, code(PASS)], rules(end__rounds=40), deals=5)
    assert result.faults[:, 0, Fault.NEGATIVE].tolist() == [50, 50]


VECTOR = {
    "a scalar": ("return 0", Fault.WRONG_SHAPE),
    "one too few": ("return turns.max_bet[1:]", Fault.WRONG_SHAPE),
    "two columns": ("return np.zeros((len(turns), 2), dtype=int)", Fault.WRONG_SHAPE),
    "floats": ("return turns.max_bet * 1.0", Fault.NOT_WHOLE),
    "bools": ("return turns.max_bet > 0", Fault.NOT_WHOLE),
    "objects": ("return np.array([None] * len(turns))", Fault.NOT_WHOLE),
    "ragged": ("return [[1], [1, 2]]", Fault.EXCEPTION),
    "writes": ("turns.pot[:] = 0", Fault.EXCEPTION),
}


@pytest.mark.parametrize("name", VECTOR)
def test_a_wrong_vector_answer_is_a_fault_for_each_row(name: str, server: ChildServer) -> None:
    body, kind = VECTOR[name]
    bad = code(f"class Bad(VectorBot):\n    def bet(self, turns):\n        {body}\n")
    local, child = (play([bad, code(GAP8)], server=where, deals=10) for where in (None, server))
    assert same(local, child)
    assert (local.chips == play([code(PASS), code(GAP8)], deals=10).chips).all()
    assert local.faults.sum() == local.faults[:, 0, kind].sum() > 20


def test_in_a_vector_answer_only_the_illegal_rows_are_faults() -> None:
    bad = code(
        "class Bad(VectorBot):\n    def bet(self, turns):\n"
        "        return np.where(turns.row == 3, turns.max_bet + 1, np.uint64(0)).astype(np.uint64)\n"
    )
    result = play([bad, code(PASS)], rules(end__rounds=40), deals=20)
    assert result.faults[:, 0, Fault.TOO_BIG].tolist() == [10, 10]
    assert result.first_faults[0, 0, Fault.TOO_BIG].deal == 3


@pytest.mark.parametrize(
    ("method", "body"),
    [
        ("call_ace", "return 'middle'"),
        ("call_ace", "return None"),
        ("call_pair", "return True"),
        ("call_pair", "1/0"),
    ],
)
def test_a_wrong_call_counts_as_the_default_call(method: str, body: str, server: ChildServer) -> None:
    text = f"{GAP8}\n    def {method}(self, turn):\n        {body}\n"
    local, child = (play([code(text), code(PASS)], server=where, deals=30) for where in (None, server))
    assert same(local, child)
    assert (local.chips == play([code(GAP8), code(PASS)], deals=30).chips).all()
    kind = Fault.EXCEPTION if "1/0" in body else Fault.NOT_A_CALL
    assert local.faults.sum() == local.faults[:, 0, kind].sum() > 0


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return 5", "an int"),
        ("return ['low']", "a list"),
        ("return None", "None"),
        ("return b'low'", "a bytes"),
    ],
)
def test_a_wrong_call_is_told_with_the_right_article(body: str, says: str) -> None:
    text = f"{GAP8}\n    def call_ace(self, turn):\n        {body}\n"
    first = play([code(text), code(PASS)], deals=30).first_faults
    assert {fault.text for fault in first.values()} == {f"the call was {says}, expected 'low' or 'high'"}


BROKEN = {
    "module level": ("x = 1 // 0\n" + PASS, "ZeroDivisionError"),
    "exit": ("raise SystemExit(3)\n" + PASS, "SystemExit"),
    "init": (
        "class Bad(Bot):\n    def __init__(self):\n        1 // 0\n    def bet(self, turn):\n        return 5\n",
        "Zero",
    ),
    "start": (f"{GAP8}\n    def start(self, table):\n        raise ValueError('no')\n", "ValueError: no"),
    "vector init": (
        "class Bad(VectorBot):\n    def __init__(self, a):\n        pass\n    bet = 5\n",
        "TypeError",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_bot_that_cannot_start_plays_by_default_with_one_fault_a_game(
    name: str, server: ChildServer
) -> None:
    text, message = BROKEN[name]
    local, child = (play([code(text), code(GAP8)], server=where, deals=10) for where in (None, server))
    assert same(local, child)
    assert (local.chips == play([code(PASS), code(GAP8)], deals=10).chips).all()
    assert local.faults[:, 0].sum(axis=1).tolist() == [10, 10]
    assert local.faults[:, 0, Fault.INIT].tolist() == [10, 10]
    assert message in local.first_faults[0, 0, Fault.INIT].text


def test_only_games_whose_start_failed_are_played_by_default() -> None:
    text = f"count = [0]\n{GAP8}\n    def start(self, table):\n        count[0] += 1\n        assert count[0] != 4\n"
    result, plain = play([code(text), code(PASS)], deals=20), play([code(GAP8), code(PASS)], deals=20)
    assert result.faults[:, 0, Fault.INIT].tolist() == [1, 1]
    others = np.delete(np.arange(20), 3)
    assert (result.chips[:, others] == plain.chips[:, others]).all()


def test_the_first_traceback_names_file_line_and_code_and_no_address() -> None:
    bad = code("class Bad(Bot):\n    def bet(self, turn):\n        raise ValueError(object())\n")
    text = play([bad, code(PASS)], deals=4).first_faults[0, 0, Fault.EXCEPTION].text
    assert text == (
        'File "bad.py", line 6, in bet\n    raise ValueError(object())\nValueError: <object object at 0x…>'
    )


def test_a_wrong_answer_is_described_by_what_was_legal() -> None:
    bad = code("class Bad(Bot):\n    def bet(self, turn):\n        return 99999\n")
    first = play([bad, code(PASS)], deals=4).first_faults[0, 0, Fault.TOO_BIG]
    pot = 20 * (first.step // 2 + 1)  # nobody bets: two antes of 10 a round
    assert first.text == f"a bet of 99999, where 0 or 1 to {pot} was legal"


def test_the_first_fault_is_the_first_by_deal_however_the_deals_are_cut() -> None:
    text = "class Bad(Bot):\n    def bet(self, turn):\n        return -1 if turn.uniform() < 0.02 else 0\n"
    whole = play([code(text), code(PASS)], deals=100).first_faults[0, 0, Fault.NEGATIVE]
    half = play([code(text), code(PASS)], first_deal=50, deals=50).first_faults[0, 0, Fault.NEGATIVE]
    first = play([code(text), code(PASS)], deals=50).first_faults[0, 0, Fault.NEGATIVE]
    assert whole == first
    assert half.deal >= 50


@pytest.mark.parametrize("body", ["import os; os._exit(0)", "import ctypes; ctypes.string_at(0)"])
def test_a_process_that_ends_puts_its_bot_out(body: str, server: ChildServer) -> None:
    text = f"class Bad(Bot):\n    def bet(self, turn):\n        if turn.round == 3:\n            {body}\n        return 0\n"
    with pytest.raises(BotOutError) as out:
        play([code(text), code(GAP8)], server=server, deals=20)
    assert (out.value.entrant, out.value.kind) == (0, Fault.DIED)


def test_a_bot_that_hangs_a_little_is_stopped_and_plays_on_by_default(server: ChildServer) -> None:
    spin = code(
        "class Spin(Bot):\n    def bet(self, turn):\n        while turn.round == 2:\n            pass\n        return 0\n"
    )
    result = play([spin, code(GAP8)], server=server, deals=30, decision_s=0.02)
    assert (result.chips == play([code(PASS), code(GAP8)], deals=30).chips).all()
    late = result.faults[:, 0, Fault.LATE]
    assert (late > 0).all()
    assert (late <= 30).all()


def test_a_bot_that_sleeps_is_late_by_the_wall_clock(server: ChildServer) -> None:
    nap = code(
        "import time\nclass Nap(Bot):\n    def bet(self, turn):\n"
        "        time.sleep(60 * (turn.round == 2))\n        return 0\n"
    )
    result = play([nap, code(GAP8)], server=server, deals=4, decision_s=0.02)
    assert (result.chips == play([code(PASS), code(GAP8)], deals=4).chips).all()
    assert result.faults[:, 0].sum() == result.faults[:, 0, Fault.LATE].sum() > 0


def test_a_bot_that_hangs_all_the_time_is_out(server: ChildServer) -> None:
    spin = code("class Spin(Bot):\n    def bet(self, turn):\n        while True:\n            pass\n")
    with pytest.raises(BotOutError) as out:
        play([spin, code(GAP8)], server=server, deals=100, decision_s=0.01)
    assert out.value.kind == Fault.LATE


HOSTILE = {
    "abstract": (
        "import abc\nclass Bad(Bot, abc.ABC):\n    @abc.abstractmethod\n    def more(self): ...\n"
        "    def bet(self, turn):\n        return 0\n"
    ),
    "_stream": "class Bad(Bot):\n    _stream = property(lambda self: 1)\n    def bet(self, turn):\n        return 0\n",
    "__new__": "class Bad(Bot):\n    def __new__(cls):\n        1 / 0\n    def bet(self, turn):\n        return 0\n",
    "property": "class Bad(Bot):\n    @property\n    def bet(self):\n        1 / 0\n",
    "getattribute": (
        "class Bad(Bot):\n    def __getattribute__(self, name):\n        1 / 0\n    def bet(self, turn):\n        return 0\n"
    ),
    "timedelta": "class Bad(Bot):\n    def bet(self, turn):\n        return np.timedelta64(5, 'D')\n",
    "not a time": "class Bad(Bot):\n    def bet(self, turn):\n        return np.timedelta64('NaT')\n",
    "mock": "class Mock:\n    __class__ = int\nclass Bad(Bot):\n    def bet(self, turn):\n        return Mock()\n",
    "a lie": (
        "class Lie:\n    @property\n    def __class__(self):\n        1 / 0\n"
        "class Bad(Bot):\n    def bet(self, turn):\n        return Lie()\n"
    ),
    "metaclass": (
        "class Meta(type):\n    def __hash__(cls):\n        1 / 0\nclass Odd(metaclass=Meta):\n    pass\n"
        "class Bad(Bot):\n    def bet(self, turn):\n        return Odd()\n"
    ),
    "call": (
        "class Str:\n    __class__ = str\nclass Bad(Bot):\n    def call_ace(self, turn):\n        return Str()\n"
        "    def bet(self, turn):\n        return 0\n"
    ),
    "message": (
        "class S(str):\n    def __len__(self):\n        1 / 0\nclass E(Exception):\n    def __str__(self):\n"
        "        return S('x')\nclass Bad(Bot):\n    def bet(self, turn):\n        raise E\n"
    ),
    "traceback": (
        "class E(Exception):\n    @property\n    def __traceback__(self):\n        1 / 0\n"
        "class Bad(Bot):\n    def bet(self, turn):\n        raise E\n"
    ),
    "surrogate": "class Bad(Bot):\n    def bet(self, turn):\n        raise ValueError('\\ud800' * 3000)\n",
    "long": "class Bad(Bot):\n    def bet(self, turn):\n        raise ValueError('漢' * 3000)\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_strangers_object_is_never_touched_unguarded(name: str, server: ChildServer) -> None:
    bad = code(HOSTILE[name], "Bad")
    local, child = (play([bad, code(GAP8)], server=where, deals=10) for where in (None, server))
    assert same(local, child)
    assert (local.chips == play([code(PASS), code(GAP8)], deals=10).chips).all()
    assert local.faults.sum() == local.faults[:, 0].sum() > 0
    for fault in local.first_faults.values():
        assert fault.text.encode("utf-8")


def test_two_files_of_one_name_keep_their_own_lines() -> None:
    texts = [f"class Bad(Bot):\n    def bet(self, turn):\n        raise ValueError({k})\n" for k in (1, 2)]
    result = play([code(text) for text in texts], deals=4)
    for position, k in enumerate((1, 2)):
        assert f"raise ValueError({k})" in result.first_faults[0, position, Fault.EXCEPTION].text
