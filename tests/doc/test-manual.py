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

PAGES = [TOP / "README.md", *sorted(TOP.glob("doc/*.md"))]
LINK = re.compile(r"(?<!`)!?\[[^\]]*\]\((?P<target>[^)\s]+)\)")
OPTION = re.compile(r"--(?:no-)?([a-z][\w.-]*\w)")
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
        self.assertEqual({page.name for page in CONTENTS.parent.glob("*.md")} - listed, {CONTENTS.name})


def options_in(text: str) -> set[str]:
    return set(OPTION.findall(text))


class TheOptions(unittest.TestCase):
    """A collector's own option is written once for all, as --collector.NAME."""

    exporter: str

    def offered(self) -> set[str]:
        command = [self.exporter, "node", "--help"]
        text = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
        lines = [line for line in text.splitlines() if re.match(r"^  (-h, )?--", line)]
        self.assertGreater(len(lines), 20)
        offered = {OPTION.search(line)[1] for line in lines}
        collectors = set(re.findall(r"^## Collector `(.*?)`", (TOP / "doc" / "metrics.md").read_text(), re.MULTILINE))
        of_collectors = {f"collector.{name}" for name in collectors - {"jobs"}}
        self.assertEqual(of_collectors - offered, set())
        return offered - of_collectors | {"collector.NAME"}

    def test_are_all_in_the_manual_and_no_others(self):
        page = (TOP / "doc" / "configuration.md").read_text()
        table = "".join(line for line in page.splitlines(keepends=True) if line.startswith("| `--"))
        first_cells = "".join(line.split("|")[1] for line in table.splitlines())
        self.assertEqual(options_in(first_cells), self.offered())

    def test_are_all_in_the_man_page_and_no_others(self):
        page = (TOP / "doc" / "man" / "jobmetrics-exporter.8.scd").read_text()
        section = page.split("\n# OPTIONS\n")[1].split("\n# ")[0]
        terms = "".join(line for line in section.splitlines(keepends=True) if line.startswith("*--"))
        self.assertEqual(options_in(terms) | {"help"}, self.offered())


if __name__ == "__main__":
    TheOptions.exporter = sys.argv[1]
    sys.exit(tap.run(TheManual, TheOptions))
