"""The JSON schema of a tournament file, for editors (``arena schema``)."""

from __future__ import annotations

from typing import Any

from arena.game.rules import TableRules, preset_names
from arena.tournament.spec import TournamentSpec

TABLE_HELP = {
    "chips": "Chips everyone starts with.",
    "bank": "Who pays: the pot, a house, or the dealer.",
    "payouts": "What a win pays, to 1, by gap; the widest gap named holds for wider ones. Of a house or a dealer.",
    "deck.packs": "Packs of 52 cards.",
    "deck.shuffle": "When all but the cards on the table are shuffled: none left, after the dealer, always.",
    "play.direction": "The next player sits to the right or to the left.",
    "play.first_dealer": "Who deals first: seat 0, or who draws the highest card.",
    "play.dealer_moves": "Whether the deal moves on after each round.",
    "ante.amount": "Chips everyone antes.",
    "ante.each_round": "true: every round; false: once, as the game starts.",
    "ante.when_empty": "true: everyone antes at once when the pot is empty.",
    "bet.min": "The least bet.",
    "bet.first_round_max": "The greatest bet in round 1: the pot, half of it, or the ante.",
    "bet.may_pass": "Whether a player may bet nothing.",
    "bet.must_cover_post": "true: a player must have in hand what hitting the post costs.",
    "bet.before_posts": "true: everyone wagers before the posts; needs bank: house or dealer, push and auto_trips.",
    "bet.raise": "Whether a wager may be raised on a gap, by as much.",
    "ace.first": "An ace as first post: called before the second post, named after both, or high.",
    "ace.second": "An ace as second post: high, or named by the player.",
    "consecutive": "Neighbouring posts: nothing happens, a bet is allowed, the least bet is lost, the wager goes back.",
    "pair.rule": "On a pair: call and bet, be paid, bet on a third of the rank, either of these, nothing, or a draw.",
    "pair.pay": "What an automatic payment is, in pair.pay_unit.",
    "pair.pay_unit": "The unit of pair.pay: the least bet, or a chip.",
    "pair.post": "What a third card of the pair's rank costs, all told, in bets.",
    "pair.trips_odds": "What a bet on three of a kind wins, to 1.",
    "post.multiplier": "What hitting the post costs, all told, in bets.",
    "end.rounds": "Rounds in a game; null: no limit (then give end.turns).",
    "end.turns": "Turns in a game; null: no limit.",
    "end.pot_taken": "true: the game is over when the pot is empty.",
    "end.pot": "Who shares what is left in the pot: those who still have chips, or everyone.",
}


def json_schema() -> dict[str, Any]:
    """What a tournament file may hold, as a JSON schema; keys with a default may be left out."""
    schema = TournamentSpec.model_json_schema()
    groups = schema["$defs"]
    table = groups["TableRules"]
    for group in (table, *(groups[model.__name__] for model in _groups())):
        group.pop("required", None)  # the preset fills what is not written
    for dotted, text in TABLE_HELP.items():
        group, _, key = dotted.rpartition(".")
        owner = groups[TableRules.model_fields[group].annotation.__name__] if group else table  # type: ignore[union-attr]
        owner["properties"][key]["description"] = text
    table["properties"] = {
        "preset": {
            "description": "The named rules that the other keys are laid over.",
            "enum": preset_names(),
            "default": "nepali",
        },
        **table["properties"],
    }
    table["description"] = "How a table plays."
    schema["properties"]["table"].update({"default": {"preset": "nepali"}})
    schema["required"] = ["bots"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "A tournament of In-Between bots",
        "description": "A tournament file of the arena.",
    }


def _groups() -> list[type]:
    annotations = [field.annotation for field in TableRules.model_fields.values()]
    return [a for a in annotations if isinstance(a, type) and hasattr(a, "model_fields")]
