#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT
"""service-jobs.py [ROOT]: a scheduler that jobmetrics does not know, described to it in Python: systemd's services"""

from __future__ import annotations

import pathlib
import sys

import gi

gi.require_version("JobMetrics", "1.0")
from gi.repository import JobMetrics  # noqa: E402


class Services(JobMetrics.Source, JobMetrics.JobSource):
    """Makes a job of each service: of the cgroup /system.slice/NAME.service."""

    def do_match(self, path: str) -> JobMetrics.Place | None:
        cgroup = pathlib.PurePosixPath(path)
        if cgroup.parent.name != "system.slice" or cgroup.suffix != ".service":
            return None
        return JobMetrics.Place.new(cgroup.stem)

    def do_identify(self, path: str, place: JobMetrics.Place, pid: int) -> JobMetrics.Job:
        fields = {"scheduler": "systemd", "jobid": place.get_job(), "name": f"{place.get_job()}.service"}
        if pid != 0:
            fields["uid"] = str(self.host.get_owner(f"/proc/{pid}"))
        return JobMetrics.Job.new(fields)


def main(root: str | None = None) -> None:
    with JobMetrics.Node(host=root, schedulers=[]) as node:
        node.add_source(Services(host=root))
        snapshot = node.sample()
    for job in snapshot:
        print(job)
    if not snapshot:
        print("no services in /system.slice of this node", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
