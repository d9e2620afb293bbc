#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Fails on an include that runs upward, that is not spelled from the root of the library or of
the program, that puts a private header into a public one, or that ties the exporter's roles.

usage: check-layers.py [ROOT]
"""

import pathlib
import re
import sys

LIBRARY = "libjobmetrics"
# expose and store stand beside each other, on core alone: what the layers above read is theirs to show and to keep.
RANKS = {"core": 0, "expose": 1, "store": 1, "host": 2, "sources": 3, "collect": 4, "doctor": 5, "report": 6}
# Files and rooms of report stand on its own files; which of these rooms each of them knows.
REPORT_ROOMS = {"": {"plot"}, "run": {"plot"}, "advice": {"run", "plot"}, "page": {"run", "advice", "plot"}}
EXPORTER = "jobmetrics-exporter"
FRONT_ENDS = [EXPORTER, "jobmetrics-cli", "bindings"]
# What the exporter's roles share; every other folder of it is a role.
SHARED = {"web": 0, "daemon": 1, "scrape": 2, "trace": 3}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def may_include(user: pathlib.PurePath, used: pathlib.PurePath) -> bool:
    """Both are relative to the library's root."""
    user_layer, used_layer = user.parts[0], used.parts[0]
    if user_layer != used_layer:
        return RANKS[used_layer] < RANKS[user_layer]
    if user.parent == used.parent:
        return True
    if user_layer == "sources":
        return len(used.parts) == 2
    if user_layer == "report":
        known = REPORT_ROOMS.get(user.parts[1] if len(user.parts) > 2 else "", set())
        return len(used.parts) == 2 or used.parts[1] in known
    return len(user.parts) == 2  # a layer knows its rooms, and these neither it nor each other


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
    root: pathlib.Path, front_end: str, path: pathlib.PurePath, bracket: str, name: str
) -> str | None:
    if bracket == "<":
        return None
    used = pathlib.PurePath(name)
    if (root / front_end / name).is_file():
        return problem_between_roles(path, used) if front_end == EXPORTER else None
    if (root / LIBRARY / name).is_file():
        return None
    if front_end == EXPORTER and (root / front_end / path.parent / name).is_file():
        return f'"{name}": not spelled from {front_end}/'
    if used.parts[0] in RANKS or "/" not in name:
        return None  # made by the build
    return f'"{name}": neither from {LIBRARY}/ nor from {front_end}/'


def problems_of(root: pathlib.Path) -> list[str]:
    found = []
    for folder in [LIBRARY, *FRONT_ENDS]:
        for path in sorted((root / folder).rglob("*.[ch]")):
            relative = path.relative_to(root / folder)
            text = path.read_text(encoding="utf-8")
            for match in INCLUDE.finditer(text):
                bracket, name = match.groups()
                if folder == LIBRARY:
                    problem = problem_in_library(relative, bracket, name)
                else:
                    problem = problem_in_front_end(root, folder, relative, bracket, name)
                if problem:
                    line = text.count("\n", 0, match.start(2)) + 1
                    found.append(f"{folder}/{relative}:{line}: {problem}")
    return found


def main() -> int:
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__ + "/../..").resolve()
    found = problems_of(root)
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
