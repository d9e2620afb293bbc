#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The man page and the shells' completions know what the program knows.

usage: test-documents.py PROGRAM
"""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, TESTS, call, environment  # noqa: E402

ROOT = TESTS.parent
COMPLETIONS = ROOT / "data" / "completions"
BASH = COMPLETIONS / "jobmetrics-cli"
COMMANDS = ("list", "show", "run", "doctor")


def options_of(*command: str) -> set[str]:
    return set(re.findall(r"--([a-z][a-z.]*)", call(*command, "--help").stdout.partition("Options:")[2]))


def all_options() -> set[str]:
    return options_of().union(*(options_of(command) for command in COMMANDS))


def complete(*words: str) -> list[str]:
    """What bash offers for the last of the words."""
    quoted = " ".join(f"'{word}'" for word in words)
    script = f"""
        compopt() {{ :; }}
        source '{BASH}'
        COMP_WORDS=({quoted}) COMP_CWORD={len(words) - 1}
        _jobmetrics_cli
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    path = f"{pathlib.Path(PROGRAM).resolve().parent}:/usr/bin:/bin"
    done = subprocess.run(["bash", "-c", script], env=environment(PATH=path), capture_output=True, encoding="utf-8")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return done.stdout.split()


class Documents(unittest.TestCase):
    def test_the_man_page_tells_every_option_and_command(self):
        text = (ROOT / "doc/man/jobmetrics-cli.1.scd").read_text(encoding="utf-8")
        for option in all_options():
            self.assertIn(f"*--{option}*", text)
        for command in COMMANDS:
            self.assertIn(f"\n*{command}*", text)

    def test_the_man_page_tells_of_no_other_option(self):
        text = (ROOT / "doc/man/jobmetrics-cli.1.scd").read_text(encoding="utf-8")
        options = text.partition("# OPTIONS")[2].partition("# RUNNING")[0]
        self.assertEqual(set(re.findall(r"\*--([a-z.]+)\*", options)), all_options())

    def test_every_shell_knows_every_option(self):
        for file, form in (("jobmetrics-cli", "--{}"), ("_jobmetrics-cli", "--{}"), ("jobmetrics-cli.fish", "-l {} ")):
            text = (COMPLETIONS / file).read_text(encoding="utf-8")
            for option in all_options():
                self.assertIn(form.format(option), text, file)

    def test_bash_completes_commands_and_their_own_options(self):
        self.assertEqual(complete("jobmetrics-cli", "s"), ["show"])
        for command in COMMANDS:
            offered = {word.strip("-=") for word in complete("jobmetrics-cli", command, "--")}
            self.assertEqual(offered, options_of(command), command)

    def test_bash_completes_values(self):
        self.assertEqual(complete("jobmetrics-cli", "list", "--color", "=", "al"), ["always"])
        self.assertEqual(complete("jobmetrics-cli", "list", "--color", "="), ["auto", "always", "never"])
        self.assertEqual(complete("jobmetrics-cli", "list", "--path.rootfs", "=", "/us"), ["/usr"])

    def test_the_other_shells_can_read_theirs(self):
        lacking = [shell for shell in ("zsh", "fish") if shutil.which(shell) is None]
        if lacking:
            self.skipTest(f"{' and '.join(lacking)} not installed")
        subprocess.run(["zsh", "-n", COMPLETIONS / "_jobmetrics-cli"], check=True)
        subprocess.run(["fish", "-n", COMPLETIONS / "jobmetrics-cli.fish"], check=True)


if __name__ == "__main__":
    sys.exit(tap.run(Documents))
