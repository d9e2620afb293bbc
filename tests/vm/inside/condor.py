#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs jobs of many kinds in a pool of HTCondor on this machine, and compares what jobmetrics has of them with the ads that
`condor_q -long` and `condor_history -long` print.

usage: condor.py FOLDER     FOLDER gets both sides' answers
"""

import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from modern import CLI, EXPORTER, OUT, WITHOUT_HOOKS, Words, as_user, attempt, compare, report, run, say, wait_for  # noqa: E402

CONFIG = """
CONDOR_HOST = $(FULL_HOSTNAME)
use ROLE: CentralManager
use ROLE: Submit
use ROLE: Execute
use security:recommended_v9_0
ALLOW_READ = *
ALLOW_WRITE = *
ALLOW_NEGOTIATOR = *
ALLOW_DAEMON = *
ALLOW_ADMINISTRATOR = *
ALLOW_ADVERTISE_STARTD = *
ALLOW_ADVERTISE_SCHEDD = *
ALLOW_ADVERTISE_MASTER = *
SEC_DEFAULT_AUTHENTICATION = OPTIONAL
SEC_DEFAULT_AUTHENTICATION_METHODS = FS, CLAIMTOBE
BIND_ALL_INTERFACES = True
UID_DOMAIN = lab
TRUST_UID_DOMAIN = True
SOFT_UID_DOMAIN = True
NUM_CPUS = 16
MEMORY = 2500
NUM_SLOTS = 1
NUM_SLOTS_TYPE_1 = 1
SLOT_TYPE_1 = 100%
SLOT_TYPE_1_PARTITIONABLE = True
NEGOTIATOR_INTERVAL = 5
NEGOTIATOR_MIN_INTERVAL = 3
SCHEDD_INTERVAL = 5
UPDATE_INTERVAL = 5
POLLING_INTERVAL = 2
STARTD_CRON_JOBLIST = $(STARTD_CRON_JOBLIST) JOBMETRICS
STARTD_CRON_JOBMETRICS_EXECUTABLE = /usr/libexec/jobmetrics/jobmetrics-condor-slots
STARTD_CRON_JOBMETRICS_PERIOD = 5s
"""
# until it is let go; each job has a /tmp of its own
WAIT = "while ! [ -e /srv/go ]; do sleep 1; done"
# kind: user, what it runs, further lines of its description
JOBS: dict[str, tuple[str, str, list[str]]] = {
    "burn": ("alice", "while ! [ -e /srv/go ]; do :; done", ["accounting_group = physics.hep", "JobBatchName = burn"]),
    "two": ("bob", WAIT, ["request_cpus = 2", 'JobBatchName = "two words"', "queue"]),
    "short": ("bob", "true", []),
    "fail": ("alice", "exit 3", []),
    "signal": ("alice", "kill -9 $$", []),
    "remove": ("bob", WAIT, []),
    "hold": ("bob", WAIT, []),
    "vacate": ("alice", WAIT, []),
    "never": ("alice", WAIT, ["hold = true"]),
    "local": ("alice", WAIT, ["universe = local"]),
}
IDS: dict[str, str] = {}
ENDED_AT_ONCE = ("short", "fail", "signal")
RUNNING, REMOVED = 2, 3
QUEUE = ("condor_q", "-allusers", "-af", "ClusterId", "ProcId", "JobStatus", "HoldReason")
FACTS = ["user", "account", "name", "submit_time", "start_time"]
NODE = [*FACTS, "cpus_granted"]
ARCHIVE = [*FACTS, "state", "end_time", "cpus", "memory_allocated_bytes", "node_list", "exit_code", "exit_signal"]


def make_pool() -> None:
    for user in ("alice", "bob"):
        run("useradd", "-m", "-s", "/bin/bash", user)
    pathlib.Path("/etc/condor/config.d/99-lab").write_text(CONFIG)
    pathlib.Path("/etc/tmpfiles.d/jobmetrics-condor.conf").write_text("d /run/jobmetrics/condor 0755 condor condor -\n")
    run("systemd-tmpfiles", "--create", "--prefix=/run/jobmetrics")
    run("systemctl", "restart", "condor")
    wait_for("a slot", 300, lambda: "slot" in run("condor_status", "-af", "Name", check=False), "condor_status", "-any")


def value_of(text: str) -> int | float | str | bool | None:
    if text in ("true", "false"):
        return text == "true"
    try:
        return json.loads(text)
    except ValueError:
        return None  # an expression, or undefined


def ads_of(*command: str) -> dict[str, Words]:
    """By the id that users write."""
    ads = {}
    for block in run(*command, "-long").split("\n\n"):
        ad = {name: value_of(value) for name, _, value in (line.partition(" = ") for line in block.splitlines() if " = " in line)}
        if "ClusterId" in ad:
            ads[f"{ad['ClusterId']}.{ad['ProcId']}"] = ad
    return ads


def known(ad: Words) -> Words:
    """What an ad has of a job, in the units of jobmetrics."""
    start, host = ad.get("JobCurrentStartDate"), ad.get("LastRemoteHost")
    is_local = ad["JobUniverse"] == 12
    memory = ad.get("MemoryProvisioned")
    job = {
        "user": ad["Owner"],
        "account": ad.get("AcctGroup"),
        "name": ad.get("JobBatchName"),
        "submit_time": ad["QDate"],
        "start_time": start,
        "state": "completed",
        "end_time": ad.get("CompletionDate"),
        "cpus_granted": ad.get("CpusProvisioned"),
        "cpus": ad.get("CpusProvisioned", ad["RequestCpus"] if is_local and start else None),
        "memory_allocated_bytes": None if memory is None else memory * 1024 * 1024,
        "node_list": host.partition("@")[2] if host else "c1" if is_local and start else None,
        "exit_code": ad.get("ExitCode"),
        "exit_signal": ad["ExitSignal"] if ad.get("ExitBySignal") else 0,  # the other may be of an execution before
    }
    if ad["JobStatus"] == REMOVED:
        was_held = ad.get("LastJobStatus") == 5 and start
        job |= {"state": "cancelled", "end_time": start + int(ad["LastRemoteWallClockTime"]) if was_held else ad["EnteredCurrentStatus"]}
    elif ad.get("ExitBySignal") or ad.get("ExitCode"):
        job["state"] = "failed"
    return job


def running() -> dict[str, Words]:
    return {job: known(ad) for job, ad in ads_of("condor_q", "-allusers").items() if ad["JobStatus"] == RUNNING}


def list_node(*prefix: str) -> tuple[str, dict[str, Words]]:
    answer = run(*prefix, CLI, "list", "--json")
    rows = {row["jobid"]: row for row in json.loads(answer)["jobs"] if not row["ended"]}
    # of the local universe there is no ad, but the number of the starter, and the user
    for starter in [job for job in rows if job.isdigit()]:
        rows[IDS["local"]] = rows.pop(starter)
    return answer, rows


def compare_node(way: str, *prefix: str) -> None:
    """A job that condor_q has running may not have a process yet."""
    for _ in range(60):
        theirs = running()
        answer, ours = list_node(*prefix)
        if running() == theirs and set(ours) == set(theirs):
            break
        time.sleep(0.5)
    (OUT / f"{way}.json").write_text(answer)
    theirs[IDS["local"]] |= {"submit_time": None, "start_time": None}
    compare(way, ours, theirs, {field: field for field in NODE})


def compare_archive(way: str) -> None:
    store = f"/tmp/{way}.db"
    run(EXPORTER, "server", f"--server.store={store}", "--server.history=condor-history,cluster=pool", "--once")
    answer = run(CLI, "history", "--all", "--json", "--limit=0", f"--store={store}", f"--columns={','.join(ARCHIVE)}")
    (OUT / f"{way}.json").write_text(answer)
    ours = {row["raw_id"]: row for row in json.loads(answer)}
    compare(way, ours, {job: known(ad) for job, ad in ads_of("condor_history").items()}, {field: field for field in ARCHIVE})


def submit() -> None:
    say("the pool has a slot")
    for kind, (user, command, lines) in JOBS.items():
        script, description = pathlib.Path(f"/srv/{kind}.sh"), pathlib.Path(f"/srv/{kind}.sub")
        script.write_text(f"#!/bin/sh\n{command}\n")
        script.chmod(0o755)
        common = [f"executable = {script}", "transfer_executable = false", "should_transfer_files = YES", "request_memory = 50"]
        description.write_text("\n".join([*common, *lines, "queue", ""]))
        # the first of the two ids of `CLUSTER.PROC - CLUSTER.PROC`
        IDS[kind] = run(*as_user(user, "condor_submit", "-terse", str(description))).split()[0]


def stir() -> None:
    waiting = [IDS[kind] for kind in IDS if kind not in (*ENDED_AT_ONCE, "never")]
    say("all jobs are submitted")
    wait_for("jobs run", 300, lambda: set(waiting) <= set(running()), *QUEUE)
    wait_for("short jobs end", 300, lambda: {IDS[kind] for kind in ENDED_AT_ONCE} <= set(ads_of("condor_history")), *QUEUE)
    say("all run")
    say("the short ones have ended")
    run("condor_vacate_job", IDS["vacate"])
    run("condor_hold", IDS["hold"])
    run("condor_rm", IDS["remove"], IDS["never"])
    wait_for("the held job has stopped", 300, lambda: IDS["hold"] not in running(), *QUEUE)
    run("condor_rm", IDS["hold"])
    starts = lambda: ads_of("condor_q", "-allusers")[IDS["vacate"]]  # noqa: E731
    wait_for("the vacated job runs again", 600, lambda: starts()["NumShadowStarts"] > 1 and starts()["JobStatus"] == RUNNING, *QUEUE)


def main() -> int:
    os.chdir("/tmp")
    OUT.mkdir(parents=True, exist_ok=True)
    make_pool()
    submit()
    stir()
    say(f"{run('condor_version').splitlines()[0]}, jobs of {len(IDS)} kinds")
    attempt("node", compare_node)
    attempt("node-without-slots", compare_node, *WITHOUT_HOOKS)
    pathlib.Path("/srv/go").touch()
    wait_for("all jobs end", 600, lambda: not ads_of("condor_q", "-allusers"), *QUEUE)
    # a reading leaves what ended within the second in which it is made to the next
    wait_for("the last end is past", 30, lambda: time.time() > 2 + max(ad["EnteredCurrentStatus"] for ad in ads_of("condor_history").values()))
    (OUT / "history.txt").write_text(run("condor_history", "-long"))
    attempt("archive", compare_archive)
    return report()


if __name__ == "__main__":
    sys.exit(main())
