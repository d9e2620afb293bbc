# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""This machine's CPUs on two sockets that count their energy, and a BMC that measures the whole node."""

import json
import os
import pathlib
import shutil
import signal
import subprocess

from fixtures import FIXTURES
from programs import STOP_SECONDS

TESTS = pathlib.Path(__file__).resolve().parent.parent
LAB = TESTS / "lab"
COUNTERS = FIXTURES / "power-rapl-server" / "sys" / "devices" / "virtual" / "powercap"
CPUS = pathlib.Path("/sys/devices/system/cpu")
SOCKETS = 2
JOULE = 1_000_000

# Runs a command where a tree stands for /sys, with the machine's own cgroups in it: the command finds a machine, not a copy.
INSIDE = 'mount --rbind /sys/fs/cgroup "$0/fs/cgroup" && mount --rbind "$0" /sys && exec "$@"'


class Sockets:
    """A tree for /sys, of two sockets with memory of their own."""

    DOMAINS = {
        "package-0": "intel-rapl:0",
        "dram-0": "intel-rapl:0/intel-rapl:0:0",
        "package-1": "intel-rapl:1",
        "dram-1": "intel-rapl:1/intel-rapl:1:0",
    }

    def __init__(self, root: pathlib.Path):
        self.root = root
        self.sys = root / "sys"
        self.within = ["unshare", "--mount", "sh", "-c", INSIDE, str(self.sys)]
        (self.sys / "fs" / "cgroup").mkdir(parents=True)
        self._seat_cpus()
        self._copy_counters()

    def _seat_cpus(self) -> None:
        """The first half of them on the first socket."""
        folder = self.sys / "devices" / "system" / "cpu"
        folder.mkdir(parents=True)
        for name in ("online", "possible"):
            shutil.copyfile(CPUS / name, folder / name)
        numbers = sorted(int(cpu.parent.name.removeprefix("cpu")) for cpu in CPUS.glob("cpu[0-9]*/topology"))
        for index, number in enumerate(numbers):
            topology = folder / f"cpu{number}" / "topology"
            topology.mkdir(parents=True)
            seat = {"physical_package_id": index * SOCKETS // len(numbers), "die_id": 0, "core_id": index}
            for name, value in seat.items():
                (topology / name).write_text(f"{value}\n")

    def _copy_counters(self) -> None:
        """As sysfs has them: the class is links to the devices."""
        devices = self.sys / "devices" / "virtual" / "powercap"
        shutil.copytree(COUNTERS, devices)
        self.folder = devices / "intel-rapl"
        links = self.sys / "class" / "powercap"
        links.mkdir(parents=True)
        for zone in sorted(self.folder.rglob("intel-rapl:*")):
            (links / zone.name).symlink_to(os.path.relpath(zone, links))

    def _zone(self, domain: str) -> pathlib.Path:
        return self.folder / self.DOMAINS[domain]

    def _last(self, domain: str) -> int:
        return int((self._zone(domain) / "max_energy_range_uj").read_text())

    def let_it_begin_anew_after(self, domain: str, joules: int) -> None:
        (self._zone(domain) / "energy_uj").write_text(f"{self._last(domain) - joules * JOULE}\n")

    def has_begun_anew(self, domain: str) -> bool:
        """After it was about to."""
        return int((self._zone(domain) / "energy_uj").read_text()) < self._last(domain) // 2


class Mover:
    """Lets the counters run, each with its watts."""

    def __init__(self, sockets: Sockets, watts: dict[str, float]):
        powers = [f"{domain}={power}" for domain, power in watts.items()]
        command = [LAB / "move-counters", sockets.root, *powers]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise AssertionError("move-counters does not move them")

    def stop(self) -> dict[str, float]:
        """How many joules went into each domain."""
        self.process.terminate()
        said, _ = self.process.communicate(timeout=STOP_SECONDS)
        return json.loads(said)


class Bmc:
    """Reports how many watts the whole node takes."""

    def __init__(self, module: str, folder: pathlib.Path, watts: int):
        self.file = folder / "watts"
        self.say(f"{watts}")
        command = [LAB / "ipmi" / "bmc", "--module", module, self.file]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        # it gives up by itself, and says why
        said = dict(line.rstrip("\n").split(" ", 1) for line in (self.process.stdout.readline() for _ in range(2)) if line)
        if "command" not in said:
            raise AssertionError("the BMC does not answer")
        self.command = said["command"]

    def say(self, text: str) -> None:
        """Renamed into place: it may read at any moment."""
        new = self.file.with_suffix(".new")
        new.write_text(f"{text}\n")
        new.rename(self.file)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=STOP_SECONDS)
