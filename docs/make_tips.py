"""Makes docs/tips.md: tips that players give for the Nepali table, tested as claims.

python docs/make_tips.py            # plays configs/tips.yaml, writes docs/tips.md
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from arena.analysis.differences import Differences, differences
from arena.analysis.intervals import Floats, intervals
from arena.bot.entrant import find_entrants
from arena.game.answers import GapAnswer, gap_answers
from arena.report.section_answers import counting_sentence, gaps_sentence, leader_sentence
from arena.report.text import number, plus_minus, share
from arena.tournament.answers import RunAnswers, run_answers
from arena.tournament.runner import usable_workers
from arena.tournament.schedule import spec_lineups
from arena.tournament.spec import TournamentSpec, load_spec
from arena.tournament.tournament import Held, hold

DOCS = Path(__file__).parent
CONFIG = DOCS.parent / "configs" / "tips.yaml"


@dataclass(frozen=True)
class Found:
    """A tournament that is over, and what follows from it and its table."""

    spec: TournamentSpec
    names: tuple[str, ...]
    held: Held
    chips: Differences
    wins: Differences
    run: RunAnswers

    def lead(self, of: str, over: str, by: str = "chips") -> tuple[float, float]:
        """A difference of two bots and its half width: adjusted chips a game, or points of games won."""
        diff, unit = (self.chips, 1.0) if by == "chips" else (self.wins, 100.0)
        i, j = self.names.index(of), self.names.index(over)
        half = 0.0 if diff.half_width is None else float(diff.half_width[i, j])
        return unit * float(diff.mean[i, j]), unit * half

    def busts(self, name: str) -> Floats:
        """The share of its games of each deal in which a bot lost all it had, ``(deals,)``."""
        bot, deals = self.names.index(name), self.held.standings.deals
        broke, games = np.zeros(deals), np.zeros(deals)
        for result in self.held.results:
            first, lineup = result.block.first_deal, result.block.lineup
            if bot in lineup:
                chips = result.chips[:, :, lineup.index(bot)]
                broke[first : first + chips.shape[1]] += (chips == 0).sum(axis=0)
                games[first : first + chips.shape[1]] += len(chips)
        return np.asarray(broke / games)


def play(workers: int | None = None) -> Found:
    """The config's tournament, its bots trusted: they are the house's own."""
    spec = load_spec(CONFIG)
    entrants, problems = find_entrants(spec.bots)
    assert not problems, problems
    lineups = spec_lineups(spec, entrants)
    held = hold(spec, entrants, lineups, workers or usable_workers(), True, lambda *_: None)
    return Found(
        spec,
        tuple(entrant.name for entrant in entrants),
        held,
        differences(held.rows.adjusted_chips, spec.confidence),
        differences(held.rows.win_share, spec.confidence),
        run_answers(held, spec.table, spec.seed, spec.confidence),
    )


def gaps_of(spec: TournamentSpec) -> dict[int, GapAnswer]:
    """The table's gaps."""
    return {answer.gap: answer for answer in gap_answers(spec.table)}


def page(found: Found) -> str:
    """The page: a claim, what was found, and whether it holds."""
    deals = found.held.standings.deals
    parts = [
        "# Tips, tested",
        "Tips that players are given for the Nepali table, each taken as a claim. What follows from the cards is exact, for "
        f"a fresh pack of 52. What takes games was played: {len(found.names)} bots, every two of them on the same {deals:,} "
        "deals in both seats, a thousand chips each, ten rounds ([configs/tips.yaml](../configs/tips.yaml)). Differences "
        "are luck-adjusted chips a game, or percentage points of games won; those of all pairs of bots hold together with "
        "95 % confidence, chips and wins each. *From8* bets all it may on gaps of eight or more, and on pairs with as many "
        "ranks on the called side; *From6*, *From7* and so on likewise. `python docs/make_tips.py` makes this page.",
    ]
    for title, verdict, text in claims(found):
        parts += [f"## {title}", f"**{verdict}.** {text}"]
    return "\n\n".join(parts) + "\n"


def claims(found: Found) -> Iterator[tuple[str, str, str]]:
    """Every claim with its verdict and what that rests on."""
    yield wide_gaps(found)
    yield narrow_gaps(found)
    yield counting(found)
    yield small_bets(found)
    yield late_leader(found)


def wide_gaps(found: Found) -> tuple[str, str, str]:
    """A gap of eight is where betting begins to pay."""
    gaps = gaps_of(found.spec)
    holds = gaps[8].pays and not gaps[7].pays
    text = (
        f"Exact: {_lower_first(gaps_sentence(tuple(gaps.values())))} Played: {_lead(found, 'From8', 'From6')}, "
        f"{_lead(found, 'From8', 'From7')}, {_lead(found, 'From8', 'From9')}."
    )
    return "Eight is the gap from which betting pays", "Holds" if holds else "Does not hold", text


def narrow_gaps(found: Found) -> tuple[str, str, str]:
    """Five and nine have too little between them."""
    gap = gaps_of(found.spec)[3]
    n = gap.wins + gap.hits + gap.losses
    mean, half = found.lead("From8", "From3")
    text = (
        f"Exact, for 5 and 9: of {n} unseen cards {gap.wins} win, {gap.hits} hit a post and {gap.losses} lose, which is "
        f"{number(float(gap.edge), 2, sign=True)} a chip bet. Played: {_lead(found, 'From8', 'From3')}."
    )
    return (
        "Narrow gaps are to be left alone",
        "Holds" if gap.edge < 0 and mean > half else "Does not hold",
        text,
    )


def counting(found: Found) -> tuple[str, str, str]:
    """Cards that have gone change what a gap is worth."""
    mean, half = found.lead("Edge", "FreshPack")
    text = (
        f"{counting_sentence(found.run)} Played, Edge (counts) and FreshPack (the same odds for a fresh pack): "
        f"{_lead(found, 'Edge', 'FreshPack')}, {_lead(found, 'Edge', 'FreshPack', 'wins')}."
    )
    return "Watch which cards have gone", _verdict(mean, half), text


def small_bets(found: Found) -> tuple[str, str, str]:
    """A smaller bet on a good gap keeps its player in the game."""
    chips, half = found.lead("HalfPot8", "Pot8")
    wins, wins_half = found.lead("HalfPot8", "Pot8", "wins")
    small, large = found.busts("HalfPot8"), found.busts("Pot8")
    (fewer,) = intervals(100 * (large - small)[:, None], found.spec.confidence)
    saved, saved_half = fewer.mean, fewer.half_width or 0.0
    costs = chips < -half or wins < -wins_half
    verdict = {1: "It keeps you in", 0: "Not told whether it keeps you in", -1: "It does not keep you in"}[
        _sign(saved, saved_half)
    ] + (", and costs more than it saves" if costs else "")
    text = (
        f"HalfPot8 bets half the pot where Pot8 bets all of it, and loses all its chips in {share(small.mean())} % of "
        f"its games, Pot8 in {share(large.mean())} %: {plus_minus(saved, saved_half, sign=False)} points fewer, deal by "
        f"deal. What that costs: {_lead(found, 'HalfPot8', 'Pot8')}, {_lead(found, 'HalfPot8', 'Pot8', 'wins')}."
    )
    return "A smaller bet on a good gap keeps a player alive", verdict, text


def late_leader(found: Found) -> tuple[str, str, str]:
    """Who leads late may pass and leave the risks to others."""
    wins, wins_half = found.lead("LeaderPasses", "Edge", "wins")
    chips, half = found.lead("LeaderPasses", "Edge")
    verdict = {
        1: "Holds for winning games",
        0: "Not told for winning games",
        -1: "Does not hold for winning games",
    }[_sign(wins, wins_half)]
    verdict += {1: ", and gains chips", 0: ", chips are not told", -1: ", and costs chips"}[
        _sign(chips, half)
    ]
    text = (
        "Edge bets with the odds; LeaderPasses does the same, but passes in the last three rounds while nobody has more "
        f"chips: {_lead(found, 'LeaderPasses', 'Edge', 'wins')}, {_lead(found, 'LeaderPasses', 'Edge')}. "
        f"On the very last turn alone: {_lower_first(leader_sentence(found.run))}"
    )
    return "Who is ahead near the end may sit back", verdict, text


def _lead(found: Found, of: str, over: str, by: str = "chips") -> str:
    unit = "chips" if by == "chips" else "points of games won"
    return f"{of} over {over} {plus_minus(*found.lead(of, over, by))} {unit}"


def _sign(mean: float, half: float) -> int:
    return 0 if abs(mean) <= half else 1 if mean > 0 else -1


def _verdict(mean: float, half: float) -> str:
    return {1: "Holds", 0: "Not told", -1: "Does not hold"}[_sign(mean, half)]


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


if __name__ == "__main__":
    (DOCS / "tips.md").write_text(page(play()), encoding="utf-8", newline="\n")
