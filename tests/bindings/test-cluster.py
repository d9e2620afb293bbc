#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Clusters, asked from Python; Slurm's commands are scripts that print what a real one said."""

import pathlib
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from gi.repository import GLib  # noqa: E402
from introspection import JobMetrics  # noqa: E402
from slurm_scripts import write_script, write_scripts  # noqa: E402

Topic = JobMetrics.SchedulerTopic
State = JobMetrics.SchedulerJobState
PATIENCE_MS = 60000


class Asking(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        write_scripts(self.folder)
        self.cluster = self.make(f"slurm,directory={self.folder}")

    def make(self, *schedulers: str) -> JobMetrics.Cluster:
        cluster = JobMetrics.Cluster(schedulers=list(schedulers), interval=1)
        cluster.init(None)
        return cluster

    def test_lists_jobs(self):
        report = self.cluster.read(0, Topic.JOBS, None)
        jobs = [report.get_job(i) for i in range(report.get_n_jobs())]
        self.assertEqual(sum(job.tasks for job in jobs if job.state == State.PENDING), 202)
        (job,) = [job for job in jobs if job.id == "4"]
        self.assertEqual((job.user, job.partitions, job.cpus_requested), ("ben", "batch,short", 32))
        self.assertEqual(self.cluster.get_scheduler(0).get_cluster(), "recorded")

    def test_takes_a_sample_at_once(self):
        snapshot = self.cluster.sample()
        kinds = {snapshot.get_kind(i) for i in range(snapshot.get_n_subjects())}
        self.assertIn(JobMetrics.SubjectKind.PARTITION, kinds)
        self.assertIsNone(self.cluster.get_error(0, Topic.JOBS))

    def test_says_what_failed(self):
        write_script(self.folder / "squeue", "echo 'no controller' >&2; exit 1")
        with self.assertRaises(GLib.Error) as caught:
            self.cluster.read(0, Topic.JOBS, None)
        self.assertIn("no controller", str(caught.exception))

    def test_goes_on_in_the_background(self):
        self.cluster.start()
        self.assertTrue(self.cluster.wait_for_answers(PATIENCE_MS))
        self.assertGreater(self.cluster.sample().get_n_subjects(), 4)

    def test_refuses_a_scheduler_that_does_not_exist(self):
        with self.assertRaises(GLib.Error):
            self.make("slrum")


class Mine(JobMetrics.Source, JobMetrics.Scheduler):
    """A scheduler written in Python."""

    def do_get_cluster(self):
        return "mine"

    def do_has_topic(self, topic):
        return topic == Topic.JOBS

    def do_read(self, topic, report, cancellable):
        job = JobMetrics.SchedulerJob()
        job.init()
        job.id = "1"
        job.state = State.RUNNING
        report.add_job(job)
        return True


class OnesOwn(unittest.TestCase):
    def test_scheduler_is_asked(self):
        cluster = JobMetrics.Cluster(schedulers=[])
        cluster.init(None)
        cluster.add_scheduler(Mine())
        report = cluster.read(0, Topic.JOBS, None)
        self.assertEqual(report.get_n_jobs(), 1)
        snapshot = cluster.sample()
        self.assertEqual(snapshot.get_kind(0), JobMetrics.SubjectKind.CLUSTER)


if __name__ == "__main__":
    sys.exit(tap.run(Asking, OnesOwn))
