#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Debian's packages: whether they build, what lintian says, and what is in which.

usage: test-packages.py FOLDER VERSION

FOLDER keeps them for the virtual machine, which installs them; VERSION is the release's.
"""

import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
TOP = TESTS.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from debian_packages import PROGRAMS, Failure, Packages, contents, field, run  # noqa: E402

NAMES = {
    "gir1.2-jobmetrics-1.0",
    "jobmetrics-cli",
    "jobmetrics-dashboards",
    "jobmetrics-doc",
    "jobmetrics-exporter",
    "jobmetrics-mail",
    "jobmetrics-prometheus",
    "libjobmetrics-1.0-0",
    "libjobmetrics-1.0-dev",
    "python3-jobmetrics",
}
# what the daemon links and its unit wants, on each of thousands of nodes
NEEDS_OF_THE_EXPORTER = {
    "libbpf1",
    "libc6",
    "libcrypt1",
    "libglib2.0-0",
    "libisal2",
    "libjson-glib-1.0-0",
    "libprotobuf-c1",
    "libsoup-3.0-0",
    "libsqlite3-0",
    "libyajl2",
    "libyaml-0-2",
    "systemd",
    "zlib1g",
}
CONFFILES = {
    "jobmetrics-dashboards": ["/etc/grafana/provisioning/dashboards/jobmetrics.yml"],
    "jobmetrics-exporter": [
        "/etc/default/jobmetrics-exporter",
        "/etc/default/jobmetrics-exporter-cluster",
        "/etc/default/jobmetrics-exporter-server",
        "/etc/jobmetrics/cluster.conf",
        "/etc/jobmetrics/node.conf",
        "/etc/jobmetrics/server.conf",
    ],
    "jobmetrics-prometheus": [
        "/etc/default/jobmetrics-prometheus",
        "/etc/grafana/provisioning/datasources/jobmetrics.yml",
        "/etc/jobmetrics/prometheus/prometheus.yml",
        "/etc/jobmetrics/prometheus/targets.yml",
    ],
}


def names_in(relation: str) -> set[str]:
    """Packages of a field such as Depends, of each choice the first."""
    return {re.match(r"[a-z0-9.+-]+", part.strip())[0] for part in relation.split(",") if part.strip()}


class ThePackages(unittest.TestCase):
    packages: Packages
    version: str

    def named(self, name: str) -> pathlib.Path:
        (found,) = [file for file in self.packages.files if file.name.startswith(f"{name}_")]
        return found

    def unpacked(self, name: str) -> pathlib.Path:
        folder = self.packages.folder / "unpacked"
        shutil.rmtree(folder, ignore_errors=True)
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        run("dpkg-deb", "-R", self.named(name), folder)
        return folder

    def test_are_all_there(self):
        self.assertEqual({field(file, "Package") for file in self.packages.files}, NAMES)

    def test_have_the_version_of_the_release(self):
        self.assertEqual({field(file, "Version") for file in self.packages.files}, {self.version})

    def test_have_no_fault_that_lintian_knows(self):
        command = ["lintian", "--profile=debian", "--fail-on=error,warning", "--tag-display-limit=0", *self.packages.changes]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        tap.comment(done.stdout)
        self.assertEqual(done.returncode, 0)

    def test_have_each_file_once(self):
        paths = [path for file in self.packages.files for path in contents(file) if not path.startswith("/usr/share/lintian/")]
        self.assertEqual(sorted(paths), sorted(set(paths)))

    def test_ask_little_of_a_node(self):
        self.assertLessEqual(names_in(field(self.named("jobmetrics-exporter"), "Depends")), NEEDS_OF_THE_EXPORTER)

    def test_leave_what_mails_need_to_who_wants_mails(self):
        of_cli = names_in(field(self.named("jobmetrics-cli"), "Depends"))
        self.assertFalse(of_cli & {"libgmime-3.0-0", "libcurl3-gnutls", "libcairo2", "libpq5", "libmariadb3"}, of_cli)
        self.assertIn("libgmime-3.0-0", names_in(field(self.named("jobmetrics-mail"), "Depends")))

    def test_keep_what_administrators_write(self):
        found = {}
        for file in self.packages.files:
            listed = run("dpkg-deb", "-I", file, "conffiles") if "conffiles" in run("dpkg-deb", "-I", file) else ""
            if listed.split():
                found[field(file, "Package")] = sorted(listed.split())
        self.assertEqual(found, CONFFILES)

    def test_start_the_exporter_with_every_setting_at_hand(self):
        folder = self.unpacked("jobmetrics-exporter")
        for role in ("node", "cluster", "server"):
            name = "jobmetrics-exporter" if role == "node" else f"jobmetrics-exporter-{role}"
            options = (folder / "etc/default" / name).read_text()
            self.assertIn(f"\nJOBMETRICS_OPTIONS=--config.file=/etc/jobmetrics/{role}.conf\n", options)
            settings = (folder / "etc/jobmetrics" / f"{role}.conf").read_text().splitlines()
            self.assertEqual([line for line in settings if line and not line.startswith("#")], [f"[{role}]"])
            listed = run(folder / "usr/bin/jobmetrics-exporter", role, "--list-settings")
            known = {line.split("\t")[0] for line in listed.splitlines()} - {"config.file", "once", "check"}
            self.assertEqual({line[1:].split("=")[0] for line in settings if re.match(r"#[a-z.-]+=", line)}, known)

    def test_have_a_configuration_that_prometheus_takes(self):
        if shutil.which("promtool") is None:
            self.skipTest("promtool: not installed (tests/install-dependencies build package vm)")
        folder = self.unpacked("jobmetrics-prometheus")
        run("dpkg-deb", "-x", self.named("jobmetrics-dashboards"), folder)
        file = folder / "etc/jobmetrics/prometheus/prometheus.yml"
        file.write_text(file.read_text().replace("/usr/share/", f"{folder}/usr/share/"))
        said = run("promtool", "check", "config", file)
        self.assertIn("2 rule files found", said)


class TheRpms(unittest.TestCase):
    """Of what was built for Debian: the spec is read, its files are installed and listed, and nothing is compiled again.

    That is no proof that it builds on Enterprise Linux or SUSE, whose macros and libraries these are not."""

    packages: Packages
    version: str
    top: pathlib.Path

    @classmethod
    def setUpClass(cls):
        # rpmbuild takes no space in its folders
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.top = pathlib.Path(folder.name)
        (cls.top / "packages").symlink_to(cls.packages.source)

    def rpmbuild(self, *options: str) -> str:
        return run("rpmbuild", "--nodeps", "--short-circuit", *self.definitions(), *options, TOP / "packaging/rpm/jobmetrics.spec")

    def definitions(self) -> list[str]:
        """What the macros of Enterprise Linux and SUSE would be, with Debian's places."""
        (libdir,) = self.packages.source.glob("debian/tmp/usr/lib/*-linux-gnu")
        values = {
            "_topdir": self.top,
            "_builddir": self.top / "BUILD",
            "buildroot": self.top / "BUILDROOT",
            "_libdir": f"/usr/lib/{libdir.name}",
            "_libexecdir": "/usr/libexec",
            "_sysconfdir": "/etc",
            "python3_sitelib": "/usr/lib/python3/dist-packages",
            "meson": "echo",
            "meson_build": "echo",
            "meson_install": f"mkdir -p %{{buildroot}} && cp -a {self.top}/packages/debian/tmp/usr %{{buildroot}}/",
            "systemd_post": "echo",
            "__os_install_post": "%{nil}",
            "_build_id_links": "none",
        }
        pairs = [("--define", f"{name} {value}") for name, value in values.items() if name != "buildroot"]
        return [f"--buildroot={values['buildroot']}", *(word for pair in pairs for word in pair)]

    def test_are_listed_to_the_last_file(self):
        (self.top / "BUILD").mkdir()
        (self.top / "BUILD" / f"jobmetrics-{self.version}").symlink_to(self.packages.source)
        self.rpmbuild("-bi")
        # which fails for a file that no list has, and for one that is not there
        self.rpmbuild("-bb")
        names = {path.name.rpartition(f"-{self.version}-")[0] for path in self.top.glob("RPMS/*/*.rpm")}
        parts = ("cli", "dashboards", "devel", "doc", "exporter", "libs", "libs-introspection", "mail")
        self.assertEqual(names, {"python3-jobmetrics", *(f"jobmetrics-{part}" for part in parts)})

    def test_keep_what_administrators_write(self):
        (exporter,) = self.top.glob("RPMS/*/jobmetrics-exporter-*.rpm")
        listed = run("rpm", "-qp", "--nosignature", "--configfiles", exporter).split()
        self.assertEqual(listed, [path for path in CONFFILES["jobmetrics-exporter"]])
        self.assertIn("useradd", run("rpm", "-qp", "--nosignature", "--scripts", exporter))

    def test_know_other_names_on_suse(self):
        said = run("rpmspec", "-q", "--define", "suse_version 1500", TOP / "packaging/rpm/jobmetrics.spec")
        self.assertIn("libjobmetrics-1_0-0-", said)
        self.assertIn("typelib-1_0-JobMetrics-1_0-", said)


class AFreshDebian(unittest.TestCase):
    """Nothing but what every Debian 12 has, and Debian's mirror: what else is needed is apt's business."""

    packages: Packages
    version: str
    why_not: str | None = None
    TOOLS = ("mmdebstrap", "piuparts")
    # piuparts runs what has such a name once all is installed
    SCRIPT = "post_install_programs"
    PROGRAMS = """#!/bin/sh
set -eux
jobmetrics-exporter --version
jobmetrics-exporter node --once | grep '^jobmetrics_build_info'
jobmetrics-cli --version
python3 -W ignore -c 'from gi.repository import JobMetrics; print(JobMetrics.Node())'
promtool check config /etc/jobmetrics/prometheus/prometheus.yml
[ -z "$(dpkg --audit)" ]
"""

    @property
    def folder(self) -> pathlib.Path:
        return self.packages.folder / "fresh"

    def setUp(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.addCleanup(shutil.rmtree, self.folder)
        self.folder.mkdir()
        lacking = [program for program in self.TOOLS if shutil.which(program) is None]
        if lacking:
            self.skipTest(f"{' '.join(lacking)}: not installed (tests/install-dependencies build package vm)")
        if os.geteuid() != 0:
            self.skipTest("needs root to make a fresh Debian")
        self.root = self.packages.folder / "debian.tgz"
        if self.why_not is None and not self.root.exists():
            self.make_root()
        if self.why_not is not None:
            self.skipTest(f"no fresh Debian can be made here: {self.why_not}")

    @staticmethod
    def sources() -> list[str]:
        return run(TESTS / "debian-sources", "bookworm").splitlines()

    def make_root(self) -> None:
        command = ["mmdebstrap", "--quiet", "--variant=minbase", "--aptopt=Acquire::Retries 3", "bookworm", self.root, *self.sources()]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            self.root.unlink(missing_ok=True)
            type(self).why_not = (done.stdout.strip().splitlines() or ["mmdebstrap failed"])[-1]

    def test_has_all_of_them_by_apt_and_is_as_before_once_they_are_purged(self):
        script = self.folder / self.SCRIPT
        script.write_text(self.PROGRAMS)
        script.chmod(0o755)
        mirror = next(line.split()[1] for line in self.sources() if line.split()[2] == "bookworm")
        options = ["--basetgz", self.root, "--distribution=bookworm", "--mirror", f"{mirror} main", "--tmpdir", self.folder]
        # what the root was made of: it may have a later library than the release has
        options += [f"--extra-repo={line}" for line in self.sources() if line.split()[2] != "bookworm"]
        # a machine has systemd, which no purge of ours is to take away
        options += ["--no-upgrade-test", "--fake-essential-packages=systemd", "--scriptsdir", self.folder]
        done = subprocess.run(
            ["piuparts", *options, *self.packages.files], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        if done.returncode != 0:
            tap.comment("\n".join(line for line in done.stdout.splitlines() if "DEBUG: Starting" not in line)[-6000:])
        self.assertEqual(done.returncode, 0)
        self.assertIn('jobmetrics_build_info{version="', done.stdout)
        self.assertIn("PASS: Installation and purging test.", done.stdout)


def main(folder: str, version: str) -> int:
    lacking = [program for program in PROGRAMS if shutil.which(program) is None]
    if lacking:
        tap.skip_all(f"{' '.join(lacking)}: not installed (tests/install-dependencies build package vm)")
    if platform.freedesktop_os_release().get("VERSION_CODENAME") != "bookworm":
        tap.skip_all("programs that are built here would not run on Debian 12")
    packages = Packages(pathlib.Path(folder))
    for case in (ThePackages, TheRpms, AFreshDebian):
        case.packages, case.version = packages, version
    try:
        packages.build()
    except Failure as failure:
        tap.comment(str(failure))
        return 1
    # of another day
    (packages.folder / "debian.tgz").unlink(missing_ok=True)
    return tap.run(ThePackages, TheRpms, AFreshDebian)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
