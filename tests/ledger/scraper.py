# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a Prometheus knows of jobs that scrapes at times."""

import json
import pathlib
import urllib.parse
import urllib.request

from programs import SLOWNESS, Prometheus, wait_for

CPU = "jobmetrics_job_cpu_seconds_total"
ENERGY = "jobmetrics_job_energy_joules_total"
SWEPT = "jobmetrics_sweep_time_seconds"
SINCE = "[2h]"


class Scraper(Prometheus):
    def by_job(self, expression: str) -> dict[str, float]:
        url = f"http://{self.address}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
        with urllib.request.urlopen(url, timeout=60 * SLOWNESS) as answer:
            result = json.load(answer)["data"]["result"]
        return {one["metric"].get("jobid", ""): float(one["value"][1]) for one in result}

    def await_scrape_after(self, time: float) -> None:
        wait_for("Prometheus has scraped once more", 60, lambda: (self.query(f"max({SWEPT})") or 0) > time, every=0.5)

    def jobs(self) -> set[str]:
        return set(self.by_job(f"count by (jobid) (count_over_time(jobmetrics_job_info{SINCE}))"))

    def most(self, name: str) -> dict[str, float]:
        """The most that each job ever had: all that can be known, as long as none of them fell."""
        return self.by_job(f"sum by (jobid) (max_over_time({name}{SINCE}))")


def start(target: str, folder: pathlib.Path, seconds: float) -> Scraper:
    return Scraper(target, folder, seconds=seconds / SLOWNESS)
