#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT
"""contract-factor.py [SECONDS [ROOT]]: grams of each job meanwhile, by what the site has in its contract"""

from __future__ import annotations

import sys
import time
from datetime import datetime
from typing import Any

import gi

gi.require_version("JobMetrics", "1.0")
from gi.repository import JobMetrics  # noqa: E402


class Contract(JobMetrics.Source, JobMetrics.EmissionProvider):
    """Hydropower by day, the rest of the grid by night: asked once an hour."""

    def do_fetch(self, cancellable: Any) -> JobMetrics.EmissionFactor:
        is_day = 6 <= datetime.now().hour < 22
        tariff, grams = ("hydro", 11.5) if is_day else ("rest", 396.0)
        return JobMetrics.EmissionFactor.new("contract", tariff, grams, scope="lifecycle")

    def do_get_interval(self) -> int:
        return 3600


def main(seconds: str = "1", root: str | None = None) -> None:
    with JobMetrics.Node(host=root, power_sources=["auto", "estimate"], emission_providers=[Contract()]) as node:
        node.wait()
        node.sample()
        time.sleep(float(seconds))
        snapshot = node.sample()
    for job in snapshot:
        for (provider, tariff, *_), grams in (job.emissions_by_factor_grams_total or {}).items():
            print(job.id, job.user or "-", provider, tariff, f"{grams:.6f} g")
    if not snapshot:
        print("no jobs on this node", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
