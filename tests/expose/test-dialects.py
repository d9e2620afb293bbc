#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The dialects that there are have the names, types, units and labels of the exporters that they stand in for.

usage: test-dialects.py PRINT-DIALECT FILE...
"""

import configparser
import pathlib
import re
import subprocess
import sys
import unittest
from collections.abc import Iterator

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

PRINT_DIALECT = sys.argv[1]
FILES = {pathlib.Path(path).stem: path for path in sys.argv[2:]}
ORIGINALS = TESTS / "expose" / "dialects"

# of one in base units
UNITS = {
    "1": 1,
    "ratio": 1,
    "%": 100,
    "B": 1,
    "MiB": 2**-20,
    "B/s": 1,
    "s": 1,
    "ms": 1e3,
    "us": 1e6,
    "ns": 1e9,
    "tick": 100,
    "W": 1,
    "mW": 1000,
    "J": 1,
    "C": 1,
    "MHz": 1e-6,
    "g/kWh": 3.6e6,
}
# that print-dialect makes of a metric with labels, which are one where a dialect leaves the labels out
MOST_SERIES = 30

# name: type, labels in their order
Families = dict[str, tuple[str, list[str]]]


def read_original(name: str) -> tuple[Families, set[str]]:
    """What it has, and which of these are not ours."""
    families, missing = {}, set()
    for family, kind, _, labels, is_missing in read_rows(name):
        families[family] = kind, labels
        if is_missing:
            missing.add(family)
    return families, missing


def read_rows(name: str) -> Iterator[tuple[str, str, str, list[str], bool]]:
    for line in (ORIGINALS / f"{name}.families").read_text().splitlines():
        if line.startswith("#"):
            continue
        family, kind, unit, *labels = line.removeprefix("- ").split()
        yield family, kind, unit, labels[0].split(",") if labels else [], line.startswith("- ")


def print_dialect(*file: str) -> str:
    return subprocess.run([PRINT_DIALECT, *file], capture_output=True, text=True, check=True).stdout


def read_figures(text: str) -> dict[str, float]:
    """One of each family."""
    return {family: float(value) for family, value in re.findall(r"^(\w+)(?:\{.*\})? (\S+)$", text, re.MULTILINE)}


def read_file(name: str) -> configparser.ConfigParser:
    file = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    file.optionxform = str
    file.read(FILES[name])
    return file


def list_files(name: str) -> list[str]:
    """Its own, and that of the dialect that it is like."""
    base = read_file(name)["Dialect"].get("Like")
    return [FILES[one] for one in (name, base) if one is not None]


def read_sources(name: str) -> dict[str, str]:
    """Of families whose figures are another's in other units."""
    file = read_file(name)
    others = ("Combine", "Rate", "AtMost", "Enum", "Words")
    return {one: re.split("[;{]", file[one]["Source"])[0] for one in file.sections() if "Source" in file[one] and not any(key in file[one] for key in others)}


def read_ours(name: str) -> Families:
    text = print_dialect(*list_files(name))
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

    def test_have_the_units_of_the_original(self):
        native = read_figures(print_dialect())
        for name in FILES:
            ours, sources = read_figures(print_dialect(*list_files(name))), read_sources(name)
            for family, _, unit, _, is_missing in read_rows(name):
                if is_missing or family not in sources:
                    continue
                with self.subTest(family):
                    n_series = ours[family] / (native[sources[family]] * UNITS[unit])
                    self.assertAlmostEqual(n_series, round(n_series), places=6)
                    self.assertLessEqual(1, round(n_series))
                    self.assertLessEqual(round(n_series), MOST_SERIES)

    def test_say_which_names_are_missing(self):
        for name, path in FILES.items():
            comment = " ".join(line[1:].strip() for line in pathlib.Path(path).read_text().splitlines() if line.startswith("#"))
            for family in read_original(name)[1]:
                with self.subTest(family):
                    self.assertIn(family, comment)


if __name__ == "__main__":
    sys.exit(tap.run(Dialects))
