#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What dashboards made for other exporters ask of a real Prometheus, about a job of a real Slurm.

usage: test-dialects.py EXPORTER SPEND

The job's CPU time is what the job itself says, its memory what it was told to use.
"""

import importlib
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "pylib"))
sys.path.insert(0, str(HERE))
import tap  # noqa: E402
from lab import CLUSTER, NODE, Unfit  # noqa: E402
from programs import SLOWNESS, Exporter, Prometheus, turn, wait_for  # noqa: E402

slurm = importlib.import_module("test-slurm")

# the two of cgroup_* have paths of their own, as the others could
TOGETHER = ("native", "slurm-job-exporter", "jobs-exporter", "batchjob", "ceems", "princeton-cgroup-exporter", "nvidia-gpu-exporter")
ALONE = "cgroup-exporter"
MEGABYTE = 1 << 20
MEGABYTES = 32
LIMIT_MEGABYTES = 300
CPU_SECONDS = 10
STAY_SECONDS = 120 * SLOWNESS
WINDOW = f"{60 * SLOWNESS}s"
TOLERANCE = 0.1


class World(slurm.World):
    def start(self) -> None:
        self.lab.up()
        options = [f"--node.name={NODE}", f"--cluster={CLUSTER}", "--sample.interval=1", f"--metrics.dialect={','.join(TOGETHER)}"]
        self.exporter = self._run(Exporter(self.program, self.folder, *options))
        self.prometheus = self._run(Prometheus(self.exporter.address, self.folder, paths=[f"/dialects/{ALONE}"]))
        script = f"exec {self.spend} {CPU_SECONDS / 2} 2 {MEGABYTES} {STAY_SECONDS}"
        self.job = self.lab.sbatch("ada", script, "-n1", "-c2", f"--mem={LIMIT_MEGABYTES}", "-J", "known")
        self.spent = self.lab.await_spent("ada", self.job)


world: World


class Dashboards(unittest.TestCase):
    def ask(self, query: str) -> float:
        query = query.replace("JOB", world.job).replace("WINDOW", WINDOW).replace("NODE", NODE)
        value = wait_for(f"an answer to {query}", 30, lambda: [found] if (found := world.prometheus.query(query)) is not None else None)[0]
        tap.comment(f"{query}: {value}")
        return value

    def await_about(self, query: str, truth: float, tolerance: float = TOLERANCE) -> None:
        """Prometheus has scraped it some time after the job has said it."""
        wait_for(f"{query} is about {truth}", 30, lambda: abs(self.ask(query) - truth) <= tolerance * truth)

    def assert_between(self, low: float, value: float, high: float) -> None:
        self.assertGreaterEqual(value, low)
        self.assertLessEqual(value, high)

    def assert_memory(self, query: str, scale: float = 1) -> None:
        self.assert_between(MEGABYTES * MEGABYTE * scale, self.ask(query), LIMIT_MEGABYTES * MEGABYTE * scale)

    def test_of_jobstats(self):
        """One query each for the report of a job."""
        self.await_about("max_over_time(cgroup_cpu_total_seconds{jobid='JOB',step='',task='',job='jobmetrics'}[WINDOW])", world.spent)
        self.assertEqual(self.ask("max_over_time(cgroup_cpus{jobid='JOB',step='',task='',job='jobmetrics'}[WINDOW])"), 2)
        self.assertEqual(
            self.ask("max_over_time(cgroup_memory_total_bytes{jobid='JOB',step='',task='',job='jobmetrics'}[WINDOW])"), LIMIT_MEGABYTES * MEGABYTE
        )
        self.assert_memory("max_over_time((cgroup_memory_rss_bytes{jobid='JOB',step='',task=''} + cgroup_memory_shmem_bytes{jobid='JOB'})[WINDOW:1s])")
        self.assertGreater(self.ask("cgroup_uid{jobid='JOB'}"), 0)

    def test_of_trailblazing_turtle(self):
        self.await_about("sum(slurm_job_core_usage_total{slurmjobid='JOB'})/1e9", world.spent)
        self.assert_memory("sum(slurm_job_memory_usage{slurmjobid='JOB',user='ada'})")
        self.assertEqual(self.ask("sum(slurm_job_memory_limit{slurmjobid='JOB'})"), LIMIT_MEGABYTES * MEGABYTE)
        self.assertGreaterEqual(self.ask("sum(slurm_job_process_count{slurmjobid='JOB'})"), 1)
        self.assertGreaterEqual(self.ask("sum(slurm_job_threads_count{slurmjobid='JOB'})"), 1)
        self.await_about("sum(slurm_job_process_usage_total{slurmjobid='JOB',exe=~'.*/spend'})", world.spent)

    def test_of_petricore(self):
        self.await_about("max_over_time(jobs_cpu_time_total{slurm_job='JOB'}[WINDOW])", world.spent)
        self.assert_memory("max_over_time(jobs_rss{slurm_job='JOB'}[WINDOW])", scale=1 / MEGABYTE)
        self.assertGreater(self.ask("max_over_time(jobs_cpu_percent{slurm_job='JOB'}[WINDOW])"), 0)
        self.assertGreater(self.ask("max_over_time(jobs_thread_count{slurm_job='JOB'}[WINDOW])"), 0)
        self.assertGreater(self.ask("avg_over_time(jobs_opened_files{slurm_job='JOB'}[WINDOW])"), 0)
        self.await_about("(jobs_user_time{slurm_job='JOB'} + jobs_system_time{slurm_job='JOB'})/100", world.spent)

    def test_of_the_batch_job_stack(self):
        labels = "{jobid='JOB',jobuser='ada',batch='slurm',hostname='NODE'}"
        self.await_about(f"batchjob_slurm_job_cpu_total_seconds{labels}", world.spent)
        self.assertEqual(self.ask(f"batchjob_slurm_job_cpus{labels}"), 2)
        used = self.ask(f"batchjob_slurm_job_memory_used_bytes{labels} / batchjob_slurm_job_memory_total_bytes{labels}")
        self.assert_between(MEGABYTES / LIMIT_MEGABYTES, used, 1)

    def test_of_ceems(self):
        """Its recording rules join on hostname and uuid."""
        self.await_about("sum by (uuid) (ceems_compute_unit_cpu_user_seconds_total{uuid='JOB'} + ceems_compute_unit_cpu_system_seconds_total)", world.spent)
        ratio = "ceems_compute_unit_memory_used_bytes{uuid='JOB'} / ceems_compute_unit_memory_total_bytes{uuid='JOB'}"
        self.assert_between(MEGABYTES / LIMIT_MEGABYTES, self.ask(ratio), 1)
        self.assertGreater(self.ask("sum by (hostname) (irate(ceems_cpu_seconds_total{mode!~'idle|iowait|steal',hostname='NODE'}[WINDOW]))"), 0)
        node = "sum by (hostname) (ceems_meminfo_MemTotal_bytes) - on (hostname) sum by (hostname) (ceems_meminfo_MemAvailable_bytes)"
        self.assertGreater(self.ask(node), 0)
        self.assertEqual(self.ask("ceems_compute_units{manager='slurm'}"), 1)

    def test_of_treydocks_exporter(self):
        path = "{cgroup=~'.*/job_JOB'}"
        self.await_about(f"sum(cgroup_cpu_total_seconds{path})", world.spent)
        self.await_about("sum by (username) (cgroup_cpu_total_seconds{cgroup!=''} * on (cgroup) group_left (username) cgroup_info{jobid='JOB'})", world.spent)


def main() -> int:
    global world
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    reason = slurm.unfit_because()
    if reason:
        tap.skip_all(reason)
    with turn(), tempfile.TemporaryDirectory(prefix="jobmetrics-e2e-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # the jobs' users read the lab's files
        world = World(sys.argv[1], sys.argv[2], folder)
        try:
            world.start()
            return tap.run(Dashboards)
        except Unfit as unfit:
            tap.skip_all(str(unfit))
        finally:
            world.stop()


if __name__ == "__main__":
    sys.exit(main())
