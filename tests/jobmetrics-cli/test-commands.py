#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line, and what its commands say of the fixtures.

usage: test-commands.py PROGRAM [--update]

--update writes the expected files anew.
"""

import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, SECONDS, TESTS, Terminal, call, environment  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

EXPECTED = TESTS / "expected" / "cli"
EMPTY = f"--path.rootfs={FIXTURES / 'empty'}"
STEPS = f"--path.rootfs={FIXTURES / 'slurm-v2-steps'}"
HOSTILE = f"--path.rootfs={FIXTURES / 'hostile'}"
COMMANDS = (
    *("list", "show", "ledger", "top", "power", "gpus", "queue", "nodes", "partitions", "shares", "history", "job", "report", "compare", "keep", "suggest", "usage", "waste"),
    *("import", "store", "emissions", "metrics", "run", "trace", "doctor", "mail", "alert", "hook"),
)
TITLES = "JOBID  USER  ACCOUNT  NAME  STATE  CPUS  CPU-TIME  EFF%  MEM  PEAK  MEM-LIMIT  PROCS  THREADS  AGE"


class CommandLine(unittest.TestCase):
    def check_usage_error(self, message: str, *arguments: str) -> None:
        done = call(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(message, done.stderr)

    def test_help_lists_the_commands(self):
        done = call("--help")
        self.assertEqual(done.returncode, 0)
        for command in COMMANDS:
            self.assertRegex(done.stdout, rf"(?m)^  {command} ")
        self.assertEqual(len(re.findall(r"(?m)^  [a-z]+ ", done.stdout.partition("Commands:\n")[2])), len(COMMANDS))

    def test_each_command_has_its_help(self):
        for command in COMMANDS:
            done = call(command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn(f"jobmetrics-cli {command} ", done.stdout)

    def test_help_begins_with_examples_that_work(self):
        # hook is a program of its own, for schedulers
        for command in COMMANDS[:-1]:
            done = call("help", command)
            self.assertEqual((done.returncode, done.stdout), (0, call(command, "--help").stdout))
            examples = re.findall(r"(?m)^  jobmetrics-cli (\S+)(.*)$", done.stdout.partition("Examples:\n")[2].partition("\n\n")[0])
            self.assertTrue(examples, command)
            for name, arguments in examples:
                self.assertEqual(name, command)
                for option in re.findall(r"--[a-z.-]+", arguments):
                    self.assertRegex(done.stdout.partition("Options:\n")[2], rf"(?m)^  (-., )?{option}\b")
        self.assertEqual(call("help").stdout, call("--help").stdout)

    def test_a_mistyped_word_gets_the_one_that_it_is_like(self):
        for arguments, like in ((["hisotry"], "history"), (["repot", "7"], "report"), (["hist"], "history"), (["history", "--colums=jobid"], "--columns"), (["list", "--jsn"], "--json")):
            self.check_usage_error(f"did you mean {like}?", *arguments)
        for arguments in (["frobnicate"], ["list", "--frobnicate"], ["list", "-x"]):
            self.assertNotIn("did you mean", call(*arguments).stderr)

    def test_the_version_is_reported(self):
        self.assertRegex(call("--version").stdout, r"^jobmetrics-cli \d+\.\d+\.\d+\n$")

    def test_what_is_invalid_gives_one_message_and_status_2(self):
        self.check_usage_error("command is missing")
        self.check_usage_error("lst", "lst")
        self.check_usage_error("--bad", "--bad")
        self.check_usage_error("--bad", "list", "--bad")
        self.check_usage_error("argument", "list", "argument")
        self.check_usage_error("--color=blue", "list", "--color=blue")
        self.check_usage_error("--path.rootfs=/nowhere", "list", "--path.rootfs=/nowhere")
        self.check_usage_error("--schedulers=/nowhere", "show", "1", "--schedulers=/nowhere")
        self.check_usage_error("name a JOB", "show")
        self.check_usage_error("--state=asleep", "list", "--state=asleep")
        self.check_usage_error("cpus > : at character 8", "list", "--filter=cpus > ")
        self.check_usage_error("no such column: 'moods'", "list", "--columns=moods")
        self.check_usage_error("no such column: '-moods'", "list", "--sort=-moods")
        self.check_usage_error("cannot be combined", "list", "--csv", "--json")
        self.check_usage_error("--watch=soon", "list", "--watch=soon")
        self.check_usage_error("--watch=0", "show", "1", "--watch=0")
        self.check_usage_error("--watch=nan", "show", "1", "--watch=nan")
        self.check_usage_error("argument", "metrics", "argument")
        self.check_usage_error("--format=xml: not one of prometheus", "metrics", "--format=xml")
        self.check_usage_error("--sample.level=node: not one of job", "metrics", "--sample.level=node")
        self.check_usage_error("--collect=moods: no such collector", "metrics", "--collect=moods")
        self.check_usage_error("cannot be combined", "metrics", "--collect=cpu", "--exclude=io")
        self.check_usage_error("--metrics.include: no metric", "metrics", "--metrics.include=moods*")
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


    def test_a_short_option_means_the_same_in_every_command(self):
        meant = {}
        for name in COMMANDS:
            for letter, option in re.findall(r"(?m)^  -([A-Za-z]), --([a-z-]+)", call(name, "--help").stdout):
                meant.setdefault(letter, set()).add(option)
        same = ({"job", "jobid"}, {"limit", "count"}, {"qos", "quiet"})
        self.assertEqual({letter: options for letter, options in meant.items() if len(options) > 1 and options not in same}, {})
        self.assertEqual(meant["u"], {"user"})

    def test_help_has_where_files_are_behind_what_is_wanted(self):
        options = re.findall(r"(?m)^ .* --([a-z.-]+)", call("list", "--help").stdout)
        self.assertLess(options.index("columns"), options.index("path.rootfs"))
        self.assertLess(options.index("user"), options.index("gpu.source"))
        self.assertLess(max(len(line.split("  ")[1]) for line in call("list", "--help").stdout.splitlines() if line.startswith("  -")), 40)


class ClosedOutput(unittest.TestCase):
    """What is read by head, or by nobody."""

    def list_into_closed_pipe(self, *arguments: str, restore_signals: bool) -> tuple[int, bytes]:
        program = subprocess.Popen(
            [PROGRAM, "list", STEPS, "--watch=0.1", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            restore_signals=restore_signals,
        )
        program.stdout.readline()
        program.stdout.close()
        with program.stderr:
            return program.wait(timeout=30), program.stderr.read()

    def test_an_output_that_is_closed_early_ends_the_program_without_a_word(self):
        for form in ("--csv", "--json", "--color=never"):
            self.assertEqual(self.list_into_closed_pipe(form, restore_signals=True), (-13, b""))

    def test_so_it_does_where_the_signal_of_it_is_ignored(self):
        # Python ignores SIGPIPE, and hands that down
        self.assertEqual(self.list_into_closed_pipe(restore_signals=False), (128 + 13, b""))

    def test_head_gets_its_line(self):
        script = 'set -o pipefail; "$0" metrics "$1" | head -1'
        done = subprocess.run(
            ["bash", "-c", script, PROGRAM, STEPS], env=environment(), capture_output=True, encoding="utf-8"
        )
        self.assertIn(done.returncode, (0, 141))
        self.assertEqual(len(done.stdout.splitlines()), 1)
        self.assertEqual(done.stderr, "")


def jobs_listed(*arguments: str) -> list[str]:
    return call("list", STEPS, "--columns=jobid", "--no-headers", *arguments).stdout.split()


class List(unittest.TestCase):
    def test_columns_are_chosen_by_name(self):
        done = call("list", STEPS, "--columns=name,jobid,MEM,qos,memory_rss_bytes", "--user=bob")
        self.assertEqual([line.split() for line in done.stdout.splitlines()], [
            ["NAME", "JOBID", "MEM", "QOS", "MEMORY-RSS-BYTES"],
            ["steps", "5", "47MiB", "normal", "45MiB"],
        ])

    def test_every_column_is_described_and_can_be_shown(self):
        listed = [line.split()[0] for line in call("list", "--columns=help").stdout.splitlines()[1:]]
        self.assertIn("memory_used_bytes", listed)
        self.assertIn("partition", listed)
        for situation in ("slurm-v2-steps", "hostile"):
            done = call("list", f"--path.rootfs={FIXTURES / situation}", f"--columns={','.join(listed)}", "--csv")
            self.assertEqual(done.returncode, 0)
            rows = list(csv.reader(done.stdout.splitlines(keepends=True), strict=True))
            # behind them: which of these figures are estimates
            self.assertEqual(rows[0], [*listed, "estimated"])
            self.assertTrue(all(len(row) == len(rows[0]) for row in rows))

    def test_a_column_alone_shows_what_it_shows_among_all(self):
        # what is reckoned from the time of the look is another figure at each
        of_now = ("time", "age_seconds", "cpu_efficiency_percent", "cpus_used")
        names = [line.split()[0] for line in call("list", "--columns=help").stdout.splitlines()[1:]]
        for situation in ("slurm-v1-steps", "slurm-v2-steps", "local"):
            root = f"--path.rootfs={FIXTURES / situation}"
            done = call("list", root, "--csv", f"--columns={','.join(names)}")
            rows = list(csv.DictReader(done.stdout.splitlines()))
            for name in names:
                lines = call("list", root, "--csv", f"--columns={name}", "--no-headers").stdout.splitlines()
                alone = [(row or [""])[0] for row in csv.reader(lines)]
                among_all = [row[name] for row in rows]
                if name in of_now:
                    alone, among_all = ([figure != "" for figure in figures] for figures in (alone, among_all))
                self.assertEqual(alone, among_all, (situation, name))

    def test_jobs_are_sorted(self):
        self.assertEqual(jobs_listed(), ["5", "14", "15", "16"])
        self.assertEqual(jobs_listed("--sort=-jobid"), ["16", "15", "14", "5"])
        self.assertEqual(jobs_listed("--sort=mem"), ["16", "15", "14", "5"])
        self.assertEqual(jobs_listed("--sort=-cpus,-mem_limit"), ["5", "14", "16", "15"])

    def test_steps_stand_below_their_job(self):
        done = call("list", STEPS, "--steps", "--sort=-jobid", "--filter=jobid <= 14")
        self.assertEqual([line.split()[:2] for line in done.stdout.splitlines()], [
            ["JOBID", "STEP"],
            ["14", "-"], ["14", "batch"], ["14", "extern"], ["14", "0"],
            ["5", "-"], ["5", "batch"], ["5", "extern"], ["5", "0"],
        ])
        self.assertRegex(done.stdout, r"(?m)^5 +0 +bob +chemistry +steps +running +2 +22\.76s ")

    def test_steps_are_reported_to_programs(self):
        done = call("list", STEPS, "--steps", "--csv", "--user=bob", "--columns=jobid,step,cpu_time")
        self.assertEqual(done.stdout.split(), [
            "jobid,step,cpu_seconds", "5,,20.582283", "5,batch,1.065859", "5,extern,0.381347", "5,0,22.761903",
        ])
        job = json.loads(call("list", STEPS, "--steps", "--json", "--user=bob").stdout)["jobs"][0]
        self.assertEqual(sorted(step["step"] for step in job["steps"]), ["0", "batch", "extern"])
        without = json.loads(call("list", STEPS, "--json", "--user=bob").stdout)["jobs"][0]
        self.assertEqual(without["steps"], [])

    def test_jobs_are_chosen(self):
        self.assertEqual(jobs_listed("--user=bob"), ["5"])
        self.assertEqual(jobs_listed("--user=alice,1001"), ["5"])
        self.assertEqual(jobs_listed("--user=bo"), [])
        self.assertEqual(jobs_listed("--account=physics,chemistry"), ["5"])
        self.assertEqual(jobs_listed("--state=running"), ["5", "14", "15", "16"])
        self.assertEqual(jobs_listed("--state=ended"), [])
        self.assertEqual(jobs_listed("--filter=mem > 20M && cpus < 2"), ["14"])
        self.assertEqual(jobs_listed("--filter=mem > 20M", "--account=chemistry"), ["5"])

    def test_short_options_are_the_long_ones(self):
        short = call("list", STEPS, "-u", "bob", "-A", "chemistry", "-t", "running", "-o", "jobid,name", "-k", "-jobid", "-H")
        full = call("list", STEPS, "--user=bob", "--account=chemistry", "--state=running", "--columns=jobid,name", "--sort=-jobid", "--no-headers")
        self.assertEqual((short.returncode, short.stdout), (0, full.stdout))
        self.assertEqual([job["jobid"] for job in json.loads(call("list", STEPS, "-J").stdout)["jobs"]], jobs_listed())

    def test_what_a_filter_asks_for_is_read_though_it_is_not_shown(self):
        self.assertEqual(jobs_listed("--filter=memory_rss_bytes > 40MiB"), ["5"])
        self.assertEqual(jobs_listed("--sort=-memory_rss_bytes"), ["5", "14", "15", "16"])

    def test_no_job_that_is_meant_is_no_failure(self):
        done = call("list", STEPS, "--user=nobody")
        self.assertEqual((done.returncode, done.stdout), (0, TITLES + "\n"))
        self.assertIn("no job on this node matches", done.stderr)

    def test_csv_has_whole_figures_in_base_units(self):
        done = call("list", STEPS, "--csv", "--columns=jobid,user,cpu_time,mem,gpus", "--sort=jobid", encoding=None)
        self.assertEqual(done.stdout.split(b"\r\n")[:3], [
            b"jobid,user,cpu_seconds,memory_used_bytes,gpus",
            b"5,bob,20.582283,48762880,",
            b"14,,9.903635,21901312,",
        ])

    def test_no_number_has_more_digits_than_it_needs(self):
        columns = "--columns=" + ",".join(line.split()[0] for line in call("list", "--columns=help").stdout.splitlines()[1:])
        for situation in sorted(path.name for path in FIXTURES.iterdir() if path.is_dir()):
            root = f"--path.rootfs={FIXTURES / situation}"
            for command in (["list", "--json"], ["list", "--csv", columns], ["metrics", "--format=json", "--sample.level=task"]):
                for number in re.findall(r"(?<![\w.\"/-])\d+\.\d+(?=[,\s}])", call(*command, root).stdout):
                    self.assertEqual(number, repr(float(number)), (situation, command))

    def test_csv_can_do_without_titles(self):
        done = call("list", STEPS, "--csv", "--no-headers", "--columns=jobid", encoding=None)
        self.assertEqual(done.stdout, b"5\r\n14\r\n15\r\n16\r\n")

    def test_metrics_are_chosen_in_every_form(self):
        choice = ("--metrics.include=jobmetrics_job_memory_u*_bytes", "--metrics.exclude=*evictable*")
        done = call("list", STEPS, "--csv", "--user=bob", *choice)
        self.assertEqual(done.stdout.split(), ["jobid,memory_used_bytes", "5,48762880"])
        done = call("list", STEPS, "--csv", "--user=bob", "--columns=name,mem", *choice)
        self.assertEqual(done.stdout.split(), ["name,memory_used_bytes", "steps,48762880"])
        done = call("list", STEPS, "--user=bob", *choice)
        self.assertEqual([line.split() for line in done.stdout.splitlines()], [["JOBID", "MEM"], ["5", "47MiB"]])
        document = json.loads(call("list", STEPS, "--json", *choice).stdout)
        self.assertEqual({name for job in document["jobs"] for name in job["metrics"]}, {"memory_used_bytes"})
        self.assertEqual(document["node"], {})
        done = call("list", STEPS, "--metrics.include=moods*")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--metrics.include: no metric", done.stderr)

    def test_json_has_the_jobs_that_are_meant_in_their_order(self):
        done = call("list", STEPS, "--json", "--filter=cpus == 1", "--sort=-jobid")
        self.assertEqual([job["jobid"] for job in json.loads(done.stdout)["jobs"]], ["16", "15", "14"])


class WhatMayNotBeRead(unittest.TestCase):
    """Files of processes that are closed to who looks, as those of other users are."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="jobmetrics-closed-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name, "root")
        shutil.copytree(FIXTURES / "slurm-v2-steps", self.root, symlinks=True)
        for file in self.root.glob("proc/*/io"):
            file.chmod(0)

    def complaints(self, *arguments: str) -> str:
        """Without the right of root to read everything."""
        powerless = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
        done = subprocess.run(
            [*powerless, PROGRAM, *arguments, f"--path.rootfs={self.root}"],
            env=environment(), stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=SECONDS, check=True,
        )  # fmt: skip
        return done.stderr

    def test_nobody_hears_of_what_nobody_asked_for(self):
        for arguments in (["list"], ["list", "--columns=jobid,procs"], ["list", "--sort=-mem", "--filter=procs > 0"],
                          ["top", "--once", "--interval=0.1"]):
            self.assertEqual(self.complaints(*arguments), "")

    def test_who_asks_hears_why_there_is_no_answer(self):
        for argument in ("--columns=jobid,process_read_bytes_total", "--sort=process_read_bytes_total",
                         "--filter=process_read_bytes_total > 0"):
            self.assertRegex(self.complaints("list", argument), r"(?m)^jobmetrics-cli: process: .*/io: Permission denied")


class Show(unittest.TestCase):
    def test_several_jobs_are_shown_in_the_order_they_were_asked_for(self):
        done = call("show", STEPS, "14", "5")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(re.findall(r"(?m)^Job .*", done.stdout), ["Job 14", "Job 5"])

    def test_one_that_is_not_there_hides_no_other(self):
        done = call("show", STEPS, "14", "4711", "5")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(re.findall(r"(?m)^Job .*", done.stdout), ["Job 14", "Job 5"])
        self.assertEqual(done.stderr, "jobmetrics-cli: 4711: no such job on this node\n")

    def test_jobs_are_shown_by_their_name_where_no_id_is_so(self):
        for name, jobs in (("steps", ["Job 5"]), ("step", []), ("5", ["Job 5"])):
            self.assertEqual(re.findall(r"(?m)^Job .*", call("show", STEPS, name).stdout), jobs)
        done = call("show", STEPS, "steps", "--user=nobody")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(json.loads(call("show", STEPS, "steps", "--json").stdout)["jobid"], "5")

    def test_jobs_are_shown_that_are_meant(self):
        done = call("show", STEPS, "--filter=cpus == 1 && mem > 10M")
        self.assertEqual(re.findall(r"(?m)^Job .*", done.stdout), ["Job 14", "Job 15"])
        done = call("show", STEPS, "--user=nobody")
        self.assertEqual((done.returncode, done.stdout), (1, ""))

    def test_steps_and_tasks_are_shown_where_they_are_asked_for(self):
        self.assertNotIn("Step 0: CPU", call("show", STEPS, "5").stdout)
        steps = call("show", STEPS, "5", "--steps").stdout
        self.assertIn("\nStep 0: CPU\n", steps)
        self.assertNotIn("\nStep 0, task 1: CPU\n", steps)
        self.assertIn("\nStep 0, task 1: CPU\n", call("show", STEPS, "5", "--tasks").stdout)

    def test_fields_that_a_site_declares_are_shown_with_who_reported_them(self):
        slurm = (TESTS.parent / "data/schedulers/slurm.conf").read_text() + "\n[Fields]\nshell=SHELL\n"
        with tempfile.TemporaryDirectory() as directory:
            (pathlib.Path(directory) / "slurm.conf").write_text(slurm)
            page = call("show", STEPS, "5", f"--schedulers={directory}").stdout
            job = json.loads(call("show", STEPS, "5", "--json", f"--schedulers={directory}").stdout)
        self.assertRegex(page, r"(?m)^  shell +/bin/bash$")
        self.assertRegex(page, r"(?m)^  and from +environment: .*, shell$")
        self.assertEqual(job["fields"], {"shell": "/bin/bash"})
        self.assertEqual(job["origin"]["shell"], "environment")

    def test_json_of_one_job_is_an_object_of_several_an_array(self):
        self.assertEqual(json.loads(call("show", STEPS, "5", "--json").stdout)["jobid"], "5")
        several = json.loads(call("show", STEPS, "5", "14", "--json").stdout)
        self.assertEqual([job["jobid"] for job in several], ["5", "14"])
        self.assertEqual(json.loads(call("show", STEPS, "--user=bob", "--json").stdout)[0]["jobid"], "5")


class Metrics(unittest.TestCase):
    def names(self, *arguments: str) -> set[str]:
        done = call("metrics", STEPS, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return set(re.findall(r"(?m)^# TYPE (\S+)", done.stdout))

    def test_a_scrape_is_what_the_exporter_gives(self):
        text = call("metrics", STEPS).stdout
        self.assertIn('jobmetrics_job_memory_used_bytes{jobid="5"}', text)
        self.assertNotIn("# EOF", text)

    def test_openmetrics_ends_as_it_should(self):
        text = call("metrics", STEPS, "--format=openmetrics").stdout
        self.assertTrue(text.endswith("# EOF\n"))
        self.assertIn("# TYPE jobmetrics_job_cpu_seconds counter", text)

    def test_collectors_are_chosen(self):
        self.assertIn("jobmetrics_job_cpus", self.names())
        self.assertIn("jobmetrics_job_cpus", self.names("--collect=cpu", "--collect=io"))
        self.assertNotIn("jobmetrics_job_processes", self.names("--collect=cpu", "--collect=io"))
        self.assertNotIn("jobmetrics_job_cpus", self.names("--exclude=cpu"))
        self.assertIn("jobmetrics_job_processes", self.names("--exclude=cpu"))

    def test_collectors_are_reported(self):
        listed = [line.split()[0] for line in call("metrics", "--collect=help").stdout.splitlines()]
        self.assertEqual(listed[:3], ["NAME", "jobs", "cpu"])

    def test_metrics_are_chosen(self):
        self.assertEqual(self.names("--metrics.include=jobmetrics_job_mem*used*"),
                         {"jobmetrics_job_memory_used_bytes", "jobmetrics_job_memory_swap_used_bytes"})
        self.assertNotIn("jobmetrics_job_cpus", self.names("--metrics.exclude=*_cpus"))

    def test_levels_are_chosen(self):
        self.assertNotIn("jobmetrics_step_cpu_seconds_total", self.names())
        self.assertIn("jobmetrics_step_cpu_seconds_total", self.names("--sample.level=step"))
        self.assertIn("jobmetrics_task_cpu_seconds_total", self.names("--sample.level=task"))

    def test_json_has_the_metrics_that_are_wanted(self):
        done = call("metrics", STEPS, "--format=json", "--metrics.include=*_memory_used_bytes", "--sample.level=task")
        document = json.loads(done.stdout)
        job = next(job for job in document["jobs"] if job["jobid"] == "5")
        self.assertEqual(document["node"], {})
        self.assertEqual(list(job["metrics"]), ["memory_used_bytes"])
        self.assertEqual(list(job["steps"][0]["metrics"]), ["memory_used_bytes"])
        self.assertEqual(list(job["steps"][0]["tasks"][0]["metrics"]), ["memory_used_bytes"])


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

    def test_a_terminal_is_as_wide_as_it_is(self):
        for columns in (40, 80, 200):
            with Terminal(PROGRAM, "list", STEPS, "--color=never", columns=columns) as terminal:
                lines = terminal.finish().splitlines()
            self.assertLessEqual(max(map(len, lines)), columns)
            self.assertEqual("AGE" in lines[0], columns == 200)
            self.assertIn("NAME", lines[0])

    def test_a_hostile_name_in_csv_steers_no_terminal(self):
        with Terminal(PROGRAM, "list", HOSTILE, "--csv", "--columns=jobid,user,name,account") as terminal:
            self.assertNotRegex(terminal.finish().replace("\r", ""), r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")

    def test_a_narrow_terminal_loses_the_last_columns(self):
        text = self.list_at_terminal("--color=never", columns=20)
        self.assertIn("\nJOBID  USER  ACCOUNT\n", text)
        self.assertNotIn("NAM", text)

    def test_no_column_is_cut_in_its_middle(self):
        whole = call("list", STEPS).stdout.splitlines()[0].split()
        for columns in range(8, 110, 3):
            with Terminal(PROGRAM, "list", STEPS, "--color=never", columns=columns) as terminal:
                lines = terminal.finish().splitlines()
            titles = lines[0].split()
            self.assertEqual(titles, whole[: len(titles)], columns)
            self.assertEqual({len(line.split()) for line in lines if line.strip()}, {len(titles)}, columns)
            self.assertLessEqual(max(map(len, lines)), columns)


class HostileNames(unittest.TestCase):
    """A job of which the name has a colour, a title, a bell, an 8-bit escape, marks of direction and a tag in it."""

    NAME = "a\x1b[31mb\x1b]0;title\x07c\x9bd\u202eevil\u2066\u200b\x7f\U000e0001"
    STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\U000e0000-\U000e007f]")

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="jobmetrics-hostile-")
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name, "root")
        shutil.copytree(FIXTURES / "slurm-v2-steps", root, symlinks=True)
        for environ in root.glob("proc/*/environ"):
            environ.chmod(0o644)
            environ.write_bytes(re.sub(rb"SLURM_JOB_NAME=[^\0]*", b"SLURM_JOB_NAME=" + self.NAME.encode(), environ.read_bytes()))
        self.root = f"--path.rootfs={root}"

    def test_steer_no_terminal(self):
        for command in (["list", "--color=never"], ["list", "--json"], ["list", "--csv"], ["show", "5", "--color=never"],
                        ["show", "5", "--json"], ["metrics"], ["metrics", "--format=openmetrics"], ["metrics", "--format=json"],
                        ["top", "--once", "--interval=0.1"]):
            with Terminal(PROGRAM, *command, self.root, columns=400) as terminal:
                text = terminal.finish()
            self.assertIn("title", text, command)
            self.assertIsNone(self.STEERING.search(text.replace("\r", "")), command)

    def test_reach_programs_as_they_are(self):
        for command in (["list", "--json"], ["metrics", "--format=json"]):
            text = call(*command, self.root).stdout
            self.assertIsNone(self.STEERING.search(text))
            self.assertIn(self.NAME, [job["name"] for job in json.loads(text)["jobs"] if "name" in job])
        self.assertIn(f'name="{self.NAME}"', call("metrics", self.root).stdout)


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
    return sorted(folder.parent.name for folder in FIXTURES.glob("*/proc"))


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
    sys.exit(update() if "--update" in sys.argv[2:] else tap.run(CommandLine, ClosedOutput, List, WhatMayNotBeRead, Show, Metrics, AtATerminal, HostileNames, Fixtures))
