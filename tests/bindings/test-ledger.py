#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Records of a ledger, as a Python program asks for them.

usage: test-ledger.py MAKE-LEDGER
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest
from datetime import datetime, timedelta, timezone

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pylib"))
import tap  # noqa: E402
from introspection import JobMetrics  # noqa: E402

MAKE_LEDGER = sys.argv.pop(1)
BEGIN = datetime.fromtimestamp(1700000000, timezone.utc)


def second(number: int) -> datetime:
    return BEGIN + timedelta(seconds=number)


class WithLedger(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name) / "ledger.db"
        # jobs 0 to 9, each a second after the other and as long, of ada
        subprocess.run([MAKE_LEDGER, self.path, "10"], check=True)

    def ids(self, **wanted) -> list[str]:
        return [record.job.id for record in JobMetrics.Ledger.open(self.path).list(**wanted)]


class TestRecords(WithLedger):
    def test_all_come_in_their_order(self):
        self.assertEqual(self.ids(), [str(number) for number in range(10)])

    def test_a_ledger_is_gone_through(self):
        with JobMetrics.Ledger.open(self.path) as ledger:
            self.assertEqual([record.job.id for record in ledger][:2], ["0", "1"])
        with self.assertRaises(JobMetrics.UnavailableError):
            ledger.list()

    def test_a_record_reports_its_job(self):
        record = JobMetrics.Ledger.open(self.path).find("7")
        self.assertEqual(record.job.user, "ada")
        self.assertEqual(record.state, "ended")
        self.assertEqual((record.begin_time, record.end_time), (second(7), second(8)))
        self.assertEqual(record.job.cpu_seconds_total, 1.0)

    def test_a_job_of_no_record_is_absent(self):
        with self.assertRaises(JobMetrics.AbsentError):
            JobMetrics.Ledger.open(self.path).find("77")

    def test_a_ledger_that_is_not_there_is_absent(self):
        with self.assertRaises(JobMetrics.AbsentError) as caught:
            JobMetrics.Ledger.open(self.path.with_name("other.db"))
        self.assertIn("other.db", str(caught.exception))


class TestFilter(WithLedger):
    def test_users_and_periods_are_chosen(self):
        self.assertEqual(self.ids(user="bob"), [])
        self.assertEqual(self.ids(user="ada", since=second(9)), ["8", "9"])
        self.assertEqual(self.ids(until=second(0)), ["0"])
        self.assertEqual(self.ids(job="3"), ["3"])
        self.assertEqual(self.ids(state="lost"), [])
        self.assertEqual(self.ids(uid=1000), [])

    def test_the_last_are_wanted_by_a_limit(self):
        self.assertEqual(self.ids(limit=2), ["8", "9"])

    def test_pages_go_on_behind_a_position(self):
        ledger = JobMetrics.Ledger.open(self.path)
        page = ledger.list(after=0, limit=4)
        self.assertEqual([record.job.id for record in page], ["0", "1", "2", "3"])
        self.assertEqual(self.ids(after=page[-1].position, limit=2), ["4", "5"])
        self.assertEqual(ledger.list(after=ledger.last_position), [])
        self.assertEqual(self.ids(before=page[-1].position, limit=2), ["1", "2"])

    def test_a_filter_is_kept_and_used_again(self):
        wanted = JobMetrics.LedgerFilter(user="ada", limit=1)
        ledger = JobMetrics.Ledger.open(self.path)
        self.assertEqual([record.job.id for record in ledger.list(wanted)], ["9"])
        self.assertEqual([record.job.id for record in ledger.list(wanted.copy())], ["9"])

    def test_what_is_invalid_is_refused(self):
        for wanted in ({"state": "gone"}, {"since": datetime(2024, 1, 1)}, {"limit": -1}, {"user": "a\0b"}):
            with self.subTest(wanted), self.assertRaises(ValueError):
                self.ids(**wanted)
        for wanted in ({"state": 1.5}, {"since": 17}, {"user": 4}, {"colour": "red"}):
            with self.subTest(wanted), self.assertRaises(TypeError):
                self.ids(**wanted)


if __name__ == "__main__":
    sys.exit(tap.run(TestRecords, TestFilter))
