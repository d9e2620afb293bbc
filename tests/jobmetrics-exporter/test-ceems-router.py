#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Questions as CEEMS' API server and the batch job stats server take them.

usage: test-ceems-router.py MADE-CEEMS EXPORTER
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time
import urllib.parse

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "pylib"), str(TESTS / "dropin")]
import dropin  # noqa: E402
import jsonschema  # noqa: E402
import tap  # noqa: E402

from local import SECONDS, LocalTest  # noqa: E402

MADE_CEEMS, EXPORTER = map(os.path.abspath, sys.argv[1:3])
MIDNIGHT = 1772323200  # 2026-03-01 in UTC
WINDOW = {"from": MIDNIGHT, "to": MIDNIGHT + 9999}
UTC = {"timezone": "Etc/UTC"}
API = "/ceems/api/v1/"
FOR_ALL = ("units/admin", "usage/current/admin", "usage/global/admin", "users/admin", "projects/admin", "clusters/admin",
           "stats/current/admin", "stats/global/admin")
FOR_USERS = ("units", "usage/current", "usage/global", "users", "projects")

# By hand, from the shapes that CEEMS documents; one with all figures is in tests/archive/dialects/questions.json.
RUNNING = {
    "cluster_id": "alps",
    "resource_manager": "slurm",
    "uuid": "200",
    "project": "physics",
    "username": "daemon",
    "created_at": "2026-03-01T00:00:00+0000",
    "started_at": "2026-03-01T01:06:40+0000",
    "ended_at": "Unknown",
    "created_at_ts": 1772323200000,
    "started_at_ts": 1772327200000,
    "state": "RUNNING",
    "allocation": {"cpus": 2},
    "tags": {"uid": 1},
}
JOB = {
    "jobid": "100", "partition": "part1", "qos": "normal", "account": "physics", "group": "", "gid": "", "user": "daemon", "uid": "1",
    "submit": "2026-03-01T00:00:00", "start": "2026-03-01T00:00:46", "end": "2026-03-01T00:09:03", "elapsed": "00:08:17",
    "exitcode": "0:9", "state": "COMPLETED", "nnodes": "2", "ncpus": "16", "nodelist": "n[1-2]", "nodelistexp": "n1|n2",
    "jobname": 'a "name" \ufffd', "workdir": "/home/daemon",
}


class CeemsTest(LocalTest):
    """Everybody comes through a proxy that says who they are, as Grafana does."""

    MORE_RUNS = 0

    def setUp(self):
        super().setUp()
        self.store = self.folder / "accounts.db"
        subprocess.run([MADE_CEEMS, self.store, str(self.MORE_RUNS)], check=True, timeout=SECONDS * 3)
        secret = self.folder / "secret"
        secret.write_text("between-us-two\n")
        secret.chmod(0o600)
        proxy = ["--server.proxy-header=X-Grafana-User", "--server.proxy-addresses=127.0.0.1", f"--server.proxy-secret-file={secret}"]
        log = self.folder / "accounting"
        histories = ["--server.history=sacct,cluster=alps", f"--server.history=gridengine-log,cluster=jura,path={log}"]
        command = [EXPORTER, "server", f"--server.store={self.store}", "--web.listen-address=127.0.0.1:0", *proxy, *histories]
        self.launch(command, r"listening on 127", "stderr", TZ="UTC")
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", self.said)[1])

    def get(self, path: str, user: str = "daemon", /, *headers: str, **query: object) -> tuple[int, str]:
        if query:
            path += "?" + urllib.parse.urlencode(query, doseq=True)
        known = (f"X-Grafana-User: {user}", "X-Jobmetrics-Secret: between-us-two") if user else ()
        return self.ask_by_network(path, *known, *headers)

    def envelope(self, path: str, user: str = "daemon", wanted: int = 200, /, **query: object) -> dict:
        status, text = self.get(API + path, user, **query)
        self.assertEqual(status, wanted, f"{path}: {text[:300]}")
        answer = json.loads(text)
        self.assertEqual(answer["status"], "success" if wanted == 200 else "error")
        self.assertLessEqual(set(answer), {"status", "data", "errorType", "error", "warnings"})
        return answer

    def data(self, path: str, user: str = "daemon", /, **query: object) -> list[dict]:
        answer = self.envelope(path, user, **query)
        self.assertNotIn("warnings", answer)
        return answer["data"]

    def ids(self, path: str = "units", user: str = "daemon", /, **query: object) -> list[tuple[str, str]]:
        return [(unit["cluster_id"], unit["uuid"]) for unit in self.data(path, user, **{**WINDOW, **query})]


OWN = [("alps", "100"), ("alps", "300"), ("alps", "301"), ("alps", "7"), ("jura", "7")]


class Fields(CeemsTest):
    def test_are_those_of_the_original_but_for_such_as_the_table_explains(self):
        for endpoint, query in (("units", {"uuid": "100"}), ("usage/current", {"project": "physics", "cluster_id": "alps", **WINDOW})):
            (row,) = self.data(endpoint, **query)
            names = {f"{name}.{member}" if isinstance(value, dict) else name for name, value in row.items() for member in (value if isinstance(value, dict) else [""])}
            names = {re.sub(r"\b(owid|emaps)_total", "PROVIDER_total", name) for name in names}
            table = dropin.read_fields(endpoint)
            self.assertEqual(names, {name for name, verdict in table.items() if not verdict.startswith("absent: ")})
            self.assertTrue(all(re.match("equal$|(differs|absent): .", verdict) for verdict in table.values()))


class Units(CeemsTest):
    def test_have_the_names_and_shapes_of_ceems(self):
        (own,) = self.data("units", uuid="200", **UTC)
        self.assertEqual(own, RUNNING)

    def test_that_ended_in_the_window_are_reported(self):
        self.assertEqual(self.ids(), OWN)
        self.assertEqual(self.ids(**{"from": MIDNIGHT + 543, "to": MIDNIGHT + 2100}), [("alps", "100"), ("alps", "7")])
        self.assertEqual(self.ids(**{"from": MIDNIGHT + 544, "to": MIDNIGHT + 2099}), [])
        self.assertEqual(self.ids(**{"to": MIDNIGHT + 3099, "from": ""}), [("alps", "100"), ("alps", "7")])
        self.assertEqual(self.ids(**{"from": MIDNIGHT + 3100, "to": ""}), [("alps", "300"), ("alps", "301"), ("jura", "7")])
        self.assertEqual(self.data("units"), [])

    def test_that_go_on_are_reported_where_they_are_wanted(self):
        with_running = [("alps", "100"), ("alps", "200"), *OWN[1:]]
        self.assertEqual(self.ids(running=""), with_running)
        status, text = self.get(f"{API}units?running&{urllib.parse.urlencode(WINDOW)}")
        self.assertEqual((status, [(unit["cluster_id"], unit["uuid"]) for unit in json.loads(text)["data"]]), (200, with_running))

    def test_are_chosen(self):
        self.assertEqual(self.ids(cluster_id="jura"), [("jura", "7")])
        self.assertEqual(self.ids(cluster_id=["jura", "alps"]), OWN)
        self.assertEqual(self.ids(cluster_id=["jura", "moon"], project=["biology", "physics"]), [("jura", "7")])
        self.assertEqual(self.ids(project="biology"), [("alps", "7"), ("jura", "7")])
        # whenever they were, and by the uuid of jobmetrics too
        (job,) = json.loads(self.get("/api/v1/jobs", job="100")[1])["jobs"]
        for uuid in ("100", job["uuid"], job["uuid"].upper(), ["100", job["uuid"], "100"]):
            self.assertEqual(self.ids(uuid=uuid, **{"from": 1, "to": 2}), [("alps", "100")])
        self.assertEqual(self.ids(uuid=["301", "300", "300_1"]), [("alps", "300"), ("alps", "301")])
        self.assertEqual(self.ids(uuid="101"), [])

    def test_have_the_fields_that_are_wanted(self):
        (unit,) = self.data("units", uuid="100", field=["state", "total_gpu_energy_usage_kwh", "total_io_read_stats"])
        self.assertEqual(unit, {"uuid": "100", "state": "COMPLETED", "total_gpu_energy_usage_kwh": {"total": 1}})
        answer = self.envelope("units", uuid="100", field=["state", "password"])
        self.assertEqual(answer["data"], [{"uuid": "100", "state": "COMPLETED"}])
        self.assertEqual(len(answer["warnings"]), 1)
        self.assertIn("password", answer["warnings"][0])
        self.assertEqual(self.envelope("units", "daemon", 400, field="password")["errorType"], "bad_data")

    def test_report_times_in_a_zone(self):
        for zone, told in (("Europe/Paris", "01:00:46+0100"), ("America/New_York", "19:00:46-0500"), ("Moon/Base", "00:00:46+0000"),
                           ("../../../../etc/passwd", "00:00:46+0000"), ("/dev/zero", "00:00:46+0000"), ("x" * 5000, "00:00:46+0000")):
            (unit,) = self.data("units", uuid="100", field="started_at", timezone=zone)
            self.assertEqual(unit["started_at"].partition("T")[2], told, zone)

    def test_want_times_that_can_be_meant(self):
        for key in ("from", "to"):
            for value in ("yesterday", "1e9", "NaN", "99999999999999999999999", "' OR 1"):
                answer = self.envelope("units", "daemon", 400, **{key: value})
                self.assertEqual((answer["errorType"], answer["data"]), ("bad_data", None))
                self.assertIn(key, answer["error"])
        for low, high in ((-(2**63), 2**63 - 1), (0, 2**62)):
            self.assertEqual(self.ids(**{"from": low, "to": high}), OWN)
        self.assertEqual(self.ids(**{"from": 2**63 - 1, "to": -(2**63)}), [])

    def test_of_others_are_for_administrators(self):
        everybodys = [("alps", "100"), ("alps", "101"), ("alps", "300"), ("alps", "301"), ("alps", "400"), ("alps", "7"), ("jura", "7")]
        self.assertEqual(self.ids("units/admin", "games"), everybodys)
        self.assertEqual(self.ids("units/admin", "games", user="sys"), [("alps", "101")])
        self.assertEqual(self.ids("units/admin", "games", user=["sys", "daemon"], project="physics", cluster_id="alps"),
                         [("alps", "100"), ("alps", "101"), ("alps", "300"), ("alps", "301")])
        # as everybody else an administrator has units of their own
        self.assertEqual(self.ids("units", "games"), [])
        self.assertEqual(self.ids("units", "daemon", user="sys"), OWN)
        self.assertEqual(self.ids("units", "bin"), [])


class Names(CeemsTest):
    def test_are_no_sql(self):
        nasty = "' OR '1'='1"
        self.assertEqual(self.ids("units/admin", "games", user=nasty), [("alps", "400")])
        for name in ("%", "_", 'x"; DROP TABLE run; --', "daemon\\", "' OR 1=1 --"):
            for key in ("user", "project", "cluster_id", "uuid"):
                self.assertEqual(self.ids("units/admin", "games", **{key: name}), [], f"{key}={name}")
            for key in ("groupby", "field"):
                self.assertEqual(self.get(API + "usage/current", "games", **{key: name})[0], 400, f"{key}={name}")
        self.assertEqual(self.data("users/admin", "games", user=nasty)[0]["projects"], ['x"; --'])
        self.assertEqual(self.ids(), OWN)


class Ownership(CeemsTest):
    def verdict(self, user: str, *uuids: str, **query: object) -> int:
        status, text = self.get(API + "units/verify", user, uuid=list(uuids), **query)
        wanted = {"status": "success", "data": None} if status == 200 else {"status": "error", "data": None, "errorType": "forbidden"}
        self.assertEqual({name: json.loads(text)[name] for name in wanted}, wanted)
        return status

    def test_is_of_all_units_or_none(self):
        self.assertEqual(self.verdict("daemon", "100", "200", "301"), 200)
        self.assertEqual(self.verdict("daemon", "100", "101"), 403)
        self.assertEqual(self.verdict("daemon", "101", "100"), 403)
        self.assertEqual(self.verdict("daemon", "100", "no-such-job"), 403)
        self.assertEqual(self.verdict("daemon", "100", cluster_id="jura"), 403)
        self.assertEqual(self.verdict("mail", "100"), 403)

    def test_of_an_account_is_its_coordinators(self):
        self.assertEqual(self.verdict("bin", "100", "101", "300"), 200)
        self.assertEqual(self.verdict("bin", "100", "7"), 403)

    def test_is_everybodys_for_administrators(self):
        self.assertEqual(self.verdict("games", "100", "101", "7"), 200)
        self.assertEqual(self.verdict("games", "no-such-job"), 403)

    def test_of_an_id_that_came_again_is_of_a_time(self):
        early, late = {"from": MIDNIGHT, "to": MIDNIGHT + 9999}, {"from": MIDNIGHT + 400000, "to": MIDNIGHT + 600000}
        self.assertEqual(self.verdict("daemon", "7"), 403)
        self.assertEqual(self.verdict("daemon", "7", cluster_id="alps"), 403)
        self.assertEqual(self.verdict("daemon", "7", cluster_id="jura"), 200)
        self.assertEqual(self.verdict("daemon", "7", **early), 200)
        self.assertEqual(self.verdict("daemon", "7", **late), 403)
        self.assertEqual(self.verdict("sys", "7", cluster_id="alps", **late), 200)
        self.assertEqual(self.verdict("sys", "7", cluster_id=["jura", "alps"], **late), 200)
        self.assertEqual(self.verdict("daemon", "7", cluster_id=["jura", "alps"]), 403)

    def test_takes_uuids_of_jobmetrics(self):
        (job,) = json.loads(self.get("/api/v1/jobs", job="100")[1])["jobs"]
        self.assertEqual(self.verdict("daemon", job["uuid"], job["uuid"].upper()), 200)
        self.assertEqual(self.verdict("sys", job["uuid"]), 403)

    def test_wants_something_to_be_owned(self):
        self.assertEqual(self.envelope("units/verify", "daemon", 400)["errorType"], "bad_data")


class Sums(CeemsTest):
    def rows(self, path: str, user: str, /, **query: object) -> dict[tuple, dict]:
        answer = self.envelope(path, user, **{**WINDOW, **query})
        return {(row["cluster_id"], row["username"], row["project"]): row for row in answer["data"]}

    def test_have_the_names_and_shapes_of_ceems(self):
        (row,) = self.data("usage/current", project="physics", cluster_id="alps", **WINDOW)
        self.assertEqual({name: row.pop(name) for name in ("cluster_id", "resource_manager", "project", "groupname", "username")},
                         {"cluster_id": "alps", "resource_manager": "slurm", "project": "physics", "groupname": "", "username": "daemon"})
        energies = {name: row.pop(f"total_{name}_usage_kwh") for name in ("cpu_energy", "gpu_energy")}
        self.assertEqual(energies, {"cpu_energy": {"total": 1}, "gpu_energy": {"total": 1}})
        emissions = {name: row.pop(f"total_{name}_emissions_gms") for name in ("cpu", "gpu")}
        self.assertEqual(emissions, {"cpu": {"total": 60}, "gpu": {"total": 60}})
        # job 100 alone has ended, so they are its own
        means = {name: row.pop(f"avg_{name}_usage")["global"] for name in ("cpu", "cpu_mem", "gpu", "gpu_mem")}
        self.assertEqual(means, {"cpu": 50, "cpu_mem": 25, "gpu": 50, "gpu_mem": 30})
        self.assertEqual(set(row), {"num_units", "total_time_seconds"})
        self.assertEqual(row["total_time_seconds"]["alloc_gputime"], 994)

    def test_of_all_time_say_that_they_do_not_separate_accelerators(self):
        answer = self.envelope("usage/global", project="physics", cluster_id="alps")
        (row,) = answer["data"]
        self.assertEqual((row["total_cpu_energy_usage_kwh"], row.get("total_gpu_energy_usage_kwh")), ({"total": 2}, None))
        self.assertEqual(len(answer["warnings"]), 1)

    def test_of_five_minutes_are_of_five_minutes(self):
        window = {"from": MIDNIGHT + 100, "to": MIDNIGHT + 400}
        (row,) = self.rows("usage/current", "daemon", **window).values()
        self.assertEqual((row["num_units"], row["total_time_seconds"]["walltime"], row["total_time_seconds"]["alloc_cputime"]), (1, 300, 4800))
        self.assertAlmostEqual(row["total_cpu_energy_usage_kwh"]["total"], 2 * 300 / 497, places=6)
        self.assertAlmostEqual(row["avg_cpu_usage"]["global"], 50, places=3)
        self.assertEqual(self.rows("usage/current", "daemon", **{"from": MIDNIGHT + 600, "to": MIDNIGHT + 900}), {})
        (row,) = self.rows("usage/current/admin", "games", **{"from": MIDNIGHT + 950, "to": MIDNIGHT + 975}).values()
        self.assertEqual((row["username"], row["total_time_seconds"]), ("sys", {"alloc_cputime": 50, "walltime": 25}))

    def test_are_of_whom_one_may_see(self):
        self.assertEqual(set(self.rows("usage/current", "daemon")),
                         {("alps", "daemon", "physics"), ("alps", "daemon", "biology"), ("jura", "daemon", "biology")})
        self.assertEqual(set(self.rows("usage/global", "bin")), {("alps", "daemon", "physics"), ("alps", "sys", "physics")})
        self.assertEqual(self.rows("usage/global", "mail"), {})
        self.assertEqual(self.rows("usage/global", "games"), {})
        everybodys = self.rows("usage/global/admin", "games")
        self.assertEqual(len(everybodys), 6)
        self.assertEqual(everybodys[("alps", "sys", "biology")]["num_units"], 1)
        self.assertEqual(set(self.rows("usage/current/admin", "games", user="sys")), {("alps", "sys", "physics")})

    def test_report_nothing_of_what_nobody_measured(self):
        row = self.rows("usage/global", "sys")[("alps", "sys", "physics")]
        self.assertEqual(row["total_time_seconds"], {"alloc_cputime": 200, "walltime": 100})
        self.assertEqual([name for name in row if name.startswith(("avg", "total_cpu", "total_gpu", "total_io"))], [])

    def test_are_kept_apart_by_known_columns_alone(self):
        for column in ("username", "project", "cluster_id", ""):
            self.data("usage/current", "sys", groupby=column)
        self.assertEqual(self.envelope("usage/current", "daemon", 400, groupby="name) FROM run; --")["errorType"], "bad_data")


class People(CeemsTest):
    def test_know_their_projects(self):
        self.assertEqual(self.data("users"), [
            {"cluster_id": "alps", "resource_manager": "slurm", "name": "daemon", "projects": ["biology", "physics"]},
            {"cluster_id": "jura", "resource_manager": "gridengine", "name": "daemon", "projects": ["biology"]},
        ])
        self.assertEqual(self.data("users", "bin"), [])
        self.assertEqual([user["name"] for user in self.data("users/admin", "games", cluster_id="alps")], ["' OR '1'='1", "daemon", "sys"])
        self.assertEqual(len(self.data("users/admin", "games", user="sys")), 1)
        answer = self.envelope("users/admin", "games", role="admin")
        self.assertEqual((answer["data"], len(answer["warnings"])), ([], 1))

    def test_are_listed_by_project(self):
        self.assertEqual(self.data("projects", "sys"), [
            {"cluster_id": "alps", "resource_manager": "slurm", "name": "biology", "users": ["sys"]},
            {"cluster_id": "alps", "resource_manager": "slurm", "name": "physics", "users": ["sys"]},
        ])
        self.assertEqual([(one["name"], one["users"]) for one in self.data("projects", "bin")], [("physics", ["daemon", "sys"])])
        (one,) = self.data("projects/admin", "games", project="biology", cluster_id="alps")
        self.assertEqual(one["users"], ["daemon", "sys"])

    def test_have_clusters(self):
        self.assertEqual(self.data("clusters/admin", "games"), [{"id": "alps", "manager": "slurm"}, {"id": "jura", "manager": "gridengine"}])

    def test_are_counted(self):
        alps = {"cluster_id": "alps", "resource_manager": "slurm"}
        jura = {"cluster_id": "jura", "resource_manager": "gridengine", "num_units": 1, "num_inactive_units": 1, "num_active_units": 0,
                "num_projects": 1, "num_users": 1}
        counts = {"num_units": 7, "num_inactive_units": 6, "num_active_units": 1, "num_projects": 3, "num_users": 3}
        self.assertEqual(self.data("stats/current/admin", "games", **WINDOW), [{**alps, **counts}, jura])
        counts |= {"num_units": 8, "num_inactive_units": 7}
        self.assertEqual(self.data("stats/global/admin", "games"), [{**alps, **counts}, jura])
        self.assertEqual(self.data("stats/global/admin", "games", cluster_id="jura"), [jura])


class Strangers(CeemsTest):
    def test_learn_nothing(self):
        for path in (*FOR_USERS, *FOR_ALL, "units/verify"):
            self.assertEqual(self.get(API + path, "", uuid="100")[0], 401, path)
            for headers in (("X-Grafana-User: games",), ("X-Grafana-User: games", "X-Jobmetrics-Secret: guessed")):
                status, text = self.get(API + path, "", *headers)
                self.assertEqual(status, 403, path)
                self.assertNotIn("daemon", text)
        for path in FOR_USERS:
            self.assertEqual(self.data(path, "mail", **WINDOW), [], path)

    def test_are_no_administrators(self):
        for path in FOR_ALL:
            for user in ("daemon", "bin", "mail", "root"):
                answer = self.envelope(path, user, 403)
                self.assertEqual((answer["errorType"], answer["data"]), ("forbidden", None), path)

    def test_ask_for_what_is_there(self):
        self.assertEqual(self.get("/ceems/api/v1/moon", "games")[0], 404)
        self.assertEqual(self.get("/ceems/api/v1/usage", "games")[0], 404)


class TheStatsServer(CeemsTest):
    """Of the batch job stats server, which was there before CEEMS."""

    def told(self, path: str, user: str = "daemon", /, *headers: str, **query: object) -> list[dict]:
        status, text = self.get(f"/batchjob/api/{path}", user, *headers, **query)
        self.assertEqual(status, 200, text)
        answer = json.loads(text)
        self.assertEqual([answer[name] for name in ("status", "errorType", "error", "warnings")], ["success", "", "", None])
        return answer["data"]

    def test_reports_jobs(self):
        (job,) = self.told("jobs", jobid="100")
        self.assertRegex(job.pop("id"), r"^[0-9a-f-]{36}$")
        self.assertEqual(job, JOB)
        self.assertEqual([job["jobid"] for job in self.told("jobs", **WINDOW)], ["100", "200", "300_1", "300_2", "7", "7"])
        self.assertEqual([job["jobid"] for job in self.told("jobs", account="biology", **WINDOW)], ["7", "7"])
        dates = {"from": "2026-03-01T00:00:00", "to": "2026-03-01T00:30:00"}
        self.assertEqual([job["jobid"] for job in self.told("jobs", **{**dates})], ["100"])
        self.assertEqual({job["end"] for job in self.told("jobs", jobid="200")}, {"Unknown"})

    def test_knows_jobs_by_uuid(self):
        (job,) = self.told("jobs", jobid="100")
        self.assertEqual(self.told("jobs", **{"var-jobuuid": job["id"]}), [job])

    def test_reports_accounts(self):
        self.assertEqual(self.told("accounts"), [{"id": "biology"}, {"id": "physics"}])
        self.assertEqual(self.told("accounts", "mail"), [])

    def test_lets_administrators_look_with_the_eyes_of_others(self):
        seen = "X-Dashboard-User: sys"
        self.assertEqual([job["jobid"] for job in self.told("jobs", "games", seen, **WINDOW)], ["101"])
        self.assertEqual(len(self.told("jobs", "games", "X-Dashboard-User: all", **WINDOW)), 8)
        self.assertEqual(self.told("jobs", "games", **WINDOW), [])
        self.assertEqual(self.told("jobs", "mail", seen, **WINDOW), [])
        self.assertEqual(self.told("accounts", "bin", "X-Dashboard-User: all"), [])

    def test_says_what_is_wrong(self):
        status, text = self.get("/batchjob/api/jobs", **{"from": "soon"})
        self.assertEqual((status, json.loads(text)["status"], json.loads(text)["data"]), (400, "error", []))
        self.assertEqual(self.get("/batchjob/api/jobs", "")[0], 401)
        self.assertEqual(self.get("/batchjob/api/jobs", "", "X-Grafana-User: games")[0], 403)

    def test_is_healthy(self):
        self.assertEqual(self.get("/batchjob/api/health"), (200, "OK"))


class ManyUnits(CeemsTest):
    MORE_RUNS = 10010

    def test_are_cut_with_a_warning(self):
        answer = self.envelope("units", field="ended_at_ts", **{"from": 0, "to": 2**40})
        self.assertEqual(len(answer["data"]), 10000)
        self.assertEqual(len(answer["warnings"]), 1)
        self.assertEqual(min(unit["ended_at_ts"] for unit in answer["data"]), (MIDNIGHT + 10001 + 10) * 1000)
        (alps, _) = self.data("stats/current/admin", "games", **{"from": 0, "to": 2**40})
        self.assertEqual(alps["num_units"], 8 + self.MORE_RUNS)

    def test_have_no_energy_where_too_many_are_to_be_read_for_that_of_accelerators(self):
        answer = self.envelope("usage/current", project="physics", cluster_id="alps", **{"from": 0, "to": 2**40})
        (row,) = answer["data"]
        self.assertEqual((row["username"], row["total_time_seconds"]["alloc_gputime"]), ("daemon", 994))
        self.assertEqual([name for name in row if "energy" in name or "emissions" in name], [])
        self.assertRegex(" ".join(answer["warnings"]), "^no averages of memory and accelerators, and no energy [^.]* more than 1000 jobs, ask for less time$")


class TheDescription(CeemsTest):
    """What is promised to programs holds for whatever is asked."""

    TRIALS = 25
    NASTY = ("", "0", "-1", "1e9", "99999999999999999999", "NaN", "' OR 1=1 --", "%00", "%FF", "%F0%9F%98%80", "a" * 5000, "/", "..")

    def setUp(self):
        super().setUp()
        self.api = json.loads(self.get("/openapi.json")[1])
        self.random = random.Random(20261124)

    def real(self, thing: dict) -> dict:
        """What is shared stands among the components."""
        if "$ref" not in thing:
            return thing
        _, components, kind, name = thing["$ref"].split("/")
        return self.api[components][kind][name]

    def parameters_of(self, method: dict) -> list[dict]:
        return [self.real(one) for one in method.get("parameters", [])]

    def value_for(self, schema: dict) -> str:
        """Mostly one that is meant."""
        schema = schema.get("items", schema)
        if self.random.random() < 0.2:
            return self.random.choice(self.NASTY)
        return self.random.choice(schema.get("enum") or ["alps", "daemon", "physics", "100", "7", "Etc/UTC", str(MIDNIGHT), str(MIDNIGHT + 9999)])

    def question(self, path: str, parameters: list[dict]) -> str:
        chosen = [one for one in parameters for _ in range(2) if self.random.random() < 0.4]
        return f"{path}?" + "&".join(f"{one['name']}={urllib.parse.quote(self.value_for(one['schema']), safe='%')}" for one in chosen)

    def check(self, method: dict, question: str, user: str) -> int:
        status, text = self.get(question, user)
        self.assertLess(status, 500, f"{question}: {text[:200]}")
        self.assertIn(str(status), method["responses"], f"{question}: {text[:200]}")
        content = self.real(method["responses"][str(status)])["content"]
        if "application/json" in content and text.startswith("{"):
            schema = {**content["application/json"]["schema"], "components": self.api["components"]}
            jsonschema.Draft202012Validator(schema).validate(json.loads(text))
        return status

    def test_holds(self):
        found = set()
        for path, methods in self.api["paths"].items():
            if path.startswith(("/ceems/", "/batchjob/")):
                method = methods["get"]
                for user in ("daemon", "bin", "games"):
                    questions = [self.question(path, self.parameters_of(method)) for _ in range(self.TRIALS)]
                    found |= {self.check(method, question, user) for question in questions}
        self.assertEqual(found, {200, 400, 403})

    def test_knows_each_field(self):
        for path in ("units", "usage/global"):
            error = self.envelope(path, "daemon", 400, field="moon")["error"]
            method = self.api["paths"][API + path]["get"]
            (parameter,) = [one for one in self.parameters_of(method) if one["name"] == "field"]
            self.assertEqual(error.partition("not one of ")[2].split(", "), parameter["schema"]["items"]["enum"])
            data = method["responses"]["200"]["content"]["application/json"]["schema"]["properties"]["data"]
            properties = self.real(data["items"])["properties"]
            self.assertEqual(list(properties), parameter["schema"]["items"]["enum"])
            for name in properties:
                self.envelope(path, field=name)


class Trouble(CeemsTest):
    def test_of_the_store_is_reported_without_its_reasons(self):
        self.store.write_text("this is no database\n" * 500)
        status, text = self.get(API + "units")
        end = time.monotonic() + SECONDS
        # a page that was read before may be remembered
        while status == 200 and time.monotonic() < end:
            status, text = self.get(API + "units")
        answer = json.loads(text)
        self.assertEqual((status, answer["status"], answer.get("errorType")), (503, "error", "unavailable"), text)
        self.assertNotIn(str(self.store), text)
        self.assertEqual(self.get("/batchjob/api/health")[0], 503)


if __name__ == "__main__":
    sys.exit(tap.run(Fields, Units, Names, Ownership, Sums, People, Strangers, TheStatsServer, ManyUnits, TheDescription, Trouble))
