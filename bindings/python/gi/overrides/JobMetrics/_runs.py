# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Records of runs of jobs, and what these did over their lives."""

import json
import math
from array import array
from datetime import datetime, timedelta

from gi.module import get_introspection_module
from gi.overrides import override

from . import _arguments
from ._errors import raising
from ._frames import pandas
from ._subjects import JobSubject
from ._table import moment

JobMetrics = get_introspection_module("JobMetrics")

_ALL_SERIES = [JobMetrics.ProfileSeries(number) for number in range(JobMetrics.N_PROFILE_SERIES)]
_SERIES = {JobMetrics.profile_series_get_name(series): series for series in _ALL_SERIES}
_parse = raising(JobMetrics.record_json_parse).__func__
_JOB = 1  # number of the job in a record's snapshot


def _moment_us(microseconds: int) -> datetime | None:
    return moment(microseconds / 1e6) if microseconds else None


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


@override
class JobProfile(JobMetrics.JobProfile):
    """What a job did over its life: points of equal intervals, by names of series such as "cpu_seconds".

    NaN where nothing was observed; a series that was never observed is not there.
    """

    __module__ = "gi.overrides.JobMetrics"

    @property
    def begin_time(self) -> datetime:
        return moment(self.get_begin_time() / 1e6)

    @property
    def interval(self) -> timedelta:
        return timedelta(microseconds=self.get_interval())

    @property
    def times(self) -> list[datetime]:
        """When each point begins."""
        return [self.begin_time + number * self.interval for number in range(self.get_n_points())]

    @property
    def values(self) -> dict[str, array]:
        """Of a sum what fell into each interval, of a level its mean; in base units."""
        observed = {name: series for name, series in _SERIES.items() if self.has(series)}
        return {name: array("d", self.list_values(series)) for name, series in observed.items()}

    @property
    def peaks(self) -> dict[str, array]:
        """Of levels the highest in each interval."""
        levels = {name: series for name, series in _SERIES.items() if not JobMetrics.profile_series_is_sum(series)}
        return {name: array("d", self.list_peaks(series)) for name, series in levels.items() if self.has(series)}

    def total(self, name: str) -> float | None:
        """The sum of a series, or the mean of a level, over the whole life."""
        return _known(self.get_total(_SERIES[name]))

    def peak(self, name: str) -> float | None:
        """The highest level ever."""
        return _known(self.get_peak(_SERIES[name]))

    def to_dataframe(self):
        """A pandas.DataFrame with a row for each point; peaks of levels are threads[peak] and the like."""
        columns = dict(self.values) | {f"{name}[peak]": peaks for name, peaks in self.peaks.items()}
        return pandas().DataFrame(columns, index=self.times)

    def __len__(self) -> int:
        return self.get_n_points()

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<JobProfile of {len(self)} points of {self.interval.total_seconds():g} s>"


@override
class JobRecord(JobMetrics.JobRecord):
    """One run of a job on one node: who it was, what it used, and how much of it was observed."""

    __module__ = "gi.overrides.JobMetrics"

    @staticmethod
    def from_json(text: str | bytes, name: str = "record"):
        """The record that to_json() wrote, here or elsewhere; messages call it by the name."""
        if not isinstance(text, (str, bytes)):
            raise _arguments.wrong_type("record", "text", text)
        return _parse(text.encode() if isinstance(text, str) else text, name)

    node = property(JobMetrics.JobRecord.get_node)
    key = property(JobMetrics.JobRecord.get_key)
    position = property(JobMetrics.JobRecord.get_position)
    snapshot = property(JobMetrics.JobRecord.get_snapshot)
    profile = property(JobMetrics.JobRecord.get_profile)

    @property
    def job(self) -> JobSubject:
        """Fields and metrics of the job, with its steps and accelerators."""
        return JobSubject(self.get_snapshot(), _JOB)

    @property
    def state(self) -> str:
        """ "running", "ended" or "lost": it ended while no exporter ran."""
        return JobMetrics.run_state_get_name(self.get_state())

    @property
    def begin_time(self) -> datetime:
        return moment(self.get_begin_time() / 1e6)

    @property
    def end_time(self) -> datetime | None:
        return _moment_us(self.get_end_time())

    @property
    def seen_time(self) -> datetime:
        """When it was read last."""
        return moment(self.get_seen_time() / 1e6)

    @property
    def coverage(self) -> dict[str, float]:
        """How much of its life, of its CPU time, of its energy was observed: 0 to 1."""
        return {what: self.get_coverage(what) for what in self.list_coverage()}

    @property
    def methods(self) -> dict[str, str]:
        """How each of these totals was got: "final", "last", "checkpoint" or "unknown"."""
        return {what: JobMetrics.total_method_get_name(self.get_method(what)) for what in self.list_coverage()}

    def to_json(self) -> str:
        """As the ledger keeps it, with times in seconds since 1970; what is absent is left out."""
        return JobMetrics.record_json_format(self)

    def to_dict(self) -> dict:
        """The same as plain values."""
        return json.loads(self.to_json())

    def __repr__(self) -> str:
        job = self.get_job()
        return f"<JobRecord {job.get_id()} {job.get_user() or ''}: {self.state}>"
