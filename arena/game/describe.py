"""A table in plain sentences: what ``arena rules`` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena.game.rules import TableRules, preset_file

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def describe(rules: TableRules) -> list[str]:
    """The table in sentences, in the order a player would ask. Every value of every key shows in them.

    >>> from arena.game.rules import table_rules
    >>> describe(table_rules())[0]
    'Every player starts with 1,000 chips; bets are won from one common pot and lost to it.'
    """
    parts = (_chips, _cards, _order, _antes, _bets, _aces, _neighbours, _pairs, _third_card, _end, _idle)
    return [sentence for part in parts for sentence in part(rules)]


def ruling_notes(preset_name: str, table: Mapping[str, Any] | None = None) -> list[str]:
    """``key: text`` for every ruling of a preset's own file: our reading where its source is silent.

    Rulings of the preset it builds on are not repeated, nor those whose key ``table``, laid over the preset, sets.
    Raises ``ArenaError`` where there is no such preset.
    """
    rulings: dict[str, str] = preset_file(preset_name).get("rulings", {})
    return [f"{key}: {text}" for key, text in rulings.items() if not _sets(table or {}, key.split("."))]


def _sets(table: Mapping[str, Any], keys: list[str]) -> bool:
    """Whether the nested key has a value of its own there."""
    value: Any = table
    for key in keys:
        if not isinstance(value, Mapping) or key not in value:
            return False
        value = value[key]
    return True


def _word(n: int) -> str:
    return _NUMBERS[n] if n < len(_NUMBERS) else f"{n:,}"


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def _times(n: int, what: str) -> str:
    """``the bet``, ``twice the bet``, ``three times the bet``."""
    return {1: what, 2: f"twice {what}"}.get(n, f"{_word(n)} times {what}")


def _chips(rules: TableRules) -> Iterator[str]:
    chips = _count(rules.chips, "chip")
    yield f"Every player starts with {chips}; bets are won from one common pot and lost to it."


def _cards(rules: TableRules) -> Iterator[str]:
    packs = rules.deck.packs
    what = "one pack of 52 cards" if packs == 1 else f"{_word(packs)} packs together, {52 * packs} cards"
    yield f"The cards are {what}."
    when = {
        "exhausted": "when no card is left face down",
        "dealer_turn": "after every turn of the dealer, and when no card is left face down",
        "each_turn": "before every turn",
    }[rules.deck.shuffle]
    yield f"Everything not on the table is shuffled {when}."


def _order(rules: TableRules) -> Iterator[str]:
    yield {
        "seat_0": "Seat 0 deals first.",
        "high_card": "For the first deal every player draws a card: the highest deals, ties draw again.",
    }[rules.play.first_dealer]
    side = rules.play.direction
    yield f"Play goes to the {side}, beginning beside the dealer; the dealer's turn ends the round."
    yield {
        "each_round": f"The deal moves to the next player on the {side} after every round.",
        "never": f"The deal stays; only a dealer who is out is followed by the next player on the {side}.",
    }[rules.play.dealer_moves]


def _antes(rules: TableRules) -> Iterator[str]:
    when = "before every round" if rules.ante.each_round else "once, as the game starts"
    yield f"Everyone antes {_count(rules.ante.amount, 'chip')} {when}; a player with fewer antes all of them."
    if rules.end.pot_taken:
        return
    if rules.ante.when_empty:
        yield "When a turn empties the pot, everyone antes again at once and the round goes on."
    else:
        yield "When a turn empties the pot, nobody antes for that."


def _bets(rules: TableRules) -> Iterator[str]:
    bet = rules.bet
    yield f"A bet is at least {_count(bet.min, 'chip')}, or the most that may be bet where that is less."
    yield "A bet is at most what is in the pot and what the player has."
    yield {
        "pot": "The first round has no limit of its own.",
        "half_pot": "In the first round it is at most half the pot (rounded down), or the least bet if more.",
        "ante": "In the first round it is at most the ante.",
    }[bet.first_round_max]
    if bet.must_cover_post:
        yield "It is also at most what the player could pay on hitting a post, where a post can be hit."
    else:
        yield "It may be more than the player could pay on hitting a post."
    yield "A player may pass." if bet.may_pass else "Nobody may pass: a bet of 0 is the least bet."


def _aces(rules: TableRules) -> Iterator[str]:
    chosen = "is named low or high by the player once both posts lie open, unless they are a pair"
    first = {
        "call": "is called low or high by the player before the second post is turned up",
        "choose": chosen,
        "high": "is high",
    }[rules.ace.first]
    second = {"choose": chosen, "high": "is high"}[rules.ace.second]
    if first == second:
        yield f"An ace as either post {first}."
    else:
        yield f"An ace as first post {first}."
        yield f"An ace as second post {second}."
    if (rules.ace.first, rules.ace.second) != ("high", "high"):
        yield "A third card that is an ace is high, but it hits a low ace."


def _neighbours(rules: TableRules) -> Iterator[str]:
    least = _count(rules.bet.min, "chip")
    yield {
        "pass": "On neighbouring posts the turn is over and nothing is paid.",
        "bet": "On neighbouring posts a bet is allowed, though no card can win it.",
        "pay_min": f"On neighbouring posts the least bet, {least}, is lost and no third card is drawn.",
    }[rules.consecutive]


def _pairs(rules: TableRules) -> Iterator[str]:
    pair = rules.pair
    paid = f"the pot pays {_count(rules.pair_pay_chips, 'chip')}"
    if pair.pay_unit == "min_bet":
        paid += f", {_times(pair.pay, 'the least bet')},"
    trips = f"bets on three of a kind at {pair.trips_odds:,} to 1"
    yield (
        "On a pair "
        + {
            "higher_lower": "the player calls the third card higher or lower, then bets.",
            "auto_pay": f"{paid} as far as it can, and the turn is over.",
            "trips_bet": f"the player {trips}, paid as far as the pot can.",
            "auto_pay_or_trips": f"{paid} as far as it can, unless the player {trips}.",
            "pass": "the turn is over and nothing is paid.",
        }[pair.rule]
    )
    if pair.rule == "higher_lower":
        yield f"A third card of the pair's own rank then costs {_times(pair.post, 'the bet')}."


def _third_card(rules: TableRules) -> Iterator[str]:
    yield "A third card between the posts wins the bet; one outside them loses it."
    cost = _times(rules.post.multiplier, "the bet")
    yield f"A third card that hits a post costs {cost}, all told; no hit costs more than the player has."


def _end(rules: TableRules) -> Iterator[str]:
    end = rules.end
    yield "A player without chips is out; the last player left takes the pot, and the game is over."
    if end.pot_taken:
        yield "The game is over when the pot is empty."
    limits = [_count(n, what) for n, what in ((end.rounds, "round"), (end.turns, "turn")) if n is not None]
    first = ", whichever comes first" if len(limits) > 1 else ""
    if limits:
        yield f"The game is over after {' or '.join(limits)}{first}."
    else:
        yield "Rounds and turns have no limit."
    who = "the players who still have chips" if end.pot == "split_live" else "all, also those who are out"
    yield f"What is left in the pot is then shared equally by {who}."
    yield "Odd chips of it go one each to the next after the dealer."


def _idle(rules: TableRules) -> Iterator[str]:
    """Names the keys that change nothing at this table, so that nobody sets one in vain."""
    pair, idle = rules.pair, []
    if pair.rule not in ("auto_pay", "auto_pay_or_trips"):
        idle += [f"pair.pay {pair.pay:,}", f"pair.pay_unit {pair.pay_unit}"]
    if pair.rule != "higher_lower":
        idle += [f"pair.post {pair.post:,}"]
    if pair.rule not in ("trips_bet", "auto_pay_or_trips"):
        idle += [f"pair.trips_odds {pair.trips_odds:,}"]
    if rules.end.pot_taken:
        idle += [f"ante.when_empty {str(rules.ante.when_empty).lower()}"]
    if idle:
        yield f"Without effect at this table: {', '.join(idle)}."
