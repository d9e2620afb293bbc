#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs of a copied node and of a real Slurm, pushed to a real pushgateway, and to servers that are none.

usage: test-push.py EXPORTER
"""

import base64
import contextlib
import http.server
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "pylib"))
sys.path.insert(0, str(HERE))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from lab import CLUSTER, NODE, SharedLab, Unfit  # noqa: E402
from programs import SLOWNESS, Exporter, Program, free_port, turn, wait_for  # noqa: E402
from secured import LOGIN, Authority, fetch  # noqa: E402

EXPORTER = sys.argv[1]
TREE = FIXTURES / "slurm-v2-burn"
JOBS = {"1", "2", "3"}
GONE = "1"
CGROUP = "sys/fs/cgroup/system.slice/n1_slurmstepd.scope/job_1"
JOB = f"test-{os.getpid()}"
SLASHED = "a/b"
SCRAPE_SECONDS = 5
AGAIN = 2


shared: SharedLab


class Gateway(Program):
    def __init__(self, folder: pathlib.Path, port: int | None = None, config: pathlib.Path | None = None):
        port = port or free_port()
        # Debian's keeps what it has, in one file for all, unless it is asked not to
        command = ["prometheus-pushgateway", f"--web.listen-address=127.0.0.1:{port}", "--persistence.file="]
        if config is not None:
            command.append(f"--web.config.file={config}")
        super().__init__("pushgateway", command, port, "/-/ready", folder, "http" if config is None else "https")
        self.port = port

    def jobs(self) -> set[str]:
        """Of this test's exporters: others may take this port for one of their own."""
        text = fetch(f"{self.url}/metrics")
        return set(re.findall(rf'^jobmetrics_job_cpus\{{.*?job="{JOB}",jobid="(.*?)"', text, re.MULTILINE))

    def await_jobs(self, jobs: set[str]) -> None:
        wait_for(f"the gateway has the jobs {jobs}", 30, lambda: self.jobs() == jobs)


class Server(http.server.BaseHTTPRequestHandler):
    """Answers as the test wants, and keeps what it was asked."""

    status = 500
    text = b"<html>no"
    delay = threading.Event()
    asked: list[tuple[str, str, str | None, bytes]] = []
    headers_sent: dict[str, str] = {}

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        Server.asked.append((self.command, self.path, self.headers.get("Authorization"), body))
        self.delay.wait(60)
        with contextlib.suppress(OSError):
            self.send_response(self.status)
            for name, value in self.headers_sent.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(self.text)))
            self.end_headers()
            self.wfile.write(self.text)

    do_PUT = do_DELETE = _answer

    def log_message(self, *_) -> None:
        pass


class Situation(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.tree = self.folder / "tree"
        shutil.copytree(TREE, self.tree, symlinks=True)
        self.node = [f"--path.rootfs={self.tree}"]
        self.groups = self.folder / "groups"

    def run_gateway(self, port: int | None = None, config: pathlib.Path | None = None) -> Gateway:
        gateway = Gateway(self.folder, port, config)
        self.addCleanup(gateway.stop)
        return gateway

    def run_server(self, status: int, text: bytes = b"", is_slow: bool = False) -> str:
        Server.status, Server.text, Server.asked = status, text, []
        Server.delay = threading.Event()
        if not is_slow:
            Server.delay.set()
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        self.addCleanup(server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(server.shutdown)
        self.addCleanup(Server.delay.set)
        return f"127.0.0.1:{server.server_port}"

    def write_login(self, password: str = LOGIN[1]) -> str:
        """The option that names it."""
        login = self.folder / "login"
        login.write_text(f"username={LOGIN[0]}\npassword={password}\n")
        login.chmod(0o600)
        return f"--push.login-file={login}"

    def run_exporter(self, address: str, *options: str, job: str = JOB) -> Exporter:
        exporter = Exporter(
            EXPORTER,
            self.folder,
            *self.node,
            "--sample.interval=0.5",
            f"--push.url=http://{address}",
            "--push.interval=1",
            f"--push.groups-file={self.groups}",
            f"--push.job={job}",
            *options,
        )
        self.addCleanup(exporter.stop)
        return exporter

    def value(self, exporter: Exporter, name: str) -> float | None:
        found = re.search(rf"^{name} (\S+)$", fetch(f"http://{exporter.address}/metrics"), re.MULTILINE)
        return float(found[1]) if found else None

    def await_failure(self, exporter: Exporter) -> None:
        wait_for("a push has failed", 60, lambda: self.value(exporter, "jobmetrics_push_failures_total"))
        self.assertEqual(self.value(exporter, "jobmetrics_push_up"), 0)


class Gateways(Situation):
    def test_have_a_group_for_each_job_until_the_exporter_ends(self):
        gateway = self.run_gateway()
        exporter = self.run_exporter(gateway.address)
        gateway.await_jobs(JOBS)
        wait_for("that is told", 30, lambda: self.value(exporter, "jobmetrics_push_up") == 1)
        self.assertGreater(self.value(exporter, "jobmetrics_push_last_success_time_seconds"), time.time() - 60 * SLOWNESS)
        exporter.stop()
        self.assertEqual(gateway.jobs(), set())

    def test_that_begin_anew_are_reported_all_again(self):
        gateway = self.run_gateway()
        exporter = self.run_exporter(gateway.address)
        gateway.await_jobs(JOBS)
        gateway.stop()
        self.await_failure(exporter)
        again = self.run_gateway(gateway.port)
        again.await_jobs(JOBS)
        wait_for("it is up again", 30, lambda: self.value(exporter, "jobmetrics_push_up") == 1)
        self.assertEqual(exporter.output().count("cannot push"), 1)
        self.assertEqual(exporter.output().count("takes what is pushed again"), 1)

    def test_lose_the_groups_of_a_killed_exporter_with_the_next(self):
        gateway = self.run_gateway()
        exporter = self.run_exporter(gateway.address)
        gateway.await_jobs(JOBS)
        exporter.process.kill()
        exporter.process.wait()
        shutil.rmtree(self.tree / CGROUP)
        self.assertEqual(gateway.jobs(), JOBS)
        self.run_exporter(gateway.address)
        gateway.await_jobs(JOBS - {GONE})

    def test_have_names_of_another_exporter(self):
        gateway = self.run_gateway()
        self.run_exporter(gateway.address, "--push.dialect=jobs-exporter", job="jobs_exporter")
        line = wait_for(
            "a job of petricore's",
            30,
            lambda: re.search(r'^jobs_rss\{.*job="jobs_exporter",jobid="1",slurm_job="1".*\}', fetch(f"http://{gateway.address}/metrics"), re.MULTILINE),
        )
        self.assertIn("instance=", line[0])

    def test_are_not_touched_by_one_scrape(self):
        """`--once` beside a daemon."""
        gateway = self.run_gateway()
        self.groups.write_text("1\n")
        options = [f"--push.url=http://{gateway.address}", f"--push.groups-file={self.groups}"]
        command = [EXPORTER, "node", "--once", f"--path.rootfs={self.tree}", *options]
        subprocess.run(command, check=True, capture_output=True, timeout=60 * SLOWNESS)
        self.assertEqual(self.groups.read_text(), "1\n")


class Ends(Situation):
    """Of jobs of a real Slurm, which are shown for two minutes more on /metrics."""

    USER = "ada"

    def setUp(self):
        super().setUp()
        try:
            self.lab = shared.get()
        except Unfit as unfit:
            self.skipTest(str(unfit))
        self.node = [f"--node.name={NODE}", f"--cluster={CLUSTER}"]
        self.gateway = self.run_gateway()

    def run_job(self) -> str:
        job = self.lab.run_patient(self.USER)
        self.addCleanup(self.lab.ask, "scancel", job)
        return job

    def end(self, job: str) -> None:
        self.lab.end_patient(self.USER, job)

    def is_shown(self, exporter: Exporter, job: str) -> bool:
        return f'jobmetrics_job_end_time_seconds{{jobid="{job}"}}' in fetch(f"http://{exporter.address}/metrics")

    def test_take_the_group_from_a_living_exporters_gateway(self):
        exporter = self.run_exporter(self.gateway.address)
        ends, stays = self.run_job(), self.run_job()
        self.gateway.await_jobs({ends, stays})
        self.end(ends)
        self.gateway.await_jobs({stays})
        self.assertTrue(self.is_shown(exporter, ends))
        self.assertEqual(self.groups.read_text().split(), [stays])
        self.end(stays)
        self.gateway.await_jobs(set())
        self.assertEqual(self.value(exporter, "jobmetrics_push_failures_total"), 0)

    def test_take_it_also_when_the_gateway_was_away(self):
        exporter = self.run_exporter(self.gateway.address, "--push.interval=1")
        ends, stays = self.run_job(), self.run_job()
        self.gateway.await_jobs({ends, stays})
        os.kill(self.gateway.process.pid, signal.SIGSTOP)
        self.addCleanup(os.kill, self.gateway.process.pid, signal.SIGCONT)
        self.end(ends)
        self.await_failure(exporter)
        os.kill(self.gateway.process.pid, signal.SIGCONT)
        self.gateway.await_jobs({stays})

    def test_take_it_with_the_next_exporter_where_one_is_killed_meanwhile(self):
        exporter = self.run_exporter(self.gateway.address)
        ends, stays = self.run_job(), self.run_job()
        self.gateway.await_jobs({ends, stays})
        exporter.process.kill()
        exporter.process.wait()
        self.end(ends)
        self.assertEqual(self.gateway.jobs(), {ends, stays})
        self.run_exporter(self.gateway.address)
        self.gateway.await_jobs({stays})

    def test_take_it_while_a_job_waits_to_run_again(self):
        self.run_exporter(self.gateway.address)
        job = self.run_job()
        self.gateway.await_jobs({job})
        self.lab.requeue(job)
        self.gateway.await_jobs(set())
        self.lab.resume(job)
        self.gateway.await_jobs({job})
        self.end(job)
        self.gateway.await_jobs(set())

    def test_take_it_where_a_job_runs_again_under_a_killed_exporter(self):
        """The group is then the second run's."""
        exporter = self.run_exporter(self.gateway.address)
        job = self.run_job()
        self.gateway.await_jobs({job})
        first = wait_for("the first run's start", 30, lambda: self.started(job))
        exporter.process.kill()
        exporter.process.wait()
        self.lab.requeue(job)
        self.lab.resume(job)
        self.run_exporter(self.gateway.address)
        wait_for("the second run's group", 30, lambda: (self.started(job) or first) > first)
        self.end(job)
        self.gateway.await_jobs(set())

    def started(self, job: str) -> float | None:
        text = fetch(f"http://{self.gateway.address}/metrics")
        found = re.search(rf'^jobmetrics_job_first_process_start_time_seconds\{{.*jobid="{job}".*\}} (\S+)$', text, re.MULTILINE)
        return float(found[1]) if found else None


class Secured(Situation):
    """Gateways with TLS and a password."""

    def setUp(self):
        super().setUp()
        self.authority = Authority(self.folder, "authority")

    def push_to(self, config: pathlib.Path, *options: str) -> tuple[Gateway, Exporter]:
        gateway = self.run_gateway(config=config)
        return gateway, self.run_exporter(gateway.address, f"--push.url={gateway.url}", *options)

    def check_refusal(self, config: pathlib.Path, words: str, *options: str) -> tuple[Gateway, Exporter]:
        """It is reported once, however often it is tried."""
        gateway, exporter = self.push_to(config, *options)
        self.await_failure(exporter)
        wait_for("it was tried again", 60, lambda: self.value(exporter, "jobmetrics_push_failures_total") >= AGAIN)
        told = [line for line in exporter.output().splitlines() if "cannot push" in line]
        self.assertEqual(len(told), 1, told)
        self.assertIn(f"{words}; this goes on until it succeeds", told[0])
        self.assertNotIn(LOGIN[1], exporter.output())
        self.assertEqual(gateway.jobs(), set())
        return gateway, exporter

    def test_get_the_jobs_of_who_trusts_them_and_has_the_password(self):
        gateway, exporter = self.push_to(self.authority.write_config(), f"--push.ca-file={self.authority.file}", self.write_login())
        gateway.await_jobs(JOBS)
        exporter.stop()
        self.assertEqual(gateway.jobs(), set())
        self.assertNotIn("cannot push", exporter.output())

    def test_of_another_authority_are_not_trusted(self):
        other = Authority(self.folder, "other")
        words = "its certificate is signed by an authority that is not trusted"
        self.check_refusal(self.authority.write_config(), words, f"--push.ca-file={other.file}", self.write_login())

    def test_of_an_authority_that_the_system_does_not_know_are_not_trusted(self):
        words = "its certificate is signed by an authority that is not trusted"
        self.check_refusal(self.authority.write_config(), words, self.write_login())

    def test_whose_certificate_has_expired_are_not_trusted(self):
        config = self.authority.write_config(days=-1)
        self.check_refusal(config, "its certificate has expired", f"--push.ca-file={self.authority.file}", self.write_login())

    def test_whose_certificate_is_for_another_are_not_trusted(self):
        config = self.authority.write_config("DNS:example.org")
        self.check_refusal(config, "its certificate is for another name", f"--push.ca-file={self.authority.file}", self.write_login())

    def test_do_not_take_a_wrong_password_until_it_is_the_right_one(self):
        trust = f"--push.ca-file={self.authority.file}"
        gateway, exporter = self.check_refusal(self.authority.write_config(), "401 Unauthorized: Unauthorized", trust, self.write_login("another"))
        self.authority.write_config(password="another")
        wait_for("the gateway takes it", 60, lambda: self.value(exporter, "jobmetrics_push_up") == 1)
        self.authority.write_config()
        self.assertEqual(gateway.jobs(), JOBS)

    def test_want_a_password(self):
        self.check_refusal(self.authority.write_config(), "401 Unauthorized: Unauthorized", f"--push.ca-file={self.authority.file}")


class Servers(Situation):
    def test_are_asked_with_a_password_and_labels_that_fit_a_path(self):
        self.run_exporter(self.run_server(202), self.write_login(), job=SLASHED)
        method, path, authorization, body = wait_for("a push", 30, lambda: Server.asked and Server.asked[0])
        self.assertEqual(method, "PUT")
        self.assertEqual(authorization, "Basic " + base64.b64encode(":".join(LOGIN).encode()).decode())
        encoded = base64.urlsafe_b64encode(SLASHED.encode()).decode()
        self.assertTrue(urllib.parse.unquote(path).startswith(f"/metrics/job@base64/{encoded}/instance/"), path)
        self.assertIn(b"jobmetrics_job_cpus", body)

    def test_that_talk_nonsense_are_reported_once(self):
        exporter = self.run_exporter(self.run_server(500, b"<html>no"))
        self.await_failure(exporter)
        wait_for("it was tried again", 60, lambda: self.value(exporter, "jobmetrics_push_failures_total") >= 2)
        self.assertEqual(exporter.output().count("cannot push"), 1)

    def test_that_refuse_a_job_get_the_others(self):
        exporter = self.run_exporter(self.run_server(400, b"bad"))
        wait_for("all were tried", 30, lambda: {path.rpartition("/")[2] for _, path, _, _ in Server.asked} == JOBS)
        self.await_failure(exporter)

    def test_that_are_slow_keep_nobody_waiting(self):
        exporter = self.run_exporter(self.run_server(200, is_slow=True))
        wait_for("it was asked", 30, lambda: Server.asked)
        began = time.monotonic()
        for _ in range(5):
            self.value(exporter, "jobmetrics_push_up")
        self.assertLess(time.monotonic() - began, SCRAPE_SECONDS * SLOWNESS)


    def test_that_say_nothing_do_not_hold_the_end(self):
        exporter = self.run_exporter(self.run_server(200, is_slow=True))
        wait_for("it was asked", 30, lambda: Server.asked)
        self.assertEqual(exporter.stop(), 0)
        self.assertFalse(Server.delay.is_set())
        self.assertEqual(len(Server.asked), 1)

    def test_that_ask_for_time_are_given_it(self):
        Server.headers_sent = {"Retry-After": "3600"}
        self.addCleanup(Server.headers_sent.clear)
        exporter = self.run_exporter(self.run_server(503))
        self.await_failure(exporter)
        swept = self.value(exporter, "jobmetrics_sweep_time_seconds")
        wait_for("some sweeps", 60, lambda: self.value(exporter, "jobmetrics_sweep_time_seconds") > swept + 3)
        self.assertEqual(len(Server.asked), 1)


class Settings(Situation):
    def test_of_an_authority_that_is_not_there_cost_the_push_alone(self):
        exporter = self.run_exporter(self.run_server(200), f"--push.ca-file={self.folder / 'none'}")
        self.assertIsNotNone(self.value(exporter, "jobmetrics_sweep_time_seconds"))
        self.assertIsNone(self.value(exporter, "jobmetrics_push_up"))
        told = [line for line in exporter.output().splitlines() if "nothing is pushed" in line]
        self.assertEqual(len(told), 1, exporter.output())
        self.assertIn("/none", told[0])
        self.assertEqual(Server.asked, [])

    def test_that_are_wrong_are_refused(self):
        for option, words in (
            ("--push.url=ftp://x/", "push.url"),
            ("--push.url=http://example.org/", "must begin with https"),
            ("--push.url=http://u:p@127.0.0.1/", "belong into a file"),
        ):
            done = subprocess.run([EXPORTER, "node", "--once", option], capture_output=True, text=True, timeout=60 * SLOWNESS, check=False)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)


def main() -> int:
    global shared
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    if shutil.which("prometheus-pushgateway") is None:
        tap.skip_all("prometheus-pushgateway is not installed")
    with turn(), tempfile.TemporaryDirectory(prefix="jobmetrics-e2e-") as name:
        shared = SharedLab(pathlib.Path(name))
        try:
            return tap.run(Gateways, Ends, Secured, Servers, Settings)
        finally:
            shared.down()


if __name__ == "__main__":
    sys.exit(main())
