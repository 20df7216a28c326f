"""``arena duel``: two bots head to head until it is clear which is better."""

from __future__ import annotations

import math
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.progress import Progress, lost_sentence
from arena.cli.say import columns, say, tell
from arena.cli.seed import SeedType, say_commitment, say_seed
from arena.errors import ArenaError
from arena.game.rules import DEFAULT_PRESET, MAX_CHIPS
from arena.tournament.seeds import SECRET

if TYPE_CHECKING:
    from arena.analysis.intervals import Interval
    from arena.bot.entrant import Entrant
    from arena.tournament.duel import Decided, Duel
    from arena.tournament.spec import TournamentSpec
    from arena.tournament.standings import BotStanding

_MOST_WORKERS = 2  # a duel's blocks come one after the other: more would only be started and wait
# Keys of a tournament file that a duel makes no use of, and what to write where there is something.
_UNUSED = {
    "seats": "it always seats two",
    "schedule": "its two bots always meet each other",
    "lineups": "its two bots always meet each other",
    "against": "its two bots always meet each other",
    "deals": "write --max-deals",
    "stop": "write --max-deals or --indifferent",
}
_EXAMPLES = """
\b
Examples:
  arena duel Kelly Gap8                          two of the bots in bots/
  arena duel mine.py Kelly                       your bot against one of them
  arena duel 'mine.py:Mine(large=0.2)' mine.py   two parameters of one bot
  arena duel mine.py Edge --table bicycle --set ante.amount=2
  arena duel mine.py Edge --config configs/article.yaml --indifferent 1

Exit codes: 0 A is better; 1 it is not: B is better, they are as good as equal, or it is not resolved; 2 your
input is wrong; 3 bots cannot be run here; 130 interrupted.
"""


@click.command(epilog=_EXAMPLES)
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE",
              help="A tournament file: its table, bots, limits, confidence, rank_by and seed.")  # fmt: skip
@click.option("--table", "preset", metavar="PRESET", help=f"The table's preset (default: {DEFAULT_PRESET}).")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Any key of the file, dotted; without a file, any rule of the table.")  # fmt: skip
@click.option("--max-deals", type=click.IntRange(1, 10_000_000), default=20_000, show_default=True,
              help="Deals at the most.")  # fmt: skip
@click.option("--indifferent", type=click.FloatRange(0, MAX_CHIPS), default=0.0, metavar="CHIPS",
              help="As good as equal once the difference is surely within this: chips a game, or where the file's "
              "rank_by is wins a share of games (0.02: 2 %).")  # fmt: skip
@click.option(
    "--seed", type=SeedType(), help="Seed of the cards (default: the file's, or 1); secret: drawn anew."
)
@click.option("--workers", type=click.IntRange(1, 256), help="Processes that play (default: 2 at the most).")
@click.option("--trust-bots", is_flag=True,
              help="Run bots inside the workers: only if you wrote both yourself.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def duel(
    a: str,
    b: str,
    config: Path | None,
    preset: str | None,
    overrides: tuple[str, ...],
    max_deals: int,
    indifferent: float,
    seed: str | None,
    workers: int | None,
    trust_bots: bool,
    as_json: bool,
) -> None:
    """Play bots A and B head to head until one is better; exit 1 if that is not A.

    A bot is named as file.py, file.py:Class, file.py:Class(threshold=7), or by its name among the bots of the
    tournament file (without one: of the folder bots). Both play the same cards from both seats, luck is removed,
    and the interval holds although it is looked at again and again. Nothing is written.
    """
    from arena.tournament.duel import Verdict, duel_of
    from arena.tournament.runner import usable_workers

    if not math.isfinite(indifferent):
        raise ArenaError(f"--indifferent: expected chips, 0 or more, got {indifferent}")
    base = _base(config, preset, overrides, seed)
    made = duel_of(base, (a, b), max_deals, indifferent)
    if unused := [key for key in _UNUSED if key in base.written and (key, base.seats) != ("seats", 2)]:
        tell(f"{config}: a duel makes no use of {', '.join(unused)}")
    say_commitment(base)
    try:
        how = _fight(made, workers or min(_MOST_WORKERS, usable_workers()), trust_bots)
    except KeyboardInterrupt:
        tell("\ninterrupted: nothing is decided; again:", shlex.join(["arena", *sys.argv[1:]]))
        sys.exit(130)
    if as_json:
        _say_json(made, how)
    else:
        say(f"{sentence(how)}\n\n{_table(how, columns())}")
        _say_notes(how)
        say_seed(made.spec)
    sys.exit(0 if how.verdict is Verdict.BETTER else 1)


def _base(
    config: Path | None, preset: str | None, overrides: tuple[str, ...], seed: str | None
) -> TournamentSpec:
    """The tournament that a duel takes its table, limits and roster from. Raises ``ArenaError``."""
    from arena.bot.entrant import BotSource
    from arena.tournament.spec import TournamentSpec, load_spec, load_table, with_secret_seed

    if config is not None:
        if preset is not None:
            raise ArenaError(f"--config and --table are both there; write --set table.preset={preset}")
        _refuse_unused(overrides, seed)
        return load_spec(config, [*overrides, *([] if seed is None else [f"seed={seed}"])])
    rules, _ = load_table(preset or DEFAULT_PRESET, overrides)
    roster = (BotSource(Path("bots")),)
    if seed == SECRET:
        return with_secret_seed(TournamentSpec(name="duel", table=rules, bots=roster))
    return TournamentSpec(name="duel", seed=1 if seed is None else int(seed), table=rules, bots=roster)


def _refuse_unused(overrides: tuple[str, ...], seed: str | None) -> None:
    """Raise ``ArenaError`` for each ``--set`` that would change nothing."""
    keys = {text: text.partition("=")[0].partition(".")[0].strip() for text in overrides}
    problems = [
        f"--set {text}: a duel makes no use of {key}; {_UNUSED[key]}"
        for text, key in keys.items()
        if key in _UNUSED
    ]
    if seed is not None:
        twice = [text for text, key in keys.items() if key == "seed"]
        problems += [f"--set {text}: --seed is there, too; leave one of them out" for text in twice]
    if problems:
        raise ArenaError(problems)


def _fight(made: Duel, workers: int, trust_bots: bool) -> Decided:
    from arena.tournament.duel import fight

    spec = made.spec
    assert spec.stop is not None
    clock = time.perf_counter()
    names = [bot.name for bot in sorted(made.pair, key=lambda e: (e.content, e.name))]
    with Progress(names, spec.table.chips, spec.seats * spec.stop.max_deals) as progress:
        how = fight(made, workers, trust_bots, progress.add, progress.isolated)
    for lost in how.held.lost:
        tell(lost_sentence(lost, names))
    tell(f"played in {time.perf_counter() - clock:.1f} s")
    return how


def sentence(how: Decided) -> str:
    """The verdict in one sentence."""
    from arena.report.text import RANKS_BY, decimals_apart, number, plural, scale_of, visible
    from arena.tournament.duel import Verdict

    table = how.held.standings
    a, b = (visible(bot.name) for bot in how.bots)
    scale = scale_of(table.rank_by)
    unit = RANKS_BY["wins" if table.rank_by == "wins" else "chips"]
    played = f"({100 * table.confidence:g} %, {plural(table.deals, 'deal')}, {plural(table.games, 'game')})"
    if how.verdict is Verdict.IDENTICAL:
        return f"{a} and {b} never differed: every deal ended alike {played}."
    half = (how.half_width or 0.0) * scale
    mean = how.difference * scale
    places = 2 if how.half_width is None else decimals_apart(mean, half)
    width = f" ± {number(half, places)} {unit}" if how.half_width is not None else f" {unit} on every deal"
    if how.verdict is Verdict.EQUAL:
        within = f"± {number(abs(mean) + half, places)} {unit}"
        return f"{a} and {b} are as good as equal, within {within} {played}."
    if how.verdict is Verdict.UNRESOLVED:
        by = f"{number(mean, places, sign=True)}{width}"
        return f"Not resolved after {plural(table.deals, 'deal')}: {a} less {b} is {by} {played}."
    better, worse = (a, b) if how.verdict is Verdict.BETTER else (b, a)
    return f"{better} is better than {worse} by {number(abs(mean), places)}{width} {played}."


_COLUMNS = {"adjusted": "chips adjusted", "chips": "chips raw", "wins": "won %"}


def _table(how: Decided, columns: int) -> str:
    """Both bots' figures, at most ``columns`` wide; what ranks, and what is lost a decision, always has its place."""
    from arena.report.terminal import fitted_table
    from arena.report.text import chips, number, percent

    def lost(bot: BotStanding) -> str:
        of = None if bot.skill is None else bot.skill.total.lost_per_decision_chips
        return "" if of is None else number(of, 3)

    cells = [
        {
            "bot": "",
            _COLUMNS["adjusted"]: "" if bot.adjusted is None else chips(bot.adjusted),
            _COLUMNS["chips"]: chips(bot.chips),
            _COLUMNS["wins"]: percent(bot.wins),
            "lost a decision": lost(bot),
            "faults": f"{bot.n_faults:,}",
        }
        for bot in how.bots
    ]
    others = [head for key, head in _COLUMNS.items() if key != how.held.standings.rank_by]
    return fitted_table([bot.name for bot in how.bots], cells, ("faults", *reversed(others)), columns)


def _say_notes(how: Decided) -> None:
    """Say how the figures are to be read, and what the bots did wrong."""
    from arena.report.text import visible, visible_lines

    others = [head for key, head in _COLUMNS.items() if key != how.held.standings.rank_by]
    say(
        f"\n{' and '.join(others)}: not corrected for stopping. Lost a decision: chips short of the best bet."
    )
    for bot in how.bots:
        name = visible(bot.name)
        for fault in bot.faults:
            told = f"Faults of {name}: {fault.count:,} {fault.kind.label}."
            say(told if fault.first is None else f"{told} The first, in deal {fault.first.deal}:")
            if fault.first is not None:
                click.echo(visible_lines(fault.first.text))
        if bot.bot in how.held.out:
            say(f"{name} could be asked no more: all its games are counted by default answers.")


def _say_json(made: Duel, how: Decided) -> None:
    from arena.report.results_json import commitment_json, dump

    table, looks, spec = how.held.standings, how.held.looks, made.spec
    assert looks is not None
    said: dict[str, object] = {
        "verdict": how.verdict.value,
        "sentence": sentence(how),
        "difference": how.difference,
        "half_width": how.half_width,
        "rank_by": spec.rank_by,
        "confidence": spec.confidence,
        "indifferent_chips": looks.stop.indifferent_chips,
        "min_deals": looks.stop.min_deals,
        "max_deals": looks.stop.max_deals,
        "looks": len(looks.states),
        "deals": table.deals,
        "games": table.games,
        "turns": table.turns,
        "seed": spec.seed,
        "seed_commitment": commitment_json(spec.seed),
        "table": spec.table.model_dump(mode="json"),
        "bots": [
            _bot(entrant, bot, bot.bot in how.held.out)
            for entrant, bot in zip(made.pair, how.bots, strict=True)
        ],
    }
    click.echo(dump(said).decode("ascii"), nl=False)


def _bot(entrant: Entrant, bot: BotStanding, is_out: bool) -> dict[str, object]:
    def interval(of: Interval | None) -> dict[str, object] | None:
        return None if of is None else {"mean": of.mean, "half_width": of.half_width}

    skill = None if bot.skill is None else bot.skill.total
    return {
        "name": bot.name,
        "file": str(entrant.file),
        "class": entrant.class_name,
        "params": dict(entrant.params),
        "content": entrant.content,
        "adjusted": interval(bot.adjusted),
        "chips": interval(bot.chips),
        "win_share": interval(bot.wins),
        "lost_per_decision_chips": None if skill is None else skill.lost_per_decision_chips,
        "error_rate": None if skill is None else skill.error_rate,
        "agreement": None if skill is None else skill.agreement,
        "faults": {fault.kind.label: fault.count for fault in bot.faults},
        "is_out": is_out,
    }
