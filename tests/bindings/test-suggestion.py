#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the next run should ask for, against a slow and plain reckoning of the same, on made archives whose truth is known.

usage: test-suggestion.py            as a test
       test-suggestion.py --figures  the table of doc/explanation/suggest.md
"""

import dataclasses
import math
import pathlib
import random
import sys
import unittest
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pylib"))
import tap  # noqa: E402
from introspection import JobMetrics  # noqa: E402

KIND = JobMetrics.RequestKind
POLICIES = {
    "suggestion": JobMetrics.RequestPolicy.SUGGESTION,
    "keep": JobMetrics.RequestPolicy.KEEP,
    "last": JobMetrics.RequestPolicy.LAST,
    "most": JobMetrics.RequestPolicy.MOST,
}
MIB, GIB, HOUR = 2**20, 2**30, 3600
MIDNIGHT = 1772323200


@dataclasses.dataclass
class Run:
    """One on a single node. `peak` is what was measured, and `asked` the memory it was given."""

    submit: int
    elapsed: int
    peak: int | None
    asked: int | None = 64 * GIB
    limit: int = 24 * HOUR
    state: str = "COMPLETED"
    cpus: int = 8
    cpu_seconds: float | None = None
    wait: int = 60

    @property
    def start(self) -> int:
        return self.submit + self.wait

    @property
    def end(self) -> int:
        return self.start + self.elapsed


def stored(number: int, run: Run, name: str = "relax", user: str = "ada", cluster: str = "alps") -> JobMetrics.Run:
    made = JobMetrics.Run.new(cluster, str(number))
    figures = {
        "user": user,
        "name": name,
        "state": run.state,
        "submit_time": run.submit,
        "start_time": run.start,
        "end_time": run.end,
        "time_limit_seconds": run.limit,
        "nodes": 1,
        "cpus": run.cpus,
        "memory_allocated_bytes": run.asked,
        "memory_peak_bytes": run.peak,
        "cpu_seconds": run.cpu_seconds,
    }
    for quantity, value in figures.items():
        if value is not None:
            made[quantity] = value
    return made


def suggest(runs: list[Run], confidence: float = 0.95) -> JobMetrics.RunSuggestion:
    newest_first = sorted(enumerate(runs), key=lambda pair: -pair[1].end)
    return JobMetrics.RunSuggestion.new([stored(number, run) for number, run in newest_first], confidence)


# --- the same, reckoned plainly ---


def steps_up(value: float, step: int) -> int:
    count = int(value // step)
    return (count if count * step == value else count + 1) * step


def written_memory(value: float) -> int:
    return steps_up(max(value, 1), 100 * MIB if value < 2 * GIB else GIB)


def written_time(value: float) -> int:
    return steps_up(max(value, 1), 300 if value <= HOUR else 900)


@dataclasses.dataclass
class Use:
    """What a run needed of memory, or of time."""

    need: float
    is_least: bool
    was_killed: bool
    asked: int | None
    hours: float
    run: Run


def uses_of(runs: list[Run], kind: str) -> list[Use]:
    """The newest first."""
    found = []
    for run in sorted(runs, key=lambda run: -run.end):
        killed = run.state == ("OUT_OF_MEMORY" if kind == "memory" else "TIMEOUT")
        asked = run.asked if kind == "memory" else run.limit
        need = run.peak if kind == "memory" else run.elapsed
        if killed and asked is not None:
            need = max(need or 0, asked)
        if need is None:
            continue
        hours = run.elapsed / HOUR if kind == "memory" else 1 / HOUR
        found.append(Use(need, run.state != "COMPLETED", killed, asked, hours, run))
    return found


def enough_for(uses: list[Use], share: Fraction) -> tuple[float, bool, bool]:
    """Each run has the same weight; one that ended early leaves its own to those that needed more.
    Returns what sufficed for the share, whether that is not known, and whether the most was of one that was killed."""
    ordered = sorted(uses, key=lambda use: (use.need, use.is_least))
    weights = [Fraction(1, len(ordered))] * len(ordered)
    reached = Fraction(0)
    for number, use in enumerate(ordered):
        if not use.is_least:
            reached += weights[number]
            if reached >= share:
                return use.need, False, False
        elif number + 1 < len(ordered):
            each = weights[number] / (len(ordered) - number - 1)
            for later in range(number + 1, len(ordered)):
                weights[later] += each
    return ordered[-1].need, True, ordered[-1].was_killed


def wanted(uses: list[Use], kind: str, share: Fraction) -> float:
    margin = 1.2 if kind == "memory" else 1.25
    candidates = []
    for window in (uses, uses[:20]):
        need, is_open, was_killed = enough_for(window, share)
        candidates.append((need * (1.5 if is_open and was_killed else margin), need, is_open, was_killed))
    with_margin, need, is_open, was_killed = max(candidates, key=lambda candidate: candidate[0])
    written = (written_memory if kind == "memory" else written_time)(with_margin)
    asked = next((use.asked for use in uses if use.asked is not None), None)
    if asked is None:
        return written
    if is_open:
        return max(written, asked) if was_killed or need > asked else asked
    return asked if need <= asked < written else written


def asked_by(policy: str, use: Use, before: list[Use], kind: str, share: Fraction) -> float | None:
    written = written_memory if kind == "memory" else written_time
    if policy == "suggestion":
        return wanted(before, kind, share)
    if policy == "keep":
        return use.asked
    return written(before[0].need * 1.2 if policy == "last" else max(other.need for other in before[:10]))


def tried(runs: list[Run], kind: str, policy: str, share: Fraction) -> tuple[int, int, float, float]:
    """Runs that were judged, those of them that failed, hours of what was saved, and of what was reserved."""
    uses = uses_of(runs, kind)
    judged, failed, saved, reserved = 0, 0, 0.0, 0.0
    for use in uses:
        before = [other for other in uses if other.run.end < use.run.start]
        value = asked_by(policy, use, before, kind, share) if len(before) >= 5 else None
        if value is None or (use.was_killed and value > use.need):
            continue
        fails = use.was_killed or (value < use.need and value != use.asked)
        judged += 1
        failed += fails
        if use.was_killed or use.asked is None:
            continue
        reserved += use.asked * use.hours
        if policy != "keep":
            saved += (-value if fails else use.asked - value) * use.hours
    return judged, failed, saved, reserved


# --- archives ---


def in_turn(peaks: list[float], rng: random.Random, **more: object) -> list[Run]:
    """One after the other, each of half an hour to two."""
    return [Run(MIDNIGHT + 10000 * number, rng.randrange(1800, 7200), int(peak), **more) for number, peak in enumerate(peaks)]


def log_normal(rng: random.Random) -> list[Run]:
    return in_turn([8 * GIB * rng.lognormvariate(0, 0.25) for _ in range(300)], rng)


def growing(rng: random.Random) -> list[Run]:
    return in_turn([4 * GIB * 1.01**number * rng.lognormvariate(0, 0.03) for number in range(250)], rng)


def two_modes(rng: random.Random) -> list[Run]:
    return in_turn([(24 if rng.random() < 0.2 else 3) * GIB * rng.lognormvariate(0, 0.05) for _ in range(300)], rng)


def one_outlier(rng: random.Random) -> list[Run]:
    peaks = [6 * GIB * rng.lognormvariate(0, 0.05) for _ in range(300)]
    peaks[150] = 50 * GIB
    return in_turn(peaks, rng)


def step_up(rng: random.Random) -> list[Run]:
    """The input changes in the middle."""
    return in_turn([(5 if number < 150 else 20) * GIB * rng.lognormvariate(0, 0.05) for number in range(300)], rng)


def killed_at_first(rng: random.Random) -> list[Run]:
    """Too little was asked for, until the user asked for more; some runs fail at once, and some are cancelled."""
    runs = []
    for number in range(200):
        need = int(7 * GIB * rng.lognormvariate(0, 0.2))
        asked = 8 * GIB if number < 60 else 32 * GIB
        run = Run(MIDNIGHT + 10000 * number, rng.randrange(1800, 7200), min(need, asked), asked)
        if need > asked:
            run.state, run.elapsed = "OUT_OF_MEMORY", run.elapsed // 2
        elif rng.random() < 0.1:
            run.state, run.elapsed, run.peak = rng.choice(["FAILED", "CANCELLED by 1000"]), 5, need // 10
        runs.append(run)
    return runs


def tight(rng: random.Random) -> list[Run]:
    """The user asks for what is needed, and hardly more."""
    return in_turn([3.9 * GIB * rng.uniform(0.95, 1) for _ in range(100)], rng, asked=4 * GIB)


def arrays(rng: random.Random) -> list[Run]:
    """Ten arrays of thirty tasks each, all of which are submitted before any has ended."""
    return [
        Run(MIDNIGHT + 20000 * (number // 30), rng.randrange(1800, 7200), int(8 * GIB * rng.lognormvariate(0, 0.25))) for number in range(300)
    ]


def heavy_tail(rng: random.Random) -> list[Run]:
    """A few runs need many times what most need, and all had enough."""
    return in_turn([4 * GIB * rng.lognormvariate(0, 1) for _ in range(300)], rng, asked=256 * GIB)


ARCHIVES = (log_normal, heavy_tail, growing, two_modes, one_outlier, step_up, killed_at_first, tight, arrays)


def archives() -> dict[str, list[Run]]:
    return {make.__name__: make(random.Random(make.__name__)) for make in ARCHIVES}


# --- tests ---


class AgainstPlainReckoning(unittest.TestCase):
    def check(self, name: str, runs: list[Run], confidence: float) -> None:
        suggestion = suggest(runs, confidence)
        share = Fraction(str(confidence))
        for kind, number in (("memory", KIND.MEMORY), ("time", KIND.TIME_LIMIT)):
            uses = uses_of(runs, kind)
            self.assertEqual(suggestion.get_n_known(number), len(uses), (name, kind))
            self.assertEqual(suggestion.get_suggested(number), (True, wanted(uses, kind, share)), (name, kind))
            for policy, value in POLICIES.items():
                judged, failed, saved, reserved = tried(runs, kind, policy, share)
                where = (name, kind, policy)
                self.assertEqual(suggestion.get_n_judged(number, value), judged, where)
                self.assertEqual(suggestion.get_n_failed(number, value), failed, where)
                is_known, amount, percent = suggestion.get_saved(number, value)
                self.assertEqual(is_known, reserved > 0, where)
                if is_known:
                    self.assertTrue(math.isclose(amount, saved, rel_tol=1e-9, abs_tol=1e-3), where)
                    self.assertTrue(math.isclose(percent, 100 * saved / reserved, rel_tol=1e-9, abs_tol=1e-9), where)

    def test_it_is_the_same_on_made_archives(self):
        for name, runs in archives().items():
            for confidence in (0.95, 0.8):
                self.check(name, runs, confidence)

    def test_it_is_the_same_on_small_archives_of_anything(self):
        rng = random.Random(1)
        states = ["COMPLETED"] * 4 + ["OUT_OF_MEMORY", "TIMEOUT", "FAILED", "CANCELLED"]
        for number in range(100):
            runs = [
                Run(
                    MIDNIGHT + rng.randrange(200000),
                    rng.randrange(0, 20000),
                    rng.choice([None, 1, rng.randrange(1, 9) * GIB, rng.randrange(1, 2**40)]),
                    rng.choice([None, 2 * GIB, 4 * GIB, rng.randrange(1, 2**42)]),
                    rng.choice([600, HOUR, 9 * HOUR]),
                    rng.choice(states),
                )
                for _ in range(40)
            ]
            if len(uses_of(runs, "memory")) >= 5 and len({run.end for run in runs}) == len(runs):
                self.check(f"small {number}", runs, rng.choice([0.5, 0.9, 0.99]))


class Promises(unittest.TestCase):
    def get(self, name: str) -> tuple[JobMetrics.RunSuggestion, float, float]:
        suggestion = suggest(archives()[name])
        judged = suggestion.get_n_judged(KIND.MEMORY, POLICIES["suggestion"])
        failed = suggestion.get_n_failed(KIND.MEMORY, POLICIES["suggestion"])
        return suggestion, failed / judged, suggestion.get_saved(KIND.MEMORY, POLICIES["suggestion"])[2]

    def test_no_more_runs_fail_than_the_confidence_allows(self):
        for name in ("log_normal", "growing", "two_modes", "one_outlier", "step_up", "arrays", "tight"):
            self.assertLessEqual(self.get(name)[1], 0.05, name)

    def test_most_of_what_was_asked_for_in_vain_is_saved(self):
        for name, least in (("log_normal", 70), ("one_outlier", 80), ("two_modes", 40)):
            self.assertGreaterEqual(self.get(name)[2], least, name)

    def test_whoever_asks_for_hardly_more_than_is_needed_keeps_it(self):
        suggestion, share, saved = self.get("tight")
        self.assertEqual(suggestion.get_suggested(KIND.MEMORY), (True, 4 * GIB))
        self.assertEqual((share, saved), (0, 0))

    def test_runs_that_are_submitted_at_once_are_tried_as_they_begin(self):
        """A loop of sbatch: each run begins when the one before has ended."""
        runs = [Run(MIDNIGHT, 100, (700 + 20 * number) * MIB, 4 * GIB, wait=60 + 101 * number) for number in range(20)]
        suggestion, policy = suggest(runs), POLICIES["suggestion"]
        self.assertEqual((suggestion.get_n_judged(KIND.MEMORY, policy), suggestion.get_n_failed(KIND.MEMORY, policy)), (15, 0))
        self.assertGreater(suggestion.get_saved(KIND.MEMORY, policy)[2], 60)

    def test_runs_that_ended_early_never_lower_it(self):
        rng = random.Random(2)
        for _ in range(50):
            runs = in_turn([rng.randrange(1, 60) * GIB for _ in range(30)], rng)
            early = [Run(MIDNIGHT - 90000 + number, 5, rng.randrange(1, 60) * GIB, state="FAILED") for number in range(3)]
            lower, higher = suggest(runs), suggest(runs + early)
            self.assertGreaterEqual(higher.get_suggested(KIND.MEMORY)[1], lower.get_suggested(KIND.MEMORY)[1])

    def test_runs_that_all_were_killed_need_more_than_they_had(self):
        runs = in_turn([4 * GIB] * 6, random.Random(3), asked=4 * GIB, state="OUT_OF_MEMORY")
        suggestion = suggest(runs)
        self.assertEqual(suggestion.get_suggested(KIND.MEMORY), (True, 6 * GIB))
        self.assertTrue(suggestion.is_at_least(KIND.MEMORY))

    def test_a_limit_that_no_run_came_to_the_end_in_is_not_lowered(self):
        suggestion = suggest(in_turn([4 * GIB] * 8, random.Random(3), state="FAILED"))
        self.assertEqual(suggestion.get_suggested(KIND.MEMORY), (True, 64 * GIB))
        self.assertEqual(suggestion.get_suggested(KIND.TIME_LIMIT), (True, 24 * HOUR))
        self.assertEqual(suggestion.to_string(), "Ask for the same again: so many of the last 8 runs of relax ended early that more may be needed.")

    def test_cpus_are_suggested_where_most_runs_use_few(self):
        rng = random.Random(4)
        idle = in_turn([GIB] * 10, rng, cpus=16)
        for run in idle:
            run.cpu_seconds = 2.02 * run.elapsed
        suggestion = suggest(idle)
        self.assertEqual(suggestion.get_suggested(KIND.CPUS), (True, 2))
        # the first five cannot be tried; the others had 14 CPUs too many, and would have been no slower
        policy = POLICIES["suggestion"]
        self.assertEqual((suggestion.get_n_judged(KIND.CPUS, policy), suggestion.get_n_failed(KIND.CPUS, policy)), (5, 0))
        is_known, amount, percent = suggestion.get_saved(KIND.CPUS, policy)
        self.assertTrue(is_known)
        self.assertAlmostEqual(amount, sum((16 - 2.02) * run.elapsed / HOUR for run in idle[5:]), places=3)
        self.assertAlmostEqual(percent, 100 * (16 - 2.02) / 16, places=3)
        for run in idle[:6]:
            run.cpu_seconds = 15 * run.elapsed
        self.assertFalse(suggest(idle).get_suggested(KIND.CPUS)[0])
        self.assertFalse(suggest(idle).get_suggested(KIND.GPUS)[0])

    def test_busy_cpus_are_kept_even_if_some_runs_idle(self):
        runs = in_turn([GIB] * 12, random.Random(7), cpus=16)
        for number, run in enumerate(runs):
            run.cpu_seconds = (12 if number % 3 == 0 else 3) * run.elapsed
        self.assertEqual(suggest(runs).get_suggested(KIND.CPUS), (True, 12))

    def test_fewer_than_five_runs_suggest_nothing(self):
        for count in range(5):
            suggestion = suggest(in_turn([GIB] * count, random.Random(5)))
            self.assertEqual(suggestion.get_n_runs(), count)
            for kind in (KIND.MEMORY, KIND.TIME_LIMIT, KIND.CPUS, KIND.GPUS):
                self.assertFalse(suggestion.get_suggested(kind)[0])
            self.assertTrue(suggestion.to_string().startswith("No suggestion"))
            self.assertEqual(list(suggestion.list_options()), [])


class Hostile(unittest.TestCase):
    def test_names_of_any_kind_keep_jobs_apart(self):
        run = Run(MIDNIGHT, 60, GIB)
        names = ["%", "%s%n", "'; DROP TABLE run; --", 'a"b', "two\nlines", "\x1b[31m", ""]
        for name in names:
            runs = [stored(number, Run(MIDNIGHT + 1000 * number, 60, GIB), name) for number in range(7)]
            runs += [stored(100, run, name + "x"), stored(101, run, name, user="bob"), stored(102, run, name, cluster="jura")]
            self.assertEqual(JobMetrics.RunSuggestion.new(runs, 0.95).get_n_runs(), 7, repr(name))

    def test_numbers_that_cannot_be_are_not_known(self):
        for peak in (-1, 0, 2**63 - 1, 10**15):
            runs = in_turn([peak] * 8, random.Random(6))
            suggestion = suggest(runs)
            is_known, value = suggestion.get_suggested(KIND.MEMORY)
            self.assertEqual(is_known, peak == 10**15, peak)
            self.assertTrue(math.isfinite(value))
            self.assertTrue(all(option.startswith(("--mem=", "--time=")) for option in suggestion.list_options()))

    def test_times_in_any_order(self):
        runs = [stored(number, Run(MIDNIGHT + 1000 * number, 60, GIB)) for number in range(8)]
        runs[0]["end_time"] = 1
        runs[1]["submit_time"] = 2**62
        runs[2]["start_time"] = 0
        self.assertEqual(JobMetrics.RunSuggestion.new(runs, 0.95).get_n_runs(), 6)

    def test_no_runs_at_all(self):
        suggestion = JobMetrics.RunSuggestion.new([], 0.95)
        self.assertEqual(suggestion.get_n_runs(), 0)
        self.assertEqual(suggestion.to_string(), "No suggestion: 0 runs have ended, and at least 5 are needed.")


def short_histories(rng: random.Random) -> list[list[Run]]:
    """Of a hundred jobs with fifteen runs each."""
    return [in_turn([8 * GIB * rng.lognormvariate(0, 0.25) for _ in range(15)], rng) for _ in range(100)]


def print_figures() -> None:
    """Of memory. Each archive is a list of histories of jobs."""
    histories = {name: [runs] for name, runs in archives().items()} | {"100 short histories": short_histories(random.Random("short"))}
    print("| archive | runs | " + " | ".join(POLICIES) + " |")
    print("| --- | --- |" + " --- |" * len(POLICIES))
    for name, jobs in histories.items():
        cells, runs = [], 0
        for policy in POLICIES:
            trials = [tried(job, "memory", policy, Fraction("0.95")) for job in jobs]
            judged, failed, saved, reserved = (sum(column) for column in zip(*trials))
            runs = max(runs, judged)
            cells.append(f"{100 * failed / judged:.1f}%, {100 * saved / reserved:.0f}%")
        print(f"| {name.replace('_', ' ')} | {runs} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    if sys.argv[1:] == ["--figures"]:
        print_figures()
    else:
        sys.exit(tap.run(AgainstPlainReckoning, Promises, Hostile))
