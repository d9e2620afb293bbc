#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Remote write into real servers, each of which is restarted in the middle.

usage: test-remote-write.py EXPORTER
"""

import contextlib
import json
import pathlib
import sys
import tempfile
import time
import unittest
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "pylib"))
sys.path.insert(0, str(HERE))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from programs import SLOWNESS, Exporter, Program, free_port, wait_for  # noqa: E402

EXPORTER = sys.argv[1]
SECONDS = 60
KEPT = 3
SWEEPS = "jobmetrics_sweep_time_seconds"


class Server:
    """One that can be stopped, and begun anew with the same data and port."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/api/v1/write"
        self.start()

    def start(self) -> None:
        self.program = Program(self.name, self.command(), self.port, self.ready, self.folder)

    def stop(self) -> None:
        self.program.stop()

    def query(self, expression: str) -> list[dict]:
        url = f"http://127.0.0.1:{self.port}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
        with urllib.request.urlopen(url, timeout=10 * SLOWNESS) as answer:
            return json.load(answer)["data"]["result"]


class Prometheus(Server):
    name = "prometheus"
    ready = "/-/ready"

    def command(self) -> list[str]:
        config = self.folder / "prometheus.yml"
        config.write_text("{}")
        return [
            "prometheus",
            "--web.enable-remote-write-receiver",
            f"--config.file={config}",
            f"--storage.tsdb.path={self.folder / 'data'}",
            f"--web.listen-address=127.0.0.1:{self.port}",
        ]


class VictoriaMetrics(Server):
    name = "victoria-metrics"
    ready = "/health"

    def command(self) -> list[str]:
        return [
            "victoria-metrics",
            f"-storageDataPath={self.folder / 'data'}",
            f"-httpListenAddr=127.0.0.1:{self.port}",
            "-search.latencyOffset=0s",
            "-search.disableCache",
        ]


class Restart(unittest.TestCase):
    def setUp(self):
        with contextlib.ExitStack() as stack:
            self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            self.addCleanup(stack.pop_all().close)
        self.buffer = self.folder / "buffer"

    def start(self, make) -> None:
        self.server = make(self.folder)
        self.addCleanup(lambda: self.server.stop())
        options = (f"--path.rootfs={FIXTURES / 'slurm-v2-burn'}", "--sample.interval=0.5", f"--remote-write.url={self.server.url}",
                   f"--remote-write.buffer={self.buffer}", "--remote-write.interval=1")  # fmt: skip
        self.exporter = Exporter(EXPORTER, self.folder, *options)
        self.addCleanup(self.exporter.stop)

    def files(self) -> list[pathlib.Path]:
        return sorted(self.buffer.glob("*.request"))

    def await_answer(self, expression: str) -> list[dict]:
        return wait_for(f"an answer to {expression}", SECONDS, lambda: self.server.query(expression))

    def await_none(self, expression: str) -> None:
        wait_for(f"no answer to {expression}", SECONDS, lambda: not self.server.query(expression))

    def times_between(self, begin: float, end: float) -> list[float]:
        (series,) = self.server.query(f"{SWEEPS}[10m]")
        return [float(at) for at, _ in series["values"] if begin < float(at) < end]

    def check_restart(self) -> None:
        """What was swept while the server was away is in it afterwards."""
        self.server.stop()
        begin = time.time()
        wait_for("sweeps wait", SECONDS, lambda: len(self.files()) >= KEPT + 1)
        end = time.time()
        self.server.start()
        # the first may have been under way
        wait_for("they are there", SECONDS * 2, lambda: len(self.times_between(begin, end)) >= KEPT if self.server.query(SWEEPS) else False)

    def check_end(self) -> None:
        """Without markers the last values would be the answer for five minutes."""
        self.assertEqual(self.exporter.stop(), 0)
        self.assertEqual(self.files(), [])
        self.await_none(SWEEPS)
        self.await_none("jobmetrics_job_info")

    def check(self, make) -> None:
        self.start(make)
        self.await_answer(f"{SWEEPS}{{job='jobmetrics'}}")
        self.await_answer("jobmetrics_job_info{jobid='1',user!=''}")
        self.check_restart()
        self.check_end()

    def test_of_prometheus(self):
        self.check(Prometheus)

    def test_of_victoria_metrics(self):
        self.check(VictoriaMetrics)


if __name__ == "__main__":
    sys.exit(tap.run(Restart))
