# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Snapshots as pandas data frames."""

from ._table import FIELDS

INDEX = {"job": ["jobid"], "step": ["jobid", "step"], "task": ["jobid", "step", "task"]}


def _joined(key: str | tuple[str, ...]) -> str:
    return key if isinstance(key, str) else ", ".join(key)


def _flat(metrics) -> dict[str, int | float]:
    """A metric with labels becomes a column for each of their values: threads[running], energy[package, measured]."""
    row = {}
    for name, value in metrics.items():
        if isinstance(value, dict):
            row |= {f"{name}[{_joined(key)}]": number for key, number in value.items()}
        else:
            row[name] = value
    return row


def _job_row(job) -> dict:
    fields = {name: job[name] for name in FIELDS}
    return {**fields, "end_time": job.end_time, "elapsed": job.elapsed, "efficiency": job.efficiency, **_flat(job.metrics)}


def _step_row(step) -> dict:
    return {"jobid": step.job.id, "step": step.name, "user": step.job.user, **_flat(step.metrics)}


def _task_row(task) -> dict:
    return {"jobid": task.job.id, "step": task.step.name, "task": task.name, "user": task.job.user, **_flat(task.metrics)}


def _rows(snapshot, level: str) -> list[dict]:
    if level == "job":
        return [_job_row(job) for job in snapshot]
    steps = [step for job in snapshot for step in job.steps]
    if level == "step":
        return [_step_row(step) for step in steps]
    return [_task_row(task) for step in steps for task in step.tasks]


def pandas():
    """Loaded when it is needed: most programs do without."""
    try:
        import pandas as module
    except ImportError as error:
        raise ImportError("to_dataframe() needs pandas (Debian: python3-pandas)") from error
    return module


def frame(snapshot, level: str):
    """A row for each job, step or task, and a column for each of what at least one of them has."""
    table = pandas().DataFrame(_rows(snapshot, level)).dropna(axis="columns", how="all")
    table = table.reindex(columns=[*INDEX[level], *table.columns.difference(INDEX[level], sort=False)])
    table.attrs["time"] = snapshot.time
    return table.set_index(INDEX[level])
