"""pydantic's errors about a tournament file in plain words, under their dotted keys."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic_core import ErrorDetails

from arena.tournament.yaml_source import Keys, Tree, dotted
from arena.wording import Schema, found, says

__all__ = ["found", "sentence"]


def sentence(
    error: ErrorDetails, root: Schema, prefix: Keys, tree: Tree, elsewhere: Mapping[str, str]
) -> str:
    """``table.ante.amount: expected a whole number from 1 to 1000000000, got 'ten'``.

    ``prefix`` is where the schema ``root`` lies in the file; ``elsewhere``: where unknown keys belong.
    """
    path = (*prefix, *error["loc"])
    return f"{dotted(path)}: {says(error, root, tree.doubtful.get(path, ''), elsewhere)}"
