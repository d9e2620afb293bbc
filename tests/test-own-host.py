#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a test on a host of its own shares with the machine, and what it leaves there."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

OWN_HOST = TESTS / "own-host"
PATIENCE = 60
PORT = 9010
# writes its name to the folder and waits for the other's, which comes where both have the port
SERVE = """
import pathlib, socket, sys, time
folder, me, other = pathlib.Path(sys.argv[1]), *sys.argv[2:]
with socket.create_server(("127.0.0.1", int(%d))):
    (folder / me).touch()
    while not (folder / other).exists():
        time.sleep(0.01)
"""
# makes a cgroup in each hierarchy, and leaves a process in a session of its own there
LEAVE = """
for hierarchy in $(awk '$3 ~ /^cgroup/ { print $2 }' /proc/mounts); do mkdir -p $hierarchy/left/behind; done
setsid sh -c 'for list in /sys/fs/cgroup/*/left/behind/cgroup.procs; do echo 0 > $list; done 2> /dev/null; touch $0/in
    exec 9< $0/fifo' "$1" &
until [ -e "$1/in" ]; do sleep 0.01; done
"""


def call(*command: str, share: str = "") -> subprocess.CompletedProcess:
    return subprocess.run(
        [OWN_HOST, *command],
        env={**os.environ, "OWN_HOST": share},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def cgroups() -> list[str]:
    """Those of tests whose processes are over."""
    found = pathlib.Path("/sys/fs/cgroup").glob("**/own-host-*")
    return [str(folder) for folder in found if not pathlib.Path("/proc", folder.name.rpartition("-")[2]).exists()]


def wait_for(what: str, condition) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not in {PATIENCE} s: {what}")
        time.sleep(0.01)


class ACommand(unittest.TestCase):
    def test_ends_with_its_own_status(self):
        self.assertEqual([call("sh", "-c", f"exit {status}").returncode for status in (0, 1, 77, 99)], [0, 1, 77, 99])

    def test_that_a_signal_ends_is_seen_to_fail_by_it(self):
        self.assertEqual(call("sh", "-c", "kill -ABRT $$").returncode, 128 + signal.SIGABRT)

    def test_has_its_output_and_arguments(self):
        done = call("sh", "-c", 'echo "$1"; echo "$2" >&2', "sh", "to  one", "to * other")
        self.assertEqual((done.stdout, done.stderr), ("to  one\n", "to * other\n"))

    def test_runs_as_it_is_without_rights(self):
        if os.geteuid() != 0:
            self.skipTest("no host can be made here")
        before = os.readlink("/proc/self/ns/net")
        command = ["setpriv", "--bounding-set=-sys_admin", OWN_HOST, "sh", "-c", "readlink /proc/self/ns/net; exit 3"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stdout.strip()), (3, before))


class AHost(unittest.TestCase):
    def setUp(self):
        if subprocess.run([OWN_HOST, "--check"], timeout=PATIENCE).returncode != 0:
            self.skipTest("no host can be made here")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        os.mkfifo(self.folder / "fifo")

    def begin(self, *command: str) -> subprocess.Popen:
        process = subprocess.Popen([OWN_HOST, *command], stdin=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(process.kill)
        return process

    def assert_over(self) -> None:
        """A process that holds the other end of the fifo is no more, and neither is any cgroup."""
        with self.assertRaises(OSError, msg="a process is left"):
            os.close(os.open(self.folder / "fifo", os.O_WRONLY | os.O_NONBLOCK))
        self.assertEqual(cgroups(), [])

    def test_has_ports_of_its_own(self):
        names = ("one", "other")
        both = [self.begin(sys.executable, "-c", SERVE % PORT, str(self.folder), *order) for order in (names, reversed(names))]
        self.assertEqual([process.wait(PATIENCE) for process in both], [0, 0])

    def test_has_an_address_that_is_not_loopback_and_a_name(self):
        done = call("sh", "-c", "ip -o address show scope global; getent hosts $(hostname)")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("inet ", done.stdout)

    def test_shares_the_network_where_that_is_asked_for(self):
        network = os.readlink("/proc/self/ns/net")
        self.assertNotEqual(call("readlink", "/proc/self/ns/net").stdout.strip(), network)
        self.assertEqual(call("readlink", "/proc/self/ns/net", share="network").stdout.strip(), network)

    def test_keeps_files_in_some_folders_to_itself(self):
        files = [pathlib.Path(folder, f"jobmetrics-own-host-{os.getpid()}") for folder in ("/run", "/etc", "/dev/shm")]
        for file in files:
            self.addCleanup(file.unlink, missing_ok=True)
        done = call("touch", *files)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([file for file in files if file.exists()], [])
        self.assertEqual(call("ls", "/etc/passwd").returncode, 0)

    def test_is_the_root_of_its_cgroups(self):
        paths = {line.split(":", 2)[2] for line in call("cat", "/proc/self/cgroup").stdout.splitlines()}
        self.assertEqual(paths, {"/"})
        done = call("sh", "-c", "find /sys/fs/cgroup -mindepth 2 -type d")
        self.assertEqual(done.stdout, "")

    def test_has_processes_of_its_own_unless_the_machines_are_asked_for(self):
        seen = f"[ -e /proc/{os.getpid()}/fd ] && readlink /proc/{os.getpid()}/ns/pid /proc/self/ns/pid"
        self.assertEqual(len(set(call("sh", "-c", seen, share="pids").stdout.split())), 1)
        self.assertNotEqual(call("readlink", "/proc/self/ns/pid").stdout.strip(), os.readlink("/proc/self/ns/pid"))

    def test_ends_what_is_left_behind(self):
        for share in ("", "pids"):
            with self.subTest(share=share):
                done = call("sh", "-c", LEAVE, "sh", str(self.folder), share=share)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assert_over()
                (self.folder / "in").unlink()

    def test_is_gone_once_its_group_is_terminated(self):
        process = self.begin("sh", "-c", f"{LEAVE}\nsleep {PATIENCE}", "sh", str(self.folder))
        wait_for("it leaves something", (self.folder / "in").exists)
        os.killpg(process.pid, signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE), 128 + signal.SIGTERM)
        self.assert_over()

    def test_that_was_killed_is_gone_with_the_next_one(self):
        process = self.begin("sh", "-c", f"{LEAVE}\nsleep {PATIENCE}", "sh", str(self.folder))
        wait_for("it leaves something", (self.folder / "in").exists)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
        wait_for("its processes are over", lambda: subprocess.run(["pgrep", "-g", str(process.pid)], stdout=subprocess.DEVNULL).returncode != 0)
        self.assertEqual(call("true").returncode, 0)
        self.assert_over()


if __name__ == "__main__":
    sys.exit(tap.run(ACommand, AHost))
