# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Sources that are written in Python."""

import logging
from collections.abc import Callable, Iterable
from datetime import timedelta

from gi.module import get_introspection_module
from gi.overrides import override
from gi.repository import Gio, GLib

from . import _arguments
from ._errors import AbsentError, error_for, raising, specific

JobMetrics = get_introspection_module("JobMetrics")
log = logging.getLogger("jobmetrics")


def _texts(value: object) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"a list of text is wanted, not {value!r}")
    texts = list(value)
    for item in texts:
        if not isinstance(item, str) or "\0" in item:
            raise TypeError(f"a list of text is wanted, not {value!r}")
    return texts


def _texts_or_none(value: object) -> list[str] | None:
    return None if value is None else _texts(value)


def _handle(value: object) -> int:
    return _arguments.whole("returned", 0 if value is None else value, 1, 2**32 - 1)


def _descriptor(value: object) -> int:
    return _arguments.whole("returned", -1 if value is None else value, -1, 2**31 - 1)


def _seconds(value: object) -> int:
    return _arguments.span("returned", ASK_EVERY if value is None else value, timedelta(seconds=1), 2**32 - 1)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _arguments.wrong_type("returned", "True or False", value)
    return value


def _no_failure(value: object) -> bool:
    return value is None or bool(value)


def _nothing(value: object) -> None:
    return None


def _record_or_none(name: str):
    def check(value: object):
        if value is not None and not isinstance(value, getattr(JobMetrics, name)):
            raise TypeError(f"a JobMetrics.{name} or None is wanted, not {value!r}")
        return value

    return check


def _factor(value: object):
    if not isinstance(value, JobMetrics.EmissionFactor):
        raise TypeError(f"a JobMetrics.EmissionFactor is wanted, not {value!r}")
    return value


# As the library has it for a provider that does not say: seconds.
ASK_EVERY = 900


# What each method may return; the library is handed nothing else.
RETURNED: dict[str, Callable] = {
    "do_open": _no_failure,
    "do_is_superseded_by": _flag,
    "do_check": _no_failure,
    "do_advise": _nothing,
    "do_list_children": _texts,
    "do_take_changes": _texts_or_none,
    "do_get_event_fd": _descriptor,
    "do_open_cgroup": _handle,
    "do_read": _no_failure,
    "do_list_processes": _no_failure,
    "do_close_cgroup": _nothing,
    "do_match": _record_or_none("Place"),
    "do_identify": _record_or_none("Job"),
    "do_is_estimate": _flag,
    "do_wait": _no_failure,
    "do_fetch": _factor,
    "do_get_interval": _seconds,
    "do_read_devices": _no_failure,
    "do_map_job": _no_failure,
}

# What stands for an error where the library has no room for one, and for a method that may be left out.
WITHOUT = {
    "do_is_superseded_by": False,
    "do_advise": None,
    "do_check": True,
    "do_take_changes": None,
    "do_get_event_fd": -1,
    "do_close_cgroup": None,
    "do_match": None,
    "do_identify": None,
    "do_is_estimate": False,
    "do_wait": True,
    "do_get_interval": ASK_EVERY,
}

# For a method that is left out alone: an error of one of these is shown.
LEFT_OUT = {**WITHOUT, "do_read_devices": False, "do_map_job": True}

# For an error alone: whoever cannot say whether it measures is not believed to.
FAILED = {**WITHOUT, "do_is_estimate": True}

REQUIRED = {
    "CgroupReader": ("do_list_children", "do_open_cgroup", "do_read", "do_list_processes", "do_close_cgroup"),
    "JobSource": ("do_match", "do_identify"),
    "PowerSource": ("do_read",),
    "EmissionProvider": ("do_fetch",),
}


def _as_library_error(error: Exception, where: str) -> GLib.Error:
    if isinstance(error, GLib.Error):
        return specific(error)
    failure = error_for(error, where)
    if not isinstance(error, OSError):
        log.warning("%s", failure)
        log.debug("%s", where, exc_info=error)
    return failure


def _report(error: GLib.Error, readings) -> bool:
    """The snapshot says why figures are missing; only a cgroup that is gone is no more."""
    if isinstance(error, AbsentError):
        raise error
    readings.begin(JobMetrics.Collector.JOBS)
    readings.add_error(error)
    readings.end()
    return True


def _entry(name: str) -> Callable:
    """What the library calls: the object's own method, in a shape that the library can live with, whatever it does."""

    def call(self, *arguments):
        # A subclass may have brought it into the table that it shares with this class.
        if not hasattr(self, name):
            return LEFT_OUT[name]
        try:
            return RETURNED[name](getattr(self, name)(*arguments))
        except Exception as error:
            failure = _as_library_error(error, f"{type(self).__name__}.{name}")
        if name == "do_read" and isinstance(self, JobMetrics.CgroupReader):
            return _report(failure, arguments[-1])
        if name in FAILED:
            return FAILED[name]
        raise failure

    return call


def _missing(cls: type) -> list[str]:
    def has(method: str) -> bool:
        return callable(getattr(cls, method, None))

    interfaces = [name for name in REQUIRED if issubclass(cls, getattr(JobMetrics, name))]
    missing = [method for name in interfaces for method in REQUIRED[name] if not has(method)]
    if issubclass(cls, JobMetrics.GpuMapper) and not has("do_read_devices") and not has("do_map_job"):
        missing.append("do_read_devices or do_map_job")
    return missing


class _SourceType(type(JobMetrics.Source)):
    """Puts a guard between the library and a class in Python, and opens its objects."""

    def __init__(cls, name, bases, namespace, **keywords):
        is_python = not cls.__module__.startswith("gi.")
        methods = {method: namespace[method] for method in RETURNED if is_python and callable(namespace.get(method))}
        # The library enters by these. A class and its subclasses share the tables of their interfaces.
        for method in methods:
            setattr(cls, method, _entry(method))
        super().__init__(name, bases, namespace, **keywords)
        for method, function in methods.items():
            setattr(cls, method, function)

    def __call__(cls, *arguments, **keywords):
        """Opens the source when its whole constructor is done: a source that you hold is open and works."""
        if not cls.__module__.startswith("gi.") and _missing(cls):
            raise TypeError(f"{cls.__name__} lacks {', '.join(_missing(cls))}")
        source = super().__call__(*arguments, **keywords)
        source.init(None)
        return source


@override
class Source(JobMetrics.Source, metaclass=_SourceType):
    """Anything on a host that can be asked.

    A class in Python has this and JobMetrics.JobSource, CgroupReader, PowerSource, GpuMapper or EmissionProvider as its
    bases.
    do_open() is called after __init__(). What the methods raise is shown in snapshots: an OSError or one of this
    module's exceptions is the world's fault; of any other there is a warning, too, and at level DEBUG its
    traceback, from the logger "jobmetrics".
    """

    __module__ = "gi.overrides.JobMetrics"

    init = raising(Gio.Initable.init)

    def __init__(self, host=None, **properties):
        super().__init__(host=_arguments.host(host), **properties)

    @property
    def host(self):
        return self.get_host()
