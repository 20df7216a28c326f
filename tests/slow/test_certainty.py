"""``benchmarks/certainty.py`` runs, and says of what it measured."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent.parent
FILE = ROOT / "benchmarks" / "certainty.py"


def output(*arguments: str) -> str:
    command = [sys.executable, str(FILE), "--quick", "--pilot", "200", *arguments]
    ran = subprocess.run(
        command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_benchmark_says_what_each_pair_needs_and_measures_no_more_turns_than_it_says() -> None:
    found: dict[str, Any] = json.loads(output("--json"))
    assert 900_000 < found["analysis"]["turns_studied"] <= 1_000_000
    assert set(found["analysis"]) == {"analysis_ns_per_turn", "turns_studied", "seconds", "peak_mb"}
    for seats in ("2", "4"):
        assert len(found[seats]) == 6  # pairs of four bots
        for need in found[seats].values():
            games = [need[m]["games"] for m in ("independent", "duplicates", "third_card", "everything")]
            assert games[0] > games[1] > games[2] >= 2
            assert need["everything"]["deals"] <= max(20, need["third_card"]["deals"])
            assert need["games_saved"] == pytest.approx(games[0] / games[3], abs=0.051)
            assert need["deals_saved"] == pytest.approx(games[0] / need["everything"]["deals"], abs=0.051)
            assert need["variance_ratio"] > 8


def test_the_benchmark_prints_a_table() -> None:
    lines = output().splitlines()
    assert sum("games saved" in line for line in lines) == 2 * 6
    assert any(line.startswith("turns_studied") for line in lines)
