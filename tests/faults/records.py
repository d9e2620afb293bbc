# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether a ledger has each run that has ended, once, with figures that its files said."""

import json
import pathlib
import sqlite3
import zlib
from decimal import Decimal

from checks import JOB_FIGURES
from daemon import Failure
from world import Run, World

RAW_DEFLATE = -15
# until it is seen that one ends, in seconds
SLACK = Decimal(30)
# that a run lives through before it must have a record: it may end before one of them comes to it
SWEEPS = 2
# a time of birth in microseconds is larger
LARGEST_INODE = 10**13
# without which it is not found
WAYS = ("open", "list", "watch")


def content_of(blob: bytes) -> dict:
    for bits in (zlib.MAX_WBITS, RAW_DEFLATE):
        try:
            return json.loads(zlib.decompress(blob, bits), parse_float=Decimal, parse_int=Decimal)
        except zlib.error:
            continue
    raise Failure(f"a record is neither deflated nor JSON: {blob[:40]!r}")


def records_of(ledger: pathlib.Path) -> dict[str, dict]:
    """By the key of the run; SQLite sees to it that each has one."""
    database = sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)
    try:
        return {key: content_of(content) for key, content in database.execute("SELECT key, content FROM record")}
    finally:
        database.close()


def match(world: World, records: dict[str, dict]) -> list[tuple[Run, dict | None]]:
    """Each run that has ended with its record, which is taken away. The key has the number of the run's cgroup; where
    that could not be read, the time of its birth."""
    own = {run.number: records.pop(f"{world.boot_id}/{run.inode}", None) for run in world.ended}
    return [(run, own[run.number] or take_by_time(run, records)) for run in world.ended]


def take_by_time(run: Run, records: dict[str, dict]) -> dict | None:
    for key, record in records.items():
        end = record.get("end_time", record["seen_time"])
        if record["jobid"] == run.job and Decimal(run.ending_at) - 1 <= end <= Decimal(run.ended_at) + SLACK:
            return records.pop(key)
    return None


def problem_of(world: World, run: Run, record: dict) -> str | None:
    if record["jobid"] != run.job:
        return f"is of job {record['jobid']}"
    for name, (figure, scale) in JOB_FIGURES.items():
        value = record.get("metrics", {}).get(name)
        # a requeued one may have been taken for the run before, where their cgroups could not be distinguished
        held = set().union(*(other.figures[figure].held for other in world.ended if other.job == run.job))
        if value is not None and value * scale not in held:
            return f"has {name} {value}, which no file ever said"
    return None


def was_seen(run: Run, sweeps: set[float]) -> bool:
    """While a file that is read hangs there is no sweep, and among slow ones there are few."""
    return sum(run.born_at < sweep < run.ended_at for sweep in sweeps) >= SWEEPS


def was_hidden(run: Run, cgroup: pathlib.Path, log: pathlib.Path) -> bool:
    """Whether something failed, while it lived, on the way to its cgroup; a spell of it hides a run from many sweeps."""
    way = {str(cgroup), *map(str, cgroup.parents)}
    for line in log.read_text(errors="replace").splitlines():
        time, call, _, path = line.split(" ", 3)
        if path.rstrip("/") in way and call in WAYS and run.born_at <= float(time) and (not run.has_ended or float(time) <= run.ended_at):
            return True
    return False


def is_under_its_birth(world: World, key: str, record: dict, log: pathlib.Path) -> bool:
    """Whether it is the first part of a run that a killed daemon knew by its birth alone, as its cgroup had no number."""
    by_birth = int(key.rpartition("/")[2]) > LARGEST_INODE
    runs = [run for run in world.ended + world.runs if run.job == record["jobid"]]
    return by_birth and record["state"] == "lost" and any(was_hidden(run, world.cgroup_of(run), log) for run in runs)


def describe(world: World, key: str, record: dict) -> str:
    """A record, and the runs that its job had."""
    runs = [f"{run.inode} from {run.born_at} to {run.ended_at if run.has_ended else 'now'}" for run in world.ended + world.runs if run.job == record["jobid"]]
    times = {name: str(value) for name, value in record.items() if name.endswith("_time")}
    return f"{key} of job {record['jobid']}, {record['state']}, {times}; it had {runs}"


def check_records(world: World, ledger: pathlib.Path, sweeps: set[float]) -> int:
    """Gives how many records there are of runs that ended; @sweeps are those that were reported."""
    if list(ledger.parent.glob("*.broken*")):
        raise Failure("a ledger was put aside that nothing was wrong with")
    records = records_of(ledger)
    n_records = len(records)
    taken = match(world, records)
    log = world.folder / "faults"
    lost = [run for run, record in taken if record is None and was_seen(run, sweeps) and not was_hidden(run, world.cgroup_of(run), log)]
    if lost:
        raise Failure(f"no record of {len(lost)} of {len(taken)} runs: " + ", ".join(f"{run.job} ({run.inode}, from {run.born_at:.3f} for {run.ended_at - run.born_at:.3f} s)" for run in lost))
    strangers = [(key, record) for key, record in records.items() if not is_under_its_birth(world, key, record, log)]
    if strangers:
        raise Failure("records of runs that have not ended, or never were: " + "; ".join(describe(world, *one) for one in strangers))
    for run, record in taken:
        problem = problem_of(world, run, record) if record is not None else None
        if problem:
            raise Failure(f"the record of job {run.job} {problem}")
    return n_records
