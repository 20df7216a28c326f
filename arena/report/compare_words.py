"""What a comparison says in words and numbers, the same on the terminal, in Markdown and in HTML."""

from __future__ import annotations

from collections.abc import Sequence

from arena.analysis.changes import Change
from arena.analysis.intervals import Interval
from arena.report.compare import Comparison, Lead, PairChange, Versus
from arena.report.text import RANKS_BY, UNCORRECTED, chips, number, plural, plus_minus, rank_range, scale_of

MOST_PAIRS = 30  # that are listed one by one


def letter(run: int) -> str:
    """What a run is called in a column's head: A, B, …"""
    return chr(ord("A") + run) if run < 26 else f"run {run + 1}"


def headline(comparison: Comparison) -> str:
    """What is compared, and how sure all of it is."""
    text = (
        f"In {RANKS_BY[comparison.by]}. All intervals and verdicts here hold together with "
        f"{number(100 * comparison.confidence, 1).removesuffix('.0')} % confidence."
    )
    if comparison.is_approximate:
        text += " Approximate: few deals."
    if comparison.is_stopped:
        text += f" A run here may have stopped early; these intervals are *{UNCORRECTED}*."
    return text


def basis(versus: Versus) -> str:
    """Whether rows are paired, and over which deals."""
    if versus.is_paired:
        return f"Compared deal by deal: the same seed, {plural(versus.deals, 'deal')} in both."
    return "Compared as independent samples: their seeds differ."


def change(at: Change, by: str) -> str:
    """``−13.4 ± 2.1``; *identical* where every deal gave the same, without an interval after one deal."""
    unit = scale_of(by)
    interval = at.interval
    half = None if interval.half_width is None else unit * interval.half_width
    return chips(Interval(unit * interval.mean, half, interval.is_identical))


def lead(at: Lead, by: str) -> str:
    """A lead with its interval."""
    unit = scale_of(by)
    return (
        number(unit * at.mean, 1, sign=True)
        if at.half_width is None
        else plus_minus(unit * at.mean, unit * at.half_width)
    )


def mean(value: float, by: str) -> str:
    """A bot's mean in one run."""
    return number(scale_of(by) * value, 1, sign=by != "wins")


def verdict(at: Change) -> str:
    """``up``, ``down``, or that it is not told apart from no change."""
    if not at.is_sure:
        return "no change" if at.interval.is_identical and at.mean == 0 else "not sure"
    return "up" if at.mean > 0 else "down"


def ranges(ranks: tuple[int, int] | None) -> str:
    """A rank range, or nothing."""
    return "–" if ranks is None else rank_range(*ranks)


def order_sentence(versus: Versus) -> str:
    """How many pairs stand in the same order."""
    total = len(versus.pairs)
    if not total:
        return "Order: not compared (one bot, or bots that are not ranked)."
    return (
        f"Order: of {plural(total, 'pair')} of bots {versus.count('same'):,} surely stand in the same order in both, "
        f"{versus.count('reversed'):,} surely in the other, {versus.count('unsure'):,} not told."
    )


def telling_pairs(versus: Versus) -> list[PairChange]:
    """The pairs worth listing: those surely reversed, then those whose best estimates disagree, the clearest first."""
    flipped = [pair for pair in versus.pairs if pair.is_flipped]
    return sorted(flipped, key=lambda pair: (pair.verdict != "reversed", not pair.change.is_sure, pair.bots))


def pair_verdict(pair: PairChange) -> str:
    """``reversed``, ``perhaps reversed``: the lead surely changed; or that it may be chance."""
    if pair.verdict == "reversed":
        return "reversed"
    return "lead changed, order not sure" if pair.change.is_sure else "may be chance"


def not_listed(pairs: Sequence[PairChange]) -> str | None:
    """How many pairs are left out."""
    left = len(pairs) - MOST_PAIRS
    return f"And {plural(left, 'pair')} more; --json has all." if left > 0 else None
