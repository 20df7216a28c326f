"""``results.json`` as pages and charts read it: names made visible, labels, the unit that ranks."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.analysis.intervals import Interval
from arena.errors import ArenaError
from arena.report.results_json import FORMAT
from arena.report.text import RANKS_BY, scale_of

Results = Mapping[str, Any]


def read_results(folder: Path) -> Results:
    """What a report folder's ``results.json`` says. Raises ``ArenaError`` where there is none that this arena wrote."""
    path = folder / "results.json"
    again = "arena run writes it anew, and plays nothing that is stored"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ArenaError(
            f"{folder}: no results.json there; name a run's report, or the folder it is in"
        ) from None
    except OSError as error:
        raise ArenaError(f"{path}: it cannot be read ({error.strerror or error})") from None
    except ValueError as error:
        raise ArenaError(f"{path}: it is no JSON ({error}); {again}") from None
    made = found.get("format") if isinstance(found, dict) else None
    if made != FORMAT:
        raise ArenaError(f"{path}: expected results of format {FORMAT}, got {made}; {again}")
    return dict(found)


def interval(found: Mapping[str, Any] | None) -> Interval | None:
    """An interval of ``results.json``."""
    if found is None:
        return None
    low, high = found["low"], found["high"]
    return Interval(found["mean"], None if low is None else (high - low) / 2, found["is_identical"])


def label(place: int, bot: Mapping[str, Any]) -> str:
    """``#1 Kelly``: what a bot is called in charts; names from right to left are kept from turning the rest around."""
    name: str = bot["name"]
    if any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in name):
        name = f"\u2068{name}\u2069"
    return f"#{place + 1} {name}"


def ranked_by(bot: Mapping[str, Any], rank_by: str) -> Mapping[str, Any] | None:
    """The interval of a bot that ranks it."""
    found: Mapping[str, Any] | None = bot["win_share" if rank_by == "wins" else rank_by]
    return found


def unit_of(results: Results) -> tuple[str, float]:
    """In words the unit of what ranks, and what its numbers are multiplied by."""
    rank_by = results["tournament"]["rank_by"]
    return RANKS_BY[rank_by], scale_of(rank_by)
