#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What Python reads out of an archive, from its database and from a server that has it.

usage: test-archive.py EXPORTER MAKE-ARCHIVE
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pylib"))
import tap  # noqa: E402
import unix_socket  # noqa: E402
from introspection import JobMetrics  # noqa: E402
from gi.repository import GLib  # noqa: E402, I001

SECONDS = 60
FIELD = JobMetrics.RunField
GIB = 2**30
NOW = int(time.time())
DAY = 86400


def described_run(job: int, user: str, days_ago: int, used_gib: int) -> str:
    """A line of make-archive's input."""
    account = "physics" if user == "ada" else "chemistry"
    end = NOW - days_ago * DAY
    return (
        f"{job} user_name={user} account={account} state=COMPLETED start_time={end - 3600} end_time={end} nodes=1 cpus={1 if user == 'bob' else 2} gpus_allocated=0"
        f" cpu_us={3600 * 1000000} memory_allocated_bytes={8 * GIB} memory_peak_bytes={used_gib * GIB}"
        + (" step=batch" if job == 1 else "")
    )


class Readers:
    """The same of both kinds of an archive."""

    place: str

    def setUp(self):
        self.archive = JobMetrics.Archive.open(self.place, None, None)

    def test_list_the_runs_of_last_week_by_the_memory_that_they_left_unused(self):
        wanted = JobMetrics.RunFilter.new()
        wanted.set_users(["ada"])
        wanted.set_period(NOW - 7 * DAY, 0)
        wanted.set_sort("-memory_unused_byte_seconds")
        runs = self.archive.list_runs(wanted, 0, None)
        self.assertEqual([run.get_raw_id() for run in runs], ["3", "1", "2"])
        self.assertEqual([run.get_raw_id() for run in self.archive.list_runs(wanted, 2, None)], ["3", "1"])

    def test_find_runs_by_the_verdict_that_the_archive_has_of_them(self):
        wanted = JobMetrics.RunFilter.new()
        wanted.set_verdicts(["waste"])
        wanted.set_sort("-memory_unused_byte_seconds")
        runs = self.archive.list_runs(wanted, 0, None)
        self.assertEqual([run.get_raw_id() for run in runs], ["4", "3", "1", "2"])
        self.assertEqual({run.get_text(FIELD.VERDICT_KIND) for run in runs}, {"waste"})
        self.assertEqual({run.get_text(FIELD.VERDICT) for run in runs}, {"waste: One CPU of 2 was used"})
        wanted.set_verdicts(["good", "trouble"])
        self.assertEqual([run.get_raw_id() for run in self.archive.list_runs(wanted, 0, None)], ["5"])
        with self.assertRaises(GLib.Error) as caught:
            wanted.set_verdicts(["splendid"])
        self.assertTrue(caught.exception.matches(JobMetrics.Error.quark(), JobMetrics.Error.INVALID))

    def test_take_one_run_after_the_other(self):
        taken = []
        wanted = JobMetrics.RunFilter.new()
        wanted.set_sort("start")
        self.archive.read_runs(wanted, 0, lambda run, _: taken.append(run.get_raw_id()), None, None)
        self.assertEqual(taken, ["4", "2", "1", "3", "5"])

    def test_find_a_job_s_newest_run(self):
        run, n_runs = self.archive.find_job("3", "alps", None)
        self.assertEqual((run.get_raw_id(), n_runs), ("3", 1))
        with self.assertRaises(GLib.Error) as caught:
            self.archive.find_job("77", None, None)
        self.assertTrue(caught.exception.matches(JobMetrics.Error.quark(), JobMetrics.Error.ABSENT))

    def test_read_a_run_with_its_parts_and_its_report(self):
        run, _ = self.archive.find_job("1", None, None)
        uuid = run.get_text(FIELD.UUID)
        whole = self.archive.find_run(uuid, None)
        steps = whole.get_parts(JobMetrics.RunPartKind.STEP)
        self.assertEqual([step.get_text(JobMetrics.RunPartField.NAME) for step in steps], ["batch"])
        self.assertEqual(whole.get_parts(JobMetrics.RunPartKind.DEVICE), [])
        report = self.archive.read_report(uuid, None)
        self.assertEqual(report.get_value(JobMetrics.Quantity.of_run("cpu_efficiency_percent")), (True, 50))
        self.assertEqual(json.loads(report.to_json([]))["job"]["raw_id"], "1")
        self.assertTrue(self.archive.add_series(report, None))

    def test_add_up_usage_by_account(self):
        wanted = JobMetrics.RunFilter.new()
        wanted.set_period(NOW - 30 * DAY, 0)
        usage = self.archive.list_usage(wanted, JobMetrics.UsageGroups.ACCOUNT, None)
        runs = {sums.get_account(): sums.get_amount(JobMetrics.UsageQuantity.RUNS) for sums in usage}
        self.assertEqual(runs, {"chemistry": 1, "physics": 4})


class ADatabase(Readers, unittest.TestCase):
    def test_has_no_pages_and_learns_nothing_by_itself(self):
        self.assertIsNone(self.archive.get_url())
        self.assertTrue(self.archive.refresh(None))


class AServer(Readers, unittest.TestCase):
    def test_that_is_not_there_is_named(self):
        gone = JobMetrics.Archive.open("unix:/nonexistent/socket", None, None)
        with self.assertRaises(GLib.Error) as caught:
            gone.list_runs(JobMetrics.RunFilter.new(), 0, None)
        self.assertIn("/nonexistent/socket", str(caught.exception))
        self.assertIn("is jobmetrics-exporter server running there?", str(caught.exception))


def make_database(make_archive: str, uri: str) -> None:
    runs = ((1, "ada", 2, 4), (2, "ada", 3, 7), (3, "ada", 1, 1), (4, "ada", 20, 1), (5, "bob", 0, 7))
    lines = "".join(described_run(*run) + "\n" for run in runs)
    subprocess.run([make_archive, uri], input=lines, text=True, check=True)


def main(exporter: str, make_archive: str) -> int:
    with tempfile.TemporaryDirectory(prefix="jobmetrics-") as folder:
        uri, socket = f"sqlite:{folder}/jobs.db", f"{folder}/socket"
        make_database(make_archive, uri)
        ADatabase.place, AServer.place = uri, f"unix:{socket}"
        judged_by_server = ["server", f"--server.store={uri}", "--once"]
        subprocess.run([exporter, *judged_by_server], stdout=subprocess.DEVNULL, check=True)
        options = [f"--server.store={uri}", f"--web.listen-address=unix:{folder}/unused", f"--web.local-socket={socket}"]
        server = subprocess.Popen([exporter, "server", *options, "--server.record-max-age=0"], stderr=subprocess.DEVNULL)
        try:
            unix_socket.await_listener(socket, SECONDS)
            return tap.run(ADatabase, AServer)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(SECONDS)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
