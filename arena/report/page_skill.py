"""Tables of skill in ``report.html``: stakes by gap, where chips are lost, one bot's figures."""

from __future__ import annotations

from typing import Any

from arena.analysis.skill import GAPS
from arena.report.charts_grids import SPLITS, graded, lost_a_game
from arena.report.page_tables import Bot, Head, Line, Table, line
from arena.report.results import Results
from arena.report.text import column, number, share


def stakes_table(results: Results) -> Table | None:
    """Mean stake / best stake of each bot by gap, in hundredths; None where no bet was graded."""
    curves = {
        place: {point["gap"]: point for point in bot["skill"]["curve"]} for place, bot in graded(results)
    }
    if not curves:
        return None
    gaps = [gap for gap in GAPS if any(gap in curve for curve in curves.values())]
    lines = [line(place, [_point(curve.get(gap)) for gap in gaps]) for place, curve in curves.items()]
    heads = [Head("Bot"), *(Head(gap, "stake") for gap in gaps)]
    return Table("Mean stake / best stake by gap, % of the greatest bet", heads, lines)


def _point(point: dict[str, Any] | None) -> str:
    if point is None:
        return "–"
    return f"{number(100 * point['stake'], 0)}/{number(100 * point['best_stake'], 0)}"


def skill_table(results: Results) -> Table | None:
    """What every bot lost against exact play, in all; None where no bet was graded."""
    bots = graded(results)
    if not bots:
        return None
    totals = [bot["skill"]["total"] for _, bot in bots]
    a_game = [total["lost_chips"] / bot["games"] for total, (_, bot) in zip(totals, bots, strict=True)]
    columns = [
        column(a_game),
        column([total["lost_per_decision_chips"] for total in totals], 5),
        column([total["fresh_lost_per_decision_chips"] for total in totals], 5),
        column([total["error_rate"] for total in totals], 5),
        [_share(total["agreement"]) for total in totals],
        [f"{total['decisions']:,}" for total in totals],
        column(
            [None if (lost := bot["skill"]["win_lost_per_turn"]) is None else 100 * lost for _, bot in bots]
        ),
    ]
    heads = [Head("Bot"), Head("Lost a game", "lost"), Head("Lost a decision", "lost"),
             Head("Lost (fresh)", "fresh"), Head("Error rate", "error-rate"), Head("Agreement, %", "agreement"),
             Head("Decisions", "decision"), Head("Last turns: lost, %", "last-turns")]  # fmt: skip
    lines = [line(place, texts) for (place, _), texts in zip(bots, zip(*columns, strict=True), strict=True)]
    return Table("Skill against exact play", heads, lines)


def _share(value: float | None) -> str:
    return "–" if value is None else share(value)


def losses_table(results: Results, split: str) -> Table | None:
    """Chips a game that each bot lost, by gap, pot or rounds left."""
    lost = {place: lost_a_game(bot, split) for place, bot in graded(results)}
    columns = [at for at in SPLITS[split][1] if any(at in found for found in lost.values())]
    if not columns:
        return None
    lines: list[Line] = []
    for place, found in lost.items():
        texts = [f"{found[at]:.3f}" if at in found else "–" for at in columns]
        lines.append(line(place, texts))
    title = split.replace("_", " ")
    return Table(
        f"Chips lost a game, by {title}", [Head("Bot"), *(Head(text, "lost") for text in columns)], lines
    )


def bot_table(bot: Bot) -> Table | None:
    """One bot by gap: decisions, stakes, losses; None where no bet was graded."""
    skill = bot["skill"]
    if skill is None or not skill["total"]["decisions"]:
        return None
    lost = {row["label"]: row for row in skill["by_gap"]}
    lines = []
    for point in skill["curve"]:
        row = lost[point["gap"]]
        texts = [
            f"{row['decisions']:,}",
            number(100 * point["stake"], 1),
            number(100 * point["best_stake"], 1),
        ]
        texts += [f"{row['lost_chips'] / bot['games']:.3f}", _share(row["agreement"])]
        lines.append(line(None, texts, point["gap"]))
    heads = [Head("Gap", "gap"), Head("Decisions", "decision"), Head("Stake, %", "stake"),
             Head("Best stake, %", "stake"), Head("Lost a game", "lost"), Head("Agreement, %", "agreement")]  # fmt: skip
    return Table(f"{bot['name']} by gap", heads, lines)
