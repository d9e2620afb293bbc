# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Accounts as made-accounts makes them, with a job number that came again, and questions to what guards time series."""

import contextlib
import http.client
import json
import pathlib
import re
import sqlite3
import subprocess
import urllib.parse
import uuid
from collections.abc import Iterable

from local import SECONDS, LocalTest

SECRET = "between-us-two"
LATER = "11111111-2222-5333-8444-555555555555"


def add_run(store: sqlite3.Connection, cluster: int, raw_id: str, uid: int, name: str) -> None:
    """As job 5 was, and somebody else's."""
    row = store.execute("SELECT * FROM run WHERE raw_id = '5' ORDER BY id LIMIT 1").fetchone()
    new = dict(row)
    del new["id"]
    new.update(cluster_id=cluster, raw_id=raw_id, uid=uid, uuid=name, moment=row["moment"] + 10**6, start_time=row["start_time"] + 10**6,
               end_time=row["end_time"] + 10**6)
    store.execute(f"INSERT INTO run ({', '.join(new)}) VALUES ({', '.join('?' * len(new))})", list(new.values()))


def fill(program: str, path: pathlib.Path) -> dict[str, str]:
    """Uuids by job number. Those that 5 divides are daemon's, the others sys's; 5 came again and is sys's; jura has a 10 of sys."""
    subprocess.run([program, path], check=True, timeout=SECONDS)
    with contextlib.closing(sqlite3.connect(path)) as store, store:
        store.row_factory = sqlite3.Row
        uuids = {row["raw_id"]: row["uuid"] for row in store.execute("SELECT raw_id, uuid FROM run")}
        jura = store.execute("INSERT INTO cluster (name) VALUES ('jura')").lastrowid
        (alps,) = store.execute("SELECT id FROM cluster WHERE name = 'alps'").fetchone()
        add_run(store, alps, "5", 3, LATER)
        add_run(store, jura, "10", 3, str(uuid.UUID(int=10)))
    return uuids


class GuardTest(LocalTest):
    """Users are named by a trusted proxy, which the test is."""

    def launch_server(self, exporter: str, store: pathlib.Path, url: str, *options: str) -> subprocess.Popen:
        secret = self.folder / "secret"
        secret.write_text(SECRET + "\n")
        secret.chmod(0o600)
        command = [exporter, "server", f"--server.store={store}", "--web.listen-address=127.0.0.1:0", f"--server.prometheus={url}",
                   "--server.proxy-addresses=127.0.0.1", f"--server.proxy-secret-file={secret}", *options]
        process = self.launch(command, r"listening on 127", "stderr")
        self.port = int(re.search(r"listening on 127\.0\.0\.1:(\d+)", self.said)[1])
        return process

    def request(self, user: str | None, path: str, body: bytes | None = None, **headers: str) -> tuple[int, http.client.HTTPMessage, bytes]:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if user is not None:
            given.update({"X-Remote-User": user, "X-Jobmetrics-Secret": SECRET})
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS * 4)
        try:
            client.request("GET" if body is None else "POST", f"/prometheus/api/v1/{path}", body=body, headers=given)
            got = client.getresponse()
            return got.status, got.headers, got.read()
        finally:
            client.close()

    def get(self, user: str | None, path: str, *pairs: tuple[str, str], **query: str) -> tuple[int, dict]:
        fields = urllib.parse.urlencode([*pairs, *query.items()])
        return self.read(self.request(user, f"{path}?{fields}" if fields else path))

    def post(self, user: str | None, path: str, fields: Iterable[tuple[str, str]]) -> tuple[int, dict]:
        return self.read(self.request(user, path, urllib.parse.urlencode(list(fields)).encode(), Content_Type="application/x-www-form-urlencoded"))

    def read(self, got: tuple[int, http.client.HTTPMessage, bytes]) -> tuple[int, dict]:
        """Errors are reported as Prometheus reports them."""
        status, headers, body = got
        self.assertEqual(headers["Content-Type"], "application/json", body[:300])
        document = json.loads(body)
        self.assertEqual(document["status"], "success" if status < 300 else "error")
        if status >= 300:
            self.assertTrue(document["errorType"] and document["error"])
        return status, document
