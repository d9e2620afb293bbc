#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether the code in the manual's page for Python does what the page says.

usage: test-manual.py MAKE-LEDGER MAKE-ARCHIVE
"""

import contextlib
import getpass
import importlib.util
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

for needed in ("gi", "pandas"):
    if importlib.util.find_spec(needed) is None:
        tap.skip_all(f"{needed} is not installed")

import gi  # noqa: E402

gi.require_version("JobMetrics", "1.0")
from gi.repository import JobMetrics  # noqa: E402

PAGE = TESTS.parent / "doc" / "tutorial" / "python.md"
BURN = FIXTURES / "slurm-v2-burn"
SAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
MAKE_LEDGER = sys.argv.pop(1)
MAKE_ARCHIVE = sys.argv.pop(1)
make_node = JobMetrics.Node.__init__
open_ledger = JobMetrics.Ledger.open
open_archive = JobMetrics.Archive.open
GIB = 2**30


def make_node_with_jobs(node: JobMetrics.Node, **settings) -> None:
    """The page's readers have one."""
    make_node(node, **{"host": BURN, **settings})


class TheManual(unittest.TestCase):
    def open_small_ledger(self, _path: str) -> JobMetrics.Ledger:
        """One of two jobs that have just ended."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "ledger.db"
        subprocess.run([MAKE_LEDGER, path, "2", "now"], check=True)
        return open_ledger(path)

    def open_small_archive(self, _place: str, _login: None, _ca: None) -> JobMetrics.Archive:
        """Of two runs of the calling user."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        uri = f"sqlite:{folder.name}/jobs.db"
        end = int(time.time()) - 3600
        figures = f"start_time={end - 3600} end_time={end} nodes=1 memory_allocated_bytes={8 * GIB}"
        runs = "".join(
            f"{job} user_name={getpass.getuser()} name={name} state=COMPLETED {figures} memory_peak_bytes={used}\n"
            for job, name, used in ((11, "relax", 7 * GIB), (12, "train", 2 * GIB))
        )
        subprocess.run([MAKE_ARCHIVE, uri], input=runs, text=True, check=True)
        return open_archive(uri, None, None)

    def test_shows_code_that_does_what_it_says(self):
        samples = SAMPLE.findall(PAGE.read_text())
        self.assertGreater(len(samples), 5)
        names: dict = {}
        with (
            mock.patch.object(JobMetrics.Node, "__init__", make_node_with_jobs),
            mock.patch.object(JobMetrics.Ledger, "open", self.open_small_ledger),
            mock.patch.object(JobMetrics.Archive, "open", self.open_small_archive),
        ):
            for number, (code, wanted) in enumerate(samples, 1):
                said = io.StringIO()
                with contextlib.redirect_stdout(said):
                    exec(compile(code, f"{PAGE.name}, sample {number}", "exec"), names)
                self.assertEqual(said.getvalue(), wanted, code)

    def test_links_to_what_there_is(self):
        links = re.findall(r"\]\(([^)#:]+)\)", PAGE.read_text())
        self.assertGreater(len(links), 5)
        self.assertEqual([link for link in links if not (PAGE.parent / link).exists()], [])

    def test_names_all_settings_of_a_node(self):
        page = PAGE.read_text()
        settings = [name for name in dir(JobMetrics.Node.props) if not name.startswith("_")]
        self.assertIn("linger", settings)
        self.assertEqual([name for name in settings if f"`{name}`" not in page], [])


if __name__ == "__main__":
    sys.exit(tap.run(TheManual))
