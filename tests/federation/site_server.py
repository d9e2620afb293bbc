# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The servers of the federation, on one archive: begun, killed, asked."""

import json
import pathlib
import re
import time
import urllib.parse

from accounting import WARDEN
from daemon import Daemon, Failure
from invariant import key_of, known_of
from plan import CLUSTERS, OVERLAP, Node

SECRET = "between-us-two"
# a site that reads its accounting moves runs for as long as that takes
MOVES_SECONDS = 60


class Site:
    def __init__(self, program: str, folder: pathlib.Path, accounting: pathlib.Path, login: pathlib.Path, n_servers: int):
        folder.mkdir()
        self.program, self.folder = program, folder
        self.store = folder / "accounts.db"
        self.nodes = folder / "nodes.json"
        secret = folder / "secret"
        secret.write_text(f"{SECRET}\n")
        secret.chmod(0o600)
        self.options = [
            f"--server.store={self.store}",
            f"--server.nodes-file={self.nodes}",
            f"--server.nodes-login-file={login}",
            "--server.interval=1",
            "--server.proxy-addresses=127.0.0.1",
            f"--server.proxy-secret-file={secret}",
            *(f"--server.history=sacct,cluster={cluster},directory={accounting},begin=2,overlap={OVERLAP}" for cluster in CLUSTERS),
        ]
        self.n_daemons = 0
        self.n_servers = n_servers
        self.others: list[Daemon] = []
        self.daemon: Daemon | None = None  # that is asked

    def set_nodes(self, nodes: list[Node]) -> None:
        groups = [
            {"targets": [node.address], "labels": {"cluster": node.cluster, "__meta_jobmetrics_node": node.name}} for node in nodes
        ]
        new = self.nodes.with_suffix(".new")
        new.write_text(json.dumps(groups))
        new.rename(self.nodes)

    def start(self) -> None:
        while len(self.others) < self.n_servers:
            self.n_daemons += 1
            options = [*self.options, f"--web.local-socket={self.folder}/socket-{self.n_daemons % self.n_servers}"]
            self.others.append(Daemon(self.program, options, {}, self.folder, self.n_daemons, "server"))
        self.daemon = self.others.pop(0)

    def restart(self) -> None:
        """Another answers from then on, where there is one."""
        self.daemon.kill()
        self.start()

    def end(self) -> None:
        for daemon in (self.daemon, *self.others):
            daemon.end()

    def get(self, path: str, user: str = WARDEN, **query: object) -> dict:
        asked = f"{path}?{urllib.parse.urlencode(query, doseq=True)}" if query else path
        status, body = self.daemon.get(asked, **{"X-Remote-User": user, "X-Jobmetrics-Secret": SECRET})
        if status != 200:
            raise Failure(f"GET {asked} was answered by {status}: {body[:500]!r}")
        return json.loads(body)

    def runs(self, user: str = WARDEN) -> list[dict]:
        """Where the submission of a run becomes known between two pages, the run moves, may get another uuid, and is on both: they are read anew."""
        end = time.monotonic() + MOVES_SECONDS
        while True:
            found = self._list(user)
            known = known_of(found)
            if len({job["uuid"] for job in known}) == len({key_of(job) for job in known}) == len(known) or time.monotonic() > end:
                return found

    def _list(self, user: str) -> list[dict]:
        found, query = [], {"limit": 1000, "sort": "submit"}
        while query.get("cursor", "") is not None:
            page = self.get("/api/v1/jobs", user, **query)
            found += page["jobs"]
            query["cursor"] = page["next"]
        return found

    def figures(self) -> dict[str, float]:
        _, body = self.daemon.get("/metrics")
        return {name: float(value) for name, value in re.findall(r"^jobmetrics_server_(\w+) (\S+)$", body.decode(), re.M)}

    def close(self) -> None:
        for daemon in (self.daemon, *self.others) if self.daemon else ():
            if daemon.process.poll() is None:
                daemon.process.kill()
                daemon.process.wait()
