"""What can be wrong with an answer: the kinds that the report counts by."""

from __future__ import annotations

from enum import IntEnum


class Fault(IntEnum):
    """Kinds of faults; ``NONE`` is a legal answer. The value is what stands in logged answers."""

    NONE = 0
    TOO_BIG = 1  # a whole number above max_bet
    TOO_SMALL = 2  # a whole number from 1 to below min_bet
    NEGATIVE = 3
    NOT_WHOLE = 4  # None, 5.0, nan, True, text: no whole number by type
    NOT_A_CALL = 5  # a call other than the two that were open
    WRONG_SHAPE = 6  # a vectorised answer that is no array of one number a row
    EXCEPTION = 7
    INIT = 8  # __init__ or start raised
    LATE = 9  # over its time
    DIED = 10  # its process ended

    @property
    def label(self) -> str:
        """The kind as reports print it: ``too big``."""
        return self.name.lower().replace("_", " ")
