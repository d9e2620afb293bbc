#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT
"""plot-node.py PNG [ROOT]: what the jobs of a node use, by user as a table and by job as a picture"""

from __future__ import annotations

import os
import sys
from typing import Any

import gi

gi.require_version("JobMetrics", "1.0")
from gi.repository import JobMetrics  # noqa: E402

try:
    import matplotlib
    import pandas  # noqa: F401: for to_dataframe()
except ImportError as error:
    sys.exit(f"{error.name} is missing; in Debian: python3-matplotlib, python3-pandas")

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.ticker import EngFormatter  # noqa: E402

# Okabe and Ito's colours, which everybody can distinguish
BLUE, ORANGE, GREEN, RED, PURPLE, SKY, YELLOW, GREY = (
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#999999"
)  # fmt: skip
EXECUTABLE = "executable_cpu_seconds_total["
MOST_JOBS, MOST_EXECUTABLES = 20, 6


def column(frame: Any, name: str) -> Any:
    """Nothing where nobody measured it."""
    return frame[name].fillna(0) if name in frame else 0 * frame["cpu_seconds_total"]


def plot_cpu(axes: Any, frame: Any) -> None:
    user, system = column(frame, "cpu_user_seconds_total"), column(frame, "cpu_system_seconds_total")
    axes.barh(frame.label, user, color=BLUE, label="user")
    axes.barh(frame.label, system, left=user, color=ORANGE, label="kernel")
    axes.set_title("CPU time")
    axes.xaxis.set_major_formatter(EngFormatter(unit="s"))


def plot_memory(axes: Any, frame: Any) -> None:
    mebibyte = 2**20
    axes.barh(frame.label, column(frame, "memory_limit_bytes") / mebibyte, color="#E8E8E8", label="limit")
    axes.barh(frame.label, column(frame, "memory_used_bytes") / mebibyte, height=0.45, color=GREEN, label="used")
    axes.plot(column(frame, "memory_peak_bytes") / mebibyte, frame.label, "|", color="black", ms=16, mew=2, label="peak")
    axes.set_title("Memory")
    axes.set_xlabel("MiB")


def plot_executables(axes: Any, frame: Any) -> None:
    by_name: dict[str, Any] = {}
    for name in [name for name in frame.columns if name.startswith(EXECUTABLE)]:
        program = os.path.basename(name[len(EXECUTABLE) : -1])
        by_name[program] = by_name.get(program, 0) + frame[name].fillna(0)
    names = sorted(by_name, key=lambda name: float(by_name[name].sum()), reverse=True)
    left = 0 * frame["cpu_seconds_total"]
    for name, colour in zip(names[:MOST_EXECUTABLES], (PURPLE, SKY, BLUE, RED, YELLOW, GREEN)):
        axes.barh(frame.label, by_name[name], left=left, color=colour, label=name)
        left = left + by_name[name]
    rest: Any = sum((by_name[name] for name in names[MOST_EXECUTABLES:]), 0 * left)
    if rest.any():
        axes.barh(frame.label, rest, left=left, color=GREY, label="others")
    axes.set_title("CPU time by program")
    axes.xaxis.set_major_formatter(EngFormatter(unit="s"))


def plot(frame: Any, path: str) -> None:
    frame = frame.sort_values("cpu_seconds_total").tail(MOST_JOBS)
    frame["label"] = [f"{job}  {user}" for job, user in column(frame, "user").astype(str).replace("0", "").items()]
    figure: Any = plt.figure(figsize=(12, 1.9 + 0.42 * max(3, len(frame))), layout="constrained")
    figure.get_layout_engine().set(wspace=0.06)
    for draw, panel in zip((plot_cpu, plot_memory, plot_executables), figure.subplots(1, 3, sharey=True)):
        draw(panel, frame)
        panel.grid(axis="x", color="#DDDDDD", linewidth=0.7)
        panel.set_axisbelow(True)
        panel.spines[["top", "right", "left"]].set_visible(False)
        panel.tick_params(axis="y", length=0)
        panel.margins(x=0.02)
        handles, labels = panel.get_legend_handles_labels()
        if handles:
            panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), ncol=3, frameon=False)
    figure.suptitle(f"Jobs of this node, {frame.attrs['time']:%Y-%m-%d %H:%M} UTC", x=0.01, ha="left", weight="bold")
    figure.savefig(path, dpi=110)


def main(path: str, root: str | None = None) -> None:
    with JobMetrics.Node(host=root) as node:
        frame = node.sample().to_dataframe()
    if frame.empty or "cpu_seconds_total" not in frame:
        sys.exit("no jobs on this node")
    if "user" in frame:
        print(frame.groupby("user")[["cpu_seconds_total", "memory_used_bytes"]].sum().to_string())
    plot(frame, path)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"PNG is missing\n\n{__doc__}")
    main(*sys.argv[1:])
