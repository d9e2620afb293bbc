#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What core/quantities.py makes of a table, and which tables it refuses."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

SCRIPT = TESTS.parent / "libjobmetrics" / "core" / "quantities.py"
CPU_TIME = """
[cpu_total]
name = cpu_seconds
short = cpu_time
help = CPU time.
collector = cpu
kind = counter
unit = nanoseconds
run = sum
"""
ELAPSED = """
[elapsed]
name = elapsed_seconds
help = How long it ran.
format = duration
run = own
"""


def make(text: str, what: str) -> subprocess.CompletedProcess:
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as file:
        file.write(text)
        file.flush()
        return subprocess.run([SCRIPT, file.name, what], capture_output=True, text=True)


def row(**keys: str) -> str:
    return "\n[another]\n" + "".join(f"{key} = {value}\n" for key, value in ({"help": "Another."} | keys).items())


class ATable(unittest.TestCase):
    def made(self, text: str, what: str) -> str:
        done = make(text, what)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refusal(self, text: str) -> str:
        done = make(text, "quantities")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        return done.stderr.rstrip("\n").partition(".ini: ")[2] or done.stderr.rstrip("\n")

    def test_is_an_enumeration_and_rows(self):
        self.assertIn("  JM_METRIC_CPU_TOTAL, /* cpu_seconds_total */\n} JmMetric;", self.made(CPU_TIME + ELAPSED, "metric-id"))
        self.assertIn("JM_QUANTITY_ELAPSED, /* elapsed_seconds */", self.made(CPU_TIME + ELAPSED, "quantity-id"))
        self.assertIn('"cpu_seconds_total"', self.made(CPU_TIME, "metrics"))
        self.assertIn('"cpu_seconds", "cpu_time", "CPU-TIME"', self.made(CPU_TIME, "quantities"))

    def test_may_explain_a_metric_at_more_length(self):
        text = CPU_TIME + "metric_help = CPU time, from the cgroup.\n"
        self.assertIn('"CPU time, from the cgroup."', self.made(text, "metrics"))
        self.assertIn('"CPU time."', self.made(text, "quantities"))

    def test_has_what_follows_behind_what_it_follows_from(self):
        first = row(name="used", run="own", derive="ratio (cpu_total, last)", format="count")
        last = row(name="more_seconds", run="own", derive="sum (elapsed, elapsed)", format="duration")
        text = CPU_TIME + ELAPSED + first + last.replace("[another]", "[last]")
        derivations = self.made(text, "derivations")
        self.assertLess(derivations.index("JM_QUANTITY_LAST, 0, 3"), derivations.index("JM_QUANTITY_ANOTHER, 0, 3"))

    def test_says_how_the_figures_of_nodes_are_joined(self):
        self.assertIn("{ JM_QUANTITY_CPU_TOTAL, JM_JOINING_SUM },", self.made(CPU_TIME, "run-quantities"))

    def test_has_one_meaning_for_each_word_of_a_subject(self):
        for keys in ({"name": "cpu_time"}, {"name": "x", "short": "cpu_seconds"}, {"name": "x", "heading": "CPU-TIME"}):
            self.assertIn("[another]: [cpu_total] of a job is called", self.refusal(CPU_TIME + row(**keys)))
        self.assertIn("CPU-TIME", self.made(CPU_TIME + row(name="cpu_time", about="cluster_node"), "quantities"))

    def test_has_names_with_their_base_units(self):
        self.assertEqual(self.refusal(ELAPSED + row(name="wait", format="duration")), "[another]: no seconds in the name wait")

    def test_has_no_expression_that_cannot_be_calculated(self):
        for expression in ("power (elapsed, elapsed)", "sum (elapsed)", "elapsed + elapsed", "3", "sum (1, elapsed)"):
            text = ELAPSED + row(name="x", derive=expression)
            self.assertEqual(self.refusal(text), f"[another]: no such expression: {expression}")
        many = "sum (elapsed, sum (elapsed, sum (elapsed, sum (elapsed, elapsed))))"
        self.assertEqual(self.refusal(ELAPSED + row(name="x", derive=many)), f"[another]: too long an expression: {many}")

    def test_is_the_columns_of_the_archive(self):
        kept = CPU_TIME + "keep = run step:step_cpu_us@7\ncolumn = cpu_us\norigin = 1\n"
        text = kept + row(name="word", about="nothing", keep="run@6 energy", origin="0", most="12", key="yes")
        self.assertIn("  JM_RUN_FIELD_ANOTHER,\n  JM_RUN_FIELD_CPU_TOTAL,\n  JM_N_RUN_FIELDS,\n} JmRunField;", self.made(text, "run-field-id"))
        fields = "".join(self.made(text, "run-fields").split())
        self.assertIn('{JM_QUANTITY_ANOTHER,"word",G_GINT64_CONSTANT(12),0,1}', fields)
        self.assertIn('{JM_QUANTITY_CPU_TOTAL,"cpu_us",G_GINT64_CONSTANT(1152921504606846976),1,1000000}', fields)
        parts = "".join(self.made(text, "run-part-columns").split())
        self.assertIn('step_columns[]={{JM_QUANTITY_CPU_TOTAL,"step_cpu_us",0,0,1000000},};', parts)
        self.assertIn('energy_columns[]={{JM_QUANTITY_ANOTHER,"word",1,1,1},};', parts)
        self.assertIn("[JM_RUN_PART_KIND_STEP]={[JM_QUANTITY_CPU_TOTAL]=1},", parts)
        added = [f'[{version}] = "ALTER TABLE {what};",' for version, what in ((6, "run ADD COLUMN word TEXT"), (7, "run_step ADD COLUMN step_cpu_us INTEGER"))]
        self.assertEqual(self.made(text, "new-columns").splitlines()[6:], added)

    def test_is_the_columns_of_days(self):
        text = CPU_TIME + "keep = run step\ncolumn = cpu_us\norigin = 0\nusage = cpu_time\n"
        text += row(name="memory_byte_seconds", about="usage", format="byte_seconds", usage="memory:memory_mib_seconds")
        self.assertIn("{\n  JM_USAGE_QUANTITY_MEMORY,\n  JM_USAGE_QUANTITY_CPU_TIME,\n}", self.made(text, "usage-id"))
        self.assertIn("#define JM_USAGE_FIRST_MEASURED 1\n", self.made(text, "run-field-id"))
        rows = "".join(self.made(text, "usage").split())
        self.assertIn('[JM_USAGE_QUANTITY_MEMORY]={JM_QUANTITY_ANOTHER,"memory_mib_seconds",NULL,0,1048576}', rows)
        self.assertIn('[JM_USAGE_QUANTITY_CPU_TIME]={JM_QUANTITY_CPU_TOTAL,"cpu_us","cpu_runs",1,1}', rows)

    def test_has_the_lines_of_reports_in_their_order(self):
        text = CPU_TIME + "report = 1\n" + ELAPSED + "report = 0\n"
        self.assertIn("\nJM_QUANTITY_ELAPSED,\nJM_QUANTITY_CPU_TOTAL,\n", self.made(text, "report-figures"))
        self.assertIn("place of its own", self.refusal(text.replace("report = 1", "report = 0")))

    def test_says_what_of_a_run_follows_from_its_nodes(self):
        text = CPU_TIME + "keep = run node\norigin = 0\n"
        text += row(name="start_time_seconds", format="time", keep="run node", origin="1").replace("[another]", "[start_time]")
        text += row(name="end_time_seconds", format="time", keep="run node", origin="2")
        sums = self.made(text, "run-sums").splitlines()[6:]
        self.assertEqual(
            [line.split()[1:] for line in sums],
            [
                ["JM_QUANTITY_CPU_TOTAL,", "JM_RUN_FIELD_CPU_TOTAL,", "1", "},"],
                ["JM_QUANTITY_ANOTHER,", "JM_RUN_FIELD_ANOTHER,", "0", "},"],
            ],
        )

    def test_names_runs_as_another_api_does(self):
        text = CPU_TIME + "keep = run\norigin = 0\nbatchjob = cputime\n"
        self.assertIn('{ "cputime", JM_RUN_FIELD_CPU_TOTAL },', self.made(text, "batchjob"))

    def test_has_a_list_of_what_follows_from_what_is_kept(self):
        text = CPU_TIME + "keep = run\norigin = 0\n" + ELAPSED + "keep = run\norigin = 1\n"
        text += row(name="used", run="own", derive="ratio (cpu_total, elapsed)", format="count")
        made = self.made(text, "run-columns")
        self.assertIn("{ JM_QUANTITY_ANOTHER, JM_N_RUN_FIELDS, 0,", made)
        self.assertIn("/ nullif (CAST (elapsed_seconds AS DOUBLE PRECISION), 0.0))", made)
        self.assertNotIn("ANOTHER", self.made(text.replace("run = own\nderive", "run = most\nderive"), "run-columns"))

    def test_has_no_column_that_a_database_could_not_have(self):
        self.assertEqual(self.refusal(row(name="x", keep="moon")), "[another]: no such table: moon")
        for keys in ({"keep": "run"}, {"keep": "step", "origin": "0"}):
            self.assertEqual(
                self.refusal(row(name="x", **keys)),
                "[another]: columns of runs, and no others, have a place of their origin",
            )
        self.assertIn("a place of its own for its origin", self.refusal(row(name="x", keep="run", origin="1")))

    def test_knows_its_keys_and_values(self):
        self.assertEqual(self.refusal(row(name="x", titel="X")), "[another]: unknown keys: titel")
        self.assertEqual(self.refusal(row(name="x", run="mean")), "[another]: no such way to join: mean")
        self.assertEqual(self.refusal(row(short="x")), "[another]: 'name'")


if __name__ == "__main__":
    sys.exit(tap.run(ATable))
