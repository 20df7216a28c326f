"""What a user did wrong: one sentence each, with the place and the way out.

Everything that a person can cause raises an :class:`ArenaError`; the command line prints it and exits
with its ``exit_code``. Anything else that escapes is a bug of ours and keeps its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, and where.

    ``line`` and ``column`` count from 1; either may be missing where there is no text to point at.
    """

    message: str
    path: Path | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        """``file:line:column: message``, as editors and terminals make into a link."""
        if self.path is None:
            return self.message
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)
        return f"{place}: {self.message}"


class ArenaError(Exception):
    """The user's input is wrong; ``problems`` holds every reason at once."""

    exit_code = 2

    def __init__(self, problems: str | Problem | Iterable[str | Problem]) -> None:
        if isinstance(problems, str | Problem):
            problems = [problems]
        self.problems: Sequence[Problem] = tuple(
            p if isinstance(p, Problem) else Problem(p) for p in problems
        )
        super().__init__("\n".join(str(p) for p in self.problems))


class CannotRunError(ArenaError):
    """Bots cannot be run here (exit 3)."""

    exit_code = 3


def nearest(word: str, known: Iterable[str]) -> str:
    """``; did you mean "x"?`` for the nearest known word, or nothing.

    >>> nearest("amout", ["amount", "each_round"])
    '; did you mean "amount"?'
    """
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f'; did you mean "{close[0]}"?' if close else ""
