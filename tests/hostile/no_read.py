"""Answers, then never reads a question again."""

from __future__ import annotations

import socket
import time
from typing import Any

from arena import Bot

EXPECT = "late"


def deaf(*_: Any) -> None:
    """In place of reading."""
    time.sleep(3600)


class NoRead(Bot):
    """Passes, once."""

    def bet(self, turn: Any) -> int:
        socket.socket.recv = socket.socket.recv_into = socket.socket.recvmsg = deaf
        return 0
