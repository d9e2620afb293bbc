# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The batch jobs of this node, who they belong to, what they use, and what energy they cost.

    import gi
    gi.require_version("JobMetrics", "1.0")
    from gi.repository import JobMetrics

    for job in JobMetrics.Node().sample():
        print(job.id, job.user, job.cpu_seconds_total)

What most programs need:

    Node        reads a node: sample() gives a Snapshot, processes() what a job runs now; help(JobMetrics.Node) has
                all of its arguments
    Sampler     samples a node in a thread of its own, for asyncio
    Snapshot    the jobs of one sweep, by id: snapshot["4711"], snapshot.select("mem > 1GiB"), to_dataframe(); and
                snapshot.node, .system, .idle, .grid, .gpus
    JobSubject  one of these jobs: fields and metrics as attributes and items, job.efficiency, job.format("mem"), job.steps,
                job.gpu_devices
    Field       what may be known of a job: Field.list() has them, each with its quantity
    JobRecord   one run of a job for good: what it used, over its life as well (JobProfile), and how much of it was seen
    Archive     past runs of a site: Archive.open(place).to_dataframe() has a row for each
    PowerSplit  who took a node's power between two snapshots
    JobMetricsError and its subclasses   what the world would not let the library do

What is not known is None, never zero. Bytes and counts are int; seconds, joules, watts and grams are float; times are
datetime and timedelta. JobSource, CgroupReader, PowerSource, GpuMapper and EmissionProvider may be
implemented in Python.

The manual's page is tutorial/python.md, in share/doc/jobmetrics/manual. All that is not listed above is the library as C has it.
"""

import sys

from . import _errors
from ._errors import (
    AbsentError,
    CancelledError,
    DeniedError,
    InvalidError,
    JobMetricsError,
    MalformedError,
    UnavailableError,
)
from ._archive import Archive, Plot, Run, RunPart, RunReport
from ._collectors import CollectorSet
from ._emissions import EmissionFactor, EmissionProvider
from ._gpus import Gpu, GpuGrants, GpuReport
from ._labels import Labels, Readings
from ._ledger import Ledger, LedgerFilter
from ._node import Host, Node
from ._records import Job, Place, Process
from ._report import Field
from ._runs import JobProfile, JobRecord
from ._sampler import Sampler
from ._snapshot import CollectorReport, Snapshot
from ._sources import Source
from ._subjects import (
    GpuSubject,
    GridSubject,
    IdleSubject,
    JobGpuSubject,
    JobSubject,
    Metrics,
    NodeSubject,
    PartSubject,
    StepSubject,
    Subject,
    SystemSubject,
    TaskSubject,
)

__all__ = [
    "AbsentError",
    "Archive",
    "CancelledError",
    "CollectorReport",
    "CollectorSet",
    "DeniedError",
    "EmissionFactor",
    "EmissionProvider",
    "Field",
    "Gpu",
    "GpuGrants",
    "GpuReport",
    "GpuSubject",
    "GridSubject",
    "Host",
    "IdleSubject",
    "InvalidError",
    "Job",
    "JobMetricsError",
    "JobGpuSubject",
    "JobProfile",
    "JobRecord",
    "JobSubject",
    "Labels",
    "Ledger",
    "LedgerFilter",
    "MalformedError",
    "Metrics",
    "Node",
    "NodeSubject",
    "PartSubject",
    "Place",
    "Plot",
    "Process",
    "Readings",
    "Run",
    "RunPart",
    "RunReport",
    "Sampler",
    "Snapshot",
    "Source",
    "StepSubject",
    "Subject",
    "SystemSubject",
    "TaskSubject",
    "UnavailableError",
]

# The module that programs see is another one, which has no text of its own.
sys.modules["gi.repository.JobMetrics"].__doc__ = __doc__

# After all overrides, for it makes the rest of the classes, which derive from these.
_functions = _errors.raise_specific_errors()
globals().update(_functions)
__all__ += _functions
