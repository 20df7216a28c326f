"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Container, Iterable
from pathlib import Path

import click

out_option = click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("reports"),
    show_default=True,
    help="Folder of reports, as with arena run.",
)


def names_of(given: Iterable[str], known: Container[str]) -> list[str]:
    """The names in values such as ``A,B``; a name that has a comma itself is known as a whole.

    >>> names_of(["A, B", "x,y"], {"A", "B", "x,y"})
    ['A', 'B', 'x,y']
    """
    return [name for text in given for name in ([text] if text in known else map(str.strip, text.split(",")))]
