"""The locks on a bot's process: what it may still ask of the kernel once it has called :func:`lock`.

Linux only, standard library only. The list of system calls is the wall that has to stand (seccomp: Documentation/
userspace-api/seccomp_filter.rst in the kernel's source); the others stand behind it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import resource
import signal
import struct
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

NOBODY = 65534

# System calls that a locked process may make: number on x86-64, number on arm64. None opens, finds or makes anything
# outside the process. What is not here fails with EPERM, so a bot that tries is told as Python tells it: PermissionError.
CALLS = {
    "recvfrom": (45, 207),  # on the one socket it has: the questions,
    "sendto": (44, 206),  # and word that they are answered
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "mmap": (9, 222),  # memory; see CHECKS
    "mprotect": (10, 226),  # see CHECKS
    "munmap": (11, 215),
    "brk": (12, 214),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "futex": (202, 98),  # Python's own locks
    "setitimer": (38, 103),  # the clock on its decisions
    "getitimer": (36, 102),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "clock_gettime": (228, 113),  # see CHECKS
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101),
    "gettimeofday": (96, 169),
    "sched_yield": (24, 124),
    "getrandom": (318, 278),  # random.Random(), numpy's default_rng()
    "getpid": (39, 172),
    "gettid": (186, 178),
    "restart_syscall": (219, 128),
    "exit": (60, 93),
    "exit_group": (231, 94),
}


class Check(NamedTuple):
    """A call is refused where an argument (its lower 32 bits) has a bit of ``mask`` or is above ``most``."""

    argument: int
    mask: int = 0
    most: int = 0xFFFFFFFF


_PROT_EXEC = 4
CHECKS = {
    "mmap": Check(2, mask=_PROT_EXEC),  # no new machine code
    "mprotect": Check(2, mask=_PROT_EXEC),
    "clock_gettime": Check(0, most=15),  # numbers above (negative ones) are other processes' clocks
    "clock_getres": Check(0, most=15),
    "clock_nanosleep": Check(0, most=15),
}


class Machine(NamedTuple):
    """A kind of processor: its column in :data:`CALLS`, its mark in the kernel, and numbers that are a second door."""

    column: int
    audit: int
    second_door: int | None  # x32: the same calls again, from this number on
    capset: int


MACHINES = {
    "x86_64": Machine(0, 0xC000003E, 0x40000000, 126),
    "aarch64": Machine(1, 0xC00000B7, None, 91),
}
_LANDLOCK_CREATE, _LANDLOCK_RESTRICT = 444, 446  # the same on both

# Classic BPF, as in linux/bpf_common.h: load a word, jump, return. Words of the call: linux/seccomp.h, seccomp_data.
LD_W_ABS, JEQ_K, JGE_K, JGT_K, JSET_K, RET_K = 0x20, 0x15, 0x35, 0x25, 0x45, 0x06
_NR, _ARCH, _ARGUMENTS = 0, 4, 16
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000 | 1, 0x80000000  # REFUSE: fail with errno 1, EPERM

Instruction = tuple[int, int, int, int]  # code, steps to go if true, if false, constant


class LockError(Exception):
    """A lock cannot be had here; the text says which and why."""


@dataclass(frozen=True)
class Layers:
    """Which locks are put on; tests of what a lock is good for leave some off."""

    identity: bool = True  # nobody, without capabilities
    limits: bool = True
    landlock: bool = True
    seccomp: bool = True
    imports: bool = True  # a fixed list of modules: no lock, but what a bot's author can rely on

    def text(self) -> str:
        """The names of those put on, with commas."""
        return ",".join(name for name, is_on in vars(self).items() if is_on)

    @staticmethod
    def of(text: str) -> Layers:
        """The layers whose :meth:`text` this is."""
        return Layers(**{name: name in text.split(",") for name in vars(Layers())})


def machine() -> Machine:
    """This processor's row. Raises :class:`LockError` where there is none."""
    found = MACHINES.get(platform.machine())
    if sys.platform != "linux" or found is None or sys.maxsize < 1 << 32:
        raise LockError(f"no list of system calls for {sys.platform} on {platform.machine()}")
    return found


@cache
def _here() -> Machine:
    """:func:`machine`, looked up once by the server for all its children. Raises :class:`LockError`."""
    return machine()


def program(kind: Machine) -> list[Instruction]:
    """The filter for a kind of processor."""
    steps = [
        (LD_W_ABS, 0, 0, _ARCH),
        (JEQ_K, 1, 0, kind.audit),
        (RET_K, 0, 0, KILL),  # another processor's numbers mean other calls
        (LD_W_ABS, 0, 0, _NR),
    ]
    if kind.second_door is not None:
        steps += [(JGE_K, 0, 1, kind.second_door), (RET_K, 0, 0, KILL)]
    for name, numbers in CALLS.items():
        steps += _one(numbers[kind.column], CHECKS.get(name))
    return [*steps, (RET_K, 0, 0, REFUSE)]


@cache
def compiled() -> bytes:
    """This processor's filter as the kernel reads it. Raises :class:`LockError`."""
    return b"".join(struct.pack("=HBBI", *step) for step in program(_here()))


def _one(number: int, check: Check | None) -> Iterator[Instruction]:
    if check is None:
        yield from [(JEQ_K, 0, 1, number), (RET_K, 0, 0, ALLOW)]
        return
    yield from [
        (JEQ_K, 0, 5, number),
        (LD_W_ABS, 0, 0, _ARGUMENTS + 8 * check.argument),
        (JSET_K, 2, 0, check.mask),
        (JGT_K, 1, 0, check.most),
        (RET_K, 0, 0, ALLOW),
        (RET_K, 0, 0, REFUSE),
    ]


class _Kernel:
    """The C library's calls, failures raised as ``OSError``."""

    def __init__(self) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self._syscall, self._prctl = libc.syscall, libc.prctl  # found here, not by each child anew

    def syscall(self, number: int, *arguments: int | bytes | None) -> int:
        words = [a if a is None or isinstance(a, bytes) else ctypes.c_long(a) for a in arguments]
        return self._checked(self._syscall(ctypes.c_long(number), *words))

    def prctl(self, option: int, *arguments: int) -> int:
        words = [ctypes.c_ulong(a) for a in (*arguments, 0, 0, 0, 0)[:4]]
        return self._checked(self._prctl(ctypes.c_int(option), *words))

    @staticmethod
    def _checked(result: int) -> int:
        if result < 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
        return result


_PDEATHSIG, _DUMPABLE, _SECCOMP, _NO_NEW_PRIVS, _AMBIENT = 1, 4, 22, 38, 47
_kernel = _Kernel()


def lock(memory_bytes: int, cpu_s: int, parent: int, layers: Layers) -> str:
    """Lock this process, a fresh child of ``parent`` with one thread, for good; what was reached, in words.

    Raises :class:`LockError` where a lock that has to stand cannot be had. The order matters: each step needs what
    later ones take away (``oom_score_adj`` can be written only before the process is nobody's).
    """
    reached = []
    for name, step in (
        ("oom_score_adj", _offer_to_end),
        ("identity", _become_nobody if layers.identity else lambda: None),
        ("prctl", lambda: _tie_to(parent)),
        ("limits", (lambda: _limit(memory_bytes, cpu_s)) if layers.limits else lambda: None),
        ("Landlock", _restrict_files if layers.landlock else lambda: None),
        ("no files", (lambda: _cap(resource.RLIMIT_NOFILE, 0)) if layers.limits else lambda: None),
        ("seccomp", _filter_calls if layers.seccomp else lambda: None),
    ):
        said = _step(name, step)
        if said:
            reached.append(said)
    return ", ".join(reversed(reached)) or "no locks"


def _step(name: str, step: Callable[[], object]) -> str | None:
    """What a step says of itself. Raises :class:`LockError`."""
    try:
        said = step()
    except OSError as error:
        if name == "oom_score_adj":  # a kindness to the machine's other programs; no lock
            return None
        raise LockError(f"{name}: {error.strerror}") from None
    return said if isinstance(said, str) else None


def _offer_to_end() -> None:
    """Be the first to end where memory runs out. Plain calls here and below: each page touched is a page copied."""
    handle = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
    try:
        os.write(handle, b"1000")
    finally:
        os.close(handle)


def _become_nobody() -> str:
    """No groups, user and group 65534 where this is root, and no capabilities."""
    is_root = os.geteuid() == 0
    if is_root:
        try:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
        except OSError:  # a container that knows no such user: what follows takes root's rights all the same
            is_root = False
    with contextlib.suppress(OSError):  # kernels before 4.3 have no ambient set
        _kernel.prctl(_AMBIENT, 4)
    version_3 = struct.pack("=II", 0x20080522, 0)
    _kernel.syscall(_here().capset, version_3, bytes(24))
    return f"user {NOBODY}, no capabilities" if is_root else "no capabilities"


def _tie_to(parent: int) -> None:
    """End with the parent, show nothing to others, and never gain rights."""
    _kernel.prctl(_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    _kernel.prctl(_DUMPABLE, 0)
    _kernel.prctl(_NO_NEW_PRIVS, 1)


def _cap(what: int, value: int) -> None:
    hard = resource.getrlimit(what)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(what, (value, value))


def _limit(memory_bytes: int, cpu_s: int) -> str:
    handle = os.open("/proc/self/statm", os.O_RDONLY)
    pages = int(os.read(handle, 100).split()[0])
    os.close(handle)
    _cap(resource.RLIMIT_AS, pages * resource.getpagesize() + memory_bytes)
    _cap(resource.RLIMIT_CPU, cpu_s)
    for none in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC, resource.RLIMIT_MEMLOCK):
        _cap(none, 0)
    return f"{memory_bytes >> 20} MB"


def _restrict_files() -> str | None:
    """An empty Landlock rule set: nothing of any file system, no port, nothing outside; None where the kernel has none."""
    try:
        abi = _kernel.syscall(_LANDLOCK_CREATE, None, 0, 1)
    except OSError:
        return None
    files = (1 << (13, 14, 15, 15, 16)[min(abi, 5) - 1]) - 1
    rules = struct.pack("=QQQ", files, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)
    ruleset = _kernel.syscall(_LANDLOCK_CREATE, rules, 8 if abi < 4 else 16 if abi < 6 else 24, 0)
    _kernel.syscall(_LANDLOCK_RESTRICT, ruleset, 0)
    os.close(ruleset)
    return "Landlock"


def _filter_calls() -> str:
    steps = compiled()
    code = ctypes.create_string_buffer(steps, len(steps))
    filters = ctypes.create_string_buffer(struct.pack("@HP", len(steps) // 8, ctypes.addressof(code)))
    _kernel.prctl(_SECCOMP, 2, ctypes.addressof(filters))
    return "seccomp"


def verify(pid: int, layers: Layers) -> None:
    """Look from outside whether a process is locked. Raises :class:`LockError` where it is not, or cannot be seen."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError as error:
        raise LockError(f"its process cannot be looked at: {error.strerror}") from None
    status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    expected = [("NoNewPrivs", "1", True), ("Seccomp", "2", layers.seccomp), ("Threads", "1", True)]
    expected += [("CapEff", "0" * 16, layers.identity), ("CapPrm", "0" * 16, layers.identity)]
    for name, value, is_on in expected:
        if is_on and status.get(name, "missing").strip() != value:
            raise LockError(f"{name} is {status.get(name, 'missing')}, expected {value}")
