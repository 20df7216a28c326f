"""Reports: the same bytes, strangers' words made harmless, and a folder written whole or not at all."""

import csv
import errno
import io
import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_results import (
    START,
    block_result,
    entrants,
    looks_at,
    lucky_rows,
    random_results,
    random_standings,
    skill_sums,
    spec,
)
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML

from arena.analysis.intervals import Interval
from arena.analysis.skill import Measure, SkillSums
from arena.bot.entrant import find_entrants
from arena.bot.faults import Fault
from arena.cli.say import fitted
from arena.errors import ArenaError
from arena.game.rules import table_rules
from arena.report.folder import write_folder
from arena.report.html import charts_of, report_html
from arena.report.results_json import plain
from arena.report.terminal import looks_text, standings_table, standings_text
from arena.report.text import (
    chips,
    code_block,
    csv_name,
    markdown,
    markdown_alt,
    number,
    percent,
    shorten_all,
    visible,
    width,
)
from arena.report.vega import bundle
from arena.report.write import report_files, write_report
from arena.tournament.blocks import FirstFault
from arena.tournament.schedule import spec_lineups
from arena.tournament.spec import Stop, load_spec
from arena.tournament.standings import Rows, Standings, collect, standings
from arena.tournament.study import ONE
from arena.tournament.tournament import Held, hold, with_first_look

pytestmark = pytest.mark.page


@pytest.fixture(autouse=True)
def _pictures_are_not_drawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page holds the same charts as data; tests/test_html.py draws them, which takes most of the time."""
    if request.node.get_closest_marker("slow"):
        return
    monkeypatch.setattr("arena.report.write.svg", lambda chart: b"<svg/>\n")


NASTY = ["a|b", "<b>x</b>", "`code`", "=1+1", "evil\u202etxt", "new\nline", "[x](http://y)", "*bold* _it_"]
FILES = {"report.md": b"new report", "results.json": b"{}"}


def faulty_standings() -> Standings:
    trace = "Traceback\n```\nValueError: <b>\x1b[31m"
    faults = {(0, 1, int(Fault.EXCEPTION)): (3, FirstFault(0, 2, trace))}
    flat = [[[START, START]] * 2] * 2
    return standings(collect([block_result((0, 1), 0, flat, faults=faults)], 2, START), ["good", "bad|bot"])


# Numbers


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (-0.04, 1, "0.0"),
        (0.0, 0, "0"),
        (-0.0, 2, "0.00"),
        (1234567.891, 2, "1,234,567.89"),
        (-5.5, 1, "-5.5"),
    ],
)
def test_numbers_have_separators_and_no_negative_zero(value: float, places: int, text: str) -> None:
    assert number(value, places) == text


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (Interval(12.3456, 4.5678), "+12.3 ± 4.6"),
        (Interval(-1234.5, 345.6), "-1,234 ± 346"),
        (Interval(0.0001, 9.96), "0 ± 10"),
        (Interval(0.01234, 0.0056), "+0.0123 ± 0.0056"),
        (Interval(5.0, None), "+5.0"),
        (Interval(0.0, None, is_identical=True), "0 identical"),
    ],
)
def test_chips_have_two_digits_of_their_half_width(interval: Interval, text: str) -> None:
    assert chips(interval) == text


def test_an_interval_that_excludes_0_does_not_seem_to_touch_it() -> None:
    assert chips(Interval(2.7441, 2.6612)) == "+2.74 ± 2.66"
    assert chips(Interval(-2.66126, 2.66124)) == "-2.6613 ± 2.6612"
    assert chips(Interval(-2.6612, 2.7441)) == "-2.7 ± 2.7"  # it touches, and more
    table = standings(lucky_rows(60, skill=2.72, luck=0), ["a", "b"])
    diff = table.differences
    assert diff is not None
    assert diff.half_width is not None
    diff.half_width[:] = np.abs(diff.mean) * 0.999
    report = files(table, ["a", "b"])["report.md"]
    mean, half = re.findall(r"\*\*\+([\d.]+) ± ([\d.]+)\*\*", report)[0]
    assert float(half) < float(mean)


@pytest.mark.parametrize("rank_by", ["chips", "wins"])
def test_shares_of_few_deals_have_no_interval_rather_than_one_beyond_all_shares(rank_by: Any) -> None:
    won, lost = START + 10, START - 10
    rows = collect(
        [block_result((0, 1), 0, [[[won, lost], [won, lost]], [[won, lost], [lost, won]]])], 2, START
    )
    table = standings(rows, ["a", "b"], rank_by)  # shares of 1 and 0.5: 0.75 ± 12.7 · 0.25
    assert table.bots[0].wins == Interval(0.75, None)
    made = files(table, ["a", "b"], rank_by=rank_by)
    said = "Games won: not enough deals for an interval."
    assert said in made["report.md"]
    assert said in standings_text(table)
    assert "75.0 ±" not in made["report.md"] + standings_text(table)
    first = next(csv.DictReader(io.StringIO(made["standings.csv"])))
    assert (first["win_share"], first["win_share_low"], first["win_share_high"]) == ("0.75", "", "")
    found = json.loads(made["results.json"])
    assert (found["bots"][0]["win_share"]["low"], found["bots"][0]["win_share"]["high"]) == (None, None)
    pair = next(csv.DictReader(io.StringIO(made["head_to_head.csv"])))
    assert (pair["low"] == "", found["pairs"][0]["half_width"] is None) == ((rank_by == "wins",) * 2)
    enough = standings(collect(random_results(2, 60), 2, START), ["a", "b"])
    assert said not in standings_text(enough)


def test_one_pair_is_not_called_all_pairs_at_once() -> None:
    assert "The interval holds at 95 %." in files(random_standings(2, 60), ["a", "b"])["report.md"]
    three = files(random_standings(3, 60), ["a", "b", "c"])["report.md"]
    assert "The intervals hold for all 3 pairs at once at 95 %." in three


def test_shares_are_percent() -> None:
    assert percent(Interval(0.5012, 0.0123)) == "50.1 ± 1.2"


# Strangers' words


def test_hidden_characters_are_shown_as_escapes() -> None:
    assert visible("a\x00b\u202ec\nd\ud800") == "a\\x00b\\u202ec\\nd\\ud800"
    assert visible("漢字 étude") == "漢字 étude"


@pytest.mark.parametrize("name", NASTY)
def test_a_name_in_a_markdown_table_is_only_text(name: str) -> None:
    text = f"| {markdown(name)} | x |\n| --- | --- |\n| {markdown(name)} | y |\n"
    html = MarkdownIt("commonmark").enable("table").render(text)
    shown = visible(name).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert f"<th>{shown}</th>\n<th>x</th>" in html
    assert f"<td>{shown}</td>\n<td>y</td>" in html


@pytest.mark.parametrize(
    "name", [*NASTY, "standings: 2 of 3 pairs", "a *b* [c](d) &amp; <i> ![x] _y_ `z` \\\\:"]
)
def test_what_a_picture_shows_is_read_as_it_was_meant(name: str) -> None:
    tokens = MarkdownIt("commonmark").parse(f"![{markdown_alt(name)}](x.svg)")
    (image,) = tokens[1].children or ()
    assert (image.type, image.attrs["src"]) == ("image", "x.svg")
    assert RendererHTML().renderInlineAsText(image.children, MarkdownIt().options, {}) == visible(name)


def test_a_picture_s_description_is_not_escaped_where_it_need_not_be() -> None:
    _, made = lucky_files(lucky_rows())
    described = re.findall(r"^!\[(.*)\]\(charts/", made["report.md"], re.M)
    assert len(described) >= 2
    assert not [text for text in described if "\\" in text]


def test_a_code_block_outlasts_the_backticks_in_it() -> None:
    assert code_block("a\n````\n\tb\x1b") == "`````text\na\n````\n    b\\x1b\n`````"


def test_a_name_is_no_formula() -> None:
    assert [csv_name(n) for n in ("=1", "+1", "-1", "@x", "a=1", " =1")] == [
        *("'=1", "'+1", "'-1", "'@x", "a=1", "' =1"),
    ]


def test_shortened_names_stay_apart() -> None:
    assert shorten_all(["threshold_for_seven", "threshold_for_eight", "short"], 10) == [
        *("thre…seven", "thre…eight", "short"),
    ]
    assert shorten_all(["漢字漢字"], 6) == ["漢字…"]


# The terminal


@pytest.mark.parametrize(
    "names", [[f"bot {i:036d}" for i in range(12)], ["漢字" * 20] * 12, ["b"] * 12, NASTY * 2]
)
def test_the_table_fits_eighty_columns(names: list[str]) -> None:
    lines = standings_table(random_standings(12, 60, names[:12]), 80).split("\n")
    assert len(lines) == 14
    assert max(map(width, lines)) <= 80


def test_wide_characters_do_not_shift_columns() -> None:
    lines = standings_table(random_standings(3, 60, ["漢字", "e\u0301tude", "plain"])).split("\n")[2:]
    assert len({width(line[: line.index(" ± ")]) for line in lines}) == 1


def test_the_terminal_names_faults_and_few_deals() -> None:
    text = standings_text(faulty_standings())
    assert "Faults of bad|bot: 3 exception." in text
    assert "approximate" in text
    assert "identical" in text


# The files


def files(table: Standings, names: list[str], **changes: Any) -> dict[str, str]:
    made = report_files(spec(**changes), entrants(names), table)
    return texts(made)


def texts(made: dict[str, bytes]) -> dict[str, str]:
    """Files as text, without the code that draws charts."""
    return {name: content.decode("utf-8").replace(bundle(), "") for name, content in made.items()}


@pytest.mark.parametrize("bots", [2, 12, pytest.param(50, marks=pytest.mark.slow)])
@pytest.mark.parametrize("deals", [1, 2, 60])
@pytest.mark.parametrize("rank_by", ["chips", "wins"])
def test_reports_of_every_size_are_whole_and_without_nan(bots: int, deals: int, rank_by: Any) -> None:
    names = [f"bot {i}" for i in range(bots)]
    made = files(random_standings(bots, deals, names, rank_by=rank_by), names, rank_by=rank_by)
    for content in made.values():
        assert "nan" not in content.lower()
        assert "-0.0 " not in content
        assert "\r" not in content
        assert content.endswith("\n")
    assert len(made["standings.csv"].splitlines()) == 1 + bots
    assert len(made["head_to_head.csv"].splitlines()) == 1 + bots * (bots - 1)


def test_the_order_of_results_does_not_show_in_the_bytes() -> None:
    names = [f"bot {i}" for i in range(4)]
    results = random_results(4, 90, block=30)
    one, other = (standings(collect(r, 4, START), names) for r in (results, results[::-1]))
    assert files(one, names) == files(other, names)


def test_the_page_of_a_run_is_the_one_made_anew_from_its_results() -> None:
    made = files(random_standings(3, 30), ["a", "b", "c"])
    results = json.loads(made["results.json"])
    anew = report_html(results, charts_of(results)).decode("utf-8").replace(bundle(), "")
    assert made["report.html"] == anew


def test_results_json_is_strict_and_names_no_place() -> None:
    names = ["b", "a\ud800"]
    made = files(random_standings(2, 1, names), names)
    text = made["results.json"]

    def no_constants(word: str) -> None:
        raise AssertionError(word)

    found = json.loads(text, parse_constant=no_constants)
    assert found["format"] == 6
    assert found["telling"] == []
    assert {"key", "question", "text", "basis"} == set(found["answers"][0])
    assert found["seed"] == 7
    assert found["table"]["ante"]["amount"] == 10
    assert set(found["versions"]) == {"arena", "numpy", "scipy"}
    assert found["bots"][0]["file"] == "bots.py"
    assert found["bots"][0]["params"] == {"threshold": 7}
    assert found["bots"][0]["chips"]["low"] is None
    assert found["pairs"][0]["p"] is None
    assert "somewhere" not in "".join(made.values())
    assert text == json.dumps(found, sort_keys=True, indent=1) + "\n"


def test_anything_becomes_plain_json() -> None:
    assert plain({"a": (1, float("nan")), "b": {2, 1}, "c": Path("x"), "d": -0.0}) == {
        "a": [1, None],
        "b": [1, 2],
        "c": "x",
        "d": 0.0,
    }


def test_csv_survives_nasty_names() -> None:
    made = files(random_standings(len(NASTY), 20, NASTY), NASTY)
    lines = list(csv.DictReader(io.StringIO(made["standings.csv"])))
    assert sorted(line["bot"] for line in lines) == sorted(csv_name(name) for name in NASTY)
    assert all(None not in line and len(line) == len(lines[0]) for line in lines)


def test_the_report_shows_faults_with_their_first_traceback() -> None:
    made = files(faulty_standings(), ["good", "bad|bot"])
    report = made["report.md"]
    assert "### bad\\|bot" in report
    assert (
        "3 times *exception*, first on deal 0, rotation 0, step 2 at the table of good, bad\\|bot:" in report
    )
    assert "````text\nTraceback\n```\nValueError: <b>\\x1b[31m\n````" in report
    assert "**Approximate**" in report
    (line,) = [
        line for line in csv.DictReader(io.StringIO(made["standings.csv"])) if line["bot"] == "bad|bot"
    ]
    assert (line["faults"], line["faults_exception"], line["faults_late"]) == ("3", "3", "0")


def test_the_report_says_how_many_more_deals() -> None:
    names = ["a", "b", "c"]
    report = files(random_standings(3, 300, names), names)["report.md"]
    assert "## How many more deals" in report
    assert "about " in report.split("## How many more deals")[1]


def test_a_gauntlet_has_no_ranks() -> None:
    names = ["a", "b"]
    made = files(random_standings(2, 60, names, is_ranked=False), names, schedule="gauntlet", against=("a",))
    assert "not ranked" in made["report.md"]
    assert "## Head-to-head" not in made["report.md"]
    assert json.loads(made["results.json"])["bots"][0]["rank"] is None


# Luck, skill, ratings, seats, looks: figures by hand


def lucky_files(rows: Rows, **options: Any) -> tuple[Standings, dict[str, str]]:
    table = standings(rows, ["a", "b"], "adjusted", **options)
    return table, files(table, ["a", "b"], rank_by="adjusted")


def test_adjusted_and_raw_chips_stand_side_by_side_with_the_games_saved() -> None:
    # 10 ± 5 by turns, and luck of ± 40 by other turns: t(59) = 2.001, √59 = 7.681, so half widths of
    # 2.001 · 5 / 7.681 = 1.30 and 2.001 · √(25 + 1600) / 7.681 = 10.50; games saved (25 + 1600) / 25 = 65
    table, made = lucky_files(lucky_rows())
    assert "| 1 | 1 | a | +10.0 ± 1.3 | +10 ± 11 | 50 ± 13 | 65 | a |" in made["report.md"]
    assert "Raw and adjusted chips agree" in made["report.md"]
    assert "(largest |t| 0.00, a flag beyond 3.68" in made["report.md"]
    (line, _) = csv.DictReader(io.StringIO(made["standings.csv"]))
    assert (float(line["adjusted"]), float(line["chips"])) == (10, 10)
    assert float(line["games_saved"]) == pytest.approx(65)
    assert float(line["adjusted_high"]) == pytest.approx(11.3025, abs=1e-3)
    assert float(line["chips_high"]) == pytest.approx(20.501, abs=1e-2)
    text = standings_text(table)
    assert re.search(r"#  range  bot +adjusted +raw chips +won %", text)
    assert "Luck removed: one game tells as much as about 65 raw ones: a rough figure from 60 deals." in text
    assert (
        "it is about 65, the median over pairs; all of these are rough figures from 60 deals."
        in made["report.md"]
    )


def test_luck_explains_games_won_where_it_decides_them() -> None:
    # a wins exactly the games whose luck is + 40: less that luck every deal is half a win
    _, made = lucky_files(lucky_rows())
    assert "| a | 120 | 50 ± 13 | 50 identical | 0.0 | 35 | 360 | 0 |" in made["report.md"]


@pytest.mark.parametrize(
    ("luck", "figures"),
    [(40, "largest |t| 5.76, a flag beyond 3.68"), (0, "the same on every deal, and not zero")],
)
def test_luck_that_is_no_luck_is_flagged(luck: float, figures: str) -> None:
    # 30 / (40 √(60/59) / √60) = 0.75 √59 = 5.76
    table, made = lucky_files(lucky_rows(luck_mean=30, luck=luck))
    assert "**Raw and adjusted chips disagree**: the luck removed from a is" in made["report.md"]
    assert figures in made["report.md"]
    found = json.loads(made["results.json"])["agreement"]
    assert (found["agrees"], found["bot"]) == (False, 0)
    assert "RAW AND ADJUSTED CHIPS DISAGREE: luck of a" in standings_text(table)


def test_a_large_difference_of_means_alone_is_no_flag() -> None:
    table, made = lucky_files(lucky_rows(luck_mean=15))  # |t| = 2.88: a 5 % test would cry wolf
    assert "Raw and adjusted chips agree" in made["report.md"]
    assert "DISAGREE" not in standings_text(table)


def test_skill_by_hand() -> None:
    first = {
        Measure.DECISIONS: 10, Measure.UNFORCED: 8, Measure.AGREED: 4, Measure.FRESH_AGREED: 8,
        Measure.LOST: 0.03, Measure.ERROR: 0.8, Measure.STAKE: 6.2, Measure.BEST_STAKE: 8,
    }  # fmt: skip
    second = {
        Measure.DECISIONS: 40, Measure.UNFORCED: 40, Measure.AGREED: 40, Measure.FRESH_AGREED: 40,
        Measure.LOST: 0.01, Measure.FRESH_LOST: 0.005, Measure.ERROR: 0.16, Measure.STAKE: 10, Measure.BEST_STAKE: 20,
    }  # fmt: skip
    cells = {("7", "2–4 antes", "0"): first, ("pair", "16–32 antes", "1"): second}
    rows = replace(lucky_rows(), skill=(skill_sums(cells, (5, 4, 0.3)), SkillSums.zero()))
    _, made = lucky_files(rows, rules=table_rules())
    report = made["report.md"]
    # 40 of 1000 chips in 50 decisions, 5 by fresh odds; 960 / 48; 44 of 48
    assert "| a | 50 | 0.80000 | 0.10000 | 20.000 | 0 | 91.7 | 100.0 |" in report
    assert "Never asked for a bet: b." in report
    where = "7 (75 %), pair (25 %) | 2–4 antes (75 %), 16–32 antes (25 %) | 0 (75 %), 1 (25 %)"
    assert f"| a | 0.3333 | {where} |" in report
    assert "| Bot | 7 | pair |" in report
    assert "| a | *62/80* | 25/50 |" in report
    assert "| *Decisions of all* | 10 | 40 |" in report
    assert "| a | 5 | 4 | 7.500 |" in report
    skill = json.loads(made["results.json"])["bots"][0]["skill"]
    assert skill["total"]["lost_per_decision_chips"] == pytest.approx(0.8, abs=1e-6)
    assert [row["label"] for row in skill["by_rounds_left"]] == ["0", "1"]
    assert [(p["gap"], p["decisions"]) for p in skill["curve"]] == [("7", 10), ("pair", 40)]
    (line, other) = csv.DictReader(io.StringIO(made["standings.csv"]))
    assert (line["decisions"], line["last_turns"], float(line["win_lost_per_turn"])) == (
        *("50", "5"),
        pytest.approx(0.075, abs=1e-6),
    )
    assert (other["decisions"], other["error_rate"]) == ("0", "")


def test_a_bot_that_wins_every_game_has_no_rating_and_why() -> None:
    flat = [[[START + 5, START - 5]] * 30] * 2
    table = standings(collect([block_result((0, 1), 0, flat)], 2, START), ["a", "b"])
    made = files(table, ["a", "b"])
    assert "| a | won or lost every game against the rest |" in made["report.md"]
    (line, _) = csv.DictReader(io.StringIO(made["standings.csv"]))
    assert (line["elo_low"], line["elo_reason"]) == ("", "won or lost every game against the rest")


def test_what_a_seat_is_worth_by_hand() -> None:
    # The bot in seat 0 is 10 chips ahead in every game: position 0, then position 1.
    chips = [[[START + 10, START - 10]] * 60, [[START - 10, START + 10]] * 60]
    table = standings(collect([block_result((0, 1), 0, chips)], 2, START), ["a", "b"])
    report = files(table, ["a", "b"])["report.md"]
    assert "From worst to best: 20.0 chips. At least two seats are separated." in report
    assert "| 0 | +10 identical |\n| 1 | -10 identical |" in report
    assert "| a | 0 identical |" in report.split("## Ratings")[1]


def test_a_first_fault_is_placed_by_the_standings() -> None:
    (first,) = json.loads(files(faulty_standings(), ["good", "bad|bot"])["results.json"])["bots"][1][
        "first_faults"
    ].values()
    assert (first["lineup"], first["deal"], first["rotation"], first["step"]) == ([0, 1], 0, 0, 2)
    assert first["text"] == "Traceback\n```\nValueError: <b>\\x1b[31m"


def test_a_bot_that_was_out_is_said_to_have_been() -> None:
    faults = {(r, 0, int(Fault.DIED)): (2, FirstFault(0, r, "gone")) for r in (0, 1)}
    rows = collect([block_result((0, 1), 0, [[[START - 9, START + 9]] * 2] * 2, faults=faults)], 2, START)
    made = files(standings(rows, ["a", "b"]), ["a", "b"])
    out = "4 times *died* (it was out: all its games are counted by default answers), first on deal 0"
    assert out in made["report.md"]
    first = json.loads(made["results.json"])["bots"][1]["first_faults"]["died"]
    assert first["lineup"] == [1, 0]  # a is second in the standings


def test_pairs_of_a_balanced_schedule_and_a_bot_without_a_game() -> None:
    flat = [[[START + 5, START - 5]] * 3] * 2
    rows = collect([block_result((0, 1), 0, flat), block_result((0, 2), 0, flat)], 4, START)
    table = standings(rows, list("abcd"))
    made = files(table, list("abcd"), schedule="balanced", lineups=2)
    # Each lineup plays 3 deals in 2 rotations; of the six pairs ab and ac met.
    assert "sat together in 0–6 games, 2.0 on average, which is in 0–1 of the 2 lineups" in made["report.md"]
    assert "; 4 pairs of 6 never met. The intervals speak of this schedule" in made["report.md"]
    assert "|  |  | d | no game |  |  |" in made["report.md"]
    assert [m["bots"] for m in json.loads(made["results.json"])["meetings"]] == [[0, 1], [0, 2]]
    assert standings_table(table).split("\n")[-1].split()[:3] == ["d", "–", "–"]


STOP = Stop(when="ranked", min_deals=100, max_deals=500, indifferent_chips=2)


def test_a_run_that_stopped_says_rule_looks_and_what_its_intervals_are() -> None:
    rows = lucky_rows(400)
    looks = looks_at(rows, STOP, (250, 400), "adjusted")
    table = standings(rows, ["a", "b"], "adjusted", looked_from=100)
    made = {
        k: v.decode()
        for k, v in report_files(spec(stop=STOP, rank_by="adjusted"), entrants("ab"), table, looks).items()
    }
    report = made["report.md"]
    rule = "every pair of bots is separated, or surely within ± 2 luck-adjusted chips a game"
    assert f"Rule: {rule}. Looked at every 250 deals from 250 on, at most 500" in report
    assert "**Stopped at 400 deals**, at look 2: the rule is met." in report
    assert "| 250 | 1 | 0 | 0 | " in report
    assert "comes from a confidence sequence" in report
    assert "| Rank | Rank range | Bot | Luck-adjusted chips | Raw chips † | Games won, % † |" in report
    assert "| Won, % † | Won less luck, % † |" in report
    assert (
        report.count("not corrected for stopping") == 6
    )  # the dagger, stopping, the other goal, ratings, seats, answers
    found = json.loads(made["results.json"])
    assert found["is_sequence"]
    assert (found["tournament"]["deals"], found["tournament"]["stop"]["when"]) == (None, "ranked")
    assert [(at["deals"], at["is_met"]) for at in found["looks"]["states"]] == [(250, True), (400, True)]
    said = "and is the wider for it; the others are not corrected for stopping, and cannot be set beside it."
    assert f"The ± of luck-adjusted chips a game holds at every look {said}" in standings_text(table)


def test_a_run_whose_deals_ran_out_names_what_is_not_resolved() -> None:
    names = ["x", "y", "z"]
    rows = collect(random_results(3, 300), 3, START)
    table = standings(rows, names, looked_from=100)
    ranked = report_files(spec(stop=STOP), entrants(names), table, looks_at(rows, STOP, (250, 300)))
    assert "**The deals ran out at 300**, after 2 looks" in ranked["report.md"].decode()
    assert "Not resolved: y and x; y and z; x and z." in ranked["report.md"].decode()
    assert json.loads(ranked["results.json"])["looks"]["unresolved"] == [[0, 1], [0, 2], [1, 2]]
    narrow = Stop(when="half_width", chips=0.5, min_deals=100, max_deals=300)
    wide = report_files(spec(stop=narrow), entrants(names), table, looks_at(rows, narrow, (250, 300)))
    assert "Rule: the interval of every bot is within ± 0.5 chips a game." in wide["report.md"].decode()
    assert re.search(r"Still too wide: y \(± [\d.]+\), x \(± [\d.]+\), z", wide["report.md"].decode())
    assert json.loads(wide["results.json"])["looks"]["too_wide"] == [0, 1, 2]


def test_the_terminal_names_the_same_pairs_in_the_same_order() -> None:
    names = [f"a name of some length {i}" for i in range(10, 22)]
    rows = collect(random_results(12, 150), 12, START)
    table, looks = standings(rows, names, looked_from=100), looks_at(rows, STOP, (100, 150))
    text = looks_text(looks, table)
    assert text.startswith("2 looks; the deals ran out.\nNot resolved: ")
    report = report_files(spec(stop=STOP), entrants(names), table, looks)["report.md"].decode()
    in_report = re.findall(
        r"a name of some length \d+ and a name of some length \d+", report.split("Not resolved: ")[1]
    )
    in_text = re.findall(r"a name of some length \d+ and a name of some length \d+", text)
    assert len(in_text) == 10
    assert in_text == in_report[:10]
    assert re.search(r" and \d+ more\.$", text)
    narrow = Stop(when="half_width", chips=0.5, min_deals=100, max_deals=300)
    wide = looks_text(looks_at(rows, narrow, (150,)), table)
    assert wide.startswith("1 look; the deals ran out.\nStill too wide: ")
    assert wide.endswith("and 2 more, of 12 bots.")


def test_only_some_of_many_looks_are_in_the_table() -> None:
    rows = lucky_rows(400)
    looks = looks_at(rows, STOP, range(101, 131), "adjusted")
    table = standings(rows, ["a", "b"], "adjusted", looked_from=100)
    report = report_files(spec(stop=STOP), entrants("ab"), table, looks)["report.md"].decode()
    lines = report.split("## Stopping")[1].split("\n\n")[2].split("\n")
    assert [line.split(" | ")[0] for line in lines[2:5]] == ["| 101", "| …", "| 120"]
    assert lines[-1].startswith("| 130 |")


def test_numbers_of_report_and_terminal_are_those_of_csv_and_json() -> None:
    rng = np.random.default_rng(2)
    rows = collect(random_results(6, 80), 6, START)
    luck = np.rint(rng.normal(0, 90, (3, 80, 6)) * ONE).astype(np.int64)
    names = [f"bot {i}" for i in range(6)]
    table = standings(replace(rows, luck=luck), names, "adjusted")
    made = files(table, names, rank_by="adjusted")
    read = json.loads(made["results.json"])
    shown = [line.split(" | ") for line in made["report.md"].split("\n") if re.match(r"\| \d+ \| \d", line)]
    for at, line in enumerate(csv.DictReader(io.StringIO(made["standings.csv"]))):
        of = {
            key: Interval(float(line[key]), float(line[key + "_high"]) - float(line[key]))
            for key in ("adjusted", "chips", "win_share")
        }
        cells = [chips(of["adjusted"]), chips(of["chips"]), percent(of["win_share"])]
        assert shown[at][2:6] == [line["bot"], *cells]
        assert " ".join(standings_table(table).split("\n")[at + 2].split()).startswith(
            " ".join([line["rank"], shown[at][1], line["bot"], *cells])
        )
        bot = read["bots"][at]
        assert [bot[key]["mean"] for key in of] == [interval.mean for interval in of.values()]
        assert (bot["games_saved"], bot["rating"]["elo"]) == (float(line["games_saved"]), float(line["elo"]))
    for pair, line in zip(read["pairs"], csv.DictReader(io.StringIO(made["head_to_head.csv"])), strict=False):
        assert (line["bot"], pair["bots"][0], line["of"]) == (read["bots"][0]["name"], 0, "adjusted")
        assert pair["difference"] == float(line["difference"])
        if pair["bots"][1] == 5:
            break


# Small tournaments, really played

ROSTER = {
    "Gap8": "turn.max_bet if turn.gap >= 8 else 0",
    "Never": "0",
    "Always": "turn.max_bet",
    "Half": "turn.max_bet // 2 if turn.edge > 0 else 0",
}
TWINS = {"One": "0", "Two": "0"}
MANY = {f"Gap{n}": f"turn.max_bet if turn.gap >= {n} else 0" for n in range(4, 13)}


def played(place: Path, roster: dict[str, str], *overrides: str) -> tuple[Held, str, dict[str, str]]:
    """A tournament held, what the terminal shows of it, and its files."""
    classes = [
        f"class {name}(Bot):\n    def bet(self, turn):\n        return {bet}\n"
        for name, bet in roster.items()
    ]
    (place / "bots.py").write_text("from arena import Bot\n\n\n" + "\n\n".join(classes))
    (place / "t.yaml").write_text("bots: bots.py\nseed: 5\n")
    real = load_spec(place / "t.yaml", overrides)
    bots, _ = find_entrants(real.bots)
    real = with_first_look(real, len(bots))
    held = hold(real, bots, spec_lineups(real, bots), 1, True, lambda *_: None)
    made = report_files(real, bots, held.standings, held.looks)
    assert made == report_files(real, bots, held.standings, held.looks)
    return held, standings_text(held.standings), texts(made)


SHORT = ["table.end.rounds=3"]
AT_THE_EDGE = pytest.mark.parametrize(
    ("roster", "overrides", "sentences"),
    [
        (ROSTER, ["deals=1"], ["One deal was played", "cannot be told: not enough", "Not enough deals: ratings"]),
        (ROSTER, ["deals=2", "rank_by=wins"], ["**Approximate**", "not enough deals.", "third cards is removed"]),
        (ROSTER, ["deals=19"], ["Only the luck of third cards is", "Luck is subtracted from 20 deals on", "| Never |"]),
        (ROSTER, ["deals=50", "seats=4", "rank_by=chips"], ["Luck-adjusted chips", "0/0 |", "## Seats"]),
        (TWINS, ["deals=60"], ["| One |", "identical", "no spread to tell by"]),
        (TWINS, ["deals=2", "rank_by=chips"], ["identical", "Not enough deals: ratings"]),
        (MANY, [*SHORT, "deals=3", "seats=8", "schedule=balanced", "lineups=2"], ["## Who met whom", "| 7 | "]),
        (ROSTER, ["deals=30", "schedule=gauntlet", "against=[Never]"], ["are not ranked", "## Skill", "## Ratings"]),
        (ROSTER, ["stop={when: half_width, chips: 900, max_deals: 500}", "rank_by=chips"], ["**Stopped at 250 deals**"]),
        (TWINS, ["stop={when: ranked, max_deals: 300}", "rank_by=wins"], ["**The deals ran out at 300**, after 2 looks"]),
    ],
    ids=["1 deal", "2 deals", "19 deals", "4 seats", "twins", "twins, 2 deals", "8 seats", "gauntlet", "stop", "twins stop"],
)  # fmt: skip


@AT_THE_EDGE
def test_a_tournament_at_the_edge_gets_sentences_and_no_nan(
    tmp_path: Path, roster: dict[str, str], overrides: list[str], sentences: list[str]
) -> None:
    held, text, made = played(tmp_path, roster, *overrides)
    for sentence in sentences:
        assert sentence in made["report.md"]
    for content in (text, *made.values()):
        assert not re.search(r"\b(nan|inf|None(?!: every))\b|-0\.0 |± 0\.0* ", content)
    for columns in (60, 80, 100):
        fit = fitted(standings_text(held.standings, columns), columns)
        assert max(map(width, fit.split("\n"))) <= columns
        assert standings_table(held.standings, columns) in fit, "a table that fits is not wrapped"
    json.loads(made["results.json"], parse_constant=lambda word: pytest.fail(word))
    assert len(list(csv.reader(io.StringIO(made["standings.csv"])))) == 1 + len(roster)
    for block in re.findall(r"(?:^\|.*\n)+", made["report.md"] + "\n", re.M):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1


@pytest.mark.slow
@AT_THE_EDGE
def test_pictures_of_a_tournament_at_the_edge_are_drawn_without_nan(
    tmp_path: Path, roster: dict[str, str], overrides: list[str], sentences: list[str]
) -> None:
    _, _, made = played(tmp_path, roster, *overrides)
    pictures = [content for name, content in made.items() if name.endswith(".svg")]
    assert pictures
    assert not [content for content in pictures if re.search(r"\b(NaN|nan|Infinity)\b", content)]


def test_never_betting_and_always_betting_show_in_skill_and_busts(tmp_path: Path) -> None:
    held, _, made = played(tmp_path, ROSTER, "deals=30")
    skills = {bot.name: bot.skill for bot in held.standings.bots}
    never, always = skills["Never"], skills["Always"]
    assert never is not None
    assert always is not None
    assert {point.stake for point in never.curve} == {0.0}
    assert {point.stake for point in always.curve} == {1.0}
    lines = {line["bot"]: line for line in csv.DictReader(io.StringIO(made["standings.csv"]))}
    assert float(lines["Never"]["bust_share"]) == 0
    assert float(lines["Always"]["bust_share"]) > 0.05
    assert float(lines["Always"]["error_rate"]) > float(lines["Gap8"]["error_rate"]) > 0
    assert re.search(r"\| Never \| 0/\d+ \| 0/", made["report.md"])


# The folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an old report, and what its user put there."""
    place = tmp_path / "reports" / "test"
    (place / "mine").mkdir(parents=True)
    (place / "report.md").write_bytes(b"old report")
    (place / "notes.txt").write_bytes(b"my notes")
    (place / "mine" / "plot.png").write_bytes(b"my plot")
    (place / "link").symlink_to("notes.txt")
    return place


MINE = {"notes.txt": b"my notes", "mine/plot.png": b"my plot", "link": b"my notes"}


def test_a_report_replaces_its_files_and_keeps_others(folder: Path) -> None:
    write_folder(folder, FILES)
    write_folder(folder, FILES | {"plots/one.svg": b"<svg/>"})
    assert contents(folder) == FILES | MINE | {"plots/one.svg": b"<svg/>"}
    assert (folder / "link").is_symlink()
    assert os.listdir(folder.parent) == ["test"]


def test_write_report_makes_all_files(tmp_path: Path) -> None:
    names = ["a", "b"]
    table = random_standings(2, 10, names)
    write_report(tmp_path / "deep" / "er", spec(), entrants(names), table, {"seconds": 1.5, "workers": 2})
    assert sorted(os.listdir(tmp_path / "deep" / "er")) == [
        *(
            "charts",
            "head_to_head.csv",
            "report.html",
            "report.md",
            "results.json",
            "run.json",
            "standings.csv",
        ),
    ]
    assert json.loads((tmp_path / "deep" / "er" / "run.json").read_bytes()) == {"seconds": 1.5, "workers": 2}


def fails_at(call: int, real: Callable[..., Any], error: OSError | KeyboardInterrupt) -> Callable[..., Any]:
    """``real``, which raises ``error`` the ``call``-th time."""
    count = 0

    def fake(*args: Any, **kwargs: Any) -> Any:
        nonlocal count
        count += 1
        if count == call:
            raise error
        return real(*args, **kwargs)

    return fake


@pytest.mark.parametrize(
    ("name", "call"), [("fsync", 1), ("fsync", 2), ("rename", 1), ("rename", 2), ("flock", 1)]
)
def test_a_full_disk_leaves_the_old_report_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, call: int
) -> None:
    before = contents(folder)
    where = "arena.report.folder.fcntl" if name == "flock" else "arena.report.folder.os"
    real = getattr(__import__("fcntl" if name == "flock" else "os"), name)
    full = OSError(errno.ENOSPC, "No space left on device")
    with monkeypatch.context() as patch:
        patch.setattr(f"{where}.{name}", fails_at(call, real, full))
        with pytest.raises(ArenaError, match=r"could not be written \(No space left on device\)"):
            write_folder(folder, FILES)
    assert contents(folder) == before
    assert os.listdir(folder.parent) == ["test"]


def test_ctrl_c_between_the_renames_puts_the_old_report_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(folder)
    with monkeypatch.context() as patch:
        patch.setattr("arena.report.folder.os.rename", fails_at(2, os.rename, KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            write_folder(folder, FILES)
    assert contents(folder) == before
    assert os.listdir(folder.parent) == ["test"]


@pytest.mark.parametrize("is_swapped", [False, True])
def test_a_run_killed_in_its_swap_is_tidied_by_the_next(folder: Path, is_swapped: bool) -> None:
    write_folder(folder, {"report.md": b"older"})
    old, new = folder.with_name(".test.old"), folder.with_name(".test.new")
    if is_swapped:
        old.mkdir()
    else:
        folder.rename(old)
        new.mkdir()
        (new / "report.md").write_bytes(b"half")
    write_folder(folder, FILES)
    assert contents(folder) == FILES | MINE
    assert os.listdir(folder.parent) == ["test"]


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(ArenaError, match="expected a folder for the report, found a file"):
        write_folder(tmp_path / "out", FILES)
    with pytest.raises(ArenaError, match="could not be written"):
        write_folder(tmp_path / "out" / "deeper", FILES)
    (tmp_path / "dir" / "report.md").mkdir(parents=True)
    with pytest.raises(ArenaError, match="found a folder"):
        write_folder(tmp_path / "dir", FILES)
    assert (tmp_path / "out").read_text() == "a file"


def test_where_there_are_no_hard_links_files_are_copied(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*args: Any, **kwargs: Any) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("arena.report.folder.os.link", no_links)
    write_folder(folder, FILES)
    assert contents(folder) == FILES | MINE
