# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the ledger has."""

import json
import pathlib
import subprocess
from dataclasses import dataclass


@dataclass(frozen=True)
class Record:
    key: str  # of a run: no other has it
    job: str
    state: str
    cpu_seconds: float | None
    method: str  # how its CPU time was got
    observed: float  # how much of it, a part of one
    joules: float


def read(cli: str, ledger: pathlib.Path) -> list[Record]:
    command = [cli, "ledger", f"--ledger.file={ledger}", "--format=json"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
    return [_record(one) for one in json.loads(done.stdout)]


def _record(one: dict) -> Record:
    metrics = one["metrics"]
    return Record(
        key=one["key"],
        job=one["jobid"],
        state=one["state"],
        cpu_seconds=metrics.get("cpu_seconds_total"),
        method=one["coverage"].get("cpu", {}).get("method", "unknown"),
        observed=one["coverage"].get("cpu", {}).get("ratio", 0.0),
        joules=sum(part["value"] for part in metrics.get("energy_joules_total", [])),
    )
