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
    cpu_seconds: float | None
    joules: float


def read(cli: str, ledger: pathlib.Path) -> list[Record]:
    command = [cli, "ledger", f"--ledger.file={ledger}", "--format=json"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    return [_record(one) for one in json.loads(done.stdout)]


def _record(one: dict) -> Record:
    raise NotImplementedError(one)
