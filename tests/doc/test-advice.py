#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether the manual's page on advice has the rules and thresholds that are built in."""

import configparser
import pathlib
import re
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
TOP = TESTS.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

PAGE = TOP / "doc" / "reference" / "advice.md"
RULES = TOP / "data" / "advice" / "rules.conf"
HINTS = TOP / "libjobmetrics" / "judge" / "jm-run-hint.c"
QUANTITIES = TOP / "libjobmetrics" / "core" / "quantities.ini"
THRESHOLDS = "Thresholds"


def rows_of(title: str, text: str) -> list[str]:
    section = re.split(r"(?m)^## ", text.split(f"\n## {title}\n", 1)[1])[0]
    return [line for line in section.splitlines() if line.startswith("| `")]


class ThePageOnAdvice(unittest.TestCase):
    def setUp(self):
        self.page = PAGE.read_text(encoding="utf-8")
        self.rules = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",))
        self.rules.optionxform = str
        self.rules.read(RULES, encoding="utf-8")

    def test_has_each_rule(self):
        def cell(text: str) -> str:
            return text.replace("|", "\\|")

        expected = [
            f"| `{name}` | {rule['Level']} | {rule['Title']} | `{cell(rule['When'])}` |"
            for name, rule in self.rules.items()
            if name not in (THRESHOLDS, self.rules.default_section)
        ]
        self.assertEqual(rows_of("The rules", self.page), expected)

    def test_has_each_threshold(self):
        expected = [f"| `{name}` | {value} |" for name, value in self.rules[THRESHOLDS].items()]
        self.assertEqual(rows_of("Thresholds", self.page), expected)

    def test_has_each_name_that_rules_may_have(self):
        quantities = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",))
        quantities.read(QUANTITIES, encoding="utf-8")
        figures = [one["name"] for one in quantities.values() if "run" in one]
        hints = re.findall(r'(?m)^  \{ "(\w+)", JM_FORMAT', HINTS.read_text())
        self.assertGreater(len(figures), 40)
        self.assertGreater(len(hints), 5)
        self.assertEqual([name for name in figures + hints if f"`{name}`" not in self.page], [])

    def test_speaks_of_no_rule_that_there_is_not(self):
        beside = self.page.split("\n## Beside those of others\n", 1)[1].split("\n## ", 1)[0]
        here = [row.split("|")[2] for row in beside.splitlines() if row.startswith("| ")]
        named = {name for cell in here for name in re.findall(r"`([a-z-]+)`", cell)}
        self.assertGreater(len(named), 30)
        self.assertEqual(named - set(self.rules.sections()), set())


if __name__ == "__main__":
    sys.exit(tap.run(ThePageOnAdvice))
