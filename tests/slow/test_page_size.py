"""A page of many bots: made in time, and how large it gets."""

from __future__ import annotations

import time

import pytest
from page_results import full_results

from arena.report.html import PICTURES, charts_of, report_html
from arena.report.vega import bundle, svg

pytestmark = pytest.mark.slow
SECONDS = 20


@pytest.mark.parametrize("told", [10, 51], ids=["ten games", "a game for each"])
def test_the_page_and_pictures_of_fifty_bots_take_under_twenty_seconds(
    told: int, capsys: pytest.CaptureFixture[str]
) -> None:
    results = full_results(50, told)
    assert len(results["pairs"]) == 50 * 49 // 2
    began = time.process_time()  # of this process: the wall clock of a busy machine says nothing
    charts = charts_of(results)
    page = report_html(results, charts)
    pictures = [svg(charts[name]) for name in PICTURES.values()]
    took = time.process_time() - began
    with capsys.disabled():
        print(
            f"\n50 bots, {told} games told: page {len(page) / 1e6:.2f} MB ({len(bundle()) / 1e6:.2f} of them the charts' "
            f"library), pictures {sum(map(len, pictures)) / 1e6:.2f} MB, {took:.1f} s"
        )
    assert took < SECONDS
