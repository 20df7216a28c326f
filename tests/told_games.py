"""A short game told by hand, for the tests of pages."""

from __future__ import annotations

from typing import Any

ANTE = {"what": "ante", "round": 1, "dealer": 1, "is_again": False, "paid": [[0, 10], [1, 10]], "chips": [990, 990],
        "pot": 20}  # fmt: skip
TURN = {
    "dealer": 1, "wager": None, "min_wager": None, "max_wager": None, "best_wager": None, "wager_lost": None,
    "is_wager_fault": False, "is_dealer_out": False,
    "what": "turn", "round": 1, "seat": 0, "posts": ["3S", "QD"], "low": 3, "high": 12, "kind": "gap", "gap": 8, "aces": [],
    "call": None, "choice": None, "is_call_fault": False, "bet": 0, "is_bet_fault": False, "third": None,
    "asked": {"pot": 20, "chips": 990, "min_bet": 1, "max_bet": 20, "wins": 32, "hits": 6, "losses": 12, "best": 20,
              "best_worth": 3.2, "worth": 0.0, "lost": 1.6},
    "result": "pass", "delta": 0, "is_shuffled": False, "is_out": False, "chips": [990, 990], "pot": 20,
}  # fmt: skip
END = {"what": "end", "reason": "rounds", "shares": [[0, 10], [1, 10]], "chips": [1000, 1000], "pot": 0}


def game(*bots: str) -> dict[str, Any]:
    return {
        "why": "mistake", "bot": bots[0], "lost": 1.6, "at": 1, "deal": 7, "rotation": 1, "bots": list(bots),
        "bank": "pot", "first_step": 0, "all_steps": 3,
        "start_chips": 1000, "steps": [ANTE, TURN, END], "chips": [1000, 1000], "net": [0, 0],
    }  # fmt: skip
