#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""When the stages of run-all.py begin, what is reported of them, and what it prints at its end of a test that failed."""

import pathlib
import runpy
import sys
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "pylib"))
from stages import Runner, Schedule, Stage  # noqa: E402

PATIENCE = 60


def done(runner: Runner) -> bool:
    return True


def failed(runner: Runner) -> bool:
    return False


def crash(runner: Runner) -> bool:
    raise OSError("no room")


def says(text: str):
    return lambda runner: runner.run("echo", text)


class Stages(unittest.TestCase):
    def run_all(self, *stages: Stage) -> list[Stage]:
        """Those that were reported, in that order."""
        told = []
        self.notes = []
        Schedule(stages, HERE).run(told.append, self.notes.append)
        for stage in told:
            if stage.runner is not None:
                self.addCleanup(stage.runner.log.close)
        return told

    def test_are_reported_in_their_order_however_they_end(self):
        last_has_ended = threading.Event()

        def end_after_the_last(runner: Runner) -> bool:
            return last_has_ended.wait(PATIENCE)

        def end(runner: Runner) -> bool:
            last_has_ended.set()
            return True

        told = self.run_all(Stage("a", end_after_the_last), Stage("b", done), Stage("c", end))
        self.assertEqual([stage.name for stage in told], ["a", "b", "c"])
        self.assertTrue(all(stage.is_done for stage in told))
        self.assertEqual(self.notes[:3], ["a: begins", "b: begins", "c: begins"])
        self.assertTrue(self.notes[-1].startswith("a: "), self.notes)

    def test_begin_when_what_they_need_is_done(self):
        told = self.run_all(Stage("a", done), Stage("b", done, needs=["a"]), Stage("c", done, needs=["a", "b"]))
        for before, after in zip(told, told[1:]):
            self.assertGreaterEqual(after.began, before.ended)

    def test_do_not_begin_where_what_they_need_failed(self):
        _, b, c, d = self.run_all(Stage("a", failed), Stage("b", done, needs=["a"]), Stage("c", done, needs=["b"]), Stage("d", done))
        self.assertEqual((b.unmet, b.runner, b.is_done), ("a", None, False))
        self.assertEqual((c.unmet, c.runner, c.is_done), ("b", None, False))
        self.assertTrue(d.is_done)

    def test_never_run_beside_one_that_keeps_the_same(self):
        within = []

        def work(runner: Runner) -> bool:
            within.append(len(within))
            fine = runner.run("sleep", "0.1") and within == [0]
            within.pop()
            return fine

        told = self.run_all(*(Stage(name, work, keeps="the tests") for name in "abc"))
        self.assertEqual([stage.is_done for stage in told], [True, True, True])
        self.assertEqual(sorted(told, key=lambda stage: stage.began), told)

    def test_may_need_only_what_is_before_them(self):
        with self.assertRaisesRegex(ValueError, "a needs what is not before it"):
            Schedule([Stage("a", done, needs=["b"]), Stage("b", done)], HERE)

    def test_keep_what_their_commands_print(self):
        a, b = self.run_all(Stage("a", says("hello")), Stage("b", says("world"), niceness=10))
        self.assertEqual((a.runner.said(), b.runner.said()), ("hello\n", "world\n"))

    def test_know_how_their_commands_end_and_what_they_use(self):
        (a,) = self.run_all(Stage("a", lambda runner: runner.run("sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; exit 3")))
        self.assertIs(a.is_done, False)
        self.assertGreater(a.runner.cpu_seconds, 0)

    def test_that_crash_are_not_done_and_say_why(self):
        a, b = self.run_all(Stage("a", crash), Stage("b", done, needs=["a"]))
        self.assertIs(a.is_done, False)
        self.assertIn("OSError: no room", a.runner.said())
        self.assertEqual(b.unmet, "a")


class Failures(unittest.TestCase):
    def failures_of(self, **test: str) -> list[str]:
        run_all = runpy.run_path(str(HERE / "run-all.py"))
        tally = run_all["Tally"]()
        run_all["count_test"](tally, "gcc", test)
        return [failure.split("\n    ") for failure in tally.failed]

    def test_have_what_is_said_beside_their_line(self):
        output = "1..3\n# of another\nok 1 - a\n# why\n# and where\nnot ok 2 - b\n# more\nok 3 - c\n# of the last\n"
        self.assertEqual(self.failures_of(name="t", result="FAIL", stdout=output), [["gcc: t: b", "# why", "# and where", "# more"]])

    def test_have_the_end_of_what_is_said_otherwise(self):
        (failure,) = self.failures_of(name="t", result="TIMEOUT", stderr="\n".join(map(str, range(100))) + "\n" + "x" * 1000)
        self.assertEqual((failure[0], failure[-2], len(failure), len(failure[-1])), ("gcc: t", "99", 13, 300))


if __name__ == "__main__":
    unittest.main()
