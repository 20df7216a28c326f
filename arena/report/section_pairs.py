"""Pairs of bots in ``report.md``: groups, head-to-head, how many more deals, and who met whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.analysis.differences import Differences
from arena.analysis.ranks import letter
from arena.report.text import (
    RANKS_BY,
    markdown,
    number,
    p_value,
    plural,
    plus_minus,
    rank_range,
    scale_of,
    table,
)
from arena.tournament.standings import Standings

if TYPE_CHECKING:
    from arena.tournament.spec import TournamentSpec

MATRIX_BOTS = 16  # beyond these a matrix is no longer read; head_to_head.csv has every pair


def pairs_sections(spec: TournamentSpec, standings: Standings) -> list[str]:
    """All that is said of pairs."""
    return [
        *_groups(standings),
        *_head_to_head(standings),
        *_more_deals(standings),
        *_meetings(spec, standings),
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


def _meetings(spec: TournamentSpec, standings: Standings) -> list[str]:
    """How often pairs met, where not everyone meets everyone equally."""
    if spec.schedule != "balanced":
        return []
    bots = len(standings.bots)
    games = [standings.meeting_games[i][j] for i in range(bots) for j in range(i + 1, bots)]
    mean = number(sum(games) / len(games), 1)
    text = f"A pair of bots sat together in {_from_to(games)} games, {mean} on average"
    each = spec.seats * standings.deals
    if standings.dropped_deals == 0:
        text += f", which is in {_from_to([n // each for n in games])} of the {plural(standings.lineups, 'lineup')}"
    never = games.count(0)
    if never:
        text += f"; {plural(never, 'pair')} of {len(games):,} never met"
    return [
        "## Who met whom",
        f"{text}. The intervals speak of this schedule: of how sure the result is on other cards, not of what "
        "other lineups would give.",
    ]


def _from_to(counts: list[int]) -> str:
    return rank_range(min(counts), max(counts)) if max(counts) < 1000 else f"{min(counts):,}–{max(counts):,}"
