"""Charts of one bot: its stakes by gap beside the exact best, and where it loses chips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.analysis.skill import GAPS
from arena.report.charts_grids import lost_a_game
from arena.report.vega import Chart, Spec, chart

_HEIGHT = 170
_WHO = {"domain": ["best", "this bot"], "range": ["var(--best)", "var(--chosen)"]}


def bot_charts(place: int, bot: Mapping[str, Any]) -> list[Chart]:
    """Both charts of a bot; none where no bet of it was graded."""
    if bot["skill"] is None or not bot["skill"]["total"]["decisions"]:
        return []
    return [_stakes(place, bot), _losses(place, bot)]


def _gap_axis(gaps: list[str]) -> Spec:
    axis = {"title": "gap", "labelAngle": 0, "labelOverlap": True, "ticks": False}
    return {"field": "gap", "type": "nominal", "sort": gaps, "scale": {"domain": gaps}, "axis": axis}


def _stakes(place: int, bot: Mapping[str, Any]) -> Chart:
    rows = []
    for point in bot["skill"]["curve"]:
        both = (("this bot", point["stake"]), ("best", point["best_stake"]))
        rows += [{"gap": point["gap"], "who": who, "stake": round(100 * stake, 2)} for who, stake in both]
    gaps = [gap for gap in GAPS if any(row["gap"] == gap for row in rows)]
    y = {
        "field": "stake",
        "type": "quantitative",
        "title": "stake, % of greatest",
        "scale": {"domain": [0, 100]},
    }
    legend = {"title": None, "orient": "top"}
    spec: Spec = {
        "encoding": {
            "x": _gap_axis(gaps),
            "y": y,
            "color": {"field": "who", "type": "nominal", "scale": _WHO, "legend": legend},
        },
        "layer": [
            {"transform": [{"filter": "datum.who === 'best'"}],
             "mark": {"type": "line", "strokeWidth": 2, "strokeDash": [5, 4]}},
            {"transform": [{"filter": "datum.who !== 'best'"}], "mark": {"type": "line", "strokeWidth": 2}},
            {"mark": {"type": "point", "filled": True, "size": 45, "opacity": 1},
             "encoding": {"tooltip": [{"field": name, "type": "nominal"} for name in ("gap", "who", "stake")]}},
        ],
    }  # fmt: skip
    alt = f"Mean stake of {bot['name']} by gap, beside that of the exact best bet in the same places."
    return chart(f"bot_stakes_{place}", alt, rows, spec, _HEIGHT)


def _losses(place: int, bot: Mapping[str, Any]) -> Chart:
    lost = lost_a_game(bot, "gap")
    gaps = [gap for gap in GAPS if gap in lost]
    rows = [{"gap": gap, "lost": float(f"{lost[gap]:.4g}")} for gap in gaps]
    y = {"field": "lost", "type": "quantitative", "title": "chips lost a game"}
    tips = [
        {"field": "gap", "type": "nominal"},
        {"field": "lost", "type": "quantitative", "title": "chips lost a game"},
    ]
    spec: Spec = {
        "mark": {"type": "bar", "color": "var(--mark)"},
        "encoding": {"x": _gap_axis(gaps), "y": y, "tooltip": tips},
    }
    alt = f"Chips a game that {bot['name']} lost against exact play, by gap."
    return chart(f"bot_losses_{place}", alt, rows, spec, _HEIGHT)
