#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether the examples can be built and run with nothing but an installed jobmetrics.

usage: test-compiled.py BUILD PREFIX LIBDIR PYTHON_DIR
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from installation import Installation  # noqa: E402

ABI_PAGE = TESTS.parent / "doc" / "reference" / "abi.md"
# packaging/release writes it, of each soname one
LAST_RELEASE = TESTS.parent / "packaging" / "abi" / "libjobmetrics-1.0-0.abi"
EXAMPLES = TESTS.parent / "bindings" / "examples"
FIXTURE = FIXTURES / "slurm-v2-burn"
LISTING = "1 bob 22.16 s\n2 alice 16.33 s\n3 bob 19.04 s\n"
STRICT = ["-std=c17", "-pedantic", "-Wall", "-Wextra", "-Werror"]


class AnInstalledLibrary(unittest.TestCase):
    @classmethod
    def install(cls, build: str, prefix: str, libdir: str, python_dir: str) -> None:
        cls.installation = Installation(build, prefix, libdir)
        cls.folder = cls.installation.root
        cls.python_dir = cls.folder / python_dir.lstrip("/")

    def run_command(self, *command: str) -> str:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**self.installation.environment(), "PYTHONPATH": str(self.python_dir)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return done.stdout

    def pkg_config(self, *options: str) -> list[str]:
        return self.run_command("pkg-config", *options, "jobmetrics-1.0").split()

    def need(self, program: str) -> None:
        if shutil.which(program) is None:
            self.skipTest(f"{program} is not installed")

    def test_serves_c_through_pkg_config(self):
        program = str(self.folder / "list-jobs-c")
        flags = self.pkg_config("--cflags", "--libs")
        self.run_command(os.environ.get("CC", "cc"), *STRICT, str(EXAMPLES / "list-jobs.c"), "-o", program, *flags)
        self.assertEqual(self.run_command(program, str(FIXTURE)), LISTING)

    def test_serves_vala(self):
        self.need("valac")
        program = str(self.folder / "list-jobs-vala")
        vapis = self.installation.prefix / "share" / "vala" / "vapi"
        source = str(EXAMPLES / "list-jobs.vala")
        self.run_command("valac", f"--vapidir={vapis}", "--pkg=jobmetrics-1.0", "-o", program, source)
        self.assertEqual(self.run_command(program, str(FIXTURE)), LISTING)

    def test_serves_python(self):
        self.assertEqual(self.run_command(sys.executable, str(EXAMPLES / "list-jobs.py"), str(FIXTURE)), LISTING)

    def test_shows_jobs_in_one_line_of_python(self):
        line = "from gi.repository import JobMetrics; print([j for j in JobMetrics.Node().sample()])"
        self.assertRegex(self.run_command(sys.executable, "-c", line), r"^\[.*\]\n$")

    def test_offers_each_public_header_by_itself(self):
        flags = self.pkg_config("--cflags")
        folder = self.installation.prefix / "include" / "jobmetrics-1.0"
        headers = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.h"))
        self.assertIn("core/jm-job.h", headers)
        for header in headers:
            source = self.folder / "one-header.c"
            source.write_text(f'#include "{header}"\n#include "{header}"\nint nothing;\n')
            self.run_command(os.environ.get("CC", "cc"), *STRICT, "-fsyntax-only", str(source), *flags)

    def test_has_a_header_that_includes_all_others(self):
        folder = self.installation.prefix / "include" / "jobmetrics-1.0"
        headers = {str(path.relative_to(folder)) for path in folder.rglob("*.h")} - {"jobmetrics.h"}
        lines = (folder / "jobmetrics.h").read_text().splitlines()
        self.assertEqual({line.split('"')[1] for line in lines if line.startswith("#include")}, headers)

    def test_exports_names_of_its_own_alone(self):
        self.need("nm")
        library = str(self.installation.libdir / "libjobmetrics-1.0.so")
        symbols = self.run_command("nm", "-D", "--defined-only", "--format=posix", library).splitlines()
        names = [symbol.split()[0] for symbol in symbols if symbol.split()[1] != "A"]
        self.assertEqual([name for name in names if not name.startswith("jm_")], [])
        self.assertTrue(all(name.endswith("@@LIBJOBMETRICS_1.0_0") for name in names), names)

    def test_can_be_compared_with_its_next_release(self):
        self.need("abidw")
        commands = re.findall(r"^```sh\n(.*?)^```$", ABI_PAGE.read_text(), re.MULTILINE | re.DOTALL)
        self.assertEqual(len(commands), 2)
        where = [f"PREFIX={self.installation.prefix}", f"LIBDIR={self.installation.libdir}"]
        self.assertEqual("".join(self.run_command("env", *where, "sh", "-c", command) for command in commands), "")
        self.assertIn("jm_node_sample", (self.folder / "jobmetrics.abi").read_text())

    def test_breaks_no_program_of_the_last_release(self):
        self.need("abidiff")
        if not LAST_RELEASE.exists():
            self.assertRegex((TESTS.parent / "NEWS.md").read_text(), r"\A# News\n\n## [\d.]+, not released yet\n(?![\s\S]*^## )")
            return
        headers = self.installation.prefix / "include" / "jobmetrics-1.0"
        library = self.installation.libdir / "libjobmetrics-1.0.so.0"
        command = ["abidiff", "--drop-private-types", "--headers-dir2", str(headers), str(LAST_RELEASE), str(library)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        # 4: something is new, or changed in a way that breaks nothing
        self.assertIn(done.returncode, (0, 4), done.stdout)

    def test_exports_all_that_its_headers_declare(self):
        library = str(self.installation.libdir / "libjobmetrics-1.0.so")
        symbols = self.run_command("nm", "-D", "--defined-only", "--format=posix", library)
        exported = {line.split("@")[0] for line in symbols.splitlines()}
        gir = (self.installation.prefix / "share" / "gir-1.0" / "JobMetrics-1.0.gir").read_text()
        declared = {word.split('"')[1] for word in gir.split() if word.startswith('c:identifier="jm_')}
        self.assertGreater(len(declared), 100)
        self.assertEqual(declared - exported, set())


if __name__ == "__main__":
    AnInstalledLibrary.install(*sys.argv[1:])
    try:
        status = tap.run(AnInstalledLibrary)
    finally:
        AnInstalledLibrary.installation.remove()
    sys.exit(status)
