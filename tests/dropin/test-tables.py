#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the originals' dashboards ask for is among the names of the dialects, or the tables and the dialects say that it is not.

usage: test-tables.py PRINT-DIALECT FILE...
"""

import fnmatch
import pathlib
import re
import subprocess
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "pylib"), str(TESTS / "dropin")]
import dropin  # noqa: E402
import tap  # noqa: E402

PRINT_DIALECT = sys.argv[1]
FILES = {pathlib.Path(path).stem: pathlib.Path(path) for path in sys.argv[2:]}
RULES_OF_CEEMS = "uuid:"


def list_families(dialect: str) -> set[str]:
    text = subprocess.run([PRINT_DIALECT, FILES[dialect]], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^# TYPE (\S+) ", text, re.MULTILINE))


def list_missing(dialect: str) -> list[str]:
    """Patterns of its comments."""
    comment = " ".join(line for line in FILES[dialect].read_text().splitlines() if line.startswith("#"))
    return re.findall(r"[a-z]+_[\w*]+", comment)


class Tables(unittest.TestCase):
    def test_say_of_each_query_what_comes_of_it(self):
        for path in dropin.TABLES:
            dialects = dropin.read_dialects(path)
            families = set().union(*map(list_families, dialects))
            missing = [pattern for dialect in dialects for pattern in list_missing(dialect)]
            for query in dropin.read_table(path):
                with self.subTest(table=path.name, query=query):
                    names = dropin.list_names(query.text)
                    others = {name for name in names - families if not name.startswith(RULES_OF_CEEMS)}
                    unnamed = {name for name in others if not any(fnmatch.fnmatch(name, pattern) for pattern in missing)}
                    if query.verdict == "answered":
                        self.assertTrue(names & families)
                    if query.verdict == "rules":
                        self.assertTrue(all(name.startswith(RULES_OF_CEEMS) for name in names))
                    if query.verdict == "empty":
                        self.assertTrue(others)
                    if query.verdict != "refused":
                        self.assertEqual(unnamed, set())
                    self.assertIn(query.verdict, ("answered", "rules", "empty", "refused"))


if __name__ == "__main__":
    sys.exit(tap.run(Tables))
