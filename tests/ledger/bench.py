# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs trials as tests, and leaves their figures in a folder."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from dataclasses import dataclass

import books
import table
import tap
from mill import Truth
from programs import SLOWNESS
from trial import Figures, Place, Round, Trial

# In memory as on a machine with systemd, and not shared with whatever else runs here.
RUNTIME = ("/run/jobmetrics", "/run/jobmetrics-exporter")
MOUNT = "".join(f"mount -t tmpfs -o mode=0755 none {name} && " for name in RUNTIME) + 'exec "$0" "$@"'
INSIDE = "JOBMETRICS_LEDGER_INSIDE"


@dataclass(frozen=True)
class Programs:
    exporter: str
    cli: str
    short_job: str


class Ground:
    """Where jobs run."""

    place: Place

    def start(self, folder: pathlib.Path, trial: Trial) -> None:
        raise NotImplementedError

    def run(self) -> list[Truth]:
        raise NotImplementedError

    def stop(self) -> None:
        raise NotImplementedError


class ATrial(unittest.TestCase):
    # what the last sweep before a kill read, and what the next one began with, are rounded
    JOULES_TOLERANCE = 1e-3

    def __init__(self, bench: "Bench", trial: Trial):
        super().__init__("run_trial")
        self.bench, self.trial = bench, trial

    def id(self) -> str:
        return self.trial.name

    def run_trial(self) -> None:
        figures = self.bench.run_trial(self.trial)
        for line in (*table.lines([figures]), *figures.falls[:5], *figures.known.missed[:5]):
            tap.comment(line)
        # the only things that hold on any machine, be it as slow as it may
        if self.trial.ledger:
            self.assertEqual(figures.falls, [])
            self.assertEqual(figures.twice, [])
            self.assertLessEqual(figures.joules, 1 + self.JOULES_TOLERANCE)
            self.assertLessEqual(figures.ledger.most_over, self.trial.cpu_tolerance)
            self.assertEqual(figures.ledger.false_claims, [])
        if self.trial.ledger and SLOWNESS == 1:
            self.assertGreaterEqual(figures.ledger.cpu, self.trial.least_known)


class Bench:
    def __init__(self, programs: Programs, ground: Callable[[], Ground], results: pathlib.Path):
        self.programs, self.make_ground, self.results = programs, ground, results
        self.results.mkdir(parents=True, exist_ok=True)
        self.figures: list[Figures] = []

    def run_trial(self, trial: Trial) -> Figures:
        with tempfile.TemporaryDirectory(prefix="jobmetrics-ledger-") as name:
            folder = pathlib.Path(name)
            folder.chmod(0o755)  # the jobs' users read there
            ground = self.make_ground()
            a_round = Round(trial, self.programs.exporter, ground.place, folder)
            try:
                ground.start(folder, trial)
                a_round.start()
                truths = ground.run()
                a_round.end()
                records = books.read(self.programs.cli, a_round.ledger) if trial.ledger else None
                figures = a_round.reckon(truths, records)
            finally:
                a_round.stop()
                ground.stop()
        self.figures.append(figures)
        figures.save(self.results / f"{trial.name.replace(' ', '-').replace(',', '')}.json")
        return figures

    def run(self, trials: list[Trial]) -> int:
        cases = [ATrial(self, trial) for trial in trials]
        tap.say(f"1..{len(cases)}")
        result = tap.Result()
        for case in cases:
            case.run(result)
        text = "\n".join(table.lines(self.figures))
        (self.results / "table.md").write_text(f"{text}\n")
        tap.comment(text)
        return 0 if result.wasSuccessful() else 1


def unfit_because() -> str | None:
    if os.geteuid() != 0:
        return "needs root to make cgroups"
    if shutil.which("prometheus") is None:
        return "prometheus is not installed"
    return mounts_unfit_because()


def mounts_unfit_because() -> str | None:
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
        return "no mounts can be made here"
    return None


def go_inside() -> None:
    """Begins the program anew where its runtime directories are its own."""
    if INSIDE in os.environ:
        return
    for name in RUNTIME:
        pathlib.Path(name).mkdir(exist_ok=True)
    command = ["unshare", "--mount", "sh", "-c", MOUNT, sys.executable, *sys.argv]
    os.execvpe(command[0], command, {**os.environ, INSIDE: "1"})
