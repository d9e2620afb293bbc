# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Identities of jobs, places, and processes."""

from collections.abc import Mapping
from datetime import datetime

from gi.module import get_introspection_module
from gi.overrides import override

from . import _arguments
from ._table import FIELDS, field_value, moment

JobMetrics = get_introspection_module("JobMetrics")


@override
class Job(JobMetrics.Job):
    """Who a job is. Made by Job.new() from fields by name; "jobid" must be among them.

    They are as reliable as their origin: what a user can change must be JobMetrics.Origin.ENVIRONMENT.
    """

    __module__ = "gi.overrides.JobMetrics"

    @staticmethod
    def new(fields, origin=JobMetrics.Origin.HOOK):
        if not isinstance(fields, Mapping):
            raise _arguments.wrong_type("fields", "a mapping", fields)
        given = {_arguments.text("field", name): _arguments.text(name, value) for name, value in fields.items()}
        known = {name: value for name, value in given.items() if value is not None}
        if "jobid" not in known:
            raise ValueError("a job must have a 'jobid'")
        return JobMetrics.Job.new(known, origin)

    @property
    def fields(self) -> dict:
        """All fields that are known, those too that only the scheduler's definition declares."""
        values = {name: field_value(self, name) for name in FIELDS}
        values |= {name: self.get_further_field(name) for name in self.list_further_fields()}
        return {name: value for name, value in values.items() if value is not None}

    @property
    def origins(self) -> dict:
        """The origin of each field: "path", "environment", "kernel", "hook" or "configuration"."""
        origins = {name: self.get_origin(field) for name, field in FIELDS.items() if name != "uuid"}
        origins |= {name: self.get_further_origin(name) for name in self.list_further_fields()}
        return {name: origin.value_nick for name, origin in origins.items() if origin != JobMetrics.Origin.NONE}

    def __repr__(self) -> str:
        return f"<JobMetrics.Job {self.get_id()} {self.get_user() or ''}>"


@override
class Place(JobMetrics.Place):
    """Which job, step and task a cgroup is."""

    __module__ = "gi.overrides.JobMetrics"

    @staticmethod
    def new(job, step=None, task=None):
        if _arguments.text("job", job) is None:
            raise _arguments.wrong_type("job", "text", job)
        if _arguments.text("task", task) is not None and _arguments.text("step", step) is None:
            raise ValueError(f"task {task!r} needs a step")
        return JobMetrics.Place.new(job, step, task)


def _known(number: int, scale: float = 1) -> int | float | None:
    return None if number < 0 else number / scale if scale != 1 else number


@override
class Process(JobMetrics.Process):
    """A process of a job as it was at one moment; None for what may not be known."""

    __module__ = "gi.overrides.JobMetrics"

    pid = property(JobMetrics.Process.get_pid)
    step = property(JobMetrics.Process.get_step)
    task = property(JobMetrics.Process.get_task)
    command = property(JobMetrics.Process.get_command)
    executable = property(JobMetrics.Process.get_executable)
    state = property(JobMetrics.Process.get_state)

    @property
    def start_time(self) -> datetime | None:
        began = self.get_start_time()
        return moment(began / 1e6) if began else None

    @property
    def cpu_user_seconds(self) -> float | None:
        return _known(self.get_cpu_user(), 1e9)

    @property
    def cpu_system_seconds(self) -> float | None:
        return _known(self.get_cpu_system(), 1e9)

    @property
    def cpu_seconds(self) -> float | None:
        """User and system time."""
        user, system = self.get_cpu_user(), self.get_cpu_system()
        return None if user < 0 or system < 0 else (user + system) / 1e9

    @property
    def rss_bytes(self) -> int | None:
        return _known(self.get_rss())

    @property
    def threads(self) -> int | None:
        return _known(self.get_n_threads())

    def __repr__(self) -> str:
        return f"<JobMetrics.Process {self.pid} {self.command or '?'}>"
