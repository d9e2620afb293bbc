# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Cgroups where Slurm makes those of its jobs, made by a test; and what the kernel says of them."""

import os
import pathlib
import time

# no other test's that runs at the same time
NODE = f"ledger{os.getpid()}"
UID = 1000
LIMIT_BYTES = 48 << 20
ROOT = pathlib.Path("/sys/fs/cgroup")


class Cgroups:
    """Of one job at a time: made, asked, and removed as its scheduler does."""

    def make(self, job: str) -> None:
        raise NotImplementedError

    def procs(self, job: str) -> list[pathlib.Path]:
        """Where its processes join."""
        raise NotImplementedError

    def outside(self) -> list[pathlib.Path]:
        """Where a process leaves all jobs."""
        raise NotImplementedError

    def cpu_seconds(self, job: str) -> float:
        raise NotImplementedError

    def remove(self, job: str) -> None:
        raise NotImplementedError

    def clear(self) -> None:
        raise NotImplementedError

    def await_empty(self, job: str) -> None:
        while self.procs(job)[0].read_text():
            time.sleep(0.001)


def _remove(folders: list[pathlib.Path]) -> None:
    """The last first. One that is as good as empty is busy for a moment."""
    for folder in reversed(folders):
        while True:
            try:
                folder.rmdir()
                break
            except OSError:
                time.sleep(0.001)


def _remove_all(top: pathlib.Path) -> None:
    """With what jobs have left there that were ended."""
    if top.exists():
        _remove([top, *sorted(path for path in top.rglob("*") if path.is_dir())])


class V1(Cgroups):
    PARTS = {"freezer": "step_batch", "cpuacct": "step_batch/task_0", "memory": "step_batch/task_0"}

    def __init__(self) -> None:
        self.tops = [ROOT / controller / f"slurm_{NODE}" for controller in self.PARTS]
        self.users = [top / f"uid_{UID}" for top in self.tops]
        for folder in (*self.tops, *self.users):
            folder.mkdir()

    def _folders(self, job: str) -> list[pathlib.Path]:
        folders = []
        for controller, part in self.PARTS.items():
            folder = ROOT / controller / f"slurm_{NODE}" / f"uid_{UID}" / f"job_{job}"
            folders.append(folder)
            for name in part.split("/"):
                folder = folder / name
                folders.append(folder)
        return folders

    def make(self, job: str) -> None:
        for folder in self._folders(job):
            folder.mkdir()
        if "memory" in self.PARTS:
            limit = ROOT / "memory" / f"slurm_{NODE}" / f"uid_{UID}" / f"job_{job}" / "memory.limit_in_bytes"
            limit.write_text(f"{LIMIT_BYTES}")

    def procs(self, job: str) -> list[pathlib.Path]:
        of_job = {controller: ROOT / controller / f"slurm_{NODE}" / f"uid_{UID}" / f"job_{job}" for controller in self.PARTS}
        return [of_job[controller] / part / "cgroup.procs" for controller, part in self.PARTS.items()]

    def outside(self) -> list[pathlib.Path]:
        return [ROOT / controller / "cgroup.procs" for controller in self.PARTS]

    def cpu_seconds(self, job: str) -> float:
        usage = ROOT / "cpuacct" / f"slurm_{NODE}" / f"uid_{UID}" / f"job_{job}" / "cpuacct.usage"
        return int(usage.read_text()) / 1e9

    def remove(self, job: str) -> None:
        _remove(self._folders(job))

    def clear(self) -> None:
        for top in self.tops:
            _remove_all(top)


class V2(Cgroups):
    CONTROLLERS = "+cpu +memory +pids"

    def __init__(self) -> None:
        self.slice = ROOT / "system.slice"
        self.top = self.slice / f"{NODE}_slurmstepd.scope"
        self.top.mkdir()
        for folder in (ROOT, self.slice, self.top):
            (folder / "cgroup.subtree_control").write_text(self.CONTROLLERS)

    def _folders(self, job: str) -> list[pathlib.Path]:
        names = (f"job_{job}", "step_batch", "user", "task_0")
        return [self.top.joinpath(*names[: depth + 1]) for depth in range(len(names))]

    def make(self, job: str) -> None:
        for folder in self._folders(job):
            folder.mkdir()
            if folder.name != "task_0":
                (folder / "cgroup.subtree_control").write_text(self.CONTROLLERS)
        (self._folders(job)[0] / "memory.max").write_text(f"{LIMIT_BYTES}")

    def procs(self, job: str) -> list[pathlib.Path]:
        return [self._folders(job)[-1] / "cgroup.procs"]

    def outside(self) -> list[pathlib.Path]:
        return [ROOT / "cgroup.procs"]

    def cpu_seconds(self, job: str) -> float:
        lines = (self._folders(job)[0] / "cpu.stat").read_text().splitlines()
        return int(dict(line.split() for line in lines)["usage_usec"]) / 1e6

    def remove(self, job: str) -> None:
        _remove(self._folders(job))

    def clear(self) -> None:
        _remove_all(self.top)


def is_v2() -> bool:
    return (ROOT / "cgroup.controllers").exists()


def _lacking() -> str | None:
    if is_v2():
        wanted = {name.lstrip("+") for name in V2.CONTROLLERS.split()}
        has_all = wanted <= set((ROOT / "cgroup.controllers").read_text().split())
        return None if has_all and (ROOT / "system.slice").exists() else "cgroup v2 without system.slice, cpu, memory and pids"
    if all((ROOT / controller / "cgroup.procs").exists() for controller in V1.PARTS):
        return None
    return "neither cgroup v2 nor cgroup v1 with cpuacct, memory and freezer"


def unfit_because() -> str | None:
    if os.geteuid() != 0:
        return "needs root to make cgroups"
    reason = _lacking()
    if reason:
        return reason
    # root of a container may only read them
    tops = [ROOT / "system.slice"] if is_v2() else [ROOT / controller for controller in V1.PARTS]
    try:
        for top in tops:
            (top / f"probe-{NODE}").mkdir()
            (top / f"probe-{NODE}").rmdir()
    except OSError as error:
        return f"no cgroup can be made: {error}"
    return None


def make() -> Cgroups:
    return V2() if is_v2() else V1()
