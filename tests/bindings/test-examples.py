#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether the examples in Python do what they say, on a copied tree and on this machine."""

import importlib.util
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

if importlib.util.find_spec("gi") is None:
    tap.skip_all("PyGObject is not installed")

EXAMPLES = TESTS.parent / "bindings" / "examples"
BURN = FIXTURES / "slurm-v2-burn"
PLAIN = FIXTURES / "slurm-v2-plain"
EMPTY = FIXTURES / "empty"


def run(example: str, *arguments: object) -> tuple[int, str, str]:
    command = [sys.executable, str(EXAMPLES / example), *map(str, arguments)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=90)
    return done.returncode, done.stdout, done.stderr


class AnExample(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="jobmetrics-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def succeed(self, example: str, *arguments: object) -> str:
        status, output, errors = run(example, *arguments)
        self.assertEqual((status, errors), (0, ""), f"{example}: {errors}")
        return output

    def succeed_here(self, example: str, *arguments: object) -> None:
        """On a machine of which nobody knows what runs there."""
        status, output, errors = run(example, *arguments)
        self.assertEqual(status, 0, f"{example}: {errors}")
        self.assertRegex(errors, r"^(no \w+ [^\n]*this node\n)?$")

    def test_lists_jobs(self):
        self.assertEqual(self.succeed("list-jobs.py", BURN), "1 bob 22.16 s\n2 alice 16.33 s\n3 bob 19.04 s\n")

    def test_says_that_there_are_no_jobs(self):
        meter = self.folder / "watts"
        meter.write_text("312.5\n")
        for example, *arguments in (("list-jobs.py",), ("service-jobs.py",), ("contract-factor.py", 0.1)):
            status, output, errors = run(example, *arguments, EMPTY)
            self.assertEqual((status, output), (0, ""), example)
            self.assertRegex(errors, r"^no (jobs|services) .*this node\n$")
        self.assertIn("no jobs on this node", self.succeed("busy-cores.py", 1, 0.1, EMPTY))

    def test_says_what_it_needs(self):
        for example, needed in (("wattmeter.py", "METER"), ("plot-node.py", "PNG"), ("plot-job.py", "RECORD")):
            status, output, errors = run(example)
            self.assertEqual((status, output), (1, ""))
            self.assertTrue(errors.startswith(f"{needed} is missing\n\n{example} {needed} "), errors)

    def test_plots_a_job(self):
        output = self.succeed("plot-job.py", FIXTURES / "record" / "ended.json", self.folder)
        self.assertIn("power.svg: Power: minimum 27W, mean 52W, maximum 74W.\n", output)
        for name in ("cpus", "memory", "power", "gpus"):
            self.assertTrue((self.folder / f"{name}.svg").read_text().startswith("<svg "), name)

    def test_says_which_module_is_missing(self):
        (self.folder / "matplotlib.py").write_text("raise ModuleNotFoundError(name='matplotlib')\n")
        environment = {**os.environ, "PYTHONPATH": f"{self.folder}:{os.environ.get('PYTHONPATH', '')}"}
        command = [sys.executable, str(EXAMPLES / "plot-node.py"), str(self.folder / "node.png")]
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=90)
        self.assertEqual((done.returncode, done.stderr), (1, "matplotlib is missing; in Debian: python3-matplotlib, python3-pandas\n"))

    def test_that_lists_jobs_is_as_short_as_promised(self):
        lines = (EXAMPLES / "list-jobs.py").read_text().partition('tree"""\n')[2].splitlines()
        self.assertLessEqual(len([line for line in lines if line]), 10)

    def test_lists_the_jobs_of_this_machine(self):
        self.succeed_here("list-jobs.py")

    def test_makes_jobs_of_services(self):
        root = self.folder / "node"
        shutil.copytree(PLAIN, root, symlinks=True)
        cron = root / "sys/fs/cgroup/system.slice/cron.service"
        cron.mkdir()
        (cron / "cpu.stat").write_text("usage_usec 4500000\nuser_usec 4000000\nsystem_usec 500000\n")
        (cron / "memory.current").write_text("2097152\n")
        self.assertEqual(self.succeed("service-jobs.py", root), "<Job cron: 4.50 s CPU, 2.0 MiB>\n")

    def test_makes_jobs_of_the_services_of_this_machine(self):
        self.succeed_here("service-jobs.py")

    def test_reports_busy_cores(self):
        lines = self.succeed("busy-cores.py", 2, 0.1, BURN).splitlines()
        self.assertEqual([line.split(" ", 1)[1] for line in lines], ["1: 0.00 2: 0.00 3: 0.00"] * 2)

    def test_reports_busy_cores_of_this_machine(self):
        self.assertEqual(len(self.succeed("busy-cores.py", 2, 0.1).splitlines()), 2)

    def lines_of_class(self, example: str) -> int:
        lines = (EXAMPLES / example).read_text().partition("\nclass ")[2].partition("\n\n\ndef ")[0].splitlines()
        return len([line for line in lines if line and '"""' not in line])

    def test_reads_a_wattmeter_of_ones_own(self):
        meter = self.folder / "watts"
        meter.write_text("312.5\n")
        lines = self.succeed("wattmeter.py", meter, 0.1, BURN).splitlines()
        self.assertEqual(lines[:3], ["1 bob 0.0 J", "2 alice 0.0 J", "3 bob 0.0 J"])
        self.assertGreater(float(lines[3].split()[1]), 30)
        self.assertLessEqual(self.lines_of_class("wattmeter.py"), 10)

    def test_makes_no_number_of_what_is_none(self):
        meter = self.folder / "watts"
        for text in ("ERROR\n", "", "-5\n", "nan\n"):
            meter.write_text(text)
            status, output, errors = run("wattmeter.py", meter, 0.1, BURN)
            self.assertEqual((status, output.splitlines()[3]), (0, "idle not known"))
            self.assertTrue(all(line.startswith("Wattmeter.do_read: ") for line in errors.splitlines()), errors)
        self.assertEqual(run("wattmeter.py", self.folder / "none", 0.1, BURN)[1].splitlines()[3], "idle not known")

    def test_reckons_with_the_factor_of_a_contract(self):
        lines = self.succeed("contract-factor.py", 0.1, BURN).splitlines()
        self.assertEqual(len(lines), 3)
        for line in lines:
            self.assertRegex(line, r"^[123] (bob|alice) contract (hydro|rest) 0\.\d{6} g$")
        self.assertLessEqual(self.lines_of_class("contract-factor.py"), 10)

    def test_reckons_with_a_contract_on_this_machine(self):
        self.succeed_here("contract-factor.py", 0.1)

    def need_to_plot(self) -> None:
        for module in ("matplotlib", "pandas"):
            if importlib.util.find_spec(module) is None:
                self.skipTest(f"{module} is not installed")

    def test_plots_jobs(self):
        self.need_to_plot()
        picture = self.folder / "node.png"
        table = self.succeed("plot-node.py", picture, BURN).splitlines()
        rows = [line.split() for line in table[2:]]
        self.assertEqual(rows, [["alice", "16.326932", "111382528"], ["bob", "41.196612", "191188992"]])
        signature, width, height = struct.unpack(">8s8xII", picture.read_bytes()[:24])
        self.assertEqual(signature, b"\x89PNG\r\n\x1a\n")
        self.assertGreater(width, height)

    def test_plots_nothing_where_there_are_no_jobs(self):
        self.need_to_plot()
        self.assertEqual(run("plot-node.py", self.folder / "none.png", EMPTY), (1, "", "no jobs on this node\n"))

    def test_plots_the_jobs_of_this_machine_if_it_has_any(self):
        self.need_to_plot()
        status, _, errors = run("plot-node.py", self.folder / "here.png")
        self.assertIn((status, errors), [(0, ""), (1, "no jobs on this node\n")])

    def test_asked_about_a_tree_that_is_not_there_says_so_at_the_end(self):
        status, _, errors = run("list-jobs.py", "/no/such/tree")
        self.assertEqual(status, 1)
        self.assertTrue(errors.endswith("AbsentError: /no/such/tree: no such directory\n"), errors)


if __name__ == "__main__":
    sys.exit(tap.run(AnExample))
