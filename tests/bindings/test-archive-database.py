#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A site's archive, as Python has it."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pylib"))
import tap  # noqa: E402
from introspection import JobMetrics  # noqa: E402
from gi.repository import GLib  # noqa: E402, I001

FIELD = JobMetrics.RunField
MIDNIGHT = 1772323200


def made_run(raw_id: str, user: str, uid: int) -> JobMetrics.Run:
    run = JobMetrics.Run.new("alps", raw_id)
    run.set_text(FIELD.USER, user)
    run.set_number(FIELD.UID, uid)
    run.set_number(FIELD.START_TIME, MIDNIGHT - 60)
    run.set_number(FIELD.END_TIME, MIDNIGHT + 60)
    run.set_number(FIELD.ENERGY, 3_000_001)
    return run


class TheAccounts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="jobmetrics-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "jobs.db"
        self.store = JobMetrics.ArchiveDatabase.open(f"sqlite:{self.path}")
        batch = JobMetrics.RunBatch.new()
        batch.add_run(made_run("1", "ada", 1000), JobMetrics.RunSource.ACCOUNTING)
        step = JobMetrics.RunPart.new(JobMetrics.RunPartKind.STEP)
        step.set_text(JobMetrics.RunPartField.NAME, "batch")
        batch.add_part(step)
        batch.add_run(made_run("2", "bob", 1001), JobMetrics.RunSource.LEDGER)
        batch.add_run(made_run("", "bob", 1001), JobMetrics.RunSource.LEDGER)
        batch.set_person("alps", "bob", 1001)
        batch.set_position("sacct", "2026-03-01")
        self.store.merge(batch)
        self.batch = batch
        self.all = JobMetrics.Viewer.new_for_all()

    def test_have_the_runs_that_were_merged(self):
        runs, cursor = self.store.list_runs(JobMetrics.RunFilter.new(), self.all)
        self.assertEqual([run.get_raw_id() for run in runs], ["2", "1"])
        self.assertIsNone(cursor)
        self.assertEqual(runs[0].get_number(FIELD.ENERGY), (True, 3_000_001))
        self.assertFalse(runs[0].get_number(FIELD.CPUS)[0])
        self.assertEqual(runs[0].get_source(FIELD.ENERGY), JobMetrics.RunSource.LEDGER)
        self.assertEqual(self.batch.list_refused(), ["alps/: no job id"])
        self.assertEqual(self.store.get_position("sacct"), "2026-03-01")
        self.assertIsNone(self.store.get_position("other"))
        parts = self.store.list_parts(runs[1], JobMetrics.RunPartKind.STEP, self.all)
        self.assertEqual([part.get_text(JobMetrics.RunPartField.NAME) for part in parts], ["batch"])

    def test_are_read_page_by_page(self):
        wanted = JobMetrics.RunFilter.new()
        wanted.set_limit(1)
        runs, cursor = self.store.list_runs(wanted, self.all)
        self.assertEqual([run.get_raw_id() for run in runs], ["2"])
        wanted.set_cursor(cursor)
        runs, cursor = self.store.list_runs(wanted, self.all)
        self.assertEqual([run.get_raw_id() for run in runs], ["1"])
        self.assertIsNone(cursor)

    def test_show_a_user_their_own(self):
        bob = self.store.make_viewer("bob")
        usage = self.store.list_usage(JobMetrics.RunFilter.new(), JobMetrics.UsageGroups.USER, bob)
        self.assertEqual([sums.get_user() for sums in usage], ["bob"])
        self.assertEqual(usage[0].get_amount(JobMetrics.UsageQuantity.ENERGY), 3.000001)
        by_day = JobMetrics.UsageGroups.USER | JobMetrics.UsageGroups.DAY
        usage = self.store.list_usage(JobMetrics.RunFilter.new(), by_day, self.all)
        self.assertEqual([sums.get_day() for sums in usage], [MIDNIGHT - 86400, MIDNIGHT] * 2)

    def test_say_what_is_wrong(self):
        with self.assertRaises(GLib.Error):
            JobMetrics.ArchiveDatabase.open("mysql://host/jobs")
        with self.assertRaises(GLib.Error):
            self.store.find_run("00000000-0000-5000-8000-000000000000", self.all)
        with self.assertRaises(GLib.Error):
            JobMetrics.RunFilter.new().set_cursor("nonsense")


if __name__ == "__main__":
    sys.exit(tap.run(TheAccounts))
