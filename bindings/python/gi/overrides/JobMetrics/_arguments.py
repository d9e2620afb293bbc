# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What callers may give, and one clear message where they give something else."""

import os
from collections.abc import Iterable
from datetime import timedelta

from gi.module import get_introspection_module

from ._errors import AbsentError
from ._table import COLLECTORS, LEVELS

JobMetrics = get_introspection_module("JobMetrics")


def wrong_type(name: str, wanted: str, value: object) -> TypeError:
    return TypeError(f"{name}: {wanted} is wanted, not {value!r}")


def text(name: str, value: object) -> str | None:
    if value is None or (isinstance(value, str) and "\0" not in value):
        return value
    if isinstance(value, str):
        raise ValueError(f"{name}: a NUL character cannot stand in {value!r}")
    raise wrong_type(name, "text", value)


def path(name: str, value: object) -> str | None:
    return text(name, os.fspath(value) if isinstance(value, os.PathLike) else value)


def paths(name: str, value: object) -> list[str] | None:
    if value is None:
        return None
    if isinstance(value, (str, os.PathLike)) or not isinstance(value, Iterable):
        raise wrong_type(name, "a list of paths", value)
    return [_some(name, "a list of paths", path(name, item)) for item in value]


def texts(name: str, value: object) -> list[str] | None:
    if value is None:
        return None
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise wrong_type(name, "a list of text", value)
    return [_some(name, "a list of text", text(name, item)) for item in value]


def _some(name: str, wanted: str, value: str | None) -> str:
    if value is None:
        raise wrong_type(name, wanted, value)
    return value


def flag(name: str, value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise wrong_type(name, "True or False", value)


def sources(name: str, value: object, kind: type) -> tuple[list[str] | None, list]:
    """Specifications such as "ipmi,interval=30", and sources that were made already."""
    wanted = f"a list of specifications or of JobMetrics.{kind.__name__} objects"
    if value is None:
        return None, []
    if isinstance(value, (str, kind)) or not isinstance(value, Iterable):
        raise wrong_type(name, wanted, value)
    items = list(value)
    for item in items:
        if not isinstance(item, (str, kind)):
            raise wrong_type(name, wanted, item)
    texts = [text(name, item) for item in items if isinstance(item, str)]
    return texts, [item for item in items if not isinstance(item, str)]


def whole(name: str, value: object, least: int, most: int) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_type(name, "a whole number", value)
    if not least <= value <= most:
        raise ValueError(f"{name}: {value} is not between {least} and {most}")
    return value


def span(name: str, value: object, unit: timedelta, most: int) -> int | None:
    """A timedelta, or a whole number of units."""
    return whole(name, value // unit if isinstance(value, timedelta) else value, 0, most)


def milliseconds(name: str, value: object, least: int) -> int:
    """A timedelta or seconds."""
    seconds = value.total_seconds() if isinstance(value, timedelta) else value
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise wrong_type(name, "a number of seconds", value)
    if not least <= seconds * 1000 < 2**32:
        raise ValueError(f"{name}: {seconds} seconds is not between {least / 1000:g} and {2**32 // 1000}")
    return int(seconds * 1000)


def host(value: object):
    """A Host, or the root of the tree to read."""
    if value is None or isinstance(value, JobMetrics.Host):
        return value
    if not isinstance(value, (str, os.PathLike)):
        raise wrong_type("host", "a path or a JobMetrics.Host", value)
    root = path("host", value)
    if not os.path.isdir(root):
        raise AbsentError(f"{root}: no such directory")
    return JobMetrics.Host.new(root)


def level(value: object, least=JobMetrics.SubjectKind.JOB):
    names = [name for name, known in LEVELS.items() if known >= least]
    if value is None:
        return None
    if isinstance(value, str) and value in names:
        return LEVELS[value]
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= JobMetrics.SubjectKind.TASK:
        return JobMetrics.SubjectKind(value)
    raise (ValueError if isinstance(value, (str, int)) else TypeError)(
        f"level: one of {', '.join(names)} is wanted, not {value!r}"
    )


def _collector(value: object) -> object:
    if isinstance(value, JobMetrics.Collector):
        return value
    if not isinstance(value, str):
        raise wrong_type("collectors", "a list of names", value)
    if value not in COLLECTORS:
        raise ValueError(f"collectors: {value!r} is none of {', '.join(COLLECTORS)}")
    return COLLECTORS[value]


def collectors(value: object) -> object:
    """The set of those that are named; None stays None."""
    if value is None or isinstance(value, JobMetrics.CollectorSet):
        return value
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise wrong_type("collectors", "a list of names", value)
    chosen = JobMetrics.CollectorSet.new()
    for item in value:
        chosen.add(_collector(item))
    return chosen


def job(value: object) -> str:
    """What a job is called: by the job of a snapshot, its identity, or text."""
    identity = getattr(value, "record", value)
    if isinstance(identity, JobMetrics.Job):
        return identity.get_uuid()
    if not isinstance(value, str):
        raise wrong_type("job", "a job, its id or its uuid", value)
    return text("job", value)
