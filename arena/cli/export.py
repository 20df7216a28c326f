"""``arena export``: games and turns of a finished run as tables for other programs."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from arena.cli.options import out_option
from arena.cli.say import tell

FORMATS = ("parquet", "csv", "jsonl")
_EXAMPLES = """
\b
Examples:
  arena export default --to parquet    into reports/default/export/
  arena export default --to csv --into /tmp/data
\b
Then, in Python:
  turns = pandas.read_parquet("reports/default/export/decisions.parquet")
  turns.groupby(["bot", "gap"]).lost_chips.mean()
"""


@click.command(epilog=_EXAMPLES)
@click.argument("run")
@click.option(
    "--to", "form", type=click.Choice(FORMATS), required=True, help="Format (parquet needs pyarrow)."
)
@out_option
@click.option("--into", type=click.Path(path_type=Path), metavar="FOLDER",
              help="Where the files go (default: OUT/RUN/export).")  # fmt: skip
def export(run: str, form: str, out: Path, into: Path | None) -> None:
    """Write every game and every turn of a stored run as two tables, games and decisions.

    RUN is a run's name in OUT, its report (the folder or a file in it), or its tournament file; what its report tells of
    is written, in one order whatever played it.
    docs/export.md says what each column is.
    """
    from arena.report.export import TABLES, check_format
    from arena.report.export import export as write
    from arena.report.past_run import past_run

    check_format(form)
    past = past_run(run, out)
    folder = past.folder / "export" if into is None else into
    games = len(past.lineups) * past.deals * past.spec.seats
    written = write(past, form, folder, _progress(games))
    for table in TABLES:
        click.echo(str(folder / f"{table}.{form}"))
    tell(
        f"{written.games:,} games: {', '.join(f'{n:,} rows of {table}' for table, n in written.rows.items())}"
    )


class _progress:  # noqa: N801  called like a function
    """Says on a terminal how far it is, now and then."""

    def __init__(self, games: int) -> None:
        self._games, self._said = games, time.monotonic()

    def __call__(self, done: int) -> None:
        now = time.monotonic()
        if sys.stderr.isatty() and (now - self._said > 0.2 or done == self._games):
            self._said = now
            end = "\r\x1b[K" if done == self._games else ""
            click.echo(f"\r\x1b[K{done:,} of {self._games:,} games{end}", nl=False, err=True)
