# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Stages of a long run: each begins as soon as what it needs is done and what it keeps to itself is free."""

import os
import pathlib
import queue
import subprocess
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass


class Runner:
    """Runs a stage's commands, one after another, in a folder; keeps what they print and counts what they use."""

    def __init__(self, folder: pathlib.Path, niceness: int = 0):
        self.log = tempfile.TemporaryFile("a+", errors="replace")
        self.cpu_seconds = 0.0
        self._folder = folder
        self._niceness = niceness

    def run(self, *command: str, **environment: str) -> bool:
        """Whether it ended well."""
        process = subprocess.Popen(
            ("nice", "-n", str(self._niceness), *command),
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=subprocess.STDOUT,
            env={**os.environ, **environment},
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.cpu_seconds += usage.ru_utime + usage.ru_stime
        return process.returncode == 0

    def said(self) -> str:
        self.log.seek(0)
        return self.log.read()


@dataclass(eq=False)
class Stage:
    name: str
    # whether what needs the stage can begin then
    work: Callable[[Runner], bool]
    # names of stages before it in the list
    needs: Sequence[str] = ()
    # what no other stage may use meanwhile
    keeps: str | None = None
    # of what works where others wait
    niceness: int = 0

    # its result: no runner where it could not begin
    runner: Runner | None = None
    unmet: str | None = None
    is_done: bool | None = None
    began: float = 0.0
    ended: float = 0.0

    def figures(self) -> str:
        if self.runner is None:
            return "not begun"
        return f"{self.ended - self.began:.0f} s from {self.began:.0f} s on, {self.runner.cpu_seconds:.0f} s of CPU time"


class Schedule:
    """Of stages that can begin at once, the first of the list begins first."""

    def __init__(self, stages: Sequence[Stage], folder: pathlib.Path):
        names = [stage.name for stage in stages]
        for i, stage in enumerate(stages):
            if not set(stage.needs) <= set(names[:i]):
                raise ValueError(f"{stage.name} needs what is not before it")
        self._stages = {stage.name: stage for stage in stages}
        self._folder = folder
        self._origin = time.monotonic()
        self._ended: queue.SimpleQueue[Stage] = queue.SimpleQueue()

    def run(self, tell: Callable[[Stage], None], note: Callable[[str], None]) -> None:
        """Reports each stage, in the order of the list, once it and all before it are over; notes what happens as it does."""
        waiting, untold = list(self._stages.values()), list(self._stages.values())
        running: list[Stage] = []
        while untold:
            for stage in list(waiting):
                if self._is_without_hope(stage):
                    waiting.remove(stage)
                elif self._can_begin(stage, running):
                    waiting.remove(stage)
                    running.append(stage)
                    self._begin(stage)
                    note(f"{stage.name}: begins")
            if running:
                over = self._ended.get()
                running.remove(over)
                note(f"{over.name}: {over.figures()}")
            while untold and untold[0] not in running + waiting:
                tell(untold.pop(0))

    def _is_without_hope(self, stage: Stage) -> bool:
        stage.unmet = next((name for name in stage.needs if self._stages[name].is_done is False), None)
        if stage.unmet is not None:
            stage.is_done = False
        return stage.unmet is not None

    def _can_begin(self, stage: Stage, running: Sequence[Stage]) -> bool:
        is_free = stage.keeps is None or all(other.keeps != stage.keeps for other in running)
        return is_free and all(self._stages[name].is_done for name in stage.needs)

    def _begin(self, stage: Stage) -> None:
        stage.runner = Runner(self._folder, stage.niceness)
        stage.began = time.monotonic() - self._origin
        threading.Thread(target=self._work, args=(stage,)).start()

    def _work(self, stage: Stage) -> None:
        try:
            stage.is_done = stage.work(stage.runner)
        except Exception:
            stage.is_done = False
            traceback.print_exc(file=stage.runner.log)
        stage.ended = time.monotonic() - self._origin
        self._ended.put(stage)
