#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is counted of a real job: page faults, traffic and files that it is known to make, and what is said where that may not be.

usage: test-counters.py EXPORTER CLI
"""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "pylib"), str(pathlib.Path(__file__).parent)]
import daemon  # noqa: E402
import tap  # noqa: E402

EXPORTER, CLI = sys.argv[1:3]
PATIENCE = 60
STRANGER = 64102
N_PAGES, N_PACKETS, N_WRITES = 5000, 200, 50
COUNTERS = ("--collector.disable-defaults", "--collector.perf", "--collector.network", "--collector.filesystem")
NO_CGROUPS = "neither cgroup v2 with systemd nor cgroup v1 lets us make cgroups here"
# Where jobs are in cgroups of version 1, it makes one of version 2 for itself, if asked to.
JOB = f"""
import mmap, os, socket, sys
lines = [line.strip().split(":", 2) for line in open("/proc/self/cgroup")]
path = next(path for _, names, path in lines if "cpuacct" in names or len(lines) == 1)
if sys.argv[1:]:
    folder = sys.argv[1] + path
    os.makedirs(folder, exist_ok=True)
    open(folder + "/cgroup.procs", "w").write("0")
print(path, flush=True)
sys.stdin.readline()
pages = mmap.mmap(-1, {N_PAGES} * mmap.PAGESIZE)
pages.madvise(mmap.MADV_NOHUGEPAGE)
for i in range({N_PAGES}):
    pages[i * mmap.PAGESIZE] = 1
file = os.open(f"/dev/shm/jm-{{os.getpid()}}", os.O_CREAT | os.O_RDWR)
os.unlink(f"/dev/shm/jm-{{os.getpid()}}")
for i in range({N_WRITES}):
    os.write(file, bytes(1000))
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(("127.0.0.1", 0))
for i in range({N_PACKETS}):
    udp.sendto(bytes(1000), udp.getsockname())
    udp.recv(1000)
print("done", flush=True)
sys.stdin.readline()
"""


def find_unified() -> str | None:
    """Where cgroup v2 is mounted beside v1."""
    mounts = [line.split() for line in pathlib.Path("/proc/mounts").read_text().splitlines()]
    unified = next((mount[1] for mount in mounts if mount[2] == "cgroup2"), None)
    return unified if any(mount[2] == "cgroup" for mount in mounts) else None


class Job:
    """One that does what it is known for when it is asked to."""

    def __init__(self, *arguments: str):
        command = [CLI, "run", "--output=/dev/null", "--", sys.executable, "-c", JOB, *arguments]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.folders = arguments
        self.path = self.process.stdout.readline().strip()
        found = re.search(r"/job_([^/]+)", self.path)
        self.id = found[1] if found else None

    def work(self) -> None:
        print(file=self.process.stdin, flush=True)
        if self.process.stdout.readline() != "done\n":
            raise AssertionError("the job failed")

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        self.process.stdout.close()
        for folder in self.folders:
            os.rmdir(folder + self.path)
            # of another job's there may be some left
            with contextlib.suppress(OSError):
                os.rmdir(folder + os.path.dirname(self.path))


class Counters(unittest.TestCase):
    def start_job(self, *arguments: str) -> Job:
        job = Job(*arguments)
        self.addCleanup(job.end)
        if job.id is None:
            self.skipTest(NO_CGROUPS)
        return job

    def start_counted_job(self) -> Job:
        unified = find_unified()
        return self.start_job(unified) if unified else self.start_job()

    def scrape(self, exporter: daemon.Daemon) -> str:
        """What it reports, once it has looked at all."""
        end = time.monotonic() + PATIENCE
        status, text = exporter.status_of("/metrics")
        while status == 503 and time.monotonic() < end:
            time.sleep(0.1)
            status, text = exporter.status_of("/metrics")
        self.assertEqual(status, 200, text)
        return text

    def figures_of(self, exporter: daemon.Daemon, job: Job) -> dict[str, float]:
        text = self.scrape(exporter)
        return {name: float(value) for name, value in re.findall(rf'^jobmetrics_job_(\w+)\{{jobid="{job.id}"\}} (\S+)$', text, re.MULTILINE)}

    def wait_for(self, exporter: daemon.Daemon, job: Job, name: str, least: float) -> dict[str, float]:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            figures = self.figures_of(exporter, job)
            if figures.get(name, -1) >= least:
                return figures
            time.sleep(0.1)
        raise AssertionError(f"{name} never came to {least}: {figures}")

    def start(self, *options: str) -> daemon.Daemon:
        exporter = daemon.Daemon(EXPORTER, "node", "--sample.interval=0.1", *options)
        self.addCleanup(exporter.__exit__)
        return exporter

    def test_page_faults_and_switches_of_a_job_are_counted(self):
        exporter, job = self.start(*COUNTERS), self.start_counted_job()
        self.wait_for(exporter, job, "perf_minor_page_faults_total", 0)
        before = self.figures_of(exporter, job)["perf_minor_page_faults_total"]
        job.work()
        figures = self.wait_for(exporter, job, "perf_minor_page_faults_total", before + N_PAGES)
        self.assertLess(figures["perf_minor_page_faults_total"], before + N_PAGES * 1.2)
        self.assertGreaterEqual(figures["perf_context_switches_total"], 1)
        self.assertGreater(figures["perf_task_clock_seconds_total"], 0)

    def test_traffic_of_a_job_is_counted(self):
        exporter, job = self.start(*COUNTERS), self.start_counted_job()
        self.wait_for(exporter, job, "network_sent_packets_total", 0)
        job.work()
        figures = self.wait_for(exporter, job, "network_sent_packets_total", N_PACKETS)
        self.assertEqual(figures["network_sent_packets_total"], N_PACKETS)
        self.assertEqual(figures["network_sent_bytes_total"], N_PACKETS * 1028)
        self.assertEqual(figures["network_received_bytes_total"], N_PACKETS * 1028)

    def test_files_of_a_job_are_counted(self):
        exporter, job = self.start(*COUNTERS), self.start_counted_job()
        self.wait_for(exporter, job, "network_sent_packets_total", 0)
        job.work()
        self.wait_for(exporter, job, "network_sent_packets_total", N_PACKETS)
        text = self.scrape(exporter)
        figures = re.findall(rf'^jobmetrics_job_filesystem_(\w+)_total\{{jobid="{job.id}",filesystem="/dev/shm"\}} (\S+)$', text, re.MULTILINE)
        told = {name: float(value) for name, value in figures}
        self.assertEqual(told, {"read_bytes": 0, "reads": 0, "write_bytes": N_WRITES * 1000, "writes": N_WRITES, "opens": 1, "creates": 1, "read_errors": 0, "write_errors": 0})

    def test_they_are_off_unless_turned_on(self):
        exporter = self.start()
        text = self.scrape(exporter)
        self.assertIn('jobmetrics_collector_success{collector="cpu"}', text)
        self.assertNotIn('collector="perf"', text)
        self.assertNotIn('collector="network"', text)
        self.assertNotIn('collector="filesystem"', text)

    def test_a_job_without_a_cgroup_to_count_by_is_reported(self):
        if not find_unified():
            self.skipTest("neither cgroup v2 with systemd nor cgroup v1 leaves a job without one here")
        exporter, job = self.start(*COUNTERS), self.start_job()
        said = exporter.log_until("collector network: ")
        self.assertRegex(said, r"collector network: /\S+: no such cgroup of version 2, by which it would be counted")
        text = self.scrape(exporter)
        self.assertIn('jobmetrics_collector_success{collector="network"} 0', text)
        self.assertNotIn("network_sent_bytes_total", self.figures_of(exporter, job))

    def test_too_many_counters_are_reported(self):
        exporter, job = self.start(*COUNTERS, "--collector.perf.max-counters=1"), self.start_counted_job()
        self.wait_for(exporter, job, "network_sent_packets_total", 0)
        self.assertEqual({name for name in self.figures_of(exporter, job) if name.startswith("perf_")}, set())
        text = self.scrape(exporter)
        self.assertIn('jobmetrics_collector_success{collector="perf"} 0', text)

    def test_what_rights_are_missing_is_reported_once(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "jobmetrics-exporter"
            shutil.copy(EXPORTER, copy)
            os.chmod(folder, 0o755)
            command = ["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups", "--no-new-privs"]
            command += ["--inh-caps=-all", "--bounding-set=-all", str(copy), "node", "--once", *COUNTERS]
            done = subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        for collector, words in (("perf", "it takes CAP_PERFMON"), ("network", "it takes CAP_BPF and CAP_NET_ADMIN"), ("filesystem", "it takes CAP_BPF and CAP_PERFMON")):
            self.assertIn(f'jobmetrics_collector_denied{{collector="{collector}"}} 1', done.stdout)
            self.assertIn(f'jobmetrics_collector_success{{collector="{collector}"}} 1', done.stdout)
            said = [line for line in done.stderr.splitlines() if words in line]
            self.assertEqual(len(said), 1, done.stderr)
            self.assertIn(f"collector {collector}: ", said[0])


def reason_to_skip() -> str | None:
    if os.geteuid() != 0:
        return "not root: only root can ask as another user, and count"
    text = subprocess.run([EXPORTER, "node", "--once", *COUNTERS], capture_output=True, text=True).stdout
    reasons = {"perf": "perf may not count here", "network": "no BPF programs can be run here", "filesystem": "the kernel runs no programs for us here"}
    for collector, reason in reasons.items():
        if f'success{{collector="{collector}"}}' not in text or f'denied{{collector="{collector}"}} 1' in text:
            return reason
    return None


if __name__ == "__main__":
    reason = reason_to_skip()
    if reason is not None:
        tap.skip_all(reason)
    sys.exit(tap.run(Counters))
