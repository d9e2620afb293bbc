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
import subprocess
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "pylib"), str(pathlib.Path(__file__).parent)]
import tap  # noqa: E402
from checkpointed import CLI, NAME, SECONDS, CheckpointTest  # noqa: E402

MAX_WATTS = 2000
HOUR = 3600
THREE_YEARS = 3 * 365 * 86400
N_KILLS = 5
# each write; a round of the ledger has several, and so many rounds come meanwhile
SLOW_MS, HANGING_MS = 100, 30000


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
        text = subprocess.run([CLI, "ledger", f"--ledger.file={self.ledger}", "--format=json", *options], check=True,
                              stdout=subprocess.PIPE).stdout
        return json.loads(text)

    def set_clock(self, seconds: int) -> None:
        process = self.start()
        self.manager.take_until_ready()
        self.look_until_more(process, 4)
        self.kill(process)
        shown, killed = self.joules(self.shown), time.monotonic()
        self.clock_is_ahead_by(seconds)
        with self.start() as process:
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

    def test_a_clock_that_is_set_back_just_before_a_job_ends_moves_all_of_the_job(self):
        with self.start() as process:
            self.manager.take_until_ready()
            self.look_until_more(process, 2)
            self.clock_is_ahead_by(-HOUR)
            self.job.terminate()
            self.job.wait()
            process.log_until(f"the clock was set by -{HOUR} s")
            deadline = time.monotonic() + SECONDS
            while not (ended := self.records("--state=ended")):
                self.assertLess(time.monotonic(), deadline, "no record of the end")
                self.look(process)
            process.end()
        [record] = ended
        self.assertAlmostEqual(record["begin_time"], self.began - HOUR, delta=30)
        self.assertTrue(record["begin_time"] < record["end_time"] <= time.time() - HOUR, record)

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
