#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs of a real Slurm, on /metrics and in Prometheus.

usage: test-slurm.py EXPORTER SPEND CLI

Figures must agree with the kernel's, with sacct's, and with what the jobs are known to use.
"""

import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Iterable, Iterator

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "pylib"))
sys.path.insert(0, str(HERE))
import tap  # noqa: E402
from lab import CLUSTER, NODE, Lab, Unfit, seconds_of  # noqa: E402
from metrics import Scrape, scrape  # noqa: E402
from programs import SLOWNESS, Exporter, Late, Prometheus, turn, wait_for  # noqa: E402

SAMPLE_SECONDS = 5
# between the job's start and the moment at which the test sees it
SLACK_SECONDS = 1.5 * SLOWNESS
ACCOUNTING_TOLERANCE = 0.02
# of a job's end, which v2 counts with the job
ENDING_SECONDS = SLOWNESS - 1
TRIES = 3
# that a job remains at most after it has spent what it spends; what fails must not block others for ever
STAY_SECONDS = 120 * SLOWNESS
MEGABYTE = 1 << 20
ASK_SECONDS = 30 * SLOWNESS
PYTHON = """
import sys
import gi
gi.require_version("JobMetrics", "1.0")
from gi.repository import JobMetrics
print(JobMetrics.Node(node_name=sys.argv[1]).sample()[sys.argv[2]].uuid)
"""
# In Slurm's epilog the job's cgroups are gone; the exporter hears of it about then.
EPILOG = """#!/bin/sh
for i in 1 2 3 4 5 6 7 8 9 10; do
    {cli} show --json --node.name={node} "$SLURM_JOB_ID" > {folder}/epilog-$SLURM_JOB_ID 2>&1 && break
    sleep 0.5
done
chmod 644 {folder}/epilog-$SLURM_JOB_ID
mv {folder}/epilog-$SLURM_JOB_ID {folder}/ended-$SLURM_JOB_ID
exit 0
"""


class World:
    """What all situations share: a Slurm, the exporter, Prometheus, and a program whose use is known."""

    def __init__(self, exporter: str, spend: str, folder: pathlib.Path, cli: str = "jobmetrics-cli"):
        self.program = exporter
        self.cli = cli
        self.folder = folder
        self.lab = Lab(folder)
        self.running = []
        self.spend = folder / "spend"
        shutil.copy(spend, self.spend)

    def start(self) -> None:
        epilog = self.folder / "epilog"
        epilog.write_text(EPILOG.format(cli=self.cli, node=NODE, folder=self.folder))
        epilog.chmod(0o755)
        self.lab.up("--epilog", str(epilog))
        self.ledger = self.folder / "ledger.db"
        options = [f"--node.name={NODE}", f"--cluster={CLUSTER}", "--metrics.job-label=uuid", f"--ledger.file={self.ledger}"]
        self.exporter = self._run(Exporter(self.program, self.folder, *options))
        self.prometheus = self._run(Prometheus(self.exporter.address, self.folder))

    def _run(self, program):
        self.running.append(program)
        return program

    def stop(self) -> None:
        for program in reversed(self.running):
            program.stop()
        self.lab.down()

    def scrape(self) -> Scrape:
        return scrape(self.exporter.address)

    def uuid_of(self, job: str) -> str | None:
        found = self.scrape().find("jobmetrics_job_info", jobid=job, cluster=CLUSTER)
        return found[0].labels["uuid"] if found else None

    def await_job(self, job: str, seconds: float = 30) -> str:
        return wait_for(f"job {job} is on /metrics", seconds, lambda: self.uuid_of(job))

    def value(self, name: str, uuid: str) -> float | None:
        return self.scrape().value(name, uuid=uuid)


world: World


class Situation(unittest.TestCase):
    def assert_close(self, value: float, truth: float, tolerance: float, what: str) -> None:
        self.assertLessEqual(abs(value - truth), tolerance * truth, f"{what}: {value}, expected {truth} within {tolerance:.0%}")

    def await_at_least(self, name: str, uuid: str, least: float, seconds: float = SAMPLE_SECONDS + SLACK_SECONDS) -> float:
        def enough() -> float | None:
            value = world.value(name, uuid)
            return value if value is not None and value >= least else None

        return wait_for(f"{name} of {uuid} reaches {least}", seconds, enough)

    def assert_agrees_with_sacct(self, jobs: Iterable[str], user: str, tasks: int = 1) -> None:
        """Of jobs whose script becomes the last of their tasks.

        Slurm 22.05 now and then accounts a task twice when it looks at the very moment of its end, so what sacct says is
        no truth unless it is what the tasks know to have spent, and no more than the kernel has."""
        for job in jobs:
            uuid = world.await_job(job)
            known = world.lab.await_spent(user, job, tasks)
            kernel = world.lab.kernel_cpu_seconds(job)
            self.await_at_least("jobmetrics_job_cpu_seconds_total", uuid, kernel)
            world.lab.release(job)
            accounted = seconds_of(world.lab.accounted(job, "totalcpu"))
            seen = world.value("jobmetrics_job_cpu_seconds_total", uuid)
            tap.comment(f"job {job} spent {known:.2f} s, for the kernel {kernel:.2f}, for sacct {accounted:.2f}, seen {seen:.2f}")
            if known * (1 - ACCOUNTING_TOLERANCE) <= accounted <= kernel * (1 + ACCOUNTING_TOLERANCE):
                # v2 counts each step's slurmstepd with the job, and sacct does not
                most = kernel + ENDING_SECONDS if world.lab.cgroup == "v2" else accounted
                self.assertGreaterEqual(seen, accounted * (1 - ACCOUNTING_TOLERANCE), "CPU seconds")
                self.assertLessEqual(seen, most * (1 + ACCOUNTING_TOLERANCE), "CPU seconds")
                return
        self.fail("sacct was wrong each time")


class OneJob(Situation):
    """Two threads of some CPU seconds each, 96 MB; the job stays until it has been looked at."""

    CPU_SECONDS = 12.0 * SLOWNESS
    MEGABYTES = 96

    def submit(self) -> str:
        script = f"exec {world.spend} {self.CPU_SECONDS / 2} 2 {self.MEGABYTES} {STAY_SECONDS}"
        return world.lab.sbatch("ada", script, "-n1", "-c2", "--mem=300", "-J", "known")

    def the_job_and_others_like_it(self) -> Iterator[str]:
        yield self.job
        for _ in range(TRIES - 1):
            yield self.submit()

    def test_is_on_metrics_within_one_sample(self):
        cls = type(self)
        cls.job = self.submit()
        wait_for("the job has a cgroup", 30, lambda: world.lab.cgroup_of("memory", cls.job), every=0.05)
        began = time.monotonic()
        wait_for("the job is on /metrics", 30, lambda: world.scrape().find("jobmetrics_job_fields", jobid=cls.job))
        self.assertLessEqual(time.monotonic() - began, SAMPLE_SECONDS + SLACK_SECONDS)
        cls.uuid = world.await_job(cls.job)

    def test_says_whose_it_is(self):
        info = world.scrape().one("jobmetrics_job_info", uuid=self.uuid).labels
        self.assertEqual(
            {name: info.get(name) for name in ("cluster", "scheduler", "jobid", "user", "account")},
            {"cluster": CLUSTER, "scheduler": "slurm", "jobid": self.job, "user": "ada", "account": "physics"},
        )

    def test_has_the_cpus_and_memory_that_slurm_gave_it(self):
        cpus = int(world.lab.ask("squeue", "--noheader", "--format=%C", f"--jobs={self.job}"))
        self.await_at_least("jobmetrics_job_cpus", self.uuid, 1)
        self.assertEqual(world.value("jobmetrics_job_cpus", self.uuid), cpus)
        self.assertEqual(world.value("jobmetrics_job_memory_limit_bytes", self.uuid), 300 * MEGABYTE)

    def test_has_the_kernels_figures(self):
        type(self).known = world.lab.await_spent("ada", self.job)
        kernel = world.lab.kernel_cpu_seconds(self.job)
        seen = self.await_at_least("jobmetrics_job_cpu_seconds_total", self.uuid, kernel)
        self.assertLessEqual(seen, world.lab.kernel_cpu_seconds(self.job))
        peak = world.lab.kernel_memory_peak(self.job)
        if peak is None:
            self.assertIsNone(world.value("jobmetrics_job_memory_peak_bytes", self.uuid))
        else:
            seen = self.await_at_least("jobmetrics_job_memory_peak_bytes", self.uuid, peak)
            self.assertLessEqual(seen, world.lab.kernel_memory_peak(self.job))

    def test_has_used_what_its_program_knows_to_have_used(self):
        text = world.scrape()
        spent = text.value("jobmetrics_job_cpu_seconds_total", uuid=self.uuid)
        beside = world.lab.cpu_seconds_beside(self.job)
        self.assertGreaterEqual(self.known, self.CPU_SECONDS)
        self.assertGreaterEqual(spent, self.known * (1 - ACCOUNTING_TOLERANCE), "CPU seconds")
        self.assertLessEqual(spent, self.known * (1 + ACCOUNTING_TOLERANCE) + beside, "CPU seconds")
        used = text.value("jobmetrics_job_memory_used_bytes", uuid=self.uuid)
        self.assertGreaterEqual(used, self.MEGABYTES * MEGABYTE)
        self.assertLessEqual(used, (self.MEGABYTES + 64) * MEGABYTE)
        self.assertGreaterEqual(text.value("jobmetrics_job_processes", uuid=self.uuid), 1)

    def test_shares_its_cpu_seconds_between_user_and_system(self):
        text = world.scrape()
        total, user, system = (
            text.value(f"jobmetrics_job_cpu_{part}seconds_total", uuid=self.uuid) for part in ("", "user_", "system_")
        )
        self.assert_close(user + system, total, 0.02, "user and system time")
        self.assertGreater(user, system)

    def test_is_still_shown_after_its_end_and_agrees_with_sacct(self):
        self.assert_agrees_with_sacct(self.the_job_and_others_like_it(), "ada")

    def test_is_the_same_in_prometheus(self):
        """The job has ended: what it used stays, what it held does not."""
        for name in ("jobmetrics_job_cpu_seconds_total", "jobmetrics_job_memory_peak_bytes", "jobmetrics_job_cpus"):
            expression = f'{name}{{uuid="{self.uuid}"}}'
            answers = []

            def is_the_same() -> bool:
                """Both are asked each time: the exporter may hear of a last reading between its scrapes."""
                answers[:] = world.value(name, self.uuid), world.prometheus.query(expression)
                return answers[0] == answers[1]

            try:
                wait_for(f"Prometheus has {name}", 10, is_the_same)
            except Late as late:
                raise AssertionError(f"{late}; the exporter and Prometheus say {answers}") from None
            if name.endswith("_cpus"):
                self.assertIsNone(answers[0])


class OtherJobs(Situation):
    def test_a_short_one_is_seen(self):
        job = world.lab.sbatch("ben", f"exec {world.spend} 1 1 8 2", "-n1", "--mem=100")
        world.lab.accounted(job, "elapsed")
        uuid = world.await_job(job, SLACK_SECONDS)
        self.assertGreater(world.value("jobmetrics_job_cpu_seconds_total", uuid), 0)
        self.assertEqual(world.scrape().one("jobmetrics_job_info", uuid=uuid).labels["account"], "chemistry")

    def test_the_tasks_of_an_array_are_jobs_of_their_own(self):
        array = world.lab.sbatch("ada", f"exec {world.spend} 1 1 8 {STAY_SECONDS}", "-n1", "--mem=100", "--array=1-2")
        world.lab.await_state(array, "RUNNING")
        ids = wait_for("both tasks run", 30, lambda: self.running_ids(array, 2))
        uuids = {world.await_job(job) for job in ids}
        self.assertEqual(len(uuids), 2)
        for job in ids:
            world.lab.await_spent("ada", job)
        world.lab.release(array)
        for job in ids:
            world.lab.accounted(job, "elapsed")

    def running_ids(self, array: str, count: int) -> list[str] | None:
        ids = world.lab.ask("squeue", "--noheader", "--array", "--states=R", "--format=%A", f"--jobs={array}").split()
        return ids if len(ids) == count else None

    def test_steps_are_not_counted_twice(self):
        each = 2.5 * SLOWNESS
        spend = f"{world.spend} {each} 1 8"
        script = f"srun -n1 {spend} 0\nsrun -n2 {spend} 0\nexec {spend} {STAY_SECONDS}"
        jobs = (world.lab.sbatch("ben", script, "-n2", "--mem=300") for _ in range(TRIES))
        self.assert_agrees_with_sacct(jobs, "ben", tasks=4)


class Identity(Situation):
    """A run has one name, whoever is asked, and whenever."""

    def test_is_the_same_for_the_exporter_the_command_line_python_and_a_hook(self):
        job = world.lab.sbatch("ben", f"exec {world.spend} 0.1 1 1 {STAY_SECONDS}", "-n1", "--mem=50")
        uuid = world.await_job(job)
        self.assertEqual(self.ask_command_line(job), uuid)
        self.assertEqual(self.ask_python(job), uuid)
        world.lab.release(job)
        ended = world.folder / f"ended-{job}"
        wait_for(f"the epilog of {job} has run", 30 * SLOWNESS, ended.exists)
        self.assertEqual(self.uuid_in(ended.read_text()), uuid)
        self.assertEqual(world.uuid_of(job), uuid)

    def ask(self, *command: str, **environment: str) -> str:
        done = subprocess.run(
            command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=ASK_SECONDS, check=False
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def ask_command_line(self, job: str) -> str:
        return self.uuid_in(self.ask(world.cli, "show", "--json", f"--node.name={NODE}", job))

    def ask_python(self, job: str) -> str:
        library = pathlib.Path(world.cli).resolve().parent.parent / "libjobmetrics"
        overrides = HERE.parent.parent / "bindings" / "python"
        found = {"GI_TYPELIB_PATH": str(library), "LD_LIBRARY_PATH": str(library), "PYTHONPATH": str(overrides)}
        return self.ask(sys.executable, "-c", PYTHON, NODE, job, **found).strip()

    def uuid_in(self, text: str) -> str:
        try:
            return json.loads(text)["uuid"]
        except ValueError:
            self.fail(f"no JSON: {text}")


class TheLedger(Situation):
    """Keeps what a job used that nobody looked at while it ran."""

    CPU_SECONDS = 0.5 * SLOWNESS

    def test_has_a_job_of_half_a_second_with_the_cpu_seconds_that_sacct_shows(self):
        for _ in range(TRIES):
            job = world.lab.sbatch("ada", f"exec {world.spend} {self.CPU_SECONDS} 1 8 0", "-n1", "--mem=100")
            accounted = seconds_of(world.lab.accounted(job, "totalcpu"))
            known = world.lab.await_spent("ada", job)
            record = wait_for(f"job {job} is in the ledger", 30, lambda job=job: self.record_of(job), every=0.5)
            recorded = record["metrics"]["cpu_seconds_total"]
            tap.comment(f"job {job} spent {known:.3f} s, for sacct {accounted:.3f}, recorded {recorded:.3f}")
            self.assertGreaterEqual(recorded, known, "CPU seconds")
            # else sacct was wrong, as it is now and then
            if known <= accounted <= recorded * (1 + ACCOUNTING_TOLERANCE):
                self.assert_close(recorded, accounted, ACCOUNTING_TOLERANCE, "CPU seconds")
                self.assertEqual((record["user"], record["account"]), ("ada", "physics"))
                return
        self.fail("sacct was wrong each time")

    @staticmethod
    def record_of(job: str) -> dict | None:
        command = [world.cli, "ledger", f"--ledger.file={world.ledger}", "--format=json", job]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=ASK_SECONDS)
        found = json.loads(done.stdout) if done.returncode == 0 else []
        return found[0] if found and found[0]["state"] == "ended" else None


class Scrapers(Situation):
    def test_many_at_once_are_all_served(self):
        def whole(_) -> bool:
            text = world.scrape()
            return bool(text.find("jobmetrics_build_info")) and bool(text.find("jobmetrics_collector_success"))

        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            self.assertEqual(list(pool.map(whole, range(80))), [True] * 80)

    def test_see_every_collector_succeed(self):
        failed = [one.labels for one in world.scrape().find("jobmetrics_collector_success") if one.value != 1]
        self.assertEqual(failed, [])


class End(Situation):
    def test_sigterm_ends_the_exporter_in_order(self):
        exporter = Exporter(world.program, world.folder)
        scrape(exporter.address)
        self.assertEqual(exporter.stop(), 0, exporter.output())


def unfit_because() -> str | None:
    if os.geteuid() != 0:
        return "needs root to run a Slurm"
    if shutil.which("prometheus") is None:
        return "prometheus is not installed"
    if shutil.which("slurmctld") is None:
        return "Slurm is not installed (tests/install-dependencies lab)"
    return None


def main() -> int:
    global world
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    reason = unfit_because()
    if reason:
        tap.skip_all(reason)
    with turn(), tempfile.TemporaryDirectory(prefix="jobmetrics-e2e-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # the jobs' users read the lab's files
        world = World(sys.argv[1], sys.argv[2], folder, cli=sys.argv[3])
        try:
            world.start()
            return tap.run(OneJob, OtherJobs, Identity, TheLedger, Scrapers, End)
        except Unfit as unfit:
            tap.skip_all(str(unfit))
        finally:
            world.stop()


if __name__ == "__main__":
    sys.exit(main())
