#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The summaries that jobstats keeps of runs, held against Python's gzip, base64 and json, by which jobstats itself goes.

usage: test-jobstats-summary.py PRINT-JOBSTATS-SUMMARY
"""

import base64
import gzip
import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pylib"))
import tap  # noqa: E402

PRINT = os.path.abspath(sys.argv[1])
GIB = 1 << 30
RUN = {
    "nodes": {
        "n2": {"total_memory": 4 * GIB, "used_memory": GIB, "total_time": 1800.0, "cpus": 1},
        "n10": {
            "total_memory": 4 * GIB,
            "used_memory": 3 * GIB,
            "total_time": 3600.5,
            "cpus": 1,
            "gpu_total_memory": {"0": 80 * GIB, "1": 80 * GIB},
            "gpu_used_memory": {"0": 20 * GIB, "1": 40 * GIB},
            "gpu_utilization": {"0": 98.5, "1": 0.0},
        },
    },
    "total_time": 3600,
    "gpus": 2,
}


def make(kind: str) -> str:
    return subprocess.run([PRINT, kind], check=True, capture_output=True, text=True).stdout.strip()


def read(text: str) -> tuple[int, str]:
    done = subprocess.run([PRINT, "read"], input=text, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout


def pack(document: object) -> str:
    text = document if isinstance(document, str) else json.dumps(document, separators=(",", ":"))
    return "JS1:" + base64.b64encode(gzip.compress(text.encode())).decode("ascii")


def unpack(text: str) -> str:
    assert text.startswith("JS1:H4s"), text
    return gzip.decompress(base64.b64decode(text[4:], validate=True)).decode("ascii")


class ASummaryThatIsWritten(unittest.TestCase):
    def test_python_reads_what_was_meant(self):
        """Of five accelerators one was seen for too short: it has no key rather than some. Page cache is no used memory."""
        self.assertEqual(
            json.loads(unpack(make("whole"))),
            {
                "nodes": {
                    "n1": {
                        "total_memory": 8 * GIB,
                        "used_memory": 3 * GIB,
                        "total_time": 1234.6,
                        "cpus": 4,
                        "gpu_total_memory": {"3": 80 * GIB, "1": 80 * GIB},
                        "gpu_used_memory": {"3": 2 * GIB, "1": 2 * GIB},
                        "gpu_utilization": {"3": 71.2, "1": 0.0},
                    },
                    'knoten-ä"\\\U0001f332': {
                        "total_memory": 8 * GIB,
                        "used_memory": 1,
                        "total_time": 0.0,
                        "cpus": 4,
                        "gpu_total_memory": {"0": 80 * GIB, "1": 80 * GIB},
                        "gpu_used_memory": {"0": 2 * GIB, "1": 2 * GIB},
                        "gpu_utilization": {"0": 5.0, "1": 6.0},
                    },
                },
                "total_time": 3600,
                "gpus": 5,
            },
        )

    def test_it_is_byte_for_byte_what_python_would_write(self):
        text = unpack(make("whole"))
        self.assertEqual(text, json.dumps(json.loads(text), separators=(",", ":")))

    def test_a_short_run_has_a_word(self):
        self.assertEqual(make("short"), "JS1:Short")

    def test_a_run_that_is_partly_known_has_a_word(self):
        self.assertEqual(make("partly"), "JS1:None")


class ASummaryThatIsRead(unittest.TestCase):
    def assert_refused(self, text: str, message: str) -> None:
        status, said = read(text)
        self.assertEqual(status, 1, said)
        self.assertIn(message, said)

    def test_its_figures_are_those_of_the_run(self):
        status, said = read(pack(RUN))
        lines = said.splitlines()
        facts = dict(line.split(" ", 1) for line in lines[1:] if line.split()[0] not in ("node", "gpu"))
        self.assertEqual(status, 0, said)
        self.assertEqual([line for line in lines if line.startswith(("node ", "gpu "))],
                         ["node n2", "node n10", "gpu 1 0", "gpu 1 1"])
        for name, value in {
            "elapsed_seconds": 3600,
            "nodes": 2,
            "cpus": 2,
            "cpu_seconds": 5400.5,
            "cpu_efficiency_percent": 100 * 5400.5 / 7200,
            "memory_peak_bytes": 3 * GIB,
            "memory_resident_peak_bytes": 3 * GIB,
            "memory_allocated_bytes": 4 * GIB,
            "memory_share_percent": 50,
            "memory_fullest_percent": 75,
            "gpus_allocated": 2,
            "unused_gpus": 1,
            "gpu_utilization_percent": 49.25,
            "gpu_memory_share_percent": 50,
        }.items():
            self.assertAlmostEqual(float(facts.pop(name)), value, places=2, msg=name)
        self.assertNotIn("observed_percent", facts)
        self.assertNotIn("energy_joules", facts)

    def test_it_is_written_as_it_was_read(self):
        status, said = read(pack(RUN))
        self.assertEqual(status, 0, said)
        self.assertEqual(json.loads(unpack(said.splitlines()[0])), RUN)

    def test_what_was_written_here_is_read_here(self):
        text = make("whole")
        status, said = read(text)
        self.assertEqual(status, 0, said)
        self.assertEqual(json.loads(unpack(said.splitlines()[0])), json.loads(unpack(text)))

    def test_words_and_other_comments_are_none(self):
        for text in ["", "JS1:", "JS1:None", "JS1:Short", "Requeued by root", "H4sIAAAAAAAA"]:
            self.assert_refused(text, "no summary of jobstats'")

    def test_what_cannot_be_unpacked_is_refused(self):
        self.assert_refused("JS1:not base64 at all", "no gzip in base64")
        self.assert_refused(pack(RUN)[:-40], "no gzip in base64")
        self.assert_refused(pack(" " * (2 << 20)), "more than 1 MiB")
        self.assert_refused("JS1:" + "A" * (2 << 20), "longer than 1 MiB")

    def test_what_is_no_summary_is_refused(self):
        node = RUN["nodes"]["n2"]
        self.assert_refused(pack("[1, 2"), "no JSON object")
        self.assert_refused(pack([1, 2]), "no JSON object")
        self.assert_refused(pack({"total_time": 1, "gpus": 0}), "nodes: missing")
        self.assert_refused(pack({"nodes": {"n1": 4}}), "nodes: one is no object")
        self.assert_refused(pack({"nodes": {"n1": node | {"cpus": "four"}}}), "cpus: no figure")
        self.assert_refused(pack({"nodes": {"n1": node | {"used_memory": -1}}}), "used_memory: no figure")
        self.assert_refused(pack({"nodes": {"n1": node | {"used_memory": 1e300}}}), "used_memory: no figure")
        self.assert_refused(pack({"nodes": {"n1": node | {"gpu_utilization": [1]}}}), "gpu_utilization: no object")
        self.assert_refused(
            pack({"nodes": {"n1": node | {"gpu_utilization": {"0": None}}}}), "gpu_utilization: no figure"
        )
        self.assert_refused(
            pack({"nodes": {"n1": node | {"gpu_utilization": dict.fromkeys(map(str, range(200)), 1)}}}),
            "too many accelerators",
        )
        self.assert_refused(pack({"nodes": {}, "total_time": "long"}), "total_time: no figure")

    def test_what_is_missing_is_absent(self):
        status, said = read(pack({"nodes": {"n1": {"cpus": 4}}}))
        self.assertEqual(status, 0, said)
        self.assertIn("cpus 4.000\n", said)
        self.assertNotIn("cpu_seconds", said)
        self.assertEqual(said.splitlines()[0], "JS1:None")


if __name__ == "__main__":
    sys.exit(tap.run(ASummaryThatIsWritten, ASummaryThatIsRead))
