# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A service that is killed and started again beside a slow disk, and a service manager that keeps its memory."""

import os
import pathlib
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import daemon

EXPORTER, CLI = map(os.path.abspath, sys.argv[1:3])
SECONDS = 60
NAME = "jobmetrics-checkpoint"
INTERVAL = 0.2
COUNTED = re.compile(r"^(jobmetrics_(?:node_energy|system|idle|job|ledger)_\w+_total(?:\{.*\})?) (\S+)", re.MULTILINE)


class Manager:
    """As systemd: takes messages and descriptors of a service, and has them for its next process."""

    def __init__(self, folder: pathlib.Path):
        self.path = str(folder / "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(SECONDS)
        self.kept = None
        self.keeps = True

    def take_until_ready(self) -> list[str]:
        """All messages of a start, by what is in their lines."""
        messages = []
        while not messages or messages[-1] != "READY=1":
            text, descriptors, _, _ = socket.recv_fds(self.socket, 1000, 8)
            messages.append(text.decode())
            if text.startswith(b"FDSTOREREMOVE=1"):
                self.keep(None)
            for descriptor in descriptors:
                self.keep(descriptor)
        return messages

    def keep(self, descriptor: int | None) -> None:
        if self.kept is not None:
            os.close(self.kept)
        self.kept = descriptor
        if descriptor is not None and not self.keeps:
            self.keep(None)

    def close(self) -> None:
        self.keep(None)
        self.socket.close()


class CheckpointTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.slow = self.folder / "slow"
        self.clock = self.folder / "clock"
        self.ledger = self.folder / "ledger.db"
        self.manager = Manager(self.folder)
        self.addCleanup(self.manager.close)
        self.shown = {}
        self.write_takes(0)
        self.began = time.time()
        self.job = subprocess.Popen([CLI, "run", "--output=/dev/null", "--", "sh", "-c", "while :; do sleep 0.02; done"],
                                    stderr=subprocess.DEVNULL)
        self.addCleanup(self.job.wait)
        self.addCleanup(self.job.terminate)

    def say(self, path: pathlib.Path, number: int) -> None:
        # as a whole: it is read all the time
        (self.folder / "next").write_text(str(number))
        (self.folder / "next").rename(path)

    def write_takes(self, milliseconds: int) -> None:
        self.say(self.slow, milliseconds)

    def clock_is_ahead_by(self, seconds: int) -> None:
        self.say(self.clock, seconds)

    def start(self, *options: str, **variables: str) -> daemon.Daemon:
        """The next process of the service."""
        kept = self.manager.kept
        program = self.folder / "program"
        handed_over = "" if kept is None else f"LISTEN_FDS=1 LISTEN_FDNAMES={NAME} LISTEN_PID=$$"
        program.write_text(f'#!/bin/sh\n{handed_over} exec {shlex.quote(str(EXPORTER))} "$@"' + (f" 3<&{kept}\n" if kept is not None else "\n"))
        program.chmod(0o755)
        variables = {"NOTIFY_SOCKET": self.manager.path, "SLOW_DISK": str(self.slow), "SET_CLOCK": str(self.clock)} | variables
        if not variables["NOTIFY_SOCKET"]:
            del variables["NOTIFY_SOCKET"]
        process = daemon.Daemon(str(program), "node", f"--ledger.file={self.ledger}",
                                f"--sample.interval={INTERVAL}", "--power.source=estimate", *options,
                                pass_fds=() if kept is None else (kept,), **variables)
        self.addCleanup(process.__exit__)
        return process

    def kill(self, process: daemon.Daemon) -> None:
        process.process.send_signal(signal.SIGKILL)
        process.process.wait(SECONDS)

    def look(self, process: daemon.Daemon) -> dict[str, float]:
        """No counter falls, from one process to the next."""
        status, text = process.status_of("/metrics")
        self.assertEqual(status, 200)
        now = {name: float(value) for name, value in COUNTED.findall(text)}
        for name, value in now.items():
            self.assertGreaterEqual(value, self.shown.get(name, 0) - 1e-9, name)
        self.shown.update(now)
        return now

    def joules(self, counters: dict[str, float]) -> float:
        return sum(value for name, value in counters.items() if name.startswith("jobmetrics_node_energy_joules_total"))

    def look_until_more(self, process: daemon.Daemon, n_times: int) -> None:
        """Until energy was shown so many times that was not shown before."""
        last = self.joules(self.shown)
        end = time.monotonic() + SECONDS
        while n_times > 0:
            self.assertLess(time.monotonic(), end, "no energy is shown")
            now = self.joules(self.look(process))
            n_times -= now > last
            last = now
