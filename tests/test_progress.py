"""What a run shows on a terminal while it plays."""

from __future__ import annotations

import io

from rich.console import Console
from test_standings import block_result

from arena.cli.progress import Progress

NAMES = [f"Bot{at:02}" for at in range(15)] + ["L" * 60]


def shown(progress: Progress, width: int) -> list[str]:
    """The picture as a terminal of so many columns has it."""
    console = Console(width=width, height=60, record=True, file=io.StringIO(), force_terminal=True)
    console.print(progress._picture())
    return [line.rstrip() for line in console.export_text().splitlines()]


def test_games_speed_and_time_left_stand_on_a_line_of_eighty_columns() -> None:
    progress = Progress(NAMES, 1000, 1_000_000)
    progress.add(block_result((0, 1), 0, [[[1100, 900], [1000, 1000]], [[1300, 700], [2000, 0]]]))
    lines = shown(progress, 80)
    assert set(lines[0]) <= set("━╸╺ ")
    assert lines[1].startswith("4 of 1,000,000 games, ")
    assert "turns a second, " in lines[1]
    assert lines[1].endswith(" left")
    assert max(map(len, lines)) <= 80


def test_those_that_have_not_played_yet_stand_last_and_the_rest_is_counted() -> None:
    progress = Progress(NAMES, 1000, 1_000_000)
    progress.add(block_result((3, 1), 0, [[[1100, 900], [1000, 1000]], [[1300, 700], [2000, 0]]]))
    rows = [line.split() for line in shown(progress, 80)[3:]]
    assert rows[0] == ["Bot03", "+350.0", "4"]
    assert rows[1] == ["Bot01", "-350.0", "4"]
    assert rows[2] == ["Bot00", "…", "0"]
    assert rows[-1] == ["…", "and", "4", "more"]
    assert len(rows) == 12 + 1
