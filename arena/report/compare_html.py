"""A comparison of runs as one HTML page that needs nothing from outside; drawings stand beside the same figures in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.report import compare_words as words
from arena.report.compare import Comparison, Versus
from arena.report.templating import asset, environment, policy
from arena.report.text import visible

WIDE, ROW, SIDE = 120, 26, 10  # of drawings, in pixels


@dataclass(frozen=True)
class Whisker:
    """An interval drawn in ``WIDE`` pixels: ends (None: there are none), the mean, and where zero is."""

    low: float | None
    high: float | None
    mean: float
    zero: float


@dataclass(frozen=True)
class Slope:
    """A bot's line from its place in the first run to its place in the other; ``is_crossing``: surely past another."""

    name: str
    left: int
    right: int
    is_crossing: bool


def compare_html(comparison: Comparison) -> str:
    """The page. Everything that somebody wrote is escaped, and characters that are not seen are written out."""
    runs = [
        {"letter": words.letter(run), "label": visible(label), "facts": facts}
        for run, (label, facts) in enumerate(zip(comparison.labels, comparison.facts, strict=True))
    ]
    page = environment().get_template("compare.html.j2")
    parts = [_part(comparison, versus) for versus in comparison.versus]
    headline = words.headline(comparison).replace("*", "")
    return page.render(
        runs=runs,
        parts=parts,
        headline=headline,
        css=asset("palette.css") + asset("compare.css"),
        policy=policy(),
        wide=WIDE,
        row=ROW,
    )


def _part(comparison: Comparison, versus: Versus) -> dict[str, object]:
    by = comparison.by
    whiskers = whiskers_of(versus)
    names = [visible(bot.name) for bot in versus.bots]
    bots = [
        {
            "name": name,
            "is_same_code": bot.is_same_code,
            "cells": [
                text
                for i in (0, 1)
                for text in (words.mean(bot.means[i], by), words.ranges(bot.ranks and bot.ranks[i]))
            ],
            "change": words.change(bot.change, by),
            "verdict": words.verdict(bot.change),
            "whisker": whisker,
        }
        for name, bot, whisker in zip(names, versus.bots, whiskers, strict=True)
    ]
    listed = words.telling_pairs(versus)
    pairs = [
        {
            "names": [names[i] for i in pair.bots],
            "leads": [words.lead(at, by) for at in pair.leads],
            "change": words.change(pair.change, by),
            "verdict": words.pair_verdict(pair),
        }
        for pair in listed[: words.MOST_PAIRS]
    ]
    return {
        "letter": words.letter(versus.run),
        "basis": words.basis(versus),
        "notes": [visible(note) for note in versus.notes],
        "bots": bots,
        "has_other_code": not all(bot.is_same_code for bot in versus.bots),
        "order": words.order_sentence(versus),
        "slopes": slopes_of(versus, names),
        "pairs": pairs,
        "left": words.not_listed(listed),
    }


def whiskers_of(versus: Versus) -> list[Whisker]:
    """The changes of all bots on one scale, which has zero in it."""
    intervals = [bot.change.interval for bot in versus.bots]
    ends = [end for at in intervals for end in (at.low, at.high, at.mean) if end is not None]
    least, most = min([0.0, *ends]), max([0.0, *ends])
    scale = (WIDE - 2 * SIDE) / ((most - least) or 1.0)

    def place(value: float) -> float:
        return round(SIDE + (value - least) * scale, 1)

    return [
        Whisker(
            None if at.low is None else place(at.low),
            None if at.high is None else place(at.high),
            place(at.mean),
            place(0.0),
        )
        for at in intervals
    ]


def slopes_of(versus: Versus, names: Sequence[str]) -> list[Slope]:
    """Every bot's place by its mean in either run, from 0; nothing where the order is not compared."""
    if not versus.pairs:
        return []
    places = []
    for run in (0, 1):
        order = sorted(range(len(names)), key=lambda bot, run=run: -versus.bots[bot].means[run])  # type: ignore[misc]
        places.append({bot: place for place, bot in enumerate(order)})
    crossing = {bot for pair in versus.pairs if pair.verdict == "reversed" for bot in pair.bots}
    return [Slope(name, places[0][bot], places[1][bot], bot in crossing) for bot, name in enumerate(names)]
