"""The player of told games, as a part of a page that needs nothing from outside.

:func:`replay_section` is what goes into ``report.html``; ``#replay-2`` in the page's address opens the third game.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from markupsafe import Markup

from arena.report.replay_text import antes_sentence, end_sentence, turn_sentences
from arena.report.templating import asset, environment
from arena.report.text import number, visible
from arena.tournament.retell import Json

WHY = {"swing": "lost most in a game", "mistake": "bet worst, by exact odds"}


def replay_section(games: Sequence[Json], run: str) -> Markup:
    """The section of games as ``telling.told`` gives them, of the run of this name; nothing where there are none.

    Style, script and data are in it. Names are escaped, and characters that are not seen are written out.
    """
    if not games:
        return Markup("")
    template = environment().get_template("replay.html.j2")
    data = [player_data(game, run) for game in games]
    return Markup(template.render(games=data, css=asset("replay.css"), js=asset("replay.js")))


def player_data(game: Json, run: str) -> Json:
    """What the player shows of a game, step by step in words; a mistake is at step ``at``."""
    names = [visible(name) for name in game["bots"]]
    return {
        "title": f"{visible(game['bot'])} {WHY[game['why']]}: {number(game['lost'], 0)} "
        f"(deal {game['deal']:,}, {' – '.join(names)})",
        "command": replay_command(run, game["deal"], names, game["rotation"]),
        "bots": names,
        "start": game["start_chips"],
        "at": game["at"],
        "steps": _steps(game, names),
    }


def _steps(game: Json, names: Sequence[str]) -> list[Json]:
    out: list[Json] = []
    round, dealer = 1, 0
    for step in game["steps"]:
        seen = {
            "chips": step["chips"],
            "pot": step["pot"],
            "seat": step.get("seat"),
            "posts": step.get("posts"),
        }
        if step["what"] == "ante":
            round, dealer = step["round"], step["dealer"]
            text = [antes_sentence(step, names)]
        elif step["what"] == "end":
            text = [end_sentence(step, names)]
        else:
            text = [f"Round {step['round']}: {names[step['seat']]}.", *turn_sentences(step)]
            seen |= {"third": step["third"], "result": step["result"]}
        out.append(seen | {"round": round, "dealer": dealer, "text": text})
    return out


def replay_command(run: str, deal: int, bots: Sequence[str], rotation: int, out: str | None = None) -> str:
    """The command that tells a game, ready to be pasted into a shell; ``out`` where reports are not in ``reports``."""
    players = [",".join(bots)] if not any("," in bot for bot in bots) else list(bots)
    words = ["arena", "replay", run, *([] if out is None else ["--out", out]), "--deal", str(deal)]
    words += [word for player in players for word in ("--lineup", player)]
    return shlex.join([*words, *(["--rotation", str(rotation)] if rotation else [])])
