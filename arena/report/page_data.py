"""What the templates of ``report.html`` are given: sentences, tables, and a section for each bot."""

from __future__ import annotations

import json
from typing import Any

from arena.report import page_tables as tables
from arena.report import sentences
from arena.report.charts_grids import SPLITS
from arena.report.page_skill import bot_table, losses_table, skill_table, stakes_table
from arena.report.replay_html import replay_section
from arena.report.results import Results, unit_of
from arena.report.section_answers import basis_sentence
from arena.report.section_other import other_sentence
from arena.report.sentences import Told
from arena.report.text import flat_keys, number, rank_range, times

DEFINED = {
    "stakes": ("kelly", "Kelly's share"),
    "counting": ("counting", "Counting"),
    "leader": ("last-turns", "A last turn"),
}  # key of an answer → the definition it needs, and its words


def page_data(results: Results) -> dict[str, Any]:
    """Name → value for the templates."""
    unit, _ = unit_of(results)
    places = {bot["name"]: place for place, bot in enumerate(results["bots"])}
    return {
        "results": results,
        "unit": unit,
        "confidence": f"{100 * results['tournament']['confidence']:g} %",
        "played": sentences.played(results),
        "cautions": _cautions(results),
        "agreement": None if (told := sentences.agreement(results)) is None or told.lead else told.rest,
        "luck_words": sentences.luck_words(results),
        "has_luck": sentences.has_luck(results),
        "is_third_alone": sentences.is_third_alone(results),
        "meetings": sentences.meetings(results),
        "standings": tables.standings_table(results),
        "saved": None
        if results["pairs_saved"] is None
        else sentences.saved(results["pairs_saved"], results["played"]["deals"]),
        "pairs": tables.pairs_tables(results) if results["pairs"] else None,
        "neighbours": tables.neighbours_table(results) if results["pairs"] else None,
        "stakes": stakes_table(results),
        "skill": skill_table(results),
        "losses": [(split, losses_table(results, split)) for split in SPLITS],
        "settling": tables.settling_table(results),
        "other": tables.other_table(results),
        "other_says": other_says(results),
        "stopping": _stopping(results),
        "games": tables.games_table(results),
        "seats": tables.seats_table(results),
        "defined": DEFINED,
        "asked": {DEFINED[answer["key"]][0] for answer in results["answers"] if answer["key"] in DEFINED},
        "answers_basis": basis_sentence(results["table"]["bank"], results["is_sequence"]),
        "replay": replay_section(results["telling"], results["name"], places),
        **_told(results, places),
        "anchors": tables.anchors(results),
        "bots": [_bot(results, place) for place in range(len(results["bots"]))],
        "keys": flat_keys(results["table"]),
    }


def other_says(results: Results) -> str:
    """Who is first by the other goal, in a sentence."""
    found, plan = results["other_ranking"], results["tournament"]
    if found is None:
        return "Winning games and winning chips are different goals."
    names = [bot["name"] for bot in results["bots"]]
    return other_sentence(found, names, plan["rank_by"], plan["confidence"], results["is_sequence"])


def _cautions(results: Results) -> list[Told]:
    """What must be known before the standings are believed, and that intervals hold at every look."""
    out = sentences.cautions(results)
    if late := sentences.time_faults(results).replace("`", ""):
        out.append(Told("", late))
    if results["is_sequence"]:
        out.append(Told("", sentences.sequence_sentence(results)))
    told = sentences.agreement(results)
    if told is not None and told.lead:
        out.append(told)
    return out


def _told(results: Results, places: dict[str, int]) -> dict[str, Any]:
    """Which of the games told again is the largest swing, and which each bot's costliest bet, by place."""
    games = list(enumerate(results["telling"]))
    return {
        "swing": next((at for at, game in games if game["why"] == "swing"), None),
        "mistakes": {places[game["bot"]]: at for at, game in games if game["why"] == "mistake"},
    }


def _stopping(results: Results) -> dict[str, Any] | None:
    """Rule, end and what was left of a run that could stop early; None for another."""
    if results["looks"] is None:
        return None
    return {
        "rule": sentences.rule(results),
        "end": sentences.where_it_stopped(results),
        "unresolved": sentences.unresolved(results),
        "looks": tables.looks_table(results),
    }


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
        {
            "kind": kind,
            "count": count,
            "out": sentences.was_out(kind, count, bot["games"]),
            "first": bot["first_faults"].get(kind),
        }
        for kind, count in bot["faults"].items()
    ]
