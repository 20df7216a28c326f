"""Extras in ``report.md``: ratings and what a seat is worth; each may say *not enough deals*."""

from __future__ import annotations

from arena.analysis.ratings import MIN_DEALS, Rating, Reason
from arena.report.text import UNCORRECTED, chips, markdown, number, plural, plus_minus, table
from arena.tournament.standings import Standings


def ratings_section(standings: Standings) -> list[str]:
    """Ratings in Elo points with intervals, or why there are none."""
    rated = [bot for bot in standings.bots if bot.games]
    if all(bot.rating.reason is Reason.NOT_ENOUGH_DEALS for bot in rated):
        deals = plural(standings.deals, "deal")
        return ["## Ratings", f"Not enough deals: ratings begin at {MIN_DEALS}, and there are {deals}."]
    pools = {bot.rating.pool for bot in rated}
    text = (
        "An extra, not a ranking: Plackett–Luce strengths in Elo points, from who finished above whom in each game, "
        "whatever the chips; 400 points are odds of ten to one. They can disagree with the standings, because "
        "winning games and winning chips are different goals. The mean is 0."
    )
    if standings.is_sequence:
        text += f" The intervals are *{UNCORRECTED}*."
    header, align = ["Bot", "Elo"], "lr"
    lines = [[markdown(bot.name), elo(bot.rating)] for bot in rated]
    if len(pools) > 1:
        text += " Only ratings of one pool compare: no games link it with the others."
        header, align = [*header, "Pool"], align + "r"
        for line, bot in zip(lines, rated, strict=True):
            line.append(str(bot.rating.pool + 1))
    return ["## Ratings", text, table(header, align, lines)]


def elo(rating: Rating) -> str:
    """``+45 ± 12``, or why there is no interval; where bots won or lost everything there is no number either."""
    if rating.elo is not None and rating.half_width is not None:
        return plus_minus(rating.elo, rating.half_width)
    if rating.reason is Reason.IDENTICAL and rating.elo is not None:
        return f"{number(rating.elo, 0, sign=True)} identical"
    return str(rating.reason)


def seats_section(standings: Standings) -> list[str]:
    """What a seat is worth by itself."""
    found = standings.seat_effect
    if found.seats is None or found.spread_chips is None:
        return ["## Seats", "Not enough deals."]
    lines = [[str(seat), chips(interval)] for seat, interval in enumerate(found.seats)]
    text = (
        "Net chips a game by seat; every bot sat in each equally often. From worst to best: "
        f"{number(found.spread_chips, 1)} chips."
    )
    if found.is_shown is None:
        text += " One deal shows no effect of seats: not enough deals."
    elif found.is_shown:
        text += " At least two seats are separated."
    else:
        text += " No two seats are separated: this may be chance."
    if standings.is_sequence:
        text += f" The intervals are *{UNCORRECTED}*."
    return ["## Seats", text, table(["Seat", "Chips a game"], "rr", lines)]
