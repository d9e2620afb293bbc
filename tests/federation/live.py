# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A whole exporter on a made tree, whose jobs are born, work and end, and which is killed."""

import json
import pathlib
import re
import time
from collections.abc import Callable
from random import Random

from control import Control
from daemon import Daemon, Failure
from fixtures import FIXTURES
from plan import HOUR, LIVE_ACCOUNT, LIVE_UID, Node, Person, Plan, Run, Share
from world import HIGH, World
from world import Run as Birth

# as the made tree calls itself
NAME = "n2"
PATIENCE_SECONDS = 60
TICKS = 5
COUNTER = re.compile(r"^(jobmetrics_(?:job|ledger)_\w*_total\S*) (\S+)$", re.M)
# figures are reported in six digits behind the point
STEP = 2e-6


class LiveNode:
    """Its jobs began when those of the recorded tree did, which is moved to two hours ago."""

    def __init__(self, program: str, config: pathlib.Path, login: str, folder: pathlib.Path, node: Node, plan: Plan):
        folder.mkdir()
        self.program, self.config, self.login, self.folder, self.node = program, config, login, folder, node
        self.random = Random(plan.random.random())
        node.name = NAME
        control = Control(folder / "control", 0)
        self.world = World(folder, FIXTURES, control, self.random)
        (folder / "store").mkdir()
        control.set_places(self.world.tree, folder / "store", [])
        self.environment = {"FAULT_CONTROL": str(control.path)}
        self.begin = plan.now - 2 * HOUR
        self._set_begin()
        self._set_memory()
        # where no job is, no scheduler is found
        self.world.bear("17")
        self.counters: dict[str, float] = {}
        self.n_daemons = self.n_runs = 0
        self.start()

    def _set_begin(self) -> None:
        path = self.world.tree / "proc/stat"
        ticks = min(int(files["stat"].rpartition(b")")[2].split()[19]) for files in self.world.process_files.values())
        path.write_text(re.sub(r"^btime \d+$", f"btime {self.begin - ticks // 100}", path.read_text(), flags=re.M))

    def _set_memory(self) -> None:
        """As much as a job has at most: a record of more is impossible."""
        path = self.world.tree / "proc/meminfo"
        path.write_text(re.sub(r"^(MemTotal: +)\d+", rf"\g<1>{HIGH // 1024 + 1}", path.read_text(), flags=re.M))

    def start(self) -> None:
        self.n_daemons += 1
        options = [
            f"--path.rootfs={self.world.tree}",
            f"--web.config.file={self.config}",
            f"--ledger.file={self.folder}/store/ledger.db",
            f"--node.name={NAME}",
            f"--cluster={self.node.cluster}",
            "--sample.interval=0.2",
            "--sample.linger=1",
            "--power.source=rapl-powercap",
        ]
        self.daemon = Daemon(self.program, options, self.environment, self.folder, self.n_daemons)
        self.node.address = f"127.0.0.1:{self.daemon.port}"

    def restart(self) -> None:
        self.daemon.kill()
        self.start()

    # --- a job

    def live(self, act: int) -> Run:
        """One run from its birth to its end; what it used is what its files said in the end."""
        number = str(500 + self.n_runs)
        self.n_runs += 1
        birth = self.world.bear(number)
        for _ in range(TICKS):
            self.world.tick()
        self._await_shown(number, birth)
        self._await_stored(number, birth)
        if self.random.random() < 0.5:
            self.restart()
            self._await_shown(number, birth)
        self.world.end(birth)
        if self.random.random() < 0.3:
            self.restart()
        owner = Person("liver", LIVE_UID, LIVE_ACCOUNT)
        share = Share(self.node, birth.figures["usage_usec"].value, 0)
        return Run(self.node.cluster, number, owner, self.begin - 10, self.begin - 1, self.begin + HOUR, [share], act, is_live=True)

    def _await_shown(self, number: str, birth: Birth) -> None:
        """What a scraper was shown outlives a kill."""
        wanted = birth.figures["usage_usec"].value / 1e6
        line = re.compile(rf'^jobmetrics_job_cpu_seconds_total{{jobid="{number}"}} (\S+)$', re.M)
        self._await(f"job {number} with {wanted} s", lambda text: (found := line.search(text)) and abs(float(found[1]) - wanted) < STEP)

    def _await_stored(self, number: str, birth: Birth) -> None:
        """A scrape waits 200 ms for the ledger, which a busy disk takes longer to write."""
        wanted = birth.figures["usage_usec"].value / 1e6

        def is_stored(_: str) -> bool:
            return any(job["jobid"] == number and job["metrics"].get("cpu_seconds_total", 0) > wanted - STEP for job in self._running())

        self._await(f"job {number} with {wanted} s in its ledger", is_stored)

    def _running(self) -> list[dict]:
        status, body = self.daemon.get("/ledger?state=running", Authorization=self.login)
        if status != 200:
            raise Failure(f"what runs was answered by {status}: {body[:200]!r}")
        return json.loads(body)["records"]

    def _await(self, what: str, is_there: Callable[[str], object]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_there(text := self.scrape()):
            if time.monotonic() > end:
                raise Failure(f"{self.node.cluster}/{NAME} does not show {what}:\n{text[-2000:]}\n{self.daemon.tail()}")
            time.sleep(0.05)

    def scrape(self) -> str:
        status, body = self.daemon.get("/metrics", Authorization=self.login)
        if status != 200:
            raise Failure(f"a scrape was answered by {status}: {body[:200]!r}")
        text = body.decode()
        for series, value in COUNTER.findall(text):
            if float(value) < self.counters.get(series, 0) - STEP:
                raise Failure(f"{series} fell from {self.counters[series]} to {value}")
            self.counters[series] = float(value)
        return text

    def close(self) -> None:
        if self.daemon.process.poll() is None:
            self.daemon.process.kill()
            self.daemon.process.wait()
