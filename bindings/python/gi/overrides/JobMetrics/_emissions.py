# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What electricity emits, and who says so."""

from datetime import datetime, timedelta, timezone

from gi.module import get_introspection_module
from gi.overrides import override

from . import _arguments, _waiting
from ._table import moment

JobMetrics = get_introspection_module("JobMetrics")

_EPOCH = datetime.fromtimestamp(0, timezone.utc)


def _word(name: str, value: object) -> str:
    if not _arguments.text(name, value):
        raise _arguments.wrong_type(name, "text", value)
    return value


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _arguments.wrong_type(name, "a number", value)
    return float(value)


def _choice(name: str, value: object, kind: type):
    """A member of an enumeration, or its name."""
    members = {member.value_nick: member for member in kind.__enum_values__.values()}
    if isinstance(value, str) and value in members:
        return members[value]
    if isinstance(value, int) and not isinstance(value, bool) and value in members.values():
        return kind(value)
    raise (ValueError if isinstance(value, (str, int)) else TypeError)(
        f"{name}: one of {', '.join(members)} is wanted, not {value!r}"
    )


def _microseconds(name: str, value: object) -> int:
    """A datetime with time zone, or microseconds since 1970; 0 for none."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{name}: {value} has no time zone")
        return (value - _EPOCH) // timedelta(microseconds=1)
    return _arguments.whole(name, 0 if value is None else value, 0, 2**63 - 1)


def _moment_or_none(microseconds: int) -> datetime | None:
    return moment(microseconds / 1e6) if microseconds else None


@override
class EmissionFactor(JobMetrics.EmissionFactor):
    """What a kilowatt-hour emits, and who says so. Made by EmissionFactor.new(); never changes."""

    __module__ = "gi.overrides.JobMetrics"

    @staticmethod
    def new(
        provider,
        zone,
        grams_per_kwh,
        method="average",
        scope="unknown",
        quality="statistic",
        valid_from=None,
        valid_until=None,
    ):
        grams = _number("grams_per_kwh", grams_per_kwh)
        values = (
            _word("provider", provider),
            _word("zone", zone),
            grams,
            _choice("method", method, JobMetrics.EmissionMethod),
            _choice("scope", scope, JobMetrics.EmissionScope),
            _choice("quality", quality, JobMetrics.EmissionQuality),
            _microseconds("valid_from", valid_from),
            _microseconds("valid_until", valid_until),
        )
        try:
            return JobMetrics.EmissionFactor.new(*values)
        except TypeError:  # so PyGObject says that there is none
            pass
        raise ValueError(f"grams_per_kwh: no electricity emits {grams:g}")

    provider = property(JobMetrics.EmissionFactor.get_provider)
    zone = property(JobMetrics.EmissionFactor.get_zone)
    grams_per_kwh = property(JobMetrics.EmissionFactor.get_grams_per_kwh)
    method = property(JobMetrics.EmissionFactor.get_method)
    scope = property(JobMetrics.EmissionFactor.get_scope)
    quality = property(JobMetrics.EmissionFactor.get_quality)

    @property
    def valid_from(self) -> datetime | None:
        """From when on; None if always."""
        return _moment_or_none(self.get_valid_from())

    @property
    def valid_until(self) -> datetime | None:
        """Until when; None if always."""
        return _moment_or_none(self.get_valid_until())

    @property
    def age(self) -> timedelta:
        """For how long it has no longer been that of the moment."""
        return timedelta(microseconds=self.get_age(_microseconds("now", datetime.now(timezone.utc))))

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, EmissionFactor) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple:
        kinds = int(self.method), int(self.scope), int(self.quality)
        return self.provider, self.zone, self.grams_per_kwh, *kinds, self.get_valid_from(), self.get_valid_until()

    def __repr__(self) -> str:
        kinds = ", ".join(kind.value_nick for kind in (self.method, self.scope, self.quality))
        return f"<EmissionFactor {self.provider}/{self.zone}: {self.grams_per_kwh:g} g/kWh, {kinds}>"


@override
class EmissionProvider(JobMetrics.EmissionProvider):
    """Who says what electricity emits."""

    __module__ = "gi.overrides.JobMetrics"

    async def factor(self) -> EmissionFactor:
        """The factor of the moment, as fetch() gives it, in any asyncio loop: others run meanwhile."""
        return await _waiting.answer(self.fetch_async, self.fetch_finish)
