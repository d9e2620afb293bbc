#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether the manual hangs together: its links, as Markdown and as a website, its contents, and its options against those of the program.

usage: test-manual.py EXPORTER [REFERENCE]
"""

import functools
import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

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


class Page(html.parser.HTMLParser):
    """What a page of the website leads to, loads, and has as places to lead to."""

    def __init__(self, path: pathlib.Path):
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        values = {name: value for name, value in attrs if value}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        links = self.links if tag == "a" else self.loaded
        links |= {values[name] for name in ("href", "src") if name in values}


@functools.cache
def website_with(*reference: str) -> tuple[tempfile.TemporaryDirectory, dict[pathlib.Path, Page]]:
    folder = tempfile.TemporaryDirectory()
    command = ["sh", TOP / "doc" / "website" / "make-website", folder.name, *reference]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        raise unittest.SkipTest(done.stderr.strip())
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return folder, {path: Page(path) for path in pathlib.Path(folder.name).rglob("*.html")}


class TheWebsite(unittest.TestCase):
    reference: list[str]

    def setUp(self):
        folder, self.pages = website_with(*self.reference)
        self.place = pathlib.Path(folder.name)

    def test_has_all_pages_of_the_manual(self):
        made = {str(path.relative_to(self.place).with_suffix(".md")) for path in self.pages}
        self.assertEqual({str(page.relative_to(TOP / "doc")) for page in PAGES[1:]} - made, set())

    def test_has_links_that_lead_somewhere(self):
        broken = []
        for path, page in self.pages.items():
            for link in sorted(page.links | page.loaded):
                target = urllib.parse.urlsplit(link)
                goal = (path.parent / urllib.parse.unquote(target.path)).resolve() if target.path else path
                goal = goal / "index.html" if goal.is_dir() else goal
                if target.scheme:
                    continue
                if not goal.exists():
                    broken.append(f"{path.relative_to(self.place)}: {link}")
                elif target.fragment and goal in self.pages and urllib.parse.unquote(target.fragment) not in self.pages[goal].anchors:
                    broken.append(f"{path.relative_to(self.place)}: {link}: no such place")
        self.assertEqual(broken, [])

    def test_loads_nothing_from_elsewhere(self):
        loaded = {link for page in self.pages.values() for link in page.loaded}
        self.assertGreater(len(loaded), 10)
        self.assertEqual({link for link in loaded if is_elsewhere(link) or link.startswith("//")}, set())


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
    TheWebsite.reference = sys.argv[2:]
    sys.exit(tap.run(TheManual, TheWebsite, TheRoles, TheOptions))
