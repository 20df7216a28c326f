"""Every benchmark loads: what it measures with is still there. That it runs is for the slow tests to show."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "benchmarks").glob("*.py")))
def test_a_benchmark_loads(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    found = runpy.run_path(str(ROOT / "benchmarks" / name))
    assert callable(found["main"])
    for module in [m for m in sys.modules if m == "engine"]:
        del sys.modules[module]
