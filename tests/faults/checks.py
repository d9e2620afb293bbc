# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether all that a scrape says was read: each figure is one that the world's files said, or that a sound node says."""

import re
from decimal import Decimal

from daemon import Failure
from services import Accelerator
from world import World

SAMPLE = re.compile(r'([a-zA-Z_:][\w:]*)(?:\{((?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)')
LABEL = re.compile(r'(\w+)="((?:[^"\\\n]|\\["\\n])*)"')

# The daemon's own, and what follows the clock.
OWN = re.compile(
    r"process_|jobmetrics_(?:build_info|scrapes_total|encode_seconds_total|sweep_|collector_|ledger_|own_|emission|.*_age_seconds$|.*_up$|.*_errors_total$)"
)
# What is reckoned from more than one reading: bounds alone are known.
RECKONED = re.compile(r"jobmetrics_.*(?:energy|power|emissions|grams|gpu_jobs$|gpu_share_ratio$|gpu_(?:busy|observed)_seconds_total$)")

# What moves: metric of a job, figure, scale.
JOB_FIGURES = {
    "cpu_user_seconds_total": ("user_usec", 1_000_000),
    "cpu_system_seconds_total": ("system_usec", 1_000_000),
    "cpu_seconds_total": ("usage_usec", 1_000_000),
    "memory_used_bytes": ("memory.current", 1),
    "memory_peak_bytes": ("memory.peak", 1),
    "memory_rss_bytes": ("anon", 1),
    "memory_resident_peak_bytes": ("anon", 1),
    "cpu_pressure_some_seconds_total": ("cpu_pressure", 1_000_000),
}
# The most that was seen of what goes up and down.
MOST_SEEN = {"memory_resident_peak_bytes"}
# Sums over processes, of which one moves: the rest is the constant.
PROCESS_FIGURES = {
    ("process_cpu_user_seconds_total", ""): ("utime", 100),
    ("process_rchar_bytes_total", ""): ("rchar", 1),
    ("executable_cpu_seconds_total", "load"): ("utime", 100),
}

# What is there only under conditions: an accelerator that jobs share is reported by its own figures alone.
SOMETIMES = re.compile(r"jobmetrics_(?:jobs$|job_fields$|job_gpu_|job_allocated_gpus$|node_gpu_|(?:job|step|task)_executable_)")

# Of processes: while a job ends, some have gone before the rest.
PROCESSES = re.compile(r"jobmetrics_(?:job|step|task)_(?:first_process|process|threads|open_files|executable)")

# Of an accelerator, for whomever they are reported.
GPU_FIGURES = {
    "gpu_utilization_ratio": ("utilization", 100),
    "gpu_memory_used_bytes": ("memory-used", 1),
    "gpu_memory_peak_bytes": ("memory-used", 1),
}
# of what the library said between two answers
MEANS = ("gpu_utilization_ratio",)

Series = tuple[str, tuple[tuple[str, str], ...]]


def parse(text: str) -> dict[Series, Decimal]:
    """The whole text, strictly."""
    series: dict[Series, Decimal] = {}
    if not text.endswith("\n"):
        raise Failure(f"a scrape is cut short: ...{text[-100:]!r}")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        found = SAMPLE.fullmatch(line)
        if not found:
            raise Failure(f"a scrape has a line of no known form: {line!r}")
        key = (found[1], tuple(LABEL.findall(found[2] or "")))
        if key in series:
            raise Failure(f"a scrape has a series twice: {line}")
        series[key] = Decimal(found[3])
    return series


class Truth:
    """What a node may say."""

    def __init__(self, world: World, accelerator: Accelerator, sound: str):
        """@sound is what a sound node says that has one job."""
        self.world = world
        self.accelerator = accelerator
        self.constants: dict[Series, Decimal] = {}
        self.info: dict[str, str] = {}
        self.accelerator_info: dict[str, str] = {}
        for (name, labels), value in parse(sound).items():
            self.constants[name, self.without_job(name, labels)] = value
            if name == "jobmetrics_job_info":
                self.info = dict(labels)
            if name == "jobmetrics_node_gpu_info":
                self.accelerator_info = dict(labels)
        self.first = {key: figure.value for key, figure in world.runs[0].figures.items()}
        self.energy_first = {domain: figure.value for domain, figure in world.energy.items()}
        self.highest: dict[Series, Decimal] = {}
        self.sweeps: set[float] = set()  # when they were, as far as a scrape reported
        self.has_restarted = False  # another daemon speaks than the first
        self.n_scrapes = 0
        self.n_figures = 0

    @staticmethod
    def without_job(name: str, labels: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        # who the job is may be read in parts
        if name == "jobmetrics_job_info":
            return ()
        return tuple((key, value) for key, value in labels if key != "jobid")

    def runs_of(self, job: str) -> list:
        with self.world.lock:
            return [run for run in self.world.runs + self.world.ended if run.job == job]

    def check(self, text: str) -> dict[Series, Decimal]:
        series = parse(text)
        self.n_scrapes += 1
        for (name, labels), value in series.items():
            if name == "jobmetrics_sweep_time_seconds":
                self.sweeps.add(float(value))
            if OWN.match(name):
                continue
            self.n_figures += 1
            problem = self._problem_of(name, dict(labels), labels, value)
            if problem:
                raise Failure(f"{name}{dict(labels)} {value}: {problem}")
            self._refuse_fall((name, labels), value)
        return series

    def _problem_of(self, name: str, by_name: dict[str, str], labels: tuple, value: Decimal) -> str | None:
        if name == "jobmetrics_jobs" or RECKONED.match(name):
            return self._problem_of_reckoned(name, by_name, value)
        for metric, (key, scale) in GPU_FIGURES.items():
            if name.endswith(metric):
                held = self.accelerator.held[key]
                return self._unless_between(value * scale, held) if metric in MEANS else self._unless_held(value * scale, held)
        if name == "jobmetrics_node_gpu_info":
            return self._problem_of_parts(by_name, self.accelerator_info)
        if "jobid" in by_name:
            return self._problem_of_job(name, by_name, labels, value)
        if name == "jobmetrics_node_cpu_seconds_total" and by_name["mode"] == "user":
            return self._unless_held(value * 100, self.world.node_user.held)
        if name == "jobmetrics_node_memory_free_bytes":
            return self._unless_held(value / 1024, self.world.free_kb.held)
        return self._unless_constant(name, labels, value)

    def _unless_between(self, scaled: Decimal, held: set[int]) -> str | None:
        with self.world.lock:
            return None if min(held) <= scaled <= max(held) else "more or less than any file ever said"

    def _unless_held(self, scaled: Decimal, held: set[int]) -> str | None:
        with self.world.lock:
            return None if scaled in held else "no file ever said that"

    def _unless_constant(self, name: str, labels: tuple, value: Decimal) -> str | None:
        expected = self.constants.get((name, self.without_job(name, labels)))
        if expected is None:
            return "a sound node has no such series"
        return None if value == expected else f"a sound node says {expected}"

    def _problem_of_job(self, name: str, by_name: dict[str, str], labels: tuple, value: Decimal) -> str | None:
        runs = self.runs_of(by_name["jobid"])
        if not runs:
            return "there was no such job"
        if name == "jobmetrics_job_info":
            return self._problem_of_parts(by_name, self.info)
        # an executable whose path cannot be read has its process's name
        if name == "jobmetrics_job_fields" or ("executable" in by_name and "/" not in by_name["executable"]):
            return None
        if name.endswith("_end_time_seconds"):
            return None if any(run.has_ended for run in runs) else "it has not ended"
        if PROCESSES.match(name) and any(run.has_ended for run in runs):
            return None
        metric = name.removeprefix("jobmetrics_job_")
        if metric in JOB_FIGURES and name.startswith("jobmetrics_job_"):
            figure, scale = JOB_FIGURES[metric]
            return self._unless_held(value * scale, set().union(*(run.figures[figure].held for run in runs)))
        # steps and tasks have the same processes
        metric = re.sub("^jobmetrics_(?:job|step|task)_", "", name)
        for (prefix, executable), (figure, scale) in PROCESS_FIGURES.items():
            if metric == prefix and by_name.get("executable", "").endswith(executable):
                return self._problem_of_sum(name, labels, runs, figure, scale, value)
        return self._unless_constant(name, labels, value)

    def _problem_of_sum(self, name: str, labels: tuple, runs: list, figure: str, scale: int, value: Decimal) -> str | None:
        expected = self.constants.get((name, self.without_job(name, labels)))
        if expected is None:
            return "a sound node has no such series"
        rest = expected * scale - self.first[figure]
        if rest < 0:
            # of a step that has not the process that moves
            return self._unless_constant(name, labels, value)
        held = set().union(*(run.figures[figure].held for run in runs))
        # what another executable has shown of the same processes before a restart is not counted twice
        if self.has_restarted and "executable" in dict(labels) and value * scale - rest < max(held):
            return None
        return self._unless_held(value * scale - rest, held)

    def _problem_of_parts(self, by_name: dict[str, str], known: dict[str, str]) -> str | None:
        """What something is, as far as it could be read."""
        for key, value in by_name.items():
            if key not in ("jobid", "uuid") and value not in ("", known.get(key)):
                return f"its {key} is {known.get(key)}"
        return None

    def _problem_of_reckoned(self, name: str, by_name: dict[str, str], value: Decimal) -> str | None:
        if value < 0:
            return "less than nothing"
        domain = by_name.get("domain", "")
        if name.endswith("energy_joules_total") and domain in self.world.energy:
            with self.world.lock:
                most = Decimal(self.world.energy[domain].value - self.energy_first[domain]) / 1_000_000
            if value > most:
                return f"the meter has counted {most} J"
        return None

    def _refuse_fall(self, key: Series, value: Decimal) -> None:
        name, labels = key
        if not name.endswith("_total") or self._is_requeued(dict(labels).get("jobid")):
            return
        if value < self.highest.get(key, value):
            raise Failure(f"{name}{dict(labels)} fell from {self.highest[key]} to {value}")
        self.highest[key] = value

    def _is_requeued(self, job: str | None) -> bool:
        return job is not None and len(self.runs_of(job)) > 1

    def forget(self, pattern: str) -> None:
        """Counters that do not outlive the daemon."""
        self.highest = {key: value for key, value in self.highest.items() if not re.search(pattern, key[0])}

    def missing(self, text: str) -> list[str]:
        """What a sound node would say now, and this one does not."""
        series = parse(text)
        lacking = []
        for name, rest in self.constants:
            if OWN.match(name) or RECKONED.match(name) or SOMETIMES.match(name):
                continue
            if not name.startswith(("jobmetrics_job_", "jobmetrics_step_", "jobmetrics_task_")) and (name, rest) not in series:
                lacking.append(f"{name}{dict(rest)}")
        with self.world.lock:
            runs = list(self.world.runs)
        said = {(name, dict(labels).get("jobid"), self.without_job(name, labels)): value for (name, labels), value in series.items()}
        for run in runs:
            lacking += self._missing_of(run, said)
        return lacking

    def _missing_of(self, run, said: dict) -> list[str]:
        lacking = []
        for name, rest in self.constants:
            if not name.startswith(("jobmetrics_job_", "jobmetrics_step_", "jobmetrics_task_")) or RECKONED.match(name) or SOMETIMES.match(name):
                continue
            value = said.get((name, run.job, rest))
            metric = name.removeprefix("jobmetrics_job_")
            figure, scale = JOB_FIGURES.get(metric, (None, 1)) if name.startswith("jobmetrics_job_") else (None, 1)
            if value is None:
                lacking.append(f"{name}{dict(rest)} of job {run.job}")
            elif figure is not None and (value * scale < run.figures[figure].value if metric in MOST_SEEN else value * scale != run.figures[figure].value):
                lacking.append(f"{name} of job {run.job}: {value} is old")
        return lacking
