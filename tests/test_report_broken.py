"""Reports handled wrongly: damaged, named in other ways, written over, and read at other tables."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from page_results import page_results

from arena.cli.commands import cli
from arena.errors import ArenaError
from arena.report.results_json import dump
from arena.report.write import FILES, rewrite_page

PLAIN = ["Kelly", "Gap 8", "Half"]
BOT = "from arena import Bot\nclass {0}(Bot):\n    def bet(self, turn):\n        return {1}\n"


def invoke(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of two bots at a table without a pot: one of 3 deals, one of 5; ``reports`` is in the folder."""
    place = tmp_path_factory.mktemp("runs")
    (place / "bots").mkdir()
    for name, bet in (("One", "0"), ("Two", "turn.max_bet")):
        (place / f"bots/{name.lower()}.py").write_text(BOT.format(name, bet))
    (place / "few.yaml").write_text("bots: bots\ndeals: 3\ntable: {preset: dealer, end: {rounds: 2}}\n")
    more = "{preset: dealer, end: {rounds: 2}, bet: {min: 2}, chips: 500}"
    (place / "more.yaml").write_text(f"bots: bots\ndeals: 5\ntable: {more}\nseats: 2\n")
    for name in ("few", "more"):
        done = invoke(
            "run", place / f"{name}.yaml", "--out", place / "reports", "--trust-bots", "--workers", 1
        )
        assert done.exit_code == 0, done.output
    return place


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return page_results(PLAIN, deals=20)


def damaged(results: dict[str, Any], *keys: str | int, to: object = None) -> dict[str, Any]:
    """The results with what stands at these keys put in another's place, or taken out."""
    found = copy.deepcopy(results)
    at = found
    for key in keys[:-1]:
        at = at[key]
    if to is None:
        del at[keys[-1]]
    else:
        at[keys[-1]] = to
    return found


@pytest.mark.page
@pytest.mark.parametrize(
    ("keys", "to"),
    [
        (("settling",), None),
        (("table", "bank"), "moon"),
        (("telling", 0), {}),
        (("bots", 0, "skill"), "good"),
        (("bots",), []),
        (("pairs", 0, "bots"), [0, 99]),
        (("played",), 5),
    ],
)
def test_damaged_results_are_said_and_the_page_stays(
    tmp_path: Path, results: dict[str, Any], keys: tuple[str | int, ...], to: object
) -> None:
    (tmp_path / "results.json").write_bytes(dump(damaged(results, *keys, to=to)))
    (tmp_path / "report.html").write_text("old")
    with pytest.raises(
        ArenaError, match=r"results\.json: not as arena run wrote it \(.*; the command of the run"
    ):
        rewrite_page(tmp_path)
    assert (tmp_path / "report.html").read_text() == "old"


@pytest.mark.parametrize("text", ["[" * 100_000, '{"format": 5', "\ufeff", '"5"'])
def test_results_that_are_no_results_are_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "results.json").write_text(text)
    with pytest.raises(ArenaError, match=r"results\.json: not .*as arena run wrote it"):
        rewrite_page(tmp_path)


@pytest.mark.parametrize("command", ["report", "replay", "compare"])
@pytest.mark.parametrize(
    "run", ["few", "reports/few", "reports/few/report.html", "reports/few/results.json", "few.yaml"]
)
def test_a_run_is_named_in_the_same_ways_by_every_command(
    runs: Path, monkeypatch: pytest.MonkeyPatch, command: str, run: str
) -> None:
    monkeypatch.chdir(runs)
    done = invoke(command, run, *(["more"] if command == "compare" else []))
    assert done.exit_code == 0, done.output


def test_a_run_s_rulings_are_those_of_its_own_table(runs: Path) -> None:
    from arena.report.past_run import past_run

    past = past_run("few", runs / "reports")
    assert [ruling.split(":")[0] for ruling in past.spec.rulings] == ["bank"]


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith((".md", ".html", ".json"))])
def test_a_comparison_does_not_take_the_place_of_a_report(runs: Path, name: str) -> None:
    target = runs / "reports/few" / name
    before = target.read_bytes()
    done = CliRunner().invoke(
        cli,
        ["compare", "few", "more", "--out", str(runs / "reports"), "--to", str(target)],
        standalone_mode=False,
    )
    assert isinstance(done.exception, ArenaError)
    assert f"--to {target}: it is a run's report" in str(done.exception)
    assert target.read_bytes() == before


@pytest.mark.parametrize("command", sorted(cli.commands))
def test_help_fits_80_columns(command: str) -> None:
    text = CliRunner().invoke(cli, [command, "--help"], terminal_width=80).output
    assert [line for line in text.splitlines() if len(line) > 80] == []
