"""A bot that plays to finish first: not for chips, but for more of them than the others in the end.

Against one other its plan is backward induction. Chances to win stand on a grid of leads (its chips less the other's) and
pots for each number of turns to come: those after the last turn are known, and each turn before is made of the one after
it. Arrays end in the axes (stakes, tables) or, on the grid, (leads, pots); an axis of outcomes stands before them. Against
several it reckons with a normal lead over the best of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from arena import Tables, Turns, VectorBot

if TYPE_CHECKING:
    from arena import TableRules

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]

SHARES = np.linspace(0, 1, 9)[:, None, None]  # of the greatest bet: the stakes that the plan weighs
LEAD_STEP, POT_STEP = 0.2, 0.3  # of the grid, in arcsinh(lead / ante) and log(1 + pot / ante)
HORIZON, SPREAD = (
    3,
    0.35,
)  # against several: the rounds that it plans, and what a turn moves a lead by, in pots
PART = 256  # tables thought about together where cards are taken one by one: memory
RANKS = np.arange(15)


class Finisher(VectorBot):
    """Bets what makes it likeliest to finish first. Question: is winning games another art than winning chips?

    It takes the other for one who wants chips and bets all on every hand that favours him. With one or two turns to go its
    chance is exact, by the unseen cards; before that the hand at stake is, while those to come are of a fresh pack, with
    chips enough. Of equal chances it takes the most chips. Where pairs are paid or nobody may pass it bets for chips up to
    its last turn. Against several its last turn is exact, the rest of the last rounds goes by an estimate, and before them
    it bets for chips, as it always does where there is no pot or games have no number of rounds.
    """

    def start(self, tables: Tables) -> None:
        rules = self.rules = tables.rules
        self.is_planned = rules.bet.may_pass and not rules.bet.must_cover_post and rules.ace.second == "high"
        self.is_planned &= rules.pair.rule in ("higher_lower", "pass") and rules.ace.first != "choose"
        is_by_rounds = rules.bank == "pot" and rules.end.rounds is not None and rules.end.turns is None
        self.is_race = tables.seats == 2 and is_by_rounds
        self.is_race &= rules.pair.rule not in ("trips_bet", "auto_pay_or_trips")
        self.is_crowd = tables.seats > 2 and is_by_rounds
        self.prospects: Prospects | None = None

    def bet(self, turns: Turns) -> npt.ArrayLike:
        if not self.is_race:
            stakes = candidates(turns)
            worth = turns.value(stakes)
            if self.is_crowd and (turns.rounds - turns.round < HORIZON).all():
                chance = among_several(turns, stakes)
                worth = np.where(chance > chance.max(axis=0) - 1e-9, worth, -np.inf)
        else:
            theirs = turns.stacks[:, 1 - turns.seat]
            left = 2 * (turns.rounds - turns.round) + (turns.dealer != turns.seat)
            beside = jumps(turns, turns.chips - theirs) if (left <= 1).any() else []
            stakes = candidates(turns, *beside)
            worth = turns.value(stakes)
            chance = np.zeros(stakes.shape)
            for to_come in np.unique(left) if self.is_planned else [0]:
                chance = np.where(left == to_come, self._chance(turns, theirs, stakes, int(to_come)), chance)
            worth = np.where(chance > chance.max(axis=0) - 1e-9, worth, -np.inf)
        best: Ints = np.take_along_axis(stakes, worth.argmax(axis=0)[None], axis=0)[0]
        return best

    def _chance(self, turns: Turns, theirs: Ints, stakes: Ints, to_come: int) -> Floats:
        """The chance to finish first by these stakes, with so many turns to come after this one."""
        if to_come == 1:
            parts = [slice(at, at + PART) for at in range(0, len(turns), PART)]
            return np.concatenate([before_the_last(turns, theirs, stakes, part) for part in parts], axis=1)
        mine, pot = after(turns, stakes)
        if to_come == 0:
            chance = finish(mine, theirs, pot, is_odd_mine=False)
        else:
            self.prospects = self.prospects or Prospects(self.rules)
            chance = self.prospects.chance(to_come, mine, theirs, pot)
        cards = np.stack([turns.wins, turns.losses, turns.hits])[:, None]
        return np.asarray((cards * chance).sum(axis=0) / cards.sum(axis=0))


def candidates(turns: Turns, *more: Ints) -> Ints:
    """Legal stakes ``(k, n)``, ``more`` among them, of which one is best; 0 comes first."""
    in_full = turns.pot // turns.odds  # what the pot pays on trips
    shares = (SHARES[:, 0] * turns.max_bet).astype(np.int64)
    stakes = [turns.min_bet, *shares, in_full, in_full + 1, *more]
    return np.stack([np.zeros_like(in_full), *(np.clip(s, turns.min_bet, turns.max_bet) for s in stakes)])


def among_several(turns: Turns, stakes: Ints) -> Floats:
    """The chance ``(k, n)`` to finish first of more than two by these stakes: on the last turn exactly, before it about."""
    seats, step = turns.stacks.shape[1], 1 if turns.rules.play.direction == "left" else -1
    place = (step * (np.arange(seats)[:, None] - turns.dealer) - 1) % seats  # in the round, the dealer's last
    is_live = turns.stacks.T > 0
    to_come = is_live.sum(axis=0) * (turns.rounds - turns.round) + (
        is_live & (place > place[turns.seat])
    ).sum(axis=0)
    stake = np.where((stakes == 0) & ~turns.may_pass, turns.min_bet, stakes)
    won = np.minimum(turns.odds * stake, turns.pot)
    delta = np.stack([won, -stake, -np.minimum(turns.multiplier * stake, turns.chips)])
    if turns.rules.pair.rule == "auto_pay_or_trips":  # who bets nothing on a pair is paid, whatever comes
        paid = np.rint(turns.value(0)).astype(np.int64)
        delta = np.where((stakes == 0) & (turns.odds > 1), paid, delta)
    mine, pot = turns.chips + delta, turns.pot - delta
    others = np.delete(turns.stacks, turns.seat, axis=1).max(axis=1)
    spread = SPREAD * (pot + 2 * turns.rules.ante.amount) * np.sqrt(np.maximum(to_come, 1))
    chance = np.where(mine > 0, 1 / (1 + np.exp(-1.7 * np.clip((mine - others) / spread, -30, 30))), 0)
    if not to_come.all():
        chance = np.where(to_come == 0, share_of_win(turns, mine, pot, place), chance)
    cards = np.stack([turns.wins, turns.losses, turns.hits])[:, None]
    return np.asarray((cards * chance).sum(axis=0) / cards.sum(axis=0))


def share_of_win(turns: Turns, mine: Ints, pot: Ints, place: Ints) -> Floats:
    """The share of a win after the last turn: the pot divided, odd chips given by ``place`` ``(seats, n)``, ties sharing."""
    seats = range(len(place))
    held = np.stack([mine if seat == turns.seat else turns.stacks[:, seat] + 0 * mine for seat in seats])
    sharing = (held > 0) | (turns.rules.end.pot == "split_all")
    part, odd = np.divmod(pot, np.maximum(sharing.sum(axis=0), 1))
    served = [sum(sharing[other] & (place[other] < place[seat]) for other in seats) for seat in seats]
    held = held + sharing * (part + (np.stack(served) < odd))
    is_first = held == held.max(axis=0)
    return np.asarray(is_first[turns.seat] / is_first.sum(axis=0))


def jumps(turns: Turns, lead: Ints) -> list[Ints]:
    """Stakes beside which the chance jumps in the last two turns, where results then just make the chips equal."""
    times = {turns.rules.post.multiplier, turns.rules.pair.post}
    gaps = [lead, turns.pot - lead, turns.chips, *(turns.pot * k + lead for k in times)]
    parts = sorted({1, 2, *times, *(2 * k for k in times)})
    return [np.abs(gap) // part + more for gap in gaps for part in parts for more in range(-2, 3)]


def after(turns: Turns, stakes: Ints) -> tuple[Ints, Ints]:
    """One's chips and the pot, ``(3, k, n)``, after a win, a loss and a post hit with these stakes."""
    stake = np.where((stakes == 0) & ~turns.may_pass, turns.min_bet, stakes)
    delta = np.stack([stake, -stake, -np.minimum(turns.multiplier * stake, turns.chips)])
    return turns.chips + delta, turns.pot - delta


def finish(mine: Ints, theirs: Ints, pot: Ints, is_odd_mine: bool) -> Floats:
    """The share of a win, 1, 1/2 or 0, once the pot is divided and its odd chip given to who does not deal."""
    lead = mine - theirs + (pot % 2) * (1 if is_odd_mine else -1)
    return np.where(mine == 0, 0.0, np.where(theirs == 0, 1.0, np.sign(lead) / 2 + 0.5))


class Posts:
    """All pairs of posts, ``(169,)``, at a table where pairs are called higher or lower, or passed."""

    def __init__(self, rules: TableRules) -> None:
        self.first, self.second = (ranks.ravel() for ranks in np.indices((13, 13)) + 2)
        named = np.where((self.first == 14) & (rules.ace.first == "call"), 1, self.first)
        low, high = np.minimum(named, self.second)[:, None], np.maximum(named, self.second)[:, None]
        between, above, below = (low < RANKS) & (high > RANKS), low < RANKS, low > RANKS
        hit = (high == RANKS) | (np.where(low == 1, 14, low) == RANKS)
        self.counted = [ranks.T.astype(np.int64) for ranks in (between, above, below, hit)]
        self.is_pair, self.same = (low == high)[:, 0], self.first == self.second
        self.may_bet = np.where(self.is_pair, rules.pair.rule == "higher_lower", (high - low)[:, 0] > 1)
        # What becomes of a turn, in stakes: a pass, a win, a loss, a post hit, a pair's rank hit.
        self.outcomes = np.array([0, 1, -1, -rules.post.multiplier, -rules.pair.post])
        self.fresh = np.where(RANKS > 1, 4 * rules.deck.packs, 0)

    def hands(self, unseen: Ints) -> tuple[Floats, Floats]:
        """How likely the posts are, ``(n, 169)``, and what a bet on them comes to, ``(5, n, 169)``; ``unseen`` ``(n, 15)``.

        A pack of one or two cards, which is shuffled before the turn is over, is taken for a fresh one.
        """
        unseen = np.where(unseen.sum(axis=1, keepdims=True) < 3, self.fresh, unseen)
        cards = unseen.sum(axis=1, keepdims=True)
        posts = unseen[:, self.first] * (unseen[:, self.second] - self.same) / (cards * (cards - 1))
        between, above, below, hit = (unseen @ ranks for ranks in self.counted)
        wins, hits = np.where(self.is_pair, np.maximum(above, below), between), np.maximum(hit - 2, 0)
        split = [0 * hits, wins, cards - 2 - wins - hits, hits * ~self.is_pair, hits * self.is_pair]
        return posts, np.stack(split) / (cards - 2)

    def for_chips(self, unseen: Ints) -> Floats:
        """What becomes of the turn of one who bets for chips, ``(5, n)``."""
        posts, outcomes = self.hands(unseen)
        is_bet = self.may_bet & (np.tensordot(self.outcomes, outcomes, 1) > 1e-12)
        chances = (outcomes * (posts * is_bet)).sum(axis=2)
        chances[0] = 1 - chances.sum(axis=0)
        return np.asarray(chances)


def before_the_last(turns: Turns, theirs: Ints, stakes: Ints, part: slice) -> Floats:
    """The chance to finish first by these stakes where one turn is to come, the other's, exactly."""
    posts, unseen = Posts(turns.rules), turns.unseen[part]
    low, high, call = turns.low[part, None], turns.high[part, None], turns.call[part, None]
    is_hit = (high == RANKS) | (np.where(low == 1, 14, low) == RANKS)
    is_on_side = np.where(call > 0, low < RANKS, low > RANKS)
    is_won = ~is_hit & np.where(call == 0, (low < RANKS) & (high > RANKS), is_on_side)
    third = unseen / unseen.sum(axis=1, keepdims=True) * np.stack([is_won, ~is_won & ~is_hit, is_hit])
    less_one = (unseen[:, None] - np.eye(15, dtype=np.int64))[:, 2:]  # counts after each third card
    theirs_then = posts.for_chips(less_one.reshape(-1, 15)).reshape(5, -1, 13)
    turned = np.einsum("rnc,onc->ron", third[..., 2:], theirs_then)
    mine, pot = (chips[..., part] for chips in after(turns, stakes))
    chance = played_last(posts, turns.rules, mine, theirs[part], pot, turned)
    passed = posts.for_chips(unseen)[None]
    idle = played_last(
        posts, turns.rules, turns.chips[None, None, part], theirs[part], turns.pot[None, None, part], passed
    )
    return np.where(stakes[:, part] == 0, idle, chance)


def played_last(
    posts: Posts, rules: TableRules, mine: Ints, theirs: Ints, pot: Ints, chances: Floats
) -> Floats:
    """The share of a win ``(k, n)`` after the other's last turn; his stake is all, ``chances`` ``(r, 5, n)`` of outcomes."""
    ante = np.where((pot == 0) & rules.ante.when_empty, rules.ante.amount, 0)
    paid, met = np.minimum(ante, mine), np.minimum(ante, theirs)
    mine, theirs, pot = mine - paid, theirs - met, pot + paid + met
    stake, share = np.minimum(pot, theirs), np.zeros(pot.shape)
    for k, times in enumerate(posts.outcomes):
        delta = np.maximum(times * stake, -theirs)
        share += chances[:, k, None] * finish(mine, theirs + delta, pot - delta, is_odd_mine=True)
    return np.asarray(share.sum(axis=0))


class Prospects:
    """Chances to finish first by turns to come, lead and pot."""

    def __init__(self, rules: TableRules) -> None:
        self.rules, self.ante, self.posts = rules, rules.ante.amount, Posts(rules)
        self.total = 2 * rules.chips
        most = self.total / self.ante
        self.middle = int(np.arcsinh(most) / LEAD_STEP) + 1
        self.leads = self.ante * np.sinh(LEAD_STEP * np.arange(-self.middle, self.middle + 1))[:, None]
        self.pots = self.ante * np.expm1(POT_STEP * np.arange(int(np.log1p(most) / POT_STEP) + 2))
        chance, hands = (a[..., 0, :] for a in self.posts.hands(self.posts.fresh[None]))
        alike, which = np.unique(hands[:, self.posts.may_bet].round(9), axis=1, return_inverse=True)
        self.hands, self.likely = alike, np.bincount(which.ravel(), chance[self.posts.may_bet])
        self.theirs = self.posts.for_chips(self.posts.fresh[None])[:, 0]
        self.grids: dict[bool, list[Floats]] = {}

    def chance(self, to_come: int, mine: Ints, theirs: Ints, pot: Ints) -> Floats:
        """One's chance with these chips and that pot, as so many turns are to come."""
        deals_last = self._deals(to_come, True) == (to_come % 2 == 0)
        if deals_last not in self.grids:
            self.grids[deals_last] = self._induced(deals_last)
        return self._read(self.grids[deals_last][to_come], to_come, mine - theirs, pot)

    def _deals(self, to_come: int, deals_last: bool) -> bool:
        """Whether one deals in the round of the turn that so many follow."""
        is_moved = self.rules.play.dealer_moves == "each_round" and to_come // 2 % 2 == 1
        return deals_last != is_moved

    def _induced(self, deals_last: bool) -> list[Floats]:
        """The grids ``(leads, pots)`` by turns to come, the other's turn and one's own; the first is not used."""
        grids: list[Floats] = [np.sign(self.leads + 0 * self.pots) / 2 + 0.5]
        for to_come in range(2 * (self.rules.end.rounds or 0) - 1):
            is_mine = self._deals(to_come, deals_last) == (to_come % 2 == 0)
            sign, shares = (1, SHARES) if is_mine else (-1, SHARES[-1:])
            chips = np.maximum(self.total - self.pots + sign * self.leads, 0) / 2  # of whose turn it is
            delta = self.posts.outcomes[:, None, None, None] * shares * np.minimum(self.pots, chips)
            delta = np.maximum(delta, -chips)
            then = self._read(grids[-1], to_come, self.leads + sign * delta, self.pots - delta)
            if is_mine:
                best = np.tensordot(self.hands, then, (0, 0)).max(axis=1)
                grid = np.tensordot(self.likely, best, 1) + (1 - self.likely.sum()) * then[0, 0]
            else:
                grid = np.tensordot(self.theirs, then[:, 0], 1)
            grids.append(grid)
        return grids

    def _read(self, grid: Floats, to_come: int, lead: Ints | Floats, pot: Ints | Floats) -> Floats:
        """The chance between the points of a grid, an empty pot and a new round being anted; known if the game is over."""
        is_over = (np.abs(lead) > self.total - pot - 0.5) | (to_come == 0)  # one of them has no chips
        antes, both = self.rules.ante, 2 * self.ante
        pot = pot + both * (pot < 0.5) * antes.when_empty + both * (to_come % 2 == 0) * antes.each_round
        x = np.clip(np.arcsinh(lead / self.ante) / LEAD_STEP + self.middle, 0, 2 * self.middle - 1e-6)
        y = np.clip(np.log1p(pot / self.ante) / POT_STEP, 0, len(self.pots) - 1 - 1e-6)
        i, j = x.astype(np.int64), y.astype(np.int64)
        x, y = x - i, y - j
        lower = (1 - y) * grid[i, j] + y * grid[i, j + 1]
        upper = (1 - y) * grid[i + 1, j] + y * grid[i + 1, j + 1]
        return np.where(is_over, np.sign(lead) / 2 + 0.5, x * upper + (1 - x) * lower)
