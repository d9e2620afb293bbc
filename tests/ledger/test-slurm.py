#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is known of a real Slurm's short jobs, against what sacct says of each and what a meter counted.

usage: test-slurm.py EXPORTER CLI SHORT-JOB FOLDER [JOBS [WORD ...]]

Runs JOBS jobs (1000), in each trial or those whose name begins with a WORD, and leaves the figures in FOLDER. Ratios
are reported; only what must hold on any machine is a failure.
"""

import pathlib
import shlex
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "pylib"), str(HERE.parent / "e2e")]
import bench  # noqa: E402
import plans  # noqa: E402
import tap  # noqa: E402
from lab import CLUSTER, NODE, Lab, Unfit, seconds_of  # noqa: E402
from mill import Truth  # noqa: E402
from programs import SLOWNESS, turn, wait_for  # noqa: E402
from trial import Place, Trial  # noqa: E402

JOBS = 1000
# an array has at most that many tasks
MOST_JOBS = 1000
AT_ONCE = 12 if SLOWNESS == 1 else 4
# of a CPU
SHARING = 8
MEGABYTES = 48
PATIENCE = 1800
OVER = ("COMPLETED", "FAILED", "OUT_OF_MEMORY")

# sacct knows nothing of slurmstepd, which v2 counts with the job
TOLERANCE = 1.0 * SLOWNESS

TRIALS = (
    Trial("Slurm, no ledger, 5 s", interval=5, ledger=False),
    Trial("Slurm, ledger, 5 s", interval=5, cpu_tolerance=TOLERANCE),
    Trial("Slurm, ledger, 1 s", cpu_tolerance=TOLERANCE),
    Trial("Slurm, ledger, 1 s, hooks", hooks=True, cpu_tolerance=TOLERANCE),
    Trial(
        "Slurm, ledger, 1 s, hooks, killed, gone for 3 s",
        hooks=True,
        kill_every=20,
        gone=3,
        follow=True,
        linger=30,
        cpu_tolerance=TOLERANCE,
    ),
)


class Slurm(bench.Ground):
    place = Place(node=NODE, cluster=CLUSTER)

    def __init__(self, programs: bench.Programs, jobs: int):
        self.programs, self.plans = programs, plans.make(jobs)

    def start(self, folder: pathlib.Path, trial: Trial) -> None:
        self.lab = Lab(folder)
        self.lab.up(*self._hooks(folder) if trial.hooks else ())
        # more jobs than it has CPUs, as these hardly work
        self.lab.ask("scontrol", "update", "PartitionName=batch", f"OverSubscribe=FORCE:{SHARING}")
        self.short_job, self.file = folder / "short-job", folder / "plans"
        shutil.copy(self.programs.short_job, self.short_job)
        plans.write(self.plans, self.file)

    def _hooks(self, folder: pathlib.Path) -> list[str]:
        """As Slurm calls them: a file, without arguments."""
        options = []
        for name in ("prolog", "epilog"):
            file = folder / name
            file.write_text(f"#!/bin/sh\nexec {shlex.quote(str(self.programs.cli))} hook {name}\n")
            file.chmod(0o755)
            options += [f"--{name}", str(file)]
        return options

    def run(self) -> list[Truth]:
        script = f"exec {self.short_job} {self.file} $SLURM_ARRAY_TASK_ID"
        tasks = f"--array=0-{len(self.plans) - 1}%{AT_ONCE}"
        array = self.lab.sbatch("ada", script, "-n1", f"--mem={MEGABYTES}", tasks, "--output=/dev/null")
        rows = wait_for("all jobs are over", PATIENCE, lambda: self._ended(array), every=2)
        return [self._truth(row) for row in rows]

    def _ended(self, array: str) -> list[list[str]] | None:
        """What sacct says of each, but its steps, once all have ended."""
        if self.lab.ask("squeue", "--noheader", f"--jobs={array}"):
            return None
        fields = "jobid,jobidraw,state,totalcpu"
        lines = self.lab.ask("sacct", "-n", "-P", "-j", array, "-o", fields).splitlines()
        rows = [line.split("|") for line in lines]
        jobs = [row for row in rows if "." not in row[0]]
        are_over = len(jobs) == len(self.plans) and all(row[2].startswith(OVER) for row in jobs)
        return jobs if are_over else None

    def _truth(self, row: list[str]) -> Truth:
        plan = self.plans[int(row[0].partition("_")[2])]
        return Truth(row[1], plan.kind, plan.seconds, seconds_of(row[3]))

    def stop(self) -> None:
        self.lab.down()


def main() -> int:
    if len(sys.argv) < 5:
        print(__doc__, file=sys.stderr)
        return 2
    reason = bench.unfit_because()
    if reason is None and shutil.which("slurmctld") is None:
        reason = "Slurm is not installed (tests/install-dependencies lab)"
    if reason:
        tap.skip_all(reason)
    bench.go_inside()
    programs = bench.Programs(*sys.argv[1:4])
    jobs = min(int(sys.argv[5]) if len(sys.argv) > 5 else JOBS, MOST_JOBS)
    words = sys.argv[6:] or [""]
    wanted = [trial for trial in TRIALS if any(trial.name.startswith(word) for word in words)]
    try:
        with turn():
            return bench.Bench(programs, lambda: Slurm(programs, jobs), pathlib.Path(sys.argv[4])).run(wanted)
    except Unfit as unfit:
        tap.skip_all(str(unfit))


if __name__ == "__main__":
    sys.exit(main())
