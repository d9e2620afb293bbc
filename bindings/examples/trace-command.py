#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT
"""trace-command.py URL [SECONDS] -- COMMAND...: run a command of a job, and report to an exporter what its processes do

A token, where the exporter wants one, is in the variable TRACE_TOKEN. Ends as the command does.
"""

from __future__ import annotations

import json
import os
import pathlib
import pwd
import socket
import subprocess
import sys
import time
import urllib.request

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
PROC = pathlib.Path("/proc")


def fields_of(pid: int) -> list[str]:
    """Of /proc/PID/stat, from the state on: the name before it may hold anything."""
    return (PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()


def tree_of(pid: int) -> list[int]:
    """The process and all that it started, as far as they are there."""
    tree = [pid]
    for one in tree:
        for children in (PROC / str(one) / "task").glob("*/children"):
            try:
                tree += map(int, children.read_text().split())
            except OSError:
                pass
    return tree


def read(pid: int) -> dict[str, int]:
    """Sums over the tree: clock ticks, threads, bytes."""
    sums = dict.fromkeys(("ticks", "threads", "mem", "read_bytes", "write_bytes"), 0)
    for one in tree_of(pid):
        try:
            stat = fields_of(one)
            io = dict(line.split(": ") for line in (PROC / str(one) / "io").read_text().splitlines())
        except OSError:
            continue  # it has just ended
        sums["ticks"] += int(stat[11]) + int(stat[12]) + int(stat[13]) + int(stat[14])
        sums["threads"] += int(stat[17])
        sums["mem"] += int(stat[21]) * PAGE
        sums["read_bytes"] += int(io["read_bytes"])
        sums["write_bytes"] += int(io["write_bytes"])
    return sums


def post(url: str, record: dict[str, object]) -> None:
    request = urllib.request.Request(f"{url}/trace", json.dumps(record).encode(), {"Content-Type": "application/json"})
    if "TRACE_TOKEN" in os.environ:
        request.add_header("Authorization", f"Bearer {os.environ['TRACE_TOKEN']}")
    urllib.request.urlopen(request, timeout=5).close()


def trace(url: str, seconds: float, command: list[str]) -> int:
    process = subprocess.Popen(command)
    who = {
        "job_id": int(os.environ["SLURM_JOB_ID"]),
        "pid": process.pid,
        "username": pwd.getpwuid(os.getuid()).pw_name,
        "hostname": socket.gethostname(),
    }
    ticks, moment = 0, time.monotonic()
    while True:
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass
        sums, now = read(process.pid), time.monotonic()
        used = sums.pop("ticks")
        try:
            post(url, {**who, **sums, "cpus": max(used - ticks, 0) / TICKS / (now - moment) * 100})
        except OSError as error:
            print(f"{url}: {error}", file=sys.stderr)
        ticks, moment = used, now


if __name__ == "__main__":
    split = sys.argv.index("--")
    status = trace(sys.argv[1].rstrip("/"), float(sys.argv[2]) if split > 2 else 10, sys.argv[split + 1 :])
    sys.exit(status if status >= 0 else 128 - status)
