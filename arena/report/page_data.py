"""What the templates of ``report.html`` are given: sentences, tables, and a section for each bot."""

from __future__ import annotations

import json
from typing import Any

from arena.bot.faults import Fault
from arena.report import page_tables as tables
from arena.report.charts_grids import SPLITS
from arena.report.page_skill import bot_table, losses_table, skill_table, stakes_table
from arena.report.replay_html import replay_section
from arena.report.results import Results, unit_of
from arena.report.section_answers import basis_sentence
from arena.report.text import flat_keys, number, plural, rank_range, times


def page_data(results: Results) -> dict[str, Any]:
    """Name → value for the templates."""
    unit, _ = unit_of(results)
    return {
        "results": results,
        "unit": unit,
        "confidence": f"{100 * results['tournament']['confidence']:g} %",
        "played": played(results),
        "cautions": cautions(results),
        "standings": tables.standings_table(results),
        "pairs_saved": "" if results["pairs_saved"] is None else times(results["pairs_saved"]),
        "pairs": tables.pairs_tables(results) if results["pairs"] else None,
        "neighbours": tables.neighbours_table(results) if results["pairs"] else None,
        "stakes": stakes_table(results),
        "skill": skill_table(results),
        "losses": [(split, losses_table(results, split)) for split in SPLITS],
        "settling": tables.settling_table(results),
        "looks": tables.looks_table(results),
        "games": tables.games_table(results),
        "seats": tables.seats_table(results),
        "answers_basis": basis_sentence(results["table"]["bank"], results["is_sequence"]),
        "replay": replay_section(results["telling"], results["name"]),
        "anchors": tables.anchors(results),
        "bots": [_bot(results, place) for place in range(len(results["bots"]))],
        "keys": flat_keys(results["table"]),
    }


def played(results: Results) -> str:
    """What was played, in sentences."""
    told, plan = results["played"], results["tournament"]
    seats = plan["seats"]
    who = {
        "round_robin": f"every lineup of {seats} met",
        "balanced": f"{plural(told['lineups'], 'lineup')} of {seats}, chosen to let pairs meet evenly, met",
        "gauntlet": f"lineups of {seats} of one bot each against a fixed field met",
    }[plan["schedule"]]
    return (
        f"{plural(len(results['bots']), 'bot')} played In-Between: {who} in every rotation of its seats on the same "
        f"{plural(told['deals'], 'deal')}. That makes {plural(told['games'], 'game')} and "
        f"{plural(told['turns'], 'turn')}, all from the seed {results['seed']}."
    )


def cautions(results: Results) -> list[str]:
    """What must be known before the standings are believed."""
    told, out = results["played"], []
    if told["deals"] == 1:
        out.append("One deal was played: there is no interval, and nothing is separated.")
    elif results["is_approximate"]:
        out.append(
            f"Approximate: with {plural(told['deals'], 'deal')} and {plural(len(results['bots']), 'bot')} the intervals "
            "may hold somewhat less often than stated."
        )
    if told["dropped_deals"]:
        out.append(
            f"{plural(told['dropped_deals'], 'deal')} not played by every lineup: left out of every figure."
        )
    if not results["is_ranked"]:
        out.append("These bots are not ranked: they did not all meet the same field.")
    agreement = results["agreement"]
    if agreement is not None and agreement["agrees"] is False:
        out.append("Raw and adjusted chips disagree: go by raw chips, and please report it.")
    late = sum(bot["faults"].get(Fault.LATE.label, 0) for bot in results["bots"])
    if late:
        out.append(f"{plural(late, 'decision')} came too late: another run may end otherwise.")
    if results["is_sequence"]:
        out.append(
            "The run looked repeatedly whether to stop. What ranks holds at every look; all other intervals are not "
            "corrected for stopping."
        )
    return out


def _bot(results: Results, place: int) -> dict[str, Any]:
    """What a bot's own section shows."""
    bot = results["bots"][place]
    ahead, behind, open_ = tables.ahead_of(results, place)
    return {
        "bot": bot,
        "facts": _facts(results, place),
        "ahead": ahead,
        "behind": behind,
        "open": open_,
        "table": bot_table(bot),
        "worst": _worst(bot),
        "faults": _faults(bot),
        "params": ", ".join(f"{key}={json.dumps(value)}" for key, value in bot["params"].items()),
    }


def _facts(results: Results, place: int) -> list[tuple[str, str, str]]:
    """Name, definition and value of the figures that head a bot's section."""
    bot = results["bots"][place]
    out = []
    if bot["rank"] is not None:
        ranks = rank_range(bot["rank_low"], bot["rank_high"])
        out.append(("Rank", "range", f"{bot['rank']} (range {ranks})"))
    if bot["adjusted"] is not None:
        out.append(("Luck-adjusted chips", "adjusted", tables.measure(bot, "adjusted")))
    out.append(("Raw chips", "chips", tables.measure(bot, "chips")))
    out.append(("Games won, %", "won", tables.measure(bot, "wins")))
    if bot["skill"] is not None and bot["skill"]["total"]["error_rate"] is not None:
        out.append(("Error rate", "error-rate", number(bot["skill"]["total"]["error_rate"], 1)))
    if bot["games_saved"] is not None:
        out.append(("Games saved", "games-saved", times(bot["games_saved"])))
    out.append(("Largest loss", "largest-loss", f"{bot['largest_loss']:,}"))
    return out


def _worst(bot: tables.Bot) -> str:
    """Where the largest parts of a bot's loss are, in a sentence; empty where it lost nothing."""
    skill = bot["skill"]
    if skill is None or not skill["total"]["lost_chips"]:
        return ""
    total = skill["total"]["lost_chips"]
    parts = []
    for words, key in (("gap", "by_gap"), ("pots of", "by_pot"), ("rounds left", "by_rounds_left")):
        if not skill[key]:  # a table without a pot has no split by pots
            continue
        row = max(skill[key], key=lambda row: float(row["lost_chips"]))
        at = row["label"] if row["label"] == "pair" else f"{words} {row['label']}"
        parts.append(f"{at} ({number(100 * row['lost_chips'] / total, 0)} %)")
    return f"The largest parts: {', '.join(parts)}."


def _faults(bot: tables.Bot) -> list[dict[str, Any]]:
    """Kind, count and the first of each fault."""
    return [
        {"kind": kind, "count": count, "first": bot["first_faults"].get(kind)}
        for kind, count in bot["faults"].items()
    ]
