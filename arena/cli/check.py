"""``arena check``: may this bot play, and if not, why not: every reason at once."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.interrupts import as_python_answers, ended_at_once
from arena.cli.progress import say_trusted
from arena.cli.say import fitted, prose_columns, tell
from arena.errors import ArenaError
from arena.game.rules import DEFAULT_PRESET

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arena.analysis.skill import SkillReport
    from arena.bot.entrant import BotSource, Entrant
    from arena.check.checking import Checked
    from arena.check.findings import Finding
    from arena.game.rules import TableRules
    from arena.tournament.spec import Limits

_PRINTED_LINES = 10
_EXAMPLES = f"""
\b
Examples:
  arena check mine.py                          every bot in it, on every table
  arena check 'mine.py:Mine(large=0.2)' Kelly  with parameters; one of bots/
  arena check mine.py --table {DEFAULT_PRESET} --deals 1000
  arena check mine.py --config configs/article.yaml    its table and limits
  arena check mine.py --table nepali --debug   stop at its first fault
  arena check bots --json                      a whole folder, for a program

Exit codes: 0 all may play; 1 one would be refused, with every reason; 2 your input is wrong; 3 bots cannot be run
here; 130 interrupted.
"""


@click.command(epilog=_EXAMPLES)
@click.argument("bots", metavar="BOT...", nargs=-1, required=True)
@click.option(
    "--table", "presets", multiple=True, metavar="PRESET", help="Only this table; may be given again."
)
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE",
              help="A tournament file: its table, its limits, and the bots that names are looked up in.")  # fmt: skip
@click.option("--deals", type=click.IntRange(1, 100_000), default=300, show_default=True,
              help="Deals on each table, each from both seats.")  # fmt: skip
@click.option(
    "--trust-bots", is_flag=True, help="Run bots in this process: only if you wrote every one yourself."
)
@click.option("--debug", is_flag=True,
              help="Run bots in this process (see --trust-bots) and open a debugger (pdb) at the first fault.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON array, an object for each bot.")
def check(
    bots: tuple[str, ...],
    presets: tuple[str, ...],
    config: Path | None,
    deals: int,
    trust_bots: bool,
    debug: bool,
    as_json: bool,
) -> None:
    """Play bots on every table and say what is wrong with them; exit 1 if anything is.

    A bot is named as file.py (all bots in it), file.py:Class, file.py:Class(threshold=7), a folder, or by its name among
    the bots in bots/. It plays each deal three times: all deals at once, the same again in a process where text
    hashes otherwise, and in small batches. Its answers must be the same, and legal; also on views at the edge (every
    pair of posts at a table of eight, with one chip, a huge pot, the last unseen card). Then it is told what its
    decisions cost it.
    """
    tables, roster, limits = _setting(presets, config)
    if debug and as_json:
        raise ArenaError("--debug and --json are both there; leave one of them out")
    if trust_bots or debug:
        say_trusted("in this process")
    if debug:
        for text in dict.fromkeys(bots):
            _debug(text, tables, roster, limits, deals)
    results = [
        result
        for text in dict.fromkeys(bots)
        for result in _check(text, tables, roster, limits, deals, trust_bots or debug)
    ]
    if as_json:
        from arena.report.results_json import dump

        click.echo(dump([checked_json(result) for result in results]).decode("ascii"), nl=False)
    else:
        click.echo("\n\n".join(checked_text(result, prose_columns()) for result in results))
    sys.exit(0 if all(result.is_good for result in results) else 1)


def _setting(
    presets: tuple[str, ...], config: Path | None
) -> tuple[Mapping[str, TableRules], tuple[BotSource, ...], Limits]:
    """Tables, roster and limits. Raises ``ArenaError``."""
    from arena.bot.entrant import BotSource
    from arena.check.named import all_tables
    from arena.tournament.spec import Limits, load_spec, load_table

    if config is not None:
        if presets:
            raise ArenaError(f"--config and --table are both there; leave --table {presets[0]} out")
        spec = load_spec(config)
        return {spec.name: spec.table}, spec.bots, spec.limits
    tables = {name: load_table(name)[0] for name in presets} if presets else all_tables()
    return tables, (BotSource(Path("bots")),), Limits()


def _check(
    text: str,
    tables: Mapping[str, TableRules],
    roster: tuple[BotSource, ...],
    limits: Limits,
    deals: int,
    trust_bots: bool,
) -> list[Checked]:
    from arena.check.checking import broken
    from arena.check.named import bots_of, house_bots

    entrants, problems = bots_of(text, roster)
    reasons = [*map(str, problems), *_as_a_submission(text, entrants, roster)]
    results = [broken(text, reasons)] if reasons else []
    return results + check_all(entrants, tables, house_bots(roster), limits, deals, trust_bots)


def _as_a_submission(text: str, entrants: Sequence[Entrant], roster: Sequence[BotSource]) -> list[str]:
    """Why a file that lies outside the roster would be refused by ``arena submit``, whatever is in the roster."""
    from arena.bot.entrant import parse_bot
    from arena.tournament.submission import link_problem, name_problems

    source = parse_bot(text, Path())
    folders = [one.path.resolve() for one in roster]
    if source.class_name is not None or not source.path.is_file() or source.path.parent.resolve() in folders:
        return []
    link = link_problem(source.path)
    return ([] if link is None else [link]) + name_problems(source.path, entrants)


def check_all(
    entrants: Sequence[Entrant],
    tables: Mapping[str, TableRules],
    house: Sequence[Entrant],
    limits: Limits,
    deals: int,
    trust_bots: bool,
    if_interrupted: str = "interrupted: nothing is decided",
) -> list[Checked]:
    """Bots checked, also against ``house``, a terminal being told what is under way; ``if_interrupted`` is said then."""
    from arena.check.checking import check

    def say(doing: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r\x1b[K{doing}", nl=False, err=True)

    with (
        ended_at_once(if_interrupted),
        contextlib.redirect_stdout(sys.stderr),  # standard output is data: trusted bots may print, too
    ):
        results = [
            check(entrant, tables, deals, limits, trust_bots, say, house=house) for entrant in entrants
        ]
    say("")
    return results


def _debug(
    text: str, tables: Mapping[str, TableRules], roster: tuple[BotSource, ...], limits: Limits, deals: int
) -> None:
    """Play the bots that a text names until one makes a fault, and look at it there; then the command is over."""
    import pdb

    from arena.bot.load import what_happened
    from arena.check.checking import check
    from arena.check.debug import DebuggedHost, StoppedError
    from arena.check.named import bots_of, house_bots
    from arena.report.text import visible, visible_lines

    as_python_answers()
    house = house_bots(roster)
    for entrant in bots_of(text, roster)[0]:
        try:
            check(entrant, tables, deals, limits, True, trusted_host=DebuggedHost, house=house)
        except StoppedError as stopped:
            what = visible_lines(what_happened(stopped.error, entrant.file.name, entrant.content))
            click.echo(f"{visible(entrant.name)}: {stopped.kind.label}\n{what}")
            tell("pdb: w where, p EXPRESSION, u and d up and down, q to leave")
            pdb.post_mortem(stopped.error.__traceback__)
            sys.exit(1)


def checked_text(result: Checked, columns: int | None = None) -> str:
    """What is to be said of a bot, wrong or right: sentences in so many columns; what code said stays as it is."""
    from arena.report.text import plural, visible, visible_lines

    name = visible(result.name)
    wrong = sum(finding.is_wrong for finding in result.findings)
    on = "on each of " if len(result.accepted) > 1 else "on "
    played = (
        f"{plural(result.deals, 'deal')} {on}{', '.join(result.accepted)}; {plural(result.turns, 'turn')}"
    )
    played += f"; half of it against {plural(len(result.against), 'house bot')}" if result.against else ""
    head = f"{name}: good" if result.is_good else f"{name}: would be refused, for {plural(wrong, 'reason')}"
    lines = [fitted(head + (f" ({played})" if result.accepted else ""), columns)]
    for finding in result.findings:
        also = f"; also on {', '.join(finding.also)}" if finding.also else ""
        lines.append(fitted(f"  {finding.kind}: {visible_lines(finding.sentence)}{also}", columns))
        lines += [f"      {line}" for line in visible_lines(finding.text or "").splitlines()]
    return "\n".join(lines + _facts(result, columns))


def _facts(result: Checked, columns: int | None) -> list[str]:
    """What its author would want to know, nothing of it a reason to refuse."""
    from tabulate import tabulate

    from arena.report.text import number, visible_lines

    lines = []
    if (pace := result.pace) is not None:
        told = (
            f"  time from question to answer, one decision at a time: {pace.median_ms:.2f} ms (median), "
            f"{pace.p99_ms:.2f} ms or less for 99 % of {pace.decisions:,}, {pace.max_ms:.2f} ms at most; where a bot is "
            f"quick most of that is the asking, not the bot; {result.decision_ms} ms are allowed"
        )
        lines.append(fitted(told, columns))
    lost = {preset: skill.total.lost_per_decision_chips for preset, skill in result.skill.items()}
    by_table = [f"{preset} {number(chips, 3)}" for preset, chips in lost.items() if chips is not None]
    if by_table:
        lines.append(fitted(f"  chips lost a decision, against exact play: {', '.join(by_table)}", columns))
    for preset, skill in list(result.skill.items())[:1]:
        curve = [[p.gap, f"{100 * p.stake:.0f}", f"{100 * p.best_stake:.0f}"] for p in skill.curve]
        if curve:
            by_gap = [["gap", "% it bets", "% the best"], *curve]
            table = tabulate(
                list(zip(*by_gap, strict=True)), tablefmt="plain", disable_numparse=True,
                colalign=["left"] + ["right"] * len(curve),
            )  # fmt: skip
            lines.append(f"  stakes on {preset}, of the greatest bet:")
            lines += [f"      {line}" for line in table.splitlines()]
    if result.costly:
        lines.append("  what cost it most:")
        lines += [fitted(f"      {costly}", columns) for costly in result.costly]
    if result.output.strip():
        lines.append("  it printed (the first of it; in a tournament nobody sees that):")
        lines += [f"      {line}" for line in visible_lines(result.output).splitlines()[:_PRINTED_LINES]]
    return lines


def checked_json(result: Checked) -> dict[str, Any]:
    """The same for programs."""
    entrant = result.entrant
    return {
        "name": result.name,
        "file": None if entrant is None else str(entrant.file),
        "class": None if entrant is None else entrant.class_name,
        "params": None if entrant is None else dict(entrant.params),
        "content": None if entrant is None else entrant.content,
        "is_good": result.is_good,
        "deals": result.deals,
        "turns": result.turns,
        "against": list(result.against),
        "accepted": list(result.accepted),
        "findings": [_finding(finding) for finding in result.findings],
        "pace": None if result.pace is None else asdict(result.pace) | {"allowed_ms": result.decision_ms},
        "skill": {preset: _skill(skill) for preset, skill in result.skill.items()},
        "output": result.output,
        "costly": [asdict(costly) for costly in result.costly],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "kind": str(finding.kind),
        "is_wrong": finding.is_wrong,
        "fault": finding.label,
        "sentence": finding.sentence,
        "preset": finding.preset,
        "also": list(finding.also),
        "decision": None if finding.decision is None else asdict(finding.decision),
        "answers": None if finding.answers is None else list(finding.answers),
        "text": finding.text,
    }


def _skill(skill: SkillReport) -> dict[str, Any]:
    total = skill.total
    return {
        "decisions": total.decisions,
        "lost_per_decision_chips": total.lost_per_decision_chips,
        "error_rate": total.error_rate,
        "agreement": total.agreement,
        "curve": [asdict(point) for point in skill.curve],
    }
