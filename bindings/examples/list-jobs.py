#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT
"""list-jobs.py [ROOT]: the jobs of this node, or of a copied tree"""

import sys

import gi

gi.require_version("JobMetrics", "1.0")
from gi.repository import JobMetrics  # noqa: E402

with JobMetrics.Node(host=sys.argv[1] if len(sys.argv) > 1 else None) as node:
    for job in (snapshot := node.sample()):
        seconds = job.cpu_seconds_total
        print(job.id, job.user or "-", *([] if seconds is None else [f"{seconds:.2f} s"]))
    if not snapshot:
        print("no jobs on this node", file=sys.stderr)
