"""Writes ten megabytes to standard output and standard error, past Python's own files."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from arena import Bot

EXPECT = "harmless"


def flood(fd: int) -> None:
    """Write if it can be done."""
    with contextlib.suppress(OSError):
        os.write(fd, b"x" * 1000)


class Fd1Flood(Bot):
    is_first = True

    def bet(self, turn: Any) -> int:
        if self.is_first:
            self.is_first = False
            for _ in range(10_000):
                flood(1)
                flood(2)
        return 0
