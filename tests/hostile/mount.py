"""Mounts a file system over a folder of its own, in a mount namespace of its own where it can."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from arena import Bot

EXPECT = "harmless"
INTRUSION = True
_LIBC = ctypes.CDLL(None, use_errno=True)


_USER, _MOUNTS, _PRIVATE = 0x10000000, 0x00020000, 0x44000


def mounted(folder: str) -> bool:
    if _LIBC.unshare(_MOUNTS) == 0 or _LIBC.unshare(_USER | _MOUNTS) == 0:
        _LIBC.mount(None, b"/", None, _PRIVATE, None)
    at = folder.encode()
    return _LIBC.mount(b"none", at, b"tmpfs", 0, b"size=4096") == 0 and _LIBC.umount2(at, 2) == 0


def cloned_tree(folder: str) -> bool:
    return _LIBC.syscall(428, -100, b"/", 1) >= 0  # open_tree


def new_file_system(folder: str) -> bool:
    return _LIBC.syscall(430, b"tmpfs", 0) >= 0  # fsopen


def new_root(folder: str) -> bool:
    return _LIBC.chroot(b"/") == 0


@cache
def worked(folder: str) -> str:
    """The ways in that were open."""
    found = []
    for way in (mounted, cloned_tree, new_file_system, new_root):
        try:
            if way(folder):
                found.append(way.__name__)
        except BaseException:
            continue
    return " ".join(found)


class Mount(Bot):
    """Bets the least if it got what it wanted, else 0; or (``tell``) says which way it came."""

    def __init__(self, folder: str = "/nowhere", tell: bool = False, **_: Any) -> None:
        self.place, self.tell = (folder,), tell

    def bet(self, turn: Any) -> int:
        found = worked(*self.place)
        if self.tell:
            raise RuntimeError(f"worked: {found}")
        return turn.min_bet if found else 0
