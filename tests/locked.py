"""Servers of bots' processes for tests: as another user, with some locks left off, without starting a Python anew."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
import warnings
from subprocess import TimeoutExpired
from typing import Any

import pytest

from arena.bot import child, confine
from arena.bot.modules import import_all
from arena.bot.server import ChildServer

SOMEONE = 12345  # a user number that nobody has
USERS = [
    pytest.param(
        0,
        id="root",
        marks=pytest.mark.skipif(os.geteuid() != 0, reason="these tests are not run as root here"),
    ),
    pytest.param(SOMEONE, id="user"),
]


class ForkedServer(ChildServer):
    """A server forked from this process, which then is an ordinary user's (``user``, where we are root).

    An ordinary user may not be able to start the Python that root's tests run on, hence no new one is started.
    """

    def __init__(self, layers: confine.Layers | None = None, user: int = 0) -> None:
        self._layers = layers or confine.Layers()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        import_all()
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", DeprecationWarning
            )  # threads of linear algebra, idle and not used here
            pid = os.fork()
        if pid == 0:
            try:
                os.setsid()
                ours.close()
                nowhere = os.open(os.devnull, os.O_RDWR)
                for fd in range(3):
                    os.dup2(nowhere, fd)
                os.closerange(3, theirs.fileno())
                os.closerange(theirs.fileno() + 1, 1024)
                if user and os.geteuid() == 0:
                    os.setgroups([])
                    os.setresgid(user, user, user)
                    os.setresuid(user, user, user)
                child.serve(theirs, self._layers)
            finally:
                os._exit(0)
        theirs.close()
        self._control: Any = ours
        self._control.settimeout(20)
        self._process: Any = _Forked(pid)


class _Forked:
    def __init__(self, pid: int) -> None:
        self.pid, self._is_over = pid, False

    def wait(self, timeout: float = 10.0) -> None:
        end = time.monotonic() + timeout
        while not self._is_over:
            with contextlib.suppress(ChildProcessError):
                self._is_over = os.waitpid(self.pid, os.WNOHANG)[0] != 0
            if time.monotonic() > end:
                raise TimeoutExpired("server", timeout)
            time.sleep(0.005)


def end(pid: int) -> None:
    """SIGKILL, if it is still there."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
