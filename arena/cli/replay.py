"""``arena replay``: a game of a run told again, from its stored answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import names_of, out_option
from arena.cli.say import columns
from arena.errors import ArenaError, nearest

if TYPE_CHECKING:
    from arena.report.past_run import PastRun

_EXAMPLES = """
\b
Examples:
  arena replay default                           the most telling games
  arena replay default --deal 116 --lineup Edge,Kelly
  arena replay default --deal 116 --lineup Edge,Kelly --rotation 1
  arena replay configs/default.yaml --deal 116   by its file, bots unchanged
"""


@click.command(epilog=_EXAMPLES)
@click.argument("run")
@click.option(
    "--deal", type=click.IntRange(0), help="The deal to tell; without it the telling games are listed."
)
@click.option("--lineup", "lineup", multiple=True, metavar="A,B",
              help="Who sat at the table, in any order (default: the best that met).")  # fmt: skip
@click.option("--rotation", type=click.IntRange(0), help="Which rotation of its seats (default: 0).")
@out_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object (without --deal: an array of games).")
def replay(
    run: str, deal: int | None, lineup: tuple[str, ...], rotation: int | None, out: Path, as_json: bool
) -> None:
    """Tell a game of a run again, hand by hand.

    RUN is a run's name in OUT, its report (the folder or a file in it), or its tournament file. Games are told from
    stored answers; no bot is asked.
    """
    from arena.report.past_run import past_run

    past = past_run(run, out)
    if deal is None:
        if lineup or rotation is not None:
            raise ArenaError("--lineup and --rotation go with --deal: which deal is to be told?")
        _telling(past, run, out, as_json)
        return
    if deal >= past.deals:
        raise ArenaError(
            f"--deal {deal}: {past.spec.name} has deals 0 to {past.deals - 1:,}; "
            f"arena run with --deals {deal + 1} plays on to it"
        )
    players = _lineup(past, lineup)
    seats = past.spec.seats
    if rotation is not None and rotation >= seats:
        raise ArenaError(f"--rotation {rotation}: a table of {seats} seats has rotations 0 to {seats - 1}")
    _tell(past, players, deal, rotation or 0, as_json)


def _tell(past: PastRun, lineup: tuple[int, ...], deal: int, rotation: int, as_json: bool) -> None:
    from arena.report.replay_text import replay_text
    from arena.tournament.game_steps import game_steps

    with past.recalling() as recalled:
        result = recalled.block(lineup, deal)
    names = [past.names[bot] for bot in lineup]
    game = game_steps(result, past.spec.table, past.spec.seed, names, deal, rotation)
    click.echo(json.dumps(game, indent=1) if as_json else replay_text(game, columns()))


def _lineup(past: PastRun, given: Sequence[str]) -> tuple[int, ...]:
    """The lineup of these names. Raises ``ArenaError`` for unknown bots, and for those that never met."""
    if not given:
        best = {bot: place for place, bot in enumerate(past.by_place)}
        return min(past.lineups, key=lambda lineup: (sum(best[bot] for bot in lineup), lineup))
    known = past.names
    names = names_of(given, known)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ArenaError(
            f'--lineup: no bot of {past.spec.name} is called "{name}"{nearest(name, known)} (bots: {", ".join(known)})'
            for name in unknown
        )
    lineup = tuple(sorted(known.index(name) for name in names))
    if len(lineup) != past.spec.seats or len(set(lineup)) != len(lineup):
        raise ArenaError(f"--lineup: expected {past.spec.seats} different bots, got {', '.join(names)}")
    if lineup not in past.lineups:
        met = next((other for other in past.lineups if lineup[0] in other), past.lineups[0])
        listed = ", ".join(known[bot] for bot in met)
        raise ArenaError(
            f"--lineup: {', '.join(names)} did not meet in {past.spec.name}; {listed} did, for one"
        )
    return lineup


def _telling(past: PastRun, run: str, out: Path, as_json: bool) -> None:
    """List the most telling games."""
    from arena.report.replay_html import WHY, lost_chips, replay_command
    from arena.report.text import plural
    from arena.tournament.telling import telling_games, told

    held = past.held()
    games = telling_games(held, past.spec.table.chips)
    if as_json:
        click.echo(json.dumps(told(held, past.spec.table, past.spec.seed, past.names, games), indent=1))
        return
    where = None if out == Path("reports") else str(out)
    for game in games:
        chips = lost_chips(game.chips)
        click.echo(f"{past.names[game.bot]} {WHY[game.why]}: {chips} {'chip' if chips == '1' else 'chips'}")
        players = [past.names[bot] for bot in game.lineup]
        click.echo("  " + replay_command(run, game.deal, players, game.rotation, where))
    never = plural(len(past.names) - sum(game.why == "mistake" for game in games), "bot")
    if not never.startswith("0 "):
        click.echo(f"{never} gave nothing away.")
