# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Past runs of a site and their parts, as a pandas data frame, and reports and plots as notebooks show them."""

from gi.module import get_introspection_module
from gi.overrides import override

from ._frames import pandas
from ._table import moment

JobMetrics = get_introspection_module("JobMetrics")

_PLOT_SIZE = (720, 240)
_KIND, _FORMAT = JobMetrics.RunPartKind, JobMetrics.Format
_QUANTITIES = {
    kind: {quantity.name: quantity for quantity in JobMetrics.run_part_kind_list_quantities(kind)}
    for kind in map(_KIND, range(JobMetrics.N_RUN_PART_KINDS))
}
_OF_RUNS = {quantity.name: quantity for quantity in JobMetrics.Run.list_quantities()}
_IDENTITY = ("cluster", "name", "user", "account", "partition", "state", "verdict", "submit_time", "start_time", "end_time")


def _row(run, quantities) -> dict:
    report = JobMetrics.RunReport.new(run, None)
    row = {"job": run["jobid"]} | {name: run[name] for name in _IDENTITY}
    figures = {quantity.name: report.get_value(quantity) for quantity in quantities}
    return row | {name: value for name, (known, value) in figures.items() if known and name not in row}


def _read(format: JobMetrics.Format, text: str | None, known: bool, value: float):
    if text is not None or not known:
        return text
    if format == _FORMAT.TIME:
        return moment(value)
    return int(value) if format in (_FORMAT.COUNT, _FORMAT.BYTES, _FORMAT.TEXT) else value


@override
class RunPart(JobMetrics.RunPart):
    """A step, node, device or energy of a run: its quantities are attributes and items, such as step.cpu_seconds.

    What is not known is None; a name that no part of its kind has is an AttributeError, or a KeyError.
    """

    __module__ = "gi.overrides.JobMetrics"

    def keys(self) -> list[str]:
        """The names of its quantities: dict(part) has them all."""
        return list(_QUANTITIES[self.get_kind()])

    def __getitem__(self, name: str):
        return _read(_QUANTITIES[self.get_kind()][name].format, self.get_text(name), *self.get_value(name))

    def __getattr__(self, name: str):
        if name not in _QUANTITIES[self.get_kind()]:
            raise AttributeError(f"a part of this kind has no {name!r}")
        return self[name]

    def __dir__(self):
        return sorted({*super().__dir__(), *self.keys()})


@override
class Run(JobMetrics.Run):
    """One run of a job: who and when it was, what it used, and its parts as far as they were read with it.

    Its quantities are items, such as run["cpu_seconds"]: None where they are not known.
    """

    __module__ = "gi.overrides.JobMetrics"

    def keys(self) -> list[str]:
        """The names of its quantities: dict(run) has them all."""
        return list(_OF_RUNS)

    def __getitem__(self, name: str):
        return _read(_OF_RUNS[name].format, self.get_text(name), *self.get_value(name))

    def __setitem__(self, name: str, value: str | float):
        if isinstance(value, str):
            self.set_text(name, value)
        else:
            self.set_value(name, value)

    steps = property(lambda self: self.get_parts(_KIND.STEP))
    nodes = property(lambda self: self.get_parts(_KIND.NODE))
    devices = property(lambda self: self.get_parts(_KIND.DEVICE))
    energies = property(lambda self: self.get_parts(_KIND.ENERGY))


@override
class Archive(JobMetrics.Archive):
    """Past runs of a site: from its server, or from its database."""

    __module__ = "gi.overrides.JobMetrics"

    def to_dataframe(self, filter: JobMetrics.RunFilter | None = None, max: int = 1000):
        """A pandas.DataFrame with a row for each run, the newest first, and a column for each figure that one of them has."""
        quantities = JobMetrics.Quantity.list_of_runs()
        runs = self.list_runs(filter or JobMetrics.RunFilter.new(), max, None)
        table = pandas().DataFrame([_row(run, quantities) for run in runs], columns=None if runs else ["cluster", "job"])
        return table.dropna(axis="columns", how="all").set_index("job") if runs else table.set_index("job")


@override
class RunReport(JobMetrics.RunReport):
    """What a person reads about a run."""

    __module__ = "gi.overrides.JobMetrics"

    def _repr_html_(self) -> str:
        """In a notebook the report itself stands below the cell, with the advice of this host's rules."""
        return self.to_html(JobMetrics.RunRules.new(None).judge(self))


@override
class Plot(JobMetrics.Plot):
    """Series over time as a picture."""

    __module__ = "gi.overrides.JobMetrics"

    def _repr_svg_(self) -> str:
        return self.to_svg(*_PLOT_SIZE)
