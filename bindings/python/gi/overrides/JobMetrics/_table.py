# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The library's tables of fields, metrics and collectors, by name."""

from collections.abc import Mapping
from datetime import datetime, timezone
from types import MappingProxyType

from gi.module import get_introspection_module

JobMetrics = get_introspection_module("JobMetrics")


# A subject has what a device is, and by whose word a job has it, as fields of its own.
HAS_FIELDS = {JobMetrics.SubjectKind.GPU: "info", JobMetrics.SubjectKind.JOB_GPU: "share_ratio"}


def _metrics(kind) -> Mapping:
    """Each quantity, and how it stands on /metrics, by its name there."""
    pairs = [(one, one.get_metric_info()) for one in JobMetrics.Quantity.list_of_subject(kind)]
    return MappingProxyType({info.name: (one, info) for one, info in pairs if info.name != HAS_FIELDS.get(kind)})


def _named(members, name_of) -> Mapping:
    return MappingProxyType({name_of(member): member for member in members})


KINDS = _named(map(JobMetrics.SubjectKind, range(JobMetrics.N_SUBJECT_KINDS)), lambda kind: kind.value_nick)
METRICS = MappingProxyType({kind: _metrics(kind) for kind in KINDS.values()})
FIELDS = _named(map(JobMetrics.JobField, range(JobMetrics.N_JOB_FIELDS)), JobMetrics.job_field_get_name)
GPU_FIELDS = _named(map(JobMetrics.GpuField, range(JobMetrics.N_GPU_FIELDS)), JobMetrics.gpu_field_get_name)
COLLECTORS = _named(map(JobMetrics.Collector, range(JobMetrics.N_COLLECTORS)), JobMetrics.collector_get_name)
_JOB, _TASK = JobMetrics.SubjectKind.JOB, JobMetrics.SubjectKind.TASK
LEVELS = MappingProxyType({name: kind for name, kind in KINDS.items() if _JOB <= kind <= _TASK})

_UNITS = map(JobMetrics.Unit, range(JobMetrics.N_UNITS))
_WHOLE = {unit for unit in _UNITS if JobMetrics.unit_get_info(unit).divisor == 1}
_get_value = JobMetrics.Snapshot.get_value
_get_labelled_value = JobMetrics.Snapshot.get_labelled_value


def moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, timezone.utc)


def _number(info, value: float) -> int | float:
    return int(value) if info.unit in _WHOLE else value


def _key(labels) -> str | tuple[str, ...]:
    """The label's value; of a metric with several labels the tuple of theirs, in the order of its row."""
    return tuple(labels) if len(labels) > 1 else labels[0]


def _labelled(snapshot, subject: int, quantity, info) -> dict[str | tuple[str, ...], int | float] | None:
    labels = snapshot.list_labels(subject, quantity)
    pairs = [(_key(one), _get_labelled_value(snapshot, subject, quantity, one)) for one in labels]
    return {key: _number(info, value) for key, (measured, value) in pairs if measured} or None


def measured_value(snapshot, subject: int, metric: tuple) -> int | float | dict[str | tuple[str, ...], int | float] | None:
    """What was measured of a metric: whole numbers of things and bytes, else in base units; None if it was not."""
    quantity, info = metric
    if info.n_labels:
        return _labelled(snapshot, subject, quantity, info)
    measured, value = _get_value(snapshot, subject, quantity)
    return _number(info, value) if measured else None


def field_value(record, name: str) -> str | int | datetime | None:
    """A field of a job's identity; as text where it should be a number and is none."""
    text = record.get_field(FIELDS[name])
    if text is None:
        return None
    try:
        if name in ("uid", "nodes", "cpus_granted"):
            return int(text)
        if name in ("submit_time", "start_time"):
            return moment(int(text))
    except (ValueError, OverflowError, OSError):
        pass
    return text
