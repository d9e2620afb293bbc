#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is known of short jobs in cgroups of v2, on a virtual machine that is five to ten times slower than this one.

usage: test-machine.py FOLDER [JOBS [WORD ...]]

FOLDER keeps the build, and the figures in run/out/ledger. On the machine test-cgroups.py runs, with JOBS (200) and WORDs.
"""

import importlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "vm"), str(HERE.parent / "pylib")]
import tap  # noqa: E402

vm = importlib.import_module("test-vm")

JOBS = "200"
# these report what others do not there; all of them would take hours
WORDS = ["no ledger, 5 s, none", "ledger, 5 s", "ledger, 1 s", "killed, gone"]


class Suite(vm.Suite):
    script = HERE / "inside" / "script"
    needed = ("e2e", "pylib", "ledger")

    def __init__(self, folder: pathlib.Path, arguments: list[str]):
        super().__init__(folder, arguments or [JOBS, *WORDS])

    def pack(self) -> None:
        super().pack()
        (self.carried / "arguments").write_text("\n".join(self.classes) + "\n")
        vm.run("gcc", "-O1", "-o", self.carried / "short-job", HERE / "short-job.c")


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    reason = vm.unfit_because()
    if reason:
        tap.skip_all(reason)
    return vm.run_suite(Suite(pathlib.Path(sys.argv[1]), sys.argv[2:]))


if __name__ == "__main__":
    sys.exit(main())
