"""``arena new``: a bot file that already plays."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.say import tell

_EXAMPLES = """
\b
Examples:
  arena new MyBot                  bots/my_bot.py; without such a folder, here
  arena new MyBot --into drafts
"""


@click.command(epilog=_EXAMPLES)
@click.argument("name")
@click.option("--into", type=click.Path(path_type=Path), metavar="FOLDER", help="Where it goes.")
def new(name: str, into: Path | None) -> None:
    """Write a commented, typed bot file that already plays. Nothing is ever overwritten."""
    from arena.check.new_bot import new_bot

    folder = into if into is not None else Path("bots") if Path("bots").is_dir() else Path()
    path = new_bot(name, folder)
    click.echo(str(path))
    tell("next:", f"arena check {path}")
