"""``--seed``, and what is said about seeds around a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from arena.bot.entrant import Entrant
from arena.bot.house import outsiders
from arena.cli.say import say, tell
from arena.tournament.seeds import MAX_SEED, SECRET, commitment, is_drawn, verify_line
from arena.tournament.spec import TournamentSpec
from arena.tournament.store import Store

_NAMED = 3
_KEPT, _BOUND, _TOLD = "secret_seed", "secret_seed_sha256", "secret_seed_told"


class SeedType(click.ParamType):  # type: ignore[type-arg, unused-ignore]  # generic from click 8.2 on
    """A whole number, or ``secret``; as text."""

    name = "seed"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "NUMBER|secret"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_SEED))
        if text == SECRET or (is_number and int(text) <= MAX_SEED):
            return text if text == SECRET else str(int(text))
        self.fail(f"expected a whole number from 0 to {MAX_SEED}, or secret, got {text[:60]!r}", param, ctx)


def say_commitment(spec: TournamentSpec) -> None:
    """Bind a run to its secret seed, before the first card."""
    if spec.is_seed_secret:
        tell(f"seed: secret; the SHA-256 of its digits is {commitment(spec.seed)}")


class KeptSeed:
    """The secret seed of a run, kept in its store until the report is written: a run that was cut short goes on with it.

    Once it has been told it is good for that report alone, since whoever knows it can write a bot that knows every card.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def kept(self, spec: TournamentSpec) -> TournamentSpec | None:
        """The tournament with the seed that is kept; None where its own is not secret, or none is kept whole."""
        seed = self._store.get(_KEPT) if spec.is_seed_secret else None
        if seed is None or not self._is_whole(seed):
            return None
        return spec.model_copy(update={"seed": int(seed)})

    def _is_whole(self, seed: str) -> bool:
        """Whether a seed is the one that was bound to: checks of the file look at blocks, not at what a text says."""
        return seed.isdecimal() and commitment(int(seed)) == self._store.get(_BOUND)

    def take(self, spec: TournamentSpec, is_stored: Callable[[TournamentSpec], bool]) -> TournamentSpec:
        """The tournament with the seed that is kept, or with its own, which is kept from now on if it is secret.

        ``is_stored`` says whether all games of a tournament are: one whose seed has been told may play no more.
        """
        before = self.kept(spec)
        if before is not None:
            if self._store.get(_TOLD) is None or is_stored(before):
                tell("seed: the run that was cut short goes on with its own")
                return before
            tell(
                "seed: another is drawn, as that of the run that was cut short has been told; it plays again with "
                f"--seed {before.seed}"
            )
        elif spec.is_seed_secret and self._store.get(_KEPT) is not None:
            tell("seed: another is drawn, as that of the run that was cut short is damaged")
        if spec.is_seed_secret:
            self.forget(spec)  # the seed first: one that was told must not stand there as if it were not
            self._store.put(_BOUND, commitment(spec.seed))
            self._store.put(_KEPT, str(spec.seed))
        return spec

    def is_told(self, spec: TournamentSpec) -> None:
        """The seed is about to be told."""
        if spec.is_seed_secret:
            self._store.put(_TOLD, "yes")

    def forget(self, spec: TournamentSpec) -> None:
        """The report is written: the next run draws another."""
        if spec.is_seed_secret:
            for key in (_KEPT, _BOUND, _TOLD):
                self._store.put(key, None)


def say_seed(spec: TournamentSpec) -> None:
    """Tell a drawn seed with the results: how to check it, how to play it again."""
    if is_drawn(spec.seed):
        say(f"Seed: {spec.seed} (with --seed it plays the same again)")
        say(f"Commitment: {commitment(spec.seed)}, printed again by", verify_line(spec.seed))


def say_outsiders(spec: TournamentSpec, entrants: Sequence[Entrant]) -> None:
    """Say so where bots from outside the house roster meet a seed that they could know."""
    names = [] if spec.is_seed_secret else [entrant.name for entrant in outsiders(entrants)]
    if not names:
        return
    listed = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
    verb = "is" if len(names) == 1 else "are"
    tell(
        f"note: {listed} {verb} not of the house roster, and a bot that guesses a written seed can compute every card; "
        "if a stranger wrote it, play with --seed secret (seed: secret in the file)"
    )
