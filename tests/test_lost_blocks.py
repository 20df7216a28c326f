"""A bot that falls out of a block once plays it when asked again: whoever reads the result is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import playing
import pytest
from commands import ended

from arena.bot.clock import MOST_STRIKES, Account
from arena.bot.faults import Fault
from arena.bot.host import Limits
from arena.bot.seat import BotOutError, FirstAt
from arena.tournament import executors, runner
from arena.tournament.blocks import Block

CALM = """from arena import Bot

class {}(Bot):
    def bet(self, turn):
        return turn.min_bet if turn.gap > {} else 0
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "calm.py").write_text(CALM.format("Calm", 8))
    (tmp_path / "once.py").write_text(CALM.format("Once", 9))
    (tmp_path / "t.yaml").write_text("name: t\nbots: [calm.py, once.py]\ndeals: 30\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("kind", "words"), [(Fault.DIED, "had its process end"), (Fault.LATE, "took too long, again")]
)
def test_a_block_lost_once_is_named_in_run_json_and_on_standard_error(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, kind: Fault, words: str
) -> None:
    plays, lost = executors.Worker.play, []

    def play_but_once(self: executors.Worker, block: object, *rest: object) -> object:
        if not lost:
            lost.append([bot.class_name for bot in self._setup.bots].index("Once"))
            return BotOutError(lost[0], kind)
        return plays(self, block, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(executors.Worker, "play", play_but_once)
    report = place / "reports" / "t"

    def run(*more: str) -> tuple[str, list[dict[str, object]], list[bytes]]:
        code, _, said = ended(capsys, "run", "t.yaml", "--trust-bots", *more)
        assert code == 0
        about = json.loads((report / "run.json").read_text())
        names = ("report.md", "results.json", "standings.csv")
        return said, about["played_again"], [(report / name).read_bytes() for name in names]

    said, (told,), files = run()
    assert f"Once {words}" in said
    assert "once (deals 0 to 29 of " in said
    assert sorted(told.pop("bots")) == ["Calm", "Once"]  # type: ignore[call-overload]
    assert told == {"bot": "Once", "why": kind.label, "first_deal": 0, "deals": 30}
    said, told_then, files_then = run("--fresh")
    assert "another run" not in said
    assert (told_then, files_then) == ([], files)


class Times:
    """What an account reads."""

    now = 0.0

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("time.clock_gettime", lambda _: 0.0)
        monkeypatch.setattr("time.monotonic", lambda: self.now)


@pytest.mark.parametrize(
    ("used_s", "asked_s", "is_late"),
    [
        (0.0, 0.0, False),
        (0.98, 0.0, False),
        (1.0, 0.0, True),
        (0.1, 8.9, False),
        (0.1, 9.1, True),
        (0.0, 10.0, True),
    ],
)
def test_that_a_process_was_late_is_believed_if_it_took_the_time(
    monkeypatch: pytest.MonkeyPatch, used_s: float, asked_s: float, is_late: bool
) -> None:
    times = Times(monkeypatch)
    account = Account(1, 1 / MOST_STRIKES, 0.0)
    account.open()
    times.now = asked_s
    assert account.may_be_late(used_s) is is_late


class Dying(Executor):
    """Plays by default answers; the process of entrant 0 ends in every block. Blocks in ``lost`` never come back."""

    def __init__(self, lost: set[int]) -> None:
        self._lost = lost
        self._gone: list[Future[Any]] = []

    def submit(self, task: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        block, out, *watched = arguments
        done: Future[Any] = Future()
        if block.first_deal in self._lost:  # its worker is killed once others have answered
            self._lost.remove(block.first_deal)
            self._gone.append(done)
            return done
        if 0 in out:
            done.set_result(replace(DEFAULTS, block=block))
            for gone in self._gone:
                gone.set_exception(BrokenProcessPool())
            self._gone.clear()
        else:
            done.set_result(BotOutError(0, Fault.DIED, FirstAt(1, 2, "ended") if watched else None))
        return done


CODES = [playing.code(playing.GAP8), playing.code(playing.PASS)]
DEFAULTS = playing.play(CODES, deals=5)


@pytest.mark.parametrize("lost", [set(), {0}, {0, 5}])
def test_a_bot_s_end_is_told_at_its_first_block_also_if_a_worker_was_killed_playing_that(
    monkeypatch: pytest.MonkeyPatch, lost: set[int]
) -> None:
    @contextmanager
    def pool(*_: object) -> Iterator[tuple[Executor, str]]:
        yield Dying(set() if pools else lost), "none"
        pools.append(None)

    pools: list[None] = []
    monkeypatch.setattr(runner, "pool", pool)
    setup = executors.Setup(tuple(CODES), playing.rules(), 7, 10, Limits(0.02, 1.0, 1 << 28), True)
    blocks = [Block((0, 1), first, 5) for first in range(0, 40, 5)]
    with runner.Run(setup, 1) as run:
        results = run.play(blocks, lambda *_: None)
    assert [(r.block.first_deal, at.deal) for r in results for at in r.first_faults.values()] == [(0, 1)]
    assert run.out == {0: Fault.DIED}
