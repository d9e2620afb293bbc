#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds jobmetrics in several ways, runs every test in each that suits it, and adds up.

usage: run-all.py [--without-slurm] [--without-vm]

Where CI is set, a test may only be skipped for one of the reasons in MAY_SKIP.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

TOP = pathlib.Path(__file__).resolve().parent.parent
TAP_LINE = re.compile(r"^(ok|not ok)\b(?: \d+)?(?: - )?(.*?)(?:\s+# (SKIP|TODO)\b ?(.*))?$", re.MULTILINE | re.IGNORECASE)
TAP_SKIP_ALL = re.compile(r"^1\.\.0\s+# SKIP ?(.*)$", re.MULTILINE | re.IGNORECASE)
GOOD = {"OK", "EXPECTEDFAIL"}
WITHOUT_SLURM = "--without-slurm was given"
WITHOUT_VM = "--without-vm was given"
MAY_SKIP = (
    WITHOUT_SLURM,
    WITHOUT_VM,
    # a machine that cannot run a Slurm with cgroups
    "only loopback addresses",
    "neither cgroup v2 with systemd nor cgroup v1",
    # a machine that nobody has told its own name
    "Grid Engine needs a name of this machine that resolves",
    # a container that may not change what the kernel offers it
    "no cgroup can be made here",
    "no mounts can be made here",
    "perf may not count here",
    "this host has no ::1",
    "the build directory is closed to other users",
    # a machine that cannot run another
    "needs root to make an image of a virtual machine",
    "the virtual machine is x86_64, this one is",
    "programs that are built here would not run on Debian 12",
    "not installed (tests/install-dependencies build package vm)",
    "MiB of memory are too little for the virtual machine",
    # a machine that cannot make a Debian beside its own
    "needs root to make a fresh Debian",
    "no fresh Debian can be made here",
    # a kernel that takes no programs of ours, or has no types to load them by
    "no BPF programs can be run here",
    # a system without Debian's simulator of a BMC
    "no simulated BMC without",
    # a machine without a browser
    "no chromium with chromedriver and python3-selenium",
    "chromium does not run: ",
    # no package of Debian, and not needed to build
    "pyright is not installed; Debian has none",
    # a build that measures other things
    "a sanitizer takes memory of its own",
)


@dataclass
class Build:
    name: str
    options: list[str]
    compiler: str
    suites: list[str]


TESTED = [
    Build("gcc", ["-Dwerror=true"], "gcc", ["--no-suite=e2e", "--no-suite=fuzz"]),
    Build(
        "sanitizers",
        [
            "-Dwerror=true",
            "-Db_sanitize=address,undefined",
            "-Db_lundef=false",
            "-Dintrospection=disabled",
            "-Dfuzz=true",
            "-Dc_args=-fno-omit-frame-pointer",
        ],
        "clang",
        ["--no-suite=e2e", "--no-suite=style"],
    ),
]
ANALYZED = Build("analyzer", ["-Dwerror=true", "-Dintrospection=disabled", "-Dtests=false", "-Dc_args=-fanalyzer"], "gcc", [])
END_TO_END = ["--suite=e2e"]
VIRTUAL_MACHINE = ["--suite=vm"]


@dataclass
class Tally:
    passed: int = 0
    failed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def add(self, name: str, verdict: str, reason: str = "") -> None:
        if verdict == "skip" and os.environ.get("CI") and not any(allowed in reason for allowed in MAY_SKIP):
            self.failed.append(f"{name}: skipped for a reason that is not in MAY_SKIP: {reason or 'none given'}")
        elif verdict == "skip":
            self.skipped.append(f"{name}: {reason or 'no reason given'}")
        elif verdict == "pass":
            self.passed += 1
        else:
            self.failed.append(name)

    def join(self, other: "Tally") -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def line(self) -> str:
        return f"{self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"


def say(text: str) -> None:
    print(f"\n== {text}", flush=True)


def run(*command: str, **environment: str) -> bool:
    done = subprocess.run(command, cwd=TOP, stdin=subprocess.DEVNULL, env={**os.environ, **environment})
    return done.returncode == 0


# Runs a command; whether it ended well.
Runner = Callable[..., bool]


class Background:
    """Work that takes what CPU time others leave, and is told of when it is over: tests against a Slurm wait more than they work."""

    def __init__(self, work: Callable[[Tally, Runner], None]):
        self.log = tempfile.TemporaryFile("w+", errors="replace")
        self.tally = Tally()
        self.thread = threading.Thread(target=work, args=(self.tally, self.run))
        self.thread.start()

    def run(self, *command: str, **environment: str) -> bool:
        environment = {**os.environ, **environment}
        done = subprocess.run(("nice", *command), cwd=TOP, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, env=environment)
        return done.returncode == 0

    def finish(self, tally: Tally) -> None:
        self.thread.join()
        self.log.seek(0)
        print(self.log.read(), flush=True)
        tally.join(self.tally)


def last_line(text: str | None) -> str:
    lines = [line for line in (text or "").splitlines() if line.strip()]
    return lines[-1] if lines else ""


def count_tap(tally: Tally, name: str, output: str) -> int:
    """Adds each line of a test that speaks TAP; gives how many of them say that it failed."""
    failed = 0
    for verdict, what, directive, reason in TAP_LINE.findall(output):
        full_name = f"{name}: {what}"
        if directive.upper() == "SKIP":
            tally.add(full_name, "skip", reason)
        elif verdict == "ok" or directive.upper() == "TODO":
            tally.add(full_name, "pass")
        else:
            tally.add(full_name, "fail")
            failed += 1
    return failed


def count_test(tally: Tally, build: str, test: dict) -> None:
    name = f"{build}: {test['name']}"
    output = test.get("stdout") or ""
    good = test["result"] in GOOD
    skip_all = TAP_SKIP_ALL.search(output)
    if skip_all:
        tally.add(name, "skip", skip_all[1])
    elif TAP_LINE.search(output):
        # where each of its lines is a skip, Meson calls the whole test skipped
        if count_tap(tally, name, output) == 0 and not good and test["result"] != "SKIP":
            tally.add(f"{name} ({test['result']})", "fail")
    elif test["result"] == "SKIP":
        tally.add(name, "skip", last_line(output) or last_line(test.get("stderr")))
    else:
        tally.add(name, "pass" if good else "fail")


def count_log(tally: Tally, build: str, log: pathlib.Path) -> int:
    """Adds what Meson wrote of a run; gives the number of tests in it."""
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    for line in lines:
        count_test(tally, build, json.loads(line))
    return len(lines)


def meson_test(tally: Tally, build: str, folder: pathlib.Path, suites: list[str], run: Runner = run) -> None:
    base = f"testlog-{build.replace(' ', '-')}"
    log = folder / "meson-logs" / f"{base}.json"
    log.unlink(missing_ok=True)
    fine = run("meson", "test", "-C", str(folder), "--no-rebuild", "--print-errorlogs", "--logbase", base, *suites)
    failed_before = len(tally.failed)
    if count_log(tally, build, log) == 0 or (not fine and len(tally.failed) == failed_before):
        tally.add(f"{build}: meson test", "fail")


def make(tally: Tally, build: Build, folder: pathlib.Path, run: Runner = run) -> bool:
    shutil.rmtree(folder, ignore_errors=True)
    fine = run("meson", "setup", str(folder), *build.options, CC=build.compiler) and run("meson", "compile", "-C", str(folder))
    tally.add(f"{build.name}: builds without a warning", "pass" if fine else "fail")
    return fine


def folder_of(build: Build) -> pathlib.Path:
    return TOP / f"build-{build.name}"


def run_beside(tally: Tally, run: Runner) -> None:
    """Beside the tests against a real Slurm."""
    make(tally, ANALYZED, folder_of(ANALYZED), run)
    if "--without-vm" in sys.argv:
        tally.add("virtual machine", "skip", WITHOUT_VM)
    else:
        meson_test(tally, "virtual machine", folder_of(TESTED[0]), VIRTUAL_MACHINE, run)


def main() -> int:
    if not set(sys.argv[1:]) <= {"--without-slurm", "--without-vm"}:
        print(__doc__, file=sys.stderr)
        return 2
    began = time.monotonic()
    tally = Tally()
    for build in TESTED:
        say(f"{build.name}: building")
        if make(tally, build, folder_of(build)):
            say(f"{build.name}: testing")
            meson_test(tally, build.name, folder_of(build), build.suites)
    background = Background(run_beside)
    if "--without-slurm" in sys.argv:
        tally.add("end to end", "skip", WITHOUT_SLURM)
    else:
        say("end to end, against a real Slurm")
        meson_test(tally, "end to end", folder_of(TESTED[0]), END_TO_END)
    say("the analyzer; and installed on a virtual machine with systemd and cgroup v2")
    background.finish(tally)

    say(f"done in {time.monotonic() - began:.0f} s")
    for skipped in tally.skipped:
        print(f"skipped: {skipped}")
    for failed in tally.failed:
        print(f"FAILED: {failed}")
    print(tally.line(), flush=True)
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
