"""Pages in a browser: charts drawn, nothing asked of the network, readable by everyone, narrow and on paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import CHROMIUM, REASON, browser, opened
from click.testing import CliRunner
from page_results import NASTY, page_results

from arena.cli.commands import cli
from arena.report.html import charts_of, report_html
from arena.report.results import read_results

ROOT = Path(__file__).parent.parent.parent
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason=REASON)]
CHOSEN = "[fill='var(--chosen)'], [stroke='var(--chosen)']"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a real run."""
    out = tmp_path_factory.mktemp("out")
    done = CliRunner().invoke(
        cli, ["run", str(ROOT / "configs/sample.yaml"), "--out", str(out), "--deals", "60"]
    )
    assert done.exit_code == 0, done.output
    return out / "sample" / "report.html"


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of two runs compared whose bots change places."""
    place = tmp_path_factory.mktemp("compared")
    bots = [str(ROOT / f"bots/{name}.py") for name in ("edge", "kelly", "mood", "random_bet")]
    for name, table in (("one", ""), ("soft", "post: {multiplier: 1}")):
        text = (
            f"name: {name}\nseed: 3\ntable: {{preset: nepali, {table}}}\nseats: 2\nbots: {bots}\ndeals: 20\n"
        )
        (place / f"{name}.yaml").write_text(text)
        done = CliRunner().invoke(cli, ["run", str(place / f"{name}.yaml"), "--out", str(place / "out")])
        assert done.exit_code == 0, done.output
    command = [
        "compare",
        *(str(place / f"{name}.yaml") for name in ("one", "soft")),
        "--out",
        str(place / "out"),
    ]
    done = CliRunner().invoke(cli, [*command, "--to", str(place / "compare.html")])
    assert done.exit_code == 0, done.output
    return place / "compare.html"


@pytest.fixture(scope="module")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nasty") / "report.html"
    results = page_results(NASTY)
    path.write_bytes(report_html(results, charts_of(results)))
    return path


def test_the_page_is_quiet_asks_for_nothing_and_draws_every_mark(chromium: Any, report: Path) -> None:
    bots = len(read_results(report.parent)["bots"])
    with opened(chromium, report) as (page, said):
        assert said.messages == []
        assert said.requests == []
        for place in page.query_selector_all("[data-chart]"):
            assert place.query_selector_all(".role-mark path, .role-mark line, .role-mark text"), (
                place.get_attribute("id")
            )
        dots = page.locator("#chart-standings .mark-symbol.role-mark path").count()
        at_the_edge = page.locator("#chart-standings .mark-text.role-mark text").count()
        assert (dots, at_the_edge) == (bots - 1, 1)  # RandomBet is too far behind to be drawn to scale
        assert page.locator("#chart-head_to_head .mark-rect.role-mark path").count() == bots * (bots - 1)
        assert page.locator("#chart-settling .mark-line.role-mark path").count() >= bots - 1
        assert page.locator("#chart-seats .mark-symbol.role-mark path").count() == 3


def test_nasty_names_start_nothing_and_are_read_as_they_are(chromium: Any, nasty: Path) -> None:
    with opened(chromium, nasty) as (page, said):
        assert said.messages == []
        assert said.requests == []
        names = page.locator("#standings tbody th a").all_inner_texts()
        assert {"<script>alert(1)</script>", "</script><b>x", "שלום עולם", "{{ 7*7 }}"} <= set(names)
        drawn = page.locator("#chart-standings .role-axis-label text").all_text_contents()
        assert any("<script>alert" in text for text in drawn)


def test_what_the_page_does_wrong_would_be_seen(chromium: Any, tmp_path: Path, report: Path) -> None:
    text = report.read_text()
    broken = tmp_path / "broken.html"
    broken.write_text(
        text.replace("</main>", '<img src="https://example.org/x.png"><button></button></main>', 1)
    )
    with opened(chromium, broken) as (page, said):
        assert said.messages  # the policy refuses the picture, and says so
        assert grave(page)


def test_a_chosen_bot_stands_out_everywhere(chromium: Any, report: Path) -> None:
    results = read_results(report.parent)
    bots = len(results["bots"])
    with opened(chromium, report) as (page, _):
        before = page.locator(f"#chart-standings :is({CHOSEN})").count()
        assert before == 0
        page.select_option("#choose", "1")
        page.wait_for_selector(f"#chart-standings :is({CHOSEN})")
        for chart in ("head_to_head", "stakes", "losses_gap", "settling"):
            page.wait_for_selector(f"#chart-{chart} :is({CHOSEN})", state="attached")
        assert page.locator("tr.chosen:not([data-bot='1'])").count() == 0
        tables = page.locator("table:has(tr[data-bot])").count()
        assert page.locator("table:has(tr.chosen)").count() == tables > 5
        assert page.locator(".own.chosen").count() == 1
        assert page.locator("#chart-head_to_head .mark-rect [stroke='var(--chosen)']").count() == 2 * (
            bots - 1
        )
        label = page.locator("#chart-head_to_head .role-axis-label [fill='var(--chosen)']")
        assert sorted(label.all_text_contents())[0] == "#2"  # the column's; the line's has the name behind it
        column = page.locator("#head_to_head table").first.locator("th.chosen, td.chosen")
        assert column.count() == 1 + bots
        assert page.locator("[data-game] option.chosen").count() == 1
        assert page.locator("[data-game] option.chosen").get_attribute("label").startswith("● ")
        game = next(
            n for n, told in enumerate(results["telling"]) if results["bots"][1]["name"] in told["bots"]
        )
        page.select_option("[data-game]", str(game))
        for _ in range(2):  # seats are made anew at each step
            assert page.locator("[data-seats] li.chosen b").all_inner_texts() == [results["bots"][1]["name"]]
            page.click("[data-go='back']")
        assert "Highlighted: #2" in page.inner_text("#said")
        page.select_option("#choose", "-1")
        assert page.locator(".chosen").count() == 0
        assert "●" not in (page.locator("[data-game]").inner_html())


def test_a_link_opens_the_game_told_again_also_a_second_time(chromium: Any, report: Path) -> None:
    told = read_results(report.parent)["telling"]
    with opened(chromium, report) as (page, said):
        link = page.locator(".own a[href^='#replay-']").first
        game = int(link.get_attribute("href").removeprefix("#replay-"))
        assert told[game]["why"] == "mistake"
        for _ in range(2):
            link.click()
            assert page.input_value("[data-game]") == str(game)
            page.select_option("[data-game]", str((game + 1) % len(told)))
        assert said.messages == []


def test_one_chart_that_fails_stops_no_other_and_an_odd_address_nothing(
    chromium: Any, report: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.html"
    text, count = re.subn(
        r'"standings":\{"\$schema"', '"standings":null,"other":{"$schema"', report.read_text()
    )
    assert count == 1
    broken.write_text(text)
    with opened(chromium, broken) as (page, said):
        assert [message.split(":")[0] for message in said.messages] == ["error"]
        assert "could not be drawn" in page.inner_text("#chart-standings")
        assert page.locator("[data-chart] svg").count() == page.locator("[data-chart]").count() - 1
        page.select_option("#choose", "1")
    with opened(chromium, report, at="#%") as (page, said):
        assert said.messages == []
        assert page.locator("[data-chart] svg").count() == page.locator("[data-chart]").count()


def test_every_section_is_in_sight_in_the_bar(chromium: Any, report: Path) -> None:
    for width in (700, 900, 1280):
        with opened(chromium, report, width=width) as (page, _):
            ends = page.evaluate(
                "[...document.querySelectorAll('.bar li')].map(e => e.getBoundingClientRect().right)"
            )
            left = page.evaluate("document.querySelector('.choose').getBoundingClientRect().left")
            assert len(ends) == 13
            assert max(ends) <= left


def test_a_bot_is_chosen_by_its_button_by_a_mark_and_by_its_link(chromium: Any, report: Path) -> None:
    from playwright.sync_api import expect

    with opened(chromium, report) as (page, _):
        page.click("[data-pick='2']")
        assert page.input_value("#choose") == "2"
        page.locator("#chart-standings .mark-symbol.role-mark path").nth(0).click()
        assert page.input_value("#choose") == "0"
        anchor = page.locator(".own").nth(3).get_attribute("id")
        page.goto(f"{page.url.split('#')[0]}#{anchor}")
        expect(page.locator("#choose")).to_have_value("3")  # the page's policy has no eval to wait by


def test_the_keyboard_reaches_all(chromium: Any, report: Path) -> None:
    with opened(chromium, report) as (page, _):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.focus("#choose")
        page.keyboard.press("ArrowDown")
        assert page.input_value("#choose") == "0"
        page.focus("#head_to_head summary")
        page.keyboard.press("Enter")
        assert page.locator("#head_to_head details[open]").count() == 1


def step_shown(page: Any) -> tuple[int, int]:
    """At which step the player is, and of how many."""
    step, of = page.inner_text("[data-where]").removeprefix("Step ").split(" of ")
    return int(step), int(of)


def test_a_game_is_stepped_through_by_buttons(chromium: Any, report: Path) -> None:
    games = read_results(report.parent)["telling"]
    with opened(chromium, report) as (page, said):
        assert page.locator("#replay-game option").count() == len(games) > 2
        steps = games[0]["steps"]
        assert step_shown(page) == (1, len(steps))
        assert page.is_disabled("[data-go='back']")
        page.click("[data-go='next']")
        assert step_shown(page) == (2, len(steps))
        assert page.locator("[data-cards] [role=img]").count() >= 2
        assert "Posts " in page.inner_text("[data-told]")
        page.click("[data-go='last']")
        assert step_shown(page) == (len(steps), len(steps))
        assert page.inner_text("[data-told]").startswith("The last turn is over")
        chips = [
            text.split()[0] for text in page.locator("[data-seats] li > span:first-of-type").all_inner_texts()
        ]
        assert chips == [f"{n:,}" for n in steps[-1]["chips"]]
        page.click("[data-go='back']")
        page.click("[data-go='first']")
        assert step_shown(page)[0] == 1
        page.select_option("#replay-game", "1")
        assert step_shown(page)[0] == games[1]["at"] + 1
        assert "given away" in page.inner_text("[data-told]")
        page.click("[data-go='first']")
        page.click("[data-go='mistake']")
        assert step_shown(page)[0] == games[1]["at"] + 1
        assert said.messages == []
        assert said.requests == []


def test_a_game_is_stepped_through_by_keys_and_plays(chromium: Any, report: Path) -> None:
    from playwright.sync_api import expect

    with opened(chromium, report) as (page, said):
        page.focus("[data-stage]")
        shown = [step_shown(page)[0]]
        for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "Home"):
            page.keyboard.press(key)
            shown.append(step_shown(page)[0])
        assert shown == [1, 2, 3, 2, step_shown(page)[1], 1]
        page.keyboard.press(" ")
        assert page.get_attribute("[data-go='play']", "aria-pressed") == "true"
        page.get_by_text("Step 2 of").wait_for()
        page.keyboard.press(" ")
        assert page.get_attribute("[data-go='play']", "aria-pressed") == "false"
        page.goto(f"{page.url.split('#')[0]}#replay-2")
        expect(page.locator("#replay-game")).to_have_value("2")
        assert said.messages == []


@pytest.mark.parametrize("which", ["report", "nasty", "compared"])
def test_nothing_is_wider_than_a_narrow_screen(
    chromium: Any, which: str, request: pytest.FixtureRequest
) -> None:
    with opened(chromium, request.getfixturevalue(which), width=360) as (page, said):
        assert said.messages == []
        assert said.requests == []
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        wide = page.evaluate(
            "[...document.querySelectorAll('.chart')].filter(c => c.scrollWidth > c.clientWidth).map(c => c.id)"
        )
        assert wide == []


def test_every_box_that_scrolls_is_reached_by_the_keyboard_and_every_table_has_a_caption(
    chromium: Any, compared: Path
) -> None:
    with opened(chromium, compared, width=360) as (page, said):
        assert said.messages == []
        scrolls = "e => getComputedStyle(e).overflowX === 'auto' && e.tabIndex < 0"
        assert page.evaluate(f"[...document.querySelectorAll('*')].filter({scrolls}).length") == 0
        assert page.locator(".scroll:has(svg.slopes)").count() == 1
        assert page.locator("table").count() == page.locator("table > caption").count() >= 1


def test_a_comparison_runs_nothing_and_fits_the_paper(chromium: Any, compared: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.html"
    broken.write_text(compared.read_text().replace("</main>", "<script>alert(1)</script></main>", 1))
    with opened(chromium, broken) as (_, said):
        assert [message.split(":")[0] for message in said.messages] == [
            "error"
        ]  # the policy's, and no dialog
    with opened(chromium, compared, width=794, color_scheme="dark") as (page, _):
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 29)"
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.evaluate("document.documentElement.scrollWidth") <= 794
        assert page.pdf(format="A4").startswith(b"%PDF")


def test_a_printed_page_has_its_tables_open_and_fits_the_paper(chromium: Any, report: Path) -> None:
    with opened(chromium, report, width=794) as (page, _):  # A4 at 96 dots an inch
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        assert page.locator("details:not([open])").count() == 0
        assert not page.locator(".bar").is_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 794
        assert page.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 1200), ("light", 360)])
@pytest.mark.parametrize("which", ["report", "nasty", "compared"])
def test_axe_finds_nothing_grave(
    chromium: Any, which: str, scheme: Any, width: int, request: pytest.FixtureRequest
) -> None:
    with opened(chromium, request.getfixturevalue(which), width, color_scheme=scheme) as (page, _):
        if which != "compared":
            page.select_option("#choose", "1")
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        assert grave(page) == []


def test_dark_is_dark_and_light_is_light(chromium: Any, report: Path) -> None:
    for scheme, expected in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 24, 29)")):
        with opened(chromium, report, color_scheme=scheme) as (page, _):
            assert page.evaluate("getComputedStyle(document.body).backgroundColor") == expected
            label = page.locator("#chart-standings .role-axis-label text").first
            assert label.evaluate("e => getComputedStyle(e).fill") != expected


def grave(page: Any) -> list[str]:
    """What axe-core finds serious or critical, with the elements."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:120]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]
