#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""How much later the records of honest nodes are in the archive where nodes that are dead, slow, lying, mute and older are among them.

usage: lag-bench.py EXPORTER FARM [--seed N] [--rounds N] [--lies N]

Two servers read the same 172 ledgers at the same time; one of them has the five kinds of nodes in its list, too. In each round every ledger gets a record
of a run that the accounting has ended.
Printed are the medians and 99th percentiles of the time from then until the record is in the archive, of both servers and as ratios.
"""

import argparse
import pathlib
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from random import Random

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(TESTS / "pylib"), str(TESTS / "faults")]
import node_records  # noqa: E402
from accounting import Accounting  # noqa: E402
from campaign import MEMORY, N_FARMS  # noqa: E402
from daemon import Failure  # noqa: E402
from farm import Farm, make_login  # noqa: E402
from plan import DAY, FARMED, HOUR, Kind, Node, Plan, Run, Share  # noqa: E402
from played import Player  # noqa: E402
from site_server import Site  # noqa: E402

OTHERS = {Kind.DEAD, Kind.SLOW, Kind.LIAR, Kind.MUTE, Kind.OLD}
FIRST = 1000  # of the runs' ids
LOOK_SECONDS = 0.01
PATIENCE_SECONDS = 120


class Reader:
    """What one server has of the honest nodes' records, read from its archive."""

    def __init__(self, site: Site):
        # once it has its tables
        site.runs()
        self.database = sqlite3.connect(f"file:{site.store}?mode=ro", uri=True)
        self.seen: set[str] = set()

    def look(self, wanted: dict[str, str]) -> set[str]:
        """The keys that are new; @wanted has the node of each."""
        rows = self.database.execute("SELECT run_key, node FROM run_node")
        new = {key for key, node in rows if wanted.get(key) == node} - self.seen
        self.seen |= new
        return new

    def count_runs(self) -> int:
        return self.database.execute("SELECT count(*) FROM run WHERE submit_time > 0 AND end_time > 0").fetchone()[0]


def make_run(plan: Plan, number: int, node: Node) -> Run:
    start = plan.now - DAY // 8 + number % HOUR
    share = Share(node, 10**6, 10**6, plan.make_key(node))
    return Run(node.cluster, str(number), plan.random.choice(plan.people[node.cluster]), start, start, start + 60, [share])


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


class Bench:
    def __init__(self, folder: pathlib.Path, exporter: str, program: str, seed: int):
        self.plan = Plan(seed, int(time.time()), 0, 1)
        self.random = Random(seed)
        self.number = FIRST
        config, login = make_login(folder)
        self.honest = self.plan.nodes_of(*FARMED)
        for node in self.honest:
            node.kind, node.seconds_ahead = Kind.HOOKED, 0
        self.farms = [Farm(program, config, folder / f"farm-{i}", self.honest[i::N_FARMS]) for i in range(N_FARMS)]
        others = self.plan.nodes_of(*OTHERS)
        self.players = {node: Player(node) for node in others}
        self.accounting = Accounting(folder / "slurm")
        self.sites = [Site(exporter, folder / name, self.accounting.folder, login, 1) for name in ("alone", "among")]
        for site, nodes in zip(self.sites, (self.honest, self.honest + others)):
            site.set_nodes(nodes)
            site.start()
        self.readers = [Reader(site) for site in self.sites]
        self.lags: list[list[float]] = [[], []]

    def lie(self, runs: list[Run], n: int) -> None:
        for node, player in self.players.items():
            for _ in range(n if node.kind is Kind.LIAR else 1):
                run = self.random.choice(runs)
                if node.kind is Kind.LIAR:
                    how = self.random.choice(node_records.LIES)
                    player.tell(node_records.lie(self.plan, node, run, how))
                elif node_records.is_sent(node.kind):
                    player.tell(node_records.make(run, Share(node, 1, 1, self.plan.make_key(node))))

    def round(self, n_lies: int) -> None:
        runs = [make_run(self.plan, self.number + i, node) for i, node in enumerate(self.honest)]
        self.number += len(runs)
        self.accounting.publish([], runs)
        self.wait_until(lambda: all(reader.count_runs() >= self.number - FIRST for reader in self.readers))
        self.lie(runs, n_lies)
        wanted = {run.shares[0].key: run.shares[0].node.name for run in runs}
        begun = time.monotonic()
        for farm in self.farms:
            farm.record([("append", run.shares[0].node, node_records.make(run, run.shares[0])) for run in runs if run.shares[0].node.name in farm.nodes])
        n_wanted = 2 * (len(self.readers[0].seen) + len(wanted))
        self.wait_until(lambda: self.look(wanted, begun) == n_wanted)

    def look(self, wanted: dict[str, str], begun: float) -> int:
        for reader, lags in zip(self.readers, self.lags):
            lags += [time.monotonic() - begun] * len(reader.look(wanted))
        return sum(len(reader.seen) for reader in self.readers)

    @staticmethod
    def wait_until(holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not holds():
            if time.monotonic() > end:
                raise Failure("the archives do not have all of it")
            time.sleep(LOOK_SECONDS)

    def close(self) -> None:
        for site in self.sites:
            site.close()
        for player in self.players.values():
            player.close()
        for farm in self.farms:
            if farm.process.poll() is None:
                farm.kill()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("exporter")
    parser.add_argument("farm")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--lies", type=int, default=25, help="hostile records of each lying node in a round")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jobmetrics-lag-", dir=MEMORY if MEMORY.is_dir() else None) as folder:
        bench = Bench(pathlib.Path(folder), arguments.exporter, arguments.farm, arguments.seed)
        try:
            for _ in range(arguments.rounds):
                bench.round(arguments.lies)
        finally:
            bench.close()
    alone, among = bench.lags
    print(f"{len(alone)} records of {len(bench.honest)} honest nodes; among {len(bench.players)} others, {arguments.rounds * arguments.lies * len([n for n in bench.players if n.kind is Kind.LIAR])} hostile records")
    for name, share in (("median", 0.5), ("99th percentile", 0.99)):
        mean = [percentile(lags, share) for lags in (alone, among)]
        print(f"{name}: {mean[0]:.3f} s alone, {mean[1]:.3f} s among the others, ratio {mean[1] / mean[0]:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
