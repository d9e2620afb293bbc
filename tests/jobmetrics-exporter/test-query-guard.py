#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the server role hands on to a time series database, for whom, and what comes back.

usage: test-query-guard.py MADE-ACCOUNTS EXPORTER
"""

import contextlib
import glob
import http.server
import os
import pathlib
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.parse

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "pylib"), str(TESTS / "dropin")]
import dropin  # noqa: E402
import tap  # noqa: E402

from guarded import LATER, SECRET, GuardTest, fill  # noqa: E402
from local import SECONDS, start_postgresql  # noqa: E402

MADE_ACCOUNTS, EXPORTER = map(os.path.abspath, sys.argv[1:3])
GOOD = b'{"status":"success","data":"told"}'
FORM = "application/x-www-form-urlencoded"
TOO_LONG = 64 * 1024 * 1024 + 1
ELSEWHERE = "https://example.org/elsewhere"
BEGAN = 1772323205  # of job 5


def zulu(when: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when))


class Upstream(http.server.BaseHTTPRequestHandler):
    """Notes what it is asked, and answers as the test says."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self):
        server = self.server
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        url = urllib.parse.urlsplit(self.path)
        fields = urllib.parse.parse_qsl(url.query, keep_blank_values=True) + urllib.parse.parse_qsl(body.decode(), keep_blank_values=True)
        server.asked.append((self.command, url.path, fields, dict(self.headers)))
        self.close_connection = True
        server.kind(self)

    do_GET = do_POST = answer

    def say(self, status: int, body: bytes = GOOD, length: int | None = None, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content_Type": "application/json", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)


def good(request: Upstream) -> None:
    request.say(200)


class UpstreamServer(http.server.ThreadingHTTPServer):
    # whoever finds the queue full connects again after 1, 3, 7 and 15 s
    request_queue_size = 128


class UpstreamTest(GuardTest):
    def setUp(self):
        super().setUp()
        self.store = self.folder / "accounts.db"
        self.uuids = fill(MADE_ACCOUNTS, self.store)
        self.upstream = UpstreamServer(("127.0.0.1", 0), Upstream)
        self.upstream.daemon_threads = True
        self.upstream.asked, self.upstream.kind = [], good
        thread = threading.Thread(target=self.upstream.serve_forever, daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.upstream.server_close)
        self.addCleanup(self.upstream.shutdown)
        self.url = f"http://127.0.0.1:{self.upstream.server_port}"

    def start(self, *options: str, url: str | None = None) -> subprocess.Popen:
        return self.launch_server(EXPORTER, self.store, url or self.url, *options)

    def asked(self) -> tuple[str, str, list[tuple[str, str]], dict[str, str]]:
        (one,) = self.upstream.asked
        self.upstream.asked.clear()
        return one

    def assert_refused(self, status: int, got: tuple[int, dict], what: object = None) -> str:
        self.assertEqual(got[0], status, (what, got[1]))
        self.assertEqual(self.upstream.asked, [], what)
        return got[1]["error"]


class Queries(UpstreamTest):
    def check(self, user: str, query: str, is_let: bool) -> None:
        for path in ("query", "query_range"):
            got = self.get(user, path, query=query, start="1", end="2", step="1") if path == "query_range" else self.post(user, path, [("query", query)])
            if is_let:
                self.assertEqual(got[0], 200, (user, query, got))
                self.assertIn(("query", query), self.asked()[2])
            else:
                self.assert_refused(403, got, (user, query))

    def test_read_the_runs_of_who_asks_alone(self):
        self.start()
        uuids = self.uuids
        for user, query, is_let in (
            ("daemon", 'm{cluster="alps",jobid="10"}', True),
            ("daemon", 'm{cluster="alps",jobid=~"10|15"}', True),
            ("daemon", 'sum(rate(m{cluster="alps",jobid="10"}[5m])) / on() n{jobid="15",cluster="alps"}', True),
            ("daemon", f'm{{uuid="{uuids["10"]}"}}', True),
            ("daemon", f'm{{uuid=~"{uuids["10"]}|{uuids["15"]}"}}', True),
            ("daemon", "1 + 1", True),
            ("daemon", "m", False),
            ("daemon", 'm{cluster="alps",jobid="1"}', False),
            ("daemon", 'm{cluster="alps",jobid=~"10|1"}', False),
            ("daemon", 'm{cluster="alps",jobid=~"10|1."}', False),
            ("daemon", 'm{cluster="alps",jobid="99"}', False),
            ("daemon", 'm{cluster=~"alps|jura",jobid="10"}', False),
            ("daemon", 'm{cluster="jura",jobid="10"}', False),
            ("daemon", 'm{jobid="10"}', False),
            ("daemon", 'm{cluster="alps",jobid="10"} or m{cluster="alps",jobid="1"}', False),
            ("daemon", f'm{{uuid="{uuids["1"]}"}}', False),
            ("daemon", f'm{{uuid=~"{uuids["10"]}|{uuids["1"]}"}}', False),
            ("bin", 'm{cluster="alps",jobid="2"}', True),
            ("bin", 'm{cluster="alps",jobid="10"}', True),
            ("bin", 'm{cluster="alps",jobid="1"}', False),
            ("games", "up", True),
            ("games", "count({__name__=~'.+'})", True),
            ("mail", "time()", True),
            ("mail", 'm{cluster="alps",jobid="10"}', False),
            ("sys", 'm{cluster="jura",jobid="10"}', False),
            ("root", 'm{cluster="alps",jobid="10"}', False),
            ("stranger", 'm{cluster="alps",jobid="10"}', False),
        ):
            self.check(user, query, is_let)

    def test_by_a_number_that_came_again_read_the_run_of_their_time(self):
        """It was daemon's for 100 s, and is sys's since."""
        self.start()
        own = 'm{cluster="alps",jobid="5"}'
        for user in ("daemon", "sys"):
            self.check(user, own, False)
        for query, begin, end, users in (
            (own, BEGAN, BEGAN + 99, {"daemon"}),
            (own, BEGAN - 9999, BEGAN + 10**6 - 1000, {"daemon"}),
            (own, BEGAN - 9999, BEGAN + 10**6 - 100, set()),
            (own, BEGAN + 10**6, BEGAN + 10**6 + 50, {"sys"}),
            (own, BEGAN + 5000, BEGAN + 10**6, {"sys"}),
            (own, BEGAN + 50, BEGAN + 10**6, set()),
            (own, BEGAN + 500, BEGAN + 10**6, set()),
            (own, BEGAN + 5000, BEGAN + 6000, set()),
            (f"rate({own}[2h])", BEGAN + 5000, BEGAN + 6000, {"daemon"}),
            (f"{own} offset 2h", BEGAN + 5000, BEGAN + 6000, {"daemon"}),
            (f"rate({own}[20d])", BEGAN + 10**6, BEGAN + 10**6, set()),
            (f"{own} offset -20d", BEGAN, BEGAN, set()),
            (f"{own} @ {BEGAN}", BEGAN, BEGAN, {"daemon"}),
            (f"{own} @ {BEGAN + 10**6}", BEGAN, BEGAN, set()),
        ):
            for user in ("daemon", "sys"):
                for first, last in ((str(begin), str(end)), (f"{begin}.5", f"{end}.0"), (zulu(begin), zulu(end))):
                    got = self.get(user, "query_range", query=query, start=first, end=last, step="1")
                    self.assertEqual(got[0], 200 if user in users else 403, (user, query, begin, end))
                if begin == end:
                    self.assertEqual(self.get(user, "query", query=query, time=str(begin))[0], 200 if user in users else 403)
        for status, times in ((403, {}), (403, {"start": str(BEGAN)}), (200, {"end": str(BEGAN)}), (403, {"start": str(BEGAN), "end": "now"}),
                              (403, {"start": str(BEGAN + 10**6), "end": str(BEGAN + 10**6), "lookback_delta": "1000000"}),
                              (200, {"start": str(BEGAN), "end": str(BEGAN), "lookback_delta": "30d"}),
                              (403, {"start": f"{BEGAN + 10**6}000", "end": f"{BEGAN + 10**6}000"})):
            self.assertEqual(self.get("daemon", "query_range", query=own, step="1", **times)[0], status, times)
        # a year, and a time before now, to some databases
        both = f"{own} @ {BEGAN} or {own}"
        for text in ("2026", "-60", "-1", "0", "2027-", "now", f"{BEGAN}e0x", "1e3"):
            self.assertEqual(self.get("daemon", "query", query=both, time=text)[0], 403, text)
            self.assertEqual(self.get("daemon", "query_range", query=both, step="1", start=str(BEGAN), end=text)[0], 403, text)
        self.assertEqual(self.get("daemon", "query", query=both, time=str(BEGAN))[0], 200)
        # the end is rounded up to a whole step by some
        for step, status in (("60", 200), ("20d", 403)):
            self.assertEqual(self.get("daemon", "query_range", query=own, start=str(BEGAN), end=str(BEGAN + 50), step=step)[0], status, step)
        # an octal number to Prometheus
        self.assertEqual(self.get("sys", "query", query=f"{own} @ 0{BEGAN:o}", time=str(BEGAN + 10**6))[0], 400)
        # what has no range reads a step back in some databases
        later = str(BEGAN + 10**6 + 5)
        for user, step, status in (("sys", "60", 200), ("sys", "1m", 200), ("sys", "20d", 403), ("sys", "2000000", 403), ("sys", "often", 403)):
            self.assertEqual(self.get(user, "query_range", query=f"rate({own})", start=later, end=later, step=step)[0], status, step)
        # series and labels are those of whole blocks
        for path in ("series", "labels", "label/user/values"):
            for user in ("daemon", "sys"):
                for first, last in ((BEGAN, BEGAN + 99), (BEGAN + 10**6, BEGAN + 10**6 + 50)):
                    self.assertEqual(self.get(user, path, ("match[]", own), ("start", str(first)), ("end", str(last)))[0], 403, (user, path))
        self.upstream.asked.clear()
        self.check("games", 'm{cluster="alps",jobid="5"}', True)
        self.check("daemon", f'm{{uuid="{self.uuids["5"]}"}}', True)
        self.check("sys", f'm{{uuid="{LATER}"}}', True)
        self.check("daemon", f'm{{uuid="{LATER}"}}', False)

    def test_need_no_cluster_where_there_is_but_one(self):
        self.start("--server.prometheus-cluster=alps")
        for query, is_let in (
            ('m{jobid="10"}', True),
            ('m{jobid="10",cluster=""}', True),
            ('m{jobid="1"}', False),
            ('m{jobid="5"}', False),
            ('m{cluster="alps"}', False),
            ('m{jobid="10",cluster="jura"}', False),
            ("m", False),
        ):
            self.check("daemon", query, is_let)

    def test_in_the_words_of_a_dialect_name_runs_by_its_labels(self):
        self.start()
        uuids = self.uuids
        for label in ("jobid", "uuid", "slurmjobid", "slurm_job"):
            self.check("daemon", f'm{{cluster="alps",{label}="10",gpuuuid="GPU-01234"}}', True)
            self.check("daemon", f'm{{cluster="alps",{label}=~"10|15"}}', True)
            self.check("daemon", f'm{{cluster="alps",{label}=~"10|1"}}', False)
            self.check("daemon", f'm{{cluster="alps",{label}="1"}}', False)
            self.check("daemon", f'm{{cluster="alps",{label}="10"}} or m{{cluster="alps",{label}="1"}}', False)
            self.check("daemon", f'm{{{label}="10"}}', False)
            self.check("daemon", f'm{{cluster="alps",{label}=""}}', False)
        self.check("daemon", f'm{{jobuuid="{uuids["10"]}"}}', True)
        self.check("daemon", f'm{{jobuuid="{uuids["1"]}"}}', False)
        self.check("daemon", 'm{cluster="alps",gpuuuid="10"}', False)

    def test_of_dashboards_made_before_are_for_the_owner_of_the_job(self):
        """As the tables of tests/dropin have it; all 81 of each version of CEEMS' job among them."""
        self.start("--server.prometheus-cluster=alps")
        queries = [query for path in dropin.TABLES for query in dropin.read_table(path)]
        of_ceems = [query for query in queries if "ceems" in query.text and query.guard == "let"]
        self.assertEqual(len(of_ceems), 2 * 81)
        for query in queries:
            own, foreign = (dropin.fill_in(query.text, jobid=jobid) for jobid in ("10", "1"))
            self.check("daemon", own, query.guard == "let")
            self.check("daemon", foreign, False)
            self.check("mail", own, False)
            self.check("games", foreign, True)

    def test_of_a_dialect_of_the_site_name_runs_by_its_labels(self):
        (self.folder / "own.conf").write_text("[Dialect]\nName=own\nRun=number={jobid};where={cluster};id={uuid}\n")
        self.start(f"--dialects={self.folder}")
        self.check("daemon", 'm{where="alps",number="10"}', True)
        self.check("daemon", 'm{where="alps",number="1"}', False)
        self.check("daemon", f'm{{id="{self.uuids["10"]}"}}', True)

    def test_of_members_of_an_account_are_let_through_where_that_is_set(self):
        query = 'm{cluster="alps",jobid="%s"}'
        with contextlib.closing(sqlite3.connect(self.store)) as store, store:
            store.execute("UPDATE run SET account = CASE raw_id WHEN '1' THEN 'physics' WHEN '10' THEN 'physics'"
                          " WHEN '3' THEN '' WHEN '15' THEN '' ELSE user_name END")
        process = self.start()
        self.check("daemon", query % 1, False)
        process.terminate()
        process.wait(SECONDS)
        self.start("--server.account-members")
        for user, number, is_let in (("daemon", 1, True), ("daemon", 10, True), ("daemon", 2, False), ("daemon", 3, False), ("mail", 1, False)):
            self.check(user, query % number, is_let)
        self.check("daemon", f'm{{uuid="{self.uuids["1"]}"}}', True)
        self.check("daemon", f'm{{uuid="{self.uuids["2"]}"}}', False)

    def test_that_are_none_are_explained(self):
        self.start()
        for query, word in (("sum(", "end"), ("m{", "label"), ("info(m)", "function"), ("WITH (a = m) a", "not"), ("a" * 70000, "too long"), ("m{jobid=10}", "string")):
            self.assertIn(word, self.assert_refused(400, self.post("daemon", "query", [("query", query)]), query[:80]))
        self.assertIn("missing", self.assert_refused(400, self.get("daemon", "query")))
        self.assertIn("m{a='b'}", self.assert_refused(403, self.get("daemon", "query", query="1 + m{a='b'}")))

    def test_name_so_many_jobs_and_no_more(self):
        self.start()
        for n, status in ((1000, 200), (1001, 400)):
            got = self.post("daemon", "query", [("query", f'm{{cluster="alps",jobid=~"{"|".join(["10"] * n)}"}}')])
            self.assertEqual(got[0], status)
        self.assertEqual(len(self.upstream.asked), 1)

    def test_of_nobody_are_refused(self):
        self.start()
        self.assert_refused(401, self.get(None, "query", query="1"))
        self.assert_refused(403, self.read(self.request(None, "query?query=1", X_Remote_User="games")))
        self.assert_refused(403, self.read(self.request(None, "query?query=1", X_Remote_User="games", X_Jobmetrics_Secret="guessed")))

    def test_wait_for_accounts_that_can_be_read(self):
        for path in self.folder.glob("accounts.db*"):
            path.unlink()
        self.store.write_text("this is no database\n" * 500)
        self.start()
        self.assertEqual(self.assert_refused(503, self.get("daemon", "query", query="1")), "the archive cannot be read now")


class Keys(UpstreamTest):
    OWN = 'm{cluster="alps",jobid="10"}'

    def test_that_are_known_are_handed_on(self):
        self.start()
        more = {"start": "2026-03-01T00:00:00Z", "end": "1772409600.5", "step": "15s", "timeout": "5s", "limit": "7", "lookback_delta": "1m", "dedup": "true"}
        for ask in (lambda fields: self.post("daemon", "query_range", fields), lambda fields: self.get("daemon", "query_range", *fields)):
            self.assertEqual(ask([("query", self.OWN), *more.items(), ("extra_filters[]", "{}"), ("storeMatch[]", "x"), ("Query", "up"), ("q", "up")])[0], 200)
            method, path, fields, _ = self.asked()
            self.assertEqual((method, path, dict(fields)), ("POST", "/api/v1/query_range", {"query": self.OWN, **more}))
            self.assertEqual(len(fields), len(dict(fields)))

    def test_stand_once_wherever_they_stand(self):
        self.start()
        own, all_ = ("query", self.OWN), ("query", "up")
        for fields in ([own, all_], [all_, own], [own, own]):
            self.assertIn("twice", self.assert_refused(400, self.get("daemon", "query", *fields)))
            self.assertIn("twice", self.assert_refused(400, self.post("daemon", "query", fields)))
            for first, second in ((fields[0], fields[1]), (fields[1], fields[0])):
                url = "query?" + urllib.parse.urlencode([first])
                self.assertIn("twice", self.assert_refused(400, self.post("daemon", url, [second])))
        self.assertIn("twice", self.assert_refused(400, self.post("daemon", "query?time=1", [own, ("time", "2")])))
        self.assertEqual(self.post("daemon", "query?time=1", [own])[0], 200)
        self.assertEqual(dict(self.asked()[2]), {"query": self.OWN, "time": "1"})

    def test_have_values_that_can_be_meant(self):
        self.start()
        for pair in (("time", "1" * 300), ("timeout", "x" * 257)):
            self.assertIn("too long", self.assert_refused(400, self.get("daemon", "query", ("query", "1"), pair)))
        for limit in ("many", "-1", "1e3"):
            self.assertIn("number", self.assert_refused(400, self.get("daemon", "query", ("query", "1"), ("limit", limit))))
        for wrong in ("query=1&time=%FF", "query=1%00up", "query=%zz"):
            self.assertEqual(self.request("daemon", f"query?{wrong}")[0], 400)
        self.assertEqual(self.upstream.asked, [])
        for body, kind in ((b"query=%zz", FORM), (b"query=1&time=%FF", FORM), (b"query=1%00up", FORM), (b"query=1\0&x=up", FORM), (b"query=1", "text/plain"), (b"query=1", f"text/plain, {FORM}"), (b"query=1&" * 300, FORM)):
            self.assert_refused(400, self.read(self.request("daemon", "query", body, Content_Type=kind)), body[:20])
        self.assertEqual(self.request("daemon", "query", b"query=1&x=" + b"a" * 300000, Content_Type=FORM)[0], 413)
        self.assertEqual(self.read(self.request("daemon", "query", b"query=1", Content_Type=f"{FORM}; charset=UTF-8"))[0], 200)


class OtherQuestions(UpstreamTest):
    OWN = 'm{cluster="alps",jobid="10"}'

    def test_about_series_and_labels_name_runs(self):
        self.start()
        for path, method in (("series", "POST"), ("labels", "POST"), ("label/node/values", "GET"), ("label/__name__/values", "GET")):
            self.assertIn("match[]", self.assert_refused(403, self.get("daemon", path)))
            for bad in ("up", 'm{cluster="alps",jobid="1"}', '{__name__=~".+"}', 'm{cluster="alps",jobid="5"}'):
                self.assert_refused(403, self.get("daemon", path, ("match[]", bad)), (path, bad))
                self.assert_refused(403, self.get("daemon", path, ("match[]", self.OWN), ("match[]", bad)), (path, bad))
            for bad in ("1", "", "{}", f"sum({self.OWN})", f"{self.OWN} or {self.OWN}", f"{self.OWN}[5m]", f"{self.OWN} offset 5m", "'up'"):
                self.assert_refused(400, self.get("daemon", path, ("match[]", bad)), (path, bad))
            self.assertEqual(self.get("daemon", path, ("match[]", self.OWN), ("match[]", f'{{uuid="{self.uuids["15"]}"}}'), ("start", "1"), ("query", "up"))[0], 200)
            asked = self.asked()
            self.assertEqual(asked[:2], (method, f"/api/v1/{path}"))
            self.assertEqual(asked[2], [("match[]", self.OWN), ("match[]", f'{{uuid="{self.uuids["15"]}"}}'), ("start", "1")])
            self.assertEqual(self.get("games", path)[0], 200)
            self.assertEqual(self.asked()[2], [])
        own = ("match[]", self.OWN)
        self.assertEqual(self.post("daemon", "series", [own])[0], 200)
        self.asked()
        self.assert_refused(403, self.post("daemon", "series?" + urllib.parse.urlencode([own]), [("match[]", "up")]))
        self.assert_refused(400, self.get("daemon", "series", *[own] * 101))

    def test_of_no_series_are_free(self):
        self.start()
        for path, query in (("metadata", {"metric": "up", "limit": "1"}), ("status/buildinfo", {})):
            self.assertEqual(self.get("mail", path, **query, x="y")[0], 200)
            self.assertEqual(self.asked()[:3], ("GET", f"/api/v1/{path}", list(query.items())))
            self.assert_refused(401, self.get(None, path))

    def test_are_not_handed_on(self):
        self.start()
        for path in ("query_exemplars", "rules", "alerts", "targets", "status/config", "status/flags", "status/tsdb", "admin/tsdb/delete_series", "read", "write",
                     "format_query", "parse_query", "query/", "query/../rules", "%2e%2e/rules", "label/", "label/values", "label/a/b/values", "label/a%2Fb/values",
                     "label/..%2F..%2Fstatus/values", "label/1a/values", "label/a/values/", f"label/{'a' * 300}/values", "label/a%00/values", "federate"):
            for user in ("daemon", "games"):
                status, _, _ = self.request(user, f"{path}?query=1")
                self.assertIn(status, (400, 404), path)
        self.assertEqual(self.upstream.asked, [])
        for path in ("metadata", "status/buildinfo", "label/a/values"):
            self.assertEqual(self.request("games", path, b"", Content_Type=FORM)[0], 405)

    def test_are_not_there_without_a_database(self):
        self.launch([EXPORTER, "server", f"--server.store={self.store}", "--web.listen-address=127.0.0.1:0"], r"listening on 127", "stderr")
        self.port = int(re.search(r"listening on 127\.0\.0\.1:(\d+)", self.said)[1])
        self.assertEqual(self.request(None, "query?query=1")[0], 404)


class TheDatabase(UpstreamTest):
    def test_hears_nothing_of_who_asks(self):
        login = self.folder / "login"
        login.write_text("username=jobmetrics\npassword=open sesame\n")
        login.chmod(0o600)
        self.start(f"--server.prometheus-login-file={login}", url=self.url + "/base/")
        given = {"Authorization": "Basic ZGFlbW9uOnNlY3JldA==", "Cookie": "a=b", "X_Scope_OrgID": "other", "X_Forwarded_For": "1.2.3.4", "Connection": "X-Scope-OrgID"}
        self.assertEqual(self.request("daemon", "query?query=1", **given)[0], 200)
        _, path, _, headers = self.asked()
        self.assertEqual(path, "/base/api/v1/query")
        self.assertEqual(headers["Authorization"], "Basic am9ibWV0cmljczpvcGVuIHNlc2FtZQ==")
        self.assertLessEqual({name.lower() for name in headers}, {"host", "accept", "accept-encoding", "authorization", "connection", "content-length", "content-type", "user-agent"})

    def test_is_heard_as_it_speaks(self):
        self.start()
        wrong = b'{"status":"error","errorType":"execution","error":"wrong"}'
        for status in (400, 404, 422, 500, 503):
            self.upstream.kind = lambda request, status=status: request.say(status, wrong, Set_Cookie="a=b", Keep_Alive="x", X_Own="y", Server="z")
            got, headers, body = self.request("daemon", "query?query=1")
            self.assertEqual((got, headers["Content-Type"], body), (status, "application/json", wrong))
            for name in ("Set-Cookie", "Keep-Alive", "X-Own"):
                self.assertNotIn(name, headers)
            self.assertEqual(headers["Cache-Control"], "no-store")
            self.assertNotEqual(headers["Server"], "z")
        self.upstream.kind = lambda request: request.say(200, b"a" * 3000000, Content_Type="text/x-own")
        got, headers, body = self.request("daemon", "query?query=1")
        self.assertEqual((got, headers["Content-Type"], len(body)), (200, "text/x-own", 3000000))

    def refuses(self, kind) -> None:
        self.upstream.kind = kind
        status, document = self.get("daemon", "query", query="1")
        self.assertEqual((status, document["error"]), (502, "the time series database gives no answer now"))

    def test_that_fails_is_reported_in_one_way(self):
        self.start()
        for status in (401, 403, 407):
            self.refuses(lambda request, status=status: request.say(status, b"secrets", WWW_Authenticate='Basic realm="other"'))
        self.refuses(lambda request: request.say(302, b"", Location=ELSEWHERE))
        self.refuses(lambda request: request.say(200, b"half", length=100))
        self.refuses(lambda request: request.wfile.write(b"no http\r\n\r\n"))
        self.refuses(lambda request: None)
        self.refuses(lambda request: request.say(200, b"a" * TOO_LONG))
        self.upstream.kind = good
        self.assertEqual(self.get("daemon", "query", query="1")[0], 200)

    def test_that_is_gone_is_reported_in_one_way(self):
        self.start(url="http://127.0.0.1:1")
        status, document = self.get("daemon", "query", query="1")
        self.assertEqual((status, document["errorType"]), (502, "unavailable"))
        self.assertNotIn("127.0.0.1", document["error"])

    def test_that_says_nothing_keeps_nobody(self):
        """Neither who asks for something else, nor the end."""
        asked, over = threading.Event(), threading.Event()
        self.addCleanup(over.set)

        def hang(request: Upstream) -> None:
            asked.set()
            over.wait(SECONDS)

        self.upstream.kind = hang
        process = self.start()
        self.answers: list[int] = []
        waiting = [threading.Thread(target=self.ask_in_vain, daemon=True) for _ in range(6)]
        for thread in waiting:
            thread.start()
        self.assertTrue(asked.wait(SECONDS))
        self.assertEqual(self.ask_by_network("/api/v1/jobs")[0], 401)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(SECONDS), 0)
        for thread in waiting:
            thread.join(SECONDS)
            self.assertFalse(thread.is_alive())

    def ask_in_vain(self, user: str = "daemon") -> None:
        with contextlib.suppress(OSError):
            self.answers.append(self.request(user, "query?query=1")[0])

    def hang(self) -> tuple[threading.Semaphore, threading.Event]:
        """Released for each question that hangs; set to end them all."""
        hanging, over = threading.Semaphore(0), threading.Event()
        self.addCleanup(over.set)

        def hang(request: Upstream) -> None:
            hanging.release()
            over.wait()

        self.upstream.kind = hang
        return hanging, over

    def await_refusals(self, n: int, status: int = 503) -> None:
        end = time.monotonic() + SECONDS
        while self.answers.count(status) < n:
            self.assertLess(time.monotonic(), end, self.answers)
            time.sleep(0.01)

    def ask_often(self, ask, n: int, *users: str) -> list[threading.Thread]:
        threads = [threading.Thread(target=ask, args=(user,), daemon=True) for user in users for _ in range(n)]
        for thread in threads:
            thread.start()
        return threads

    def test_that_hangs_for_some_users_answers_others(self):
        """Whom the same proxy names; the database gives no answer to two of them."""
        hanging, over = self.hang()
        self.answers: list[int] = []
        self.start()
        waiting = self.ask_often(self.ask_in_vain, 45, "daemon")
        # of the threads of the guard three are for one user
        for _ in range(3):
            self.assertTrue(hanging.acquire(timeout=SECONDS))
        self.await_refusals(45 - 24)
        # who has most makes room for who comes later
        waiting += self.ask_often(self.ask_in_vain, 16, "sys")
        for _ in range(3):
            self.assertTrue(hanging.acquire(timeout=SECONDS))
        self.await_refusals(45 + 16 - 32)
        self.upstream.kind = good
        self.assertEqual(self.get("root", "metadata")[0], 200)
        self.assertEqual(self.ask_by_network("/api/v1/jobs")[0], 401)
        over.set()
        for thread in waiting:
            thread.join(SECONDS)
        # one made room for root
        self.assertEqual(self.answers.count(503), 45 + 16 - 32 + 1)
        self.assertEqual(self.get("daemon", "query", query="1")[0], 200)

    def test_that_hangs_for_many_users_answers_the_next(self):
        """Of those who have all the threads, one with more than one gives one up."""
        hanging, over = self.hang()
        self.answers: list[int] = []
        self.start()
        waiting = self.ask_often(self.ask_in_vain, 3, *(f"u{i}" for i in range(8)))
        for _ in range(24):
            self.assertTrue(hanging.acquire(timeout=SECONDS))
        self.upstream.kind = good
        for user in ("root", "games", "mail"):
            self.assertEqual(self.get(user, "query", query="1")[0], 200, user)
        # neither of the others needed one more
        self.await_refusals(1, 502)
        self.assertEqual(self.answers, [502])
        over.set()
        for thread in waiting:
            thread.join(SECONDS)

    def test_that_hangs_for_clients_that_go_answers_the_same_user(self):
        hanging, _ = self.hang()
        self.start()
        lines = ("GET /prometheus/api/v1/query?query=1 HTTP/1.1", "Host: a", "X-Remote-User: daemon", f"X-Jobmetrics-Secret: {SECRET}", "", "")
        clients = [socket.create_connection(("127.0.0.1", self.port), SECONDS) for _ in range(24)]
        for client in clients:
            client.sendall("\r\n".join(lines).encode())
        for _ in range(3):
            self.assertTrue(hanging.acquire(timeout=SECONDS))
        self.upstream.kind = good
        for client in clients:
            client.close()
        self.await_answer("daemon")
        self.assertFalse(hanging.acquire(blocking=False))

    def await_answer(self, user: str) -> None:
        """Until the server has noticed who went."""
        end = time.monotonic() + SECONDS
        while self.request(user, "query?query=1")[0] != 200:
            self.assertLess(time.monotonic(), end)

    def own(self, user: str, path: str) -> tuple[int, str]:
        return self.ask_by_network(path, f"X-Remote-User: {user}", f"X-Jobmetrics-Secret: {SECRET}")

    def test_that_hangs_holds_up_no_page_and_no_end(self):
        hanging, _ = self.hang()
        process = self.start(f"--server.tsdb={self.url}")
        runs = {"daemon": self.uuids["10"], "sys": self.uuids["1"]}

        def ask(user: str) -> None:
            with contextlib.suppress(OSError):
                self.own(user, f"/api/v1/jobs/{runs[user]}/series")

        waiting = self.ask_often(ask, 5, *runs)
        for _ in range(6):
            self.assertTrue(hanging.acquire(timeout=SECONDS))
        for path in ("/", "/jobs", "/api/v1/jobs", "/metrics"):
            self.assertEqual(self.own("games", path)[0], 200, path)
        self.assertEqual(self.own("sys", "/jobs")[0], 200)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(SECONDS), 0)
        for thread in waiting:
            thread.join(SECONDS)
            self.assertFalse(thread.is_alive())


# beside the server's own, which judges runs
WAITING_LISTS = (
    "SELECT coalesce(string_agg(pid::text, ' '), '') || left(pg_stat_clear_snapshot()::text, 0) FROM pg_locks JOIN pg_stat_activity USING (pid)"
    " WHERE NOT granted AND query LIKE '%FROM run WHERE ((%';"
)


class AnArchiveOnAServer(GuardTest):
    """PostgreSQL, some of whose processes give no answer."""

    def setUp(self):
        super().setUp()
        self.uri, _ = start_postgresql(self)
        subprocess.run([MADE_ACCOUNTS, self.uri], check=True, timeout=SECONDS)
        self.answers: list[int] = []

    def ask(self, user: str) -> int:
        return self.ask_by_network("/api/v1/jobs", f"X-Remote-User: {user}", f"X-Jobmetrics-Secret: {SECRET}")[0]

    def ask_in_vain(self, user: str) -> None:
        with contextlib.suppress(OSError):
            self.answers.append(self.ask(user))

    def hold_table(self) -> subprocess.Popen:
        """Until it is ended, nobody reads the runs."""
        program = sorted(glob.glob("/usr/lib/postgresql/*/bin/psql"))[-1]
        holder = subprocess.Popen([program, "-qAtX", self.uri], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(holder.communicate)
        self.assertEqual(self.ask_database(holder, "BEGIN; LOCK TABLE run IN ACCESS EXCLUSIVE MODE; SELECT 'held';"), "held")
        # a process that is stopped while it looks for a deadlock would stop all others
        self.assertEqual(self.ask_database(holder, "SELECT current_setting('deadlock_timeout');"), "10min")
        return holder

    def ask_database(self, session: subprocess.Popen, question: str) -> str:
        session.stdin.write(question + "\n")
        session.stdin.flush()
        return session.stdout.readline().rstrip("\n")

    def await_backends(self, holder: subprocess.Popen, n: int) -> list[int]:
        """Those that read a list of runs for a user, and wait for the table. One that is not so far yet may hold what each new connection needs."""
        end = time.monotonic() + SECONDS
        while len(waiting := self.ask_database(holder, WAITING_LISTS).split()) < n:
            self.assertLess(time.monotonic(), end, waiting)
        return [int(pid) for pid in waiting]

    def test_that_hangs_for_some_users_answers_the_next(self):
        process = self.launch_server(EXPORTER, self.uri, "http://127.0.0.1:1")
        holder = self.hold_table()
        waiting = [threading.Thread(target=self.ask_in_vain, args=(f"u{i % 4}",), daemon=True) for i in range(12)]
        for thread in waiting:
            thread.start()
        for backend in self.await_backends(holder, 12):
            os.kill(backend, signal.SIGSTOP)
            self.addCleanup(os.kill, backend, signal.SIGCONT)
        holder.communicate()
        for user in ("daemon", "sys", "root"):
            self.assertEqual(self.ask(user), 200, user)
        # one made room, and the others wait until the end, which waits for none of them
        end = time.monotonic() + SECONDS
        while not self.answers:
            self.assertLess(time.monotonic(), end)
        self.assertEqual(self.answers, [503])
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(SECONDS), 0)
        for thread in waiting:
            thread.join(SECONDS)


class Settings(UpstreamTest):
    def test_that_trust_too_much_are_refused(self):
        for options in (("--server.prometheus=http://example.org",), ("--server.prometheus=https://u:p@example.org",), ("--server.prometheus=moon",),
                        ("--server.prometheus=https://example.org/?x=y",), ("--server.prometheus=https://example.org", "--server.prometheus-login-file=/nonexistent")):
            done = subprocess.run([EXPORTER, "server", f"--server.store={self.store}", "--web.listen-address=127.0.0.1:0", *options], capture_output=True, text=True,
                                  timeout=SECONDS)
            self.assertIn(done.returncode, (1, 2), options)
            self.assertIn("/nonexistent" if len(options) > 1 else "--server.prometheus", done.stderr)
            self.assertNotIn("u:p", done.stderr)


if __name__ == "__main__":
    sys.exit(tap.run(Queries, Keys, OtherQuestions, TheDatabase, AnArchiveOnAServer, Settings))
