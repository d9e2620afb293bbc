# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What Slurm's commands say of the runs of a plan, by stand-ins for them."""

import json
import pathlib

from plan import CLUSTERS, Run

# who sees all runs
WARDEN = "warden"
# In its own folder it finds CLUSTER.json, and in `trouble` how often it is to fail.
SACCT = """#!/usr/bin/python3 -IS
import calendar, json, os, sys, time
FOLDER = os.path.dirname(__file__)
options = dict(word.lstrip("-").partition("=")[::2] for word in sys.argv[1:])
names, between, cluster = options["format"].split(","), options["delimiter"], options["clusters"]
since, until = (calendar.timegm(time.strptime(options[key], "%Y-%m-%dT%H:%M:%S")) for key in ("starttime", "endtime"))
with open(f"{FOLDER}/{cluster}.json") as file:
    runs = json.load(file)
text = "".join(
    between.join(str(run.get(name, "")) for name in names) + "\\n"
    for run in runs if run["from"] < until and run["to"] >= since
)
try:
    os.rename(f"{FOLDER}/trouble", f"{FOLDER}/trouble.{os.getpid()}")
    sys.stdout.write(text[: len(text) // 2])
    sys.exit("sacct: error: slurmdbd: Connection refused")
except FileNotFoundError:
    sys.stdout.write(text)
"""
SACCTMGR = f"""#!/bin/sh
case "$3" in user) echo "{WARDEN}|Administrator" ;; esac
"""
FOREVER = 1 << 40


def _row(run: Run, has_ended: bool) -> dict:
    state = "CANCELLED" if run.start is None else "COMPLETED" if has_ended else "RUNNING"
    start = run.end if run.start is None else run.start
    return {
        "from": start,
        "to": run.end if has_ended else FOREVER,
        "JobIDRaw": run.id,
        "JobID": run.id,
        "User": run.owner.user,
        "UID": run.owner.uid,
        "Account": run.owner.account,
        "Partition": "batch",
        "State": state,
        "Submit": run.submit,
        "Eligible": run.submit,
        "Start": start,
        "End": run.end if has_ended else "Unknown",
        "ElapsedRaw": run.end - start,
        "ExitCode": "0:0",
        "NNodes": len(run.shares) or 1,
        "AllocCPUS": 2 * len(run.shares),
        "AllocTRES": f"cpu={2 * len(run.shares)},node={len(run.shares)}" if run.shares else "",
        "NodeList": ",".join(run.nodes) or "None assigned",
        "JobName": f"job {run.id}",
    }


class Accounting:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.rows: dict[tuple, dict] = {}
        folder.mkdir()
        for name, text in {"sacct": SACCT, "sacctmgr": SACCTMGR}.items():
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)
        self.publish([], [])

    def publish(self, running: list[Run], ended: list[Run]) -> None:
        for run in running:
            self.rows[run.key + (run.submit,)] = _row(run, False)
        for run in ended:
            self.rows[run.key + (run.submit,)] = _row(run, True)
        for cluster in CLUSTERS:
            rows = [row for key, row in self.rows.items() if key[0] == cluster]
            new = self.folder / f"{cluster}.new"
            new.write_text(json.dumps(rows))
            new.rename(self.folder / f"{cluster}.json")

    def fail_once(self) -> None:
        (self.folder / "trouble").touch()

    def heal(self) -> None:
        (self.folder / "trouble").unlink(missing_ok=True)
