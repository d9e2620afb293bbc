#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT
"""busy-cores.py [ROUNDS [SECONDS [ROOT]]]: how many cores each job keeps busy, from one round to the next, in asyncio"""

from __future__ import annotations

import asyncio
import sys

import gi

gi.require_version("JobMetrics", "1.0")
from gi.repository import JobMetrics  # noqa: E402


def busy_cores(before: JobMetrics.Snapshot, after: JobMetrics.Snapshot) -> dict[str, float]:
    """CPU time used per time passed, of the jobs that both snapshots know."""
    seconds = (after.time - before.time).total_seconds()
    cores = {}
    for job in after:
        earlier = before.get(job.uuid)
        if earlier is not None and None not in (earlier.cpu_seconds_total, job.cpu_seconds_total):
            cores[job.id] = ((job.cpu_seconds_total or 0) - (earlier.cpu_seconds_total or 0)) / seconds
    return cores


async def watch(rounds: int, seconds: float, root: str | None) -> None:
    with JobMetrics.Sampler(JobMetrics.Node(host=root), interval=seconds) as sampler:
        before = await sampler.sample()
        for _ in range(rounds):
            await asyncio.sleep(seconds)
            after = await sampler.sample()
            cores = busy_cores(before, after)
            words = [f"{job}: {number:.2f}" for job, number in cores.items()] or ["no jobs on this node"]
            print(f"{after.time:%H:%M:%S}", *words, flush=True)
            before = after


if __name__ == "__main__":
    words = dict(enumerate(sys.argv))
    asyncio.run(watch(int(words.get(1, 5)), float(words.get(2, 1)), words.get(3)))
