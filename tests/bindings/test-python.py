#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a program in Python sees of jobs, with PyGObject alone."""

import gc
import json
import os
import pathlib
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from introspection import JobMetrics  # noqa: E402
from gi.repository import Gio, GLib  # noqa: E402, I001

BURN = FIXTURES / "slurm-v2-burn"
NOTHING = FIXTURES / "empty"
JOB_1 = BURN / "sys/fs/cgroup/system.slice/n1_slurmstepd.scope/job_1"
KIND = JobMetrics.SubjectKind
CPU = JobMetrics.Quantity.of_subject(KIND.JOB, "cpu_seconds")


def node_of(folder: pathlib.Path) -> JobMetrics.Node:
    return JobMetrics.Node.new_full(JobMetrics.Host.new(str(folder)))


def subjects_of_jobs(snapshot: JobMetrics.Snapshot) -> dict[str, int]:
    """Job ids and their subjects' numbers."""
    subjects = range(snapshot.get_n_subjects())
    jobs = [subject for subject in subjects if snapshot.get_kind(subject) == JobMetrics.SubjectKind.JOB]
    return {snapshot.get_job(subject).get_id(): subject for subject in jobs}


def value(snapshot: JobMetrics.Snapshot, subject: int, quantity: JobMetrics.Quantity) -> float | None:
    measured, number = snapshot.get_value(subject, quantity)
    return number if measured else None


def error(code: JobMetrics.Error, text: str) -> GLib.Error:
    return GLib.Error.new_literal(JobMetrics.error_quark(), text, code)


class Mill(JobMetrics.Source, JobMetrics.JobSource):
    """Jobs of a scheduler that jobmetrics has never heard of: the cgroups below /mill."""

    def do_open(self):
        self.asked = []
        return True

    def do_match(self, path):
        parts = path.strip("/").split("/")
        return JobMetrics.Place.new(parts[1], None, None) if parts[0] == "mill" and len(parts) == 2 else None

    def do_identify(self, path, place, pid):
        self.asked.append((path, place.get_job(), pid))
        fields = {"scheduler": "mill", "jobid": place.get_job(), "user": "erin", "colour": "red"}
        return JobMetrics.Job.new(fields, JobMetrics.Origin.HOOK)


class Barn(JobMetrics.Source, JobMetrics.CgroupReader):
    """Cgroups that stand in no file system."""

    TREE = {"/": ["mill"], "/mill": ["7", "8", "9"]}

    def do_open(self):
        self.cgroups = {}
        return True

    def do_list_children(self, path):
        return self.TREE.get(path, [])

    def do_open_cgroup(self, path, level):
        if path.endswith("9"):
            raise error(JobMetrics.Error.ABSENT, f"{path}: gone already")
        number = len(self.cgroups) + 1
        self.cgroups[number] = path
        return number

    def do_read(self, cgroup, readings):
        if readings.begin(JobMetrics.Collector.CPU):
            readings.add_value(CPU, 2_500_000_000)
        if self.cgroups[cgroup].endswith("8") and readings.begin(JobMetrics.Collector.MEMORY):
            readings.add_error(error(JobMetrics.Error.DENIED, "the barn is locked"))
        readings.end()
        return True

    def do_list_processes(self, cgroup, readings):
        return True

    def do_close_cgroup(self, cgroup):
        del self.cgroups[cgroup]


class Cellar(JobMetrics.Source, JobMetrics.CgroupReader):
    """Like a hierarchy of which nothing can be listed."""

    def do_list_children(self, path):
        raise error(JobMetrics.Error.DENIED, f"{path}: too dark")

    def do_open_cgroup(self, path, level):
        raise error(JobMetrics.Error.DENIED, f"{path}: too dark")

    def do_read(self, cgroup, readings):
        return False

    def do_list_processes(self, cgroup, readings):
        return False

    def do_close_cgroup(self, cgroup):
        pass


def opened(source: JobMetrics.Source) -> JobMetrics.Source:
    source.init(None)
    return source


class ASnapshot(unittest.TestCase):
    def test_lists_the_jobs_of_a_fixture_and_their_users(self):
        jobs = {job.get_id(): job.get_user() for job in node_of(BURN).sample().get_jobs()}
        self.assertEqual(jobs, {"1": "bob", "2": "alice", "3": "bob"})

    def test_has_the_kernels_figures_in_base_units(self):
        snapshot = node_of(BURN).sample()
        cpu_stat = dict(line.split() for line in (JOB_1 / "cpu.stat").read_text().splitlines())
        found, subject = snapshot.find_job("1")
        self.assertTrue(found)
        self.assertAlmostEqual(value(snapshot, subject, CPU), int(cpu_stat["usage_usec"]) / 1e6, places=6)
        self.assertEqual(
            value(snapshot, subject, JobMetrics.Quantity.of_subject(KIND.JOB, "memory_used_bytes")), int((JOB_1 / "memory.current").read_text())
        )

    def test_says_what_was_not_measured(self):
        snapshot = node_of(BURN).sample()
        subject = subjects_of_jobs(snapshot)["1"]
        self.assertFalse((JOB_1 / "pids.current").exists())
        measured, _ = snapshot.get_value(subject, JobMetrics.Quantity.of_subject(KIND.JOB, "pids"))
        self.assertFalse(measured)

    def test_distinguishes_values_of_one_metric_by_label(self):
        snapshot = node_of(BURN).sample()
        subject = subjects_of_jobs(snapshot)["1"]
        threads = JobMetrics.Quantity.of_subject(KIND.JOB, "threads")
        states = snapshot.list_labels(subject, threads)
        threads = {
            state: snapshot.get_labelled_value(subject, threads, state) for state in states
        }
        self.assertGreater(sum(number for measured, number in threads.values()), 1)
        self.assertTrue(all(measured for measured, number in threads.values()), threads)
        self.assertEqual(snapshot.list_labels(subject, CPU), [])

    def test_knows_no_job_by_another_name(self):
        self.assertFalse(node_of(BURN).sample().find_job("12345")[0])

    def test_of_an_empty_machine_has_the_nodes_totals_alone(self):
        snapshot = node_of(NOTHING).sample()
        self.assertEqual(snapshot.get_jobs(), [])
        self.assertEqual(value(snapshot, JobMetrics.NODE_SUBJECT, JobMetrics.Quantity.of_subject(KIND.NODE, "cpus")), 2)

    def test_of_this_machine_agrees_with_its_kernel(self):
        snapshot = JobMetrics.Node.new_full(None).sample()
        node = JobMetrics.NODE_SUBJECT
        self.assertEqual(value(snapshot, node, JobMetrics.Quantity.of_subject(KIND.NODE, "cpus")), os.sysconf("SC_NPROCESSORS_ONLN"))
        pages = value(snapshot, node, JobMetrics.Quantity.of_subject(KIND.NODE, "memory_size_bytes")) / os.sysconf("SC_PAGE_SIZE")
        self.assertEqual(pages, os.sysconf("SC_PHYS_PAGES"))
        self.assertAlmostEqual(snapshot.get_time() / 1e6, GLib.get_real_time() / 1e6, delta=60)

    def test_lives_no_shorter_than_the_jobs_taken_from_it(self):
        snapshot = node_of(BURN).sample()
        listed = snapshot.get_jobs()
        single = snapshot.get_job(subjects_of_jobs(snapshot)["2"])
        del snapshot
        gc.collect()
        self.assertEqual([job.get_id() for job in listed], ["1", "2", "3"])
        self.assertEqual(single.get_field(JobMetrics.JobField.USER), "alice")

    def test_becomes_what_prometheus_reads_and_json(self):
        snapshot = node_of(BURN).sample()
        text = JobMetrics.TextEncoder.new().to_string(snapshot, JobMetrics.TextFormat.PROMETHEUS)
        self.assertIn('\njobmetrics_job_info{', text)
        tree = JobMetrics.json_encode_snapshot(snapshot, None)
        self.assertIn('"alice"', JobMetrics.json_to_string(tree, False))

    def test_is_shown_by_those_metrics_that_are_selected(self):
        snapshot = node_of(BURN).sample()
        selection = JobMetrics.MetricSelection.new(["jobmetrics_job_cpus"], None)
        encoder = JobMetrics.TextEncoder.new()
        encoder.set_selection(selection)
        text = encoder.to_string(snapshot, JobMetrics.TextFormat.PROMETHEUS)
        names = {line.split("{")[0] for line in text.splitlines() if not line.startswith("#")}
        self.assertEqual(names, {"jobmetrics_job_cpus"})
        tree = json.loads(JobMetrics.json_to_string(JobMetrics.json_encode_snapshot(snapshot, selection), False))
        self.assertEqual({name for job in tree["jobs"] for name in job["metrics"]}, {"cpus"})

    def test_can_be_taken_from_a_node_made_with_properties(self):
        host = JobMetrics.Host(root=str(BURN))
        snapshot = JobMetrics.Node(host=host, level=JobMetrics.SubjectKind.STEP).sample()
        levels = {snapshot.get_kind(subject) for subject in range(snapshot.get_n_subjects())}
        self.assertEqual(levels, set(map(JobMetrics.SubjectKind, range(JobMetrics.SubjectKind.TASK))))

    def test_can_be_waited_for_in_a_main_loop(self):
        sampler = JobMetrics.Sampler.new(node_of(BURN), 60_000)
        loop = GLib.MainLoop()
        taken = []

        def on_sample(source, result):
            taken.append(source.sample_finish(result))
            loop.quit()

        sampler.sample_async(0, None, on_sample)
        loop.run()
        sampler.stop()
        self.assertEqual(len(taken[0].get_jobs()), 3)


class TheMetricTable(unittest.TestCase):
    def test_can_be_read_from_end_to_end(self):
        for kind in map(KIND, range(JobMetrics.N_SUBJECT_KINDS)):
            for quantity in JobMetrics.Quantity.list_of_subject(kind):
                info = quantity.get_metric_info()
                self.assertTrue(info.name and info.help.endswith("."), info.name)
                for name in (info.name, quantity.name):
                    self.assertEqual(JobMetrics.Quantity.of_subject(kind, name).help, quantity.help, name)

    def test_finds_an_entry_by_name(self):
        self.assertEqual(CPU.get_metric_info().name, "cpu_seconds_total")
        self.assertIsNone(JobMetrics.Quantity.of_subject(KIND.JOB, "no_such_metric"))
        self.assertIsNone(JobMetrics.Quantity.of_run("cpu_efficiency_percent").get_metric_info())


class AnError(unittest.TestCase):
    def test_has_a_domain_and_a_code(self):
        with self.assertRaises(GLib.Error) as caught:
            JobMetrics.Host.new(str(BURN)).read_all("/proc/none", 100)
        self.assertTrue(caught.exception.matches(JobMetrics.error_quark(), JobMetrics.Error.ABSENT))
        self.assertIn("/proc/none", caught.exception.message)

    def test_says_that_a_caller_cancelled(self):
        cancellable = Gio.Cancellable()
        cancellable.cancel()
        with self.assertRaises(GLib.Error) as caught:
            node_of(BURN).sample(cancellable)
        self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED))


class SourcesInPython(unittest.TestCase):
    def setUp(self):
        self.node = node_of(NOTHING)
        self.mill, self.barn = opened(Mill()), opened(Barn())
        self.node.add_source(self.mill)
        self.node.add_source(self.barn)

    def test_report_who_the_jobs_are(self):
        jobs = {job.get_id(): job for job in self.node.sample().get_jobs()}
        # who the last was is known, though it was gone before it could be opened
        self.assertEqual(set(jobs), {"7", "8", "9"})
        self.assertEqual(jobs["7"].get_user(), "erin")
        self.assertEqual(jobs["7"].get_field(JobMetrics.JobField.SCHEDULER), "mill")
        self.assertIn(("/mill/7", "7", 0), self.mill.asked)

    def test_report_what_cgroups_have_used(self):
        snapshot = self.node.sample()
        jobs = subjects_of_jobs(snapshot)
        self.assertEqual(value(snapshot, jobs["7"], CPU), 2.5)
        self.assertIsNone(value(snapshot, jobs["7"], JobMetrics.Quantity.of_subject(KIND.JOB, "memory_used_bytes")))

    def test_report_what_they_could_not_read(self):
        snapshot = self.node.sample()
        self.assertEqual(snapshot.get_n_errors(JobMetrics.Collector.MEMORY), 1)
        first = snapshot.get_error(JobMetrics.Collector.MEMORY)
        self.assertTrue(first.matches(JobMetrics.error_quark(), JobMetrics.Error.DENIED))
        self.assertEqual(first.message, "the barn is locked")
        self.assertIsNone(snapshot.get_error(JobMetrics.Collector.CPU))

    def test_that_fail_cost_others_nothing(self):
        self.node.add_source(opened(Cellar()))
        self.assertEqual(len(self.node.sample().get_jobs()), 3)

    def test_read_the_files_of_their_host(self):
        mill = opened(Mill(host=JobMetrics.Host.new(str(BURN))))
        number = mill.get_host().read_uint64(f"/{(JOB_1 / 'memory.current').relative_to(BURN)}")
        self.assertEqual(number, int((JOB_1 / "memory.current").read_text()))

    def test_are_opened_once(self):
        self.mill.do_identify("/mill/7", JobMetrics.Place.new("7", None, None), 0)
        self.assertTrue(self.mill.init(None))
        self.assertEqual(len(self.mill.asked), 1)

    def test_live_as_long_as_the_node(self):
        del self.mill, self.barn
        gc.collect()
        self.assertEqual(len(self.node.sample().get_jobs()), 3)


class Memory(unittest.TestCase):
    ROUNDS = 1000
    SPARE_PAGES = 256 * 1024 // os.sysconf("SC_PAGE_SIZE")

    def look(self, node: JobMetrics.Node) -> None:
        snapshot = node.sample()
        for number, subject in subjects_of_jobs(snapshot).items():
            snapshot.get_job(subject).get_field(JobMetrics.JobField.UUID)
            value(snapshot, subject, CPU)
            snapshot.list_labels(subject, JobMetrics.Quantity.of_subject(KIND.JOB, "threads"))
        snapshot.get_jobs()
        snapshot.get_error(JobMetrics.Collector.MEMORY)

    def resident_pages(self) -> int:
        gc.collect()
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1])

    def assert_steady(self, node: JobMetrics.Node) -> None:
        for _ in range(self.ROUNDS // 4):
            self.look(node)
        before = self.resident_pages()
        for _ in range(self.ROUNDS):
            self.look(node)
        self.assertLess(self.resident_pages() - before, self.SPARE_PAGES)

    def test_does_not_grow_over_a_thousand_snapshots(self):
        self.assert_steady(node_of(BURN))

    def test_does_not_grow_with_sources_in_python(self):
        node = node_of(NOTHING)
        node.add_source(opened(Mill()))
        node.add_source(opened(Barn()))
        self.assert_steady(node)


if __name__ == "__main__":
    sys.exit(tap.run(ASnapshot, TheMetricTable, AnError, SourcesInPython, Memory))
