"""Ctrl-C is answered in a sentence from the first moment on, also while modules load."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from arena.tournament import executors
from arena.tournament.executors import _no_interrupt

ROOT = Path(__file__).parent.parent
MOMENTS = (
    "signal",
    "click",
    "numpy._core.multiarray",
    "pydantic_core",
    "yaml",
    "arena.cli.duel",
    "scipy.special",
)


def interrupted(module: str, how: signal.Signals, *arguments: str) -> tuple[int, str]:
    """The exit code and the words of a command that gets a signal as ``module`` has been loaded."""
    command = [sys.executable, "-X", "importtime", "-c", "from arena.cli import main; main()", *arguments]
    run = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's & ignores it
    )
    assert run.stderr is not None
    try:
        for line in run.stderr:
            if line.rpartition("|")[2].strip() == module:
                run.send_signal(how)
                break
        else:
            pytest.fail(f"{module} is not loaded any more: name another")
        said = [line for line in run.stderr if not line.startswith("import time:")]
        return run.wait(timeout=30), "".join(said)
    finally:
        run.kill()
        run.wait()
        run.stderr.close()


@pytest.mark.parametrize("module", MOMENTS)
def test_an_interrupt_while_modules_load_is_a_sentence_and_exit_130(module: str) -> None:
    how = signal.SIGTERM if MOMENTS.index(module) % 3 == 1 else signal.SIGINT
    code, said = interrupted(module, how, "duel", "Kelly", "Gap8", "--max-deals", "10000000")
    assert (code, said.strip().split("\n")[-1].split(":")[0]) == (130, "interrupted")
    assert "Traceback" not in said


def test_the_door_loads_nothing_that_takes_time() -> None:
    text = "import sys; import arena.cli; print(*(m for m in sys.modules if m.split('.')[0] not in sys.stdlib_module_names))"
    command = [sys.executable, "-S", "-P", "-c", text]
    found = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT)})
    assert set(found.stdout.split()) - {"__main__"} == {"arena", "arena.cli"}


RAISES = """
import os, signal
from arena import Bot

class Raises(Bot):
    def bet(self, turn):
        os.kill(os.getpid(), signal.{})
        return 0
"""


@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM"])
def test_an_interrupt_while_a_bot_plays_in_the_command_itself_is_no_fault_of_the_bot(
    how: str, tmp_path: Path
) -> None:
    """As house bots do beside a bot that is checked: what is raised there is theirs."""
    (tmp_path / "raises.py").write_text(RAISES.format(how))
    start = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [sys.executable, "-c", f"{start}; from arena.cli import main; main()", "check"]
    more = [str(tmp_path / "raises.py"), "--trust-bots", "--deals", "20", "--table", "nepali"]
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    run = subprocess.run([*command, *more], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert (run.returncode, run.stdout) == (130, "")
    assert run.stderr.splitlines()[-1] == "interrupted: nothing is decided"


def test_an_interrupt_that_a_librarys_thread_takes_waits_until_processes_are_started() -> None:
    go, started = threading.Event(), []

    def take() -> None:
        go.wait()
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    def start() -> None:
        with _no_interrupt():
            go.set()
            thread.join()
            started.extend(range(100))

    thread = threading.Thread(target=take)
    thread.start()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            start()
        assert len(started) == 100
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        go.set()
        signal.signal(signal.SIGINT, before)


def test_a_worker_that_the_main_process_let_go_of_begins_to_send_no_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half a result would have the main process wait for its other half for ever."""
    ending = threading.Event()
    monkeypatch.setattr(executors, "_is_ending", ending)
    assert executors._sent(1) == 1
    ending.set()
    sender = threading.Thread(target=executors._sent, args=(1,), daemon=True)
    sender.start()
    sender.join(0.2)
    assert sender.is_alive()
