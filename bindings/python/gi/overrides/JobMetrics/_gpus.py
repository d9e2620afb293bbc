# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Accelerators, as sources that are written in Python report them."""

from gi.module import get_introspection_module
from gi.overrides import override

from . import _arguments
from ._labels import check_labels, labels_of
from ._table import GPU_FIELDS

JobMetrics = get_introspection_module("JobMetrics")


def _name(what: str, value: object) -> str:
    if _arguments.text(what, value) is None:
        raise _arguments.wrong_type(what, "text", value)
    return value


@override
class Gpu(JobMetrics.Gpu):
    """An accelerator, or an instance of one: Gpu.new("0", 0, uuid="GPU-...", model="H100")."""

    __module__ = "gi.overrides.JobMetrics"

    @staticmethod
    def new(name, index=0, **fields):
        gpu = JobMetrics.Gpu.new(_name("name", name), _arguments.whole("index", index, 0, 2**32 - 2))
        for field, value in fields.items():
            if field not in GPU_FIELDS:
                raise TypeError(f"a GPU has no field {field!r}, but {', '.join(GPU_FIELDS)}")
            gpu.set_field(GPU_FIELDS[field], _arguments.text(field, value))
        return gpu

    name = property(JobMetrics.Gpu.get_name)
    index = property(JobMetrics.Gpu.get_index)

    def __repr__(self) -> str:
        return f"<JobMetrics.Gpu {self.name}>"


def _check(report, quantity, n_labels: int) -> None:
    info = check_labels(quantity, n_labels)
    if not info.kinds >> JobMetrics.SubjectKind.GPU & 1:
        raise ValueError(f"{info.name} is no metric of a GPU")
    _check_device(report)


def _check_device(report) -> None:
    if report.get_n_devices() == 0:
        raise ValueError("add_device() comes first: whose figure is it?")


@override
class GpuReport(JobMetrics.GpuReport):
    """The table that a library of accelerators fills: a device, what it does, who uses it; the next device."""

    __module__ = "gi.overrides.JobMetrics"

    def add_device(self, gpu):
        """What is added from here on is about this device."""
        if not isinstance(gpu, JobMetrics.Gpu):
            raise _arguments.wrong_type("gpu", "a JobMetrics.Gpu", gpu)
        JobMetrics.GpuReport.add_device(self, gpu)

    def add_value(self, quantity, value):
        """Adds a figure, in the quantity's own integer unit, of a quantity without labels."""
        _check(self, quantity, 0)
        JobMetrics.GpuReport.add_value(self, quantity, value)

    def add_labelled_value(self, quantity, labels, value):
        """Adds a figure under a text, or a sequence of as many texts as the quantity's row has labels."""
        labels = labels_of(labels)
        _check(self, quantity, len(labels))
        JobMetrics.GpuReport.add_labelled_value(self, quantity, labels, value)

    def add_process(self, pid, memory_bytes=None, utilization=None):
        """Reports a process that uses the device: bytes, and the part of the time from 0 to 1; None if unknown."""
        _check_device(self)
        memory = -1 if memory_bytes is None else memory_bytes
        busy = -1 if utilization is None else round(utilization * 1e6)
        JobMetrics.GpuReport.add_process(self, pid, memory, busy)

    def get_device(self, i):
        if not 0 <= i < self.get_n_devices():
            raise IndexError(f"device {i}: there are {self.get_n_devices()}")
        return JobMetrics.GpuReport.get_device(self, i)


@override
class GpuGrants(JobMetrics.GpuGrants):
    """The table that mappers fill: which accelerators a job was given, by whose word."""

    __module__ = "gi.overrides.JobMetrics"

    def add(self, origin, device, share=1.0):
        """A device by its name, uuid, PCI address or MAJOR:MINOR."""
        JobMetrics.GpuGrants.add(self, JobMetrics.GpuOrigin(origin), _name("device", device), share)

    def add_index(self, origin, index, share=1.0):
        """A device by the number that its scheduler gives it."""
        JobMetrics.GpuGrants.add_index(self, JobMetrics.GpuOrigin(origin), index, share)
