# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A node in a folder, whose jobs are born, work and end; and all that its files ever said.

Jobs are copies of one that was recorded. Numbers that move have as many digits all the time, and are written over in
place, so that an open file goes on as a kernel's does; what ends is moved away first, so that it goes at once.
"""

import os
import pathlib
import re
import shutil
import threading
import time
import uuid
from random import Random

from control import Control

SCOPE = pathlib.PurePath("sys/fs/cgroup/system.slice/n2_slurmstepd.scope")
TEMPLATE = "3"
# large enough that no digit is ever added
LOW, HIGH = 3_000_000_000, 8_000_000_000
ZONES = {"package-0": "intel-rapl:0", "dram-0": "intel-rapl:0/intel-rapl:0:0"}
POWERCAP = pathlib.PurePath("sys/devices/virtual/powercap/intel-rapl")
STAT_UTIME = 13


class Figure:
    """One number of the kernel's, and all that it ever was."""

    def __init__(self, value: int):
        self.held = {value}
        self.value = value

    def set(self, value: int) -> None:
        self.held.add(value)
        self.value = value


class Run:
    """One run of a job: its files, and what they said."""

    def __init__(self, job: str, number: int):
        self.job = job
        self.number = number
        self.pids: dict[str, int] = {}
        self.figures = {
            "user_usec": Figure(LOW + 10_000_000),
            "system_usec": Figure(LOW),
            "usage_usec": Figure(2 * LOW + 10_000_000),
            "memory.current": Figure(LOW + 500_000_000),
            "memory.peak": Figure(LOW + 600_000_000),
            "anon": Figure(LOW + 400_000_000),
            "cpu_pressure": Figure(LOW),
            "rchar": Figure(LOW),
            "utime": Figure(LOW),
        }
        self.inode = 0
        self.born_at = self.ending_at = self.ended_at = 0.0  # it ends between the last two
        self.has_ended = False


class World:
    def __init__(self, folder: pathlib.Path, fixtures: pathlib.Path, control: Control, random: Random):
        self.folder = folder
        self.tree = folder / "tree"
        self.staging = folder / "staging"
        self.control = control
        self.random = random
        self.lock = threading.Lock()
        self.runs: list[Run] = []
        self.ended: list[Run] = []
        self.n_runs = 0
        # none that a real process has
        self.next_pid = 5_000_000
        self.staging.mkdir(parents=True)
        self._copy(fixtures)
        self.energy = {domain: Figure(30_000_000_000) for domain in ZONES}
        self.node_user = Figure(LOW)
        self.free_kb = Figure(3_000_000)
        self._write_node()

    # --- making it

    def _copy(self, fixtures: pathlib.Path) -> None:
        shutil.copytree(fixtures / "slurm-v2-burn", self.tree, symlinks=True)
        shutil.copytree(fixtures / "power-rapl-server" / "sys", self.tree / "sys", symlinks=True, dirs_exist_ok=True)
        for name in ("intel-rapl:1", "intel-rapl:1:0"):
            os.unlink(self.tree / "sys/class/powercap" / name)
        shutil.rmtree(self.tree / POWERCAP / "intel-rapl:1")
        random_folder = self.tree / "proc/sys/kernel/random"
        random_folder.mkdir(parents=True, exist_ok=True)
        self.boot_id = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        (random_folder / "boot_id").write_text(f"{self.boot_id}\n")
        self._take_template()
        for scope in (self.tree / SCOPE.parent).glob("n*_slurmstepd.scope"):
            for job in scope.glob("job_*"):
                self._remove_recorded(job)

    def _remove_recorded(self, job: pathlib.Path) -> None:
        for procs in job.rglob("cgroup.procs"):
            for pid in procs.read_text().split():
                shutil.rmtree(self.tree / "proc" / pid, ignore_errors=True)
        shutil.rmtree(job)

    def _take_template(self) -> None:
        """All files of the recorded job, by their path in its cgroup or in /proc."""
        cgroup = self.tree / SCOPE / f"job_{TEMPLATE}"
        self.cgroup_files = {str(path.relative_to(cgroup)): path.read_bytes() for path in cgroup.rglob("*") if path.is_file()}
        pids = [pid for path, text in self.cgroup_files.items() if path.endswith("cgroup.procs") for pid in text.decode().split()]
        self.process_files: dict[str, dict[str, bytes]] = {pid: {} for pid in sorted(pids)}
        self.process_links: dict[str, dict[str, str]] = {pid: {} for pid in pids}
        for pid in pids:
            folder = self.tree / "proc" / pid
            for path in folder.rglob("*"):
                if path.is_symlink():
                    self.process_links[pid][str(path.relative_to(folder))] = os.readlink(path)
                elif path.is_file():
                    self.process_files[pid][str(path.relative_to(folder))] = path.read_bytes()
        # the one whose counters move: the program of the job
        self.mover = next(pid for pid in pids if self.process_files[pid]["comm"] == b"load\n")

    # --- births and ends

    def bear(self, job: str | None = None) -> Run:
        run = Run(job or str(1000 + self.n_runs), self.n_runs)
        self.n_runs += 1
        for pid in self.process_files:
            run.pids[pid] = self.next_pid
            self.next_pid += 1
        stage = self.staging / f"run-{run.number}"
        self._write_processes(run, stage)
        self._write_cgroup(run, stage / "cgroup")
        run.born_at = time.time()
        run.inode = (stage / "cgroup").stat().st_ino
        for pid in run.pids.values():
            os.rename(stage / str(pid), self.tree / "proc" / str(pid))
        with self.lock:
            self.runs.append(run)
        os.rename(stage / "cgroup", self.cgroup_of(run))
        stage.rmdir()
        return run

    def end(self, run: Run) -> None:
        stage = self.staging / f"gone-{run.number}"
        stage.mkdir()
        with self.lock:
            self.runs.remove(run)
            self.ended.append(run)
            run.has_ended = True
            run.ending_at = time.time()
        # a cgroup is removed when its processes have gone
        for pid in run.pids.values():
            os.rename(self.tree / "proc" / str(pid), stage / str(pid))
        os.rename(self.cgroup_of(run), stage / "cgroup")
        run.ended_at = time.time()
        shutil.rmtree(stage)

    def cgroup_of(self, run: Run) -> pathlib.Path:
        return self.tree / SCOPE / f"job_{run.job}"

    def _write_processes(self, run: Run, stage: pathlib.Path) -> None:
        for recorded, pid in run.pids.items():
            for name, text in self.process_files[recorded].items():
                path = stage / str(pid) / name.replace(f"task/{recorded}", f"task/{pid}")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(self._text_of_process(run, recorded, name, text))
            for name, target in self.process_links[recorded].items():
                path = stage / str(pid) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                os.symlink(target, path)

    def _text_of_process(self, run: Run, recorded: str, name: str, text: bytes) -> bytes:
        pid = str(run.pids[recorded]).encode()
        if name.rpartition("/")[2] == "stat":
            text = re.sub(rb"^\d+", pid, text)
        elif name == "status":
            text = re.sub(rb"^(Tgid|Pid|NStgid|NSpid):\t" + recorded.encode() + rb"$", rb"\1:\t" + pid, text, flags=re.M)
        elif name == "cgroup":
            text = text.replace(f"job_{TEMPLATE}/".encode(), f"job_{run.job}/".encode())
        elif name == "environ":
            text = re.sub(rb"SLURM_(JOB_?ID)=" + TEMPLATE.encode() + rb"\0", rb"SLURM_\1=" + run.job.encode() + rb"\0", text)
        if recorded == self.mover:
            text = self._moved(run, name, text)
        return text

    def _moved(self, run: Run, name: str, text: bytes) -> bytes:
        if name == "stat":
            fields = text.split(b" ")
            fields[STAT_UTIME] = str(run.figures["utime"].value).encode()
            return b" ".join(fields)
        if name == "io":
            return re.sub(rb"rchar: \d+", f"rchar: {run.figures['rchar'].value}".encode(), text)
        return text

    def _write_cgroup(self, run: Run, folder: pathlib.Path) -> None:
        for name, text in self.cgroup_files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if name.endswith("cgroup.procs"):
                text = "".join(f"{run.pids[pid]}\n" for pid in text.decode().split()).encode()
            path.write_bytes(self._text_of_cgroup(run, name, text))

    def _text_of_cgroup(self, run: Run, name: str, text: bytes) -> bytes:
        """Of the job's own cgroup; its steps' stand still."""
        figures = {key: figure.value for key, figure in run.figures.items()}
        if name == "cpu.stat":
            for key in ("usage_usec", "user_usec", "system_usec"):
                text = re.sub(rf"^{key} \d+".encode(), f"{key} {figures[key]}".encode(), text, flags=re.M)
        elif name in ("memory.current", "memory.peak"):
            text = f"{figures[name]}\n".encode()
        elif name == "memory.stat":
            text = re.sub(rb"^anon \d+", f"anon {figures['anon']}".encode(), text)
        elif name == "cpu.pressure":
            text = re.sub(rb"^(some .* total=)\d+", rb"\g<1>" + str(figures["cpu_pressure"]).encode(), text)
        return text

    # --- work

    def tick(self) -> None:
        with self.lock:
            runs = list(self.runs)
            for run in runs:
                self._advance(run)
            for figure in self.energy.values():
                figure.set(figure.value + self.random.randrange(1, 400_000))
            self.node_user.set(self.node_user.value + self.random.randrange(1, 20))
            self.free_kb.set(self.random.randrange(1_000_000, 4_000_000))
        self._write_node()
        for run in runs:
            self._write_run(run)

    def _advance(self, run: Run) -> None:
        random, figures = self.random, run.figures
        for key, most in (("user_usec", 50_000), ("system_usec", 5_000), ("cpu_pressure", 1000), ("rchar", 100_000), ("utime", 5)):
            figures[key].set(figures[key].value + random.randrange(1, most))
        figures["usage_usec"].set(figures["user_usec"].value + figures["system_usec"].value)
        figures["anon"].set(random.randrange(LOW, HIGH))
        figures["memory.current"].set(random.randrange(LOW, HIGH))
        figures["memory.peak"].set(max(figures["memory.peak"].value, figures["memory.current"].value))

    def _overwrite(self, path: pathlib.Path, text: bytes) -> None:
        fd = os.open(path, os.O_WRONLY)
        try:
            with self.control.writing():
                os.pwrite(fd, text, 0)
                os.ftruncate(fd, len(text))
        finally:
            os.close(fd)

    def _write_run(self, run: Run) -> None:
        folder = self.cgroup_of(run)
        for name in ("cpu.stat", "memory.current", "memory.peak", "memory.stat", "cpu.pressure"):
            self._overwrite(folder / name, self._text_of_cgroup(run, name, self.cgroup_files[name]))
        process = self.tree / "proc" / str(run.pids[self.mover])
        for name in ("stat", "io"):
            self._overwrite(process / name, self._text_of_process(run, self.mover, name, self.process_files[self.mover][name]))

    def _write_node(self) -> None:
        for domain, zone in ZONES.items():
            self._overwrite(self.tree / POWERCAP / zone / "energy_uj", f"{self.energy[domain].value}\n".encode())
        for name, pattern, value in (
            ("stat", rb"^(cpu +)\d+", self.node_user.value),
            ("meminfo", rb"(MemFree: +)\d+", self.free_kb.value),
        ):
            path = self.tree / "proc" / name
            self._overwrite(path, re.sub(pattern, rb"\g<1>" + str(value).encode(), path.read_bytes(), count=1))
