"""Stopping in ``report.md``: the rule, the looks, where play stopped, and what was not resolved."""

from __future__ import annotations

from arena.report import sentences
from arena.report.results import Results, unit_of
from arena.report.text import UNCORRECTED, markdown, table

_SHOWN = 12  # looks in the table


def stopping_section(results: Results) -> list[str]:
    """How a run that could stop early went; nothing for one that could not."""
    if not results["is_sequence"]:
        return []
    which = sentences.sequence_sentence(results).replace(UNCORRECTED, f"*{UNCORRECTED}*")
    if results["looks"] is None:
        return ["## Stopping", which]
    return [
        "## Stopping",
        f"{sentences.rule(results)} {sentences.where_it_stopped(results).markdown()}",
        *sentences.unresolved(results, markdown),
        _looks_table(results),
        which,
    ]


def _looks_table(results: Results) -> str:
    heads, lines = looks_columns(results)
    if len(lines) > _SHOWN:
        lines = [lines[0], ["…"] * len(heads), *lines[1 - _SHOWN :]]
    return table(heads, "r" * len(heads), lines)


def looks_columns(results: Results) -> tuple[list[str], list[list[str]]]:
    """Headings and rows of a table of the looks, with what its rule leaves open."""
    left = {"As good as equal": "indifferent", "Not resolved": "unresolved"}
    if results["tournament"]["stop"]["when"] == "half_width":
        left = {"Bots too wide": "too_wide"}
    _, scale = unit_of(results)
    lines = [
        [f"{look['deals']:,}", f"{look['separated']:,}", *(f"{look[key]:,}" for key in left.values())]
        + [sentences.half_width(look[key], scale) for key in ("widest_pair", "widest_bot")]
        for look in results["looks"]["states"]
    ]
    return ["Deals", "Pairs separated", *left, "Widest pair ±", "Widest bot ±"], lines
