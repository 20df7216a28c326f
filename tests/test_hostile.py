"""Hostile bots: each way in is open where nothing stops it, and closed, to root and to a user, in a locked process."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache

import pytest
from hostile_lab import CannotBeHereError, Outcome, hostile_bots, play, why_closed

BOTS = hostile_bots()
INTRUDERS = [name for name, bot in BOTS.items() if bot.is_intrusion]
UNLOCKED = [name for name in INTRUDERS if BOTS[name].off == "unlocked"]
TRUSTED = [name for name in INTRUDERS if BOTS[name].off == "trusted"]
OTHERS = [name for name, bot in BOTS.items() if not bot.is_intrusion and bot.expect not in ("late", "blame")]
PLAYING = [name for name in OTHERS if BOTS[name].expect == "plays"]
BOTH_WALLS, ONE_WALL = "identity,limits,landlock,seccomp,imports", "identity,limits,seccomp,imports"
SLOW = pytest.mark.slow
WHO = ["root", pytest.param("user", marks=SLOW)]
LOCKED = [
    pytest.param("root", BOTH_WALLS, id="root-both"),
    pytest.param("user", ONE_WALL, id="user-seccomp"),
    pytest.param("root", ONE_WALL, id="root-seccomp", marks=SLOW),
    pytest.param("user", BOTH_WALLS, id="user-both", marks=SLOW),
]
OF_OTHERS = [
    pytest.param("user", BOTH_WALLS, id="user-both"),
    pytest.param("root", BOTH_WALLS, id="root-both", marks=SLOW),
    pytest.param("root", ONE_WALL, id="root-seccomp", marks=SLOW),
]


# Every attempt that shared designs and earlier prototypes named; a bot may be added, none may go.
NAMED = """
read_passwd other_bot list_dir stat write_tmp write_shm tcp udp unix abstract_socket subprocess exec fork thread proc_mem
vm_readv ptrace kill_parent kill_all prlimit raise_rlimit unshare mount bpf io_uring userfaultfd keyctl memfd sysv_shm mq
affinity setuid0 rwx_mapping inherited_fd gc_secrets spin sleep bigint ignore_signals init_hang str_loop mem_bomb exit
sysexit kbint raise_init raise_decide recursion segfault abort print_flood fd1_flood ansi close_fd forge_frame forge_count
garbage presend no_read patch_harness ponder remember_deal lazy_import hashseed blame_700 benign
"""


@cache
def _played(names: tuple[str, ...], who: str, layers: str, tell: bool) -> dict[str, Outcome] | str:
    try:
        return play(names, who, layers, tell=tell)
    except CannotBeHereError as error:
        return str(error)


def played(names: Sequence[str], name: str, who: str, layers: str, tell: bool = False) -> Outcome:
    """What came of one of these bots, which are all played by one process, once."""
    found = _played(tuple(names), who, layers, tell)
    if isinstance(found, str):
        pytest.skip(found)
    return found[name]


def landlock_version() -> int:
    """That of the kernel; 0 where it has none."""
    libc = ctypes.CDLL(None)
    return max(0, libc.syscall(ctypes.c_long(444), None, ctypes.c_long(0), ctypes.c_long(1)))


def test_every_bot_says_in_a_line_what_it_tries_and_what_should_come_of_it() -> None:
    kinds = {"harmless", "died", "late", "plays", "blame"}
    for name, bot in BOTS.items():
        assert bot.says.count("\n") == 0, name
        assert bot.says.endswith("."), name
        assert bot.expect in kinds or bot.expect.startswith("fault:"), name
    assert set(NAMED.split()) <= set(BOTS)
    assert len([name for name in BOTS if name.startswith("wrong_")]) >= 15


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (Outcome(asked=2), "harmless"),
        (Outcome(), "never asked"),
        (Outcome(asked=2, bets=1), "plays"),
        (Outcome(asked=2, left=["exec"]), "mixed"),
        (Outcome(asked=2, bets=1, faults={"LATE": 1}), "mixed"),
        (Outcome(asked=2, faults={"LATE": 3}), "late"),
        (Outcome(asked=2, out="DIED"), "died"),
        (Outcome(asked=2, faults={"LATE": 3}, out="DIED"), "mixed"),
        (Outcome(asked=2, faults={"INIT": 2}), "fault:INIT"),
    ],
)
def test_a_verdict_is_one_word_for_all_that_came_of_a_bot(outcome: Outcome, verdict: str) -> None:
    assert outcome.verdict() == verdict


@pytest.mark.parametrize("name", UNLOCKED)
@pytest.mark.parametrize("who", WHO)
def test_without_locks_an_intrusion_works(who: str, name: str) -> None:
    outcome = played(UNLOCKED, name, who, "")
    if not outcome.broke_in and (why := why_closed(name, who)):
        pytest.skip(f"cannot work here even without locks: {why}")
    assert outcome.broke_in


@pytest.mark.parametrize("name", TRUSTED)
def test_in_the_worker_itself_an_intrusion_works(name: str) -> None:
    assert played(TRUSTED, name, "user", "trusted").broke_in


@pytest.mark.parametrize("name", [*INTRUDERS])
@pytest.mark.parametrize(("who", "layers"), LOCKED)
def test_in_a_locked_process_no_intrusion_works(who: str, layers: str, name: str) -> None:
    outcome = played(INTRUDERS, name, who, layers)
    assert not outcome.broke_in
    assert outcome.verdict() == BOTS[name].expect


@pytest.mark.parametrize("name", UNLOCKED)
@pytest.mark.parametrize("who", ["root", "user"])
@pytest.mark.slow
def test_the_list_of_system_calls_alone_keeps_every_intruder_out(who: str, name: str) -> None:
    assert played(UNLOCKED, name, who, "seccomp").broke_in is (name == "mem_bomb")


# What Landlock alone closes, by the version of it that the kernel must have.
SECOND_WALL = {
    "read_passwd": 1, "other_bot": 1, "list_dir": 1, "write_tmp": 1, "write_shm": 1, "exec": 1, "proc_mem": 1, "ptrace": 1,
    "vm_readv": 1, "steal_fd": 1, "tcp": 4, "abstract_socket": 6, "kill_parent": 6,
}  # fmt: skip


@pytest.mark.parametrize("name", SECOND_WALL)
@pytest.mark.parametrize("who", WHO)
def test_landlock_alone_is_a_second_wall_around_files_ports_and_other_processes(who: str, name: str) -> None:
    if (version := landlock_version()) < SECOND_WALL[name]:
        pytest.skip(f"this needs Landlock {SECOND_WALL[name]}, the kernel has {version}")
    assert not played(list(SECOND_WALL), name, who, "landlock").broke_in


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize(("who", "layers"), OF_OTHERS)
def test_a_bot_that_only_misbehaves_gets_its_verdict(who: str, layers: str, name: str) -> None:
    assert played(OTHERS, name, who, layers).verdict() == BOTS[name].expect


@pytest.mark.parametrize("name", PLAYING)
@pytest.mark.parametrize(("who", "layers"), OF_OTHERS)
def test_a_bot_that_means_no_harm_plays_exactly_as_if_it_were_trusted(
    who: str, layers: str, name: str
) -> None:
    locked, trusted = played(OTHERS, name, who, layers), played(PLAYING, name, "user", "trusted")
    assert locked == trusted
    assert locked.bets > 0


@pytest.mark.slow
def test_words_hash_alike_in_every_process() -> None:
    here, other = (play(["hashseed"], "user", "trusted", hash_seed=seed)["hashseed"] for seed in ("0", "1"))
    assert here != other  # so the bot tells seeds apart
    assert play(["hashseed"], "user", BOTH_WALLS, hash_seed="1")["hashseed"] == here
