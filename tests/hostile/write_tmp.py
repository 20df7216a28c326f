"""Writes a file into a folder open to everyone."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True


def written(folder: str) -> bool:
    with open(f"{folder}/write_tmp", "w") as file:
        return file.write("here") == 4


def made(folder: str) -> bool:
    os.mkdir(f"{folder}/write_tmp_folder")
    return True


def linked(folder: str) -> bool:
    os.symlink("/etc/passwd", f"{folder}/write_tmp_link")
    return True


def piped(folder: str) -> bool:
    os.mkfifo(f"{folder}/write_tmp_pipe")
    return True


@cache
def worked(folder: str) -> str:
    """The ways in that were open."""
    found = []
    for way in (written, made, linked, piped):
        try:
            if way(folder):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class WriteTmp(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, folder: str = "/nowhere", tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (folder,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
