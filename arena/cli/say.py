"""What is said to people: wrapped at a terminal's width, and on a pipe or in a file one line a message, to be grepped."""

from __future__ import annotations

import shutil
import sys

import click

_LEAST = 60  # narrower than that nothing is fitted
_HANG = 2


def columns() -> int:
    """The width to print tables in: the terminal's, 80 on a pipe."""
    return prose_columns() or 80


def prose_columns(err: bool = False) -> int | None:
    """The width to wrap sentences at on standard output (``err``: standard error); None where that is no terminal."""
    stream = sys.stderr if err else sys.stdout
    return max(_LEAST, shutil.get_terminal_size().columns) if stream.isatty() else None


def say(text: str, command: str = "") -> None:
    """Print sentences on standard output, wrapped where that is a terminal; ``command`` ends the last one, whole."""
    click.echo(fitted(text, prose_columns(), 0, command))


def tell(text: str, command: str = "") -> None:
    """The same on standard error, where messages stand below one another like a list: what goes on is indented."""
    click.echo(told(text, command), err=True)


def told(text: str, command: str = "") -> str:
    """What :func:`tell` prints."""
    return fitted(text, prose_columns(err=True), _HANG, command)


def fitted(text: str, columns: int | None, hang: int = 0, command: str = "") -> str:
    r"""``text`` with lines longer than ``columns`` broken at spaces; those that fit (a table's) stay as they are.

    Lines that are indented are a list's: the rest of such an item stands two columns further in, that of others
    ``hang``. ``command`` is put behind ``text`` and never broken, so that it can be copied. None: one line a message.

    >>> print(fitted("Kept:\n  one two three four", 12))
    Kept:
      one two
        three
        four
    >>> fitted("go on with:", None, command="arena run t.yaml")
    'go on with: arena run t.yaml'
    >>> print(fitted("stopped; go on with:", 24, command="arena run t.yaml --deals 5"))
    stopped; go on with:
    arena run t.yaml --deals 5
    """
    *lines, last = text.split("\n")
    whole = [command] if command else []
    if columns is None:
        return "\n".join([*lines, " ".join([last, *whole])])
    return "\n".join(
        [*(_broken(line, columns, hang, []) for line in lines), _broken(last, columns, hang, whole)]
    )


def _broken(line: str, columns: int, hang: int, whole: list[str]) -> str:
    """A line and what is to stay whole behind it, in lines of so many columns where that can be."""
    from arena.report.text import width, wrap

    as_it_is = " ".join([line, *whole])
    if width(as_it_is) <= columns:
        return as_it_is
    indent = len(line) - len(line.lstrip(" "))
    further = " " * (indent + _HANG if indent else hang)
    return "\n".join(wrap(line, columns, " " * indent, further, whole))
