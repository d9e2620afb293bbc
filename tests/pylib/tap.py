# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs unittest cases in the order in which they are written, and reports them in TAP."""

import inspect
import sys
import time
import traceback
import unittest


def say(text: str) -> None:
    print(text, flush=True)


def comment(text: str) -> None:
    for line in text.splitlines():
        say(f"# {line}")


class Result(unittest.TestResult):
    def _tell(self, test: unittest.TestCase, verdict: str, remark: str = "") -> None:
        name = test.id().split(".")[-1].removeprefix("test_").replace("_", " ")
        say(f"{verdict} {self.testsRun} - {name}{remark}")

    def addSuccess(self, test):
        super().addSuccess(test)
        self._tell(test, "ok")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._tell(test, "ok", f" # SKIP {reason}")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        comment("".join(traceback.format_exception(*err)))
        self._tell(test, "not ok")

    def addError(self, test, err):
        super().addError(test, err)
        comment("".join(traceback.format_exception(*err)))
        self._tell(test, "not ok")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            comment("".join([f"{subtest}\n", *traceback.format_exception(*err)]))
            self._has_failed_part = True

    def startTest(self, test):
        super().startTest(test)
        self._has_failed_part = False

    def stopTest(self, test):
        super().stopTest(test)
        if self._has_failed_part:
            self._tell(test, "not ok")


def cases_of(case: type[unittest.TestCase]) -> list[unittest.TestCase]:
    """Those that it inherits first."""
    members = {name: member for one in reversed(case.__mro__) for name, member in vars(one).items()}
    return [case(name) for name, member in members.items() if name.startswith("test_") and inspect.isfunction(member)]


def skip_all(reason: str) -> None:
    say(f"1..0 # SKIP {reason}")
    sys.exit(0)


def refuse_forgotten(classes: tuple[type[unittest.TestCase], ...]) -> None:
    """A class that was written and is not run would look like one that passes."""
    for name, member in vars(sys.modules["__main__"]).items():
        is_ours = isinstance(member, type) and issubclass(member, unittest.TestCase) and member.__module__ == "__main__"
        if is_ours and member not in classes and cases_of(member):
            say(f"Bail out! {name} is not run")
            sys.exit(1)


def run(*classes: type[unittest.TestCase], part: bool = False) -> int:
    """Runs the tests of classes: of all that the program has, unless a part is wanted; says how long each class took."""
    if not part:
        refuse_forgotten(classes)
    cases = {a_class: cases_of(a_class) for a_class in classes}
    say(f"1..{sum(map(len, cases.values()))}")
    result = Result()
    for a_class, its_own in cases.items():
        began = time.monotonic()
        # a suite runs what the class sets up for all its tests, too
        unittest.TestSuite(its_own).run(result)
        comment(f"{a_class.__name__}: {time.monotonic() - began:.0f} s")
    return 0 if result.wasSuccessful() else 1
