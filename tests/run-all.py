#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds jobmetrics in several ways, runs every test in each that suits it, and adds up.

usage: run-all.py [--without-slurm] [--without-vm]
       run-all.py --quick      one build without the analyzer, which is kept; unit tests, goldens, style

Where CI is set, a test may only be skipped for one of the reasons in MAY_SKIP.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from itertools import takewhile

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "tests" / "pylib"))
from stages import Runner, Schedule, Stage  # noqa: E402

TAP_LINE = re.compile(r"^(ok|not ok)\b(?: \d+)?(?: - )?(.*?)(?:\s+# (SKIP|TODO)\b ?(.*))?$", re.MULTILINE | re.IGNORECASE)
TAP_SKIP_ALL = re.compile(r"^1\.\.0\s+# SKIP ?(.*)$", re.MULTILINE | re.IGNORECASE)
GOOD = {"OK", "EXPECTEDFAIL"}
WITHOUT_SLURM = "--without-slurm"
WITHOUT_VM = "--without-vm"
QUICK_ALONE = "--quick"
WAS_GIVEN = " was given"
MAY_SKIP = (
    WITHOUT_SLURM + WAS_GIVEN,
    WITHOUT_VM + WAS_GIVEN,
    # a machine that cannot run a Slurm with cgroups
    "only loopback addresses",
    "neither cgroup v2 with systemd nor cgroup v1",
    # a machine whose own name is not configured
    "Grid Engine needs a name of this machine that resolves",
    # a container that may not change what the kernel offers it
    "no cgroup can be made here",
    "no mounts can be made here",
    "no host can be made here",
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
    # the first hour of a month, in which nothing was used that month
    "this month has not lasted as long as a job of it",
    # a build that measures other things
    "a sanitizer takes memory of its own",
)


@dataclass
class Build:
    name: str
    options: list[str]
    environment: dict[str, str]
    # whether what it compiled before is used again
    is_kept: bool = False

    @property
    def making(self) -> str:
        return f"{self.name}: building"

    @property
    def folder(self) -> pathlib.Path:
        return TOP / f"build-{self.name}"


def cached(compiler: str, namespace: str, *not_in_the_object: str) -> dict[str, str]:
    """The environment of a compiler whose objects are kept for the next run, and for other builds of the same namespace.

    Options in `not_in_the_object` change what the compiler says, and not what it makes."""
    if shutil.which("ccache") is None:
        return {"CC": compiler}
    home = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return {
        "CC": f"ccache {compiler}",
        "CCACHE_DIR": str(home / "jobmetrics-tests"),
        "CCACHE_MAXSIZE": "3G",
        # another checkout has other paths and the same objects
        "CCACHE_BASEDIR": str(TOP),
        "CCACHE_NOHASHDIR": "1",
        # debhelper compiles under another locale, which changes the compiler's words alone
        "CCACHE_SLOPPINESS": "pch_defines,time_macros,locale",
        "CCACHE_NAMESPACE": namespace,
        "CCACHE_IGNOREOPTIONS": " ".join(not_in_the_object),
    }


def flags_of_packages() -> dict[str, str]:
    """Those of Debian's packages of jobmetrics."""
    environment = {**os.environ, "DEB_BUILD_MAINT_OPTIONS": "hardening=+all"}
    command = ("dpkg-buildflags", "--get")
    return {
        name: subprocess.run((*command, name), cwd=TOP, env=environment, check=True, capture_output=True, text=True).stdout.strip()
        for name in ("CFLAGS", "CPPFLAGS", "LDFLAGS")
    }


ANALYZER = "-fanalyzer"
# Packages, the prefix and releases are compiled as this is, so that they find its objects. The analyzer has seen them:
# no other stage begins before this is built.
LIKE_PACKAGES = flags_of_packages()
SHARED = {**LIKE_PACKAGES, **cached("gcc", "analyzed", ANALYZER, "-fno-analyzer", "-Werror")}
GCC = Build(
    "gcc",
    ["-Dwerror=true", "--buildtype=plain", "--prefix=/usr", "--sysconfdir=/etc", "--localstatedir=/var"],
    {**SHARED, "CFLAGS": f"{LIKE_PACKAGES['CFLAGS']} {ANALYZER}", "CC_LD": "lld"},
)
SANITIZERS = Build(
    "sanitizers",
    [
        "-Dwerror=true",
        "-Db_sanitize=address,undefined",
        "-Db_lundef=false",
        "-Dintrospection=disabled",
        "-Dfuzz=true",
        # what a report shows is where; less of both takes a sixth less to compile
        "-Doptimization=1",
        "-Dc_args=-fno-omit-frame-pointer -gline-tables-only",
    ],
    {**cached("clang", "sanitizers"), "CC_LD": "lld"},
)
QUICK = Build(
    "quick",
    ["-Dwerror=true", "-Doptimization=0"],
    {**cached("gcc", "quick"), "CC_LD": "lld"},
    is_kept=True,
)
TEST_VM = str(TOP / "tests" / "vm" / "test-vm.py")
# beside other stages a test may be slow
PATIENCE = "--timeout-multiplier=3"
# of a test that failed, at the end of all: more of it stands above, which whoever reads the end alone does not see
LINES_OF_A_REASON = 12
LENGTH_OF_A_LINE = 300
# hundreds of tests that compute, and that would be slower side by side; other stages wait most of the time
THE_CORES = "the cores"


@dataclass
class Tally:
    passed: int = 0
    failed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def add(self, name: str, verdict: str, reason: str = "") -> None:
        """The reason of a failure may have lines."""
        if verdict == "skip" and os.environ.get("CI") and not any(allowed in reason for allowed in MAY_SKIP):
            self.failed.append(f"{name}: skipped for a reason that is not in MAY_SKIP: {reason or 'none given'}")
        elif verdict == "skip":
            self.skipped.append(f"{name}: {reason or 'no reason given'}")
        elif verdict == "pass":
            self.passed += 1
        else:
            self.failed.append("\n    ".join([name, *(line[:LENGTH_OF_A_LINE] for line in reason.splitlines()[-LINES_OF_A_REASON:])]))

    def join(self, other: "Tally") -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def line(self) -> str:
        return f"{self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"


def say(text: str) -> None:
    print(f"\n== {text}", flush=True)


def note(text: str) -> None:
    print(f"-- {text}", flush=True)


def last_line(text: str | None) -> str:
    lines = [line for line in (text or "").splitlines() if line.strip()]
    return lines[-1] if lines else ""


def comments_beside(output: str, line: re.Match[str]) -> str:
    """What a test says before and after a line of TAP."""
    before = list(takewhile(is_comment, reversed(output[: line.start()].splitlines())))
    after = takewhile(is_comment, output[line.end() :].lstrip("\n").splitlines())
    return "\n".join([*reversed(before), *after])


def is_comment(line: str) -> bool:
    return line.startswith("#")


def count_tap(tally: Tally, name: str, output: str) -> int:
    """Adds each line of a test that speaks TAP; gives how many of them say that it failed."""
    failed = 0
    for line in TAP_LINE.finditer(output):
        verdict, what, directive, reason = line.groups(default="")
        full_name = f"{name}: {what}"
        if directive.upper() == "SKIP":
            tally.add(full_name, "skip", reason)
        elif verdict == "ok" or directive.upper() == "TODO":
            tally.add(full_name, "pass")
        else:
            tally.add(full_name, "fail", comments_beside(output, line))
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
            tally.add(f"{name} ({test['result']})", "fail", end_of(test))
    elif test["result"] == "SKIP":
        tally.add(name, "skip", last_line(output) or last_line(test.get("stderr")))
    else:
        tally.add(name, "pass" if good else "fail", "" if good else end_of(test))


def end_of(test: dict) -> str:
    return test.get("stderr") or test.get("stdout") or ""


def count_log(tally: Tally, build: str, log: pathlib.Path) -> int:
    """Adds what Meson wrote of a run; gives the number of tests in it."""
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    for line in lines:
        count_test(tally, build, json.loads(line))
    return len(lines)


def test(runner: Runner, tally: Tally, name: str, build: Build, *which: str, **environment: str) -> bool:
    base = f"testlog-{name.replace(' ', '-')}"
    log = build.folder / "meson-logs" / f"{base}.json"
    log.unlink(missing_ok=True)
    command = ("meson", "test", "-C", str(build.folder), "--no-rebuild", "--print-errorlogs", PATIENCE, "--logbase", base)
    fine = runner.run(*command, *which, **environment)
    failed_before = len(tally.failed)
    if count_log(tally, name, log) == 0 or (not fine and len(tally.failed) == failed_before):
        tally.add(f"{name}: meson test", "fail")
    return fine


def make(runner: Runner, tally: Tally, build: Build) -> bool:
    if not build.is_kept:
        shutil.rmtree(build.folder, ignore_errors=True)
    again = ["--reconfigure"] if (build.folder / "build.ninja").exists() else []
    fine = runner.run("meson", "setup", *again, str(build.folder), *build.options, **build.environment)
    fine = fine and runner.run("meson", "compile", "-C", str(build.folder), **build.environment)
    tally.add(f"{build.name}: builds without a warning", "pass" if fine else "fail")
    return fine


@dataclass(eq=False)
class Part(Stage):
    """A stage, and what it found."""

    tally: Tally = field(default_factory=Tally)
    # the option that leaves it out
    left_out_by: str | None = None


def making(build: Build, **options) -> Part:
    part = Part(build.making, lambda runner: make(runner, part.tally, build), **options)
    return part


def testing(name: str, build: Build, *which: str, environment: dict[str, str] | None = None, **options) -> Part:
    def work(runner: Runner) -> bool:
        return test(runner, part.tally, name, build, *which, **(environment or {}))

    part = Part(name, work, needs=[build.making], **options)
    return part


def without(*suites: str) -> list[str]:
    return [f"--no-suite={suite}" for suite in suites]


def has_own_hosts() -> bool:
    """Whether end-to-end tests can run beside others here."""
    return subprocess.run([TOP / "tests" / "own-host", "--check"], check=False).returncode == 0


def parts() -> list[Part]:
    """What waits much begins first, for what works much to be done beside it.

    A sanitizer finds nothing in what was not compiled with it: files that are read, and Python; statistics are reckoned
    once, by optimised code."""
    clashes = None if has_own_hosts() else THE_CORES
    return [
        making(GCC),
        # a fresh machine has none; where none can be made, the tests on it say why
        Part("image", lambda runner: runner.run("python3", TEST_VM, "--image"), left_out_by=WITHOUT_VM, niceness=5),
        testing("end to end", GCC, "--suite=e2e", *without("install"), left_out_by=WITHOUT_SLURM, keeps=clashes),
        testing("virtual machine", GCC, "--suite=vm", environment=SHARED, left_out_by=WITHOUT_VM, niceness=2),
        testing("gcc", GCC, *without("e2e", "fuzz"), keeps=THE_CORES),
        making(SANITIZERS, needs=[GCC.making], niceness=2),
        testing("sanitizers", SANITIZERS, *without("e2e", "fuzz", "style", "uncompiled", "statistics"), keeps=THE_CORES),
        testing("fuzzers", SANITIZERS, "--suite=fuzz", niceness=2),
        testing("prefix", GCC, "prefix", environment=SHARED, niceness=10),
    ]


def tell(part: Part) -> None:
    if part.unmet is not None:
        part.tally.add(f"{part.name}: not begun, for this failed: {part.unmet}", "fail")
        return
    say(f"{part.name}: {part.figures()}")
    print(part.runner.said(), flush=True)
    if not part.is_done and not part.tally.failed:
        part.tally.add(f"{part.name}: failed", "fail")


def quick_parts() -> list[Part]:
    """What is tried ten times a day: no daemon, no other program of the machine."""
    others = without("e2e", "exporter", "cli", "bindings", "data", "install", "statistics")
    return [making(QUICK), testing("quick", QUICK, *others)]


def main() -> int:
    left_out = set(sys.argv[1:])
    is_quick = left_out == {QUICK_ALONE}
    if not is_quick and not left_out <= {WITHOUT_SLURM, WITHOUT_VM}:
        print(__doc__, file=sys.stderr)
        return 2
    began = time.monotonic()
    tally = Tally()
    wanted = quick_parts() if is_quick else [part for part in parts() if part.left_out_by not in left_out]
    Schedule(wanted, TOP).run(tell, note)
    for part in wanted:
        tally.join(part.tally)
    for option in sorted(left_out - {QUICK_ALONE}):
        tally.add("what that option leaves out", "skip", option + WAS_GIVEN)

    say(f"done in {time.monotonic() - began:.0f} s")
    for part in wanted:
        print(f"{part.name}: {part.figures()}")
    for skipped in tally.skipped:
        print(f"skipped: {skipped}")
    for failed in tally.failed:
        print(f"FAILED: {failed}")
    print(tally.line(), flush=True)
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
