#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A scraper that asks for protobuf, as Prometheus does where native histograms are enabled.

usage: test-protobuf.py EXPORTER
"""

import gzip
import pathlib
import re
import signal
import subprocess
import sys
import unittest
import urllib.request

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from protobuf_exposition import ACCEPT, CONTENT_TYPE, decode  # noqa: E402

EXPORTER = sys.argv[1]
SECONDS = 60
DIALECT = "slurm-job-exporter"
PROMETHEUS = f"{ACCEPT},application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
SAMPLE = re.compile(r"^(\w+)(?:\{.*\})? (\S+)$", re.MULTILINE)
# each scrape has others
CHANGING = re.compile(r"process_|jobmetrics_(scrapes|encode|sweep|collector_duration)")


class Scrapes(unittest.TestCase):
    def setUp(self):
        command = [EXPORTER, "node", "--web.listen-address=127.0.0.1:0", f"--path.rootfs={FIXTURES / 'slurm-v2-burn'}"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.process.stderr.close)
        self.addCleanup(self.process.wait, SECONDS)
        self.addCleanup(self.process.send_signal, signal.SIGTERM)
        found = (re.search(r"listening on (\S+:\d+)", line) for line in self.process.stderr)
        self.url = "http://" + next(match[1] for match in found if match)

    def get(self, path: str, accept: str | None = None, **headers: str) -> tuple[dict[str, str], bytes]:
        if accept is not None:
            headers["Accept"] = accept
        request = urllib.request.Request(self.url + path, headers={k.replace("_", "-"): v for k, v in headers.items()})
        with urllib.request.urlopen(request, timeout=SECONDS) as reply:
            return dict(reply.headers), reply.read()

    def assert_same(self, path: str) -> None:
        """As the text has it, but for what each scrape changes."""
        headers, body = self.get(path, PROMETHEUS)
        self.assertEqual(headers["Content-Type"], CONTENT_TYPE)
        found = [(family.name, value) for family in decode(body) for _, value in family.samples]
        headers, text = self.get(path)
        self.assertTrue(headers["Content-Type"].startswith("text/plain"))
        expected = [(name, float(value)) for name, value in SAMPLE.findall(text.decode())]
        self.assertGreater(len(expected), 10)
        self.assertEqual([name for name, _ in found], [name for name, _ in expected])
        for (name, ours), (_, theirs) in zip(found, expected, strict=True):
            if not CHANGING.match(name):
                self.assertEqual(ours, theirs, name)

    def test_metrics_are_those_of_the_text(self):
        self.assert_same("/metrics")

    def test_so_are_those_of_a_dialect(self):
        self.assert_same(f"/dialects/{DIALECT}")

    def test_so_are_those_of_some_collectors(self):
        self.assert_same("/metrics?collect[]=cpu")

    def test_labels_and_types_are_there(self):
        families = {family.name: family for family in decode(self.get("/metrics", PROMETHEUS)[1])}
        self.assertEqual(families["jobmetrics_job_cpu_seconds_total"].type, "counter")
        self.assertEqual(families["jobmetrics_job_info"].type, "gauge")
        self.assertEqual({labels["jobid"] for labels, _ in families["jobmetrics_job_info"].samples}, {"1", "2", "3"})

    def test_it_is_compressed_for_who_takes_that(self):
        headers, body = self.get("/metrics", PROMETHEUS, Accept_Encoding="gzip")
        self.assertEqual((headers["Content-Type"], headers["Content-Encoding"]), (CONTENT_TYPE, "gzip"))
        self.assertIn("jobmetrics_job_info", [family.name for family in decode(gzip.decompress(body))])

    def test_who_likes_text_better_gets_text(self):
        headers, _ = self.get("/metrics", f"{ACCEPT};q=0.1,text/plain;q=0.5")
        self.assertTrue(headers["Content-Type"].startswith("text/plain"))
        headers, _ = self.get("/metrics", f"{ACCEPT};q=0.1,application/openmetrics-text;q=0.5")
        self.assertTrue(headers["Content-Type"].startswith("application/openmetrics-text"))


if __name__ == "__main__":
    sys.exit(tap.run(Scrapes))
