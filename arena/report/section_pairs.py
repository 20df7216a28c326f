"""Pairs of bots in ``report.md``: groups, head-to-head, how many more deals, and who met whom."""

from __future__ import annotations

from arena.analysis.differences import Differences
from arena.analysis.ranks import letter
from arena.report.results import Results
from arena.report.sentences import meetings
from arena.report.text import (
    RANKS_BY,
    markdown,
    number,
    p_value,
    plus_minus,
    scale_of,
    table,
)
from arena.tournament.standings import Standings

MATRIX_BOTS = 16  # beyond these a matrix is no longer read; head_to_head.csv has every pair


def pairs_sections(standings: Standings, results: Results) -> list[str]:
    """All that is said of pairs."""
    return [
        *_groups(standings),
        *_head_to_head(standings),
        *_more_deals(standings),
        *(["## Who met whom", met] if (met := meetings(results)) else []),
    ]


def _groups(standings: Standings) -> list[str]:
    if not standings.groups:
        return []
    if all(len(group) == 1 for group in standings.groups):
        return ["## Groups", "Every bot is separated from every other."]
    lines = []
    for place, group in enumerate(standings.groups):
        names = ", ".join(markdown(standings.bots[bot].name) for bot in group)
        lines.append(f"- **{letter(place)}**: {names}")
    return ["## Groups", "No two bots of a group are separated. A bot may be in several.", "\n".join(lines)]


def _head_to_head(standings: Standings) -> list[str]:
    diff = standings.differences
    if diff is None:
        return []
    bots = len(diff.mean)
    looks = ", at every look at once," if standings.is_sequence else ""
    hold = (
        f"The intervals hold for all {bots * (bots - 1) // 2:,} pairs at once"
        if bots > 2
        else "The interval holds"
    )
    intro = (
        "By how much the bot of the line is ahead of the bot of the column, in "
        f"{RANKS_BY[standings.rank_by]} over the same deals. {hold}{looks} at {100 * standings.confidence:g} %."
    )
    if bots > MATRIX_BOTS:
        return ["## Head-to-head", f"{intro} Every pair is in `head_to_head.csv`."]
    intro += (
        " **Bold**: separated, the interval excludes 0. `head_to_head.csv` has every pair, with p and the direct "
        "meetings."
    )
    header = ["", *(f"#{place}" for place in range(1, bots + 1))]
    lines = [
        [f"#{i + 1} {markdown(standings.bots[i].name)}"]
        + ["" if i == j else _difference(standings, diff, i, j) for j in range(bots)]
        for i in range(bots)
    ]
    return ["## Head-to-head", intro, table(header, "l" + "r" * bots, lines)]


def _difference(standings: Standings, diff: Differences, i: int, j: int) -> str:
    """One cell of the matrix: ``**+12.3 ± 4.5**``."""
    scale, half = scale_of(standings.rank_by), standings.half_width(i, j)
    mean = float(diff.mean[i, j]) * scale
    if diff.is_constant[i, j]:
        text = "identical" if mean == 0 else f"{number(mean, 2, sign=True)} on every deal"
    elif half is None:
        text = number(mean, 1, sign=True)
    else:
        text = plus_minus(mean, half * scale)
    return f"**{text}**" if diff.separated[i, j] else text


def _more_deals(standings: Standings) -> list[str]:
    """What it would take to separate neighbours."""
    diff = standings.differences
    if diff is None:
        return []
    if diff.p is None:
        return [
            "## How many more deals",
            "Not enough deals to say: from two on there is a spread to judge by.",
        ]
    lines = []
    for i, more in enumerate(standings.more_deals):
        pair = [markdown(standings.bots[place].name) for place in (i, i + 1)]
        lines.append(
            [*pair, p_value(float(diff.p[i, i + 1])), more_text(more, bool(diff.is_constant[i, i + 1]))]
        )
    return [
        "## How many more deals",
        "About how many more deals would separate neighbours, if the difference is what it seems now. The p goes "
        f"with the simultaneous intervals: it is below {1 - standings.confidence:.4g} exactly where two bots are "
        "separated.",
        table(["Bot", "Next", "p", "More deals"], "llrr", lines),
    ]


def more_text(more: int | None, is_constant: bool) -> str:
    """How many more deals would do, in words."""
    if more == 0:
        return "separated"
    if more is None:
        return "no spread to tell by" if is_constant else "cannot be told"
    digits = max(0, len(str(more)) - 2)
    return f"about {round(more, -digits):,}"
