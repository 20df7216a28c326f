"""A machine that gives too little: one sentence with the way out, exit 3, and never a wait without end."""

from __future__ import annotations

import resource
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from arena.errors import CannotRunError
from arena.tournament import executors
from arena.tournament.executors import cannot_start

PASS = "from arena import Bot\n\nclass {}(Bot):\n    def bet(self, turn):\n        return {}\n"


@pytest.mark.parametrize(
    ("limit", "to", "says"),
    [
        (resource.RLIMIT_AS, 200 << 20, "raise the limit (ulimit -v unlimited)"),
        (resource.RLIMIT_NOFILE, 16, "raise the limit of open files (ulimit -n 256)"),
    ],
    ids=["memory", "files"],
)
def test_a_limit_that_is_too_low_is_named(tmp_path: Path, limit: int, to: int, says: str) -> None:
    (tmp_path / "a.py").write_text(PASS.format("A", 0))
    (tmp_path / "b.py").write_text(PASS.format("B", "turn.min_bet"))
    (tmp_path / "t.yaml").write_text("bots: [a.py, b.py]\ndeals: 10\n")
    command = [sys.executable, "-P", "-c", "from arena.cli import main; main()", "run", "t.yaml"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parent.parent)},
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(limit, (to, to)),
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("error", [BrokenProcessPool("a worker ended"), OSError(24, "Too many open files")])
def test_a_worker_that_ends_as_it_starts_is_none_of_the_machines_limits(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> object:
        raise error

    monkeypatch.setattr(executors, "_started", fail)
    is_broken = isinstance(error, BrokenProcessPool)
    with pytest.raises(BrokenProcessPool if is_broken else CannotRunError), executors.pool(None, 1):  # type: ignore[arg-type]
        raise AssertionError


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(30, "Read-only file system"), "have /dev/shm writable"),
        (OSError(28, "No space left on device"), "make room in /dev/shm"),
        (OSError(11, "Resource temporarily unavailable"), "fewer with --workers"),
        (OSError(12, "Cannot allocate memory"), "ulimit -v"),
        (RuntimeError("can't start new thread"), "ulimit -u"),
    ],
)
def test_whatever_keeps_workers_from_starting_has_a_way_out(error: OSError | RuntimeError, says: str) -> None:
    assert says in str(cannot_start(error))
    assert str(error) in str(cannot_start(error))
