"""Sentences that ``report.md`` and ``report.html`` share, from ``results.json``: names in them are plain text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from arena.analysis.stakes import LEAST_DEALS
from arena.analysis.stopping import EVERY
from arena.analysis.variates import Agreement
from arena.bot.faults import Fault
from arena.report.results import Results, unit_of
from arena.report.text import RANKS_BY, UNCORRECTED, listed, number, plural, rank_range, times

_NAMED = 20  # pairs or bots not resolved
_SURE_OF_RATIO = 200  # deals; below them intervals are approximate, too, and a ratio of variances more so
Name = Callable[[str], str]  # what makes a name fit to stand in a page


@dataclass(frozen=True)
class Told:
    """A sentence whose ``lead`` stands out."""

    lead: str
    rest: str = ""

    def markdown(self) -> str:
        """In Markdown."""
        return (f"**{self.lead}**" if self.lead else "") + self.rest


def played(results: Results) -> str:
    """What was played, in sentences."""
    told, plan = results["played"], results["tournament"]
    seats = plan["seats"]
    who = {
        "round_robin": f"every lineup of {seats} met",
        "balanced": f"{plural(told['lineups'], 'lineup')} of {seats}, chosen to let pairs meet evenly, met",
        "gauntlet": f"lineups of {seats} of one bot each against a fixed field met",
    }[plan["schedule"]]
    return (
        f"{plural(len(results['bots']), 'bot')} played In-Between: {who} in every rotation of its seats on the same "
        f"{plural(told['deals'], 'deal')}. That makes {plural(told['lineups'], 'lineup')}, {plural(told['games'], 'game')} "
        f"and {plural(told['turns'], 'turn')}, all from the seed {results['seed']}."
    )


def has_luck(results: Results) -> bool:
    """Whether luck was found, so that there are adjusted chips."""
    return any(bot["adjusted"] is not None for bot in results["bots"])


def cautions(results: Results) -> list[Told]:
    """What must be known before the standings are believed."""
    told, out = results["played"], []
    deals = plural(told["deals"], "deal")
    if told["deals"] == 1:
        out.append(Told("One deal was played: there is no interval, and nothing is separated."))
    elif results["is_approximate"]:
        bots = plural(len(results["bots"]), "bot")
        words = f": with {deals} and {bots} the intervals may hold somewhat less often than stated."
        out.append(Told("Approximate", words))
    if told["deals"] > 1 and any(_is_share_unsure(bot) for bot in results["bots"]):
        out.append(Told("", "Games won: not enough deals for an interval."))
    if is_third_alone(results):
        out.append(Told("", third_cards_alone()))
    if told["dropped_deals"]:
        left = plural(told["dropped_deals"], "deal")
        out.append(Told("", f"{left} not played by every lineup, left out whole from every figure."))
    if not results["is_ranked"]:
        out.append(Told("", "These bots are not ranked: they did not all meet the same field."))
    return out


def luck_words(results: Results) -> str:
    """What is done about luck, what is left of it, and where it is in what ranks."""
    rank_by = results["tournament"]["rank_by"]
    raw = {"chips": "raw chips", "wins": "games won"}
    if not has_luck(results):
        return "The luck of the cards is in every figure of chips and games."
    ranks = f"What ranks here are {raw[rank_by]}, with all of the luck in them." if rank_by in raw else ""
    said = [
        "Luck-adjusted chips are raw chips less what every card that came was worth beyond the exact expectation over all "
        "cards unseen.",
        *([third_cards_alone()] if is_third_alone(results) else []),
        "Chance is left in them, too: what a card leads to later in a game, and which hands came up at all. That is why "
        "they have a ±.",
        ranks or "They are what ranks here.",
    ]
    return " ".join(said)


def saved(pairs_saved: float, deals: int) -> Told:
    """How many raw games one tells as much as, and behind that, where deals are few, that it is a rough figure."""
    text = times(pairs_saved)
    lead = f"more than {text[2:]}" if text.startswith("> ") else f"about {text}"
    return Told(lead, f"a rough figure from {plural(deals, 'deal')}" if deals < _SURE_OF_RATIO else "")


def is_third_alone(results: Results) -> bool:
    """Whether there are too few deals to learn stakes from, so that posts have no luck."""
    return has_luck(results) and bool(results["played"]["deals"] < LEAST_DEALS)


def third_cards_alone() -> str:
    """What is said where there are too few deals to learn stakes."""
    return f"Only the luck of third cards is removed: that of the posts needs {LEAST_DEALS} deals to learn what bots stake."


def agreement(results: Results, name: Name = str) -> Told | None:
    """Whether raw and adjusted chips agree; None where no luck was found."""
    if results["agreement"] is None:
        return None
    found = Agreement(**results["agreement"])  # its bot is a place
    if found.agrees is None:
        return Told("", "Whether raw and adjusted chips agree cannot be told: not enough deals.")
    figures = agreement_figures(found)
    if found.agrees:
        words = "Raw and adjusted chips agree: the luck removed is on average as near to zero as luck is"
        return Told("", f"{words} ({figures}).")
    return Told(
        "Raw and adjusted chips disagree",
        f": the luck removed from {name(results['bots'][found.bot or 0]['name'])} is further from zero on average than luck "
        f"is ({figures}). That happens by chance in one report of a thousand. Go by raw chips, and please report it: one of "
        "the two is computed wrongly.",
    )


def agreement_figures(found: Agreement) -> str:
    """``largest |t| 2.13, a flag beyond 4.61``; luck that never varied has no t."""
    if found.max_t is None or found.quantile is None:
        return "not enough deals"
    if not found.agrees and found.max_t <= found.quantile:
        return "the same on every deal, and not zero"
    return f"largest |t| {number(found.max_t, 2)}, a flag beyond {number(found.quantile, 2)}"


def _is_share_unsure(bot: dict[str, Any]) -> bool:
    won = bot["win_share"]
    return bool(bot["games"]) and won["low"] is None and not won["is_identical"]


def time_faults(results: Results) -> str:
    """That late decisions make a run another one the next time; empty where there are none."""
    late = sum(bot["faults"].get(Fault.LATE.label, 0) for bot in results["bots"])
    if not late:
        return ""
    return (
        f"reproducible: no ({plural(late, 'time fault')}): how long a decision takes is not of the cards alone, so another "
        "run may end otherwise. `run.json` names the blocks."
    )


def was_out(kind: str, count: int, games: int) -> str:
    """`` (it was out: …)`` behind a fault that a bot made in each of its games; empty of any other."""
    if kind in (Fault.DIED.label, Fault.LATE.label) and count == games:
        return " (it was out: all its games are counted by default answers)"
    return ""


def meetings(results: Results) -> str:
    """How often pairs met, where not everyone meets everyone equally; empty elsewhere."""
    plan, told, bots = results["tournament"], results["played"], len(results["bots"])
    if plan["schedule"] != "balanced":
        return ""
    games = [pair["games"] for pair in results["meetings"]]
    never = bots * (bots - 1) // 2 - len(games)
    games += [0] * never
    text = f"A pair of bots sat together in {_from_to(games)} games, {number(sum(games) / len(games), 1)} on average"
    each = plan["seats"] * told["deals"]
    if told["dropped_deals"] == 0:
        text += (
            f", which is in {_from_to([n // each for n in games])} of the {plural(told['lineups'], 'lineup')}"
        )
    if never:
        text += f"; {plural(never, 'pair')} of {len(games):,} never met"
    return (
        f"{text}. The intervals speak of this schedule: of how sure the result is on other cards, not of what other lineups "
        "would give."
    )


def _from_to(counts: list[int]) -> str:
    return rank_range(min(counts), max(counts)) if max(counts) < 1000 else f"{min(counts):,}–{max(counts):,}"


def dagger(results: Results) -> str:
    """What † at an interval means; empty for a run that could not stop early."""
    if not results["is_sequence"]:
        return ""
    return (
        f"† {UNCORRECTED}: an interval for a number of deals fixed beforehand, while this run looked repeatedly whether to "
        "stop. A ± without † holds at every look and is the wider for it, so the two cannot be set side by side."
    )


def sequence_sentence(results: Results) -> str:
    """What the intervals of a run are that could stop early."""
    return (
        f"Every interval of {RANKS_BY[results['tournament']['rank_by']]}, of single bots and of differences, and all that "
        "ranks comes from a confidence sequence, which holds at every look at once. All other intervals are those of a "
        f"number of deals fixed beforehand: they are {UNCORRECTED} and hold less often than stated."
    )


def rule(results: Results) -> str:
    """``Rule: every pair of bots is separated.``, and when it was looked at."""
    stop, (by, scale) = results["tournament"]["stop"], unit_of(results)
    if stop["chips"] is not None:
        text = f"the interval of every bot is within ± {stop['chips'] * scale:g} {by}"
    else:
        text = "every pair of bots is separated"
        if stop["indifferent_chips"]:
            text += f", or surely within ± {stop['indifferent_chips'] * scale:g} {by}"
    first = results["looks"]["states"][0]["deals"]
    return (
        f"Rule: {text}. Looked at every {EVERY} deals from {first:,} on, at most {stop['max_deals']:,}; the first look that "
        "meets the rule stops the run, and nothing later is used."
    )


def where_it_stopped(results: Results) -> Told:
    """``Stopped at 500 deals, at look 2``."""
    states = results["looks"]["states"]
    deals, looks = states[-1]["deals"], len(states)
    if results["looks"]["is_met"]:
        return Told(f"Stopped at {plural(deals, 'deal')}", f", at look {looks}: the rule is met.")
    return Told(f"The deals ran out at {deals:,}", f", after {plural(looks, 'look')}: the rule is not met.")


def unresolved(results: Results, name: Name = str) -> list[str]:
    """What was not resolved at the end, by name."""
    looks, (_, scale) = results["looks"], unit_of(results)
    names = [name(bot["name"]) for bot in results["bots"]]
    if results["tournament"]["stop"]["when"] == "half_width":
        halves = looks["bot_half_widths"]
        wide = [f"{names[bot]} (± {half_width(halves[bot], scale)})" for bot in looks["too_wide"]]
        return [f"Still too wide: {listed(wide, _NAMED)}."] if wide else []
    found = []
    for words, key in (("Not resolved", "unresolved"), ("As good as equal", "indifferent")):
        pairs = [f"{names[i]} and {names[j]}" for i, j in looks[key]]
        if pairs:
            found.append(f"{words}: {listed(pairs, _NAMED, '; ')}.")
    return found


def half_width(half: float | None, scale: float) -> str:
    """Half an interval's width; a dash where there is none."""
    return "–" if half is None else number(half * scale, 2)
