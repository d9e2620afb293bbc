#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the originals' dashboards ask for is among the names of the dialects, or the tables and the dialects say that it is not.

usage: test-tables.py PRINT-DIALECT FILE...
"""

import fnmatch
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "pylib"), str(TESTS / "dropin")]
import dropin  # noqa: E402
import tap  # noqa: E402

PRINT_DIALECT = sys.argv[1]
MIGRATION = TESTS.parent / "doc" / "how-to" / "migration.md"
JOB = "7"  # that print-dialect makes
# two nodes, and what the job runs there
PROGRAMS = {"n1": "/cvmfs/app", "n2": "/home/ada/app"}
FILES = {pathlib.Path(path).stem: pathlib.Path(path) for path in sys.argv[2:]}


def list_files(dialect: str) -> list[pathlib.Path]:
    """Its own, and that of the dialect that it is like."""
    like = re.search("^Like=(.*)$", FILES[dialect].read_text(), re.MULTILINE)
    return [FILES[dialect], *([FILES[like[1]]] if like else [])]


def print_dialect(dialect: str) -> str:
    return subprocess.run([PRINT_DIALECT, *list_files(dialect)], capture_output=True, text=True, check=True).stdout


def list_families(dialect: str) -> set[str]:
    return set(re.findall(r"^# TYPE (\S+) ", print_dialect(dialect), re.MULTILINE))


def list_series(dialect: str, node: str) -> list[dict[str, str]]:
    """Of a scrape of the node each 15 s, for 20 minutes. All figures grow."""
    series = []
    for name, labels, value in re.findall(r"^(\w+)(?:\{(.*)\})? (\S+)$", print_dialect(dialect), re.MULTILINE):
        pairs = [(label, text.replace("n1", node)) for label, text in re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels) if label != "instance"]
        others = "".join(f',{label}="{PROGRAMS[node] if label == "exe" else text}"' for label, text in pairs)
        growth = 0 if name == "nvidia_gpu_jobId" else value
        series.append({"series": f'{name}{{instance="{node}:9010",cluster="alps"{others}}}', "values": f"{value}+{growth}x80"})
    return series


def list_missing(dialect: str) -> list[str]:
    """Patterns of its comments."""
    lines = [line for file in list_files(dialect) for line in file.read_text().splitlines()]
    comment = " ".join(line for line in lines if line.startswith("#"))
    return re.findall(r"[a-z]+_[\w*]+", comment)


class Tables(unittest.TestCase):
    def test_say_of_each_query_what_comes_of_it(self):
        rules = dropin.read_rules()
        for path in dropin.TABLES:
            dialects = dropin.read_dialects(path)
            families = set().union(*map(list_families, dialects))
            missing = [pattern for dialect in dialects for pattern in list_missing(dialect)]
            for query in dropin.read_table(path):
                with self.subTest(table=path.name, query=query):
                    names = dropin.list_names(query.text)
                    foreign = names - families - rules.keys()
                    unnamed = {name for name in foreign if not any(fnmatch.fnmatch(name, pattern) for pattern in missing)}
                    self.assertTrue(names)
                    self.assertIn(query.guard, ("let", "refused"))
                    self.assertIn(query.verdict, ("answered", "rules", "empty", "other"))
                    if query.verdict == "answered":
                        self.assertTrue(names & families)
                    if query.verdict == "rules":
                        self.assertLessEqual(names, rules.keys())
                    if query.verdict == "empty":
                        self.assertTrue(foreign)
                    self.assertEqual(bool(unnamed), query.verdict == "other", unnamed)

    @unittest.skipUnless(shutil.which("promtool"), "promtool: not installed (tests/install-dependencies test)")
    def test_have_series_of_several_nodes_behind_what_is_answered(self):
        """Prometheus' own tool asks of two nodes that have the same job."""
        for path in dropin.TABLES:
            answered = [query.text for query in dropin.read_table(path) if query.verdict == "answered"]
            if not answered:
                continue
            asked = [f"clamp_max(count({dropin.fill_in(text, jobid=JOB, diff='600')}), 1)" for text in answered]
            series = [one for dialect in dropin.read_dialects(path) for node in PROGRAMS for one in list_series(dialect, node)]
            checks = [{"expr": expression, "eval_time": "15m", "exp_samples": [{"labels": "{}", "value": 1}]} for expression in asked]
            tests = {"evaluation_interval": "15s", "tests": [{"interval": "15s", "input_series": series, "promql_expr_test": checks}]}
            with self.subTest(table=path.name), tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
                json.dump(tests, file)
                file.flush()
                judged = subprocess.run(["promtool", "test", "rules", file.name], capture_output=True, text=True)
                self.assertEqual(judged.returncode, 0, judged.stdout + judged.stderr)

    def test_are_counted_in_the_manual(self):
        rows = re.findall(r"^\|.*\(`(\S+)`\) \|([ |\d]+)\|$", MIGRATION.read_text(), re.MULTILINE)
        counted = {name: [int(cell) for cell in cells.split("|")] for name, cells in rows}
        expected = {}
        for path in dropin.TABLES:
            queries = dropin.read_table(path)
            verdicts = [query.verdict for query in queries]
            let = [query for query in queries if query.guard == "let"]
            expected[path.stem] = [len(queries), *(verdicts.count(word) for word in ("answered", "rules", "other", "empty")), len(let)]
        self.assertEqual(counted, expected)

    def test_have_the_rules_that_their_queries_need(self):
        rules = dropin.read_rules()
        families = set().union(*(list_families(dialect) for path in dropin.TABLES for dialect in dropin.read_dialects(path)))
        for record, names in rules.items():
            with self.subTest(record=record):
                self.assertLessEqual(names, families | rules.keys())


if __name__ == "__main__":
    sys.exit(tap.run(Tables))
