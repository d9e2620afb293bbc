#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The server is killed while it reads the accounting, a hundred times: nothing is lost, and nothing is there twice.

usage: test-accounts-crash.py EXPORTER
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

from local import SECONDS, LocalTest  # noqa: E402

EXPORTER = os.path.abspath(sys.argv[1])
KILLS = 100
RUNS, APART, DAYS = 1500, 240, 5
# Runs begin four minutes apart, from the sixth day before today on; each has a batch step.
SACCT = """#!/usr/bin/python3
import calendar, sys, time
FIRST, APART, RUNS = {first}, {apart}, {runs}
options = dict(word.lstrip("-").partition("=")[::2] for word in sys.argv[1:])
names, between = options["format"].split(","), options["delimiter"]
since, until = (calendar.timegm(time.strptime(options[key], "%Y-%m-%dT%H:%M:%S")) for key in ("starttime", "endtime"))
def row(**values):
    print(between.join(str(values.get(name, "")) for name in names))
for number in range(RUNS):
    start = FIRST + number * APART
    if start > until or start + 90 < since:
        continue
    both = dict(State="COMPLETED", Submit=start - 5, Start=start, End=start + 90, ElapsedRaw=90, ExitCode="0:0", NNodes=1, AllocCPUS=2, NodeList="n1", AllocTRES="cpu=2,node=1")
    row(JobIDRaw=number + 1, JobID=number + 1, User="ada", UID=1000, Account="physics", Partition="batch", JobName="made", TotalCPU="00:01.250", **both)
    row(JobIDRaw=f"{{number + 1}}.batch", JobID=f"{{number + 1}}.batch", JobName="batch", TotalCPU="00:01.250", **both)
"""


class AnIntakeThatIsKilled(LocalTest):
    def setUp(self):
        super().setUp()
        self.first = int(time.time()) // 86400 * 86400 - (DAYS + 1) * 86400
        self.store = self.folder / "accounts.db"
        for name, text in {"sacct": SACCT.format(first=self.first, apart=APART, runs=RUNS), "sacctmgr": "#!/bin/sh\n"}.items():
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)

    @property
    def command(self) -> list[str]:
        history = f"sacct,cluster=made,directory={self.folder},begin={self.first - 3600}"
        return [EXPORTER, "server", f"--server.store={self.store}", f"--server.history={history}"]

    def run_for(self, seconds: float) -> bool:
        """Whether it came to its end."""
        running = subprocess.Popen([*self.command, "--once"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            _, said = running.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()
            return False
        self.assertEqual(running.returncode, 0, said)
        return True

    def check(self) -> None:
        listen = ["--web.listen-address=127.0.0.1:0", f"--web.local-socket={self.socket}"]
        server = self.launch([*self.command[:3], *listen], r"listening on 127", "stderr")
        status, text = self.ask("/api/v1/usage")
        self.assertEqual(status, 200, text)
        (whole,) = json.loads(text)["usage"]
        self.assertEqual((whole["runs"], whole["wall_seconds"]), (RUNS, 90 * RUNS))
        self.assertEqual((whole["allocated_cpu_seconds"], whole["cpu_seconds"]), (180 * RUNS, 1.25 * RUNS))
        self.assertEqual(self.count(), (RUNS, RUNS))
        server.terminate()
        server.wait(SECONDS)

    def count(self) -> tuple[int, int]:
        """Of the pages: runs, and such as are there once."""
        ids, cursor = [], ""
        while cursor is not None:
            status, text = self.ask("/api/v1/jobs?limit=1000&sort=start" + (f"&cursor={cursor}" if cursor else ""))
            self.assertEqual(status, 200, text)
            page = json.loads(text)
            ids += [job["raw_id"] for job in page["jobs"]]
            cursor = page["next"]
        return len(ids), len(set(ids))

    def test_loses_nothing_and_doubles_nothing(self):
        begun = time.monotonic()
        self.assertTrue(self.run_for(SECONDS * 10))
        whole = time.monotonic() - begun
        self.check()
        chance, n_killed, n_ended = random.Random(100), 0, 0
        self.forget()
        while n_killed < KILLS:
            if not self.run_for(chance.uniform(0.02, 0.7) * whole):
                n_killed += 1
                continue
            n_ended += 1
            self.check()
            self.forget()
        self.assertTrue(self.run_for(SECONDS * 10))
        self.check()
        tap.comment(f"{n_killed} kills, {n_ended} ends between them, {whole:.2f} s for all of it")

    def forget(self) -> None:
        for file in self.folder.glob("accounts.db*"):
            file.unlink()


if __name__ == "__main__":
    sys.exit(tap.run(AnIntakeThatIsKilled))
