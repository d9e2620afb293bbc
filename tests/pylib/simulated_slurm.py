# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Weeks of a Slurm cluster in a second: jobs are submitted, started, preempted and requeued, nodes fail; and what sacct prints of it.

What was allocated is integrated over time, from one event to the next, by what is held at that moment.
"""

import collections
import dataclasses
import heapq
import random

DELIMITER = "|"
USERS = {"ada": ("physics", 1000), "ben": ("physics", 1001), "eve": ("chemistry", 1002), "mel": ("biology", 1003)}
CPUS_OF_NODE, GPUS_OF_NODE = 16, 4
# How often a job may be preempted, and how long it then waits.
MAX_PREEMPTIONS = 2
REQUEUE_SECONDS = 120
# NAME: NODES, WITH ACCELERATORS
PARTITIONS = {"batch": (range(0, 12), False), "gpu": (range(12, 18), True), "scavenge": (range(0, 12), False)}
# The ends that are planned, with their weights.
PLANNED = {"COMPLETED": 60, "FAILED": 15, "CANCELLED by 0": 8, "OUT_OF_MEMORY": 5, "TIMEOUT": 12}


@dataclasses.dataclass(eq=False)
class Job:
    id: int
    user: str
    partition: str
    nodes: int
    cpus: int  # on each node
    gpus: int  # on each node
    submit: int
    length: int
    state: str
    is_metered: bool
    n_preemptions: int = 0
    start: int = 0
    places: tuple[int, ...] = ()
    # CPU and GPU seconds that it held within the period
    held: list[int] = dataclasses.field(default_factory=lambda: [0, 0])


@dataclasses.dataclass
class Run:
    job: Job
    state: str
    start: int
    end: int
    held: tuple[int, int]
    cpu_seconds: int | None
    idle_gpu_seconds: int | None


class Cluster:
    def __init__(self, seed: int, begin: int, days: int, period: tuple[int, int]):
        self.random = random.Random(seed)
        self.begin, self.end, self.period = begin, begin + days * 86400, period
        self.now = begin
        self.events: list[tuple[int, int, str, object]] = []
        self.n_events = 0
        self.free_cpus = collections.Counter({node: CPUS_OF_NODE for nodes, _ in PARTITIONS.values() for node in nodes})
        self.free_gpus = collections.Counter({node: GPUS_OF_NODE for node in PARTITIONS["gpu"][0]})
        self.down: set[int] = set()
        self.waiting: list[Job] = []
        self.running: list[Job] = []
        self.runs: list[Run] = []

    def plan(self, time: int, what: str, about: object = None) -> None:
        self.n_events += 1
        heapq.heappush(self.events, (time, self.n_events, what, about))

    # --- jobs ---

    def submit(self) -> None:
        partition = self.random.choices(list(PARTITIONS), (5, 3, 4))[0]
        has_gpus = PARTITIONS[partition][1]
        self.waiting.append(
            Job(
                id=1000 + self.n_events,
                user=self.random.choice(list(USERS)),
                partition=partition,
                nodes=self.random.choice((1, 1, 1, 2, 4)),
                cpus=self.random.choice((1, 2, 5, 16)),
                gpus=self.random.choice((1, 2, 4)) if has_gpus else 0,
                submit=self.now,
                length=min(int(self.random.lognormvariate(8.3, 1.4)), 3 * 86400) + 1,
                state=self.random.choices(list(PLANNED), list(PLANNED.values()))[0],
                is_metered=self.random.random() < 0.8,
            )
        )
        self.plan(self.now + 1 + int(self.random.expovariate(1 / 900)), "submit")

    def find_places(self, job: Job) -> list[int]:
        def fits(node: int) -> bool:
            return node not in self.down and self.free_cpus[node] >= job.cpus and self.free_gpus[node] >= job.gpus

        return [node for node in PARTITIONS[job.partition][0] if fits(node)][: job.nodes]

    def start(self, job: Job, places: list[int]) -> None:
        job.start, job.places, job.held = self.now, tuple(places), [0, 0]
        for node in places:
            self.free_cpus[node] -= job.cpus
            self.free_gpus[node] -= job.gpus
        self.running.append(job)
        self.plan(self.now + job.length, "end", (job, self.now))

    def stop(self, job: Job, state: str) -> None:
        for node in job.places:
            self.free_cpus[node] += job.cpus
            self.free_gpus[node] += job.gpus
        self.running.remove(job)
        cpus, gpus = job.nodes * job.cpus * (self.now - job.start), job.nodes * job.gpus * (self.now - job.start)
        self.runs.append(
            Run(
                dataclasses.replace(job),
                state,
                job.start,
                self.now,
                tuple(job.held),
                # 0 is what sacct prints of jobs that were not metered
                max(int(cpus * self.random.random()), 1) if job.is_metered else None,
                int(gpus * self.random.random()) if job.is_metered and gpus > 0 else None,
            )
        )

    def requeue(self, job: Job, state: str) -> None:
        self.stop(job, state)
        self.plan(self.now + REQUEUE_SECONDS, "requeue", dataclasses.replace(job, submit=self.now, n_preemptions=job.n_preemptions + 1))

    def schedule(self) -> None:
        for job in list(self.waiting):
            places = self.find_places(job)
            if len(places) < job.nodes and job.partition == "batch":
                others = [other for other in self.running if other.partition == "scavenge" and other.n_preemptions < MAX_PREEMPTIONS]
                for other in others[:2]:
                    self.requeue(other, "PREEMPTED" if self.random.random() < 0.5 else "REQUEUED")
                places = self.find_places(job)
            if len(places) == job.nodes:
                self.waiting.remove(job)
                self.start(job, places)

    def fail(self, node: int) -> None:
        self.down.add(node)
        for job in [job for job in self.running if node in job.places]:
            self.requeue(job, "NODE_FAIL")
        self.plan(self.now + 7200, "repair", node)

    # --- time ---

    def move_to(self, time: int) -> None:
        """What is held until then is counted."""
        seconds = max(min(time, self.period[1]) - max(self.now, self.period[0]), 0)
        for job in self.running if seconds > 0 else ():
            job.held[0] += job.nodes * job.cpus * seconds
            job.held[1] += job.nodes * job.gpus * seconds
        self.now = time

    def run(self) -> None:
        self.plan(self.begin, "submit")
        for _ in range(20):
            self.plan(self.random.randrange(self.begin, self.end), "fail", self.random.randrange(18))
        while self.events:
            time, _, what, about = heapq.heappop(self.events)
            self.move_to(time)
            if what == "submit" and time < self.end:
                self.submit()
            elif what == "requeue":
                self.waiting.append(about)
            elif what == "fail":
                self.fail(about)
            elif what == "repair":
                self.down.discard(about)
            # it may have been stopped, and begun again
            elif what == "end" and about[0] in self.running and about[0].start == about[1]:
                self.stop(about[0], about[0].state)
            self.schedule()

    # --- what Slurm says ---

    def sacct(self) -> str:
        return "".join(DELIMITER.join(map(str, make_row(run))) + "\n" for run in self.runs)


def format_time(seconds: int) -> str:
    return f"{seconds // 86400}-" * (seconds >= 86400) + f"{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def make_row(run: Run) -> tuple:
    job = run.job
    account, uid = USERS[job.user]
    cpus, gpus = job.nodes * job.cpus, job.nodes * job.gpus
    tres = f"cpu={cpus},node={job.nodes}" + (f",gres/gpu={gpus}" if gpus > 0 else "")
    used = "" if run.cpu_seconds is None else format_time(run.cpu_seconds)
    nodes = ",".join(f"n{node}" for node in job.places)
    identity = (job.id, job.id, job.user, uid, account, job.partition, "normal", run.state)
    times = (job.submit, job.submit, run.start, run.end, 1440, run.end - run.start)
    return *identity, *times, "0:0", job.nodes, cpus, "", tres, tres, nodes, "made", used, used, "", "", 0
