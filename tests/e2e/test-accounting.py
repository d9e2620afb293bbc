#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs of a real Slurm in a site's archive, beside what sacct says of them as JSON.

usage: test-accounting.py INGEST
"""

import ast
import json
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "pylib"), str(HERE)]
import tap  # noqa: E402
from ingested import ingest  # noqa: E402
from lab import Lab, Unfit  # noqa: E402
from programs import turn, wait_for  # noqa: E402

INGEST = sys.argv[1]
MIB = 2**20
MEMORY_ID = 2
# sacct's other form cuts what is below a millisecond
CPU_TOLERANCE = 1000

JOBS = (
    ("ada", "srun sleep 1", ["--mem=50", "--job-name=two\nlines|pipe"]),
    ("ada", "exit $SLURM_ARRAY_TASK_ID", ["--mem=20", "--array=1-3%2"]),
    ("ben", "exit 3", ["--mem=20"]),
    ("ben", "kill -9 $$", ["--mem=20"]),
    ("ada", "srun sleep 1", ["--mem=20", "--ntasks=1", ":", "--mem=30", "--ntasks=1"]),
    ("ben", "a=$(seq 400000); sleep 1", ["--mem=100", "--ntasks=2"]),
    ("ben", "srun true; srun false", ["--mem=20", "--nodes=2"]),
)


class World:
    """A Slurm whose jobs have ended, but one; and what two databases have of it."""

    lab: Lab
    unfit: str | None = None

    def begin(self, folder: pathlib.Path) -> None:
        folder.chmod(0o755)
        self.lab = Lab(folder)
        self.lab.up("--cgroup", "none", "--nodes", "2", "--cpus", "4", needs_cgroups=False)
        self.submit()
        self.shown = json.loads(self.lab.ask("sacct", "-a", "-D", "--json"))["jobs"]
        self.told = ingest(INGEST, self.lab)

    def submit(self) -> None:
        for user, script, options in JOBS:
            self.lab.sbatch(user, script, *options)
        for options in (["--begin=now+1hour"], ["--begin=now+1hour", "--array=1-4"]):
            self.lab.ask("scancel", self.lab.sbatch("ben", "true", "--mem=20", *options))
        cancelled, requeued = (self.lab.sbatch("ada", "sleep 600", "--mem=20", "--requeue") for _ in range(2))
        for job in (cancelled, requeued):
            self.lab.await_state(job, "RUNNING", 120)
        self.lab.ask("scontrol", "requeue", requeued)
        self.lab.ask("scancel", cancelled)
        wait_for("the requeued job waits again", 60, lambda: self.lab.state(requeued) == "PENDING")
        self.lab.ask("scancel", requeued)
        wait_for("all have ended", 120, lambda: not self.lab.ask("squeue", "--noheader", "--all"))
        self.running = self.lab.sbatch("ada", "sleep 3000", "--mem=20")
        self.lab.await_state(self.running, "RUNNING", 120)
        wait_for("slurmdbd knows that it runs", 60, lambda: "RUNNING" in self.lab.ask("sacct", "-n", "-X", "-j", self.running, "-o", "state"))


world = World()


def key_of(shown: dict) -> tuple[str, int]:
    """Of one that never began sacct says that it began when it ended."""
    began = shown["nodes"] != "None assigned"
    return str(shown["job_id"]), shown["time"]["start"] if began else 0


class Accounts(unittest.TestCase):
    def setUp(self):
        if world.unfit is not None:
            self.skipTest(world.unfit)
        self.runs = {(run["raw_id"], int(run.get("start_time", 0))): run for run in world.told[("sqlite", "0")]}

    def pairs(self):
        return [(self.runs[key_of(job)], job) for job in world.shown]

    def test_have_the_runs_that_sacct_shows_and_each_once(self):
        self.assertGreater(len(world.shown), 12)
        self.assertEqual(sorted(self.runs), sorted(key_of(job) for job in world.shown))
        self.assertEqual(len(self.runs), len(world.told[("sqlite", "0")]))

    def test_are_the_same_after_a_second_reading_and_in_each_database(self):
        self.assertGreaterEqual(len(world.told), 2)
        def without_clock(runs):
            return sorted(
                sorted((name, value) for name, value in run.items() if run["raw_id"] != world.running or name not in ("seen_time", "elapsed_seconds"))
                for run in runs
            )

        expected = without_clock(world.told[("sqlite", "0")])
        for where, runs in world.told.items():
            self.assertEqual(without_clock(runs), expected, where)

    def test_say_whose_and_what_they_were(self):
        for run, job in self.pairs():
            for field, shown in (
                ("user_name", job["user"]),
                ("account", job["account"]),
                ("partition", job["partition"]),
                ("qos", job["qos"]),
                ("state", job["state"]["current"]),
            ):
                self.assertEqual(run[field], shown, job["job_id"])
            self.assertEqual(ast.literal_eval(f'"{run["name"]}"'), job["name"])

    def test_say_when_they_were(self):
        for run, job in self.pairs():
            self.assertEqual(int(run["submit_time"]), job["time"]["submission"])
            self.assertEqual(int(run.get("end_time", 0)), job["time"]["end"])
            if "end_time" in run and "start_time" in run:
                self.assertEqual(int(run["elapsed_seconds"]), job["time"]["elapsed"])
        self.assertIn("seen_time", next(run for run in self.runs.values() if run["raw_id"] == world.running))

    def test_say_how_they_ended(self):
        """As the scripts have it: sacct's JSON calls every exit code 0."""
        ends: dict[str, list[tuple[int, int]]] = {}
        for run in self.runs.values():
            if "end_time" in run:
                ends.setdefault(run["state"], []).append((int(run["exit_code"]), int(run.get("exit_signal", 0))))
        self.assertEqual(sorted(ends["FAILED"]), [(0, 9), (1, 0), (1, 0), (2, 0), (3, 0), (3, 0)])
        self.assertEqual(set(ends["COMPLETED"]), {(0, 0)})

    def test_have_the_cpu_time_of_the_steps(self):
        for run, job in self.pairs():
            if "end_time" not in run:
                continue
            times = [step["time"]["total"] for step in job["steps"]]
            used = sum(time["seconds"] * 10**6 + time["microseconds"] for time in times)
            self.assertAlmostEqual(int(run.get("cpu_us", 0)), used, delta=CPU_TOLERANCE, msg=job["job_id"])

    def test_have_the_peak_of_their_one_task(self):
        has_peak = False
        for run, job in self.pairs():
            counts = [one["count"] for step in job["steps"] for one in step["tres"]["requested"]["max"] if one["id"] == MEMORY_ID]
            tasks = sum(step["tasks"]["count"] for step in job["steps"] if step["step"]["id"] not in ("batch", "extern", "interactive"))
            if "end_time" in run:
                self.assertEqual(int(run.get("memory_peak_bytes", 0)), max(counts, default=0) if tasks <= 1 else 0, job["job_id"])
                has_peak |= any(counts)
        self.assertTrue(has_peak)

    def test_have_what_they_were_given(self):
        for run, job in self.pairs():
            given = {one["type"]: one["count"] for one in job["tres"]["allocated"]}
            self.assertEqual(int(run.get("cpus", 0)), given.get("cpu", 0))
            self.assertEqual(int(run.get("nodes", 0)), given.get("node", 0))
            self.assertEqual(int(run.get("memory_allocated_bytes", 0)), given.get("mem", 0) * MIB)


def main() -> int:
    with turn(), tempfile.TemporaryDirectory(prefix="jobmetrics-e2e-") as name:
        try:
            try:
                world.begin(pathlib.Path(name))
            except Unfit as unfit:
                world.unfit = str(unfit)
            return tap.run(Accounts)
        finally:
            if hasattr(world, "lab"):
                world.lab.down()


if __name__ == "__main__":
    sys.exit(main())
