"""All commands, and what becomes of an error: a command is a few lines that call one function."""

from __future__ import annotations

import os
import sys

import click

from arena import __version__
from arena.cli.check import check
from arena.cli.compare import compare
from arena.cli.duel import duel
from arena.cli.export import export
from arena.cli.new import new
from arena.cli.odds import odds
from arena.cli.replay import replay
from arena.cli.report import report
from arena.cli.run import run
from arena.cli.show import bots, rules, scenario, schema
from arena.cli.stored import prune, runs
from arena.cli.submit import submit, withdraw
from arena.errors import ArenaError

_EXAMPLES = """
\b
Examples:
  arena run configs/default.yaml               play, write reports/default/
  arena run configs/default.yaml --dry-run     say what it would play
  arena run configs/default.yaml --set seats=4 with another value
  arena report default                         write its page anew
  arena duel mine.py Kelly                     is yours the better bot?
  arena new MyBot                              a bot file that already plays
  arena check mine.py                          may your bot play? why not?
  arena submit mine.py                         put it among the others
  arena export default --to csv                all games and turns as tables
  arena replay default --deal 7                a game told hand by hand
  arena compare default bicycle                is the order another?
  arena runs                                   what is stored of runs
  arena bots configs/default.yaml              the bots that it finds
  arena rules bicycle                          a table's rules in sentences
  arena odds 3S QD                             exact counts and edges

Exit codes: 0 done, 1 the answer is no (a check failed, a duel not won), 2 your input is wrong, 3 bots cannot be run
here, 130 interrupted.
"""


@click.group(
    help="Find out which In-Between bot is better, by how much, and how sure that is.",
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="arena")
def cli() -> None:
    pass


for command in (
    run,
    report,
    duel,
    new,
    check,
    submit,
    withdraw,
    replay,
    compare,
    export,
    runs,
    prune,
    bots,
    rules,
    odds,
    scenario,
    schema,
):
    cli.add_command(command)


def run_command(arguments: list[str] | None = None) -> int | None:
    """Run one command and return the exit code. Raises ``SystemExit`` where it ends itself, and ``KeyboardInterrupt``."""
    try:
        code: int | None = cli.main(arguments, prog_name="arena", standalone_mode=False)
        return code
    except ArenaError as error:
        for problem in error.problems:
            click.echo(f"error: {_one_line(str(problem))}", err=True)
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except click.Abort:
        raise KeyboardInterrupt from None
    except BrokenPipeError:  # the reader (head, less) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # no space, no file handles, a folder gone: the system's word for it
        where = "" if error.filename is None else f"{error.filename}: "
        click.echo(f"error: {_one_line(where + (error.strerror or str(error)))}", err=True)
        return 2


def _one_line(text: str) -> str:
    """Text with control characters shown, not sent to the terminal; lines stay."""
    return "".join(char if char.isprintable() or char == "\n" else repr(char)[1:-1] for char in text)
