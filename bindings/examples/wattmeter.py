#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT
"""wattmeter.py METER [SECONDS [ROOT]]: what each job consumed meanwhile, by a wattmeter of one's own

METER is a file, or a serial port, of which each line is the watts of the whole node.
"""

from __future__ import annotations

import sys
import time

import gi

gi.require_version("JobMetrics", "1.0")
from gi.repository import JobMetrics  # noqa: E402


class Wattmeter(JobMetrics.Source, JobMetrics.PowerSource):
    """Microwatts of the domain "node", from a line such as "312.5"."""

    def __init__(self, meter: str) -> None:
        super().__init__()
        self.meter = meter

    def do_read(self, readings: JobMetrics.Readings) -> None:
        with open(self.meter) as lines:
            readings.add_power("node", float(lines.readline()) * 1e6)


def joules(energy: dict[tuple[str, str], float] | None) -> str:
    """All domains together, for they do not overlap."""
    return "not known" if energy is None else f"{sum(energy.values()):.1f} J"


def main(meter: str, seconds: str = "1", root: str | None = None) -> None:
    with JobMetrics.Node(host=root, power_sources=[Wattmeter(meter)], emission_providers=[]) as node:
        node.sample()
        time.sleep(float(seconds))
        snapshot = node.sample()
    for job in snapshot:
        print(job.id, job.user or "-", joules(job.energy_joules_total))
    print("idle", joules(snapshot.idle.energy_joules_total))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"METER is missing\n\n{__doc__}")
    main(*sys.argv[1:])
