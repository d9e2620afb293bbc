#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Scripts around the portable programs that need neither a network nor these programs: install.sh, the SBOM, the security check.

usage: test-scripts.py
"""

import json
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

PORTABLE = TOP / "packaging" / "portable"
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
        shutil.copy(PORTABLE / "install.sh", self.archive)

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


@unittest.skipUnless(shutil.which("dpkg"), "dpkg compares the versions")
class TheSecurityCheck(unittest.TestCase):
    def check(self, issues: dict) -> subprocess.CompletedProcess:
        with tempfile.TemporaryDirectory() as folder:
            sbom, tracker = pathlib.Path(folder, "sbom"), pathlib.Path(folder, "tracker")
            sbom.write_text(subprocess.run([PORTABLE / "contents", "sbom", "x86_64", "1.0"], check=True, capture_output=True, text=True).stdout)
            tracker.write_text(json.dumps(issues))
            return subprocess.run([PORTABLE / "check-security", sbom, tracker], capture_output=True, text=True, timeout=60)

    def issue(self, release: str, **state: str) -> dict:
        return {"CVE-2026-1": {"releases": {release: state}}}

    def test_reports_what_debian_has_fixed_since(self):
        done = self.check({"gmp": self.issue("bookworm", status="resolved", fixed_version="2:99.0-1")})
        self.assertEqual(done.returncode, 1)
        self.assertIn("CVE-2026-1: fixed in 2:99.0-1", done.stdout)

    def test_compares_sources_where_their_packages_have_another_version(self):
        # 1:1.1.2-0+deb12u1 is the version of libbpf-dev
        self.assertEqual(self.check({"libbpf": self.issue("bookworm", status="resolved", fixed_version="99")}).returncode, 1)

    def test_passes_over_what_is_fixed_or_does_not_concern_the_version(self):
        done = self.check({"gmp": self.issue("bookworm", status="resolved", fixed_version="0"), "bash": self.issue("bookworm", status="open")})
        self.assertEqual((done.returncode, done.stdout), (0, "0 fixed by Debian since\n"))

    def test_asks_for_the_release_that_a_source_is_from(self):
        fixed = {"status": "resolved", "fixed_version": "99"}
        self.assertEqual(self.check({"json-glib": self.issue("bookworm", **fixed)}).returncode, 0)
        self.assertEqual(self.check({"json-glib": self.issue("sid", **fixed)}).returncode, 1)

    def test_lists_what_nobody_has_fixed_and_counts_what_it_cannot_read(self):
        done = self.check({"gmp": {**self.issue("bookworm", status="open", urgency="low"), "CVE-2026-2": 3}})
        self.assertEqual(done.returncode, 0)
        self.assertIn("CVE-2026-1: open, urgency low", done.stdout)
        self.assertIn("1 entries of the tracker were not understood", done.stderr)


class TheContents(unittest.TestCase):
    def contents(self, *arguments: str, **options) -> subprocess.CompletedProcess:
        return subprocess.run([PORTABLE / "contents", *arguments], capture_output=True, text=True, timeout=60, **options)

    def test_have_a_pin_for_each_library_on_both_architectures(self):
        for arch in ("x86_64", "aarch64"):
            packages = json.loads(self.contents("sbom", arch, "1.0", check=True).stdout)["packages"]
            for each in packages:
                self.assertTrue(each["name"] == "jobmetrics" or each["comment"], each)

    def test_are_what_was_linked(self):
        table = (line.split() for line in (PORTABLE / "libraries").read_text().splitlines() if line and line[0] != "#")
        linked = [archive for row in table for archive in row[3].split(",")]
        self.assertEqual(self.contents("check", "x86_64", input="\n".join(linked)).returncode, 0)
        done = self.contents("check", "x86_64", input="\n".join([*linked[1:], "surprise"]))
        self.assertEqual(done.returncode, 1)
        self.assertIn("surprise", done.stderr)


if __name__ == "__main__":
    sys.exit(tap.run(TheInstallScript, TheSecurityCheck, TheContents))
