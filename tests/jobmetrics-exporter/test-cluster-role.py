#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The daemon's cluster role as an administrator meets it: Slurm's commands are scripts that print what a real one said.

usage: test-cluster-role.py EXPORTER
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import daemon  # noqa: E402
import tap  # noqa: E402
from slurm_scripts import ANSWERS, RECORDED, answer_table, write_script, write_scripts  # noqa: E402

EXPORTER = sys.argv[1]
USAGE = 2
PATIENCE = 60


def figures(text: str) -> dict[str, float]:
    return {series: float(value) for series, value in re.findall(r"^([^#\s]\S*(?:\{.*\})?) (\S+)$", text, re.MULTILINE)}


class Situation(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        write_scripts(self.folder)

    def write(self, name: str, script: str) -> None:
        write_script(self.folder / name, script)

    @property
    def scheduler(self) -> str:
        return f"--cluster.scheduler=slurm,directory={self.folder}"

    def start(self, *options: str) -> daemon.Daemon:
        running = daemon.Daemon(EXPORTER, "cluster", "--cluster.interval=1", *(options or [self.scheduler]))
        self.addCleanup(running.__exit__)
        return running

    def await_figures(self, running: daemon.Daemon, *wanted: str) -> dict[str, float]:
        return self.await_values(running, dict.fromkeys(wanted))

    def await_values(self, running: daemon.Daemon, wanted: dict[str, float | None]) -> dict[str, float]:
        """A scrape may be as old as the last one that somebody asked for a moment ago."""
        end = time.monotonic() + PATIENCE
        found: dict[str, float] = {}
        while time.monotonic() < end:
            status, text = running.status_of("/metrics")
            found = figures(text) if status == 200 else {}
            if all(series in found and value in (None, found[series]) for series, value in wanted.items()):
                return found
            time.sleep(0.1)
        raise AssertionError(f"not within {PATIENCE} s: {wanted}, but {found}")


class Scrapes(Situation):
    def test_report_what_the_commands_said(self):
        found = self.await_figures(
            self.start(),
            'jobmetrics_cluster_jobs{cluster="recorded",state="pending"}',
            'jobmetrics_cluster_cpus{cluster="recorded",state="idle"}',
        )
        # as one counts by hand in the recorded lists
        for series, value in {
            'jobmetrics_cluster_jobs{cluster="recorded",state="pending"}': 202,
            'jobmetrics_cluster_jobs{cluster="recorded",state="running"}': 9,
            'jobmetrics_cluster_jobs{cluster="recorded",state="suspended"}': 1,
            'jobmetrics_cluster_nodes{cluster="recorded",state="idle"}': 2,
            'jobmetrics_cluster_nodes{cluster="recorded",state="mixed"}': 1,
            'jobmetrics_cluster_nodes{cluster="recorded",state="allocated"}': 1,
            'jobmetrics_cluster_sinfo_nodes{cluster="recorded",state="idle"}': 1,
            'jobmetrics_cluster_sinfo_nodes{cluster="recorded",state="drained"}': 1,
            'jobmetrics_cluster_sinfo_nodes{cluster="recorded",state="down"}': 0,
            'jobmetrics_cluster_node_sinfo_state{cluster="recorded",node="rec4",state="drained"}': 1,
            'jobmetrics_cluster_cpus{cluster="recorded",state="allocated"}': 10,
            'jobmetrics_cluster_cpus{cluster="recorded",state="idle"}': 14,
            'jobmetrics_cluster_cpus{cluster="recorded",state="other"}': 8,
        }.items():
            self.assertEqual(found[series], value, series)

    def test_are_the_last_answer_where_the_controller_is_away(self):
        running = self.start()
        pending = 'jobmetrics_cluster_jobs{cluster="recorded",state="pending"}'
        self.await_figures(running, pending)
        self.write("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1")
        said = running.log_until("Unable to contact slurm controller")
        self.assertIn("the last answer is still shown", said)
        found = self.await_values(running, {'jobmetrics_cluster_topic_success{cluster="recorded",topic="jobs"}': 0})
        self.assertEqual(found[pending], 202)
        self.assertGreaterEqual(found['jobmetrics_cluster_topic_failures_total{cluster="recorded",topic="jobs"}'], 1)

    def test_begin_when_the_controller_comes_up(self):
        self.write("scontrol", "echo 'slurm_load_ctl_conf error: Unable to contact slurm controller' >&2; exit 1")
        running = self.start()
        running.log_until("Unable to contact slurm controller")
        for path in "/metrics", "/", "/-/ready":
            status, _ = running.status_of(path)
            self.assertEqual(status, 503, path)
        self.assertIn("Unable to contact", running.status_of("/metrics")[1])
        self.write("scontrol", ANSWERS["scontrol"])
        self.await_figures(running, 'jobmetrics_cluster_jobs{cluster="recorded",state="pending"}')
        self.assertEqual(running.status_of("/-/ready")[0], 200)

    def test_ask_nobody(self):
        """However often they come."""
        calls = self.folder / "calls"
        self.write("squeue", f"echo >> {calls}; {ANSWERS['squeue']}")
        running = self.start(self.scheduler, "--cluster.interval=3600")
        self.await_figures(running, 'jobmetrics_cluster_jobs{cluster="recorded",state="pending"}')
        for _ in range(50):
            self.assertEqual(running.status_of("/metrics")[0], 200)
        self.assertEqual(calls.read_text().count("\n"), 1)

    def test_have_several_clusters(self):
        schedulers = [f"{self.scheduler},cluster={name}" for name in ("alpha", "beta")]
        found = self.await_figures(
            self.start(*schedulers), *(f'jobmetrics_cluster_jobs{{cluster="{name}",state="pending"}}' for name in ("alpha", "beta"))
        )
        self.assertEqual(found['jobmetrics_cluster_jobs{cluster="beta",state="pending"}'], 202)

    def test_of_one_cluster_go_on_where_another_hangs(self):
        hanging = self.folder / "hanging"
        hanging.mkdir()
        for name in ANSWERS:
            write_script(hanging / name, "exec sleep 600")
        running = self.start(f"{self.scheduler},cluster=alpha", f"--cluster.scheduler=slurm,cluster=beta,directory={hanging}")
        found = self.await_figures(running, 'jobmetrics_cluster_jobs{cluster="alpha",state="pending"}')
        self.assertNotIn('jobmetrics_cluster_jobs{cluster="beta",state="pending"}', found)
        running.end()
        self.assertEqual(running.process.returncode, 0)

    def test_have_few_names_where_few_are_wanted(self):
        running = self.start(self.scheduler, "--cluster.max-names=1")
        found = self.await_figures(running, 'jobmetrics_cluster_jobs{cluster="recorded",state="pending"}')
        users = {user for series in found for user in re.findall(r'^jobmetrics_user_jobs\{.*user="([^"]*)"', series)}
        self.assertEqual(users, {"ada", "(other)"})

    def test_are_chosen_by_name(self):
        running = self.start(self.scheduler, "--metrics.include=jobmetrics_cluster_jobs")
        found = self.await_figures(running, 'jobmetrics_cluster_jobs{cluster="recorded",state="pending"}')
        self.assertTrue(all(series.startswith("jobmetrics_cluster_jobs{") for series in found), found)


class Discovery(Situation):
    """What Prometheus' http_sd_config asks for."""

    def groups(self, running: daemon.Daemon) -> list[dict]:
        with running.get("/discovery") as reply:
            self.assertEqual(reply.headers["Content-Type"], "application/json")
            return json.load(reply)

    def test_has_each_node(self):
        running = self.start(self.scheduler, "--discovery.target={node}.example.org:9010")
        self.await_figures(running, 'jobmetrics_cluster_cpus{cluster="recorded",state="idle"}')
        groups = self.groups(running)
        self.assertEqual([group["targets"] for group in groups], [[f"rec{i}.example.org:9010"] for i in range(1, 5)])
        labels = {"cluster": "recorded", "__meta_jobmetrics_node": "rec2", "__meta_jobmetrics_state": "mixed"}
        self.assertEqual(groups[1]["labels"], labels)

    def test_has_the_scheme_of_targets_as_a_label(self):
        running = self.start(self.scheduler, "--discovery.target=https://{node}:9010")
        self.await_figures(running, 'jobmetrics_cluster_cpus{cluster="recorded",state="idle"}')
        group = self.groups(running)[0]
        self.assertEqual((group["targets"], group["labels"]["__scheme__"]), (["rec1:9010"], "https"))

    def test_loses_no_node_while_one_cluster_is_not_known(self):
        running = self.start(f"{self.scheduler},cluster=alpha", "--cluster.scheduler=slurm,cluster=beta,directory=/nonexistent")
        self.await_figures(running, 'jobmetrics_cluster_cpus{cluster="alpha",state="idle"}')
        self.assertEqual(running.status_of("/discovery")[0], 503)

    def await_file(self, path: pathlib.Path) -> None:
        end = time.monotonic() + PATIENCE
        while not path.exists():
            self.assertLess(time.monotonic(), end, path)
            time.sleep(0.1)

    def test_is_in_a_file_that_others_may_read(self):
        path = self.folder / "nodes.json"
        self.addCleanup(os.umask, os.umask(0o077))
        running = self.start(self.scheduler, f"--discovery.file={path}")
        self.await_file(path)
        self.assertEqual(json.loads(path.read_text()), self.groups(running))
        self.assertEqual(path.stat().st_mode & 0o777, 0o644)
        self.assertFalse((self.folder / "nodes.json.new").exists())

    def test_goes_on_where_the_file_cannot_be_written(self):
        running = self.start(self.scheduler, "--discovery.file=/nonexistent/nodes.json")
        self.assertIn("/nonexistent/nodes.json", running.log_until("--discovery.file: "))
        self.assertEqual(len(self.groups(running)), 4)

    def test_refuses_a_target_without_a_node_or_of_another_scheme(self):
        for target in ("here:9010", "https://here:9010", "ftp://{node}:9010", "://{node}:9010", "{node}://here:9010"):
            command = [EXPORTER, "cluster", "--once", f"--discovery.target={target}"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
            self.assertEqual(done.returncode, USAGE)
            self.assertIn(target, done.stderr)


class OthersNames(Situation):
    """Of exporters that were there before; the figures are those that one counts by hand in the recorded lists."""

    def check(self, dialect: str, wanted: dict[str, float]) -> None:
        found = self.await_figures(self.start(self.scheduler, f"--metrics.dialect={dialect}"), *wanted)
        self.assertEqual({series: found[series] for series in wanted}, wanted)
        self.assertFalse([series for series in found if series.startswith("jobmetrics_")])

    def test_vpensos(self):
        self.check(
            "vpenso",
            {
                'slurm_queue_pending{cluster="recorded"}': 202,
                'slurm_user_jobs_running{cluster="recorded",user="ada"}': 9,
                'slurm_cpus_total{cluster="recorded"}': 32,
                'slurm_cpus_idle{cluster="recorded"}': 14,
                'slurm_gpus_alloc{cluster="recorded"}': 3,
                'slurm_gpus_total{cluster="recorded"}': 8,
                'slurm_nodes_drain{cluster="recorded"}': 1,
                'slurm_nodes_idle{cluster="recorded"}': 1,
                'slurm_nodes_down{cluster="recorded"}': 0,
                'slurm_node_mem_total{cluster="recorded",node="rec4",status="drained"}': 5423,
                'slurm_node_cpu_idle{cluster="recorded",node="rec2",status="mixed"}': 6,
                'slurm_gpus_utilization{cluster="recorded"}': 3 / 8,
                'slurm_queue_pending_dependency{cluster="recorded"}': 0,
                'slurm_queue_completing{cluster="recorded"}': 0,
                'slurm_partition_cpus_total{cluster="recorded",partition="short"}': 16,
                'slurm_scheduler_threads{cluster="recorded"}': 3,
            },
        )

    def test_rivosincs(self):
        self.check(
            "rivosinc",
            {
                'slurm_user_state_total{cluster="recorded",username="ben",state="PENDING"}': 5,
                'slurm_user_cpu_alloc{cluster="recorded",username="ada",state="RUNNING"}': 10,
                'slurm_user_cpu_alloc{cluster="recorded",username="ada",state="SUSPENDED"}': 1,
                'slurm_user_cpu_alloc{cluster="recorded",username="ben",state="PENDING"}': 39,
                'slurm_account_job_state_cpu_alloc{cluster="recorded",account="physics",state="RUNNING"}': 10,
                'slurm_account_job_state_mem_alloc{cluster="recorded",account="physics",state="SUSPENDED"}': 10 * 2**20,
                'slurm_account_cpu_limit{cluster="recorded",account="physics"}': 64,
                'slurm_account_job_alloc_limit{cluster="recorded",account="physics"}': 20,
                'slurm_account_job_limit{cluster="recorded",account="physics"}': 100,
                'slurm_feature_total{cluster="recorded",feature=""}': 212,
                'slurm_partition_alloc_cpus{cluster="recorded",partition="short",state="mixed"}': 2,
                'slurm_partition_alloc_mem{cluster="recorded",partition="short",state="allocated"}': 480 * 2**20,
                'slurm_partition_cpu_load{cluster="recorded",partition="short"}': 6.38,
                'slurm_partition_weight{cluster="recorded",partition="batch"}': 4,
                'slurm_cpu_load{cluster="recorded"}': 13.2,
                'slurm_cpus_per_state{cluster="recorded",state="drained"}': 8,
                'slurm_rpc_msg_type_avg_time{cluster="recorded",type="REQUEST_UPDATE_NODE"}': 408,
                'slurm_partition_job_state_total{cluster="recorded",partition="short",state="PENDING"}': 1,
                'slurm_pending_reason_total{cluster="recorded",reason="JobArrayTaskLimit"}': 197,
                'slurm_partition_total_cpus{cluster="recorded",partition="batch"}': 32,
                'slurm_cpus_idle{cluster="recorded"}': 14,
                'slurm_node_count_per_state{cluster="recorded",state="drained"}': 1,
                'job_scrape_errors{cluster="recorded"}': 0,
            },
        )

    def test_rivosincs_of_an_earlier_version(self):
        self.check(
            "rivosinc-1.4",
            {
                'slurm_account_cpu_alloc{cluster="recorded",account="physics"}': 11,
                'slurm_account_mem_alloc{cluster="recorded",account="physics"}': 700 * 2**20,
                'slurm_user_cpu_alloc{cluster="recorded",username="ada",state="RUNNING"}': 10,
                'slurm_cpus_idle{cluster="recorded"}': 14,
            },
        )

    def test_milas(self):
        self.check(
            "mila",
            {
                'slurm_cpus_alloc{cluster="recorded",reservation="None"}': 10,
                'slurm_cpus_idle{cluster="recorded",reservation="None"}': 14,
                'slurm_cpus_drain{cluster="recorded",reservation="None"}': 8,
                'slurm_cpus_total{cluster="recorded",reservation="None"}': 32,
                'slurm_gpus_alloc{cluster="recorded",type="a100",reservation="None"}': 3,
                'slurm_gpus_drain{cluster="recorded",type="a100",reservation="None"}': 2,
                'slurm_gpus_total{cluster="recorded",type="a100",reservation="None"}': 8,
                'slurm_job_states{cluster="recorded",name="pending"}': 202,
                'slurm_node_states{cluster="recorded",name="rec4",slurm_node_states="drained"}': 1,
                'slurm_node_states{cluster="recorded",name="rec4",slurm_node_states="idle"}': 0,
                'slurm_node_states{cluster="recorded",name="rec3",slurm_node_states="idle"}': 1,
                'slurm_partitions{cluster="recorded",name="short"}': 1,
            },
        )


class Pages(Situation):
    def test_show_the_partitions(self):
        running = self.start()
        self.await_figures(running, 'jobmetrics_cluster_cpus{cluster="recorded",state="idle"}')
        status, text = running.status_of("/")
        self.assertEqual(status, 200)
        rows = re.findall(r"<tr><td>(\w+)</td>((?:<td class=\"number\">[^<]*</td>)+)", text)
        cells = {name: re.findall(r">([^<]*)</td>", row) for name, row in rows}
        self.assertEqual(set(cells), {"batch", "debug", "short", "all"})
        self.assertEqual(cells["all"][:5], ["9", "202", "10", "14", "8"])
        self.assertEqual(cells["short"][:2], ["0", "1"])
        self.assertRegex(text, r"<td>rec4</td><td>\d{4}-\d\d-\d\d \d\d:\d\d:57</td><td>root</td><td>disk \| broken &quot;sda&quot;")
        self.assertNotIn("/trace", text)

    def test_hold_no_markup_of_others(self):
        lines = (RECORDED / "sinfo").read_bytes().replace(b"debug", b"<b>x")
        (self.folder / "nodes").write_bytes(lines)
        self.write("sinfo", answer_table(self.folder / "nodes"))
        running = self.start()
        self.await_figures(running, 'jobmetrics_cluster_cpus{cluster="recorded",state="idle"}')
        text = running.status_of("/")[1]
        self.assertIn("<td>&lt;b&gt;x</td>", text)
        self.assertNotIn("<b>", text)


class Once(Situation):
    def run_once(self, *options: str) -> subprocess.CompletedProcess:
        command = [EXPORTER, "cluster", "--once", *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)

    def test_prints_one_scrape(self):
        done = self.run_once(self.scheduler)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(figures(done.stdout)['jobmetrics_cluster_jobs{cluster="recorded",state="running"}'], 9)
        self.assertEqual(figures(done.stdout)['jobmetrics_cluster_qos_user_limit_gpus{cluster="recorded",qos="high"}'], 1)
        self.assertEqual(figures(done.stdout)['jobmetrics_association_limit_jobs{cluster="recorded",account="physics",user="",partition=""}'], 20)
        self.assertEqual(done.stderr, "")

    def test_says_where_there_is_no_slurm(self):
        done = self.run_once("--cluster.scheduler=slurm,directory=/nonexistent")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "")
        self.assertIn("/nonexistent/scontrol", done.stderr)

    def test_fails_where_nothing_was_answered(self):
        done = self.run_once(f"--cluster.scheduler=slurm,cluster=recorded,directory={self.folder}/none")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("jobs: ", done.stderr)
        # one answer is enough
        self.write("squeue", "exit 1")
        self.assertEqual(self.run_once(self.scheduler).returncode, 0)

    def test_reports_targets(self):
        targets = self.folder / "targets.conf"
        targets.write_text("[Target of all]\nCluster=recorded\nResource=cpu\nYears=2\nFrom=2020-01-01\nTo=2021-01-01\n")
        found = figures(self.run_once(self.scheduler, f"--cluster.targets-file={targets}").stdout)
        self.assertEqual(found['jobmetrics_cluster_target_cpu_seconds{cluster="recorded",target="of all",account=""}'], 63072000)
        self.assertEqual(found['jobmetrics_cluster_target_passed_ratio{cluster="recorded",target="of all"}'], 1)

    def check(self, scheduler: str = "") -> tuple[int, list[str]]:
        command = [EXPORTER, "cluster", "--check", scheduler or self.scheduler]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout.splitlines()

    def test_is_a_check_of_each_topic(self):
        topics = ("jobs", "nodes", "partitions", "reservations", "licenses", "shares", "limits", "diagnostics")
        self.assertEqual(self.check(), (0, ["settings: ok", *(f"recorded, {topic}: read" for topic in topics)]))
        self.write("sdiag", "echo 'Server thread count:  many'; echo 'Agent queue size:  7'")
        self.write("sshare", "echo physics")
        status, lines = self.check()
        self.assertEqual(status, 0)
        self.assertEqual([line for line in lines if "passed over" in line], ["recorded, shares: passed over: sshare: another number of columns", "recorded, diagnostics: passed over: Server thread count: not understood: many"])
        self.assertIn("recorded, diagnostics: read", lines)
        found = figures(self.run_once(self.scheduler).stdout)
        unread = {(topic, reason): found[f'jobmetrics_cluster_topic_unread_records{{cluster="recorded",topic="{topic}",reason="{reason}"}}'] for topic in topics for reason in ("value", "record")}
        self.assertEqual({key: value for key, value in unread.items() if value}, {("shares", "record"): 1, ("diagnostics", "value"): 1})

    def test_is_a_check_that_names_what_is_not_answered(self):
        self.write("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1")
        status, lines = self.check()
        self.assertEqual(status, 1)
        self.assertIn("recorded, nodes: read", lines)
        self.assertRegex(lines[1], "^recorded, jobs: .*Unable to contact slurm controller$")
        status, lines = self.check("--cluster.scheduler=slurm,directory=/nonexistent")
        self.assertEqual((status, lines[0]), (1, "settings: ok"))
        self.assertRegex(lines[1], "^scheduler: /nonexistent/scontrol")

    def test_refuses_targets_that_it_does_not_understand(self):
        targets = self.folder / "targets.conf"
        targets.write_text("[Target of all]\nYears=some\n")
        done = self.run_once(self.scheduler, f"--cluster.targets-file={targets}")
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("--cluster.targets-file", done.stderr)
        self.assertIn(f"{targets}: Target of all: Years: not a number above 0, up to 100000: some", done.stderr)

    def test_refuses_a_scheduler_that_does_not_exist(self):
        done = self.run_once("--cluster.scheduler=slrum")
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("--cluster.scheduler", done.stderr)
        self.assertIn("slrum", done.stderr)


if __name__ == "__main__":
    sys.exit(tap.run(Scrapes, Discovery, OthersNames, Pages, Once))
