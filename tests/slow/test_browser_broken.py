"""``report.html`` in a browser under bad luck: odd addresses, a chart that fails, long names, many bots on paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import CHROMIUM, REASON, browser, opened
from page_results import page_results

from arena.analysis.changes import Change
from arena.analysis.intervals import Interval
from arena.report.compare import BotChange, Comparison, Lead, PairChange, Versus
from arena.report.compare_html import compare_html
from arena.report.html import charts_of, report_html

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason=REASON)]
LONG = ["A" * 40, "i" * 40, "Ж" * 40, "漢" * 40]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as made:
        yield made


def page_of(folder: Path, names: list[str], **specs: Any) -> Path:
    results = page_results(names, deals=20)
    charts = charts_of(results)
    for name, spec in specs.items():
        object.__setattr__(charts[name], "spec", spec)
    path = folder / "report.html"
    path.write_bytes(report_html(results, charts))
    return path


@pytest.mark.parametrize("end", ["50%", "%", "bot-nobody", "%3Cscript%3E", "replay-99", ""])
def test_an_odd_address_keeps_nothing_from_being_drawn(chromium: Any, tmp_path: Path, end: str) -> None:
    path = page_of(tmp_path, ["Kelly", "Gap"])
    context = chromium.new_context(offline=True)
    try:
        page, said = context.new_page(), []
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{path.as_uri()}#{end}")
        page.wait_for_selector("html[data-drawn]", timeout=60_000)
        assert said == []
        assert page.input_value("#choose") == "-1"
    finally:
        context.close()


def test_a_chart_that_fails_keeps_no_other_from_being_drawn(chromium: Any, tmp_path: Path) -> None:
    path = page_of(tmp_path, ["Kelly", "Gap"], standings={"mark": "no such mark"})
    with opened(chromium, path) as (page, said):
        assert any("chart-standings" in message for message in said.messages)
        assert page.locator("#chart-head_to_head .role-mark path").count() > 0


def test_long_names_are_no_wider_than_a_narrow_screen(chromium: Any, tmp_path: Path) -> None:
    with opened(chromium, page_of(tmp_path, LONG), width=360) as (page, said):
        assert said.messages == []
        assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_thirty_bots_fit_the_paper_and_folded_tables_fold_again(chromium: Any, tmp_path: Path) -> None:
    path = page_of(tmp_path, [f"Bot number {place}" for place in range(30)])
    with opened(chromium, path, width=794) as (page, _):  # A4 at 96 dots an inch
        page.evaluate("document.querySelector('#head_to_head details').open = true")
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        assert page.locator("details:not([open])").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= 794
        page.evaluate("window.dispatchEvent(new Event('afterprint'))")
        assert page.locator("details[open]").count() == 1


def test_a_comparison_of_large_numbers_and_long_names_fits_paper_and_phone(
    chromium: Any, tmp_path: Path
) -> None:
    change = Change(Interval(-7_854_568.0, 20_132_176.0), 2, False)
    bots = tuple(
        BotChange(name, False, (5_110_202.2, -2_744_365.8), ((1, 4), (1, 4)), change) for name in LONG
    )
    lead = Lead(5_110_202.2, 20_132_176.0, False)
    pair = PairChange((0, 1), (lead, Lead(-2_744_365.8, 20_132_176.0, False)), change, "unsure")
    versus = Versus(1, True, 2, ("The tables are the same.",), bots, (pair,))
    path = tmp_path / "compare.html"
    page_text = compare_html(
        Comparison(("a" * 60, "b"), ("2 deals", "2 deals"), "chips", 0.95, True, False, (versus,))
    )
    path.write_text(page_text, encoding="utf-8")
    context = chromium.new_context(offline=True)
    try:
        page = context.new_page()
        page.goto(path.as_uri())
        for width, media in ((360, "screen"), (794, "print")):  # A4 at 96 dots an inch
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(media=media)
            assert page.evaluate("document.documentElement.scrollWidth") == width, media
    finally:
        context.close()
