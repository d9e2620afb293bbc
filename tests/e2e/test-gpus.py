#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Accelerators of a real Slurm's jobs, with a library that says what the test wants of them.

usage: test-gpus.py EXPORTER SPEND CLI LIBRARY

Slurm hands two device files out and says whose they are. A stand-in of NVIDIA's library reports what the devices do; the
processes on them are real ones, of the jobs.
"""

import importlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "pylib"))
sys.path.insert(0, str(HERE))
import tap  # noqa: E402
from lab import CLUSTER, NODE, Unfit  # noqa: E402
from programs import SLOWNESS, Exporter, turn, wait_for  # noqa: E402

energy = importlib.import_module("test-energy")
slurm = importlib.import_module("test-slurm")

GIB = 1 << 30
MICRO = 1_000_000
INTERVAL_SECONDS = 0.5
# one round of the exporter, and one of the library
ROUND_SECONDS = 12
UUIDS = ("GPU-0e2e0000-0000-4000-8000-000000000000", "GPU-0e2e0001-0000-4000-8000-000000000001")
WORK_WATTS = 100
# what a device takes for being there; little, so that a slow machine's long sweeps leave most of the rest to the jobs
IDLE_WATTS = 5
STAY = f"exec sleep {240 * SLOWNESS}"
SHARE = "jobmetrics_job_gpu_share_ratio"
PYTHON = """
import sys
import gi
gi.require_version("JobMetrics", "1.0")
from gi.repository import JobMetrics
node = JobMetrics.Node(node_name=sys.argv[1], gpu_sources=[sys.argv[2]])
node.wait_for_answers(5000)
print(*(f"{one.name} {one.utilization_ratio}" for one in node.sample()[sys.argv[3]].gpu_devices))
"""


class Devices:
    """What the library says, in the file that it reads."""

    def __init__(self, folder: pathlib.Path):
        self.file = folder / "gpus.script"
        # without samples a figure is what the script has now, and no mean
        self.groups: dict[str, dict[str, object]] = {"library": {"driver": "550.54.15", "samples-kept": 0}}
        for number, uuid in enumerate(UUIDS):
            self.groups[str(number)] = {
                "name": "NVIDIA A100-SXM4-40GB",
                "uuid": uuid,
                "minor": number,
                "pci": f"00000000:{0x3B + number:02X}:00.0",
                "utilization": 0,
                "memory-total": 40 * GIB,
                "memory-used": 0,
                "power": 1000 * IDLE_WATTS,
                "power-limit": 400_000,
                "energy": 1_000_000,
                "temperature": 31,
                "throttle": 0,
                "processes": "",
            }
        self._write()

    def set(self, device: str, **values: object) -> None:
        """A value of None takes the line away."""
        for key, value in values.items():
            key = key.replace("_", "-")
            if value is None:
                self.groups[device].pop(key, None)
            else:
                self.groups[device][key] = value
        self._write()

    def add_energy(self, device: str, joules: int) -> None:
        self.set(device, energy=int(self.groups[device]["energy"]) + 1000 * joules)

    def _write(self) -> None:
        lines = []
        for name, values in self.groups.items():
            lines += [f"[{name}]", *(f"{key}={value}" for key, value in values.items())]
        whole = self.file.with_suffix(".new")
        whole.write_text("\n".join(lines) + "\n")
        whole.rename(self.file)


class World(slurm.World):
    def __init__(self, exporter: str, spend: str, cli: str, library: str, folder: pathlib.Path):
        super().__init__(exporter, spend, folder, cli)
        self.source = f"nvml,library={library},interval={INTERVAL_SECONDS}"
        self.devices = Devices(folder)
        self.maps = folder / "maps"
        os.environ["NVML_STAND_IN"] = str(self.devices.file)

    def start(self) -> None:
        self.lab.up("--gpus", "2")
        self.start_exporter()

    def start_exporter(self, *more: str) -> None:
        options = [f"--node.name={NODE}", f"--cluster={CLUSTER}", "--power.source=gpu", f"--gpu.source={self.source}", *more]
        self.exporter = self._run(Exporter(self.program, self.folder, *options))

    def stop_exporter(self) -> int:
        self.running.remove(self.exporter)
        return self.exporter.stop()

    def begin_job(self, user: str, *options: str) -> str:
        job = self.lab.sbatch(user, STAY, "--ntasks=1", "--mem=100", *options)
        self.lab.await_state(job, "RUNNING")
        self.await_job(job)
        return job

    def device_of(self, job: str) -> str:
        """As Slurm itself numbers it."""
        return re.search(r"GRES=gpu:a100:1\(IDX:(\d)\)", self.lab.ask("scontrol", "--details", "show", "job", job))[1]

    def process_of(self, job: str) -> int:
        """That which the job's script has become."""

        def found() -> int | None:
            for file in self.lab.cgroup_of("freezer", job).rglob("cgroup.procs"):
                for pid in file.read_text().split():
                    if pathlib.Path("/proc", pid, "cmdline").read_bytes() == STAY.removeprefix("exec ").replace(" ", "\0").encode() + b"\0":
                        return int(pid)
            return None

        return wait_for(f"job {job} has a process", 20, found)

    def figure(self, name: str, **labels: str) -> float | None:
        return self.scrape().value(name, **labels)

    def await_figure(self, name: str, value: float | None, **labels: str) -> None:
        wait_for(f"{name}{labels} is {value}", ROUND_SECONDS, lambda: self.figure(name, **labels) == value or None)

    def ask(self, *arguments: str) -> str:
        command = [self.cli, *arguments, f"--node.name={NODE}", f"--gpu.source={self.source}"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60 * SLOWNESS)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(command)}: {done.stderr}")
        return done.stdout


world: World


class TwoJobs(unittest.TestCase):
    """One works on its device, the other lets its lie idle."""

    @classmethod
    def begin(cls):
        cls.busy = world.begin_job("ada", "--gres=gpu:1")
        cls.asleep = world.begin_job("ben", "--gres=gpu:1")
        cls.at_work, cls.idle = world.device_of(cls.busy), world.device_of(cls.asleep)
        pid = world.process_of(cls.busy)
        world.devices.set(
            cls.at_work, utilization=75, memory_used=12 * GIB, power=1000 * WORK_WATTS, temperature=62, processes=f"{pid}:{11 * GIB}:75"
        )

    def test_have_the_devices_that_slurm_gave_them(self):
        self.assertEqual({self.at_work, self.idle}, {"0", "1"})
        for job, device in ((self.busy, self.at_work), (self.asleep, self.idle)):
            world.await_figure(SHARE, 1, jobid=job)
            self.assertEqual(world.scrape().one(SHARE, jobid=job).labels["gpu"], device)
            self.assertEqual(world.figure("jobmetrics_job_allocated_gpus", jobid=job), 1)

    def test_have_them_by_the_word_of_their_environment(self):
        """As long as no hook says so: the number in it is Slurm's, CUDA_VISIBLE_DEVICES says 0 in both."""
        for job in (self.busy, self.asleep):
            self.assertEqual(world.scrape().one(SHARE, jobid=job).labels["origin"], "environment")

    def test_that_work_have_what_their_device_does(self):
        told = {"gpu": self.at_work, "jobid": self.busy}
        world.await_figure("jobmetrics_job_gpu_utilization_ratio", 0.75, **told)
        text = world.scrape()
        self.assertEqual(text.value("jobmetrics_job_gpu_memory_used_bytes", **told), 12 * GIB)
        self.assertEqual(text.value("jobmetrics_job_gpu_memory_size_bytes", **told), 40 * GIB)
        self.assertEqual(text.value("jobmetrics_job_gpu_processes", **told), 1)

    def test_that_do_not_are_seen_to_let_theirs_lie_idle(self):
        told = {"gpu": self.idle, "jobid": self.asleep}
        world.await_figure("jobmetrics_job_gpu_processes", 0, **told)
        self.assertEqual(world.figure("jobmetrics_job_gpu_utilization_ratio", **told), 0)

    def test_leave_the_devices_figures_as_they_are(self):
        text = world.scrape()
        for device, utilization, watts, celsius in ((self.at_work, 0.75, WORK_WATTS, 62), (self.idle, 0, IDLE_WATTS, 31)):
            self.assertEqual(text.value("jobmetrics_node_gpu_utilization_ratio", gpu=device), utilization)
            self.assertEqual(text.value("jobmetrics_node_gpu_power_watts", gpu=device), watts)
            self.assertEqual(text.value("jobmetrics_node_gpu_temperature_celsius", gpu=device, sensor="gpu"), celsius)
            self.assertEqual(text.value("jobmetrics_node_gpu_jobs", gpu=device), 1)
            self.assertEqual(text.one("jobmetrics_node_gpu_info", gpu=device).labels["uuid"], UUIDS[int(device)])

    def test_have_the_time_in_which_heat_held_their_device_back(self):
        slowed = "jobmetrics_job_gpu_throttled_seconds_total"
        world.await_figure(slowed, 0, gpu=self.at_work, jobid=self.busy)
        # heat; and a limit of power, which a device at work reaches
        world.devices.set(self.at_work, throttle=0x40)
        world.devices.set(self.idle, throttle=0x4)
        wait_for("heat is counted", ROUND_SECONDS, lambda: (world.figure(slowed, gpu=self.at_work, jobid=self.busy) or 0) > 2 * INTERVAL_SECONDS)
        self.assertEqual(world.figure(slowed, gpu=self.idle, jobid=self.asleep), 0)
        for device in (self.at_work, self.idle):
            world.devices.set(device, throttle=0)


class FrontEnds(unittest.TestCase):
    def test_give_a_program_the_jobs_device(self):
        job = json.loads(world.ask("show", "--json", TwoJobs.busy))
        job = job["jobs"][0] if "jobs" in job else job
        (device,) = job["gpu_devices"]
        self.assertEqual(device["gpu"], TwoJobs.at_work)
        self.assertEqual(device["metrics"]["utilization_ratio"], 0.75)

    def test_give_a_program_all_devices(self):
        gpus = json.loads(world.ask("gpus", "--json"))
        gpus = gpus["gpus"] if isinstance(gpus, dict) else gpus
        self.assertEqual({one["gpu"]: one["uuid"] for one in gpus}, dict(zip("01", UUIDS)))

    def test_show_people_who_has_which_device(self):
        table = world.ask("gpus")
        for job in (TwoJobs.busy, TwoJobs.asleep):
            self.assertRegex(table, rf"\b{job}\b")
        self.assertIn("75", table)

    def test_show_the_devices_of_a_job(self):
        self.assertRegex(world.ask("show", TwoJobs.busy), rf"(?m)^ +{TwoJobs.at_work} +75 +12GiB +40GiB .*100%.*A100")

    def test_have_the_devices_on_the_page(self):
        with urllib.request.urlopen(f"http://{world.exporter.address}/", timeout=10 * SLOWNESS) as answer:
            page = answer.read().decode()
        self.assertIn("A100", page)

    def test_give_python_the_same(self):
        library = pathlib.Path(world.program).parent.parent / "libjobmetrics"
        overrides = HERE.parent.parent / "bindings" / "python"
        found = {"GI_TYPELIB_PATH": str(library), "LD_LIBRARY_PATH": str(library), "PYTHONPATH": str(overrides)}
        arguments = [sys.executable, "-c", PYTHON, NODE, world.source, TwoJobs.busy]
        done = subprocess.run(arguments, env={**os.environ, **found}, capture_output=True, text=True, timeout=60 * SLOWNESS)
        self.assertEqual(done.stdout.strip(), f"{TwoJobs.at_work} 0.75", done.stderr)


class Joules(unittest.TestCase):
    """The counters go on by what the test puts there, no more at once than a device can take; there is no other meter."""

    @staticmethod
    def account() -> energy.Account:
        return energy.Account(world.scrape())

    @staticmethod
    def counted(account: energy.Account) -> int:
        return sum(account.measured("nvml", f"gpu-{number}") for number in range(len(UUIDS)))

    def measured(self, device: str) -> int:
        return self.account().measured("nvml", f"gpu-{device}")

    def await_sweep(self) -> None:
        swept = self.account().swept()
        wait_for("another sweep", ROUND_SECONDS, lambda: self.account().swept() != swept)

    def work(self, joules: int) -> None:
        wanted = self.measured(TwoJobs.at_work) + joules * MICRO
        world.devices.add_energy(TwoJobs.at_work, joules)
        wait_for(f"{joules} J more", ROUND_SECONDS, lambda: self.measured(TwoJobs.at_work) >= wanted)
        self.assertEqual(self.measured(TwoJobs.at_work), wanted)

    def test_run_ahead_by_the_power_and_wait_for_the_counter(self):
        """From here on the device says that it draws nothing, and what is measured is what its counter goes on by."""
        world.devices.set(TwoJobs.at_work, power=0)
        # a reading is the mean since the one before: the next one still has some of the power before
        world.await_figure("jobmetrics_node_gpu_power_watts", 0, gpu=TwoJobs.at_work)
        before = self.measured(TwoJobs.at_work)
        for celsius in range(40, 90):
            world.devices.set(TwoJobs.at_work, temperature=celsius)
            world.devices.add_energy(TwoJobs.at_work, 50)
            world.await_figure("jobmetrics_node_gpu_temperature_celsius", celsius, gpu=TwoJobs.at_work, sensor="gpu")
            # the sweep that reports the temperature may have read the counter before
            self.await_sweep()
            if self.measured(TwoJobs.at_work) > before:
                break
        self.assertGreater(self.measured(TwoJobs.at_work), before)
        self.work(10)

    def test_of_a_device_go_to_the_job_that_works_on_it(self):
        before, began = self.account().held("job", "gpu"), time.monotonic()
        self.work(400)
        given = self.account().held("job", "gpu") - before
        # the rest is what the device takes for being there, which a round before it may have to bear too
        idle = IDLE_WATTS * (time.monotonic() - began + ROUND_SECONDS)
        self.assertGreater(given, max(0, 400 - idle) * MICRO)
        self.assertLessEqual(given, 400 * MICRO)
        of_job = world.scrape().one("jobmetrics_job_gpu_energy_joules_total", jobid=TwoJobs.busy)
        self.assertEqual(of_job.labels["gpu"], TwoJobs.at_work)
        self.assertGreater(of_job.value, 0)

    def test_that_an_idle_device_takes_are_no_work_of_its_job(self):
        # not more than it takes for being there
        name = "jobmetrics_job_gpu_energy_joules_total"
        before = world.figure(name, jobid=TwoJobs.asleep) or 0
        world.devices.add_energy(TwoJobs.idle, 2)
        self.await_sweep()
        self.await_sweep()
        self.assertEqual(world.figure(name, jobid=TwoJobs.asleep) or 0, before)

    def test_are_given_to_somebody_or_nobody_and_none_is_lost(self):
        for joules, idle_joules in ((233, 7), (1, 0)):
            world.devices.add_energy(TwoJobs.idle, idle_joules)
            self.work(joules)
            account = self.account()
            self.assertEqual(account.given("gpu"), self.counted(account))


class ALostDevice(unittest.TestCase):
    def tearDown(self):
        world.devices.set(TwoJobs.idle, lost_after=None)

    def test_costs_its_own_figures_and_no_others(self):
        world.devices.set(TwoJobs.idle, lost_after=0)
        world.await_figure("jobmetrics_node_gpu_up", 0, gpu=TwoJobs.idle)
        world.devices.set(TwoJobs.at_work, utilization=50)
        world.await_figure("jobmetrics_job_gpu_utilization_ratio", 0.5, jobid=TwoJobs.busy)
        self.assertIsNone(world.figure("jobmetrics_node_gpu_utilization_ratio", gpu=TwoJobs.idle))
        world.devices.set(TwoJobs.idle, lost_after=None)
        world.await_figure("jobmetrics_node_gpu_up", 1, gpu=TwoJobs.idle)


class ADriverThatHangs(unittest.TestCase):
    def tearDown(self):
        world.devices.set(TwoJobs.idle, hang=None)

    def test_holds_up_no_scrape_and_no_other_device(self):
        world.devices.set(TwoJobs.idle, hang="all")
        world.await_figure("jobmetrics_node_gpu_up", 0, gpu=TwoJobs.idle)
        for percent in (20, 90):
            world.devices.set(TwoJobs.at_work, utilization=percent)
            world.await_figure("jobmetrics_job_gpu_utilization_ratio", percent / 100, jobid=TwoJobs.busy)

    def test_holds_up_not_the_exporters_end(self):
        world.devices.set(TwoJobs.idle, hang="all")
        world.await_figure("jobmetrics_node_gpu_up", 0, gpu=TwoJobs.idle)
        self.assertEqual(world.stop_exporter(), 0)
        world.devices.set(TwoJobs.idle, hang=None)
        world.start_exporter()
        world.await_figure("jobmetrics_node_gpu_up", 1, gpu=TwoJobs.idle)


class TheEndOfAJob(unittest.TestCase):
    def test_ends_what_it_has_and_leaves_what_it_used(self):
        name = "jobmetrics_job_gpu_energy_joules_total"
        world.await_figure(SHARE, 1, jobid=TwoJobs.busy)
        world.devices.add_energy(TwoJobs.at_work, 400)
        wait_for("its joules are told", ROUND_SECONDS, lambda: world.figure(name, jobid=TwoJobs.busy))
        world.lab.ask("scancel", TwoJobs.asleep)
        world.lab.ask("scancel", TwoJobs.busy)
        wait_for("its end is seen", 30, lambda: world.figure("jobmetrics_job_end_time_seconds", jobid=TwoJobs.busy))
        world.await_figure("jobmetrics_job_gpu_utilization_ratio", None, jobid=TwoJobs.busy)
        self.assertIsNone(world.figure(SHARE, jobid=TwoJobs.busy))
        self.assertGreater(world.figure(name, jobid=TwoJobs.busy), 0)
        world.await_figure("jobmetrics_node_gpu_jobs", 0, gpu=TwoJobs.at_work)
        world.devices.set(TwoJobs.at_work, processes="", utilization=0)


class AJobWithoutADevice(unittest.TestCase):
    """But with a process on one."""

    def test_uses_what_it_was_not_given(self):
        job = world.begin_job("ada")
        self.assertIsNone(world.figure(SHARE, jobid=job))
        world.devices.set("1", processes=f"{world.process_of(job)}:{GIB}:30", utilization=30)
        world.await_figure(SHARE, 0, jobid=job)
        (share,) = world.scrape().find(SHARE, jobid=job)
        self.assertEqual((share.labels["gpu"], share.labels["origin"]), ("1", "driver"))
        world.await_figure("jobmetrics_job_gpu_memory_used_bytes", GIB, jobid=job)
        world.lab.ask("scancel", job)


class AMapThatRootWrites(unittest.TestCase):
    def test_is_believed_before_the_environment(self):
        job = world.begin_job("ben", "--gres=gpu:1")
        other = "1" if world.device_of(job) == "0" else "0"
        world.maps.mkdir()
        (world.maps / other).write_text(f"{job}\n")
        self.assertEqual(world.stop_exporter(), 0)
        world.start_exporter(f"--gpu.source=map-files,directory={world.maps}")
        world.await_figure(SHARE, 1, jobid=job, gpu=other)
        self.assertEqual([one.labels["origin"] for one in world.scrape().find(SHARE, jobid=job)], ["hook"])
        world.lab.ask("scancel", job)


ALL = (TwoJobs, FrontEnds, Joules, ALostDevice, ADriverThatHangs, TheEndOfAJob, AJobWithoutADevice, AMapThatRootWrites)


def main() -> int:
    global world
    if len(sys.argv) != 5:
        print(__doc__, file=sys.stderr)
        return 2
    reason = slurm.unfit_because()
    if reason:
        tap.skip_all(reason)
    with turn(), tempfile.TemporaryDirectory(prefix="jobmetrics-e2e-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # the jobs' users read the lab's files
        world = World(*sys.argv[1:], folder)
        try:
            world.start()
            TwoJobs.begin()
            return tap.run(*ALL)
        except Unfit as unfit:
            tap.skip_all(str(unfit))
        finally:
            world.stop()


if __name__ == "__main__":
    sys.exit(main())
