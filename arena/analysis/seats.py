"""Seat effect: what a seat is worth by itself. And swing: the most a game took or gave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arena.analysis.differences import differences
from arena.analysis.intervals import Floats, Interval, intervals

Int64s = npt.NDArray[np.int64]


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


@dataclass(frozen=True)
class Swing:
    """The largest loss and the largest gain in a game, in chips, ≥ 0; both ``(n,)``."""

    loss_chips: Int64s
    gain_chips: Int64s

    def __or__(self, other: Swing) -> Swing:
        """The swing over the games of both."""
        return Swing(
            np.maximum(self.loss_chips, other.loss_chips), np.maximum(self.gain_chips, other.gain_chips)
        )


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


def swing(net: npt.NDArray[np.integer]) -> Swing:
    """The swing of each of the last axis of ``net`` ``(..., n)``, net chips of single games.

    >>> swing(np.array([[-30, 30], [10, -10]]))
    Swing(loss_chips=array([30, 10]), gain_chips=array([10, 30]))
    """
    games = net.reshape(-1, net.shape[-1]).astype(np.int64)
    return Swing((-games).max(axis=0, initial=0), games.max(axis=0, initial=0))
