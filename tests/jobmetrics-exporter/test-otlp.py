#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Roles that send their metrics by OTLP, before a server that is slow, down or mad.

usage: test-otlp.py EXPORTER
"""

import contextlib
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from otlp import NO_RECORDED_VALUE, Receiver, encode_partial_success  # noqa: E402
from sending_node import SendingNode  # noqa: E402
from slurm_scripts import write_scripts  # noqa: E402

EXPORTER = sys.argv[1]
SECONDS = 60
USAGE = 2
# metrics of the process that sends, which only scrapers get
OWN = re.compile(r"process_|jobmetrics_(build_info|scrapes_total|encod)")

# the tables of the semantic conventions, version 1.45: name, instrument, unit, attributes of their own
CONVENTIONS = """
| process.cpu.time                   | counter       | s                 | cpu.mode    |
| process.memory.usage               | updowncounter | By                |             |
| process.thread.count               | updowncounter | {thread}          |             |
| process.unix.file_descriptor.count | updowncounter | {file_descriptor} |             |
"""


def read_conventions() -> dict[str, tuple[str, str, set[str]]]:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in CONVENTIONS.strip().splitlines()]
    return {name: (kind, unit, set(own.split())) for name, kind, unit, own in rows}


def read_cpu_stat(tree: pathlib.Path, job: str) -> dict[str, str]:
    """Of the kernel's own file, which has microseconds."""
    (path,) = (tree / "sys/fs/cgroup").rglob(f"job_{job}/cpu.stat")
    return dict(line.split() for line in path.read_text().splitlines())


class Daemon(SendingNode):
    def __init__(self, url: str, buffer: pathlib.Path, *options: str, tree: str = "slurm-v2-burn"):
        super().__init__(EXPORTER, "otlp", f"--path.rootfs={FIXTURES / tree}", "--node.name=n1", f"--otlp.url={url}", f"--otlp.buffer={buffer}", *options)


class ClusterDaemon(SendingNode):
    def __init__(self, url: str, buffer: pathlib.Path, *options: str):
        folder = buffer.with_name("scripts")
        folder.mkdir(exist_ok=True)
        write_scripts(folder)
        scheduler = (f"--cluster.scheduler=slurm,directory={folder}", "--cluster.interval=1")
        super().__init__(EXPORTER, "otlp", *scheduler, f"--otlp.url={url}", f"--otlp.buffer={buffer}", *options, role="cluster")

    def scrape(self, path: str = "metrics") -> str:
        """Once it has answers of its scheduler."""
        end = time.monotonic() + SECONDS
        while True:
            try:
                return super().scrape(path)
            except urllib.error.HTTPError as error:
                with error:
                    if error.code != 503 or time.monotonic() > end:
                        raise
            time.sleep(0.1)


class ServerDaemon(SendingNode):
    def __init__(self, url: str, buffer: pathlib.Path, *options: str):
        store = buffer.with_name("accounts.db")
        super().__init__(EXPORTER, "otlp", f"--server.store={store}", f"--otlp.url={url}", f"--otlp.buffer={buffer}", *options, role="server")


class Case(unittest.TestCase):
    def setUp(self):
        with contextlib.ExitStack() as stack:
            self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            self.addCleanup(stack.pop_all().close)
        self.buffer = self.folder / "buffer"


class Requests(Case):
    """What a server gets that takes everything."""

    def collect(self, *options: str, tree: str = "slurm-v2-burn", enough: int = 2) -> Receiver:
        with Receiver() as receiver, Daemon(receiver.url, self.buffer, *options, tree=tree) as daemon:
            receiver.wait_for(lambda requests: len(requests) >= enough, SECONDS)
            self.assertEqual(daemon.figures()["up"], 1)
            self.assertGreater(daemon.figures()["sent_points_total"], 0)
            self.assertEqual(daemon.figures()["dropped_points_total"], 0)
            self.assertEqual(daemon.end(), 0)
        return receiver

    def test_names_units_and_attributes_are_those_of_the_conventions(self):
        receiver = self.collect()
        points = receiver.requests[0]
        for name, (kind, unit, own) in read_conventions().items():
            with self.subTest(name):
                found = [point for point in points if point.name == name]
                self.assertEqual({point.attributes["jobmetrics.job.id"] for point in found}, {"1"})
                self.assertEqual({(point.kind, point.unit) for point in found}, {(kind, unit)})
                for point in found:
                    self.assertLessEqual(own, set(point.attributes))
        resource = points[0].resource
        names = ("service.name", "service.instance.id", "host.name")
        self.assertEqual(tuple(resource[name] for name in names), ("jobmetrics", "n1", "n1"))
        headers = {name.lower(): value for name, value in receiver.headers[0].items()}
        self.assertEqual((headers["content-type"], headers["content-encoding"]), ("application/x-protobuf", "gzip"))

    def test_values_are_those_of_the_kernel(self):
        points = self.collect().requests[0]
        stat = read_cpu_stat(FIXTURES / "slurm-v2-burn", "1")
        for mode in ("user", "system"):
            (point,) = [p for p in points if p.name == "process.cpu.time" and p.attributes.items() >= {"cpu.mode": mode, "jobmetrics.job.id": "1"}.items()]
            self.assertEqual(round(point.value * 1e6), int(stat[f"{mode}_usec"]))

    def test_counters_have_one_start_and_times_that_grow(self):
        requests = self.collect(enough=3).requests
        series: dict[tuple, list] = {}
        for point in (point for request in requests for point in request if point.kind == "counter" and point.flags == 0):
            series.setdefault((point.name, *sorted(point.attributes.items())), []).append(point)
        self.assertTrue(series)
        for points in series.values():
            times = [point.time_ns for point in points]
            self.assertEqual(times, sorted(set(times)))
            self.assertEqual({point.start_ns for point in points}, {times[0]})
        for point in (point for request in requests for point in request if point.kind != "counter"):
            self.assertEqual(point.start_ns, 0)

    def test_counters_of_a_job_begin_when_it_started(self):
        points = self.collect(tree="slurm-v2-hooks").requests[0]
        starts = {p.attributes["jobmetrics.job.id"]: p.value for p in points if p.name == "jobmetrics.start_time"}
        self.assertTrue(starts)
        for job, start in starts.items():
            counters = [p for p in points if p.kind == "counter" and p.attributes.get("jobmetrics.job.id") == job]
            self.assertTrue(counters)
            self.assertEqual({p.start_ns for p in counters}, {round(start) * 10**9})

    def test_the_end_says_that_every_series_is_gone(self):
        *_, before, last = self.collect().requests
        self.assertEqual({(point.flags, point.value) for point in last}, {(NO_RECORDED_VALUE, None)})
        self.assertEqual({point.flags for point in before}, {0})
        self.assertEqual(len(last), len(before))

    def test_own_names_stay_and_have_units(self):
        points = self.collect("--otlp.dialect=native").requests[0]
        units = {point.name: (point.kind, point.unit) for point in points}
        self.assertEqual(units["jobmetrics_job_cpu_seconds_total"], ("counter", "s"))
        self.assertEqual(units["jobmetrics_job_memory_used_bytes"], ("gauge", "By"))

    def test_headers_are_sent_and_are_not_in_the_log(self):
        file = self.folder / "headers"
        file.write_text("Authorization=Bearer%20secret,X-Scope-OrgID=hpc,Content-Type=text/plain\n")
        file.chmod(0o600)
        with Receiver() as receiver, Daemon(receiver.url, self.buffer, f"--otlp.headers-file={file}") as daemon:
            receiver.wait_for(lambda requests: requests, SECONDS)
        headers = receiver.headers[0]
        self.assertEqual((headers["Authorization"], headers["X-Scope-OrgID"]), ("Bearer secret", "hpc"))
        self.assertEqual(headers["Content-Type"], "application/x-protobuf")
        self.assertEqual(daemon.lines("secret"), [])

    def test_scrapers_get_the_names_that_prometheus_makes_of_these(self):
        with Receiver() as receiver, Daemon(receiver.url, self.buffer) as daemon:
            text = daemon.scrape("dialects/opentelemetry")
        self.assertRegex(text, r'(?m)^process_cpu_time_seconds_total\{cpu_mode="user",jobmetrics_job_id="1"')
        self.assertIn("# TYPE process_memory_usage_bytes gauge\n", text)


class RolesWithoutSweeps(Case):
    """The cluster and the server send what they show to scrapers, under its names."""

    def compare(self, make_daemon, series: str) -> list:
        """Sends until a request has that series of /metrics, and compares all of that request with the types of the scrape."""
        with Receiver() as receiver, make_daemon(receiver.url, self.buffer) as daemon:
            receiver.wait_for(lambda requests: any(point.name == series for point in requests[-1:] and requests[-1]), SECONDS)
            text = daemon.scrape()
            self.assertEqual(daemon.figures()["dropped_points_total"], 0)
            self.assertEqual(daemon.end(), 0)
        types = dict(re.findall(r"(?m)^# TYPE (\S+) (\S+)$", text))
        points = [point for request in receiver.requests for point in request]
        for name, kind in {(point.name, point.kind) for point in points}:
            self.assertEqual((name, kind), (name, types[name]))
        shown = set(re.findall(r"(?m)^(\w+)[{ ]", text))
        self.assertEqual({name for name in shown if not OWN.match(name)} - {point.name for point in points}, set())
        times = [request[0].time_ns for request in receiver.requests]
        self.assertEqual(times, sorted(set(times)))
        self.assertEqual({point.flags for point in receiver.requests[-1]}, {NO_RECORDED_VALUE})
        return points

    def check_resource(self, points: list, service: str) -> None:
        host = socket.gethostname()
        for resource in (point.resource for point in points):
            names = ("service.name", "service.instance.id", "host.name")
            self.assertEqual(tuple(resource[name] for name in names), (service, host, host))

    def test_a_cluster_sends_what_its_scheduler_has(self):
        points = self.compare(ClusterDaemon, "jobmetrics_cluster_jobs")
        # as one counts by hand in the recorded lists
        found = [p for p in points if p.name == "jobmetrics_cluster_jobs" and p.attributes == {"cluster": "recorded", "state": "pending"}]
        self.assertEqual({(p.value, p.kind) for p in found if p.flags == 0}, {(202, "gauge")})
        self.assertEqual({p.unit for p in points if p.name == "jobmetrics_cluster_topic_age_seconds"}, {"s"})
        self.check_resource(points, "jobmetrics-cluster")

    def test_a_server_sends_what_it_has_of_its_archive(self):
        points = self.compare(ServerDaemon, "jobmetrics_server_runs_total")
        self.assertEqual({(p.value, p.kind) for p in points if p.name == "jobmetrics_server_runs_total" and p.flags == 0}, {(0, "counter")})
        self.assertEqual({p.unit for p in points if p.name == "jobmetrics_otlp_pending_bytes"}, {"By"})
        self.check_resource(points, "jobmetrics-server")

    def test_their_metrics_can_be_chosen(self):
        options = ("--metrics.include=jobmetrics_cluster_jobs", "--otlp.service=site")
        with Receiver() as receiver, ClusterDaemon(receiver.url, self.buffer, *options):
            receiver.wait_for(lambda requests: any(requests), SECONDS)
        points = [point for request in receiver.requests for point in request]
        self.assertEqual({point.name for point in points}, {"jobmetrics_cluster_jobs"})
        self.assertEqual(points[0].resource["service.name"], "site")


class Faults:
    """A server costs itself alone, and the log says each thing once."""

    daemon: type[SendingNode]
    shown: str

    def check_dropped(self, *answer, words: str, n_dropped=None) -> None:
        """The request of that answer is not sent again, and the next is taken."""
        with Receiver(answers=(answer,)) as receiver, self.daemon(receiver.url, self.buffer) as daemon:
            receiver.wait_for(lambda requests: len(requests) + len(receiver.refused) >= 3, SECONDS)
            daemon.wait_for_log("takes what it is sent again")
            first = (receiver.refused or receiver.requests)[0]
            self.assertEqual(daemon.figures()["dropped_points_total"], n_dropped or len(first))
        self.assertEqual([r for r in receiver.requests + receiver.refused if r == first], [first])
        (line,) = daemon.lines("what the server refuses is dropped")
        self.assertIn(words, line)

    def test_an_overloaded_server_gets_them_later_in_order(self):
        answers = ((503, {}), (429, {"Retry-After": "1"}), (502, {}))
        with Receiver(answers=answers) as receiver, self.daemon(receiver.url, self.buffer) as daemon:
            receiver.wait_for(lambda requests: len(requests) >= 3, SECONDS)
            daemon.wait_for_log("takes what it is sent again")
            self.assertEqual(daemon.figures()["dropped_points_total"], 0)
        self.assertEqual(receiver.requests[0], receiver.refused[0])
        times = [request[0].time_ns for request in receiver.requests]
        self.assertEqual(times, sorted(set(times)))
        self.assertEqual(len(daemon.lines("what cannot be sent is kept")), 1)

    def test_points_that_are_rejected_are_counted_and_why_is_in_the_log(self):
        answer = encode_partial_success(5, "clock\nof the past")
        self.check_dropped(200, {}, answer, words="5 points were rejected: clock?of the past", n_dropped=5)

    def test_a_redirect_is_not_followed(self):
        with Receiver() as other:
            self.check_dropped(307, {"Location": other.url}, words="307")
            self.assertEqual(other.requests, [])

    def test_a_server_that_is_away_loses_nothing(self):
        with socket.socket() as held:
            # one that is bound and does not listen refuses whoever connects, and nobody else gets the port
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            held.bind(("127.0.0.1", 0))
            port = held.getsockname()[1]
            with self.daemon(f"http://127.0.0.1:{port}/v1/metrics", self.buffer) as daemon:
                daemon.wait_for_log("what cannot be sent is kept")
                self.assertEqual(daemon.figures()["up"], 0)
                self.assertGreater(daemon.figures()["pending_bytes"], 0)
                with Receiver(port) as receiver:
                    daemon.wait_for_log("takes what it is sent again")
                    receiver.wait_for(lambda requests: len(requests) >= 3, SECONDS)
                    self.assertEqual(daemon.figures()["dropped_points_total"], 0)
                    daemon.end()

    def test_a_server_that_hangs_holds_neither_scrapes_nor_the_end(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            with self.daemon(f"http://127.0.0.1:{silent.getsockname()[1]}/", self.buffer) as daemon:
                connection, _ = silent.accept()
                with connection:
                    self.assertIn(self.shown, daemon.scrape())
                    self.assertEqual(daemon.end(), 0)
        self.assertTrue(list(self.buffer.glob("*.request")))


class Failures(Faults, Case):
    daemon = Daemon
    shown = "jobmetrics_job_info"

    def test_what_a_server_cannot_read_is_dropped(self):
        self.check_dropped(400, {}, words="400")

    def test_an_error_that_will_not_pass_is_not_tried_again(self):
        self.check_dropped(500, {}, words="500")

    def test_a_web_page_is_no_answer(self):
        self.check_dropped(200, {}, b"<html>Please log in</html>", words="not one of OTLP")

    def test_an_answer_without_end_is_none(self):
        self.check_dropped(200, {}, bytes(8 * 1024 * 1024), words="not one of OTLP")

    def test_headers_that_are_none_stop_the_sending_and_not_the_scrapes(self):
        file = self.folder / "headers"
        file.write_text("secret\n")
        file.chmod(0o600)
        with Receiver() as receiver, self.daemon(receiver.url, self.buffer, f"--otlp.headers-file={file}") as daemon:
            self.assertIn("NAME=VALUE", daemon.wait_for_log("nothing is sent by OTLP"))
            self.assertEqual(daemon.figures(), {})
        self.assertEqual(daemon.lines("secret"), [])


class FailuresOfACluster(Faults, Case):
    daemon = ClusterDaemon
    shown = "jobmetrics_cluster_"


class FailuresOfAServer(Faults, Case):
    daemon = ServerDaemon
    shown = "jobmetrics_server_"


class WrongOptions(unittest.TestCase):
    def refuse(self, words: str, *options: str) -> None:
        for role in ("node", "cluster", "server"):
            done = subprocess.run([EXPORTER, role, *options], capture_output=True, text=True, timeout=SECONDS, check=False)
            self.assertEqual(done.returncode, USAGE, done.stderr)
            self.assertIn(words, done.stderr)

    def test_a_url_of_no_web_server(self):
        self.refuse("--otlp.url", "--otlp.url=ftp://example.org/")

    def test_a_dialect_that_there_is_not(self):
        self.refuse("--otlp.dialect", "--otlp.url=http://example.org/", "--otlp.dialect=esperanto")


if __name__ == "__main__":
    sys.exit(tap.run(Requests, RolesWithoutSweeps, Failures, FailuresOfACluster, FailuresOfAServer, WrongOptions))
