"""Ranks that say how sure they are: rank intervals, and letters for groups that nothing separates."""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from arena.analysis.intervals import SAME, Bools, Floats

Int64s = npt.NDArray[np.int64]

_MOST = 10**12  # deals that are still worth naming


def ranks(means: Floats) -> Int64s:
    """The rank of each of ``means`` ``(bots,)``, highest first; equals (but for rounding) share the best one.

    >>> ranks(np.array([1.0, 3.0, 3.0, 2.0])).tolist()
    [4, 1, 1, 3]
    """
    order = np.argsort(-means, kind="stable")
    out = np.empty(len(means), dtype=np.int64)
    tie = SAME * float(np.abs(means).max(initial=0.0))
    for place, bot in enumerate(order):
        before = order[place - 1]
        is_tied = place > 0 and means[before] - means[bot] <= tie
        out[bot] = out[before] if is_tied else place + 1
    return out


def rank_intervals(means: Floats, separated: Bools) -> Int64s:
    """``[1 + bots separated above, K − bots separated below]`` for each bot, ``(bots, 2)``.

    ``separated`` ``(bots, bots)`` says which pairs the simultaneous intervals tell apart; so all of these
    hold together at that confidence (Mohamad, Goeman & van Zwet, arXiv 1708.02428). Ranks are never
    bootstrapped.

    >>> separated = np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0]], dtype=bool)
    >>> rank_intervals(np.array([3.0, 2.0, 0.0]), separated).tolist()
    [[1, 2], [1, 2], [3, 3]]
    """
    higher = means[None, :] > means[:, None]
    above = (separated & higher).sum(axis=1)
    below = (separated & higher.T).sum(axis=1)
    return np.column_stack([1 + above, len(means) - below]).astype(np.int64)


def groups(separated: Bools) -> tuple[tuple[int, ...], ...]:
    """Groups no pair of which is separated, such that every pair not separated is in one; they may overlap.

    ``separated`` ``(bots, bots)`` with bots in the order of their ranks. A compact letter display
    (Piepho, Journal of Computational and Graphical Statistics 13, 2004), found as an edge clique cover by
    growing cliques in rank order and sweeping away those that the rest make needless (Gramm and others,
    Computational Statistics & Data Analysis 52, 2007): insert-and-absorb lists *all* maximal cliques,
    2^25 of them for 25 pairs of near-clones.

    >>> groups(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool))
    ((0, 1), (1, 2))
    """
    together = ~separated
    np.fill_diagonal(together, True)
    uncovered = together.copy()
    found: list[tuple[int, ...]] = []
    for i in range(len(together)):
        for j in range(i, len(together)):
            if uncovered[i, j] and not (i == j and together[i].sum() > 1):
                clique = _grow(together, uncovered, i, j)
                uncovered[np.ix_(clique, clique)] = False
                found.append(clique)
    return tuple(sorted(_swept(found, len(together))))


def _grow(together: Bools, uncovered: Bools, i: int, j: int) -> tuple[int, ...]:
    """The pair i, j and all that can join: first the bot with most pairs yet uncovered, then by rank."""
    clique = sorted({i, j})
    free = together[i] & together[j]
    free[clique] = False
    while free.any():
        gain = np.where(free, uncovered[:, clique].sum(axis=1), -1)
        k = int(gain.argmax())
        clique.append(k)
        free &= together[k]
        free[k] = False
    return tuple(sorted(clique))


def _swept(found: Sequence[tuple[int, ...]], bots: int) -> list[tuple[int, ...]]:
    """``found`` without cliques all of whose pairs are in others; later ones go first."""
    times = np.zeros((bots, bots), dtype=np.int64)
    for clique in found:
        times[np.ix_(clique, clique)] += 1
    kept = []
    for clique in reversed(found):
        here = np.ix_(clique, clique)
        if (times[here] > 1).all():
            times[here] -= 1
        else:
            kept.append(clique)
    return kept


def letters(group_list: Sequence[Sequence[int]], bots: int) -> tuple[str, ...]:
    """For each of ``bots`` the letters of the groups it is in: a–z, A–Z, then a1, b1, …

    >>> letters([(0, 1), (1, 2)], 3)
    ('a', 'ab', 'b')
    """
    return tuple("".join(letter(g) for g, group in enumerate(group_list) if b in group) for b in range(bots))


def letter(group: int) -> str:
    """The letter of the group at this place."""
    lap, place = divmod(group, len(string.ascii_letters))
    return string.ascii_letters[place] + (str(lap) if lap else "")


def deals_to_separate(
    mean: float, se: float, quantile_at: Callable[[int], float] | None, deals: int
) -> int | None:
    """About how many deals *more* would separate two bots that differ by ``mean``, with standard error ``se``, now.

    After n deals that error is ``se · √(deals / n)`` if the difference is what it seems, and they are separated once
    ``mean`` is more than ``quantile_at(n)`` of it: the quantile that holds then, not today's. ``quantile_at(n) / √n``
    must fall. None where nothing can be said: one deal, no difference, no spread, or more than 10¹² deals.

    >>> deals_to_separate(mean=1.0, se=1.0, quantile_at=lambda n: 2.0, deals=100)
    301
    """
    if quantile_at is None or mean == 0 or se == 0:
        return None
    ratio = deals * (se / mean) ** 2
    before, after = deals - 1, _MOST + 1  # not separated at the one, separated at the other
    n = deals
    while after - before > 1:
        needed = ratio * quantile_at(n) ** 2  # by the quantile of n deals: n itself is enough if it is more
        before, after = (before, n) if n > needed else (n, after)
        n = min(max(math.floor(min(needed, _MOST)) + 1, before + 1), after - 1)
    return None if after > _MOST else after - deals
