#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""How far off the busy time and the joules of GPUs are that are busy and idle in turn.

usage: gpu-waves.py EXPORTER LIBRARY [SECONDS [PERIOD...]] [--OPTION...]

A stand-in of NVIDIA's library plays one job's devices: of each period (in seconds) one that counts its energy and one that
does not, first with samples that the driver keeps, then without. What it plays is summed up here, and compared with what the
exporter has. Options are the exporter's own.
"""

import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

PERIODS = (0.3, 0.5, 1, 2, 3.3, 5, 7.1, 10, 20, 60)
IDLE_WATTS, BUSY_WATTS = 100, 700
STEP_SECONDS = 0.01
# longer than two sweeps of 15 s, and an interval of the library
REST_SECONDS = 36
JOB, PID = "6", 31619
ADDRESS = re.compile(r"listening on (127\.0\.0\.1:\d+)")
LINE = re.compile(r"jobmetrics_(\w*gpu_\w+)\{(.*)\} (\S+)$")


class Device:
    def __init__(self, number: int, period: float, has_counter: bool):
        self.number, self.period, self.has_counter = number, period, has_counter
        self.is_busy = False
        self.joules = self.busy = 0.0

    def go_on(self, seconds: float) -> None:
        self.joules += (BUSY_WATTS if self.is_busy else IDLE_WATTS) * seconds
        self.busy += seconds * self.is_busy

    def describe(self) -> list[str]:
        milliwatts = 1000 * (BUSY_WATTS if self.is_busy else IDLE_WATTS)
        lines = [
            f"[{self.number}]",
            "name=NVIDIA H100 80GB HBM3",
            f"uuid=GPU-5ab2c6c8-0b5b-4c5e-9a53-0d8f4a1e9c{self.number:02d}",
            f"pci=00000000:{0x3B + self.number:02X}:00.0",
            f"minor={self.number}",
            f"utilization={100 * self.is_busy}",
            "memory-total=85899345920",
            "memory-used=1073741824",
            f"power={milliwatts}",
            f"processes={PID}:1073741824:{100 * self.is_busy}",
        ]
        if self.has_counter:
            lines += [f"energy={int(1000 * self.joules)}", f"energy-power={milliwatts}"]
        return lines


class Play:
    def __init__(self, exporter: str, library: str, n_kept: int, periods: list[float], options: list[str], folder: pathlib.Path):
        self.script, self.n_kept = folder / "script", n_kept
        self.devices = [Device(i, *device) for i, device in enumerate(itertools.product(periods, (True, False)))]
        self.now = time.monotonic()
        self.set(None)
        fixtures = pathlib.Path(exporter).resolve().parent.parent / "tests" / "fixtures" / "slurm-v1-steps"
        root = pathlib.Path(shutil.copytree(fixtures, folder / "root", symlinks=True))
        maps = root / "run" / "gpus"
        maps.mkdir(parents=True)
        for device in self.devices:
            (maps / str(device.number)).write_text(f"{JOB}\n")
        more = [f"--path.rootfs={root}", "--node.name=n1", "--web.listen-address=127.0.0.1:0", f"--web.local-socket={folder}/socket"]
        more += [f"--gpu.source=nvml,library={library}", "--gpu.source=map-files,directory=/run/gpus", "--power.source=gpu", *options]
        self.log = (folder / "log").open("w+")
        environment = {**os.environ, "NVML_STAND_IN": str(self.script)}
        self.process = subprocess.Popen([exporter, "node", *more], env=environment, stdout=self.log, stderr=self.log)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.log.close()

    def find_address(self) -> str:
        for _ in range(200):
            self.log.flush()
            found = ADDRESS.search(pathlib.Path(self.log.name).read_text())
            if found:
                return found[1]
            time.sleep(0.1)
        raise TimeoutError("the exporter does not listen")

    def scrape(self) -> dict[tuple[str, str], float]:
        with urllib.request.urlopen(f"http://{self.find_address()}/metrics", timeout=60) as answer:
            lines = answer.read().decode().splitlines()
        values = {}
        for found in filter(None, map(LINE.match, lines)):
            labels = dict(re.findall(r'(\w+)="([^"]*)"', found[2]))
            if labels.get("jobid", JOB) == JOB:
                values[found[1], labels.get("gpu", "")] = float(found[3])
        return values

    def set(self, second: float | None) -> None:
        """What each device does from now on; None for the rest before and after."""
        now = time.monotonic()
        for device in self.devices:
            device.go_on(now - self.now)
        self.now = now
        states = [second is not None and second % device.period < device.period / 2 for device in self.devices]
        if states == [device.is_busy for device in self.devices] and self.script.exists():
            return
        lines = ["[library]", "driver=550.54.15", f"samples-kept={self.n_kept}"]
        for device, state in zip(self.devices, states):
            device.is_busy = state
            lines += device.describe()
        whole = self.script.with_suffix(".new")
        whole.write_text("\n".join(lines) + "\n")
        whole.rename(self.script)

    def play(self, seconds: float) -> None:
        self.find_address()
        self.rest()
        before = self.scrape()
        joules = [device.joules for device in self.devices]
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            self.set(time.monotonic() - began)
            time.sleep(STEP_SECONDS)
        self.set(None)
        played = time.monotonic() - began
        self.rest()
        after = self.scrape()
        for device, earlier in zip(self.devices, joules):
            idle = IDLE_WATTS * (played + REST_SECONDS)
            truths = {
                "node_gpu_energy_joules_total": device.joules - earlier,
                "job_gpu_energy_joules_total": device.joules - earlier - idle,
                "job_gpu_busy_seconds_total": device.busy,
                "job_gpu_observed_seconds_total": played + REST_SECONDS,
            }
            columns = [f"{device.period:6.1f} s", "counter " if device.has_counter else "by power"]
            for name, truth in truths.items():
                key = name, str(device.number)
                columns.append(f"{100 * ((after[key] - before.get(key, 0)) / truth - 1):+6.1f} %")
            print("  ".join(columns), flush=True)

    def rest(self) -> None:
        end = time.monotonic() + REST_SECONDS
        while time.monotonic() < end:
            self.set(None)
            time.sleep(0.5)


def main() -> int:
    options = [argument for argument in sys.argv[1:] if argument.startswith("--")]
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    seconds = float(arguments[2]) if len(arguments) > 2 else 100
    periods = [float(period) for period in arguments[3:]] or list(PERIODS)
    for n_kept in (200, 0):
        print(f"samples kept: {n_kept}\n  period  joules     of device  of job     busy       observed")
        with tempfile.TemporaryDirectory(prefix="jobmetrics-waves-") as folder:
            play = Play(*arguments[:2], n_kept, periods, options, pathlib.Path(folder))
            try:
                play.play(seconds)
            finally:
                play.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
