"""``arena submit`` and ``arena withdraw``: a bot put into a tournament's roster, and taken out of play again."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.interrupts import uninterrupted
from arena.cli.progress import say_trusted
from arena.cli.say import prose_columns, say, tell, told
from arena.errors import ArenaError
from arena.wording import plural

if TYPE_CHECKING:
    from arena.bot.entrant import Entrant
    from arena.check.checking import Checked
    from arena.tournament.spec import TournamentSpec
    from arena.tournament.submission import Placement, Submission
    from arena.tournament.tournament import Held

_DEFAULT = Path("configs/default.yaml")
_CONFIG = click.option(
    "--config", type=click.Path(path_type=Path), metavar="FILE",
    help=f"The tournament file whose bots: names the roster's folder (default: {_DEFAULT}).",
)  # fmt: skip
_EXAMPLES = f"""
\b
Examples:
  arena submit wide.py                 into the folder of {_DEFAULT}
  arena submit wide.py                 once changed: Wide@2 plays, not Wide@1
  arena submit wide.py --keep-old      both play
  arena submit wide.py --config configs/article.yaml    its table and limits

Exit codes: 0 it plays; 1 refused, with every reason; 2 your input is wrong; 3 bots cannot be run here; 130 interrupted,
and the roster is as it was.
"""


@click.command(epilog=_EXAMPLES)
@click.argument("bot")
@_CONFIG
@click.option("--keep-old", is_flag=True, help="Keep the version before in play too, until it is withdrawn.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("reports"), show_default=True,
              help="Folder of reports, as with arena run.")  # fmt: skip
@click.option("--workers", type=click.IntRange(1, 256), help="Processes that play (default: all processors).")
@click.option("--trust-bots", is_flag=True,
              help="Run bots in this process and inside the workers: only if you wrote every one yourself.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def submit(
    bot: str,
    config: Path | None,
    keep_old: bool,
    out: Path,
    workers: int | None,
    trust_bots: bool,
    as_json: bool,
) -> None:
    """Check a bot, play its games, put it into the roster, and say where it landed.

    BOT is one Python file of at most 1 MB. It is checked as arena check does it; then all games that are not stored
    yet are played with it as arena run plays them; then it is copied into the roster as a new version, at one instant: a
    submission that is refused or interrupted leaves the roster as it was.
    """
    from arena.tournament.lock import holding_folder
    from arena.tournament.roster import roster_of, tidy
    from arena.tournament.spec import load_spec
    from arena.tournament.submission import place, read_submission

    submission = read_submission(bot)
    spec = load_spec(_found(config))
    folder = roster_of(spec)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ArenaError(f"{folder}: you may not write into this folder; ask whoever keeps it")
    if trust_bots:
        say_trusted("in this process")
    try:
        checked = _checked(submission, spec, config is None, trust_bots)
        _refuse_if(submission, place(submission, folder, keep_old)[1], checked, as_json)
        with holding_folder(folder, tell):
            tidy(folder)
            placement, taken = place(submission, folder, keep_old)
            _refuse_if(submission, taken, checked, as_json)  # by a submission that came first
            entrants, held = _play(spec, placement, workers, out, trust_bots, as_json)
            with uninterrupted():
                placement.commit()
    except KeyboardInterrupt:
        click.echo("\n" + _interrupted("what was played is stored"), err=True)
        sys.exit(130)
    _say_landing(placement, entrants, held, as_json)


def _interrupted(played: str) -> str:
    command = shlex.join(["arena", *sys.argv[1:]])
    return told(f"interrupted: the roster is as it was, {played}; go on with:", command)


def _found(config: Path | None) -> Path:
    """The tournament file. Raises ``ArenaError`` where none is named and the default one is not here."""
    if config is None and not _DEFAULT.exists():
        raise ArenaError(f"there is no {_DEFAULT} here; say with --config which tournament the bot is for")
    return config or _DEFAULT


def _checked(
    submission: Submission, spec: TournamentSpec, is_everywhere: bool, trust_bots: bool
) -> list[Checked]:
    """Its bots checked: on every table, or on the tournament's own, with the tournament's limits."""
    from arena.check.checking import DEALS
    from arena.check.named import all_tables, house_bots
    from arena.cli.check import check_all

    tables = all_tables() if is_everywhere else {spec.name: spec.table}
    house = house_bots(spec.bots)
    return check_all(
        submission.entrants, tables, house, spec.limits, DEALS, trust_bots, _interrupted("nothing was played")
    )


def _refuse_if(
    submission: Submission, taken: Sequence[str], checked: Sequence[Checked], as_json: bool
) -> None:
    """End with exit 1 where there is any reason to, every reason being told."""
    from arena.cli.check import checked_json, checked_text
    from arena.report.text import visible_lines

    reasons, bad = [*submission.reasons, *taken], [result for result in checked if not result.is_good]
    if not reasons and not bad:
        return
    count = len(reasons) + sum(finding.is_wrong for result in bad for finding in result.findings)
    if as_json:
        checks = [checked_json(result) for result in checked]
        _dump({"is_submitted": False, "file": str(submission.path), "reasons": reasons, "checks": checks})
    else:
        say(f"{submission.path}: refused, for {plural(count, 'reason')}; the roster is as it was")
        for reason in reasons:
            say(f"  {visible_lines(reason)}")
        for result in bad:
            click.echo(checked_text(result, prose_columns()))
    sys.exit(1)


def _play(
    spec: TournamentSpec,
    placement: Placement,
    workers: int | None,
    out: Path,
    trust_bots: bool,
    as_json: bool,
) -> tuple[Sequence[Entrant], Held]:
    """The tournament as it will be, whatever is stored not being played; its standings are printed."""
    from arena.cli.run import entrants_of, play_stored
    from arena.report.folder import check_folder
    from arena.report.write import FILES, PICTURE_FILES
    from arena.tournament.runner import usable_workers
    from arena.tournament.tournament import with_first_look

    entrants, left_out = entrants_of(spec, False, placement.instead)
    if lost := [problem for problem in left_out if problem.path == placement.path]:
        raise ArenaError(lost)
    if not any(entrant.file == placement.path for entrant in entrants):
        raise ArenaError([*left_out, f"{placement.path.name} would not play; the roster is as it was"])
    spec = with_first_look(spec, len(entrants))
    check_folder(out / spec.name, (*FILES, *PICTURE_FILES))
    command = shlex.join(["arena", *sys.argv[1:]])
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        held = play_stored(spec, entrants, left_out, workers or usable_workers(), out, trust_bots, command)
    return entrants, held


def _say_landing(placement: Placement, entrants: Sequence[Entrant], held: Held, as_json: bool) -> None:
    """Say where the bots of the file stand, and which version is out of play."""
    from arena.report.landing import landing, landing_json, landing_text
    from arena.tournament.roster import OUT_OF_PLAY

    bots = [i for i, entrant in enumerate(entrants) if entrant.file == placement.path]
    landed = [landing(held.standings, bot) for bot in bots]
    old = placement.old
    if as_json:
        _dump(
            {
                "is_submitted": True,
                "file": str(placement.path),
                "out_of_play": [] if old is None or placement.keeps_old else list(old.full_names),
                "bots": [landing_json(one, held.standings) for one in landed],
            }
        )
        return
    tell(f"submitted: {placement.path}")
    if old is not None:
        names = ", ".join(old.full_names)
        what = "plays on beside it" if placement.keeps_old else f"is out of play, on file in {OUT_OF_PLAY}/"
        tell(f"{names} {what}")
    say("\n" + "\n".join(landing_text(one, held.standings) for one in landed))


def _dump(value: dict[str, Any]) -> None:
    from arena.report.results_json import dump

    click.echo(dump(value).decode("ascii"), nl=False)


@click.command(
    epilog="\b\nExamples:\n  arena withdraw Wide\n  arena withdraw Wide@2 --config configs/article.yaml"
)
@click.argument("name")
@_CONFIG
def withdraw(name: str, config: Path | None) -> None:
    """Take a bot out of play; its file is kept.

    NAME is a bot's name (Wide@2, or Wide where only one version plays) or its file's. All bots of one file go together. An
    earlier version does not come back by itself: submit it again.
    """
    from arena.tournament.lock import holding_folder
    from arena.tournament.roster import roster_of
    from arena.tournament.roster import withdraw as take_out
    from arena.tournament.spec import load_spec

    folder = roster_of(load_spec(_found(config)))
    with holding_folder(folder, tell):
        entry, away = take_out(folder, name)
    names = ", ".join(entry.full_names) or entry.path.name
    say(f"{names}: out of play from the next run on; the file is kept as {away}")
