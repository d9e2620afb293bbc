#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is known of short jobs, against what the kernel said of each before its cgroup went and what a meter counted.

usage: test-cgroups.py EXPORTER CLI SHORT-JOB FOLDER [JOBS [WORD ...]]

Runs JOBS jobs (1000) in cgroups made for them, in each trial, in that whose name is a WORD or those whose name begins with
one, and leaves the figures in FOLDER. Ratios are reported; only what must hold on any machine is a failure.
"""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "pylib"), str(HERE.parent / "e2e")]
import bench  # noqa: E402
import cgroups  # noqa: E402
import plans  # noqa: E402
import tap  # noqa: E402
from mill import Mill, Truth  # noqa: E402
from programs import SLOWNESS  # noqa: E402
from trial import Place, Trial  # noqa: E402

JOBS = 1000
AT_ONCE = 12 if SLOWNESS == 1 else 4
FIRST_JOB = 400001

OFTEN = 20
LONG_SECONDS = 180
# of CPU time where no counter can be read at a job's end
AT_ONCE_KNOWN = 0.9
TRIALS = (
    Trial("no ledger, 5 s, none kept on display", interval=5, ledger=False, linger=0),
    Trial("no ledger, 5 s", interval=5, ledger=False),
    Trial("no ledger, 5 s, scraped each 5 s", interval=5, ledger=False, scrape_every=5),
    Trial("no ledger, 1 s", ledger=False),
    Trial("no ledger, 1 s, killed", ledger=False, kill_every=OFTEN, follow=True, linger=30),
    Trial("ledger, 5 s", interval=5),
    Trial("ledger, 1 s"),
    Trial("ledger, 5 s, hooks", interval=5, hooks=True),
    Trial("ledger, 1 s, hooks", hooks=True),
    Trial("ledger, 1 s, removed at once", removal=0, least_known=AT_ONCE_KNOWN),
    Trial("ledger, 5 s, removed at once", interval=5, removal=0, least_known=AT_ONCE_KNOWN),
    Trial("ledger, 5 s, removed at once, killed", interval=5, removal=0, kill_every=OFTEN, follow=True, linger=30),
    Trial("ledger, 1 s, hooks, removed at once", removal=0, hooks=True),
    Trial("ledger, 1 s, killed", kill_every=OFTEN, follow=True, linger=30),
    Trial("ledger, 1 s, killed, gone for 3 s", kill_every=OFTEN, gone=3, follow=True, linger=30),
    Trial("ledger, 1 s, hooks, killed, gone for 3 s", hooks=True, kill_every=OFTEN, gone=3, follow=True, linger=30),
    Trial("ledger, 1 s, killed each 2 s", kill_every=2, follow=True, linger=30),
    Trial("no ledger, 5 s, long jobs", interval=5, ledger=False, long_seconds=LONG_SECONDS),
    Trial("ledger, 5 s, long jobs", interval=5, long_seconds=LONG_SECONDS),
    Trial("ledger, 1 s, long jobs", long_seconds=LONG_SECONDS),
)


class Made(bench.Ground):
    place = Place(node=cgroups.NODE, cluster="made")

    def __init__(self, programs: bench.Programs, jobs: int):
        self.programs, self.jobs = programs, jobs

    def start(self, folder: pathlib.Path, trial: Trial) -> None:
        self.plans = plans.make_long(AT_ONCE, trial.long_seconds) if trial.long_seconds else plans.make(self.jobs)
        self.cgroups = cgroups.make()
        self.mill = Mill(self.programs.short_job, self.cgroups, folder, trial.removal, self._call_hook if trial.hooks else None)

    def _call_hook(self, name: str, environment: dict[str, str]) -> None:
        subprocess.run([self.programs.cli, "hook", name], env=environment, stdin=subprocess.DEVNULL, check=True)

    def run(self) -> list[Truth]:
        return self.mill.run(self.plans, FIRST_JOB, AT_ONCE)

    def stop(self) -> None:
        self.cgroups.clear()


def find(word: str) -> list[Trial]:
    return [trial for trial in TRIALS if trial.name == word] or [trial for trial in TRIALS if trial.name.startswith(word)]


def main() -> int:
    if len(sys.argv) < 5:
        print(__doc__, file=sys.stderr)
        return 2
    reason = bench.unfit_because() or cgroups.unfit_because()
    if reason:
        tap.skip_all(reason)
    bench.go_inside()
    programs = bench.Programs(*sys.argv[1:4])
    jobs = int(sys.argv[5]) if len(sys.argv) > 5 else JOBS
    found = [trial for word in sys.argv[6:] or [""] for trial in find(word)]
    wanted = [trial for trial in TRIALS if trial in found]
    return bench.Bench(programs, lambda: Made(programs, jobs), pathlib.Path(sys.argv[4])).run(wanted)


if __name__ == "__main__":
    sys.exit(main())
