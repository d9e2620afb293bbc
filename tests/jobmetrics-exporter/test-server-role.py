#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The daemon's server role: a site's runs and sums over HTTP, to those who may see them.

usage: test-server-role.py MADE-ACCOUNTS EXPORTER LEDGER-SERVER
"""

import base64
import contextlib
import csv
import http.client
import http.server
import io
import json
import os
import pathlib
import random
import re
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.parse
from unittest import mock

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import jsonschema  # noqa: E402
import tap  # noqa: E402

from local import ALICE, SECONDS, STRANGER, LocalTest, needs_root  # noqa: E402
from slurm_scripts import write_script, write_scripts  # noqa: E402

MADE_ACCOUNTS, EXPORTER, LEDGER_SERVER = map(os.path.abspath, sys.argv[1:4])
DAEMON, BIN, GAMES, MAIL = 1, 2, 5, 8
MIDNIGHT = 1772323200
NAMES = ("clusters", "accounts", "users", "partitions")
POSTS = tuple(f"/grafana/{name}" for name in ("search", "metrics", "metric-payload-options", "variable", "tag-keys", "tag-values", "query", "annotations"))
SUGGESTION = "/api/v1/suggestion"
LISTS = ("/api/v1/jobs", "/api/v1/usage", "/api/v1/statistics", *(f"/api/v1/{kind}" for kind in NAMES))
ALL = {str(number) for number in range(1, 26)}
OWN = {"5", "10", "15", "20", "25"}
PHYSICS = {str(number) for number in range(2, 26, 2)}


def parse(text: str) -> object:
    """JSON, which has no NaN, whatever Python takes for it."""

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


class ServerTest(LocalTest):
    def setUp(self):
        super().setUp()
        self.store = self.folder / "accounts.db"

    def start(self, *options: str) -> subprocess.Popen:
        listen = ["--web.listen-address=127.0.0.1:0", f"--web.local-socket={self.socket}"]
        command = [EXPORTER, "server", f"--server.store={self.store}", *listen, *options]
        process = self.launch(command, r"listening on 127", "stderr")
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", self.said)[1])
        return process

    def start_filled(self) -> None:
        subprocess.run([MADE_ACCOUNTS, self.store], check=True, timeout=SECONDS)
        self.start()

    def get(self, path: str, uid: int | None = None, **query: object) -> tuple[int, str]:
        return self.ask(f"{path}?{urllib.parse.urlencode(query, doseq=True)}" if query else path, uid=uid)

    def document(self, path: str, uid: int | None = None, **query: object) -> dict:
        status, text = self.get(path, uid, **query)
        self.assertEqual(status, 200, text)
        return parse(text)

    def ids(self, uid: int | None = None, **query: object) -> set[str]:
        jobs = self.document("/api/v1/jobs", uid, **query)["jobs"]
        self.assertEqual(len({job["raw_id"] for job in jobs}), len(jobs))
        return {job["raw_id"] for job in jobs}


class Jobs(ServerTest):
    def test_are_reported_in_base_units(self):
        self.start_filled()
        answer = self.document("/api/v1/jobs", job="7")
        self.assertIsNone(answer["next"])
        (job,) = answer["jobs"]
        self.assertEqual((job["cluster"], job["raw_id"], job["user"], job["uid"]), ("alps", "7", "sys", 3))
        self.assertEqual((job["start_time"], job["end_time"]), (MIDNIGHT + 7, MIDNIGHT + 107))
        self.assertEqual((job["cpu_seconds"], job["energy_joules"]), (1.5, 3.000001))
        self.assertEqual(job["name"], 'a "name",\ufffd with\nlines')
        self.assertEqual(job["sources"]["cpu_seconds"], "accounting")
        # what is not known is no zero
        self.assertNotIn("emissions_grams", job)
        self.assertNotIn("memory_peak_bytes", job)

    def test_are_chosen(self):
        self.start_filled()
        self.assertEqual(self.ids(), ALL)
        self.assertEqual(self.ids(user="daemon"), OWN)
        self.assertEqual(self.ids(user=["daemon", "sys"], account="physics"), PHYSICS)
        self.assertEqual(self.ids(user="daemon", account="physics"), {"10", "20"})
        self.assertEqual(self.ids(cluster="jura"), set())
        self.assertEqual(self.ids(state="FAILED"), set())
        self.assertEqual(self.ids(since=MIDNIGHT + 123), {"24", "25"})
        self.assertEqual(self.ids(until="2026-03-01T00:00:03Z"), {"1", "2"})

    def test_come_page_by_page(self):
        self.start_filled()
        found, cursor = [], None
        for _ in range(4):
            query = {"cursor": cursor} if cursor else {}
            page = self.document("/api/v1/jobs", limit=7, sort="start", **query)
            found += [job["raw_id"] for job in page["jobs"]]
            cursor = page["next"]
        self.assertIsNone(cursor)
        self.assertEqual(found, [str(number) for number in range(1, 26)])

    def test_are_a_table(self):
        self.start_filled()
        status, text = self.get("/api/v1/jobs", format="csv", user="daemon", sort="-end")
        self.assertEqual(status, 200)
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        self.assertEqual([row["raw_id"] for row in rows], ["25", "20", "15", "10", "5"])
        self.assertEqual({row["cpu_seconds"] for row in rows}, {"1.5"})
        self.assertEqual({row["emissions_grams"] for row in rows}, {""})

    def test_have_parts(self):
        self.start_filled()
        (job,) = self.document("/api/v1/jobs", job="7")["jobs"]
        answer = self.document(f"/api/v1/jobs/{job['uuid']}")
        self.assertEqual(answer["job"], job)
        self.assertEqual([(step["name"], step["cpu_seconds"]) for step in answer["steps"]], [("batch", 1.5)])
        self.assertEqual(answer["nodes"], [])
        self.assertEqual(self.get(f"/api/v1/jobs/{job['uuid']}?format=csv")[0], 400)
        for wrong in ("nobody", "00000000-0000-4000-8000-000000000000", "%27%20OR%201=1"):
            self.assertEqual(self.get(f"/api/v1/jobs/{wrong}")[0], 404)

    def test_have_steps_in_pages(self):
        self.start_filled()
        (job,) = self.document("/api/v1/jobs", job="7")["jobs"]
        path = f"/api/v1/jobs/{job['uuid']}/steps"
        steps = self.document(f"/api/v1/jobs/{job['uuid']}")["steps"]
        first, second = self.document(path, limit=1), self.document(path, limit=1, cursor="1")
        self.assertEqual((first, second), ({"steps": steps, "next": "1"}, {"steps": [], "next": None}))
        self.assertEqual(self.document(path), {"steps": steps, "next": None})
        schema = self.document("/openapi.json")["paths"]["/api/v1/jobs/{uuid}/steps"]["get"]["responses"]["200"]
        for answer in (first, second):
            # what a part is stands elsewhere
            jsonschema.validate({**answer, "steps": []}, schema["content"]["application/json"]["schema"])
        for query in ("cursor=0", "cursor=-1", "cursor=x", "limit=0", "user=a"):
            self.assertEqual(self.get(f"{path}?{query}")[0], 400, query)
        self.assertEqual(self.get("/api/v1/jobs/nobody/steps")[0], 404)

    def test_are_not_asked_for_by_what_is_invalid(self):
        self.start_filled()
        for query in ("usr=ada", "limit=0", "limit=1001", "limit=x", "sort=size", "format=xml", "cursor=x", "since=never",
                      "cluster=a&cluster=b", "user=%FF", "group=moon", "&".join(["user=a"] * 101)):
            status, text = self.get(f"/api/v1/jobs?{query}")
            self.assertEqual(status, 400, f"{query}: {text}")
            if query not in ("cursor=x", "user=%FF"):
                self.assertIn(query.partition("=")[0], text)

    def test_have_names_that_are_no_sql(self):
        self.start_filled()
        for name in ("' OR '1'='1", "%", "_", 'x"; DROP TABLE run; --', "daemon\\"):
            self.assertEqual(self.ids(user=name), set())
        self.assertEqual(self.ids(), ALL)


class Usage(ServerTest):
    def test_is_summed_by_what_is_wanted(self):
        self.start_filled()
        (whole,) = self.document("/api/v1/usage")["usage"]
        self.assertEqual((whole["runs"], whole["wall_seconds"], whole["allocated_cpu_seconds"]), (25, 2500, 5000))
        self.assertAlmostEqual(whole["energy_joules"], 75.000025)
        users = {row["user"]: row["runs"] for row in self.document("/api/v1/usage", group=["user", "day"])["usage"]}
        self.assertEqual(users, {"daemon": 5, "sys": 20})

    def test_is_not_chosen_by_what_sums_do_not_know(self):
        """They would be of all runs, whatever was asked for."""
        self.start_filled()
        for key in ("job=7", "uuid=7", "state=FAILED", "sort=end", "limit=1", "cursor=e1-1"):
            status, text = self.get(f"/api/v1/usage?{key}")
            self.assertEqual(status, 400, key)
            self.assertIn(key.partition("=")[0], text)
        self.assertEqual(self.get("/api/v1/jobs?group=user")[0], 400)

    def test_is_a_table(self):
        self.start_filled()
        status, text = self.get("/api/v1/usage", group=["account", "user"], format="csv")
        self.assertEqual(status, 200)
        found = {(row["user"], row["account"]): row["runs"] for row in csv.DictReader(io.StringIO(text, newline=""))}
        self.assertEqual(found[("daemon", "physics")], "2")
        self.assertEqual(sum(map(int, found.values())), 25)


class Names(ServerTest):
    """What there is to choose from."""

    def names(self, kind: str, uid: int | None = None, **query: object) -> dict[str, int]:
        return {row["name"]: row["runs"] for row in self.document(f"/api/v1/{kind}", uid, **query)[kind]}

    def test_have_runs_and_days(self):
        self.start_filled()
        self.assertEqual(self.names("users"), {"daemon": 5, "sys": 20})
        self.assertEqual(self.names("accounts"), {"biology": 13, "physics": 12})
        self.assertEqual(self.names("accounts", user="daemon"), {"biology": 3, "physics": 2})
        self.assertEqual(self.names("users", since="2026-03-02"), {})
        self.assertEqual(
            self.document("/api/v1/clusters"),
            {"clusters": [{"name": "alps", "runs": 25, "first_day_start_time": MIDNIGHT, "last_day_start_time": MIDNIGHT}], "next": None},
        )

    def test_come_page_by_page(self):
        self.start_filled()
        first = self.document("/api/v1/users", limit=1)
        self.assertEqual(([row["name"] for row in first["users"]], first["next"]), (["daemon"], "daemon"))
        self.assertEqual(self.document("/api/v1/users", limit=1, cursor=first["next"])["users"][0]["name"], "sys")

    def test_are_a_table(self):
        self.start_filled()
        for query, wanted in (({}, [{"name": "daemon", "runs": "5"}, {"name": "sys", "runs": "20"}]), ({"user": "nobody"}, [])):
            status, text = self.get("/api/v1/users", format="csv", **query)
            self.assertEqual((status, text.partition(",")[0]), (200, "name"))
            rows = list(csv.DictReader(io.StringIO(text, newline="")))
            self.assertEqual([{key: row[key] for key in ("name", "runs")} for row in rows], wanted)

    def test_are_not_chosen_by_what_days_do_not_know(self):
        self.start_filled()
        for key in ("job=7", "state=FAILED", "sort=end", "group=user", "limit=1001"):
            self.assertEqual(self.get(f"/api/v1/users?{key}")[0], 400, key)


class Statistics(ServerTest):
    """How runs fared."""

    PERIOD = {"since": "2026-03-01", "until": "2026-03-02"}

    def setUp(self):
        super().setUp()
        self.start_filled()

    def test_are_of_what_ended_in_a_period(self):
        (row,) = self.document("/api/v1/statistics", **self.PERIOD)["statistics"]
        self.assertEqual((row["runs"], row["completed_runs"], row["failed_runs"]), (25, 25, 0))
        self.assertEqual((row["duration_mean_seconds"], row["duration_median_seconds"], row["duration_max_seconds"]), (100, 100, 100))
        self.assertEqual((row["allocated_cpu_seconds"], row["lost_cpu_seconds"]), (5000, 0))
        self.assertAlmostEqual(row["cpu_efficiency_ratio"], 1.5 / 200)
        # nobody reported when they were submitted, nor what memory they used
        self.assertEqual((row["wait_mean_seconds"], row["memory_efficiency_ratio"], row["emissions_grams"]), (None, None, None))
        (row,) = self.document("/api/v1/statistics", since=MIDNIGHT + 101, until=MIDNIGHT + 103)["statistics"]
        self.assertEqual(row["runs"], 2)

    def test_are_kept_apart(self):
        found = self.document("/api/v1/statistics", group=["user", "state", "day"], **self.PERIOD)["statistics"]
        self.assertEqual([(row["user"], row["state"], row["day_start_time"], row["runs"]) for row in found], [("daemon", "COMPLETED", MIDNIGHT, 5), ("sys", "COMPLETED", MIDNIGHT, 20)])
        self.assertEqual(self.document("/api/v1/statistics", group="user", state="FAILED", **self.PERIOD)["statistics"], [])

    def test_are_a_table(self):
        status, text = self.get("/api/v1/statistics", group="account", format="csv", **self.PERIOD)
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        self.assertEqual((status, [(row["account"], row["runs"], row["wait_mean_seconds"]) for row in rows]), (200, [("biology", "13", ""), ("physics", "12", "")]))

    def test_are_bounded(self):
        for query in ({"since": 1}, {"since": "2024-01-01", "until": "2026-01-01"}, {"since": 50, "until": 40}, {"limit": 5}, {"group": "moon"}):
            self.assertEqual(self.get("/api/v1/statistics", **query)[0], 400, query)
        self.assertEqual(self.get("/api/v1/statistics")[0], 200)


class MadeDatabase(http.server.BaseHTTPRequestHandler):
    """A time series database that knows the memory of every run, and no more."""

    broken = False

    def log_message(self, *_):
        pass

    def answer(self, question: str):
        form = urllib.parse.parse_qs(question)
        points = []
        if self.path.startswith("/api/v1/query_range") and "jobmetrics_job_memory_used_bytes" in form["query"][0]:
            start = float(form["start"][0])
            points = [{"metric": {}, "values": [[start, "100"], [start + 60, "NaN"]]}]
        kind = "matrix" if self.path.startswith("/api/v1/query_range") else "vector"
        body = json.dumps({"status": "success", "data": {"resultType": kind, "result": points}}).encode()
        self.send_response(500 if self.broken else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

    def do_GET(self):
        self.answer(urllib.parse.urlsplit(self.path).query)


class ManyJobs(ServerTest):
    """More than a page of a list, and more names than a table of groups has."""

    RUNS, NAMES, SHOWN = 1100, 250, 200

    def setUp(self):
        super().setUp()
        subprocess.run([MADE_ACCOUNTS, self.store, str(self.RUNS)], check=True, timeout=SECONDS)
        self.start()

    def table(self, **query: object) -> list[str]:
        status, text = self.get("/api/v1/jobs", cluster="lab", format="csv", **query)
        self.assertEqual(status, 200, text)
        return [row["raw_id"] for row in csv.DictReader(io.StringIO(text))]

    def test_come_in_one_table(self):
        whole = self.table(limit="all")
        self.assertEqual((len(whole), set(whole)), (self.RUNS, {str(number) for number in range(1, self.RUNS + 1)}))
        first = self.document("/api/v1/jobs", cluster="lab", limit=1000)
        self.assertEqual([job["raw_id"] for job in first["jobs"]], whole[:1000])
        self.assertEqual(self.table(limit=1000, cursor=first["next"]), whole[1000:])
        # one that would be put in order for each page has another order
        self.assertEqual(self.table(limit="all", sort="cpu_seconds"), whole)
        self.assertEqual(self.table(limit="all", sort="end"), whole[::-1])
        self.assertEqual(self.get("/api/v1/jobs", format="csv", limit="all", sort="nothing")[0], 400)

    def test_are_grouped_all(self):
        status, text = self.get("/jobs", cluster="lab", by="name")
        self.assertEqual(status, 200, text)
        self.assertIn(">1100 runs; sums count only runs with a known figure; the first 200 groups</caption>", text)
        groups = re.findall(r'<tr><th scope="row" class="name"><a [^>]*>job (\d+)</a></th><td class="number">(\d+)</td>', text)
        self.assertEqual(len({name for name, _ in groups}), self.SHOWN)
        for name, n_runs in groups:
            self.assertEqual(int(n_runs), len(range(int(name) or self.NAMES, self.RUNS + 1, self.NAMES)), name)

    def test_are_grouped_for_programs(self):
        document = self.document("/api/v1/groups", cluster="lab", by="name", sort="-runs")
        runs = [group["runs"] for group in document["groups"]]
        self.assertEqual((len(runs), sum(runs), runs, document["has_more"]), (self.NAMES, self.RUNS, sorted(runs, reverse=True), False))
        status, text = self.get("/api/v1/groups", cluster="lab", by="name", sort="-runs", format="csv")
        self.assertEqual([int(row["runs"]) for row in csv.DictReader(io.StringIO(text))], runs)
        self.assertEqual(set(self.document("/api/v1/groups")["groups"][0]) & {"user", "name"}, {"user"})
        for query, reason in (({"by": "day"}, "by=day"), ({"by": "user", "sort": "moods"}, "moods"), ({"by": "user", "limit": 3}, "limit=")):
            status, text = self.get("/api/v1/groups", **query)
            self.assertEqual(status, 400)
            self.assertIn(reason, text)


class AWholeTable(ServerTest):
    """Of more runs than a server may hold in memory."""

    RUNS = 100_000
    # of a page of runs and the part before it, with what an allocator keeps
    MOST_KIB = 12 * 1024
    PATH = "/api/v1/jobs?format=csv&limit=all"

    def setUp(self):
        super().setUp()
        subprocess.run([MADE_ACCOUNTS, self.store], check=True, timeout=SECONDS)
        with contextlib.closing(sqlite3.connect(self.store)) as store:
            columns = [row[1] for row in store.execute("PRAGMA table_info(run)") if row[1] not in ("id", "raw_id")]
            store.execute("WITH RECURSIVE n (i) AS (SELECT 26 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
                          f" INSERT INTO run (raw_id, {', '.join(columns)}) SELECT i, {', '.join(columns)} FROM n, run WHERE raw_id = '7'", (self.RUNS,))
            store.commit()
        # a sanitizer keeps what is freed
        with mock.patch.dict(os.environ, {"ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:quarantine_size_mb=0:thread_local_quarantine_size_kb=0"}):
            self.process = self.start()
        # what a first answer needs of memory is not of this table
        self.assertEqual(self.ids(job="7"), {"7"})

    def open(self, method: str = "GET") -> http.client.HTTPResponse:
        self.client = client = http.client.HTTPConnection("local", timeout=SECONDS)
        client.sock = socket.socket(socket.AF_UNIX)
        client.sock.settimeout(SECONDS)
        client.sock.connect(str(self.socket))
        self.addCleanup(client.close)
        client.request(method, self.PATH)
        reply = client.getresponse()
        self.assertEqual(reply.status, 200)
        self.assertEqual((reply.headers["Content-Type"], reply.headers["Content-Length"]), ("text/csv; charset=utf-8", None))
        self.assertEqual(reply.headers["Cache-Control"], "no-store")
        return reply

    def most_kib(self) -> int:
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", text)[1])

    def is_read(self) -> bool:
        """Whether somebody still reads the archive as it was: then its log cannot be emptied."""
        with contextlib.closing(sqlite3.connect(self.store, timeout=0)) as store:
            store.execute("UPDATE run SET exit_code = 1 WHERE raw_id = '7'")
            store.commit()
            return store.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] != 0

    def test_needs_little_memory_and_is_of_one_moment(self):
        before = self.most_kib()
        reply = self.open()
        text = reply.read(1000)
        with contextlib.closing(sqlite3.connect(self.store, timeout=SECONDS)) as store:
            store.execute("DELETE FROM run WHERE raw_id > '5'")
            store.commit()
        text += reply.read()
        self.assertLess(self.most_kib() - before, self.MOST_KIB)
        self.assertGreater(len(text) >> 10, 1.5 * self.MOST_KIB)
        rows = [row["raw_id"] for row in csv.DictReader(io.StringIO(text.decode()))]
        self.assertEqual((len(rows), len(set(rows))), (self.RUNS, self.RUNS))
        self.assertEqual(self.ids(job="7"), set())
        self.assertFalse(self.is_read())

    def test_is_left_when_its_client_goes(self):
        reply = self.open()
        self.assertEqual(len(reply.read(1000)), 1000)
        self.assertTrue(self.is_read())
        reply.close()
        self.client.close()
        end = time.monotonic() + SECONDS
        while self.is_read():
            self.assertLess(time.monotonic(), end, "the archive is still read")
            time.sleep(0.05)

    def test_is_read_by_one_user_once_at_a_time(self):
        first = self.open()
        with self.assertRaisesRegex(AssertionError, "503"):
            self.open()
        first.read()
        self.assertFalse(self.is_read())
        self.open("HEAD")

    def test_needs_chunks(self):
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(SECONDS)
            client.connect(str(self.socket))
            client.sendall(f"GET {self.PATH} HTTP/1.0\r\nHost: local\r\n\r\n".encode())
            self.assertRegex(client.recv(1000), b"^HTTP/1.0 505 ")

    def test_has_headers_of_their_own(self):
        self.assertEqual(self.open("HEAD").read(), b"")

    def test_is_of_what_one_may_see(self):
        needs_root()
        status, text = self.ask(self.PATH, uid=DAEMON)
        self.assertEqual((status, {row["raw_id"] for row in csv.DictReader(io.StringIO(text))}), (200, OWN))


class States(ServerTest):
    """State and end of a job, as its scheduler reported them."""

    def test_are_those_of_the_queue(self):
        write_scripts(self.folder)
        subprocess.run([MADE_ACCOUNTS, self.store], check=True, timeout=SECONDS)
        self.start(f"--server.scheduler=slurm,cluster=alps,directory={self.folder}", "--server.scheduler-interval=1")
        (job,) = [job for job in self.document("/api/v1/jobs", cluster="alps", job="5")["jobs"] if "start_time" in job]
        path = f"/api/v1/jobs/{job['uuid']}/states"
        end = time.monotonic() + SECONDS
        while not (states := self.document(path)["states"]):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        # as the recorded queue has it, whoever's the made run is
        (state,) = states
        self.assertEqual((state["state"], state["reason"], state["user"]), ("PENDING", "JobHeldUser", "ben"))
        schema = self.document("/openapi.json")["paths"]["/api/v1/jobs/{uuid}/states"]["get"]["responses"]["200"]
        jsonschema.validate({"states": states}, schema["content"]["application/json"]["schema"])
        self.assertEqual(self.get(path, user="x")[0], 400)
        self.assertEqual(self.get("/api/v1/jobs/nobody/states")[0], 404)

    def test_a_job_that_waits_is_a_run(self):
        write_scripts(self.folder)
        subprocess.run([MADE_ACCOUNTS, self.store], check=True, timeout=SECONDS)
        self.start(f"--server.scheduler=slurm,cluster=alps,directory={self.folder}", "--server.scheduler-interval=1")
        end = time.monotonic() + SECONDS
        while not (jobs := self.document("/api/v1/jobs", state="PENDING", job="4")["jobs"]):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        (job,) = jobs
        self.assertEqual((job["reason"], job["user"], job["cpus"]), ("PartitionTimeLimit", "ben", 32))
        self.assertNotIn("start_time", job)
        _, page = self.get(f"/job/{job['uuid']}")
        for words in ("PENDING, PartitionTimeLimit", "21GiB of memory, 1d02h04m at most"):
            self.assertIn(words, page)
        for path in ("/job/alps/4", "/job/4"):
            self.assertEqual(self.get(path), (200, page))
        for path in ("/job/", "/job/alps/", "/job/beta/4", "/job/5000"):
            self.assertEqual(self.get(path)[0], 404, path)
        _, page = self.get("/jobs", state="PENDING")
        self.assertIn(">PENDING<", page)
        self.assertIn("PartitionTimeLimit", page)
        _, page = self.get("/jobs", state="RUNNING")
        self.assertIn(">RUNNING<", page)
        self.assertNotIn("PartitionTimeLimit", page)

    def test_of_no_scheduler_are_none(self):
        subprocess.run([MADE_ACCOUNTS, self.store], check=True, timeout=SECONDS)
        self.start(f"--server.scheduler=slurm,cluster=alps,directory={self.folder}/none")
        (job,) = self.document("/api/v1/jobs", cluster="alps", job="5")["jobs"]
        self.assertEqual(self.document(f"/api/v1/jobs/{job['uuid']}/states"), {"states": []})
        end = time.monotonic() + SECONDS
        while "the queue: " not in (said := self.ask("/-/ready")[1]):
            self.assertLess(time.monotonic(), end, said)
            time.sleep(0.05)

    def await_problem(self, words: str) -> tuple[dict, dict]:
        """The health, and the scheduler's part of it that is about jobs, once it has that problem.

        A scheduler of four topics that took a second to answer is left alone for 40.
        """
        end = time.monotonic() + 10 * SECONDS
        while True:
            health = self.document("/api/v1/health")
            for row in health.get("schedulers", []):
                if row["topic"] == "jobs" and words in (row["problem"] or "") and health["status"] == "degraded":
                    return health, row
            self.assertLess(time.monotonic(), end, health)
            time.sleep(0.05)

    def test_of_a_scheduler_that_goes_name_it_and_why(self):
        write_scripts(self.folder)
        scheduler = f"slurm,cluster=alps,directory={self.folder}"
        self.start(f"--server.scheduler={scheduler}", "--server.scheduler-interval=1")
        sample = re.compile(r'(?m)^jobmetrics_server_peer_success_time_seconds{kind="scheduler",cluster="alps",peer="slurm/jobs"} (\S+)$')
        end = time.monotonic() + SECONDS
        while not (found := sample.search(self.ask_by_network("/metrics")[1])):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        write_script(self.folder / "squeue", "echo no controller here >&2; exit 1")
        health, jobs = self.await_problem("no controller here")
        self.assertEqual(jobs["scheduler"], scheduler)
        self.assertGreaterEqual(jobs["last_success_time"], int(float(found[1])))
        self.assertGreaterEqual(jobs["since_time"], jobs["last_success_time"])
        (nodes,) = [row for row in health["schedulers"] if row["topic"] == "nodes"]
        self.assertNotIn("no controller here", nodes["problem"] or "")
        self.assertEqual((jobs["unread"], nodes["unread"]), ([], []))
        schema = self.document("/openapi.json")["paths"]["/api/v1/health"]["get"]["responses"]["200"]
        jsonschema.validate(health, {**schema["content"]["application/json"]["schema"], "components": self.document("/openapi.json")["components"]})
        end = time.monotonic() + SECONDS
        while "no controller here" not in (row := "".join(re.findall(r"<tr><th[^>]*>[^<]*slurm.*?<td>jobs</td>.*?</tr>", self.get("/admin")[1]))):
            self.assertLess(time.monotonic(), end, row)
            time.sleep(0.05)
        self.assertEqual(row.count("<time"), 2, row)

    def test_of_a_scheduler_that_hangs_name_it_and_for_how_long(self):
        write_scripts(self.folder)
        write_script(self.folder / "squeue", "exec sleep 1000")
        process = self.start(f"--server.scheduler=slurm,cluster=alps,directory={self.folder}", "--server.scheduler-interval=1")
        health, jobs = self.await_problem("has not answered to its end")
        self.assertRegex(jobs["problem"], r"^has not answered to its end for \d+ seconds$")
        self.assertIsNone(jobs["last_success_time"])
        process.terminate()
        self.assertEqual(process.wait(SECONDS), 0)


class Series(ServerTest):
    """What a run used over time."""

    def setUp(self):
        super().setUp()
        self.handler = type("Handler", (MadeDatabase,), {})
        database = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler)
        thread = threading.Thread(target=database.serve_forever)
        thread.start()
        for end in (thread.join, database.server_close, database.shutdown):
            self.addCleanup(end)
        self.options = [f"--server.tsdb=http://127.0.0.1:{database.server_address[1]}"]
        subprocess.run([MADE_ACCOUNTS, self.store], check=True, timeout=SECONDS)

    def path(self) -> str:
        (job,) = self.document("/api/v1/jobs", job="7")["jobs"]
        return f"/api/v1/jobs/{job['uuid']}/series"

    def test_come_from_the_time_series_database(self):
        self.start(*self.options)
        path = self.path()
        series = self.document(path)["series"]
        self.assertEqual(series, [{"name": "memory", "unit": "bytes", "labels": {}, "points": [[MIDNIGHT + 7, 100], [MIDNIGHT + 67, None]]}])
        method = self.document("/openapi.json")["paths"]["/api/v1/jobs/{uuid}/series"]["get"]
        jsonschema.validate({"series": series}, method["responses"]["200"]["content"]["application/json"]["schema"])
        status, text = self.get(path, format="csv")
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        self.assertEqual([(row["time"], row["name"], row["value"]) for row in rows], [(str(MIDNIGHT + 7), "memory", "100"), (str(MIDNIGHT + 67), "memory", "")])
        self.assertEqual(self.get(path, user="x")[0], 400)

    def test_are_not_there_where_nobody_knows(self):
        self.start()
        self.assertEqual(self.get(self.path()), (404, "404: no series of that run\n"))
        for wrong in ("nobody/series", "00000000-0000-4000-8000-000000000000/series", "/series"):
            self.assertEqual(self.get(f"/api/v1/jobs/{wrong}")[0], 404)

    def test_are_not_there_while_the_database_is_not(self):
        self.start(*self.options)
        self.handler.broken = True
        self.assertEqual(self.get(self.path()), (503, "503: the time series cannot be read now\n"))
        # the archive is well
        self.assertEqual(self.ids(), ALL)

    def test_are_shown_to_whom_the_run_is(self):
        needs_root()
        self.start(*self.options)
        path = self.path()
        self.assertEqual([self.get(path, uid)[0] for uid in (DAEMON, GAMES, MAIL, STRANGER)], [404, 200, 404, 403])


class Health(ServerTest):
    def await_word(self, word: str) -> dict:
        end = time.monotonic() + SECONDS
        while (state := self.document("/api/v1/health"))["status"] != word:
            self.assertLess(time.monotonic(), end, state)
            time.sleep(0.05)
        return state

    def test_is_reported_to_administrators_in_detail(self):
        self.start_filled()
        state = self.await_word("ok")
        self.assertEqual((state["is_store_readable"], state["histories"], state["nodes"], state["problem"]), (True, [], None, None))
        self.assertGreater(state["last_success_time"], MIDNIGHT)
        self.assertRegex(state["version"], r"^\d")

    def test_is_reported_to_others_in_a_word(self):
        self.start_filled()
        self.await_word("ok")
        self.assertEqual(self.ask_by_network("/api/v1/health"), (200, '{"status": "ok"}\n'))
        # an identity from an untrusted source is refused, not passed over
        self.assertEqual(self.ask_by_network("/api/v1/health", "X-Remote-User: games")[0], 403)
        self.assertEqual(self.get("/api/v1/health?moon=1")[0], 400)
        needs_root()
        self.assertEqual(self.document("/api/v1/health", DAEMON), {"status": "ok"})
        self.assertIn("version", self.document("/api/v1/health", GAMES))

    def test_is_read_anew_when_administrators_ask(self):
        """Long before the interval is over."""
        self.start_filled()
        before = self.await_word("ok")["last_success_time"]
        self.assertEqual(self.get("/api/v1/refresh")[0], 405)
        if os.geteuid() == 0:
            self.assertEqual(self.ask("/api/v1/refresh", body=b"", uid=DAEMON)[0], 403)
        self.assertEqual(self.ask("/api/v1/refresh", body=b"")[0], 202)
        end = time.monotonic() + SECONDS
        while self.document("/api/v1/health")["last_success_time"] == before:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def test_is_not_read_anew_for_a_page_of_another_site(self):
        self.start_filled()
        self.await_word("ok")
        for header in ("Origin: https://elsewhere.example.org", "Origin: null", "Sec-Fetch-Site: same-site"):
            self.assertEqual(self.ask_by_network("/api/v1/refresh", header, body=b""), (403, "403: a page of another site sent this request\n"))
        self.assertEqual(self.ask_by_network("/api/v1/refresh", "Origin: http://local", body=b"")[0], 401)

    def test_has_one_host(self):
        self.start_filled()
        self.assertEqual(self.ask_by_network("/api/v1/health", "Host: other")[0], 400)
        self.assertEqual(self.ask_by_network("/api/v1/%2e%2e/v1/health")[0], 400)

    def test_names_a_history_that_cannot_be_read(self):
        history = f"pbs-log,cluster=alps,path={self.folder}/none"
        self.start(f"--server.history={history}")
        end = time.monotonic() + SECONDS
        while not (state := self.document("/api/v1/health")).get("problem"):
            self.assertLess(time.monotonic(), end, state)
            time.sleep(0.05)
        (told,) = state["histories"]
        self.assertEqual((state["status"], told["history"], told["last_success_time"]), ("degraded", history, None))
        self.assertLess(abs(told["since_time"] - time.time()), SECONDS)
        self.assertIn(f"{self.folder}/none", told["problem"])

    def test_has_when_each_history_was_read(self):
        for name in ("a", "b"):
            (self.folder / name).touch()
        self.start(*(f"--server.history=pbs-log,cluster=alps,path={self.folder}/{name}" for name in ("a", "b")))
        self.await_word("ok")
        _, text = self.ask_by_network("/metrics")
        times = dict(re.findall(r'(?m)^jobmetrics_server_peer_success_time_seconds{kind="history",cluster="alps",peer="(.*)"} (\S+)$', text))
        self.assertEqual(set(times), {"pbs-log", "pbs-log-2"})
        self.assertLess(abs(float(times["pbs-log"]) - time.time()), SECONDS)

    def test_is_bad_where_the_store_cannot_be_read(self):
        self.store.write_text("this is no database\n" * 500)
        self.start()
        self.assertEqual(self.await_word("degraded"), {"status": "degraded"})


class Page(ServerTest):
    def test_leads_to_all_that_is_served(self):
        self.start_filled()
        end = time.monotonic() + SECONDS
        while self.get("/-/ready")[0] != 200:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        status, text = self.get("/api")
        self.assertEqual(status, 200)
        links = set(re.findall(r'href="(/[^"]*)"', text))
        for path in links:
            self.assertEqual(self.get(path)[0], 200, path)
        described = {path for path, methods in self.document("/openapi.json")["paths"].items() if "get" in methods}
        self.assertEqual({path for path in described if path.startswith("/api/") and "{" not in path} - links, set())


class Report(ServerTest):
    def test_has_the_verdict_and_is_for_who_may_see_the_run(self):
        self.start_filled()
        schema = self.document("/openapi.json")["paths"]["/api/v1/jobs/{uuid}/report"]["get"]["responses"]["200"]
        runs = self.document("/api/v1/jobs", limit="20")["jobs"]
        for run in runs:
            report = self.document(f"/api/v1/jobs/{run['uuid']}/report")
            jsonschema.validate(report, schema["content"]["application/json"]["schema"])
            self.assertEqual((report["job"], report["running"]), (run, "end_time" not in run and run.get("state") == "RUNNING"))
        self.assertGreater(len(runs), 5)
        foreign = next(run for run in runs if run["user"] == "sys")
        path = f"/api/v1/jobs/{foreign['uuid']}/report"
        self.assertEqual([self.get(path, uid)[0] for uid in (GAMES, MAIL, STRANGER)], [200, 404, 403])
        self.assertEqual(self.get(path, x="1")[0], 400)


class Grafana(ServerTest):
    """Asked as its JSON data sources ask: simpod-json-datasource, and grafana-simple-json-datasource before it."""

    RANGE = {"from": "2026-02-27T10:00:00.000Z", "to": "2026-03-05T10:00:00.000Z", "raw": {"from": "now-6d", "to": "now"}}

    def setUp(self):
        super().setUp()
        self.start_filled()

    def post(self, path: str, body: object, uid: int | None = None) -> tuple[int, str]:
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask(f"/grafana/{path}", body=text, uid=uid)

    def answer(self, path: str, body: object, uid: int | None = None) -> list:
        status, text = self.post(path, body, uid)
        self.assertEqual(status, 200, text)
        return parse(text)

    def panel(self, *targets: dict, filters: tuple = ()) -> dict:
        """What a panel of Grafana 11 sends, with what nobody needs."""
        return {
            "app": "dashboard",
            "requestId": "Q101",
            "timezone": "browser",
            "panelId": 2,
            "dashboardUID": "ceb5a1b4",
            "range": self.RANGE,
            "rangeRaw": self.RANGE["raw"],
            "interval": "10m",
            "intervalMs": 600000,
            "maxDataPoints": 871,
            "scopedVars": {"__interval": {"text": "10m", "value": "10m"}, "__interval_ms": {"text": "600000", "value": 600000}},
            "adhocFilters": [{"key": key, "operator": "=", "value": value} for key, value in filters],
            "targets": [{"datasource": {"type": "simpod-json-datasource", "uid": "x"}, "editorMode": "code", "hide": False, "refId": "A", **target} for target in targets],
        }

    def query(self, *targets: dict, filters: tuple = (), uid: int | None = None) -> list:
        return self.answer("query", self.panel(*targets, filters=filters), uid)

    def test_finds_the_data_source(self):
        for path in ("/grafana", "/grafana/"):
            self.assertEqual(self.get(path)[0], 200)

    def test_lists_metrics(self):
        metrics = self.answer("metrics", {})
        self.assertEqual({"energy_joules", "emissions_grams", "cpu_seconds", "runs", "usage", "jobs"} - {one["value"] for one in metrics}, set())
        for metric in metrics:
            self.assertIn("user", {payload["name"] for payload in metric["payloads"]})
        self.assertEqual(self.answer("search", {"target": ""}), [one["value"] for one in metrics])

    def test_lists_choices(self):
        self.assertEqual(self.answer("metric-payload-options", {"metric": "runs", "payload": {}, "name": "user"}), [{"value": "daemon"}, {"value": "sys"}])
        self.assertEqual(self.answer("metric-payload-options", {"metric": "runs", "payload": {}, "name": "top"}), [])
        self.assertEqual(self.answer("variable", {"payload": {"target": "accounts"}, "range": self.RANGE})[0], {"__text": "biology", "__value": "biology"})
        self.assertEqual(self.answer("search", {"target": "clusters"}), ["alps"])
        self.assertEqual({one["text"] for one in self.answer("tag-keys", {})}, {"cluster", "user", "account", "partition"})
        self.assertEqual(self.answer("tag-values", {"key": "account"}), [{"text": "biology"}, {"text": "physics"}])

    def test_draws_days(self):
        (series,) = self.query({"target": "runs", "payload": {}})
        self.assertEqual(series, {"refId": "A", "target": "runs", "datapoints": [[25, MIDNIGHT * 1000]]})
        (series,) = self.query({"target": "energy_joules", "payload": {"user": "daemon"}})
        self.assertAlmostEqual(series["datapoints"][0][0], 5 * 3.000001)
        # what nobody knows is no zero
        (series,) = self.query({"target": "emissions_grams"})
        self.assertEqual(series["datapoints"], [[None, MIDNIGHT * 1000]])

    def test_draws_groups_the_greatest_first(self):
        for target in ({"target": "runs by user", "payload": ""}, {"target": "runs", "payload": {"group": "user"}}):
            found = self.query(target)
            self.assertEqual([(one["target"], one["datapoints"]) for one in found], [("sys", [[20, MIDNIGHT * 1000]]), ("daemon", [[5, MIDNIGHT * 1000]])])
        self.assertEqual([one["target"] for one in self.query({"target": "runs", "payload": {"group": "user", "top": 1}})], ["sys"])
        self.assertEqual([one["target"] for one in self.query({"target": "runs", "payload": {"group": "cluster", "top": "1"}})], ["alps"])

    def test_draws_several_things(self):
        found = self.query({"target": "runs by account", "refId": "A"}, {"target": "wall_seconds", "refId": "B"}, {"target": "runs", "refId": "C", "hide": True})
        self.assertEqual([(one["refId"], one["target"]) for one in found], [("A", "runs biology"), ("A", "runs physics"), ("B", "wall_seconds")])

    def test_shows_tables(self):
        (table,) = self.query({"target": "usage by user"})
        names = [column["text"] for column in table["columns"]]
        self.assertEqual((table["type"], names[:2], [row[0] for row in table["rows"]]), ("table", ["user", "runs"], ["sys", "daemon"]))
        (table,) = self.query({"target": "jobs", "payload": {"user": ["daemon"], "limit": "2"}})
        rows = [dict(zip((column["text"] for column in table["columns"]), row, strict=True)) for row in table["rows"]]
        self.assertEqual([(row["job_id"], row["end_time"]) for row in rows], [("25", (MIDNIGHT + 125) * 1000), ("20", (MIDNIGHT + 120) * 1000)])
        # what is not known is no zero
        self.assertEqual([row["emissions_grams"] for row in rows], [None, None])
        self.assertEqual(table["columns"][0], {"text": "start_time", "type": "time"})

    def test_of_old_asks_for_tables_by_type(self):
        (table,) = self.answer("query", {"range": self.RANGE, "targets": [{"target": "runs by user", "refId": "A", "type": "table"}]})
        self.assertEqual(table["type"], "table")

    def test_filters_by_a_dashboards_choice(self):
        (series,) = self.query({"target": "runs"}, filters=(("user", "daemon"), ("account", "physics")))
        self.assertEqual(series["datapoints"], [[2, MIDNIGHT * 1000]])
        (series,) = self.query({"target": "runs", "payload": {"user": "(daemon|sys)", "account": "physi\\cs"}})
        self.assertEqual(series["datapoints"], [])
        (series,) = self.query({"target": "runs", "payload": {"user": "(daemon|s\\.ys)"}})
        self.assertEqual(series["datapoints"], [[5, MIDNIGHT * 1000]])

    def test_has_annotations(self):
        note = {"name": "ended", "enable": True, "iconColor": "red", "query": "COMPLETED,FAILED"}
        found = self.answer("annotations", {"range": self.RANGE, "annotation": note})
        self.assertEqual(len(found), 25)
        self.assertEqual((found[0]["time"], found[0]["title"], found[0]["tags"]), ((MIDNIGHT + 125) * 1000, "job 25: COMPLETED", ["COMPLETED"]))
        self.assertEqual(self.answer("annotations", {"range": self.RANGE, "annotation": {**note, "query": "FAILED"}}), [])

    def test_learns_what_is_invalid(self):
        bad = {
            "moon": {"target": "moon"},
            "usr": {"target": "runs", "payload": {"usr": "ada"}},
            "state": {"target": "runs", "payload": {"state": "FAILED"}},
            "top": {"target": "runs", "payload": {"top": 0}},
            "group": {"target": "runs", "payload": {"group": "moon"}},
            "target": {"target": 5},
            "payload": {"target": "runs", "payload": [1]},
            "user": {"target": "runs", "payload": {"user": [["x"]]}},
            "cluster": {"target": "runs", "payload": {"cluster": ["a", "b"]}},
        }
        for name, target in bad.items():
            status, text = self.post("query", self.panel(target))
            self.assertEqual(status, 400, f"{target}: {text}")
            self.assertIn(name, text)
        for filters in ((("user", "a"), ("user", "b")), (("limit", "1"),), (("moon", "1"),)):
            self.assertEqual(self.post("query", self.panel({"target": "runs"}, filters=filters))[0], 400, filters)
        for span in ({}, {"from": "x", "to": "y"}, {"from": "2026-03-05T00:00:00Z", "to": "2026-03-01T00:00:00Z"}, {"from": "1980-01-01T00:00:00Z", "to": "2026-03-01T00:00:00Z"}):
            self.assertEqual(self.post("query", {"range": span, "targets": []})[0], 400, span)
        for path in ("query", "annotations", "search", "variable", "tag-values", "metric-payload-options"):
            for body in (b"", b"{", b"[" * 100, b"\xff", b"[null]", b"5", b"null"):
                self.assertEqual(self.post(path, body)[0], 400, (path, body))
        self.assertEqual(self.post("annotations", {"range": self.RANGE, "annotation": ["query"]})[0], 400)
        self.assertEqual(self.post("query", b" " * (256 * 1024 + 1))[0], 413)
        self.assertEqual(self.get("/grafana/query")[0], 405)

    def test_shows_users_their_own(self):
        needs_root()
        self.assertEqual([one["target"] for one in self.query({"target": "runs by user"}, uid=DAEMON)], ["daemon"])
        self.assertEqual(self.answer("search", {"target": "users"}, MAIL), [])
        (table,) = self.query({"target": "jobs"}, uid=DAEMON)
        self.assertEqual(len(table["rows"]), len(OWN))
        self.assertEqual(self.answer("annotations", {"range": self.RANGE, "annotation": {"query": "COMPLETED"}}, MAIL), [])


class OldRuns(ServerTest):
    def test_go_and_leave_their_sums(self):
        subprocess.run([MADE_ACCOUNTS, self.store], check=True, timeout=SECONDS)
        self.start("--server.max-age=86400")
        end = time.monotonic() + SECONDS
        while self.ids():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        (whole,) = self.document("/api/v1/usage")["usage"]
        self.assertEqual((whole["runs"], whole["wall_seconds"]), (25, 2500))


class WhoIsTold(ServerTest):
    """Nobody learns of a run that is not theirs."""

    def setUp(self):
        needs_root()
        super().setUp()
        self.start_filled()
        self.uuids = {job["raw_id"]: job["uuid"] for job in self.document("/api/v1/jobs")["jobs"]}
        self.paths = [*LISTS, "/grafana", "/grafana/", SUGGESTION, f"/api/v1/jobs/{self.uuids['5']}"]

    def sees(self, uid: int, runs: set[str]) -> None:
        self.assertEqual(self.ids(uid), runs)
        for raw_id, uuid in self.uuids.items():
            self.assertEqual(self.get(f"/api/v1/jobs/{uuid}", uid)[0], 200 if raw_id in runs else 404)
        usage = self.document("/api/v1/usage", uid)["usage"]
        self.assertEqual(sum(row["runs"] for row in usage), len(runs))
        (statistics,) = self.document("/api/v1/statistics", uid, **Statistics.PERIOD)["statistics"]
        self.assertEqual(statistics["runs"], len(runs))
        for kind in NAMES:
            names = self.document(f"/api/v1/{kind}", uid)[kind]
            self.assertEqual(sum(row["runs"] for row in names), len(runs), kind)

    def test_users_see_their_own(self):
        self.sees(DAEMON, OWN)

    def test_coordinators_see_their_accounts(self):
        self.sees(BIN, PHYSICS)

    def test_administrators_see_all(self):
        self.sees(GAMES, ALL)

    def test_who_never_had_a_job_sees_nothing(self):
        self.sees(MAIL, set())

    def test_who_has_no_name_is_refused(self):
        for path in self.paths:
            self.assertEqual(self.get(path, STRANGER)[0], 403, path)
        for path in POSTS:
            self.assertEqual(self.ask(path, b"{}", STRANGER)[0], 403, path)

    def test_another_users_name_opens_nothing(self):
        self.assertEqual(self.ids(DAEMON, user="sys"), set())
        status, text = self.get("/api/v1/usage", DAEMON, user="sys", group="user")
        self.assertNotIn("sys", text)

    def test_the_network_is_refused(self):
        """Whatever somebody there calls themselves."""
        forged = "X-Jobmetrics-Secret: guessed"
        for headers, wanted in (((), 401), (("X-Forwarded-User: root",), 401), (("X-Remote-User: games",), 403), (("X-Remote-User: games", forged), 403)):
            for path in self.paths:
                self.assertEqual(self.ask_by_network(path, *headers)[0], wanted, headers)
            for path in POSTS:
                self.assertEqual(self.ask_by_network(path, *headers, body=b"{}")[0], wanted, (path, headers))


class Keeping(ServerTest):
    """Owners of running jobs keep them from policies on idle ones."""

    def setUp(self):
        needs_root()
        super().setUp()
        self.start_filled()
        with sqlite3.connect(self.store) as store:
            store.execute("UPDATE run SET end_time = 0, state = 'RUNNING' WHERE raw_id = '5'")
        store.close()
        self.uuids = {job["raw_id"]: job["uuid"] for job in self.document("/api/v1/jobs")["jobs"]}

    def keep(self, job: str, uid: int | None, seconds: object = 3600) -> int:
        return self.ask(f"/api/v1/keep/{self.uuids[job]}?seconds={seconds}", b"", uid)[0]

    def kept(self) -> float | None:
        return self.document(f"/api/v1/jobs/{self.uuids['5']}")["job"].get("kept_until_time")

    def test_is_for_owners_and_administrators(self):
        (owner,) = {job["user"] for job in self.document("/api/v1/jobs", job="5")["jobs"]}
        self.assertEqual(owner, "daemon")
        # whoever does not see the run, sees it as a coordinator, or has no name
        for uid, wanted in ((MAIL, 404), (BIN, 404), (STRANGER, 403)):
            self.assertEqual((self.keep("5", uid), self.kept()), (wanted, None))
        self.assertEqual(self.keep("10", BIN), 403)
        self.assertEqual(self.keep("5", DAEMON), 200)
        self.assertAlmostEqual(self.kept(), time.time() + 3600, delta=60)
        self.assertEqual(self.keep("5", GAMES, 7200), 200)
        self.assertAlmostEqual(self.kept(), time.time() + 7200, delta=60)
        self.assertIn("Kept, although idle, until", self.get(f"/job/{self.uuids['5']}", DAEMON)[1])
        self.assertIn("keep it for 4 hours", self.get(f"/job/{self.uuids['5']}", DAEMON)[1])
        self.assertNotIn("keep it for 4 hours", self.get(f"/job/{self.uuids['10']}", DAEMON)[1])

    def test_is_of_running_jobs_for_a_time_with_an_end(self):
        self.assertEqual(self.keep("10", DAEMON), 403)
        for seconds in ("", "-1", "x", "604801"):
            self.assertEqual(self.keep("5", DAEMON, seconds), 400)
        self.assertEqual(self.get(f"/api/v1/keep/{self.uuids['5']}", DAEMON, seconds=1)[0], 405)
        self.assertIsNone(self.kept())

    def test_is_not_for_a_page_of_another_site(self):
        for header in ("Origin: https://elsewhere.example.org", "Sec-Fetch-Site: cross-site"):
            self.assertEqual(self.ask_by_network(f"/api/v1/keep/{self.uuids['5']}?seconds=60", header, body=b"")[0], 403)
        self.assertIsNone(self.kept())


class ATrustedProxy(ServerTest):
    def setUp(self):
        super().setUp()
        subprocess.run([MADE_ACCOUNTS, self.store], check=True, timeout=SECONDS)
        secret = self.folder / "secret"
        secret.write_text("between-us-two\n")
        secret.chmod(0o600)
        self.start("--server.proxy-addresses=127.0.0.1", f"--server.proxy-secret-file={secret}")

    def answer(self, *headers: str) -> tuple[int, set[str]]:
        status, text = self.ask_by_network("/api/v1/jobs", *headers)
        return status, {job["raw_id"] for job in parse(text)["jobs"]} if status == 200 else set()

    def test_names_who_asks(self):
        secret = "X-Jobmetrics-Secret: between-us-two"
        for user, seen in (("daemon", OWN), ("bin", PHYSICS), ("games", ALL), ("root", set()), ("stranger", set())):
            self.assertEqual(self.answer(secret, f"X-Remote-User: {user}"), (200, seen))

    def test_is_no_other(self):
        secret = "X-Jobmetrics-Secret: between-us-two"
        self.assertEqual(self.answer("X-Remote-User: games")[0], 403)
        self.assertEqual(self.answer("X-Remote-User: games", "X-Jobmetrics-Secret: between-us")[0], 403)
        self.assertEqual(self.answer(secret)[0], 403)
        self.assertEqual(self.answer(secret, "X-Remote-User: daemon", "X-Remote-User: games")[0], 400)


class Ledgers(ServerTest):
    """Of nodes, which are asked for what their jobs used."""

    RECORDS = 40

    def start_node(self) -> None:
        ledger, config, node = self.folder / "ledger", self.folder / "web.yml", self.folder / "node"
        subprocess.run([LEDGER_SERVER, f"--fill={self.RECORDS}", "--uid=1", ledger], check=True, timeout=SECONDS)
        config.write_text(f"basic_auth_users:\n  alice: {ALICE}\n")
        self.launch([LEDGER_SERVER, f"--config={config}", f"--local={node}", str(ledger)], "^ready$", "stdout")
        address = re.search(r"127\.0\.0\.1:(\d+)", self.said)[0]
        self.node, self.socket = node, self.folder / "socket"
        self.nodes = self.folder / "nodes.json"
        self.nodes.write_text(json.dumps([{"targets": [address], "labels": {"cluster": "lab", "__meta_jobmetrics_node": "n1"}}]))
        login = self.folder / "login"
        login.write_text("username=alice\npassword=secret\n")
        login.chmod(0o600)
        self.options = [f"--server.nodes-file={self.nodes}", f"--server.nodes-login-file={login}", "--server.interval=1"]

    def figure(self, name: str) -> float:
        _, text = self.ask_by_network("/metrics")
        return float(re.search(rf"(?m)^jobmetrics_server_{name} (\S+)$", text)[1])

    def await_reading(self) -> None:
        end = time.monotonic() + SECONDS
        while self.ask("/-/ready")[0] != 200:
            self.assertLess(time.monotonic(), end, self.ask("/-/ready")[1])
            time.sleep(0.05)

    def end(self, process: subprocess.Popen) -> None:
        process.terminate()
        process.wait(SECONDS)

    def told(self) -> list[dict]:
        """Nodes that do not know when a job began report no run that the accounting did not report."""
        process = self.start(*self.options)
        self.await_reading()
        self.assertEqual((self.figure("failed_nodes"), self.figure("unresolved_records_total")), (0, 0))
        self.assertEqual(self.figure("read_failures_total"), 0)
        jobs = self.document("/api/v1/jobs", cluster="lab", limit=1000)["jobs"]
        self.end(process)
        return jobs

    def test_wait_for_the_accounting_and_are_read_once(self):
        self.start_node()
        self.assertEqual(self.told(), [])
        subprocess.run([MADE_ACCOUNTS, self.store, str(self.RECORDS)], check=True, timeout=SECONDS)
        for _ in range(2):
            jobs = self.told()
            self.assertEqual({job["raw_id"] for job in jobs}, {str(number + 1) for number in range(self.RECORDS)})
            self.assertEqual(len(jobs), self.RECORDS)
            self.assertEqual({job["sources"]["cpu_seconds"] for job in jobs}, {"ledger"})
            self.assertEqual({job["state"] for job in jobs}, {"COMPLETED"})

    def test_of_nodes_that_are_gone_are_missed(self):
        self.start_node()
        self.nodes.write_text(json.dumps([{"targets": ["127.0.0.1:1"], "labels": {"cluster": "alps"}}]))
        self.start(*self.options)
        self.await_reading()
        for _ in range(2):
            self.assertEqual((self.figure("failed_nodes"), self.figure("ledger_records_total")), (1, 0))
            self.await_another_reading()
        state = self.document("/api/v1/health")
        self.assertEqual(state["status"], "degraded")
        (failed,) = state["nodes"]["failed_nodes"]
        self.assertEqual((failed["cluster"], failed["node"]), ("alps", "127.0.0.1"))
        self.assertRegex(failed["problem"], "127.0.0.1:1.*refused")
        status, page = self.get("/admin")
        self.assertEqual(status, 200)
        self.assertIn(">127.0.0.1<", page)
        self.assertNotIn("All is well", page)

    def await_another_reading(self) -> None:
        before, end = self.document("/api/v1/health")["last_success_time"], time.monotonic() + SECONDS
        while self.document("/api/v1/health")["last_success_time"] == before:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def check(self, cluster: str = "lab", **targets: str) -> tuple[int, str]:
        """What --check says of nodes at such addresses."""
        groups = [{"targets": [address], "labels": {"cluster": cluster, "__meta_jobmetrics_node": name}} for name, address in targets.items()]
        self.nodes.write_text(json.dumps(groups))
        command = [EXPORTER, "server", "--check", f"--server.store={self.store}", *self.options]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)
        return done.returncode, done.stdout

    def test_are_asked_by_a_check(self):
        self.start_node()
        good = json.loads(self.nodes.read_text())[0]["targets"][0]
        self.launch([LEDGER_SERVER, f"--local={self.folder / 'open'}", str(self.folder / "ledger")], "^ready$", "stdout")
        without_users = re.search(r"127\.0\.0\.1:(\d+)", self.said)[0]
        status, said = self.check(n1=good)
        self.assertEqual((status, "nodes: the ledgers of 1 of 1 can be read" in said), (0, True), said)
        status, said = self.check(n1=good, n2="127.0.0.1:1", n3=without_users)
        self.assertEqual(status, 1, said)
        self.assertRegex(said, r"(?m)^lab/n2: .*refused$")
        self.assertRegex(said, r"(?m)^lab/n3: .*403.*; the node's web.yml must have that user under basic_auth_users$")
        self.assertIn("nodes: the ledgers of 1 of 3 can be read\n", said)
        status, said = self.check(cluster="alps", n1=good)
        self.assertEqual(status, 1, said)
        self.assertRegex(said, "(?m)^alps/n1: .* it is of cluster lab, the node of alps; the target's labels cluster and __meta_jobmetrics_node ")

    def serve(self, handler: type[http.server.BaseHTTPRequestHandler]) -> str:
        server = http.server.HTTPServer(("127.0.0.1", 0), handler)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever).start()
        return f"127.0.0.1:{server.server_port}"

    def lie_for(self, node: str) -> str:
        """Passes on what the node answers, with more CPU time than any node has."""

        class Liar(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                request = urllib.request.Request(f"http://{node}{self.path}", headers={"Authorization": self.headers["Authorization"]})
                with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                    text = re.sub(rb'("cpu_seconds_total": ?)[^,}]+', rb"\g<1>1000000000", answer.read())
                self.send_response(200)
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *arguments):
                pass

        return self.serve(Liar)

    def test_are_named_by_a_check_for_what_cannot_be(self):
        self.start_node()
        status, said = self.check(n1=self.lie_for(json.loads(self.nodes.read_text())[0]["targets"][0]))
        self.assertEqual(status, 1, said)
        self.assertRegex(said, "(?m)^lab/n1: .*cpu_seconds_total is beyond what a node can have")

    def test_that_the_accounting_calls_otherwise_are_taken_and_shown(self):
        self.start_node()
        good = json.loads(self.nodes.read_text())[0]["targets"][0]
        subprocess.run([MADE_ACCOUNTS, self.store, str(self.RECORDS), "gpu1"], check=True, timeout=SECONDS)
        self.assertEqual({job["sources"]["cpu_seconds"] for job in self.told()}, {"ledger"})
        self.start(*self.options)
        self.await_reading()
        nodes = self.document("/api/v1/health")["nodes"]
        self.assertEqual(nodes["unread_records"], 0)
        (cluster,) = nodes["unmatched_clusters"]
        self.assertEqual(cluster["cluster"], "lab")
        self.assertRegex(cluster["problem"], r"^job \d+ ran on gpu1 by the accounting, and no target has that name")
        self.assertIn(f"<p>lab: {cluster['problem'].split(':')[0]}", self.get("/admin")[1])
        status, said = self.check(**{"127.0.0.1": good})
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"(?m)^cluster lab: job \d+ ran on gpu1 by the accounting")
        self.assertNotIn("gpu1", self.check(gpu1=good)[1])

    def gauge(self, name: str, labels: str) -> list[str]:
        _, text = self.ask_by_network("/metrics")
        return re.findall(rf"(?m)^jobmetrics_server_{name}{{{labels}}} (\S+)$", text)

    def test_are_complete_or_the_run_says_why_not(self):
        self.start_node()
        subprocess.run([MADE_ACCOUNTS, self.store, str(self.RECORDS + 1), "gpu1"], check=True, timeout=SECONDS)
        self.start(*self.options)
        self.await_reading()
        self.assertEqual(self.gauge("ended_runs", 'cluster="lab"'), [str(self.RECORDS + 1)])
        self.assertEqual(self.gauge("complete_runs", 'cluster="lab"'), [str(self.RECORDS)])
        (day,) = self.document("/api/v1/health")["completeness"]
        self.assertEqual((day["cluster"], day["ended_runs"], day["complete_runs"]), ("lab", self.RECORDS + 1, self.RECORDS))
        (since,) = self.gauge("peer_success_time_seconds", 'kind="node",cluster="lab",peer="n1"')
        self.assertLess(abs(float(since) - time.time()), SECONDS)
        self.assertGreater(self.figure("ledger_record_lag_seconds_total"), self.RECORDS)
        jobs = {job["raw_id"]: job["uuid"] for job in self.document("/api/v1/jobs", cluster="lab", limit=1000)["jobs"]}
        for raw_id, gap in (("1", None), (str(self.RECORDS + 1), "Records of 1 of 1 nodes are missing, such as of gpu1: it is not among the nodes whose ledgers are read.")):
            self.assertEqual(self.document(f"/api/v1/jobs/{jobs[raw_id]}")["incomplete"], gap)
            self.assertEqual("Records of 1 of 1 nodes" in self.get(f"/job/{jobs[raw_id]}")[1], gap is not None)

    def test_speak_about_their_own_cluster_alone(self):
        self.start_node()
        self.nodes.write_text(self.nodes.read_text().replace('"lab"', '"alps"'))
        self.start(*self.options)
        self.await_reading()
        _, text = self.ask_by_network("/metrics")
        self.assertIn(f'jobmetrics_server_unread_records_total{{reason="mandate"}} {self.RECORDS}\n', text)
        self.assertEqual(self.document("/api/v1/health")["nodes"]["records"], 0)

    def hang_sacct(self) -> pathlib.Path:
        """One that answers once the pipe is written to, in a folder for PATH."""
        folder, pipe = self.folder / "bin", self.folder / "pipe"
        folder.mkdir()
        os.mkfifo(pipe)
        write_script(folder / "sacct", f"cat {pipe}")
        path = mock.patch.dict(os.environ, {"PATH": f"{folder}:{os.environ['PATH']}"})
        path.start()
        self.addCleanup(path.stop)
        return pipe

    def test_and_other_histories_wait_for_none_that_hangs(self):
        self.start_node()
        subprocess.run([MADE_ACCOUNTS, self.store, str(self.RECORDS)], check=True, timeout=SECONDS)
        (self.folder / "log").touch()
        pipe = self.hang_sacct()
        histories = ("sacct,cluster=alps", f"pbs-log,cluster=jura,path={self.folder}/log")
        process = self.start(*self.options, *(f"--server.history={history}" for history in histories))
        end = time.monotonic() + SECONDS
        while self.figure("ledger_records_total") < self.RECORDS:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        state = self.document("/api/v1/health")
        hanging, other = state["histories"]
        self.assertEqual((state["last_success_time"], hanging["last_success_time"], other["problem"]), (None, None, None))
        self.assertIsNotNone(other["last_success_time"])
        self.assertRegex(hanging["problem"], r"^has not answered to its end for \d+ seconds$")
        self.assertIn(hanging["problem"].split(" for ")[0], self.get("/admin")[1])
        self.assertEqual(len(self.document("/api/v1/jobs", cluster="lab", limit=1000)["jobs"]), self.RECORDS)
        # who is held up does not hold up the end
        self.end(process)
        self.assertEqual(process.returncode, 0)
        self.assertTrue(pipe.is_fifo())

    def serve_nodes(self) -> str:
        """As the cluster role's /discovery does, with a login of its own."""
        text, token = self.nodes.read_text(), "Basic " + base64.b64encode(b"alice:secret").decode()

        class Discovery(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                is_known = self.headers["Authorization"] == token
                self.send_response(200 if is_known else 401)
                self.end_headers()
                self.wfile.write(text.encode() if is_known else b"")

            def log_message(self, *arguments):
                pass

        return f"http://{self.serve(Discovery)}/discovery"

    def test_may_be_of_a_list_that_is_served(self):
        self.start_node()
        subprocess.run([MADE_ACCOUNTS, self.store, str(self.RECORDS)], check=True, timeout=SECONDS)
        self.options[0] = f"--server.nodes-url={self.serve_nodes()}"
        self.assertEqual(len(self.told()), self.RECORDS)

    def test_are_of_one_list(self):
        self.start_node()
        for option, why in (("--server.nodes-url=http://127.0.0.1:1/", "--server.nodes-file names"), ("--server.nodes-url=x y", "x y")):
            options = self.options if "file" in why else self.options[1:]
            ended = subprocess.run([EXPORTER, "server", *options, option], capture_output=True, text=True, timeout=SECONDS)
            self.assertEqual(ended.returncode, 2)
            self.assertIn("--server.nodes-url", ended.stderr)
            self.assertIn(why, ended.stderr)

    def test_want_a_list_that_can_be_read(self):
        self.start_node()
        for text, why in (("{}", "no list"), ('[{"targets": ["a b:1"]}]', "a b:1"), ('[{"targets": ["n1:9010"]}]', "without the label cluster")):
            self.nodes.write_text(text)
            process = self.start(*self.options)
            end = time.monotonic() + SECONDS
            while why not in self.ask("/-/ready")[1]:
                self.assertLess(time.monotonic(), end, self.ask("/-/ready")[1])
                time.sleep(0.05)
            self.assertIn(str(self.nodes), self.ask("/-/ready")[1])
            self.end(process)


class TheDescription(ServerTest):
    """What is promised to programs holds for whatever is asked."""

    TRIALS = 150
    NASTY = ("", "0", "-1", "1e9", "99999999999999999999", "NaN", "null", "' OR 1=1 --", "%00", "%FF", "%F0%9F%98%80", "a" * 5000, "/", "..")

    def setUp(self):
        super().setUp()
        self.start_filled()
        self.api = self.document("/openapi.json")
        self.random = random.Random(20261124)

    def value_for(self, schema: dict) -> str:
        """Mostly one that is meant."""
        if schema.get("type") == "array":
            schema = schema["items"]
        if self.random.random() < 0.2:
            return self.random.choice(self.NASTY)
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        if schema.get("type") == "integer":
            return str(self.random.randint(schema["minimum"], schema["maximum"]))
        return self.random.choice(["alps", "daemon", "sys", "physics", "COMPLETED", "7", "-7d", "2026-03-01", str(MIDNIGHT + 10), *self.NASTY])

    def question(self, path: str, parameters: list[dict]) -> str:
        chosen = self.random.sample(parameters, self.random.randint(0, min(3, len(parameters))))
        return f"{path}?" + "&".join(f"{one['name']}={urllib.parse.quote(self.value_for(one['schema']), safe='%')}" for one in chosen)

    def check(self, method: dict, question: str) -> int:
        status, text = self.get(question)
        self.assertIn(str(status), method["responses"], f"{question}: {text[:200]}")
        self.assertLess(status, 500, f"{question}: {text[:200]}")
        if status == 200 and "format=csv" not in question:
            content = method["responses"]["200"]["content"]["application/json"]["schema"]
            jsonschema.Draft202012Validator({**content, "components": self.api["components"]}).validate(parse(text))
        return status

    def test_is_well_formed(self):
        self.assertEqual(self.api["openapi"], "3.1.0")
        for schema in self.api["components"]["schemas"].values():
            jsonschema.Draft202012Validator.check_schema(schema)

    def test_holds_for_lists(self):
        for path in (*LISTS, SUGGESTION):
            method = self.api["paths"][path]["get"]
            found = {self.check(method, self.question(path, method["parameters"])) for _ in range(self.TRIALS)}
            self.assertEqual(found, {200, 400})

    def body_for(self, schema: dict) -> object:
        """Mostly what is meant, at every level of it."""
        if self.random.random() < 0.1:
            return self.random.choice([None, True, 7, -1, 1e300, "", "x" * 3000, [], {}, [[]], {"x": []}])
        if "anyOf" in schema:
            return self.body_for(self.random.choice(schema["anyOf"]))
        if "const" in schema or "enum" in schema:
            return schema.get("const", self.random.choice(schema.get("enum", [None])))
        if schema.get("type") == "object":
            return {name: self.body_for(one) for name, one in schema.get("properties", {}).items() if name in schema.get("required", ()) or self.random.random() < 0.4}
        if schema.get("type") == "array":
            return [self.body_for(schema["items"]) for _ in range(self.random.randint(0, 2))]
        if schema.get("format") == "date-time":
            return self.random.choice(["2026-02-27T10:00:00.000Z", "2026-03-05T10:00:00Z", "2026-03-01", "never"])
        if schema.get("type") == "integer":
            return self.random.randint(1, 1200)
        return self.random.choice(["runs", "jobs", "usage by user", "energy_joules by account", "users", "cluster", "(daemon|sys)", "5", "FAILED", "\\", "\u0000", "\U0001f600"])

    def test_holds_for_what_grafana_sends(self):
        found = set()
        for path in POSTS:
            method = self.api["paths"][path]["post"]
            content = method["responses"]["200"]["content"]["application/json"]["schema"]
            schema = method["requestBody"]["content"]["application/json"]["schema"]
            for _ in range(self.TRIALS // 2):
                body = json.dumps(self.body_for(schema)).encode()
                status, text = self.ask(path, body)
                self.assertIn(str(status), method["responses"], f"{path} {body!r}: {text[:200]}")
                self.assertLess(status, 500, f"{path} {body!r}: {text[:200]}")
                if status == 200:
                    jsonschema.Draft202012Validator(content).validate(parse(text))
                found.add((path, status))
        self.assertLessEqual({("/grafana/query", 200), ("/grafana/query", 400)}, found)

    def test_holds_for_health(self):
        method = self.api["paths"]["/api/v1/health"]["get"]
        self.assertEqual(self.check(method, "/api/v1/health"), 200)

    def test_holds_for_one_run(self):
        method = self.api["paths"]["/api/v1/jobs/{uuid}"]["get"]
        runs = self.document("/api/v1/jobs")["jobs"]
        found = [self.check(method, f"/api/v1/jobs/{uuid}") for uuid in (runs[0]["uuid"], runs[0]["uuid"].upper(), *self.NASTY[1:-2])]
        self.assertEqual(found[0], 200)
        self.assertIn(404, found)


class Trouble(ServerTest):
    def test_a_store_that_cannot_be_read_is_said(self):
        self.store.write_text("this is no database\n" * 500)
        self.start()
        status, text = self.get("/api/v1/jobs")
        self.assertEqual((status, text), (503, "503: the archive cannot be read now\n"))
        status, text = self.ask_by_network("/metrics")
        self.assertEqual(status, 200)
        self.assertIn("\njobmetrics_server_runs_total 0\n", text)
        for unread in ("jobmetrics_sweep", "jobmetrics_server_failed_nodes", "jobmetrics_server_last_success"):
            self.assertNotIn(unread, text)

    def test_a_history_that_is_invalid_is_refused(self):
        done = subprocess.run(
            [EXPORTER, "server", f"--server.store={self.store}", "--server.history=moon"], capture_output=True, text=True, timeout=SECONDS
        )
        self.assertEqual(done.returncode, 2)
        self.assertIn("--server.history", done.stderr)
        self.assertIn("moon", done.stderr)


if __name__ == "__main__":
    sys.exit(tap.run(Jobs, ManyJobs, AWholeTable, Usage, Names, Statistics, States, Report, Series, Health, Page, Grafana, OldRuns, WhoIsTold, Keeping, ATrustedProxy, Ledgers, TheDescription, Trouble))
