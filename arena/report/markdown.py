"""``report.md``: what was played, who is better, by how much, and how sure that is, for a person to read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.analysis.differences import Differences
from arena.analysis.ranks import letter
from arena.game.describe import describe
from arena.report.text import (
    chips,
    code_block,
    decimals,
    markdown,
    number,
    p_value,
    percent,
    plural,
    rank_range,
    share,
)
from arena.tournament.standings import BotStanding, Standings

if TYPE_CHECKING:
    from arena.bot.entrant import Entrant
    from arena.tournament.spec import TournamentSpec

MATRIX_BOTS = 16  # beyond these a matrix is no longer read; head_to_head.csv has every pair


def report_markdown(spec: TournamentSpec, entrants: Sequence[Entrant], standings: Standings) -> str:
    """The report as Markdown (GitHub's), LF, one trailing line end."""
    parts = [
        f"# {markdown(spec.name)}",
        *_what_was_played(spec, standings),
        "## Standings",
        _standings_table(standings),
        *_cautions(standings),
        *_how_to_read(standings),
        *_groups(standings),
        *_head_to_head(standings),
        *_more_deals(standings),
        *_faults(standings, entrants),
        *_bots(standings, entrants),
        *_table_rules(spec),
    ]
    return "\n\n".join(parts) + "\n"


def _what_was_played(spec: TournamentSpec, standings: Standings) -> list[str]:
    table = spec.table
    ends = [plural(table.end.rounds, "round")] if table.end.rounds is not None else []
    ends += [plural(table.end.turns, "turn")] if table.end.turns is not None else []
    ante = "each round" if table.ante.each_round else "as the game starts"
    schedule = {
        "round_robin": f"every lineup of {spec.seats} met",
        "balanced": f"{plural(standings.lineups, 'lineup')} of {spec.seats}, chosen to let pairs meet "
        "evenly, met",
        "gauntlet": f"lineups of {spec.seats} of one bot each against a fixed field met",
    }[spec.schedule]
    return [
        f"{plural(len(standings.bots), 'bot')} played In-Between: {schedule} in every rotation of its "
        "seats on the "
        f"same {plural(standings.deals, 'deal')}. That makes {plural(standings.lineups, 'lineup')}, "
        f"{plural(standings.games, 'game')} and {plural(standings.turns, 'turn')}, all from the seed "
        f"{spec.seed}.",
        f"Each seat starts with {plural(table.chips, 'chip')} and antes {table.ante.amount:,} {ante}. A "
        "bet is at "
        f"least {table.bet.min:,}, hitting a post costs {table.post.multiplier} bets, and a game ends after "
        f"{' or '.join(ends)}. All rules stand at the end.",
    ]


def _table(header: Sequence[str], align: str, lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table; ``align`` has a letter, l or r, for each column."""
    rule = ["---" if a == "l" else "--:" for a in align]
    return "\n".join("| " + " | ".join(line) + " |" for line in (header, rule, *lines))


def _standings_table(standings: Standings) -> str:
    header = ["Bot", "Chips a game", "Games won, %", "Busts, %", "Largest loss", "Turns", "Faults"]
    lines = [_standing(bot) for bot in standings.bots]
    if not standings.is_ranked:
        return _table(header, "lrrrrrr", lines)
    ranked = [
        [_rank(bot), _rank_range(bot), *line, bot.letters]
        for bot, line in zip(standings.bots, lines, strict=True)
    ]
    return _table(["Rank", "Rank range", *header, "Groups"], "rllrrrrrrl", ranked)


def _standing(bot: BotStanding) -> list[str]:
    if bot.games == 0:
        return [markdown(bot.name), "no game", "", "", "", "0", "0"]
    return [
        markdown(bot.name),
        chips(bot.chips),
        percent(bot.wins),
        share(bot.busts),
        f"{bot.largest_loss:,}",
        f"{bot.turns:,}",
        f"{bot.n_faults:,}",
    ]


def _rank(bot: BotStanding) -> str:
    return "" if bot.rank is None else str(bot.rank)


def _rank_range(bot: BotStanding) -> str:
    return "" if bot.rank_low is None or bot.rank_high is None else rank_range(bot.rank_low, bot.rank_high)


def _cautions(standings: Standings) -> list[str]:
    """What to be careful about, each a paragraph."""
    out = []
    if standings.deals == 1:
        out.append("**One deal was played: there is no interval, and nothing is separated.**")
    elif standings.is_approximate:
        out.append(
            f"**Approximate**: with {plural(standings.deals, 'deal')} and "
            f"{plural(len(standings.bots), 'bot')} the "
            "intervals may hold somewhat less often than stated."
        )
    if standings.dropped_deals:
        out.append(
            f"{plural(standings.dropped_deals, 'deal')} not played by every lineup, left out whole from "
            "every figure."
        )
    if not standings.is_ranked:
        out.append("These bots are not ranked: they did not all meet the same field.")
    return out


def _how_to_read(standings: Standings) -> list[str]:
    sure = f"{100 * standings.confidence:g} %"
    by = "share of games won" if standings.rank_by == "wins" else "chips a game"
    out = [
        "## How to read it",
        f"- *Chips a game* are net: what a bot ended with minus what it started with, over all its "
        "games. ± is the "
        f"half width of a {sure} interval; the deal is its unit, because the games of a deal share "
        "their cards. "
        "*Identical* means that every deal gave the same number.\n"
        "- *Games won* counts the most chips at the end, ties split; *busts* the games that ended with "
        "no chips.",
    ]
    if standings.is_ranked:
        out[-1] += (
            f"\n- Ranks go by {by}. *Rank range* is the range that holds a bot's true rank: all ranges "
            "hold together at "
            f"{sure}. Bots that share a letter under *groups* are not separated, whatever their ranks.\n"
            "- The intervals of single bots may overlap although two bots are separated: the difference "
            "on the same "
            "cards is surer than either mean. Head-to-head has those differences."
        )
    return out


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
    unit = "percentage points of games won" if standings.rank_by == "wins" else "chips a game"
    pairs = len(diff.mean) * (len(diff.mean) - 1) // 2
    intro = (
        f"By how much the bot of the line is ahead of the bot of the column, in {unit} over the same "
        "deals. The "
        f"intervals hold for all {plural(pairs, 'pair')} at once at {100 * standings.confidence:g} %. "
        "**Bold**: "
        "separated, the interval excludes 0. `head_to_head.csv` has every pair, with p and the direct "
        "meetings."
    )
    if len(diff.mean) > MATRIX_BOTS:
        return ["## Head-to-head", intro.split(" **Bold**")[0] + " Every pair is in `head_to_head.csv`."]
    scale = 100.0 if standings.rank_by == "wins" else 1.0
    header = ["", *(f"#{place}" for place in range(1, len(diff.mean) + 1))]
    lines = [
        [f"#{i + 1} {markdown(standings.bots[i].name)}"]
        + ["" if i == j else _difference(diff, i, j, scale) for j in range(len(diff.mean))]
        for i in range(len(diff.mean))
    ]
    return ["## Head-to-head", intro, _table(header, "l" + "r" * len(lines), lines)]


def _difference(diff: Differences, i: int, j: int, scale: float) -> str:
    """One cell of the matrix: ``**+12.3 ± 4.5**``."""
    mean = float(diff.mean[i, j]) * scale
    if diff.is_constant[i, j]:
        text = "identical" if mean == 0 else f"{number(mean, 2, sign=True)} on every deal"
    elif diff.half_width is None:
        text = number(mean, 1, sign=True)
    else:
        half = float(diff.half_width[i, j]) * scale
        places = decimals(half)
        text = f"{number(mean, places, sign=True)} ± {number(half, places)}"
    return f"**{text}**" if diff.separated[i, j] else text


def _more_deals(standings: Standings) -> list[str]:
    """What it would take to separate neighbours."""
    diff = standings.differences
    if diff is None or diff.p is None:
        return []
    lines = []
    for i, more in enumerate(standings.more_deals):
        pair = [markdown(standings.bots[place].name) for place in (i, i + 1)]
        lines.append([*pair, p_value(float(diff.p[i, i + 1])), _more(more, bool(diff.is_constant[i, i + 1]))])
    return [
        "## How many more deals",
        "About how many more deals would separate neighbours, if the difference is what it seems now. "
        "The p goes "
        "with the simultaneous intervals: it is below "
        f"{1 - standings.confidence:.4g} exactly where two bots are separated.",
        _table(["Bot", "Next", "p", "More deals"], "llrr", lines),
    ]


def _more(more: int | None, is_constant: bool) -> str:
    if more == 0:
        return "separated"
    if more is None:
        return "no spread to tell by" if is_constant else "cannot be told"
    digits = max(0, len(str(more)) - 2)
    return f"about {round(more, -digits):,}"


def _faults(standings: Standings, entrants: Sequence[Entrant]) -> list[str]:
    """Who answered what the rules do not allow, and the first time each."""
    faulty = [bot for bot in standings.bots if bot.faults]
    if not faulty:
        return ["## Faults", "None: every answer was legal."]
    out = [
        "## Faults",
        "A faulty bet counted as 0, a faulty call as the default call. The first of each kind in the "
        "order of lineups, "
        "deals, rotations and turns:",
    ]
    for bot in faulty:
        out.append(f"### {markdown(bot.name)}")
        for fault in bot.faults:
            text = f"{plural(fault.count, 'time')} *{fault.kind.label}*"
            if fault.first is None:
                out.append(text + ".")
                continue
            table = ", ".join(markdown(entrants[b].name) for b in fault.first.lineup)
            out.append(
                f"{text}, first on deal {fault.first.deal:,}, rotation {fault.first.rotation}, step "
                f"{fault.first.step:,} at the table of {table}:"
            )
            out.append(code_block(fault.first.text))
    return out


def _bots(standings: Standings, entrants: Sequence[Entrant]) -> list[str]:
    lines = []
    for bot in standings.bots:
        entrant = entrants[bot.bot]
        params = ", ".join(f"{key}={value!r}" for key, value in entrant.params)
        words = (bot.name, entrant.file.name, entrant.class_name, params, entrant.content[:12])
        lines.append([markdown(word) for word in words])
    return ["## Bots", _table(["Bot", "File", "Class", "Parameters", "Content"], "lllll", lines)]


def _table_rules(spec: TournamentSpec) -> list[str]:
    text = "\n".join(f"{key}: {value}" for key, value in _flat(spec.table.model_dump(mode="json")))
    sentences = "\n".join(f"- {sentence}" for sentence in describe(spec.table))
    return ["## Table rules", sentences, "The same as keys and values:", code_block(text)]


def _flat(table: dict[str, Any], before: str = "") -> list[tuple[str, str]]:
    """Dotted keys and their values, as ``--set`` takes them."""
    out: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            out += _flat(value, f"{before}{key}.")
        else:
            out.append((before + key, json.dumps(value).strip('"')))
    return out
