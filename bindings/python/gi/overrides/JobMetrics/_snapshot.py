# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A snapshot as a mapping of jobs."""

import functools
import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from gi.module import get_introspection_module
from gi.overrides import override

from . import _arguments, _frames
from ._errors import JobMetricsError, specific
from ._labels import labels_of
from ._report import filter_of
from ._subjects import GpuSubject, GridSubject, IdleSubject, JobSubject, NodeSubject, SystemSubject
from ._table import COLLECTORS, moment

JobMetrics = get_introspection_module("JobMetrics")

# of a table in a notebook
_SHOWN = ("jobid", "user", "account", "name", "cpus", "cpu_time", "eff", "mem", "peak", "energy")


@dataclass(frozen=True)
class CollectorReport:
    """How a collector fared in one sweep."""

    name: str
    success: bool  # but for what it had no right to read
    n_errors: int
    n_denied: int  # errors that are but a lacking right
    error: JobMetricsError | None  # the first
    duration: timedelta


@override
class Snapshot(JobMetrics.Snapshot):
    """Everything read in one sweep of a node: its jobs by id, and the node itself."""

    __module__ = "gi.overrides.JobMetrics"

    @functools.cached_property
    def _numbers(self) -> tuple[int, ...]:
        subjects = range(self.get_n_subjects())
        return tuple(n for n in subjects if JobMetrics.Snapshot.get_kind(self, n) == JobMetrics.SubjectKind.JOB)

    @property
    def time(self) -> datetime:
        """When the sweep began."""
        return moment(self.get_time() / 1e6)

    @property
    def duration(self) -> timedelta:
        """How long the sweep took."""
        return timedelta(microseconds=self.get_duration() / 1e3)

    @property
    def node(self) -> NodeSubject:
        """The node itself and its totals."""
        return NodeSubject(self, JobMetrics.NODE_SUBJECT)

    @property
    def system(self) -> SystemSubject:
        """What runs on the node and is no job's: its energy and emissions."""
        return self._part(SystemSubject, JobMetrics.SubjectKind.SYSTEM)

    @property
    def idle(self) -> IdleSubject:
        """What of the node nobody uses: its energy and emissions."""
        return self._part(IdleSubject, JobMetrics.SubjectKind.IDLE)

    @property
    def grid(self) -> GridSubject:
        """The electricity that feeds the node: emission factors, and their providers."""
        return self._part(GridSubject, JobMetrics.SubjectKind.GRID)

    @property
    def gpus(self) -> list[GpuSubject]:
        """The node's accelerators, used or not, and their instances."""
        return [GpuSubject(self, number) for number in self.list_gpus(JobMetrics.NODE_SUBJECT)]

    def _part(self, cls, kind):
        _, number = self.find_subject(kind)  # every sweep has them all
        return cls(self, number)

    @property
    def jobs(self) -> list[JobSubject]:
        return list(self)

    @property
    def collectors(self) -> Mapping[str, CollectorReport]:
        """How each collector that was at work fared."""
        collected = {name: number for name, number in COLLECTORS.items() if self.is_collected(number)}
        return {name: self._report(name, number) for name, number in collected.items()}

    def _report(self, name: str, collector) -> CollectorReport:
        n_errors, n_denied, error = self.get_n_errors(collector), self.get_n_denied(collector), self.get_error(collector)
        duration = timedelta(microseconds=self.get_collector_duration(collector) / 1e3)
        success = not self.has_failed(collector)
        return CollectorReport(name, success, n_errors, n_denied, specific(error) if error else None, duration)

    def _find(self, job: object) -> int | None:
        if not isinstance(job, str):
            raise _arguments.wrong_type("job id", "text", job)
        found, number = self.find_job(job) if "\0" not in job else (False, 0)
        return number if found else None

    def __iter__(self) -> Iterator[JobSubject]:
        return (JobSubject(self, number) for number in self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, job: object) -> bool:
        """Whether there is a job of this id or uuid."""
        if isinstance(job, JobSubject):
            return job.snapshot is self
        return self._find(job) is not None

    def __getitem__(self, job: str) -> JobSubject:
        """The job of this id, ARRAY_INDEX or uuid; of several with the same id the one seen last."""
        number = self._find(job)
        if number is None:
            raise KeyError(job)
        return JobSubject(self, number)

    def keys(self) -> list[str]:
        """The ids of its jobs, in its order; dict(snapshot) has the jobs by these."""
        return [job.id for job in self]

    def values(self) -> list[JobSubject]:
        """Its jobs, as jobs has them."""
        return list(self)

    def items(self) -> list[tuple[str, JobSubject]]:
        """Ids and jobs. An id that came back, as at a requeue, stands there twice."""
        return [(job.id, job) for job in self]

    def get(self, job: str, default=None):
        return self[job] if job in self else default

    def select(self, filter) -> list[JobSubject]:
        """The jobs of which an expression is true: select("mem > 1GiB && user == alice")."""
        chosen = filter_of(filter)
        return [job for job in self if chosen.matches(self, job.number)]

    def __repr__(self) -> str:
        return f"<Snapshot of {len(self)} jobs at {self.time.isoformat(timespec='seconds')}>"

    def to_dict(self) -> dict:
        """As plain values, with times in seconds since 1970; what is absent is left out."""
        return json.loads(self.to_json())

    def to_json(self, pretty: bool = False) -> str:
        """The same as JSON; jobmetrics-cli prints the same."""
        return JobMetrics.json_to_string(JobMetrics.json_encode_snapshot(self, None), pretty)

    def _repr_html_(self) -> str:
        """In a notebook a table of the jobs stands below the cell."""
        rows = [[job.format(name) for name in _SHOWN] for job in self]
        head = "".join(f"<th>{name}</th>" for name in _SHOWN)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(cell or '–')}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<table><caption>{html.escape(repr(self))}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def to_dataframe(self, level: object = "job"):
        """A pandas.DataFrame with a row for each job, step or task. Labelled metrics: threads[running]."""
        return _frames.frame(self, _arguments.level(level).value_nick)


def _bounded(name: str):
    """The library's own method, with numbers checked that it takes for granted."""
    method = getattr(JobMetrics.Snapshot, name)

    @functools.wraps(method)
    def call(self, subject, *arguments):
        if not isinstance(subject, int):
            raise _arguments.wrong_type("subject", "a whole number", subject)
        if not 0 <= subject < self.get_n_subjects():
            raise IndexError(f"subject {subject}: there are {self.get_n_subjects()}")
        return method(self, subject, *arguments)

    return call


for _name in (
    "get_kind",
    "get_job",
    "get_step",
    "get_task",
    "get_start_time",
    "get_end_time",
    "list_gpus",
    "get_gpu",
    "get_gpu_field",
    "get_gpu_share",
    "get_value",
    "get_labelled_value",
    "list_labels",
):
    setattr(Snapshot, _name, _bounded(_name))

_get_labelled_value = Snapshot.get_labelled_value


def _get_value_of(self, subject, quantity, labels):
    """One figure, of the labels given: a text, a sequence of text, or Labels as list_labels() has them."""
    return _get_labelled_value(self, subject, quantity, None if labels is None else labels_of(labels))


Snapshot.get_labelled_value = _get_value_of
