# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""One seed: 200 nodes, a scheduler's history and a server, whatever can go wrong between them, and what the archive has in the end."""

import base64
import pathlib
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import node_records
from accounting import Accounting
from daemon import Failure
from farm import LOGIN, Farm, make_login
from invariant import Invariant, key_of, known_of
from live import LiveNode
from plan import CLUSTERS, DAY, FARMED, Kind, Node, Plan, Run, Share
from played import Player
from site_server import Site

# which no disk delays
MEMORY = pathlib.Path("/dev/shm")
N_FARMS = 4
SETTLE_SECONDS = 300
LOOK_SECONDS = 0.5
LIVE_RUNS = 2  # in each act, at most
N_VICTIMS = 5  # of each kind of lie


@dataclass
class Tools:
    exporter: str
    live_exporter: str
    cli: str
    farm: str


class Campaign:
    def __init__(self, tools: Tools, seed: int, n_runs: int, n_acts: int, patience: float, spared: set[str], n_servers: int):
        self.tools, self.patience, self.spared, self.n_servers = tools, patience, spared, n_servers
        self.plan = Plan(seed, int(time.time()), n_runs, n_acts)
        self.random = Random(seed + 1)
        self.holder = tempfile.TemporaryDirectory(prefix="jobmetrics-federation-", dir=MEMORY if MEMORY.is_dir() else None)
        self.folder = pathlib.Path(self.holder.name)
        self.invariant = Invariant(self.plan)
        self.farms: list[Farm] = []
        self.lives: list[LiveNode] = []
        self.players: dict[Node, Player] = {}
        self.site: Site | None = None
        self.delays: list[float] = []
        self.settled_seconds = SETTLE_SECONDS
        self.n_emptied = self.n_lies = 0

    def close(self) -> None:
        if self.site:
            self.site.close()
        for player in self.players.values():
            player.close()
        for live in self.lives:
            live.close()
        for farm in self.farms:
            if farm.process.poll() is None:
                farm.kill()
        self.holder.cleanup()

    # --- the beginning

    def begin(self) -> None:
        config, login = make_login(self.folder)
        header = "Basic " + base64.b64encode(":".join(LOGIN).encode()).decode()
        farmed = self.plan.nodes_of(*FARMED)
        for i in range(N_FARMS):
            self.farms.append(Farm(self.tools.farm, config, self.folder / f"farm-{i}", farmed[i::N_FARMS]))
        for node in self.plan.nodes_of(Kind.LIVE):
            self.lives.append(LiveNode(self.tools.live_exporter, config, header, self.folder / f"live-{node.cluster}", node, self.plan))
        self.players = {node: Player(node) for node in self.plan.nodes if node.kind not in FARMED | {Kind.LIVE}}
        self.accounting = Accounting(self.folder / "slurm")
        self.site = Site(self.tools.exporter, self.folder / "site", self.accounting.folder, login, self.n_servers)
        self._set_nodes()
        self.site.start()

    def _set_nodes(self) -> None:
        self.site.set_nodes(self.plan.nodes)

    # --- what happens

    def _told_of(self, farm: Farm, act: int) -> list[tuple[str, Node, dict]]:
        told = []
        for run in self.plan.runs:
            for share in run.shares:
                if share.node.name not in farm.nodes:
                    continue
                if share.act == act + 1 and self.random.random() < 0.5:
                    told.append(("running", share.node, node_records.make(run, share, is_running=True)))
                if share.act == act:
                    told.append(("append", share.node, node_records.make(run, share)))
                    told += self._local_of(run, share)
        return told

    def _local_of(self, run: Run, share: Share) -> list[tuple[str, Node, dict]]:
        if "local" in self.spared or self.random.random() > 0.03:
            return []
        self.n_lies += 1
        return [("append", share.node, node_records.make_local(run, share))]

    def _let_farm_tell(self, farm: Farm, act: int) -> None:
        told = self._told_of(farm, act)
        is_killed = bool(told) and self.random.random() < 0.3
        farm.record(told, self.random.randrange(len(told)) if is_killed else None)
        if is_killed:
            self._set_nodes()

    def _let_players_tell(self, act: int) -> None:
        for run in self.plan.runs:
            for share in run.shares:
                if share.act == act and node_records.is_sent(share.node.kind):
                    self._let_player_tell(run, share)
        if act == 0:
            for node in self.plan.nodes_of(Kind.LIAR):
                self._let_lie(node)

    def _let_player_tell(self, run: Run, share: Share) -> None:
        player, record = self.players[share.node], node_records.make(run, share)
        if share.node.kind == Kind.OLD:
            record = node_records.make_old(record)
        elif share.node.kind == Kind.NEW:
            record = node_records.make_new(record)
        elif share.node.kind == Kind.BOASTER:
            record = node_records.boast(record, self.random)
        elif share.node.kind == Kind.POISONED and "poison" not in self.spared:
            player.tell(node_records.spoil(record, self.random.choice(node_records.SPOILED)))
        player.tell(record)

    def _let_lie(self, liar: Node) -> None:
        for how in node_records.LIES:
            victims = [] if how in self.spared else [run for run in self.plan.runs if node_records.may_lie(liar, run, how)]
            for victim in self.random.sample(victims, min(N_VICTIMS, len(victims))):
                self.players[liar].tell(node_records.lie(self.plan, liar, victim, how))
                self.n_lies += 1

    def _publish(self, act: int) -> None:
        runs = self.plan.runs
        beacon = self._make_beacon(act)
        runs.append(beacon)
        self.accounting.publish([run for run in runs if run.running_act == act], [run for run in runs if run.act == act])
        self.beacon, self.published_at = beacon, time.monotonic()

    def _make_beacon(self, act: int) -> Run:
        """A run that the accounting alone has: once it is there, so is what came before."""
        cluster = CLUSTERS[-1]
        node = self.plan.nodes_of(Kind.MUTE)[-1]
        owner = self.random.choice(self.plan.people[cluster])
        start = self.plan.now - DAY // 8 + act
        return Run(cluster, str(100 + act), owner, start, start, start + 60, [Share(node, 0, 0)], act)

    def _empty(self, act: int) -> None:
        """A node comes back with a new ledger. What it recorded so far is lost where it was not read yet."""
        node = self.random.choice(self.plan.nodes_of(*FARMED))
        farm = next(farm for farm in self.farms if node.name in farm.nodes)
        for run in self.plan.runs:
            run.may_lack = run.may_lack or any(share.node is node and share.act <= act for share in run.shares)
        farm.empty(node, self.random.choice([0, -400 * DAY]))
        self.n_emptied += 1

    def _set_clock(self) -> None:
        """A clock jumps while its node runs. Its hooks have the scheduler's time all the while."""
        node = self.random.choice(self.plan.nodes_of(Kind.SHIFTED))
        node.seconds_ahead = self.plan.draw_shift(node.kind)

    def _live(self, live: LiveNode, act: int) -> None:
        self.plan.runs += [live.live(act) for _ in range(self.random.randint(1, LIVE_RUNS))]
        self._set_nodes()

    def look(self) -> list[dict]:
        jobs = self.site.runs()
        self._refuse(self.invariant.look(jobs))
        return jobs

    @staticmethod
    def _refuse(problems: list[str]) -> None:
        if problems:
            raise Failure(f"{len(problems)} problems:\n" + "\n".join(problems[:40]))

    def act(self, number: int) -> None:
        for live in self.lives:
            self._live(live, number)
        away = self.random.choice([*self.farms, None, None])
        if away:
            away.kill()
        steps: list[Callable[[], object]] = [lambda farm=farm: self._let_farm_tell(farm, number) for farm in self.farms if farm is not away]
        steps += [lambda: self._let_players_tell(number), lambda: self._publish(number), self._set_clock]
        steps += [self.accounting.fail_once for _ in range(self.random.randrange(2))]
        steps += [self.site.restart for _ in range(self.random.randrange(3))]
        self.random.shuffle(steps)
        for step in steps:
            step()
            self.look()
        self._await_beacon()
        if away:
            self._let_come_back(away, number)
        self._empty(number)

    def _let_come_back(self, farm: Farm, act: int) -> None:
        farm.start()
        self._set_nodes()
        self._let_farm_tell(farm, act)

    def _await_beacon(self) -> None:
        """For a while: a round takes as long as its slowest node."""
        end = time.monotonic() + self.patience
        while not any(job["cluster"] == self.beacon.cluster and job["raw_id"] == self.beacon.id for job in self.look()):
            if time.monotonic() > end:
                return
            time.sleep(LOOK_SECONDS)
        self.delays.append(time.monotonic() - self.published_at)

    # --- the end

    def _await_truth(self) -> float:
        begun = time.monotonic()
        while problems := self._check():
            if time.monotonic() > begun + SETTLE_SECONDS:
                self._refuse(problems)
            time.sleep(LOOK_SECONDS)
        return time.monotonic() - begun

    def _check(self) -> list[str]:
        jobs = self.look()
        uuids = {key_of(job): job["uuid"] for job in known_of(jobs)}
        return self.invariant.check(jobs) or [
            problem
            for run in self.plan.runs
            if run.is_uncertain
            for problem in self.invariant.check_parts(run, self.site.get(f"/api/v1/jobs/{uuids[run.key]}")["nodes"])
        ]

    def settle(self) -> None:
        """All is reported, and the server begins anew: it comes to the truth, and stays there."""
        self.accounting.heal()
        self.site.restart()
        self.settled_seconds = self._await_truth()
        self.site.restart()
        self._publish(self.plan.n_acts)
        self._await_truth()
        self._refuse(self.invariant.check_sums(self.site.get("/api/v1/usage", group=["cluster", "user"])["usage"], self.look()))
        for person in self.plan.people[CLUSTERS[0]]:
            self._refuse(self.invariant.check_sight(person.user, self.site.runs(person.user)))

    def end(self) -> None:
        """All end in order, and the archive is sound."""
        self.figures = self.site.figures()
        self.site.end()
        for live in self.lives:
            live.daemon.end()
        for farm in self.farms:
            farm.end()
        done = subprocess.run([self.tools.cli, "store", "check", f"--store={self.site.store}"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"store check: {done.stdout}{done.stderr}")

    def run(self) -> None:
        self.begin()
        for number in range(self.plan.n_acts):
            self.act(number)
        self.settle()
        self.end()
