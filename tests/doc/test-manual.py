#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether the manual hangs together: its links, its contents, and its options against those of the program.

usage: test-manual.py EXPORTER
"""

import pathlib
import re
import subprocess
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
TOP = TESTS.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

PAGES = [TOP / "README.md", *sorted(TOP.glob("doc/*.md")), *sorted(TOP.glob("doc/s*/*.md"))]
LINK = re.compile(r"(?<!`)!?\[[^\]]*\]\((?P<target>[^)\s]+)\)")
# what another part of the manual brings
CONTENTS = TOP / "doc" / "README.md"


def prose_of(page: pathlib.Path) -> str:
    return re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))


def anchors_of(page: pathlib.Path) -> set[str]:
    titles = re.findall(r"(?m)^#+ (.*)$", prose_of(page))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def is_elsewhere(target: str) -> bool:
    return target.startswith(("http://", "https://", "mailto:"))


class TheManual(unittest.TestCase):
    exporter: str

    def test_has_links_that_lead_somewhere(self):
        broken = []
        for page in PAGES:
            for target in (match["target"] for match in LINK.finditer(prose_of(page))):
                path, _, anchor = target.partition("#")
                goal = page.parent / path if path else page
                if is_elsewhere(target):
                    continue
                if not goal.exists():
                    broken.append(f"{page.name}: {target}")
                elif anchor and anchor not in anchors_of(goal):
                    broken.append(f"{page.name}: {target}: no such heading")
        self.assertEqual(broken, [])

    def test_lists_all_its_pages(self):
        listed = {match["target"] for match in LINK.finditer(CONTENTS.read_text())}
        pages = {str(page.relative_to(CONTENTS.parent)) for page in PAGES if page.is_relative_to(CONTENTS.parent)}
        self.assertEqual(pages - listed, {CONTENTS.name})


class TheOptions(unittest.TestCase):
    exporter: str

    def test_are_in_the_manual_and_the_man_page_as_they_are_declared(self):
        command = [sys.executable, TOP / "doc" / "settings-tables.py", self.exporter, "--check"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_are_all_in_the_help(self):
        help_text = self.run_exporter("--help")
        listed = [line.split("\t")[0] for line in self.run_exporter("--list-settings").splitlines()]
        self.assertGreater(len(listed), 40)
        self.assertEqual([name for name in listed if f"--{name}" not in help_text], [])

    def run_exporter(self, option: str) -> str:
        command = [self.exporter, "node", option]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    TheOptions.exporter = sys.argv[1]
    sys.exit(tap.run(TheManual, TheOptions))
