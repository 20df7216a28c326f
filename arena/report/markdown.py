"""``report.md``: what was played, who is better, by how much, and how sure that is, for a person to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from arena.game.describe import describe
from arena.report.results import Results
from arena.report.section_answers import answers_section
from arena.report.section_extras import ratings_section, seats_section
from arena.report.section_other import other_section
from arena.report.section_pairs import pairs_sections
from arena.report.section_skill import skill_sections
from arena.report.section_standings import games_section, standings_section
from arena.report.section_stopping import stopping_section
from arena.report.sentences import played, time_faults, was_out
from arena.report.text import RANKS_BY, code_block, flat_keys, markdown, markdown_alt, plural, table
from arena.tournament.seeds import commitment, is_drawn, verify_line
from arena.tournament.standings import Standings

if TYPE_CHECKING:
    from arena.bot.entrant import Entrant
    from arena.game.rules import TableRules
    from arena.tournament.answers import RunAnswers
    from arena.tournament.spec import TournamentSpec


def report_markdown(
    spec: TournamentSpec,
    entrants: Sequence[Entrant],
    standings: Standings,
    results: Results,
    run: RunAnswers | None = None,
    pictures: Mapping[str, tuple[str, str]] | None = None,
) -> str:
    """The report as Markdown (GitHub's), LF, one trailing line end.

    ``results`` is what ``results.json`` says of the same standings, ``run`` answers that took its games to find.
    ``pictures`` are set below headings: heading → file, and what it shows in words.
    """
    parts = [
        f"# {markdown(spec.name)}",
        *_what_was_played(spec, results),
        *standings_section(standings, results),
        *stopping_section(results),
        *pairs_sections(standings, results),
        *skill_sections(standings),
        *other_section(standings),
        *games_section(standings),
        *_settling(standings),
        *ratings_section(standings),
        *seats_section(standings),
        *answers_section(spec.table, standings, run),
        *_faults(standings, entrants, time_faults(results)),
        *_bots(standings, entrants),
        *_table_rules(spec),
    ]
    for heading, (file, alt) in (pictures or {}).items():
        if heading in parts:
            parts.insert(parts.index(heading) + 1, f"![{markdown_alt(alt)}]({file})")
    return "\n\n".join(parts) + "\n"


def _settling(standings: Standings) -> list[str]:
    """What its picture shows; the numbers are in ``results.json``."""
    return [
        "## Settling over deals",
        f"What the first deals alone would have said, in {RANKS_BY[standings.rank_by]}: lines that have become level have "
        "settled. `results.json` has the numbers with intervals.",
    ]


def _what_was_played(spec: TournamentSpec, results: Results) -> list[str]:
    rules = spec.table
    ends = [plural(rules.end.rounds, "round")] if rules.end.rounds is not None else []
    ends += [plural(rules.end.turns, "turn")] if rules.end.turns is not None else []
    return [
        played(results),
        *_commitment(spec),
        f"Each seat starts with {plural(rules.chips, 'chip')}{_bank(rules)}. A bet is at "
        f"least {rules.bet.min:,}, hitting a post costs {plural(rules.post.multiplier, 'bet')}, and a game ends after "
        f"{' or '.join(ends)}. All rules stand at the end.",
    ]


def _bank(rules: TableRules) -> str:
    """Where bets are won from, behind ``Each seat starts with 1,000 chips``."""
    if rules.bank == "pot":
        ante = "each round" if rules.ante.each_round else "as the game starts"
        return f" and antes {rules.ante.amount:,} {ante}"
    wagers = ", on wagers before the posts" if rules.bet.before_posts else ""
    if rules.bank == "house":
        return f"; a house pays and takes{wagers}, and nobody antes"
    return f"; the dealer covers every bet{wagers}, and nobody antes"


def _commitment(spec: TournamentSpec) -> list[str]:
    """How a drawn seed is checked against what was said before play."""
    if not is_drawn(spec.seed):
        return []
    return [
        f"The seed's commitment is `{commitment(spec.seed)}`. A run with a secret seed prints it before the first "
        f"card; `{verify_line(spec.seed)}` gives it again, and `arena run` with `--seed {spec.seed}` this report."
    ]


def _faults(standings: Standings, entrants: Sequence[Entrant], late: str) -> list[str]:
    """Who answered what the rules do not allow, and the first time each."""
    faulty = [bot for bot in standings.bots if bot.faults]
    if not faulty:
        return ["## Faults", "None: every answer was legal."]
    out = [
        "## Faults",
        "A faulty bet counted as 0, a faulty wager as the least, a faulty call as the default call. The first of each "
        "kind in the order of lineups, deals, rotations and turns:",
    ]
    if late:
        out.append(late)
    for bot in faulty:
        out.append(f"### {markdown(bot.name)}")
        for fault in bot.faults:
            text = f"{plural(fault.count, 'time')} *{fault.kind.label}*"
            text += was_out(fault.kind.label, fault.count, bot.games)
            if fault.first is None:
                out.append(text + ".")
                continue
            names = ", ".join(markdown(entrants[b].name) for b in fault.first.lineup)
            out.append(
                f"{text}, first on deal {fault.first.deal:,}, rotation {fault.first.rotation}, step "
                f"{fault.first.step:,} at the table of {names}:"
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
    return ["## Bots", table(["Bot", "File", "Class", "Parameters", "Content"], "lllll", lines)]


def _table_rules(spec: TournamentSpec) -> list[str]:
    text = "\n".join(f"{key}: {value}" for key, value in flat_keys(spec.table.model_dump(mode="json")))
    sentences = "\n".join(f"- {sentence}" for sentence in describe(spec.table))
    return ["## Table rules", sentences, "The same as keys and values:", code_block(text)]
