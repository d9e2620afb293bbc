# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""One way to run the exporter beside a number of jobs, and what is known of them afterwards."""

import json
import pathlib
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import scraper
from books import Record
from daemon import Daemon, Follower, Killer, fetch
from meter import Meter
from metrics import Scrape
from mill import Truth
from programs import wait_for

LONG_SECONDS = 0.2
# after which it has given up those that ended while it was gone
SWEEPS = 6
# Of a job that uses less, the kernel counts as much before it comes into its cgroup.
LEAST_CPU_SECONDS = 0.05
# What is shown as all of it, and how much of it that has to be.
WHOLE = 0.9995
CLAIMED = 0.95
# What a job may have used before it was in its cgroup: its start, on a busy machine.
OUTSIDE_SECONDS = 0.02
# as its unit has it
PRIORITY = ["nice", "-n", "-10"]
# where hooks look for it
SOCKET = "/run/jobmetrics-exporter/socket"


@dataclass(frozen=True)
class Place:
    """Of the jobs, in names."""

    node: str
    cluster: str


# Slurm 22.05 removes a job's cgroups 13 to 26 ms after its last process has gone, as was seen where nothing else ran.
SLURMS_DELAY = 0.015


@dataclass(frozen=True)
class Trial:
    name: str
    removal: float = SLURMS_DELAY
    interval: float = 1
    ledger: bool = True
    hooks: bool = False
    kill_every: float = 0
    gone: float = 0
    scrape_every: float = 15
    linger: float = 120
    follow: bool = False
    long_seconds: float = 0  # of a few jobs that run side by side, in place of many short ones
    # that a record may have more than the truth: the kernel's counter stands still when it is read last
    cpu_tolerance: float = 0.002
    least_known: float = 0  # of CPU time, where nothing slows the machine down

    def options(self, place: Place, ledger: pathlib.Path) -> list[str]:
        options = [
            f"--node.name={place.node}",
            f"--cluster={place.cluster}",
            "--power.source=rapl-powercap",
            "--metrics.job-label=uuid",
            f"--sample.interval={self.interval}",
            f"--sample.linger={self.linger}",
        ]
        if self.hooks:
            options.append(f"--web.local-socket={SOCKET}")
        if self.ledger:
            options.append(f"--ledger.file={ledger}")
        return options


@dataclass
class Known:
    """How much of what was true of jobs somebody knows; parts of one."""

    jobs: float
    long_jobs: float
    cpu: float
    most_over: float  # CPU seconds of a job that are more than its truth, at most
    missed: list[str] = field(default_factory=list)  # the longer ones
    false_claims: list[str] = field(default_factory=list)  # of all CPU time, where less of it is known


@dataclass
class Figures:
    trial: str
    jobs: int
    cpu_seconds: float  # of all jobs, by the kernel
    seconds: float  # that it took
    prometheus: Known
    ledger: Known | None
    joules: float  # jobs + system + idle, a part of the meter's
    holders: dict[str, float]  # who has how many joules; the node's are those that the exporter has counted
    twice: list[str]  # keys and jobs that have more than one record
    kills: int
    scrapes: int
    falls: list[str]
    exporter_cpu_seconds: float
    written_bytes: int
    each: list[tuple] = field(default_factory=list)  # of each job: truth, CPU seconds as scraped, and its record

    @property
    def known(self) -> Known:
        """By the best there is."""
        return self.ledger or self.prometheus

    def save(self, path: pathlib.Path) -> None:
        path.write_text(json.dumps(self, default=vars))


def know(truths: list[Truth], known: dict[str, float]) -> Known:
    """Of CPU seconds by job; what is more than the truth is not worth more."""
    found = [truth for truth in truths if truth.job in known]
    long_ones = [truth for truth in truths if truth.seconds > LONG_SECONDS]
    missed = [truth for truth in long_ones if truth.job not in known]
    return Known(
        jobs=len(found) / len(truths),
        long_jobs=1 - len(missed) / max(1, len(long_ones)),
        cpu=sum(min(known[one.job], one.cpu_seconds) for one in found) / sum(one.cpu_seconds for one in truths),
        most_over=max((known[one.job] - one.cpu_seconds for one in found), default=0.0),
        missed=[f"{one.job} {one.kind} {one.seconds:.2f} s" for one in missed],
    )


def find_false_claims(truths: list[Truth], records: list[Record]) -> list[str]:
    known = cpu_by_job(records)
    vague = {record.job for record in records if record.observed < WHOLE}
    return [
        f"{one.job} {one.kind}: {known[one.job]:.3f} of {one.cpu_seconds:.3f} s"
        for one in truths
        if one.job in known.keys() - vague and one.cpu_seconds > LEAST_CPU_SECONDS and known[one.job] < CLAIMED * one.cpu_seconds - OUTSIDE_SECONDS
    ]


def cpu_by_job(records: list[Record]) -> dict[str, float]:
    seconds = dict.fromkeys((record.job for record in records), 0.0)
    for record in records:
        seconds[record.job] += record.cpu_seconds or 0.0
    return seconds


def repeated(names: Iterable[str]) -> list[str]:
    """Each job of a trial ran once."""
    return [name for name, count in Counter(names).items() if count > 1]


class Round:
    """A trial that goes on."""

    def __init__(self, trial: Trial, program: str, place: Place, folder: pathlib.Path):
        self.trial, self.folder = trial, folder
        self.ledger = folder / "ledger.db"
        self.meter = Meter(folder / "machine")
        self.daemon = Daemon(program, folder, trial.options(place, self.ledger), [*PRIORITY, *self.meter.within])
        self.prometheus = self.follower = self.killer = None

    def start(self) -> None:
        self.daemon.start()
        # what the meter counts from its first sweep on is to be found again
        fetch(self.daemon.address)
        self.meter.start()
        self.began = time.monotonic()
        self.prometheus = scraper.start(self.daemon.address, self.folder, self.trial.scrape_every)
        if self.trial.follow:
            self.follower = Follower(self.daemon)
        if self.trial.kill_every:
            self.killer = Killer(self.daemon, self.trial.kill_every, self.trial.gone)

    def end(self) -> None:
        """After the last job; nothing is asked of anybody from then on."""
        self.seconds = time.monotonic() - self.began
        if self.killer is not None:
            self.killer.stop()
        self.joules = self.meter.hold()
        moment = time.time()
        for _ in range(SWEEPS):
            self.last = wait_for("a sweep after the last job", 60, self._scrape_after(moment), every=0.5)
            moment = self.last.value(scraper.SWEPT)
        self.prometheus.await_scrape_after(self.last.value(scraper.SWEPT))
        if self.follower is not None:
            self.follower.stop()
        self.daemon.stop()

    def _scrape_after(self, moment: float) -> Callable[[], Scrape | None]:
        def scrape() -> Scrape | None:
            text = fetch(self.daemon.address)
            found = Scrape(text) if text else None
            return found if found and (found.value(scraper.SWEPT) or 0) > moment else None

        return scrape

    def stop(self) -> None:
        for thread in (self.killer, self.follower):
            if thread is not None and thread.thread.is_alive():
                thread.stop()
        self.daemon.stop()
        if self.prometheus is not None:
            self.prometheus.stop()
        self.meter.close()

    def _held(self, holder: str) -> float:
        return sum(one.value for one in self.last.find(f"jobmetrics_{holder}_energy_joules_total"))

    def reckon(self, truths: list[Truth], records: list[Record] | None) -> Figures:
        scraped = dict.fromkeys(self.prometheus.jobs(), 0.0) | self.prometheus.most(scraper.CPU)
        recorded = cpu_by_job(records or [])
        by_job = {record.job: record for record in records or ()}
        if records is None:
            of_jobs = sum(self.prometheus.most(scraper.ENERGY).values())
        else:
            of_jobs = sum(record.joules for record in records)
        ledger = None if records is None else know(truths, recorded)
        if ledger is not None:
            ledger.false_claims = find_false_claims(truths, records)
        holders = {holder: self._held(holder) for holder in ("system", "idle", "node")} | {"jobs": of_jobs, "meter": self.joules}
        return Figures(
            trial=self.trial.name,
            jobs=len(truths),
            cpu_seconds=sum(truth.cpu_seconds for truth in truths),
            seconds=self.seconds,
            prometheus=know(truths, scraped),
            ledger=ledger,
            joules=(holders["jobs"] + holders["system"] + holders["idle"]) / self.joules,
            holders=holders,
            twice=sorted({*repeated(one.key for one in records or ()), *repeated(one.job for one in records or ())}),
            kills=self.daemon.kills,
            scrapes=self.follower.scrapes if self.follower else 0,
            falls=self.follower.falls if self.follower else [],
            exporter_cpu_seconds=self.daemon.cpu_seconds,
            written_bytes=self.daemon.written_bytes,
            each=[(truth, scraped.get(truth.job), by_job.get(truth.job)) for truth in truths],
        )
