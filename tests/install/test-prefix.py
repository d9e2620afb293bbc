#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether an installation in a place of its own works as the manual says.

usage: test-prefix.py SOURCE BUILD

Sets a build up in BUILD, without tests and references, for a prefix in a folder of its own, and installs it there. BUILD
is beside the build that runs this, so that a compiler's cache knows its objects.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

# nothing of the build that runs this, and of who runs it only what a compiler may need
KEPT = re.compile(r"PATH|HOME|CC|C(PP)?FLAGS|LDFLAGS|CCACHE_.*")
ROOTFS = f"--path.rootfs={FIXTURES / 'slurm-v2-steps'}"


def lines_of_the_manual() -> str:
    """What it asks to set before the library is used."""
    page = (TESTS.parent / "doc" / "how-to" / "installation.md").read_text(encoding="utf-8")
    return re.search(r"(?ms)^```sh [^\n]*test-prefix\.py[^\n]*\n(.*?)^```$", page)[1]


class ThePrefix(unittest.TestCase):
    home: pathlib.Path
    prefix: pathlib.Path
    environment: dict[str, str]

    def call(self, *command: str) -> str:
        done = subprocess.run(command, env=self.environment, cwd="/", stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}{done.stderr}")
        return done.stdout

    def test_has_programs_that_need_no_settings(self):
        self.assertIn("jobmetrics-cli ", self.call(f"{self.prefix}/bin/jobmetrics-cli", "--version"))
        self.assertIn("steps", self.call(f"{self.prefix}/bin/jobmetrics-cli", "list", ROOTFS))
        self.assertIn("jobmetrics_job_info", self.call(f"{self.prefix}/bin/jobmetrics-exporter", "node", "--once", ROOTFS))

    def test_has_a_python_module_that_is_found_as_the_manual_says(self):
        self.assertIn("JobMetrics.Node", self.call("sh", "-euc", lines_of_the_manual()))

    def test_has_examples_that_run(self):
        example = self.prefix / "share/doc/jobmetrics/bindings/examples/list-jobs.py"
        script = lines_of_the_manual() + f'\n"$0" {example} {shlex.quote(str(FIXTURES / "slurm-v2-steps"))}'
        self.assertIn("5 bob", self.call("sh", "-euc", script, sys.executable))

    def test_is_the_only_place_that_is_written_to(self):
        self.assertEqual([path.name for path in self.home.iterdir()], ["jobmetrics"])


def install(source: str, build: str, prefix: pathlib.Path) -> None:
    # where things are is the same without optimisation, which takes half as long where no flags are given
    options = ["--buildtype=plain", "-Dtests=false", "-Ddocs=disabled", "-Dsystemd=enabled"]
    setup = ["meson", "setup", build, source, f"--prefix={prefix}", *options]
    for command in (setup, ["meson", "install", "-C", build, "--quiet"]):
        done = subprocess.run(command, env=ThePrefix.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def main(source: str, build: str) -> int:
    shutil.rmtree(build, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="jobmetrics-home-") as folder:
        ThePrefix.home = pathlib.Path(folder)
        ThePrefix.prefix = ThePrefix.home / "jobmetrics"
        ThePrefix.environment = {name: value for name, value in os.environ.items() if KEPT.fullmatch(name)}
        # that which has PyGObject, as this one
        ThePrefix.environment["PATH"] = f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
        install(source, build, ThePrefix.prefix)
        shutil.rmtree(build)
        # the manual speaks of it
        ThePrefix.environment["HOME"] = folder
        return tap.run(ThePrefix)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
