#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What figures mean to people, as a program in Python gets it."""

import json
import math
import pathlib
import sys
import time
import unittest
import xml.etree.ElementTree
from datetime import timedelta

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from introspection import JobMetrics  # noqa: E402

HOOKS = FIXTURES / "slurm-v2-hooks"
STEPS = FIXTURES / "slurm-v2-steps"


def sample(folder: pathlib.Path, **settings) -> JobMetrics.Snapshot:
    with JobMetrics.Node(host=folder, **settings) as node:
        return node.sample()


class AField(unittest.TestCase):
    def test_is_found_by_any_of_its_names(self):
        field = JobMetrics.Field.from_name("mem")
        quantity = field.quantity
        self.assertEqual((quantity.name, quantity.short_name, quantity.heading), ("memory_used_bytes", "mem", "MEM"))
        self.assertEqual(quantity.format, JobMetrics.Format.BYTES)
        self.assertEqual(field, JobMetrics.Field.from_name("memory_used_bytes"))
        self.assertEqual(len({field, JobMetrics.Field.from_name("MEM")}), 1)
        self.assertIsNone(JobMetrics.Field.from_name("effort"))

    def test_is_one_of_a_list_with_help_for_each(self):
        fields = JobMetrics.Field.list()
        names = [field.quantity.name for field in fields]
        self.assertEqual(len(names), len(set(names)))
        self.assertTrue({"user", "age_seconds", "cpu_efficiency_percent", "memory_used_bytes"} <= set(names))
        self.assertTrue(all(field.quantity.help and field.quantity.heading for field in fields))

    def test_is_the_same_whatever_way_it_is_asked_for(self):
        snapshot = sample(HOOKS)
        for job in snapshot:
            for name in ("cpus", "memory_used_bytes", "cpu_seconds_total"):
                known, value = JobMetrics.Field.from_name(name).get_value(snapshot, job.number)
                self.assertEqual(value if known else None, job[name])


class AJob(unittest.TestCase):
    def test_has_an_efficiency(self):
        job = sample(HOOKS)["2"]
        possible = job.cpus * job.elapsed / timedelta(seconds=1)
        self.assertAlmostEqual(job.efficiency, 100 * job.cpu_seconds_total / possible, places=6)

    def test_of_which_no_start_is_known_has_neither_age_nor_efficiency(self):
        job = sample(STEPS)["14"]
        self.assertIsNone(job.elapsed)
        self.assertIsNone(job.efficiency)
        self.assertIsNone(job.format("eff"))

    def test_is_shown_as_people_read_it(self):
        job = sample(HOOKS)["2"]
        self.assertEqual(job.format("user"), job.user)
        self.assertEqual(job.format("eff"), f"{job.efficiency:.1f}%")
        self.assertRegex(job.format("mem"), r"^\d+(\.\d)?[KMG]iB$")
        self.assertEqual(job.format(JobMetrics.Field.from_name("cpus")), str(job.cpus))
        self.assertRaises(KeyError, job.format, "effort")
        self.assertRaises(TypeError, job.format, 1)


class AFilter(unittest.TestCase):
    def test_chooses_jobs(self):
        snapshot = sample(HOOKS)
        self.assertEqual(snapshot.select("jobid == 2"), [snapshot["2"]])
        self.assertEqual(snapshot.select(JobMetrics.Filter.new("jobid == 2")), [snapshot["2"]])
        self.assertEqual(snapshot.select("mem >= 0 && mem < 1B"), [])

    def test_that_is_invalid_says_where_the_mistake_is(self):
        with self.assertRaisesRegex(JobMetrics.InvalidError, "at character 7"):
            JobMetrics.Filter.new("mem > much")
        with self.assertRaises(JobMetrics.InvalidError):
            sample(HOOKS).select("effort > 1")
        self.assertRaises(TypeError, sample(HOOKS).select, None)


class AJobSelection(unittest.TestCase):
    def test_means_those_of_which_all_is_true(self):
        snapshot = sample(HOOKS)
        selection = JobMetrics.JobSelection.new()
        self.assertEqual([job.number for job in snapshot], list(selection.list(snapshot)))
        selection.set_users([snapshot["2"].user])
        self.assertIn(snapshot["2"].number, selection.list(snapshot))
        selection.set_state(JobMetrics.JobState.ENDED)
        self.assertEqual(list(selection.list(snapshot)), [])


class AReport(unittest.TestCase):
    def setUp(self):
        run = JobMetrics.Run.new("alps", "7")
        run["state"] = "COMPLETED"
        self.report = JobMetrics.RunReport.new(run, None)

    def test_names_the_place_that_it_is_from(self):
        self.assertIsNone(json.loads(self.report.to_json(None))["origin"])
        self.assertNotIn("Found in", self.report.to_text(None, 80, False))
        self.report.set_origin("the ledger of this node")
        self.assertEqual(json.loads(self.report.to_json(None))["origin"], "the ledger of this node")
        self.assertRegex(self.report.to_text(None, 80, False), "Found in *: the ledger of this node\n")

    def test_is_brief_where_that_is_wanted(self):
        lines = self.report.to_brief(None, "https://example.org/job/7", 80, False).splitlines()
        self.assertIn("7", lines[0])
        self.assertRegex(lines[-1], "^ *More: https://example.org/job/7$")
        self.assertLessEqual(len(lines), 12)
        self.assertNotIn("More", self.report.to_brief(None, None, 80, False))

    def test_is_what_scripts_read_from_seff(self):
        self.assertEqual(self.report.to_seff(), "Job ID: 7\nCluster: alps\nState: COMPLETED\n")

    def test_of_a_running_job_is_made_of_a_snapshot(self):
        snapshot = sample(HOOKS)
        job = snapshot["2"]
        report = JobMetrics.RunReport.new(None, [JobMetrics.Ledger.cut_record(snapshot, job.number)])
        self.assertTrue(report.is_running())
        figures = json.loads(report.to_json(None))["figures"]
        self.assertEqual(figures["cpus"], job.cpus)
        self.assertEqual(figures["cpu_seconds"], job.cpu_seconds_total)


class AVerdict(unittest.TestCase):
    def test_names_the_trouble_and_the_next_step(self):
        run = JobMetrics.Run.new("alps", "7")
        run["state"] = "TIMEOUT"
        run["time_limit_seconds"] = 7200
        report = JobMetrics.RunReport.new(run, None)
        verdict = JobMetrics.RunVerdict.new(report, JobMetrics.RunRules.new(None).judge(report))
        self.assertEqual(verdict.get_kind(), JobMetrics.VerdictKind.TROUBLE)
        self.assertEqual(JobMetrics.verdict_kind_get_name(verdict.get_kind()), "trouble")
        self.assertEqual(verdict.get_title(), "trouble: Time limit reached")
        self.assertEqual(verdict.get_cause(), "The run reached its time limit of 2h00m00s.")
        self.assertRegex(verdict.get_next_step(), "^Ask for more time.*: #SBATCH --time=03:00:00$")


def run_of(seconds):
    run = JobMetrics.Run.new("alps", "7")
    run["start_time"] = 1700000000
    run["end_time"] = 1700000000 + seconds
    return JobMetrics.RunReport.new(run, None)


class AComparison(unittest.TestCase):
    def test_has_the_differences_of_runs_to_the_first(self):
        comparison = JobMetrics.RunComparison.new([run_of(7200), run_of(3600)])
        quantities = {quantity.name: quantity for quantity in comparison.list_quantities()}
        self.assertEqual(list(quantities), ["elapsed_seconds"])
        elapsed = quantities["elapsed_seconds"]
        self.assertEqual(comparison.get_difference(elapsed, 1), (True, -3600))
        self.assertFalse(comparison.get_difference(elapsed, 0)[0])
        self.assertEqual(comparison.format_difference(elapsed, 1), "-50%")
        self.assertEqual(comparison.format_value(elapsed, 1), "1h00m00s")


class APowerSplit(unittest.TestCase):
    def test_says_who_took_what_between_two_snapshots(self):
        with JobMetrics.Node(host=FIXTURES / "power-hwmon") as node:
            times = [time.monotonic()]
            before = node.sample()
            times.append(time.monotonic())
            time.sleep(0.1)
            times.append(time.monotonic())
            now = node.sample()
            times.append(time.monotonic())
        split = JobMetrics.PowerSplit.new(before, now)
        rows = range(split.get_n_rows())
        self.assertEqual([split.get_domain(row) for row in rows], ["package", "rest"])
        self.assertFalse(any(split.is_estimated(row) for row in rows))
        known, idle = split.get_watts(1, JobMetrics.SubjectKind.IDLE)
        self.assertTrue(known)
        self.assertLessEqual(idle, split.get_watts(1, JobMetrics.SubjectKind.NODE)[1])
        known, whole = split.sum_watts(JobMetrics.SubjectKind.NODE)
        self.assertTrue(known)
        # Where in the sweeps the meter was read nobody knows; a busy machine takes long for them.
        least = (times[2] - times[1]) / (times[3] - times[0])
        self.assertGreater(whole, 287 * least - 1)
        self.assertLess(whole, 287 / least + 1)

    def test_of_no_time_is_not_known(self):
        with JobMetrics.Node(host=FIXTURES / "power-hwmon") as node:
            node.sample()
            time.sleep(0.1)
            now = node.sample()
        split = JobMetrics.PowerSplit.new(now, now)
        self.assertEqual(split.sum_watts(JobMetrics.SubjectKind.NODE), (False, 0))


class AFormat(unittest.TestCase):
    def test_is_written_and_read_with_its_unit(self):
        self.assertEqual(JobMetrics.format_to_string(JobMetrics.Format.BYTES, 107 << 20), "107MiB")
        self.assertEqual(JobMetrics.format_to_string(JobMetrics.Format.DURATION, 16.83), "16.83s")
        self.assertEqual(JobMetrics.format_parse(JobMetrics.Format.DURATION, "1h30m"), 5400)
        with self.assertRaises(JobMetrics.InvalidError):
            JobMetrics.format_parse(JobMetrics.Format.BYTES, "much")


class APlot(unittest.TestCase):
    def setUp(self):
        self.plot = JobMetrics.Plot.new(JobMetrics.PlotKind.LINES, "Power", JobMetrics.Format.WATTS)
        self.plot.set_range(1_700_000_000_000_000, 1_700_000_060_000_000)
        times = [1_700_000_000 + second for second in range(61)]
        self.plot.add_series("node01", times, [math.nan if 20 < second < 30 else second for second in range(61)])
        self.plot.set_limit("cap", 80)

    def test_is_drawn_from_plain_lists(self):
        svg = xml.etree.ElementTree.fromstring(self.plot.to_svg(720, 300))
        words = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
        self.assertLessEqual({"Power", "node01", "cap 80W", "20W", "30s"}, set(words))
        self.assertEqual(self.plot.describe(), "node01: minimum 0W, mean 31W, maximum 60W; cap 80W.")

    def test_is_a_picture_where_the_build_can_draw_one(self):
        try:
            png = self.plot.to_png(720, 300).get_data()
        except JobMetrics.AbsentError as error:
            self.assertIn("SVG only, not as PNG", str(error))
        else:
            self.assertTrue(png.startswith(b"\x89PNG\r\n"))


if __name__ == "__main__":
    sys.exit(tap.run(AField, AJob, AFilter, AJobSelection, AReport, AVerdict, AComparison, APowerSplit, AFormat, APlot))
