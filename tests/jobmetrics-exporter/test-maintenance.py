#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the manual's page about maintenance promises: restore, several servers, rolling upgrade, downgrade.

usage: test-maintenance.py EXPORTER CLI

An exporter of another version is this one, beside tables whose version is not its own.
"""

import contextlib
import csv
import io
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "pylib"), str(TESTS / "doc")]
import tap  # noqa: E402
from local import SECONDS, LocalTest, start_postgresql  # noqa: E402
from samples import samples_of  # noqa: E402

EXPORTER, CLI = map(os.path.abspath, sys.argv[1:3])
PAGE = TESTS.parent / "doc" / "how-to" / "maintenance.md"
LEDGER = "/var/lib/jobmetrics-exporter/ledger.db"
LOG = [line for line in (TESTS / "fixtures" / "gridengine-log" / "accounting").read_text().splitlines(keepends=True) if line[0] != "#"]
LATER = "made by a later jobmetrics"


class Site(LocalTest):
    """Servers that read one log of a scheduler, which grows."""

    def setUp(self):
        super().setUp()
        self.log = self.folder / "log"
        self.store = str(self.folder / "accounts.db")
        self.grow(0, 3)

    def grow(self, since: int, until: int) -> None:
        with self.log.open("a", encoding="utf-8") as log:
            log.writelines(LOG[since:until])

    def start(self, name: str = "socket") -> subprocess.Popen:
        self.socket = self.folder / name
        listen = ["--web.listen-address=127.0.0.1:0", f"--web.local-socket={self.socket}", "--server.interval=1"]
        history = f"--server.history=gridengine-log,cluster=alpha,path={self.log}"
        return self.launch([EXPORTER, "server", f"--server.store={self.store}", *listen, history], r"listening on 127", "stderr")

    def stop(self, process: subprocess.Popen) -> None:
        process.terminate()
        self.assertEqual(process.wait(SECONDS), 0)

    def runs(self, name: str) -> list[str]:
        self.socket = self.folder / name
        status, text = self.ask("/api/v1/jobs?format=csv")
        # until its first round a server has no tables
        self.assertIn(status, (200, 503), text)
        text = text if status == 200 else ""
        return sorted(f"{run['raw_id']} {run['start_time']}" for run in csv.DictReader(io.StringIO(text, newline="")))

    def await_runs(self, n: int, name: str = "socket") -> list[str]:
        end = time.monotonic() + SECONDS
        while len(runs := self.runs(name)) != n:
            self.assertLess(time.monotonic(), end, runs)
            time.sleep(0.05)
        self.assertEqual(len(set(runs)), n)
        return runs

    def await_health(self, word: str) -> str:
        end = time.monotonic() + SECONDS
        while word not in (health := self.ask("/api/v1/health")[1]):
            self.assertLess(time.monotonic(), end, health)
            time.sleep(0.05)
        return health

    def call(self, *words: str) -> None:
        subprocess.run([CLI, "store", words[0], f"--store={self.store}", *words[1:]], check=True, timeout=SECONDS, stdout=subprocess.DEVNULL)

    def lose_the_disk(self) -> None:
        for file in self.folder.glob("accounts.db*"):
            file.unlink()

    def set_version(self, further: int) -> None:
        with contextlib.closing(sqlite3.connect(self.store)) as store, store:
            store.execute("UPDATE store_setting SET number = number + ? WHERE name = 'version'", (further,))

    def test_a_server_with_a_backup_reads_on_where_that_ended(self):
        server = self.start()
        self.await_runs(3)
        self.call("backup", str(self.folder / "backup"))
        self.grow(3, 5)
        before = self.await_runs(5)
        self.stop(server)
        self.lose_the_disk()
        shutil.copy(self.folder / "backup", self.store)
        self.call("check")
        self.start()
        self.assertEqual(self.await_runs(5), before)
        self.grow(5, 7)
        self.await_runs(7)

    def test_two_servers_on_one_database_store_each_run_once(self):
        self.store, _ = start_postgresql(self)
        first = self.start("first")
        self.start("second")
        self.grow(3, 5)
        self.assertEqual(self.await_runs(5, "first"), self.await_runs(5, "second"))
        first.kill()
        first.wait(SECONDS)
        self.grow(5, 7)
        self.await_runs(7, "second")
        self.start("first")
        self.await_runs(7, "first")

    def test_an_earlier_server_reads_on_beside_a_later_one_and_writes_nothing(self):
        server = self.start()
        before = self.await_runs(3)
        self.set_version(1)
        self.grow(3, 5)
        self.await_health(LATER)
        self.assertEqual(self.runs("socket"), before)
        self.assertIn(LATER, self.ask("/admin")[1])
        self.stop(server)
        # the later one begins in its place
        self.set_version(-1)
        self.start()
        self.await_runs(5)

    def test_an_earlier_server_leaves_later_tables_alone_until_the_backup_is_back(self):
        server = self.start()
        self.await_runs(3)
        self.call("backup", str(self.folder / "backup"))
        self.stop(server)
        self.set_version(1)
        before = pathlib.Path(self.store).read_bytes()
        done = subprocess.run([EXPORTER, "server", f"--server.store={self.store}", "--check"], capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual((done.returncode, LATER in done.stdout + done.stderr), (1, True))
        server = self.start()
        self.await_health("degraded")
        self.assertEqual(self.ask("/api/v1/jobs")[0], 503)
        self.stop(server)
        self.assertEqual(pathlib.Path(self.store).read_bytes(), before)
        self.lose_the_disk()
        shutil.copy(self.folder / "backup", self.store)
        self.grow(3, 5)
        self.start()
        self.await_runs(5)


class Node(LocalTest):
    def setUp(self):
        super().setUp()
        self.ledger = self.folder / "ledger.db"

    def start(self) -> subprocess.Popen:
        command = [EXPORTER, "node", "--web.listen-address=127.0.0.1:0", f"--web.local-socket={self.socket}", f"--ledger.file={self.ledger}", "--sample.interval=0.2"]
        return self.launch(command, r"listening on 127", "stderr")

    def await_up(self, up: str) -> None:
        end = time.monotonic() + SECONDS
        while re.findall(r"(?m)^jobmetrics_ledger_up (\d)$", self.ask("/metrics")[1]) != [up]:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def run_job(self) -> None:
        subprocess.run([CLI, "run", "--output=/dev/null", "--", "sleep", "0.5"], check=True, timeout=SECONDS, stderr=subprocess.DEVNULL)

    def await_records(self, ledger: pathlib.Path, n: int) -> None:
        end = time.monotonic() + SECONDS
        command = [CLI, "ledger", f"--ledger.file={ledger}", "--state=ended", "--format=json"]
        while len(records := json.loads(subprocess.run(command, check=True, timeout=SECONDS, capture_output=True).stdout)) != n:
            self.assertLess(time.monotonic(), end, records)
            time.sleep(0.05)

    def stop(self, process: subprocess.Popen) -> None:
        process.terminate()
        self.assertEqual(process.wait(SECONDS), 0)

    def set_version(self, version: int) -> None:
        with contextlib.closing(sqlite3.connect(self.ledger)) as ledger:
            ledger.execute(f"PRAGMA user_version = {version}")

    def put_aside(self) -> None:
        """By the page's own commands."""
        (sample,) = [sample for sample in samples_of(PAGE) if LEDGER in sample.text]
        subprocess.run(["sh", "-euc", sample.text.replace(LEDGER, str(self.ledger))], check=True, timeout=SECONDS)

    def test_an_earlier_exporter_begins_a_ledger_once_the_later_one_is_aside(self):
        exporter = self.start()
        self.await_up("1")
        self.run_job()
        self.await_records(self.ledger, 1)
        self.stop(exporter)
        self.set_version(99)
        exporter = self.start()
        self.await_up("0")
        self.stop(exporter)
        self.put_aside()
        self.start()
        self.await_up("1")
        self.run_job()
        self.await_records(self.ledger, 1)
        # the later one is whole, for the next upgrade
        self.ledger = self.folder / "ledger.later"
        self.set_version(1)
        self.await_records(self.ledger, 1)


if __name__ == "__main__":
    sys.exit(tap.run(Site, Node))
