"""A run that is over, found again by name: its report's ``results.json`` says what was played, its store every answer."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict

from arena.bot.entrant import BotSource, Entrant, find_entrants
from arena.bot.faults import Fault
from arena.errors import ArenaError
from arena.report.results import RESULTS, made_of, read_json, read_results, report_folder
from arena.tournament.blocks import BlockResult
from arena.tournament.executors import Out
from arena.tournament.recall import NotStoredError, Recalled, recall, recalling
from arena.tournament.schedule import Lineup, spec_lineups
from arena.tournament.spec import TournamentSpec, load_spec, with_rulings
from arena.tournament.store import FOLDER
from arena.tournament.tournament import Held, plan_of, setup_of

_YAML = (".yaml", ".yml")
_RUN = "run.json"


class _Bot(BaseModel):
    """What ``results.json`` says of a bot, as far as it is needed to find its games."""

    model_config = ConfigDict(strict=True)

    name: str
    file: str
    class_: str
    params: dict[str, Any]
    content: str
    games: int
    chips: dict[str, Any]
    faults: dict[str, int]


@dataclass(frozen=True)
class PastRun:
    """A run as its report tells it. ``entrants`` stand in the run's own order and have no source: nobody can ask them.

    ``deals`` is how many were reported, ``out`` who was out in the end, ``net`` the mean net chips a game of each entrant,
    ``by_place`` the entrants from best to worst.
    """

    folder: Path
    spec: TournamentSpec
    entrants: tuple[Entrant, ...]
    lineups: tuple[Lineup, ...]
    deals: int
    out: Out
    is_trusted: bool
    versions: Mapping[str, str]
    net: tuple[float, ...]
    by_place: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The bots' names, in the run's own order."""
        return tuple(entrant.name for entrant in self.entrants)

    @contextmanager
    def recalling(self) -> Iterator[Recalled]:
        """Its stored games. Raises ``ArenaError``: where games are missing, with what may be the reason."""
        setup = setup_of(self.spec, self.entrants, self.is_trusted)
        try:
            with recalling(self.folder.parent / FOLDER, self.spec.name, setup, self.out) as found:
                yield found
        except NotStoredError as error:
            raise ArenaError(f"{self.folder}: {error}; {self._why_gone()}") from None

    def held(self) -> Held:
        """The whole tournament again, from its stored games. Raises ``ArenaError`` where they are gone or others."""
        with self.recalling() as recalled:
            held = recall(recalled, self.spec, self.entrants, self.lineups)
        self.check_net(held.rows.mean_chips.mean(axis=0))
        return held

    def results(self) -> Iterator[tuple[int, BlockResult]]:
        """Its stored games up to the deals reported: of each lineup, numbered from 0, blocks in the order of their deals.

        Raises ``ArenaError`` where games are missing.
        """
        with self.recalling() as recalled:
            for number, lineup in enumerate(self.lineups):
                for block in plan_of(self.spec, [lineup], recalled).reach(self.deals):
                    [result] = recalled.play([block], lambda *_: None)
                    yield number, result.until(self.deals)

    def check_net(self, net: npt.ArrayLike) -> None:
        """Raise ``ArenaError`` where these mean net chips a game, one for each entrant, are not what is reported."""
        if not np.allclose(net, self.net, rtol=1e-8, atol=1e-8):
            raise ArenaError(
                f"{self.folder}: what is stored is not what {RESULTS} reports (games have been played anew since); "
                "arena run writes the report that goes with it"
            )

    def _why_gone(self) -> str:
        """Why stored games may not be found."""
        now = {"Python": _minor(platform.python_version()), "numpy": _minor(np.__version__)}
        other = [
            f"{key} {then} (here: {now[key]})" for key, then in self.versions.items() if now[key] != then
        ]
        if other:
            return f"the run was made with {' and '.join(other)}, which play games of their own; arena run plays them here"
        return (
            "the store was pruned, moved, or begun anew since this report was written; the command of the run plays "
            "what is missing and writes the report again"
        )


def past_run(run: str, out: Path) -> PastRun:
    """The run of this name in ``out``, or of this report (its folder or a file in it) or tournament file.

    Of a tournament file the bots must be what they were. Raises ``ArenaError``: no such run, a report that cannot be read,
    bots that have changed since.
    """
    past = _read(run_folder(run, out))
    if (path := Path(run)).suffix in _YAML:
        _check_bots(past, load_spec(path).bots, path)
    return past


def run_folder(run: str, out: Path) -> Path:
    """The report folder of a run, named as for :func:`past_run`. Raises ``ArenaError`` where there is none."""
    return report_folder(load_spec(Path(run)).name if Path(run).suffix in _YAML else run, out)


def _check_bots(past: PastRun, sources: Sequence[BotSource], config: Path) -> None:
    """Raises ``ArenaError`` for bots whose code or parameters have changed since the run."""
    now = {entrant.name: entrant for entrant in find_entrants(sources)[0]}
    changed = [
        f"{now[old.name].file}: {old.name} has changed since this run: what is stored was played by another bot"
        for old in past.entrants
        if old.name in now and now[old.name].content != old.content
    ]
    if changed:
        way_out = f"arena run {config} plays this one, {past.folder} in place of the file tells of the other"
        raise ArenaError([*changed[:-1], f"{changed[-1]}; {way_out}"])


def _read(folder: Path) -> PastRun:
    """What a report's folder says. Raises ``ArenaError`` where it says nothing that can be used."""
    results, about = read_results(folder), read_json(folder / _RUN)
    with made_of(folder):
        return _past_run(folder, results, about)


def _past_run(folder: Path, results: Mapping[str, Any], about: Mapping[str, Any]) -> PastRun:
    bots = [_Bot.model_validate({**bot, "class_": bot["class"]}) for bot in results["bots"]]
    by_place = [bot.name for bot in bots]
    bots.sort(key=lambda bot: (bot.content, bot.name))  # as entrants stand
    keys = {key: value for key, value in results["tournament"].items() if value is not None}
    if "stop" in keys:  # what its rule has no use for was not written, and is 0 or null
        keys["stop"] = {key: value for key, value in keys["stop"].items() if value}
    spec = TournamentSpec.model_validate(
        {
            **keys,
            "name": results["name"],
            "seed": results["seed"],
            "table": results["table"],
            "bots": tuple(BotSource(Path(bot.file)) for bot in bots),
        }
    )
    entrants = tuple(
        Entrant(
            bot.name,
            Path(bot.file),
            b"",
            bot.class_,
            0,
            tuple(sorted(bot.params.items())),
            False,
            bot.content,
        )
        for bot in bots
    )
    return PastRun(
        folder=folder,
        spec=with_rulings(spec, results["rules"]["rulings"]),
        entrants=entrants,
        lineups=spec_lineups(spec, entrants),
        deals=int(results["played"]["deals"]),
        out={i: kind for i, bot in enumerate(bots) if (kind := _why_out(bot)) is not None},
        is_trusted=about.get("isolation") == "none",
        versions=_versions(results, about),
        net=tuple(float(bot.chips["mean"]) for bot in bots),
        by_place=tuple([bot.name for bot in bots].index(name) for name in by_place),
    )


def _why_out(bot: _Bot) -> Fault | None:
    """Why a bot was out, if it may have been: it then has one such fault in every game."""
    kinds = (
        kind for kind in (Fault.DIED, Fault.LATE) if bot.games and bot.faults.get(kind.label) == bot.games
    )
    return next(kinds, None)


def _versions(results: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, str]:
    """The versions that stored games depend on."""
    return {"Python": _minor(str(about["python"])), "numpy": _minor(str(results["versions"]["numpy"]))}


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])
