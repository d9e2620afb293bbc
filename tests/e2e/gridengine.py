# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A Grid Engine of its own for a test, and what its accounting says of jobs."""

import os
import pathlib
import re
import shutil
import signal
import subprocess

from programs import SLOWNESS, wait_for

GRIDENGINE_LAB = pathlib.Path(__file__).resolve().parent.parent / "lab" / "gridengine-lab"
DEFINITION = pathlib.Path(__file__).resolve().parent.parent.parent / "data" / "schedulers" / "gridengine.conf"
USERS = ["cora", "dan"]
PORT = 17830
# a Grid Engine that runs beside it on this machine has Debian's
FIRST_GROUP = "64400"
UP_SECONDS = 120 * SLOWNESS
ASK_SECONDS = 30 * SLOWNESS


class GridEngine:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder / "gridengine"
        self.environment = {
            **os.environ,
            "GRIDENGINE_LAB_DIR": str(self.folder),
            "GRIDENGINE_LAB_PORT": str(PORT),
            "GRIDENGINE_LAB_SLOWNESS": str(SLOWNESS),
        }

    def _lab(self, *arguments: str, seconds: float = ASK_SECONDS) -> subprocess.CompletedProcess:
        return subprocess.run(
            [GRIDENGINE_LAB, *arguments],
            env=self.environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
        )

    def up(self, *options: str) -> None:
        done = self._lab("up", "--users", " ".join(USERS), "--first-group", FIRST_GROUP, "--slots", "4", *options, seconds=UP_SECONDS)
        if done.returncode != 0:
            logs = "".join(f"\n{log.name}:\n{log.read_text(errors='replace')[-1500:]}" for log in (self.folder / "log").glob("*"))
            raise AssertionError(f"gridengine-lab up failed:\n{done.stdout}{done.stderr}{logs}")

    def down(self) -> None:
        self._lab("down", "--purge", seconds=UP_SECONDS)
        shutil.rmtree(self.folder, ignore_errors=True)

    def write_definition(self, folder: pathlib.Path) -> None:
        """The shipped one, with this cell's spool."""
        text = DEFINITION.read_text()
        line = f"Directory={self.folder}/spool/execd/*/active_jobs"
        (folder / DEFINITION.name).write_text(re.sub(r"(?m)^Directory=/var/spool/.*$", line, text))

    def home(self, user: str) -> pathlib.Path:
        return self.folder / "home" / user

    def ask(self, *command: str) -> str:
        """What a command says in the cell's environment."""
        done = self._lab("run", *command)
        if done.returncode != 0:
            raise AssertionError(f"{command[0]} failed: {done.stdout}{done.stderr}")
        return done.stdout

    def qsub(self, user: str, *arguments: str) -> str:
        """Submits a job and gives its id."""
        done = self._lab("as", user, "qsub", "-terse", "-shell", "n", "-b", "y", "-j", "y", "-o", "$JOB_ID.$TASK_ID.out", *arguments)
        if done.returncode != 0:
            raise AssertionError(f"qsub refused: {done.stdout}{done.stderr}")
        return done.stdout.strip().split(".")[0]

    def active(self, folder: str) -> pathlib.Path | None:
        """The folder that execd keeps for a job, such as 12.1; None where there is none."""
        found = list((self.folder / "spool" / "execd").glob(f"*/active_jobs/{folder}"))
        return found[0] if found else None

    def await_end(self, folder: str, seconds: float = 60) -> None:
        wait_for(f"job {folder} has ended", seconds, lambda: self.active(folder) is None)

    def spent(self, user: str, job: str, task: str = "0") -> float:
        """What the job says that it has spent, once it has."""
        output = self.home(user) / f"{job}.{task}.out"

        def told() -> re.Match | None:
            return re.search(r"^spent (\S+)\n", output.read_text(), re.MULTILINE) if output.exists() else None

        return float(wait_for(f"job {job} has spent its CPU seconds", 60, told)[1])

    def release(self, folder: str) -> None:
        """Lets a job end that stays."""
        os.kill(int((self.active(folder) / "job_pid").read_text()), signal.SIGUSR1)

    def accounted_cpu(self, job: str, task: str | None = None) -> float:
        """What qacct says when the job has ended."""
        which = ["-t", task] if task else []

        def told() -> re.Match | None:
            return re.search(r"(?m)^cpu +([\d.]+)s", self._lab("run", "qacct", "-j", job, *which).stdout)

        return float(wait_for(f"qacct knows job {job}", 60, told, every=0.5)[1])
