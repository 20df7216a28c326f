"""Charts that are grids of coloured cells: head-to-head, stakes by gap, and where chips are lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.analysis.skill import GAPS, POTS, ROUNDS_LEFT
from arena.report.results import Results, label, unit_of
from arena.report.text import number, plural
from arena.report.vega import Chart, Spec, bot_axis, chart, chosen_label, lines_high

Row = dict[str, Any]
SPLITS = {"gap": ("by_gap", GAPS), "pot": ("by_pot", POTS), "rounds_left": ("by_rounds_left", ROUNDS_LEFT)}
_STAKE_STEPS = (
    0.05,
    0.15,
    0.35,
)  # of the greatest bet: beyond these a stake is off a little, much, very much
_LOSS_STEPS = (0.01, 0.1, 1.0)  # antes a game; least bets where nobody antes
_SHORT_LABEL = "replace(replace(replace(datum.label, ' antes', ''), ' and more', '+'), 'under ', '< ')"
_CELL = 38  # pixels from which on a number fits into a cell


def graded(results: Results) -> list[tuple[int, Mapping[str, Any]]]:
    """The bots whose bets were graded, by place."""
    return [
        (place, bot)
        for place, bot in enumerate(results["bots"])
        if bot["skill"] is not None and bot["skill"]["total"]["decisions"]
    ]


def head_to_head_chart(results: Results) -> Chart | None:
    """A cell for each pair: blue where the line's bot is ahead of the column's, orange where behind; None without pairs."""
    if not results["pairs"]:
        return None
    unit, scale = unit_of(results)
    sure = sorted(abs(pair["difference"]) * scale for pair in results["pairs"] if pair["separated"])
    cuts = [_round(sure[len(sure) * k // 3]) for k in (1, 2)] if sure else []
    rows: list[Row] = []
    for pair in results["pairs"]:
        for (i, j), sign in ((pair["bots"], 1), (pair["bots"][::-1], -1)):
            value = sign * pair["difference"] * scale
            level = (1 + sum(abs(value) >= cut for cut in cuts)) if pair["separated"] else 0
            row = {"bot": i, "label": label(i, results["bots"][i]), "other": f"#{j + 1}", "at": j}
            row |= {
                "level": sign * level if value else 0,
                "text": number(value, 0 if abs(value) >= 10 else 1),
            }
            rows.append(row | {"versus": label(j, results["bots"][j]), "value": value})
    rows.sort(key=lambda row: (row["bot"], row["at"]))
    words = _levels(cuts)
    bots = 1 + max(row["bot"] for row in rows)
    spec = _grid("other", [f"#{n + 1}" for n in range(bots)], words, unit, None)
    tips = [("label", "bot"), ("versus", "against"), ("text", "ahead by")]
    _tooltip(spec, tips)
    spec["layer"][1]["transform"] = [{"filter": "datum.bot === chosen || datum.at === chosen"}]
    spec["encoding"]["x"]["axis"] |= chosen_label("datum.value === '#' + (chosen + 1)")
    lead = sum(pair["separated"] for pair in results["pairs"])
    alt = (
        f"Differences in {unit} of all pairs of {plural(bots, 'bot')}, bots in the order of the standings: "
        f"{lead} of {plural(len(results['pairs']), 'pair')} separated."
    )
    return chart("head_to_head", alt, rows, spec, lines_high(rows))


def _round(value: float) -> float:
    """Two digits are enough for the end of a class."""
    return float(f"{value:.2g}")


def _end(value: float) -> str:
    """The end of a class as it is read: ``0.12``, ``10``, ``1,200,000``."""
    return f"{value:,.10g}"


def _levels(cuts: Sequence[float]) -> dict[int, str]:
    """Class → what it says."""
    if not cuts:
        return {0: "not separated"}
    one, two = map(_end, cuts)
    words = {1: f"up to {one}", 2: f"{one} to {two}", 3: f"{two} and more"}
    if one == two:
        words = {3: f"{two} and more", 1: f"up to {one}"}
    behind = {-level: f"behind {text}" for level, text in words.items()}
    ahead = {level: f"ahead {text}" for level, text in words.items()}
    return dict(sorted((behind | {0: "not separated"} | ahead).items()))


def stakes_chart(results: Results) -> Chart | None:
    """A cell for each bot and gap: its mean stake, coloured by how far that is from the exact best; None without bets."""
    rows: list[Row] = []
    for place, bot in graded(results):
        for point in bot["skill"]["curve"]:
            off = point["stake"] - point["best_stake"]
            level = sum(abs(off) >= step for step in _STAKE_STEPS) * (1 if off > 0 else -1)
            row = {"bot": place, "label": label(place, bot), "gap": point["gap"], "level": level}
            row |= {"text": number(100 * point["stake"], 0), "best": number(100 * point["best_stake"], 0)}
            rows.append(row | {"decisions": point["decisions"]})
    if not rows:
        return None
    gaps = [gap for gap in GAPS if any(row["gap"] == gap for row in rows)]
    levels = {-3: "far too little", -2: "too little", -1: "a little less", 0: "as the best", 1: "a little more",
              2: "too much", 3: "far too much"}  # fmt: skip
    spec = _grid("gap", gaps, levels, "stake beside the best", "gap")
    tips = [("label", "bot"), ("gap", "gap"), ("text", "stake, %"), ("best", "best stake, %")]
    _tooltip(spec, [*tips, ("decisions", "decisions")])
    alt = (
        "Mean stake of each bot by gap in hundredths of the greatest bet; colours say whether the exact best bet in the "
        "same places was more or less."
    )
    return chart("stakes", alt, rows, spec, lines_high(rows))


def losses_charts(results: Results) -> list[Chart]:
    """Three grids, by gap, pot and rounds left: chips a game that each bot lost there against exact play."""
    return [made for split in SPLITS if (made := _losses_chart(results, split)) is not None]


def lost_a_game(bot: Mapping[str, Any], split: str) -> dict[str, float]:
    """Label → chips a game lost there."""
    key, _ = SPLITS[split]
    return {row["label"]: row["lost_chips"] / bot["games"] for row in bot["skill"][key]}


def _losses_chart(results: Results, split: str) -> Chart | None:
    lost = {place: lost_a_game(bot, split) for place, bot in graded(results)}
    columns = [at for at in SPLITS[split][1] if any(at in found for found in lost.values())]
    if not columns:
        return None
    cuts = [_unit(results["table"]) * part for part in _LOSS_STEPS]
    rows = []
    for place, found in lost.items():
        for at, value in found.items():
            level = -sum(value >= cut for cut in cuts)
            row: Row = {"bot": place, "label": label(place, results["bots"][place]), split: at}
            rows.append(row | {"level": level, "text": _short(value), "lost": value})
    ends = [_end(cut) for cut in cuts]
    levels = {-3: f"{ends[2]} and more", -2: f"{ends[1]} to {ends[2]}", -1: f"{ends[0]} to {ends[1]}",
              0: f"under {ends[0]}"}  # fmt: skip
    title = split.replace("_", " ")
    spec = _grid(split, columns, levels, "chips lost a game", "pot, in antes" if split == "pot" else title)
    spec["encoding"]["x"]["axis"]["labelExpr"] = _SHORT_LABEL
    _tooltip(spec, [("label", "bot"), (split, title), ("text", "chips lost a game")])
    alt = f"Chips a game that each bot lost against exact play, by {title}."
    return chart(f"losses_{split}", alt, rows, spec, lines_high(rows))


def _unit(table: Mapping[str, Any]) -> int:
    """What chips at a table are measured by: the ante, or where there is no pot the least bet."""
    chips: int = table["ante"]["amount"] if table["bank"] == "pot" else table["bet"]["min"]
    return chips


def _short(value: float) -> str:
    return number(value, 0 if value >= 9.95 else 1 if value >= 0.995 else 2) if value >= 0.005 else "0"


def _grid(
    column: str, columns: Sequence[str], levels: Mapping[int, str], legend: str, title: str | None
) -> Spec:
    """Cells of bots by columns; colours by ``level``, from -3 to 3, each with a word in the legend."""
    domain = list(levels.values())
    colours = {-3: "down3", -2: "down2", -1: "down1", 0: "quiet", 1: "up1", 2: "up2", 3: "up3"}
    scale = {"domain": domain, "range": [f"var(--{colours[level]})" for level in levels]}
    words = {str(level): word for level, word in levels.items()}
    fits = f"width / {max(len(columns), 1)} >= {_CELL} ? 1 : 0"
    narrow = 2 if max(map(len, domain)) < 13 else 1
    legend_at = {"title": legend, "orient": "bottom", "columns": {"expr": f"width > 420 ? 4 : {narrow}"},
                 "symbolType": "square"}  # fmt: skip
    return {
        "transform": [{"calculate": f"({_object(words)})[toString(datum.level)]", "as": "class"}],
        "encoding": {
            "y": bot_axis(),
            "x": {"field": column, "type": "nominal", "sort": list(columns),
                  "axis": {"title": title, "orient": "top", "domain": False, "ticks": False, "labelAngle": 0,
                           "labelOverlap": True, "labelLimit": 80},
                  "scale": {"domain": list(columns)}},
        },
        "layer": [
            {"mark": {"type": "rect", "strokeWidth": 1, "stroke": "var(--paper)"},
             "encoding": {"color": {"field": "class", "type": "nominal", "scale": scale, "legend": legend_at}}},
            {"transform": [{"filter": "datum.bot === chosen"}],  # after all cells, so that none covers a frame
             "mark": {"type": "rect", "filled": False, "strokeWidth": 2, "color": "var(--chosen)"}},
            {"mark": {"type": "text", "fontSize": 11, "opacity": {"expr": fits}, "color": "var(--cell)"},
             "encoding": {"text": {"field": "text"}}},
        ],
    }  # fmt: skip


def _object(words: Mapping[str, str]) -> str:
    """A literal of Vega's expressions; the words are this module's own."""
    return "{" + ", ".join(f"'{key}': '{word}'" for key, word in words.items()) + "}"


def _tooltip(spec: Spec, fields: Sequence[tuple[str, str]]) -> None:
    spec["layer"][0]["encoding"]["tooltip"] = [
        {"field": field, "type": "nominal", "title": title} for field, title in fields
    ]
