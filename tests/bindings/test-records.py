#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a program in Python sees of records of jobs, and of their profiles."""

import json
import math
import pathlib
import sys
import unittest
from array import array
from datetime import datetime, timedelta, timezone

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from introspection import JobMetrics  # noqa: E402, I001

BEGIN = datetime(2023, 11, 14, 22, 13, 20, 123456, timezone.utc)


def read(name: str) -> JobMetrics.JobRecord:
    return JobMetrics.JobRecord.from_json((FIXTURES / "record" / name).read_bytes(), name)


class ARecord(unittest.TestCase):
    def test_says_whose_run_it_was_and_where(self):
        record = read("ended.json")
        self.assertEqual((record.node, record.position, record.state), ("n1", 12, "ended"))
        self.assertEqual(record.key, record.job.record.get_run_key())
        self.assertEqual((record.job.id, record.job.uid, record.job.account), ("4711", 1000, None))
        self.assertEqual(repr(record), "<JobRecord 4711 älice\n: ended>")

    def test_has_times_with_their_zone(self):
        record = read("ended.json")
        self.assertEqual((record.begin_time, record.end_time), (BEGIN, BEGIN + timedelta(hours=1)))
        self.assertEqual(record.seen_time, record.end_time - timedelta(microseconds=1))

    def test_of_a_job_that_runs_has_no_end(self):
        record = read("running.json")
        self.assertEqual((record.state, record.end_time, record.position), ("running", None, 0))

    def test_has_the_figures_of_the_job_and_its_parts(self):
        job = read("ended.json").job
        self.assertEqual(job.cpu_seconds_total, 7199.123456789)
        self.assertEqual(job.energy_joules_total[("package", "measured")], 123.456789)
        self.assertEqual([step.name for step in job.steps], ["batch"])
        self.assertEqual([gpu.share_ratio for gpu in job.gpu_devices], [0.25])
        self.assertIsNone(job.pids)

    def test_says_how_much_was_observed(self):
        record = read("ended.json")
        self.assertEqual(record.coverage, {"life": 0.987654321, "cpu": 1, "energy.package.0": 0})
        self.assertEqual(record.methods, {"life": "last", "cpu": "final", "energy.package.0": "unknown"})

    def test_comes_back_from_json(self):
        record = read("ended.json")
        again = JobMetrics.JobRecord.from_json(record.to_json())
        self.assertEqual(again.to_dict(), record.to_dict())
        self.assertEqual(again.to_dict(), json.loads((FIXTURES / "record" / "ended.json").read_text()))

    def test_that_breaks_its_format_is_malformed(self):
        with self.assertRaisesRegex(JobMetrics.MalformedError, "^a file: version: none$"):
            JobMetrics.JobRecord.from_json("{}", "a file")
        with self.assertRaisesRegex(JobMetrics.MalformedError, "^record: "):
            JobMetrics.JobRecord.from_json("")
        with self.assertRaisesRegex(TypeError, "record"):
            JobMetrics.JobRecord.from_json(None)


class AProfile(unittest.TestCase):
    def test_is_arrays_with_gaps(self):
        profile = read("running.json").profile
        self.assertEqual((profile.begin_time, profile.interval, len(profile)), (BEGIN, timedelta(seconds=1), 3))
        self.assertEqual(profile.times, [BEGIN + timedelta(seconds=n) for n in range(3)])
        self.assertEqual(set(profile.values), {"cpu_seconds", "threads"})
        cpu, threads = profile.values["cpu_seconds"], profile.values["threads"]
        self.assertIsInstance(cpu, array)
        self.assertEqual((cpu[0], threads[0], threads[2]), (0.045, 3, 1))
        self.assertTrue(all(map(math.isnan, [cpu[1], cpu[2], threads[1]])))

    def test_has_peaks_of_levels_alone(self):
        peaks = read("running.json").profile.peaks
        self.assertEqual(set(peaks), {"threads"})
        self.assertEqual((peaks["threads"][0], peaks["threads"][2]), (3, 1))

    def test_reports_the_whole_life(self):
        profile = read("running.json").profile
        self.assertEqual((profile.total("cpu_seconds"), profile.peak("threads")), (0.045, 3))
        self.assertAlmostEqual(profile.total("threads"), (3 * 0.05 + 1) / 1.05)
        self.assertIsNone(profile.peak("cpu_seconds"))
        self.assertIsNone(profile.total("energy_joules"))
        with self.assertRaisesRegex(KeyError, "^'weather'$"):
            profile.total("weather")

    def test_keeps_within_its_points(self):
        profile = read("ended.json").profile
        self.assertLessEqual(len(profile), JobMetrics.PROFILE_MAX_POINTS)
        self.assertGreaterEqual(len(profile) * profile.interval, timedelta(hours=1))
        self.assertEqual(repr(profile), "<JobProfile of 113 points of 32 s>")

    def test_is_a_data_frame(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = read("running.json").profile.to_dataframe()
        self.assertEqual(list(frame.columns), ["cpu_seconds", "threads", "threads[peak]"])
        self.assertEqual(list(frame.index), read("running.json").profile.times)
        self.assertEqual(frame["cpu_seconds"].sum(), 0.045)


if __name__ == "__main__":
    sys.exit(tap.run(ARecord, AProfile))
