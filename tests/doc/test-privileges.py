#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether the page of privileges is true: what the daemon lacks of another user's job under each set of capabilities.

usage: test-privileges.py EXPORTER CLI
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

NAME = f"privileges-{os.getpid()}"
# ids that nobody else has: the job's owner, and who runs the daemon
OWNER, STRANGER = 64101, 64102
NO_CGROUPS = "neither cgroup v2 with systemd nor cgroup v1 lets us make cgroups here"
JOB = """
import time
held = open("/dev/zero")
while time.process_time() < 0.2:
    pass
print(flush=True)
time.sleep(600)
"""
IO_FIGURES = ("read_bytes", "write_bytes", "rchar_bytes", "wchar_bytes", "read_calls", "write_calls")
IO = {f"jobmetrics_job_process_{what}_total" for what in IO_FIGURES}
OPEN_FILES = {"jobmetrics_job_open_files"}
FILE_SYSTEMS = {"jobmetrics_job_filesystem_processes"}
PROCESSES = {"jobmetrics_job_processes", "jobmetrics_job_threads", "jobmetrics_job_executable_cpu_seconds_total"}
SAMPLE = re.compile(r"^(\w+)\{(.*)\} (\S+)$", re.MULTILINE)
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


class Scrape:
    """What one look at the node reports of the test's job."""

    def __init__(self, text: str):
        samples = [(name, dict(LABEL.findall(labels)), value) for name, labels, value in SAMPLE.findall(text)]
        self.failing = {
            labels["collector"] for name, labels, value in samples if name == "jobmetrics_collector_success" and value == "0"
        }
        self.denied = {
            labels["collector"] for name, labels, value in samples if name == "jobmetrics_collector_denied" and value == "1"
        }
        mine = [(name, labels) for name, labels, _ in samples if labels.get("jobid") == TheDaemon.job_id]
        self.names = {name for name, _ in mine}
        self.executables = {labels["executable"] for _, labels in mine if "executable" in labels} - {"other"}
        self.info = next((labels for name, labels in mine if name == "jobmetrics_job_info"), {})
        self.origins = {labels["origin"] for name, labels in mine if name == "jobmetrics_job_fields"}


class TheDaemon(unittest.TestCase):
    exporter: str
    job_id: str
    folder: pathlib.Path

    @classmethod
    def look(cls, *capabilities: str, hooks: bool = True, hidepid: str | None = None) -> Scrape:
        sets = ",".join(["-all", *(f"+{name}" for name in capabilities)])
        command = ["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups", "--no-new-privs"]
        command += [f"--inh-caps={sets}", f"--ambient-caps={sets}", f"--bounding-set={sets}"]
        command += [str(cls.exporter), "node", "--once", "--log.level=error", "--collector.files.filesystem=/dev"]
        if not hooks:
            command.append(f"--schedulers={cls.folder / 'without-hooks'}")
        if hidepid is not None:
            mount = f'mount -t proc -o {hidepid} proc /proc && exec "$@"'
            command = ["unshare", "--mount", "--propagation", "private", "sh", "-c", mount, "sh", *command]
        # a leak sanitizer ends where it cannot read its file, and a stranger need not be let into the sources
        environment = {name: value for name, value in os.environ.items() if name != "LSAN_OPTIONS"}
        done = subprocess.run(
            command, cwd="/", env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
        )
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(command)}\n{done.stderr}")
        return Scrape(done.stdout)

    @classmethod
    def complete(cls) -> set[str]:
        return cls.look("sys_ptrace", "dac_read_search").names

    def test_with_both_capabilities_lacks_nothing(self):
        scrape = self.look("sys_ptrace", "dac_read_search")
        self.assertEqual((IO | OPEN_FILES | FILE_SYSTEMS | PROCESSES) - scrape.names, set())
        self.assertEqual((scrape.failing | scrape.denied) & {"process", "files"}, set())
        self.assertTrue(all(path.startswith("/") for path in scrape.executables), scrape.executables)

    def test_with_none_lacks_io_files_and_the_paths_of_executables(self):
        scrape = self.look()
        self.assertEqual(self.complete() - scrape.names, IO | OPEN_FILES | FILE_SYSTEMS)
        self.assertEqual(scrape.denied & {"process", "files"}, {"process", "files"})
        self.assertEqual(scrape.failing, set())
        self.assertFalse(any("/" in path for path in scrape.executables), scrape.executables)

    def test_with_ptrace_alone_gains_the_paths_of_executables(self):
        scrape = self.look("sys_ptrace")
        self.assertEqual(self.complete() - scrape.names, IO | OPEN_FILES | FILE_SYSTEMS)
        self.assertEqual((scrape.denied, scrape.failing), ({"process", "files"}, set()))
        self.assertTrue(all(path.startswith("/") for path in scrape.executables), scrape.executables)

    def test_with_the_right_to_read_alone_gains_the_number_of_open_files(self):
        scrape = self.look("dac_read_search")
        self.assertEqual(self.complete() - scrape.names, IO | FILE_SYSTEMS)
        self.assertEqual((scrape.denied, scrape.failing), ({"process", "files"}, set()))
        self.assertFalse(any("/" in path for path in scrape.executables), scrape.executables)

    def test_knows_who_a_job_is_from_a_hook_without_any(self):
        self.assertIn("hook", self.look().origins)

    def test_knows_who_a_job_is_from_its_environment_only_with_both(self):
        believed = [
            "environment" in self.look(*capabilities, hooks=False).origins
            for capabilities in ((), ("sys_ptrace",), ("dac_read_search",), ("sys_ptrace", "dac_read_search"))
        ]
        self.assertEqual(believed, [False, False, False, True])

    def test_knows_a_jobs_user_without_any(self):
        self.assertEqual(self.look(hooks=False).info.get("uid"), str(OWNER))

    def test_sees_no_process_where_they_are_hidden(self):
        scrape = self.look(hidepid="hidepid=2")
        self.assertEqual(scrape.names & (IO | OPEN_FILES | FILE_SYSTEMS | PROCESSES), set())
        self.assertIn("jobmetrics_job_cpu_seconds_total", scrape.names)

    def test_sees_hidden_processes_in_the_right_group_or_with_ptrace(self):
        self.assertEqual(self.look(hidepid=f"hidepid=2,gid={STRANGER}").names, self.look().names)
        self.assertEqual(self.look("sys_ptrace", hidepid="hidepid=2").names, self.look("sys_ptrace").names)


def make_schedulers(folder: pathlib.Path) -> None:
    """The built-in definition of local jobs, less its hooks."""
    definition = (TESTS.parent / "data" / "schedulers" / "local.conf").read_text()
    (folder / "without-hooks").mkdir()
    (folder / "without-hooks" / "local.conf").write_text(definition.split("[Hook]")[0])
    for path in (folder, folder / "without-hooks"):
        path.chmod(0o755)


def find_job(cli: str) -> str | None:
    listing = subprocess.run([cli, "list"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
    return next((line.split()[0] for line in listing.splitlines() if f" {NAME} " in line), None)


def start_job(cli: str) -> subprocess.Popen:
    """Starts a job of another user and waits until it has worked."""
    command = [cli, "run", f"--name={NAME}", "--output=/dev/null", "--"]
    command += ["setpriv", f"--reuid={OWNER}", f"--regid={OWNER}", "--clear-groups", "/usr/bin/python3", "-c", JOB]
    process = subprocess.Popen(command, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    return process


def copy_exporter(exporter: str, folder: pathlib.Path) -> pathlib.Path:
    """A build tree may be where a stranger cannot go."""
    copy = folder / "jobmetrics-exporter"
    shutil.copy(exporter, copy)
    return copy


def reason_to_skip() -> str | None:
    if os.geteuid() != 0:
        return "not root: capabilities can only be taken from root"
    missing = [program for program in ("setpriv", "unshare", "/usr/bin/python3") if shutil.which(program) is None]
    return f"{missing[0]} is not installed" if missing else None


def main(exporter: str, cli: str) -> int:
    reason = reason_to_skip()
    if reason is not None:
        tap.skip_all(reason)
    with tempfile.TemporaryDirectory() as name:
        TheDaemon.folder = pathlib.Path(name)
        TheDaemon.exporter = str(copy_exporter(exporter, TheDaemon.folder))
        make_schedulers(TheDaemon.folder)
        job = start_job(cli)
        try:
            TheDaemon.job_id = find_job(cli)
            if TheDaemon.job_id is None:
                tap.skip_all(NO_CGROUPS)
            return tap.run(TheDaemon)
        finally:
            job.terminate()
            job.wait(timeout=30)


if __name__ == "__main__":
    sys.exit(main(*(str(pathlib.Path(program).resolve()) for program in sys.argv[1:])))
