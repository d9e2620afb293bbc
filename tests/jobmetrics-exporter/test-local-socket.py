#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The socket for those on the machine: who is let in, and what hooks of schedulers ask of the node's daemon.

usage: test-local-socket.py WEB-SERVER EXPORTER HANGING-EXPORTER
"""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

from local import ALICE, ASK, SECONDS, STRANGER, LocalTest, message_of, needs_root  # noqa: E402

SERVER, EXPORTER, HANGING_EXPORTER = map(os.path.abspath, sys.argv[1:4])


class WhoIsLetIn(LocalTest):
    def start(self, config: str | None = None) -> subprocess.Popen:
        command = [SERVER, "--listen", "127.0.0.1:0", "--local", str(self.socket)]
        if config is not None:
            (self.folder / "web.yml").write_text(config)
            command += ["--config", str(self.folder / "web.yml")]
        process = self.launch(command, "^ready$", "stdout")
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", self.said)[1])
        return process

    def test_every_user_may_open_the_socket(self):
        self.start()
        info = self.socket.stat()
        self.assertTrue(stat.S_ISSOCK(info.st_mode))
        self.assertEqual(info.st_mode & 0o777, 0o666)

    def test_the_kernel_says_who_connects(self):
        self.start()
        status, text = self.ask("/root")
        self.assertEqual((status, text.split()[0]), (200, str(os.geteuid())))
        self.assertGreater(int(text.split()[1]), 1)

    def test_another_user_is_known_and_is_not_root(self):
        needs_root()
        self.start()
        status, text = self.ask("/known", uid=STRANGER)
        self.assertEqual((status, text.split()[0]), (200, str(STRANGER)))
        self.assertEqual(self.ask("/root", uid=STRANGER)[0], 403)
        self.assertEqual(self.ask("/open", uid=STRANGER), (200, "small\n"))

    def test_another_user_does_not_get_past_web_yml(self):
        needs_root()
        for config in (None, f"basic_auth_users:\n  alice: {ALICE}\n"):
            with self.subTest(config=config):
                process = self.start(config)
                self.assertEqual(self.ask("/small", uid=STRANGER)[0], 403)
                self.assertEqual(self.ask("/nothing", uid=STRANGER)[0], 403)
                self.assertEqual(self.ask("/small"), (200, "small\n"))
                process.send_signal(signal.SIGTERM)
                process.wait(SECONDS)

    def test_what_is_for_root_is_not_for_the_network(self):
        self.start()
        status, text = self.ask_by_network("/root")
        self.assertEqual(status, 403)
        self.assertIn("--web.local-socket", text)

    def test_the_network_gets_nothing_of_persons_before_web_yml_knows_users(self):
        self.start()
        status, text = self.ask_by_network("/known")
        self.assertEqual(status, 403)
        self.assertIn("basic_auth_users", text)
        self.assertIn("--web.config.file", text)

    def test_the_network_logs_in_where_web_yml_knows_users(self):
        self.start(f"basic_auth_users:\n  alice: {ALICE}\n")
        self.assertEqual(self.ask_by_network("/known")[0], 401)
        self.assertEqual(self.ask_by_network("/root")[0], 403)

    def test_a_limit_of_rate_is_for_the_network(self):
        self.start("rate_limit:\n  interval: 1h\n  burst: 1\n")
        self.assertEqual(self.ask_by_network("/open")[0], 200)
        self.assertEqual(self.ask_by_network("/open")[0], 429)
        self.assertEqual([self.ask("/root")[0] for _ in range(3)], [200] * 3)

    def test_one_user_takes_no_more_than_a_few_connections(self):
        needs_root()
        self.start()
        hold = "import socket, sys, time\n" + ASK.split("client =")[0]
        hold += "all = [socket.socket(socket.AF_UNIX) for _ in range(6)]\nfor one in all:\n    one.connect(sys.argv[2])\n"
        hold += "    one.settimeout(20)\nopen = []\nimport select\nwhile len(select.select(all, [], [], 20)[0]) < 4:\n    pass\n"
        hold += "print('held', flush=True)\nsys.stdin.read()\n"
        command = [sys.executable, "-I", "-c", hold, str(STRANGER), str(self.socket)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with subprocess.Popen(command, text=True, cwd="/", **pipes) as holder:
            self.assertEqual(holder.stdout.readline(), "held\n")
            self.assertEqual(self.ask("/known", uid=STRANGER)[0], 0)
            self.assertEqual(self.ask("/known", uid=STRANGER - 1)[0], 200)
            self.assertEqual(self.ask("/root")[0], 200)
            holder.stdin.close()

    def test_a_socket_of_a_killed_daemon_is_taken_over_and_a_living_one_is_not(self):
        first = self.start()
        refused = subprocess.run([SERVER, "--local", self.socket], capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("--web.local-socket: cannot listen on", refused.stderr)
        self.assertIn("another process listens there", refused.stderr)
        first.kill()
        first.wait(SECONDS)
        self.assertTrue(self.socket.exists())
        self.start()
        self.assertEqual(self.ask("/root")[0], 200)

    def test_a_path_that_is_none_is_refused(self):
        for path in ("relative", "/" + "a" * 200):
            done = subprocess.run([SERVER, "--local", path], capture_output=True, text=True, timeout=SECONDS, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("--web.local-socket: not an absolute path", done.stderr)


class WhatHooksAsk(LocalTest):
    def start(self, *options: str, program: str = EXPORTER, **variables: str) -> None:
        command = [program, "node", "--web.listen-address=127.0.0.1:0", f"--web.local-socket={self.socket}"]
        command += [f"--path.rootfs={FIXTURES / 'slurm-v2-burn'}", *options]
        self.launch(command, r"listening on unix:", "stderr", **variables)

    def test_a_job_is_read_when_a_hook_says_so(self):
        self.start()
        for path in ("/hook/prolog", "/hook/epilog"):
            status, text = self.ask(path, b"job=1&scheduler=slurm")
            self.assertEqual((status, json.loads(text)), (200, {"job": "1", "found": True}))

    def test_a_job_that_is_not_there_is_no_failure(self):
        self.start()
        status, text = self.ask("/hook/prolog", b"job=4711")
        self.assertEqual((status, json.loads(text)), (200, {"job": "4711", "found": False}))

    def test_an_id_as_any_scheduler_writes_it_is_taken(self):
        self.start()
        for job, sent in {"1235[7].pbs01": b"1235%5B7%5D.pbs01", "12.3": b"12.3", "fuZZybuNNy": b"fuZZybuNNy"}.items():
            status, text = self.ask("/hook/epilog", b"job=" + sent)
            self.assertEqual((status, json.loads(text)["job"]), (200, job))

    def test_what_is_no_call_of_a_hook_learns_what_is_wrong(self):
        self.start()
        bodies = {b"": "job", b"job": "job", b"job=": "job", b"job=1&job=2": "job", b"job=../7": "../7", b"job=7%0a8": "7\\n8"}
        bodies |= {b"job=%ff": "form", b"job=7\0": "form", b"job=" + b"7" * 129: "job", b"job=7&scheduler=x%2fy": "x/y", b"{}": "job"}
        for body, word in bodies.items():
            with self.subTest(body=body):
                status, text = self.ask("/hook/prolog", body)
                self.assertEqual(status, 400)
                self.assertIn(word, text)
                self.assertEqual(text.count("\n"), 1)
        self.assertEqual(self.ask("/hook/prolog", b"job=" + b"7" * 2000)[0], 413)
        self.assertEqual(self.ask("/hook/prolog")[0], 405)

    def test_our_own_hook_is_understood(self):
        self.start()
        for event in ("prolog", "epilog"):
            command = [os.environ["JM_TEST_HOOK"], event, f"--socket={self.socket}", f"--directory={self.folder}", "--wait=20"]
            done = subprocess.run(command, env={"SLURM_JOB_ID": "1"}, capture_output=True, timeout=SECONDS, check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))

    def test_another_user_is_no_hook(self):
        needs_root()
        self.start()
        self.assertEqual(self.ask("/hook/epilog", b"job=1", uid=STRANGER)[0], 403)
        self.assertEqual(self.ask("/metrics", uid=STRANGER)[0], 403)

    def test_whom_the_daemon_runs_as_is_a_hook(self):
        needs_root()
        self.folder.chmod(0o777)
        # who may not enter the tree has them where anybody may
        program = shutil.copy(EXPORTER, self.folder)
        root = shutil.copytree(FIXTURES / "slurm-v2-burn", self.folder / "root", symlinks=True)
        options = [f"--path.rootfs={root}", f"--web.local-socket={self.socket}"]
        switch = "import os, sys\nos.setgroups([])\nos.setgid(int(sys.argv[1]))\nos.setuid(int(sys.argv[1]))\nos.execv(sys.argv[2], sys.argv[2:])"
        command = [sys.executable, "-I", "-c", switch, str(STRANGER), program, "node", "--web.listen-address=127.0.0.1:0", *options]
        self.launch(command, r"listening on unix:", "stderr")
        for uid in (STRANGER, None):
            self.assertEqual(self.ask("/hook/epilog", b"job=1", uid=uid)[0], 200)
        self.assertEqual(self.ask("/hook/epilog", b"job=1", uid=STRANGER - 1)[0], 403)

    def test_a_hook_that_has_gone_is_no_harm(self):
        self.start()
        for _ in range(20):
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(self.socket))
                client.sendall(message_of("/hook/prolog", b"job=1"))
        self.assertEqual(self.ask("/hook/prolog", b"job=1")[0], 200)

    def test_a_sweep_that_hangs_keeps_no_hook_for_long(self):
        hang = self.folder / "hang"
        hang.touch()
        self.start(program=HANGING_EXPORTER, HANG_WHILE=str(hang))
        status, text = self.ask("/hook/epilog", b"job=1")
        hang.unlink()
        self.assertEqual((status, json.loads(text)), (202, {"job": "1", "found": None}))
        self.assertEqual(self.ask("/hook/epilog", b"job=1")[0], 200)

    def test_the_socket_is_gone_when_the_daemon_is(self):
        command = [EXPORTER, "node", "--web.listen-address=127.0.0.1:0", f"--web.local-socket={self.socket}"]
        process = self.launch([*command, f"--path.rootfs={FIXTURES / 'slurm-v2-burn'}"], r"listening on unix:", "stderr")
        self.assertTrue(self.socket.exists())
        process.send_signal(signal.SIGTERM)
        process.wait(SECONDS)
        self.assertFalse(self.socket.exists())


if __name__ == "__main__":
    sys.exit(tap.run(WhoIsLetIn, WhatHooksAsk))
