"""The locks on a bot's process: the filter step by step, its numbers, and what the kernel then refuses."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from locked import SOMEONE, USERS, ForkedServer
from playing import GAP8, PASS, code, play, rules

from arena.bot import confine
from arena.bot.confine import ALLOW, CALLS, CHECKS, KILL, MACHINES, REFUSE, Layers, Machine
from arena.bot.modules import import_all
from arena.bot.server import ChildServer
from arena.errors import CannotRunError

X86, ARM = MACHINES["x86_64"], MACHINES["aarch64"]
OTHER_ARCH = 0x40000003  # i386


def judged(kind: Machine, number: int, *arguments: int, audit: int | None = None) -> int:
    """What the filter says of a call: by a reading of classic BPF (Linux, Documentation/networking/filter.rst)."""
    words = {0: number, 4: kind.audit if audit is None else audit}
    for k, argument in enumerate(arguments):
        words[16 + 8 * k], words[20 + 8 * k] = argument & 0xFFFFFFFF, argument >> 32 & 0xFFFFFFFF
    steps, at, accumulator = confine.program(kind), 0, 0
    for _ in range(len(steps)):
        code, if_true, if_false, constant = steps[at]
        at += 1
        if code == 0x20:  # BPF_LD | BPF_W | BPF_ABS
            accumulator = words.get(constant, 0)
        elif code == 0x06:  # BPF_RET | BPF_K
            return constant
        else:
            is_true = {  # BPF_JMP | BPF_K with BPF_JEQ, BPF_JGT, BPF_JGE, BPF_JSET
                0x15: accumulator == constant,
                0x25: accumulator > constant,
                0x35: accumulator >= constant,
                0x45: accumulator & constant != 0,
            }[code]
            at += if_true if is_true else if_false
    raise AssertionError("the filter runs past its end")


@pytest.mark.parametrize("kind", [X86, ARM], ids=MACHINES)
def test_the_filter_lets_through_what_is_listed_and_nothing_else(kind: Machine) -> None:
    listed = {numbers[kind.column] for numbers in CALLS.values()}
    assert len(listed) == len(CALLS) == 30
    for number in range(1024):
        assert judged(kind, number, 0, 0, 0) == (ALLOW if number in listed else REFUSE)
    assert judged(kind, 0xFFFFFFFF) == (KILL if kind is X86 else REFUSE)


@pytest.mark.parametrize("kind", [X86, ARM], ids=MACHINES)
def test_another_processors_calls_end_the_process(kind: Machine) -> None:
    for number in range(512):
        assert judged(kind, number, audit=OTHER_ARCH) == KILL


def test_x32_calls_are_no_second_door() -> None:
    for number in range(512):
        assert judged(X86, 0x40000000 + number) == KILL


@pytest.mark.parametrize("kind", [X86, ARM], ids=MACHINES)
def test_memory_is_never_made_executable_and_no_other_process_clock_is_read(kind: Machine) -> None:
    def of(name: str, *arguments: int) -> int:
        return judged(kind, CALLS[name][kind.column], *arguments)

    for name in ("mmap", "mprotect"):
        assert [of(name, 0, 4096, prot) for prot in range(4)] == [ALLOW] * 4
        assert [of(name, 0, 4096, prot) for prot in range(4, 8)] == [REFUSE] * 4
        assert of(name, 4, 4, 3) == ALLOW  # the third argument alone
        assert of(name, 0, 0, 4 + (1 << 40)) == REFUSE
    for name in ("clock_gettime", "clock_getres", "clock_nanosleep"):
        assert [of(name, clock) for clock in (0, 1, 2, 3, 11, 15)] == [ALLOW] * 6
        assert [of(name, clock & 0xFFFFFFFF) for clock in (16, -1, (~1234 << 3) | 2)] == [REFUSE] * 3
    assert set(CHECKS) == {"mmap", "mprotect", "clock_gettime", "clock_getres", "clock_nanosleep"}


def test_nothing_listed_opens_finds_starts_or_signals() -> None:
    doors = (
        "open openat openat2 creat stat newfstatat statx socket socketpair connect bind sendmsg recvmsg sendmmsg "
        "clone clone3 fork vfork execve execveat kill tkill tgkill ptrace process_vm_readv process_vm_writev "
        "prctl prlimit64 setrlimit seccomp bpf io_uring_setup userfaultfd keyctl memfd_create "
        "memfd_secret shmget shmat mq_open ioctl dup dup2 fcntl "
        "unshare setns mount chroot setuid setresuid capset pidfd_open pidfd_getfd perf_event_open pkey_mprotect arch_prctl "
        "personality sched_setaffinity timer_create rseq modify_ldt"
    )
    assert not set(doors.split()) & set(CALLS)


def test_the_numbers_are_those_of_libseccomp() -> None:
    ask = (
        "import sys, seccomp\n"
        "for name in sys.argv[1:]:\n"
        "    print(*(seccomp.resolve_syscall(a, name) for a in (seccomp.Arch.X86_64, seccomp.Arch.AARCH64)))"
    )
    python = shutil.which("python3", path="/usr/bin") or "python3"
    found = subprocess.run([python, "-I", "-c", ask, *CALLS], capture_output=True, text=True, timeout=30)
    if found.returncode:
        pytest.skip(f"no python3-seccomp to check with: {found.stderr.strip().splitlines()[-1]}")
    numbers = [tuple(map(int, line.split())) for line in found.stdout.splitlines()]
    assert dict(zip(CALLS, numbers, strict=True)) == CALLS


@pytest.fixture(params=[Layers(), Layers(landlock=False)], ids=["Landlock", "no Landlock"])
def layers(request: pytest.FixtureRequest) -> Layers:
    given: Layers = request.param
    return given


@pytest.fixture(params=USERS)
def server(request: pytest.FixtureRequest, layers: Layers) -> Iterator[ForkedServer]:
    made = ForkedServer(layers, request.param)
    yield made
    made.close()


def test_a_locked_process_is_refused_all_that_the_canary_tries(server: ForkedServer, layers: Layers) -> None:
    reached = server.canary()
    assert reached.startswith("seccomp, ")
    assert "no capabilities" in reached
    assert layers.landlock or "Landlock" not in reached


@pytest.mark.parametrize("user", USERS)
def test_without_locks_the_canary_gets_through_everywhere_and_the_arena_refuses(user: int) -> None:
    server = ForkedServer(Layers(False, False, False, False), user)
    try:
        with pytest.raises(CannotRunError) as refused:
            server.canary()
    finally:
        server.close()
    said = str(refused.value)
    for act in (
        "opening a file",
        "opening a socket",
        "starting a process",
        "running a program",
        "making machine code",
    ):
        assert act in said
    assert said.startswith("bots cannot be isolated here (")
    assert "--trust-bots if you wrote every bot yourself." in said
    assert refused.value.exit_code == 3


@pytest.mark.parametrize("missing", ["seccomp", "identity"])
def test_the_parent_sees_a_lock_that_is_missing(missing: str) -> None:
    if missing == "identity" and os.geteuid() != 0:
        pytest.skip("an ordinary user's process has no capabilities to begin with")
    server = ForkedServer(Layers(**{missing: False}))
    server._layers = Layers()  # what the parent expects
    try:
        with pytest.raises(CannotRunError, match="Seccomp is 0" if missing == "seccomp" else "CapEff is"):
            server.canary()
    finally:
        server.close()


def test_a_kernel_without_filters_is_named_with_the_ways_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> str:
        raise PermissionError(1, os.strerror(1))

    monkeypatch.setattr(confine, "_filter_calls", refuse)
    server = ForkedServer()
    try:
        with pytest.raises(CannotRunError) as refused:
            server.canary()
    finally:
        server.close()
    assert str(refused.value) == (
        "bots cannot be isolated here (seccomp: Operation not permitted). Use Linux on x86-64 or arm64, "
        "Docker's default settings, or --trust-bots if you wrote every bot yourself."
    )


def test_an_unknown_processor_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(CannotRunError, match=r"no list of system calls for linux on riscv64\)\. Use Linux"):
        ChildServer()


def test_layers_survive_the_way_to_the_server() -> None:
    for given in (Layers(), Layers(seccomp=False, landlock=False), Layers(False, False, False, False, False)):
        assert Layers.of(given.text()) == given


def _chips_as(user: int) -> list[Any]:
    """What a small block leaves when everything, worker included, is an ordinary user's."""
    table = rules()
    import_all()  # files that are root's alone are read before
    ours, theirs = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # see ForkedServer
        pid = os.fork()
    if pid == 0:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setresgid(user, user, user)
                os.setresuid(user, user, user)
            server = ForkedServer()
            said = server.canary()
            result = play([code(GAP8), code(PASS)], table, server=server, deals=5)
            server.close()
            os.write(theirs, json.dumps([said, result.chips.tolist(), int(result.faults.sum())]).encode())
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as answer:
        told = json.loads(answer.read() or "[]")
    os.waitpid(pid, 0)
    assert isinstance(told, list)
    return told


def test_an_ordinary_user_isolates_bots_as_root_does() -> None:
    said, chips, faults = _chips_as(SOMEONE)
    assert "seccomp" in said
    assert "user 65534" not in said
    assert (chips, faults) == (play([code(GAP8), code(PASS)], deals=5).chips.tolist(), 0)
