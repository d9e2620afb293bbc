#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What dashboards ask of a real Prometheus, about jobs of a real Slurm: those made for other exporters, and our own.

usage: test-dialects.py EXPORTER SPEND LIBRARY

Prometheus scrapes as it did the other exporters, on their ports. A job's CPU time is what the job itself says, its memory
what it was asked to use; a stand-in of NVIDIA's library says what its device does, and lab/move-counters moves the sockets'.
"""

import contextlib
import importlib
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "pylib"))
sys.path[:0] = [str(HERE), str(HERE.parent / "dropin")]
import dashboards  # noqa: E402
import dropin  # noqa: E402
import tap  # noqa: E402
from lab import CLUSTER, NODE, Unfit  # noqa: E402
from programs import SLOWNESS, Exporter, Late, Program, Prometheus, free_port, turn, wait_for  # noqa: E402
from rules import write_quick_rules  # noqa: E402
from sockets import Mover, Sockets  # noqa: E402

gpus = importlib.import_module("test-gpus")
slurm = importlib.import_module("test-slurm")

# each in one of the ways in which it can be had: side by side, on a port of its own, on a path of its own
TOGETHER = ("native", "batchjob", "ceems")
# with the port that the original has
ON_PORTS = {"slurm-job-exporter": 9798, "jobs-exporter": 9091, "princeton-cgroup-exporter": 9306, "nvidia-gpu-exporter": 9445}
ON_A_PATH = "cgroup-exporter"
WATTS = {"package-0": 60, "dram-0": 8, "package-1": 40, "dram-1": 5}
GRAMS_PER_KWH = 360
GIB = 1 << 30
MEGABYTE = 1 << 20
MEGABYTES = 32
LIMIT_MEGABYTES = 300
THREADS = 2
CPU_SECONDS = 10
STAY_SECONDS = 240 * SLOWNESS
# all that the test has seen
WINDOW = f"{300 * SLOWNESS}s"
# of a rate
SPAN = f"{15 * SLOWNESS}s"
TOLERANCE = 0.1
MEMORY = ("usage", "limit", "max", "cache", "rss", "rss_huge", "mapped_file", "active_file", "inactive_file", "unevictable")


class World(gpus.World):
    def __init__(self, exporter: str, spend: str, library: str, folder: pathlib.Path):
        super().__init__(exporter, spend, "", library, folder)
        self.sockets = Sockets(folder / "machine")
        self.mover = None

    def start(self) -> None:
        self.lab.up("--gpus", "2")
        ports = {name: free_port() for name in ON_PORTS}
        options = [
            f"--node.name={NODE}",
            f"--cluster={CLUSTER}",
            "--sample.interval=1",
            "--power.source=rapl-powercap",
            "--power.source=gpu",
            f"--gpu.source={self.source}",
            f"--ledger.file={self.folder / 'ledger.db'}",
            f"--emissions.provider=fixed,factor={GRAMS_PER_KWH}",
            f"--metrics.dialect={','.join(TOGETHER)}",
            *(f"--web.listen-address=127.0.0.1:{port}" for port in ports.values()),
            *(f"--metrics.dialect-port={name}={port}" for name, port in ports.items()),
        ]
        self.exporter = self._run(Exporter(self.program, self.folder, *options, within=self.sockets.within))
        self.mover = Mover(self.sockets, WATTS)
        further = [self._configuration(name, f"127.0.0.1:{port}") for name, port in ports.items()]
        path = {"job_name": ON_A_PATH, "metrics_path": f"/dialects/{ON_A_PATH}", "static_configs": [{"targets": [self.exporter.address]}]}
        self.cluster = self._run(self._cluster_role())
        of_cluster = {"job_name": "jobmetrics-cluster", "static_configs": [{"targets": [self.cluster.address]}]}
        rules = write_quick_rules(self.folder, SLOWNESS)
        self.prometheus = self._run(Prometheus(self.exporter.address, self.folder, rules, further=[*further, path, of_cluster]))
        self.start_job()

    def _cluster_role(self) -> Program:
        port = free_port()
        asks_the_lab = ["env", f"SLURM_CONF={self.lab.environment['SLURM_CONF']}", self.program, "cluster"]
        options = [f"--web.listen-address=127.0.0.1:{port}", "--cluster.interval=1"]
        return Program("cluster", [*asks_the_lab, *options], port, "/-/ready", self.folder)

    @staticmethod
    def _configuration(name: str, target: str) -> dict:
        """As a site has it: nodes are named, and the cluster is a label."""
        labels = {"cluster": CLUSTER, "instance": f"{NODE}:{ON_PORTS[name]}"}
        # a gateway's series name their node themselves
        return {"job_name": name, "honor_labels": name == "jobs-exporter", "static_configs": [{"targets": [target], "labels": labels}]}

    def start_job(self) -> None:
        script = f"exec {self.spend} {CPU_SECONDS / THREADS} {THREADS} {MEGABYTES} {STAY_SECONDS}"
        options = ["-n1", f"-c{THREADS}", f"--mem={LIMIT_MEGABYTES}", "--gres=gpu:1", "-J", "known"]
        self.job = self.lab.sbatch("ada", script, *options)
        self.lab.await_state(self.job, "RUNNING")
        self.device = self.device_of(self.job)
        self.devices.set(self.device, utilization=75, memory_used=12 * GIB, power=300_000, temperature=62)
        self.spent = self.lab.await_spent("ada", self.job)

    def stop(self) -> None:
        if self.mover is not None:
            self.mover.stop()
        super().stop()


world: World


class Situation(unittest.TestCase):
    def find(self, query: str) -> list[dict]:
        query = query.replace("JOB", world.job).replace("WINDOW", WINDOW).replace("SPAN", SPAN).replace("NODE", NODE).replace("CLUSTER", CLUSTER)
        return wait_for(f"an answer to {query}", 30, lambda: world.prometheus.find(query), every=0.5)

    def ask(self, query: str) -> float:
        found = self.find(query)
        self.assertEqual(len(found), 1, query)
        value = float(found[0]["value"][1])
        tap.comment(f"{query}: {value}")
        return value

    def labels(self, query: str, name: str) -> set[str]:
        return {one["metric"][name] for one in self.find(query)}

    def await_about(self, query: str, truth: float, tolerance: float = TOLERANCE) -> None:
        """Prometheus has scraped it some time after it has become true."""
        wait_for(f"{query} is about {truth}", 30, lambda: abs(self.ask(query) - truth) <= tolerance * truth, every=0.5)

    def await_value(self, query: str, truth: float) -> None:
        self.await_about(query, truth, 0)

    def assert_between(self, low: float, value: float, high: float) -> None:
        self.assertGreaterEqual(value, low)
        self.assertLessEqual(value, high)

    def assert_memory(self, query: str, scale: float = 1) -> None:
        self.assert_between(MEGABYTES * MEGABYTE * scale, self.ask(query), LIMIT_MEGABYTES * MEGABYTE * scale)

    def assert_worked(self, rate: str) -> None:
        """At some time since the job began."""
        self.assertGreater(self.ask(f"max_over_time(({rate})[WINDOW:1s])"), 0)


class OldScrapeConfigurations(Situation):
    def test_find_each_exporter_on_its_port(self):
        for name in (*ON_PORTS, ON_A_PATH):
            self.await_value(f'up{{job="{name}"}}', 1)

    def test_find_no_other_names_there(self):
        for name, own in (("slurm-job-exporter", "slurm_job_"), ("jobs-exporter", "jobs_"), ("nvidia-gpu-exporter", "nvidia_gpu_"), (ON_A_PATH, "cgroup_")):
            self.assertEqual(self.ask(f'absent({{job="{name}",__name__!~"{own}.*|up|scrape_.*"}})'), 1)


class Jobstats(Situation):
    """Its command asks for one figure after the other, and takes nodes from `instance`, devices from `minor_number`."""

    def cgroup(self, name: str) -> str:
        return f"max_over_time(cgroup_{name}{{cluster='CLUSTER',jobid='JOB',step='',task=''}}[WINDOW])"

    def gpu(self, name: str, how: str = "max") -> str:
        return f"{how}_over_time((nvidia_gpu_{name}{{cluster='CLUSTER'}} and nvidia_gpu_jobId == JOB)[SPAN:1s])"

    def test_has_the_time_and_memory_of_a_job(self):
        self.await_about(self.cgroup("cpu_total_seconds"), world.spent)
        self.assertEqual(self.ask(self.cgroup("cpus")), THREADS)
        self.assertEqual(self.ask(self.cgroup("memory_total_bytes")), LIMIT_MEGABYTES * MEGABYTE)
        self.assert_memory(self.cgroup("memory_rss_bytes"))
        both = "cgroup_memory_rss_bytes{jobid='JOB',step='',task=''} + cgroup_memory_shmem_bytes{jobid='JOB',step='',task=''}"
        self.assert_memory(f"max_over_time(({both})[WINDOW:1s])")
        self.assertEqual(self.labels(self.cgroup("cpus"), "instance"), {f"{NODE}:9306"})

    def test_has_the_devices_of_a_job(self):
        self.await_value(self.gpu("memory_total_bytes"), 40 * GIB)
        self.await_value(self.gpu("memory_used_bytes"), 12 * GIB)
        self.await_value(self.gpu("duty_cycle", "max"), 75)
        self.assert_between(0, self.ask(self.gpu("duty_cycle", "avg")), 75)
        self.assertEqual(self.labels(self.gpu("memory_used_bytes"), "minor_number"), {world.device})

    def test_has_the_panels_of_its_dashboard(self):
        for name in ("cpu_user_seconds", "cpu_system_seconds", "cpu_total_seconds"):
            of_job = "{jobid='JOB',step='',task=''}"
            share = f"irate(cgroup_{name}{of_job}[SPAN]) / cgroup_cpus{of_job}"
            self.assertEqual(self.labels(f"label_replace({share}, 'node', '$1', 'instance', '(.*):.*')", "node"), {NODE})
        self.assert_worked("irate(cgroup_cpu_total_seconds{jobid='JOB',step='',task=''}[SPAN])")
        for name in ("memory_cache_bytes", "memory_used_bytes"):
            self.assertGreaterEqual(self.ask(f"cgroup_{name}{{jobid='JOB',step='',task=''}}"), 0)
        self.await_value("nvidia_gpu_temperature_celsius and nvidia_gpu_jobId == JOB", 62)
        self.await_value("(nvidia_gpu_power_usage_milliwatts and nvidia_gpu_jobId == JOB) / 1000", 300)

    def test_knows_whose_a_device_is(self):
        """So do job defence and gpudash, for which a device of 0 is idle."""
        uid = int(subprocess.run(["id", "-u", "ada"], capture_output=True, text=True, check=True).stdout)
        self.await_value(f"nvidia_gpu_jobUid{{minor_number='{world.device}'}}", uid)
        self.assertEqual(self.ask("cgroup_uid{jobid='JOB'}"), uid)
        self.assertEqual(self.ask("count(nvidia_gpu_jobId == 0)"), 1)
        self.assertEqual(self.ask("nvidia_gpu_num_devices"), 2)


class TrailblazingTurtle(Situation):
    OF_JOB = "{slurmjobid=~'JOB',cluster='CLUSTER'}"

    def test_has_the_cores_of_a_job(self):
        self.await_about(f"sum(slurm_job_core_usage_total{self.OF_JOB}) / 1000000000", world.spent)
        self.assert_worked(f"sum(rate(slurm_job_core_usage_total{self.OF_JOB}[SPAN]) / 1000000000)")
        cores = self.labels(f"rate(slurm_job_core_usage_total{self.OF_JOB}[SPAN]) / 1000000000", "core")
        # each must be a number; v2 does not distinguish them
        self.assertEqual(len({int(core) for core in cores}), THREADS if world.lab.cgroup == "v1" else 1)
        self.assertEqual(self.ask("count(slurm_job_core_usage_total) by (user, account, cluster)"), len(cores))

    def test_has_the_allocated_cores_as_the_manual_says(self):
        """Where a count of series is none."""
        cores = "sum by (user, account) (jobmetrics_job_cpus * on (instance, jobid) group_left (user, account) jobmetrics_job_info)"
        self.assertEqual(self.ask(cores), THREADS)
        self.assertEqual(self.labels(cores, "account"), {"physics"})

    def test_has_the_memory_of_a_job(self):
        for name in MEMORY:
            if name != "max" or world.lab.kernel_memory_peak(world.job) is not None:
                self.assertGreaterEqual(self.ask(f"slurm_job_memory_{name}{self.OF_JOB}/(1024*1024*1024)"), 0)
        self.assert_memory(f"sum(slurm_job_memory_usage{self.OF_JOB})")
        self.assertEqual(self.ask("sum(slurm_job_memory_limit{account='physics'}) by (user)"), LIMIT_MEGABYTES * MEGABYTE)
        node = "(sum(slurm_job_memory_usage{instance=~'NODE(:.*)'}) by (user, slurmjobid))"
        self.assertEqual(self.labels(node, "slurmjobid"), {world.job})

    def test_has_the_processes_of_a_job(self):
        self.assertGreaterEqual(self.ask(f"sum(slurm_job_process_count{self.OF_JOB})"), 1)
        self.assertGreaterEqual(self.ask("sum(slurm_job_threads_count{slurmjobid=~'JOB',state='running'})"), 0)
        self.assertIn("sleeping", self.labels(f"slurm_job_threads_count{self.OF_JOB}", "state"))
        self.await_about("sum(slurm_job_process_usage_total{slurmjobid='JOB',exe=~'.*/spend'})", world.spent)
        self.assertIn(str(world.spend), self.labels(f"sum(deriv(slurm_job_process_usage_total{self.OF_JOB}[1m])) by (exe)", "exe"))

    def test_has_the_devices_of_a_job(self):
        self.await_value(f"sum(slurm_job_utilization_gpu{self.OF_JOB})", 75)
        self.await_value(f"sum(slurm_job_memory_usage_gpu{self.OF_JOB})/(1024*1024*1024)", 12)
        self.await_value(f"sum(slurm_job_power_gpu{self.OF_JOB})/(1000)", 300)
        self.assertEqual(self.ask("count(slurm_job_utilization_gpu) by (account)"), 1)
        self.assertEqual(self.labels(f"slurm_job_power_gpu{self.OF_JOB}", "gpu_type"), {"NVIDIA A100-SXM4-40GB"})


class Petricore(Situation):
    def test_has_what_its_mail_and_pages_show(self):
        of_job = "{slurm_job='JOB'}"
        self.await_about(f"jobs_cpu_time_total{of_job}", world.spent)
        self.await_about(f"(jobs_user_time{of_job} + jobs_system_time{of_job}) / 100", world.spent)
        self.assertGreater(self.ask(f"max_over_time(jobs_cpu_percent{of_job}[WINDOW])"), 0)
        self.assert_memory(f"max_over_time(jobs_rss{of_job}[WINDOW])", scale=1 / MEGABYTE)
        self.assertGreater(self.ask(f"avg_over_time(jobs_opened_files{of_job}[WINDOW])"), 0)
        for name in ("jobs_read_mb", "jobs_write_mb", "jobs_read_count", "jobs_write_count"):
            self.assertGreaterEqual(self.ask(f"{name}{of_job}"), 0)
        self.assertGreater(self.ask(f"sum(max_over_time(jobs_thread_count{of_job}[WINDOW]))"), 0)
        names = self.labels(f"jobs_thread_count{of_job}", "proc_name")
        self.assertTrue(names and not any("/" in name for name in names), names)
        self.assertEqual(self.labels(f"jobs_gpus_used{of_job}", "gpuid"), {world.device})
        # the label is the exporter's, not that of the scrape
        self.assertEqual(self.labels(f"jobs_rss{of_job}", "instance"), {NODE})

    def test_has_the_time_of_each_core(self):
        if world.lab.cgroup != "v1":
            self.skipTest("cgroup v2 does not tell cores apart")
        self.await_about("sum(jobs_cpu_time_core{slurm_job='JOB'})", world.spent)
        self.assertEqual(len(self.labels("jobs_cpu_time_core{slurm_job='JOB'}", "core")), THREADS)


class BatchJobStack(Situation):
    def test_has_what_its_server_asks_for(self):
        of_job = "{jobid=~'JOB'}"
        work = f"(rate(batchjob_slurm_job_cpu_user_seconds{of_job}[SPAN]) + rate(batchjob_slurm_job_cpu_system_seconds{of_job}[SPAN]))"
        self.assert_worked(f"avg by (jobid) ({work} / batchjob_slurm_job_cpus{of_job})")
        used = self.ask(f"avg by (jobid) (batchjob_slurm_job_memory_used_bytes{of_job} / batchjob_slurm_job_memory_total_bytes{of_job})")
        self.assert_between(MEGABYTES / LIMIT_MEGABYTES, used, 1)
        self.await_about("batchjob_slurm_job_cpu_total_seconds{jobid='JOB',jobuser='ada',jobaccount='physics',batch='slurm',hostname='NODE'}", world.spent)

    def test_joins_devices_and_jobs_by_uuid(self):
        self.assertEqual(self.labels("batchjob_slurm_job_gpu_jobid_flag{jobid='JOB'}", "UUID"), {gpus.UUIDS[int(world.device)]})
        self.assertEqual(self.ask("batchjob_slurm_job_gpu_jobid_flag{jobid='JOB'}"), 1)

    def test_has_the_power_of_the_sockets(self):
        self.assert_worked("sum by (hostname) (rate(batchjob_rapl_package_joules_total{hostname='NODE'}[SPAN]))")
        self.assertEqual(self.labels("batchjob_rapl_package_joules_total", "index"), {"0", "1"})


class Ceems(Situation):
    """Its recording rules join jobs, nodes and devices by hostname and uuid."""

    WORK = "sum by (uuid, hostname) (irate(ceems_compute_unit_cpu_user_seconds_total[SPAN]) + irate(ceems_compute_unit_cpu_system_seconds_total[SPAN]))"
    ALL_WORK = "sum by (hostname) (irate(ceems_cpu_seconds_total{mode!~'idle|iowait|steal'}[SPAN]))"
    MEMORY = "sum by (uuid, hostname) (ceems_compute_unit_memory_used_bytes)"
    ALL_MEMORY = "(sum by (hostname) (ceems_meminfo_MemTotal_bytes) - sum by (hostname) (ceems_meminfo_MemAvailable_bytes))"

    def test_have_what_a_job_uses(self):
        self.await_about("sum by (uuid) (ceems_compute_unit_cpu_user_seconds_total{uuid='JOB'} + ceems_compute_unit_cpu_system_seconds_total)", world.spent)
        self.assert_worked(f"{self.WORK} / on (uuid, hostname) sum by (uuid, hostname) (ceems_compute_unit_cpus) * 100")
        ratio = "ceems_compute_unit_memory_used_bytes{uuid='JOB'} / ceems_compute_unit_memory_total_bytes{uuid='JOB'}"
        self.assert_between(MEGABYTES / LIMIT_MEGABYTES, self.ask(ratio), 1)
        self.assertEqual(self.ask("ceems_compute_units{manager='slurm',hostname='NODE'}"), 1)

    def test_split_the_power_of_the_sockets(self):
        package = "sum by (hostname) (irate(ceems_rapl_package_joules_total[SPAN]))"
        memory = "sum by (hostname) (irate(ceems_rapl_dram_joules_total[SPAN]))"
        by_work = f"{self.WORK} / on (hostname) group_left () {self.ALL_WORK} * on (hostname) group_left () {package}"
        by_memory = f"{self.MEMORY} / on (hostname) group_left () {self.ALL_MEMORY} * on (hostname) group_left () {memory}"
        self.assert_worked(f"({by_work}) + ({by_memory})")

    def test_join_devices_and_jobs(self):
        self.assertEqual(self.labels("ceems_compute_unit_gpu_index_flag{uuid='JOB'}", "gpuuuid"), {gpus.UUIDS[int(world.device)]})
        self.assertEqual(self.ask("ceems_compute_unit_gpu_index_flag{uuid='JOB'}"), 1)

    def test_have_the_factor_of_emissions(self):
        self.await_about("ceems_emissions_gCo2_kWh{provider='fixed'}", GRAMS_PER_KWH, 1e-9)


class TreydocksExporter(Situation):
    def test_joins_jobs_and_who_they_are(self):
        self.await_about("sum(cgroup_cpu_total_seconds{cgroup=~'.*/job_JOB'})", world.spent)
        joined = "sum by (username) (cgroup_cpu_total_seconds{cgroup!=''} * on (cgroup) group_left (username) cgroup_info{jobid='JOB',username='ada'})"
        self.await_about(joined, world.spent)
        self.assert_memory("cgroup_memory_used_bytes{cgroup=~'.*/job_JOB'}")


class Tables(Situation):
    """All that the originals' dashboards and programs ask, as tests/dropin has it."""

    # perf's and BPF's collectors are off, no DCGM answers, no file system is named, nobody runs software of CVMFS,
    # and cgroup v2 does not distinguish cores
    NOT_HERE = re.compile('ceems_(perf|ebpf)_|slurm_job_(sm_occupancy|tensor|fp[0-9]+|pcie|nvlink)_gpu|jobs_(uses_scratch|cpu_time_core)|exe=~"/cvmfs')

    def list_empty(self, queries: list[dropin.Query]) -> set[str]:
        values = {"jobid": world.job, "cluster": CLUSTER, "node": NODE, "user": "ada", "account": "physics", "interval": SPAN, "__rate_interval": SPAN}
        return {query.text for query in queries if not world.prometheus.find(dropin.fill_in(query.text, **values))}

    def test_say_what_is_answered(self):
        for path in dropin.TABLES:
            with self.subTest(path.stem):
                queries = dropin.read_table(path)
                asked = [query for query in queries if query.verdict == "answered"]
                excused = {query.text for query in asked if self.NOT_HERE.search(query.text)}
                with contextlib.suppress(Late):
                    wait_for("answers", 30, lambda: self.list_empty(asked) <= excused, every=1)
                empty = self.list_empty(asked)
                tap.comment(f"{path.stem}: {len(asked) - len(empty)} of {len(queries)} queries were answered, {len(empty)} need what is not here")
                self.assertEqual(empty - excused, set())

    def test_say_what_is_empty(self):
        for path in dropin.TABLES:
            nothing = [query for query in dropin.read_table(path) if query.verdict == "empty"]
            self.assertEqual(self.list_empty(nothing), {query.text for query in nothing})


class AJobThatEnded(Situation):
    """It comes last, for the others ask about this job."""

    def test_uses_nothing_any_more(self):
        world.lab.ask("scancel", world.job)
        of_devices = ("slurm_job_utilization_gpu", "slurm_job_power_gpu")
        for name in ("slurm_job_memory_usage", *of_devices, "jobs_rss", "cgroup_info", "batchjob_slurm_job_cpus", "ceems_compute_units"):
            self.await_value(f"absent({name})", 1)

    def test_leaves_its_device_idle(self):
        self.await_value("count(nvidia_gpu_jobId == 0)", 2)


class OurOwn(unittest.TestCase):
    """The dashboards that are installed, about a job that runs, one that waits behind it, and those that have ended."""

    # where this machine, or this lab, has nothing to report
    ALL_NODES_ARE_WELL = {("cluster", "Nodes that are not to be used, and why", "")}
    SLURM_SETS_NO_BANDWIDTH = {("job", "Held back by a limit", "")}
    V1_HAS_NO_PRESSURE = {("job", "Waits", f"for {what}") for what in ("a CPU", "memory", "IO")}
    answers: dict[tuple[str, str, str], list[dict]] = {}

    @classmethod
    def ask_all(cls, absent: set[tuple[str, str, str]]) -> None:
        """Each until it has an answer."""
        values = {"cluster": CLUSTER, "user": "ada", "account": "physics", "instance": world.exporter.address, "jobid": world.job}
        values |= {"__range": WINDOW, "__rate_interval": SPAN}
        # all clusters: this scrape configuration does not report in which its nodes are
        anywhere = values | {"cluster": ".*"}

        def are_answered() -> bool:
            for query in dashboards.queries():
                if query.key not in cls.answers:
                    found = world.prometheus.find(query.filled(anywhere if query.board == "energy" else values))
                    cls.answers |= {query.key: found} if found else {}
            return {query.key for query in dashboards.queries()} - set(cls.answers) <= absent

        with contextlib.suppress(Late):
            wait_for("all answers", 30, are_answered, every=1)

    def value(self, *key: str) -> float:
        self.assertEqual(len(self.answers[key]), 1, key)
        return float(self.answers[key][0]["value"][1])

    def test_have_an_answer_for_each_panel(self):
        world.start_job()
        waiting = world.lab.sbatch("ben", "exec sleep 60", "-n1", "--exclusive", "--mem=100")
        absent = self.ALL_NODES_ARE_WELL | self.SLURM_SETS_NO_BANDWIDTH
        # the site here has nodes and a cluster, and no archive
        absent |= {query.key for query in dashboards.queries() if "jobmetrics_server_" in query.expression}
        absent |= self.V1_HAS_NO_PRESSURE if world.lab.cgroup == "v1" else set()
        self.ask_all(absent)
        for job in (waiting, world.job):
            world.lab.ask("scancel", job)
        asked = {query.key for query in dashboards.queries()}
        tap.comment(f"{len(self.answers)} of {len(asked)} queries were answered")
        self.assertEqual(asked - set(self.answers), absent)

    def test_report_of_a_job_what_is_known_of_it(self):
        self.assertEqual(self.value("user", "Jobs that run", ""), 1)
        self.assertEqual(self.value("cluster", "Nodes", ""), 1)
        for what, truth in (("CPUs", THREADS), ("Limit", LIMIT_MEGABYTES * MEGABYTE), ("GPUs", 1)):
            for board, panel in (("user", "Running jobs"), ("account", "Running jobs"), ("node", "Jobs on this node"), ("job", "On each node")):
                self.assertEqual(self.value(board, panel, what), truth, (board, what))
        self.assertLessEqual(self.value("job", "CPU time", ""), world.spent * (1 + TOLERANCE))
        self.assertGreaterEqual(self.value("job", "Memory", "anonymous"), MEGABYTES * MEGABYTE)

    def test_lead_from_a_job_to_its_owner(self):
        (row,) = self.answers["node", "Jobs on this node", "CPUs"]
        self.assertEqual(row["metric"], {"cluster": CLUSTER, "jobid": world.job, "user": "ada", "account": "physics"})

    def test_rank_the_users_by_what_was_measured(self):
        """All energy is ada's, as ben's job waits."""
        for key in (("energy", "Users by energy", ""), ("energy", "Users, in the last day", "Energy")):
            self.assertEqual({one["metric"]["user"] for one in self.answers[key]}, {"ada"})
            self.assertGreater(float(self.answers[key][0]["value"][1]), 0)


ALL = (OldScrapeConfigurations, Jobstats, TrailblazingTurtle, Petricore, BatchJobStack, Ceems, TreydocksExporter, Tables, AJobThatEnded, OurOwn)


def unfit_because() -> str | None:
    reason = slurm.unfit_because()
    if reason is None and subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
        return "no mounts can be made here"
    return reason


def main() -> int:
    global world
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    reason = unfit_because()
    if reason:
        tap.skip_all(reason)
    with turn(), tempfile.TemporaryDirectory(prefix="jobmetrics-e2e-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # the jobs' users read the lab's files
        world = World(*sys.argv[1:], folder)
        try:
            world.start()
            return tap.run(*ALL)
        except Unfit as unfit:
            tap.skip_all(str(unfit))
        finally:
            world.stop()


if __name__ == "__main__":
    sys.exit(main())
