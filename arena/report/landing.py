"""Where one bot stands: rank, interval, and whom it beats, does not differ from, and loses to."""

from __future__ import annotations

from dataclasses import dataclass

from arena.analysis.intervals import Interval
from arena.report.text import RANKS_BY, chips, listed, percent, plural, rank_range, visible
from arena.tournament.standings import BotStanding, Standings

_NAMED = 20


@dataclass(frozen=True)
class Landing:
    """A bot's place among others, whose names stand from best to worst. Names are as they are, not made visible."""

    standing: BotStanding
    beats: tuple[str, ...]
    level_with: tuple[str, ...]  # not separated
    loses_to: tuple[str, ...]


def landing(standings: Standings, bot: int) -> Landing:
    """Where the entrant of this number stands; beside nobody where bots are not ranked."""
    place = next(p for p, standing in enumerate(standings.bots) if standing.bot == bot)
    found: dict[str, list[str]] = {"beats": [], "level": [], "loses": []}
    diff = standings.differences
    if diff is not None and place < len(diff.mean):
        for other in range(len(diff.mean)):
            if other != place:
                is_apart = bool(diff.separated[place, other])
                how = "level" if not is_apart else "beats" if place < other else "loses"
                found[how].append(standings.bots[other].name)
    return Landing(standings.bots[place], *(tuple(found[how]) for how in ("beats", "level", "loses")))


def measured(standing: BotStanding, standings: Standings) -> Interval:
    """What standings go by, of one bot."""
    if standings.rank_by == "wins":
        return standing.wins
    return standing.adjusted if standings.rank_by == "adjusted" and standing.adjusted else standing.chips


def landing_text(landed: Landing, standings: Standings) -> str:
    """The same in sentences."""
    bot, field = landed.standing, len(standings.bots)
    figure = measured(bot, standings)
    if standings.rank_by == "wins":
        amount = f"{percent(figure)} % of games won"
    else:
        amount = f"{chips(figure)} {RANKS_BY[standings.rank_by]}"
    name = visible(bot.name)
    if bot.games == 0:
        return f"{name} played no game: the schedule has no lineup with it."
    if bot.rank is None or bot.rank_low is None or bot.rank_high is None:
        return f"{name}: {amount}. Not ranked: these bots did not all meet the same field."
    span = (
        ""
        if bot.rank_low == bot.rank_high
        else f", by the intervals {rank_range(bot.rank_low, bot.rank_high)}"
    )
    lines = [f"{name} landed at rank {bot.rank} of {field}{span}: {amount}."]
    for words, names in (
        ("beats", landed.beats),
        ("is not separated from", landed.level_with),
        ("loses to", landed.loses_to),
    ):
        if names:
            who = listed([visible(n) for n in names], most=_NAMED)
            lines.append(f"  {words} {plural(len(names), 'bot')}: {who}")
        elif words == "beats":
            lines.append("  beats nobody")
    return "\n".join(lines)


def landing_json(landed: Landing, standings: Standings) -> dict[str, object]:
    """The same for programs, before ``results_json.dump``; ``figure`` is of what ``rank_by`` says."""
    bot, figure = landed.standing, measured(landed.standing, standings)
    return {
        "name": bot.name,
        "rank": bot.rank,
        "rank_low": bot.rank_low,
        "rank_high": bot.rank_high,
        "bots": len(standings.bots),
        "rank_by": standings.rank_by,
        "figure": {"mean": figure.mean, "low": figure.low, "high": figure.high},
        "beats": landed.beats,
        "not_separated_from": landed.level_with,
        "loses_to": landed.loses_to,
    }
