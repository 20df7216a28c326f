"""Time: the clock inside a bot's process, which names the decision that is late, and the account outside, which decides.

What counts is processor time. The clock works from inside and a bot can break it; the account reads the kernel's own
figure for the process, so a broken clock is noticed as soon as it matters.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from typing import Any

TICK_S = 0.01
WALL = 10  # so many seconds by the clock on the wall count as one of processor time: sleeping is no way out
MOST_STRIKES = 50  # late decisions of a process after which it is not asked any more
EXIT_LATE = 75  # what a process ends with that has struck so often
_FREE_S = 0.002  # between two questions: the way back to waiting
_SLACK_S = 0.1  # ticks are that coarse
_LEAST_WALL_S = 2.0


class OutOfTime(BaseException):
    """Raised inside a bot's code by the clock; no ``except Exception`` of the bot's catches it."""


class Clock:
    """Stops a decision that takes too long: ``decision_s`` of processor time, and a bank that all decisions may draw on.

    A tick looks whether the decision has moved on; a single long call into C is only stopped as it ends. ``struck`` are
    the steps stopped since the start, also those where the bot's code caught what stopped it.
    """

    def __init__(self, decision_s: float, bank_s: float, give_up: Callable[[], object]) -> None:
        self.decision_s, self.bank_s = decision_s, bank_s
        self.struck: list[int] = []
        self._give_up, self._strikes = give_up, 0
        self._done: list[Any] | None = None
        self._mark, self._since, self._charged, self._allowed = 0, (0.0, 0.0), 0.0, 0.0
        signal.signal(signal.SIGALRM, self._tick)

    def start(self, done: list[Any], decisions_a_step: int) -> None:
        """Watch ``done`` grow by one a step, each of so many decisions."""
        self._done, self._mark, self._since, self._charged = done, len(done), self._now(), 0.0
        self._allowed = self.decision_s * decisions_a_step
        signal.setitimer(signal.ITIMER_REAL, TICK_S, TICK_S)

    def stop(self) -> None:
        """Watch no more."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._done = None

    @staticmethod
    def _now() -> tuple[float, float]:
        return time.process_time(), time.monotonic()

    def _tick(self, *_: object) -> None:
        if self._done is None:
            return
        now = self._now()
        if len(self._done) != self._mark:
            self._mark, self._since, self._charged = len(self._done), now, 0.0
            return
        over = max(now[0] - self._since[0], (now[1] - self._since[1]) / WALL) - self._allowed
        if over > self._charged:
            self.bank_s -= over - self._charged
            self._charged = over
        if over > 0 and self.bank_s <= 0:
            self._since, self._charged = now, 0.0
            self._strikes += 1
            if self._strikes >= MOST_STRIKES:
                self._give_up()
            self.struck.append(self._mark)
            raise OutOfTime


class Account:
    """A process's processor time, as the kernel tells it to another: what is finally charged, in seconds.

    A question to ``n`` tables may take ``n`` decisions' time and what is left in the bank; what is used between questions
    is the bank's alone, so nobody thinks on another's time.
    """

    def __init__(self, pid: int, decision_s: float, bank_s: float) -> None:
        self._clock = (~pid << 3) | 2  # CPUCLOCK_SCHED of a process: linux/posix-timers.h
        self.decision_s, self.bank_s = decision_s, bank_s
        self._cpu = self._read()
        self._wall, self._asked_s = time.monotonic(), 0.0

    def _read(self) -> float:
        """Seconds used so far. Raises ``OSError`` where the process is gone."""
        return time.clock_gettime(self._clock)

    def open(self) -> None:
        """A question goes out: what was used since the last answer is charged. Raises ``OSError``."""
        now = self._read()
        self.bank_s -= max(0.0, now - self._cpu - _FREE_S)
        self._cpu, self._wall = now, time.monotonic()

    def may_be_late(self, used_s: float) -> bool:
        """Whether a process that ended itself for being late, having used so much, can have been late so often.

        Its word alone does not count: how a process ends is its own to choose. Each late decision took its time of one kind
        or the other, so both together took that of all.
        """
        asked_s = self._asked_s + (time.monotonic() - self._wall)
        return used_s + asked_s / WALL >= MOST_STRIKES * self.decision_s

    def is_over(self, n: int) -> bool:
        """Whether the question to ``n`` tables that is out has taken more than any answer can. Raises ``OSError``."""
        used, wall = self._read() - self._cpu, time.monotonic() - self._wall
        # a process whose clock is in order says itself which decisions were late, and ends after so many
        left_s = max(0.0, self.bank_s) + MOST_STRIKES * self.decision_s + _SLACK_S
        most_s = n * self.decision_s + left_s + MOST_STRIKES * 2 * TICK_S
        return used > most_s or wall > WALL * used + max(_LEAST_WALL_S, WALL * left_s)

    def close(self, n: int, late: int) -> bool:
        """Answers are in, ``late`` of them said to be late: whether more was used than there was, unsaid.

        Raises ``OSError`` where the process is gone.
        """
        now, wall = self._read(), time.monotonic() - self._wall
        self._asked_s += wall
        used, self._cpu = max(now - self._cpu, wall / WALL), now
        self.bank_s -= max(0.0, used - n * self.decision_s)
        if late:  # faults pay for it
            self.bank_s = max(0.0, self.bank_s)
        return self.bank_s < -_SLACK_S
