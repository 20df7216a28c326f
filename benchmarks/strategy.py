"""Write ``docs/strategy.md`` from games: ``python benchmarks/strategy.py`` plays ``configs/strongest.yaml`` at two tables.

Every figure of the page comes from that run, so the page says what the bots of this version do; ``--deals`` plays fewer and
``--print`` shows the page in place of writing it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from arena.analysis.intervals import Interval, intervals
from arena.bot.entrant import find_entrants
from arena.game.rules import TableRules
from arena.report.section_other import behind, first_sentence
from arena.report.text import chips, number, percent, share, table
from arena.tournament.other_ranking import other_ranking
from arena.tournament.runner import usable_workers
from arena.tournament.schedule import spec_lineups
from arena.tournament.spec import load_spec
from arena.tournament.standings import Standings
from arena.tournament.tournament import Held, hold

ROOT = Path(__file__).parent.parent
CONFIG, PAGE = ROOT / "configs" / "strongest.yaml", ROOT / "docs" / "strategy.md"
LEARNER, FINISHER = (ROOT / "bots" / "strong" / file for file in ("learner.py", "finisher.py"))
TABLES = {
    "nepali": "The Nepali table",
    "article": "The article's table, which nobody was tuned for",
}
SCALES = {
    "edge": "Chips to expect for a chip",
    "gap": "Ranks that win",
    "pot": "Pot to own chips",
    "left": "Rounds to come",
    "lead": "Lead, in chips of the start",
}
RIVALS = "Exact, Kelly and FreshPack"
HEAD = """# Strategy: chips or games

*This page is written by `python benchmarks/strategy.py`, which plays `configs/strongest.yaml`: every figure on it comes from
that run, and a test plays it again.*

Which strategy is best depends on what is to be won. These bots are the best of the house roster, by chips or by games,
and two that are more than one idea. They play {deals:,} deals heads-up, each against each, in both seats on the same
cards. *Chips* are net, a game, with luck removed; *games won* counts who has most in the end, ties split. Intervals of
single bots are at {confidence:.0%}; those of being *behind* hold for all pairs at once at {confidence:.0%}. *Net if won*
and *net if lost* are a game's chips where a bot had most in the end, and where it had not; *busts* are games that it ended
with nothing.

- **Exact** bets, calls and wagers what is worth most by the unseen cards, with every cap. Nothing wins more chips *with
  this hand*. **Edge** stakes all it may on every hand that the unseen cards favour.
- **Kelly** bets the share of its chips by which they grow fastest, and **HalfKelly** half of that share.
- **Finisher** does not look at chips but at the chance to have more of them than the other in the end.
- **Learner** stakes by a table of numbers that the arena tuned for chips, by playing.
- **FreshPack** and the **Gap** bots do not count cards, and **LeaderPasses** plays on only while it is not ahead.
  [The others](../bots/README.md) are too far behind to matter here.
"""
WHY = """## Why the orders differ

- **Games are won by a chip as well as by a hundred.** Finisher has most in {finisher.won} % of its games, by
  {finisher.gain} chips on average, and pays {finisher.price} for each of the others: behind, it stakes what it takes to come
  back, however poor the odds; ahead, it passes. It reckons back from the last turn, on a grid of leads and pots, with what
  Edge would do: that plan promises it {planned} % of games from the first turn on, and against Edge it won {met} %.
  {leader} is first by chips with {leader_is.won} % of its games: it wins
  {leader_is.gain} where it wins and loses {leader_is.price} where it does not.
- **The best of every hand is not the best of a game.** Nothing expects more of a hand than Exact, and yet it is behind
  {leader}. What is lost on a thin edge is missing on later hands, which may be good ones: Exact, who takes every bet that
  expects anything, is broke in {exact.busts} % of its games, and Kelly, who stakes a part by the edge, in {kelly.busts} %.
- **Half of Kelly's stake is too careful here.** HalfKelly is broke in {half.busts} % of its games, and gives away what it
  does not stake: a game is a few rounds, and what grows slowest is not ahead at its end.
"""
LEARNED = """## What the learner learned

Its stake is the sum of what these lines say for a hand, in hundredths of the greatest bet, from nothing to all; between
two points it goes straight. It was tuned against {rivals} at the Nepali table, on deals of a seed
that no shipped tournament has.
"""


@dataclass(frozen=True)
class Ends:
    """How a bot's games ended, as text: share won in %, mean chips won where it won, lost where not, busts in %."""

    won: str
    gain: str
    price: str
    busts: str


@dataclass(frozen=True)
class Played:
    """One table: standings, the rankings by chips and by games as ``results.json`` has them, and ends by name.

    ``planned`` is the share of games, in %, that Finisher's plan reckons with, ``met`` what it won of those against Edge.
    """

    standings: Standings
    by_chips: Mapping[str, Any]
    by_games: Mapping[str, Any]
    ends: Mapping[str, Ends]
    planned: str
    met: str


def played(preset: str, deals: int | None) -> Played:
    """The strongest bots at a table."""
    more = [f"deals={deals}"] if deals else []
    spec = load_spec(CONFIG, [f"table={{preset: {preset}}}", *more])
    entrants, problems = find_entrants(spec.bots)
    assert not problems, problems
    held = hold(spec, entrants, spec_lineups(spec, entrants), usable_workers(), True, lambda *_: None)
    order = [bot.bot for bot in held.standings.bots]
    by_chips = other_ranking(held.rows.adjusted_chips[:, order], "adjusted", spec.confidence)
    by_games = held.standings.other
    assert by_chips is not None
    assert by_games is not None
    names = [entrant.name for entrant in entrants]
    return Played(
        held.standings,
        asdict(by_chips),
        asdict(by_games),
        ends(held, spec.table.chips),
        number(100 * planned(spec.table), 1),
        percent(won_between(held, names.index("Finisher"), names.index("Edge"), spec.confidence)),
    )


def planned(table: TableRules) -> float:
    """The share of games that Finisher's plan reckons with once a game's first turn is over and nothing was won in it."""
    space: dict[str, Any] = {}
    exec(compile(FINISHER.read_bytes(), FINISHER.name, "exec"), space)
    each, to_come = np.array([table.chips - table.ante.amount]), 2 * (table.end.rounds or 0) - 1
    pot = np.array([2 * table.ante.amount])
    return float(space["Prospects"](table).chance(to_come, each, each, pot)[0])


def won_between(held: Held, one: int, other: int, confidence: float) -> Interval:
    """The share of one bot's games against another that it won, ties split, by deal."""
    shares = []
    for result in held.results:
        if set(result.block.lineup) == {one, other}:
            chips = result.chips
            lead = chips[..., result.block.lineup.index(one)] - chips[..., result.block.lineup.index(other)]
            shares.append((np.sign(lead) / 2 + 0.5).mean(axis=0))
    (found,) = intervals(np.concatenate(shares)[:, None], confidence)
    return found


def ends(held: Held, start: int) -> dict[str, Ends]:
    """How games ended, by bot; ``start`` is what every seat begins with."""
    out = {}
    for bot in held.standings.bots:
        net = []
        won = []
        for result in held.results:
            if bot.bot in result.block.lineup:
                mine = result.chips[:, :, result.block.lineup.index(bot.bot)]
                net.append(mine.ravel() - start)
                won.append((mine == result.chips.max(axis=2)).ravel())
        chips_net, is_won = np.concatenate(net), np.concatenate(won)
        gain, price = (number(float(x.mean()), 0) for x in (chips_net[is_won], -chips_net[~is_won]))
        out[bot.name] = Ends(number(100 * bot.wins.mean, 0), gain, price, share(bot.busts))
    return out


def bots_table(at: Played) -> str:
    """The bots in order of chips, and how far they are behind the first by chips and by games."""
    bots, goals = at.standings.bots, (at.by_chips, at.by_games)
    firsts = [bots[goal["lines"][0]["place"]].name for goal in goals]
    header = (
        "Bot", "Chips a game", f"Behind {firsts[0]}", "Games won, %", f"Behind {firsts[1]}", "Net if won",
        "Net if lost", "Busts, %",
    )  # fmt: skip
    lines = []
    for place, bot in enumerate(bots):
        assert bot.adjusted is not None
        of_chips, of_games = (
            behind(goal, next(line for line in goal["lines"] if line["place"] == place)) for goal in goals
        )
        end = at.ends[bot.name]
        lines.append(
            (bot.name, chips(bot.adjusted), of_chips, percent(bot.wins), of_games, f"+{end.gain}", f"-{end.price}",
             end.busts)
        )  # fmt: skip
    return table(header, "lrrrrrrr", lines)


def verdicts(at: Played) -> str:
    """Who is first, and from whom that is not sure: by chips and by games."""
    names = [f"**{bot.name}**" for bot in at.standings.bots]
    return "\n".join(f"- {first_sentence(goal, names)}" for goal in (at.by_chips, at.by_games))


def why(at: Played) -> str:
    """Why the orders differ. Raises ``AssertionError`` where figures no longer say what the words do."""
    by_name = {bot.name: bot for bot in at.standings.bots}
    leader = at.standings.bots[0].name
    chips_of = {name: bot.adjusted.mean for name, bot in by_name.items() if bot.adjusted is not None}
    busts = {name: bot.busts for name, bot in by_name.items()}
    assert at.standings.bots[at.by_games["lines"][0]["place"]].name == "Finisher" != leader
    assert chips_of["Exact"] < chips_of[leader]
    assert busts["Exact"] > 2 * busts["Kelly"]
    assert chips_of["HalfKelly"] < chips_of["Kelly"]
    assert busts["HalfKelly"] < busts["Exact"]
    of = at.ends
    return WHY.format(
        finisher=of["Finisher"], leader=leader, leader_is=of[leader], exact=of["Exact"], kelly=of["Kelly"],
        half=of["HalfKelly"], planned=at.planned, met=at.met,
    )  # fmt: skip


def learned() -> str:
    """The learner's table, a line a scale."""
    space: dict[str, Any] = {}
    exec(compile(LEARNER.read_bytes(), LEARNER.name, "exec"), space)
    stakes: Sequence[float] = space["STAKES"]
    out, at = [], 0
    for (name, says), scale in zip(SCALES.items(), space["SCALES"], strict=True):
        assert scale == space[name.upper()]
        points = stakes[at : at + len(scale)]
        at += len(scale)
        out.append(
            (says, " · ".join(f"{x:g}: {round(100 * y):+d}" for x, y in zip(scale, points, strict=True)))
        )
    return table(("Scale", "Point: hundredths"), "ll", out)


def page(deals: int | None = None) -> str:
    """The whole page."""
    at = {preset: played(preset, deals) for preset in TABLES}
    first = at["nepali"]
    parts = [HEAD.format(deals=first.standings.deals, confidence=first.standings.confidence)]
    for preset, title in TABLES.items():
        found = at[preset]
        parts.append(
            f"## {title}\n\n{bots_table(found)}\n\n{verdicts(found)}\n\n"
            f"{found.standings.games:,} games, {found.standings.turns:,} turns.\n"
        )
    return "\n".join([*parts, why(first), LEARNED.format(rivals=RIVALS), f"{learned()}\n"])


def main() -> None:
    """Play, and write the page."""
    parser = argparse.ArgumentParser(description="Write docs/strategy.md.")
    parser.add_argument("--deals", type=int, help="deals to play, in place of the file's")
    parser.add_argument("--print", action="store_true", help="print the page and write nothing")
    given = parser.parse_args()
    text = page(given.deals)
    if given.print:
        sys.stdout.write(text)
    else:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
