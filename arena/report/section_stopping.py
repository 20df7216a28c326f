"""Stopping in ``report.md``: the rule, the looks, where play stopped, and what was not resolved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from arena.analysis.stopping import EVERY, LookState
from arena.report.text import RANKS_BY, UNCORRECTED, listed, markdown, number, plural, scale_of, table
from arena.tournament.standings import Standings

if TYPE_CHECKING:
    from arena.tournament.spec import Stop
    from arena.tournament.tournament import Looks

_SHOWN = 12  # looks in the table
_NAMED = 20  # pairs or bots not resolved


def stopping_section(standings: Standings, looks: Looks | None) -> list[str]:
    """How a run that could stop early went; nothing for one that could not."""
    if not standings.is_sequence:
        return []
    by = RANKS_BY[standings.rank_by]
    which = (
        f"Every interval of {by}, of single bots and of differences, and all that ranks comes from a confidence "
        "sequence, which holds at every look at once. All other intervals are those of a number of deals fixed "
        f"beforehand: they are *{UNCORRECTED}* and hold less often than stated."
    )
    if looks is None:
        return ["## Stopping", which]
    last = looks.states[-1]
    grid = (
        f"Looked at every {EVERY} deals from {looks.states[0].deals:,} on, at most {looks.stop.max_deals:,}; the first "
        "look that meets the rule stops the run, and nothing later is used. "
    )
    if looks.met:
        end = f"**Stopped at {plural(last.deals, 'deal')}**, at look {len(looks.states)}: the rule is met."
    else:
        end = f"**The deals ran out at {last.deals:,}**, after {plural(len(looks.states), 'look')}: the rule is not met."
    return [
        "## Stopping",
        f"Rule: {rule_words(looks.stop, standings)}. {grid}{end}",
        *_left(standings, looks),
        _looks_table(standings, looks),
        which,
    ]


def rule_words(stop: Stop, standings: Standings) -> str:
    """``every pair of bots is separated``, and so on."""
    scale, by = scale_of(standings.rank_by), RANKS_BY[standings.rank_by]
    if stop.chips is not None:
        return f"the interval of every bot is within ± {stop.chips * scale:g} {by}"
    text = "every pair of bots is separated"
    if stop.indifferent_chips:
        text += f", or surely within ± {stop.indifferent_chips * scale:g} {by}"
    return text


def _left(standings: Standings, looks: Looks) -> list[str]:
    """What was not resolved at the end, by name."""
    places = {bot.bot: place for place, bot in enumerate(standings.bots)}
    names = [markdown(bot.name) for bot in standings.bots]
    last = looks.states[-1]
    if looks.stop.when == "half_width":
        scale = scale_of(standings.rank_by)
        wide = [
            f"{names[places[bot]]} (± {_half(last.bot_half_widths[bot], scale)})"
            for bot in sorted(last.too_wide, key=places.__getitem__)
        ]
        return [f"Still too wide: {listed(wide, _NAMED)}."] if wide else []
    pairs = [f"{names[i]} and {names[j]}" for i, j in by_place(last.unresolved, places)]
    alike = [f"{names[i]} and {names[j]}" for i, j in by_place(indifferent_pairs(last), places)]
    out = [f"Not resolved: {listed(pairs, _NAMED, '; ')}."] if pairs else []
    return [*out, f"As good as equal: {listed(alike, _NAMED, '; ')}."] if alike else out


def indifferent_pairs(state: LookState) -> list[list[int]]:
    """The pairs of entrants that are as good as equal."""
    found: list[list[int]] = np.argwhere(np.triu(state.indifferent)).tolist()
    return found


def by_place(pairs: Sequence[Sequence[int]], places: Mapping[int, int]) -> list[list[int]]:
    """Pairs of entrants as pairs of places in the standings, the better bot first.

    >>> by_place([(0, 1), (0, 2)], {0: 2, 1: 0, 2: 1})
    [[0, 2], [1, 2]]
    """
    return sorted(sorted(places[bot] for bot in pair) for pair in pairs)


def _looks_table(standings: Standings, looks: Looks) -> str:
    states = looks.states
    shown = states if len(states) <= _SHOWN else (*states[:1], *states[1 - _SHOWN :])
    is_ranked = looks.stop.when == "ranked"
    lines = [_look(state, scale_of(standings.rank_by), is_ranked) for state in shown]
    if len(states) > _SHOWN:
        lines.insert(1, ["…"] * len(lines[0]))
    left = ["As good as equal", "Not resolved"] if is_ranked else ["Bots too wide"]
    header = ["Deals", "Pairs separated", *left, "Widest pair ±", "Widest bot ±"]
    return table(header, "r" * len(header), lines)


def _look(state: LookState, scale: float, is_ranked: bool) -> list[str]:
    left = (len(indifferent_pairs(state)), len(state.unresolved)) if is_ranked else (len(state.too_wide),)
    counts = (int(np.triu(state.separated).sum()), *left)
    widest = (state.half_widths.max(initial=0.0), state.bot_half_widths.max(initial=0.0))
    return [f"{state.deals:,}", *(f"{n:,}" for n in counts), *(_half(w, scale) for w in widest)]


def _half(width: float, scale: float) -> str:
    return number(float(width) * scale, 2) if np.isfinite(width) else "–"
