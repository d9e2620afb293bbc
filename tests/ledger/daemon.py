# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""An exporter that is killed and begins anew, who follows its counters, and what all that costs it."""

import http.client
import os
import pathlib
import re
import signal
import threading
import time
import urllib.error
import urllib.request

from programs import SLOWNESS, Exporter, free_port

COUNTER = re.compile(r"jobmetrics_(?:job|node|system|idle|ledger)_\w*_total\b")
# figures are reported in six digits behind the point
STEP = 2e-6


class Daemon:
    def __init__(self, program: str, folder: pathlib.Path, options: list[str], within: list[str]):
        self.program, self.folder, self.options, self.within = program, folder, options, within
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.cpu_seconds = 0.0
        self.written_bytes = 0
        self.kills = 0
        self.exporter = None

    def start(self) -> None:
        self.exporter = Exporter(self.program, self.folder, *self.options, within=self.within, port=self.port)

    def _account(self) -> None:
        """What it took, while its process is there to report."""
        folder = pathlib.Path("/proc") / str(self.exporter.process.pid)
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        self.cpu_seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        lines = dict(line.split(": ") for line in (folder / "io").read_text().splitlines())
        self.written_bytes += int(lines["write_bytes"])

    def kill(self) -> None:
        self._account()
        self.exporter.process.send_signal(signal.SIGKILL)
        self.exporter.process.wait()
        self.kills += 1

    def stop(self) -> None:
        if self.exporter is not None and self.exporter.process.poll() is None:
            self._account()
            self.exporter.stop()


class Killer:
    """Kills it again and again; it is gone for a while each time."""

    def __init__(self, daemon: Daemon, every: float, gone: float):
        self.daemon, self.every, self.gone = daemon, every, gone
        self.end = threading.Event()
        self.failure: BaseException | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            while not self.end.wait(self.every):
                self.daemon.kill()
                # it comes back in any case
                time.sleep(self.gone)
                self.daemon.start()
        except BaseException as failure:
            self.failure = failure

    def stop(self) -> None:
        self.end.set()
        self.thread.join()
        if self.failure is not None:
            raise self.failure


class Follower:
    """Scrapes each second, and notes each counter that was ever less than before."""

    def __init__(self, daemon: Daemon, every: float = 1.0):
        self.daemon, self.every = daemon, every
        self.last: dict[str, float] = {}
        self.falls: list[str] = []
        self.scrapes = 0
        self.end = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        while not self.end.wait(self.every):
            self._follow()

    def _follow(self) -> None:
        text = fetch(self.daemon.address)
        if text is None:
            return
        self.scrapes += 1
        for line in text.splitlines():
            if COUNTER.match(line):
                series, _, value = line.rpartition(" ")
                self._compare(series, float(value))

    def _compare(self, series: str, value: float) -> None:
        before = self.last.get(series, value)
        if value < before - STEP:
            self.falls.append(f"{series} fell from {before} to {value}")
        self.last[series] = value

    def stop(self) -> None:
        self.end.set()
        self.thread.join()


def fetch(address: str, seconds: float = 20) -> str | None:
    """None while it is gone."""
    try:
        with urllib.request.urlopen(f"http://{address}/metrics", timeout=seconds * SLOWNESS) as answer:
            return answer.read().decode()
    except (urllib.error.URLError, http.client.HTTPException, OSError):
        return None
