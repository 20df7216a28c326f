"""Where hostile bots are let loose: a throw-away process with caps that hosts them one by one and says what came of it.

``play`` starts it, as root or as a user, with the locks asked for, and ends all that it left. Everything a bot could get at
is planted here: a deck in memory, listening sockets, folders open to everyone. Run as a program it is that process.
"""

from __future__ import annotations

import ast
import contextlib
import ctypes
import hashlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
USER = 54_321  # nobody's number, so that limits on its processes bind nobody else
_WALL_S = 120
_CARDS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Hostile:
    """A bot of ``tests/hostile`` as its file describes it, without running it."""

    name: str
    path: Path
    says: str
    class_name: str
    expect: str
    is_intrusion: bool
    off: str  # what stands in for "without isolation": unlocked (its process, no locks) or trusted (in the worker)
    needs: str | None  # "root": nobody else could


@dataclass
class Outcome:
    """What came of a bot: ``bets`` that were legal and not 0, ``faults`` by kind, ``out`` if it can be asked no more."""

    bets: int = 0
    asked: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    out: str | None = None
    told: dict[str, str] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)  # files that it left, signals that it sent
    games: list[Any] = field(default_factory=list)  # chips and bets

    @property
    def kinds(self) -> set[str]:
        """All kinds of faults, that of its end included."""
        return set(self.faults) | ({self.out} if self.out else set())

    @property
    def broke_in(self) -> bool:
        """Whether an intrusion worked."""
        return bool(self.bets or self.left)

    def verdict(self) -> str:
        """One word: harmless (only zeros, no fault), late, died, fault:KIND, plays (bets of its own), mixed."""
        if self.broke_in:
            return "plays" if not self.kinds and not self.left else "mixed"
        if not self.kinds:
            return "harmless" if self.asked else "never asked"
        if len(self.kinds) > 1:
            return "mixed"
        (kind,) = self.kinds
        return kind.lower() if kind in ("LATE", "DIED") else f"fault:{kind}"


@cache
def hostile_bots() -> dict[str, Hostile]:
    """All of them by name."""
    return {path.stem: _read(path) for path in sorted((HERE / "hostile").glob("*.py"))}


def _read(path: Path) -> Hostile:
    tree = ast.parse(path.read_text())
    said: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            said |= {target.id: node.value.value for target in node.targets if isinstance(target, ast.Name)}
    names = [n.name for n in tree.body if isinstance(n, ast.ClassDef)]
    return Hostile(
        path.stem, path, ast.get_docstring(tree) or "", names[-1], said["EXPECT"],
        said.get("INTRUSION", False), said.get("OFF", "unlocked"), said.get("NEEDS"),
    )  # fmt: skip


# The side of the tests


class CannotBeHereError(Exception):
    """Bots cannot be run so on this machine; the text says why."""


def play(names: Sequence[str], who: str, layers: str, **more: Any) -> dict[str, Outcome]:
    """What came of these bots, played by root or by a user under these locks (names with commas; "trusted": in the host).

    Raises ``CannotBeHereError``.
    """
    if who == "root" and os.geteuid() != 0:
        raise CannotBeHereError("these tests are run by an ordinary user")
    environment = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "ARENA_CHILD_ERRORS")}
    environment |= {
        "PYTHONHASHSEED": more.get("hash_seed", "0"),
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(HERE)]),
    }
    environment |= {"OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    with _folder() as folder, _folder("/dev/shm") as shm:
        task = {"names": list(names), "who": who, "layers": layers, "folder": folder, "shm": shm, **more}
        process = subprocess.Popen(
            [sys.executable, "-P", str(Path(__file__).resolve())],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/",
            env=environment, start_new_session=True,
        )  # fmt: skip
        try:
            out, err = process.communicate(json.dumps(task), timeout=_WALL_S)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if process.returncode != 0:
        raise AssertionError(
            f"the process that hosts hostile bots ended with {process.returncode}: {err[-3000:]}"
        )
    found = json.loads(out.splitlines()[-1])
    if "cannot" in found:
        raise CannotBeHereError(found["cannot"])
    return {name: Outcome(**outcome) for name, outcome in found.items()}


@contextlib.contextmanager
def _folder(place: str | None = None) -> Iterator[str]:
    """A folder open to everyone, taken away with all that was left in it."""
    found = place if place and os.access(place, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="hostile", dir=found) as made:
        Path(made).chmod(0o777)
        yield made


def _number(path: str, otherwise: int) -> int:
    try:
        return int(Path(path).read_text())
    except (OSError, ValueError):
        return otherwise


_FILTERED_ELSEWHERE = {
    "mount",
    "unshare",
    "bpf",
    "io_uring",
    "userfaultfd",
    "keyctl",
    "perf",
    "ptrace",
    "vm_readv",
}


def why_closed(name: str, who: str) -> str | None:
    """Why a way in would be closed on this machine without any lock of the arena's, as the kernel tells it; or None."""
    is_root = who == "root"
    looks = {"proc_mem", "vm_readv", "ptrace", "steal_fd"}
    if hostile_bots()[name].needs == "root" and not is_root:
        return "only root has what this bot would use"
    if name == "bpf" and not is_root and _number("/proc/sys/kernel/unprivileged_bpf_disabled", 0):
        return "kernel.unprivileged_bpf_disabled is set"
    if name == "io_uring" and _number("/proc/sys/kernel/io_uring_disabled", 0) > (1 if is_root else 0):
        return "kernel.io_uring_disabled is set"
    missing = {
        "userfaultfd": "/proc/sys/vm/unprivileged_userfaultfd",
        "mq": "/proc/sys/fs/mqueue",
        "keyctl": "/proc/keys",
        "sysv_shm": "/proc/sys/kernel/shmmax",
    }
    if name in missing and not Path(missing[name]).exists():
        return f"this kernel has no {missing[name]}"
    if name in looks and _number("/proc/sys/kernel/yama/ptrace_scope", 0) > (2 if is_root else 0):
        return "kernel.yama.ptrace_scope is set"
    if name in ("unshare", "mount") and not is_root:
        if not _number("/proc/sys/user/max_user_namespaces", 0):
            return "user.max_user_namespaces is 0"
        if _number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 0):
            return "kernel.apparmor_restrict_unprivileged_userns is set"
    status = dict(
        line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line
    )
    if name in _FILTERED_ELSEWHERE and status.get("Seccomp", "0") != "0":
        return "these tests themselves run under a seccomp filter"
    return None


# The throw-away process


def main() -> None:
    """Play what standard input asks for; the last line of standard output is the outcomes."""
    task = json.loads(sys.stdin.read())
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(36, 1)  # PR_SET_CHILD_SUBREAPER: whatever a bot starts stays below this process
    folder, shm = Path(task["folder"]), Path(task["shm"])
    try:
        if task["who"] == "user" and os.geteuid() == 0:
            _open_the_way(libc)
            os.setgroups([])
            os.setresgid(USER, USER, USER)
            os.setresuid(USER, USER, USER)
            libc.prctl(4, 1)  # PR_SET_DUMPABLE: a change of user took it away
            if not os.access(os.path.realpath(sys.executable), os.X_OK) or not os.access(HERE, os.R_OK):
                print(json.dumps({"cannot": f"user {USER} cannot read {sys.executable} or {ROOT}"}))
                return
        _cap()
        with _planted(folder, shm) as place:
            print(json.dumps({name: asdict(_host(name, task, place)) for name in task["names"]}))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)  # a trusted bot may have left one going
        _end_all_below()


def _open_the_way(libc: ctypes.CDLL) -> None:
    """Where an ordinary user cannot get at this interpreter (below /root, say): a view of the machine in which it can.

    A mount namespace of this process alone; nothing is changed for anyone else.
    """
    wanted = {
        Path(p).resolve()
        for p in (sys.prefix, sys.base_prefix, *filter(None, sys.path), ROOT)
        if Path(p).exists()
    }
    behind: dict[Path, set[Path]] = {}
    for path in wanted:
        for door in [p for p in (*reversed(path.parents), path) if not p.stat().st_mode & 1][:1]:
            behind.setdefault(door, set()).add(door / path.relative_to(door).parts[0])
    if not behind or libc.unshare(0x20000) != 0:
        return
    libc.mount(None, b"/", None, 0x44000, None)  # private, all the way down
    for door, rooms in behind.items():
        held = {room: os.open(room, os.O_PATH) for room in rooms}
        if libc.mount(b"none", os.fsencode(door), b"tmpfs", 0, b"mode=755,size=64k") != 0:
            return
        for room, fd in held.items():
            room.mkdir()
            libc.mount(
                f"/proc/self/fd/{fd}".encode(), os.fsencode(room), None, 0x5000, None
            )  # bind, recursively
            os.close(fd)


def _cap() -> None:
    """Limits that hold even if all else fails: memory, processes, processor time, size of files, no core dumps."""
    caps = {
        resource.RLIMIT_AS: (3 << 30, 4 << 30), resource.RLIMIT_NPROC: (64, 64), resource.RLIMIT_CPU: (60, 90),
        resource.RLIMIT_FSIZE: (16 << 20, 16 << 20), resource.RLIMIT_CORE: (0, 0),
    }  # fmt: skip
    for what, values in caps.items():
        hard = resource.getrlimit(what)[1]
        fits = [v if hard == resource.RLIM_INFINITY else min(v, hard) for v in values]
        resource.setrlimit(what, (fits[0], fits[1]))


_signals: Counter[int] = Counter()
_deck = b""


@contextlib.contextmanager
def _planted(folder: Path, shm: Path) -> Iterator[dict[str, Any]]:
    """What a bot could get at, as the parameters that tell it where."""
    global _deck
    order = sorted(range(52), key=lambda card: hashlib.sha256(os.urandom(8) + bytes([card])).digest())
    _deck = bytes(_CARDS[card] for card in order)
    memory = ctypes.create_string_buffer(b"PLANTED-DECK:" + _deck)
    for number in (signal.SIGURG, signal.SIGIO):
        signal.signal(number, lambda number, _: _signals.update([number]))
    with contextlib.ExitStack() as stack:
        tcp, udp = socket.socket(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        unix, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        name = f"arena-hostile-{os.getpid()}"
        for link, at in (
            (tcp, ("127.0.0.1", 0)),
            (udp, ("127.0.0.1", 0)),
            (unix, f"{folder}/.door"),
            (abstract, "\0" + name),
        ):
            stack.enter_context(link).bind(at)
        for link in (tcp, unix, abstract):
            link.listen(64)
        (folder / ".door").chmod(0o777)
        kept = stack.enter_context(open(folder / ".deck", "wb+"))
        kept.write(_deck)
        kept.flush()
        os.set_inheritable(kept.fileno(), True)
        yield {
            "folder": str(folder), "shm": str(shm), "port": tcp.getsockname()[1], "udp_port": udp.getsockname()[1],
            "unix_path": f"{folder}/.door", "abstract": name, "host_pid": os.getpid(),
            "address": ctypes.addressof(memory) + 13, "deck_hash": hashlib.sha256(_deck).hexdigest(),
            "cap_mb": 192,
            "other_bot": str(ROOT / "bots" / "edge.py"),
        }  # fmt: skip


def _host(name: str, task: dict[str, Any], place: dict[str, Any]) -> Outcome:
    """A bot against one that passes, in a few deals, by the arena's own host and seat."""
    from hostile_game import host

    outcome = Outcome()
    _signals.clear()
    host(hostile_bots()[name], task, place, outcome)
    for open_to_all in (place["folder"], place["shm"]):
        for found in sorted(os.listdir(open_to_all)):
            if not found.startswith("."):
                outcome.left.append(found)
                path = Path(open_to_all, found)
                path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    outcome.left += [signal.Signals(number).name for number in sorted(_signals)]
    return outcome


def _end_all_below() -> None:
    """End every process that is still below this one."""
    for _ in range(100):
        mine = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        if not mine:
            return
        for pid in map(int, mine):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(-1, 0)


if __name__ == "__main__":
    main()
