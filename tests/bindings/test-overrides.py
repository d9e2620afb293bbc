#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a program in Python sees of jobs, with the library's own overrides."""

import builtins
import contextlib
import gc
import inspect
import json
import os
import pathlib
import pickle
import pydoc
import shutil
import sys
import tempfile
import threading
import unittest
from datetime import datetime, timedelta, timezone
from unittest import mock

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from introspection import JobMetrics  # noqa: E402
from gi.repository import Gio, GLib  # noqa: E402, I001
from gi.overrides.JobMetrics._errors import specific  # noqa: E402

BURN = FIXTURES / "slurm-v2-burn"
STEPS = FIXTURES / "slurm-v2-steps"
HOOKS = FIXTURES / "slurm-v2-hooks"
EMPTY = FIXTURES / "empty"
HOSTILE = FIXTURES / "hostile"
JOB_1 = BURN / "sys/fs/cgroup/system.slice/n1_slurmstepd.scope/job_1"


def of_job(name: str) -> JobMetrics.Quantity:
    return JobMetrics.Quantity.of_subject(JobMetrics.SubjectKind.JOB, name)


def sample(folder: pathlib.Path, **settings) -> JobMetrics.Snapshot:
    with JobMetrics.Node(host=folder, **settings) as node:
        return node.sample()


class ASnapshot(unittest.TestCase):
    def test_is_read_job_by_job(self):
        self.assertEqual([(job.id, job.user) for job in sample(BURN)], [("1", "bob"), ("2", "alice"), ("3", "bob")])
        self.assertEqual([job.id for job in sample(BURN).jobs], ["1", "2", "3"])

    def test_has_keys_values_and_items(self):
        snapshot = sample(BURN)
        self.assertEqual(snapshot.keys(), ["1", "2", "3"])
        self.assertEqual(snapshot.values(), snapshot.jobs)
        self.assertEqual(snapshot.items()[1], ("2", snapshot["2"]))
        self.assertEqual(dict(snapshot), {job.id: job for job in snapshot})

    def test_is_a_mapping_of_jobs_by_id_and_by_uuid(self):
        snapshot = sample(BURN)
        self.assertEqual(len(snapshot), 3)
        self.assertEqual(snapshot["2"].user, "alice")
        self.assertEqual(snapshot[snapshot["2"].uuid], snapshot["2"])
        self.assertIn("3", snapshot)
        self.assertIn(snapshot["3"], snapshot)
        self.assertNotIn("4", snapshot)
        self.assertIsNone(snapshot.get("4"))
        with self.assertRaisesRegex(KeyError, "^'4'$"):
            snapshot["4"]

    def test_prints_what_people_can_read(self):
        snapshot = sample(STEPS, level="task")
        self.assertEqual(repr(snapshot["5"]), "<Job 5 bob: 20.58 s CPU, 46.5 MiB>")
        self.assertEqual(repr(snapshot["5"].steps[1]), "<Step 5.batch: 1.07 s CPU, 4.6 MiB>")
        self.assertEqual(repr(snapshot["5"].steps[1].tasks[0]), "<Task 5.batch.0: 0.60 s CPU, 4.3 MiB>")
        self.assertEqual(repr(snapshot.node), "<Node: 2 CPUs, 3.8 GiB>")
        self.assertRegex(repr(snapshot), r"^<Snapshot of 4 jobs at 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00>$")

    def test_reports_times_with_their_zone(self):
        snapshot = sample(BURN)
        self.assertEqual(snapshot.time, datetime.fromtimestamp(snapshot.get_time() / 1e6, timezone.utc))
        self.assertGreater(snapshot.duration, timedelta(0))
        self.assertLess(snapshot.duration, timedelta(minutes=1))

    def test_reports_how_collectors_fared(self):
        collectors = sample(BURN).collectors
        self.assertTrue(collectors["memory.stat"].success)
        self.assertIsNone(collectors["memory.stat"].error)
        self.assertGreater(collectors["cpu"].duration, timedelta(0))
        broken = sample(HOSTILE).collectors["memory"]
        self.assertFalse(broken.success)
        self.assertGreater(broken.n_errors, 0)
        self.assertIsInstance(broken.error, JobMetrics.MalformedError)
        self.assertIn(str(HOSTILE), str(broken.error))

    def test_reports_the_node(self):
        node = sample(BURN).node
        memory = dict(line.split(":") for line in (BURN / "proc/meminfo").read_text().splitlines())
        self.assertEqual(node.memory_size_bytes, int(memory["MemTotal"].split()[0]) * 1024)
        self.assertGreater(node["cpu_seconds_total"]["user"], 0)
        self.assertEqual(node.start_time.timestamp(), node["boot_time_seconds"])

    def test_stays_when_its_node_has_gone(self):
        node = JobMetrics.Node(host=BURN)
        job = node.sample()["1"]
        node.close()
        del node
        gc.collect()
        self.assertAlmostEqual(job.cpu_seconds_total, 22.16, places=2)

    def test_of_a_node_without_jobs_has_none(self):
        self.assertEqual(list(sample(EMPTY)), [])
        self.assertEqual(sample(EMPTY).to_dict()["jobs"], [])


class Help(unittest.TestCase):
    def test_begins_with_a_summary(self):
        text = pydoc.plain(pydoc.render_doc(JobMetrics))
        self.assertLess(text.index("What most programs need:"), 600)
        for name in ("Node", "Sampler", "Snapshot", "JobSubject", "Field", "PowerSplit", "JobMetricsError"):
            self.assertRegex(JobMetrics.__doc__, rf"(?m)^    {name} ")
            self.assertTrue(hasattr(JobMetrics, name))

    def test_explains_what_a_node_may_be_given(self):
        settings = [name for name in dir(JobMetrics.Node.props) if not name.startswith("_")]
        for name in settings:
            self.assertRegex(JobMetrics.Node.__doc__, rf"(?m)^    {name}: .{{10}}")
        self.assertRegex(JobMetrics.Node.__doc__, r"linger: .*seconds, or a timedelta")
        self.assertEqual(set(inspect.signature(JobMetrics.Node).parameters), set(settings))


class AJob(unittest.TestCase):
    def test_has_the_kernels_figures(self):
        job = sample(BURN)["1"]
        cpu_stat = dict(line.split() for line in (JOB_1 / "cpu.stat").read_text().splitlines())
        self.assertAlmostEqual(job.cpu_seconds_total, int(cpu_stat["usage_usec"]) / 1e6, places=6)
        memory = int((JOB_1 / "memory.current").read_text())
        self.assertEqual(job["memory_used_bytes"], memory)
        self.assertEqual(job.metrics["memory_used_bytes"], memory)
        self.assertIsInstance(job.memory_used_bytes, int)

    def test_has_none_for_what_was_not_measured(self):
        job = sample(BURN)["1"]
        self.assertFalse((JOB_1 / "pids.current").exists())
        for absent in (job.pids, job["pids"], job.metrics["pids"], job.sluid, job["sluid"], job.io_reads_total):
            self.assertIsNone(absent)
        self.assertNotIn("pids", job)
        self.assertNotIn("pids", list(job.metrics))
        self.assertNotIn("sluid", dict(job))

    def test_knows_no_other_names(self):
        job = sample(BURN)["1"]
        with self.assertRaisesRegex(AttributeError, "JobSubject has no 'memory'"):
            job.memory
        for mapping in (job, job.metrics):
            with self.assertRaisesRegex(KeyError, "memory"):
                mapping["memory"]
        with self.assertRaises(KeyError):
            job.metrics["memory_size_bytes"]  # the node's

    def test_has_labelled_metrics_as_dicts(self):
        threads = sample(BURN)["1"].threads
        self.assertEqual(set(threads), {"running", "sleeping", "disk_sleep", "stopped", "zombie"})
        self.assertGreater(sum(threads.values()), 1)

    def test_has_a_name_for_each_field_and_metric_and_no_two_alike(self):
        fields = [JobMetrics.job_field_get_name(JobMetrics.JobField(n)) for n in range(JobMetrics.N_JOB_FIELDS)]
        quantities = JobMetrics.Quantity.list_of_subject(JobMetrics.SubjectKind.JOB)
        metrics = [one.get_metric_info().name for one in quantities]
        job = sample(BURN)["1"]
        names = fields + metrics
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual(set(names), set(dir(job)))
        self.assertEqual({name: getattr(job, name) for name in names}, {name: job[name] for name in names})

    def test_knows_who_it_is(self):
        job = sample(HOOKS)["2"]
        lines = (HOOKS / "run/jobmetrics/jobs/2").read_text().splitlines()
        told = dict(line.split("=", 1) for line in lines if "=" in line)
        self.assertEqual(job.user, told["SLURM_JOB_USER"])
        self.assertEqual(job.uid, int(told["SLURM_JOB_UID"]))
        self.assertEqual(job.account, told["SLURM_JOB_ACCOUNT"])
        self.assertEqual(job.origins["account"], "hook")
        self.assertEqual(job.origins["scheduler"], "path")
        self.assertNotIn("uuid", job.origins)
        self.assertEqual(job.start_time, datetime.fromtimestamp(int(told["SLURM_JOB_START_TIME"]), timezone.utc))
        self.assertFalse(job.is_uuid_weak)
        self.assertEqual(job.record.fields["uid"], job.uid)

    def test_has_the_fields_that_a_sites_definition_declares(self):
        slurm = (pathlib.Path(__file__).parents[2] / "data/schedulers/slurm.conf").read_text()
        with tempfile.TemporaryDirectory() as directory:
            (pathlib.Path(directory) / "slurm.conf").write_text(slurm + "\n[Fields]\nshell=SHELL\n")
            with JobMetrics.Node(host=STEPS, schedulers=[directory]) as node:
                record = node.sample()["5"].record
        self.assertEqual(record.fields["shell"], "/bin/bash")
        self.assertEqual(record.origins["shell"], "environment")

    def test_has_run_since_its_start(self):
        snapshot = sample(STEPS)
        self.assertEqual(snapshot["5"].elapsed, snapshot.time - snapshot["5"].start_time)
        self.assertIsNone(snapshot["5"].end_time)
        self.assertFalse(snapshot["5"].ended)
        self.assertIsNone(snapshot["14"].start_time)
        self.assertIsNone(snapshot["14"].elapsed)

    def test_has_steps_and_these_have_tasks(self):
        job = sample(STEPS, level="task")["5"]
        self.assertEqual([step.name for step in job.steps], ["0", "batch", "extern"])
        self.assertEqual([task.name for task in job.steps[0].tasks], ["0", "1"])
        self.assertEqual(job.steps[0].tasks[1].job, job)
        self.assertGreater(job.steps[0].tasks[1].cpu_seconds_total, 0)
        self.assertEqual(sample(STEPS, level="step")["5"].steps[0].tasks, [])
        self.assertEqual(sample(STEPS)["5"].steps, [])

    def test_becomes_plain_values_and_json(self):
        snapshot = sample(STEPS, level="task")
        job = snapshot["5"]
        self.assertEqual(json.loads(job.to_json()), job.to_dict())
        self.assertEqual(json.loads(snapshot.to_json(pretty=True)), snapshot.to_dict())
        self.assertEqual(snapshot.to_dict()["jobs"][0], job.to_dict())
        self.assertEqual(job.to_dict()["steps"][0]["tasks"][1], job.steps[0].tasks[1].to_dict())
        self.assertEqual(json.loads(job.steps[0].to_json()), job.to_dict()["steps"][0])
        self.assertEqual(snapshot.node.to_dict()["cpus"], 2)
        self.assertNotIn("sluid", job.to_dict())

    def test_can_be_distinguished_from_others(self):
        snapshot = sample(BURN)
        self.assertEqual(len({snapshot["1"], snapshot["1"], snapshot["2"]}), 2)
        self.assertNotEqual(snapshot["1"], sample(BURN)["1"])
        self.assertNotEqual(snapshot["1"], "1")


def without(module: str):
    """As if a module were not installed."""
    real = builtins.__import__

    def refuse(name, *arguments, **keywords):
        if name == module:
            raise ImportError(f"No module named {name!r}")
        return real(name, *arguments, **keywords)

    return mock.patch.object(builtins, "__import__", refuse)


class ADataFrame(unittest.TestCase):
    def setUp(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        self.pandas = pandas

    def test_has_a_row_for_each_job(self):
        snapshot = sample(BURN)
        frame = snapshot.to_dataframe()
        self.assertEqual(list(frame.index), ["1", "2", "3"])
        self.assertEqual(frame.loc["2", "user"], "alice")
        self.assertEqual(frame.loc["1", "cpu_seconds_total"], snapshot["1"].cpu_seconds_total)
        self.assertEqual(frame.loc["1", "threads[running]"], snapshot["1"].threads["running"])
        self.assertEqual(frame.attrs["time"], snapshot.time)
        self.assertNotIn("sluid", frame.columns)

    def test_has_a_row_for_each_step_or_task(self):
        snapshot = sample(STEPS, level="task")
        self.assertIn(("5", "batch"), snapshot.to_dataframe("step").index)
        tasks = snapshot.to_dataframe(JobMetrics.SubjectKind.TASK)
        self.assertEqual(tasks.loc[("5", "0", "1"), "cpu_seconds_total"], snapshot["5"].steps[0].tasks[1].cpu_seconds_total)

    def test_of_no_jobs_is_empty(self):
        for level in ("job", "step", "task"):
            self.assertTrue(sample(EMPTY).to_dataframe(level).empty)


class ANotebook(unittest.TestCase):
    def test_has_a_row_for_each_job(self):
        snapshot = sample(BURN)
        page = snapshot._repr_html_()
        self.assertEqual(page.count("<tr>"), 1 + len(snapshot))
        for job in snapshot:
            self.assertIn(f"<td>{job.id}</td><td>{job.user}</td>", page)

    def test_has_the_picture_of_a_plot(self):
        plot = JobMetrics.Plot.new(JobMetrics.PlotKind.LINES, "Busy", JobMetrics.Format.PERCENT)
        plot.add_series("all", [0.0, 1.0], [10.0, 90.0])
        self.assertTrue(plot._repr_svg_().startswith("<svg"))


class WithoutPandas(unittest.TestCase):
    def test_a_data_frame_is_refused_with_a_reason(self):
        with without("pandas"), self.assertRaisesRegex(ImportError, r"^to_dataframe\(\) needs pandas \(Debian: python3-pandas\)$"):
            sample(BURN).to_dataframe()


class ANode(unittest.TestCase):
    def test_reports_what_it_may_be_configured_with(self):
        settings = {setting.name: setting for setting in JobMetrics.Node.list_settings()}
        self.assertEqual(settings["sample.level"].choices, ["job", "step", "task"])
        self.assertEqual((settings["sample.linger"].preset, settings["sample.linger"].high), ("120", 86400))
        self.assertEqual(settings["power.share-idle"].property, "share-idle")
        with self.assertRaisesRegex(TypeError, "'shoe'"):
            JobMetrics.Node(host=EMPTY, shoe=7)

    def test_takes_a_path_a_string_or_a_host(self):
        for host in (BURN, str(BURN), JobMetrics.Host(root=BURN), JobMetrics.Host.new(str(BURN))):
            self.assertEqual(len(sample(host)), 3)

    def test_takes_settings_as_python_has_them(self):
        node = JobMetrics.Node(host=EMPTY, linger=timedelta(minutes=1), memory_stat_interval=timedelta(seconds=1), cluster="c")
        self.assertEqual((node.props.linger, node.props.memory_stat_interval, node.props.cluster), (60, 1000, "c"))
        self.assertEqual(JobMetrics.Node(level="task").props.level, JobMetrics.SubjectKind.TASK)
        self.assertEqual(JobMetrics.Node(level=JobMetrics.SubjectKind.STEP).props.level, JobMetrics.SubjectKind.STEP)

    def test_runs_the_collectors_that_were_chosen(self):
        snapshot = sample(BURN, collectors=["cpu", JobMetrics.Collector.NODE])
        self.assertEqual(list(snapshot.collectors), ["jobs", "cpu", "node"])
        chosen = JobMetrics.Node(host=BURN, collectors={"io", "cpu"}).props.collectors
        self.assertEqual((list(chosen), "cpu" in chosen, "node" in chosen), (["cpu", "io"], True, False))
        self.assertIsNone(snapshot["1"].memory_used_bytes)
        self.assertGreater(snapshot["1"].cpu_seconds_total, 0)

    def test_names_jobs_by_its_cluster(self):
        self.assertEqual(sample(EMPTY, cluster="atlas").node.cpus, 2)
        self.assertEqual(sample(BURN, cluster="atlas")["1"].cluster, "atlas")

    def test_says_what_it_had_to_pass_over(self):
        self.assertEqual(JobMetrics.Node(host=BURN).problems, [])
        self.assertRegex(JobMetrics.Node(host=EMPTY).problems[0], "cgroup")

    def test_lists_what_it_has_and_how_that_fares(self):
        sources = {source.get_name(): source for source in JobMetrics.Node(host=EMPTY).list_sources()}
        self.assertEqual(sources["cgroup"].get_kind(), JobMetrics.SourceKind.CGROUPS)
        self.assertRegex(sources["cgroup"].get_error().message, "cgroup")
        self.assertEqual(sources["hwmon"].get_state(), JobMetrics.SourceState.ABSENT)

    def test_of_this_machine_agrees_with_its_kernel(self):
        snapshot = JobMetrics.Node().sample()
        self.assertEqual(snapshot.node.cpus, os.sysconf("SC_NPROCESSORS_ONLN"))
        self.assertAlmostEqual(snapshot.time, datetime.now(timezone.utc), delta=timedelta(minutes=1))
        self.assertEqual(len([job for job in snapshot]), len(snapshot))

    def test_gives_its_files_back_when_closed(self):
        host = JobMetrics.Host(BURN)
        node = JobMetrics.Node(host=host)
        node.sample()
        self.assertGreater(host.get_open_files(), 0)
        node.close()
        node.close()
        self.assertEqual(host.get_open_files(), 0)

    def test_is_of_no_use_when_closed(self):
        with JobMetrics.Node(host=BURN) as node:
            node.sample()
        uses = (node.sample, node.follow, node.get_event_fd, node.__enter__, lambda: JobMetrics.Sampler(node))
        for use in (*uses, lambda: node.add_source(Mill())):
            with self.assertRaisesRegex(RuntimeError, "^the node is closed$"):
                use()
        self.assertEqual(node.problems, [])

    def test_ends_when_cancelled(self):
        cancellable = Gio.Cancellable()
        cancellable.cancel()
        with self.assertRaises(GLib.Error) as caught:
            JobMetrics.Node(host=EMPTY).sample(cancellable)
        self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED))

    def test_is_sampled_by_one_at_a_time(self):
        node = JobMetrics.Node(host=EMPTY)
        refusals = []

        class Meddler(Mill):
            def do_match(self, path):
                thread = threading.Thread(target=self.meddle)
                thread.start()
                thread.join()
                self.meddle()

            def meddle(self):
                for meddling in (node.sample, node.close, lambda: node.add_source(Mill())):
                    try:
                        meddling()
                    except RuntimeError as error:
                        refusals.append(str(error))

        node.add_source(Meddler())
        node.add_source(Barn())
        self.assertEqual(list(node.sample()), [])
        self.assertEqual(set(refusals), {"the node is being sampled already"})
        self.assertEqual(len(refusals) % 6, 0)


class Processes(unittest.TestCase):
    def test_are_listed_of_a_job(self):
        with JobMetrics.Node(host=STEPS) as node:
            job = node.sample()["5"]
            for meant in (job, job.record, job.uuid, "5"):
                self.assertEqual([process.pid for process in node.processes(meant)], [2539, 3271, 3281, 3311, 3315])

    def test_report_what_they_do_and_where(self):
        with JobMetrics.Node(host=STEPS) as node:
            process = node.processes("5")[3]
        self.assertEqual((process.pid, process.step, process.task), (3311, "0", "0"))
        self.assertEqual((process.command, process.state, process.threads), ("load", "sleeping", 2))
        self.assertEqual(process.executable, "/var/lib/slurmlab/home/load")
        self.assertEqual((process.cpu_user_seconds, process.cpu_system_seconds), (26.19, 1.09))
        self.assertAlmostEqual(process.cpu_seconds, 27.28)
        self.assertEqual(process.rss_bytes, 7931 * os.sysconf("SC_PAGE_SIZE"))
        self.assertEqual(process.start_time.tzinfo, timezone.utc)
        self.assertEqual(repr(process), "<JobMetrics.Process 3311 load>")

    def test_have_none_for_what_may_not_be_known(self):
        with tempfile.TemporaryDirectory(prefix="jobmetrics-") as folder:
            root = shutil.copytree(STEPS, pathlib.Path(folder) / "root", symlinks=True)
            (root / "proc/3311/stat").write_text("what is this\n")
            with JobMetrics.Node(host=root) as node:
                process = node.processes("5")[3]
        self.assertEqual((process.pid, process.step), (3311, "0"))
        for name in ("command", "executable", "state", "start_time", "rss_bytes", "threads"):
            self.assertIsNone(getattr(process, name), name)
        for name in ("cpu_user_seconds", "cpu_system_seconds", "cpu_seconds"):
            self.assertIsNone(getattr(process, name), name)
        self.assertEqual(repr(process), "<JobMetrics.Process 3311 ?>")

    def test_are_taken_by_one_at_a_time(self):
        node = JobMetrics.Node(host=EMPTY)
        refusals = []

        class Meddler(Mill):
            def do_match(self, path):
                try:
                    node.processes("1")
                except RuntimeError as error:
                    refusals.append(str(error))

        node.add_source(Meddler())
        node.add_source(Barn())
        node.sample()
        self.assertEqual(set(refusals), {"the node is being sampled already"})

    def test_of_a_job_that_is_not_there_are_absent(self):
        with JobMetrics.Node(host=STEPS) as node:
            with self.assertRaisesRegex(JobMetrics.AbsentError, "^6: no such job on this node$"):
                node.processes("6")
        with self.assertRaisesRegex(RuntimeError, "^the node is closed$"):
            node.processes("5")


class BadArguments(unittest.TestCase):
    def test_get_one_clear_message(self):
        node = JobMetrics.Node(host=EMPTY)
        for call, kind, message in (
            (lambda: JobMetrics.Node(3), TypeError, "positional argument"),
            (lambda: JobMetrics.Node(colour="red"), TypeError, "'colour'"),
            (lambda: JobMetrics.Node(host=3), TypeError, "^host: a path or a JobMetrics.Host is wanted, not 3$"),
            (lambda: JobMetrics.Node(host="/no/such"), JobMetrics.AbsentError, "^/no/such: no such directory$"),
            (lambda: JobMetrics.Node(host="/\0"), ValueError, "^host: a NUL character cannot stand in "),
            (lambda: JobMetrics.Node(level="cpu"), ValueError, "^level: one of job, step, task is wanted, not 'cpu'$"),
            (lambda: JobMetrics.Node(level=JobMetrics.SubjectKind.NODE), ValueError, "^level: one of job, step, task"),
            (lambda: JobMetrics.Node(level=1.5), TypeError, "^level: "),
            (lambda: JobMetrics.Node(collectors="cpu"), TypeError, "^collectors: a list of names is wanted, not 'cpu'$"),
            (lambda: JobMetrics.Node(collectors=["fpga"]), ValueError, "^collectors: 'fpga' is none of jobs, cpu, "),
            (lambda: JobMetrics.Node(collectors=[3]), TypeError, "^collectors: "),
            (lambda: JobMetrics.Node(collectors=JobMetrics.Collector.CPU), TypeError, "^collectors: "),
            (lambda: JobMetrics.Node(collectors=2**40), TypeError, "^collectors: "),
            (lambda: JobMetrics.Node(cluster=7), TypeError, "^cluster: text is wanted, not 7$"),
            (lambda: JobMetrics.Node(linger=-1), ValueError, "^linger: -1 is not between 0 and 86400$"),
            (lambda: JobMetrics.Node(linger=True), TypeError, "^linger: "),
            (lambda: JobMetrics.Node(linger=timedelta(days=2)), ValueError, "^linger: 172800 is not"),
            (lambda: JobMetrics.Node(max_cpus="all"), TypeError, "^max_cpus: a whole number is wanted, not 'all'$"),
            (lambda: JobMetrics.Node(schedulers="/etc"), TypeError, "^schedulers: a list of paths is wanted"),
            (lambda: JobMetrics.Node(filesystems=[None]), TypeError, "^filesystems: a list of paths is wanted"),
            (lambda: node.sample(5), TypeError, "Gio.Cancellable"),
            (lambda: node.processes(5), TypeError, "^job: a job, its id or its uuid is wanted, not 5$"),
            (lambda: node.processes("5\0"), ValueError, "^job: a NUL character cannot stand in "),
            (lambda: node.add_source(node), TypeError, "^source: a source .JobSource, CgroupReader, PowerSource, GpuMapper, EmissionProvider. is wanted"),
            (lambda: node.add_source(None), TypeError, "^source: "),
            (lambda: JobMetrics.Sampler(None), TypeError, "^node: a JobMetrics.Node is wanted, not None$"),
            (lambda: JobMetrics.Sampler(node, 0), ValueError, "^interval: 0 seconds is not between"),
            (lambda: JobMetrics.Sampler(node, float("nan")), ValueError, "^interval: nan seconds"),
            (lambda: JobMetrics.Sampler(node, "5"), TypeError, "^interval: a number of seconds"),
            (lambda: JobMetrics.Host(5), TypeError, "^root: text is wanted"),
            (lambda: JobMetrics.Job.new({"user": "erin"}), ValueError, "^a job must have a 'jobid'$"),
            (lambda: JobMetrics.Job.new({"jobid": 5}), TypeError, "^jobid: text is wanted, not 5$"),
            (lambda: JobMetrics.Job.new(None), TypeError, "^fields: a mapping"),
            (lambda: JobMetrics.Place.new(None), TypeError, "^job: text is wanted"),
            (lambda: JobMetrics.Place.new("1", None, "0"), ValueError, "^task '0' needs a step$"),
        ):
            with self.subTest(message), self.assertRaisesRegex(kind, message):
                call()

    def test_to_a_snapshot_get_one_clear_message(self):
        snapshot = sample(BURN)
        self.assertIsInstance(snapshot.get_start_time(1), int)
        for call, kind, message in (
            (lambda: snapshot[1], TypeError, "^job id: text is wanted, not 1$"),
            (lambda: 1 in snapshot, TypeError, "^job id: text is wanted, not 1$"),
            (lambda: snapshot["1\0"], KeyError, "1"),
            (lambda: snapshot.get_job(99), IndexError, "^subject 99: there are 7$"),
            (lambda: snapshot.get_kind(-1), IndexError, "^subject -1: there are 7$"),
            (lambda: snapshot.get_value(1, 999), TypeError, "Expected JobMetrics.Quantity"),
            (lambda: snapshot.get_value("1", None), TypeError, "^subject: a whole number is wanted"),
            (lambda: snapshot.to_dataframe("node"), ValueError, "^level: "),
            (lambda: JobMetrics.Snapshot(), TypeError, "cannot be created directly"),
        ):
            with self.subTest(message), self.assertRaisesRegex(kind, message):
                call()


class AnException(unittest.TestCase):
    def test_of_something_cancelled_has_a_class_too(self):
        cancellable = Gio.Cancellable()
        cancellable.cancel()
        with self.assertRaises(JobMetrics.CancelledError) as caught:
            JobMetrics.Node(host=BURN).sample(cancellable)
        self.assertIsInstance(caught.exception, JobMetrics.JobMetricsError)
        self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED))

    def test_of_another_library_is_reported_as_one_of_these(self):
        for code, name in ((Gio.IOErrorEnum.NOT_FOUND, "AbsentError"), (Gio.IOErrorEnum.PERMISSION_DENIED, "DeniedError"),
                           (Gio.IOErrorEnum.INVALID_ARGUMENT, "InvalidError"), (Gio.IOErrorEnum.TIMED_OUT, "UnavailableError")):
            foreign = GLib.Error("words", GLib.quark_to_string(Gio.io_error_quark()), code)
            self.assertEqual(repr(specific(foreign)), f"{name}('words')")
            self.assertTrue(specific(foreign).matches(Gio.io_error_quark(), code))

    def test_has_a_class_and_a_code(self):
        host = JobMetrics.Host(BURN)
        with self.assertRaises(JobMetrics.AbsentError) as caught:
            host.read_all("/proc/none", 100)
        self.assertEqual(caught.exception.code, JobMetrics.Error.ABSENT)
        self.assertEqual(str(caught.exception), f"{BURN}/proc/none: No such file or directory")
        self.assertTrue(caught.exception.matches(JobMetrics.error_quark(), JobMetrics.Error.ABSENT))
        with self.assertRaises(JobMetrics.MalformedError):
            host.read_uint64("/etc/passwd")

    def test_comes_from_constructors_and_functions_too(self):
        with self.assertRaises(JobMetrics.AbsentError):
            JobMetrics.cgroup_reader_new_for_host(JobMetrics.Host(EMPTY))
        with self.assertRaises(JobMetrics.AbsentError):
            JobMetrics.registry_open(JobMetrics.SourceKind.EMISSIONS, "owid,zone=ATLANTIS", JobMetrics.Host(BURN))
        with self.assertRaises(JobMetrics.InvalidError):
            JobMetrics.TextEncoder.check_info_field("no_such_field")

    def test_does_not_come_from_a_constructor_that_works(self):
        machine = JobMetrics.registry_open(JobMetrics.SourceKind.MACHINE, "machine", JobMetrics.Host(BURN))
        self.assertIsInstance(machine, JobMetrics.Source)

    def test_is_caught_by_what_programs_knew_before(self):
        for kind in (JobMetrics.JobMetricsError, GLib.Error, RuntimeError):
            with self.assertRaises(kind):
                JobMetrics.Host(BURN).read_link("/proc/none")

    def test_survives_pickling_and_copying(self):
        error = JobMetrics.DeniedError("/dev/mem: no")
        for same in (pickle.loads(pickle.dumps(error)), error.copy()):
            self.assertEqual((type(same), same.message, same.code), (JobMetrics.DeniedError, "/dev/mem: no", 1))


class Mill(JobMetrics.Source, JobMetrics.JobSource):
    """Jobs of a scheduler that jobmetrics has never heard of: the cgroups below /mill."""

    def do_match(self, path):
        parts = path.strip("/").split("/")
        return JobMetrics.Place.new(parts[1]) if parts[0] == "mill" and len(parts) == 2 else None

    def do_identify(self, path, place, pid):
        return JobMetrics.Job.new({"scheduler": "mill", "jobid": place.get_job(), "user": "erin", "account": None})


class Barn(JobMetrics.Source, JobMetrics.CgroupReader):
    """Cgroups that stand in no file system."""

    TREE = {"/": ["mill"], "/mill": ["7", "8"]}

    def __init__(self, **properties):
        super().__init__(**properties)
        self.cgroups = {}

    def do_open(self):
        self.was_ready = self.cgroups == {}

    def do_list_children(self, path):
        return (name for name in self.TREE.get(path, ()))

    def do_open_cgroup(self, path, level):
        number = len(self.cgroups) + 1
        self.cgroups[number] = path
        return number

    def do_read(self, cgroup, readings):
        if readings.begin(JobMetrics.Collector.CPU):
            readings.add_value(of_job("cpu_seconds"), 2_500_000_000)
        readings.end()

    def do_list_processes(self, cgroup, readings):
        pass

    def do_close_cgroup(self, cgroup):
        del self.cgroups[cgroup]


WITH_RESULTS = (
    "do_match",
    "do_identify",
    "do_list_children",
    "do_take_changes",
    "do_get_event_fd",
    "do_open_cgroup",
)


def mill_node(mill: JobMetrics.Source, barn: JobMetrics.Source) -> JobMetrics.Node:
    node = JobMetrics.Node(host=EMPTY)
    node.add_source(mill)
    node.add_source(barn)
    return node


class SourcesInPython(unittest.TestCase):
    def test_are_open_as_soon_as_they_are_made(self):
        self.assertTrue(Barn().was_ready)
        self.assertEqual(Mill(host=BURN).host.get_root(), str(BURN))

    def test_report_jobs_inside_a_node(self):
        snapshot = mill_node(Mill(), Barn()).sample()
        self.assertEqual([repr(job) for job in snapshot], ["<Job 7 erin: 2.50 s CPU>", "<Job 8 erin: 2.50 s CPU>"])
        self.assertEqual(snapshot["7"].scheduler, "mill")
        self.assertTrue(all(report.success for report in snapshot.collectors.values()))

    def test_lie_below_those_of_the_library(self):
        reader = JobMetrics.cgroup_reader_new_for_host(JobMetrics.Host(BURN))
        self.assertIsInstance(reader, JobMetrics.Source)
        self.assertIn("system.slice", reader.list_children("/"))

    def test_are_let_go_with_their_node(self):
        barn = Barn()
        with mill_node(Mill(), barn) as node:
            node.sample()
            self.assertEqual(len(barn.cgroups), 2)
        self.assertEqual(barn.cgroups, {})

    def test_must_have_all_methods(self):
        class Half(JobMetrics.Source, JobMetrics.CgroupReader):
            def do_read(self, cgroup, readings):
                pass

        wanted = "^Half lacks do_list_children, do_open_cgroup, do_list_processes, do_close_cgroup$"
        with self.assertRaisesRegex(TypeError, wanted):
            Half()

    def test_that_cannot_open_are_not_made(self):
        class Nowhere(Mill):
            def do_open(self):
                open("/no/such/mill")

        with self.assertRaisesRegex(JobMetrics.AbsentError, r"^Nowhere\.do_open: FileNotFoundError: .*/no/such/mill"):
            Nowhere()

    def test_report_what_they_could_not_read(self):
        class Locked(Barn):
            def do_read(self, cgroup, readings):
                super().do_read(cgroup, readings)
                raise PermissionError(13, "Permission denied", "/mill/lock")

        snapshot = mill_node(Mill(), Locked()).sample()
        self.assertEqual(snapshot["7"].cpu_seconds_total, 2.5)
        self.assertIsInstance(snapshot.collectors["jobs"].error, JobMetrics.DeniedError)
        self.assertIn("/mill/lock", str(snapshot.collectors["jobs"].error))

    def test_may_lose_a_cgroup(self):
        class Leaving(Barn):
            def do_read(self, cgroup, readings):
                raise JobMetrics.AbsentError("/mill: gone")

        snapshot = mill_node(Mill(), Leaving()).sample()
        self.assertTrue(all(report.success for report in snapshot.collectors.values()))
        self.assertTrue(all(job.cpu_seconds_total is None for job in snapshot))

    def test_that_are_broken_break_nothing_else(self):
        def fail(*arguments):
            raise ZeroDivisionError("a bug")

        def talk_nonsense(*arguments):
            return object()

        for name in WITH_RESULTS:
            for method in (fail, talk_nonsense):
                base = Mill if name in ("do_match", "do_identify") else Barn
                broken = type(f"Broken_{name}_{method.__name__}", (base,), {"__module__": __name__, name: method})()
                sources = (broken, Barn()) if base is Mill else (Mill(), broken)
                with self.subTest(name, method=method), silenced() as said:
                    with mill_node(*sources) as node:
                        self.assertEqual(node.sample().node.cpus, 2)
                        node.get_event_fd()
                    self.assertTrue(all(line.startswith(f"{type(broken).__name__}.{name}: ") for line in said), said)
                    self.assertTrue(said or name == "do_get_event_fd", "nobody was told")

    def test_may_be_subclassed(self):
        class Ant(Barn):
            def do_read(self, cgroup, readings):
                super().do_read(cgroup, readings)
                readings.add_value(of_job("memory_used_bytes"), 5)

            def do_take_changes(self):
                return []

        self.assertEqual(mill_node(Mill(), Ant()).sample()["7"].memory_used_bytes, 5)
        self.assertIsNone(mill_node(Mill(), Barn()).sample()["7"].memory_used_bytes)

    def test_with_a_bug_say_where_it_is(self):
        class Buggy(Barn):
            def do_read(self, cgroup, readings):
                return 1 / 0

        with silenced() as said:
            snapshot = mill_node(Mill(), Buggy()).sample()
        self.assertEqual(set(said), {"Buggy.do_read: ZeroDivisionError: division by zero"})
        self.assertEqual(str(snapshot.collectors["jobs"].error), said[0])


@contextlib.contextmanager
def silenced():
    """Gives what the library's logger says."""
    said = []
    with mock.patch("gi.overrides.JobMetrics._sources.log.warning", lambda form, *words: said.append(form % words)):
        yield said


class Memory(unittest.TestCase):
    ROUNDS = 200
    SPARE_PAGES = 256 * 1024 // os.sysconf("SC_PAGE_SIZE")

    def resident_pages(self) -> int:
        gc.collect()
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1])

    def assert_steady(self, look) -> None:
        for _ in range(self.ROUNDS // 2):
            look()
        before = self.resident_pages()
        for _ in range(self.ROUNDS):
            look()
        self.assertLess(self.resident_pages() - before, self.SPARE_PAGES)

    def test_does_not_grow_over_snapshots(self):
        node = JobMetrics.Node(host=STEPS, level="task")

        def look():
            snapshot = node.sample()
            self.assertEqual([dict(job)["jobid"] for job in snapshot], ["5", "14", "15", "16"])
            snapshot.to_json()

        self.assert_steady(look)

    def test_does_not_grow_over_processes(self):
        node = JobMetrics.Node(host=STEPS)
        self.assert_steady(lambda: self.assertEqual(node.processes("5")[0].command, "slurm_script"))

    def test_does_not_grow_over_nodes_with_sources(self):
        def look():
            with mill_node(Mill(), Barn()) as node:
                self.assertEqual(len(node.sample()), 2)

        self.assert_steady(look)


if __name__ == "__main__":
    sys.exit(tap.run(Help, ASnapshot, AJob, ADataFrame, ANotebook, WithoutPandas, ANode, Processes, BadArguments, AnException, SourcesInPython, Memory))
