"""The page on strategy is what its generator gives."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.slow
def test_the_page_on_strategy_is_what_a_run_says() -> None:
    made = runpy.run_path(str(ROOT / "benchmarks" / "strategy.py"))
    assert (ROOT / "docs" / "strategy.md").read_text(encoding="utf-8") == made["page"]()
