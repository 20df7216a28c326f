"""The warm-up asks what it means to ask: a bot of its own that could not answer would be a server that does not start."""

from __future__ import annotations

import pytest

from arena.bot import child, warm


def test_both_bots_answer_every_question() -> None:
    warm.warm_up(child._answer_all)


def test_a_bot_that_cannot_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "_SOURCE", warm._SOURCE.replace("turn.value(1)", "turn.nothing"))
    with pytest.raises(RuntimeError, match=r"One of the warm-up.*nothing"):
        warm.warm_up(child._answer_all)
