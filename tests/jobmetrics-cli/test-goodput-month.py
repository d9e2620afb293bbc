#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A month of a simulated cluster: each second of a CPU and an accelerator that was allocated is in just one class.

usage: test-goodput-month.py PROGRAM
"""

import calendar
import collections
import json
import os
import pathlib
import random
import sqlite3
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "pylib")]
import tap  # noqa: E402
from cli import call  # noqa: E402
from simulated_slurm import USERS, Cluster, Run  # noqa: E402

BEGIN, FEBRUARY, MARCH = (calendar.timegm((2026, month, day, 0, 0, 0)) for month, day in ((1, 20), (2, 1), (3, 1)))
PERIOD = ("--since=2026-02-01T00:00:00Z", "--until=2026-03-01T00:00:00Z")
DEVICES = ("cpu", "gpu")
CLASSES = ("productive", "idle", "prolog_epilog", "lost_to_failure", "lost_to_preemption", "lost_to_time_limit", "unobserved")
LOST = {
    "FAILED": "lost_to_failure", "OUT_OF_MEMORY": "lost_to_failure", "NODE_FAIL": "lost_to_failure", "PREEMPTED": "lost_to_preemption",
    "REQUEUED": "lost_to_preemption", "TIMEOUT": "lost_to_time_limit",
}  # fmt: skip


class Month(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        seed = int(os.environ.get("JM_MONTH_SEED", random.randrange(1 << 30)))
        print(f"# JM_MONTH_SEED={seed}")
        cls.cluster = Cluster(seed, BEGIN, 50, (FEBRUARY, MARCH))
        cls.cluster.run()
        rows, store = pathlib.Path(folder.name) / "sacct", pathlib.Path(folder.name) / "archive.db"
        rows.write_text(cls.cluster.sacct(), encoding="ascii")
        cls.place = f"--store={store}"
        cls.imported = call("import", cls.place, "--cluster=alps", "--format=sacct", str(rows))
        # as if nodes had measured it
        idle = [(run.idle_gpu_seconds * 1000000, str(run.job.id), run.start) for run in cls.cluster.runs if run.idle_gpu_seconds is not None]
        with sqlite3.connect(store) as database:
            database.executemany("UPDATE run SET gpu_unused_us = ? WHERE raw_id = ? AND start_time = ?", idle)
            # a minute before and after the processes of every third run, and all of one that is shorter
            cls.waits = {(run.job.id, run.start): min(60, run.end - run.start) for run in cls.cluster.runs[::3] if run.end > run.start > 0}
            waits = [(seconds * 1000000, str(job), start) for (job, start), seconds in cls.waits.items()]
            database.executemany("UPDATE run SET prolog_epilog_us = ? WHERE raw_id = ? AND start_time = ?", waits)

    def rows(self, *options: str) -> list[dict]:
        done = call("usage", self.place, "--goodput", "--json", *PERIOD, *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_is_as_busy_as_one_wants(self):
        self.assertEqual(self.imported.returncode, 0)
        self.assertIn(f": {len(self.cluster.runs)} runs, 0 bad lines, 0 not stored", self.imported.stderr)
        states = collections.Counter(run.state for run in self.cluster.runs if sum(run.held) > 0)
        for state in (*LOST, "COMPLETED", "CANCELLED by 0"):
            self.assertGreater(states[state], 3, states)
        # some ran over its begin, and its end
        for edge in (FEBRUARY, MARCH):
            self.assertGreater(sum(run.start < edge < run.end for run in self.cluster.runs), 0)

    def waiting_part(self, run: Run) -> float:
        seconds = self.waits.get((run.job.id, run.start), 0)
        return seconds / (run.end - run.start) if seconds else 0

    def assert_whole(self, row: dict, runs: list[Run]) -> None:
        for i, device in enumerate(DEVICES):
            held = sum(run.held[i] for run in runs)
            parts = {name: row.get(f"{device}_{name}_seconds", 0) for name in CLASSES}
            self.assertEqual(round(row.get(f"allocated_{device}_seconds", 0), 3), held)
            self.assertEqual(round(sum(parts.values()), 3), held, parts)
            for name in set(LOST.values()):
                lost = sum(run.held[i] for run in runs if LOST.get(run.state) == name)
                self.assertEqual(round(parts[name], 3), lost, name)
            others = [run for run in runs if run.state not in LOST]
            self.assertAlmostEqual(parts["prolog_epilog"], sum(run.held[i] * self.waiting_part(run) for run in others), delta=0.01)
            unknown = sum(run.held[i] * (1 - self.waiting_part(run)) for run in others if not run.job.is_metered)
            self.assertAlmostEqual(parts["unobserved"], unknown, delta=0.01)

    def test_adds_up_to_what_was_allocated(self):
        (row,) = self.rows("--by=cluster")
        self.assert_whole(row, self.cluster.runs)
        # jobs with accelerators are not preempted
        kinds = [(device, name) for device in DEVICES for name in CLASSES if row[f"{device}_{name}_seconds"] == 0]
        self.assertEqual(kinds, [("gpu", "lost_to_preemption")])

    def test_adds_up_for_each_of_whom(self):
        for by, get_name in (("user", lambda job: job.user), ("account", lambda job: USERS[job.user][0]), ("partition", lambda job: job.partition)):
            rows = self.rows(f"--by={by}")
            names = sorted({get_name(run.job) for run in self.cluster.runs if run.held[0] > 0})
            self.assertEqual(sorted(row[by] for row in rows), names)
            for row in rows:
                self.assert_whole(row, [run for run in self.cluster.runs if get_name(run.job) == row[by]])

    def test_adds_up_over_nodes(self):
        """Each run has as much on each of its nodes."""
        rows = {row["node"]: row for row in self.rows("--by=node")}
        held: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
        lost: collections.Counter[str] = collections.Counter()
        for run in self.cluster.runs:
            for name in [f"n{place}" for place in run.job.places if run.held[0] > 0]:
                held[name] = [sum_of + part // run.job.nodes for sum_of, part in zip(held[name], run.held)]
                lost[name] += run.held[0] // run.job.nodes * (run.state in LOST)
        self.assertEqual(sorted(rows), sorted(held))
        for name, row in rows.items():
            for i, device in enumerate(DEVICES):
                parts = {part: row.get(f"{device}_{part}_seconds", 0) for part in CLASSES}
                self.assertAlmostEqual(sum(parts.values()), held[name][i], delta=0.01)
                self.assertAlmostEqual(row.get(f"allocated_{device}_seconds", 0), held[name][i], delta=0.01)
            self.assertAlmostEqual(sum(row[f"cpu_{part}_seconds"] for part in set(LOST.values())), lost[name], delta=0.01)

    def test_adds_up_over_its_days(self):
        (month,) = self.rows("--by=month")
        days = self.rows("--by=day")
        self.assertEqual((month["month"], len(days)), ("2026-02", 28))
        self.assert_whole(month, self.cluster.runs)
        for device in DEVICES:
            for name in CLASSES:
                key = f"{device}_{name}_seconds"
                self.assertAlmostEqual(sum(day.get(key, 0) for day in days), month[key], delta=0.001, msg=key)


if __name__ == "__main__":
    sys.exit(tap.run(Month))
