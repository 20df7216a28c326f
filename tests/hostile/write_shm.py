"""Writes a file into shared memory that others can see."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True


def written(shm: str) -> bool:
    with open(f"{shm}/write_shm", "w") as file:
        return file.write("here") == 4


def made(shm: str) -> bool:
    os.mkdir(f"{shm}/write_shm_folder")
    return True


def linked(shm: str) -> bool:
    os.symlink("/etc/passwd", f"{shm}/write_shm_link")
    return True


def piped(shm: str) -> bool:
    os.mkfifo(f"{shm}/write_shm_pipe")
    return True


@cache
def worked(shm: str) -> str:
    """The ways in that were open."""
    found = []
    for way in (written, made, linked, piped):
        try:
            if way(shm):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class WriteShm(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, shm: str = "/nowhere", tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (shm,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
