# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT
"""What a panel and a dashboard consist of, and expressions that several of them have.

A row is a kind, a title, a unit of Grafana's, queries by their legend, and what the panel shows and means where it is empty. A
query of a table is a column: its unit, and what has one value for each line. Owners of jobs are those that the recording rules
write down (jobmetrics.rules.yml), one for each job of a node.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Variable:
    name: str
    label: str
    query: str
    has_all: bool = False
    sort: int = 1  # by the alphabet; 4 is by number, the last first


@dataclass(frozen=True)
class Panel:
    kind: str
    title: str
    unit: str
    queries: dict[str, str | tuple[str, str]]
    says: str
    stacked: bool = False
    calc: str = "lastNotNull"
    width: int | None = None
    height: int | None = None
    hidden: tuple[str, ...] = ()  # labels that a table has no column for
    bound: str = ""  # of a graph, a pattern of the legends of what the others cannot exceed
    bad_from: float | None = None  # of a single value, where it is to be looked into
    legend_beside: bool = False  # of a graph with many lines


@dataclass(frozen=True)
class Board:
    name: str
    title: str
    says: str
    variables: list[Variable]
    parts: dict[str, list[Panel]]
    since: str = "now-6h"


INFO = "instance_jobid:jobmetrics_job_info:max"
PER_USER = "cluster_user_account"
C = 'cluster=~"$cluster"'
MEASURED = 'quality="measured"'
RULES = "Needs the recording rules."
NO_CLUSTER = "Empty without the cluster role."
NO_SERVER = "Empty without the server role."
NO_METER = "Empty where neither a meter nor an estimate gives the energy."
NO_GPU = "Empty where no GPU library reports it."
CLUSTER = Variable("cluster", "Cluster", "label_values(jobmetrics_job_info, cluster)", has_all=True)


def who_has(expression: str, info: str, *labels: str) -> str:
    """With labels of its job's owner; of those jobs alone that the info has."""
    return f"{expression} * on (instance, jobid) group_left ({', '.join(labels)}) {info}"


def over_time(name: str, chosen: str, by: str = "", per: float = 1, metric: str = PER_USER) -> str:
    """What was added in the chosen time."""
    divisor = "" if per == 1 else f" / {per:g}"
    return f"sum{by and f' by ({by})'} (sum_over_time({metric}:jobmetrics_{name}{{{chosen}}}[$__range])){divisor}"


def ratio(above: str, below: str) -> str:
    return f"{above} / ({below} > 0)"


def watts(subject: str, chosen: str, by: str = "") -> str:
    return f"sum{by and f' by ({by})'} (rate(jobmetrics_{subject}_energy_joules_total{{{chosen}}}[$__rate_interval]))"


def split(chosen: str) -> dict[str, str]:
    """The three add up to what was measured."""
    return {"jobs": watts("job", chosen), "system": watts("system", chosen), "idle": watts("idle", chosen)}
