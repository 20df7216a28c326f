"""A retold game for the terminal: what was on the table, what the exact best bet was, what was bet, what came."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.report.text import number, plural, shorten_all, visible, width, wrap
from arena.tournament.game_steps import Json

_NAME = 24  # columns
_ENDS = {
    "rounds": "The last turn is over",
    "sole_holder": "Only one player has chips left",
    "no_chips": "Nobody has chips left",
    "pot_taken": "The pot was taken",
}
RESULTS = {"win": "wins", "hit": "hits a post", "loss": "loses", "push": "is no third of a kind"}


def replay_text(game: Json, columns: int = 80) -> str:
    """The whole game, hand by hand, in so many columns. ``game`` is of ``game_steps``."""
    names = shorten_all([visible(name) for name in game["bots"]], _NAME)
    seats = ", ".join(f"{name} in seat {seat}" for seat, name in enumerate(names))
    lines = wrap(f"Deal {game['deal']:,}, rotation {game['rotation']}: {seats}.", columns)
    lines += wrap(sentence, columns) if (sentence := share_sentence([game])) else []
    lines.append("")
    for step in game["steps"]:
        lines += _step(step, names, game["bank"], columns)
    return "\n".join([*lines, *_totals(game, names)])


def share_sentence(games: Sequence[Json]) -> str:
    """Why less is given away than a best bet is worth, where that is so in one of these games."""
    asked = (step["asked"] for game in games for step in game["steps"] if step.get("asked"))
    if any(at["best_worth"] - at["worth"] > at["lost"] + 1e-6 for at in asked):
        return "Given away is less than the difference in worth: a share of what stays in the pot comes back in the end."
    return ""


def _step(step: Json, names: Sequence[str], bank: str, columns: int) -> list[str]:
    if step["what"] == "turn":
        return _turn(step, names, bank, columns)
    return [*wrap(step_sentence(step, names, bank), columns), ""]


def step_sentence(step: Json, names: Sequence[str], bank: str) -> str:
    """What happened in a step that is no turn."""
    if step["what"] == "ante":
        return antes_sentence(step, names)
    return deal_sentence(step, names, bank) if step["what"] == "deal" else end_sentence(step, names, bank)


def bank_words(step: Json, bank: str) -> str:
    """``Pot 40``, ``House +30``, ``Dealer 990``: what the bank holds after a step, or the house has won by then."""
    if bank == "dealer":
        return f"Dealer {bank_chips(step, bank):,}"
    return f"House {step['pot']:+,}" if bank == "house" else f"Pot {step['pot']:,}"


def bank_chips(step: Json, bank: str) -> int:
    """Chips in the pot, won by the house, or the dealer's, after a step; a dealer's are 0 once there is none."""
    chips: int = step["chips"][step["dealer"]] if bank == "dealer" else step["pot"]
    return chips


def deal_sentence(step: Json, names: Sequence[str], bank: str) -> str:
    """``Round 3, Edge deals and is the bank, with 990 chips.``"""
    name = names[step["dealer"]]
    if bank == "dealer":
        return f"Round {step['round']}, {name} deals and is the bank, with {plural(bank_chips(step, bank), 'chip')}."
    return f"Round {step['round']}. {bank_words(step, bank)}."


def antes_sentence(step: Json, names: Sequence[str]) -> str:
    """``Round 3, Edge deals. Antes: 10 each. Pot 40.``"""
    amounts = {chips for _, chips in step["paid"]}
    if len(amounts) == 1:
        paid = f"{amounts.pop():,} each"
    else:
        paid = ", ".join(f"{names[seat]} {chips:,}" for seat, chips in step["paid"])
    if step["is_again"]:
        return f"The pot was empty. Antes: {paid}. Pot {step['pot']:,}."
    return f"Round {step['round']}, {names[step['dealer']]} deals. Antes: {paid}. Pot {step['pot']:,}."


def end_sentence(step: Json, names: Sequence[str], bank: str) -> str:
    """``The last turn is over: Edge takes 20 and Kelly 20 from the pot.``"""
    shares = [f"{names[seat]} {chips:,}" for seat, chips in step["shares"] if chips]
    text = _ENDS.get(step["reason"], step["reason"])
    if bank != "pot":
        return f"{text}."
    return f"{text}. The last pot is shared: {', '.join(shares)}." if shares else f"{text}; the pot is empty."


def _turn(step: Json, names: Sequence[str], bank: str, columns: int) -> list[str]:
    name, left = names[step["seat"]], step["chips"][step["seat"]] - step["delta"]
    before = step | {"pot": step["pot"] + step["delta"], "chips": [n + step["delta"] for n in step["chips"]]}
    lines = [f"  {name}, {plural(left, 'chip')}, {bank_words(before, bank).lower()}"]
    for sentence in turn_sentences(step, bank):
        first, *rest = wrap(sentence, columns - 6)
        lines += ["    " + first, *("      " + line for line in rest)]
    return [*lines, ""]


def turn_sentences(step: Json, bank: str) -> Iterator[str]:
    """What happened in a turn, a sentence a stage."""
    asked, is_raise = step["asked"], step["wager"] is not None
    if is_raise:
        yield _wager(step)
    yield _posts(step)
    if asked is not None:
        n = asked["wins"] + asked["hits"] + asked["losses"]
        yield (
            f"Of {plural(n, 'unseen card')} {asked['wins']} win, {asked['hits']} hit a post, {asked['losses']} lose. "
            f"Best: {_bet(asked['best'], asked['best_worth'], is_raise)}."
        )
        yield _chosen(step)
    if step["result"] != "pass":
        yield _outcome(step, bank)


def _wager(step: Json) -> str:
    """``Wagers 10 (from 1 to 990 allowed); best: 1, 0.28 chips given away.``"""
    text = f"Wagers {step['wager']:,} (from {step['min_wager']:,} to {step['max_wager']:,} allowed)"
    text += ": the least, its answer was a fault" if step["is_wager_fault"] else ""
    lost = step["wager_lost"] or 0
    return text + (f"; best: {step['best_wager']:,}, {given_away(lost)} given away." if lost else ".")


def _posts(step: Json) -> str:
    first, second = step["posts"]
    what = {"gap": f"gap {step['gap']}", "trips": "a pair"}.get(
        step["kind"], step["kind"].replace("pair", "a pair")
    )
    if step["kind"] == "consecutive":
        what = "next to each other"
    text = f"Posts {first} {second}: {what}"
    if step["aces"]:
        text += f", ace called {' and '.join(step['aces'])}"
    if step["choice"]:
        text += f"; {step['choice']['higher']} higher, {step['choice']['lower']} lower unseen"
    if step["call"]:
        text += f", called {step['call']}"
    if step["is_call_fault"]:
        text += " (by default: its answer was a fault)"
    return text + (" (cards shuffled)." if step["is_shuffled"] else ".")


def _bet(stake: int, worth: float, is_raise: bool) -> str:
    """``bet 20, worth +4.80``, ``pass``; ``raise by 10, worth +4.80`` with the wager."""
    sign = number(worth, 2, sign=True)
    if is_raise:
        return (f"raise by {stake:,}" if stake else "no raise") + f", worth {sign}"
    return f"bet {stake:,}, worth {sign}" if stake else "pass" + (f", worth {sign}" if worth else "")


def _chosen(step: Json) -> str:
    asked = step["asked"]
    text = "Chosen: " + _bet(step["bet"], asked["worth"], step["wager"] is not None)
    if step["is_bet_fault"]:
        text += " (its answer was a fault)"
    if asked["lost"] > 0:
        return f"{text}: {given_away(asked['lost'])} given away."
    return f"{text}: none better." if step["bet"] != asked["best"] else f"{text}."


def given_away(lost: float) -> str:
    """``4.80 chips``; never 0 where something was lost."""
    return "less than 0.01 chips" if 0 < lost < 0.005 else f"{number(lost, 2)} chips"


def _outcome(step: Json, bank: str) -> str:
    delta, result = step["delta"], step["result"]
    end = f" {bank_words(step, bank)}."
    end += " It is out of chips." if step["is_out"] else ""
    end += " The dealer is out of chips." if step["is_dealer_out"] else ""
    if result == "push" and step["third"] is None:
        return "The wager comes back."
    if result == "push":
        return f"Third card {step['third']} {RESULTS[result]}: the wager comes back."
    if result in RESULTS:
        return f"Third card {step['third']} {RESULTS[result]}: {delta:+,}.{end}"
    if result == "paid":
        return f"{'Paid from' if delta >= 0 else 'Pays into'} the {bank}: {delta:+,}.{end}"
    return "Nothing to bet on: the turn passes."


def _totals(game: Json, names: Sequence[str]) -> list[str]:
    wide = max(map(width, names))
    lost = [0.0] * len(names)
    for step in game["steps"]:
        if step["what"] == "turn":
            lost[step["seat"]] += (step["asked"] or {"lost": 0})["lost"] + (step["wager_lost"] or 0)
    return [
        f"{name}{' ' * (wide - width(name))}  {chips:>9,} chips  {net:>+9,}  {given:>9} given away"
        for name, chips, net, given in zip(
            names, game["chips"], game["net"], (number(x, 1) for x in lost), strict=True
        )
    ]
