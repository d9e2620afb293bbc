#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A node that sends its figures by remote write, before a server that fails in every way.

usage: test-remote-write.py EXPORTER
"""

import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from remote_write import Receiver  # noqa: E402
from sending_node import SendingNode  # noqa: E402

EXPORTER = sys.argv[1]
BURN = f"--path.rootfs={FIXTURES / 'slurm-v2-burn'}"
SECONDS = 60
USAGE = 2


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Daemon(SendingNode):
    def __init__(self, url: str, buffer: pathlib.Path, *options: str):
        super().__init__(EXPORTER, "remote-write", BURN, f"--remote-write.url={url}", f"--remote-write.buffer={buffer}", *options)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.buffer = pathlib.Path(self.folder, "buffer")

    def enterContext(self, context):  # noqa: N802 - as Python 3.11 names it
        with contextlib.ExitStack() as stack:
            entered = stack.enter_context(context)
            self.addCleanup(stack.pop_all().close)
            return entered

    def files(self) -> list[str]:
        return sorted(name for name in os.listdir(self.buffer) if name.endswith(".request"))


class Requests(Case):
    """What a server gets that takes everything."""

    def test_a_server_gets_each_sweep(self):
        with Receiver() as receiver, Daemon(receiver.url, self.buffer, "--remote-write.instance=n1") as daemon:
            receiver.wait_for(lambda requests: len(requests) >= 3, SECONDS)
            self.assertGreater(daemon.figures()["sent_samples_total"], 0)
            self.assertEqual(daemon.figures()["up"], 1)
            self.assertEqual(daemon.figures()["dropped_samples_total"], 0)

        headers = {name.lower(): value for name, value in receiver.headers[0].items()}
        self.assertEqual(headers["content-type"], "application/x-protobuf")
        self.assertEqual(headers["content-encoding"], "snappy")
        self.assertEqual(headers["x-prometheus-remote-write-version"], "0.1.0")
        times = [request[0].time_ms for request in receiver.requests]
        self.assertEqual(times, sorted(set(times)))
        for sample in receiver.requests[0]:
            names = [name for name, _ in sample.labels]
            self.assertEqual(names, sorted(set(names)))
            self.assertNotIn("", dict(sample.labels).values())
            self.assertEqual((sample.of("job"), sample.of("instance")), ("jobmetrics", "n1"))
        self.assertTrue([s for s in receiver.requests[0] if s.name == "jobmetrics_job_info" and s.of("jobid")])

    def test_the_end_marks_every_series_as_stale(self):
        with Receiver() as receiver, Daemon(receiver.url, self.buffer) as daemon:
            receiver.wait_for(lambda requests: len(requests) >= 2, SECONDS)
            self.assertEqual(daemon.end(), 0)
        last, before = receiver.requests[-1], receiver.requests[-2]
        self.assertTrue(all(sample.is_stale for sample in last))
        self.assertFalse(any(sample.is_stale for sample in before))
        self.assertEqual({tuple(s.labels) for s in last}, {tuple(s.labels) for s in before})
        self.assertEqual(self.files(), [])

    def test_a_password_is_sent_and_not_shown(self):
        password = pathlib.Path(self.folder, "password")
        password.write_text("secret\n")
        password.chmod(0o600)
        options = ("--remote-write.user=u", f"--remote-write.password-file={password}")
        with Receiver() as receiver, Daemon(receiver.url, self.buffer, *options) as daemon:
            receiver.wait_for(lambda requests: requests, SECONDS)
        self.assertEqual(receiver.headers[0]["Authorization"], "Basic dTpzZWNyZXQ=")
        self.assertEqual(daemon.lines("secret"), [])


class Failures(Case):
    """Nothing is lost that can be kept, and the log says each thing once."""

    def test_what_a_server_cannot_take_now_comes_later_in_order(self):
        answers = ((503, {}), (429, {"Retry-After": "1"}), (500, {}))
        with Receiver(answers=answers) as receiver, Daemon(receiver.url, self.buffer) as daemon:
            receiver.wait_for(lambda requests: len(requests) >= 4, SECONDS)
            daemon.wait_for_log("takes what it is sent again")
            self.assertEqual(daemon.figures()["dropped_samples_total"], 0)
        first = receiver.refused[0]
        self.assertEqual(receiver.requests[0], first)
        times = [request[0].time_ms for request in receiver.requests]
        self.assertEqual(times, sorted(set(times)))
        self.assertEqual(len(daemon.lines("what cannot be sent is kept")), 1)

    def test_what_a_server_refuses_is_dropped_and_counted(self):
        with Receiver(answers=((400, {}), (400, {}))) as receiver, Daemon(receiver.url, self.buffer) as daemon:
            receiver.wait_for(lambda requests: len(requests) >= 2, SECONDS)
            dropped = sum(len(samples) for samples in receiver.refused)
            self.assertEqual(daemon.figures()["dropped_samples_total"], dropped)
        self.assertEqual(len(daemon.lines("what the server refuses is dropped")), 1)

    def test_a_server_that_is_away_loses_nothing(self):
        port = free_port()
        with Daemon(f"http://127.0.0.1:{port}/api/v1/write", self.buffer) as daemon:
            daemon.wait_for_log("what cannot be sent is kept")
            self.assertEqual(daemon.figures()["up"], 0)
            self.assertGreater(daemon.figures()["pending_bytes"], 0)
            with Receiver(port) as receiver:
                daemon.wait_for_log("takes what it is sent again")
                receiver.wait_for(lambda requests: len(requests) >= 3, SECONDS)
                self.assertEqual(daemon.figures()["dropped_samples_total"], 0)
                daemon.end()
        self.assertEqual(daemon.lines("remote write:")[1:], daemon.lines("takes what it is sent again"))

    def test_what_a_killed_exporter_kept_is_sent_by_the_next(self):
        port = free_port()
        url = f"http://127.0.0.1:{port}/api/v1/write"
        with Daemon(url, self.buffer) as daemon:
            daemon.wait_for_log("what cannot be sent is kept")
            daemon.end(signal.SIGKILL)
        kept = self.files()
        self.assertTrue(kept)
        torn = self.buffer / kept[-1]
        if len(kept) > 1:
            torn.write_bytes(torn.read_bytes()[:-1])
        with Receiver(port) as receiver, Daemon(url, self.buffer):
            receiver.wait_for(lambda requests: len(requests) >= max(len(kept) - 1, 1) + 1, SECONDS)
        self.assertFalse(set(kept) & set(self.files()))

    def test_an_end_is_not_held_by_a_server_that_hangs(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
            with Daemon(url, self.buffer) as daemon:
                connection, _ = silent.accept()
                with connection:
                    self.assertEqual(daemon.end(), 0)
        self.assertTrue(self.files())

    def test_a_full_buffer_drops_the_oldest(self):
        port = free_port()
        options = ("--remote-write.buffer-size=65536",)
        with Daemon(f"http://127.0.0.1:{port}/", self.buffer, *options) as daemon:
            daemon.wait_for_log("the buffer is full")
            self.assertGreater(daemon.figures()["dropped_samples_total"], 0)
            self.assertLessEqual(daemon.figures()["pending_bytes"], 65536)
        self.assertEqual(len(daemon.lines("the buffer is full")), 1)

    def test_a_buffer_that_cannot_be_is_reported_and_scrapes_go_on(self):
        with Receiver() as receiver, Daemon(receiver.url, pathlib.Path("/nowhere/at/all")) as daemon:
            daemon.wait_for_log("nothing is sent by remote write: /nowhere/at/all")
            self.assertEqual(daemon.figures(), {})


class WrongOptions(unittest.TestCase):
    def refuse(self, words: str, *options: str) -> None:
        command = [EXPORTER, "node", BURN, *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertEqual(done.returncode, USAGE, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(words, done.stderr)

    def test_a_url_of_no_web_server(self):
        self.refuse("--remote-write.url", "--remote-write.url=ftp://example.org/")

    def test_a_user_without_a_password(self):
        self.refuse("--remote-write.user", "--remote-write.url=http://example.org/", "--remote-write.user=u")


if __name__ == "__main__":
    sys.exit(tap.run(Requests, Failures, WrongOptions))
