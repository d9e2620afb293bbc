# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a node records of a run, as JSON; and what of it a node reports that is not sound."""

import uuid
from random import Random

from plan import DAY, HOOKED, STRANGER, Kind, Node, Person, Plan, Run, Share

RUNNING_PART = 3  # of what a run uses in the end


def seconds(us: int) -> float:
    return us / 1_000_000


def _owner(owner: Person, is_hooked: bool) -> dict:
    known = {"uid": owner.uid}
    return {**known, "user": owner.user, "account": owner.account} if is_hooked else known


def _metrics(cpu_us: int, energy_uj: int) -> dict:
    package = energy_uj // 3
    return {
        "cpu_seconds_total": seconds(cpu_us),
        "memory_peak_bytes": 1 << 30,
        "energy_joules_total": [
            {"labels": {"domain": domain, "quality": "measured"}, "value": seconds(part)}
            for domain, part in (("package", package), ("dram", energy_uj - package))
        ],
    }


def make(run: Run, share: Share, is_running: bool = False) -> dict:
    node = share.node
    is_hooked = node.kind in HOOKED
    begin, end = run.start + node.seconds_ahead + 1, run.end + node.seconds_ahead
    part = RUNNING_PART if is_running else 1
    who = {"cluster": run.cluster, "scheduler": "slurm", "jobid": run.id, **_owner(run.owner, is_hooked)}
    if is_hooked:
        who |= {"start_time": run.start, "submit_time": run.submit, "nodes": len(run.shares)}
    record = {
        "version": 1,
        "key": share.key,
        "run_key": share.key,
        "node": node.name,
        "state": "running" if is_running else "ended",
        "begin_time": begin,
        "seen_time": end,
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_OID, share.key)),
        "uuid_weak": True,
        "decided": True,
        "ended": not is_running,
        "origin": {name: {"jobid": "path", "uid": "kernel"}.get(name, "hook") for name in who},
        "metrics": _metrics(share.cpu_us // part, share.energy_uj // part),
        "steps": [{"step": "batch", "metrics": {"cpu_seconds_total": seconds(share.cpu_us // part)}}],
        "collectors": ["jobs", "cpu", "memory", "power"],
        "coverage": {"life": {"ratio": 0.9, "method": "last"}},
        **who,
    }
    if not is_running:
        record["end_time"] = end
    return record


def _without(record: dict, *names: str) -> dict:
    left = {name: value for name, value in record.items() if name not in names}
    return {**left, "origin": {name: origin for name, origin in record["origin"].items() if name not in names}}


def make_old(record: dict) -> dict:
    return _without(record, "steps", "account", "submit_time")


def make_new(record: dict) -> dict:
    """Of a later version, of the same format."""
    news = {"later": {"deep": [1, None, {"x": "y"}]}, "cost_euros": 1.5}
    return {**record, **news, "metrics": {**record["metrics"], "later_total": [{"labels": {"of": "x"}, "value": 1}], "soon_seconds": 1}}


def make_local(run: Run, share: Share) -> dict:
    """Of a job that a user of the node began, whose id is a scheduler's job's on the same node."""
    key = f"{share.key}9"
    changes = {"key": key, "run_key": key, "scheduler": "local", "metrics": _metrics(share.cpu_us + 10**9, share.energy_uj + 10**9)}
    record = _without(make(run, share), "submit_time", "nodes") | changes | _owner(STRANGER, True)
    return {**record, "origin": {**record["origin"], "user": "kernel", "account": "environment"}}


# --- nodes that lie

UNREADABLE = {
    "no run key": {"run_key": None},
    "another version": {"version": 99},
    "no state": {"state": "asleep"},
    "no time": {"begin_time": "yesterday"},
    "no end": {"end_time": None},
    "no metrics": {"metrics": [1]},
    "no uuid": {"uuid": "none"},
    "a figure that is text": {"metrics": {"cpu_seconds_total": "many"}},
    "a coverage beyond all": {"coverage": {"life": {"ratio": 7, "method": "last"}}},
    "no job": {"jobid": None},
    "no collectors": {"collectors": 5},
    "a long key": {"run_key": "k" * 100_000},
    "a long name": {"name": "n" * 1_000_000},
}


def spoil(record: dict, how: str) -> object:
    if how == "no object":
        return 17
    changed = {**record, **UNREADABLE[how]}
    return {name: value for name, value in changed.items() if value is not None}


SPOILED = (*UNREADABLE, "no object")

IMPOSSIBLE = {
    "cpu_seconds_total": [1e300, -5, 9_223_372_036_854, 10**18],
    "memory_peak_bytes": [2**63, 2**64, -1, 1e308],
}


def boast(record: dict, random: Random) -> dict:
    name = random.choice(list(IMPOSSIBLE))
    changed = {**record, "metrics": {**record["metrics"], name: random.choice(IMPOSSIBLE[name])}}
    if random.random() < 0.5:
        energy = [{"labels": {"domain": domain, "quality": "measured"}, "value": 9e12} for domain in ("package", "dram")]
        changed["metrics"]["energy_joules_total"] = energy
    if random.random() < 0.3:
        changed["end_time"] = changed["begin_time"] - 10 * DAY
    return changed


LIES = ("another cluster", "another node", "no node of it", "another owner", "no such job", "no such cluster")


def lie(plan: Plan, liar: Node, victim: Run, how: str) -> dict:
    """Of a run on others: as many joules again, or its owner changed."""
    share = Share(liar, victim.cpu_us + 10**9, victim.energy_uj + 10**9, plan.make_key(liar))
    record = make(victim, share)
    if how == "another node":
        record["node"] = victim.nodes[0]
    elif how == "another owner":
        record |= _owner(STRANGER, True)
    elif how == "no such job":
        record["jobid"] = str(900_000 + plan.random.randrange(1000))
    elif how == "no such cluster":
        record |= {"cluster": "gamma", "jobid": "1"}
    return record


def may_lie(liar: Node, victim: Run, how: str) -> bool:
    is_near = victim.cluster == liar.cluster
    return victim.is_sound and liar.name not in victim.nodes and is_near == (how != "another cluster")


def is_sent(kind: Kind) -> bool:
    """Whether a played node has anything to report."""
    return kind in (Kind.SLOW, Kind.OLD, Kind.NEW, Kind.POISONED, Kind.LIAR, Kind.BOASTER)
