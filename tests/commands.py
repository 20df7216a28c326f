"""The command line called as a shell calls it."""

from __future__ import annotations

import pytest

from arena.cli import main


def ended(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of ``arena ARGUMENTS``."""
    with pytest.raises(SystemExit) as end:
        main([str(a) for a in arguments])
    code = end.value.code or 0
    assert isinstance(code, int)
    return (code, *capsys.readouterr())
