#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The man page and the shells' completions know what the program knows.

usage: test-documents.py PROGRAM
"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "pylib")]
import tap  # noqa: E402
from cli import TESTS, call  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

ROOT = TESTS.parent
# made by the build, beside the program
COMPLETIONS = pathlib.Path(sys.argv[1]).resolve().parent.parent / "data" / "completions"
COMMANDS = (
    *("list", "show", "ledger", "top", "power", "gpus", "queue", "nodes", "partitions", "shares"),
    *("history", "job", "report", "compare", "keep", "suggest", "usage", "waste", "import", "store"),
    *("mail", "alert", "emissions", "metrics", "run", "trace", "doctor", "hook"),
)


def options_of(*command: str) -> set[str]:
    return set(re.findall(r"--([a-z][a-z.-]*)", call(*command, "--help").stdout.partition("Options:")[2]))


def all_options() -> set[str]:
    return options_of().union(*(options_of(command) for command in COMMANDS))


class Documents(unittest.TestCase):
    def test_the_man_page_has_every_option_and_command(self):
        text = (ROOT / "doc/man/jobmetrics-cli.1.scd").read_text(encoding="utf-8")
        for option in all_options():
            self.assertIn(f"*--{option}*", text)
        for command in COMMANDS:
            self.assertIn(f"\n*{command}*", text)

    def test_the_man_page_has_no_other_option(self):
        text = (ROOT / "doc/man/jobmetrics-cli.1.scd").read_text(encoding="utf-8")
        options = text.partition("# OPTIONS")[2].partition("# RUNNING")[0]
        self.assertEqual(set(re.findall(r"\*--([a-z.-]+)\*", options)), all_options())

    def test_each_command_has_a_page_with_its_options(self):
        script = [sys.executable, ROOT / "doc/man/command-page.py", ROOT / "doc/man/jobmetrics-cli.1.scd"]
        names = subprocess.run(script, check=True, capture_output=True, text=True).stdout.split()
        self.assertEqual(set(names), set(COMMANDS))
        for name in names:
            page = subprocess.run([*script, name], check=True, capture_output=True, text=True).stdout
            self.assertRegex(page, rf"\A(?s:jobmetrics-cli-{name}\(1\) .*# NAME\n\njobmetrics-cli-{name} - \w.*# SYNOPSIS\n\n\*jobmetrics-cli {name}\*.*# DESCRIPTION\n\n\S)")
            self.assertEqual({option for option in options_of(name) if f"*--{option}*" not in page}, set(), name)

    def test_the_examples_can_be_meant(self):
        text = (ROOT / "doc/man/jobmetrics-cli.1.scd").read_text(encoding="utf-8")
        examples = re.findall(r"(?m)^jobmetrics-cli (list|metrics) (.*)$", text.partition("# EXAMPLES")[2])
        self.assertGreater(len(examples), 5)
        for command, options in examples:
            words = [word for word in shlex.split(options) if not word.startswith("--watch")]
            words = words[: words.index(">")] if ">" in words else words
            done = call(command, *words, f"--path.rootfs={FIXTURES / 'slurm-v2-steps'}")
            self.assertEqual(done.returncode, 0, (options, done.stderr))

    def test_every_shell_knows_every_option(self):
        for file, form in (("jobmetrics-cli", "--{}"), ("_jobmetrics-cli", "--{}"), ("jobmetrics-cli.fish", "-l {} ")):
            text = (COMPLETIONS / file).read_text(encoding="utf-8")
            for option in all_options():
                self.assertIn(form.format(option), text, file)

    def test_the_other_shells_can_read_theirs(self):
        lacking = [shell for shell in ("zsh", "fish") if shutil.which(shell) is None]
        if lacking:
            self.skipTest(f"{' and '.join(lacking)} not installed")
        subprocess.run(["zsh", "-n", COMPLETIONS / "_jobmetrics-cli"], check=True)
        subprocess.run(["fish", "-n", COMPLETIONS / "jobmetrics-cli.fish"], check=True)


if __name__ == "__main__":
    sys.exit(tap.run(Documents))
