#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs that have ended before a real Prometheus is asked what they took.

A stand-in for the exporter shows each job for as long as Prometheus needs to write it down, as the exporter's linger does. The
installed rules are run with a second for a minute and a minute for an hour.
"""

import http.server
import pathlib
import shutil
import sys
import tempfile
import threading
import time
import unittest
from dataclasses import dataclass, field

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "pylib"), str(TESTS / "e2e")]
import tap  # noqa: E402
from programs import SLOWNESS, Prometheus, wait_for  # noqa: E402
from rules import CPU_INCREASE, ENERGY_INCREASE, GRAMS_INCREASE, write_quick_rules  # noqa: E402

MINUTE, HOUR = SLOWNESS, 60 * SLOWNESS
# sums of the figures below, which are exact in binary
TOLERANCE = 1e-9


@dataclass
class Job:
    jobid: int
    uuid: str
    user: str
    cpu_seconds: float
    joules: float = 0
    started: float = field(default_factory=time.time)
    has_info: bool = True

    def figures(self) -> str:
        labels = f'jobid="{self.jobid}"'
        lines = [
            f"jobmetrics_job_cpu_seconds_total{{{labels}}} {self.cpu_seconds}",
            f'jobmetrics_job_energy_joules_total{{{labels},domain="package",quality="measured"}} {self.joules}',
            f'jobmetrics_job_energy_joules_total{{{labels},domain="dram",quality="measured"}} {self.joules / 4}',
            f'jobmetrics_job_emissions_grams_total{{{labels},quality="measured"}} {self.joules / 1024}',
            f"jobmetrics_job_first_process_start_time_seconds{{{labels}}} {self.started}",
        ]
        if self.has_info:
            who = f'cluster="c",uuid="{self.uuid}",user="{self.user}",account="physics"'
            lines.append(f"jobmetrics_job_info{{{labels},{who}}} 1")
        return "".join(f"{line}\n" for line in lines)


class Node:
    """What stands in for a node's exporter."""

    def __init__(self):
        self.jobs: list[Job] = []
        self.is_up = True
        node = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = node.figures().encode()
                self.send_response(200 if node.is_up else 503)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def figures(self) -> str:
        return "".join([f"jobmetrics_sweep_time_seconds {time.time()}\n", *(job.figures() for job in self.jobs)])

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


class JobsThatEnded(unittest.TestCase):
    node: Node
    prometheus: Prometheus

    def await_value(self, expression: str, value: float) -> None:
        wait_for(f"{expression} is {value}", 60, lambda: self.prometheus.query(expression) == value)

    def show(self, *jobs: Job) -> None:
        """Until Prometheus has written them down, and has forgotten what it was shown before."""
        self.node.jobs = list(jobs)
        for job in jobs:
            if job.has_info:
                own = f'{{jobid="{job.jobid}",uuid="{job.uuid}"}}'
                self.await_value(f"instance_jobid:jobmetrics_job_cpu_seconds_total:max{own}", job.cpu_seconds)
                self.await_value(f"instance_jobid:jobmetrics_job_emissions_grams_total:max{own}", job.joules / 1024)
            else:
                self.await_value(f'jobmetrics_job_cpu_seconds_total{{jobid="{job.jobid}"}}', job.cpu_seconds)
        self.await_value("count(instance_jobid:jobmetrics_job_info:max) or vector(0)", sum(job.has_info for job in jobs))

    def test_live_and_end(self):
        old = Job(1, "a", "carol", 4000, 8192, started=time.time() - 10 * HOUR)
        self.show(old)
        seven = Job(7, "b", "alice", 50, 1024, has_info=False)
        self.show(old, seven)
        seven.has_info = True
        self.show(old, seven)
        seven.cpu_seconds, seven.joules, old.cpu_seconds, old.joules = 95.5, 3072, 4010, 9216
        # one is over before it is seen
        self.show(old, seven, Job(8, "c", "alice", 30, 512))
        # an id comes back
        again = Job(7, "d", "bob", 5, 256)
        self.show(again)
        again.cpu_seconds = 9
        self.show(again)
        self.show()

    def test_live_on_while_their_node_is_out_of_sight(self):
        job = Job(11, "e", "frank", 10, 1024)
        self.show(job)
        self.node.is_up = False
        self.await_value("up", 0)
        job.cpu_seconds, job.joules = 25, 4096
        self.node.is_up = True
        self.show(job)
        self.show()

    def taken(self, metric: str) -> dict[str, float]:
        query = f"sum by (user) (sum_over_time({metric}[1h]))"
        return {user: self.prometheus.query(f'{query} and on (user) label_replace(vector(1), "user", "{user}", "", "")')
                for user in ("alice", "bob", "carol", "frank")}

    def assert_taken(self, metric: str, **expected: float) -> None:
        self.await_value("absent(jobmetrics_job_info)", 1)
        taken = self.taken(metric)
        tap.comment(f"{metric}: {taken}")
        for user, value in expected.items():
            self.assertAlmostEqual(taken[user], value, delta=TOLERANCE * value, msg=user)

    def test_have_their_cpu_seconds(self):
        self.assert_taken(CPU_INCREASE, alice=95.5 + 30, bob=9, carol=10, frank=25)

    def test_have_their_joules(self):
        self.assert_taken(ENERGY_INCREASE, alice=(3072 + 512) * 1.25, bob=256 * 1.25, carol=1024 * 1.25, frank=4096 * 1.25)

    def test_have_their_grams(self):
        self.assert_taken(GRAMS_INCREASE, alice=3.5, bob=0.25, carol=1, frank=4)

    def test_are_lost_to_who_looks_for_their_info_now(self):
        """Else there were no need of the rules."""
        query = "increase(jobmetrics_job_cpu_seconds_total[1h]) * on (instance, jobid) group_left (user) jobmetrics_job_info"
        self.assertIsNone(self.prometheus.query(query))


def main() -> int:
    if shutil.which("prometheus") is None:
        tap.skip_all("prometheus is not installed")
    with tempfile.TemporaryDirectory(prefix="jobmetrics-accounting-") as name:
        folder = pathlib.Path(name)
        JobsThatEnded.node = node = Node()
        JobsThatEnded.prometheus = prometheus = Prometheus(node.address, folder, write_quick_rules(folder, MINUTE))
        try:
            return tap.run(JobsThatEnded)
        finally:
            prometheus.stop()
            node.stop()


if __name__ == "__main__":
    sys.exit(main())
