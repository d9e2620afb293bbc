# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The records that a node's exporter has kept, and which of them are wanted."""

from datetime import datetime

from gi.module import get_introspection_module
from gi.overrides import override

from . import _arguments
from ._errors import raising

JobMetrics = get_introspection_module("JobMetrics")

_new_filter = JobMetrics.LedgerFilter.new
_open = raising(JobMetrics.Ledger.open).__func__
_list = raising(JobMetrics.Ledger.list)
_find = raising(JobMetrics.Ledger.find)
_STATES = {JobMetrics.run_state_get_name(state): state for state in map(JobMetrics.RunState, range(JobMetrics.N_RUN_STATES))}


def _microseconds(name: str, value: object) -> int:
    if value is None:
        return 0
    if not isinstance(value, datetime):
        raise _arguments.wrong_type(name, "a datetime", value)
    if value.tzinfo is None:
        raise ValueError(f"{name}: {value!r} has no time zone")
    return int(value.timestamp() * 1_000_000)


def _state(value: object) -> object:
    if isinstance(value, JobMetrics.RunState):
        return value
    if not isinstance(value, str):
        raise _arguments.wrong_type("state", "text", value)
    if value not in _STATES:
        raise ValueError(f"state: {value!r} is none of {', '.join(_STATES)}")
    return _STATES[value]


@override
class LedgerFilter(JobMetrics.LedgerFilter):
    """Which records are wanted: those of which all that is given is true."""

    __module__ = "gi.overrides.JobMetrics"

    def __new__(
        cls,
        *,
        job=None,
        user=None,
        uid=None,
        account=None,
        state=None,
        since=None,
        until=None,
        after=None,
        before=None,
        limit=None,
    ):
        self = _new_filter()
        self.set_job(None if job is None else _arguments.job(job))
        self.set_user(_arguments.text("user", user))
        self.set_account(_arguments.text("account", account))
        self.set_period(_microseconds("since", since), _microseconds("until", until))
        self.set_limit(_arguments.whole("limit", limit, 0, 2**32 - 1) or 0)
        if uid is not None:
            self.set_uid(_arguments.whole("uid", uid, 0, 2**32 - 1))
        if state is not None:
            self.set_state(_state(state))
        if after is not None:
            self.set_after(_arguments.whole("after", after, 0, 2**63 - 1))
        if before is not None:
            self.set_before(_arguments.whole("before", before, 0, 2**63 - 1))
        return self

    def __init__(self, **wanted):
        pass


@override
class Ledger(JobMetrics.Ledger):
    """The records of a node's jobs, to be read beside the exporter that writes them."""

    __module__ = "gi.overrides.JobMetrics"

    @staticmethod
    def open(path):
        return _open(_arguments.path("path", path))

    def list(self, filter=None, cancellable=None, **wanted):
        """Those of a filter, or of what would be one: list(user="ada", since=...)."""
        if filter is not None and wanted:
            raise TypeError("list() takes a filter, or what is wanted by name")
        return _list(self, LedgerFilter(**wanted) if filter is None else filter, cancellable)

    def find(self, job):
        """The last run of a job, by what a person calls it."""
        return _find(self, _arguments.job(job))

    @property
    def last_position(self) -> int:
        return self.get_last_position()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.close()

    def __iter__(self):
        return iter(self.list())
