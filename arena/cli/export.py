"""``arena export``: games and turns of a finished run as tables for other programs."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

FORMATS = ("parquet", "csv", "jsonl")
_EXAMPLES = """
\b
Examples:
  arena export default --to parquet  into reports/default/export
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
@click.option("--out", type=click.Path(path_type=Path), default=Path("reports"), show_default=True,
              help="Folder of reports, as with arena run.")  # fmt: skip
@click.option("--into", type=click.Path(path_type=Path), metavar="FOLDER",
              help="Where the files go (default: OUT/RUN/export).")  # fmt: skip
def export(run: str, form: str, out: Path, into: Path | None) -> None:
    """Write every game and every turn of a stored run as two tables, games and decisions.

    RUN is a name that arena runs lists; what its last finished run had played is written, in one order whatever played it.
    docs/export.md says what each column is.
    """
    from arena.report.export import TABLES, check_format
    from arena.report.export import export as write
    from arena.tournament import last_run
    from arena.tournament.store import FOLDER, open_store
    from arena.tournament.stored import named_runs

    check_format(form)
    [stored] = named_runs(out / FOLDER, [run])
    folder = out / run / "export" if into is None else into
    with open_store(stored.path.parent, run, _tell) as store:
        last = last_run.read(store)
        written = write(store, last, form, folder, _progress(last.games))
    for table in TABLES:
        click.echo(str(folder / f"{table}.{form}"))
    _tell(
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


def _tell(sentence: str) -> None:
    click.echo(sentence, err=True)
