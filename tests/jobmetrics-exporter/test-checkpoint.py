#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""An exporter that is killed beside a slow disk, and a service manager that keeps its memory.

usage: test-checkpoint.py EXPORTER CLI

The exporter is the one of a machine whose disk is slow and whose clock is set.
"""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "pylib"), str(pathlib.Path(__file__).parent)]
import daemon  # noqa: E402
import tap  # noqa: E402

EXPORTER, CLI = map(os.path.abspath, sys.argv[1:3])
SECONDS = 60
MAX_WATTS = 2000
THREE_YEARS = 3 * 365 * 86400
N_KILLS = 5
NAME = "jobmetrics-checkpoint"
# each write; a round of the ledger has several, and so many rounds come meanwhile
SLOW_MS, HANGING_MS = 100, 30000
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
        self.manager = Manager(self.folder)
        self.addCleanup(self.manager.close)
        self.shown = {}
        self.write_takes(0)
        self.began = time.time()
        job = subprocess.Popen([CLI, "run", "--output=/dev/null", "--", "sh", "-c", "while :; do sleep 0.02; done"],
                               stderr=subprocess.DEVNULL)
        self.addCleanup(job.wait)
        self.addCleanup(job.terminate)

    def write_takes(self, milliseconds: int) -> None:
        # as a whole: it is read all the time
        (self.folder / "next").write_text(str(milliseconds))
        (self.folder / "next").rename(self.slow)

    def start(self, *options: str, **variables: str) -> daemon.Daemon:
        """The next process of the service."""
        kept = self.manager.kept
        program = self.folder / "program"
        handed_over = "" if kept is None else f"LISTEN_FDS=1 LISTEN_FDNAMES={NAME} LISTEN_PID=$$"
        program.write_text(f'#!/bin/sh\n{handed_over} exec {EXPORTER} "$@"' + (f" 3<&{kept}\n" if kept is not None else "\n"))
        program.chmod(0o755)
        variables = {"NOTIFY_SOCKET": self.manager.path, "SLOW_DISK": str(self.slow)} | variables
        if not variables["NOTIFY_SOCKET"]:
            del variables["NOTIFY_SOCKET"]
        process = daemon.Daemon(str(program), "node", f"--ledger.file={self.folder / 'ledger.db'}",
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


class WithAManager(CheckpointTest):
    def test_hands_its_memory_over_once(self):
        with self.start() as process:
            self.assertEqual(self.manager.take_until_ready(), [f"FDSTORE=1\nFDNAME={NAME}", "READY=1"])
            self.assertIsNotNone(self.manager.kept)
            self.kill(process)
        with self.start():
            self.assertEqual(self.manager.take_until_ready(), ["READY=1"])

    def test_no_counter_falls_whenever_it_is_killed(self):
        for _ in range(N_KILLS):
            process = self.start()
            self.manager.take_until_ready()
            self.write_takes(SLOW_MS)
            self.look_until_more(process, 4)
            self.kill(process)

    def test_no_disk_that_hangs_holds_a_scrape_up(self):
        process = self.start()
        self.manager.take_until_ready()
        self.look_until_more(process, 1)
        self.write_takes(HANGING_MS)
        began = time.monotonic()
        self.look_until_more(process, 10)
        self.assertLess(time.monotonic() - began, HANGING_MS / 1000)
        self.kill(process)
        self.write_takes(0)
        self.look_until_more(self.start(), 2)

    def test_a_checkpoint_of_another_node_is_begun_anew(self):
        process = self.start("--node.name=one")
        self.manager.take_until_ready()
        self.look_until_more(process, 2)
        self.kill(process)
        with self.start("--node.name=two") as process:
            removed = f"FDSTOREREMOVE=1\nFDNAME={NAME}"
            self.assertEqual(self.manager.take_until_ready(), [removed, f"FDSTORE=1\nFDNAME={NAME}", "READY=1"])
            self.assertEqual((process.before + process.end()).count("is begun anew"), 1)

    def records(self, *options: str) -> list[dict]:
        text = subprocess.run([CLI, "ledger", f"--ledger.file={self.folder / 'ledger.db'}", "--format=json", *options], check=True,
                              stdout=subprocess.PIPE).stdout
        return json.loads(text)

    def set_clock(self, seconds: int) -> None:
        process = self.start()
        self.manager.take_until_ready()
        self.look_until_more(process, 4)
        self.kill(process)
        shown, killed = self.joules(self.shown), time.monotonic()
        with self.start(SET_CLOCK=str(seconds)) as process:
            self.manager.take_until_ready()
            self.look_until_more(process, 4)
            self.assertLess(self.joules(self.shown) - shown, MAX_WATTS * (time.monotonic() - killed + 1))
            [record] = self.records("--state=running")
            log = process.before + process.end()
        self.assertEqual(log.count(f"the clock was set by {seconds:+d} s"), 1, log)
        self.assertAlmostEqual(record["begin_time"], self.began + seconds, delta=30)

    def test_a_clock_that_is_set_three_years_ahead_doubles_nothing(self):
        self.set_clock(THREE_YEARS)

    def test_a_clock_that_is_set_three_years_back_doubles_nothing(self):
        self.set_clock(-THREE_YEARS)

    def test_a_descriptor_that_is_no_memory_is_begun_anew(self):
        self.manager.keep(os.open("/dev/null", os.O_RDWR))
        with self.start() as process:
            self.assertEqual(len(self.manager.take_until_ready()), 3)
            self.look_until_more(process, 2)
            self.assertEqual((process.before + process.end()).count("is begun anew"), 1)


class WithoutAManager(CheckpointTest):
    def test_no_counter_falls_on_a_disk_that_is_slow(self):
        for _ in range(N_KILLS):
            process = self.start(NOTIFY_SOCKET="")
            self.write_takes(SLOW_MS)
            self.look_until_more(process, 2)
            self.kill(process)
            self.write_takes(0)

    def test_no_counter_falls_where_the_manager_keeps_nothing(self):
        self.manager.keeps = False
        for _ in range(N_KILLS):
            process = self.start()
            self.manager.take_until_ready()
            self.write_takes(SLOW_MS)
            process.log_until("the service manager has not kept the checkpoint")
            self.look_until_more(process, 2)
            self.kill(process)
            self.write_takes(0)

    def test_one_that_does_not_answer_is_named_once(self):
        with self.start(NOTIFY_SOCKET=str(self.folder / "nobody")) as process:
            self.look_until_more(process, 2)
            self.assertEqual((process.before + process.end()).count("no checkpoint outlives a kill on a slow disk"), 1)


if __name__ == "__main__":
    sys.exit(tap.run(WithAManager, WithoutAManager))
