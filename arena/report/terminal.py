"""The standings as they are printed on a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tabulate import tabulate

from arena.analysis.stakes import LEAST_DEALS
from arena.report.results_json import by_place
from arena.report.section_standings import has_luck
from arena.report.sentences import agreement_figures, saved
from arena.report.text import (
    RANKS_BY,
    UNCORRECTED,
    chips,
    listed,
    number,
    percent,
    plural,
    rank_range,
    share,
    shorten_all,
    visible,
    width,
)
from arena.tournament.standings import BotStanding, Standings

if TYPE_CHECKING:
    from arena.tournament.tournament import Looks

_FILLER = "\ue000"  # one column wide, in no name: visible() escapes it
_LEAST_NAME = 14
_LEFT = ("bot", "groups", "range")
_LEAD = {"adjusted": "adjusted", "chips": "chips a game", "wins": "won %"}  # the column of what ranks
_EXTRAS = ("turns", "busts %", "err ‰", "groups")  # left out in this order where the table would be too wide
_LAST = ("won %", "raw chips", "adjusted", "chips a game")  # these only then, and never what ranks


def standings_table(standings: Standings, columns: int = 80) -> str:
    """The table, at most ``columns`` wide whatever the bots are called; what ranks stands first."""
    lead = _LEAD[standings.rank_by]
    cells = [_cells(bot, standings) for bot in standings.bots]
    extras = (*_EXTRAS, *(key for key in _LAST if key != lead))
    return fitted_table([bot.name for bot in standings.bots], cells, extras, columns)


def fitted_table(
    names: Sequence[str], cells: list[dict[str, str]], extras: Sequence[str], columns: int
) -> str:
    """A line a bot: ``cells`` (header → text, the name's being ``bot``) in at most ``columns`` columns.

    ``extras`` are left out in their order until names have room; what of a name has none is shortened.
    """
    names = [visible(name) or '""' for name in names]
    longest = max(width(name) for name in names)
    for extra in (None, *extras):
        cells = [{k: v for k, v in row.items() if k != extra} for row in cells]
        room = columns - len(_table(cells, ["x"] * len(names)).split("\n")[1]) + len("bot")
        if room >= min(longest, _LEAST_NAME):
            break
    return _table(cells, shorten_all(names, max(3, min(room, longest))))


def _cells(bot: BotStanding, standings: Standings) -> dict[str, str]:
    """Header → text; the same headers for every bot."""
    ranked = {"#": "" if bot.rank is None else str(bot.rank), "range": _range(bot)}
    tail = {
        "groups": bot.letters,
        "err ‰": _errors(bot),
        "busts %": share(bot.busts),
        "turns": _short(bot.turns),
        "faults": _short(bot.n_faults),
    }
    if not standings.is_ranked:
        ranked, tail = {}, {key: text for key, text in tail.items() if key != "groups"}
    if not any(other.n_faults for other in standings.bots):
        del tail["faults"]
    if not any(other.skill for other in standings.bots):
        del tail["err ‰"]
    return {**ranked, "bot": "", **_measures(bot, standings), **tail}


def _measures(bot: BotStanding, standings: Standings) -> dict[str, str]:
    """Adjusted chips, chips and games won: what ranks first."""
    is_adjusted = standings.rank_by == "adjusted"
    found = {
        "adjusted": "–" if bot.adjusted is None else chips(bot.adjusted),
        "raw chips" if is_adjusted else "chips a game": chips(bot.chips),
        "won %": percent(bot.wins),
    }
    if not has_luck(standings):
        del found["adjusted"]
    if bot.games == 0:
        found = dict.fromkeys(found, "–")
    lead = _LEAD[standings.rank_by]
    return {lead: found[lead], **{key: text for key, text in found.items() if key != lead}}


def _errors(bot: BotStanding) -> str:
    rate = bot.skill.total.error_rate if bot.skill else None
    return "–" if rate is None else number(rate, 1)


def _range(bot: BotStanding) -> str:
    return "" if bot.rank_low is None or bot.rank_high is None else rank_range(bot.rank_low, bot.rank_high)


def _table(cells: list[dict[str, str]], names: list[str]) -> str:
    """The cells with the names in them; tabulate sees fillers as wide as the names are on the screen.

    The header goes in as a line like the others, or tabulate would make every column two wider than its
    header.
    """
    rows = [{**row, "bot": _FILLER * width(name)} for row, name in zip(cells, names, strict=True)]
    text = tabulate(
        [list(cells[0]), *(list(row.values()) for row in rows)],
        tablefmt="plain",
        disable_numparse=True,
        colalign=["left" if key in _LEFT else "right" for key in cells[0]],
    )
    header, *lines = text.split("\n")
    rule = "─" * max(len(line.rstrip()) for line in (header, *lines))
    rest = iter(names)
    table = "\n".join(line.rstrip() for line in (header, rule, *lines))
    return re.sub(f"{_FILLER}+", lambda _: next(rest), table)


def _short(count: int) -> str:
    """``12,345`` as it is, ``1.2M`` beyond six digits.

    >>> _short(12345), _short(1234567)
    ('12,345', '1.2M')
    """
    return (
        f"{count:,}" if count < 100_000 else f"{count / 1e3:,.0f}k" if count < 1e6 else f"{count / 1e6:,.1f}M"
    )


def standings_text(standings: Standings, columns: int = 80) -> str:
    """The table, so wide, and a line each: what was played, what to be careful about, who made which faults."""
    lines = [_played(standings), *_on_luck(standings)]
    if standings.is_sequence:
        by = RANKS_BY[standings.rank_by]
        lines.append(
            f"The ± of {by} holds at every look and is the wider for it; the others are {UNCORRECTED}, and cannot be set "
            "beside it."
        )
    if standings.deals == 1:
        lines.append("One deal: no intervals, nothing is separated.")
    elif standings.is_approximate:
        lines.append("Few deals: the intervals are approximate.")
    if standings.is_share_unsure:
        lines.append("Games won: not enough deals for an interval.")
    if not standings.is_ranked and standings.deals > 1:
        lines.append("Not ranked: these bots did not all meet the same field.")
    if standings.time_faults:
        lines.append(f"reproducible: no ({plural(standings.time_faults, 'time fault')}).")
    for bot in standings.bots:
        if bot.faults:
            kinds = ", ".join(f"{number(f.count, 0)} {f.kind.label}" for f in bot.faults)
            lines.append(f"Faults of {visible(bot.name)}: {kinds}.")
    return "\n".join([standings_table(standings, columns), "", *lines])


def looks_text(looks: Looks, standings: Standings) -> str:
    """Why play stopped, and what was not resolved, pairs in the report's order, a line each."""
    last, names = looks.states[-1], [visible(bot.name) for bot in standings.bots]
    places = {bot.bot: place for place, bot in enumerate(standings.bots)}
    end = "stopped: the rule is met." if looks.met else "the deals ran out."
    lines = [f"{plural(len(looks.states), 'look')}; {end}"]
    pairs = [f"{names[i]} and {names[j]}" for i, j in by_place(last.unresolved, places)]
    if pairs and looks.stop.when == "ranked":
        lines.append(f"Not resolved: {listed(pairs, between='; ')}.")
    if wide := [names[place] for place in sorted(places[bot] for bot in last.too_wide)]:
        lines.append(f"Still too wide: {listed(wide)}, of {plural(len(names), 'bot')}.")
    return "\n".join(lines)


def _on_luck(standings: Standings) -> list[str]:
    """What removing luck was good for, and whether the result can be believed."""
    lines = []
    if standings.pairs_saved is not None:
        told = saved(standings.pairs_saved, standings.deals)
        rough = f": {told.rest}" if told.rest else ""
        lines.append(f"Luck removed: one game tells as much as {told.lead} raw ones{rough}.")
    if has_luck(standings) and standings.deals < LEAST_DEALS:
        lines.append(f"Only the luck of third cards is removed: fewer than {LEAST_DEALS} deals.")
    found = standings.agreement
    if found is not None and found.agrees is False:
        names = {bot.bot: visible(bot.name) for bot in standings.bots}
        lines.append(
            f"RAW AND ADJUSTED CHIPS DISAGREE: luck of {names[found.bot or 0]} "
            f"({agreement_figures(found)}). Go by raw chips, and please report it."
        )
    return lines


def _played(standings: Standings) -> str:
    parts = [
        plural(standings.deals, "deal"),
        plural(standings.lineups, "lineup"),
        plural(standings.games, "game"),
        plural(standings.turns, "turn"),
    ]
    text = ", ".join(parts) + f"; intervals at {100 * standings.confidence:g} %."
    if standings.dropped_deals:
        text += f" {plural(standings.dropped_deals, 'incomplete deal')} left out."
    return text
