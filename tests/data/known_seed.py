"""A bot that knows the seed and so every card to come, by its own copy of the arena's arithmetic; and an honest twin.

Made for two seats at the Nepali table. It takes its games for deals 0, 1, 2 … in the order in which their instances are
started. Once a card is not what the seed says it plays on as its twin does: so it has nothing to lose.
"""

from arena import Bot

MASK, FULL, GOLDEN = (1 << 64) - 1, (1 << 52) - 1, 0x9E3779B97F4A7C15
IV = (
    0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
    0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
)  # fmt: skip
SIGMA = (
    "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "905724afe1bc683d",
    "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0",
)  # fmt: skip
COLUMNS_AND_DIAGONALS = ("048c", "159d", "26ae", "37bf", "05af", "16bc", "278d", "349e")


def blake2b(message: bytes) -> bytes:
    """The 64-byte digest of a message of at most 128 bytes (RFC 7693)."""
    block = message.ljust(128, b"\0")
    m = [int.from_bytes(block[i : i + 8], "little") for i in range(0, 128, 8)]
    h = [IV[0] ^ 0x01010040, *IV[1:]]
    v = [*h, *IV]
    v[12] ^= len(message)
    v[14] ^= MASK
    for step in range(12):
        order = SIGMA[step % 10]
        for k, quad in enumerate(COLUMNS_AND_DIAGONALS):
            a, b, c, d = (int(i, 16) for i in quad)
            x, y = m[int(order[2 * k], 16)], m[int(order[2 * k + 1], 16)]
            for word, first, second in ((x, 32, 24), (y, 16, 63)):
                v[a] = (v[a] + v[b] + word) & MASK
                v[d] = turned(v[d] ^ v[a], first)
                v[c] = (v[c] + v[d]) & MASK
                v[b] = turned(v[b] ^ v[c], second)
    return b"".join((h[i] ^ v[i] ^ v[i + 8]).to_bytes(8, "little") for i in range(8))


def turned(x: int, bits: int) -> int:
    return (x >> bits | x << 64 - bits) & MASK


def deal_key(seed: int, deal: int) -> int:
    digest = blake2b(f"str:deals\x1fstr:cards\x1fint:{seed}\x1fint:{deal // 8}".encode())
    return int.from_bytes(digest[deal % 8 * 8 :][:8], "little")


def mix(x: int) -> int:
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


CARD_WORDS = [mix(1 + card * GOLDEN & MASK) for card in range(52)]


class Deck:
    """The unseen cards of one game, and which of them comes next."""

    def __init__(self, seed: int, deal: int) -> None:
        self.key, self.unseen = deal_key(seed, deal), FULL

    def card(self, round: int, place: int, which: int, on_table: tuple[int, ...]) -> int:
        """The card that this draw turns up."""
        if self.unseen == 0:
            self.unseen = FULL
            for card in on_table:
                self.unseen &= ~(1 << card)
        word = mix(self.key + ((round * 8 + place) * 4 + which) * GOLDEN & MASK)
        for shift in range(0, 60, 6):
            card = word >> shift & 63
            if self.unseen >> card & 1:
                return card
        left = [card for card in range(52) if self.unseen >> card & 1]
        return min(left, key=lambda card: mix(word ^ CARD_WORDS[card]))

    def next(self, round: int, place: int, which: int, on_table: tuple[int, ...]) -> int:
        """The same, turned up."""
        card = self.card(round, place, which, on_table)
        self.unseen &= ~(1 << card)
        return card

    def turn(self, round: int, place: int) -> tuple[int, int, int]:
        """Ranks of both posts and the third card of a turn, nothing turned up."""
        before = self.unseen
        first = self.next(round, place, 0, ())
        second = self.next(round, place, 1, (first,))
        third = self.card(round, place, 2, (first, second))
        self.unseen = before
        return rank(first), rank(second), rank(third)


def rank(card: int) -> int:
    return card // 4 + 2


class Honest(Bot):
    """All it may whenever the unseen cards favour it."""

    def bet(self, turn):
        return turn.max_bet if turn.edge > 0 else 0


started = 0


class KnownSeed(Honest):
    """Bets all it may on what it knows to win, and nothing else."""

    def __init__(self, seed=20261129):
        self.seed = seed

    def start(self, table):
        global started
        self.deck, self.knows = Deck(self.seed, started), True
        self.round, self.place = 1, 0
        started += 1

    def at(self, round):
        """The place in the round of the turn that comes now."""
        if round != self.round:
            self.round, self.place = round, 0
        return self.place

    def call_ace(self, turn):
        if not self.knows:
            return super().call_ace(turn)
        _, second, third = self.deck.turn(turn.round, self.at(turn.round))
        return "low" if third < second else "high"

    def call_pair(self, turn):
        if not self.knows:
            return super().call_pair(turn)
        _, _, third = self.deck.turn(turn.round, self.at(turn.round))
        return "higher" if third > turn.low else "lower"

    def bet(self, turn):
        first, second, third = self.deck.turn(turn.round, self.at(turn.round))
        self.knows &= {turn.low, turn.high} - {1} <= {first, second}
        if not self.knows:
            return super().bet(turn)
        wins = turn.low < third < turn.high
        if turn.kind == "pair":
            wins = third > turn.low if turn.call == "higher" else third < turn.low
        return turn.max_bet if wins else 0

    def watch(self, play):
        if not self.knows:
            return
        at = play.round, self.at(play.round)
        self.place += 1
        first = self.deck.next(*at, 0, ())
        second = self.deck.next(*at, 1, (first,))
        self.knows = (rank(first), rank(second)) == play.posts
        if play.third is not None:
            self.knows &= rank(self.deck.next(*at, 2, (first, second))) == play.third
        elif self.deck.unseen == 0 and play.kind != "consecutive":  # shuffled to ask for a bet
            self.deck.unseen = FULL & ~(1 << first | 1 << second)
