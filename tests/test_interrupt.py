"""Ctrl-C is answered in a sentence from the first moment on, also while modules load."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

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


def interrupted(module: str, *arguments: str) -> tuple[int, str]:
    """The exit code and the words of a command that gets SIGINT as ``module`` has been loaded."""
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
                run.send_signal(signal.SIGINT)
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
    code, said = interrupted(module, "duel", "Kelly", "Gap8", "--max-deals", "10000000")
    assert (code, said.strip().split("\n")[-1].split(":")[0]) == (130, "interrupted")
    assert "Traceback" not in said


def test_the_door_loads_nothing_that_takes_time() -> None:
    text = "import sys; import arena.cli; print(*(m for m in sys.modules if m.split('.')[0] not in sys.stdlib_module_names))"
    command = [sys.executable, "-S", "-P", "-c", text]
    found = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT)})
    assert set(found.stdout.split()) - {"__main__"} == {"arena", "arena.cli"}
