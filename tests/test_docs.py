"""What the documents say is true: their bots play, their commands exist, their figures are what a run prints."""

from __future__ import annotations

import re
import shlex
from math import comb
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from arena.bot.confine import CALLS
from arena.bot.entrant import able, find_entrants
from arena.bot.modules import MODULES
from arena.cli.commands import cli
from arena.tournament.schema import json_schema
from arena.tournament.spec import load_spec
from arena.tournament.telling import LEAST_STEPS, MOST_STEPS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
GUIDES = {
    path.name: path.read_text()
    for path in [ROOT / "README.md", ROOT / "bots/README.md", *ROOT.glob("docs/*.md")]
}
BOT_BLOCKS = [
    pytest.param(block, id=f"{name}-{k}")
    for name, text in GUIDES.items()
    for k, block in enumerate(re.findall(r"```python\n(.*?)```", text, re.S))
    if re.search(r"^class \w+\((Vector)?Bot\)", block, re.M)
]


@pytest.mark.parametrize("block", BOT_BLOCKS)
def test_a_bot_in_a_document_plays_without_a_fault(block: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(block)
    (tmp_path / "other.py").write_text(
        "from arena import Bot\nclass Other(Bot):\n    def bet(self, turn):\n        return 0\n"
    )
    (tmp_path / "t.yaml").write_text("bots: .\ndeals: 20\n")
    result = CliRunner().invoke(
        cli, ["run", str(tmp_path / "t.yaml"), "--out", str(tmp_path / "out"), "--workers", "1"]
    )
    assert result.exit_code == 0, result.output
    assert "None: every answer was legal." in (tmp_path / "out" / "t" / "report.md").read_text()


def test_the_readme_s_first_bot_has_ten_lines() -> None:
    block = re.search(r"## A bot in ten lines.*?```python\n(.*?)```", README, re.S)
    assert block is not None
    assert len([line for line in block[1].splitlines() if line.strip()]) <= 10


def test_every_command_in_the_documents_exists() -> None:
    for name, text in GUIDES.items():
        for line in re.findall(r"^(?:\.venv/bin/)?(arena [a-z].*)$", text, re.M):
            words = shlex.split(line, comments=True)
            command = cli.commands.get(words[1])
            assert command is not None, f"{name}: {line}"
            options = {option for parameter in command.params for option in parameter.opts}
            assert {word for word in words[2:] if word.startswith("--")} <= options, f"{name}: {line}"


def test_the_readme_s_tournament_file_is_a_valid_one(tmp_path: Path) -> None:
    block = re.search(r"```yaml\n(.*?)```", README, re.S)
    assert block is not None
    (tmp_path / "bots").mkdir()
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "mine.yaml").write_text(block[1])
    assert load_spec(tmp_path / "configs" / "mine.yaml").lineups == 40


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("*.yaml")), ids=lambda path: path.name)
def test_every_shipped_config_loads_and_is_what_the_schema_allows(path: Path) -> None:
    spec = load_spec(path)
    assert spec.name == path.stem
    assert set(yaml.safe_load(path.read_text())) <= set(json_schema()["properties"])


@pytest.mark.slow
def test_the_readme_s_standings_are_what_the_default_run_prints(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["run", str(ROOT / "configs/default.yaml"), "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    printed = re.search(r"```text\n(.*?)\n```", README, re.S)
    assert printed is not None
    assert printed[1] in result.output


def test_the_duel_in_the_guide_ends_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    told = re.search(r"```text\n(Kelly is better than Gap8 by .*)\n```", GUIDES["first_bot.md"])
    assert told is not None
    result = CliRunner().invoke(cli, ["duel", "Kelly", "Gap8", "--trust-bots", "--workers", "1"])
    assert result.stdout.splitlines()[0] == told[1]


def test_the_schema_in_configs_is_what_arena_schema_prints() -> None:
    assert (ROOT / "configs/schema.json").read_text() == CliRunner().invoke(cli, ["schema"]).output


def test_the_modules_and_locks_in_the_document_are_those_of_the_code() -> None:
    guide = GUIDES["isolation.md"]
    listed = re.search(r"load by themselves:\n\n(.*?)\n\n", guide, re.S)
    assert listed is not None
    assert tuple(re.findall(r"`(\w+)`", listed[1])) == MODULES
    assert {int(n) for n in re.findall(r"(\d+) (?:system|harmless) calls", guide)} == {len(CALLS)}


def test_what_the_comments_of_four_seats_count_is_so() -> None:
    """Two figures in words, that change with the house roster."""
    text = (ROOT / "configs" / "four_seats.yaml").read_text()
    spec = load_spec(ROOT / "configs" / "four_seats.yaml")
    bots = len(able(find_entrants(spec.bots)[0], spec.table.bank)[0])
    words = {14: "fourteen", 15: "fifteen", 16: "sixteen", 17: "seventeen", 18: "eighteen"}
    assert f"{words[bots].capitalize()} bots make {comb(bots, 4):,} lineups of four" in text
    assert spec.lineups == 10 * bots / 4
    assert f"# ten for each of {words[bots]} bots" in text


def test_how_many_steps_are_told_is_as_the_guide_says() -> None:
    words = " ".join(GUIDES["report.md"].split())
    assert f"at most about {MOST_STEPS:,} steps, but each as many as {LEAST_STEPS}" in words
    assert f"if there are more than {MOST_STEPS // LEAST_STEPS} games" in words
