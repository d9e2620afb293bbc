#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Two real Prometheus scrape a copied node, of which one asks for protobuf and one for OpenMetrics: they have the same.

usage: test-protobuf.py EXPORTER
"""

import contextlib
import http.server
import json
import pathlib
import re
import sys
import tempfile
import threading
import unittest
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "pylib"))
sys.path.insert(0, str(HERE))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from programs import SLOWNESS, Exporter, Prometheus, wait_for  # noqa: E402
from protobuf_exposition import CONTENT_TYPE  # noqa: E402

EXPORTER = sys.argv[1]
SECONDS = 60
# Prometheus 2.40 and later ask for protobuf only so
ASK_FOR_PROTOBUF = "--enable-feature=native-histograms"
DIALECTS = ("slurm-job-exporter", "ceems")
# each scrape has others
CHANGING = re.compile(r"process_|jobmetrics_(scrapes|encode|sweep|collector_duration)|scrape_|ceems_.*scrape")


class Relay:
    """Stands before the exporter, and notes in what format it answers."""

    def __init__(self, address: str):
        self.address = address
        self.types: set[str] = set()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.own_address = f"127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def _handler(relay):  # noqa: N805 - the handler's own is self
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                headers = {"Accept": self.headers["Accept"], "Accept-Encoding": self.headers.get("Accept-Encoding", "identity")}
                request = urllib.request.Request(f"http://{relay.address}{self.path}", headers=headers)
                with urllib.request.urlopen(request, timeout=SECONDS * SLOWNESS) as answer:
                    body = answer.read()
                relay.types.add(answer.headers["Content-Type"])
                with contextlib.suppress(OSError):
                    self.send_response(200)
                    for name in ("Content-Type", "Content-Encoding"):
                        if answer.headers[name] is not None:
                            self.send_header(name, answer.headers[name])
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        return Handler

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class Scraper:
    def __init__(self, name: str, exporter: Exporter, folder: pathlib.Path, *options: str):
        self.relay = Relay(exporter.address)
        (folder / name).mkdir()
        further = [
            {"job_name": dialect, "metrics_path": f"/dialects/{dialect}", "static_configs": [{"targets": [self.relay.own_address]}]}
            for dialect in DIALECTS
        ]
        self.prometheus = Prometheus(self.relay.own_address, folder / name, further=further, options=options)

    def stop(self) -> None:
        self.prometheus.stop()
        self.relay.stop()

    def series(self, job: str) -> dict[tuple, float]:
        found = self.prometheus.find(f'{{job="{job}"}}')
        return {self._key(one["metric"]): float(one["value"][1]) for one in found}

    @staticmethod
    def _key(labels: dict[str, str]) -> tuple:
        return labels["__name__"], *sorted((name, value) for name, value in labels.items() if name not in ("__name__", "instance"))

    def types(self) -> set[tuple[str, str]]:
        with urllib.request.urlopen(f"http://{self.prometheus.address}/api/v1/metadata", timeout=SECONDS * SLOWNESS) as answer:
            found = json.load(answer)["data"]
        return {(name, one["type"]) for name, metadata in found.items() for one in metadata}


class TwoScrapers(unittest.TestCase):
    def setUp(self):
        with contextlib.ExitStack() as stack:
            folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            self.addCleanup(stack.pop_all().close)
        self.exporter = Exporter(EXPORTER, folder, f"--path.rootfs={FIXTURES / 'slurm-v2-burn'}", "--sample.interval=0.5")
        self.addCleanup(self.exporter.stop)
        self.of_openmetrics = self.run_scraper("openmetrics", folder)
        self.of_protobuf = self.run_scraper("protobuf", folder, ASK_FOR_PROTOBUF)

    def run_scraper(self, name: str, folder: pathlib.Path, *options: str) -> Scraper:
        scraper = Scraper(name, self.exporter, folder, *options)
        self.addCleanup(scraper.stop)
        return scraper

    def await_scrapes(self, scraper: Scraper, job: str) -> None:
        """The first sweeps have no rates yet."""
        scrapes = f'count_over_time(up{{job="{job}"}}[10m]) >= 3 and on () min_over_time(up{{job="{job}"}}[1s]) == 1'
        wait_for(f"scrapes of {job}", SECONDS, lambda: scraper.prometheus.query(scrapes))

    def assert_same(self, job: str) -> None:
        for scraper in (self.of_openmetrics, self.of_protobuf):
            self.await_scrapes(scraper, job)
        expected, found = self.of_openmetrics.series(job), self.of_protobuf.series(job)
        self.assertGreater(len(expected), 20)
        self.assertEqual(set(found), set(expected))
        stable = {key: value for key, value in expected.items() if not CHANGING.match(key[0])}
        self.assertEqual({key: found[key] for key in stable}, stable)

    def test_have_the_same_series_and_values(self):
        for job in ("jobmetrics", *DIALECTS):
            with self.subTest(job):
                self.assert_same(job)
        self.assertEqual(self.of_protobuf.relay.types, {CONTENT_TYPE})
        self.assertEqual({one.partition(";")[0] for one in self.of_openmetrics.relay.types}, {"application/openmetrics-text"})

    def test_know_the_types(self):
        """The other one asks for OpenMetrics, which calls counters and infos otherwise."""
        self.await_scrapes(self.of_protobuf, "jobmetrics")
        with urllib.request.urlopen(f"http://{self.exporter.address}/metrics", timeout=SECONDS * SLOWNESS) as answer:
            types = re.findall(r"^# TYPE (\w+) (\w+)$", answer.read().decode(), re.MULTILINE)
        self.assertGreater(len(types), 20)
        self.assertLessEqual(set(types), self.of_protobuf.types())


if __name__ == "__main__":
    sys.exit(tap.run(TwoScrapers))
