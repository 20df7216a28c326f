"""The same bots by the other goal, in ``report.md`` and on the page: games won where chips rank, chips where games do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from arena.report.text import (
    RANKS_BY,
    UNCORRECTED,
    listed,
    markdown,
    number,
    plus_minus,
    rank_range,
    scale_of,
    table,
)
from arena.tournament.standings import Standings

Other = Mapping[str, Any]  # ``other_ranking`` of results.json
TITLES = {"adjusted": "By luck-adjusted chips", "chips": "By chips", "wins": "By games won"}
VALUES = {"adjusted": "Luck-adjusted chips", "chips": "Chips a game", "wins": "Games won, %"}
_UNITS = RANKS_BY | {"wins": "of 100 games"}
_GOALS = {"adjusted": "chips", "chips": "chips", "wins": "games won"}
_MOST = _GOALS | {"wins": "games"}


def other_section(standings: Standings) -> list[str]:
    """The ranking by the other goal in Markdown; nothing where bots are not ranked."""
    if standings.other is None:
        return []
    found = asdict(standings.other)
    names = [markdown(bot.name) for bot in standings.bots]
    heads = [
        "Rank",
        "Rank range",
        "Bot",
        VALUES[found["rank_by"]],
        f"Behind {names[found['lines'][0]['place']]}",
        "In the standings",
    ]
    lines = []
    for at in found["lines"]:
        ranks = [str(at["rank"]), rank_range(at["rank_low"], at["rank_high"])]
        lines.append([*ranks, names[at["place"]], value(found, at), behind(found, at), f"#{at['place'] + 1}"])
    title = f"## {TITLES[found['rank_by']]}"
    return [
        title,
        other_sentence(found, names, standings.rank_by, standings.confidence, standings.is_sequence),
        table(heads, "rrlrrr", lines),
    ]


def other_sentence(
    found: Other, names: Sequence[str], rank_by: str, confidence: float, is_sequence: bool
) -> str:
    """Who is first by the other goal, by how much, and from whom that is not sure."""
    by = "games won" if rank_by == "wins" else RANKS_BY[rank_by]
    text = (
        f"The standings go by {by}; who wins most {_MOST[found['rank_by']]} is another question. "
        f"{first_sentence(found, names)}"
    )
    if all(line["half_width"] is None for line in found["lines"]):
        return text
    text += f" Intervals hold for all pairs at once at {100 * confidence:g} %"
    return text + (f"; they are {UNCORRECTED}." if is_sequence else ".")


def first_sentence(found: Other, names: Sequence[str]) -> str:
    """``By chips A is first: ahead of B by 1.2 ± 0.3 chips a game, separated from all others.``

    Several with the same mean are first together, and the next after them is whom they are ahead of.
    """
    lines = found["lines"]
    first = [names[line["place"]] for line in lines if line["rank"] == 1]
    unsure = [names[line["place"]] for line in lines[1:] if not line["is_separated"]]
    goal = f"By {_GOALS[found['rank_by']]}"
    if len(first) == len(lines):
        return f"{goal} {_all_of(first)} are level."
    second = lines[len(first)]
    text = f"ahead of {names[second['place']]} by {lead(found, second)} {_UNITS[found['rank_by']]}"
    if len(first) > 1:
        unsure = unsure[len(first) - 1 :]  # of bots that are level nobody asks
        text = f"{goal} {_all_of(first)} are first, level with one another: {text}"
    else:
        text = f"{goal} {first[0]} is first: {text}"
    return f"{text}, {'separated from all others' if not unsure else f'not separated from {listed(unsure)}'}."


def _all_of(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def value(found: Other, line: Mapping[str, Any]) -> str:
    """A bot's mean by the other goal; its interval stands in the standings."""
    by = found["rank_by"]
    return number(scale_of(by) * line["mean"], 1, sign=by != "wins")


def lead(found: Other, line: Mapping[str, Any]) -> str:
    """By how much the first is ahead of a bot, with the simultaneous interval where there is one."""
    scale = scale_of(found["rank_by"])
    if line["half_width"] is None:
        return number(scale * line["behind"], 1)
    return plus_minus(scale * line["behind"], scale * line["half_width"], sign=False)


def behind(found: Other, line: Mapping[str, Any]) -> str:
    """The same for a table: that it is not sure is said, and the first has nothing."""
    if line is found["lines"][0]:
        return "–"
    return lead(found, line) + ("" if line["is_separated"] else " (not separated)")
