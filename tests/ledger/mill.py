# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs jobs as a scheduler does, a few at a time, and keeps what the kernel said of each before its cgroup went."""

import os
import pathlib
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import plans
from cgroups import UID, Cgroups
from plans import Plan

ACCOUNTS = ("physics", "chemistry", "biology")


@dataclass(frozen=True)
class Truth:
    """What is known of a job without jobmetrics."""

    job: str
    kind: str
    seconds: float  # from its birth to its end
    cpu_seconds: float


Hook = Callable[[str, dict[str, str]], None]


class Mill:
    def __init__(self, program: str, cgroups: Cgroups, folder: pathlib.Path, removal: float, hook: Hook | None = None):
        """A cgroup is removed so many seconds after its last process has gone; with 0, before anybody reads of it. The hook is
        called with `prolog` or `epilog` and a job's environment, while its cgroup is there."""
        self.program = program
        self.cgroups = cgroups
        self.plans = folder / "plans"
        self.removal = removal
        self.hook = hook
        self.truths: list[Truth] = []

    def run(self, wanted: list[Plan], first_job: int, at_once: int) -> list[Truth]:
        plans.write(wanted, self.plans)
        self.truths = []
        with ThreadPoolExecutor(at_once) as pool:
            runs = [pool.submit(self._run_one, index, plan.kind, f"{first_job + index}") for index, plan in enumerate(wanted)]
            for one in runs:
                self.truths.append(one.result())
        return self.truths

    def _call_hook(self, name: str, environment: dict[str, str]) -> None:
        if self.hook is not None:
            self.hook(name, environment)

    def _run_one(self, index: int, kind: str, job: str) -> Truth:
        environment = self._environment(job)
        began = time.monotonic()
        self.cgroups.make(job)
        self._call_hook("prolog", environment)
        command = [self.program, str(self.plans), str(index), *map(str, self.cgroups.procs(job))]
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if self.removal == 0 and self.hook is None:
            self.cgroups.remove(job)
            return Truth(job, kind, time.monotonic() - began, used.ru_utime + used.ru_stime)
        self.cgroups.await_empty(job)
        ended = time.monotonic()
        self._call_hook("epilog", environment)
        time.sleep(self.removal)
        truth = Truth(job, kind, ended - began, self.cgroups.cpu_seconds(job))
        self.cgroups.remove(job)
        return truth

    @staticmethod
    def _environment(job: str) -> dict[str, str]:
        """As Slurm reports its jobs."""
        account = ACCOUNTS[int(job) % len(ACCOUNTS)]
        return {
            "PATH": "/usr/bin:/bin",
            "SLURM_JOB_ID": job,
            "SLURM_JOB_UID": str(UID),
            "SLURM_JOB_USER": f"user{int(job) % 7}",
            "SLURM_JOB_ACCOUNT": account,
            "SLURM_JOB_PARTITION": "batch",
            "SLURM_JOB_NAME": f"short-{job}",
            "SLURM_JOB_START_TIME": str(int(time.time())),
        }
