"""Reports handled wrongly: damaged, named in other ways, written over, and read at other tables."""

from __future__ import annotations

import copy
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from fake_results import block_result
from page_results import page_results
from told_games import game

from arena.cli.commands import cli
from arena.errors import ArenaError
from arena.game.rules import table_rules
from arena.report.charts_grids import head_to_head_chart, losses_charts
from arena.report.html import report_html
from arena.report.page_data import page_data
from arena.report.page_tables import pairs_tables
from arena.report.replay_html import replay_section
from arena.report.replay_text import replay_text
from arena.report.results_json import dump
from arena.report.section_answers import gaps_sentence
from arena.report.write import FILES, rewrite_page
from arena.tournament.rows import collect
from arena.tournament.standings import standings
from arena.tournament.study import ONE

PLAIN = ["Kelly", "Gap 8", "Half"]
BOT = "from arena import Bot\nclass {0}(Bot):\n    def bet(self, turn):\n        return {1}\n"


def invoke(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of three bots, one named with a comma, at tables without a pot: of 3 and of 5 deals."""
    place = tmp_path_factory.mktemp("runs")
    (place / "bots").mkdir()
    for name, bet in (("One", "0"), ("Two", "turn.max_bet")):
        (place / f"bots/{name.lower()}.py").write_text(BOT.format(name, bet))
    three = "{file: bots/one.py, name: 'a,b', class: One}"
    (place / "few.yaml").write_text(
        f"bots: [bots, {three}]\ndeals: 3\ntable: {{preset: dealer, end: {{rounds: 2}}}}\n"
    )
    more = "{preset: dealer, end: {rounds: 2}, bet: {min: 2}, chips: 500}"
    (place / "more.yaml").write_text(f"bots: [bots, {three}]\ndeals: 5\ntable: {more}\nseats: 2\n")
    with (
        pytest.MonkeyPatch.context() as patch
    ):  # drawing the pages takes seconds, and no test here looks at them
        patch.setattr("arena.report.write._page_files", lambda results, charts: {"report.html": b"drawn"})
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


def test_a_page_defines_no_ante_where_there_is_no_pot_and_says_what_a_bet_is_there(
    results: dict[str, Any],
) -> None:
    def page(preset: str) -> str:
        of = results | {"table": table_rules({"preset": preset}).model_dump(mode="json"), "telling": []}
        return report_html(of, {}).decode("utf-8")

    nepali = page("nepali")
    assert "into the pot, at this table 10." in nepali
    assert "The wager before them" not in nepali
    assert "into the pot, at this table" not in page("dealer")
    red_dog = page("red_dog")
    assert "into the pot, at this table" not in red_dog
    assert "The wager before them is a decision of its own" in red_dog


def test_where_a_bot_loses_says_no_more_than_the_largest_parts(results: dict[str, Any]) -> None:
    worst = [item["worst"] for item in page_data(results)["bots"]]
    assert worst[0].startswith("The largest parts: gap 3 (33 %), pots of 2–4 antes (67 %), rounds left ")
    alone = copy.deepcopy(results)
    for row in alone["bots"][0]["skill"]["by_gap"]:
        row["lost_chips"] *= row["label"] == "pair"
    assert page_data(alone)["bots"][0]["worst"].startswith("The largest parts: pair (33 %), ")


def test_differences_of_many_bots_fit_the_paper_and_none_is_left_out() -> None:
    found = page_results([f"bot {place}" for place in range(26)], deals=4)
    tables = pairs_tables(found)
    assert [len(of.heads) for of in tables] == [13, 13, 3]
    assert [head.text for of in tables for head in of.heads[1:]] == [f"#{n}" for n in range(1, 27)]
    assert len({of.caption for of in tables}) == 3
    for place in range(26):
        cells = [cell.text for of in tables for cell in of.lines[place].cells]
        assert [n for n, text in enumerate(cells) if not text] == [place]
    assert [of.caption for of in pairs_tables(page_results(PLAIN, deals=4))] == ["Differences of all pairs"]


def test_classes_of_large_numbers_are_written_out(results: dict[str, Any]) -> None:
    of = copy.deepcopy(results)
    of["table"]["ante"]["amount"] = 10_000_000
    for pair in of["pairs"]:
        pair |= {"difference": pair["difference"] * 1e7, "separated": True}
    charts = [head_to_head_chart(of), *losses_charts(of)]
    words = [
        str(at.spec["layer"][0]["encoding"]["color"]["scale"]["domain"]) for at in charts if at is not None
    ]
    assert "10,000,000 and more" in words[1]
    assert not any("e+" in text for text in words)


def test_given_away_is_explained_where_it_is_less_than_the_difference_in_worth() -> None:
    told = copy.deepcopy(game("A", "B"))
    sentence = "a share of what stays in the pot comes back"
    for lost, is_said in ((8.0, False), (4.0, True)):
        for step in told["steps"]:
            if step.get("asked"):
                step["asked"] = step["asked"] | {"best_worth": 8.0, "worth": 0.0, "lost": lost}
        text = " ".join(replay_text(told).split())
        assert (sentence in text) == (sentence in replay_section([told], "t")) == is_said, lost


def test_every_gap_that_breaks_even_is_named() -> None:
    gaps = [
        SimpleNamespace(gap=gap, edge=Fraction(edge), pays=edge > 0, kelly=0.1)
        for gap, edge in ((3, -1), (4, 0), (7, 0), (8, 1))
    ]
    assert "Gaps of 4, 7 break exactly even." in gaps_sentence(gaps)  # type: ignore[arg-type]
    assert "A gap of 7 breaks exactly even." in gaps_sentence([gaps[0], *gaps[2:]])  # type: ignore[arg-type]


def test_what_is_below_the_unit_of_luck_is_no_spread() -> None:
    """Luck is counted in 2⁻²⁰ a game; what that rounds off is no chance, and no bot stands at ± 0.00000011."""
    deals = 10
    rows = collect([block_result((0, 1), 0, np.full((2, deals, 2), 1000))], 2, 1000)
    luck = np.zeros((3, deals, 2), dtype=np.int64)
    luck[0, ::2] = [1, -1]  # of two games: half a unit each
    object.__setattr__(rows, "luck", luck)
    for bot in standings(rows, ["A", "B"], rank_by="adjusted").bots:
        assert bot.adjusted is not None
        assert (bot.adjusted.mean, bot.adjusted.is_identical) == (0.0, True)
    luck[0, ::2] = [3 * ONE, -3 * ONE]
    assert [
        bot.adjusted and bot.adjusted.mean for bot in standings(rows, ["A", "B"], rank_by="adjusted").bots
    ] == [
        0.75,
        -0.75,
    ]


def test_a_comparison_says_when_its_columns_do_not_add_up_and_when_chips_are_of_another_size(
    runs: Path,
) -> None:
    done = invoke("compare", "few", "more", "--out", runs / "reports")
    text = " ".join(done.output.split())
    assert "Deals: 3 and 5; means are of all of a run's own, changes of the 3 that both have." in text
    assert "Chips of these tables are not of one size" in text
    by_wins = invoke("compare", "few", "more", "--by", "wins", "--out", runs / "reports").output
    assert "not of one size" not in by_wins


@pytest.mark.parametrize(
    "words", [("compare", "few", "more", "--bots"), ("replay", "few", "--deal", 1, "--lineup")]
)
def test_a_name_with_a_comma_is_one_name(runs: Path, words: tuple[object, ...]) -> None:
    done = invoke(*words, "a,b", words[-1], "Two", "--out", runs / "reports")
    assert done.exit_code == 0, done.output
    assert "a,b" in done.output
