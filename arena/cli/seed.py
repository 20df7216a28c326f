"""``--seed``, and what is said about seeds around a run."""

from __future__ import annotations

from collections.abc import Sequence

import click

from arena.bot.entrant import Entrant
from arena.bot.house import outsiders
from arena.tournament.seeds import MAX_SEED, SECRET, commitment, is_drawn, verify_line
from arena.tournament.spec import TournamentSpec
from arena.tournament.store import Store

_NAMED = 3
_KEPT = "secret_seed"


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
        click.echo(f"seed: secret; the SHA-256 of its digits is {commitment(spec.seed)}", err=True)


def with_kept_seed(spec: TournamentSpec, store: Store) -> TournamentSpec:
    """A secret run that was cut short goes on with its own seed, which the store keeps until it is told."""
    if not spec.is_seed_secret:
        return spec
    kept = store.get(_KEPT)
    if kept is None:
        store.put(_KEPT, str(spec.seed))
        return spec
    return spec.model_copy(update={"seed": int(kept)})


def forget_seed(spec: TournamentSpec, store: Store) -> None:
    """Keep a secret seed no longer: it is about to be told, and the next run must have another."""
    if spec.is_seed_secret:
        store.put(_KEPT, None)


def seed_line(spec: TournamentSpec) -> str | None:
    """A drawn seed told with the results: how to check it, how to play it again."""
    if not is_drawn(spec.seed):
        return None
    return (
        f"Seed: {spec.seed} (with --seed it plays the same again)\n"
        f"Commitment: {commitment(spec.seed)}, printed again by {verify_line(spec.seed)}"
    )


def say_outsiders(spec: TournamentSpec, entrants: Sequence[Entrant]) -> None:
    """Say so where bots from outside the house roster meet a seed that they could know."""
    names = [] if spec.is_seed_secret else [entrant.name for entrant in outsiders(entrants)]
    if not names:
        return
    listed = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
    verb = "is" if len(names) == 1 else "are"
    click.echo(
        f"note: {listed} {verb} not of the house roster, and a bot that guesses a written seed can compute every card; "
        "if a stranger wrote it, play with --seed secret",
        err=True,
    )
