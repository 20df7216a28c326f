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
    from_whom = {
        "pot": "bets are won from one common pot and lost to it",
        "house": "bets are won from a house and lost to it, and no house runs short",
        "dealer": "bets are won from the dealer and lost to him",
    }[rules.bank]
    yield f"Every player starts with {chips}; {from_whom}."


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
    if rules.bank == "dealer":
        yield f"Play goes to the {side}, beginning beside the dealer, who takes no turn of his own."
        yield f"The deal moves to the next player on the {side} after every round, and when the dealer has no chips."
        return
    yield f"Play goes to the {side}, beginning beside the dealer; the dealer's turn ends the round."
    yield {
        "each_round": f"The deal moves to the next player on the {side} after every round.",
        "never": f"The deal stays; only a dealer who is out is followed by the next player on the {side}.",
    }[rules.play.dealer_moves]


def _antes(rules: TableRules) -> Iterator[str]:
    if rules.bank != "pot":
        yield "There is no pot and no ante."
        return
    when = "before every round" if rules.ante.each_round else "once, as the game starts"
    yield f"Everyone antes {_count(rules.ante.amount, 'chip')} {when}; a player with fewer antes all of them."
    if rules.end.pot_taken:
        return
    if rules.ante.when_empty:
        yield "When a turn empties the pot, everyone antes again at once and the round goes on."
    else:
        yield "When a turn empties the pot, nobody antes for that."


def _bets(rules: TableRules) -> Iterator[str]:
    bet, bank = rules.bet, rules.bank
    if bet.before_posts:
        yield from _wagers(rules)
        return
    yield f"A bet is at least {_count(bet.min, 'chip')}, or the most that may be bet where that is less."
    yield {
        "pot": "A bet is at most what is in the pot and what the player has.",
        "house": "A bet is at most what the player has.",
        "dealer": "A bet is at most what the dealer has and what the player has.",
    }[bank]
    yield _first_round(rules)
    if bet.must_cover_post:
        yield "It is also at most what the player could pay on hitting a post, where a post can be hit."
    else:
        yield "It may be more than the player could pay on hitting a post."
    yield "A player may pass." if bet.may_pass else "Nobody may pass: a bet of 0 is the least bet."


def _first_round(rules: TableRules) -> str:
    half = {"pot": "the pot", "house": "what the house has", "dealer": "what the dealer has"}[rules.bank]
    ante = "the ante" if rules.bank == "pot" else _count(rules.ante.amount, "chip")
    return {
        "pot": "The first round has no limit of its own.",
        "half_pot": f"In the first round it is at most half {half} (rounded down), or the least bet if more.",
        "ante": f"In the first round it is at most {ante}.",
    }[rules.bet.first_round_max]


def _wagers(rules: TableRules) -> Iterator[str]:
    yield f"Every player wagers before the posts: at least {_count(rules.bet.min, 'chip')}, or all he has if that is less."
    most = {"dealer": "what the dealer has and what the player has"}.get(rules.bank, "what the player has")
    yield f"Wager and raise together are at most {most}."
    yield _first_round(rules)
    if rules.bet.raise_ == "wager":
        yield "On a gap the player may raise by up to the wager once the posts lie open."
    else:
        yield "The wager stands as it is: nothing is bet once the posts lie open."


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
        "push": "On neighbouring posts the player takes the wager back.",
    }[rules.consecutive]


def _pairs(rules: TableRules) -> Iterator[str]:
    pair = rules.pair
    paid = f"the {rules.bank} pays {_count(rules.pair_pay_chips, 'chip')}"
    if pair.pay_unit == "min_bet":
        paid += f", {_times(pair.pay, 'the least bet')},"
    trips = f"bets on three of a kind at {pair.trips_odds:,} to 1"
    yield (
        "On a pair "
        + {
            "higher_lower": "the player calls the third card higher or lower, then bets.",
            "auto_pay": f"{paid} as far as it can, and the turn is over.",
            "trips_bet": f"the player {trips}, paid as far as the {rules.bank} can.",
            "auto_pay_or_trips": f"{paid} as far as it can, unless the player {trips}.",
            "pass": "the turn is over and nothing is paid.",
            "auto_trips": f"a third card is turned up: one of its rank wins {pair.trips_odds:,} to 1, any other is a push.",
        }[pair.rule]
    )
    if pair.rule == "higher_lower":
        yield f"A third card of the pair's own rank then costs {_times(pair.post, 'the bet')}."


def _third_card(rules: TableRules) -> Iterator[str]:
    yield "A third card between the posts wins the bet; one outside them loses it."
    if rules.payouts is not None:
        named = sorted(rules.payouts.items())
        *narrow, wide = [f"{odds:,} to 1 at {gap}" for gap, odds in named]
        first = f"{', '.join(narrow)}, and {wide}" if narrow else wide
        yield f"By gap a win pays {first} and wider."
        if named[0][0] > 1:
            yield f"Below a gap of {_word(named[0][0])} it pays 1 to 1."
    cost = _times(rules.post.multiplier, "the bet")
    yield f"A third card that hits a post costs {cost}, all told; no hit costs more than the player has."


def _end(rules: TableRules) -> Iterator[str]:
    end = rules.end
    if rules.bank == "pot":
        yield "A player without chips is out; the last player left takes the pot, and the game is over."
    else:
        yield "A player without chips is out; when one player is left the game is over."
    if end.pot_taken and rules.bank == "pot":
        yield "The game is over when the pot is empty."
    limits = [_count(n, what) for n, what in ((end.rounds, "round"), (end.turns, "turn")) if n is not None]
    first = ", whichever comes first" if len(limits) > 1 else ""
    if limits:
        yield f"The game is over after {' or '.join(limits)}{first}."
    else:
        yield "Rounds and turns have no limit."
    if rules.bank != "pot":
        return
    who = "the players who still have chips" if end.pot == "split_live" else "all, also those who are out"
    yield f"What is left in the pot is then shared equally by {who}."
    yield "Odd chips of it go one each to the next after the dealer."


def _idle(rules: TableRules) -> Iterator[str]:
    """Names the keys that change nothing at this table, so that nobody sets one in vain."""
    pair, idle, has_pot = rules.pair, [], rules.bank == "pot"
    if not has_pot:
        idle += [f"ante.each_round {_yes(rules.ante.each_round)}"]
        if rules.bet.first_round_max != "ante":
            idle += [f"ante.amount {rules.ante.amount:,}"]
        idle += [f"end.pot_taken {_yes(rules.end.pot_taken)}", f"end.pot {rules.end.pot}"]
    if rules.bank == "dealer":
        idle += [f"play.dealer_moves {rules.play.dealer_moves}"]
    if rules.bet.before_posts:
        idle += [
            f"bet.may_pass {_yes(rules.bet.may_pass)}",
            f"bet.must_cover_post {_yes(rules.bet.must_cover_post)}",
        ]
    elif rules.bet.raise_ != "none":
        idle += [f"bet.raise {rules.bet.raise_}"]
    if pair.rule not in ("auto_pay", "auto_pay_or_trips"):
        idle += [f"pair.pay {pair.pay:,}", f"pair.pay_unit {pair.pay_unit}"]
    if pair.rule != "higher_lower":
        idle += [f"pair.post {pair.post:,}"]
    if pair.rule not in ("trips_bet", "auto_pay_or_trips", "auto_trips"):
        idle += [f"pair.trips_odds {pair.trips_odds:,}"]
    if rules.end.pot_taken or not has_pot:
        idle += [f"ante.when_empty {_yes(rules.ante.when_empty)}"]
    for start in range(0, len(idle), _IDLE_IN_A_LINE):
        also = "Also without" if start else "Without"
        yield f"{also} effect at this table: {', '.join(idle[start : start + _IDLE_IN_A_LINE])}."


_IDLE_IN_A_LINE = 4


def _yes(value: bool) -> str:
    return str(value).lower()
