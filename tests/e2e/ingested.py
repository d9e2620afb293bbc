# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What two databases have of a Slurm's runs, as the program `ingest` read them there."""

import pathlib
import subprocess

from lab import CLUSTER, Lab
from programs import SLOWNESS

# by database and reading
Told = dict[tuple[str, str], list[dict[str, str]]]


def ingest(program: str, lab: Lab, *ledgers: pathlib.Path) -> Told:
    done = subprocess.run(
        [program, f"sacct,cluster={CLUSTER},begin=2", *map(str, ledgers)],
        env=lab.environment,
        capture_output=True,
        text=True,
        timeout=120 * SLOWNESS,
        check=False,
    )
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    told: Told = {}
    for line in done.stdout.splitlines():
        database, reading, *fields = line.split("\t")
        run = dict(field.split("=", 1) for field in fields)
        told.setdefault((database, reading), []).append(run)
    return told
