#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The exporter's three roles side by side on a real Slurm, beside a dead node and a node whose ledger has unreadable records.

usage: test-site.py EXPORTER SPEND

The server finds the nodes by the cluster role's /discovery. Slurm hands out local disk, which is a GRES and no GPU.
"""

import contextlib
import datetime
import json
import pathlib
import pwd
import shutil
import ssl
import subprocess
import sys
import tempfile
import unittest
import uuid
from collections.abc import Iterator

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "pylib"), str(HERE.parent / "federation")]
import tap  # noqa: E402
from lab import CLUSTER, NODE, NODE_PREFIX, Lab, Unfit  # noqa: E402
from metrics import Scrape, scrape  # noqa: E402
from node_records import make, spoil  # noqa: E402
from plan import Kind, Node, Person, Run, Share  # noqa: E402
from played import Player  # noqa: E402
from programs import SLOWNESS, Exporter, Late, turn, wait_for  # noqa: E402
from secured import LOGIN, Authority, fetch  # noqa: E402

EXPORTER, SPEND = sys.argv[1:]
DEAD, POISONED = f"{NODE_PREFIX}2", f"{NODE_PREFIX}3"
# All exporters have one port, as the targets of /discovery have.
ADDRESSES = {NODE: "127.0.0.1", DEAD: "127.0.0.2", POISONED: "127.0.0.3"}
SPENT_SECONDS = 3 * SLOWNESS
PLAYED_SECONDS = 25
# The longest time that a job stays after it has spent its CPU seconds.
STAY_SECONDS = 240 * SLOWNESS
# CPU seconds at a job's end, after the last look at its cgroup
ENDING_SECONDS = SLOWNESS
CHECK_SECONDS = 60 * SLOWNESS

site: "Site"


@contextlib.contextmanager
def known_hosts(addresses: dict[str, str]) -> Iterator[None]:
    file = pathlib.Path("/etc/hosts")
    before = file.read_text()
    file.write_text(before + "".join(f"{address} {name}\n" for name, address in addresses.items()))
    try:
        yield
    finally:
        file.write_text(before)


class Site(contextlib.ExitStack):
    def __init__(self, folder: pathlib.Path):
        super().__init__()
        self.folder = folder
        folder.chmod(0o755)  # the jobs' users read the lab's files
        self.spend = shutil.copy(SPEND, folder / "spend")
        self.socket = folder / "socket"
        self.lab = Lab(folder)
        self.callback(self.lab.down)

    def start(self) -> None:
        self.lab.up("--nodes", str(len(ADDRESSES)), "--gres", "localtmp:1000G")
        self.enter_context(known_hosts(ADDRESSES))
        authority = Authority(self.folder, "authority")
        config = authority.write_config(",".join(f"DNS:{name}" for name in ADDRESSES))
        options = [f"--node.name={NODE}", f"--cluster={CLUSTER}", f"--ledger.file={self.folder}/ledger.db"]
        self.node = self.begin("node", *options, f"--web.config.file={config}", scheme="https")
        self.play_others(config)
        self.cluster = self.begin("cluster", "--cluster.interval=1", f"--discovery.target=https://{{node}}:{self.node.port}")
        login = self.folder / "login"
        login.write_text("username={}\npassword={}\n".format(*LOGIN))
        login.chmod(0o600)
        self.options = [
            f"--server.store={self.folder}/accounts.db",
            f"--server.history=sacct,cluster={CLUSTER}",
            f"--server.nodes-url={self.cluster.url}/discovery",
            f"--server.nodes-login-file={login}",
            f"--server.nodes-ca-file={authority.file}",
            "--server.interval=1",
            f"--web.local-socket={self.socket}",
        ]
        self.server = self.begin("server", *self.options)

    def begin(self, role: str, *options: str, **more) -> Exporter:
        exporter = Exporter(EXPORTER, self.folder, *options, role=role, within=self.lab.within, **more)
        self.callback(exporter.stop)
        return exporter

    def play_others(self, config: pathlib.Path) -> None:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(config.with_suffix(".crt"), config.with_suffix(".key"))
        for name, kind in ((DEAD, Kind.DEAD), (POISONED, Kind.POISONED)):
            self.poisoned = Player(Node(name, CLUSTER, kind, ADDRESSES[name], str(uuid.uuid4())), self.node.port, tls)
            self.callback(self.poisoned.close)

    def kill_server(self) -> None:
        self.server.process.kill()
        self.server.process.wait()
        self.server = self.begin("server", *self.options, port=self.server.port)

    # --- jobs

    def begin_job(self) -> tuple[str, float]:
        """Returns a job of ada's that holds disk and stays, and the CPU seconds that it has spent."""
        script = f"exec {self.spend} {SPENT_SECONDS} 1 16 {STAY_SECONDS}"
        job = self.lab.sbatch("ada", script, "-n1", "--mem=100", f"--nodelist={NODE}", "--gres=localtmp:50G")
        self.lab.await_spent("ada", job)
        spent = self.lab.kernel_cpu_seconds(job)
        # what a cgroup has that goes before it is read again may be lost, and the record's coverage says so
        wait_for(f"the node has read what job {job} spent", 30, lambda: self.cpu_seconds_of(job) >= spent)
        return job, spent

    def cpu_seconds_of(self, job: str) -> float:
        """As the node shows it."""
        return Scrape(fetch(f"{self.node.url}/metrics")).value("jobmetrics_job_cpu_seconds_total", jobid=job) or 0

    def end_job(self, job: str) -> None:
        self.lab.release(job)
        self.lab.accounted(job, "end")

    def run_on_poisoned(self) -> dict:
        """Returns the record of a job of ben's that has ended."""
        job = self.lab.sbatch("ben", "sleep 3", "-n1", "--mem=50", f"--nodelist={POISONED}")
        times = self.lab.accounted(job, "submit,start,end").split("|")
        submit, start, end = (int(datetime.datetime.fromisoformat(time).timestamp()) for time in times)
        node = self.poisoned.node
        share = Share(node, PLAYED_SECONDS * 10**6, 10**6, f"{node.boot}/{job}")
        owner = Person("ben", pwd.getpwnam("ben").pw_uid, "chemistry")
        return make(Run(CLUSTER, job, owner, submit, start, end, [share]), share)

    # --- answers of the server

    def get(self, path: str, user: str) -> dict:
        status, text = self.lab.ask_socket(self.socket, path, user)
        assert status == 200, f"{path} as {user}: {status}: {text}"
        return json.loads(text)

    def runs(self, user: str = "root") -> dict[str, dict]:
        jobs = self.get("/api/v1/jobs?limit=1000", user)["jobs"]
        runs = {job["raw_id"]: job for job in jobs}
        assert len(runs) == len(jobs), f"a run is there twice: {jobs}"
        return runs

    def await_run(self, job: str, cpu_seconds: float) -> dict:
        """Returns the run once the accounting has its end, and its node has recorded at least so many CPU seconds."""

        def whole() -> dict | None:
            run = self.runs().get(job, {"sources": {}})
            is_recorded = run["sources"].get("cpu_seconds") == "ledger" and run["cpu_seconds"] >= cpu_seconds
            # a record that is faster than sacct says that the run ended, and not how
            return run if run.get("state") not in (None, "RUNNING", "ENDED") and is_recorded else None

        try:
            return wait_for(f"the archive has all of job {job}", 180, whole, every=0.5)
        except Late as late:
            raise Late(f"{late}; it has {self.runs().get(job)}, awaited are {cpu_seconds} CPU seconds\n{self.server.output()}") from late

    def figures(self, name: str, **labels: str) -> list[float]:
        return [one.value for one in scrape(self.server.address).find(f"jobmetrics_server_{name}", **labels)]


class Situation(unittest.TestCase):
    job: str
    spent: float

    def assert_archived(self, job: str, spent: float) -> None:
        run = site.await_run(job, spent)
        self.assertEqual((run["user"], run["account"], run["state"]), ("ada", "physics", "COMPLETED"))
        self.assertLessEqual(run["cpu_seconds"], spent + ENDING_SECONDS)
        self.assertIn("gres/localtmp=", run["tres"])
        self.assertEqual([name for name in run if "gpu" in name], [])


class AJobWithDisk(Situation):
    def test_is_in_the_figures_of_the_cluster(self):
        Situation.job, Situation.spent = site.begin_job()
        wait_for("the cluster has one job", 30, lambda: scrape(site.cluster.address).value("jobmetrics_cluster_jobs", state="running") == 1)
        nodes = scrape(site.cluster.address).find("jobmetrics_cluster_node_info", cluster=CLUSTER)
        self.assertEqual({one.labels["node"] for one in nodes}, set(ADDRESSES))

    def test_has_no_gpu(self):
        self.assertIn("gres/localtmp=", site.lab.ask("scontrol", "show", "job", self.job))
        for text in (scrape(site.cluster.address), Scrape(fetch(f"{site.node.url}/metrics"))):
            self.assertEqual([one for one in text.series if "gpu" in one.name and one.value], [])

    def test_is_in_the_archive_with_the_figures_of_its_node(self):
        site.end_job(self.job)
        self.assert_archived(self.job, self.spent)


class UnreadableRecords(Situation):
    def test_cost_themselves_alone(self):
        good = [site.run_on_poisoned() for _ in range(2)]
        for record in (good[0], spoil(good[0], "no run key"), spoil(good[1], "no metrics"), good[1]):
            site.poisoned.tell(record)
        for record in good:
            run = site.await_run(record["jobid"], PLAYED_SECONDS)
            self.assertEqual((run["user"], run["account"], run["cpu_seconds"]), ("ben", "chemistry", PLAYED_SECONDS))

    def test_are_counted_by_reason(self):
        self.assertEqual(site.figures("unread_records_total", reason="run_key"), [1])
        self.assertEqual(site.figures("unread_records_total", reason="malformed"), [1])
        self.assertEqual(sum(site.figures("unread_records_total")), 2)


class ADeadNode(Situation):
    def test_is_named_to_administrators(self):
        health = site.get("/api/v1/health", "root")
        self.assertEqual(health["status"], "degraded")
        (failed,) = health["nodes"]["failed_nodes"]
        self.assertEqual((failed["cluster"], failed["node"]), (CLUSTER, DEAD))
        self.assertIn("refused", failed["problem"])
        self.assertEqual(site.figures("failed_nodes"), [1])

    def test_is_named_by_a_check(self):
        command = [*site.lab.within, EXPORTER, "server", "--check", *site.options]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=CHECK_SECONDS, check=False)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, rf"(?m)^{CLUSTER}/{DEAD}: .*refused$")
        self.assertIn("nodes: the ledgers of 2 of 3 can be read\n", done.stdout)


class AServerThatIsKilled(Situation):
    def test_goes_on_beside_the_dead_node_and_has_each_run_once(self):
        before = set(site.runs())
        job, spent = site.begin_job()
        site.kill_server()
        site.end_job(job)
        self.assert_archived(job, spent)
        self.assert_archived(self.job, self.spent)
        self.assertEqual(set(site.runs()), {*before, job})
        self.assertEqual(site.figures("failed_nodes"), [1])

    def test_shows_users_their_own_runs(self):
        owners = {user: {run["user"] for run in site.runs(user).values()} for user in ("root", "ada", "ben")}
        self.assertEqual(owners, {"root": {"ada", "ben"}, "ada": {"ada"}, "ben": {"ben"}})


def main() -> int:
    global site
    with turn(), tempfile.TemporaryDirectory(prefix="jobmetrics-e2e-") as folder, Site(pathlib.Path(folder)) as site:
        try:
            site.start()
        except Unfit as unfit:
            tap.skip_all(str(unfit))
        return tap.run(AJobWithDisk, UnreadableRecords, ADeadNode, AServerThatIsKilled)


if __name__ == "__main__":
    sys.exit(main())
