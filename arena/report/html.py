"""``report.html``: one page that holds all it needs, made from ``results.json`` alone.

The parts are in ``page/``: ``report.html.j2`` has the frame, ``sections/NAME.html.j2`` a section each in the order of
``SECTIONS``, ``page.css`` and ``page.js`` looks and behaviour. Jinja2 escapes whatever is put in; data for charts is JSON
with no character that could end its element.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from arena.report.charts import seats_chart, settling_chart, standings_chart
from arena.report.charts_bot import bot_charts
from arena.report.charts_grids import head_to_head_chart, losses_charts, stakes_chart
from arena.report.page_data import page_data
from arena.report.replay_html import player_script, player_style
from arena.report.results import Results
from arena.report.templating import asset, environment, policy
from arena.report.vega import CONFIG, Chart, bundle

SECTIONS = (
    ("standings", "Standings", "Standings"),
    ("head_to_head", "Head-to-head", "Head-to-head"),
    ("stakes", "Stakes", "Stakes by gap"),
    ("losses", "Losses", "Where chips are lost"),
    ("replay", "Replay", "Games told again"),
    ("settling", "Settling", "Settling over deals"),
    ("games", "Games", "Games won, swings, ratings"),
    ("seats", "Seats", "Seats"),
    ("answers", "Answers", "What players ask"),
    ("faults", "Faults", "Faults"),
    ("bots", "Bots", "Every bot"),
    ("rules", "Rules", "Table rules"),
    ("method", "Method", "How the numbers were made"),
)  # template, word in the navigation, heading: in the order of the page
PICTURES = {
    "## Standings": "standings",
    "## Head-to-head": "head_to_head",
    "### Stakes by gap": "stakes",
    "## Settling over deals": "settling",
}  # heading in report.md → chart that stands there as SVG
_IN_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def charts_of(results: Results) -> dict[str, Chart]:
    """Every chart of the page by its name; those there is nothing to draw for are left out."""
    found = [
        standings_chart(results),
        head_to_head_chart(results),
        stakes_chart(results),
        *losses_charts(results),
        settling_chart(results),
        seats_chart(results),
    ]
    for place, bot in enumerate(results["bots"]):
        found += bot_charts(place, bot)
    return {chart.name: chart for chart in found if chart is not None}


def report_html(results: Results, charts: Mapping[str, Chart]) -> bytes:
    """The page. The same bytes from the same results."""
    scripts = [bundle(), str(asset("page.js")), player_script()]
    is_told = bool(results["telling"])
    text = (
        environment()
        .get_template("report.html.j2")
        .render(
            **page_data(results),
            charts=charts,
            chart_data=in_script({name: chart.spec for name, chart in charts.items()} | {"config": CONFIG}),
            sections=[section for section in SECTIONS if is_told or section[0] != "replay"],
            css=asset("palette.css") + asset("page.css") + player_style(),
            scripts=scripts,
            policy=policy(scripts),
        )
    )
    return text.encode("utf-8")


def in_script(value: Any) -> str:
    r"""``value`` as JSON that may stand in a script element: nothing in it ends or opens one.

    >>> in_script(["</script>"])
    '["\\u003c/script\\u003e"]'
    """
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return "".join(_IN_SCRIPT.get(char, char) for char in text)
