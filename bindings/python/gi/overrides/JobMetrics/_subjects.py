# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a snapshot is about: the node, its jobs, their steps and tasks."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from gi.module import get_introspection_module

from ._report import field, value_of
from ._table import FIELDS, GPU_FIELDS, METRICS, field_value, measured_value, moment

JobMetrics = get_introspection_module("JobMetrics")
_Snapshot = JobMetrics.Snapshot


class Metrics(Mapping):
    """Figures of a subject by name, such as "memory_used_bytes".

    Has what was measured. A metric that the library knows, and that was not measured here, is None; a name
    that it does not know is a KeyError.
    """

    __slots__ = ("_snapshot", "_number", "_table")

    def __init__(self, snapshot, number: int, table: Mapping):
        self._snapshot, self._number, self._table = snapshot, number, table

    def __getitem__(self, name: str):
        return measured_value(self._snapshot, self._number, self._table[name])

    def __contains__(self, name: object) -> bool:
        return name in self._table and self[name] is not None

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._table if self[name] is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return repr(dict(self))

    def known(self) -> Iterator[str]:
        """Names of all metrics that there may be, measured or not."""
        return iter(self._table)


class Subject(Mapping):
    """One thing that a snapshot is about, with its metrics as items and as attributes.

    What was not measured and what is not known is None.
    """

    __slots__ = ("snapshot", "number", "metrics")
    _table = METRICS[JobMetrics.SubjectKind.JOB]
    _own_names: tuple[str, ...] = ("start_time",)

    def __init__(self, snapshot, number: int):
        self.snapshot, self.number = snapshot, number
        self.metrics = Metrics(snapshot, number, self._table)

    @property
    def start_time(self) -> datetime | None:
        """As the scheduler reports it, else when the oldest process seen began."""
        return _moment_us(_Snapshot.get_start_time(self.snapshot, self.number))

    @property
    def elapsed(self) -> timedelta | None:
        """From its start until it ended, or until the snapshot was taken."""
        seconds = value_of(self, "age_seconds")
        return None if seconds is None else timedelta(seconds=seconds)

    @property
    def efficiency(self) -> float | None:
        """Per cent of the CPU time that could have been spent."""
        return value_of(self, "cpu_efficiency_percent")

    def format(self, name) -> str | None:
        """A field as people read it: format("mem") may be "107MiB"."""
        return field(name).format(self.snapshot, self.number)

    def _own(self, name: str):
        return getattr(self, name)

    def __getitem__(self, name: str):
        return self._own(name) if name in self._own_names else self.metrics[name]

    def __getattr__(self, name: str):
        if name.startswith("_") or name not in self._table:
            raise AttributeError(f"{type(self).__name__} has no {name!r}")
        return self.metrics[name]

    def __contains__(self, name: object) -> bool:
        return (name in self._own_names and self[name] is not None) or name in self.metrics

    def __iter__(self) -> Iterator[str]:
        yield from (name for name in self._own_names if self[name] is not None)
        yield from self.metrics

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __dir__(self):
        return sorted({*super().__dir__(), *self._own_names, *self.metrics.known()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Subject):
            return NotImplemented
        return self.snapshot is other.snapshot and self.number == other.number

    def __hash__(self) -> int:
        return hash((id(self.snapshot), self.number))

    def __repr__(self) -> str:
        return f"<{self._title()}{self._summary()}>"

    def _summary(self) -> str:
        cpu, memory = self.metrics["cpu_seconds_total"], self.metrics["memory_used_bytes"]
        words = [f"{cpu:.2f} s CPU"] if cpu is not None else []
        words += [f"{memory / 2**20:.1f} MiB"] if memory is not None else []
        return f": {', '.join(words)}" if words else ""

    def to_dict(self) -> dict:
        """As plain values, with times in seconds since 1970; what is absent is left out."""
        raise NotImplementedError

    def to_json(self, pretty: bool = False) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2 if pretty else None)


class NodeSubject(Subject):
    """The node itself."""

    __slots__ = ()
    _table = METRICS[JobMetrics.SubjectKind.NODE]
    _own_names = ()

    @property
    def start_time(self) -> datetime | None:
        """When it was booted."""
        seconds = self.metrics["boot_time_seconds"]
        return None if seconds is None else moment(seconds)

    @property
    def elapsed(self) -> timedelta | None:
        """Since it was booted."""
        return None if self.start_time is None else self.snapshot.time - self.start_time

    def _title(self) -> str:
        return "Node"

    def _summary(self) -> str:
        cpus, memory = self.metrics["cpus"], self.metrics["memory_size_bytes"]
        words = [f"{cpus} CPUs"] if cpus is not None else []
        words += [f"{memory / 2**30:.1f} GiB"] if memory is not None else []
        return f": {', '.join(words)}" if words else ""

    def to_dict(self) -> dict:
        return self.snapshot.to_dict()["node"]


class PartSubject(Subject):
    """A part of the node that is no job's, or what feeds the node."""

    __slots__ = ()
    _own_names = ()
    _name = ""

    def _title(self) -> str:
        return self._name.capitalize()

    def _summary(self) -> str:
        return ""

    def to_dict(self) -> dict:
        return self.snapshot.to_dict().get(self._name, {})


class SystemSubject(PartSubject):
    """What runs on the node and is no job's."""

    __slots__ = ()
    _table = METRICS[JobMetrics.SubjectKind.SYSTEM]
    _name = "system"


class IdleSubject(PartSubject):
    """What of the node nobody uses."""

    __slots__ = ()
    _table = METRICS[JobMetrics.SubjectKind.IDLE]
    _name = "idle"


class GridSubject(PartSubject):
    """The electricity that feeds the node."""

    __slots__ = ()
    _table = METRICS[JobMetrics.SubjectKind.GRID]
    _name = "grid"


class GpuSubject(Subject):
    """One of the node's accelerators, or an instance (MIG) of one, whoever uses it.

    Besides metrics it has the fields of JobMetrics.GpuField as items and attributes: "uuid", "model", ...
    """

    __slots__ = ("name",)
    _table = METRICS[JobMetrics.SubjectKind.GPU]
    _own_names = tuple(GPU_FIELDS)

    def __init__(self, snapshot, number: int):
        super().__init__(snapshot, number)
        self.name = _Snapshot.get_gpu(snapshot, number)

    @property
    def state(self) -> str:
        """Whether a job was given it, and it works: "free", "busy", "idle", ...: see JobMetrics.GpuState."""
        return JobMetrics.gpu_state_get_name(JobMetrics.derived_get_gpu_state(self.snapshot, self.number))

    @property
    def instances(self) -> list["GpuSubject"]:
        """The parts that it is divided into."""
        return [gpu for gpu in self.snapshot.gpus if gpu.parent == self.name]

    @property
    def jobs(self) -> list["JobGpuSubject"]:
        """What jobs have of it."""
        return [part for job in self.snapshot for part in job.gpu_devices if part.name == self.name]

    def _own(self, name: str):
        return _Snapshot.get_gpu_field(self.snapshot, self.number, GPU_FIELDS[name])

    def __getattr__(self, name: str):
        return self._own(name) if name in GPU_FIELDS else super().__getattr__(name)

    def _title(self) -> str:
        return " ".join(word for word in ("GPU", self.name, self.model) if word)

    def _summary(self) -> str:
        return _summarize_gpu(self.metrics)

    def to_dict(self) -> dict:
        return self.snapshot.to_dict()["gpus"][self.snapshot.gpus.index(self)]


class JobGpuSubject(Subject):
    """What one job has of one accelerator."""

    __slots__ = ("job", "name")
    _table = METRICS[JobMetrics.SubjectKind.JOB_GPU]
    _own_names = ("share_ratio", "origin")

    def __init__(self, snapshot, number: int, job: "JobSubject"):
        super().__init__(snapshot, number)
        self.job, self.name = job, _Snapshot.get_gpu(snapshot, number)

    @property
    def origin(self) -> str | None:
        """By whose word the job has it: "hook", "cgroup", "driver" or "environment"."""
        return _Snapshot.get_gpu_share(self.snapshot, self.number)[2]

    @property
    def share_ratio(self) -> float | None:
        """How much of it the job was given; 0 where it uses it without that."""
        is_told, share, _ = _Snapshot.get_gpu_share(self.snapshot, self.number)
        return share if is_told else None

    @property
    def gpu(self) -> GpuSubject | None:
        """The device itself, as long as the node has it."""
        found, number = _Snapshot.find_gpu(self.snapshot, self.name)
        return GpuSubject(self.snapshot, number) if found else None

    def _title(self) -> str:
        return f"GPU {self.name} of job {self.job.id}"

    def _summary(self) -> str:
        return _summarize_gpu(self.metrics)

    def to_dict(self) -> dict:
        return self.job.to_dict()["gpu_devices"][self.job.gpu_devices.index(self)]


def _summarize_gpu(metrics: Metrics) -> str:
    busy, memory = metrics["utilization_ratio"], metrics["memory_used_bytes"]
    words = [f"{busy:.0%} busy"] if busy is not None else []
    words += [f"{memory / 2**30:.1f} GiB"] if memory is not None else []
    return f": {', '.join(words)}" if words else ""


class TaskSubject(Subject):
    """One task of a step."""

    __slots__ = ("step", "name")

    def __init__(self, snapshot, number: int, step: "StepSubject"):
        super().__init__(snapshot, number)
        self.step, self.name = step, _Snapshot.get_task(snapshot, number)

    @property
    def job(self) -> "JobSubject":
        return self.step.job

    def _title(self) -> str:
        return f"Task {self.job.id}.{self.step.name}.{self.name}"

    def to_dict(self) -> dict:
        return self.step.to_dict()["tasks"][self.step.tasks.index(self)]


class StepSubject(Subject):
    """One step of a job."""

    __slots__ = ("job", "name")

    def __init__(self, snapshot, number: int, job: "JobSubject"):
        super().__init__(snapshot, number)
        self.job, self.name = job, _Snapshot.get_step(snapshot, number)

    @property
    def tasks(self) -> list[TaskSubject]:
        """Its tasks, in snapshots of a node that was asked for them: level="task"."""
        numbers = _below(self.snapshot, self.number, JobMetrics.SubjectKind.TASK)
        return [TaskSubject(self.snapshot, number, self) for number in numbers]

    def _title(self) -> str:
        return f"Step {self.job.id}.{self.name}"

    def to_dict(self) -> dict:
        return self.job.to_dict()["steps"][self.job.steps.index(self)]


class JobSubject(Subject):
    """A job: who it is and what it has used.

    Besides metrics it has the fields of JobMetrics.JobField as items and attributes: "user", "account", ...
    """

    __slots__ = ("record",)
    _own_names = tuple(FIELDS)

    def __init__(self, snapshot, number: int):
        super().__init__(snapshot, number)
        self.record = _Snapshot.get_job(snapshot, number)

    @property
    def id(self) -> str:
        """The scheduler's id."""
        return self.record.get_id()

    @property
    def is_uuid_weak(self) -> bool:
        """Whether the uuid was made of a job id alone, which is used again some day."""
        return self.record.is_uuid_weak()

    @property
    def is_decided(self) -> bool:
        """Whether it is decided who the job is: no field will change any more."""
        return self.record.is_decided()

    @property
    def origins(self) -> dict[str, str]:
        """The origin of each field, such as {"account": "hook", "name": "environment"}."""
        return self.record.origins

    @property
    def end_time(self) -> datetime | None:
        """When it was seen to have ended; None while it runs."""
        return _moment_us(_Snapshot.get_end_time(self.snapshot, self.number))

    @property
    def ended(self) -> bool:
        return self.end_time is not None

    @property
    def steps(self) -> list[StepSubject]:
        """Its steps, in snapshots of a node that was asked for them: level="step" or "task"."""
        numbers = _below(self.snapshot, self.number, JobMetrics.SubjectKind.STEP)
        return [StepSubject(self.snapshot, number, self) for number in numbers]

    @property
    def gpu_devices(self) -> list[JobGpuSubject]:
        """What it has of the node's accelerators; gpus is what its scheduler says of them, in words."""
        numbers = _Snapshot.list_gpus(self.snapshot, self.number)
        return [JobGpuSubject(self.snapshot, number, self) for number in numbers]

    def _own(self, name: str):
        return self.start_time if name == "start_time" else field_value(self.record, name)

    def __getattr__(self, name: str):
        return field_value(self.record, name) if name in FIELDS else super().__getattr__(name)

    def _title(self) -> str:
        return " ".join(word for word in ("Job", self.id, self.user, "ended" if self.ended else None) if word)

    def to_dict(self) -> dict:
        return json.loads(self.to_json())

    def to_json(self, pretty: bool = False) -> str:
        return JobMetrics.json_to_string(JobMetrics.json_encode_job(self.snapshot, self.number, None), pretty)


def _moment_us(microseconds: int) -> datetime | None:
    return moment(microseconds / 1e6) if microseconds != 0 else None


def _below(snapshot, number: int, level) -> Iterator[int]:
    """Subjects of one level right below another, which stand behind it."""
    for below in range(number + 1, snapshot.get_n_subjects()):
        found = _Snapshot.get_kind(snapshot, below)
        if found < level:
            return
        if found == level:
            yield below
