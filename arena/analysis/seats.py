"""Seat effect: what a seat is worth by itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arena.analysis.differences import differences
from arena.analysis.intervals import Floats, Interval, intervals


@dataclass(frozen=True)
class SeatEffect:
    """Net chips a game by seat, with intervals by deal.

    ``seats`` is None for *not enough deals*: none; after one deal its intervals have no ends. ``is_shown``:
    whether simultaneous intervals tell any two seats apart, None below two deals; where it is False, what
    looks like an effect may be chance. ``spread_chips`` is from the worst seat's mean to the best one's.
    """

    deals: int
    seats: tuple[Interval, ...] | None
    spread_chips: float | None
    is_shown: bool | None


def seat_effect(
    net: npt.NDArray[np.integer] | Floats, games_per_deal: int, confidence: float = 0.95
) -> SeatEffect:
    """The effect of seats from ``net`` ``(deals, seats)``: net chips summed over a deal's games.

    Every bot must sit in every seat equally often (all rotations), else this tells bots apart and not seats.
    The deal is the sampling unit, as everywhere. Raises ``ValueError`` unless there are games.
    """
    if games_per_deal < 1:
        raise ValueError(f"expected games on each deal, got {games_per_deal}")
    deals, seats = net.shape
    if deals == 0 or seats == 0:
        return SeatEffect(deals, None, None, None)
    x = np.asarray(net / games_per_deal, dtype=np.float64)
    found = intervals(x, confidence)
    means = [interval.mean for interval in found]
    is_shown = bool(differences(x, confidence).separated.any()) if deals > 1 else None
    return SeatEffect(deals, found, max(means) - min(means), is_shown)
