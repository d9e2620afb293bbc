#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs jobs of every kind on this machine's Slurm, and compares what jobmetrics has of them by each way of asking with the
words of `scontrol show job`.

usage: modern.py FOLDER     FOLDER gets both sides' answers
"""

import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

OUT = pathlib.Path(sys.argv[1])
CLI, EXPORTER = "jobmetrics-cli", "jobmetrics-exporter"
REST = "socket=/run/slurmrestd/slurmrestd.socket,token-file=/root/token"
SECONDS = 120
# when a job's processes are there, behind its prolog
AGE = 20
SPIN = f"timeout {SECONDS} sh -c 'while :; do :; done'"
# a system to run in, of Busybox alone; containers that users may start, in the cgroup of the job
BOX = "/srv/box"
CONTAINERS = {
    "podman": f"cp -r {BOX} /tmp/box-$SLURM_JOB_ID && podman --storage-driver=vfs --cgroup-manager=cgroupfs run --rm --network=none --cgroups=disabled --rootfs /tmp/box-$SLURM_JOB_ID sleep {SECONDS}",
    "apptainer": f"apptainer exec --underlay {BOX} sleep {SECONDS}",
}
ODD = 'we|ird "n\\ame" é'

Words = dict[str, Any]

# kind: user, and what sbatch is given
JOBS: dict[str, tuple[str, list[str]]] = {
    "burn": ("alice", ["--mem=100", f"--wrap={SPIN}"]),
    "threads": ("alice", ["--mem=100", "-c2", "--qos=high", f"--wrap={SPIN} & {SPIN} & wait"]),
    "array": ("bob", ["--mem=50", "--array=1-4%2", f"--wrap=sleep {SECONDS // 3}"]),
    "steps": ("alice", ["--mem=200", "-n2", f"--wrap=srun -n1 --exact --mem=50 sleep {SECONDS} & srun -n1 --exact --mem=50 {SPIN} & wait"]),
    "het": ("bob", ["-w", "c1", "--mem=50", ":", "-w", "c2", "--mem=60", f"--wrap=srun --het-group=0,1 sleep {SECONDS}"]),
    "two": ("carol", ["-N2", "-n2", "--mem=50", f"--wrap=srun sleep {SECONDS}"]),
    "gpu": ("carol", ["--gres=gpu:1", "--mem=50", f"--wrap=sleep {SECONDS}"]),
    "oom": ("bob", ["--mem=60", "--wrap=head -c 300M /dev/zero | tail"]),
    "fail": ("alice", ["--mem=50", "--wrap=exit 3"]),
    "signal": ("alice", ["--mem=50", "--wrap=kill -9 $$"]),
    "timeout": ("alice", ["--mem=50", "-t1", "--wrap=sleep 600"]),
    "cancel": ("bob", ["--mem=50", "--wrap=sleep 600"]),
    "suspend": ("bob", ["--mem=50", f"--wrap=sleep {SECONDS}"]),
    "requeue": ("alice", ["--mem=50", f"--wrap=sleep {SECONDS}"]),
    "overlap": ("alice", ["--mem=50", f"--wrap=sleep {SECONDS}"]),
    "hold": ("alice", ["--mem=50", "-H", "--wrap=true"]),
    "begin": ("alice", ["--mem=50", "--begin=now+1hour", "--wrap=true"]),
    "license": ("alice", ["--mem=50", "-Lmatlab:2", f"--wrap=sleep {SECONDS}"]),
    "multi": ("alice", ["--mem=50", "-pbatch,debug", f"--wrap=sleep {SECONDS}"]),
    "percpu": ("bob", ["--mem-per-cpu=40", "-n2", f"--wrap=sleep {SECONDS}"]),
    ODD: ("alice", ["--mem=50", f"--wrap=sleep {SECONDS}"]),
} | {kind: ("carol", ["--mem=300", "-c2", f"--wrap=({command}) 2> /tmp/{kind}.err"]) for kind, command in CONTAINERS.items() if shutil.which(kind)}
IDS: dict[str, str] = {}
counts: collections.Counter[str] = collections.Counter()
differences: list[str] = []


def run(*command: str, check: bool = True, **environment: str) -> str:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: {done.returncode}: {done.stderr}{done.stdout}")
    return done.stdout


def as_user(user: str, *command: str) -> list[str]:
    return ["runuser", "-u", user, "--", "env", "-C", "/tmp", *command]


def say(text: str) -> None:
    print(f"# {text}", flush=True)


def wait_for(what: str, seconds: float, is_so: Callable[[], bool], *queue: str) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s\n{run(*(queue or ('squeue', '-a')), check=False)}")
        time.sleep(0.5)


# --- the scheduler's own words ---


def words_of_jobs() -> dict[str, Words]:
    """By the id that users write, such as 12_3 and 7+1."""
    jobs = {}
    for line in run("scontrol", "show", "job", "--all", "--oneliner", SLURM_TIME_FORMAT="%s").splitlines():
        words = dict(re.findall(r"(?:^| )([A-Z][A-Za-z/:_]*)=(.*?)(?= [A-Z][A-Za-z/:_]*=|$)", line))
        if "JobId" in words:
            jobs[name_of(words)] = words
    return jobs


def name_of(words: Words) -> str:
    if "HetJobId" in words:
        return f"{words['HetJobId']}+{words['HetJobOffset']}"
    if "ArrayJobId" in words:
        tasks = words.get("ArrayTaskId", "N/A")
        return f"{words['ArrayJobId']}_{tasks}" if tasks.isdigit() else f"{words['ArrayJobId']}_[{tasks}]"
    return words["JobId"]


def seconds_of(text: str) -> int | None:
    if not re.fullmatch(r"(\d+-)?(\d+:)?\d+:\d+", text):
        return None
    days, _, rest = text.rpartition("-")
    parts = [int(part) for part in rest.split(":")]
    while len(parts) < 3:
        parts.insert(0, 0)
    return int(days or 0) * 86400 + parts[0] * 3600 + parts[1] * 60 + parts[2]


def moment_of(text: str) -> int | None:
    return int(text) if text.isdigit() and int(text) > 0 else None


def tres_of(words: Words) -> dict[str, str]:
    text = words.get("AllocTRES", "(null)")
    if text == "(null)":
        text = words.get("ReqTRES", "")
    return dict(pair.partition("=")[::2] for pair in text.split(",") if "=" in pair)


def bytes_of(text: str | None) -> int | None:
    if not text:
        return None
    match = re.fullmatch(r"([\d.]+)([KMGT]?)", text)
    return int(float(match[1]) * 1024 ** " KMGT".index(match[2] or "M")) if match else None


def number_of(text: str) -> int | None:
    return int(text) if text.isdigit() else None


def cpus_of_each_node(words: Words) -> int | None:
    """Of the jobs here each node has as many."""
    cpus, nodes = (number_of(words[name].partition("-")[0]) for name in ("NumCPUs", "NumNodes"))
    return cpus // nodes if cpus and nodes else None


def word_of(text: str | None) -> str | None:
    return None if text in (None, "", "(null)", "N/A", "None", "Unknown") else text


def known(words: Words) -> Words:
    """What scontrol has of a job, in the units of jobmetrics."""
    tres = tres_of(words)
    return {
        "raw_id": words["JobId"],
        "array_jobid": words.get("ArrayJobId"),
        "array_taskid": words.get("ArrayTaskId"),
        "het_jobid": words.get("HetJobId"),
        "het_offset": words.get("HetJobOffset"),
        "user": words["UserId"].partition("(")[0],
        "uid": int(words["UserId"].partition("(")[2].rstrip(")")),
        "account": word_of(words["Account"]),
        "partition": words["Partition"],
        "qos": word_of(words["QOS"]),
        "name": words["JobName"],
        "state": words["JobState"].lower(),
        "submit_time": moment_of(words["SubmitTime"]),
        "eligible_time": moment_of(words["EligibleTime"]),
        "start_time": moment_of(words["StartTime"]),
        "end_time": moment_of(words["EndTime"]),
        "time_limit_seconds": seconds_of(words["TimeLimit"]),
        "nodes": number_of(words["NumNodes"].partition("-")[0]),
        "cpus": number_of(words["NumCPUs"].partition("-")[0]),
        "cpus_granted": cpus_of_each_node(words),
        "memory_allocated_bytes": bytes_of(tres.get("mem")),
        "gpus_allocated": int(tres.get("gres/gpu", 0)),
        "node_list": word_of(words["NodeList"]),
        "priority": number_of(words["Priority"]),
        "reason": word_of(words["Reason"]),
        "exit_code": int(words["ExitCode"].partition(":")[0]),
        "exit_signal": int(words["ExitCode"].partition(":")[2]),
        "work_dir": words["WorkDir"],
    }


def exit_codes() -> dict[str, list[str]]:
    """By job, one for each of its runs: slurmctld has others than the accounting of jobs that it ended."""
    codes: dict[str, list[str]] = collections.defaultdict(list)
    for line in run("sacct", "-a", "-D", "-X", "-n", "-P", "-S", "now-1days", "-o", "JobID,ExitCode").splitlines():
        job, _, code = line.partition("|")
        codes[job].append(code)
    return codes


def past(words: Words, code: str) -> Words:
    """What the accounting keeps of an ended job."""
    job = known(words)
    if job["node_list"] is None:
        # it never started; scontrol has the time of its end, and what it asked for
        job |= dict.fromkeys(("start_time", "time_limit_seconds", "nodes", "cpus", "memory_allocated_bytes"))
        job["gpus_allocated"] = 0
    # slurmctld writes one for the other into its database
    job["name"] = job["name"].replace('"', "`")
    status, _, signal = code.partition(":")
    # 125 stands for the OOM killer
    return job | {"exit_code": int(status), "exit_signal": int(signal) if int(signal) <= 64 else 0}


# --- the comparison ---


def same(field: str, ours: Any, theirs: Any) -> bool:
    if field in ("gpus_allocated", "exit_signal"):
        return (ours or 0) == theirs
    return (ours.lower() if field == "state" and ours else ours) == theirs


def compare(way: str, ours: dict[str, Words], theirs: dict[str, Words], fields: dict[str, str]) -> None:
    """@fields: what ours is called, what theirs is."""
    counts[way] += 0
    for job in sorted(set(theirs) - set(ours)):
        differences.append(f"{way}: {job} ({theirs[job]['name']}): only the scheduler has it")
    for job in sorted(set(ours) - set(theirs)):
        differences.append(f"{way}: {job}: the scheduler has it not")
    for job in sorted(set(ours) & set(theirs)):
        for mine, field in fields.items():
            counts[way] += 1
            if not same(field, ours[job].get(mine), theirs[job][field]):
                differences.append(f"{way}: {job} ({theirs[job]['name']}): {mine}: {ours[job].get(mine)!r}, the scheduler: {theirs[job][field]!r}")


QUEUE = ["user", "account", "partition", "qos", "state", "nodes", "cpus", "memory_allocated_bytes", "gpus_allocated", "time_limit_seconds", "submit_time", "node_list", "priority", "reason"]
NODE = ["user", "uid", "account", "partition", "nodes", "cpus_granted", "qos", "name", "start_time", "submit_time", "array_jobid", "array_taskid", "het_jobid", "het_offset"]
ARCHIVE = [
    *("user", "account", "partition", "qos", "name", "state", "submit_time", "eligible_time", "start_time", "end_time", "time_limit_seconds"),
    *("nodes", "cpus", "memory_allocated_bytes", "gpus_allocated", "node_list", "exit_code", "exit_signal"),
]


def is_in_queue(words: Words) -> bool:
    return words["JobState"] in ("PENDING", "RUNNING", "SUSPENDED", "COMPLETING")


def is_older(words: Words, seconds: int) -> bool:
    return words["state"] == "pending" or (words["start_time"] or 0) + seconds <= time.time()


def ask_steadily(ask: Callable[[], str], age: int = 0) -> tuple[str, dict[str, Words]]:
    """An answer beside which the scheduler's words do not change, no job ends, since scontrol has no other state of one that does,
    and none has begun within @age seconds."""
    for _ in range(60):
        before = {job: known(words) for job, words in words_of_jobs().items() if is_in_queue(words)}
        answer = ask()
        after = {job: known(words) for job, words in words_of_jobs().items() if is_in_queue(words)}
        if before == after and all(words["state"] != "completing" and is_older(words, age) for words in after.values()):
            return answer, after
        time.sleep(0.5)
    raise AssertionError("the queue does not stand still")


def compare_queue(way: str, *options: str) -> None:
    answer, theirs = ask_steadily(lambda: run(CLI, "queue", "--json", *options))
    (OUT / f"{way}.json").write_text(answer)
    ours = {row["jobid"]: row for row in json.loads(answer) if row["state"] in ("pending", "running", "suspended")}
    fields = {field: field for field in QUEUE} | {"latest_end_time": "end_time"}
    pending = {job for job, words in theirs.items() if words["state"] == "pending"}
    compare(way, {job: row for job, row in ours.items() if job not in pending}, {job: words for job, words in theirs.items() if job not in pending}, fields)
    del fields["latest_end_time"]
    compare(way, {job: row for job, row in ours.items() if job in pending}, {job: words for job, words in theirs.items() if job in pending}, fields)


# where it cannot see what the prolog wrote
WITHOUT_HOOKS = ("unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /run/jobmetrics && exec "$@"', "sh")


def compare_node(way: str, *prefix: str) -> None:
    answer, theirs = ask_steadily(lambda: run(*prefix, CLI, "list", "--json"), AGE)
    (OUT / f"{way}.json").write_text(answer)
    running = {words["raw_id"]: words for words in theirs.values() if words["state"] != "pending"}
    ours = {row["jobid"]: row for row in json.loads(answer)["jobs"] if not row["ended"]}
    # neither hooks nor environments have all: what is known is compared, and of each job its user and account are
    for job in sorted(set(ours) & set(running)):
        unknown = [field for field in NODE if ours[job].get(field) is None]
        # without hooks nobody else knows of the job of salloc, which has no process here
        needed = () if prefix and running[job]["name"] == "inter" else ("user", "uid", "account", "partition", "nodes", "cpus_granted")
        running[job] |= dict.fromkeys(set(unknown) - set(needed))
    compare(way, ours, running, {field: field for field in NODE})


def compare_archive(way: str, history: str) -> None:
    store = f"/tmp/{way}.db"
    run(EXPORTER, "server", f"--server.store={store}", f"--server.history={history}", "--once")
    answer = run(CLI, "history", "--all", "--json", "--limit=0", f"--store={store}", f"--columns={','.join(ARCHIVE)}")
    (OUT / f"{way}.json").write_text(answer)
    codes = exit_codes()
    runs: dict[str, list[Words]] = collections.defaultdict(list)
    for row in json.loads(answer):
        runs[row["job_id"]].append(row)
    ours = {job: max(rows, key=lambda row: row.get("submit_time") or 0) for job, rows in runs.items()}
    # sacct lists no job that was never eligible
    never = [IDS["hold"], IDS["begin"]]
    compare(
        way,
        {job: words for job, words in ours.items() if job not in never},
        {job: past(words, codes[job][-1]) for job, words in words_of_jobs().items() if job not in never},
        {field: field for field in ARCHIVE},
    )
    for job, found in codes.items():
        counts[way] += 1
        if len(found) != len(runs[job]):
            differences.append(f"{way}: {job}: {len(runs[job])} runs, the scheduler: {len(found)}")


# --- what happens ---


def submit() -> None:
    for kind, (user, arguments) in JOBS.items():
        het = arguments.index(":") if ":" in arguments else 0
        common = ["sbatch", "--parsable", "-o", "/dev/null", "-J", kind]
        command = [*common, *arguments] if not het else [*common, *arguments[: het + 1], "-J", kind, *arguments[het + 1 :]]
        IDS[kind] = run(*as_user(user, *command)).strip()
    subprocess.Popen(as_user("carol", "srun", "-n1", "--mem=50", "-J", "bare", "sleep", str(SECONDS)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.Popen(as_user("carol", "script", "-qc", f"salloc -n1 --mem=50 -J inter sleep {SECONDS}", "/dev/null"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def make_box() -> None:
    for folder in ("bin", "dev", "etc", "proc", "run", "sys", "tmp", "var"):
        pathlib.Path(BOX, folder).mkdir(parents=True, exist_ok=True)
    shutil.copy("/bin/busybox", f"{BOX}/bin/busybox")
    for name in ("sh", "sleep"):
        pathlib.Path(BOX, "bin", name).symlink_to("busybox")
    # Podman looks for it even where a container has no network
    helpers = pathlib.Path("/usr/local/lib/podman")
    helpers.mkdir(parents=True, exist_ok=True)
    (helpers / "netavark").symlink_to("/bin/true")


def list_processes(kind: str) -> list[pathlib.Path]:
    """Those of a job, as its scheduler lists them: without its node's name scontrol finds no slurmd where there are two."""
    node = words_of_jobs()[IDS[kind]]["NodeList"]
    pids = [line.split()[0] for line in run("scontrol", "listpids", IDS[kind], node, check=False).splitlines()[1:]]
    return [pathlib.Path("/proc", pid) for pid in pids]


def list_contained(kind: str) -> list[pathlib.Path]:
    """The processes whose root is not the machine's."""
    return [process for process in list_processes(kind) if (process / "root").exists() and not os.path.samefile(process / "root", "/")]


def runs_program(kind: str) -> bool:
    """Not only slurmstepd, before it is the job's user's."""
    return any((process / "comm").exists() and (process / "comm").read_text().strip() == "sleep" for process in list_processes(kind))


def find_containers(way: str) -> None:
    """Each runs in the cgroup of its job, and the node lists its processes as the job's."""
    for kind in (kind for kind in CONTAINERS if kind in IDS):
        wait_for(f"{kind} runs", 60, lambda: list_contained(kind) != [], "cat", f"/tmp/{kind}.err")
        (job,) = [row for row in json.loads(run(CLI, "list", "--json"))["jobs"] if row["jobid"] == IDS[kind]]
        inside = list_contained(kind)
        counts[way] += 1
        say(f"{kind}: {len(inside)} processes, the job has {job['metrics']['processes']}")
        if not inside or job["metrics"]["processes"] < len(inside):
            differences.append(f"{way}: {kind}: {job}, {inside}")


def state_of(kind: str) -> str:
    match = re.search(r"JobState=(\w+)", run("scontrol", "show", "job", IDS[kind], check=False))
    return match[1] if match else ""


def stir() -> None:
    """Every job that can run does; then one each is suspended, requeued, cancelled and stepped into."""
    waiting = ("hold", "begin", "array")
    wait_for("jobs run", 180, lambda: all(state_of(kind) != "PENDING" for kind in IDS if kind not in waiting))
    wait_for("a program to suspend", 120, lambda: runs_program("suspend"))
    run("scontrol", "suspend", IDS["suspend"])
    run("scontrol", "requeue", IDS["requeue"])
    run("scancel", IDS["cancel"])
    subprocess.Popen(as_user("alice", "srun", f"--jobid={IDS['overlap']}", "--overlap", "sleep", str(SECONDS // 2)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for("short jobs end", 120, lambda: not {state_of(kind) for kind in ("oom", "fail", "signal", "cancel")} & {"RUNNING", "COMPLETING"})


def settle() -> None:
    run("scontrol", "resume", IDS["suspend"])
    run("scancel", IDS["hold"], IDS["begin"])
    wait_for("all jobs end", 600, lambda: run("squeue", "-h", "-a") == "")
    # slurmdbd is written to behind what slurmctld says
    wait_for("the accounting is complete", 120, lambda: not re.search("RUNNING|PENDING", run("sacct", "-a", "-X", "-n", "-P", "-S", "now-1days", "-o", "State")))


def versions() -> list[str]:
    lists = subprocess.run(as_user("slurmrestd", "slurmrestd", "-d", "list"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    return sorted(set(re.findall(r"data_parser/v0\.0\.(\d+)", lists)))


def attempt(way: str, compare_by: Callable[..., None], *options: str) -> None:
    try:
        compare_by(way, *options)
    except AssertionError as error:
        counts[way] += 0
        differences.append(f"{way}: {error}")


def report() -> int:
    """A test for each way of asking."""
    print(f"1..{len(counts)}")
    for number, (way, count) in enumerate(counts.items(), 1):
        different = [text for text in differences if text.startswith(f"{way}:")]
        print(f"{'not ok' if different else 'ok'} {number} - {way}: {count} compared, {len(different)} differ")
        for text in different:
            say(text)
    return 1 if differences else 0


def main() -> int:
    OUT.mkdir(parents=True, exist_ok=True)
    version = run("scontrol", "--version").strip()
    make_box()
    submit()
    stir()
    say(f"{version}, jobs of {len(IDS) + 2} kinds")
    attempt("containers", find_containers)
    attempt("node", compare_node)
    attempt("node-without-hooks", compare_node, *WITHOUT_HOOKS)
    attempt("queue-commands", compare_queue)
    for number in versions():
        attempt(f"queue-rest-{number}", compare_queue, f"--cluster.scheduler=slurmrestd,{REST},api-version={number}")
    settle()
    (OUT / "scontrol.txt").write_text(run("scontrol", "show", "job", "--all", "--oneliner", SLURM_TIME_FORMAT="%s"))
    attempt("archive-sacct", compare_archive, "sacct,cluster=alpha")
    for number in versions():
        attempt(f"archive-rest-{number}", compare_archive, f"slurmrestd,cluster=alpha,{REST},api-version={number}")
    socket = run("mariadb", "-NBe", "select @@socket").strip()
    attempt("archive-slurmdbd", compare_archive, f"slurmdbd,cluster=alpha,socket={socket},password-file=/root/reader")
    return report()


if __name__ == "__main__":
    sys.exit(main())
