# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""jobmetrics for Python: `from gi.repository import JobMetrics`.

    for job in JobMetrics.Node().sample():
        print(job.id, job.user, job.cpu_seconds_total)
"""

from . import _errors
from ._errors import AbsentError, DeniedError, InvalidError, JobMetricsError, MalformedError, UnavailableError
from ._collectors import CollectorSet
from ._emissions import EmissionFactor, EmissionProvider
from ._labels import Labels, Readings
from ._node import Host, Node
from ._records import Job, Place, Process
from ._report import Field
from ._sampler import Sampler
from ._snapshot import CollectorReport, Snapshot
from ._sources import Source
from ._subjects import (
    GridSubject,
    IdleSubject,
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
    "CollectorReport",
    "CollectorSet",
    "DeniedError",
    "EmissionFactor",
    "EmissionProvider",
    "Field",
    "GridSubject",
    "Host",
    "IdleSubject",
    "InvalidError",
    "Job",
    "JobMetricsError",
    "JobSubject",
    "Labels",
    "MalformedError",
    "Metrics",
    "Node",
    "NodeSubject",
    "PartSubject",
    "Place",
    "Process",
    "Readings",
    "Sampler",
    "Snapshot",
    "Source",
    "StepSubject",
    "Subject",
    "SystemSubject",
    "TaskSubject",
    "UnavailableError",
]

# After all overrides, for it makes the rest of the classes, which derive from these.
_functions = _errors.raise_specific_errors()
globals().update(_functions)
__all__ += _functions
