"""Tables of ``report.html`` from ``results.json``: the numbers beside every chart, each heading with its definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.analysis.ratings import MIN_DEALS
from arena.report.results import Results, interval, ranked_by, unit_of
from arena.report.section_other import TITLES, VALUES, behind, value
from arena.report.section_pairs import more_text
from arena.report.section_stopping import looks_columns
from arena.report.sentences import dagger
from arena.report.text import chips, number, p_value, percent, plus_minus, rank_range, share, times

Bot = Mapping[str, Any]
_SETTLING_COLUMNS = 6
_LEFT = {"Not resolved": "unresolved", "As good as equal": "indifferent", "Bots too wide": "too-wide"}
_PAIRS_COLUMNS = 12


@dataclass(frozen=True)
class Head:
    """A column's heading; ``define`` names its definition in the glossary, ``""``: it needs none.

    ``bot`` is the place of the bot that the column is of, None for another.
    """

    text: str
    define: str = ""
    bot: int | None = None


@dataclass(frozen=True)
class Cell:
    """A cell; ``strong``: what it says is sure; ``bot``: the place of the bot that it names."""

    text: str
    strong: bool = False
    bot: int | None = None


@dataclass(frozen=True)
class Line:
    """A row; ``bot`` is the place of the bot it is of, None for another; ``name`` then stands at its head."""

    bot: int | None
    cells: Sequence[Cell]
    name: str = ""


@dataclass(frozen=True)
class Table:
    """A table with a caption; the first heading is that of the rows' own names."""

    caption: str
    heads: Sequence[Head]
    lines: Sequence[Line]
    note: str = ""
    left: frozenset[int] = field(default=frozenset())  # columns of words, not numbers


def line(bot: int | None, texts: Sequence[str], name: str = "") -> Line:
    """A row of plain cells."""
    return Line(bot, [Cell(text) for text in texts], name)


def standings_table(results: Results) -> Table:
    """Rank, range, what ranks first, the other measures, games saved, groups."""
    rank_by, has_luck = results["tournament"]["rank_by"], any(bot["adjusted"] for bot in results["bots"])
    heads = {
        "adjusted": Head("Luck-adjusted chips", "adjusted"),
        "chips": Head("Raw chips" if has_luck else "Chips a game", "chips"),
        "wins": Head("Games won, %", "won"),
    }
    heads = {by: Head(head.text + _mark(results, by), head.define) for by, head in heads.items()}
    shown = sorted((by for by in heads if by != "adjusted" or has_luck), key=lambda by: by != rank_by)
    head = [Head("Bot"), *(heads[by] for by in shown)]
    if has_luck:
        head.append(Head("Games saved", "games-saved"))
    if results["is_ranked"]:
        head[1:1] = [Head("Rank", "rank"), Head("Range", "range")]
        head.append(Head("Groups", "groups"))
    lines = [
        line(place, _standing(results, bot, shown, has_luck)) for place, bot in enumerate(results["bots"])
    ]
    return Table("Standings, best first", head, lines, dagger(results))


def _mark(results: Results, by: str) -> str:
    """A dagger at an interval that does not hold at every look."""
    return " †" if results["is_sequence"] and by != results["tournament"]["rank_by"] else ""


def _standing(results: Results, bot: Bot, shown: Sequence[str], has_luck: bool) -> list[str]:
    texts = [measure(bot, by) for by in shown]
    if has_luck:
        texts.append("–" if bot["games_saved"] is None else times(bot["games_saved"]))
    if results["is_ranked"]:
        rank = bot["rank"]
        texts[:0] = ["–", "–"] if rank is None else [str(rank), rank_range(bot["rank_low"], bot["rank_high"])]
        texts.append(bot["groups"])
    return texts


def measure(bot: Bot, by: str) -> str:
    """A bot's chips, adjusted chips or games won with the interval."""
    found = interval(ranked_by(bot, by))
    if not bot["games"]:
        return "no game"
    if found is None:
        return "–"
    return percent(found) if by == "wins" else chips(found)


def pairs_tables(results: Results) -> list[Table]:
    """By how much the bot of the line is ahead of the one of the column; what is separated is strong.

    As many tables as keep each one narrow enough for paper, where nothing can be scrolled.
    """
    _, scale = unit_of(results)
    bots = 1 + max(max(pair["bots"]) for pair in results["pairs"])
    cells = [[Cell("") for _ in range(bots)] for _ in range(bots)]
    for pair in results["pairs"]:
        (i, j), half = pair["bots"], pair["half_width"]
        for at, other, mean in ((i, j, pair["difference"]), (j, i, -pair["difference"])):
            text = (
                number(mean * scale, 1, sign=True) if half is None else plus_minus(mean * scale, half * scale)
            )
            if pair["never_varies"]:
                text = "identical" if mean == 0 else f"{number(mean * scale, 2, sign=True)} on every deal"
            cells[at][other] = Cell(text, pair["separated"])
    note = "Bold: separated. Columns are places in the standings."
    return [
        Table(
            "Differences of all pairs" + (f", #{first + 1} to #{last}" if bots > _PAIRS_COLUMNS else ""),
            [Head("Bot"), *(Head(f"#{place + 1}", "difference", place) for place in range(first, last))],
            [Line(place, row[first:last]) for place, row in enumerate(cells)],
            note if last == bots else "",
        )
        for first in range(0, bots, _PAIRS_COLUMNS)
        for last in [min(first + _PAIRS_COLUMNS, bots)]
    ]


def neighbours_table(results: Results) -> Table:
    """How sure each bot is apart from the next, and how many more deals would separate them."""
    pairs = {tuple(pair["bots"]): pair for pair in results["pairs"]}
    lines = []
    for place, more in enumerate(results["more_deals"]):
        pair = pairs[place, place + 1]
        p = "–" if pair["p"] is None else p_value(pair["p"])
        texts = [p, more_text(more, pair["never_varies"])]
        lines.append(Line(place, [Cell("", bot=place + 1), *map(Cell, texts)]))
    heads = [Head("Bot"), Head("Next"), Head("p", "p"), Head("More deals", "more-deals")]
    return Table("Neighbours in the standings", heads, lines, left=frozenset({1}))


def settling_table(results: Results) -> Table:
    """The means after some of the numbers of deals of the chart."""
    _, scale = unit_of(results)
    deals = results["settling"]["deals"]
    at = sorted({len(deals) * k // _SETTLING_COLUMNS - 1 for k in range(1, _SETTLING_COLUMNS + 1)} - {-1})
    lines = []
    for place, (bot, found) in enumerate(zip(results["bots"], results["settling"]["bots"], strict=True)):
        if bot["games"]:
            means, halves = found["means"], found["half_widths"]
            texts = [
                _with_half(means[k] * scale, None if halves[k] is None else halves[k] * scale) for k in at
            ]
            lines.append(line(place, texts))
    heads = [Head("Bot"), *(Head(f"{deals[k]:,} deals", "settling") for k in at)]
    return Table("Means over the first deals", heads, lines)


def _with_half(mean: float, half: float | None) -> str:
    return number(mean, 1, sign=True) if half is None else plus_minus(mean, half)


def other_table(results: Results) -> Table | None:
    """Bots by the other goal, best first; None where bots are not ranked."""
    found = results["other_ranking"]
    if found is None:
        return None
    names = [bot["name"] for bot in results["bots"]]
    mean = "won" if found["rank_by"] == "wins" else found["rank_by"]
    heads = [Head("Bot"), Head("Rank", "rank"), Head("Range", "range"), Head(VALUES[found["rank_by"]], mean),
             Head(f"Behind {names[found['lines'][0]['place']]}", "difference")]  # fmt: skip
    lines = []
    for at in found["lines"]:
        ranks = [str(at["rank"]), rank_range(at["rank_low"], at["rank_high"])]
        cells = [Cell(text) for text in (*ranks, value(found, at))]
        lines.append(Line(at["place"], [*cells, Cell(behind(found, at), at["is_separated"])]))
    return Table(TITLES[found["rank_by"]], heads, lines)


def games_table(results: Results) -> Table:
    """How games ended: won, won less luck, busts, largest loss, ratings, faults."""
    heads = [Head("Bot"), Head("Games", "games"), Head("Won, %" + _mark(results, "wins"), "won"),
             Head("Won less luck, %" + _mark(results, "control"), "won-less-luck"),
             Head("Elo" + _mark(results, "elo"), "elo"), Head("Busts, %", "busts"), Head("Largest loss", "largest-loss"),
             Head("Turns", "turns"), Head("Faults", "faults")]  # fmt: skip
    lines = []
    for place, bot in enumerate(results["bots"]):
        less = interval(bot["win_share_adjusted"])
        texts = [
            f"{bot['games']:,}",
            measure(bot, "wins"),
            "–" if less is None else percent(less),
            elo_text(bot),
        ]
        texts += [share(bot["bust_share"]), f"{bot['largest_loss']:,}", f"{bot['turns']:,}"]
        lines.append(line(place, [*texts, f"{sum(bot['faults'].values()):,}"]))
    note = "" if results["played"]["deals"] >= MIN_DEALS else "Ratings and less luck need more deals."
    return Table("How games ended", heads, lines, note)


def elo_text(bot: Bot) -> str:
    """A rating with its interval, or why there is none."""
    rating = bot["rating"]
    if rating["elo"] is not None and rating["half_width"] is not None:
        return plus_minus(rating["elo"], rating["half_width"])
    return rating["reason"] or "–"


def seats_table(results: Results) -> Table | None:
    """Chips a game by seat; None where there are too few deals."""
    seats = results["seat_effect"]["seats"]
    if seats is None:
        return None
    found = [(seat, at) for seat, at in enumerate(map(interval, seats)) if at is not None]
    lines = [line(None, [chips(at)], f"seat {seat}") for seat, at in found]
    return Table(
        "Chips a game by seat",
        [Head("Seat", "seat"), Head("Chips a game" + _mark(results, "seat"), "chips")],
        lines,
    )


def looks_table(results: Results) -> Table:
    """The looks of a run that could stop early."""
    names, rows = looks_columns(results)
    defined = ["look", "separated", *(_LEFT[name] for name in names[2:-2]), "widest", "widest"]
    heads = [Head(text, define) for text, define in zip(names, defined, strict=True)]
    return Table("Looks", heads, [line(None, row[1:], row[0]) for row in rows])


def anchors(results: Results) -> list[str]:
    """The id of each bot's section: from its name alone, so that a link outlives its rank, its code, and bots to come."""
    return [f"bot-{slug(bot['name'])}-{digest(bot['name'])}".replace("--", "-") for bot in results["bots"]]


def slug(name: str) -> str:
    """``name`` in small letters, digits and dashes.

    >>> slug("Half Pot_8"), slug("<script>"), slug("עברית")
    ('half-pot-8', 'script', '')
    """
    words = "".join(char if char.isascii() and char.isalnum() else " " for char in name.lower()).split()
    return "-".join(words)


def digest(name: str) -> str:
    """Six hexadecimal digits of a name."""
    import hashlib

    return hashlib.sha256(name.encode("utf-8")).hexdigest()[:6]


def ahead_of(results: Results, place: int) -> tuple[list[int], list[int], list[int]]:
    """The places of bots that this one is surely ahead of, surely behind, and neither."""
    ahead, behind, open_ = [], [], []
    for pair in results["pairs"]:
        if place not in pair["bots"]:
            continue
        first, second = pair["bots"]
        other = second if place == first else first
        if not pair["separated"]:
            open_.append(other)
        elif place == first:
            ahead.append(other)
        else:
            behind.append(other)
    return ahead, behind, open_
