# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Two sockets' energy counters, moved on by the time that passes and the CPU time that the machine spends."""

import os
import pathlib
import threading
import time

from sockets import JOULE, Sockets

IDLE_WATTS = {"package-0": 30.0, "dram-0": 4.0, "package-1": 25.0, "dram-1": 3.0}
JOULES_PER_CPU_SECOND = {"package-0": 40.0, "package-1": 40.0}
HERTZ = 10
RANGE = 262143328850
FIRST = RANGE // 2
IDLE_FIELDS = (3, 4)  # idle, iowait
GUEST_FIELD = 8  # from here on counted twice


def busy_seconds() -> float:
    """Of all CPUs since boot."""
    fields = [int(text) for text in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    busy = sum(value for index, value in enumerate(fields[:GUEST_FIELD]) if index not in IDLE_FIELDS)
    return busy / os.sysconf("SC_CLK_TCK")


class Meter(Sockets):
    """Goes on whether or not anybody reads it; its own sum is the truth."""

    def __init__(self, root: pathlib.Path):
        super().__init__(root)
        self.joules = dict.fromkeys(self.DOMAINS, 0.0)
        self.first = {domain: int((self._zone(domain) / "energy_uj").read_text()) for domain in self.DOMAINS}
        self.files = {domain: os.open(self._zone(domain) / "energy_uj", os.O_WRONLY) for domain in self.DOMAINS}
        self.holds = threading.Event()
        self.thread = None
        for domain, file in self.files.items():
            self._write(domain)
            os.ftruncate(file, len(self._text(domain)))

    def _copy_counters(self) -> None:
        """Made here, as sysfs has them: the class is links to the devices."""
        self.folder = self.sys / "devices" / "virtual" / "powercap" / "intel-rapl"
        links = self.sys / "class" / "powercap"
        links.mkdir(parents=True)
        for domain, zone in self.DOMAINS.items():
            folder = self.folder / zone
            folder.mkdir(parents=True)
            name = domain if domain.startswith("package") else domain.partition("-")[0]
            for file, text in {"name": name, "enabled": "1", "energy_uj": f"{FIRST}", "max_energy_range_uj": f"{RANGE}"}.items():
                (folder / file).write_text(f"{text}\n")
            (links / folder.name).symlink_to(os.path.relpath(folder, links))

    def _text(self, domain: str) -> bytes:
        modulus = self._last(domain) + 1
        energy = (self.first[domain] + round(self.joules[domain] * JOULE)) % modulus
        return b"%0*d\n" % (len(str(modulus - 1)), energy)

    def _write(self, domain: str) -> None:
        """In place and in one piece, always as long."""
        os.pwrite(self.files[domain], self._text(domain), 0)

    def _run(self) -> None:
        then, busy_then = time.monotonic(), busy_seconds()
        while not self.holds.wait(1 / HERTZ):
            now, busy = time.monotonic(), busy_seconds()
            for domain in self.DOMAINS:
                dynamic = JOULES_PER_CPU_SECOND.get(domain, 0.0) * (busy - busy_then) / len(JOULES_PER_CPU_SECOND)
                self.joules[domain] += IDLE_WATTS[domain] * (now - then) + dynamic
                self._write(domain)
            then, busy_then = now, busy

    def start(self) -> None:
        self.holds.clear()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def hold(self) -> float:
        """From here on it stands still; how many joules it has counted."""
        self.holds.set()
        if self.thread is not None:
            self.thread.join()
            self.thread = None
        return sum(self.joules.values())

    def close(self) -> None:
        self.hold()
        for file in self.files.values():
            os.close(file)
