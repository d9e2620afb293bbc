#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A federation in a box: 200 nodes, a scheduler's history and the server, among nodes that are dead, slow, lying, older or out of time, and kills.

usage: test-federation.py EXPORTER LIVE-EXPORTER CLI FARM [--seed N] [--runs N] [--acts N] [--patience N] [--minutes N] [--servers N] [--spare LIE] [--keep FOLDER]

In the end every run of the accounting is in the archive once, its owner is the accounting's, its joules and CPU seconds are those of its nodes, and nobody
has a run that the accounting does not know. Without --seed it is one by chance, which is printed; with --minutes campaigns follow each other for so long,
each with the seed after the one before.
"""

import argparse
import pathlib
import secrets
import shutil
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(TESTS / "pylib"), str(TESTS / "faults")]
import tap  # noqa: E402
from campaign import Campaign, Tools  # noqa: E402
from daemon import Failure  # noqa: E402


def summary(campaign: Campaign, seconds: float) -> str:
    delays = sorted(campaign.delays)
    seen = f"seen in {len(delays)} of {campaign.plan.n_acts} acts" + (f", after {delays[-1]:.1f} s at most" if delays else "")
    return (
        f"seed {campaign.plan.seed}: {len(campaign.plan.runs)} runs, {len(campaign.plan.nodes)} nodes, {campaign.n_servers} servers, {seconds:.0f} s; "
        f"killed: {campaign.site.n_daemons if campaign.site else 0} servers, {sum(farm.n_kills for farm in campaign.farms)} farms, "
        f"{sum(live.n_daemons - 1 for live in campaign.lives)} exporters; {campaign.n_emptied} ledgers emptied, {campaign.n_lies} lies, "
        f"{campaign.invariant.n_looks} looks; a new run was {seen}; all was there {campaign.settled_seconds:.0f} s after the last kill"
    )


def run_one(arguments: argparse.Namespace, seed: int) -> bool:
    tools = Tools(arguments.exporter, arguments.live_exporter, arguments.cli, arguments.farm)
    campaign = Campaign(tools, seed, arguments.runs, arguments.acts, arguments.patience, set(arguments.spare), arguments.servers or 1 + seed % 2)
    begun = time.monotonic()
    try:
        campaign.run()
        return True
    except Failure as failure:
        tap.comment(str(failure))
        return False
    finally:
        tap.comment(summary(campaign, time.monotonic() - begun))
        if arguments.keep:
            shutil.copytree(campaign.folder, arguments.keep / str(seed), symlinks=True, dirs_exist_ok=True, ignore=shutil.ignore_patterns("tree", "*socket*"))
        campaign.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("exporter", "live_exporter", "cli", "farm"):
        parser.add_argument(name)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1 << 31))
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--acts", type=int, default=6)
    parser.add_argument("--patience", type=float, default=8, help="seconds that an act waits for the server at most")
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--servers", type=int, help="how many write the same archive: two of every other seed where it is not said")
    parser.add_argument("--spare", action="append", default=[], help="a kind of lie that nobody tells: poison, local, or one of node_records.LIES")
    parser.add_argument("--keep", type=pathlib.Path, help="where the folder of each campaign is copied to")
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    n_run = n_failed = 0
    while n_run == 0 or time.monotonic() < end:
        seed = arguments.seed + n_run
        n_run += 1
        fine = run_one(arguments, seed)
        n_failed += not fine
        tap.say(f"{'ok' if fine else 'not ok'} {n_run} - the archive is what the accounting and the nodes know (--seed={seed} --runs={arguments.runs} --acts={arguments.acts} --patience={arguments.patience:g})")
    tap.say(f"1..{n_run}")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
