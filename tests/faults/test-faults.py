#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A whole daemon whose files, servers, libraries, commands and disk fail at random: it bears all of it.

usage: test-faults.py EXPORTER LIBRARY [--seed N] [--campaigns N] [--seconds N]

The exporter is the one that is linked with faulty calls, the library the stand-in of NVIDIA's. Without --seed it is one by chance, which is printed; each
campaign has the seed after the one before.
"""

import argparse
import pathlib
import secrets
import shutil
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from campaign import Campaign  # noqa: E402
from daemon import Failure  # noqa: E402
from fixtures import FIXTURES  # noqa: E402


def run_one(arguments: argparse.Namespace, seed: int, with_hang: bool) -> bool:
    campaign = None
    try:
        campaign = Campaign(arguments.exporter, FIXTURES, arguments.nvml, seed, arguments.spare)
        for by_force in (True, False):
            campaign.live(2, arguments.seconds, with_hang and not by_force, by_force)
        return True
    except Failure as failure:
        tap.comment(str(failure))
        return False
    finally:
        if campaign:
            tap.comment(campaign.summary())
        if campaign and arguments.keep:
            shutil.rmtree(arguments.keep / str(seed), ignore_errors=True)
            shutil.copytree(campaign.folder, arguments.keep / str(seed), symlinks=True)
        if campaign:
            campaign.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("exporter")
    parser.add_argument("nvml")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1 << 31))
    parser.add_argument("--campaigns", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--spare", action="append", default=[], help="a place where nothing fails, as fault-plan.h has them")
    parser.add_argument("--keep", type=pathlib.Path, help="where the folder of each campaign is copied to")
    parser.add_argument("--hang", action="store_true")
    arguments = parser.parse_args()
    tap.say(f"1..{arguments.campaigns}")
    failed = 0
    for i in range(arguments.campaigns):
        seed = arguments.seed + i
        fine = run_one(arguments, seed, arguments.hang)
        failed += not fine
        tap.say(f"{'ok' if fine else 'not ok'} {i + 1} - bears what goes wrong (--seed={seed} --seconds={arguments.seconds:g}{' --hang' if arguments.hang else ''})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
