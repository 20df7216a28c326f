"""``results.json`` as pages and charts read it: names made visible, labels, the unit that ranks."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.analysis.intervals import Interval
from arena.errors import ArenaError, nearest
from arena.report.results_json import FORMAT
from arena.report.text import RANKS_BY, scale_of
from arena.tournament.store import FOLDER

Results = Mapping[str, Any]
RESULTS = "results.json"
_AGAIN = "the command of the run writes it anew, without playing what is stored"


def report_folder(run: str, out: Path) -> Path:
    """The folder of a run's report: ``run`` is its name in ``out``, the folder, or a file in it such as ``report.html``.

    Raises ``ArenaError`` where there is none.
    """
    path = Path(run)
    for folder in (path, out / run, *([path.parent] if path.is_file() else [])):
        if (folder / RESULTS).is_file():
            return folder
    for store in (out / FOLDER / f"{run}.sqlite", path.parent / FOLDER / f"{path.name}.sqlite"):
        if store.is_file():
            raise ArenaError(
                f'run "{run}" has no report yet, only a store of games ({store}): it is being played, was cut short, or '
                "its report was removed; its command plays what is missing and writes one"
            )
    runs = sorted(found.parent.name for found in out.glob(f"*/{RESULTS}"))
    raise ArenaError(
        f'no report of a run "{run}" in {out}{nearest(run, runs)} (runs: {", ".join(runs) or "none"}); '
        "arena run FILE makes one, and --out says where they are"
    )


def read_results(folder: Path) -> Results:
    """What a report folder's ``results.json`` says. Raises ``ArenaError`` where there is none that this arena wrote."""
    path = folder / RESULTS
    if not path.exists():
        raise ArenaError(f"{folder}: no {RESULTS} there; name a run's report, or the folder it is in")
    found = read_json(path)
    made = found.get("format")
    if made != FORMAT:
        raise ArenaError(
            f"{path}: expected format {FORMAT}, found {made!r}: another version wrote it; {_AGAIN}"
        )
    return found


def read_json(path: Path) -> Results:
    """The mapping in a JSON file of a report folder. Raises ``ArenaError`` where there is none."""
    try:
        found = json.loads(path.read_bytes())
    except OSError as error:
        raise ArenaError(f"{path}: it cannot be read ({error.strerror or error}); {_AGAIN}") from None
    except (ValueError, RecursionError):
        raise ArenaError(f"{path}: not JSON as arena run wrote it; {_AGAIN}") from None
    if not isinstance(found, dict):
        raise ArenaError(f"{path}: not as arena run wrote it: expected a mapping; {_AGAIN}")
    return found


@contextmanager
def made_of(folder: Path) -> Iterator[None]:
    """Where results are used: what is missing in them, or of another kind, is told as an ``ArenaError``."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:  # pydantic's are ValueErrors, too
        reason = " ".join(str(error).split())[:200]
        raise ArenaError(f"{folder / RESULTS}: not as arena run wrote it ({reason}); {_AGAIN}") from error


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
