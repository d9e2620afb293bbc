#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Fails on an include that runs upward, that is not spelled from the root of the library or of
the program, that puts a private header into a public one, that ties the exporter's roles, or
that takes a private header of the library into a program and is not in the list of these.

usage: check-layers.py [--map] [ROOT]

--map prints the library's rooms, top first, and which rooms each of them includes.
"""

import collections
import pathlib
import re
import sys

LIBRARY = "libjobmetrics"
# From the ground up: a room knows those of the lines before its own. Rooms on one line never know each other.
LINES = [
    ["base"],
    ["core"],
    ["host", "io"],
    ["expose", "sql"],
    ["deliver"],
    ["sources", "schedulers"],
    ["registry", "judge", "access"],
    # what people read is made of runs and reports, which are in core and judge: it asks no role
    ["node", "cluster", "archive", "report"],
    ["doctor"],
]
RANKS = {room: rank for rank, line in enumerate(LINES) for room in line}
# The same for the folders of a room; "" is its own files. In the others, folders know the room's own files alone.
FOLDERS = {
    "node": [["ledger"], ["energy", "gpu"], [""], ["stages"]],
    "report": [["plot"], [""], ["page"]],
}
EXPORTER = "jobmetrics-exporter"
FRONT_ENDS = [EXPORTER, "jobmetrics-cli", "bindings"]
# What the exporter's roles share; every other folder of it is a role.
SHARED = {"web": 0, "daemon": 1, "scrape": 2, "trace": 3}
# Private headers of the library that programs include: each is to become public, or to move to base/.
EXCEPTIONS = pathlib.PurePath("tests/private-headers-of-programs.txt")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def may_folder_include(room: str, user: str, used: str) -> bool:
    if user == used:
        return True
    if room not in FOLDERS:
        return used == ""
    ranks = {folder: rank for rank, line in enumerate(FOLDERS[room]) for folder in line}
    return ranks[used] < ranks[user]


def may_include(user: pathlib.PurePath, used: pathlib.PurePath) -> bool:
    """Both are relative to the library's root."""
    user_room, used_room = user.parts[0], used.parts[0]
    if user_room != used_room:
        return RANKS[used_room] < RANKS[user_room]
    return may_folder_include(user_room, "/".join(user.parts[1:-1]), "/".join(used.parts[1:-1]))


def is_public(path: pathlib.PurePath) -> bool:
    return path.suffix == ".h" and not path.stem.endswith("-private")


def problem_in_library(path: pathlib.PurePath, bracket: str, name: str) -> str | None:
    used = pathlib.PurePath(name)
    ours = used.parts[0] in RANKS and len(used.parts) > 1
    if bracket == "<":
        return f"<{name}>: ours are spelled with quotes" if ours else None
    if not ours:
        return f'"{name}": not spelled from {LIBRARY}/'
    if path.parts[0] in RANKS and not may_include(path, used):
        return f'"{name}": {"/".join(path.parts[:-1])} must not know {"/".join(used.parts[:-1])}'
    if is_public(path) and not is_public(used):
        return f'"{name}": a private header in a public one'
    return None


def problem_between_roles(user: pathlib.PurePath, used: pathlib.PurePath) -> str | None:
    """Both are relative to the exporter's root: main.c may know all of its folders."""
    if len(user.parts) < 2 or len(used.parts) < 2:
        return None
    user_folder, used_folder = user.parts[0], used.parts[0]
    if user_folder == used_folder or SHARED.get(used_folder, len(SHARED)) < SHARED.get(user_folder, len(SHARED)):
        return None
    return f'"{used}": {user_folder} must not know {used_folder}'


def problem_in_front_end(
    root: pathlib.Path, front_end: str, path: pathlib.PurePath, bracket: str, name: str, exceptions: set[str]
) -> str | None:
    if bracket == "<":
        return None
    used = pathlib.PurePath(name)
    if (root / front_end / name).is_file():
        return problem_between_roles(path, used) if front_end == EXPORTER else None
    if (root / LIBRARY / name).is_file():
        is_open = is_public(used) or used.parts[0] == "base" or name in exceptions
        return None if is_open else f'"{name}": a private header of the library'
    if front_end == EXPORTER and (root / front_end / path.parent / name).is_file():
        return f'"{name}": not spelled from {front_end}/'
    if used.parts[0] in RANKS or "/" not in name:
        return None  # made by the build
    return f'"{name}": neither from {LIBRARY}/ nor from {front_end}/'


def includes_of(root: pathlib.Path, folder: str):
    for path in sorted((root / folder).rglob("*.[ch]")):
        text = path.read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            yield path.relative_to(root / folder), text.count("\n", 0, match.start(2)) + 1, *match.groups()


def read_exceptions(root: pathlib.Path) -> set[str]:
    file = root / EXCEPTIONS
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return {line for line in lines if line and not line.startswith("#")}


def problems_of(root: pathlib.Path) -> list[str]:
    found = []
    exceptions = read_exceptions(root)
    unused = set(exceptions)
    for folder in [LIBRARY, *FRONT_ENDS]:
        for path, line, bracket, name in includes_of(root, folder):
            if folder == LIBRARY:
                problem = problem_in_library(path, bracket, name)
            else:
                problem = problem_in_front_end(root, folder, path, bracket, name, exceptions)
                unused.discard(name)
            if problem:
                found.append(f"{folder}/{path}:{line}: {problem}")
    return found + [f"{EXCEPTIONS}: {name}: no program includes it" for name in sorted(unused)]


def draw_map(root: pathlib.Path) -> list[str]:
    includes = collections.defaultdict(set)
    for path, _, _, name in includes_of(root, LIBRARY):
        used = name.split("/")[0]
        if path.parts[0] in RANKS and used in RANKS:
            includes[path.parts[0]].add(used)
    rows = ["| rooms | includes |", "| --- | --- |"]
    for line in reversed(LINES):
        for room in line:
            names = sorted(includes[room] - {room}, key=lambda name: (-RANKS[name], name))
            rows.append(f"| `{room}/` | {' '.join(f'`{name}`' for name in names)} |".replace("|  |", "| |"))
    return rows


def main(arguments: list[str]) -> int:
    wants_map = arguments[:1] == ["--map"]
    root = pathlib.Path([*arguments[wants_map:], __file__ + "/../.."][0]).resolve()
    if wants_map:
        print("\n".join(draw_map(root)))
        return 0
    found = problems_of(root)
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
