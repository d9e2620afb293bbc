#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT
"""plot-job.py RECORD FOLDER: what a job used over its life, as pictures, from the JSON of its record"""

from __future__ import annotations

import pathlib
import sys

import gi

gi.require_version("JobMetrics", "1.0")
from gi.repository import JobMetrics  # noqa: E402

PERCENT = 100
SIZE = 820, 300


def plot_of(
    profile: JobMetrics.JobProfile, title: str, quantity: JobMetrics.Format, name: str, factor: float, limit: float | None
) -> JobMetrics.Plot:
    times = [time.timestamp() for time in profile.times]
    end = times[-1] + profile.interval.total_seconds()
    plot = JobMetrics.Plot.new(JobMetrics.PlotKind.LINES, title, quantity)
    plot.set_range(round(times[0] * 1e6), round(end * 1e6))
    # of what adds up, such as CPU time, there are no peaks
    plot.add_series("mean" if name in profile.peaks else title, times, [factor * value for value in profile.values[name]])
    if name in profile.peaks:
        plot.add_series("peak", times, [factor * value for value in profile.peaks[name]])
    if limit is not None:
        plot.set_limit("requested", limit)
    return plot


def plots(record: JobMetrics.JobRecord) -> dict[str, JobMetrics.Plot]:
    """By name, those of which there are figures."""
    profile, job, quantity = record.profile, record.job, JobMetrics.Format
    if profile is None:
        return {}
    per_second = 1 / profile.interval.total_seconds()
    known = {
        "cpus": ("Busy CPUs", quantity.COUNT, "cpu_seconds", per_second, job.cpus),
        "memory": ("Memory", quantity.BYTES, "memory_bytes", 1, job.memory_limit_bytes),
        "power": ("Power", quantity.WATTS, "energy_joules", per_second, None),
        "gpus": ("GPU utilisation", quantity.PERCENT, "gpu_utilization_ratio", PERCENT, None),
    }
    return {name: plot_of(profile, *what) for name, what in known.items() if what[2] in profile.values}


def main(path: str, folder: str) -> None:
    record = JobMetrics.JobRecord.from_json(pathlib.Path(path).read_bytes(), path)
    found = plots(record)
    if not found:
        sys.exit(f"nothing was observed over the life of job {record.job.id}")
    for name, plot in found.items():
        (pathlib.Path(folder) / f"{name}.svg").write_text(plot.to_svg(*SIZE))
        print(f"{name}.svg: {plot.describe()}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"RECORD is missing\n\n{__doc__}")
    main(*sys.argv[1:])
