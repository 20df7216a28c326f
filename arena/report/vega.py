"""Vega-Lite charts as plain data: drawn by the page itself in a browser, or here as SVG.

Colours are the page's CSS variables, so that one specification serves light, dark and paper; for SVG they become the
light ones. Every specification has a parameter ``chosen``: the place of the bot to stand out, -1 for none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

Spec = dict[str, Any]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
LIGHT = {
    "paper": "#ffffff",
    "ink": "#1b2128",
    "muted": "#59626d",
    "line": "#d5dae0",
    "quiet": "#eceff2",
    "mark": "#55708f",
    "pale": "#9fb0c3",
    "chosen": "#c2410c",
    "best": "#1a7f37",
    "up3": "#4c97d8",
    "up2": "#7db4e2",
    "up1": "#cfe3f5",
    "down1": "#f7dccb",
    "down2": "#eda982",
    "down3": "#e07b45",
    "cell": "#1b2128",
}  # as page.css has them
_FONT = "system-ui, sans-serif"
_SVG_FONT = (
    "Liberation Sans, Arial, sans-serif"  # the first comes with vl-convert: the same widths on every machine
)
_SVG_WIDTH = 660
_AXIS = {
    "labelColor": "var(--ink)",
    "titleColor": "var(--muted)",
    "domainColor": "var(--line)",
    "tickColor": "var(--line)",
    "gridColor": "var(--line)",
    "labelFontSize": 12,
    "titleFontSize": 12,
    "titleFontWeight": "normal",
    "labelLimit": 130,
}
CONFIG: Spec = {
    "aria": False,  # the figure around it has the words, and a table has the numbers
    "background": None,
    "font": _FONT,
    "view": {"stroke": None},
    "axis": _AXIS,
    "axisQuantitative": {"labelSeparation": 6},  # px: numbers that touch read as one
    "legend": {
        "labelColor": "var(--ink)",
        "titleColor": "var(--muted)",
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "labelLimit": 200,
    },
}


@dataclass(frozen=True)
class Chart:
    """A chart: ``name`` on the page and of its file, what it shows in words, and its Vega-Lite specification."""

    name: str
    alt: str
    spec: Spec


def chart(name: str, alt: str, values: Sequence[Mapping[str, object]], spec: Spec, height: int) -> Chart:
    """A chart of these rows, as wide as its place."""
    whole = {
        "$schema": SCHEMA,
        "width": "container",
        "height": height,
        "params": [{"name": "chosen", "value": -1}],
        "data": {"values": list(values)},
        **spec,
    }
    return Chart(name, alt, whole)


def chosen(value: object, other: object, test: str = "datum.bot === chosen") -> Spec:
    """A colour, width or the like for what belongs to the chosen bot, and for everything else."""
    return {"condition": {"test": test, "value": value}, "value": other}


def bot_axis(**more: object) -> Spec:
    """The y axis of a chart with a line for each bot: labels as they are in ``label``, best first."""
    return {
        "field": "label",
        "type": "nominal",
        "sort": None,
        "axis": {
            "title": None,
            "domain": False,
            "ticks": False,
            "labelPadding": 6,
            **chosen_label("indexof(datum.value, '#' + (chosen + 1) + ' ') === 0"),
            **more,
        },
    }


def chosen_label(test: str) -> Spec:
    """An axis' labels, of which the chosen bot's stands out."""
    return {
        "labelColor": chosen("var(--chosen)", "var(--ink)", test),
        "labelFontWeight": chosen("bold", "normal", test),
    }


def lines_high(rows: Sequence[Mapping[str, object]]) -> int:
    """The height in pixels of a chart with a line for each bot of ``rows``."""
    return 24 * len({row["label"] for row in rows})


def svg(of: Chart) -> bytes:
    """The chart as a file of its own, on white. The same bytes from the same chart."""
    import vl_convert

    spec = of.spec | {
        "width": _SVG_WIDTH,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "config": CONFIG | {"background": "var(--paper)", "font": _SVG_FONT, "padding": 8},
        "description": of.alt,
    }
    text = re.sub(r"var\(--(\w+)\)", lambda match: LIGHT[match[1]], json.dumps(spec))
    return (_renumbered(vl_convert.vegalite_to_svg(json.loads(text))) + "\n").encode("utf-8")


def _renumbered(text: str) -> str:
    """Clip paths numbered from 0: Vega counts on through all charts that a process draws."""
    numbers: dict[str, int] = {}
    return re.sub(
        r'(?<=id="clip)\d+(?=")|(?<=url\(#clip)\d+(?=\))',
        lambda match: str(numbers.setdefault(match[0], len(numbers))),
        text,
    )


@cache
def bundle() -> str:
    """The JavaScript that draws charts: Vega, Vega-Lite and vega-embed, as vl-convert brings them (about 0.9 MB)."""
    import vl_convert

    code = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    # Nothing in it may end its element, and a browser reads CR LF as LF: the hash in the policy is of what is read.
    return code.replace("</script", "<\\/script").replace("\r\n", "\n")
