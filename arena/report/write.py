"""A report, whole: what it is made of and where it goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena.report.folder import write_folder
from arena.report.markdown import report_markdown
from arena.report.results_json import dump, results_json
from arena.report.tables import head_to_head_csv, standings_csv
from arena.tournament.standings import Standings

if TYPE_CHECKING:
    from arena.bot.entrant import Entrant
    from arena.tournament.answers import RunAnswers
    from arena.tournament.spec import TournamentSpec
    from arena.tournament.tournament import Looks


FILES = ("report.md", "standings.csv", "head_to_head.csv", "results.json", "run.json")


def write_report(
    folder: Path,
    spec: TournamentSpec,
    entrants: Sequence[Entrant],
    standings: Standings,
    run: Mapping[str, object],
    looks: Looks | None = None,
    answers: RunAnswers | None = None,
) -> None:
    """Write the report into ``folder``, all of its files or none. Raises ``ArenaError`` if it cannot.

    ``run`` goes to ``run.json``: times, machine, isolation, workers; nothing else differs between two runs. ``looks``
    are those of a run that could stop early, ``answers`` what its games say to players' questions.
    """
    write_folder(folder, report_files(spec, entrants, standings, looks, answers) | {"run.json": dump(run)})


def report_files(
    spec: TournamentSpec,
    entrants: Sequence[Entrant],
    standings: Standings,
    looks: Looks | None = None,
    answers: RunAnswers | None = None,
) -> dict[str, bytes]:
    """Name → content of the files that are the same bytes from the same inputs."""
    return {
        "report.md": report_markdown(spec, entrants, standings, looks, answers).encode("utf-8"),
        "standings.csv": standings_csv(standings),
        "head_to_head.csv": head_to_head_csv(standings),
        "results.json": results_json(spec, entrants, standings, looks),
    }
