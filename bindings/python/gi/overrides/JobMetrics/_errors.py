# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Exceptions: one class for each code of JobMetrics.Error."""

import types

from gi._gi import FunctionInfo
from gi.module import get_introspection_module
from gi.repository import Gio, GLib

JobMetrics = get_introspection_module("JobMetrics")

DOMAIN = GLib.quark_to_string(JobMetrics.error_quark())


class JobMetricsError(GLib.Error):
    """What the world would not let the library do. Its message names the file or option, and what was read."""

    code: JobMetrics.Error
    _domain = DOMAIN

    def __init__(self, message: str):
        super().__init__(message, type(self)._domain, type(self).code)

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.message!r})"

    def __reduce__(self):
        return type(self), (self.message,)

    def copy(self):
        return type(self)(self.message)


class AbsentError(JobMetricsError):
    """It is not on this host, or its job has ended."""

    code = JobMetrics.Error.ABSENT


class DeniedError(JobMetricsError):
    """It is there, and this user may not read it."""

    code = JobMetrics.Error.DENIED


class UnavailableError(JobMetricsError):
    """It gives no answer now; it may later."""

    code = JobMetrics.Error.UNAVAILABLE


class MalformedError(JobMetricsError):
    """Its text breaks its own format."""

    code = JobMetrics.Error.MALFORMED


class InvalidError(JobMetricsError):
    """An option or a configuration file says what cannot be meant."""

    code = JobMetrics.Error.INVALID


class CancelledError(JobMetricsError):
    """Its Gio.Cancellable was cancelled."""

    code = Gio.IOErrorEnum.CANCELLED
    _domain = GLib.quark_to_string(Gio.io_error_quark())


CLASSES = {
    error.code: error for error in (AbsentError, DeniedError, UnavailableError, MalformedError, InvalidError)
}


# What GLib and Gio say for the library, where it hands that on.
_FOREIGN = {
    (CancelledError._domain, Gio.IOErrorEnum.CANCELLED): CancelledError,
    (CancelledError._domain, Gio.IOErrorEnum.NOT_FOUND): AbsentError,
    (CancelledError._domain, Gio.IOErrorEnum.PERMISSION_DENIED): DeniedError,
    (CancelledError._domain, Gio.IOErrorEnum.INVALID_ARGUMENT): InvalidError,
}


def specific(error: GLib.Error) -> JobMetricsError:
    """The same error as one of the classes above: whoever calls the library need know no other."""
    if isinstance(error, JobMetricsError):
        return error
    if error.domain == DOMAIN:
        return CLASSES[error.code](error.message)
    failure = _FOREIGN.get((error.domain, error.code), UnavailableError)(error.message)
    failure.domain, failure.code = error.domain, error.code  # what programs matched before
    return failure


def error_for(error: Exception, where: str) -> JobMetricsError:
    """What a source in Python ran into, as the library reports it."""
    code = JobMetrics.Error.UNAVAILABLE
    if isinstance(error, OSError) and error.errno is not None:
        code = JobMetrics.error_from_errno(error.errno)
    return CLASSES[code](f"{where}: {type(error).__name__}: {error}")


def _call(info: FunctionInfo, arguments, keywords):
    try:
        return info(*arguments, **keywords)
    except GLib.Error as error:
        failure = specific(error)
    raise failure


def raising(info: FunctionInfo):
    """A function of the library, but raising the classes above."""

    def call(*arguments, **keywords):
        return _call(info, arguments, keywords)

    call.__name__ = info.__name__
    call.__doc__ = info.__doc__
    if info.is_method():
        return call
    if info.is_constructor():
        return classmethod(lambda cls, *arguments, **keywords: _call(info, (cls, *arguments), keywords))
    return staticmethod(call)


def _may_fail(info: object) -> bool:
    return isinstance(info, FunctionInfo) and info.can_throw_gerror()


def raise_specific_errors() -> dict[str, types.FunctionType]:
    """Makes all methods of the library raise the classes above; gives back its functions that do so."""
    functions = {}
    for name in dir(JobMetrics):
        member = getattr(JobMetrics, name)
        if _may_fail(member):
            functions[name] = raising(member).__func__
        elif isinstance(member, type):
            for info in [info for info in vars(member).values() if _may_fail(info)]:
                setattr(member, info.__name__, raising(info))
    return functions
