"""How long a bot takes over one decision, asked alone, the way there and back included."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arena.bot.harness import Answers
from arena.bot.host import Host
from arena.game.questions import Question, TurnOver


@dataclass
class Stopwatch:
    """Milliseconds of every decision that was asked alone."""

    taken_ms: list[float] = field(default_factory=list)

    def timed(self, host: Host) -> Host:
        """The host with its questions timed."""
        return _Timed(host, self)

    def pace(self) -> Pace | None:
        """Percentiles; None where nothing was asked."""
        if not self.taken_ms:
            return None
        half, most, worst = np.percentile(self.taken_ms, [50, 99, 100]).tolist()
        return Pace(len(self.taken_ms), half, most, worst)


@dataclass(frozen=True)
class Pace:
    """Of so many decisions: the median, the 99th percentile and the greatest, in milliseconds by the clock."""

    decisions: int
    median_ms: float
    p99_ms: float
    max_ms: float


class _Timed:
    """A host whose questions about one table are timed."""

    def __init__(self, host: Host, watch: Stopwatch) -> None:
        self._host, self._watch = host, watch
        self.start, self.asked, self.is_over = host.start, host.asked, host.is_over

    def ask(self, question: Question) -> Answers:
        """See ``arena.bot.host.Host``."""
        clock = time.perf_counter()
        answers = self._host.ask(question)
        if len(question.rows) == 1:
            self._watch.taken_ms.append(1000 * (time.perf_counter() - clock))
        self.is_over = self._host.is_over
        return answers

    def watch(self, turn: TurnOver, tables: Any) -> Answers:
        """See ``arena.bot.host.Host``."""
        answers = self._host.watch(turn, tables)
        self.is_over = self._host.is_over
        return answers

    def close(self) -> None:
        """See ``arena.bot.host.Host``."""
        self._host.close()
