#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The portable programs: what they need of a host, and how they do on Debian 11, 12, 13 and sid, and Ubuntu 20.04, 22.04 and 24.04.

usage: test-portable.py FOLDER ARCH ENOSYS

FOLDER is where packaging/portable/build builds, and keeps these systems; ENOSYS runs a command as on an older kernel. What was built for another
architecture than this machine's runs under qemu, and only the tests for which that is enough.
"""

import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

TESTS = pathlib.Path(__file__).resolve().parent.parent
TOP = TESTS.parent
sys.path[:0] = [str(TESTS / "pylib"), str(TESTS / "golden"), str(TESTS / "jobmetrics-cli/mail")]
import golden  # noqa: E402
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

FOLDER, ARCH, ENOSYS = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2], os.path.abspath(sys.argv[3])
NATIVE = ARCH == platform.machine()
TREE = FOLDER / ARCH / "stage"
LIBRARIES = {"libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0", "libresolv.so.2", "librt.so.1"}
LOADER = re.compile(r"ld-linux-[a-z0-9-]+\.so\.[0-9]")
OF_THE_PROCESS = re.compile(rb"(?m)^(# \w+ )?process_.*\n")
NEWEST_GLIBC = (2, 28)
LARGEST_BYTES = 12_000_000
SECONDS = 60
# trixie is made first: it has the keys by which sid and Ubuntu are signed
SYSTEMS = ["trixie", "bullseye", "bookworm", "sid", "focal", "jammy", "noble"]
UBUNTUS = {"focal", "jammy", "noble"}
UBUNTU_MIRROR = os.environ.get("JM_UBUNTU_MIRROR", "http://archive.ubuntu.com/ubuntu")
# another module of the name service, the library of PostgreSQL, and rpm
INCLUDED = "libnss-extrausers,libpq5,rpm,apt"
# what Ansible needs, and the three programs by which its role installs
LEFT_OUT_BY_SLIM = ["doc", "info", "lintian", "locale", "man"]
LARGEST_IMAGE_BYTES = 40_000_000
INCLUDED_FOR_ANSIBLE = "python3-apt,dnf,python3-dnf,zypper,systemd"
TRUST_FILES = [
    "etc/ssl/certs/ca-certificates.crt",
    "etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "etc/pki/tls/certs/ca-bundle.crt",
    "var/lib/ca-certificates/ca-bundle.pem",
    "etc/ssl/ca-bundle.pem",
]
# With a network, a mount table and files of /proc, /sys and /dev of this machine. Later versions of rpm want / to be mounted.
IN_ROOT = """
mount --bind "$0" "$0"
mount --rbind /proc "$0/proc"; mount --rbind /sys "$0/sys"; mount --rbind /dev "$0/dev"
mkdir -p "$0/opt/jobmetrics" "$0/fixtures"
mount --bind "$1" "$0/opt/jobmetrics"; mount --bind "$2" "$0/fixtures"
root=$0; shift 2
exec env -i HOME=/root PATH=/opt/jobmetrics/bin:/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" "$@"
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
    keys = FOLDER / "roots/trixie/usr/share/keyrings" / ("ubuntu-archive-keyring.gpg" if name in UBUNTUS else "debian-archive-keyring.gpg")
    also = {"trixie": "ubuntu-archive-keyring", "bookworm": INCLUDED_FOR_ANSIBLE}
    options = ["--quiet", "--variant=minbase", "--include=" + ("apt" if name == "slim" else f"{INCLUDED},{also.get(name, 'apt')}")]
    # a mirror may be an older copy
    options += ["--aptopt=Acquire::Check-Valid-Until \"false\"", *([f"--keyring={keys}"] if name == "sid" or name in UBUNTUS else [])]
    options += [f"--dpkgopt=path-exclude=/usr/share/{each}/*" for each in LEFT_OUT_BY_SLIM if name == "slim"]
    suite = "bookworm" if name == "slim" else name
    sources = f"deb {UBUNTU_MIRROR} {name} main universe" if name in UBUNTUS else run("sh", TESTS / "debian-sources", suite).stdout
    root.parent.mkdir(exist_ok=True)
    shutil.rmtree(f"{root}.new", ignore_errors=True)
    subprocess.run(["mmdebstrap", *options, suite, f"{root}.new", "-"], input=sources, text=True, check=True, timeout=900)
    os.rename(f"{root}.new", root)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for_port(port: int, process: subprocess.Popen) -> bool:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.02)
    return False


def start(case: unittest.TestCase, name: str, *command: str) -> int:
    """Starts an exporter in a root, and returns its port once it listens there."""
    port = free_port()
    log = tempfile.TemporaryFile("w+")
    case.addCleanup(log.close)
    exporter = subprocess.Popen(in_root(name, *command, f"--web.listen-address=127.0.0.1:{port}"), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    case.addCleanup(exporter.wait)
    case.addCleanup(exporter.terminate)
    if not wait_for_port(port, exporter):
        log.seek(0)
        case.fail("the exporter does not listen: " + log.read())
    return port


def build() -> None:
    subprocess.run([TOP / "packaging/portable/build", ARCH], check=True, stdout=sys.stderr, timeout=3000)
    shutil.rmtree(TREE, ignore_errors=True)
    (archive,) = (FOLDER / ARCH / "artefacts").glob("*.tar.xz")
    TREE.mkdir()
    subprocess.run(["tar", "-C", TREE, "--strip-components=1", "-xf", archive], check=True)


class TheFiles(unittest.TestCase):
    PROGRAMS = ("bin/jobmetrics-exporter", "bin/jobmetrics-cli", "libexec/jobmetrics/jobmetrics-hook", "libexec/jobmetrics/jobmetrics-mail")

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


    def test_are_started_by_an_image_that_they_are_installed_into(self):
        with tempfile.TemporaryDirectory() as image:
            run("sh", TREE / "install.sh", "--prefix=/usr", f"--root={image}", check=True)
            run("systemctl", f"--root={image}", "enable", "jobmetrics-exporter-node", check=True)
            wanted = pathlib.Path(image, "etc/systemd/system/multi-user.target.wants/jobmetrics-exporter-node.service")
            self.assertEqual(os.readlink(wanted), "/usr/lib/systemd/system/jobmetrics-exporter-node.service")
            self.assertTrue(pathlib.Path(image, "etc/jobmetrics/node.conf").exists())


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

    def test_trusts_a_mail_server_that_the_host_trusts(self):
        try:
            from smtp_sink import Sink
        except ImportError as error:
            self.skipTest(f"{error} (tests/install-dependencies test)")
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.folder / "certificate", self.folder / "key")
        with Sink(context, implicit=True) as sink:
            command = ["jobmetrics-cli", "mail", f"--smtp=smtps://localhost:{sink.port}", "--from=hpc@example.org", "-s", "Slurm Job_id=5 Name=a Began, Queued time 00:00:00", "alice@example.org"]
            done = run(*in_root("bookworm", *command))
            self.assertEqual((done.returncode, sink.mails), (1, []))
            self.assertRegex(done.stderr, "(?i)\\bcert")
            for file in TRUST_FILES:
                with self.subTest(file):
                    self.trust(file)
                    done = run(*in_root("bookworm", *command))
                    self.assertEqual((done.returncode, [mail[1] for mail in sink.mails]), (0, [["alice@example.org"]]), done.stderr)
                    sink.mails.clear()
                    (FOLDER / "roots/bookworm" / file).unlink()

    def trust(self, file: str) -> None:
        path = FOLDER / "roots/bookworm" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(self.folder / "certificate", path)
        self.addCleanup(path.unlink, missing_ok=True)

    def test_is_served_to_other_programs(self):
        done = run("curl", "--silent", "--show-error", "--cacert", self.folder / "certificate", f"https://localhost:{self.port}/-/healthy", "--output", "/dev/null", "--write-out", "%{http_code} %{http_version}")
        self.assertEqual(done.stderr, "")
        self.assertTrue(done.stdout.startswith("200"), done.stdout)

    def test_refuses_a_certificate_of_an_unknown_authority(self):
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


class OtherSystems(unittest.TestCase):
    def setUp(self):
        if not NATIVE or os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
            self.skipTest("needs root, mmdebstrap and a native build")
        for name in SYSTEMS:
            make_root(name)

    def test_show_the_version(self):
        for name in SYSTEMS:
            with self.subTest(name):
                self.assertTrue(run(*in_root(name, "jobmetrics-exporter", "--version"), check=True).stdout.startswith("jobmetrics-exporter "))

    def test_have_the_same_output(self):
        for name in SYSTEMS:
            with self.subTest(name):
                for situation in ("slurm-v2-burn", "slurm-v1-steps", "gridengine", "gpu-amd", "power-cray", "hostile"):
                    command = in_root(name, "jobmetrics-exporter", "node", f"--path.rootfs=/fixtures/{situation}", "--once")
                    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
                    self.assertIsNone(problem_of(situation, done))

    def test_run_a_command_as_a_job(self):
        for name in SYSTEMS:
            with self.subTest(name):
                done = run(*in_root(name, "jobmetrics-cli", "run", "--", "sh", "-c", "exit 7"))
                self.assertEqual(done.returncode, 7, done.stderr)

    def test_install_the_archive_and_remove_it(self):
        for name in SYSTEMS:
            with self.subTest(name):
                run(*in_root(name, "sh", "/opt/jobmetrics/install.sh", "--prefix=/usr/local"), check=True)
                self.assertEqual(run(*in_root(name, "/usr/local/bin/jobmetrics-exporter", "--version"), check=True).stderr, "")
                run(*in_root(name, "sh", "/usr/local/share/jobmetrics/uninstall"), check=True)
                self.assertFalse((FOLDER / "roots" / name / "usr/local/bin/jobmetrics-exporter").exists())

    def test_have_a_first_metric_within_a_minute_of_unpacking(self):
        (archive,) = (FOLDER / ARCH / "artefacts").glob("*.tar.xz")
        for name in SYSTEMS:
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
        for name in SYSTEMS:
            with self.subTest(name):
                root = FOLDER / "roots" / name
                shutil.copy(package, root / "tmp/jobmetrics.deb")
                done = run(*in_root(name, "dpkg", "--install", "/tmp/jobmetrics.deb"))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(run(*in_root(name, "/usr/bin/jobmetrics-cli", "--version"), check=True).stderr, "")
                self.assertEqual(run(*in_root(name, "dpkg", "--purge", "jobmetrics")).returncode, 0)
                self.assertFalse((root / "etc/jobmetrics").exists())

    def test_get_no_other_package_with_it(self):
        (package,) = (FOLDER / ARCH / "artefacts").glob("*.deb")
        make_root("slim")
        for name in [*SYSTEMS, "slim"]:
            with self.subTest(name):
                copy = FOLDER / "roots" / name / "tmp/jobmetrics.deb"
                shutil.copy(package, copy)
                self.addCleanup(copy.unlink)
                done = run(*in_root(name, "apt-get", "--simulate", "--no-install-recommends", "install", "/tmp/jobmetrics.deb"))
                self.assertEqual(re.findall(r"(?m)^Inst (\S+)", done.stdout), ["jobmetrics"], done.stderr)

    def test_know_users_through_a_module_of_the_hosts_name_service(self):
        for name in SYSTEMS:
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

    def test_read_the_rpm(self):
        """By rpm 4.14 to 6.0: Enterprise Linux 8 and SLES 15 have 4.14, Enterprise Linux 10 has 4.19."""
        (package,) = (FOLDER / ARCH / "artefacts").glob("*.rpm")
        for name in SYSTEMS:
            with self.subTest(name), tempfile.TemporaryDirectory(dir=FOLDER / "roots" / name / "tmp") as folder:
                root, inside = FOLDER / "roots" / name, f"/tmp/{pathlib.Path(folder).name}"
                shutil.copy(package, f"{folder}/jobmetrics.rpm")
                # dpkg has the libc, of which a database of rpm's does not know
                rpm = ["rpm", f"--dbpath={inside}/db"]
                run(*in_root(name, *rpm, "--install", "--nosignature", "--nodeps", f"{inside}/jobmetrics.rpm"), check=True)
                self.assertEqual(run(*in_root(name, "/usr/bin/jobmetrics-exporter", "--version"), check=True).stderr, "")
                self.assertEqual(run(*in_root(name, *rpm, "--verify", "--nodeps", "jobmetrics")).stdout, "")
                self.assertIn("/etc/jobmetrics/node.conf\n", run(*in_root(name, *rpm, "-qc", "jobmetrics"), check=True).stdout)
                run(*in_root(name, *rpm, "--erase", "jobmetrics"), check=True)
                self.assertFalse((root / "usr/bin/jobmetrics-exporter").exists())

    def test_keep_an_archive_in_postgresql_by_the_hosts_library(self):
        programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        if not programs:
            self.skipTest("PostgreSQL is not installed (tests/install-dependencies test)")
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        shutil.chown(folder, "postgres", "postgres")
        as_postgres = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        run(*as_postgres, programs[-1] / "initdb", "--auth=trust", "--encoding=UTF8", f"--pgdata={folder}/data", cwd=folder, check=True)
        port = free_port()
        server = subprocess.Popen([*as_postgres, programs[-1] / "postgres", "-D", f"{folder}/data", "-p", str(port), "-k", folder], cwd=folder, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        self.assertTrue(wait_for_port(port, server))
        for name in SYSTEMS:
            with self.subTest(name):
                run("psql", "-h", "127.0.0.1", "-p", port, "-U", "postgres", "-c", f"CREATE DATABASE {name}", check=True)
                store = f"--store=postgresql://postgres@127.0.0.1:{port}/{name}"
                run(*in_root(name, "jobmetrics-cli", "import", store, "--cluster=alpha", "--format=gridengine-log", "/fixtures/gridengine-log/accounting"), check=True)
                done = run(*in_root(name, "jobmetrics-cli", "history", store, "--all", "--csv", "--columns=jobid,state", "--limit=2"), check=True)
                self.assertEqual(done.stdout.splitlines(), ["jobid,state", "5,COMPLETED", "4,FAILED"])

    def test_write_down_a_job_in_the_prolog_and_forget_it_in_the_epilog(self):
        for name in SYSTEMS:
            with self.subTest(name):
                file = FOLDER / "roots" / name / "run/jobmetrics/jobs/5"
                slurm = ["env", "SLURM_JOB_ID=5", "SLURM_JOB_USER=alice", "SLURM_JOB_UID=1000"]
                run(*in_root(name, *slurm, "/opt/jobmetrics/libexec/jobmetrics/jobmetrics-prolog"), check=True)
                self.assertIn("SLURM_JOB_USER=alice", file.read_text().splitlines())
                run(*in_root(name, *slurm, "/opt/jobmetrics/libexec/jobmetrics/jobmetrics-epilog"), check=True)
                self.assertFalse(file.exists())

    def test_show_jobs_in_a_terminal(self):
        if shutil.which("tmux") is None:
            self.skipTest("tmux: not installed (tests/install-dependencies test)")
        for name in SYSTEMS:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                tmux = ["tmux", "-u", "-S", f"{folder}/socket", "-f", "/dev/null"]
                top = shlex.join(["env", "TERM=xterm", "jobmetrics-cli", "top", "--path.rootfs=/fixtures/slurm-v2-burn"])
                run(*tmux, "new-session", "-d", "-x", 100, "-y", 24, shlex.join(in_root(name, "sh", "-c", f"{top}; echo ended $?; exec cat")), check=True)
                try:
                    self.wait_for_picture(tmux, r"(?m)^\W*2 +alice .*burn ")
                    run(*tmux, "send-keys", "q", check=True)
                    self.wait_for_picture(tmux, "(?m)^ended 0$")
                finally:
                    run(*tmux, "kill-server")

    def wait_for_picture(self, tmux: list[str], expected: str) -> None:
        picture, end = "", time.monotonic() + SECONDS
        while time.monotonic() < end:
            picture = run(*tmux, "capture-pane", "-p").stdout
            if re.search(expected, picture):
                return
            time.sleep(0.05)
        self.fail(picture)


class TheImage(unittest.TestCase):
    """The recipe for containers, on a Debian 12 that lacks what the slim one lacks."""

    def test_is_small_and_runs_as_its_user(self):
        if not NATIVE or os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
            self.skipTest("needs root, mmdebstrap and a native build")
        make_root("slim")
        recipe = re.sub(r"\\\n", " ", (TOP / "packaging/container/Containerfile").read_text())
        _, install, finish = re.findall(r"(?m)^RUN (.*)$", recipe)
        user, program = re.search(r"(?m)^USER (\S+)$", recipe)[1], json.loads(re.search(r"(?m)^ENTRYPOINT (.*)$", recipe)[1])
        with tempfile.TemporaryDirectory(dir=FOLDER / "roots") as folder:
            run("sh", "-euc", install.replace(" /image", f" {folder}/image").replace("=/image", f"={folder}/image").replace("build-portable/*/jobmetrics-*/", f"{TREE}/"), check=True)
            run("cp", "-a", FOLDER / "roots/slim", f"{folder}/root", check=True)
            run("cp", "-a", f"{folder}/image/.", f"{folder}/root", check=True)
            name = f"{pathlib.Path(folder).name}/root"
            subprocess.run(in_root(name, "env", "DEBIAN_FRONTEND=noninteractive", "sh", "-euc", finish), stdin=subprocess.DEVNULL, stdout=sys.stderr, check=True, timeout=900)
            self.assertIn("jobmetrics-exporter ", run(*in_root(name, "setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *program, "--version"), check=True).stdout)
            self.assertTrue(pathlib.Path(folder, "root/etc/ssl/certs/ca-certificates.crt").exists())
            packed = subprocess.run(f"tar -C {folder}/root -cf - . | gzip | wc -c", shell=True, capture_output=True, text=True, check=True, timeout=900).stdout
        tap.comment(f"the image: {int(packed)} bytes")
        self.assertLess(int(packed), LARGEST_IMAGE_BYTES)


SSH = """#!/bin/sh
# what Ansible calls in the place of ssh, for a host that is a folder
while [ $# -gt 1 ]; do
    case $1 in -[op]) shift 2 ;; -*) shift ;; *) break ;; esac
done
shift
exec %s sh -c "$*"
"""
STAND_IN = """
Name: glibc
Version: 2.28
Release: 1
Summary: what the RPM needs, which is dpkg's on a Debian
License: MIT
Provides: libc.so.6(GLIBC_2.28)(64bit)
Provides: /bin/sh
%description
It has no file.
%files
"""


class TheAnsibleRole(unittest.TestCase):
    """It goes through a Debian 12, as a host that is installed by apt, dnf or zypper, all of which Debian has."""

    def setUp(self):
        if not NATIVE or os.geteuid() != 0 or shutil.which("ansible-playbook") is None or shutil.which("mmdebstrap") is None:
            self.skipTest("needs root, mmdebstrap, ansible-core and a native build")
        make_root("bookworm")
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder, self.root = pathlib.Path(temporary.name), FOLDER / "roots/bookworm"
        self.addCleanup(shutil.rmtree, self.root / "etc/jobmetrics", ignore_errors=True)
        ssh = self.folder / "ssh"
        ssh.write_text(SSH % shlex.join(in_root("bookworm")))
        ssh.chmod(0o755)
        (self.folder / "files/node").mkdir(parents=True)
        (self.folder / "files/node/web.yml").write_text("tls_server_config: {cert_file: node.crt, key_file: node.key}\n")
        (self.folder / "site.yml").write_text(
            f"{{jobmetrics_packages_folder: {FOLDER / ARCH / 'artefacts'}, jobmetrics_files_folder: {self.folder}/files, jobmetrics_nodes_tls: true, "
            "jobmetrics_cluster: alpha, jobmetrics_controller: controller, jobmetrics_server_settings: {server.history: sacct}}\n"
        )

    def play(self, group: str, manager: str) -> str:
        """Returns the recap of a second run, by which nothing is to be changed."""
        inventory = self.folder / "inventory"
        inventory.write_text("".join(f"[{each}]\n{'bookworm' if each == group else ''}\n" for each in ("nodes", "cluster", "server")))
        given = {"ansible_ssh_executable": f"{self.folder}/ssh", "ansible_ssh_transfer_method": "piped", "ansible_become": False, "site_file": f"{self.folder}/site.yml", "ansible_pkg_mgr": manager}
        command = ["ansible-playbook", f"--inventory={inventory}", f"--extra-vars={json.dumps(given)}", TOP / "packaging/ansible/playbook.yml"]
        for _ in range(2):
            done = subprocess.run(command, env={**os.environ, "ANSIBLE_HOME": str(self.folder), "ANSIBLE_LOCAL_TEMP": str(self.folder)}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout.rpartition("PLAY RECAP")[2]

    def settings(self, role: str) -> list[str]:
        return [line for line in (self.root / f"etc/jobmetrics/{role}.conf").read_text().splitlines() if not line.startswith("#")]

    def assert_starts_at_boot(self, role: str) -> None:
        wanted = self.root / "etc/systemd/system/multi-user.target.wants"
        self.assertEqual([path.name for path in wanted.glob("jobmetrics-*")], [f"jobmetrics-exporter-{role}.service"])

    def test_makes_a_node_by_apt(self):
        self.addCleanup(run, *in_root("bookworm", "dpkg", "--purge", "jobmetrics"))
        self.assertIn("changed=0 ", self.play("nodes", "apt"))
        self.assertEqual(self.settings("node"), ["[node]", "cluster=alpha", "web.config.file=/etc/jobmetrics/web.yml"])
        self.assertEqual((self.root / "etc/jobmetrics/web.yml").stat().st_mode & 0o777, 0o640)
        self.assert_starts_at_boot("node")

    def test_makes_the_cluster_role_by_dnf(self):
        self.know_libc()
        self.assertIn("changed=0 ", self.play("cluster", "dnf"))
        self.assertEqual(self.settings("cluster"), ["[cluster]", "discovery.target=https://{node}:9010"])
        self.assert_starts_at_boot("cluster")

    def test_makes_the_server_by_zypper(self):
        self.know_libc()
        self.assertIn("changed=0 ", self.play("server", "zypper"))
        wired = ["server.nodes-ca-file=/etc/jobmetrics/ca.crt", "server.nodes-login-file=/etc/jobmetrics/nodes.login", "server.nodes-url=http://controller:9011/discovery"]
        self.assertEqual(self.settings("server"), ["[server]", "server.history=sacct", *wired])
        self.assert_starts_at_boot("server")

    def know_libc(self) -> None:
        """In the database that dnf and zypper look into; Debian's rpm has one in each home."""
        (self.root / "root").mkdir(exist_ok=True)
        (self.root / "root/.rpmmacros").write_text("%_dbpath /var/lib/rpm\n")
        (self.root / "var/lib/rpm").mkdir(exist_ok=True)
        (self.root / "etc/zypp/repos.d").mkdir(parents=True, exist_ok=True)
        (self.folder / "glibc.spec").write_text(STAND_IN)
        run("rpmbuild", "-bb", "--target", ARCH, "--define", f"_topdir {self.folder}", "--define", f"_rpmdir {self.root}/tmp", "--define", "_rpmfilename glibc.rpm", self.folder / "glibc.spec", check=True)
        run(*in_root("bookworm", "rpm", "--install", "--force", "--nosignature", "/tmp/glibc.rpm"), check=True)
        self.addCleanup(run, *in_root("bookworm", "rpm", "--erase", "jobmetrics"))


if __name__ == "__main__":
    build()
    sys.exit(tap.run(TheFiles, TheOutput, AnOlderKernel, Tls, OtherSystems, TheImage, TheAnsibleRole))
