# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The exporters that sites have, and jobmetrics in their place: by the commands of the manual, for a Prometheus that is not notified of it.

Debian has none of them: units of their names, which listen at their ports, stand in for them.
"""

import importlib
import json
import pathlib
import re
import subprocess
import time
import urllib.request
from dataclasses import dataclass

import tap
from lab import NODE
from machine import EXAMPLES, UNIT, run
from programs import SLOWNESS, Prometheus, answers, wait_for

slurm = importlib.import_module("test-slurm")

MANUAL = EXAMPLES / "manual" / "how-to" / "migration.md"
SLURM_CONF = pathlib.Path("/etc/slurm/slurm.conf")
UNITS = pathlib.Path("/etc/systemd/system")
SETTINGS = pathlib.Path("/etc/jobmetrics")
SECRET = SETTINGS / "grafana-secret"
DEFAULTS = pathlib.Path("/etc/default/jobmetrics-exporter")
# of the unit, where its page at the usual port would be in the way of batchjob_exporter's
BESIDE = "web.listen-address=:9014\n"
MEGABYTES = 200
# without what is slow to import
STAND_IN = """
import socket, sys
port, body = int(sys.argv[1]), f'stand_in{{unit="{sys.argv[2]}"}} 1\\n'
head = "HTTP/1.0 200 OK\\r\\nContent-Type: text/plain; version=0.0.4\\r\\nContent-Length: "
answer = f"{head}{len(body)}\\r\\n\\r\\n{body}".encode()
with socket.create_server(("", port)) as server:
    while True:
        connection = server.accept()[0]
        with connection:
            connection.recv(4096)
            connection.sendall(answer)
"""


@dataclass(frozen=True)
class Predecessor:
    """What its README says of it, and what its dashboards, pages and mails ask: each of `queries` has an answer only where it is right."""

    heading: str
    port: int
    units: tuple[str, ...]
    ours: str
    queries: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Of the unit that listens."""
        return self.units[-1]

    @property
    def role(self) -> str:
        return f"jobmetrics-exporter-{self.ours}.service"

    def commands(self) -> str:
        """The manual's, below its heading."""
        section = MANUAL.read_text().split(f"\n## {self.heading}\n")[1].split("\n## ")[0]
        (found,) = re.findall(r"(?ms)^```sh [^\n]*\n(.*?)^```$", section)
        return found

    def configuration(self) -> dict:
        """As its README has it, or that of the gateway that it pushes to."""
        is_gateway = self.name == "prometheus-pushgateway"
        return {"job_name": self.name, "honor_labels": is_gateway, "static_configs": [{"targets": [f"localhost:{self.port}"]}]}


PREDECESSORS = (
    # the first, for it has the port that jobmetrics has besides the others'
    Predecessor(
        "batchjob_exporter and CEEMS",
        9010,
        ("batchjob_exporter",),
        "node",
        (
            "batchjob_slurm_job_cpu_total_seconds{jobid='JOB',jobuser='ada',jobaccount='physics',batch='slurm'} > 2",
            "avg by (jobid) (rate(batchjob_slurm_job_cpu_user_seconds{jobid=~'JOB'}[5m]) / batchjob_slurm_job_cpus{jobid=~'JOB'}) >= 0",
            "batchjob_slurm_job_memory_total_bytes{jobid='JOB'} == LIMIT",
            "avg by (jobid) (batchjob_slurm_job_memory_used_bytes{jobid=~'JOB'} / batchjob_slurm_job_memory_total_bytes{jobid=~'JOB'}) > 0",
            "batchjob_slurm_job_memory_rss_bytes{jobid='JOB'} > 0",
            "batchjob_slurm_job_cpu_psi_seconds{jobid='JOB'} >= 0",
            "count(batchjob_scrape_collector_success == 1) > 0",
        ),
    ),
    Predecessor(
        "slurm-job-exporter (and TrailblazingTurtle)",
        9798,
        ("slurm-job-exporter",),
        "node",
        (
            "sum(slurm_job_core_usage_total{slurmjobid=~'JOB',user='ada'}) / 1000000000 > 2",
            "sum(rate(slurm_job_core_usage_total{slurmjobid=~'JOB'}[5m]) / 1000000000) >= 0",
            "slurm_job_memory_limit{slurmjobid='JOB',account='physics'} == LIMIT",
            "sum(slurm_job_memory_usage{slurmjobid=~'JOB'}) by (user) > 0",
            "sum(slurm_job_memory_rss{slurmjobid=~'JOB'})/(1024*1024*1024) > 0",
            "sum(slurm_job_process_count{slurmjobid=~'JOB'}) >= 1",
            "sum(slurm_job_threads_count{slurmjobid=~'JOB',state='sleeping'}) >= 1",
            "sum(slurm_job_process_usage_total{slurmjobid='JOB',exe=~'.*/spend'}) > 2",
        ),
    ),
    Predecessor(
        "jobs_exporter of petricore",
        9091,
        ("jobs_exporter", "prometheus-pushgateway"),
        "node",
        (
            "jobs_cpu_time_total{slurm_job='JOB',instance='HOST'} > 2",
            "(jobs_user_time{slurm_job='JOB'} + jobs_system_time{slurm_job='JOB'}) / 100 > 2",
            "max_over_time(jobs_cpu_percent{slurm_job='JOB'}[5m]) >= 0",
            "max_over_time(jobs_rss{slurm_job='JOB'}[5m]) > 0",
            "jobs_spawned_processes{slurm_job='JOB'} > 0",
            "avg_over_time(jobs_opened_files{slurm_job='JOB'}[5m]) > 0",
            "sum(jobs_thread_count{slurm_job='JOB'}) >= 1",
            "jobs_uses_scratch{slurm_job='JOB'} == 0",
            "jobs_read_mb{slurm_job='JOB'} >= 0",
            "jobs_write_mb{slurm_job='JOB'} >= 0",
            "jobs_read_count{slurm_job='JOB'} > 0",
            "jobs_write_count{slurm_job='JOB'} >= 0",
        ),
    ),
    # an API, which Prometheus does not scrape
    Predecessor("batchjob_stats_server and ceems_api_server", 9020, ("batchjob_stats_server",), "server"),
    Predecessor(
        "prometheus-slurm-exporter of rivosinc, and of vpenso",
        9092,
        ("prometheus-slurm-exporter",),
        "cluster",
        (
            "slurm_cpus_total - slurm_cpus_idle >= 1",
            "slurm_mem_alloc > 0",
            "slurm_mem_real > slurm_mem_free",
            "sum(slurm_node_count_per_state) == 1",
            "sum(slurm_partition_total_cpus) by (partition) >= 1",
            "slurm_partition_job_state_total{partition='batch',state='RUNNING'} == 1",
            "sum(slurm_user_state_total{username='ada',state='RUNNING'}) == 1",
            "sum by (username) (slurm_user_cpu_alloc) == 1",
            "slurm_user_mem_alloc{username='ada'} == LIMIT",
            "slurm_account_cpu_alloc{account='physics'} == 1",
            "slurm_node_scrape_error == 0",
        ),
    ),
    Predecessor(
        "Mila's slurm_monitoring_and_reporting",
        19998,
        ("slurm-monitoring",),
        "cluster",
        (
            "sum(slurm_cpus_alloc) == 1",
            "slurm_cpus_total{reservation='None'} >= slurm_cpus_idle",
            "slurm_job_states{name='running'} == 1",
            "sum(slurm_node_states{name='NODE'}) == 1",
            "slurm_partitions{name='batch'} == 1",
        ),
    ),
)


class ThePredecessors(slurm.Situation):
    """One after the other makes room, while the same job runs."""

    kept: dict[pathlib.Path, str]

    def test_run_beside_the_exporter(self):
        cls, world = type(self), slurm.world
        world.exporter.stop()
        DEFAULTS.write_text("JOBMETRICS_OPTIONS=--config.file=/etc/jobmetrics/node.conf\n")
        # as a site has it, whose commands work for every user
        SLURM_CONF.unlink(missing_ok=True)
        SLURM_CONF.symlink_to(world.lab.environment["SLURM_CONF"])
        cls.kept = {path: path.read_text() for path in SETTINGS.glob("*.conf")}
        self.restore()
        run("systemctl", "start", UNIT)
        self.start_stand_ins()
        cls.job = world.lab.sbatch("ada", f"{world.spend} 3 1 16 3600", "-n1", f"--mem={MEGABYTES}")
        folder = world.folder / "predecessors"
        folder.mkdir()
        further = [one.configuration() for one in PREDECESSORS]
        cls.prometheus = world._run(Prometheus("localhost:9014", folder, seconds=0.5, further=further))
        wait_for("Prometheus has all of them", 60, lambda: len(cls.prometheus.find("stand_in == 1")) == len(PREDECESSORS), every=0.5)
        wait_for("it has jobmetrics besides", 60, lambda: cls.prometheus.find(f"jobmetrics_job_info{{jobid='{cls.job}',user='ada'}}"), every=0.5)

    def restore(self) -> None:
        """As on the day on which both run."""
        for path, text in self.kept.items():
            path.write_text(text + BESIDE if path.name == "node.conf" else text)

    def start_stand_ins(self) -> None:
        program = slurm.world.folder / "stand-in.py"
        program.write_text(STAND_IN)
        units = [(unit, one) for one in PREDECESSORS for unit in one.units]
        for unit, one in units:
            # what only pushes has no port
            command = f"/usr/bin/python3 {program} {one.port} {unit}" if unit == one.name else "/usr/bin/sleep infinity"
            (UNITS / f"{unit}.service").write_text(f"[Service]\nExecStart={command}\n[Install]\nWantedBy=multi-user.target\n")
        run("systemctl", "enable", "--now", *(unit for unit, _ in units))

    def test_make_room_by_the_commands_of_the_manual(self):
        for one in PREDECESSORS:
            with self.subTest(one.name):
                began = time.monotonic()
                try:
                    self.replace(one)
                finally:
                    self.restore()
                tap.comment(f"{one.name}: replaced in {time.monotonic() - began:.0f} s")

    def replace(self, one: Predecessor) -> None:
        # this Slurm has run for less, and each day is a command
        run("sh", "-eu", "-c", one.commands().replace("begin=30", "begin=1"))
        for unit in one.units:
            self.assertIn(run("systemctl", "show", "--value", "--property=ActiveState,UnitFileState", unit).split(), (["inactive", "disabled"],))
        wait_for("jobmetrics answers there", 60, lambda: answers(f"http://localhost:{one.port}/-/ready"), every=0.5)
        if one.queries:
            self.await_answers(one)
        else:
            self.await_the_job_at_the_api(one)
        if one.role != UNIT:
            run("systemctl", "disable", "--now", one.role)

    def await_answers(self, one: Predecessor) -> None:
        """At the old port there are the old names alone, under the old labels of the scrape."""
        names = {"JOB": self.job, "LIMIT": str(MEGABYTES << 20), "NODE": NODE, "HOST": run("uname", "-n").strip()}
        for query in one.queries:
            filled = re.sub(r"\b(JOB|LIMIT|NODE|HOST)\b", lambda match: names[match[0]], query)
            wait_for(f"an answer to {filled}", 60, lambda filled=filled: self.prometheus.find(filled), every=0.5)
        self.assertEqual([found["value"][1] for found in self.prometheus.find(f"up{{job='{one.name}'}}")], ["1"])
        own = f'{{job="{one.name}",__name__=~"jobmetrics_.*"}}'
        self.assertEqual(bool(self.prometheus.find(own)), one.port == 9010)
        self.assertEqual(self.prometheus.find(f'stand_in{{job="{one.name}"}}'), [])

    def await_the_job_at_the_api(self, one: Predecessor) -> None:
        headers = {"X-Grafana-User": "ada", "X-Jobmetrics-Secret": SECRET.read_text().strip()}
        request = urllib.request.Request(f"http://127.0.0.1:{one.port}/batchjob/api/jobs", headers=headers)

        def jobs() -> list[dict]:
            with urllib.request.urlopen(request, timeout=10 * SLOWNESS) as response:
                return [job for job in json.load(response)["data"] or [] if job["jobid"] == self.job]

        (found,) = wait_for("the API has the job", 60, jobs, every=1)
        self.assertEqual((found["user"], found["account"]), ("ada", "physics"))

    def test_come_back_where_somebody_wants_them(self):
        self.addCleanup(self.clean_up)
        one = PREDECESSORS[-1]
        run("systemctl", "restart", UNIT)
        run("systemctl", "enable", "--now", one.name)
        wait_for("Prometheus has it again", 60, lambda: self.prometheus.find(f'stand_in{{unit="{one.name}"}} == 1'), every=0.5)

    def clean_up(self) -> None:
        """For those that come after."""
        world = slurm.world
        world.lab.ask("scancel", self.job)
        self.prometheus.stop()
        names = [unit for one in PREDECESSORS for unit in one.units]
        run("systemctl", "disable", "--now", *names)
        for name in names:
            (UNITS / f"{name}.service").unlink()
        for role in ("node", "server"):
            subprocess.run(["rm", "-r", str(UNITS / f"jobmetrics-exporter-{role}.service.d")], check=True)
        for path, text in self.kept.items():
            path.write_text(text)
        SECRET.unlink()
        run("systemctl", "daemon-reload")
        world.exporter.start()
