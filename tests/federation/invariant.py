# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether an archive is what the plan knows."""

from plan import SOUND, STRANGER, Plan, Run

LEDGER = "ledger"
FIGURES = {"cpu_seconds": "cpu_us", "energy_joules": "energy_uj"}


def _to_micro(value: float | None) -> int | None:
    return None if value is None else round(value * 1_000_000)


def key_of(job: dict) -> tuple:
    return job["cluster"], job["raw_id"], job.get("start_time")


def known_of(jobs: list[dict]) -> list[dict]:
    return [job for job in jobs if job.get("uid") != STRANGER.uid]


def is_accounted(job: dict) -> bool:
    """Nodes do not know the list of a run's nodes."""
    return job.get("node_list") is not None


def _name(key: tuple) -> str:
    cluster, number, start = key
    return f"{cluster}/{number} of {start}"


class Invariant:
    """What was shown is remembered, and must not fall."""

    def __init__(self, plan: Plan):
        self.plan = plan
        self.shown: dict[tuple, int] = {}
        self.known: set[tuple] = set()
        self.n_looks = 0

    def _by_key(self) -> dict[tuple, Run]:
        return {run.key: run for run in self.plan.runs}

    # --- at any time

    def look(self, jobs: list[dict]) -> list[str]:
        """The runs of whom no accounting knows are beside the others."""
        self.n_looks += 1
        jobs = known_of(jobs)
        runs = self._by_key()
        keys = [key_of(job) for job in jobs]
        problems = self._find_twice(keys, jobs) if len(set(keys)) < len(keys) else []
        problems += [f"{_name(key)} is gone" for key in self.known - set(keys)]
        self.known.update(key for key in keys if key in runs)
        for key, job in zip(keys, jobs, strict=True):
            run = runs.get(key)
            problems += self._look_at_stranger(key, job) if run is None else self._look_at(run, job)
        return problems

    @staticmethod
    def _find_twice(keys: list[tuple], jobs: list[dict]) -> list[str]:
        twice = {key: [job for other, job in zip(keys, jobs, strict=True) if other == key] for key in set(keys) if keys.count(key) > 1}
        return [
            f"{_name(key)} is there {len(found)} times: "
            + "; ".join(f"{name} {values}" for name in found[0] if len(set(map(str, values := [job.get(name) for job in found]))) > 1)
            for key, found in twice.items()
        ]

    @staticmethod
    def _look_at_stranger(key: tuple, job: dict) -> list[str]:
        """Administrators see what nodes alone know; see check_sight()."""
        return [f"{_name(key)} is nobody's job, and the accounting's"] if is_accounted(job) else []

    def _look_at(self, run: Run, job: dict) -> list[str]:
        problems = []
        for name, value in (("user", run.owner.user), ("uid", run.owner.uid), ("account", run.owner.account)):
            if job.get(name) not in (None, value):
                problems.append(f"{_name(run.key)}: {name} is {job[name]}, not {value}")
        # until the accounting has its nodes, others of them may speak about it
        if job.get("end_time") is not None and is_accounted(job) and not run.is_uncertain:
            problems += [problem for name in FIGURES if (problem := self._fall_of(run, job, name))]
        return problems

    def _fall_of(self, run: Run, job: dict, name: str) -> str | None:
        """A figure of a run that has ended, of all of its nodes."""
        if job["sources"].get(name) != LEDGER:
            value = None
        else:
            value = _to_micro(job.get(name))
        before = self.shown.get((run.key, name))
        if value is not None:
            self.shown[(run.key, name)] = value
        return f"{_name(run.key)}: {name} fell from {before} to {value}" if before is not None and (value or 0) < before else None

    # --- in the end

    def check(self, jobs: list[dict]) -> list[str]:
        problems = self.look(jobs)
        by_key = {key_of(job): job for job in known_of(jobs)}
        for run in self.plan.runs:
            job = by_key.get(run.key)
            problems += [f"{_name(run.key)} is not there"] if job is None else self._check_run(run, job)
        return problems

    def _check_run(self, run: Run, job: dict) -> list[str]:
        wanted = {"user": run.owner.user, "uid": run.owner.uid, "account": run.owner.account, "submit_time": run.submit, "end_time": run.end}
        problems = [f"{_name(run.key)}: {name} is {job.get(name)}, not {value}" for name, value in wanted.items() if job.get(name) != value]
        return problems + [problem for name, truth in FIGURES.items() if (problem := self._check_figure(run, job, name, getattr(run, truth)))]

    def _check_figure(self, run: Run, job: dict, name: str, truth: int) -> str | None:
        value = _to_micro(job.get(name))
        if run.is_uncertain or (run.is_live and name == "energy_joules"):
            return None
        allowed = ([truth] if run.is_sound else []) + ([None] if run.may_lack or not run.is_sound else [])
        kinds = ", ".join(f"{share.node.name} {share.node.kind.name}" for share in run.shares)
        return None if value in allowed else f"{_name(run.key)} on {kinds}: {name} is {value}, not {allowed}"

    def check_parts(self, run: Run, parts: list[dict]) -> list[str]:
        """Beside nodes that lie, each of the others has what it used."""
        problems = []
        for share in run.shares:
            if share.node.kind in SOUND and not run.may_lack:
                told = [{truth: _to_micro(part.get(name)) for name, truth in FIGURES.items()} for part in parts if part["node"] == share.node.name]
                wanted = [{truth: getattr(share, truth) for truth in FIGURES.values()}]
                problems += [f"{_name(run.key)}: {share.node.name} has {told}, not {wanted}"] if told != wanted else []
        return problems

    def check_sums(self, rows: list[dict], jobs: list[dict]) -> list[str]:
        """How many runs each user has, as the sums of days have it: of what was cancelled in the queue no day has any. What nodes
        alone know is in them."""
        counts = {(row["cluster"], row["user"]): row["runs"] for row in rows}
        wanted: dict[tuple, int] = {}
        for run in self.plan.runs:
            if run.start is not None:
                wanted[run.cluster, run.owner.user] = wanted.get((run.cluster, run.owner.user), 0) + 1
        runs = self._by_key()
        for job in known_of(jobs):
            if key_of(job) not in runs:
                wanted[job["cluster"], job["user"]] = wanted.get((job["cluster"], job["user"]), 0) + 1
        return [f"{cluster}: {user} has {counts.get((cluster, user))} runs in the sums, not {n}" for (cluster, user), n in wanted.items() if counts.get((cluster, user)) != n]

    def check_sight(self, user: str, jobs: list[dict]) -> list[str]:
        """A user sees the user's own runs."""
        wanted = {run.key for run in self.plan.runs if run.owner.user == user}
        seen = {key_of(job) for job in jobs}
        return [f"{user} does not see {_name(key)}" for key in wanted - seen] + [f"{user} sees {_name(key)}" for key in seen - wanted]
