# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Labels, and the table of readings that sources written in Python fill."""

from collections.abc import Iterable, Iterator

from gi.module import get_introspection_module
from gi.overrides import override

JobMetrics = get_introspection_module("JobMetrics")


def _values(given: object) -> list[str]:
    values = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else []
    if not values or not all(isinstance(value, str) and "\0" not in value for value in values):
        raise TypeError(f"labels are text or a sequence of text, not {given!r}")
    return values


@override
class Labels(JobMetrics.Labels):
    """The values of a metric's labels, in the order of its row: a sequence of text."""

    __module__ = "gi.overrides.JobMetrics"

    @staticmethod
    def new(values):
        return JobMetrics.Labels.new(_values(values))

    def __iter__(self) -> Iterator[str]:
        return iter(self.get_values())

    def __len__(self) -> int:
        return self.get_size()

    def __getitem__(self, i):
        return self.get_values()[i]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Labels) and self.get_values() == other.get_values()

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<JobMetrics.Labels {', '.join(self)}>"


def labels_of(given: object):
    """Labels themselves, or those of a text or of a sequence of text."""
    return given if isinstance(given, JobMetrics.Labels) else JobMetrics.Labels.new(_values(given))


@override
class Readings(JobMetrics.Readings):
    """The table that sources fill in one sweep."""

    __module__ = "gi.overrides.JobMetrics"

    def add_value(self, quantity, value):
        """Adds a figure of a quantity without labels."""
        check_labels(quantity, 0)
        JobMetrics.Readings.add_value(self, quantity, value)

    def add_labelled_value(self, quantity, labels, value):
        """Adds a figure under a text, or a sequence of as many texts as the quantity's row has labels."""
        labels = labels_of(labels)
        check_labels(quantity, len(labels))
        JobMetrics.Readings.add_labelled_value(self, quantity, labels, value)


def check_labels(quantity, n_labels: int):
    """How the quantity stands on /metrics, if it has so many labels."""
    if not isinstance(quantity, JobMetrics.Quantity):
        raise TypeError(f"quantity: a JobMetrics.Quantity is wanted, not {quantity!r}")
    info = quantity.get_metric_info()
    if info is None:
        raise ValueError(f"{quantity.name} is not measured")
    if info.n_labels != n_labels:
        raise ValueError(f"{info.name} has {info.n_labels} labels, not {n_labels}")
    return info
