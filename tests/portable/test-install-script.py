#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""install.sh of the portable archive, and the uninstall that it writes, with a folder like the archive's.

usage: test-install-script.py
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
TOP = TESTS.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

UNIT = "lib/systemd/system/jobmetrics-exporter-node.service"


def files_below(folder: pathlib.Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir() or path.is_symlink()}


class TheInstallScript(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.archive, self.root = self.folder / "archive", self.folder / "root"
        self.root.mkdir()
        for file, text in {
            "bin/jobmetrics-exporter": "#!/bin/sh\n",
            "libexec/jobmetrics/jobmetrics-hook": "#!/bin/sh\n",
            "share/doc/jobmetrics/manual/a page.md": "a name with a space\n",
            UNIT: "EnvironmentFile=-/etc/default/jobmetrics-exporter\nExecStart=/usr/bin/jobmetrics-exporter node\n",
            "etc/default/jobmetrics-exporter": "JOBMETRICS_OPTIONS=--config.file=/etc/jobmetrics/node.conf\n",
            "etc/jobmetrics/node.conf": "# a sample\n",
        }.items():
            self.write(self.archive / file, text)
        (self.archive / "bin/jobmetrics-exporter").chmod(0o755)
        (self.archive / "libexec/jobmetrics/jobmetrics-prolog").symlink_to("jobmetrics-hook")
        shutil.copy(TOP / "packaging/portable/install.sh", self.archive)

    def write(self, path: pathlib.Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def install(self, prefix: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            ["sh", str(self.archive / "install.sh"), f"--prefix={prefix}", f"--root={self.root}"], capture_output=True, text=True, timeout=60
        )

    def uninstall(self, prefix: str) -> None:
        subprocess.run(["sh", f"{self.root}{prefix}/share/jobmetrics/uninstall"], check=True, timeout=60)

    def read(self, path: str) -> str:
        return (self.root / path).read_text()

    def test_installs_below_a_prefix_and_removes_all_of_it(self):
        done = self.install("/opt/jm")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("ExecStart=/opt/jm/bin/jobmetrics-exporter", self.read("opt/jm/" + UNIT))
        self.assertIn("EnvironmentFile=-/opt/jm/etc/default/", self.read("opt/jm/" + UNIT))
        self.assertIn("=/opt/jm/etc/jobmetrics/node.conf", self.read("opt/jm/etc/default/jobmetrics-exporter"))
        self.assertTrue((self.root / "opt/jm/libexec/jobmetrics/jobmetrics-prolog").is_symlink())
        self.uninstall("/opt/jm")
        self.assertEqual(files_below(self.root), set())
        self.assertFalse((self.root / "opt/jm").exists())

    def test_has_the_settings_of_the_system_in_etc(self):
        self.assertEqual(self.install("/usr/local").returncode, 0)
        self.assertIn("ExecStart=/usr/local/bin/jobmetrics-exporter", self.read("usr/local/" + UNIT))
        self.assertIn("EnvironmentFile=-/etc/default/", self.read("usr/local/" + UNIT))
        self.assertTrue((self.root / "etc/jobmetrics/node.conf").exists())
        self.uninstall("/usr/local")
        self.assertEqual(files_below(self.root), set())

    def test_leaves_what_was_changed_and_what_is_not_its_own(self):
        self.write(self.root / "opt/jm/bin/of-others", "")
        self.assertEqual(self.install("/opt/jm").returncode, 0)
        self.write(self.root / "opt/jm/etc/jobmetrics/node.conf", "cluster=mine\n")
        self.assertEqual(self.install("/opt/jm").returncode, 0)
        self.assertEqual(self.read("opt/jm/etc/jobmetrics/node.conf"), "cluster=mine\n")
        self.uninstall("/opt/jm")
        self.assertEqual(files_below(self.root), {"opt/jm/bin/of-others", "opt/jm/etc/jobmetrics/node.conf"})

    def test_removes_files_that_a_later_version_has_no_more(self):
        self.assertEqual(self.install("/opt/jm").returncode, 0)
        (self.archive / "share/doc/jobmetrics/manual/a page.md").unlink()
        self.assertEqual(self.install("/opt/jm").returncode, 0)
        self.assertFalse((self.root / "opt/jm/share/doc/jobmetrics/manual/a page.md").exists())

    def test_refuses_a_folder_without_programs_and_unknown_options(self):
        (self.archive / "bin/jobmetrics-exporter").unlink()
        self.assertNotEqual(self.install("/opt/jm").returncode, 0)
        done = subprocess.run(["sh", str(self.archive / "install.sh"), "--perfix=/opt"], capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(files_below(self.root), set())


if __name__ == "__main__":
    sys.exit(tap.run(TheInstallScript))
