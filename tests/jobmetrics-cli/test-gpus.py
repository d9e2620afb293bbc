#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the command line shows of accelerators.

usage: test-gpus.py PROGRAM

The node of the fixture has two cards, of which the second sleeps, and no jobs.
"""

import json
import pathlib
import re
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, Terminal, call  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

CARDS = f"--path.rootfs={FIXTURES / 'gpu-amd'}"
NONE = f"--path.rootfs={FIXTURES / 'slurm-v2-burn'}"
MODEL = "AMD INSTINCT MI210"


class Devices(unittest.TestCase):
    def test_have_a_line_each(self):
        done = call("gpus", CARDS)
        self.assertEqual(done.returncode, 0)
        titles, *rows = [re.split(r" {2,}", line.strip()) for line in done.stdout.splitlines()]
        self.assertEqual(titles, ["GPU", "STATE", "GPU%", "MEM", "SIZE", "WATTS", "TEMP", "JOBS", "MODEL"])
        self.assertEqual(rows[0], ["amd0", "free", "87", "20GiB", "64GiB", "216W", "41C", "-", MODEL])
        self.assertEqual(rows[1], ["amd1", "free", "-", "-", "-", "-", "-", "-", MODEL])

    def test_are_reported_as_json(self):
        told = json.loads(call("gpus", CARDS, "--json").stdout)
        self.assertEqual([gpu["gpu"] for gpu in told["gpus"]], ["amd0", "amd1"])
        self.assertEqual([gpu["state"] for gpu in told["gpus"]], ["free", "free"])
        self.assertEqual(told["gpus"][0]["model"], MODEL)
        self.assertEqual(told["gpus"][0]["metrics"]["utilization_ratio"], 0.87)
        self.assertEqual(told["gpus"][0]["jobs"], [])
        self.assertNotIn("utilization_ratio", told["gpus"][1]["metrics"])

    def test_are_in_the_snapshot_of_metrics_too(self):
        told = json.loads(call("metrics", CARDS, "--format=json").stdout)
        self.assertEqual([gpu["gpu"] for gpu in told["gpus"]], ["amd0", "amd1"])
        self.assertIn('jobmetrics_node_gpu_utilization_ratio{gpu="amd0"} 0.87\n', call("metrics", CARDS).stdout)

    def test_are_those_of_the_sources_that_are_named(self):
        done = call("gpus", CARDS, "--gpu.source=intel")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no card of i915 or xe", done.stderr)

    def test_fit_a_terminal(self):
        with Terminal(PROGRAM, "gpus", CARDS, columns=80) as terminal:
            lines = [line for line in terminal.finish().splitlines() if not line.startswith("jobmetrics-cli:")]
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertTrue(any(MODEL in line for line in lines))

    def test_are_watched(self):
        with Terminal(PROGRAM, "gpus", CARDS, "--watch=0.2") as terminal:
            terminal.expect(MODEL)
            terminal.expect(MODEL)
            terminal.type("q")
            terminal.finish()
        self.assertEqual(terminal.status, 0)


class ANodeWithoutAny(unittest.TestCase):
    def test_says_so(self):
        done = call("gpus", NONE)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(
            done.stderr, "jobmetrics-cli: no accelerator of this node is known (doctor says what is looked for)\n"
        )

    def test_has_an_empty_list(self):
        done = call("gpus", NONE, "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)["gpus"]), (1, []))

    def test_has_no_columns_of_them(self):
        self.assertNotIn("GPU", call("list", NONE).stdout)
        self.assertNotIn("GPU", call("top", NONE, "--once", "--interval=0.1").stdout)


class WhatCannotBeMeant(unittest.TestCase):
    def test_is_named(self):
        for arguments, message in (
            (("job",), "job: gpus takes no arguments"),
            (("--gpu.source=moods",), "moods: not one of those that there are: "),
            (("--watch=never",), "--watch=never: not a number of seconds"),
        ):
            done = call("gpus", CARDS, *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    sys.exit(tap.run(Devices, ANodeWithoutAny, WhatCannotBeMeant))
