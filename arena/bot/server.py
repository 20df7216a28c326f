"""The warm server that forks bots' processes, seen from the trusted side."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import struct
import subprocess
import sys

from arena.bot import child, confine, wire
from arena.errors import CannotRunError

_WAIT_S = 20.0
_CLOSE_S = 0.5
_ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_TRIM_THRESHOLD_": "1073741824",  # memory once had is kept: having it anew for each question is slow
    "MALLOC_MMAP_THRESHOLD_": "1073741824",
    "MALLOC_ARENA_MAX": "1",  # a second arena would count 128 MB against a bot's memory
}
_KEPT = ("PATH", "LANG", "LC_ALL", "ARENA_CHILD_ERRORS", "OPENBLAS_CORETYPE")


class ServerLostError(Exception):
    """The server that forks bots' processes has ended or does not answer: its worker can only start anew."""


def cannot_run(why: object) -> CannotRunError:
    """That bots cannot be isolated here, why, and the ways out."""
    why = why if os.path.isdir("/proc/self") else "/proc is not mounted"
    return CannotRunError(
        f"bots cannot be isolated here ({why}). Use Linux on x86-64 or arm64, Docker's default settings, "
        "or --trust-bots if you wrote every bot yourself."
    )


class ChildServer:
    """Forks bots' processes; one for each worker. Everything it forked ends with it.

    ``layers`` are the locks that its processes put on: all of them, but for tests of the locks themselves. Text is hashed by
    ``hash_seed`` in them: 0 wherever games count.
    Raises ``CannotRunError`` where there can be none.
    """

    def __init__(self, layers: confine.Layers | None = None, hash_seed: int = 0) -> None:
        self._layers = layers or confine.Layers()
        try:
            confine.machine()
        except confine.LockError as error:
            raise cannot_run(error) from None
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment = _ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        environment["PYTHONHASHSEED"] = str(hash_seed)
        environment |= {k: os.environ[k] for k in _KEPT if k in os.environ}
        noise = None if "ARENA_CHILD_ERRORS" in os.environ else subprocess.DEVNULL
        run = [sys.executable, "-P", "-s", "-S", "-B", "-m", "arena.bot.child"]
        self._process = subprocess.Popen(
            [*run, str(theirs.fileno()), self._layers.text()],
            pass_fds=[theirs.fileno()],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=noise,
            stderr=noise,
            start_new_session=True,  # Ctrl-C at the terminal is the main process's to answer
        )
        theirs.close()
        self._control = ours
        self._control.settimeout(_WAIT_S)

    def fork(self, board_fd: int, memory_bytes: int, cpu_s: int) -> socket.socket:
        """Our end of a new child's socket; see :meth:`locked`. Raises :class:`ServerLostError`."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            request = child.FORK + child.FORK_SIZES.pack(memory_bytes, cpu_s)
            socket.send_fds(self._control, [request], [theirs.fileno(), board_fd])
        except OSError as error:
            ours.close()
            raise ServerLostError(str(error)) from None
        finally:
            theirs.close()
        return ours

    def locked(self, control: socket.socket) -> wire.Ready:
        """A new child's word that it is locked, once this is seen from here.

        Raises ``CannotRunError`` where it is not, and :class:`ServerLostError` where nothing comes.
        """
        control.settimeout(_WAIT_S)
        try:
            ready = wire.Ready.unpack(control.recv(wire.MAX_FRAME))
        except (OSError, wire.WireError) as error:
            raise ServerLostError(str(error)) from None
        if not ready.is_locked:
            raise cannot_run(ready.text)
        try:
            confine.verify(ready.pid, self._layers)
        except confine.LockError as error:
            raise cannot_run(error) from None
        return ready

    def end(self, pid: int) -> tuple[int, float]:
        """End a child and say how it ended: exit code, negative for a signal, and seconds of processor time used.

        Raises :class:`ServerLostError`.
        """
        try:
            self._control.send(child.END + child.END_PID.pack(pid, 1))
            status, used_s = child.ENDED.unpack(self._control.recv(64))
            return status, used_s
        except (OSError, struct.error) as error:
            raise ServerLostError(str(error)) from None

    def let_go(self, pid: int) -> None:
        """End a child, whenever the server comes to it."""
        with contextlib.suppress(OSError):  # a server that is gone has taken it along; who asks next is told
            self._control.send(child.END + child.END_PID.pack(pid, 0))

    def canary(self, memory_bytes: int = 1 << 26) -> str:
        """Try what a bot must not do in a child that has none; the locks reached, in words.

        Raises ``CannotRunError`` where anything that is tried succeeds, or the locks cannot be had.
        """
        board_fd = os.memfd_create("arena-canary", os.MFD_CLOEXEC)
        try:
            os.ftruncate(board_fd, 4096)
            control = self.fork(board_fd, memory_bytes, 10)
        finally:
            os.close(board_fd)
        with control:
            ready = self.locked(control)
            try:
                control.send(wire.Request(wire.CANARY, 0, 1).pack())
                reply = wire.Reply.unpack(control.recv(wire.MAX_FRAME), wire.CANARY, 0, 1)
            except (OSError, wire.WireError):
                raise cannot_run("the locks' own test did not end") from None
            finally:
                self.end(ready.pid)
        succeeded = reply.first.get(0, (0, "?"))[1]
        if succeeded:
            raise cannot_run(f"locked, and yet a process succeeded in {succeeded}")
        return ready.text

    def close(self) -> None:
        """End the server and every child of it; may be called twice."""
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_CLOSE_S)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)  # and whatever its children may have started
        self._process.wait()
