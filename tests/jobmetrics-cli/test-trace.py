#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What trace does to the command that it runs, and what it reports of it.

usage: test-trace.py PROGRAM
"""

import contextlib
import http.server
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, SECONDS, call, environment  # noqa: E402

MIB = 1 << 20
# on a disk, which a folder for temporary files may not be; and not among the sources, which others read meanwhile
BUILT = os.environ.get("G_TEST_BUILDDIR")
NOWHERE = "--url=http://127.0.0.1:1/trace"
# Holds MiB in each of a few processes with a few threads each, of which one has lost its parent; ends with its input.
HOLD = """import os, sys, threading
mib, n_threads = map(int, sys.argv[1:])
ready_read, ready_write = os.pipe()
gate_read, gate_write = os.pipe()
def hold():
    held = b"x" * (mib << 20)
    for _ in range(n_threads - 1):
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    os.write(ready_write, b".")
    os.read(gate_read, 1)
    os._exit(0)
def fork():
    pid = os.fork()
    if pid == 0:
        os.close(gate_write)
        hold()
    return pid
fork()
middle = os.fork()
if middle == 0:
    fork()
    os._exit(0)
os.waitpid(middle, 0)
for _ in range(2):
    os.read(ready_read, 1)
print("ready", flush=True)
sys.stdin.read()
"""
# Writes so much to the disk, and waits for its input's end.
WRITE = """import os, sys
fd = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT, 0o600)
os.write(fd, b"x" * (8 << 20))
os.fsync(fd)
print("ready", flush=True)
sys.stdin.read()
"""
SPIN = "import sys, time\nend = time.monotonic() + float(sys.argv[1])\nwhile time.monotonic() < end: pass"


class Exporter:
    """Takes what is posted; answers with a status, or never."""

    def __init__(self, status: int | None = 200):
        outer = self
        self.bodies: list[dict] = []
        self.authorizations: list[str | None] = []
        self.end = threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                outer.authorizations.append(self.headers["Authorization"])
                outer.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                if status is None:
                    outer.end.wait(SECONDS)
                    return
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end.set()
        self.server.shutdown()
        self.server.server_close()

    def await_body(self, condition=lambda body: True) -> dict:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            for body in list(self.bodies):
                if condition(body):
                    return body
            time.sleep(0.02)
        raise AssertionError(f"not told: {self.bodies[-3:]}")


@contextlib.contextmanager
def traced(*arguments: str, **variables: str):
    process = subprocess.Popen(
        [PROGRAM, "trace", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        encoding="utf-8", env={**environment(), **variables},
    )  # fmt: skip
    try:
        yield process
    finally:
        with contextlib.suppress(ValueError):
            process.communicate(timeout=SECONDS)


class Command(unittest.TestCase):
    def trace(self, *command: str, url: str = NOWHERE) -> subprocess.CompletedProcess:
        return call("trace", "--job=7", url, "--interval=0.1", "--", *command)

    def test_the_exit_code_is_passed_on(self):
        self.assertEqual(self.trace("true").returncode, 0)
        self.assertEqual(self.trace("sh", "-c", "exit 3").returncode, 3)

    def test_a_signal_is_passed_on(self):
        self.assertEqual(self.trace("sh", "-c", "kill -KILL $$").returncode, 128 + signal.SIGKILL)

    def test_what_cannot_be_run_is_reported(self):
        for command, status in (("/nonexistent", 127), ("/dev/null", 126)):
            done = self.trace(command)
            self.assertEqual(done.returncode, status)
            self.assertIn(command, done.stderr)

    def test_its_streams_are_its_own(self):
        done = call("trace", "--job=7", NOWHERE, "--", "sh", "-c", "cat; echo error >&2", input="input\n")
        self.assertEqual((done.stdout, done.stderr), ("input\n", "error\n"))

    def test_it_gets_the_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with traced("--job=7", NOWHERE, "--", "sh", "-c", "trap 'exit 42' TERM INT; echo ready; while :; do sleep 0.05; done") as process:
                process.stdout.readline()
                process.send_signal(number)
                self.assertEqual(process.wait(SECONDS), 42)

    def test_a_server_that_is_away_is_said_once(self):
        done = self.trace("sleep", "1")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("the command goes on", done.stderr)

    def test_a_server_that_refuses_is_said_once(self):
        with Exporter(400) as exporter:
            done = self.trace("sleep", "1", url=f"--url={exporter.url}")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertGreater(len(exporter.bodies), 1)

    def test_a_server_that_never_answers_is_not_waited_for(self):
        with Exporter(None) as exporter, traced("--job=7", f"--url={exporter.url}", "--interval=0.1", "--", "cat") as process:
            exporter.await_body()
            process.stdin.close()
            self.assertEqual(process.wait(SECONDS), 0)
            process.stdin = None

    def test_a_command_and_a_job_are_needed(self):
        for arguments, word in (
            (["--job=7"], "command"),
            (["--", "true"], "which job"),
            (["--job=0", "--", "true"], "which job"),
            (["--job=1_2", "--", "true"], "which job"),
            (["--job=7", "--interval=0", "--", "true"], "--interval"),
            (["--job=7", "--url=http://x/", "--socket=/x", "--", "true"], "--socket"),
        ):
            done = call("trace", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(word, done.stderr)


class Figures(unittest.TestCase):
    def test_are_the_sum_of_all_that_came_of_the_command(self):
        command = [sys.executable, "-c", HOLD, "50", "4"]
        with Exporter() as exporter, traced("--job=7", f"--url={exporter.url}", "--interval=0.1", "--", *command) as process:
            self.assertEqual(process.stdout.readline(), "ready\n")
            # the first has one thread, the two that hold have four each
            body = exporter.await_body(lambda body: body["threads"] == 9)
        self.assertGreater(body["mem"], 100 * MIB)
        self.assertLess(body["mem"], 200 * MIB)
        self.assertEqual(body["job_id"], 7)
        self.assertEqual(body["hostname"], socket.gethostname())

    def test_have_the_cpu_time_over_time(self):
        began, before = time.monotonic(), os.times()
        with Exporter() as exporter:
            with traced("--job=7", f"--url={exporter.url}", "--interval=0.5", "--", sys.executable, "-c", SPIN, "3") as process:
                process.wait(SECONDS)
        # as much of a CPU as it was given, which others want, too
        percent = 100 * (os.times().children_user - before.children_user) / (time.monotonic() - began)
        self.assertGreaterEqual(len(exporter.bodies), 2)
        for body in exporter.bodies:
            self.assertLess(body["cpus"], 115, exporter.bodies)
        self.assertGreater(max(body["cpus"] for body in exporter.bodies), percent / 2)

    def test_have_what_was_written(self):
        with tempfile.TemporaryDirectory(dir=BUILT) as folder, Exporter() as exporter:
            command = [sys.executable, "-c", WRITE, f"{folder}/file"]
            with traced("--job=7", f"--url={exporter.url}", "--interval=0.1", "--", *command) as process:
                process.stdout.readline()
                written = pathlib.Path(f"/proc/{self.child_of(process.pid)}/io").read_text(encoding="utf-8")
                truth = int(written.split("\nwrite_bytes: ")[1].split()[0])
                if truth == 0:
                    self.skipTest("this file system counts nothing")
                self.assertGreaterEqual(truth, 8 * MIB)
                exporter.await_body(lambda body: body["write_bytes"] == truth)

    def child_of(self, pid: int) -> int:
        tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
        return int("".join((task / "children").read_text(encoding="utf-8") for task in tasks).split()[0])

    def test_are_of_whom_the_environment_says(self):
        variables = {"SLURM_JOB_ID": "88", "SLURM_STEP_ID": "2", "SLURM_CLUSTER_NAME": "east", "SAMPLE_RATE": "0.1"}
        with Exporter() as exporter, traced("cat", SLURM_EXPORTER=exporter.url.removeprefix("http://"), **variables):
            body = exporter.await_body()
        self.assertEqual((body["job_id"], body["step"], body["cluster"]), (88, "2", "east"))
        # a batch script of Slurm 26.05 is no step
        variables["SLURM_STEP_ID"] = "-5"
        with Exporter() as exporter, traced("cat", SLURM_EXPORTER=exporter.url.removeprefix("http://"), **variables):
            body = exporter.await_body()
        self.assertNotIn("step", body)

    def test_are_printed_where_that_is_wanted(self):
        done = call("trace", "--job=7", "--dry-run", "--interval=0.2", "--", "sleep", "0.9")
        self.assertEqual(done.returncode, 0)
        for line in done.stderr.splitlines():
            self.assertEqual(json.loads(line)["threads"], 1)
        self.assertNotEqual(done.stderr, "")


class Token(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "token")
        self.file.write_text("secret-word\n", encoding="utf-8")
        self.file.chmod(0o600)

    def test_is_shown_to_the_exporter(self):
        options = ["--job=7", f"--token-file={self.file}", "--interval=0.1"]
        with Exporter() as exporter, traced(*options, f"--url={exporter.url}", "--", "cat"):
            exporter.await_body()
        self.assertEqual(exporter.authorizations[0], "Bearer secret-word")

    def test_is_sent_in_clear_to_this_machine_alone(self):
        done = call("trace", "--job=7", f"--token-file={self.file}", "--url=http://example.org", "--", "true")
        self.assertEqual(done.returncode, 2)
        self.assertIn("https", done.stderr)

    def test_is_its_owners_alone(self):
        self.file.chmod(0o644)
        done = call("trace", "--job=7", f"--token-file={self.file}", NOWHERE, "--", "true")
        self.assertEqual(done.returncode, 2)
        self.assertNotIn("secret-word", done.stderr)


if __name__ == "__main__":
    sys.exit(tap.run(Command, Figures, Token))
