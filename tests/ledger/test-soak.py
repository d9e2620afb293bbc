#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A daemon that keeps a ledger holds no more after many jobs than after few, and has a record of each run.

usage: test-soak.py EXPORTER CLI [--sanitized] [JOBS]

JOBS (100,000) come and go, a batch at a time; of each batch a tenth is requeued, and some have a process for a while.
"""

import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from collections import Counter

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "pylib"), str(HERE.parent / "e2e")]
import bench  # noqa: E402
import books  # noqa: E402
import cgroups  # noqa: E402
import holdings  # noqa: E402
import tap  # noqa: E402
from daemon import Daemon, fetch  # noqa: E402
from holdings import Holdings  # noqa: E402
from programs import wait_for  # noqa: E402

JOBS = 100_000
BATCH = 400
FIRST_JOB = 500_001
# the same ids come again, as they do where a scheduler's count begins anew
IDS = 5000
REQUEUED = 10  # one of so many
PROCESSES = 8  # of a batch, each in a job of its own
WARM_PART = 5  # after a fifth of the jobs
SECONDS = 120  # for a batch to be seen
# a descriptor for each batch, let alone for each job, would be more
MORE_DESCRIPTORS = 20
# others make cgroups meanwhile; a job has several watches
MORE_WATCHES = 400
# Less than the least that malloc gives, so that nothing at all may stay of a job, and a record least of all, which
# has some hundreds. Beside it what the pages of SQLite and of malloc itself come and go by.
BYTES_PER_RUN = 16
BYTES_BESIDE = 2 << 20
TOTAL = re.compile(r"jobmetrics_(?:node|system|idle|ledger)_\w*_total\b")
# figures are reported in six digits behind the point
STEP = 2e-6


class Bare(cgroups.V1):
    """As few cgroups as a job may have: the kernel's own work with them is most of what this takes."""

    PARTS = {"cpuacct": "step_batch"}


class Soak:
    def __init__(self, program: str, folder: pathlib.Path, jobs: int):
        self.jobs = jobs
        self.ledger = folder / "ledger.db"
        self.cgroups = cgroups.V2() if cgroups.is_v2() else Bare()
        options = [
            f"--node.name={cgroups.NODE}",
            "--cluster=made",
            "--sample.interval=0.2",
            "--sample.linger=0",
            "--sample.level=step",
            f"--ledger.file={self.ledger}",
        ]
        self.daemon = Daemon(program, folder, options, [])
        self.walkers = [subprocess.Popen(["sleep", "infinity"], stdin=subprocess.DEVNULL) for _ in range(PROCESSES)]
        self.runs: Counter[str] = Counter()
        self.n_ended = 0
        self.totals: dict[str, float] = {}
        self.falls: list[str] = []

    def start(self) -> None:
        self.daemon.start()

    def close(self) -> None:
        for walker in self.walkers:
            walker.kill()
            walker.wait()
        self.daemon.stop()
        self.cgroups.clear()

    def begin(self, job: str) -> None:
        self.cgroups.make(job)
        self.runs[job] += 1

    def end(self, job: str) -> None:
        self.cgroups.remove(job)
        self.n_ended += 1

    def walk(self, jobs: list[str]) -> None:
        """A process in each of them, as long as there are any."""
        for walker, job in zip(self.walkers, jobs, strict=False):
            for procs in self.cgroups.procs(job):
                procs.write_text(f"{walker.pid}")

    def leave(self) -> None:
        for walker in self.walkers:
            for procs in self.cgroups.outside():
                procs.write_text(f"{walker.pid}")

    def scrape(self) -> None:
        """What was shown is in the ledger by then."""
        text = fetch(self.daemon.address)
        if text is None:
            raise AssertionError(f"it does not answer:\n{self.daemon.exporter.output()}")
        for line in text.splitlines():
            if TOTAL.match(line):
                series, _, value = line.rpartition(" ")
                self._compare(series, float(value))

    def _compare(self, series: str, value: float) -> None:
        before = self.totals.get(series, value)
        if value < before - STEP:
            self.falls.append(f"{series} fell from {before} to {value}")
        self.totals[series] = value

    def count(self) -> tuple[int, int]:
        """Of runs in the ledger that have ended, and that go on."""
        database = sqlite3.connect(f"file:{self.ledger}?mode=ro", uri=True, timeout=SECONDS)
        try:
            return database.execute("SELECT (SELECT count(*) FROM record), (SELECT count(*) FROM running)").fetchone()
        finally:
            database.close()

    def await_running(self, n_running: int) -> None:
        """Until each run is known: one that nobody saw may go without a record."""
        wanted = (self.n_ended, n_running)

        def is_known() -> bool:
            self.scrape()
            return self.count() == wanted

        try:
            wait_for(f"{wanted[0]} records and {wanted[1]} jobs", SECONDS, is_known, every=0.05)
        except AssertionError:
            tap.comment(f"there are {self.count()}")
            raise

    def run_batch(self, names: list[str]) -> None:
        requeued = names[::REQUEUED]
        for job in names:
            self.begin(job)
        self.walk(names[1::REQUEUED])
        self.await_running(len(names))
        for job in requeued:
            self.end(job)
            self.begin(job)
        self.leave()
        self.await_running(len(names))
        for job in names:
            self.end(job)
        self.await_running(0)

    def run(self, begin: int, end: int) -> None:
        for first in range(begin, end, BATCH):
            self.run_batch([f"{FIRST_JOB + number % IDS}" for number in range(first, min(end, first + BATCH))])

    def hold(self) -> Holdings:
        return holdings.of_process(self.daemon.exporter.process.pid)


class TheDaemon(unittest.TestCase):
    program = cli = ""
    jobs = JOBS
    is_sanitized = False

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="jobmetrics-soak-")
        self.addCleanup(folder.cleanup)
        self.soak = Soak(self.program, pathlib.Path(folder.name), self.jobs)
        self.addCleanup(self.soak.close)
        self.soak.start()

    def test_holds_no_more_after_many_jobs_than_after_few(self):
        soak, few = self.soak, self.jobs // WARM_PART
        soak.run(0, few)
        early, n_early = soak.hold(), soak.n_ended
        soak.run(few, self.jobs)
        late, n_more = soak.hold(), soak.n_ended - n_early
        tap.comment(f"{soak.n_ended} runs; after {n_early}: {early}; at the end: {late}; {(late.resident_bytes - early.resident_bytes) / n_more:.1f} bytes a run")
        self.assertEqual(soak.falls, [])
        self.check_records()
        self.assertLessEqual(late.descriptors, early.descriptors + MORE_DESCRIPTORS)
        self.assertLessEqual(late.watches, early.watches + MORE_WATCHES)
        # a sanitizer keeps for a while what is freed
        if not self.is_sanitized:
            self.assertLessEqual(late.resident_bytes - early.resident_bytes, BYTES_BESIDE + BYTES_PER_RUN * n_more)
        self.assertEqual(soak.daemon.exporter.stop(), 0)

    def check_records(self) -> None:
        records = books.read(self.cli, self.soak.ledger)
        self.assertEqual(len({record.key for record in records}), len(records))
        self.assertEqual(Counter(record.job for record in records), self.soak.runs)


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != "--sanitized"]
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    reason = cgroups.unfit_because() or bench.mounts_unfit_because()
    if reason:
        tap.skip_all(reason)
    bench.go_inside()
    TheDaemon.program, TheDaemon.cli = arguments[:2]
    TheDaemon.jobs = int(arguments[2]) if len(arguments) > 2 else JOBS
    TheDaemon.is_sanitized = "--sanitized" in sys.argv
    return tap.run(TheDaemon)


if __name__ == "__main__":
    sys.exit(main())
