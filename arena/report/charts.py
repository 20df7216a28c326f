"""Charts of all bots along an axis: standings with their intervals, settling over deals, seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arena.report.results import Results, interval, label, ranked_by, unit_of
from arena.report.text import number, plural, rank_range
from arena.report.vega import Chart, Spec, bot_axis, chart, chosen, lines_high

_COLOUR = chosen("var(--chosen)", "var(--mark)")
_LINES = 300  # the height of the chart of lines, in pixels
_APART = 14  # pixels between two names beside lines
_MOST_NAMED = 20


def window(ends: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """From where to where an axis shows intervals, so that a few far away do not squeeze all others.

    What lies beyond 2.5 times the middle half's width from that half is left outside.

    >>> window([(1, 3), (2, 4), (3, 5), (-100, -90)]), window([(1, 2), (3, 4)])
    ((1, 5), (1, 4))
    """
    means = [(low + high) / 2 for low, high in ends]
    first, third = np.quantile(means, [0.25, 0.75])
    if len(ends) > 3:
        first = float(np.median(means)) if third == first else first
    far = 2.5 * (third - first)
    near = [end for end, mean in zip(ends, means, strict=True) if first - far <= mean <= third + far]
    kept = near or list(ends)
    return min(low for low, _ in kept), max(high for _, high in kept)


def standings_chart(results: Results) -> Chart:
    """A line for each bot: its mean and interval; what is far outside stands at the edge with its number."""
    unit, scale = unit_of(results)
    rows: list[dict[str, Any]] = []
    for place, bot in enumerate(results["bots"]):
        found = interval(ranked_by(bot, results["tournament"]["rank_by"]))
        if bot["games"] and found is not None:
            mean, half = found.mean * scale, (found.half_width or 0.0) * scale
            rows.append({"bot": place, "label": label(place, bot), "mean": mean})
            rows[-1] |= {"low": mean - half, "high": mean + half, "range": _range(bot)}
    low, high = window([(row["low"], row["high"]) for row in rows])
    edge = 0.04 * (high - low or 1.0)
    low, high = low - edge, high + edge
    for row in rows:
        row["side"] = "left" if row["mean"] < low else "right" if row["mean"] > high else "in"
        row["edge"] = min(max(row["mean"], low), high)
        row["text"] = number(row["mean"], 1, sign=True)
    spec: Spec = {
        "encoding": {"y": bot_axis(grid=True, gridColor="var(--quiet)")},
        "layer": _standings_layers(unit, [low, high]),
    }
    return chart("standings", _standings_alt(results, unit, scale), rows, spec, lines_high(rows))


def _standings_layers(unit: str, domain: list[float]) -> list[Spec]:
    axis = {"scale": {"domain": domain, "nice": False, "zero": False}, "title": unit}
    inside = [{"filter": "datum.side === 'in'"}]
    tips = [{"field": "label", "title": "bot"}, *_numbers(("mean", "low", "high"))]
    edge = {"mark": "text", "encoding": {"x": {"field": "edge", **axis}, "text": {"field": "text"}}}
    layers: list[Spec] = [
        {"mark": {"type": "rule", "color": "var(--muted)", "clip": True, "strokeDash": [2, 2]},
         "encoding": {"x": {"datum": 0, **axis}, "y": {"value": 0}, "y2": {"value": {"expr": "height"}}}},
        {"transform": inside, "mark": {"type": "rule", "strokeWidth": 3, "clip": True},
         "encoding": {"x": {"field": "low", "type": "quantitative", **axis}, "x2": {"field": "high"}, "color": _COLOUR}},
        {"transform": inside, "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
         "encoding": {"x": {"field": "mean", "type": "quantitative", **axis}, "color": _COLOUR, "tooltip": tips}},
    ]  # fmt: skip
    for side, mark, dx in (("left", "◀ ", 2), ("right", " ▶", -2)):
        layers.append(
            {
                "transform": [
                    {"filter": f"datum.side === '{side}'"},
                    {
                        "calculate": f"'{mark if side == 'left' else ''}' + datum.text + "
                        f"'{mark if side == 'right' else ''}'",
                        "as": "text",
                    },
                ],
                "mark": {"type": "text", "align": side, "dx": dx, "fontSize": 12},
                "encoding": {
                    **edge["encoding"],  # type: ignore[dict-item]
                    "x": {"field": "edge", "type": "quantitative", **axis},
                    "color": _COLOUR,
                    "tooltip": tips,
                },
            }
        )
    return layers


def _numbers(fields: Sequence[str]) -> list[Spec]:
    return [{"field": field, "type": "quantitative", "format": ",.4~g"} for field in fields]


def _range(bot: dict[str, Any]) -> str:
    return "" if bot["rank_low"] is None else rank_range(bot["rank_low"], bot["rank_high"])


def _standings_alt(results: Results, unit: str, scale: float) -> str:
    played = [bot for bot in results["bots"] if bot["games"]]
    rank_by = results["tournament"]["rank_by"]
    ends = [ranked_by(bot, rank_by) for bot in (played[0], played[-1])]
    first, last = (number(end["mean"] * scale, 1, sign=True) if end else "–" for end in ends)
    return (
        f"{unit.capitalize()} of {plural(len(played), 'bot')} with their intervals, from {played[0]['name']} "
        f"with {first} to {played[-1]['name']} with {last}."
    )


def settling_chart(results: Results) -> Chart:
    """A line for each bot: its mean over the first deals, the chosen bot's interval as a band."""
    unit, scale = unit_of(results)
    settling = results["settling"]
    rows: list[dict[str, Any]] = []
    last: list[tuple[float, float]] = []
    for place, (bot, found) in enumerate(zip(results["bots"], settling["bots"], strict=True)):
        if not bot["games"]:
            continue
        for deals, mean, half in zip(settling["deals"], found["means"], found["half_widths"], strict=True):
            row = {"bot": place, "label": label(place, bot), "deals": deals, "mean": mean * scale}
            rows.append(row | {"low": (mean - (half or 0)) * scale, "high": (mean + (half or 0)) * scale})
        means = [mean * scale for mean in found["means"][len(found["means"]) // 8 :]]
        last.append((min(means), max(means)))
    low, high = window(last)
    edge = 0.06 * (high - low or 1.0)
    domain = [low - edge, high + edge]
    _name_lines(rows, settling["deals"][-1], domain)
    y = {"type": "quantitative", "scale": {"domain": domain, "nice": False, "zero": False}, "title": unit}
    x = {
        "axis": {"grid": False, "tickMinStep": 1, "labelOverlap": "greedy"},
        "scale": {"domain": [settling["deals"][0], settling["deals"][-1]], "nice": False},
    }
    spec: Spec = {
        "encoding": {"x": {"field": "deals", "type": "quantitative", "title": "deals", **x}},
        "layer": _settling_layers(y),
        "padding": {"left": 4, "top": 8, "bottom": 4, "right": 4},
    }
    alt = (
        f"{unit.capitalize()} of each bot over the first deals, of {settling['deals'][-1]:,}: lines that have become "
        "level have settled."
    )
    return chart("settling", alt, rows, spec, _LINES)


def _settling_layers(y: Spec) -> list[Spec]:
    of_chosen = [{"filter": "datum.bot === chosen"}]
    line = {"y": {"field": "mean", **y}, "detail": {"field": "bot"}}
    name = {"y": {"field": "name_y", **y}, "text": {"field": "label"}}
    return [
        {"transform": of_chosen, "mark": {"type": "area", "clip": True, "color": "var(--chosen)", "opacity": 0.2},
         "encoding": {"y": {"field": "low", **y}, "y2": {"field": "high"}}},
        {"mark": {"type": "line", "clip": True, "color": "var(--pale)", "strokeWidth": 1.5}, "encoding": line},
        {"transform": of_chosen, "mark": {"type": "line", "clip": True, "color": "var(--chosen)", "strokeWidth": 3},
         "encoding": line},
        {"transform": [{"filter": "isValid(datum.name_y)"}],
         "mark": {"type": "text", "align": "left", "dx": 6, "fontSize": 11, "limit": 110},
         "encoding": name | {"color": chosen("var(--chosen)", "var(--ink)")}},
    ]  # fmt: skip


def _name_lines(rows: list[dict[str, Any]], deals: int, domain: list[float]) -> None:
    """Give the last point of each line a place for its name, ``name_y``, so that no two names overlap."""
    low, high = domain
    ends = [row for row in rows if row["deals"] == deals and low <= row["mean"] <= high]
    if len(ends) > _MOST_NAMED:
        return
    apart = _APART * (high - low) / _LINES
    ends.sort(key=lambda row: -row["mean"])
    at = high + apart / 2
    for row in ends:
        at = row["name_y"] = min(row["mean"], at - apart)
    at = low - apart / 2
    for row in reversed(ends):  # those pushed out below go up again
        at = row["name_y"] = max(row["name_y"], at + apart)


def seats_chart(results: Results) -> Chart | None:
    """The mean of each seat with its interval; None where there are too few deals."""
    seats = results["seat_effect"]["seats"]
    if seats is None:
        return None
    rows = []
    for seat, found in enumerate(map(interval, seats)):
        if found is not None:
            half = found.half_width or 0.0
            row = {"label": f"seat {seat}", "mean": found.mean, "low": found.mean - half}
            rows.append(row | {"high": found.mean + half})
    x = {"type": "quantitative", "title": "chips a game"}
    mark = "var(--mark)"
    spec: Spec = {
        "encoding": {"y": bot_axis(grid=True, gridColor="var(--quiet)")},
        "layer": [
            {"mark": {"type": "rule", "color": "var(--muted)", "strokeDash": [2, 2]},
             "encoding": {"x": {"datum": 0, "type": "quantitative"}, "y": {"value": 0},
                          "y2": {"value": {"expr": "height"}}}},
            {"mark": {"type": "rule", "strokeWidth": 3, "color": mark},
             "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}}},
            {"mark": {"type": "point", "filled": True, "size": 70, "color": mark, "opacity": 1},
             "encoding": {"x": {"field": "mean", **x}, "tooltip": _numbers(("mean", "low", "high"))}},
        ],
    }  # fmt: skip
    alt = f"Chips a game by seat, with intervals, for {plural(len(rows), 'seat')}."
    return chart("seats", alt, rows, spec, 28 * len(rows))
