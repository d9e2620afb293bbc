#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What bash, zsh and fish offer when a command line is half typed.

usage: test-completions.py PROGRAM

The jobs are those of a fixture: what the shells call is a script that names it to the program.
"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, SECONDS, TESTS, Terminal, call, environment  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

# made by the build, beside the program
COMPLETIONS = pathlib.Path(PROGRAM).resolve().parent.parent / "data" / "completions"
EXPORTER = COMPLETIONS.parent.parent / "jobmetrics-exporter" / "jobmetrics-exporter"
FIXTURE = FIXTURES / "slurm-v2-steps"
JOBS = ["14", "15", "16", "5"]
COMMANDS = ["alert", "compare", "doctor", "emissions", "gpus", "history", "hook", "import", "job", "keep", "ledger", "list", "mail", "metrics", "nodes", "partitions", "power", "queue", "report", "run", "shares", "show", "store", "suggest", "top", "trace", "usage", "waste"]
COLLECTORS_WITH_P = ["percpu", "perf", "pids", "power", "pressure", "process"]


def options_of(*command: str) -> set[str]:
    """As the program itself reports them."""
    return set(re.findall(r"(?m)^  (?:-\w, )?(--[a-z][a-z.-]*)", call(*command, "--help").stdout))


class Shell(unittest.TestCase):
    """What must be the same in each of them; complete() says how to ask one."""

    shell: str

    def setUp(self):
        if shutil.which(self.shell) is None:
            self.skipTest(f"{self.shell} is not installed")
        folder = tempfile.TemporaryDirectory(prefix="jobmetrics-completions-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.install_program(f'exec {shlex.quote(str(pathlib.Path(PROGRAM).resolve()))} "$@"')
        self.environment = environment(
            PATH=f"{self.folder}:/usr/local/bin:/usr/bin:/bin", HOME=str(self.folder), FIXTURE=str(FIXTURE)
        )

    def install_program(self, last_line: str) -> None:
        """In its place a script that looks at the fixture, where the program takes the option for it."""
        script = self.folder / "jobmetrics-cli"
        script.write_text(f'#!/bin/sh\nset -- "$@" --path.rootfs="$FIXTURE"\n{last_line}\n', encoding="utf-8")
        script.chmod(0o755)

    def complete(self, line: str) -> list[str]:
        raise NotImplementedError


def for_each_shell(case: type[Shell]) -> type[Shell]:
    """tap runs what a class itself defines."""

    def test_commands_are_offered(self):
        self.assertEqual(self.complete("jobmetrics-cli "), COMMANDS)
        self.assertEqual(self.complete("jobmetrics-cli sho"), ["show"])

    def test_each_command_has_its_own_options(self):
        for command in COMMANDS:
            self.assertEqual(set(self.complete(f"jobmetrics-cli {command} --")), options_of(command), command)

    def test_jobs_are_offered_that_run(self):
        self.assertEqual(self.complete("jobmetrics-cli show "), JOBS)
        self.assertEqual(self.complete("jobmetrics-cli show 5 1"), ["14", "15", "16"])

    def test_columns_are_offered_one_after_the_other(self):
        self.assertEqual(self.complete("jobmetrics-cli list --columns=memory_u"),
                         ["memory_unevictable_bytes", "memory_unlimited", "memory_used_bytes", "memory_used_percent"])
        self.assertEqual(self.complete("jobmetrics-cli list --columns=jobid,clu"), ["cluster"])
        self.assertEqual(self.complete("jobmetrics-cli list --sort=jobid,-memory_l"), ["memory_limit_bytes"])

    def test_the_columns_of_ledger_are_its_own(self):
        self.assertEqual(self.complete("jobmetrics-cli ledger --columns=jobid,cpu_o"), ["cpu_observed_percent"])
        self.assertEqual(self.complete("jobmetrics-cli ledger --state="), ["ended", "lost", "running"])
        self.assertIn("yesterday", self.complete("jobmetrics-cli top --at="))
        self.assertEqual(self.complete("jobmetrics-cli ledger --format=l"), ["lines"])

    def test_the_columns_of_top_are_offered_in_either_order(self):
        self.assertEqual(self.complete("jobmetrics-cli top --sort=pre"), ["pressure%"])
        self.assertEqual(self.complete("jobmetrics-cli top --sort=-cpu"), ["cpu%", "cpu-time", "cpus"])

    def test_a_value_may_be_a_word_of_its_own(self):
        self.assertEqual(self.complete("jobmetrics-cli list --columns memory_u"),
                         ["memory_unevictable_bytes", "memory_unlimited", "memory_used_bytes", "memory_used_percent"])
        self.assertEqual(self.complete("jobmetrics-cli list --color a"), ["always", "auto"])
        self.assertEqual(self.complete("jobmetrics-cli metrics --format j"), ["json"])
        self.assertIn("--csv", self.complete("jobmetrics-cli list --watch --c"))

    def test_what_follows_the_command_of_run_is_its_own(self):
        for words in ("-- make", "make", "--name build make", "--name=build -- make", "--json make -j4"):
            self.assertEqual(options_of("run") & set(self.complete(f"jobmetrics-cli run {words} -")) - {"--help", "--version"},
                             set(), words)
            self.assertEqual(options_of("run") & set(self.complete(f"jobmetrics-cli run {words} --")) - {"--help", "--version"},
                             set(), words)
        self.assertIn("--power.source", self.complete("jobmetrics-cli run --name build --power"))

    def test_collectors_are_offered(self):
        self.assertEqual(self.complete("jobmetrics-cli metrics --collect=p"), COLLECTORS_WITH_P)
        self.assertEqual(self.complete("jobmetrics-cli metrics --exclude=memory."), ["memory.stat"])

    def test_metrics_are_offered(self):
        self.assertEqual(self.complete("jobmetrics-cli metrics --metrics.include=jobmetrics_job_cpus"),
                         ["jobmetrics_job_cpus"])

    def test_values_are_offered(self):
        self.assertEqual(self.complete("jobmetrics-cli list --color=a"), ["always", "auto"])
        self.assertEqual(self.complete("jobmetrics-cli list --state="), ["ended", "running"])
        self.assertEqual(self.complete("jobmetrics-cli metrics --format=j"), ["json"])
        self.assertEqual([path.strip("/") for path in self.complete("jobmetrics-cli list --path.rootfs=/us")], ["usr"])

    def test_sources_and_providers_are_offered_that_there_are(self):
        for option, name in (("--power.source", "sources"), ("--emissions.provider", "providers")):
            told = call("metrics", "--power.source=estimate", f"{option}=moods").stderr
            known = told.partition("that there are: ")[2].strip().split(", ")
            offered = self.complete(f"jobmetrics-cli list {option}=")
            self.assertEqual(sorted(set(offered) - {"auto"}), sorted(known), name)

    def test_a_program_that_fails_costs_its_offers_and_says_nothing(self):
        self.install_program("echo trouble >&2; exit 1")
        self.assertEqual(self.complete("jobmetrics-cli show 1"), [])
        self.assertEqual(self.complete("jobmetrics-cli list --columns=mem"), [])

    def test_the_daemon_has_its_own(self):
        self.assertEqual(sorted(self.complete("jobmetrics-exporter ")), ["cluster", "node", "server"])
        for role in "node", "cluster", "server":
            told = subprocess.run([EXPORTER, role, "--help"], capture_output=True, text=True, check=True).stdout
            options = set(re.findall(r"(?m)^  (?:-\w, )?(--[a-z][a-z.-]*)", told)) | {"--version"}
            self.assertEqual(set(self.complete(f"jobmetrics-exporter {role} --")), options, role)
        self.assertEqual(self.complete("jobmetrics-exporter cluster --log.level=d"), ["debug"])
        self.assertEqual(self.complete("jobmetrics-exporter --web.t"), ["--web.telemetry-path"])
        self.assertEqual(self.complete("jobmetrics-exporter node --log.level=d"), ["debug"])
        self.assertEqual(self.complete("jobmetrics-exporter node --log.level d"), ["debug"])
        self.assertIn("estimate", self.complete("jobmetrics-exporter node --power.source="))

    for name, test in list(locals().items()):
        if name.startswith("test_"):
            setattr(case, name, test)
    return case


@for_each_shell
class Bash(Shell):
    shell = "bash"

    def complete(self, line: str) -> list[str]:
        words = re.findall(r"=|[^= ]+", line) + ([""] if line.endswith(" ") else [])
        script = """
            compopt() { :; }
            source "$0"
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            "_${1//-/_}"
            printf '%s\\n' "${COMPREPLY[@]}"
        """
        done = subprocess.run(
            ["bash", "-c", script, COMPLETIONS / words[0], *words],
            env=self.environment, capture_output=True, encoding="utf-8", timeout=SECONDS,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        offered = {re.sub(r"^(.*,)?(-(?!-))?", "", word) for word in done.stdout.split()}
        if not line.endswith("--"):
            offered -= {"--help", "--version"}
        return sorted({word.removesuffix("=") for word in offered})

    def test_the_orders_of_history_are_offered_in_either_order(self):
        self.assertEqual(self.complete("jobmetrics-cli history --sort=sub"), ["submit", "submit_time", "submitted"])
        self.assertEqual(self.complete("jobmetrics-cli history --sort=-cpu_u"), ["cpu_unused_seconds", "cpu_user_seconds"])


@for_each_shell
class Fish(Shell):
    shell = "fish"

    def complete(self, line: str) -> list[str]:
        script = f"source {shlex.quote(str(COMPLETIONS))}/{line.split()[0]}.fish; complete -C {shlex.quote(line)}"
        done = subprocess.run(
            ["fish", "--no-config", "-c", script],
            env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=SECONDS,
        )
        self.assertEqual(done.stderr, "")
        offered = [word.partition("\t")[0] for word in done.stdout.splitlines()]
        # fish 4 lists words that have the letters anywhere, too, and shows those with the best match alone
        start = line.rpartition(" ")[2]
        offered = [word for word in offered if word.startswith(start)] or offered
        return sorted({re.sub(r"^(--[a-z.]+=)?(.*,)?(-(?!-))?", "", word).rstrip("/=") or word.rstrip("=") for word in offered})


@for_each_shell
class Zsh(Shell):
    """zsh completes at a terminal alone. What it would insert or list is distinguished by asking compadd."""

    shell = "zsh"

    def complete(self, line: str) -> list[str]:
        (self.folder / ".zshrc").write_text(
            f"""
            PS1='ready> '; unsetopt zle_bracketed_paste prompt_cr prompt_sp
            fpath=({shlex.quote(str(COMPLETIONS))} $fpath)
            autoload -Uz compinit; compinit -u -d {self.folder}/dump
            zstyle ':completion:*' verbose no
            compadd() {{
                local -a found
                builtin compadd -O found "$@"
                print -rl -- $found >> {self.folder}/offered
                builtin compadd "$@"
            }}
            tell() {{ zle complete-word; zle kill-whole-line; zle -M 'that is all'; }}
            zle -N tell; bindkey '^T' tell
            """,
            encoding="utf-8",
        )
        (self.folder / "offered").write_text("", encoding="utf-8")
        with Terminal("zsh", "-i", columns=200, **{**self.environment, "ZDOTDIR": str(self.folder)}) as terminal:
            terminal.expect("ready> ")
            terminal.type(line + "\x14")
            self.assertNotIn("trouble", terminal.expect("that is all"))
        offered = (self.folder / "offered").read_text(encoding="utf-8").split()
        # where no value fits, zsh looks among the options, of which it then inserts none
        is_value = "=" in line
        return sorted({word.partition("=")[0] for word in offered if not (is_value and word.startswith("--"))})


if __name__ == "__main__":
    sys.exit(tap.run(Bash, Fish, Zsh))
