# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a process holds, as the kernel counts it."""

import pathlib
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Holdings:
    descriptors: int
    watches: int  # of inotify, in all of its descriptors
    resident_bytes: int


def _count_watches(folder: pathlib.Path) -> int:
    n_watches = 0
    for path in folder.iterdir():
        try:
            n_watches += path.read_text().count("inotify wd:")
        except FileNotFoundError:
            # closed since it was listed
            continue
    return n_watches


def of_process(pid: int) -> Holdings:
    folder = pathlib.Path(f"/proc/{pid}")
    resident = re.search(r"^VmRSS:\s+(\d+) kB", (folder / "status").read_text(), re.M)
    return Holdings(len(list((folder / "fd").iterdir())), _count_watches(folder / "fdinfo"), int(resident[1]) << 10)
