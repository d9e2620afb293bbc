#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a user asks of a cluster; Slurm's commands are scripts that print what a real one said.

usage: test-cluster.py CLI
"""

import csv
import http.server
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from slurm_scripts import write_script, write_scripts  # noqa: E402

CLI = sys.argv[1]
SECONDS = 60
FAILURE, USAGE = 1, 2
# as one reads them in the recorded lists
PENDING = ["15", "3_[4-200%3]", "4", "5", "7", "8"]
GPU_JOBS = {"21": 2, "22": 1, "8": 1}


class Situation(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        write_scripts(self.folder)

    def call(self, *words: str) -> subprocess.CompletedProcess:
        command = [CLI, words[0], f"--cluster.scheduler=slurm,directory={self.folder}", *words[1:]]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False)

    def ask(self, *words: str) -> str:
        done = self.call(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def ask_json(self, *words: str) -> list[dict]:
        return json.loads(self.ask(*words, "--json"))

    def ask_csv(self, *words: str) -> list[dict]:
        return list(csv.DictReader(io.StringIO(self.ask(*words, "--csv"))))


class TheQueue(Situation):
    def test_has_all_jobs(self):
        jobs = self.ask_json("queue")
        self.assertEqual(len(jobs), 16)
        self.assertEqual(sorted(job["jobid"] for job in jobs if job["state"] == "pending"), PENDING)
        self.assertEqual({job["jobid"]: job["gpus_allocated"] for job in jobs if job.get("gpus_allocated")}, GPU_JOBS)
        self.assertTrue(all(job["cluster"] == "recorded" for job in jobs))

    def test_has_a_job_as_slurm_reported_it(self):
        (job,) = self.ask_json("queue", "--jobid=4")
        wanted = {"user": "ben", "account": "chemistry", "partition": "batch,short", "reason": "PartitionTimeLimit"}
        self.assertEqual(job | wanted, job)
        self.assertEqual((job["cpus"], job["memory_allocated_bytes"], job["nodes"], job["time_limit_seconds"]), (32, 21692 * 2**20, 4, 93840))
        self.assertNotIn("start_time", job)
        self.assertNotIn("node_list", job)

    def test_counts_the_tasks_of_an_array(self):
        (array,) = self.ask_json("queue", "--state=pending", "--user=ada")
        self.assertEqual(array["array_tasks"], 197)

    def test_is_chosen_by_words_of_which_one_is_enough(self):
        self.assertEqual(len(self.ask_csv("queue", "--state=suspended,running")), 10)
        self.assertEqual([job["jobid"] for job in self.ask_csv("queue", "-p", "short")], ["4"])
        self.assertEqual(self.ask_csv("queue", "-u", "nobody"), [])

    def test_has_the_columns_that_are_named(self):
        lines = self.ask("queue", "-o", "jobid,qos", "--jobid=4").splitlines()
        self.assertEqual([line.split() for line in lines], [["JOBID", "QOS"], ["4", "normal"]])
        self.assertEqual(self.ask("queue", "-o", "jobid", "--jobid=4", "--no-headers").split(), ["4"])
        self.assertEqual(self.ask("queue", "-o", "jobid,began", "--jobid=4", "--csv"), "jobid,start_time\n4,\n")

    def test_refuses_what_is_invalid(self):
        for words, told in (
            (["--columns=shoe"], "shoe"),
            (["--csv", "--json"], "cannot be combined"),
            (["extra"], "extra"),
            (["--cluster.scheduler=slrum"], "slrum"),
        ):
            done = self.call("queue", *words)
            self.assertEqual((done.returncode, done.stdout), (USAGE, ""), words)
            self.assertIn(told, done.stderr)

    def test_lists_its_columns(self):
        lines = [line.split() for line in self.ask("queue", "--columns=help").splitlines()]
        self.assertIn(["limit", "How"], [line[1:3] for line in lines if line[0] == "time_limit_seconds"])

    def test_says_why_there_is_none(self):
        write_script(self.folder / "squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1")
        done = self.call("queue")
        self.assertEqual((done.returncode, done.stdout), (FAILURE, ""))
        self.assertIn("Unable to contact slurm controller", done.stderr)


class TheNodes(Situation):
    def test_report_why_one_is_not_used(self):
        (node,) = self.ask_json("nodes", "--state=drain")
        wanted = {"node": "rec4", "state": "idle+drain", "cpus": 8, "cpus_allocated": 0, "reason_user": "root", "reason_time": 1795412037}
        self.assertEqual(node | wanted, node)
        self.assertIn('disk | broken "sda"', node["reason"])

    def test_are_each_once(self):
        nodes = self.ask_csv("nodes")
        self.assertEqual([node["node"] for node in nodes], ["rec1", "rec2", "rec3", "rec4"])
        self.assertEqual([node["gpus_allocated"] for node in nodes], ["2", "1", "0", "0"])


class ThePartitions(Situation):
    def test_have_sums(self):
        partitions = {partition["partition"]: partition for partition in self.ask_json("partitions")}
        self.assertEqual(set(partitions), {"batch", "debug", "short"})
        batch, short = partitions["batch"], partitions["short"]
        self.assertEqual((batch["running_jobs"], batch["pending_jobs"], batch["nodes"], batch["nodes_idle"]), (9, 202, 4, 2))
        self.assertEqual((batch["cpus_allocated"], batch["cpus_idle"], batch["cpus_other"]), (10, 14, 8))
        self.assertEqual((short["running_jobs"], short["pending_jobs"], short["nodes"]), (0, 1, 2))

    def test_report_which_half_is_missing(self):
        write_script(self.folder / "sinfo", "echo 'sinfo: error' >&2; exit 1")
        done = self.call("partitions", "--json")
        self.assertEqual(done.returncode, FAILURE)
        self.assertIn("sinfo", done.stderr)
        (batch,) = [partition for partition in json.loads(done.stdout) if partition["partition"] == "batch"]
        self.assertEqual(batch["pending_jobs"], 202)
        self.assertNotIn("cpus_idle", batch)


class TheShares(Situation):
    def test_are_of_accounts_and_users(self):
        users = self.ask_json("shares", "--user=tada")
        self.assertEqual([(share["account"], share.get("partition")) for share in users], [("physics", "debug"), ("physics", None)])
        self.assertTrue(any("user" not in share for share in self.ask_json("shares")))


class OwnMetrics(http.server.BaseHTTPRequestHandler):
    """slurmctld, as far as it reports metrics of its own."""

    def do_GET(self):
        body = (TESTS / "fixtures/slurm-metrics-25.11" / f"{pathlib.PurePath(self.path).name}.txt").read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


class SumsOfJobs(unittest.TestCase):
    def setUp(self):
        server = http.server.ThreadingHTTPServer(("localhost", 0), OwnMetrics)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.scheduler = f"--cluster.scheduler=slurm-metrics,cluster=alpha,url=http://localhost:{server.server_port}"

    def call(self, *words: str) -> subprocess.CompletedProcess:
        command = [CLI, words[0], self.scheduler, *words[1:]]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False)

    def test_are_no_queue(self):
        done = self.call("queue", "--csv")
        self.assertEqual((done.returncode, done.stdout), (FAILURE, ""))
        (line,) = done.stderr.splitlines()
        self.assertIn("alpha: its scheduler reports sums of jobs", line)

    def test_report_partitions(self):
        done = self.call("partitions", "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        partitions = {partition["partition"]: partition for partition in json.loads(done.stdout)}
        self.assertEqual(set(partitions), {"batch", "gpu"})
        self.assertEqual((partitions["batch"]["running_jobs"], partitions["batch"]["pending_jobs"]), (2, 11))
        self.assertNotIn("nodes", partitions["batch"])
        self.assertNotIn("cpus_idle", partitions["batch"])

    def test_come_with_nodes(self):
        done = self.call("nodes", "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([node["node"] for node in json.loads(done.stdout)], ["n1", "n2", "n3"])

    def test_need_a_name(self):
        self.scheduler = "--cluster.scheduler=slurm-metrics"
        done = self.call("queue")
        self.assertEqual(done.stdout, "")
        self.assertIn("cluster: must be set", done.stderr)


if __name__ == "__main__":
    sys.exit(tap.run(TheQueue, TheNodes, ThePartitions, TheShares, SumsOfJobs))
