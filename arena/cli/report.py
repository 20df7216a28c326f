"""``arena report``: a run's page written anew."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import out_option

_EXAMPLES = "\b\nExamples:\n  arena report default\n  arena report reports/default"


@click.command(epilog=_EXAMPLES)
@click.argument("run")
@out_option
def report(run: str, out: Path) -> None:
    """Write a run's report.html and its pictures anew, from its results.json.

    RUN is a run's name in OUT, its report (the folder or a file in it), or its tournament file. Nothing is played, and
    nothing else changes; after an update of the arena the page is as new ones are.
    """
    from arena.report.past_run import run_folder
    from arena.report.write import rewrite_page

    folder = run_folder(run, out)
    rewrite_page(folder)
    click.echo(str(folder / "report.html"))
