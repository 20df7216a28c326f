"""Write ``docs/strategy.md`` from games: ``python benchmarks/strategy.py`` plays ``configs/strongest.yaml`` at two tables.

Every figure of the page comes from that run, so the page says what the bots of this version do; ``--deals`` plays fewer and
``--print`` shows the page in place of writing it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.bot.entrant import find_entrants
from arena.report.text import chips, percent, plus_minus, scale_of, table
from arena.tournament.runner import usable_workers
from arena.tournament.schedule import spec_lineups
from arena.tournament.spec import load_spec
from arena.tournament.standings import Standings, standings
from arena.tournament.tournament import hold

ROOT = Path(__file__).parent.parent
CONFIG, PAGE, LEARNER = (
    ROOT / p for p in ("configs/strongest.yaml", "docs/strategy.md", "bots/strong/learner.py")
)
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

Which strategy is best depends on what is to be won. These bots are the best of the house roster and four that compute
or learned more than one idea. They play {deals:,} deals heads-up, each against each, in both seats on the same cards.
*Chips* are net, a game, with luck removed; *games won* counts who has most in the end, ties split. Intervals of single
bots are at {confidence:.0%}; those of being *behind* hold for all pairs at once at {confidence:.0%}, and one in italics
holds 0: those two bots are not separated. The *error rate* is what bets lose against exact play for the chips of this hand.

- **Exact** bets, calls and wagers what is worth most by the unseen cards, with every cap. Nothing wins more chips *with
  this hand*.
- **Kelly** bets the share of its chips by which they grow fastest, and **HalfKelly** half of that share.
- **Finisher** does not look at chips but at the chance to have more of them than the other in the end. With one or two
  turns to go that chance is exact; before, it comes from backward induction over lead and pot.
- **Learner** stakes by a table of numbers that the arena tuned for chips, by playing.
"""
LEARNED = """## What the learner learned

Its stake is the sum of what these lines say for a hand, in hundredths of the greatest bet, from nothing to all; between
two points it goes straight. It was tuned against {rivals} at the Nepali table, on deals of another seed
than any report's.
"""


def played(preset: str, deals: int | None) -> tuple[Standings, Standings]:
    """The standings of the strongest bots at a table, by chips less luck and by games won."""
    more = [f"deals={deals}"] if deals else []
    spec = load_spec(CONFIG, [f"table={{preset: {preset}}}", *more])
    entrants, problems = find_entrants(spec.bots)
    assert not problems, problems
    held = hold(spec, entrants, spec_lineups(spec, entrants), usable_workers(), True, lambda _: None)
    names = [entrant.name for entrant in entrants]
    return held.standings, standings(held.rows, names, "wins", spec.confidence, rules=spec.table)


def behind(found: Standings) -> dict[str, str]:
    """By how much each bot is behind the first, by name; in italics where they are not separated."""
    diff, scale = found.differences, scale_of(found.rank_by)
    assert diff is not None
    out = {found.bots[0].name: ""}
    for j, bot in enumerate(found.bots[1:], 1):
        by = plus_minus(diff.mean[0, j] * scale, (found.half_width(0, j) or 0.0) * scale, sign=False)
        out[bot.name] = by if diff.separated[0, j] else f"*{by}*"
    return out


def bots_table(by_chips: Standings, by_games: Standings) -> str:
    """The bots in order of chips, and how far they are behind the first by chips and by games."""
    firsts = [found.bots[0].name for found in (by_chips, by_games)]
    header = (
        "Bot",
        "Chips a game",
        f"Behind {firsts[0]}",
        "Games won, %",
        f"Behind {firsts[1]}",
        "Error rate, ‰",
    )
    in_chips, in_games = behind(by_chips), behind(by_games)
    lines = []
    for bot in by_chips.bots:
        assert bot.adjusted is not None
        rate = bot.skill.total.error_rate if bot.skill is not None else None
        error = "–" if rate is None else f"{rate:.1f}"
        won = percent(bot.wins)
        lines.append((bot.name, chips(bot.adjusted), in_chips[bot.name], won, in_games[bot.name], error))
    return table(header, "lrrrrr", lines)


def verdict(found: Standings, what: str, unit: str) -> str:
    """Who is first, and from whom that is not sure."""
    behind_first = behind(found)
    first, second = (bot.name for bot in found.bots[:2])
    unsure = [name for name, by in behind_first.items() if by.startswith("*")]
    surely = f"all but {', '.join(unsure)}" if unsure else "all others"
    lead = behind_first[second].strip("*")
    return (
        f"- By {what} **{first}** is first: ahead of {second} by {lead} {unit}, and separated from {surely}."
    )


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
    parts = []
    for preset, title in TABLES.items():
        by_chips, by_games = played(preset, deals)
        if not parts:
            parts.append(HEAD.format(deals=by_chips.deals, confidence=by_chips.confidence))
        parts.append(
            f"## {title}\n\n{bots_table(by_chips, by_games)}\n\n"
            f"{verdict(by_chips, 'chips', 'chips a game')}\n"
            f"{verdict(by_games, 'games', 'of 100 games')}\n\n"
            f"{by_chips.games:,} games, {by_chips.turns:,} turns.\n"
        )
    return "\n".join([*parts, LEARNED.format(rivals=RIVALS), f"{learned()}\n"])


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
