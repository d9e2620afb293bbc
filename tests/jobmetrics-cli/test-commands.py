#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line, and what list and show say of the fixtures.

usage: test-commands.py PROGRAM [--update]

--update writes the expected files anew.
"""

import json
import pathlib
import re
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, TESTS, Terminal, call, environment  # noqa: E402

FIXTURES = TESTS / "fixtures"
EXPECTED = TESTS / "expected" / "cli"
EMPTY = f"--path.rootfs={FIXTURES / 'empty'}"
TITLES = "JOBID  USER  ACCOUNT  NAME  CPUS  CPU-TIME  EFF%  MEM  PEAK  LIMIT  PROCS  THREADS  AGE"


class CommandLine(unittest.TestCase):
    def check_usage_error(self, message: str, *arguments: str) -> None:
        done = call(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(message, done.stderr)

    def test_help_lists_the_commands(self):
        done = call("--help")
        self.assertEqual(done.returncode, 0)
        for command in ("list", "show", "run", "doctor"):
            self.assertRegex(done.stdout, rf"(?m)^  {command} ")

    def test_each_command_has_its_help(self):
        for command in ("list", "show", "run", "doctor"):
            done = call(command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn(f"jobmetrics-cli {command} ", done.stdout)
            self.assertIn("--json", done.stdout)

    def test_the_version_is_told(self):
        self.assertRegex(call("--version").stdout, r"^jobmetrics-cli \d+\.\d+\.\d+\n$")

    def test_what_cannot_be_meant_gives_one_message_and_status_2(self):
        self.check_usage_error("command is missing")
        self.check_usage_error("lst", "lst")
        self.check_usage_error("--bad", "--bad")
        self.check_usage_error("--bad", "list", "--bad")
        self.check_usage_error("argument", "list", "argument")
        self.check_usage_error("--color=blue", "list", "--color=blue")
        self.check_usage_error("--path.rootfs=/nowhere", "list", "--path.rootfs=/nowhere")
        self.check_usage_error("--schedulers=/nowhere", "show", "1", "--schedulers=/nowhere")
        self.check_usage_error("job id is missing", "show")
        self.check_usage_error("more than one", "show", "1", "2")
        self.check_usage_error("command is missing", "run", "--")
        self.check_usage_error("--bad", "run", "--bad", "true")

    def test_a_hostile_word_steers_no_terminal(self):
        self.assertNotIn("\033", call("\033[31mlist").stderr)

    def test_a_job_that_is_not_there_gives_status_1(self):
        done = call("show", "4711", EMPTY)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("4711: no such job", done.stderr)

    def test_a_node_without_jobs_is_no_failure(self):
        done = call("list", EMPTY)
        self.assertEqual((done.returncode, done.stdout), (0, TITLES + "\n"))
        self.assertIn("no jobs on this node", done.stderr)

    def test_a_full_disk_is_a_failure(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = call("list", EMPTY, stdout=full)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left on device", done.stderr)

    def test_json_parses_where_there_is_no_job(self):
        done = call("list", "--json", EMPTY)
        self.assertEqual(json.loads(done.stdout)["jobs"], [])


class AtATerminal(unittest.TestCase):
    def list_at_terminal(self, *arguments: str, **options) -> str:
        with Terminal(PROGRAM, "list", EMPTY, *arguments, **options) as terminal:
            return terminal.finish()

    def test_colours_are_for_terminals(self):
        self.assertIn("\033[1m", self.list_at_terminal())
        self.assertNotIn("\033", call("list", EMPTY).stdout)

    def test_colours_are_left_out_where_they_are_unwanted(self):
        self.assertNotIn("\033", self.list_at_terminal(NO_COLOR="1"))
        self.assertNotIn("\033", self.list_at_terminal(TERM="dumb"))
        self.assertNotIn("\033", self.list_at_terminal("--color=never"))

    def test_colours_are_forced_by_an_option_alone(self):
        done = call("list", EMPTY, "--color=always", env=environment(NO_COLOR="1"))
        self.assertIn("\033[1m", done.stdout)

    def test_a_narrow_terminal_loses_the_last_columns(self):
        text = self.list_at_terminal("--color=never", columns=20)
        self.assertIn(TITLES[:20] + "\n", text)
        self.assertNotIn("CPUS", text)


def without_what_varies(text: str) -> str:
    """Takes out what depends on the time that has passed since the job began."""
    lines = []
    for line in text.splitlines():
        if re.match(r"  (Age|Efficiency) ", line):
            line = f"  {line.split()[0]} ..."
        lines.append(line)
    return "\n".join(lines) + "\n"


def without_last_columns(text: str) -> str:
    """A list without EFF% and AGE, its columns one blank apart: their widths vary too."""
    rows = [re.split(r" {2,}", line) for line in text.splitlines()]
    titles = rows[0]
    kept = [index for index, title in enumerate(titles) if title not in ("EFF%", "AGE")]
    return "".join(" | ".join(row[index] for index in kept) + "\n" for row in rows)


def pictures_of(situation: str) -> dict[str, str]:
    """What is compared: the list, and a portrait of each job in it."""
    root = f"--path.rootfs={FIXTURES / situation}"
    listed = call("list", root, "--color=never")
    pictures = {"list": without_last_columns(listed.stdout)}
    for job in json.loads(call("list", "--json", root).stdout)["jobs"]:
        shown = call("show", job["uuid"], root, "--color=never")
        pictures[f"show-{job['jobid']}"] = without_what_varies(shown.stdout).replace(str(FIXTURES), "FIXTURES")
    return pictures


def picture_of(situation: str) -> str:
    return "".join(f"== {name}\n{text}" for name, text in sorted(pictures_of(situation).items()))


def update() -> int:
    EXPECTED.mkdir(exist_ok=True)
    for situation in situations():
        (EXPECTED / f"{situation}.txt").write_text(picture_of(situation), encoding="utf-8")
    return 0


def situations() -> list[str]:
    return sorted(folder.name for folder in FIXTURES.iterdir() if folder.is_dir())


class Fixtures(unittest.TestCase):
    maxDiff = None

    def test_every_fixture_is_shown_as_expected(self):
        for situation in situations():
            file = EXPECTED / f"{situation}.txt"
            expected = file.read_text(encoding="utf-8") if file.exists() else "(test-commands.py --update makes it)"
            self.assertMultiLineEqual(picture_of(situation), expected, situation)

    def test_nothing_in_a_fixture_steers_a_terminal(self):
        for situation in situations():
            for name, text in pictures_of(situation).items():
                self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", f"{situation} {name}")


if __name__ == "__main__":
    sys.exit(update() if "--update" in sys.argv[2:] else tap.run(CommandLine, AtATerminal, Fixtures))
