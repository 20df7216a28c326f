"""Answers with an object that says it is a whole number."""

from __future__ import annotations

from typing import Any

from arena import Bot

EXPECT = "fault:NOT_WHOLE"


class Liar:
    """Puts on another class, and fails whoever asks further."""

    @property
    def __class__(self) -> Any:
        return int

    def __index__(self) -> int:
        raise SystemExit

    __int__ = __eq__ = __hash__ = __repr__ = __index__


class WrongLiar(Bot):
    def bet(self, turn: Any) -> Any:
        return Liar()
