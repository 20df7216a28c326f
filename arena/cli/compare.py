"""``arena compare``: runs side by side."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import names_of, out_option
from arena.cli.say import columns, tell
from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.report.compare import Comparison

_EXAMPLES = """
\b
Examples:
  arena compare default bicycle            the same bots at two tables
  arena compare before after --bots Kelly  two versions of a bot, same deals
  arena compare default four_seats --by wins --to compare.html
"""


@click.command(epilog=_EXAMPLES)
@click.argument("runs", nargs=-1, required=True, metavar="RUN RUN...")
@click.option("--by", type=click.Choice(["adjusted", "chips", "wins"]),
              help="What to compare (default: what ranks the first run).")  # fmt: skip
@click.option("--bots", "bots", multiple=True, metavar="A,B",
              help="These bots alone, so that intervals are narrower (default: all that are in every run).")  # fmt: skip
@click.option("--to", "targets", multiple=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write it to FILE.md, FILE.html or FILE.json too.")  # fmt: skip
@out_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def compare(
    runs: tuple[str, ...],
    by: str | None,
    bots: tuple[str, ...],
    targets: tuple[Path, ...],
    out: Path,
    as_json: bool,
) -> None:
    """Set runs side by side: how much better each bot did than in the first RUN, and whether the order changed.

    RUN is a run's name in OUT, its report (the folder or a file in it), or its tournament file. Bots of the same name are
    compared, and versions of a submitted one: Wide@1 with Wide@2. Runs of one seed are compared deal by deal, others as
    independent samples. Nothing is played.
    """
    from arena.report.compare import compare as side_by_side
    from arena.report.compare_text import compare_text
    from arena.report.past_run import past_run

    writers = {target: _writer(target) for target in targets}
    if len(runs) < 2:
        raise ArenaError(f"expected two runs or more to compare, got {runs[0]}; arena runs lists them")
    past = [past_run(run, out) for run in runs]
    folders = [run.folder.resolve() for run in past]
    twice = [str(run.folder) for i, run in enumerate(past) if folders[i] in folders[:i]]
    if twice:
        raise ArenaError(f"{twice[0]} is named twice; a run compared with itself is the same")
    wanted = names_of(bots, past[0].names)
    found = side_by_side(past, [run.held() for run in past], by, wanted)  # type: ignore[arg-type]
    for target, writer in writers.items():
        _write(target, writer(found))
    click.echo(_json(found) if as_json else compare_text(found, columns()))


def _json(found: Comparison) -> str:
    from dataclasses import asdict

    from arena.report.results_json import plain

    return json.dumps(plain(asdict(found)), indent=1, allow_nan=False)


def _writer(target: Path) -> Callable[[Comparison], str]:
    """What makes the text of a file. Raises ``ArenaError`` for an ending that says nothing, and a run's own report."""
    from arena.report.compare_html import compare_html
    from arena.report.compare_text import compare_markdown
    from arena.report.results import RESULTS
    from arena.report.write import FILES

    writers = {".md": compare_markdown, ".html": compare_html, ".json": lambda found: _json(found) + "\n"}
    if target.suffix not in writers:
        raise ArenaError(f"--to {target}: expected a file that ends in {', '.join(writers)}")
    if target.name in FILES and (target.parent / RESULTS).is_file():
        raise ArenaError(f"--to {target}: it is a run's report, and stays as it is; choose another name")
    if not os.access(target.parent, os.W_OK):
        why = "nobody may write there" if target.parent.is_dir() else "there is no such folder"
        raise ArenaError(f"--to {target}: it cannot be written ({target.parent}: {why})")
    return writers[target.suffix]


def _write(target: Path, text: str) -> None:
    """Write a file whole, or leave what was there."""
    new = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        new.write_text(text, encoding="utf-8", newline="\n")
        os.replace(new, target)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise ArenaError(f"--to {target}: it cannot be written ({error.strerror})") from None
    tell(f"written: {target}")
