"""Skill in ``report.md``: what decisions lost against exact play, and where; what a bot's author reads first."""

from __future__ import annotations

from collections.abc import Sequence

from arena.analysis.skill import GAPS, SkillReport, SkillRow, StakePoint
from arena.report.text import column, markdown, number, plural, share, table
from arena.tournament.standings import Standings

FEW = 30  # decisions, below which a point of the stake curve is set in italics
_WORST = {"gap": 3, "pot": 2, "rounds left": 2}  # how many of each are named
_WORTH_NAMING = 0.01  # of all that a bot lost

Graded = Sequence[tuple[str, int, SkillReport]]  # name in Markdown, games, skill


def skill_sections(standings: Standings) -> list[str]:
    """All that is said of skill; nothing where no bet was graded."""
    graded = [(markdown(bot.name), bot.games, bot.skill) for bot in standings.bots if bot.skill is not None]
    if not graded:
        return []
    asked = [found for found in graded if found[2].total.decisions]
    if not asked:
        return ["## Skill", "No bot was asked for a bet."]
    idle = [name for name, _, skill in graded if not skill.total.decisions]
    never = [f"Never asked for a bet: {', '.join(idle)}."] if idle else []
    return [*_skill(asked), *never, *_where(asked), *_curve(asked), *_last_turns(asked)]


def _skill(asked: Graded) -> list[str]:
    rows = [skill.total for _, _, skill in asked]
    columns = [
        [f"{row.decisions:,}" for row in rows],
        column([row.lost_per_decision_chips for row in rows], 5),
        column([row.fresh_lost_per_decision_chips for row in rows], 5),
        column([row.error_rate for row in rows], 5),
        column([row.fresh_error_rate for row in rows], 5),
        [_share(row.agreement) for row in rows],
        [_share(row.fresh_agreement) for row in rows],
    ]
    header = ["Bot", "Decisions"]
    header += [head for name in ("Lost", "Error rate", "Agreement, %") for head in (name, f"{name} (fresh)")]
    names = [name for name, _, _ in asked]
    text = (
        "Every bet beside the best legal one, by exact expectation over the cards unseen at that moment: no luck is "
        "in these figures, and they have no intervals because they count what was done. *Lost*: chips given away "
        "per decision. *Error rate*: 1000 × loss / greatest bet, per decision that had a choice. *Agreement*: how "
        "many of those were on the right side of betting or not. *Fresh*: the same judged by the odds of full packs "
        "less the two posts, as one sees it who does not count. Chips lost by those odds too are lost by sizing; "
        "chips lost by the exact ones alone, by not counting; a counter loses by fresh odds alone."
    )
    if any(row.label == "wager" for _, _, skill in asked for row in skill.by_gap):
        text += " A bet is a raise here, and the wager before the posts is a decision of its own, among gaps as *wager*."
    return ["## Skill", text, table(header, "l" + "r" * 7, list(zip(names, *columns, strict=True)))]


def _share(value: float | None) -> str:
    return "–" if value is None else share(value)


def _where(asked: Graded) -> list[str]:
    lost = column([skill.total.lost_chips / max(games, 1) for _, games, skill in asked])
    lines = [
        [name, a_game, *(_worst(rows, skill.total.lost_chips, n) for rows, n in _splits(skill))]
        for (name, _, skill), a_game in zip(asked, lost, strict=True)
    ]
    return [
        "### Where chips are lost",
        "Chips lost a game, and the few gaps, pots and rounds left where most of them went, with their share of "
        "the loss. `results.json` has every split.",
        table(["Bot", "Lost a game", "At gaps", "At pots", "With rounds left"], "lrlll", lines),
    ]


def _splits(skill: SkillReport) -> list[tuple[tuple[SkillRow, ...], int]]:
    return list(zip((skill.by_gap, skill.by_pot, skill.by_rounds_left), _WORST.values(), strict=True))


def _worst(rows: Sequence[SkillRow], total: float, most: int) -> str:
    """The labels where most of ``total`` was lost: ``7 (34 %), 6 (21 %)``; equal losses in the order of rows."""
    worst = sorted(rows, key=lambda row: -row.lost_chips)[:most]
    named = [row for row in worst if row.lost_chips > 0 and row.lost_chips >= _WORTH_NAMING * total]
    return ", ".join(f"{row.label} ({number(100 * row.lost_chips / total, 0)} %)" for row in named) or "–"


def _curve(asked: Graded) -> list[str]:
    curves = [{point.gap: point for point in skill.curve} for _, _, skill in asked]
    gaps = [gap for gap in GAPS if any(gap in curve for curve in curves)]
    lines = [
        [name, *(_point(curve.get(gap)) for gap in gaps)]
        for (name, _, _), curve in zip(asked, curves, strict=True)
    ]
    counts = [sum(curve[gap].decisions for curve in curves if gap in curve) for gap in gaps]
    lines.append(["*Decisions of all*", *(f"{n:,}" for n in counts)])
    return [
        "### Stakes by gap",
        "Mean stake in hundredths of the greatest bet / that of the best bet in the same places, by gap: `62/80` bet "
        f"62 % where 80 % was best. *Italics*: fewer than {FEW} decisions.",
        table(["Bot", *gaps], "l" + "r" * len(gaps), lines),
    ]


def _point(point: StakePoint | None) -> str:
    if point is None:
        return "–"
    text = f"{number(100 * point.stake, 0)}/{number(100 * point.best_stake, 0)}"
    return f"*{text}*" if point.decisions < FEW else text


def _last_turns(asked: Graded) -> list[str]:
    if not any(skill.last_turns for _, _, skill in asked):
        return [
            "### Last turns",
            "No turn was the last whatever card came: none is graded by chances of winning.",
        ]
    lost = column(
        [None if skill.win_lost_per_turn is None else 100 * skill.win_lost_per_turn for _, _, skill in asked]
    )
    lines = [
        [name, f"{skill.last_turns:,}", f"{skill.last_turns_unforced:,}", text]
        for (name, _, skill), text in zip(asked, lost, strict=True)
    ]
    turns = sum(skill.last_turns for _, _, skill in asked)
    return [
        "### Last turns",
        "Winning the game is not winning chips: late and behind, a bad bet can be right. So a turn after which the "
        "game ends whatever card comes is graded once more, by the exact chance of winning. *Lost*: percentage "
        "points of that chance given away on a turn where the bet made a difference. Only the last seat has such "
        f"turns, {plural(turns, 'turn')} in all.",
        table(["Bot", "Last turns", "With a choice", "Lost"], "lrrr", lines),
    ]
