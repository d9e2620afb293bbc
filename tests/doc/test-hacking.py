#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether doc/how-to/hacking.md lists what is there: each file that it names, and no file that names an example and is not listed; and whether doc/explanation/architecture.md says which rooms include which.

usage: test-hacking.py
"""

import fnmatch
import pathlib
import re
import subprocess
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
TOP = TESTS.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

PAGE = TOP / "doc" / "how-to" / "hacking.md"
ROOMS = TOP / "doc" / "explanation" / "architecture.md"
# what is read by people alone: history, and this page
NOT_TOUCHED = {"NEWS.md", "doc/how-to/hacking.md", "doc/README.md"}
ROW = re.compile(r"(?m)^\| `([^`]+)` \|")
EXAMPLE = re.compile(r"(?m)^    git grep -l (-i |-E |)'?([^'\n]+)'?$")
TARGET = re.compile(r"`meson compile -C build ([\w-]+)`")


def is_source(path: pathlib.Path) -> bool:
    top = path.relative_to(TOP).parts[0]
    return path.is_file() and not path.is_symlink() and not top.startswith((".", "build"))


def sources() -> list[pathlib.Path]:
    return [path for path in sorted(TOP.rglob("*")) if is_source(path) and "__pycache__" not in path.parts]


def recipes() -> dict[str, str]:
    parts = re.split(r"(?m)^## (To add .*)$", PAGE.read_text(encoding="utf-8"))
    return dict(zip(parts[1::2], parts[2::2]))


class TheRooms(unittest.TestCase):
    def test_include_what_the_page_says(self):
        command = [sys.executable, TESTS / "check-layers.py", "--map"]
        drawn = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        wanted = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in drawn.splitlines()[2:]]
        rows = re.findall(r"(?m)^\| (`\w+/`) \| [^|]+ \| (.*?) ?\|$", ROOMS.read_text(encoding="utf-8"))
        self.assertEqual(rows, wanted)


class TheRecipes(unittest.TestCase):
    texts = {str(path.relative_to(TOP)): path.read_text(errors="replace") for path in sources()}

    def test_there_are_some(self):
        titles = " ".join(recipes())
        for kind in ("power source", "metric", "scheduler", "command", "role", "setting"):
            self.assertIn(kind, titles)

    def test_name_files_that_are_there(self):
        missing = [
            f"{title}: {pattern}"
            for title, text in recipes().items()
            for pattern in ROW.findall(text)
            if not fnmatch.filter(self.texts, pattern)
        ]
        self.assertEqual(missing, [])

    def test_leave_out_no_file_that_names_the_example(self):
        for title, text in recipes().items():
            listed = ROW.findall(text)
            for option, example in EXAMPLE.findall(text):
                pattern = re.compile(example, re.IGNORECASE if option == "-i " else 0)
                naming = [name for name, content in self.texts.items() if pattern.search(content)]
                self.assertTrue(naming, f"{title}: {example}")
                left_out = [
                    name
                    for name in naming
                    if name not in NOT_TOUCHED and not any(fnmatch.fnmatch(name, path) for path in listed)
                ]
                self.assertEqual(left_out, [], f"{title}: {example}")

    def test_name_targets_of_the_build(self):
        builds = "\n".join(text for name, text in self.texts.items() if name.endswith("meson.build"))
        for target in TARGET.findall(PAGE.read_text(encoding="utf-8")):
            self.assertIn(f"'{target}'", builds)

    def test_need_no_more_places_than_the_house_allows(self):
        """A power source: its pair, the row, the build files, its test, its page, and a drop-in where it needs one."""
        for kind, most in (("power source", 7), ("figure of a run", 4), ("column of the archive", 4), ("page of the server", 4)):
            listed = ROW.findall(next(text for title, text in recipes().items() if kind in title))
            self.assertLessEqual(len(listed), most, kind)


if __name__ == "__main__":
    sys.exit(tap.run(TheRooms, TheRecipes))
