#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Remote write into real servers: each is restarted in the middle, and notified of ends of a real Slurm's jobs.

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

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "pylib"))
sys.path.insert(0, str(HERE))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from lab import CLUSTER, NODE, SharedLab, Unfit  # noqa: E402
from metrics import scrape  # noqa: E402
from programs import SLOWNESS, Exporter, Program, free_port, turn, wait_for  # noqa: E402
from secured import LOGIN, Authority, fetch  # noqa: E402

EXPORTER = sys.argv[1]
SECONDS = 60
KEPT = 3
# between two sweeps that are sent, and a sweep more
SLACK = 2 * SLOWNESS
LINGER = 5 * SLOWNESS
SWEEPS = "jobmetrics_sweep_time_seconds"
GAUGE = "jobmetrics_job_memory_used_bytes"
TOTAL = "jobmetrics_job_cpu_seconds_total"
# Prometheus's own, as long as it takes the last value for the present one
LOOKBACK = 300

UNKNOWN = "its certificate is signed by an authority that is not trusted"

shared: SharedLab


class Server:
    """One that can be stopped, and begun anew with the same data and port."""

    def __init__(self, folder: pathlib.Path, config: pathlib.Path | None = None):
        """With a configuration of the web it has TLS."""
        self.folder = folder
        self.config = config
        self.port = free_port()
        self.scheme = "http" if config is None else "https"
        self.base = f"{self.scheme}://127.0.0.1:{self.port}"
        self.url = f"{self.base}/api/v1/write"
        self.start()

    def start(self) -> None:
        self.program = Program(self.name, self.command(), self.port, self.ready, self.folder, self.scheme)

    def stop(self) -> None:
        self.program.stop()

    def query(self, expression: str, at: float | None = None) -> list[dict]:
        """Now, or at a time."""
        wanted = {"query": expression} | ({"time": f"{at:.3f}"} if at is not None else {})
        return json.loads(fetch(f"{self.base}/api/v1/query?" + urllib.parse.urlencode(wanted)))["data"]["result"]


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
            *([] if self.config is None else [f"--web.config.file={self.config}"]),
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


class Situation(unittest.TestCase):
    def setUp(self):
        with contextlib.ExitStack() as stack:
            self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            self.addCleanup(stack.pop_all().close)
        self.buffer = self.folder / "buffer"
        self.node = [f"--path.rootfs={FIXTURES / 'slurm-v2-burn'}"]

    def start(self, make, *options: str, config: pathlib.Path | None = None) -> None:
        self.server = make(self.folder, config)
        self.addCleanup(lambda: self.server.stop())
        self.exporter = self.run_exporter(*options)

    def run_exporter(self, *options: str) -> Exporter:
        exporter = Exporter(
            EXPORTER,
            self.folder,
            *self.node,
            "--sample.interval=0.5",
            f"--remote-write.url={self.server.url}",
            f"--remote-write.buffer={self.buffer}",
            "--remote-write.interval=1",
            *options,
        )
        self.addCleanup(exporter.stop)
        return exporter

    def files(self) -> list[pathlib.Path]:
        return sorted(self.buffer.glob("*.request"))

    def await_answer(self, expression: str) -> list[dict]:
        return wait_for(f"an answer to {expression}", SECONDS, lambda: self.server.query(expression))

    def await_none(self, expression: str) -> None:
        wait_for(f"no answer to {expression}", SECONDS, lambda: not self.server.query(expression))

    def times(self, series: str) -> list[float]:
        """Of its samples; a marker of staleness is none."""
        found = self.server.query(f"{series}[10m]")
        return [float(at) for one in found for at, value in one["values"] if value != "NaN"]


class Restart(Situation):
    def times_between(self, begin: float, end: float) -> list[float]:
        return [at for at in self.times(SWEEPS) if begin < at < end]

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


class Ends(Situation):
    """Of jobs of a real Slurm."""

    USER = "ada"

    def setUp(self):
        super().setUp()
        try:
            self.lab = shared.get()
        except Unfit as unfit:
            self.skipTest(str(unfit))
        self.node = [f"--node.name={NODE}", f"--cluster={CLUSTER}", f"--sample.linger={LINGER}"]

    def run_job(self) -> str:
        job = self.lab.run_patient(self.USER)
        self.addCleanup(self.lab.ask, "scancel", job)
        return job

    def ends_with(self, series: str) -> float:
        """Until when a query has it: the sweep after its last sample says that it is gone."""
        self.await_none(series)
        last = self.times(series)[-1]
        next_sweep = wait_for("a sweep after it", SECONDS, lambda: next((at for at in self.times(SWEEPS) if at > last), None))
        self.assertTrue(self.server.query(series, at=last))
        self.assertLess(next_sweep - last, LOOKBACK)
        self.assertEqual(self.server.query(series, at=next_sweep), [])
        return last

    def check_end(self, make) -> None:
        self.start(make)
        ends, stays = self.run_job(), self.run_job()
        for job in ends, stays:
            self.await_answer(f"{GAUGE}{{jobid='{job}'}}")
        self.lab.end_patient(self.USER, ends)
        gauge_end = self.ends_with(f"{GAUGE}{{jobid='{ends}'}}")
        total_end = self.ends_with(f"{TOTAL}{{jobid='{ends}'}}")
        self.assertGreaterEqual(total_end, gauge_end + LINGER - SLACK)
        self.await_none(f"{{jobid='{ends}'}}")
        for name in GAUGE, TOTAL:
            self.assertTrue(self.server.query(f"{name}{{jobid='{stays}'}}"))

    def test_are_reported_to_prometheus(self):
        self.check_end(Prometheus)

    def test_are_reported_to_victoria_metrics(self):
        self.check_end(VictoriaMetrics)

    def test_of_one_run_leave_the_next_to_be_reported(self):
        self.start(Prometheus)
        job = self.run_job()
        gauge = f"{GAUGE}{{jobid='{job}'}}"
        self.await_answer(gauge)
        self.lab.requeue(job)
        self.ends_with(gauge)
        self.lab.resume(job)
        (series,) = self.await_answer(f"jobmetrics_job_info{{jobid='{job}'}}")
        self.assertEqual(series["metric"]["user"], self.USER)
        self.await_answer(gauge)
        self.await_none(f"jobmetrics_job_end_time_seconds{{jobid='{job}'}}")
        self.lab.end_patient(self.USER, job)
        self.ends_with(gauge)

    def test_are_reported_late_where_the_server_was_away(self):
        """With the time at which they were."""
        self.start(Prometheus)
        job = self.run_job()
        gauge = f"{GAUGE}{{jobid='{job}'}}"
        self.await_answer(gauge)
        self.server.stop()
        self.lab.end_patient(self.USER, job)
        wait_for("sweeps wait", SECONDS, lambda: len(self.files()) >= KEPT)
        self.server.start()
        self.ends_with(gauge)


class Secured(Situation):
    """Prometheus with TLS and a password."""

    def setUp(self):
        super().setUp()
        self.authority = Authority(self.folder, "authority")

    def login(self, password: str = LOGIN[1]) -> list[str]:
        file = self.folder / "password"
        file.write_text(password + "\n")
        file.chmod(0o600)
        return [f"--remote-write.user={LOGIN[0]}", f"--remote-write.password-file={file}"]

    def trust(self, authority: Authority) -> str:
        return f"--remote-write.ca-file={authority.file}"

    def figure(self, name: str) -> float:
        return scrape(self.exporter.address).value(f"jobmetrics_remote_write_{name}")

    def told(self) -> list[str]:
        return [line for line in self.exporter.output().splitlines() if "remote write:" in line]

    def check_refusal(self, config: pathlib.Path, words: str, *options: str) -> None:
        """It is reported once, and what was swept is kept."""
        self.start(Prometheus, *options, config=config)
        wait_for("sweeps wait", SECONDS, lambda: self.figure("pending_bytes") > 0 and len(self.files()) >= KEPT)
        self.assertEqual((self.figure("up"), self.figure("dropped_samples_total")), (0, 0))
        (line,) = self.told()
        self.assertIn("what cannot be sent is kept", line)
        self.assertIn(words, line)
        self.assertNotIn(LOGIN[1], self.exporter.output())
        self.assertEqual(self.server.query(SWEEPS), [])

    def test_takes_what_comes_from_who_trusts_it_and_has_the_password(self):
        self.start(Prometheus, self.trust(self.authority), *self.login(), config=self.authority.write_config())
        self.await_answer(SWEEPS)
        self.assertEqual(self.exporter.stop(), 0)
        self.await_none(SWEEPS)
        self.assertEqual(self.told(), [])

    def test_is_not_trusted_where_another_authority_signed(self):
        other = Authority(self.folder, "other")
        self.check_refusal(self.authority.write_config(), UNKNOWN, self.trust(other), *self.login())

    def test_is_not_trusted_where_the_system_does_not_know_the_authority(self):
        self.check_refusal(self.authority.write_config(), UNKNOWN, *self.login())

    def test_is_not_trusted_where_its_certificate_has_expired(self):
        config = self.authority.write_config(days=-1)
        self.check_refusal(config, "its certificate has expired", self.trust(self.authority), *self.login())

    def test_is_not_trusted_where_its_certificate_is_for_another(self):
        config = self.authority.write_config("DNS:example.org")
        self.check_refusal(config, "its certificate is for another name", self.trust(self.authority), *self.login())

    def test_gets_what_was_swept_while_the_password_was_wrong(self):
        self.check_refusal(self.authority.write_config(), "401 Unauthorized", self.trust(self.authority), *self.login("another"))
        kept = set(self.files())
        self.authority.write_config(password="another")
        wait_for("it takes it", SECONDS * 2, lambda: self.figure("up") == 1 and not kept & set(self.files()))
        self.assertEqual(self.figure("dropped_samples_total"), 0)
        self.assertEqual(len(self.told()), 2)
        # the password that is asked with here is the first
        self.assertEqual(self.exporter.stop(), 0)
        self.authority.write_config()
        self.assertGreaterEqual(len(self.times(SWEEPS)), KEPT)

    def test_wants_a_password(self):
        self.check_refusal(self.authority.write_config(), "401 Unauthorized", self.trust(self.authority))


def main() -> int:
    global shared
    with turn(), tempfile.TemporaryDirectory(prefix="jobmetrics-e2e-") as name:
        shared = SharedLab(pathlib.Path(name))
        try:
            return tap.run(Restart, Ends, Secured)
        finally:
            shared.down()


if __name__ == "__main__":
    sys.exit(main())
