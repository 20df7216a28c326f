"""A retold game for the terminal: what was on the table, what the exact best bet was, what was bet, what came."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.report.text import number, plural, shorten_all, visible, width, wrap
from arena.tournament.retell import Json

_NAME = 24  # columns
_ENDS = {
    "rounds": "The last turn is over",
    "sole_holder": "Only one player has chips left",
    "no_chips": "Nobody has chips left",
    "pot_taken": "The pot was taken",
}
RESULTS = {"win": "wins", "hit": "hits a post", "loss": "loses"}


def replay_text(game: Json, columns: int = 80) -> str:
    """The whole game, hand by hand, in so many columns. ``game`` is of ``retell``."""
    names = shorten_all([visible(name) for name in game["bots"]], _NAME)
    seats = ", ".join(f"{name} in seat {seat}" for seat, name in enumerate(names))
    lines = wrap(f"Deal {game['deal']:,}, rotation {game['rotation']}: {seats}.", columns)
    lines.append("")
    for step in game["steps"]:
        lines += _step(step, names, columns)
    return "\n".join([*lines, *_totals(game, names)])


def _step(step: Json, names: Sequence[str], columns: int) -> list[str]:
    if step["what"] == "turn":
        return _turn(step, names, columns)
    text = antes_sentence(step, names) if step["what"] == "ante" else end_sentence(step, names)
    return [*wrap(text, columns), ""]


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


def end_sentence(step: Json, names: Sequence[str]) -> str:
    """``The last turn is over: Edge takes 20 and Kelly 20 from the pot.``"""
    shares = [f"{names[seat]} {chips:,}" for seat, chips in step["shares"] if chips]
    text = _ENDS.get(step["reason"], step["reason"])
    return f"{text}. The last pot is shared: {', '.join(shares)}." if shares else f"{text}; the pot is empty."


def _turn(step: Json, names: Sequence[str], columns: int) -> list[str]:
    name, left = names[step["seat"]], step["chips"][step["seat"]] - step["delta"]
    lines = [f"  {name}, {plural(left, 'chip')}, pot {step['pot'] + step['delta']:,}"]
    for sentence in turn_sentences(step):
        first, *rest = wrap(sentence, columns - 6)
        lines += ["    " + first, *("      " + line for line in rest)]
    return [*lines, ""]


def turn_sentences(step: Json) -> Iterator[str]:
    """What happened in a turn, a sentence a stage."""
    yield _posts(step)
    asked = step["asked"]
    if asked is not None:
        n = asked["wins"] + asked["hits"] + asked["losses"]
        yield (
            f"Of {plural(n, 'unseen card')} {asked['wins']} win, {asked['hits']} hit a post, {asked['losses']} lose. "
            f"Best: {_bet(asked['best'], asked['best_worth'])}."
        )
        yield _chosen(step)
    if step["result"] != "pass":
        yield _outcome(step)


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


def _bet(stake: int, worth: float) -> str:
    """``bet 20, worth +4.80``, ``pass``."""
    sign = number(worth, 2, sign=True)
    return f"bet {stake:,}, worth {sign}" if stake else "pass" + (f", worth {sign}" if worth else "")


def _chosen(step: Json) -> str:
    asked = step["asked"]
    text = "Chosen: " + _bet(step["bet"], asked["worth"])
    if step["is_bet_fault"]:
        text += " (its answer was a fault)"
    if asked["lost"] > 0:
        return f"{text}: {given_away(asked['lost'])} given away."
    return f"{text}: none better." if step["bet"] != asked["best"] else f"{text}."


def given_away(lost: float) -> str:
    """``4.80 chips``; never 0 where something was lost."""
    return "less than 0.01 chips" if 0 < lost < 0.005 else f"{number(lost, 2)} chips"


def _outcome(step: Json) -> str:
    delta, result = step["delta"], step["result"]
    gone = " It is out of chips." if step["is_out"] else ""
    if result in RESULTS:
        return f"Third card {step['third']} {RESULTS[result]}: {delta:+,}. Pot {step['pot']:,}.{gone}"
    if result == "paid":
        return f"{'Paid from' if delta >= 0 else 'Pays into'} the pot: {delta:+,}. Pot {step['pot']:,}.{gone}"
    return "Nothing to bet on: the turn passes."


def _totals(game: Json, names: Sequence[str]) -> list[str]:
    wide = max(map(width, names))
    lost = [0.0] * len(names)
    for step in game["steps"]:
        if step["what"] == "turn" and step["asked"]:
            lost[step["seat"]] += step["asked"]["lost"]
    return [
        f"{name}{' ' * (wide - width(name))}  {chips:>9,} chips  {net:>+9,}  {given:>9} given away"
        for name, chips, net, given in zip(
            names, game["chips"], game["net"], (number(x, 1) for x in lost), strict=True
        )
    ]
