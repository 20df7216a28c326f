"""The command line called as a shell calls it."""

from __future__ import annotations

import sys

import pytest

from arena.cli import main


def ended(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of ``arena ARGUMENTS``."""
    with pytest.raises(SystemExit) as end:
        main([str(a) for a in arguments])
    code = end.value.code or 0
    assert isinstance(code, int)
    return (code, *capsys.readouterr())


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """Have standard output and error be a terminal of that width, for what asks before it prints."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
