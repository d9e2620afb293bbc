# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The truth of a federation, made from a seed: clusters, people, nodes and runs, as plain numbers and names."""

from dataclasses import dataclass, field
from enum import Enum
from random import Random

CLUSTERS = ("alpha", "beta")
FARM_NODES = 172
# their records begin where the recorded job began, and have the recorded user
LIVE_UID, LIVE_ACCOUNT = 1001, "chemistry"
HOUR, DAY = 3600, 86400
# Slurm's accounting is read again as far back as this, so that it may learn late of an end
OVERLAP = 12 * HOUR


class Kind(Enum):
    """What a node is like. Each kind from DEAD on is played without the exporter's code."""

    HOOKED = "its hooks give a job's begin and owner"
    BARE = "it has no hooks, and knows a job's id and uid alone"
    SHIFTED = "its hooks work and its clock is wrong by hours or years"
    LOST = "it has no hooks and a clock that is wrong by years"
    LIVE = "a whole exporter on a made tree"
    DEAD = "it refuses connections"
    SILENT = "it takes a request and never answers"
    DEAF = "it never takes a connection"
    SLOW = "it takes 29 s for each page"
    OLD = "its records lack members that are newer"
    NEW = "its records have members that are not known yet"
    BEFORE = "it is older than the ledger, and has no such page"
    MUTE = "its ledger has nothing"
    BROKEN = "its pages are no pages"
    POISONED = "some of its records are none"
    LIAR = "its records are of others"
    BOASTER = "its figures are impossible"


SOUND = {Kind.HOOKED, Kind.BARE, Kind.SHIFTED, Kind.LIVE, Kind.SLOW, Kind.OLD, Kind.NEW, Kind.POISONED}
HOOKED = {Kind.HOOKED, Kind.SHIFTED, Kind.SLOW, Kind.OLD, Kind.NEW, Kind.LIAR}
FARMED = {Kind.HOOKED, Kind.BARE, Kind.SHIFTED, Kind.LOST}
TIMELY = SOUND - {Kind.SHIFTED}
# of a cluster each
PLAYED = {
    Kind.LIVE: 1,
    Kind.DEAD: 2,
    Kind.SILENT: 1,
    Kind.DEAF: 1,
    Kind.SLOW: 1,
    Kind.OLD: 1,
    Kind.NEW: 1,
    Kind.BEFORE: 1,
    Kind.MUTE: 1,
    Kind.BROKEN: 1,
    Kind.POISONED: 1,
    Kind.LIAR: 1,
    Kind.BOASTER: 1,
}


@dataclass(frozen=True)
class Person:
    user: str
    uid: int
    account: str


# whom no accounting knows
STRANGER = Person("mallory", 6666, "crime")


@dataclass(eq=False)
class Node:
    name: str
    cluster: str
    kind: Kind
    host: str  # of its own, so that no other node is ever found where it was
    boot: str
    seconds_ahead: int = 0
    address: str = ""
    n_records: int = 0


@dataclass
class Share:
    """What a run used on one node."""

    node: Node
    cpu_us: int
    energy_uj: int
    key: str = ""
    act: int = 0  # when the node records it


@dataclass(eq=False)
class Run:
    cluster: str
    id: str
    owner: Person
    submit: int
    start: int | None  # None of one that was cancelled while it waited
    end: int
    shares: list[Share]
    act: int = 0  # when the accounting has its end
    running_act: int | None = None  # when the accounting has that it runs
    may_lack: bool = False  # whether a record of it was lost before it could be read
    is_live: bool = False

    @property
    def key(self) -> tuple:
        return self.cluster, self.id, self.start

    @property
    def nodes(self) -> list[str]:
        return [share.node.name for share in self.shares]

    @property
    def is_sound(self) -> bool:
        return bool(self.shares) and all(share.node.kind in SOUND for share in self.shares)

    @property
    def is_uncertain(self) -> bool:
        return any(share.node.kind in (Kind.LIAR, Kind.BOASTER, Kind.LOST) for share in self.shares)

    @property
    def cpu_us(self) -> int:
        return sum(share.cpu_us for share in self.shares)

    @property
    def energy_uj(self) -> int:
        return sum(share.energy_uj for share in self.shares)


@dataclass
class Plan:
    seed: int
    now: int
    n_runs: int
    n_acts: int
    people: dict[str, list[Person]] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        for cluster in CLUSTERS:
            self.people[cluster] = self._make_people(cluster)
            self._make_nodes(cluster)
        for cluster in CLUSTERS:
            self._make_runs(cluster)

    def nodes_of(self, *kinds: Kind) -> list[Node]:
        return [node for node in self.nodes if node.kind in kinds]

    def boot(self) -> str:
        digits = f"{self.random.getrandbits(128):032x}"
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    def _make_people(self, cluster: str) -> list[Person]:
        """The same names have other numbers on the other cluster."""
        first = 20_000 if cluster == "alpha" else 30_000
        return [Person(f"user{i}", first + i, ("physics", "biology", "art")[i % 3]) for i in range(20)]

    def _make_nodes(self, cluster: str) -> None:
        n_farmed = FARM_NODES // len(CLUSTERS)
        kinds = [kind for kind, n in PLAYED.items() for _ in range(n)]
        kinds += self.random.choices([Kind.HOOKED, Kind.BARE, Kind.SHIFTED, Kind.LOST], [45, 40, 12, 3], k=n_farmed)
        for i, kind in enumerate(kinds):
            host = f"127.0.{1 + CLUSTERS.index(cluster)}.{1 + i}"
            node = Node(f"{cluster[0]}{i:03}", cluster, kind, host, self.boot())
            if kind in (Kind.SHIFTED, Kind.LOST):
                node.seconds_ahead = self.draw_shift(kind)
            self.nodes.append(node)

    def draw_shift(self, kind: Kind) -> int:
        amounts = [400 * DAY, 12 * 366 * DAY] if kind == Kind.LOST else [3 * HOUR, 20 * DAY, 400 * DAY, 12 * 366 * DAY]
        return self.random.choice(amounts) * self.random.choice([1, -1])

    # --- runs

    def _make_runs(self, cluster: str) -> None:
        """Ids are the same on both clusters."""
        nodes = [node for node in self.nodes if node.cluster == cluster and node.kind != Kind.LIVE]
        number = 1000
        while sum(run.cluster == cluster for run in self.runs) < self.n_runs // len(CLUSTERS):
            number += 1
            run = self._make_run(cluster, str(number), nodes, self.now - OVERLAP + 2 * HOUR)
            self.runs.append(run)
            if self._may_requeue(run) and self.random.random() < 0.08:
                self.runs.append(self._make_run(cluster, run.id, nodes, run.end + 600, run.owner))

    @staticmethod
    def _may_requeue(run: Run) -> bool:
        """A node without hooks does not know which of two runs it recorded: it is the one that went on at the time. So nobody
        says that the first goes on when it does not any more, neither a late accounting nor a node whose clock is ahead."""
        return run.start is not None and run.running_act is None and all(share.node.kind in TIMELY for share in run.shares)

    def _make_run(self, cluster: str, number: str, nodes: list[Node], after: int, owner: Person | None = None) -> Run:
        random = self.random
        owner = owner or random.choice(self.people[cluster])
        start = random.randrange(after, max(after, self.now - 3 * HOUR) + 1)
        end = start + random.randrange(30, HOUR)
        act = random.randrange(self.n_acts)
        if random.random() < 0.03:
            return Run(cluster, number, owner, start, None, end, [], act)
        n_nodes = random.choice([1, 1, 1, 1, 2, 3, 4])
        shares = [self._make_share(node, act) for node in random.sample(nodes, n_nodes)]
        running_act = random.randrange(act) if act and random.random() < 0.3 else None
        return Run(cluster, number, owner, start - random.randrange(5, 1000), start, end, shares, act, running_act)

    def _make_share(self, node: Node, act: int) -> Share:
        """The accounting hears of a run before a node does, or after it."""
        random = self.random
        when = min(max(act + random.choice([-1, 0, 0, 0, 1]), 0), self.n_acts - 1)
        return Share(node, random.randrange(1, 10**11), random.randrange(1, 10**12), self.make_key(node), when)

    def make_key(self, node: Node) -> str:
        node.n_records += 1
        return f"{node.boot}/{1000 + node.n_records}"
