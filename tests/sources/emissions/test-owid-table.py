#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether data/emissions/make-owid-table.py makes a table of a release, and the table that ships is one of its making.

usage: test-owid-table.py
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent.parent
TOP = TESTS.parent
FIXTURES = TESTS / "fixtures" / "emissions"
SCRIPT = TOP / "data" / "emissions" / "make-owid-table.py"
TABLE = TOP / "data" / "emissions" / "owid.csv"
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402


def make(release, *options):
    countries = f"--countries={FIXTURES / 'iso_3166-1.json'}"
    return subprocess.run([sys.executable, SCRIPT, countries, *options, release], capture_output=True, text=True)


def rows_of(text):
    return [line for line in text.splitlines() if not line.startswith("#")]


class Table(unittest.TestCase):
    def test_keeps_the_last_year_of_each_country(self):
        done = make(FIXTURES / "owid-chart.csv", "--until=2024")
        self.assertEqual(done.stderr, "")
        self.assertEqual(
            rows_of(done.stdout),
            [
                "COD,CD,Congo Democratic Republic,2023,31.50",
                "SLV,SV,El Salvador,2024,202.35",
                "UGA,UG,Uganda,2022,60.90",
                "XKX,XK,Kosovo,2024,900.02",
            ],
        )
        self.assertIn("the last year up to 2024 is kept", done.stdout)

    def test_takes_a_later_year_where_none_is_the_last(self):
        self.assertIn("SLV,SV,El Salvador,2025,90.00", rows_of(make(FIXTURES / "owid-chart.csv").stdout))

    def test_reads_the_whole_data_set(self):
        self.assertEqual(
            rows_of(make(FIXTURES / "owid-energy-data.csv").stdout),
            ["SLV,SV,El Salvador,2024,202.35", "UGA,UG,Uganda,2022,60.90"],
        )

    def test_refuses_what_is_no_release(self):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as other:
            other.write("a,b\n1,2\n")
            other.flush()
            done = make(other.name)
        self.assertEqual(done.returncode, 1)
        self.assertIn("not a release of the data set: columns a, b", done.stderr)

    def test_what_ships_is_of_its_making(self):
        """Made again from itself it is the same: nobody has changed it by hand."""
        text = TABLE.read_text(encoding="utf-8")
        rows = [row.split(",") for row in rows_of(text)]
        countries = ",".join(f'{{"alpha_3": "{row[0]}", "alpha_2": "{row[1]}"}}' for row in rows)
        with tempfile.TemporaryDirectory() as folder:
            release = pathlib.Path(folder, "release.csv")
            codes = pathlib.Path(folder, "codes.json")
            codes.write_text(f'{{"3166-1": [{countries}]}}', encoding="utf-8")
            release.write_text(
                "entity,code,year,co2_intensity\n" + "".join(f"{row[2]},{row[0]},{row[3]},{row[4]}\n" for row in rows),
                encoding="utf-8",
            )
            done = make(release, f"--countries={codes}", "--until=2024")
        self.assertEqual(done.stdout, text)
        self.assertGreater(len(rows), 200)


if __name__ == "__main__":
    sys.exit(tap.run(Table))
