#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether the commands of doc/how-to/symptoms.md exist, by what the programs' own help lists.

usage: test-symptoms.py JOBMETRICS-EXPORTER JOBMETRICS-CLI
"""

import pathlib
import re
import subprocess
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

PAGE = TESTS.parent / "doc/how-to/symptoms.md"
PROGRAMS = {"jobmetrics-exporter": sys.argv[1], "jobmetrics-cli": sys.argv[2]}
COMMAND = re.compile(r"(?m)^    (jobmetrics-\S+) (\S+)(.*)$")


class TheCommands(unittest.TestCase):
    def test_exist_with_their_options(self):
        commands = COMMAND.findall(PAGE.read_text(encoding="utf-8"))
        self.assertGreater(len(commands), 10)
        for program, command, rest in commands:
            done = subprocess.run([PROGRAMS[program], command, "--help"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, f"{program} {command}: {done.stderr}")
            for option in re.findall(r"--[\w.-]+", rest):
                self.assertRegex(done.stdout, rf"(?m)^  (-\w, )?{re.escape(option)}[ =\n]", f"{program} {command}")

    def test_follow_each_symptom(self):
        for symptom in re.split(r"(?m)^## ", PAGE.read_text(encoding="utf-8"))[1:]:
            self.assertRegex(symptom, r"(?m)^    \S", symptom.splitlines()[0])


if __name__ == "__main__":
    sys.exit(tap.run(TheCommands))
