#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs of a real Grid Engine on /metrics, alone and beside those of a real Slurm.

usage: test-gridengine.py EXPORTER SPEND CLI

Grid Engine makes no cgroups: what its jobs use must agree with what they know to have spent, and with qacct.
"""

import collections
import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "pylib"))
sys.path.insert(0, str(HERE))
import tap  # noqa: E402
from gridengine import GridEngine  # noqa: E402
from lab import NODE, Lab, Unfit  # noqa: E402
from metrics import Scrape, scrape  # noqa: E402
from programs import SLOWNESS, Exporter, Late, turn, wait_for  # noqa: E402

# the kernel reports what processes used in hundredths of a second
TOLERANCE = 0.02
TICKS_SECONDS = 0.05
SAMPLE_SECONDS = 6
STAY_SECONDS = str(120 * SLOWNESS)
CPU = "jobmetrics_job_cpu_seconds_total"
# children that are over before anybody looks, and one whose parent is gone
FORKS = """
for i in $(seq 150); do {spend} 0.01 1 1 0 > /dev/null; done
echo spent 1.5
exec sleep {stay}
"""


class World:
    """What all situations share: a Grid Engine, the exporter, and a program whose use is known."""

    def __init__(self, exporter: str, spend: str, cli: str, folder: pathlib.Path):
        self.program = exporter
        self.cli = cli
        self.folder = folder
        self.engine = GridEngine(folder)
        self.exporter = None
        self.slurm = None
        self.spend = str(shutil.copy(spend, folder / "spend"))
        self.schedulers = folder / "schedulers"

    def start(self) -> None:
        self.engine.up()
        self.schedulers.mkdir()
        self.engine.write_definition(self.schedulers)
        self.exporter = self.start_exporter()

    def start_exporter(self, port: int | None = None) -> Exporter:
        return Exporter(self.program, self.folder, f"--schedulers={self.schedulers}", f"--node.name={NODE}", port=port)

    def stop(self) -> None:
        if self.exporter is not None:
            self.exporter.stop()
        if self.slurm is not None:
            self.slurm.down()
        self.engine.down()

    def scrape(self) -> Scrape:
        return scrape(self.exporter.address)

    def info(self, job: str, scheduler: str = "gridengine") -> dict[str, str] | None:
        found = self.scrape().find("jobmetrics_job_info", jobid=job, scheduler=scheduler)
        return found[0].labels if found else None

    def await_info(self, job: str, scheduler: str = "gridengine") -> dict[str, str]:
        return wait_for(f"job {job} of {scheduler} is on /metrics", 30, lambda: self.info(job, scheduler))

    def value(self, job: str, name: str = CPU) -> float | None:
        return self.scrape().value(name, jobid=job)


world: World


class Situation(unittest.TestCase):
    def assert_close(self, value: float, truth: float, what: str) -> None:
        most = truth * TOLERANCE + TICKS_SECONDS
        self.assertLessEqual(abs(value - truth), most, f"{what}: {value}, expected {truth}, give or take {most:.2f}")

    def await_cpu(self, job: str, truth: float) -> None:
        """A scrape shows the last sweep, which may be some seconds old."""
        least = truth * (1 - TOLERANCE) - TICKS_SECONDS
        with contextlib.suppress(Late):
            wait_for(f"job {job} has its CPU seconds", SAMPLE_SECONDS, lambda: (world.value(job) or 0) >= least)
        self.assert_close(world.value(job), truth, f"CPU seconds of {job}")

    def assert_tells(self, info: dict[str, str], **expected: str) -> None:
        self.assertEqual({name: info.get(name) for name in expected}, expected)


class Jobs(Situation):
    def test_report_whose_they_are_and_what_they_use(self):
        one = world.engine.qsub("cora", "-N", "first", world.spend, "1", "1", "50", STAY_SECONDS)
        two = world.engine.qsub("dan", "-N", "second", "-pe", "smp", "2", "-A", "chemistry", world.spend, "1", "2", "10", STAY_SECONDS)

        self.assert_tells(world.await_info(one), user="cora", name="first", partition="all.q", account="sge")
        self.assert_tells(world.await_info(two), user="dan", name="second", partition="all.q", account="chemistry")
        for user, job in (("cora", one), ("dan", two)):
            known = world.engine.spent(user, job)
            self.await_cpu(job, known)
            self.assertEqual(world.value(job, "jobmetrics_job_processes"), 1)
            scraped = world.scrape()
            user_seconds = scraped.value("jobmetrics_job_cpu_user_seconds_total", jobid=job)
            system_seconds = scraped.value("jobmetrics_job_cpu_system_seconds_total", jobid=job)
            self.assert_close(user_seconds + system_seconds, known, "user and system time")
        self.assertGreater(world.value(one, "jobmetrics_job_process_rss_bytes"), 50 << 20)

        for job in (one, two):
            world.engine.release(f"{job}.1")
        for job in (one, two):
            self.await_cpu(job, world.engine.accounted_cpu(job))
            # the CPU seconds may be all before the last process is gone
            wait_for("an ended job has no processes", 30, lambda: world.value(job, "jobmetrics_job_processes") is None)

    def test_of_an_array_are_distinguished(self):
        array = world.engine.qsub("cora", "-N", "row", "-t", "2-3", world.spend, "0.5", "1", "1", STAY_SECONDS)
        for task in ("2", "3"):
            self.assert_tells(world.await_info(f"{array}.{task}"), user="cora", name="row")
            self.await_cpu(f"{array}.{task}", world.engine.spent("cora", array, task))
        shown = subprocess.run(
            [world.cli, "show", f"{array}.3", "--json", f"--schedulers={world.schedulers}"], capture_output=True, text=True, check=True
        )
        job = json.loads(shown.stdout)
        self.assertEqual((str(job["array_jobid"]), str(job["array_taskid"])), (array, "3"))
        for task in ("2", "3"):
            world.engine.release(f"{array}.{task}")
            world.engine.await_end(f"{array}.{task}")

    def test_that_are_over_before_anybody_asks_are_reported_in_full(self):
        job = world.engine.qsub("dan", "-N", "short", world.spend, "1", "1", "1", "0")
        accounted = world.engine.accounted_cpu(job)
        self.assert_tells(world.await_info(job), user="dan", name="short")
        self.await_cpu(job, accounted)

    def test_cannot_be_passed_for_anothers(self):
        lies = "USER=root,LOGNAME=root,JOB_ID=99,SGE_TASK_ID=7,SGE_ACCOUNT=rich,A=1\nUSER=root\nJOB_ID=98"
        job = world.engine.qsub("dan", "-N", "honest", "-v", lies, world.spend, "0.1", "1", "1", STAY_SECONDS)
        self.assert_tells(world.await_info(job), user="dan", name="honest", account="sge")
        told = [one.labels["jobid"] for one in world.scrape().find("jobmetrics_job_info", scheduler="gridengine")]
        self.assertFalse({"98", "99", "99.7"} & set(told), told)
        world.engine.release(f"{job}.1")
        world.engine.await_end(f"{job}.1")

    def test_that_fail_are_reported_too(self):
        job = world.engine.qsub("dan", "-N", "fail", "/bin/sh", "-c", f"{world.spend} 0.5 1 1 0; exit 7")
        accounted = world.engine.accounted_cpu(job)
        self.assertGreater(accounted, 0.5 * (1 - TOLERANCE))
        self.assert_tells(world.await_info(job), user="dan", name="fail")
        self.await_cpu(job, accounted)

    def test_have_the_time_of_children_that_nobody_saw(self):
        script = world.engine.home("cora") / "forks"
        script.write_text("#!/bin/sh" + FORKS.format(spend=world.spend, stay=STAY_SECONDS))
        script.chmod(0o755)
        job = world.engine.qsub("cora", "-N", "forks", str(script))
        world.engine.spent("cora", job)
        seen = world.value(job)
        # each of them spends a little on its own beginning
        self.assertGreaterEqual(seen, 1.5 * (1 - TOLERANCE))
        self.assertGreaterEqual(world.value(job), seen)
        subprocess.run(["kill", (world.engine.active(f"{job}.1") / "job_pid").read_text().strip()], check=True)
        self.await_cpu(job, world.engine.accounted_cpu(job))

    def test_have_steps_where_tasks_are_started_apart(self):
        script = world.engine.home("cora") / "apart"
        script.write_text(f"#!/bin/sh\nqrsh -inherit -nostdin $(hostname) {world.spend} 1 1 1 {8 * SLOWNESS} > apart.out\n")
        script.chmod(0o755)
        job = world.engine.qsub("cora", "-N", "apart", "-V", "-pe", "smp", "2", str(script))
        world.await_info(job)
        task = wait_for("there is a task", 30, lambda: world.engine.active(f"{job}.1/1.*/job_pid"))
        wait_for("the job has the task's CPU seconds", 30, lambda: (world.value(job) or 0) >= 1 * (1 - TOLERANCE))
        shown = subprocess.run(
            [world.cli, "list", "--steps", "--csv", "--columns=jobid,step", f"--schedulers={world.schedulers}"],
            capture_output=True,
            text=True,
            check=True,
        )
        self.assertIn(f"{job},{task.parent.name}", shown.stdout)
        world.engine.await_end(f"{job}.1")


class TheCluster(Situation):
    """As jobmetrics asks it by qstat and qhost, in other words than those of the test."""

    def setUp(self):
        self.jobs = [world.engine.qsub("cora", "-h", "-N", "held", "-t", "1-30", "sleep", "1")]
        self.jobs.append(world.engine.qsub("dan", "-N", "runs", "sleep", STAY_SECONDS))
        self.addCleanup(world.engine.ask, "qdel", *self.jobs)
        wait_for("the job runs", 60, lambda: self.lines()[self.jobs[1], "r"] == 1)

    def lines(self) -> collections.Counter:
        """Tasks by job and state, a line for each."""
        fields = [line.split() for line in world.engine.ask("qstat", "-g", "d", "-u", "*").splitlines()[2:]]
        return collections.Counter((words[0], words[4]) for words in fields)

    def ask(self, what: str) -> list[dict]:
        return json.loads(world.engine.ask(os.path.abspath(world.cli), what, "--cluster.scheduler=gridengine", "--json"))

    def test_has_the_jobs_of_qstat(self):
        found = collections.Counter()
        for job in self.ask("queue"):
            found[job["jobid"].split(".")[0], {"running": "r", "pending": "hqw"}.get(job["state"])] += job["array_tasks"]
        wanted = {key: n for key, n in self.lines().items() if key[0] in self.jobs}
        self.assertEqual({key: n for key, n in found.items() if key[0] in self.jobs}, wanted)
        self.assertEqual(wanted[self.jobs[0], "hqw"], 30)

    def test_has_the_host_of_qhost(self):
        hosts = [line.split() for line in world.engine.ask("qhost").splitlines()[3:]]
        self.assertEqual([(node["node"], node["cpus"]) for node in self.ask("nodes")], [(host[0], int(host[2])) for host in hosts])


class Restart(Situation):
    def test_no_counter_falls_when_the_exporter_is_killed(self):
        job = world.engine.qsub("cora", "-N", "stays", "/bin/sh", "-c", f"{world.spend} 1 1 1 0; exec {world.spend} 0.5 1 1 {STAY_SECONDS}")
        world.await_info(job)
        wait_for("it has spent what it spends", 30, lambda: (world.value(job) or 0) >= 1.5 * (1 - TOLERANCE))
        before, known = world.value(job), world.info(job)

        port = int(world.exporter.address.rpartition(":")[2])
        world.exporter.process.kill()
        world.exporter.process.wait()
        world.exporter = world.start_exporter(port)

        self.assertEqual(world.await_info(job), known, "it is the same job")
        self.assertGreaterEqual(world.value(job), before)
        world.engine.release(f"{job}.1")
        self.await_cpu(job, world.engine.accounted_cpu(job))


class BesideSlurm(Situation):
    def setUp(self):
        world.slurm = Lab(world.folder)
        try:
            world.slurm.up("--no-db")
        except Unfit as unfit:
            self.skipTest(str(unfit))

    def test_jobs_of_both_are_reported(self):
        theirs = world.slurm.sbatch("ada", f"exec {world.spend} 1 1 10 {STAY_SECONDS}", "--job-name=slurms")
        ours = world.engine.qsub("dan", "-N", "engines", world.spend, "1", "1", "10", STAY_SECONDS)

        self.assert_tells(world.await_info(theirs, "slurm"), user="ada", name="slurms")
        self.assert_tells(world.await_info(ours), user="dan", name="engines")
        self.await_cpu(ours, world.engine.spent("dan", ours))
        known = world.slurm.await_spent("ada", theirs)
        wait_for("Slurm's job has its CPU seconds", 10, lambda: (world.value(theirs) or 0) >= known * (1 - TOLERANCE))
        world.engine.release(f"{ours}.1")
        world.slurm.release(theirs)
        world.engine.await_end(f"{ours}.1")


def unfit_because() -> str | None:
    if os.geteuid() != 0:
        return "needs root to run a Grid Engine"
    if not pathlib.Path("/usr/lib/gridengine/sge_execd").exists():
        return "Grid Engine is not installed (tests/install-dependencies gridengine)"
    try:
        socket.gethostbyname(socket.gethostname())
    except OSError:
        return "Grid Engine needs a name of this machine that resolves"
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
        world = World(*sys.argv[1:], folder)
        try:
            world.start()
            return tap.run(Jobs, TheCluster, Restart, BesideSlurm)
        finally:
            world.stop()


if __name__ == "__main__":
    sys.exit(main())
