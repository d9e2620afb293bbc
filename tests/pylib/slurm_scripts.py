# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm's commands as scripts, which print what a real one said."""

import pathlib
import shlex

TESTS = pathlib.Path(__file__).resolve().parent.parent
RECORDED = TESTS / "fixtures" / "slurm-commands-22.05"


def answer_table(path: pathlib.Path) -> str:
    """Rows of squeue or sinfo, with the separator that is asked for."""
    return f'{shlex.join(["sh", str(TESTS / "schedulers/print-recorded"), str(path)])} "$@"'


def answer(name: str) -> str:
    return shlex.join(["cat", str(RECORDED / name)])


ANSWERS = {
    "squeue": answer_table(RECORDED / "squeue"),
    "sinfo": answer_table(RECORDED / "sinfo"),
    "sshare": answer("sshare"),
    "sdiag": answer("sdiag"),
    "sacctmgr": f"""case "$4" in
assoc) {answer("limits")} ;;
qos) {answer("qos")} ;;
esac""",
    "scontrol": f"""case "$2" in
config) echo "ClusterName             = recorded" ;;
reservation) {answer("reservations")} ;;
licenses) {answer("licenses")} ;;
partition) {answer("partitions")} ;;
esac""",
}


def write_script(path: pathlib.Path, script: str) -> None:
    """At once, as somebody may be about to run it."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(f"#!/bin/sh\n{script}\n")
    new.chmod(0o755)
    new.rename(path)


def write_scripts(folder: pathlib.Path) -> None:
    for name, script in ANSWERS.items():
        write_script(folder / name, script)
