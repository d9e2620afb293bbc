#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures of a real Slurm, beside what its own commands say in other words than those that jobmetrics asks with.

usage: test-cluster.py EXPORTER CLI
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "pylib"), str(HERE)]
import tap  # noqa: E402
from lab import CLUSTER, Lab, Unfit  # noqa: E402
from metrics import Scrape  # noqa: E402
from programs import SLOWNESS, turn, wait_for  # noqa: E402

EXPORTER, CLI = sys.argv[1:3]
USER = "ada"
MIB = 2**20
NODES = 3

# Long enough to be the same all the time; /tmp is there for every user.
SLEEP = "exec sleep 3000"
JOBS = (
    ["--ntasks=2", "--mem=100"],
    ["--ntasks=1", "--mem=50", "--array=1-3"],
    ["--ntasks=1", "--mem=10", "--array=1-40%2"],
    ["--ntasks=4", "--mem=64", "--hold"],
    ["--ntasks=1", "--mem=64", "--begin=now+1hour", "--job-name=a\x1fb\n99\x1f99\x1f99\x1fN/A\n"],
    ["--ntasks=1", "--mem=64", "--partition=batch,debug", "--time=5", "--nodes=3", "--exclusive"],
)


class World:
    """A Slurm with jobs that stay as they are, and a scrape of it by each way of asking it."""

    lab: Lab
    scrapes: dict[str, Scrape]
    unfit: str | None = None

    def begin(self, folder: pathlib.Path) -> None:
        folder.chmod(0o755)
        self.lab = Lab(folder)
        self.lab.up("--cgroup", "none", "--nodes", str(NODES), "--cpus", "4", needs_cgroups=False, has_rest=True)
        self.lab.ask("sacctmgr", "-i", "modify", "account", "physics", "set", "GrpTRES=cpu=9,mem=2000", "GrpJobs=30")
        for options in JOBS:
            self.lab.sbatch(USER, SLEEP, *options)
        self.lab.ask("scontrol", "update", f"NodeName={self.nodes()[-1]}", "State=drain", "Reason=a fan that is late")
        self.lab.ask(
            *("scontrol", "create", "reservation", "ReservationName=course", "StartTime=now+2hours", "Duration=60"),
            *(f"Nodes={self.nodes()[0]}", "Users=root"),
        )
        wait_for("some jobs run, and no more begin", 120 * SLOWNESS, self.is_settled, every=2)
        wait_for("the queue is the same before and after the scrapes", 120 * SLOWNESS, self.scrape)

    def look(self) -> list[str]:
        return self.words("squeue", "-h", "-r", "-a", "-t", "all", "-o", "%i %T %r")

    def is_settled(self) -> bool:
        """The same for two looks."""
        before, self.seen = getattr(self, "seen", None), self.look()
        return self.seen == before and any("RUNNING" in line for line in self.seen)

    def scrape(self) -> bool:
        """The scheduler gives jobs that wait another reason now and then, and forgets those that ended."""
        self.lab.ask("scancel", self.lab.sbatch(USER, SLEEP, "--hold"))
        self.seen = self.look()
        rest = f"slurmrestd,cluster={CLUSTER},socket={self.lab.folder}/run/rest/slurmrestd.sock"
        self.scrapes = {
            "commands": Scrape(self.run(EXPORTER, "cluster", "--once")),
            "slurmrestd": Scrape(self.run(EXPORTER, "cluster", "--once", f"--cluster.scheduler={rest}")),
        }
        return self.look() == self.seen

    def run(self, *command: str) -> str:
        done = subprocess.run(command, env=self.lab.environment, capture_output=True, text=True, timeout=180 * SLOWNESS, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return done.stdout

    def words(self, *command: str) -> list[str]:
        return self.lab.ask(*command).splitlines()

    def nodes(self) -> list[str]:
        return self.words("scontrol", "show", "hostnames", self.words("sinfo", "-h", "-o", "%N")[0])

    def fields(self, *command: str) -> list[dict[str, str]]:
        """Of `scontrol --oneliner show`."""
        return [dict(re.findall(r"(?:^| )(\w+)=(\S*)", line)) for line in self.words(*command)]


world = World()


class Situation(unittest.TestCase):
    way = "commands"

    def setUp(self):
        if world.unfit is not None:
            self.skipTest(world.unfit)
        self.scrape = world.scrapes[self.way]

    def value(self, name: str, **labels: str) -> float:
        return self.scrape.one(name, cluster=CLUSTER, **labels).value


class Jobs(Situation):
    def test_are_as_many_in_each_state_as_squeue_has(self):
        states = collections.Counter(line.split(" ", 2)[1] for line in world.seen)
        self.assertGreater(states["RUNNING"], 3)
        self.assertGreater(states["PENDING"], 30)
        self.assertGreater(states["CANCELLED"], 0)
        for state, n in states.items():
            self.assertEqual(self.value("jobmetrics_cluster_jobs", state=state.lower()), n, state)
            self.assertEqual(self.value("jobmetrics_user_jobs", user=USER, state=state.lower()), n, state)
        self.assertEqual(sum(one.value for one in self.scrape.find("jobmetrics_cluster_jobs")), sum(states.values()))

    def test_count_in_each_of_their_partitions(self):
        lines = world.words("squeue", "-h", "-a", "-r", "-t", "PD", "-o", "%P")
        for partition in ("batch", "debug"):
            n = sum(partition in line.split(",") for line in lines)
            self.assertEqual(self.value("jobmetrics_partition_jobs", partition=partition, state="pending"), n)

    def test_wait_for_the_reasons_that_squeue_gives(self):
        waiting = (line.split(" ", 2) for line in world.seen)
        reasons = collections.Counter(reason for _, state, reason in waiting if state == "PENDING")
        found = {one.labels["reason"]: one.value for one in self.scrape.find("jobmetrics_cluster_pending_jobs", cluster=CLUSTER)}
        self.assertEqual(found, dict(reasons))

    def test_ask_for_and_have_the_cpus_that_squeue_adds_up(self):
        for state, name in (("PD", "requested"), ("R", "allocated")):
            cpus = sum(map(int, world.words("squeue", "-h", "-a", "-r", "-t", state, "-o", "%C")))
            self.assertEqual(self.value(f"jobmetrics_cluster_{name}_cpus"), cpus, name)

    def test_have_the_memory_that_the_nodes_gave(self):
        given = sum(int(node["AllocMem"]) for node in world.fields("scontrol", "--oneliner", "show", "node"))
        self.assertEqual(self.value("jobmetrics_cluster_allocated_memory_bytes"), given * MIB)


class Nodes(Situation):
    def test_have_the_cpus_that_sinfo_adds_up(self):
        for scope, labels, prefix in (([], {}, "cluster"), (["-p", "debug"], {"partition": "debug"}, "partition")):
            (words,) = world.words("sinfo", *scope, "-h", "-o", "%C")
            for state, n in zip(("allocated", "idle", "other"), map(int, words.split("/"))):
                self.assertEqual(self.value(f"jobmetrics_{prefix}_cpus", state=state, **labels), n, (prefix, state))

    def test_have_the_states_that_scontrol_shows(self):
        shown = {node["NodeName"]: node["State"].lower().split("+") for node in world.fields("scontrol", "--oneliner", "show", "node")}
        self.assertEqual(len(shown), NODES)
        for name, (base, *flags) in shown.items():
            self.assertEqual(self.value("jobmetrics_cluster_node_state", node=name, state=base), 1)
            found = {one.labels["flag"] for one in self.scrape.find("jobmetrics_cluster_node_flag", node=name)}
            self.assertLessEqual(set(flags), found, name)

    def test_are_drained_for_a_reason(self):
        (node,) = [node for node in json.loads(world.run(CLI, "nodes", "--json")) if "drain" in node["state"].split("+")]
        self.assertEqual((node["reason"], node["reason_user"]), ("a fan that is late", "root"))
        self.assertEqual(self.value("jobmetrics_cluster_nodes_flagged", flag="drain"), 1)


class Others(Situation):
    def test_shares_are_those_of_sshare(self):
        for line in world.words("sshare", "-a", "-h", "-P", "-o", "Account,User,RawShares,NormShares"):
            account, user, raw, norm = line.split("|")
            if not raw.strip().isdigit():
                continue
            labels = {"account": account.strip(), "user": user}
            self.assertEqual(self.value("jobmetrics_association_shares", **labels), int(raw), line)
            self.assertAlmostEqual(self.value("jobmetrics_association_shares_ratio", **labels), float(norm), places=6)

    def test_limits_are_those_that_were_set(self):
        labels = {"account": "physics", "user": ""}
        self.assertEqual(self.value("jobmetrics_association_limit_cpus", **labels), 9)
        self.assertEqual(self.value("jobmetrics_association_limit_memory_bytes", **labels), 2000 * MIB)
        self.assertEqual(self.value("jobmetrics_association_limit_jobs", **labels), 30)
        self.assertEqual(self.value("jobmetrics_cluster_qos_limit_job_seconds", qos="debug"), 600)

    def test_reservations_are_those_that_scontrol_shows(self):
        (shown,) = world.fields("scontrol", "--oneliner", "show", "reservation")
        self.assertEqual(self.value("jobmetrics_cluster_reservation_nodes", reservation="course"), int(shown["NodeCnt"]))
        begin = self.value("jobmetrics_cluster_reservation_start_time_seconds", reservation="course")
        end = self.value("jobmetrics_cluster_reservation_end_time_seconds", reservation="course")
        self.assertEqual(end - begin, 3600)

    def test_the_controller_reports_how_it_does(self):
        said = "\n".join(world.words("sdiag"))
        submitted = int(re.search(r"Jobs submitted:\s+(\d+)", said)[1])
        self.assertEqual(self.value("jobmetrics_scheduler_jobs_submitted_total"), submitted)

    def test_all_was_answered(self):
        answered = {one.labels["topic"]: one.value for one in self.scrape.find("jobmetrics_cluster_topic_success")}
        self.assertEqual(answered, dict.fromkeys(answered, 1))
        self.assertEqual(len(answered), 8)


    def test_shares_alone_are_not_in_an_old_interface(self):
        topics = {one.labels["topic"] for one in world.scrapes["slurmrestd"].find("jobmetrics_cluster_topic_success")}
        all_topics = {one.labels["topic"] for one in self.scrape.find("jobmetrics_cluster_topic_success")}
        self.assertEqual(all_topics - topics, {"shares"})


class JobsThroughSlurmrestd(Jobs):
    way = "slurmrestd"


class NodesThroughSlurmrestd(Nodes):
    way = "slurmrestd"


class TheTerminal(Situation):
    def test_has_a_line_for_each_of_squeues(self):
        listed = world.run(CLI, "queue", "--columns=jobid", "--no-headers").split()
        self.assertEqual(sorted(listed), sorted(world.words("squeue", "-h", "-a", "-o", "%i")))

    def test_has_the_partitions_cpus(self):
        for partition in json.loads(world.run(CLI, "partitions", "--json")):
            (words,) = world.words("sinfo", "-p", partition["partition"], "-h", "-o", "%C")
            self.assertEqual([partition[f"cpus_{state}"] for state in ("allocated", "idle", "other")], list(map(int, words.split("/")))[:3])


def main() -> int:
    with turn(), tempfile.TemporaryDirectory(prefix="jobmetrics-e2e-") as name:
        try:
            world.begin(pathlib.Path(name))
        except Unfit as unfit:
            world.unfit = str(unfit)
        try:
            return tap.run(Jobs, Nodes, Others, JobsThroughSlurmrestd, NodesThroughSlurmrestd, TheTerminal)
        finally:
            if hasattr(world, "lab"):
                world.lab.down()


if __name__ == "__main__":
    sys.exit(main())
