#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The portable programs: what they need of a host, and how they do on Debian 11, 12 and 13.

usage: test-portable.py FOLDER ARCH ENOSYS

FOLDER is where packaging/portable/build builds, and keeps the Debians; ENOSYS runs a command as on an older kernel. What was built for another
architecture than this machine's runs under qemu, and only the tests for which that is enough.
"""

import json
import os
import pathlib
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

TESTS = pathlib.Path(__file__).resolve().parent.parent
TOP = TESTS.parent
sys.path[:0] = [str(TESTS / "pylib"), str(TESTS / "golden")]
import golden  # noqa: E402
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

FOLDER, ARCH, ENOSYS = pathlib.Path(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3])
NATIVE = ARCH == platform.machine()
TREE = FOLDER / ARCH / "stage"
LIBRARIES = {"libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0", "libresolv.so.2", "librt.so.1"}
LOADER = re.compile(r"ld-linux-[a-z0-9-]+\.so\.[0-9]")
OF_THE_PROCESS = re.compile(rb"(?m)^(# \w+ )?process_.*\n")
NEWEST_GLIBC = (2, 28)
LARGEST_BYTES = 12_000_000
SECONDS = 60
DEBIANS = ["bullseye", "bookworm", "trixie"]
TRUST_FILES = [
    "etc/ssl/certs/ca-certificates.crt",
    "etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "etc/pki/tls/certs/ca-bundle.crt",
    "var/lib/ca-certificates/ca-bundle.pem",
    "etc/ssl/ca-bundle.pem",
]
# With a network, a mount table and files of /proc, /sys and /dev of this machine.
IN_ROOT = """
mount --rbind /proc "$0/proc"; mount --rbind /sys "$0/sys"; mount --rbind /dev "$0/dev"
mkdir -p "$0/opt/jobmetrics" "$0/fixtures"
mount --bind "$1" "$0/opt/jobmetrics"; mount --bind "$2" "$0/fixtures"
root=$0; shift 2
exec env -i PATH=/opt/jobmetrics/bin:/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" "$@"
"""


def run(*command: object, **options) -> subprocess.CompletedProcess:
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=SECONDS, **options)


def program(name: str) -> list[str]:
    emulator = [] if NATIVE else [f"qemu-{ARCH}-static", "-L", str(FOLDER / ARCH / "run")]
    return [*emulator, str(TREE / "bin" / name)]


def in_root(name: str, *command: object) -> list[str]:
    return ["unshare", "--mount", "sh", "-euc", IN_ROOT, str(FOLDER / "roots" / name), str(TREE), str(FIXTURES), *map(str, command)]


def problem_of(situation: str, done: subprocess.CompletedProcess) -> str | None:
    if done.returncode != 0:
        return done.stderr.decode()
    expected, seen = (golden.EXPECTED / f"{situation}.prom").read_bytes(), golden.without_what_varies(done.stdout)
    if not NATIVE:  # qemu makes up /proc/self
        expected, seen = (OF_THE_PROCESS.sub(b"", text) for text in (expected, seen))
    return golden.difference(expected, seen, situation) if seen != expected else None


def make_root(name: str) -> None:
    root = FOLDER / "roots" / name
    if root.exists():
        return
    root.parent.mkdir(exist_ok=True)
    shutil.rmtree(f"{root}.new", ignore_errors=True)
    sources = run("sh", TESTS / "debian-sources", name).stdout
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", "--include=libnss-extrausers", name, f"{root}.new", "-"], input=sources, text=True, check=True, timeout=900)
    os.rename(f"{root}.new", root)


def start(case: unittest.TestCase, name: str, *command: str) -> int:
    """Starts an exporter in a root, and returns its port once it listens there."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tempfile.TemporaryFile("w+")
    case.addCleanup(log.close)
    exporter = subprocess.Popen(in_root(name, *command, f"--web.listen-address=127.0.0.1:{port}"), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    case.addCleanup(exporter.wait)
    case.addCleanup(exporter.terminate)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and exporter.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return port
        time.sleep(0.02)
    log.seek(0)
    case.fail("the exporter does not listen: " + log.read())


def setUpModule() -> None:
    subprocess.run([TOP / "packaging/portable/build", ARCH], check=True, stdout=sys.stderr, timeout=3000)
    shutil.rmtree(TREE, ignore_errors=True)
    (archive,) = (FOLDER / ARCH / "artefacts").glob("*.tar.xz")
    TREE.mkdir()
    subprocess.run(["tar", "-C", TREE, "--strip-components=1", "-xf", archive], check=True)


class TheFiles(unittest.TestCase):
    PROGRAMS = ("bin/jobmetrics-exporter", "bin/jobmetrics-cli", "libexec/jobmetrics/jobmetrics-hook")

    def readelf(self, option: str, name: str) -> str:
        return run("readelf", "-W", option, TREE / name, check=True).stdout

    def test_need_glibc_alone(self):
        for name in self.PROGRAMS:
            needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", self.readelf("-d", name)))
            self.assertEqual({each for each in needed - LIBRARIES if not LOADER.fullmatch(each)}, set(), name)

    def test_need_no_glibc_after_that_of_enterprise_linux_8(self):
        for name in self.PROGRAMS:
            versions = re.findall(r"GLIBC_(\d+)\.(\d+)", self.readelf("-V", name))
            self.assertLessEqual(max((int(major), int(minor)) for major, minor in versions), NEWEST_GLIBC, name)

    def test_are_position_independent_and_not_writable_where_they_run(self):
        for name in self.PROGRAMS:
            self.assertRegex(self.readelf("-d", name), r"Flags:.*\bPIE\b", name)
            self.assertNotRegex(self.readelf("-l", name), r"GNU_STACK.*E\b", name)

    def test_copy_no_data_of_glibc(self):
        for name in self.PROGRAMS:
            self.assertNotIn("_COPY", self.readelf("-r", name), name)

    def test_are_small(self):
        for name in self.PROGRAMS:
            size = (TREE / name).stat().st_size
            tap.comment(f"{name}: {size} bytes")
            self.assertLessEqual(size, LARGEST_BYTES)

    def test_list_what_is_in_them_as_the_sbom_does(self):
        packages = json.loads((TREE / "share/doc/jobmetrics/sbom.spdx.json").read_text())["packages"]
        listed = {f"with {each['name']} {each['versionInfo'].rpartition(':')[2]}" for each in packages if each["name"] != "jobmetrics"}
        for name in ("jobmetrics-exporter", "jobmetrics-cli"):
            self.assertEqual(set(run(*program(name), "--version", check=True).stdout.splitlines()[1:]), listed)

    def test_have_the_licence_of_each_library(self):
        licences = {path.name for path in (TREE / "share/doc/jobmetrics/licences").iterdir()}
        rows = [line.split() for line in (TOP / "packaging/portable/libraries").read_text().splitlines() if line and line[0] != "#"]
        self.assertLessEqual({f"{row[1]}.copyright" for row in rows}, licences)


class TheOutput(unittest.TestCase):
    def test_is_the_plain_builds_byte_for_byte(self):
        for folder in sorted(FIXTURES.glob("*/proc")):
            situation = folder.parent.name
            with self.subTest(situation):
                done = subprocess.run(
                    [*program("jobmetrics-exporter"), "node", f"--path.rootfs={folder.parent}", "--once", *golden.OPTIONS.get(situation, [])],
                    stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
                )
                self.assertIsNone(problem_of(situation, done))

    def test_has_a_command_that_ran_as_a_job(self):
        done = run(*program("jobmetrics-cli"), "run", "--json", "--", "true")
        self.assertEqual(done.returncode, 0, done.stderr)


@unittest.skipUnless(NATIVE, "qemu does as it pleases with system calls")
class AnOlderKernel(unittest.TestCase):
    def test_has_the_same_output_where_later_system_calls_are_missing(self):
        options = ("node", f"--path.rootfs={FIXTURES / 'slurm-v2-burn'}", "--once")
        done = subprocess.run([ENOSYS, *program("jobmetrics-exporter"), *options], stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
        self.assertIsNone(problem_of("slurm-v2-burn", done))

    def test_runs_a_command_where_later_system_calls_are_missing(self):
        done = run(ENOSYS, *program("jobmetrics-cli"), "run", "--", "sh", "-c", "exit 7")
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertIn("exit code 7", done.stdout + done.stderr)


class Tls(unittest.TestCase):
    """A server of its own, and the command line as its client, both with the TLS that is linked in."""

    def setUp(self):
        if not NATIVE or os.geteuid() != 0:
            self.skipTest("needs root and a native build")
        make_root("bookworm")
        # below the root, so that both programs find it there
        temporary = tempfile.TemporaryDirectory(dir=FOLDER / "roots/bookworm/tmp")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.inside = f"/tmp/{self.folder.name}"
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost", "-keyout", self.folder / "key", "-out", self.folder / "certificate", check=True)
        (self.folder / "web.yml").write_text(f"tls_server_config:\n  cert_file: {self.inside}/certificate\n  key_file: {self.inside}/key\n")
        self.port = start(self, "bookworm", "jobmetrics-exporter", "server", f"--web.config.file={self.inside}/web.yml", f"--server.store={self.inside}/accounts.db",
                          f"--web.local-socket={self.inside}/socket")

    def ask(self, *options: str) -> subprocess.CompletedProcess:
        return run(*in_root("bookworm", "jobmetrics-cli", "history", "--all", f"--server=https://localhost:{self.port}", *options))

    def trust(self, file: str) -> None:
        path = FOLDER / "roots/bookworm" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(self.folder / "certificate", path)
        self.addCleanup(path.unlink, missing_ok=True)

    def test_is_served_to_other_programs(self):
        done = run("curl", "--silent", "--show-error", "--cacert", self.folder / "certificate", f"https://localhost:{self.port}/-/healthy", "--output", "/dev/null", "--write-out", "%{http_code} %{http_version}")
        self.assertEqual(done.stderr, "")
        self.assertTrue(done.stdout.startswith("200"), done.stdout)

    def test_refuses_a_certificate_that_nobody_vouches_for(self):
        done = self.ask()
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "(?i)certificate|trust")

    def test_accepts_a_certificate_by_an_option(self):
        self.assert_gets_an_answer(self.ask(f"--ca-file={self.inside}/certificate"))

    def test_trusts_who_is_trusted_on_each_distribution(self):
        for file in TRUST_FILES:
            with self.subTest(file):
                self.trust(file)
                self.assert_gets_an_answer(self.ask())
                (FOLDER / "roots/bookworm" / file).unlink()

    def assert_gets_an_answer(self, done: subprocess.CompletedProcess) -> None:
        # a Debian without trusted certificates is warned of, and the option's do
        self.assertNotRegex(done.stderr, "(?i)certificate")
        self.assertTrue(done.returncode == 0 or re.search(r"\b40[13]\b|not allowed|unauthorized", done.stderr), done.stderr)


class OtherDebians(unittest.TestCase):
    def setUp(self):
        if not NATIVE or os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
            self.skipTest("needs root, mmdebstrap and a native build")
        for name in DEBIANS:
            make_root(name)

    def test_show_the_version(self):
        for name in DEBIANS:
            with self.subTest(name):
                self.assertTrue(run(*in_root(name, "jobmetrics-exporter", "--version"), check=True).stdout.startswith("jobmetrics-exporter "))

    def test_have_the_same_output(self):
        for name in DEBIANS:
            with self.subTest(name):
                for situation in ("slurm-v2-burn", "slurm-v1-steps", "gridengine", "gpu-amd", "power-cray", "hostile"):
                    command = in_root(name, "jobmetrics-exporter", "node", f"--path.rootfs=/fixtures/{situation}", "--once")
                    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
                    self.assertIsNone(problem_of(situation, done))

    def test_run_a_command_as_a_job(self):
        for name in DEBIANS:
            with self.subTest(name):
                done = run(*in_root(name, "jobmetrics-cli", "run", "--", "sh", "-c", "exit 7"))
                self.assertEqual(done.returncode, 7, done.stderr)

    def test_install_the_archive_and_remove_it(self):
        for name in DEBIANS:
            with self.subTest(name):
                run(*in_root(name, "sh", "/opt/jobmetrics/install.sh", "--prefix=/usr/local"), check=True)
                self.assertEqual(run(*in_root(name, "/usr/local/bin/jobmetrics-exporter", "--version"), check=True).stderr, "")
                run(*in_root(name, "sh", "/usr/local/share/jobmetrics/uninstall"), check=True)
                self.assertFalse((FOLDER / "roots" / name / "usr/local/bin/jobmetrics-exporter").exists())

    def test_have_a_first_metric_within_a_minute_of_unpacking(self):
        (archive,) = (FOLDER / ARCH / "artefacts").glob("*.tar.xz")
        for name in DEBIANS:
            with self.subTest(name), tempfile.TemporaryDirectory(dir=FOLDER / "roots" / name / "tmp") as folder:
                inside = f"/tmp/{pathlib.Path(folder).name}"
                began = time.monotonic()
                subprocess.run(["tar", "-C", folder, "--strip-components=1", "-xf", archive], check=True)
                run(*in_root(name, "sh", f"{inside}/install.sh", f"--prefix={inside}/installed"), check=True)
                port = start(self, name, f"{inside}/installed/bin/jobmetrics-exporter", "node", f"--ledger.file={inside}/ledger.db", f"--power.file={inside}/energy.json")
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=SECONDS) as reply:
                    self.assertTrue(any(line.startswith(b"jobmetrics_node_cpus ") for line in reply))
                took = time.monotonic() - began
                tap.comment(f"{name}: {took:.1f} s from the archive to the first metric")
                self.assertLess(took, 60)
                self.doCleanups()

    def test_install_the_package_and_remove_it(self):
        (package,) = (FOLDER / ARCH / "artefacts").glob("*.deb")
        for name in DEBIANS:
            with self.subTest(name):
                root = FOLDER / "roots" / name
                shutil.copy(package, root / "tmp/jobmetrics.deb")
                done = run(*in_root(name, "dpkg", "--install", "/tmp/jobmetrics.deb"))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(run(*in_root(name, "/usr/bin/jobmetrics-cli", "--version"), check=True).stderr, "")
                self.assertEqual(run(*in_root(name, "dpkg", "--purge", "jobmetrics")).returncode, 0)
                self.assertFalse((root / "etc/jobmetrics").exists())

    def test_know_users_through_a_module_of_the_hosts_name_service(self):
        for name in DEBIANS:
            with self.subTest(name):
                root = FOLDER / "roots" / name
                switch = root / "etc/nsswitch.conf"
                switch.write_text(re.sub(r"(?m)^(passwd:).*", r"\1 files extrausers", switch.read_text()))
                (root / "var/lib/extrausers").mkdir(exist_ok=True)
                (root / "var/lib/extrausers/passwd").write_text("dora:x:7777:7777::/:/bin/sh\n")
                # its own user is dora, and root's rights make the job's cgroup
                command = in_root(name, "setpriv", "--ruid=7777", "jobmetrics-cli", "run", "--", "jobmetrics-cli", "list", "--columns=jobid,user", "--no-headers")
                done = run(*command)
                self.assertRegex(done.stdout, r"(?m)^run-\d+ +dora$", done.stderr)


if __name__ == "__main__":
    setUpModule()
    sys.exit(tap.run(TheFiles, TheOutput, AnOlderKernel, Tls, OtherDebians))
