"""A report, whole: what it is made of and where it goes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena.report.folder import write_folder
from arena.report.html import PICTURES, charts_of, report_html
from arena.report.markdown import report_markdown
from arena.report.results import Results, made_of, read_results
from arena.report.results_json import dump, results_of
from arena.report.tables import head_to_head_csv, standings_csv
from arena.report.vega import Chart, svg
from arena.tournament.standings import Standings

if TYPE_CHECKING:
    from arena.bot.entrant import Entrant
    from arena.tournament.answers import RunAnswers
    from arena.tournament.game_steps import Json
    from arena.tournament.spec import TournamentSpec
    from arena.tournament.tournament import Looks


FILES = ("report.html", "report.md", "standings.csv", "head_to_head.csv", "results.json", "run.json")
PICTURE_FILES = tuple(f"charts/{name}.svg" for name in PICTURES.values())  # where there is something to draw


def write_report(
    folder: Path,
    spec: TournamentSpec,
    entrants: Sequence[Entrant],
    standings: Standings,
    run: Mapping[str, object],
    looks: Looks | None = None,
    answers: RunAnswers | None = None,
    telling: Sequence[Json] = (),
) -> None:
    """Write the report into ``folder``, all of its files or none. Raises ``ArenaError`` if it cannot.

    ``run`` goes to ``run.json``: times, machine, isolation, workers; nothing else differs between two runs. ``looks``
    are those of a run that could stop early, ``answers`` what its games say to players' questions, ``telling`` its most
    telling games.
    """
    files = report_files(spec, entrants, standings, looks, answers, telling)
    write_folder(folder, files | {"run.json": dump(run)})


def report_files(
    spec: TournamentSpec,
    entrants: Sequence[Entrant],
    standings: Standings,
    looks: Looks | None = None,
    answers: RunAnswers | None = None,
    telling: Sequence[Json] = (),
) -> dict[str, bytes]:
    """Name → content of the files that are the same bytes from the same inputs."""
    content = dump(results_of(spec, entrants, standings, looks, answers, telling))
    results = json.loads(content)  # as it will be read again: arena report must give the same page
    charts = charts_of(results)
    pictures = {
        heading: (f"charts/{name}.svg", charts[name].alt)
        for heading, name in PICTURES.items()
        if name in charts
    }
    return {
        "report.md": report_markdown(spec, entrants, standings, results, answers, pictures).encode("utf-8"),
        "standings.csv": standings_csv(standings),
        "head_to_head.csv": head_to_head_csv(standings),
        "results.json": content,
        **_page_files(results, charts),
    }


def rewrite_page(folder: Path) -> None:
    """Write ``report.html`` and its pictures anew from the folder's ``results.json``; all else stays as it is.

    Raises ``ArenaError`` where there are no results or of another format, or the folder cannot be written.
    """
    results = read_results(folder)
    with made_of(folder):
        files = _page_files(results, charts_of(results))
    write_folder(folder, files)


def _page_files(results: Results, charts: Mapping[str, Chart]) -> dict[str, bytes]:
    """The page, and pictures for those who read ``report.md``."""
    drawn = [name for name in PICTURES.values() if name in charts]
    return {f"charts/{name}.svg": svg(charts[name]) for name in drawn} | {
        "report.html": report_html(results, charts)
    }
