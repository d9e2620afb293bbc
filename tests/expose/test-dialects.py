#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The dialects that there are have the names, types and labels of the exporters that they stand in for.

usage: test-dialects.py PRINT-DIALECT FILE...
"""

import pathlib
import re
import subprocess
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

PRINT_DIALECT = sys.argv[1]
FILES = {pathlib.Path(path).stem: path for path in sys.argv[2:]}
ORIGINALS = TESTS / "expose" / "dialects"

# name: type, labels in their order
Families = dict[str, tuple[str, list[str]]]


def read_original(name: str) -> tuple[Families, set[str]]:
    """What it has, and which of these are not ours."""
    families, missing = {}, set()
    for line in (ORIGINALS / f"{name}.families").read_text().splitlines():
        if line.startswith("#"):
            continue
        family, kind, *labels = line.removeprefix("- ").split()
        families[family] = kind, labels[0].split(",") if labels else []
        if line.startswith("- "):
            missing.add(family)
    return families, missing


def read_ours(name: str) -> Families:
    text = subprocess.run([PRINT_DIALECT, FILES[name]], capture_output=True, text=True, check=True).stdout
    types = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    labels = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            family, _, rest = line.rpartition(" ")[0].partition("{")
            labels.setdefault(family, re.findall(r'(\w+)="', rest))
    return {family: (types[family], labels[family]) for family in types}


class Dialects(unittest.TestCase):
    maxDiff = None

    def test_there_is_an_original_of_each(self):
        self.assertEqual({path.stem for path in ORIGINALS.glob("*.families")}, set(FILES))

    def test_have_the_names_types_and_labels_of_the_original(self):
        for name in FILES:
            with self.subTest(name):
                original, missing = read_original(name)
                ours = read_ours(name)
                self.assertEqual(ours, {family: original[family] for family in original if family not in missing})

    def test_say_which_names_are_missing(self):
        for name, path in FILES.items():
            comment = " ".join(line[1:].strip() for line in pathlib.Path(path).read_text().splitlines() if line.startswith("#"))
            for family in read_original(name)[1]:
                with self.subTest(family):
                    self.assertIn(family, comment)


if __name__ == "__main__":
    sys.exit(tap.run(Dialects))
