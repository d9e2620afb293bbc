# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The page that a faulty program shares with its driver: fault-plan.h has the same layout."""

import contextlib
import ctypes
import mmap
import pathlib
from collections.abc import Iterator

PLACES = ["none", "tree", "text", "store", "pipe", "socket", "library", "cgroup"]
KINDS = ["none", "error", "short", "garbled", "slow", "hang", "spell"]
CALLS = ["open", "read", "list", "link", "watch", "write", "sync", "rename", "connect", "send", "receive", "load", "spawn"]
PATH_MAX = 512
MAX_PORTS = 8


class Page(ctypes.Structure):
    _fields_ = [
        ("is_armed", ctypes.c_uint32),
        ("seed", ctypes.c_uint32),
        ("writing", ctypes.c_uint32),
        ("hang_place", ctypes.c_uint32),
        ("n_hanging", ctypes.c_uint32),
        ("released", ctypes.c_uint32),
        ("slow_us", ctypes.c_uint32),
        ("disk", ctypes.c_uint32),
        ("rate", (ctypes.c_uint32 * len(KINDS)) * len(PLACES)),
        ("counts", (ctypes.c_uint32 * len(KINDS)) * len(CALLS)),
        ("ports", ctypes.c_uint32 * MAX_PORTS),
        ("tree", ctypes.c_char * PATH_MAX),
        ("store", ctypes.c_char * PATH_MAX),
    ]


class Control:
    def __init__(self, path: pathlib.Path, seed: int):
        self.path = path
        with open(path, "w+b") as file:
            file.truncate(ctypes.sizeof(Page))
            self._map = mmap.mmap(file.fileno(), ctypes.sizeof(Page))
        self.page = Page.from_buffer(self._map)
        self.page.seed = seed & 0xFFFFFFFF

    def set_places(self, tree: pathlib.Path, store: pathlib.Path, ports: list[int]) -> None:
        self.page.tree = f"{tree}/".encode()
        self.page.store = f"{store}/".encode()
        for i, port in enumerate(ports):
            self.page.ports[i] = port

    def set_rate(self, place: str, **rates: int) -> None:
        for kind, rate in rates.items():
            self.page.rate[PLACES.index(place)][KINDS.index(kind)] = rate

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Who reads meanwhile waits: a kernel's text is of one moment."""
        self.page.writing += 1
        try:
            yield
        finally:
            self.page.writing += 1

    def hang(self, place: str) -> None:
        self.page.hang_place = PLACES.index(place)

    def release(self) -> None:
        self.page.hang_place = 0
        self.page.released += 1

    def counts(self) -> dict[tuple[str, str], int]:
        return {
            (call, kind): self.page.counts[i][j]
            for i, call in enumerate(CALLS)
            for j, kind in enumerate(KINDS)
            if self.page.counts[i][j] > 0
        }

    def total(self) -> int:
        return sum(self.counts().values())
