#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What measuring costs, as the tables of doc/explanation/speed.md: on nodes of several sizes, and beside loads.

usage: speed.py MADE-NODE SPEED-BENCH EXPORTER [scrapes|quiet|growth|loads ...]
"""

import math
import os
import statistics
import subprocess
import sys

SCRAPED = ["1x1x1", "64x8x4", "512x4x1"]
QUIET = ["1x1x1", "64x8x4", "512x4x1"]
GROWN = {
    "jobs": ["16x4x1", "64x4x1", "256x4x1"],
    "processes": ["64x1x1", "64x4x1", "64x16x1"],
    "threads": ["64x4x1", "64x4x4", "64x4x16"],
}
LOADED = "64x8x4"
SKIPPED = 77

# A scraper comes every 15 s, and the states of threads are read once a minute.
SCRAPES_A_MINUTE = 4

NAMES = {
    "opened": "(a) open, read, close the same files",
    "kept": "(b) read them kept open",
    "plain": "sweep and scrape",
    "prometheus": "the same as Prometheus asks",
    "with-threads": "the same, states of threads too",
    "mean": "mean of four a minute",
    "with-bpf": "with BPF, states of threads too",
}


def measure(made_node: str, bench: str, exporter: str, shape: str, part: str) -> list[list[str]]:
    done = subprocess.run([made_node, shape, bench, exporter, part], stdout=subprocess.PIPE, text=True)
    if done.returncode == SKIPPED:
        print(done.stdout, end="")
        sys.exit(SKIPPED)
    if done.returncode != 0:
        sys.exit(f"{shape}, {part}: exit status {done.returncode}")
    return [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]


def rows_of(lines: list[list[str]]) -> dict[str, list[float]]:
    return {line[1]: [float(value) for value in line[2:]] for line in lines if line[0] == "row"}


def cells(*values: str) -> None:
    print("| " + " | ".join(values) + " |")


def head(*titles: str) -> None:
    print()
    cells(*titles)
    cells(*["---", *["---:"] * (len(titles) - 1)])


def print_scrapes(shape: str, lines: list[list[str]]) -> None:
    rows = rows_of(lines)
    usual, full = rows["prometheus"], rows["with-threads"]
    rows["mean"] = [((SCRAPES_A_MINUTE - 1) * a + b) / SCRAPES_A_MINUTE for a, b in zip(usual, full)]
    head(shape, "CPU ms", "to (a)", "to (b)", "wall ms", "system calls", "allocations")
    for key, name in ((key, name) for key, name in NAMES.items() if key in rows):
        cpu, wall, calls, allocations = rows[key]
        cells(name, f"{cpu / 1e3:.2f}", f"{cpu / rows['opened'][0]:.2f}", f"{cpu / rows['kept'][0]:.2f}", f"{wall / 1e3:.2f}", f"{calls:.0f}", f"{allocations:.0f}")
    told = [line for line in lines if line[0] in ("memory", "answer")]
    for i, (kind, first, second) in enumerate(told):
        if kind == "memory":
            print(f"\n{'With BPF: resident' if i > 1 else 'Resident'} {int(first) / 1024:.1f} MiB, proportional {int(second) / 1024:.1f} MiB.")
        else:
            print(f"Answer {int(first) / 1024:.0f} KiB, packed {int(second) / 1024:.0f} KiB.")


def print_growth(shape: str, lines: list[list[str]]) -> None:
    rows = rows_of(lines)
    cpu, _, calls, _ = rows["sweep"]
    cells(shape, f"{cpu / 1e3:.2f}", f"{cpu / rows['opened'][0]:.2f}", f"{cpu / rows['kept'][0]:.2f}", f"{calls:.0f}")


def percent(values: list[float]) -> str:
    """The median, and between which figures it lies with a confidence of 95 %: by rank, so that no outlier counts."""
    ranked = sorted(values)
    beside = max(int((len(ranked) - 1.96 * math.sqrt(len(ranked))) / 2), 1)
    low, middle, high = ranked[beside - 1], statistics.median(ranked), ranked[-beside]
    return f"{middle * 100:+.2f} ({low * 100:+.2f} to {high * 100:+.2f})"


def print_loads(lines: list[list[str]]) -> None:
    pairs: dict[tuple[str, str], list[list[float]]] = {}
    for _, kind, interval, *values in (line for line in lines if line[0] == "pair"):
        pairs.setdefault((kind, interval), []).append([float(value) for value in values])
    head("load, sampled each", "more CPU time, %", "longer, %", "pairs")
    for (kind, interval), values in pairs.items():
        cpu = [on / off - 1 for off, on, _, _ in values]
        wall = [on / off - 1 for _, _, off, on in values]
        cells(f"{kind}, {interval} s", percent(cpu), percent(wall), str(len(values)))


def main() -> None:
    programs = [os.path.abspath(program) for program in sys.argv[1:4]]
    parts = sys.argv[4:] or ["scrapes", "quiet", "growth", "loads"]
    if "scrapes" in parts:
        for shape in SCRAPED:
            print_scrapes(shape, measure(*programs, shape, "scrapes"))
    if "quiet" in parts:
        head("nobody scrapes", "CPU ms a minute")
        for shape in QUIET:
            cells(shape, f"{float(measure(*programs, shape, 'quiet')[0][1]) / 1e3:.0f}")
    if "growth" in parts:
        for name, shapes in GROWN.items():
            head(f"sweep, by {name}", "CPU ms", "to (a)", "to (b)", "system calls")
            for shape in shapes:
                print_growth(shape, measure(*programs, shape, "sweeps"))
    if "loads" in parts:
        print_loads(measure(*programs, LOADED, "loads"))


main()
