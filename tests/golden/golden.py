#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares what the exporter says of each fixture with tests/expected/SITUATION.prom.

usage: golden.py [--update] EXPORTER [SITUATION ...]

--update writes the expected files anew. What differs from run to run is taken out before.
"""

import difflib
import pathlib
import re
import shutil
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

EXPECTED = TESTS / "expected"
SECONDS = 60
# what is not built in
OPTIONS = {"services-v2": [f"--schedulers={TESTS.parent / 'data' / 'schedulers' / 'optional'}"]}

VOLATILE_VALUE = re.compile(
    rb"^((?:process_\w+|jobmetrics_exporter_\w+|jobmetrics_sweep_time_seconds|jobmetrics_\w+_(?:duration|age)_seconds)(?:\{.*\})?) \S+$", re.MULTILINE
)
VOLATILE_LABELS = re.compile(rb"^(jobmetrics_build_info)\{.*\} 1$", re.MULTILINE)


def without_what_varies(text: bytes) -> bytes:
    return VOLATILE_LABELS.sub(rb"\1{...} 1", VOLATILE_VALUE.sub(rb"\1 ...", text))


def once(exporter: str, situation: str) -> tuple[int, bytes, str]:
    command = [exporter, "node", f"--path.rootfs={FIXTURES / situation}", "--once", *OPTIONS.get(situation, [])]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def difference(expected: bytes, output: bytes, situation: str) -> str:
    lines = [text.decode(errors="backslashreplace").splitlines() for text in (expected, output)]
    diff = list(difflib.unified_diff(*lines, f"expected/{situation}.prom", "output", n=1, lineterm=""))
    return "\n".join(diff[:100] + ([f"({len(diff) - 100} more lines)"] if len(diff) > 100 else []))


def problem_of(situation: str, status: int, output: bytes, errors: str) -> str | None:
    if status != 0:
        return f"exit status {status}\n{errors}"
    try:
        output.decode()
    except UnicodeDecodeError as error:
        return f"the output is not UTF-8: {error}"
    file = EXPECTED / f"{situation}.prom"
    if not file.exists():
        return f"{file.relative_to(TESTS)} is missing; golden.py --update makes it"
    expected, seen = file.read_bytes(), without_what_varies(output)
    return difference(expected, seen, situation) if seen != expected else None


def promtool_problem(output: bytes) -> str | None:
    done = subprocess.run(["promtool", "check", "metrics"], input=output, capture_output=True, timeout=SECONDS)
    return (done.stdout + done.stderr).decode(errors="replace") if done.returncode != 0 else None


def tell(number: int, name: str, problem: str | None) -> bool:
    if problem is not None:
        tap.comment(problem)
    tap.say(f"{'ok' if problem is None else 'not ok'} {number} - {name}")
    return problem is None


def check(exporter: str, situations: list[str]) -> int:
    fine = True
    tap.say(f"1..{2 * len(situations)}")
    for index, situation in enumerate(situations):
        status, output, errors = once(exporter, situation)
        number = 2 * index + 1
        fine &= tell(number, f"{situation} reads as expected", problem_of(situation, status, output, errors))
        if shutil.which("promtool") is None:
            tap.say(f"ok {number + 1} - {situation} pleases promtool # SKIP promtool is not installed")
        else:
            fine &= tell(number + 1, f"{situation} pleases promtool", promtool_problem(output))
    return 0 if fine else 1


def update(exporter: str, situations: list[str]) -> int:
    EXPECTED.mkdir(exist_ok=True)
    for situation in situations:
        status, output, errors = once(exporter, situation)
        if status != 0:
            print(f"{situation}: exit status {status}\n{errors}", file=sys.stderr)
            return 1
        (EXPECTED / f"{situation}.prom").write_bytes(without_what_varies(output))
    return 0


def main() -> int:
    arguments = sys.argv[1:]
    act = check
    if arguments[:1] == ["--update"]:
        act = update
        arguments.pop(0)
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    situations = arguments[1:] or sorted(folder.parent.name for folder in FIXTURES.glob("*/proc"))
    return act(arguments[0], situations)


if __name__ == "__main__":
    sys.exit(main())
