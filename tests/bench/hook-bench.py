#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""How long a hook keeps a job, beside a program that does nothing and beside the same in shell.

Runs of all take turns, so that what else the machine does falls on each alike; the median is reported.

usage: hook-bench.py HOOK CLI
"""

import os
import pathlib
import statistics
import sys
import tempfile
import time

ROUNDS = 200
SHELL = pathlib.Path(__file__).resolve().parent / "prolog-in-shell"
JOB = {f"SLURM_JOB_{name}": "5" for name in ("ID", "UID", "USER", "ACCOUNT", "PARTITION", "QOS", "NAME", "NUM_NODES", "START_TIME")}


def run(command: list[str], quiet: int) -> float:
    redirected = [(os.POSIX_SPAWN_DUP2, quiet, stream) for stream in (0, 1, 2)]
    begin = time.perf_counter()
    os.waitpid(os.posix_spawn(command[0], command, JOB, file_actions=redirected), 0)
    return time.perf_counter() - begin


def main() -> None:
    hook, cli = map(os.path.abspath, sys.argv[1:3])
    quiet = os.open("/dev/null", os.O_RDWR)
    with tempfile.TemporaryDirectory() as folder:
        options = ["prolog", f"--directory={folder}", f"--socket={folder}/none"]
        commands = {
            "/bin/true": ["/bin/true"],
            "jobmetrics-hook": [hook, *options],
            "jobmetrics-cli hook": [cli, "hook", *options],
            "in shell": [str(SHELL), folder],
        }
        times = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                times[name].append(run(command, quiet))
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, median in medians.items():
        print(f"{name:20} {median * 1e3:7.2f} ms {median / medians['/bin/true']:6.2f} times /bin/true {median / medians['in shell']:6.2f} times the shell")


main()
