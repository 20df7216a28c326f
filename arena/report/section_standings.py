"""The standings in ``report.md``: adjusted and raw side by side, what to be careful about, and how to read them."""

from __future__ import annotations

from collections.abc import Callable

from arena.analysis.variates import MIN_DEALS
from arena.report.results import Results
from arena.report.sentences import agreement, cautions, dagger, saved
from arena.report.text import (
    RANKS_BY,
    UNCORRECTED,
    chips,
    markdown,
    percent,
    plural,
    rank_range,
    share,
    table,
    times,
)
from arena.tournament.standings import BotStanding, Standings

Cell = Callable[[BotStanding], str]


def standings_section(standings: Standings, results: Results) -> list[str]:
    """The table, with what must be known before it is believed."""
    return [
        "## Standings",
        _standings_table(standings),
        *([dagger(results).replace(UNCORRECTED, f"*{UNCORRECTED}*")] if results["is_sequence"] else []),
        *(told.markdown() for told in cautions(results)),
        *([] if (told := agreement(results, markdown)) is None else [told.markdown()]),
        "## How to read it",
        "\n".join(f"- {line}" for line in (*_on_chips(standings), *_on_ranks(standings))),
    ]


def has_luck(standings: Standings) -> bool:
    """Whether luck was found, so that there are adjusted chips."""
    return any(bot.adjusted is not None for bot in standings.bots)


def _standings_table(standings: Standings) -> str:
    columns: dict[str, Cell] = {"Bot": lambda bot: markdown(bot.name)}
    measures = {
        "adjusted": ("Luck-adjusted chips", _adjusted),
        "chips": ("Raw chips" if has_luck(standings) else "Chips a game", lambda bot: chips(bot.chips)),
        "wins": ("Games won, %", lambda bot: percent(bot.wins)),
    }
    for by in sorted(measures, key=lambda by: by != standings.rank_by):  # what ranks comes first
        if by != "adjusted" or has_luck(standings):
            header, cell = measures[by]
            columns[header + _mark(standings, by)] = cell
    if has_luck(standings):
        columns["Games saved"] = lambda bot: "–" if bot.games_saved is None else times(bot.games_saved)
    align = "l" + "r" * (len(columns) - 1)
    if standings.is_ranked:
        columns = {"Rank": _rank, "Rank range": _rank_range, **columns, "Groups": lambda bot: bot.letters}
        align = f"rl{align}l"
    return table(list(columns), align, [_line(bot, columns) for bot in standings.bots])


def games_section(standings: Standings) -> list[str]:
    """How games ended for each bot: won, with and without luck; busts; swing; turns; faults."""
    columns: dict[str, Cell] = {
        "Bot": lambda bot: markdown(bot.name),
        "Games": lambda bot: f"{bot.games:,}",
        "Won, %" + _mark(standings, "wins"): lambda bot: percent(bot.wins),
    }
    has_control = any(bot.wins_adjusted is not None for bot in standings.bots)
    if has_control:
        columns["Won less luck, %" + _mark(standings, "control")] = _wins_adjusted
    columns |= {
        "Busts, %": lambda bot: share(bot.busts),
        "Largest loss": lambda bot: f"{bot.largest_loss:,}",
        "Turns": lambda bot: f"{bot.turns:,}",
        "Faults": lambda bot: f"{bot.n_faults:,}",
    }
    text = (
        "*Won* counts the most chips at the end, ties split; *busts* the games that ended with no chips; the "
        "*largest loss* in a game is a bot's swing."
    )
    if has_control:
        text += (
            " *Won less luck* estimates the same share with less spread: the luck of the cards, which has mean "
            "zero, is subtracted as far as on other deals it explained the games won."
        )
    elif has_luck(standings):
        text += f" Luck is subtracted from {MIN_DEALS} deals on: not enough deals."
    lines = [_line(bot, columns) for bot in standings.bots]
    return ["## Games", text, table(list(columns), "l" + "r" * (len(columns) - 1), lines)]


def _line(bot: BotStanding, columns: dict[str, Cell]) -> list[str]:
    if bot.games:
        return [cell(bot) for cell in columns.values()]
    line = dict.fromkeys(columns, "") | {"Bot": markdown(bot.name)}
    headers = list(columns)
    line[headers[headers.index("Bot") + 1]] = "no game"
    return list(line.values())


def _adjusted(bot: BotStanding) -> str:
    return "–" if bot.adjusted is None else chips(bot.adjusted)


def _wins_adjusted(bot: BotStanding) -> str:
    return "–" if bot.wins_adjusted is None else percent(bot.wins_adjusted)


def _rank(bot: BotStanding) -> str:
    return "" if bot.rank is None else str(bot.rank)


def _rank_range(bot: BotStanding) -> str:
    return "" if bot.rank_low is None or bot.rank_high is None else rank_range(bot.rank_low, bot.rank_high)


def _mark(standings: Standings, by: str) -> str:
    """A dagger at an interval that does not hold at every look."""
    return " †" if standings.is_sequence and by != standings.rank_by else ""


def _on_chips(standings: Standings) -> list[str]:
    sure = f"{100 * standings.confidence:g} %"
    out = [
        "*Chips* are net, a game: what a bot ended with minus what it started with, over all its games. ± is the "
        f"half width of a {sure} interval; the deal is its unit, because the games of a deal share their cards. "
        "*Identical* means that every deal gave the same number."
    ]
    if not has_luck(standings):
        return out
    out.append(
        "*Raw chips* are what happened. *Luck-adjusted chips* are the same less what the cards did: at every draw, "
        "what the card that came was worth beyond the expectation over all cards unseen at that moment. This luck "
        "has mean zero for every bot, whatever it plays: both columns estimate the same number, the adjusted one "
        "with less spread."
    )
    median = ""
    if standings.pairs_saved is not None:
        told = saved(standings.pairs_saved, standings.deals)
        rough = (
            f"; all of these are rough figures from {plural(standings.deals, 'deal')}" if told.rest else ""
        )
        median = f" For the difference of two bots it is {told.lead}, the median over pairs{rough}."
    out.append(f"*Games saved*: how many raw games tell as much as one adjusted game.{median}")
    return out


def _on_ranks(standings: Standings) -> list[str]:
    if not standings.is_ranked:
        return []
    by = "share of games won" if standings.rank_by == "wins" else RANKS_BY[standings.rank_by]
    looks = ", at every look at once," if standings.is_sequence else ""
    return [
        f"Ranks go by {by}. *Rank range* is the range that holds a bot's true rank: all ranges hold together"
        f"{looks} at {100 * standings.confidence:g} %. Bots that share a letter under *groups* are not separated, "
        "whatever their ranks.",
        "The intervals of single bots may overlap although two bots are separated: the difference on the same "
        "cards is surer than either mean. Head-to-head has those differences.",
    ]
