#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""list and show --watch, at a terminal and elsewhere.

usage: test-watch.py PROGRAM
"""

import csv
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, SECONDS, Terminal, environment  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

FIXTURE = FIXTURES / "slurm-v2-steps"
STEPS = f"--path.rootfs={FIXTURE}"
ENTER = "\033[?1049h"
LEAVE = "\033[?1049l"
HOME = "\033[H"
CLEAR_REST = "\033[J"


def page_of(text: str) -> list[str]:
    """The lines of one page, without what steers the terminal."""
    return re.sub(r"\033\[[?0-9]*[A-Za-z]|\r", "", text).splitlines()


class AtATerminal(unittest.TestCase):
    def watch(self, *arguments: str, **options) -> Terminal:
        return Terminal(PROGRAM, "list", STEPS, "--watch=0.1", *arguments, **options)

    def next_page(self, terminal: Terminal, end: str = CLEAR_REST) -> list[str]:
        terminal.expect(HOME)
        return page_of(terminal.expect(end))

    def test_the_jobs_are_shown_again_and_again(self):
        with self.watch("--color=never", columns=200) as terminal:
            terminal.expect(ENTER)
            for _ in range(3):
                page = self.next_page(terminal)
                self.assertRegex(page[0], r"^jobmetrics-cli list  \d\d:\d\d:\d\d  every 0.1 s, q ends$")
                self.assertIn("JOBID", page[2])
                self.assertEqual([line.split()[0] for line in page[3:7]], ["5", "14", "15", "16"])

    def test_control_c_is_a_good_end_and_gives_the_terminal_back(self):
        with self.watch() as terminal:
            terminal.expect(CLEAR_REST)
            self.assertFalse(terminal.is_echoing())
            terminal.type("\x03")
            terminal.expect("\033[?25h" + LEAVE)
            terminal.finish()
            self.assertEqual(terminal.status, 0)
            self.assertTrue(terminal.is_echoing())

    def test_q_is_a_good_end(self):
        with self.watch() as terminal:
            terminal.expect(CLEAR_REST)
            terminal.type("q")
            terminal.expect(LEAVE)
            terminal.finish()
            self.assertEqual(terminal.status, 0)

    def test_other_keys_are_neither_an_end_nor_seen(self):
        with self.watch("--color=never") as terminal:
            terminal.type("xyz\n")
            terminal.expect(ENTER)
            for _ in range(3):
                self.assertNotIn("xyz", "".join(self.next_page(terminal)))

    def test_a_signal_gives_the_terminal_back(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            with self.watch() as terminal:
                terminal.expect(CLEAR_REST)
                os.kill(terminal.pid, number)
                terminal.expect(LEAVE)
                terminal.finish()
                self.assertEqual(terminal.status, 128 + number)
                self.assertTrue(terminal.is_echoing())

    def test_one_that_is_stopped_gives_the_terminal_back_meanwhile(self):
        with self.watch() as terminal:
            terminal.expect(CLEAR_REST)
            terminal.type("\x1a")
            terminal.expect(LEAVE)
            _, status = os.waitpid(terminal.pid, os.WUNTRACED)
            self.assertTrue(os.WIFSTOPPED(status))
            self.assertTrue(terminal.is_echoing())
            os.kill(terminal.pid, signal.SIGCONT)
            terminal.expect(ENTER)
            terminal.expect(CLEAR_REST)
            self.assertFalse(terminal.is_echoing())
            terminal.type("\x03")
            terminal.expect(LEAVE)
            terminal.finish()
            self.assertEqual(terminal.status, 0)

    def test_a_terminal_that_changes_its_size_is_filled_at_once(self):
        with Terminal(PROGRAM, "list", STEPS, "--watch=3600", "--color=never", columns=40) as terminal:
            terminal.expect(ENTER)
            self.assertNotIn("AGE", "".join(self.next_page(terminal)))
            terminal.resize(columns=200, rows=24)
            self.assertIn("AGE", "".join(self.next_page(terminal)))

    def test_lines_are_as_long_as_the_terminal_is_wide(self):
        for columns in (40, 80, 200):
            with self.watch("--color=never", columns=columns) as terminal:
                terminal.expect(ENTER)
                page = self.next_page(terminal)
                self.assertLessEqual(max(map(len, page[2:])), columns)
                self.assertEqual("AGE" in page[2], columns == 200)

    def test_a_terminal_without_room_says_how_much_is_not_shown(self):
        with self.watch("--color=never", rows=5) as terminal:
            terminal.expect(ENTER)
            page = self.next_page(terminal, end="more lines)")
            self.assertEqual(len(page), 5)
            self.assertEqual(page[-1], "(3 more lines)")

    def test_a_terminal_that_is_far_too_small_does_no_harm(self):
        for rows, columns in ((1, 1), (1, 80), (2, 3), (0, 0)):
            with self.watch(rows=rows, columns=columns) as terminal:
                terminal.expect(HOME)
                terminal.expect(HOME)
                terminal.type("\x03")
                terminal.expect(LEAVE)
                terminal.finish()
                self.assertEqual(terminal.status, 0)

    def test_no_color_is_heeded(self):
        with self.watch(NO_COLOR="1") as terminal:
            terminal.expect(ENTER)
            terminal.expect(HOME)
            self.assertNotRegex(terminal.expect(CLEAR_REST), r"\033\[[0-9;]*m")
        with self.watch() as terminal:
            terminal.expect("\033[1mJOBID")

    def test_a_dumb_terminal_gets_lines_alone(self):
        with self.watch("--columns=jobid", TERM="dumb") as terminal:
            terminal.expect("16\r\n\r\nJOBID")
            terminal.type("\x03")
            self.assertNotIn("\033", terminal.finish())
            self.assertEqual(terminal.status, 0)

    def test_a_job_that_is_not_there_ends_the_watch(self):
        with Terminal(PROGRAM, "show", STEPS, "--watch", "4711") as terminal:
            terminal.expect(LEAVE)
            self.assertIn("4711: no such job on this node", terminal.finish())
            self.assertEqual(terminal.status, 1)

    def test_the_word_after_watch_is_a_job(self):
        with Terminal(PROGRAM, "show", STEPS, "--watch", "5", rows=100) as terminal:
            terminal.expect("every 2 s")
            terminal.expect("Job 5")
            terminal.expect("Steps")


class InTmux(unittest.TestCase):
    """tmux is a terminal that can be asked what is to be seen."""

    def setUp(self):
        if shutil.which("tmux") is None:
            self.skipTest("tmux is not installed")
        self.folder = tempfile.TemporaryDirectory(prefix="jobmetrics-tmux-")
        self.socket = os.path.join(self.folder.name, "socket")

    def tearDown(self):
        self.tmux("kill-server", check=False)
        self.folder.cleanup()

    def tmux(self, *arguments: str, check: bool = True) -> str:
        command = ["tmux", "-S", self.socket, "-f", "/dev/null", *arguments]
        done = subprocess.run(command, env=environment(), capture_output=True, encoding="utf-8", timeout=SECONDS)
        self.assertTrue(not check or done.returncode == 0, done.stderr)
        return done.stdout

    def wait_for(self, pattern: str) -> str:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            text = self.tmux("capture-pane", "-p")
            if re.search(pattern, text):
                return text
            time.sleep(0.05)
        raise AssertionError(f"{pattern!r} did not come; instead: {text!r}")

    def test_the_jobs_are_to_be_seen_and_then_what_was_before(self):
        program = str(pathlib.Path(PROGRAM).resolve())
        self.tmux("new-session", "-d", "-x", "80", "-y", "24", "sh")
        self.tmux("send-keys", "-l", f"echo 'be''fore'; {shlex.join([program, 'list', STEPS])} --watch=0.1; echo 'sta''tus' $?")
        self.tmux("send-keys", "Enter")
        page = self.wait_for(r"(?m)^16 ").splitlines()
        self.assertRegex(page[0], r"^jobmetrics-cli list  .*every 0.1 s, q ends$")
        self.assertRegex(page[2], r"^JOBID  USER  ACCOUNT +NAME ")
        self.assertRegex(page[3], r"^5 +bob +chemistry +steps +running +2 +20\.58s ")
        self.assertNotIn("before", "\n".join(page))
        self.tmux("send-keys", "C-c")
        self.assertIn("before", self.wait_for("status 0"))


class Elsewhere(unittest.TestCase):
    def start(self, *arguments: str) -> subprocess.Popen:
        return subprocess.Popen(
            [PROGRAM, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            encoding="utf-8",
        )

    def read(self, n_lines: int, *arguments: str) -> str:
        """The first lines; then it is interrupted, which is a good end."""
        with self.start(*arguments) as program:
            text = "".join(program.stdout.readline() for _ in range(n_lines))
            program.send_signal(signal.SIGINT)
            program.communicate(timeout=SECONDS)
            self.assertEqual(program.returncode, 0)
        return text

    def test_a_blank_line_parts_the_blocks(self):
        text = self.read(9, "list", STEPS, "--watch=0.1", "--columns=jobid", "--user=bob")
        self.assertEqual(text, "JOBID\n5\n\nJOBID\n5\n\nJOBID\n5\n\n")

    def test_csv_stays_one_table(self):
        text = self.read(9, "list", STEPS, "--watch=0.1", "--csv", "--columns=time,jobid")
        rows = list(csv.reader(text.splitlines()))
        self.assertEqual(rows[0], ["time", "jobid"])
        self.assertEqual([row[1] for row in rows[1:]], ["5", "14", "15", "16"] * 2)
        self.assertLess(float(rows[1][0]), float(rows[5][0]))

    def test_json_is_a_document_in_each_line(self):
        documents = [json.loads(line) for line in self.read(2, "list", STEPS, "--watch=0.1", "--json").splitlines()]
        self.assertLess(documents[0]["time"], documents[1]["time"])
        jobs = [json.loads(line) for line in self.read(2, "show", STEPS, "5", "--watch=0.1", "--json").splitlines()]
        self.assertEqual([job["jobid"] for job in jobs], ["5", "5"])

    def test_what_is_said_on_the_side_is_said_once(self):
        with self.start("list", STEPS, "--watch=0.1", "--user=nobody", "--columns=jobid") as program:
            for _ in range(5):
                program.stdout.readline()
            program.send_signal(signal.SIGINT)
            _, errors = program.communicate(timeout=SECONDS)
        self.assertEqual(errors.count("no job on this node matches"), 1)

    def test_a_job_that_ends_is_shown_as_ended(self):
        with tempfile.TemporaryDirectory(prefix="jobmetrics-watch-") as folder:
            root = pathlib.Path(folder) / "root"
            shutil.copytree(FIXTURE, root, symlinks=True)
            job = next(root.glob("sys/fs/cgroup/**/job_5"))
            with self.start("list", f"--path.rootfs={root}", "--watch=0.1", "--columns=jobid,state", "--no-headers",
                            "--filter=jobid == 5") as program:
                self.assertEqual(program.stdout.readline().split(), ["5", "running"])
                shutil.rmtree(job)
                end = time.monotonic() + SECONDS
                while (line := program.stdout.readline()).split() != ["5", "ended"]:
                    self.assertIn(line.split(), ([], ["5", "running"]))
                    self.assertLess(time.monotonic(), end)
                program.send_signal(signal.SIGINT)
                program.communicate(timeout=SECONDS)
                self.assertEqual(program.returncode, 0)

    def test_a_full_disk_ends_it(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([PROGRAM, "list", STEPS, "--watch=0.1"], stdout=full, stderr=subprocess.PIPE,
                                  env=environment(), encoding="utf-8", timeout=SECONDS)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left on device", done.stderr)


if __name__ == "__main__":
    sys.exit(tap.run(AtATerminal, InTmux, Elsewhere))
