"""``arena report``: a run's page written anew."""

from __future__ import annotations

from pathlib import Path

import click

from arena.errors import ArenaError, nearest

_EXAMPLES = "\b\nExamples:\n  arena report default\n  arena report reports/default"


@click.command(epilog=_EXAMPLES)
@click.argument("run")
@click.option("--out", type=click.Path(path_type=Path), default=Path("reports"), show_default=True,
              help="Folder of reports, as with arena run.")  # fmt: skip
def report(run: str, out: Path) -> None:
    """Write a run's report.html and its pictures anew, from its results.json.

    RUN is a name, whose report is in OUT/RUN, or the folder of a report. Nothing is played, and nothing else changes;
    after an update of the arena the page is as new ones are.
    """
    from arena.report.write import rewrite_page

    folder = folder_of(run, out)
    rewrite_page(folder)
    click.echo(str(folder / "report.html"))


def folder_of(run: str, out: Path) -> Path:
    """The folder of a run's report, given by itself or by the run's name. Raises ``ArenaError`` where there is none."""
    for folder in (Path(run), out / run):
        if (folder / "results.json").is_file():
            return folder
    names = sorted(path.parent.name for path in out.glob("*/results.json"))
    listed = f"(reports in {out}: {', '.join(names) or 'none'})"
    raise ArenaError(f'no report "{run}"{nearest(run, names)} {listed}; name one, or the folder it is in')
