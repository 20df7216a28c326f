"""How a run is doing, on standard error: a bar and the standings as they settle, or a line now and then on a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

import click
import numpy as np

from arena.bot.faults import Fault
from arena.cli.say import tell
from arena.tournament.blame import Lost
from arena.tournament.blocks import BlockResult
from arena.wording import printable

_LINE_EVERY_S = 5.0
_SHOWN = 12


def say_trusted(where: str) -> None:
    """Say that bots are trusted, and what does not hold then."""
    tell(f"BOTS ARE TRUSTED: they run {where}, not isolated, without limits of time and memory")


def lost_sentence(lost: Lost, names: Sequence[str]) -> str:
    """That a bot fell out of a block once, which its report cannot show; ``names`` of the entrants."""
    block = lost.block
    bot, *lineup = [printable(names[i]) for i in (lost.entrant, *block.lineup)]
    why = "took too long, again and again," if lost.kind == Fault.LATE else "had its process end"
    where = f"deals {block.first_deal:,} to {block.first_deal + block.deals - 1:,} of {' - '.join(lineup)}"
    return f"{bot} {why} once ({where}), and played them when asked again: another run may end otherwise."


class Progress:
    """A context in which :meth:`add` takes results as they come in; ``stored`` of all ``games`` are not played now."""

    def __init__(self, names: Sequence[str], chips: int, games: int, stored: int = 0) -> None:
        self._names, self._chips = names, chips
        self._games, self._to_play = games, games - stored
        self._done = self._new = 0
        self.new_turns = 0
        self._net = np.zeros(len(names), dtype=np.int64)
        self._played = np.zeros(len(names), dtype=np.int64)
        self._start = self._said = time.monotonic()
        self._live: Any = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            console = Console(stderr=True)
            self._live = Live(
                console=console, refresh_per_second=4, transient=True, get_renderable=self._picture
            )
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def add(self, result: BlockResult, is_new: bool = True, /) -> None:
        """Take in a block that is done, now or earlier."""
        lineup = list(result.block.lineup)
        self._net[lineup] += (result.chips - self._chips).sum(axis=(0, 1))
        self._played[lineup] += result.chips.shape[0] * result.block.deals
        games = result.chips.shape[0] * result.block.deals
        self._done += games
        if is_new:
            self._new += games
            self.new_turns += int(result.turns.sum())
        now = time.monotonic()
        if self._live is None and now - self._said >= _LINE_EVERY_S and self._done < self._games:
            self._said = now
            click.echo(self._line(), err=True)

    @staticmethod
    def isolated(locks: str) -> None:
        """Say how bots are run, as it is known."""
        if locks == "none":
            say_trusted("inside the workers")
        else:
            tell(f"bots are isolated, each in a process of its own: {locks}")

    def _line(self) -> str:
        spent = max(time.monotonic() - self._start, 1e-9)
        left = spent * max(self._to_play - self._new, 0) / max(self._new, 1)
        text = f"{self._done:,} of {self._games:,} games, {self.new_turns / spent:,.0f} turns a second"
        return text + (f", {_duration(left)} left" if self._new else "")

    def _picture(self) -> Any:
        """The bar, a line, and raw chips so far of those that have played: the first are against few others."""
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        lines = Table.grid()  # a bar ends no line by itself
        lines.add_row(ProgressBar(self._games, self._done, width=60))
        lines.add_row(Text(self._line()))
        if self._done:
            table = Table(box=None, pad_edge=False)
            for head in ("so far", "raw chips a game", "games"):
                table.add_column(head, justify="left" if head == "so far" else "right")
            means = np.where(self._played > 0, self._net / np.maximum(self._played, 1), -np.inf)
            order = np.argsort(-means, kind="stable")
            for bot in order[:_SHOWN]:
                mean = f"{means[bot]:+,.1f}" if self._played[bot] else "…"
                table.add_row(Text(_plain(self._names[bot])), mean, f"{self._played[bot]:,}")
            lines.add_row(table)
            if (more := len(order) - _SHOWN) > 0:
                lines.add_row(Text(f"… and {more} more"))
        return lines


def _plain(name: str) -> str:
    return name if len(name) <= 40 else name[:39] + "…"


def _duration(seconds: float) -> str:
    return (
        f"{seconds:.0f} s"
        if seconds < 90
        else f"{seconds / 60:.0f} min"
        if seconds < 5400
        else f"{seconds / 3600:.1f} h"
    )
