"""Answers to what players ask, for ``report.md`` and as data: exact where a table decides, measured where games do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from arena.analysis.intervals import Interval
from arena.game.answers import GapAnswer, PairAnswer, ace_answer, gap_answers, pair_answers
from arena.game.cards import RANK_TEXT
from arena.game.rules import TableRules
from arena.game.wagers import wager_odds
from arena.report.text import UNCORRECTED, number, plural, plus_minus
from arena.tournament.answers import RunAnswers
from arena.tournament.standings import Standings


@dataclass(frozen=True)
class Answer:
    """A question, its answer in a sentence or two, and what stands behind it: ``exact`` or ``measured``."""

    key: str
    question: str
    text: str
    basis: str


def answers(rules: TableRules, standings: Standings, run: RunAnswers | None = None) -> tuple[Answer, ...]:
    """Every question that this table and this run can answer."""
    return (*table_answers(rules), *_measured(rules, standings, run))


def table_answers(rules: TableRules) -> tuple[Answer, ...]:
    """The answers that follow from the table alone, for fresh packs."""
    table = rules.model_dump_json()
    if table not in _KNOWN:
        _KNOWN[table] = tuple(Answer(*found, "exact") for found in _exact(rules))
    return _KNOWN[table]


_KNOWN: dict[
    str, tuple[Answer, ...]
] = {}  # by table: a report tells them twice, and they take a while to count


def answers_section(rules: TableRules, standings: Standings, run: RunAnswers | None = None) -> list[str]:
    """The section of the report."""
    lines = [f"- **{a.question}** {a.text}" for a in answers(rules, standings, run)]
    return ["## What players ask", basis_sentence(rules.bank, standings.is_sequence), "\n".join(lines)]


def basis_sentence(bank: str, is_sequence: bool) -> str:
    """What the answers rest on."""
    holds = {"pot": "a pot of two antes", "house": "a house that pays all", "dealer": "a dealer with as much"}
    return (
        f"What follows from the table's rules is exact, for fresh packs, with a full stack and {holds[bank]}. What "
        "follows from the games has an interval by deal, each for itself"
        + (f" ({UNCORRECTED})." if is_sequence else ".")
    )


def _exact(rules: TableRules) -> Iterator[tuple[str, str, str]]:
    gaps, pairs = gap_answers(rules), pair_answers(rules)
    if rules.bet.before_posts:
        yield from _of_wagers(rules, gaps)
        return
    yield "gaps", "Which gaps pay?", gaps_sentence(gaps)
    if any(gap.pays for gap in gaps):
        may_fall_short = rules.bank == "dealer" and any(gap.pays for gap in gaps if _pays_more(rules, gap))
        yield "stakes", "How much to stake?", stakes_sentence(gaps, may_fall_short)
    ace = ace_answer(rules)
    if ace is not None:
        worths = f"low is worth {_chips(ace.low)} chips, high {_chips(ace.high)}"
        choice = {"either": "Exactly the same", "low": "Low", "high": "High"}[ace.best]
        yield (
            "ace",
            "A first ace: low or high?",
            f"{choice}: {worths}, before the second post is seen and with the best bet after it. Cards that have gone tip "
            "the balance.",
        )
    if pairs:
        yield "pairs", "Pairs: higher, lower or pass?", pairs_sentence(pairs)


def _of_wagers(rules: TableRules, gaps: Sequence[GapAnswer]) -> Iterator[tuple[str, str, str]]:
    """Where a wager stands before the posts; its exact worth is known for high aces only."""
    if (rules.ace.first, rules.ace.second) == ("high", "high"):
        found = wager_odds(rules, rules.deck.packs)
        edge, by_raises = -found.house_edge, sum(gap.chance * gap.edge for gap in found.gaps if gap.is_raised)
        best = "The least"
        if edge > 0:  # of more than half a raise as great is not allowed
            best = (
                "All that is allowed"
                if edge >= 2 * by_raises
                else "Half of what is allowed, so that it may be raised"
            )
        yield (
            "wager",
            "How much to wager?",
            f"{best}, for most chips on average: a chip wagered is worth {number(float(edge), 5, sign=True)} chips, raised "
            "by as much wherever that pays.",
        )
    if gaps:
        yield (
            "gaps",
            "On which gaps to raise?",
            gaps_sentence(gaps).replace("a chip bet", "a chip raised")
            + (" By all that is allowed, for its worth grows with it." if any(g.pays for g in gaps) else ""),
        )


def gaps_sentence(gaps: Sequence[GapAnswer]) -> str:
    """Which gaps pay, how much, and what the others cost, a chip bet."""
    pays = [gap for gap in gaps if gap.pays]
    even = [gap for gap in gaps if gap.edge == 0]
    costs = [gap for gap in gaps if gap.edge < 0]
    is_split = bool(pays) and any(gap.gap > pays[0].gap for gap in (*even, *costs))  # payouts may have it so
    start = "On gaps of" if is_split else f"From {pays[0].gap} ranks on:" if pays else ""
    parts = [f"{start} {_edges(pays)} a chip bet." if pays else "None."]
    if even:
        one = f"A gap of {even[0].gap} breaks"
        many = f"Gaps of {', '.join(str(gap.gap) for gap in even)} break"
        parts.append(f"{one if len(even) == 1 else many} exactly even.")
    if costs:
        parts.append(f"{'Others' if is_split else 'Narrower ones'} cost chips: {_edges(costs[::-1])}.")
    return " ".join(parts)


def _edges(gaps: Sequence[GapAnswer]) -> str:
    return ", ".join(f"{gap.gap}: {_signed(gap.edge)}" for gap in gaps)


def _pays_more(rules: TableRules, gap: GapAnswer) -> bool:
    """Whether a chip wins more than one on this gap."""
    return rules.odds_by_gap is not None and rules.odds_by_gap[gap.gap] > 1


def stakes_sentence(gaps: Sequence[GapAnswer], may_fall_short: bool = False) -> str:
    """All for chips; by Kelly's share for growth. Beyond what a bank ``may_fall_short`` of a stake pays for nothing."""
    shares = ", ".join(f"{gap.gap}: {number(100 * gap.kelly, 0)} %" for gap in gaps if gap.pays)
    paid = " and can be paid in full" if may_fall_short else ""
    return (
        f"For most chips in the hand, on average: all that is allowed{paid} on every paying gap, for its worth grows with "
        "the stake. To let a stack grow fastest: Kelly's share of it, or all that is allowed if that is less. By gap: "
        f"{shares}."
    )


def pairs_sentence(pairs: Sequence[PairAnswer]) -> str:
    """What to call on each rank's pair."""
    said = {
        "higher": "call higher",
        "lower": "call lower",
        "bet": "bet",
        "pass": "pass",
        "either": "call either",
    }
    parts = []
    for best, words in said.items():
        ranks = [pair.rank for pair in pairs if pair.best == best]
        if ranks:
            edges = [_most(pair) for pair in pairs if pair.best == best]
            worth = (
                _signed(edges[0])
                if len(set(edges)) == 1
                else f"{_signed(min(edges))} to {_signed(max(edges))}"
            )
            parts.append(f"{words} on {_ranks(ranks)} ({worth} a chip)")
    text = "; ".join(parts)
    return text[:1].upper() + text[1:] + "."


def _most(pair: PairAnswer) -> Fraction:
    return max(edge for edge in (pair.higher, pair.lower, pair.trips) if edge is not None)


def _ranks(ranks: Sequence[int]) -> str:
    """``2–7``: ranks of one answer follow each other."""
    first, last = (RANK_TEXT.get(rank, "low A") for rank in (ranks[0], ranks[-1]))
    return first if first == last else f"{first}–{last}"


def _measured(rules: TableRules, standings: Standings, run: RunAnswers | None) -> Iterator[Answer]:
    is_always_fresh = rules.deck.shuffle == "each_turn"  # so that there is nothing to count
    if run is not None and run.counting is not None and not is_always_fresh:
        yield Answer("counting", "Is counting worth it?", counting_sentence(run), "measured")
    found = standings.seat_effect
    if found.seats is not None and found.is_shown is not None and found.spread_chips is not None:
        spread = number(found.spread_chips, 1)
        text = (
            f"Yes: at least two seats are told apart, {spread} chips a game between the best and the worst."
            if found.is_shown
            else f"Not so that {plural(standings.deals, 'deal')} show it: the best and the worst seat are {spread} chips a "
            "game apart, which may be chance."
        )
        yield Answer(
            "seat", "Does the seat matter?", text + " Every bot sat in each equally often.", "measured"
        )
    if run is not None and run.leader_gain is not None and run.leader_cost is not None:
        yield Answer("leader", "Does a leader gain by passing late?", leader_sentence(run), "measured")


def counting_sentence(run: RunAnswers) -> str:
    """What counting is worth."""
    assert run.counting is not None
    at = run.counting
    sure = "Yes" if at.low is not None and at.low > 0 else "Not so that it shows"
    return (
        f"{sure}: who bets best by fresh packs, without counting, gives away {_interval(at, sign=False)} chips a game, at "
        f"the places that these bots came to on {plural(run.deals, 'deal')}."
    )


def leader_sentence(run: RunAnswers) -> str:
    """Whether a leader's pass on the last turn wins games, and what it costs."""
    gain, cost = run.leader_gain, run.leader_cost
    assert gain is not None
    assert cost is not None
    sure = "On the last turn it is not told"
    if gain.low is not None and gain.high is not None and (gain.low > 0 or gain.high < 0):
        sure = "In games won, yes" if gain.low > 0 else "No"
    return (
        f"{sure}: on {plural(run.leader_turns, 'last turn')} of a leader on which a bet pays chips and can decide who wins, "
        f"a pass in place of the best bet changes the chance of winning by {_interval(gain, 100)} percentage points, and "
        f"costs {_interval(cost, sign=False)} chips. Turns before the last are not judged."
    )


def _interval(at: Interval, unit: float = 1.0, sign: bool = True) -> str:
    if at.half_width is None:
        return number(unit * at.mean, 1, sign)
    return plus_minus(unit * at.mean, unit * at.half_width, sign)


def _signed(value: Fraction) -> str:
    return number(float(value), 2, sign=True)


def _chips(value: Fraction) -> str:
    return number(float(value), 2, sign=True)
