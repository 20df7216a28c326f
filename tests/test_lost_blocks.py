"""A bot that falls out of a block once plays it when asked again: whoever reads the result is told."""

from __future__ import annotations

import json
from pathlib import Path

import in_process
import pytest
from commands import ended

from arena.bot.clock import MOST_STRIKES, Account
from arena.bot.faults import Fault
from arena.bot.seat import BotOutError
from arena.tournament import executors, runner

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
    monkeypatch.setattr(runner, "pool", in_process.pool)
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
