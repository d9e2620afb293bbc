# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures as a table of the manual's kind."""

from trial import Figures, Known

HOUR = 3600
COLUMNS = (
    "trial",
    "jobs",
    "kills",
    "Prometheus: jobs",
    "CPU",
    "ledger: jobs",
    "over 0.2 s",
    "CPU",
    "too much, at most",
    "joules",
    "counters fell",
    "exporter's CPU",
    "written per job",
    "per hour",
)


def percent(part: float) -> str:
    return f"{100 * part:.2f} %"


def _ledger(known: Known | None) -> list[str]:
    if known is None:
        return [""] * 4
    return [percent(known.jobs), percent(known.long_jobs), percent(known.cpu), f"{known.most_over:.3f} s"]


def _row(one: Figures) -> list[str]:
    return [
        one.trial,
        f"{one.jobs}",
        f"{one.kills}",
        percent(one.prometheus.jobs),
        percent(one.prometheus.cpu),
        *_ledger(one.ledger),
        percent(one.joules),
        f"{len(one.falls)} in {one.scrapes}" if one.scrapes else "",
        percent(one.exporter_cpu_seconds / one.seconds),
        f"{one.written_bytes / one.jobs / 1024:.1f} KiB",
        f"{one.written_bytes / one.seconds * HOUR / 2**20:.0f} MiB",
    ]


def rows(figures: list[Figures]) -> list[str]:
    lines = [COLUMNS, ["---"] * len(COLUMNS), *(_row(one) for one in figures)]
    return [f"| {' | '.join(line)} |" for line in lines]
