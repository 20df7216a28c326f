"""The committed sample report is what its config gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli.commands import cli

ROOT = Path(__file__).parent.parent.parent
SAMPLE = ROOT / "reports/sample"
BY_HAND = {"report.png"}  # the README's picture of it
OF_THE_RUN = {"run.json"}  # times and machine: not committed
pytestmark = pytest.mark.slow


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_the_sample_is_what_its_config_gives_with_any_number_of_workers(tmp_path: Path) -> None:
    for workers in ("1", "2"):
        out = tmp_path / workers
        command = ["run", str(ROOT / "configs/sample.yaml"), "--out", str(out), "--workers", workers]
        done = CliRunner().invoke(cli, command)
        assert done.exit_code == 0, done.output
        made, kept = files(out / "sample"), files(SAMPLE)
        assert set(made) - OF_THE_RUN == set(kept) - BY_HAND - OF_THE_RUN
        for name in set(made) - OF_THE_RUN:
            assert made[name] == kept[name], f"{name}: run arena run configs/sample.yaml anew and commit it"


def test_the_readme_shows_the_sample(tmp_path: Path) -> None:
    assert "](reports/sample/report.png)" in (ROOT / "README.md").read_text()
    assert (SAMPLE / "report.png").read_bytes().startswith(b"\x89PNG")
    assert (SAMPLE / "report.png").stat().st_size < 200_000
