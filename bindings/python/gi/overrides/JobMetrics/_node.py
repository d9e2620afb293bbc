# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A node and its host, with settings as a Python program gives them."""

import contextlib
import inspect
import sys
import textwrap
import threading
from datetime import timedelta

from gi.module import get_introspection_module
from gi.overrides import override
from gi.repository import Gio

from . import _arguments
from ._errors import raising

JobMetrics = get_introspection_module("JobMetrics")

_SECOND, _MILLISECOND = timedelta(seconds=1), timedelta(milliseconds=1)
_KINDS = (JobMetrics.JobSource, JobMetrics.CgroupReader, JobMetrics.PowerSource, JobMetrics.GpuMapper, JobMetrics.EmissionProvider)
_KIND_NAMES = ", ".join(kind.__name__ for kind in _KINDS)


@override
class Host(JobMetrics.Host):
    """Where files are read: this machine, or a copied tree."""

    __module__ = "gi.overrides.JobMetrics"

    def __init__(self, root=None, *, procfs=None, sysfs=None, cgroupfs=None):
        given = {"root": root, "procfs": procfs, "sysfs": sysfs, "cgroupfs": cgroupfs}
        settings = {name: _arguments.path(name, value) for name, value in given.items() if value is not None}
        super().__init__(**settings)


# What else the library declares that a node may be configured with, by the names of its properties.
_SETTINGS = {
    setting.property.replace("-", "_"): setting
    for setting in JobMetrics.Node.list_settings()
    if setting.property is not None and setting.group != "host"
}


def _checked(setting, name, value):
    """The value of a setting as its property takes it."""
    kind = setting.kind
    if kind == JobMetrics.SettingKind.FLAG:
        return _arguments.flag(name, value)
    if kind == JobMetrics.SettingKind.COUNT and setting.argument != "SECONDS":
        return _arguments.whole(name, value, int(setting.low), int(setting.high))
    if kind == JobMetrics.SettingKind.COUNT:
        return _arguments.span(name, value, _SECOND, int(setting.high))
    if kind == JobMetrics.SettingKind.DURATION:
        return _arguments.span(name, value, _MILLISECOND, int(setting.high * 1000))
    if setting.is_list:
        return (_arguments.texts if kind == JobMetrics.SettingKind.TEXT else _arguments.paths)(name, value)
    return _arguments.text(name, value) if kind == JobMetrics.SettingKind.TEXT else _arguments.path(name, value)


# Those whose text in Python differs from that of a program.
_OWN_ARGUMENTS = {
    "host": "a JobMetrics.Host, or the root of a copied tree; default this machine",
    "level": "the deepest level of figures: \"job\" (default), \"step\" or \"task\"",
    "collectors": "names of those that shall work, such as [\"cpu\", \"memory\"]; default all",
    "power_sources": "specifications such as \"ipmi,interval=30\", and sources that were made already, which come behind "
    "these; default those that are found",
    "gpu_sources": "the same of libraries of accelerators and of maps of whose they are; default those that are found",
    "emission_providers": "the same of providers, such as \"owid,zone=FR\"; default the world's average",
}


def _describe(setting) -> str:
    """What the library itself says of a setting."""
    kind = setting.kind
    words = [setting.help[0].lower() + setting.help[1:]]
    if setting.is_list:
        words.append("a list")
    elif kind == JobMetrics.SettingKind.DURATION:
        words.append("milliseconds, or a timedelta")
    elif kind == JobMetrics.SettingKind.COUNT and setting.argument == "SECONDS":
        words.append("seconds, or a timedelta")
    if setting.preset_help or setting.preset:
        words.append(f"default {setting.preset_help or setting.preset}")
    return "; ".join(words)


_ARGUMENTS = _OWN_ARGUMENTS | {name: _describe(setting) for name, setting in _SETTINGS.items() if name not in _OWN_ARGUMENTS}


def _explain_arguments() -> str:
    """For help(): the settings that the library declares are arguments by themselves."""
    folds = {"width": 110, "initial_indent": " " * 4, "subsequent_indent": " " * 8}
    return "\n".join(textwrap.fill(f"{name}: {text}", **folds) for name, text in _ARGUMENTS.items())


def _signature() -> inspect.Signature:
    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    named = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in _ARGUMENTS]
    return inspect.Signature([itself, *named])



@override
class Node(JobMetrics.Node):
    __doc__ = f"""A node: sample() is the whole truth about it at one moment.

    Belongs to one thread. Given back by close(), or at the end of a with block.

    Its arguments, all of them optional and by name:

{_explain_arguments()}
    """

    __module__ = "gi.overrides.JobMetrics"

    _unusable = ""  # why, once it is
    _is_made = False

    init = raising(Gio.Initable.init)

    def __init__(
        self,
        *,
        host=None,
        level=None,
        collectors=None,
        power_sources=None,
        gpu_sources=None,
        emission_providers=None,
        **settings,
    ):
        meters, own_meters = _arguments.sources("power_sources", power_sources, JobMetrics.PowerSource)
        mappers, own_mappers = _arguments.sources("gpu_sources", gpu_sources, JobMetrics.GpuMapper)
        providers, own_providers = _arguments.sources(
            "emission_providers", emission_providers, JobMetrics.EmissionProvider
        )
        given = {
            "host": _arguments.host(host),
            "level": _arguments.level(level),
            "collectors": _arguments.collectors(collectors),
            "power_sources": meters,
            "gpu_sources": mappers,
            "emission_providers": providers,
        }
        for name, value in settings.items():
            if name not in _SETTINGS:
                raise TypeError(f"Node() has no setting {name!r}")
            given[name] = _checked(_SETTINGS[name], name, value)
        super().__init__(**{name: value for name, value in given.items() if value is not None})
        self._is_made = True
        self.init(None)
        for source in own_meters + own_mappers + own_providers:
            self.add_source(source)

    @classmethod
    def new_full(cls, host=None):
        return cls(host=host)

    @contextlib.contextmanager
    def _in_use(self):
        """Keeps a second thread, or a source that asks its own node, out of a sweep under way."""
        lock = self.__dict__.setdefault("_lock", threading.Lock())
        if not lock.acquire(blocking=False):
            raise RuntimeError("the node is being sampled already")
        try:
            if self._unusable:
                raise RuntimeError(self._unusable)
            yield
        finally:
            lock.release()

    def hand_over(self, owner: str) -> None:
        """Makes the node somebody else's, which this program may no longer use."""
        with self._in_use():
            self.init(None)
            self._unusable = f"the node belongs to {owner}"

    def sample(self, cancellable=None):
        """Reads everything once."""
        with self._in_use():
            return super().sample(cancellable)

    def attend(self, job) -> bool:
        """Reads a job at once, between two samples; False where the node has none of that id or uuid."""
        with self._in_use():
            return super().attend(_arguments.job(job))

    def list_processes(self, job, cancellable=None):
        with self._in_use():
            return super().list_processes(_arguments.job(job), cancellable)

    def processes(self, job, cancellable=None):
        """The processes of a job as they are now: of one in a snapshot, or by its id or uuid."""
        return self.list_processes(job, cancellable)

    def add_source(self, source) -> None:
        """Adds a source, which comes behind those of its kind; the next snapshot has what it reports."""
        if not isinstance(source, _KINDS):
            raise _arguments.wrong_type("source", f"a source ({_KIND_NAMES})", source)
        with self._in_use():
            self.init(None)
            super().add_source(source)

    def list_sources(self):
        """All that the node has or looked for, and how each fared when it was asked last."""
        with self._in_use():
            self.init(None)
            return super().list_sources()

    def wait_for_answers(self, timeout_ms) -> None:
        with self._in_use():
            self.init(None)
            super().wait_for_answers(_arguments.whole("timeout_ms", timeout_ms, 0, 2**32 - 1))

    def wait(self, timeout=10.0) -> None:
        """Waits until all that is asked in the background has answered once, for so many seconds at most."""
        self.wait_for_answers(_arguments.milliseconds("timeout", timeout, 0))

    def follow(self) -> None:
        with self._in_use():
            self.init(None)
            super().follow()

    def get_event_fd(self) -> int:
        with self._in_use():
            self.init(None)
            return super().get_event_fd()

    @property
    def problems(self) -> list[str]:
        """What the node has to do without though it should have it, or was asked to."""
        return self.list_problems()

    def close(self) -> None:
        """Gives files and sources back. Snapshots stay; a second time does nothing."""
        if self._unusable == _CLOSED:
            return
        with self._in_use():
            super().close()
            self._unusable = _CLOSED

    def let_go(self) -> None:
        """For whom it was handed over to: gives files and sources back."""
        super().close()

    def __del__(self):
        # The library would wait for the thread of a source in Python, which waits for this one.
        if self._is_made and not self._unusable and not sys.is_finalizing():
            super().close()

    def __enter__(self):
        with self._in_use():
            return self

    def __exit__(self, *_):
        self.close()


_CLOSED = "the node is closed"

Node.__init__.__signature__ = _signature()
