#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The lab's program that moves energy counters."""

import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

PROGRAM = TESTS / "lab" / "move-counters"
SERVER = FIXTURES / "power-rapl-server"
SECONDS = 30
MAX_PACKAGE_UJ = 262143328850


class MoveCounters(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="counters-")
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name) / "tree"
        shutil.copytree(SERVER, self.tree, symlinks=True)

    def text(self, zone: str) -> str:
        return (self.tree / "sys/class/powercap" / zone / "energy_uj").read_text()

    def call(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=SECONDS)

    def test_counters_go_on_and_begin_anew_behind_their_end(self):
        package, memory = int(self.text("intel-rapl:0")), int(self.text("intel-rapl:1:0"))
        done = self.call("--advance=10", str(self.tree), "package-0=200", "dram-1=12.5")

        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(done.stdout.splitlines()[-1]), {"package-0": 2000, "dram-1": 125})
        self.assertEqual(int(self.text("intel-rapl:0")), package + 2000 * 10**6 - MAX_PACKAGE_UJ - 1)
        self.assertEqual(int(self.text("intel-rapl:1:0")), (memory + 125 * 10**6) % (65712999613 + 1))
        self.assertEqual(len(self.text("intel-rapl:0")), len(f"{MAX_PACKAGE_UJ}\n"))

    def test_it_moves_until_it_is_asked_to_end_and_then_reports_how_far(self):
        before = int(self.text("intel-rapl:1"))
        command = [PROGRAM, "--hertz=100", self.tree, "package-1=100"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
            self.assertEqual(program.stdout.readline(), "ready\n")
            while int(self.text("intel-rapl:1")) == before:
                pass
            program.send_signal(signal.SIGTERM)
            joules = json.loads(program.stdout.readline())["package-1"]
            self.assertEqual(program.wait(timeout=SECONDS), 0)

        self.assertEqual(int(self.text("intel-rapl:1")) - before, int(joules * 10**6))

    def test_a_domain_that_the_tree_lacks_is_named(self):
        done = self.call(str(self.tree), "psys=10")

        self.assertEqual(done.returncode, 1)
        self.assertIn("has no psys; it has package-0, dram-0, package-1, dram-1", done.stderr)


if __name__ == "__main__":
    sys.exit(tap.run(MoveCounters))
