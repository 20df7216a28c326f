"""The standings as they are printed on a terminal."""

from __future__ import annotations

import re

from tabulate import tabulate

from arena.report.text import chips, number, percent, plural, rank_range, share, shorten_all, visible, width
from arena.tournament.standings import BotStanding, Standings

_FILLER = "\ue000"  # one column wide, in no name: visible() escapes it
_LEAST_NAME = 14
_EXTRAS = ("turns", "groups", "busts %")  # left out in this order where the table would be too wide


def standings_table(standings: Standings, columns: int = 80) -> str:
    """The table, at most ``columns`` wide whatever the bots are called."""
    names = [visible(bot.name) or '""' for bot in standings.bots]
    longest = max(width(name) for name in names)
    cells = [_cells(bot) for bot in standings.bots]
    if not standings.is_ranked:
        cells = [{k: v for k, v in row.items() if k not in ("#", "range", "groups")} for row in cells]
    if not any(bot.n_faults for bot in standings.bots):
        cells = [{k: v for k, v in row.items() if k != "faults"} for row in cells]
    for extra in (None, *_EXTRAS):
        cells = [{k: v for k, v in row.items() if k != extra} for row in cells]
        room = columns - len(_table(cells, ["x"] * len(names)).split("\n")[1]) + len("bot")
        if room >= min(longest, _LEAST_NAME):
            break
    return _table(cells, shorten_all(names, max(3, min(room, longest))))


def _cells(bot: BotStanding) -> dict[str, str]:
    return {
        "#": "" if bot.rank is None else str(bot.rank),
        "range": _range(bot),
        "bot": "",
        "chips a game": chips(bot.chips),
        "won %": percent(bot.wins),
        "groups": bot.letters,
        "busts %": share(bot.busts),
        "turns": _short(bot.turns),
        "faults": _short(bot.n_faults),
    }


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
        colalign=["left" if key in ("bot", "groups", "range") else "right" for key in cells[0]],
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
    """The table, what was played, what to be careful about, and who made which faults."""
    lines = [standings_table(standings, columns), "", _played(standings)]
    if standings.is_approximate:
        lines.append("Few deals: the intervals are approximate.")
    if standings.deals == 1:
        lines.append("One deal: no intervals.")
    for bot in standings.bots:
        if bot.faults:
            kinds = ", ".join(f"{number(f.count, 0)} {f.kind.label}" for f in bot.faults)
            lines.append(f"Faults of {visible(bot.name)}: {kinds}.")
    return "\n".join(lines)


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
