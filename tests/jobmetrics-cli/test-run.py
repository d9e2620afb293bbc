#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What run does to the command that it runs, and what it reports of it.

usage: test-run.py PROGRAM [CLASS ...]
"""

import contextlib
import glob
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, SECONDS, SLOWNESS, Terminal, call, environment  # noqa: E402

# Spends a second of CPU time, more where that is slow, says how much it was in all, and then is gone at once.
SPIN = f"import os, time\nwhile time.process_time() < {SLOWNESS}: pass\nprint(time.process_time(), flush=True)\nos._exit(0)"
# The same for so long that more than one sample sees it.
LONG_SPIN = SPIN.replace(f"< {SLOWNESS}", f"< {2.5 * SLOWNESS}")
# Two processes that hold 50 MiB each for as long.
HOLD = f"""import os, time
for _ in range(2):
    if os.fork() == 0:
        held = b'x' * (50 << 20)
        time.sleep({2.5 * SLOWNESS})
        os._exit(0)
for _ in range(2):
    os.wait()
"""
# What shells cost beside it.
BESIDE_SECONDS = 0.1 * (SLOWNESS - 1)
# Counts a signal for a while.
COUNT = f"""import signal, sys, time
n = 0
def count(*_):
    global n
    n += 1
signal.signal(getattr(signal, sys.argv[1]), count)
print('ready', flush=True)
end = time.monotonic() + {10 * SLOWNESS}
while n == 0 and time.monotonic() < end:
    time.sleep(0.01)
time.sleep(0.3)
print('counted', n, flush=True)
"""


def cgroups_of(job: str) -> list[str]:
    return glob.glob(f"/sys/fs/cgroup/**/jobmetrics/job_{job}", recursive=True)


def report_of(*arguments: str, **options) -> tuple[dict, subprocess.CompletedProcess]:
    """The JSON report, which a command's own errors must not mix with."""
    with tempfile.NamedTemporaryFile() as file:
        done = call("run", "--json", "--output", file.name, *arguments, **options)
        return json.loads(file.read()), done


def state_of(pid: int) -> str:
    """The letter that the kernel has for it; X for what is gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return "X"
    return text.rpartition(")")[2].split()[0]


def process_has_ended(pid: int) -> bool:
    return state_of(pid) in "ZX"


def wait_until(condition) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it did not come to pass")
        time.sleep(0.01)


@contextlib.contextmanager
def started(*arguments: str, **options):
    process = subprocess.Popen(
        [PROGRAM, "run", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        encoding="utf-8", env=environment(), **options,
    )  # fmt: skip
    try:
        yield process
    finally:
        # to its own end, where it can: killed, it could not remove its cgroup
        try:
            process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


class Command(unittest.TestCase):
    def test_the_exit_code_is_passed_on(self):
        self.assertEqual(call("run", "true").returncode, 0)
        self.assertEqual(call("run", "--", "sh", "-c", "exit 3").returncode, 3)

    def test_the_end_by_a_signal_is_128_and_its_number(self):
        done = call("run", "--", "sh", "-c", "kill -KILL $$")
        self.assertEqual(done.returncode, 128 + signal.SIGKILL)
        self.assertIn("ended by signal 9 (Killed)", done.stderr)

    def test_a_command_that_is_not_there_is_127(self):
        done = call("run", "/nowhere/command")
        self.assertEqual(done.returncode, 127)
        self.assertEqual(done.stderr, "jobmetrics-cli: /nowhere/command: No such file or directory\n")

    def test_a_command_that_cannot_be_executed_is_126(self):
        done = call("run", "/etc/passwd")
        self.assertEqual(done.returncode, 126)
        self.assertEqual(done.stderr, "jobmetrics-cli: /etc/passwd: Permission denied\n")

    def test_options_after_the_command_are_its_own(self):
        self.assertEqual(call("run", "echo", "--json", "--").stdout, "--json --\n")
        self.assertEqual(call("run", "--", "echo", "--name").stdout, "--name\n")

    def test_standard_input_is_the_commands(self):
        self.assertEqual(call("run", "cat", input="hello").stdout, "hello")

    def test_large_output_is_not_held_up(self):
        done = call("run", "--", "sh", "-c", "head -c 20000000 /dev/zero", encoding=None)
        self.assertEqual(len(done.stdout), 20000000)

    def test_the_command_knows_its_job(self):
        text = call("run", "--name", "my\njob", "env").stdout
        self.assertRegex(text, r"(?m)^JOBMETRICS_JOB_ID=run-\d+$")
        self.assertIn("\nJOBMETRICS_JOB_NAME=my?job\n", text)

    def test_two_runs_are_two_jobs(self):
        echo = ("run", "--", "sh", "-c", "echo $JOBMETRICS_JOB_ID")
        self.assertNotEqual(call(*echo).stdout, call(*echo).stdout)

    def test_ignored_signals_stay_ignored(self):
        text = call("run", "--", "sh", "-c", "kill -INT $$; echo still here", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)).stdout
        self.assertEqual(text, "still here\n")

    def test_an_ignored_sigchld_hides_no_end(self):
        done = call("run", "--", "sh", "-c", "exit 3", preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual(done.returncode, 3)


class Signals(unittest.TestCase):
    def test_signals_are_forwarded_once(self):
        for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2"):
            with started("--", sys.executable, "-c", COUNT, name) as process:
                self.assertEqual(process.stdout.readline(), "ready\n")
                process.send_signal(getattr(signal, name))
                self.assertEqual(process.stdout.readline(), "counted 1\n", name)
                self.assertEqual(process.wait(SECONDS), 0)

    def test_a_command_that_ignores_sigterm_goes_on(self):
        with started("--", "sh", "-c", "trap '' TERM; echo ready; exec cat") as process:
            self.assertEqual(process.stdout.readline(), "ready\n")
            process.terminate()
            process.stdin.write("still here\n")
            process.stdin.flush()
            self.assertEqual(process.stdout.readline(), "still here\n")
            process.communicate(timeout=SECONDS)
            self.assertEqual(process.returncode, 0)

    def test_a_stop_and_its_end_are_forwarded(self):
        # a process group of its own has a parent outside that could wake it, so it may be stopped
        with started("--", "sh", "-c", "echo $$; exec cat", preexec_fn=os.setpgrp) as process:
            child = int(process.stdout.readline())
            process.send_signal(signal.SIGTSTP)
            wait_until(lambda: state_of(child) == "T")
            process.send_signal(signal.SIGCONT)
            wait_until(lambda: state_of(child) != "T" and state_of(process.pid) != "T")


class AtATerminal(unittest.TestCase):
    def test_the_command_reads_the_terminal(self):
        with Terminal(PROGRAM, "run", "head", "-n", "1") as terminal:
            terminal.type("hello\n")
            text = terminal.finish()
        self.assertEqual(text.splitlines()[:2], ["hello", "hello"])
        self.assertEqual(terminal.status, 0)

    def test_an_interrupt_reaches_the_command_once(self):
        with Terminal(PROGRAM, "run", "--", sys.executable, "-c", COUNT, "SIGINT") as terminal:
            terminal.expect("ready")
            terminal.type("\x03")
            terminal.expect("counted 1")
            terminal.finish()
        self.assertEqual(terminal.status, 0)

    def test_an_interrupt_ends_the_command_and_is_reported(self):
        with Terminal(PROGRAM, "run", "--", "sh", "-c", "echo ready; exec sleep 1000") as terminal:
            terminal.expect("ready")
            terminal.type("\x03")
            self.assertIn("ended by signal 2", terminal.finish())
        self.assertEqual(terminal.status, 128 + signal.SIGINT)

    def test_it_does_not_stop_where_nobody_could_wake_it(self):
        with Terminal(PROGRAM, "run", "--", "sh", "-c", "echo ready; exec head -n 1") as terminal:
            terminal.expect("ready")
            terminal.type("\x1a")
            terminal.type("hello\n")
            self.assertIn("hello\n", terminal.finish())
        self.assertEqual(terminal.status, 0)

    def test_a_shell_stops_and_wakes_it_as_one_job(self):
        with Terminal("bash", "--norc", "-i", TERM="dumb", PS1="$ ", HISTFILE="") as shell:
            shell.type(f"{PROGRAM} run -- sh -c 'echo rea''dy; exec sed -u y/abc/ABC/'\n")
            shell.expect("\nready")
            shell.type("\x1a")
            # of what is typed first a shell that has just woken may lose a character: a blank
            shell.expect("Stopped")
            shell.expect("\n$ ")
            shell.type("   echo pa''st\n")
            shell.expect("\npast")
            shell.expect("\n$ ")
            shell.type("   fg; echo status=$?\n")
            shell.type("abc\n")
            # the blank that was lost may be before it
            shell.expect("ABC\r\n")
            shell.type("\x04")
            shell.expect("ended with exit code 0")
            shell.expect("\nstatus=0")
            shell.type("exit\n")
            shell.finish()


class Report(unittest.TestCase):
    def test_text_goes_to_the_standard_error(self):
        done = call("run", "--name", "my job", "echo", "mine")
        self.assertEqual(done.stdout, "mine\n")
        self.assertRegex(done.stderr, r"^Job run-\d+ \(my job\): ended with exit code 0 after \d+\.\d\ds\n")
        self.assertNotIn("\033", done.stderr)

    def test_a_file_takes_the_report_alone(self):
        report, done = report_of("--name", "j", "--", "sh", "-c", "echo out; echo err >&2; exit 5")
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("out\n", "err\n", 5))
        self.assertEqual((report["name"], report["exit_code"], report["command"][0]), ("j", 5, "sh"))
        self.assertNotIn("signal", report)

    def test_a_file_that_cannot_be_written_stops_it_before_the_command(self):
        done = call("run", "--output=/nowhere/report", "echo", "mine")
        self.assertEqual((done.returncode, done.stdout), (125, ""))
        self.assertIn("--output=/nowhere/report: No such file or directory", done.stderr)

    def test_the_tree_is_followed_where_there_is_no_cgroup(self):
        # what runs in a job stays a part of it
        with tempfile.NamedTemporaryFile() as file:
            # larger than run itself, in any build of it
            command = [sys.executable, "-c", "held = bytearray(100 << 20)\n" + SPIN]
            done = call("run", PROGRAM, "run", "--json", "--output", file.name, *command)
            report = json.loads(file.read())
        if "no cgroup of its own" in done.stderr:
            self.skipTest("no cgroup can be made here, so there is no job to be in")
        figures = report["figures"]
        spent = float(done.stdout)
        self.assertIsNone(report["cgroup"])
        self.assertIn("process tree", report["notes"][0])
        self.assertEqual({figures[name]["source"] for name in ("cpu_user_seconds", "cpu_seconds")}, {"wait4"})
        self.assertAlmostEqual(figures["cpu_seconds"]["value"], spent, delta=0.05 * spent + BESIDE_SECONDS)
        self.assertEqual(figures["memory_peak_bytes"]["source"], "samples, at least")
        self.assertGreater(figures["largest_process_bytes"]["value"], 100 << 20)
        self.assertGreaterEqual(figures["memory_peak_bytes"]["value"], figures["largest_process_bytes"]["value"])

    def test_the_peak_of_a_tree_is_what_its_processes_hold_together(self):
        with tempfile.NamedTemporaryFile() as file:
            call("run", PROGRAM, "run", "--json", "--output", file.name, sys.executable, "-c", HOLD)
            report = json.loads(file.read())
        if report["cgroup"] is not None:
            self.skipTest("no cgroup could be made for the outer job alone")
        self.assertGreaterEqual(report["figures"]["memory_peak_bytes"]["value"], 100 << 20)
        self.assertLess(report["figures"]["largest_process_bytes"]["value"], 100 << 20)

    def test_what_is_hardly_larger_than_run_itself_is_reported_with_what_it_shares_or_not_at_all(self):
        # what a kernel counts of the process that becomes the command is its own matter
        report, _ = report_of("true")
        told = report["figures"].get("largest_process_bytes", {}).get("source")
        self.assertIn(told, (None, "wait4, with what it shares"))

    def test_a_pipeline_is_seen_as_a_whole(self):
        report, _ = report_of("--", "sh", "-c", f"sleep {0.5 * SLOWNESS} | cat | cat")
        self.assertGreaterEqual(report["figures"]["processes_spawned"]["value"], 4)

    def test_an_id_is_short_enough_to_be_typed(self):
        report, _ = report_of("true")
        self.assertRegex(report["jobid"], r"^run-\d{6}$")

    def test_energy_is_reported_where_the_tree_is_followed(self):
        with tempfile.NamedTemporaryFile() as file:
            call("run", PROGRAM, "run", "--power.source=estimate", "--json", "--output", file.name, sys.executable, "-c", SPIN)
            report = json.loads(file.read())
        if report["cgroup"] is not None:
            self.skipTest("no cgroup could be made for the outer job alone")
        self.assertEqual(report["figures"]["energy_joules"]["source"], "an estimate, not measured")
        self.assertGreater(report["figures"]["energy_joules"]["value"], 0.5)

    def test_orphans_count_where_the_tree_is_followed(self):
        with tempfile.NamedTemporaryFile() as file:
            orphan = '("$0" -c "$1" & ) | cat'
            done = call("run", PROGRAM, "run", "--json", "--output", file.name, "sh", "-c", orphan, sys.executable, LONG_SPIN)
            report = json.loads(file.read())
        spent = float(done.stdout)
        if report["cgroup"] is not None:
            self.skipTest("no cgroup could be made for the outer job alone")
        self.assertAlmostEqual(report["figures"]["cpu_seconds"]["value"], spent, delta=0.05 * spent + BESIDE_SECONDS)
        self.assertGreaterEqual(report["figures"]["processes_spawned"]["value"], 3)


def what_is_lacking() -> str | None:
    """Why no cgroup can be made here."""
    report, _ = report_of("true")
    return report["notes"][0] if report["cgroup"] is None else None


LACKING = what_is_lacking()


class InACgroup(unittest.TestCase):
    def setUp(self):
        if LACKING is not None:
            self.skipTest(f"no cgroup can be made here: {LACKING}")

    def test_cpu_time_is_what_was_spent(self):
        report, done = report_of(sys.executable, "-c", SPIN)
        spent = float(done.stdout)
        self.assertEqual(report["notes"], [])
        figure = report["figures"]["cpu_seconds"]
        self.assertEqual(figure["source"], "cgroup")
        self.assertAlmostEqual(figure["value"], spent, delta=0.05 * spent + BESIDE_SECONDS)

    def test_the_command_starts_within_its_cgroup(self):
        report, done = report_of("cat", "/proc/self/cgroup")
        self.assertIn(f"/jobmetrics/job_{report['jobid']}\n", done.stdout)
        self.assertTrue(report["cgroup"].endswith(f"/jobmetrics/job_{report['jobid']}"))

    def test_nothing_is_left_behind(self):
        report, _ = report_of("true")
        self.assertEqual(cgroups_of(report["jobid"]), [])
        self.assertEqual(glob.glob(f"/run/jobmetrics/jobs/local-{report['jobid']}"), [])

    def test_nothing_is_left_behind_by_what_could_not_start(self):
        before = set(cgroups_of("*"))
        call("run", "/nowhere/command")
        # those of other runs at this time go when these end
        new = set(cgroups_of("*")) - before
        wait_until(lambda: not any(os.path.exists(cgroup) for cgroup in new))

    def test_memory_that_was_held_shows_as_the_peak(self):
        report, _ = report_of(sys.executable, "-c", "x = bytearray(100 << 20)")
        if "memory_peak_bytes" not in report["figures"]:
            self.skipTest("the cgroup has no memory controller that keeps a peak")
        self.assertGreaterEqual(report["figures"]["memory_peak_bytes"]["value"], 100 << 20)
        self.assertLess(report["figures"]["memory_peak_bytes"]["value"], 150 << 20)

    def test_the_exporter_learns_who_the_job_is(self):
        if os.geteuid() != 0:
            self.skipTest("only root writes property files")
        text = call("run", "--name", "n", "--", "sh", "-c", "cat /run/jobmetrics/jobs/local-$JOBMETRICS_JOB_ID").stdout
        self.assertRegex(
            text,
            r"^JOBMETRICS_JOB_ID=run-\d+\nJOBMETRICS_JOB_NAME=n\nJOBMETRICS_JOB_USER=root\n"
            r"JOBMETRICS_JOB_UID=0\nJOBMETRICS_JOB_START_TIME=\d+\n$",
        )

    def test_the_exporter_reads_what_it_used_before_it_is_gone(self):
        try:
            os.mkdir("/run/jobmetrics-exporter", 0o755)
        except OSError as error:
            self.skipTest(f"an exporter may be there: {error}")
        self.addCleanup(os.rmdir, "/run/jobmetrics-exporter")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("/run/jobmetrics-exporter/socket")
            self.addCleanup(os.unlink, "/run/jobmetrics-exporter/socket")
            listener.listen()
            listener.settimeout(SECONDS)
            with started("--", "sh", "-c", "echo $JOBMETRICS_JOB_ID") as process:
                job = process.stdout.readline().strip()
                connection, _ = listener.accept()
                with connection:
                    request = b""
                    while f"job={job}&scheduler=local".encode() not in request:
                        received = connection.recv(4096)
                        self.assertTrue(received, request)
                        request += received
                    self.assertTrue(request.startswith(b"POST /hook/epilog HTTP/1.1\r\n"), request)
                    self.assertNotEqual(cgroups_of(job), [])
                    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n{}")
                process.wait(SECONDS)
            self.assertEqual(cgroups_of(job), [])

    def test_the_job_is_listed_while_it_runs(self):
        with started("--name", "listed", "--", "sh", "-c", "echo $JOBMETRICS_JOB_ID; exec cat") as process:
            job = process.stdout.readline().strip()
            listed = json.loads(call("list", "--json").stdout)
            shown = call("show", job)
            by_name = call("show", "listed")
        self.assertIn(job, [entry["jobid"] for entry in listed["jobs"]])
        self.assertIn(f"Job {job}\n", by_name.stdout)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn(f"Job {job}\n", shown.stdout)

    def test_list_knows_the_cpus_that_run_reports(self):
        one = str(min(os.sched_getaffinity(0)))
        for command in ([], ["taskset", "-c", one]):
            with tempfile.NamedTemporaryFile() as file, subprocess.Popen(
                [*command, PROGRAM, "run", "--json", "--output", file.name, "--", "sh", "-c", "echo $JOBMETRICS_JOB_ID; exec cat"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", env=environment(),
            ) as process:  # fmt: skip
                job = process.stdout.readline().strip()
                listed = call("list", "--csv", "--no-headers", "--columns=cpus", f"--filter=jobid == {job}").stdout.strip()
                process.communicate(timeout=SECONDS)
                figure = json.loads(file.read())["figures"]["cpus"]
            self.assertEqual(figure["value"], 1 if command else len(os.sched_getaffinity(0)))
            if listed == "" and figure["source"] == "affinity":
                self.skipTest("no cpuset can be made here")
            self.assertEqual((listed, figure["source"]), (str(figure["value"]), "cgroup"))

    def test_it_looks_at_no_job_but_its_own(self):
        before = self.count_reads()
        folders = sorted({os.path.dirname(path) for path in self.cgroups_while_running()})
        others = [f"{folder}/job_9{i}" for folder in folders for i in range(100)]
        try:
            for other in others:
                os.makedirs(other)
            after = self.count_reads()
        finally:
            for other in others:
                self.remove(other)
        # one that looks at them reads something of each
        self.assertLess(after, before + len(others))

    def count_reads(self) -> int:
        """The reads of a run that has looked at what is there; the fewest, as a slow machine may let it look twice."""
        return min(self.count_reads_once() for _ in range(3))

    def count_reads_once(self) -> int:
        with started("--power.source=estimate", "--", "sh", "-c", "echo; exec cat") as process:
            process.stdout.readline()
            text = pathlib.Path(f"/proc/{process.pid}/io").read_text(encoding="utf-8")
        return int(text.partition("syscr: ")[2].split()[0])

    def test_those_who_outlive_the_command_are_reported_and_left_alone(self):
        report, done = report_of("--", "sh", "-c", "sleep 1000 > /dev/null 2>&1 & echo $!")
        pid = int(done.stdout)
        try:
            self.assertFalse(process_has_ended(pid))
            self.assertIn(f"1 of its processes still run ({pid}); they stay in {report['cgroup']}", report["notes"])
            self.assertNotEqual(cgroups_of(report["jobid"]), [])
        finally:
            os.kill(pid, signal.SIGKILL)
            wait_until(lambda: process_has_ended(pid))
            for cgroup in cgroups_of(report["jobid"]):
                self.remove(cgroup)
            pathlib.Path(f"/run/jobmetrics/jobs/local-{report['jobid']}").unlink(missing_ok=True)

    def remove(self, cgroup: str) -> None:
        def is_removed() -> bool:
            with contextlib.suppress(OSError):
                os.rmdir(cgroup)
            return not os.path.exists(cgroup)

        wait_until(is_removed)
        with contextlib.suppress(OSError):
            os.rmdir(os.path.dirname(cgroup))

    def test_what_an_earlier_run_left_is_removed_once_it_is_empty(self):
        folders = sorted({os.path.dirname(path) for path in self.cgroups_while_running()})
        names = {"job_1": True, "job_2": False, "other": False}
        for folder in folders:
            os.makedirs(folder, exist_ok=True)
            for name in names:
                os.mkdir(f"{folder}/{name}")
        try:
            for folder in folders:
                os.utime(f"{folder}/job_1", (0, 0))
            call("run", "true")
            for folder in folders:
                for name, is_removed in names.items():
                    self.assertEqual(os.path.exists(f"{folder}/{name}"), not is_removed, f"{folder}/{name}")
        finally:
            for folder in folders:
                for name in names:
                    with contextlib.suppress(FileNotFoundError):
                        os.rmdir(f"{folder}/{name}")
                with contextlib.suppress(OSError):
                    os.rmdir(folder)

    def cgroups_while_running(self) -> list[str]:
        with started("--", "sh", "-c", "echo $JOBMETRICS_JOB_ID; exec cat") as process:
            return cgroups_of(process.stdout.readline().strip())

    def test_the_last_of_a_pipeline_is_waited_for(self):
        report, _ = report_of("--", "sh", "-c", "(sleep 0.1) > /dev/null 2>&1 &")
        self.assertEqual(report["notes"], [])
        self.assertEqual(cgroups_of(report["jobid"]), [])


class Energy(unittest.TestCase):
    def setUp(self):
        if LACKING is not None:
            self.skipTest(f"no cgroup can be made here: {LACKING}")

    def test_an_estimate_is_called_so(self):
        done = call("run", "--power.source=estimate", sys.executable, "-c", SPIN)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"(?m)^  Energy +~[\d.]+k?J  an estimate, not measured$")
        self.assertRegex(done.stderr, r"(?m)^  CO2 equivalent +~[\d.]+m?g  an estimate, not measured$")

    def test_programs_get_joules_and_grams(self):
        report, _ = report_of("--power.source=estimate", "--emissions.provider=fixed,factor=360", "--",
                              sys.executable, "-c", SPIN)
        energy, emissions = report["figures"]["energy_joules"], report["figures"]["emissions_grams"]
        self.assertGreater(energy["value"], 0.5)
        self.assertAlmostEqual(emissions["value"], energy["value"] * 360 / 3.6e6, delta=2e-6)
        self.assertEqual(energy["source"], "an estimate, not measured")

    def test_what_a_meter_says_is_measured(self):
        with tempfile.NamedTemporaryFile("w") as meter:
            meter.write("50\n")
            meter.flush()
            source = f"file,path={meter.name},domain=node,unit=W,interval=0.2"
            report, _ = report_of(f"--power.source={source}", "--", sys.executable, "-c", SPIN)
        energy = report["figures"]["energy_joules"]
        self.assertEqual(energy["source"], "power sources")
        self.assertGreater(energy["value"], 0)
        self.assertLess(energy["value"], 50 * (report["elapsed_seconds"] + 2))

    def test_a_source_that_is_down_is_noted(self):
        report, _ = report_of("--power.source=cray", "true")
        self.assertNotIn("energy_joules", report["figures"])
        self.assertIn("power source cray", report["notes"][-1])


class EnergyAnywhere(unittest.TestCase):
    def test_a_source_that_is_invalid_starts_no_command(self):
        for source, message in (("moods", "not one of those"), ("command,command=true", "runs programs")):
            done = call("run", f"--power.source={source}", "echo", "started")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    named = [globals()[name] for name in sys.argv[2:]]
    every = (Command, Signals, AtATerminal, Report, InACgroup, Energy, EnergyAnywhere)
    sys.exit(tap.run(*(named or every), part=bool(named)))
