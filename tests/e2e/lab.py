# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A Slurm of its own for a test, and what the kernel says of its jobs."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess

from programs import SLOWNESS, wait_for

SLURM_LAB = pathlib.Path(__file__).resolve().parent.parent / "lab" / "slurm-lab"
NODE_PREFIX = "etoe"
NODE = f"{NODE_PREFIX}1"
CLUSTER = "etoe"
USERS = ["ada", "ben"]  # who belong to physics and chemistry
# a Slurm that runs beside it on this machine has jobs from 1 on
FIRST_JOB = "17001"
PORT = 17810
UP_SECONDS = 240 * SLOWNESS
ASK_SECONDS = 30 * SLOWNESS
# that Slurm gives a job
LIMIT_MINUTES = 5 * SLOWNESS
PATIENT = 'until [ -e "end-$SLURM_JOB_ID" ]; do sleep 0.1; done'


class Unfit(Exception):
    """This machine cannot run a Slurm with cgroups; says why."""


def seconds_of(text: str) -> float:
    """Slurm's [DD-[hh:]]mm:ss[.fraction]."""
    days, _, clock = text.rpartition("-")
    seconds = 0.0
    for part in clock.split(":"):
        seconds = seconds * 60 + float(part)
    return seconds + 86400 * int(days or 0)


class Lab:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder / "lab"
        self.environment = {
            **os.environ,
            "SLURM_LAB_DIR": str(self.folder),
            "SLURM_LAB_PORT": str(PORT),
            "SLURM_LAB_CLUSTER": CLUSTER,
            "SLURM_LAB_SLOWNESS": str(SLOWNESS),
            "SLURM_CONF": str(self.folder / "etc" / "slurm.conf"),
        }
        # what runs a program that asks this Slurm
        self.within = ("env", f"SLURM_CONF={self.environment['SLURM_CONF']}")

    def _lab(self, *arguments: str, **options) -> subprocess.CompletedProcess:
        return subprocess.run(
            [SLURM_LAB, *arguments],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=UP_SECONDS,
            **options,
        )

    def up(self, *options: str, needs_cgroups: bool = True, has_rest: bool = False) -> None:
        if os.geteuid() != 0:
            raise Unfit("needs root to run a Slurm")
        if shutil.which("slurmctld") is None:
            raise Unfit("Slurm is not installed (tests/install-dependencies lab)")
        names = ["--node-prefix", NODE_PREFIX, "--users", " ".join(USERS), "--first-job", FIRST_JOB]
        done = self._lab("up", *names, "--gpus", "0", *([] if has_rest else ["--no-rest"]), *options)
        if done.returncode != 0:
            if "only loopback addresses" in done.stderr:
                raise Unfit(done.stderr.strip())
            raise AssertionError(f"slurm-lab up failed:\n{done.stdout}{done.stderr}{self._logs()}")
        self.cgroup = self._setting("CGROUP")
        if self.cgroup == "none" and needs_cgroups:
            raise Unfit("neither cgroup v2 with systemd nor cgroup v1 with cpuacct, memory and freezer")

    def down(self) -> None:
        self._lab("down", "--purge")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _logs(self) -> str:
        logs = sorted((self.folder / "log").glob("slurm*.log"))
        return "".join(f"\n{log.name}:\n{log.read_text(errors='replace')[-1500:]}" for log in logs)

    def _setting(self, name: str) -> str:
        lines = (self.folder / "etc" / "lab.conf").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)[name]

    def ask(self, *command: str) -> str:
        done = subprocess.run(
            command,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=ASK_SECONDS,
            check=True,
        )
        return done.stdout.strip()

    def ask_socket(self, socket: pathlib.Path, path: str, user: str = "root") -> tuple[int, str]:
        """As this user, over the local socket of an exporter: the status and the body."""
        curl = ["curl", "-sS", "--unix-socket", str(socket), "--write-out", "\n%{http_code}", f"http://localhost{path}"]
        text, _, status = self.ask(str(SLURM_LAB), "as", user, *curl).rpartition("\n")
        return int(status), text

    def home(self, user: str) -> pathlib.Path:
        return self.folder / "home" / user

    def sbatch(self, user: str, script: str, *options: str) -> str:
        """Submits a job that starts at once, and gives its id."""
        command = ["as", user, "sbatch", "--parsable", f"--time={LIMIT_MINUTES}", f"--chdir={self.home(user)}", "--output=%j.out", *options]
        done = subprocess.run(
            [SLURM_LAB, *command],
            env=self.environment,
            cwd="/",
            input=f"#!/bin/bash\n{script}\n",
            capture_output=True,
            text=True,
            timeout=ASK_SECONDS,
        )
        if done.returncode != 0:
            raise AssertionError(f"sbatch refused: {done.stderr}")
        return done.stdout.strip().split(";")[0]

    def state(self, job: str) -> str:
        return self.ask("squeue", "--noheader", "--states=all", "--format=%T", f"--jobs={job}")

    def await_state(self, job: str, state: str, seconds: float = 60) -> None:
        wait_for(f"job {job} is {state}", seconds, lambda: state in self.state(job).splitlines())

    def await_spent(self, user: str, job: str, tasks: int = 1) -> float:
        """Until so many of its tasks have spent what they spend: how many CPU seconds these say it was in all."""
        output = self.home(user) / f"{job}.out"

        def all_told() -> list[str] | None:
            told = re.findall(r"^spent (\S+)\n", output.read_text(), re.MULTILINE) if output.exists() else []
            return told if len(told) == tasks else None

        return sum(float(told) for told in wait_for(f"{tasks} tasks of job {job} have spent their CPU seconds", 120, all_told))

    def release(self, job: str) -> None:
        """Lets a job end whose script has become a task that stays; all of an array."""
        self.ask("scancel", "--batch", "--signal=USR1", job)

    def run_patient(self, user: str) -> str:
        """A job that runs until it is asked to end."""
        job = self.sbatch(user, PATIENT, "-n1", "--mem=100", "--requeue")
        self.await_state(job, "RUNNING")
        return job

    def end_patient(self, user: str, job: str) -> None:
        (self.home(user) / f"end-{job}").touch()
        self.await_state(job, "COMPLETED")

    def requeue(self, job: str) -> None:
        """Puts an end to a job, which waits until it is resumed."""
        self.ask("scontrol", "requeuehold", job)
        self.await_state(job, "PENDING")

    def resume(self, job: str) -> None:
        """Asked for until it runs: Slurm puts its start off until it has cleaned up behind the earlier run, or fails to start it amid that."""

        def runs() -> bool:
            states = self.state(job).splitlines()
            if "RUNNING" in states:
                return True
            with contextlib.suppress(subprocess.CalledProcessError):
                if "FAILED" in states:
                    self.ask("scontrol", "requeue", job)
                self.ask("scontrol", "update", f"JobId={job}", "StartTime=now")
                self.ask("scontrol", "release", job)
            return False

        wait_for(f"job {job} runs again", 60, runs, every=0.5)

    def accounted(self, job: str, field: str) -> str:
        """What sacct says of a job that has ended, all its steps included."""

        def ended() -> str | None:
            lines = self.ask("sacct", "-n", "-P", "-j", job, "-o", f"state,{field}").splitlines()
            rows = [line.partition("|") for line in lines]
            return rows[0][2] if rows and all(state == "COMPLETED" for state, _, _ in rows) else None

        return wait_for(f"sacct knows the end of job {job}", 60, ended, every=0.5)

    # What the kernel says

    def cgroup_of(self, controller: str, job: str) -> pathlib.Path | None:
        """None as long as the job has none."""
        if self.cgroup == "v2":
            root = pathlib.Path(self._setting("V2ROOT"))
            found = list(root.glob(f"system.slice/{NODE}_slurmstepd.scope/job_{job}"))
        else:
            found = list(pathlib.Path("/sys/fs/cgroup", controller).glob(f"slurm_{NODE}/uid_*/job_{job}"))
        return found[0] if found else None

    def kernel_cpu_seconds(self, job: str, part: str = ".") -> float:
        folder = self.cgroup_of("cpuacct", job) / part
        if self.cgroup == "v2":
            fields = dict(line.split() for line in (folder / "cpu.stat").read_text().splitlines())
            return int(fields["usage_usec"]) / 1e6
        return int((folder / "cpuacct.usage").read_text()) / 1e9

    def cpu_seconds_beside(self, job: str) -> float:
        """Of what serves a job that is but a script: v2 counts each step's slurmstepd with the job."""
        if self.cgroup == "v2":
            return self.kernel_cpu_seconds(job) - self.kernel_cpu_seconds(job, "step_batch/user")
        return 0.0

    def kernel_memory_peak(self, job: str) -> int | None:
        """None where the kernel keeps none."""
        name = "memory.peak" if self.cgroup == "v2" else "memory.max_usage_in_bytes"
        file = self.cgroup_of("memory", job) / name
        return int(file.read_text()) if file.exists() else None


class SharedLab:
    """One for all tests of a program, begun by the first that wants it."""

    def __init__(self, folder: pathlib.Path):
        self.lab = Lab(folder)
        self.folder = folder
        self.unfit: str | None = None
        self.is_up = False

    def get(self) -> Lab:
        """Raises Unfit each time where there can be none."""
        if self.unfit is None and not self.is_up:
            self._begin()
        if self.unfit is not None:
            raise Unfit(self.unfit)
        return self.lab

    def _begin(self) -> None:
        try:
            self.folder.chmod(0o755)  # the jobs' users read the lab's files
            self.is_up = True
            self.lab.up()
        except Unfit as unfit:
            self.unfit = str(unfit)

    def down(self) -> None:
        if self.is_up:
            self.lab.down()
