"""docs/tips.md is what its generator gives."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from arena.game.answers import gap_answers
from arena.report.section_answers import gaps_sentence
from arena.tournament.spec import load_spec

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/tips.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def make_tips() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_tips", ROOT / "docs/make_tips.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_tips"] = module
    spec.loader.exec_module(module)
    return module


def test_what_is_exact_on_the_page_follows_from_the_table() -> None:
    gaps = gap_answers(load_spec(ROOT / "configs/tips.yaml").table)
    sentence = gaps_sentence(gaps)
    assert f"Exact: {sentence[0].lower()}{sentence[1:]}" in PAGE
    assert "of 50 unseen cards 12 win, 6 hit a post and 32 lose, which is -0.64 a chip bet" in PAGE


def test_every_claim_has_a_verdict(make_tips: ModuleType) -> None:
    titles = [line for line in PAGE.splitlines() if line.startswith("## ")]
    assert len(titles) == 5
    assert all(f"{title}\n\n**" in PAGE for title in titles)
    assert make_tips._verdict(2.0, 1.0) == "Holds"
    assert make_tips._verdict(-2.0, 1.0) == "Does not hold"
    assert make_tips._verdict(0.5, 1.0) == "Not told"


@pytest.mark.slow
def test_the_page_is_what_the_generator_gives(make_tips: ModuleType) -> None:
    assert make_tips.page(make_tips.play(1)) == PAGE
