# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The machine's exporter as its systemd unit runs it, and what the kernel says of a job's cgroup."""

import json
import pathlib
import shutil
import subprocess
import time
from collections.abc import Iterable

from metrics import Scrape, scrape
from programs import SLOWNESS, answers, wait_for

EXPORTER = "/usr/bin/jobmetrics-exporter"
CLI = "/usr/bin/jobmetrics-cli"
HOOKS = pathlib.Path("/usr/libexec/jobmetrics")
HOOK_FILES = pathlib.Path("/run/jobmetrics/jobs")
EXAMPLES = pathlib.Path("/usr/share/doc/jobmetrics")
UNIT = "jobmetrics-exporter-node.service"
SOCKET = "jobmetrics-exporter-node.socket"
ADDRESS = "127.0.0.1:9010"
# long enough that a job is on display until its accounting is there, be it at the third try
ALWAYS = "--sample.linger=1000 --metrics.job-label=uuid"


def run(*command: str) -> str:
    """What a command prints that must not fail."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60 * SLOWNESS
    )
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


class Service:
    """An administrator's hand on the exporter's unit."""

    address = ADDRESS
    options = pathlib.Path("/etc/default/jobmetrics-exporter")
    units = pathlib.Path("/etc/systemd/system")
    drop_ins = units / f"{UNIT}.d"

    def start(self, *options: str) -> None:
        """Begins anew where it runs already."""
        self._configure(*options)
        run("systemctl", "restart", UNIT)
        wait_for("the exporter is ready", 20, lambda: answers(f"http://{ADDRESS}/-/ready"))

    def listen(self, *options: str) -> None:
        """Lets systemd hold the socket, and start the exporter for whom connects."""
        self.stop()
        self._configure("--web.systemd-socket", *options)
        shutil.copy(EXAMPLES / SOCKET, self.units)
        run("systemctl", "daemon-reload")
        run("systemctl", "start", SOCKET)

    def stop(self) -> None:
        if (self.units / SOCKET).exists():
            run("systemctl", "stop", SOCKET)
        run("systemctl", "stop", UNIT)

    def _configure(self, *options: str) -> None:
        self.options.parent.mkdir(exist_ok=True)
        self.options.write_text(f"JOBMETRICS_OPTIONS={' '.join([ALWAYS, *options])}\n")

    def add_drop_in(self, name: str, text: str) -> None:
        self.drop_ins.mkdir(exist_ok=True)
        (self.drop_ins / name).write_text(text)
        run("systemctl", "daemon-reload")

    def remove_drop_in(self, name: str) -> None:
        (self.drop_ins / name).unlink()
        run("systemctl", "daemon-reload")

    def unit_text(self) -> str:
        return pathlib.Path(self.state("FragmentPath")).read_text()

    def try_unit(self, name: str, text: str, drop_ins: Iterable[str]) -> str:
        """What a unit says that does one thing and ends; with some of the examples as its drop-ins."""
        folder = self.units / f"{name}.d"
        folder.mkdir()
        for drop_in in drop_ins:
            shutil.copy(EXAMPLES / drop_in, folder)
        (self.units / name).write_text(text)
        run("systemctl", "daemon-reload")
        began = time.time()
        subprocess.run(["systemctl", "start", name], stdin=subprocess.DEVNULL, capture_output=True, timeout=60 * SLOWNESS)
        run("journalctl", "--sync")
        said = run("journalctl", "--no-pager", "--output=cat", f"--since=@{began:.6f}", f"--unit={name}")
        shutil.rmtree(folder)
        (self.units / name).unlink()
        run("systemctl", "daemon-reload")
        return said

    def state(self, name: str) -> str:
        return run("systemctl", "show", "--value", f"--property={name}", UNIT).strip()

    def pid(self) -> int:
        return int(self.state("MainPID"))

    def process_status(self) -> dict[str, str]:
        lines = pathlib.Path(f"/proc/{self.pid()}/status").read_text().splitlines()
        return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}

    def journal(self, *options: str) -> str:
        """Since boot, all that has been said up to now."""
        run("journalctl", "--sync")
        return run("journalctl", "--no-pager", f"--unit={UNIT}", *options)

    def complaints(self) -> list[tuple[int, str]]:
        """What it has logged since boot that is more than information, and as which process."""
        entries = [json.loads(line) for line in self.journal("--output=json", "--identifier=jobmetrics-exporter").splitlines()]
        return [(int(entry["_PID"]), entry["MESSAGE"]) for entry in entries if "level=info" not in entry["MESSAGE"]]

    def scrape(self) -> Scrape:
        return scrape(self.address)


class Cgroup:
    """A directory of the v2 tree."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    def below(self, path: str) -> "Cgroup":
        return Cgroup(self.folder / path)

    def has(self, file: str) -> bool:
        return (self.folder / file).exists()

    def number(self, file: str) -> int:
        return int((self.folder / file).read_text())

    def field(self, file: str, name: str) -> int:
        """Of a file that has a name and a number in each line."""
        fields = dict(line.split() for line in (self.folder / file).read_text().splitlines())
        return int(fields[name])

    def cpu_seconds(self) -> float:
        return self.field("cpu.stat", "usage_usec") / 1e6

    def stalled_seconds(self, resource: str, share: str) -> float:
        """How long some or all tasks have waited."""
        lines = (self.folder / f"{resource}.pressure").read_text().splitlines()
        totals = {line.split()[0]: int(line.rpartition("total=")[2]) for line in lines}
        return totals[share] / 1e6

    def io(self, field: str) -> dict[str, int]:
        """By device, in the kernel's numbers."""
        lines = [line.split() for line in (self.folder / "io.stat").read_text().splitlines()]
        return {line[0]: int(dict(pair.split("=") for pair in line[1:])[field]) for line in lines if len(line) > 1}
