"""``report.html``: whole, self-contained, and harmless whatever bots are called."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from page_results import NASTY, Page, full_results, page_of, page_results, tables_in, undefined_figures
from told_games import game

from arena.analysis.skill import POTS
from arena.cli.commands import cli
from arena.errors import ArenaError
from arena.game.rules import table_rules
from arena.report.charts import window
from arena.report.html import PICTURES, SECTIONS, charts_of, in_script, report_html
from arena.report.page_data import page_data
from arena.report.page_tables import anchors
from arena.report.results import read_results
from arena.report.results_json import FORMAT, dump
from arena.report.templating import FOLDERS, asset
from arena.report.vega import LIGHT, Chart, bundle, chart, svg
from arena.report.write import rewrite_page
from arena.tournament.telling import MOST_STEPS

pytestmark = pytest.mark.page
PLAIN = ["Kelly", "Gap 8", "Half"]


@pytest.fixture(scope="module")
def plain_page() -> Page:
    return page_of(page_results(PLAIN))


@pytest.fixture(scope="module")
def nasty_page() -> Page:
    return page_of(page_results(NASTY))


def test_every_section_is_there_under_its_heading(plain_page: Page) -> None:
    ids = plain_page.of("id")
    assert len(ids) == len(set(ids))
    for name, word, heading in SECTIONS:
        assert name in ids
        assert heading in plain_page.words
        assert word in plain_page.words


def test_the_games_and_answers_of_the_run_are_on_the_page(plain_page: Page) -> None:
    assert "Which gaps pay?" in plain_page.words
    assert "From 8 ranks on: 8: +0.16" in plain_page.words
    games = json.loads(plain_page.scripts[0])
    assert [game["title"].split(" bet ")[0] for game in games] == [PLAIN[0], PLAIN[-1]]


def test_without_games_the_page_has_no_player() -> None:
    page = page_of(page_results(PLAIN) | {"telling": []})
    assert "replay" not in page.of("id")
    assert "#replay" not in page.of("href")


def test_the_costliest_bet_of_each_bot_and_the_largest_swing_are_linked_where_they_are_read() -> None:
    results = page_results(PLAIN)
    mistakes = [game("Half", "Kelly"), game("Kelly", "Gap 8")]
    swing = game("Kelly", "Half") | {"why": "swing", "lost": 990}
    html = report_html(results | {"telling": [swing, *mistakes]}, charts_of(results)).decode()

    def links(start: str, end: str) -> list[str]:
        return re.findall(r'href="#(replay-\d+)"', html[html.index(start) : html.index(end)])

    half, kelly, gap = (
        f'<article id="{anchor}"' for anchor in anchors(results)
    )  # in the order of their ranks
    assert [bot["name"] for bot in results["bots"]] == ["Half", "Kelly", "Gap 8"]
    assert links(half, kelly) == ["replay-1"]
    assert links(kelly, gap) == ["replay-2"]
    assert links(gap, '<section id="rules"') == []
    assert links('<section id="losses"', '<section id="replay"') == ["replay-1", "replay-2"]
    assert links('<section id="games"', '<section id="seats"') == ["replay-0"]
    assert {at for at in Page(html).of("id") if at.startswith("replay-")} == {
        f"replay-{n}" for n in range(3)
    } | {
        "replay-heading",
        "replay-game",
    }


def test_columns_of_bots_say_which_bot_they_are_of(plain_page: Page) -> None:
    heads = [attrs["data-bot"] for tag, attrs in plain_page.elements if tag == "th" and "data-bot" in attrs]
    assert heads == ["0", "1", "2"]
    cells = [attrs["data-bot"] for tag, attrs in plain_page.elements if tag == "td" and "data-bot" in attrs]
    assert cells == ["0", "1", "2"] * 3


def test_every_link_leads_to_a_place_on_the_page(nasty_page: Page) -> None:
    ids = set(nasty_page.of("id"))
    links = nasty_page.of("href")
    assert len(links) > 50
    assert {link.removeprefix("#") for link in links} <= ids


@pytest.mark.parametrize("table", ["nepali", "red_dog"])
@pytest.mark.parametrize("rank_by", ["chips", "wins", "adjusted"])
def test_every_figure_of_every_table_has_its_definition(table: str, rank_by: str) -> None:
    results = page_results(PLAIN, rank_by=rank_by, table=table_rules({"preset": table}))
    assert len(list(tables_in(page_data(results)))) > 10
    assert undefined_figures(results) == set()


def test_what_the_player_and_the_answers_speak_of_is_defined(plain_page: Page) -> None:
    results = page_results(PLAIN)
    counted = {"key": "counting", "question": "Is counting worth it?", "text": "Yes.", "basis": "measured"}
    page = page_of(results | {"answers": [*results["answers"], counted]})
    for name in ("worth", "given-away", "kelly", "counting"):
        assert f"#def-{name}" in page.of("href")
        assert f"def-{name}" in page.of("id")
    assert "def-counting" not in plain_page.of("id")  # nobody asked


def test_a_table_without_a_pot_has_no_ante_and_measures_by_the_least_bet() -> None:
    for preset, end in (
        ("nepali", "10 and more"),
        ("red_dog", "5 and more"),
    ):  # an ante of 10, a least bet of 5
        results = page_results(PLAIN, table=table_rules({"preset": preset, "bet": {"min": 5}}))
        assert ("def-ante" in page_of(results).of("id")) is (preset == "nepali")
        assert end in json.dumps(charts_of(results)["losses_gap"].spec)


def test_no_more_is_said_of_luck_than_is_done_about_it() -> None:
    def method(deals: int, rank_by: str) -> str:
        words = page_of(page_results(PLAIN, deals, rank_by=rank_by)).words
        return " ".join(words[words.rindex("How the numbers were made") :].split())

    few, adjusted, chips, wins = (
        method(19, "adjusted"),
        method(20, "adjusted"),
        method(20, "chips"),
        method(20, "wins"),
    )
    assert "Only the luck of third cards is removed" in few
    assert "Whenever a third card is turned up" in few
    for words in (adjusted, chips, wins):
        assert "Only the luck of third cards" not in words
        assert "Whenever a card is turned up" in words
    assert "They are what ranks here." in adjusted
    assert "What ranks here are raw chips, with all of the luck in them." in chips
    assert "What ranks here are games won, with all of the luck in them." in wins
    for words in (few, adjusted, chips, wins):
        assert "Chance is left in them, too" in words
        assert "What is left is decisions" not in words


def test_every_definition_is_linked_to(plain_page: Page) -> None:
    defined = {name for name in plain_page.of("id") if name.startswith("def-")}
    not_of_this_run = {"def-look", "def-deal", "def-separated"} - {link[1:] for link in plain_page.of("href")}
    assert defined - {link[1:] for link in plain_page.of("href")} == not_of_this_run


def test_strangers_names_are_text_and_nothing_else(nasty_page: Page) -> None:
    assert len(nasty_page.scripts) == 5  # games, data of charts, the bundle, the page's own, the player
    assert [attrs for tag, attrs in nasty_page.elements if tag in ("b", "i")] == [
        {"data-held": None}
    ]  # the player's
    for name in ("<script>alert(1)</script>", "</script><b>x", "שלום עולם", "{{ 7*7 }}", "a\\u202eb"):
        assert name in nasty_page.words
    assert "Traceback </script><!--" in nasty_page.words


def test_data_in_a_script_can_neither_end_it_nor_break_a_line(nasty_page: Page) -> None:
    games, data, *_ = nasty_page.scripts
    assert not set("<>&\u2028\u2029") & set(games)
    assert json.loads(games)[0]["bots"][:2] == ["<script>alert(1)</script>", "</script><b>x"]
    assert not set("<>&\u2028\u2029") & set(data)
    labels = [row["label"] for row in json.loads(data)["standings"]["data"]["values"]]
    assert any(label.endswith(" <script>alert(1)</script>") for label in labels)
    assert json.loads(in_script({"a": "</script>\u2028"})) == {"a": "</script>\u2028"}


def test_the_page_asks_for_nothing_and_allows_its_own_scripts_alone(plain_page: Page) -> None:
    (policy,) = [value for value in plain_page.of("content") if "default-src" in value]
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert policy.count("'sha256-") == 3
    run = [script for script in plain_page.scripts if not script.startswith(("{", "["))]
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in run]
    assert all(f"'sha256-{digest}'" in policy for digest in hashes)
    assert len(hashes) == 3
    assert not plain_page.of("src")
    assert not [tag for tag, _ in plain_page.elements if tag in ("link", "img", "iframe", "object")]
    assert not any(
        re.search(r"url\(|@import", asset(name)) for name in ("palette.css", "page.css", "replay.css")
    )


def test_every_chart_has_words_and_every_overview_a_table(plain_page: Page) -> None:
    charts = [attrs for _, attrs in plain_page.elements if "data-chart" in attrs]
    assert len(charts) == 8 + 2 * len(PLAIN)
    for attrs in charts:
        assert attrs["role"] == "img"
        assert len(attrs["aria-label"] or "") > 30
    for caption in ("Standings, best first", "Differences of all pairs", "Mean stake / best stake",
                    "Chips lost a game, by pot", "Means over the first deals", "Chips a game by seat"):  # fmt: skip
        assert caption in plain_page.words


def test_a_bot_s_anchor_outlives_its_rank() -> None:
    first, second = (page_results(names) for names in (PLAIN, PLAIN[::-1]))
    by_name = {bot["name"]: at for bot, at in zip(first["bots"], anchors(first), strict=True)}
    assert re.fullmatch("bot-gap-8-[0-9a-f]{6}", by_name["Gap 8"])
    assert by_name == {bot["name"]: at for bot, at in zip(second["bots"], anchors(second), strict=True)}


def test_a_bot_s_anchor_stays_as_it_is_when_one_of_a_like_name_joins() -> None:
    alone, joined = (
        anchors({"bots": [{"name": name} for name in names]}) for names in (["A b"], ["a-b", "A b"])
    )
    assert alone == joined[1:]
    assert joined[0] != joined[1]


def test_names_without_letters_still_get_anchors_of_their_own() -> None:
    found = anchors({"bots": [{"name": name} for name in ("שלום", "漢字", "a b", "a-b")]})
    assert len(set(found)) == 4
    assert all(re.fullmatch(r"bot-[a-z0-9-]+", at) for at in found)


def test_colours_for_svg_are_those_of_the_light_page() -> None:
    css = asset("palette.css")
    light = dict(re.findall(r"--(\w+): (#\w+)", css[: css.index("@media")]))
    assert {name: light[name] for name in LIGHT} == LIGHT
    assert set(re.findall(r"--(\w+): #", css[css.index("@media") :])) == set(light)


def test_colours_stand_in_one_place_and_dark_is_for_screens_alone() -> None:
    sheets = [path for folder in FOLDERS for path in folder.glob("*.css")]
    assert len(sheets) == 4
    for path in sheets:
        assert "@media (prefers-color-scheme" not in path.read_text()
        assert bool(re.search(r": #[0-9a-f]{3}", path.read_text())) == (path.name == "palette.css"), path.name


@pytest.mark.parametrize(
    ("text", "paper"),
    [("ink", "paper"), ("muted", "paper"), ("accent", "paper"), ("chosen", "paper"), ("chosen", "wash"), ("ink", "wash"),
     ("muted", "wash"), ("ink", "panel"), ("muted", "card"), *(("good", on) for on in ("paper", "panel", "card")),
     *(("bad", on) for on in ("paper", "panel", "card")), ("ink", "felt"), ("muted", "felt"),
     *(("cell", f"{way}{n}") for way in ("up", "down") for n in (1, 2, 3)),
     ("cell", "quiet")],
)  # fmt: skip
def test_text_stands_out_by_4_5_to_1_in_light_and_dark(text: str, paper: str) -> None:
    css = asset("palette.css")
    light = dict(re.findall(r"--(\w+): (#\w+)", css[: css.index("@media")]))
    for colours in (light, dict(re.findall(r"--(\w+): (#\w+)", css[css.index("@media") :]))):
        assert contrast(colours[text], colours[paper]) >= 4.5


def contrast(one: str, other: str) -> float:
    """WCAG 2's ratio of relative luminances."""
    values = []
    for colour in (one, other):
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        values.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(values) + 0.05) / (min(values) + 0.05)


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # as every checker of WCAG says


@pytest.mark.parametrize(
    ("names", "rank_by"),
    [
        pytest.param(NASTY, "chips", id="nasty"),
        pytest.param(PLAIN, "wins", id="wins", marks=pytest.mark.slow),
    ],
)
def test_every_chart_is_valid_vega_lite(names: list[str], rank_by: str) -> None:
    import altair
    import jsonschema

    charts = charts_of(page_results(names, rank_by=rank_by))
    for one in charts.values():
        altair.Chart.from_dict(one.spec)  # raises where the schema does not allow it
    with pytest.raises(jsonschema.ValidationError):
        altair.Chart.from_dict(charts["standings"].spec | {"layer": [{"mark": "no such mark"}]})


@pytest.mark.slow
def test_pictures_are_the_same_bytes_and_hold_no_variables() -> None:
    charts = charts_of(page_results(PLAIN))
    for name in PICTURES.values():
        first = svg(charts[name])
        assert first == svg(charts[name])
        assert b"var(" not in first
        assert first.startswith(b"<svg")
    other = Chart("x", "words", charts["standings"].spec | {"data": {"values": []}})
    assert svg(other) != svg(charts["standings"])


def test_an_axis_leaves_one_far_away_outside_and_keeps_all_that_are_near() -> None:
    assert window([(1, 3), (2, 4), (3, 5), (4, 6), (-100, -90)]) == (1, 6)
    assert window([(0, 2), (10, 12)]) == (0, 12)
    assert window([(5, 5), (5, 5), (5, 5), (5, 5)]) == (5, 5)


def test_no_code_of_the_bundle_ends_its_script() -> None:
    assert "</script" not in bundle()
    assert "\r" not in bundle()  # a browser would read another text than the one hashed


def test_twelve_bots_stay_under_three_megabytes() -> None:
    results = full_results(12, 13)
    assert len(charts_of(results)["losses_pot"].spec["data"]["values"]) == 12 * len(POTS)
    assert sum(len(game["steps"]) for game in results["telling"]) == 13 * (MOST_STEPS // 13)
    size = len(report_html(results, charts_of(results)))
    print(f"the page of twelve bots: {size:,} bytes")
    assert size < 3_000_000


def test_arena_report_writes_the_page_anew_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "reports" / "mine"
    folder.mkdir(parents=True)
    (folder / "results.json").write_bytes(dump(page_results(PLAIN)))
    (folder / "notes.txt").write_text("mine")
    done = CliRunner().invoke(cli, ["report", "mine", "--out", str(tmp_path / "reports")])
    assert done.exit_code == 0, done.output
    assert done.stdout == f"{folder / 'report.html'}\n"
    made = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert made == {
        "results.json",
        "notes.txt",
        "report.html",
        *(f"charts/{name}.svg" for name in PICTURES.values()),
    }
    results = read_results(folder)
    assert (folder / "report.html").read_bytes() == report_html(results, charts_of(results))
    shutil.rmtree(folder / "charts")
    assert CliRunner().invoke(cli, ["report", str(folder)]).exit_code == 0
    assert (folder / "charts/standings.svg").exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "no results.json there"),
        ("{", "not JSON as arena run wrote it"),
        ("[]", "expected a mapping"),
        (
            '{"format": 3}',
            f"expected format {FORMAT}, found 3: another version wrote it; the command of the run",
        ),
    ],
)
def test_results_that_cannot_be_used_are_named(tmp_path: Path, text: str | None, says: str) -> None:
    if text is not None:
        (tmp_path / "results.json").write_text(text)
    with pytest.raises(ArenaError, match=re.escape(says)):
        rewrite_page(tmp_path)


def test_a_run_without_a_report_is_answered_with_those_there_are(tmp_path: Path) -> None:
    (tmp_path / "default").mkdir()
    (tmp_path / "default" / "results.json").write_text("{}")
    done = CliRunner().invoke(cli, ["report", "defualt", "--out", str(tmp_path)], standalone_mode=False)
    assert isinstance(done.exception, ArenaError)
    assert "default" in str(done.exception)


def test_numbers_on_an_axis_do_not_touch() -> None:
    x = {"field": "x", "type": "quantitative", "scale": {"domain": [-13.15, -11.05], "nice": False}}
    picture = svg(chart("t", "t", [{"x": -12.0}], {"mark": "point", "encoding": {"x": x}}, 40)).decode()
    seen = r'translate\(([-\d.]+),[^>]*opacity="1">−\d\d\.\d<'  # what Vega hides has no opacity
    at = [float(x) for x in re.findall(seen, picture)]
    assert len(at) > 5
    assert min(b - a for a, b in pairwise(at)) > 36, "five characters of 12 px, 30 px wide in all"
