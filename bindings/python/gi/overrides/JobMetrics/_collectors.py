# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Some of the collectors."""

from collections.abc import Iterator

from gi.module import get_introspection_module
from gi.overrides import override

from ._table import COLLECTORS

JobMetrics = get_introspection_module("JobMetrics")


@override
class CollectorSet(JobMetrics.CollectorSet):
    """Some of the collectors, by their names: "cpu" in node.props.collectors."""

    __module__ = "gi.overrides.JobMetrics"
    __hash__ = None

    def __contains__(self, name: object) -> bool:
        return name in COLLECTORS and self.has(COLLECTORS[name])

    def __iter__(self) -> Iterator[str]:
        return (name for name, collector in COLLECTORS.items() if self.has(collector))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CollectorSet) and self.equal(other)

    def __repr__(self) -> str:
        return f"<JobMetrics.CollectorSet {', '.join(self)}>"
