"""Options that several commands share, and the width of what they print."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

out_option = click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("reports"),
    show_default=True,
    help="Folder of reports, as with arena run.",
)


def columns() -> int:
    """The width to print in: the terminal's, 80 on a pipe."""
    return max(60, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 80
