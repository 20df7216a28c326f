"""What a bot can and cannot do in its process, and how it is told: memory, modules, output, time, and where it ended."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import pytest
from playing import GAP8, PASS, code, play, rules, same

from arena.bot.faults import Fault
from arena.bot.harness import BotCode, Seating
from arena.bot.host import ChildHost, Limits
from arena.bot.modules import MODULES
from arena.bot.seat import BotOutError
from arena.bot.server import ChildServer
from arena.game.chance import Words
from arena.tournament.blocks import Block
from arena.tournament.executors import Setup
from arena.tournament.match import bot_streams
from arena.tournament.runner import Run

MB = 1 << 20


@pytest.fixture(scope="module")
def server() -> Iterator[ChildServer]:
    made = ChildServer()
    yield made
    made.close()


def bot(body: str, head: str = "") -> BotCode:
    """A bot whose ``bet`` is these lines."""
    return code(f"{head}\nclass Bad(Bot):\n    def bet(self, turn):\n{indent(body, ' ' * 8)}\n", "Bad")


def streams(made: BotCode, tables: int = 4) -> Words:
    return bot_streams(7, made.content, 0, Block((0, 1), 0, tables))


def host(server: ChildServer, made: BotCode, tables: int = 4, memory_mb: int = 128) -> ChildHost:
    limits = Limits(1.0, 1.0, memory_mb * MB)
    return ChildHost(server, made, Seating(tables, 0, 2, rules()), streams(made, tables), limits)


def first_text(server: ChildServer, made: BotCode, kind: Fault) -> str:
    return play([made, code(PASS)], server=server, deals=4).first_faults[0, 0, kind].text


@pytest.mark.parametrize(("limit", "fits"), [(64, False), (256, True)])
def test_a_bot_has_the_memory_that_limits_say_and_no_more(
    server: ChildServer, limit: int, fits: bool
) -> None:
    made = host(server, code(f"x = bytes({128 * MB})\n{PASS}"), memory_mb=limit)
    codes, first = made.start.codes, made.start.first
    made.close()
    assert (codes is None) == fits
    assert fits or first[Fault.INIT][1].endswith("MemoryError")


def test_a_module_off_the_list_is_named_with_the_list(server: ChildServer) -> None:
    text = first_text(server, code(f"import pandas\n{PASS}"), Fault.INIT)
    assert "ModuleNotFoundError: a bot cannot import pandas; it may import arena and " in text
    assert ", ".join(MODULES) in text


@pytest.mark.parametrize("name", [*MODULES, "numpy.fft", "numpy.polynomial", "numpy.ma", "collections.abc"])
def test_a_module_on_the_list_can_be_imported(server: ChildServer, name: str) -> None:
    made = host(server, code(f"import {name}\n{PASS}"))
    assert made.start.codes is None, made.start.first
    made.close()


USES = """
import datetime, decimal, fractions, hashlib, json, random, re, statistics, time, warnings
x = np.random.default_rng(1).normal(size=100)
np.fft.fft(x), np.polynomial.Polynomial([1, 2])(x), np.ma.array(x).mean(), np.linalg.inv(np.eye(3)), np.median(x)
datetime.datetime.strptime("2026-01-02", "%Y-%m-%d"), time.strftime("%A"), "é".encode("latin-1"), "é".encode("utf-16")
random.Random().random(), random.shuffle([1, 2, 3]), np.random.default_rng().random(), statistics.quantiles(x.tolist())
re.compile("(a|b)+").match("ab"), hashlib.sha256(b"x").hexdigest(), decimal.Decimal(2).sqrt(), fractions.Fraction(1, 3)
time.sleep(0.001), time.perf_counter(), time.process_time(), warnings.warn("careful"), print("done", x.mean())
"""


def test_what_these_modules_bring_in_later_is_there_too(server: ChildServer) -> None:
    made = host(server, code(USES + PASS))
    assert made.start.codes is None, made.start.first
    assert "done" in made.output
    assert "careful" in made.output
    made.close()


def test_output_is_kept_up_to_4_kib_and_no_terminal_obeys_it(server: ChildServer) -> None:
    made = host(server, code("print('\\x1b[31mred\\x07')\nfor _ in range(2000): print('flood')\n" + PASS))
    assert made.start.codes is None
    assert made.output.startswith("[31mred\nflood\n")
    assert 4000 < len(made.output) <= 4096
    made.close()


def test_a_process_has_its_own_socket_and_board_and_nothing_else(server: ChildServer) -> None:
    hosts = [host(server, code(PASS)) for _ in range(3)]
    for made in hosts:
        assert made.start.codes is None
    for made in hosts:
        there = sorted(os.readlink(fd) for fd in Path(f"/proc/{made._pid}/fd").iterdir())
        assert there[:3] == [os.devnull] * 3
        assert [name.partition(":")[0] for name in there[3:]] == ["socket"]
        maps = Path(f"/proc/{made._pid}/maps").read_text()
        assert maps.count("memfd:arena-board") == 1
    for made in hosts:
        made.close()


def test_the_source_is_sent_only_after_the_parent_has_looked(
    server: ChildServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = host(server, code(PASS))
    seen: list[bool] = []
    locked = server.locked

    def look(control: object) -> int:
        seen.append(b"class" in made._memory[:] or any(made._memory[:]))
        pid = locked(control)  # type: ignore[arg-type]
        seen.append(any(made._memory[:]))
        return pid

    monkeypatch.setattr(server, "locked", look)
    assert made.start.codes is None
    assert seen == [False, False]
    assert b"class" in made._memory[:]
    made.close()


CATCHES = "try:\n    while True:\n        pass\nexcept BaseException:\n    pass\nreturn 0"


def test_a_bot_that_catches_what_stops_it_is_late_all_the_same(server: ChildServer) -> None:
    made = bot(f"if turn.round != 2:\n    return 0\n{CATCHES}")
    result = play([made, code(GAP8)], server=server, deals=6, decision_s=0.02)
    raises = play([bot("return 1 // (turn.round != 2) * 0"), code(GAP8)], deals=6)
    assert result.faults[:, 0, Fault.LATE].tolist() == raises.faults[:, 0, Fault.EXCEPTION].tolist()
    assert (result.faults[:, 0, Fault.LATE] > 0).all()
    assert (result.chips == play([code(PASS), code(GAP8)], deals=6).chips).all()


TIME_THIEVES = {
    "never stops": "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "stops the clock": "signal.setitimer(signal.ITIMER_REAL, 0)\nx = time.process_time()\n"
    "while time.process_time() < x + 0.3: pass\nreturn 0",
    "ignores the clock": "signal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True: pass",
    "sleeps without a clock": "signal.signal(signal.SIGALRM, signal.SIG_IGN)\ntime.sleep(600)",
}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n.startswith("sleeps") else n for n in TIME_THIEVES]
)
def test_a_bot_that_breaks_its_clock_is_out(server: ChildServer, name: str) -> None:
    made = bot(TIME_THIEVES[name], "import signal, time")
    with pytest.raises(BotOutError) as out:
        play([made, code(GAP8)], server=server, deals=20, decision_s=0.005)
    assert (out.value.entrant, out.value.kind) == (0, Fault.LATE)


@pytest.mark.parametrize("head", ["while True: pass", "import time; time.sleep(600)"])
def test_a_file_that_never_ends_is_late(server: ChildServer, head: str) -> None:
    result = play([code(f"{head}\n{PASS}"), code(GAP8)], server=server, deals=4, decision_s=0.02)
    assert result.faults[:, 0, Fault.LATE].tolist() == [4, 4]


PATCHED = """
import sys, time
main = sys.modules.get("arena.bot.child") or sys.modules["__main__"]
real = main._reply
def reply(control, *rest):
{}
main._reply = reply
"""


FORGERS = {
    "twice": "    real(control, *rest)\n    real(control, *rest)",
    "garbage": "    control.send(b'x' * 50000)",
    "empty": "    control.send(b'')",
    "hangs up": "    control.close()",
    "huge": "    control.send(b'\\xff' * 100000)",
}


@pytest.mark.parametrize("name", FORGERS)
def test_a_frame_that_is_none_ends_its_process(server: ChildServer, name: str) -> None:
    with pytest.raises(BotOutError) as out:
        play([bot("return 0", PATCHED.format(FORGERS[name])), code(GAP8)], server=server, deals=4)
    assert out.value.kind == Fault.DIED


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ("rest[2].first.clear()", "its process did not say what happened"),
        ("rest[2].first.update({k: (0, t) for k, (_, t) in rest[2].first.items()})", "ZeroDivisionError"),
    ],
)
def test_where_a_fault_was_is_taken_from_the_answers_not_from_what_is_said_of_them(
    server: ChildServer, says: str, told: str
) -> None:
    forger = bot("return 1 // (turn.gap != 9)", PATCHED.format(f"    {says}\n    real(control, *rest)"))
    honest = bot("return 1 // (turn.gap != 9)")
    forged, true = (
        play([made, code(GAP8)], server=server, deals=40).first_faults for made in (forger, honest)
    )
    at = {key: (fault.deal, fault.step) for key, fault in true.items()}
    assert any(deal for deal, _ in at.values())
    assert {key: (fault.deal, fault.step) for key, fault in forged.items()} == at
    assert all(told in fault.text for key, fault in forged.items() if key[2] == Fault.EXCEPTION)


DIES = """
count = 0
class Dies(Bot):
    def bet(self, turn):
        global count
        count += 1
        if count == 700:
            {}
        return turn.min_bet if turn.gap >= 9 else 0
"""


def setup_of(*codes: BotCode) -> Setup:
    return Setup(codes, rules(), 7, 10, Limits(1.0, 1.0, 128 * MB), is_trusted=False)


@pytest.mark.parametrize(
    ("ends", "how"),
    [
        pytest.param("__import__('os')._exit(3)", "exit code 3", marks=pytest.mark.workers),
        ("__import__('os')._exit(75)", "exit code 75"),  # as if it had been late: nobody believes it
        ("__import__('ctypes').string_at(0)", "signal 11, Segmentation fault"),
    ],
)
def test_a_bot_that_dies_at_its_700th_decision_is_told_so(ends: str, how: str) -> None:
    todo = [Block((0, 1), 120 * k, 120) for k in range(3)]
    raises = play([code(DIES.format("1 / 0")), code(GAP8)], deals=120).first_faults[0, 0, Fault.EXCEPTION]
    with Run(setup_of(code(DIES.format(ends)), code(GAP8)), 2) as run:
        results = run.play(todo, lambda _: None)
    assert run.out == {0: Fault.DIED}
    told = results[0].first_faults
    assert list(told) == [(0, 0, Fault.DIED)]
    assert (told[0, 0, Fault.DIED].deal, told[0, 0, Fault.DIED].step) == (raises.deal, raises.step)
    assert told[0, 0, Fault.DIED].text == f"its process ended here ({how})"
    assert not results[1].first_faults
    assert results[1].faults[:, 0, Fault.DIED].tolist() == [120, 120]


def test_a_watched_bot_plays_the_same_games(server: ChildServer) -> None:
    def watched(*arguments: object) -> ChildHost:
        return ChildHost(*arguments, is_watched=True)  # type: ignore[arg-type]

    plain = play([code(GAP8), code(PASS)], server=server)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("playing.ChildHost", watched)
        assert same(play([code(GAP8), code(PASS)], server=server), plain)


def test_the_rules_cannot_be_changed_and_are_the_same_in_a_process(server: ChildServer) -> None:
    head = "seen = []"
    body = (
        "try:\n    turn.rules.bet.min = 5\nexcept AttributeError as error:\n"
        "    raise ValueError(f'{error} {turn.rules.ante.amount} {turn.rules.pair_pay_chips} {turn.rules}')"
    )
    local, child = (play([bot(body, head), code(PASS)], server=where, deals=4) for where in (None, server))
    assert same(local, child)
    text = child.first_faults[0, 0, Fault.EXCEPTION].text
    assert "a table's rules cannot be changed 10 " in text


KEEPER = """
class Keeper(Bot):
    def __init__(self):
        self.kept = []
    def bet(self, turn):
        for kept in self.kept:  # nothing of these was read before
            assert kept.stacks[kept.seat] == kept.chips
            assert sum(kept.unseen) == kept.wins + kept.hits + kept.losses
            assert kept.value(kept.max_bet) == (
                kept.wins * kept.max_bet - kept.losses * kept.max_bet - kept.hits * min(2 * kept.max_bet, kept.chips)
            ) / sum(kept.unseen)
        self.kept = [*self.kept[-2:], turn]
        return turn.max_bet if self.kept[0].uniform() < 0.5 else 0
"""


def test_a_turn_that_is_kept_says_later_what_it_said(server: ChildServer) -> None:
    local, child = (play([code(KEEPER), code(GAP8)], server=where) for where in (None, server))
    assert not child.faults.any()
    assert same(local, child)


WAGERS_KEPT = """
class Keeper(Bot):
    def __init__(self):
        self.kept = []
    def wager(self, turn):
        self.kept = [*self.kept[-2:], (turn, turn.value(turn.max_bet))]
        return turn.max_bet // 4
    def bet(self, turn):
        for kept, value in self.kept:
            assert kept.value(kept.max_bet) == value
        return 0
"""


def test_what_a_wager_was_worth_is_kept_too(server: ChildServer) -> None:
    table = rules("red_dog", post__multiplier=2)  # a cap may bind, so what is kept is read again
    local, child = (
        play([code(WAGERS_KEPT), code(PASS)], table, deals=8, server=where) for where in (None, server)
    )
    assert not child.faults.any()
    assert same(local, child)
