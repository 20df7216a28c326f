"""The player of told games, as a part of a page that needs nothing from outside.

:func:`replay_section` is what goes into ``report.html``; ``#replay-2`` in the page's address opens the third game.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from arena.report.replay_text import bank_chips, share_sentence, step_sentence, turn_sentences
from arena.report.templating import asset, environment
from arena.report.text import number, visible
from arena.tournament.game_steps import Json

BANKS = {"pot": "Pot", "house": "House, won so far", "dealer": "Dealer, who is the bank"}
WHY = {"swing": "lost most in a game", "mistake": "bet worst, by exact odds"}


def lost_chips(lost: float) -> str:
    """``412``, ``2``, ``0.28``: what was lost, in hundredths where whole chips would say little; never 0."""
    return number(lost, 0 if lost >= 10 or lost == round(lost) else 2) if lost >= 0.005 else "less than 0.01"


def replay_section(games: Sequence[Json], run: str, places: Mapping[str, int] | None = None) -> Markup:
    """The section of games as ``telling.told`` gives them, of the run of this name; nothing where there are none.

    ``places`` are those of bots in the standings, by name, for a page on which one can be highlighted. The data is in it;
    the page has the player's style and script (:func:`player_style`, :func:`player_script`). Names are
    escaped, and characters that are not seen are written out.
    """
    if not games:
        return Markup("")
    template = environment().get_template("replay.html.j2")
    told = [player_data(game, run, places or {}) for game in games]
    return Markup(template.render(games=told, share=share_sentence(games)))


def player_style() -> str:
    """The player's style sheet."""
    return str(asset("replay.css"))


def player_script() -> str:
    """The player's script; a page with no section of games may have it, too."""
    return str(asset("replay.js"))


def player_data(game: Json, run: str, places: Mapping[str, int]) -> Json:
    """What the player shows of a game, step by step in words; a mistake is at step ``at``."""
    names = [visible(name) for name in game["bots"]]
    first, last = game["first_step"] + 1, game["first_step"] + len(game["steps"])
    is_part = last - first + 1 < game["all_steps"]
    part = f"; steps {first:,} to {last:,} of {game['all_steps']:,}" if is_part else ""
    return {
        "title": f"{visible(game['bot'])} {WHY[game['why']]}: {lost_chips(game['lost'])} "
        f"(deal {game['deal']:,}, {' – '.join(names)}{part})",
        "command": replay_command(run, game["deal"], names, game["rotation"]),
        "bots": names,
        "places": [places.get(name) for name in names],
        "place": places.get(visible(game["bot"])),
        "bank": BANKS[game["bank"]],
        "start": game["start_chips"],
        "first": game["first_step"],
        "all": game["all_steps"],
        "at": game["at"],
        "steps": _steps(game, names),
    }


def _steps(game: Json, names: Sequence[str]) -> list[Json]:
    out: list[Json] = []
    round, dealer, bank = 1, 0, game["bank"]
    for step in game["steps"]:
        round, dealer = step.get("round", round), step.get("dealer", dealer)
        seen = {
            "chips": step["chips"],
            "bank": bank_chips(step | {"dealer": dealer}, bank),
            "seat": step.get("seat"),
            "posts": step.get("posts"),
        }
        if step["what"] == "turn":
            text = [f"Round {step['round']}: {names[step['seat']]}.", *turn_sentences(step, bank)]
            seen |= {"third": step["third"], "result": step["result"]}
        else:
            text = [step_sentence(step, names, bank)]
        out.append(seen | {"round": round, "dealer": dealer, "text": text})
    return out


def replay_command(run: str, deal: int, bots: Sequence[str], rotation: int, out: str | None = None) -> str:
    """The command that tells a game, ready to be pasted into a shell; ``out`` where reports are not in ``reports``."""
    players = [",".join(bots)] if not any("," in bot for bot in bots) else list(bots)
    words = ["arena", "replay", run, *([] if out is None else ["--out", out]), "--deal", str(deal)]
    words += [word for player in players for word in ("--lineup", player)]
    return shlex.join([*words, *(["--rotation", str(rotation)] if rotation else [])])
