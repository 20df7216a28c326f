"""The oracle: a plain scalar reading of the rules of a table, whoever is its bank.

Written from rules.md, its rulings and the scenarios' README alone, apart from the engine in `arena/`, so that
the two can be held against each other. Rules come in as a nested dict with the keys of presets.yaml.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

Card = tuple[int, int, int]
"""Rank 2..14 (ace 14), index of the suit in `SUITS`, index of the pack."""
Rules = dict[str, Any]
Event = dict[str, Any]
View = dict[str, Any]
Draw = Callable[[int, int, int, list[Card]], Card]
"""`draw(round, place, which, unseen)`: one of `unseen`. `round` counts from 1, `place` from 0, the seat after
the dealer, over all seats; `which` is 0, 1 or 2 for first post, second post and third card."""
Ask = Callable[[str, int, View], object]
"""`ask(kind, seat, view)`: kind is "wager", "ace", "pair" or "bet"; whatever comes back is judged here."""

SUITS = "CDHS"
RANKS = {**{str(rank): rank for rank in range(2, 11)}, "J": 11, "Q": 12, "K": 13, "A": 14}
NAMES = {rank: name for name, rank in RANKS.items()}
ACE, LOW_ACE, TWO = 14, 1, 2
HOUSE = 10**12  # ruling: what a house has to pay with
SILENT: dict[str, Any] = {"red_dog": {"bet.may_pass": False, "post.multiplier": 1}}  # rulings


def text(card: Card) -> str:
    """The card as scenarios write it: `10H`, `AS` (a pack more or less does not show)."""
    return NAMES[card[0]] + SUITS[card[1]]


def find(name: str, cards: Iterable[Card]) -> Card:
    """The first of `cards` that is written `name`."""
    for card in cards:
        if text(card) == name:
            return card
    raise ValueError(f"{name} is not among the unseen cards")


def resolve(presets: dict[str, Any], preset: str, overrides: dict[str, Any] | None = None) -> Rules:
    """The preset with all it takes over from other presets, and dotted keys laid over it.

    What a preset leaves open is nepali's, but for the rulings in `SILENT`."""
    own = copy.deepcopy(presets[preset])
    parent = own.pop("preset", None if preset == "nepali" else "nepali")
    rules: Rules = resolve(presets, parent) if parent else {}
    for key, value in own.items():
        if isinstance(value, dict) and isinstance(rules.get(key), dict):
            rules[key].update(value)
        else:
            rules[key] = value
    for dotted, value in {**SILENT.get(preset, {}), **(overrides or {})}.items():
        *sections, last = dotted.split(".")
        node = rules
        for section in sections:
            node = node[section]
        node[last] = value
    return rules


@dataclass
class Hand:
    """What one turn has shown so far."""

    seat: int
    kind: str = ""
    low: int = 0
    high: int = 0
    gap: int = 0
    call: str = ""

    def is_post(self, rank: int) -> bool:
        """True if a card of this rank has the rank of a post; an ace hits a low ace too."""
        return rank in (self.low, self.high) or (rank == ACE and self.low == LOW_ACE)

    def result(self, rank: int, is_trips: bool) -> str:
        """`win`, `hit` or `loss` for a third card of this rank. A third ace that hits nothing is high."""
        if is_trips:
            return "win" if self.is_post(rank) else "loss"
        if self.is_post(rank):
            return "hit"
        if self.kind == "pair":
            is_won = rank > self.low if self.call == "higher" else rank < self.low
        else:
            is_won = self.low < rank < self.high
        return "win" if is_won else "loss"


@dataclass
class Table:
    """One table at play. A seat that starts without chips is empty, which is the same as `out`."""

    rules: Rules
    chips: list[int]
    dealer: int
    draw: Draw
    ask: Ask
    pot: int = 0
    house: int = HOUSE
    wager: int = 0
    round: int = 1
    turns: int = 0
    events: list[Event] = field(default_factory=list)
    is_over: bool = False

    def __post_init__(self) -> None:
        """Makes the pack whole and marks the empty seats."""
        packs: int = self.rules["deck"]["packs"]
        self.pack = [(rank, suit, i) for rank in range(2, 15) for suit in range(4) for i in range(packs)]
        self.unseen = list(self.pack)
        self.on_table: list[Card] = []
        self.out = [chips == 0 for chips in self.chips]
        self.place = -1  # of the last turn in this round; -1: nobody has had one

    def tell(self, event: str, **fields: Any) -> None:
        """Records an event."""
        self.events.append({"e": event, **fields})

    # ---- seats

    def order(self, seat: int) -> list[int]:
        """All seats in the direction of play, from the one after `seat` to `seat` itself, empty ones too."""
        step = 1 if self.rules["play"]["direction"] == "left" else -1
        seats = len(self.chips)
        return [(seat + step * (i + 1)) % seats for i in range(seats)]

    def live(self, seats: Iterable[int]) -> list[int]:
        """Those of `seats` that are still in the game."""
        return [seat for seat in seats if not self.out[seat]]

    def next_seat(self) -> int | None:
        """The seat to act: the next live one that has had no turn in this round; None if there is none."""
        if self.is_over:
            return None
        seats = self.order(self.dealer)
        if self.bank == "dealer":  # he takes no turn, and without him there is nobody to bet against
            seats = seats[:-1] if self.chips[self.dealer] else []
        waiting = self.live(seats[self.place + 1 :])
        return waiting[0] if waiting else None

    # ---- cards

    def shuffle(self) -> None:
        """Everything not on the table is face down again."""
        self.unseen = [card for card in self.pack if card not in self.on_table]
        self.tell("shuffle", stock=len(self.unseen))

    def turn_up(self, which: int) -> Card:
        """The next card, now on the table; where none is left the rest is shuffled first."""
        if not self.unseen:
            self.shuffle()
        card = self.draw(self.round, self.place, which, list(self.unseen))
        self.unseen.remove(card)
        self.on_table.append(card)
        return card

    def count(self, test: Callable[[int], bool]) -> int:
        """How many unseen cards have a rank that passes the test."""
        return sum(test(rank) for rank, _, _ in self.unseen)

    # ---- chips

    @property
    def bank(self) -> str:
        """Who pays: pot, house or dealer."""
        name: str = self.rules["bank"]
        return name

    def holds(self) -> int:
        """What the bank has: wins and automatic payments come from it, and bets go no higher."""
        return {"pot": self.pot, "house": self.house, "dealer": self.chips[self.dealer]}[self.bank]

    def pay(self, seat: int, delta: int) -> None:
        """Moves `delta` chips from the bank to the player, or from the player to the bank if negative."""
        self.chips[seat] += delta
        if self.bank == "pot":
            self.pot -= delta
        elif self.bank == "house":
            self.house -= delta
        else:
            self.chips[self.dealer] -= delta
        self.tell("pay", seat=seat, delta=delta, pot=self.pot)

    def begin(self) -> None:
        """The first antes. Without a pot there are none, but one player alone is no game, nor is an empty dealer a bank."""
        if self.bank == "pot":
            self.ante(self.dealer)
            return
        self.check_sole_holder()
        if self.bank == "dealer" and self.out[self.dealer]:
            self.dealer = self.live(self.order(self.dealer))[0]
            self.tell("dealer", seat=self.dealer)

    def ante(self, after: int) -> None:
        """Everyone with chips antes, from the seat after `after` on, the short ones all they have.

        Only when all have anted are those without chips out; if that is all, they share the pot."""
        paying = self.live(self.order(after))
        for seat in paying:
            paid = min(self.rules["ante"]["amount"], self.chips[seat])
            self.chips[seat] -= paid
            self.pot += paid
            self.tell("ante", seat=seat, pay=paid, pot=self.pot)
        if not any(self.chips[seat] for seat in paying):
            self.end("no_chips", paying)
            return
        for seat in paying:
            self.check_out(seat)
        self.check_sole_holder()

    def check_out(self, seat: int) -> None:
        """A player at 0 chips is out for the game."""
        if self.chips[seat] == 0:
            self.out[seat] = True
            self.tell("out", seat=seat)

    def check_sole_holder(self) -> None:
        """One live player left: the game ends at once and the pot is his."""
        alive = self.live(range(len(self.chips)))
        if len(alive) == 1:
            self.end("sole_holder", alive)

    def end(self, reason: str, sharing: Iterable[int]) -> None:
        """The game is over: equal shares of the pot, odd chips one each from the seat after the dealer."""
        self.is_over = True
        self.tell("end", reason=reason)
        if self.bank != "pot":
            return
        sharing = set(sharing)
        seats = [seat for seat in self.order(self.dealer) if seat in sharing]
        each, odd = divmod(self.pot, len(seats))
        for i, seat in enumerate(seats):
            amount = each + (i < odd)
            self.chips[seat] += amount
            self.pot -= amount
            if amount:
                self.tell("share", seat=seat, amount=amount)

    # ---- rounds

    def next_round(self) -> None:
        """Starts a new round: the shuffle of `dealer_turn` tables, then the dealer, then the antes."""
        self.round += 1
        self.place = -1
        self.on_table = []
        if self.rules["deck"]["shuffle"] == "dealer_turn" and len(self.unseen) < len(self.pack):
            self.shuffle()
        # A dealer who is out hands the deal to the next live seat, whether or not the deal moves by itself.
        moves = self.rules["play"]["dealer_moves"] == "each_round" or self.bank == "dealer"
        if moves or self.out[self.dealer]:
            self.dealer = self.live(self.order(self.dealer))[0]
            self.tell("dealer", seat=self.dealer)
        if self.rules["ante"]["each_round"] and self.bank == "pot":
            self.ante(self.dealer)

    def is_last_turn(self) -> bool:
        """True if the last of `end.turns` or the last turn of the last round has been played."""
        end = self.rules["end"]
        return self.turns == end["turns"] or (self.next_seat() is None and self.round == end["rounds"])

    def settle(self, seat: int) -> None:
        """After a turn: out, the ends of the game in their order, then an empty pot is re-anted.

        The re-ante can put every later seat out, which makes this the last turn of the round after all."""
        self.check_out(seat)
        if self.bank == "dealer":
            self.check_out(self.dealer)
        self.check_sole_holder()
        if not self.is_over and self.bank == "pot" and self.pot == 0:
            if self.rules["end"]["pot_taken"]:
                self.end_pot("pot_taken")
            elif self.rules["ante"]["when_empty"] and not self.is_last_turn():
                self.ante(seat)
        if not self.is_over and self.is_last_turn():
            self.end_pot("rounds")

    def end_pot(self, reason: str) -> None:
        """Ends the game; what is left in the pot goes to the live seats, or to all of them."""
        seats = range(len(self.chips))
        self.end(reason, seats if self.rules["end"]["pot"] == "split_all" else self.live(seats))

    def play(self, max_turns: int | None) -> None:
        """Turns and rounds until the game is over or `max_turns` are played; the last of them is settled."""
        while not self.is_over and (max_turns is None or self.turns < max_turns):
            if self.next_seat() is None:
                self.next_round()
            else:
                self.turn()

    # ---- a turn

    def turn(self) -> None:
        """The next seat's whole turn, settled."""
        seat = self.next_seat()
        assert seat is not None, "no seat is to act"
        self.place = self.order(self.dealer).index(seat)
        self.turns += 1
        self.on_table = []
        if self.rules["deck"]["shuffle"] == "each_turn":
            self.shuffle()
        hand = Hand(seat)
        if self.rules["bet"].get("before_posts"):
            self.make_wager(hand)
        self.posts(hand)
        if self.rules["bet"].get("before_posts"):
            self.play_wager(hand)
        else:
            self.after_posts(hand)
        self.settle(seat)

    def posts(self, hand: Hand) -> None:
        """Turns up the posts and has the aces called.

        `call`: the first ace before the second post. `choose`: after both, unless they are a pair already."""
        ace = self.rules["ace"]
        first = self.turn_up(0)
        left, right = first[0], 0
        if left == ACE and ace["first"] == "call":
            left = self.call_ace(hand, 1, right)
        second = self.turn_up(1)
        right = second[0]
        if left != right:
            if left == ACE and ace["first"] == "choose":
                left = self.call_ace(hand, 1, right)
            if right == ACE and ace["second"] == "choose":
                right = self.call_ace(hand, 2, left)
        hand.low, hand.high = sorted((left, right))
        hand.gap = max(hand.high - hand.low - 1, 0)
        hand.kind = "pair" if left == right else "gap" if hand.gap else "consecutive"
        cards = [text(first), text(second)]
        shown = {"kind": hand.kind, "low": hand.low, "high": hand.high, "gap": hand.gap}
        self.tell("posts", seat=hand.seat, cards=cards, **shown)

    def after_posts(self, hand: Hand) -> None:
        """What the posts lead to: a payment, a skipped turn, or a bet."""
        rule = self.rules["pair"]["rule"] if hand.kind == "pair" else ""
        if hand.kind == "consecutive":
            rule = self.rules["consecutive"]
        if rule == "pass":
            self.tell("skip", seat=hand.seat)
        elif rule == "pay_min":
            self.pay(hand.seat, -min(self.rules["bet"]["min"], self.chips[hand.seat]))
        elif rule == "auto_pay":
            self.pay_pair(hand)
        else:
            if rule == "higher_lower":
                self.call_pair(hand)
            self.bet(hand, rule)

    def pay_pair(self, hand: Hand) -> None:
        """A pair is paid in chips or least bets, from the pot, at most the pot."""
        pair = self.rules["pair"]
        unit = self.rules["bet"]["min"] if pair["pay_unit"] == "min_bet" else 1
        self.pay(hand.seat, min(pair["pay"] * unit, self.holds()))

    def odds(self, gap: int) -> int:
        """What a chip wins at a gap: that of the widest gap named which is no wider; 1 where none is."""
        named = [width for width in self.rules.get("payouts") or {} if width <= gap]
        odds: int = self.rules["payouts"][max(named)] if named else 1
        return odds

    def make_wager(self, hand: Hand) -> None:
        """Before the posts: from the least bet to what player and bank have; 0 and anything illegal is the least."""
        if not self.unseen:
            self.shuffle()
        self.wager = 0
        most = self.most(hand.seat, 1)
        least = min(self.rules["bet"]["min"], most)
        self.tell("wager", seat=hand.seat, min=least, max=most)
        self.wager = self.judge("wager", hand, {"min": least, "max": most}) or least

    def play_wager(self, hand: Hand) -> None:
        """Neighbours push. A pair draws by itself: a third of its rank wins, all else pushes. A gap may be raised."""
        if hand.kind == "consecutive":
            self.tell("skip", seat=hand.seat)
            return
        if not self.unseen:
            self.shuffle()
        if hand.kind == "pair":
            card = self.turn_up(2)
            is_won = hand.result(card[0], True) == "win"
            self.tell("third", seat=hand.seat, card=text(card), result="win" if is_won else "push")
            if is_won:
                self.pay(hand.seat, min(self.rules["pair"]["trips_odds"] * self.wager, self.holds()))
            return
        most = 0
        if self.rules["bet"].get("raise") == "wager":
            most = min(self.wager, self.most(hand.seat, 1) - self.wager)
        more = self.ask_bet(hand, False, most) if most else 0
        if most and not more:
            self.tell("pass", seat=hand.seat)
        self.third_card(hand, False, self.wager + more, self.odds(hand.gap), self.rules["post"]["multiplier"])

    def bet(self, hand: Hand, rule: str) -> None:
        """Limits, the bet, the third card and what it moves."""
        is_trips = rule in ("trips_bet", "auto_pay_or_trips")
        multiplier = self.rules["pair"]["post"] if hand.kind == "pair" else self.rules["post"]["multiplier"]
        most = self.most(hand.seat, 1 if is_trips else multiplier)
        if most == 0:
            self.tell("skip", seat=hand.seat)
            return
        # Shuffled before the question, so that the counts describe the card to come.
        if not self.unseen:
            self.shuffle()
        bet = self.ask_bet(hand, is_trips, most)
        if bet == 0 and rule == "auto_pay_or_trips":
            self.pay_pair(hand)
            return
        if bet == 0 and self.rules["bet"]["may_pass"]:
            self.tell("pass", seat=hand.seat)
            return
        odds = self.rules["pair"]["trips_odds"] if is_trips else self.odds(hand.gap)
        self.third_card(hand, is_trips, bet or min(self.rules["bet"]["min"], most), odds, multiplier)

    def third_card(self, hand: Hand, is_trips: bool, bet: int, odds: int, multiplier: int) -> None:
        """The third card on a bet, and what it moves."""
        card = self.turn_up(2)
        result = hand.result(card[0], is_trips)
        self.tell("third", seat=hand.seat, card=text(card), result=result)
        lost = bet if result == "loss" else min(multiplier * bet, self.chips[hand.seat])
        self.pay(hand.seat, min(odds * bet, self.holds()) if result == "win" else -lost)

    def most(self, seat: int, multiplier: int) -> int:
        """The highest bet: the least of pot, first round's limit, own chips, and what covers a post."""
        bet = self.rules["bet"]
        limits = [self.holds(), self.chips[seat]]
        if self.round == 1 and bet["first_round_max"] == "half_pot":
            limits.append(max(self.holds() // 2, bet["min"]))
        if self.round == 1 and bet["first_round_max"] == "ante":
            limits.append(self.rules["ante"]["amount"])
        if bet["must_cover_post"]:
            limits.append(self.chips[seat] // multiplier)
        return min(limits)

    # ---- questions

    def view(self, hand: Hand, **more: Any) -> View:
        """What the seat sees when it is asked."""
        ranks = [rank for rank, _, _ in self.unseen]
        table = {"round": self.round, "place": self.place, "dealer": self.dealer, "pot": self.holds()}
        mine = {
            "seat": hand.seat,
            "chips": self.chips[hand.seat],
            "stacks": list(self.chips),
            "wager": self.wager,
        }
        posts = {"low": hand.low, "high": hand.high, "gap": hand.gap, "kind": hand.kind, "call": hand.call}
        return {**table, **mine, **posts, "unseen": [ranks.count(rank) for rank in range(15)], **more}

    def call_ace(self, hand: Hand, ace: int, other: int) -> int:
        """14 or 1, as the player calls post number `ace`; `other` is the other post's rank, 0 before it."""
        reply = self.ask("ace", hand.seat, self.view(hand, ace=ace, other=other))
        if not (isinstance(reply, str) and reply in ("low", "high")):
            self.tell("illegal", seat=hand.seat)
            reply = "low"
        self.tell("ace", seat=hand.seat, call=reply)
        return ACE if reply == "high" else LOW_ACE

    def call_pair(self, hand: Hand) -> None:
        """Higher or lower: nothing is above an ace nor below a two or a low ace, and then nobody is asked."""
        higher = self.count(lambda rank: rank > hand.low)
        lower = self.count(lambda rank: rank < hand.low)
        if hand.low == ACE:
            hand.call = "lower"
        elif hand.low <= TWO:
            hand.call = "higher"
        else:
            reply = self.ask("pair", hand.seat, self.view(hand, higher=higher, lower=lower))
            if not (isinstance(reply, str) and reply in ("higher", "lower")):
                self.tell("illegal", seat=hand.seat)
                reply = "higher" if higher >= lower else "lower"
            hand.call = reply
        self.tell("call", seat=hand.seat, call=hand.call)

    def ask_bet(self, hand: Hand, is_trips: bool, most: int) -> int:
        """The bet: 0, or between the limits."""
        least = min(self.rules["bet"]["min"], most)
        results = [hand.result(rank, is_trips) for rank, _, _ in self.unseen]
        counts = {"wins": results.count("win"), "hits": results.count("hit"), "losses": results.count("loss")}
        self.tell("ask", seat=hand.seat, min=least, max=most, **counts)
        more: View = {"min": least, "max": most, **counts, **({"kind": "trips"} if is_trips else {})}
        return self.judge("bet", hand, more)

    def judge(self, kind: str, hand: Hand, more: View) -> int:
        """The chips answered: 0, or from `min` to `max` of the view. Anything else counts as 0; it is never clamped."""
        reply = self.ask(kind, hand.seat, self.view(hand, **more))
        if type(reply) is int and (reply == 0 or more["min"] <= reply <= more["max"]):  # not bool, not 5.0
            return reply
        self.tell("illegal", seat=hand.seat)
        return 0

    def outcome(self) -> dict[str, Any]:
        """What scenarios expect: events, chips, pot, stock and next."""
        state = {"chips": list(self.chips), "pot": self.pot, "stock": len(self.unseen)}
        return {"events": self.events, **state, "next": self.next_seat()}


def play_game(
    rules: Rules,
    seats: int,
    chips: int | Sequence[int],
    dealer: int,
    draw: Draw,
    ask: Ask,
    max_turns: int | None = None,
) -> dict[str, Any]:
    """A whole game from the first ante, or its first `max_turns` turns; the keys of `expect`.

    `chips` is what every seat starts with, or one entry a seat (0: empty)."""
    stacks = [chips] * seats if isinstance(chips, int) else list(chips)
    if len(stacks) != seats:
        raise ValueError(f"expected chips for {seats} seats, got {len(stacks)}")
    table = Table(rules, stacks, dealer, draw, ask)
    table.begin()
    table.play(max_turns)
    return table.outcome()


def play_scenario(scenario: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """Plays a scenario with its own cards and replies, which must all be used; the keys of `expect`."""
    draws, replies = list(scenario["draws"]), list(scenario["replies"])

    def draw(_round: int, _place: int, _which: int, unseen: list[Card]) -> Card:
        return find(draws.pop(0), unseen)

    def ask(kind: str, _seat: int, _view: View) -> object:
        given = replies.pop(0)
        if given["ask"] != kind:
            raise ValueError(f"asked {kind}, but the scenario replies to {given['ask']}")
        return given["reply"]

    table = Table(rules, list(scenario["chips"]), scenario["dealer"], draw, ask)
    table.pot, table.round = scenario["pot"], scenario.get("round", 1)
    for name in scenario.get("seen", []):
        table.unseen.remove(find(name, table.unseen))
    if scenario["start"] == "game":
        table.begin()
    else:
        table.place = table.order(table.dealer).index(scenario["actor"]) - 1
    table.play(scenario["turns"])
    if scenario.get("next_round") and not table.is_over and table.next_seat() is None:
        table.next_round()
    if draws or replies:
        raise ValueError(f"left over: draws {draws}, replies {replies}")
    return table.outcome()
