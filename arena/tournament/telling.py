"""The most telling games of a run: the one in which most chips changed hands, and each bot's costliest mistake."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from arena.game.rules import TableRules
from arena.tournament.blocks import BlockResult
from arena.tournament.game_steps import Json, game_steps
from arena.tournament.schedule import Lineup
from arena.tournament.study import Mistake
from arena.tournament.tournament import Held

MOST_STEPS = 1600  # in a report: some 600 kB of its page; a game of ten rounds between two has about 31
LEAST_STEPS = 24  # of each game, however many there are


@dataclass(frozen=True)
class Telling:
    """A game worth a look, and what for: ``bot`` (an entrant) lost ``chips`` in it.

    ``swing``: the most that was lost in one game of the run; ``mistake``: by exact expectation, with the bet at ``step``.
    """

    why: Literal["swing", "mistake"]
    bot: int
    chips: float
    lineup: Lineup
    deal: int
    rotation: int
    step: int | None = None  # (round − 1) · seats + place in the round


def telling_games(held: Held, chips: int) -> list[Telling]:
    """The most telling games: the swing, then each entrant's costliest mistake; ``chips`` is what every seat starts with.

    Of equals the first by lineup, deal and rotation. A bot that lost nothing has none.
    """
    swing = _swing(held.results, chips)
    return ([swing] if swing else []) + [
        _of_mistake(bot, mistake) for bot, mistake in enumerate(held.rows.mistakes) if mistake
    ]


def _of_mistake(bot: int, at: Mistake) -> Telling:
    return Telling("mistake", bot, at.lost, at.lineup, at.deal, at.rotation, at.step)


def _swing(results: Iterable[BlockResult], chips: int) -> Telling | None:
    """The game in which one bot lost most; None where nobody ever lost."""
    found: list[tuple[int, Lineup, int, int, int]] = []
    for result in results:
        block = result.block
        by_deal = result.chips.swapaxes(0, 1)  # so that of equals the first deal comes first
        deal, rotation, position = np.unravel_index(by_deal.argmin(), by_deal.shape)
        net = int(by_deal[deal, rotation, position]) - chips
        at = (block.first_deal + int(deal), int(rotation), block.lineup[int(position)])
        found.append((net, block.lineup, *at))
    net, lineup, deal_, rotation_, bot = min(found, default=(0, (), 0, 0, 0))
    return Telling("swing", bot, -net, lineup, deal_, rotation_) if net < 0 else None


def told(
    held: Held,
    rules: TableRules,
    seed: int,
    names: Sequence[str],
    games: Sequence[Telling],
    most_steps: int | None = None,
) -> list[Json]:
    """Games as :func:`game_steps` gives them, with ``why``, ``bot`` and ``lost`` of the :class:`Telling`, and more.

    ``at`` is the index into ``steps`` of the mistake; 0 for a swing. ``names`` are the entrants'. Of ``most_steps`` in all
    every game has an even part: of a longer one only the steps around what it is told for are kept, ``first_step`` being how
    many came before them and ``all_steps`` how many there were.
    """
    most = None if most_steps is None else max(LEAST_STEPS, most_steps // max(len(games), 1))
    out = []
    for game in games:
        result = next(r for r in held.results if _has(r, game))
        players = [names[bot] for bot in game.lineup]
        data = game_steps(result, rules, seed, players, game.deal, game.rotation)
        at = _step(data, game)
        head = {"why": game.why, "bot": names[game.bot], "lost": game.chips, "at": at}
        out.append(_part(head | data, at or _worst_turn(data, names[game.bot]), most))
    return out


def _part(game: Json, around: int, most: int | None) -> Json:
    """The game with at most so many steps, that at ``around`` in their middle as far as there are any."""
    steps = game["steps"]
    n = len(steps) if most is None else min(most, len(steps))
    first = max(0, min(around - n // 2, len(steps) - n))
    at = max(0, game["at"] - first)
    return game | {"at": at, "steps": steps[first : first + n], "first_step": first, "all_steps": len(steps)}


def _worst_turn(data: Json, bot: str) -> int:
    """The first of the steps at which a bot lost most."""
    seat, before, most, at = data["bots"].index(bot), data["start_chips"], 0, 0
    for i, step in enumerate(data["steps"]):
        lost, before = before - step["chips"][seat], step["chips"][seat]
        if lost > most:
            most, at = lost, i
    return at


def _has(result: BlockResult, game: Telling) -> bool:
    block = result.block
    return block.lineup == game.lineup and 0 <= game.deal - block.first_deal < block.deals


def _step(data: Json, game: Telling) -> int:
    """Which of a game's steps has its mistake: the turn of that seat in that round which lost as much."""
    if game.step is None:
        return 0
    round = game.step // len(game.lineup) + 1
    seat = (game.lineup.index(game.bot) + game.rotation) % len(game.lineup)
    turns = (i for i, step in enumerate(data["steps"]) if step["what"] == "turn")
    return next(i for i in turns if (data["steps"][i]["round"], data["steps"][i]["seat"]) == (round, seat))
