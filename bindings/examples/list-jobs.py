#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT
"""list-jobs.py [ROOT]: the jobs of this node, or of a copied tree"""

import sys

import gi

gi.require_version("JobMetrics", "1.0")
from gi.repository import GLib, JobMetrics  # noqa: E402


def print_job(snapshot, subject):
    job = snapshot.get_job(subject)
    line = f"{job.get_id()} {job.get_user() or '-'}"
    measured, seconds = snapshot.get_value(subject, JobMetrics.Metric.CPU_TOTAL)
    if measured:
        line += f" {seconds:.2f} s"
    print(line)


def main(root=None):
    try:
        snapshot = JobMetrics.Node.new_full(JobMetrics.Host.new(root)).sample()
    except GLib.Error as error:
        sys.exit(error.message)
    for subject in range(snapshot.get_n_subjects()):
        if snapshot.get_level(subject) == JobMetrics.Level.JOB:
            print_job(snapshot, subject)


if __name__ == "__main__":
    main(*sys.argv[1:])
