# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What figures mean to people: fields and filters."""

from gi.module import get_introspection_module
from gi.overrides import override

from . import _arguments

JobMetrics = get_introspection_module("JobMetrics")


@override
class Field(JobMetrics.Field):
    """Something that may be known of a job, such as its memory or its efficiency; of each there is one."""

    __module__ = "gi.overrides.JobMetrics"

    def __eq__(self, other: object) -> bool:
        return self.quantity.name == other.quantity.name if isinstance(other, Field) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.quantity.name)

    def __repr__(self) -> str:
        return f"<Field {self.quantity.name}: {self.quantity.help}>"


def field(value: object) -> Field:
    """A field, or one by any of its names."""
    if isinstance(value, Field):
        return value
    if not isinstance(value, str):
        raise _arguments.wrong_type("field", "a name or a JobMetrics.Field", value)
    found = Field.from_name(_arguments.text("field", value))
    if found is None:
        raise KeyError(value)
    return found


def filter_of(value: object) -> JobMetrics.Filter:
    """A filter, or the expression of one."""
    if isinstance(value, JobMetrics.Filter):
        return value
    if not isinstance(value, str):
        raise _arguments.wrong_type("filter", "an expression or a JobMetrics.Filter", value)
    return JobMetrics.Filter.new(_arguments.text("filter", value))


def value_of(subject, name: str) -> float | None:
    """What is derived for the subject, in base units."""
    known, value = Field.from_name(name).get_value(subject.snapshot, subject.number)
    return value if known else None
