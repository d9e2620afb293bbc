# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a source in Python makes: identities of jobs, and places."""

from collections.abc import Mapping

from gi.module import get_introspection_module
from gi.overrides import override

from . import _arguments
from ._table import FIELDS, field_value

JobMetrics = get_introspection_module("JobMetrics")


@override
class Job(JobMetrics.Job):
    """Who a job is. Made by Job.new() from fields by name; "jobid" must be among them."""

    __module__ = "gi.overrides.JobMetrics"

    @staticmethod
    def new(fields):
        if not isinstance(fields, Mapping):
            raise _arguments.wrong_type("fields", "a mapping", fields)
        given = {_arguments.text("field", name): _arguments.text(name, value) for name, value in fields.items()}
        known = {name: value for name, value in given.items() if value is not None}
        if "jobid" not in known:
            raise ValueError("a job must have a 'jobid'")
        return JobMetrics.Job.new(known)

    @property
    def fields(self) -> dict:
        """All fields that are known."""
        values = {name: field_value(self, name) for name in FIELDS}
        return {name: value for name, value in values.items() if value is not None}

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
