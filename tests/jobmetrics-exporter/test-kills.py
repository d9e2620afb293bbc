#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""An exporter that is killed again and again, on disks of all kinds: no counter falls, and no joule of a meter is lost.

usage: test-kills.py EXPORTER CLI N

The exporter is the one of a machine whose disk is slow or full. It is killed N times on each.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "pylib"), str(pathlib.Path(__file__).parent)]
import daemon  # noqa: E402
import tap  # noqa: E402
from checkpointed import CLI, SECONDS, CheckpointTest  # noqa: E402

N_KILLS = int(sys.argv[3])
# milliseconds of each write
SLOW, FULL = 100, -1
# of 100 W; what it said stands in its log
METER = """#!/bin/sh
awk '{ printf "node %d uJ\\n", $1 * 1e8 }' /proc/uptime | tee -a "$0.log"
"""
MAX_LOST = 0.001
METERED = 'jobmetrics_node_energy_joules_total{source="command",domain="node"}'


class Kills(CheckpointTest):
    def setUp(self):
        super().setUp()
        self.meter = self.folder / "meter"
        self.meter.write_text(METER)
        self.meter.chmod(0o755)
        self.memory = self.folder / "memory"
        self.memory.mkdir()

    def start_metered(self, **variables: str) -> daemon.Daemon:
        process = self.start(f"--power.source=command,command={self.meter},interval=1", **variables)
        self.manager.take_until_ready()
        return process

    def meters(self) -> list[float]:
        lines = pathlib.Path(f"{self.meter}.log").read_text().splitlines()
        return [float(line.split()[1]) / 1e6 for line in lines]

    def look_until(self, process: daemon.Daemon, is_there) -> None:
        end = time.monotonic() + SECONDS
        while not is_there(self.look(process)):
            # the meter's log is not there before it was asked
            if time.monotonic() > end:
                self.fail(f"{self.shown.get(METERED)} of {self.meters()}")

    def agrees(self, shown: dict[str, float]) -> bool:
        first, *later = self.meters()
        return any(abs(shown.get(METERED, 0) - (now - first)) <= MAX_LOST * (now - first) for now in later[-5:])

    def count_ended(self, shown: dict[str, float]) -> float:
        return sum(value for name, value in shown.items() if name.startswith("jobmetrics_ledger_jobs_total"))

    def jobs(self, shown: dict[str, float]) -> set[str]:
        return set(re.findall(r'jobid="([^"]*)"', " ".join(shown)))

    def run_job(self, process: daemon.Daemon) -> None:
        """It ends when it is shown: an exporter that gets no turn meanwhile has not seen what was shorter."""
        is_seen = self.folder / "seen"
        before = self.jobs(self.look(process))
        wait = f"until [ -e {is_seen} ]; do sleep 0.02; done"
        job = subprocess.Popen([CLI, "run", "--output=/dev/null", "--", "sh", "-c", wait], stderr=subprocess.DEVNULL)
        self.look_until(process, lambda shown: self.jobs(shown) - before)
        is_seen.touch()
        self.assertEqual(job.wait(SECONDS), 0)
        is_seen.unlink()

    def kill_often(self, write_takes: int, loses: pathlib.Path) -> None:
        """What is in @loses is gone at each start, as a unit's directory in memory is."""
        variables = {"RUNTIME_DIRECTORY": str(self.memory)}
        process = self.start_metered(**variables)
        self.look_until(process, lambda shown: METERED in shown)
        for _ in range(N_KILLS):
            self.write_takes(write_takes)
            self.run_job(process)
            self.look_until_more(process, 2)
            self.kill(process)
            shutil.rmtree(loses)
            loses.mkdir()
            process = self.start_metered(**variables)
        self.write_takes(0)
        self.look_until(process, lambda shown: self.agrees(shown) and self.count_ended(shown) >= N_KILLS)
        self.assertEqual(self.count_ended(self.shown), N_KILLS)

    def test_on_a_slow_disk(self):
        self.kill_often(SLOW, self.memory)

    def test_on_a_full_disk(self):
        self.kill_often(FULL, self.memory)

    def test_on_a_disk_that_is_empty_at_each_start(self):
        self.ledger = self.folder / "disk" / "ledger.db"
        self.ledger.parent.mkdir()
        self.kill_often(0, self.ledger.parent)

    def test_on_no_disk_at_all(self):
        self.ledger = self.folder / "none" / "ledger.db"
        self.kill_often(0, self.memory)


if __name__ == "__main__":
    sys.exit(tap.run(Kills))
