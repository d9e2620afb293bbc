# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures as tables of the manual's kind."""

from collections.abc import Callable

from trial import Figures, Known

HOUR = 3600
Row = Callable[[Figures], list[str]]


def percent(part: float) -> str:
    return f"{100 * part:.2f} %"


def _parts(known: Known | None) -> list[str]:
    return [""] * 3 if known is None else [percent(known.jobs), percent(known.long_jobs), percent(known.cpu)]


def _known(one: Figures) -> list[str]:
    return [one.trial, f"{one.jobs}", *_parts(one.prometheus), *_parts(one.ledger), percent(one.joules)]


def _kept(one: Figures) -> list[str]:
    return [
        one.trial,
        f"{one.kills}",
        f"{one.scrapes}" if one.scrapes else "",
        f"{len(one.falls)}" if one.scrapes else "",
        f"{len(one.twice)}",
        f"{one.known.most_over:.3f} s",
        f"{100 * (one.joules - 1):+.4f} %",
    ]


def job_seconds(one: Figures) -> float:
    """Of all jobs together."""
    return sum(truth.seconds for truth, *_ in one.each)


def _cost(one: Figures) -> list[str]:
    return [
        one.trial,
        percent(one.exporter_cpu_seconds / one.seconds),
        f"{1000 * one.exporter_cpu_seconds / one.jobs:.2f} ms",
        f"{one.written_bytes / one.jobs / 1024:.1f} KiB",
        f"{one.written_bytes / job_seconds(one) * HOUR / 1024:.0f} KiB",
    ]


TABLES: tuple[tuple[tuple[str, ...], Row], ...] = (
    (("known", "jobs", "scraped: jobs", "over 0.2 s", "CPU time", "recorded: jobs", "over 0.2 s", "CPU time", "joules"), _known),
    (("kept", "kills", "scrapes", "counters that fell", "recorded twice", "CPU time too much, at most", "joules"), _kept),
    (("cost", "of a CPU", "CPU time per job", "written per job", "per hour of a job"), _cost),
)


def lines(figures: list[Figures]) -> list[str]:
    text = []
    for columns, row in TABLES:
        for cells in (columns, ["---"] * len(columns), *(row(one) for one in figures)):
            text.append(f"| {' | '.join(cells)} |")
        text.append("")
    return text
