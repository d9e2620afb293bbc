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

# gi-docgen checks those of doc/api
PAGES = [TOP / "README.md", *(page for page in sorted(TOP.glob("doc/**/*.md")) if page.parent.name != "api")]
LINK = re.compile(r"(?<!`)!?\[[^\]]*\]\((?P<target>[^)\s]+)\)")
CONTENTS = TOP / "doc" / "README.md"
PORTS_AND_FILES = TOP / "doc" / "reference" / "ports-and-files.md"
UNITS = TOP / "data" / "systemd"


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


class TheRoles(unittest.TestCase):
    """Ports, users and folders of doc/reference/ports-and-files.md against the units, and the ports that the exporter has by default."""

    exporter: str

    def test_names_the_port_of_each_role(self):
        for role in ("node", "cluster", "server"):
            with self.subTest(role=role):
                self.assertIn(self.port_of(role), [row[1] for row in rows_of("Ports") if row[0] == role])

    def test_names_users_and_folders_of_each_unit(self):
        rows = {row[0]: row for row in rows_of("Files")}
        units = {unit.name.split(".")[0].split("-")[-1]: unit for unit in UNITS.glob("*.service.in")}
        self.assertEqual(set(rows) - {"hooks"}, set(units))
        for role, unit in units.items():
            with self.subTest(role=role):
                self.assertEqual(rows[role][1], values_of(unit, "User")[0])
                for folder in folders_of(unit):
                    self.assertIn(folder, rows[role][2])

    def port_of(self, role: str) -> str:
        command = [self.exporter, role, "--help"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
        return re.search(r"--web\.listen-address=.*?(:9\d+)", done.stdout, re.DOTALL)[1]


def rows_of(heading: str) -> list[list[str]]:
    part = re.search(rf"(?ms)^## {heading}$(.*?)(?=^## |\Z)", PORTS_AND_FILES.read_text(encoding="utf-8"))[1]
    cells = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("|")]
    return cells[2:]


def values_of(unit: pathlib.Path, key: str) -> list[str]:
    return re.findall(rf"(?m)^{key}=(.+)$", unit.read_text(encoding="utf-8"))


def folders_of(unit: pathlib.Path) -> list[str]:
    return [f"/var/lib/{name}" for name in values_of(unit, "StateDirectory")] + [f"/run/{name}" for name in values_of(unit, "RuntimeDirectory")]


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
    TheRoles.exporter = TheOptions.exporter = sys.argv[1]
    sys.exit(tap.run(TheManual, TheRoles, TheOptions))
