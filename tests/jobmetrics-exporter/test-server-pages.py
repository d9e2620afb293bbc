#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The server's pages: who sees what, that any text stays text, and that what they say is HTML.

usage: test-server-pages.py MADE-PAGES EXPORTER
"""

import collections
import csv
import html
import html.parser
import http.server
import io
import json
import pathlib
import re
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pylib"))
import tap  # noqa: E402

from paged import ADMINISTRATOR, COORDINATOR, EXPORTER, MADE_PAGES, NASTY, OTHER, OWNER, POLICY, SECONDS, PagesTest  # noqa: E402

try:
    import html5lib
except ImportError:
    html5lib = None

DAEMONS = {str(4100 + number) for number in range(1, 241) if number % 6 in (0, 1, 2)} | {"4100"}
PHYSICS = {str(4100 + number) for number in range(1, 241) if number % 6 in (0, 1, 3)} | {"4100"}
BINS = {str(4100 + number) for number in range(1, 241) if number % 6 == 5}
ALL = {str(4100 + number) for number in range(241)}
ROW = re.compile(r'<tr><th scope="row"><span class="choice"><input type="checkbox" name="run" value="[0-9a-f-]{36}" aria-label="Choose job \d+"> <a href="/job/([0-9a-f-]{36})">(\d+)</a>')


class Reader(html.parser.HTMLParser):
    """What could load or run something, and whither a page leads."""

    def __init__(self, text: str):
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def links(self) -> set[str]:
        return {attributes["href"] for tag, attributes in self.tags if tag == "a" and "href" in attributes}


class EachPage(PagesTest):
    def setUp(self):
        super().setUp()
        self.start_with_scheduler()

    def all_pages(self):
        """Each with who looks at it, and what is reported."""
        for user in (OWNER, COORDINATOR, ADMINISTRATOR, OTHER):
            for path in [*self.paths(), "/admin", "/job/nobody", "/jobs?limit=0", "/nowhere"]:
                yield path, user, self.reply(path, user)

    def test_is_html_that_loads_nothing_from_elsewhere(self):
        if html5lib is None:
            self.fail("python3-html5lib is not installed (tests/install-dependencies test)")
        seen = set()
        for path, user, (status, headers, text) in self.all_pages():
            with self.subTest(path=path, user=user):
                self.assertIn(status, (200, 400, 403, 404))
                if path == "/nowhere":
                    continue
                self.assertEqual(headers["Content-Type"], "text/html; charset=utf-8")
                self.assertEqual(headers["Content-Security-Policy"], POLICY)
                self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
                self.assertEqual(headers["Cache-Control"], "no-store")
                html5lib.HTMLParser(strict=True).parse(text)
                self.check_parts(text)
                seen.add(status)
        self.assertEqual(seen, {200, 400, 403, 404})

    def check_parts(self, text: str) -> None:
        tags = Reader(text).tags
        names = [tag for tag, _ in tags]
        # drawings and their columns have titles, too
        titles = re.sub(r"(?s)<svg.*?</svg>", "", text).count("<title>")
        self.assertEqual((names.count("main"), names.count("h1"), names.count("header"), titles), (1, 1, 1, 1))
        ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
        self.assertEqual(len(ids), len(set(ids)), ids)
        for tag, attributes in tags:
            self.assertNotIn("style", attributes)
            self.assertFalse([name for name in attributes if name.startswith("on")])
            self.assertNotEqual(tag, "style")
            for name in ("src", "href", "action"):
                self.assertRegex(attributes.get(name, "/"), r"^(/|\?|#|data:,$)")
            if tag == "script":
                self.assertRegex(attributes["src"], r"^/static/")
        self.assertEqual(names.count("table"), names.count("caption"))
        self.assertTrue(all("scope" in attributes for tag, attributes in tags if tag == "th"))

    def test_leads_only_to_what_is_there(self):
        """For an administrator, to whom all of it is."""
        for user in (OWNER, ADMINISTRATOR):
            # what is linked first is looked at first
            wanted, done = ["/"], set()
            while wanted and len(done) < 150:
                path = wanted.pop(0)
                done.add(path)
                status, text = self.get(path, user)
                self.assertEqual(status, 200, f"{path} for {user}: {text[:500]}")
                if not text.startswith("<!DOCTYPE html>"):
                    continue
                for link in Reader(text).links():
                    whole = urllib.parse.urldefrag(urllib.parse.urljoin(path, link))[0]
                    # hundreds of jobs are alike
                    is_one_more = whole.startswith("/job/") and sum(one.startswith("/job/") for one in [*done, *wanted]) >= 30
                    if whole not in done and whole not in wanted and not is_one_more:
                        wanted.append(whole)
            self.assertLessEqual({"/jobs", "/account/physics", "/energy", "/cluster", "/api"}, done)

    def test_has_what_it_loads(self):
        for name, kind in (("css", "text/css"), ("js", "text/javascript")):
            # it reports nothing, and so everybody may have it
            status, headers, text = self.reply(f"/static/jobmetrics.{name}", None)
            self.assertEqual((status, headers["Content-Type"]), (200, f"{kind}; charset=utf-8"))
            self.assertRegex(headers["Cache-Control"], r"^max-age=\d+$")
            self.assertLess(len(text), 20 * 1024)
            self.assertNotIn("http", text)
        self.assertEqual(self.get("/static/other.js", None)[0], 404)

    def test_is_found_again_from_an_address_that_is_wrong(self):
        for path in ("/accounts", "/job", "/api/v1/nothing"):
            status, headers, text = self.reply(path, OWNER, Accept="text/html,*/*")
            self.assertEqual((status, headers["Content-Type"]), (404, "text/html; charset=utf-8"), path)
            self.assertIn('<a href="/jobs">Jobs</a>', text)
            self.assertIn(f"</span>{OWNER}</p>", text)
            self.assertNotIn('href="/admin"', text)
            self.assertIn('href="/admin"', self.reply(path, ADMINISTRATOR, Accept="text/html")[2])
            self.assertEqual(self.reply(path, None, Accept="text/html")[0], 401)
            self.assertEqual(self.get(path)[1], "404: no such page\n")


class WhoSeesWhat(PagesTest):
    def setUp(self):
        super().setUp()
        self.start()

    def rows(self, path: str, user: str) -> set[str]:
        """Of all its pages."""
        found: list[str] = []
        while path:
            text = self.page(path, user)
            found += [number for _, number in ROW.findall(text)]
            following = re.search(r'rel="next" href="([^"]+)"', text)
            path = urllib.parse.urljoin(path, html.unescape(following[1])) if following else ""
        self.assertEqual(len(found), len(set(found)))
        return set(found)

    def test_my_jobs_are_mine(self):
        self.assertEqual(self.rows("/", OWNER), DAEMONS)
        self.assertEqual(self.rows("/", COORDINATOR), BINS)
        self.assertEqual(self.rows("/", OTHER), set())
        self.assertEqual(self.rows("/", ADMINISTRATOR), set())

    def test_jobs_are_those_that_one_may_see(self):
        self.assertEqual(self.rows("/jobs?limit=200", OWNER), DAEMONS)
        self.assertEqual(self.rows("/jobs", COORDINATOR), PHYSICS | BINS)
        self.assertEqual(self.rows("/jobs", ADMINISTRATOR), ALL)
        self.assertEqual(self.rows("/jobs", OTHER), set())

    def test_a_foreign_run_is_as_one_that_never_was(self):
        foreign = self.job(4104)
        self.assertEqual(foreign["user"], "sys")
        for user, wanted in ((OWNER, 404), (COORDINATOR, 404), (OTHER, 404), (ADMINISTRATOR, 200)):
            self.assertEqual(self.get(f"/job/{foreign['uuid']}", user)[0], wanted, user)
        absent = "00000000-0000-4000-8000-000000000000"
        status, text = self.get(f"/job/{absent}")
        self.assertEqual(self.get(f"/job/{foreign['uuid']}"), (status, text.replace(absent, foreign["uuid"])))

    def test_no_page_has_a_foreign_name(self):
        for path in [*self.paths(), "/search?q=sys", "/search?q=biology", "/jobs?user=sys", "/jobs?account=biology"]:
            shown = re.sub(r'(value|href)="[^"]*"|<strong>[^<]*</strong>', "", self.page(path))
            self.assertNotIn("biology", shown, path)
            self.assertNotRegex(shown, r"\bsys\b", path)

    def test_accounts_are_those_of_runs_that_one_may_see(self):
        wanted = {OWNER: {"physics": 200, "biology": 404}, COORDINATOR: {"physics": 200, "biology": 200}, OTHER: {"physics": 404, "biology": 404}}
        for user, accounts in wanted.items():
            for account, status in accounts.items():
                self.assertEqual(self.get(f"/account/{account}", user)[0], status, (user, account))
        # who coordinates an account sees its users, who has runs in it themselves alone
        self.assertIn("?user=sys", self.page("/account/physics", COORDINATOR))
        self.assertNotIn("?user=sys", self.page("/account/physics", OWNER))

    def test_the_state_of_the_server_is_for_administrators(self):
        for user in (OWNER, COORDINATOR, OTHER):
            status, text = self.get("/admin", user)
            self.assertEqual(status, 403)
            self.assertIn("for administrators", text)
            self.assertNotIn('href="/admin"', self.page("/", user))
        self.assertIn('href="/admin"', self.page("/", ADMINISTRATOR))
        self.assertIn("--server.history", self.page("/admin", ADMINISTRATOR))

    def test_nobody_is_asked_who_they_are(self):
        for path in [*self.paths(), "/admin", "/job/x"]:
            status, headers, text = self.reply(path, None)
            self.assertEqual((status, headers["Content-Security-Policy"]), (401, POLICY), path)
            self.assertNotIn("physics", text)

    def test_who_lies_is_refused(self):
        status, text = self.ask_by_network("/", "X-Remote-User: games")
        self.assertEqual(status, 403)
        self.assertIn("<h1>", text)


class WhatIsShown(PagesTest):
    def setUp(self):
        super().setUp()
        self.start_with_scheduler()

    def test_markup_of_names_stays_text(self):
        job = self.job(4107)
        self.assertEqual(job["name"], NASTY)
        for path in ("/", "/jobs", f"/job/{job['uuid']}", f"/search?q={urllib.parse.quote(NASTY)}"):
            text = self.page(path)
            self.assertIn("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;b&gt;&amp;amp;", text)
            self.assertNotIn("<script>alert", text)
        self.assertIn("Account a/b &amp; &lt;c&gt;", self.page("/account/a/b%20%26%20%3Cc%3E"))
        self.assertIn("Priority &lt;b&gt;", self.page(f"/job/{self.job(4100)['uuid']}"))

    def test_markup_of_what_was_typed_stays_text(self):
        typed = urllib.parse.quote("\"><img src=x onerror=alert(1)>'\u202e")
        for path in ("/jobs?user=", "/jobs?state=", "/?account=", "/energy?cluster=", "/search?q=", "/cluster?state=", "/jobs?sort=", "/jobs?since=", "/jobs?"):
            status, text = self.get(path + typed)
            self.assertIn(status, (200, 400), path)
            self.assertNotIn("<img", text)
            self.assertNotIn("\u202e", text)

    def test_what_is_invalid_is_named(self):
        for query in ("usr=ada", "limit=0", "limit=x", "sort=size", "verdict=splendid", "cursor=x", "since=never", "until=99999999999999999999", "cluster=a&cluster=b", "format=csv",
                      "group=user", "by=day", "column=size", "column=wait_seconds&column=x", f"user={'a' * 257}", f"job={'9' * 5000}"):
            status, text = self.get(f"/jobs?{query}")
            self.assertEqual(status, 400, query)
            self.assertIn("<h1>Invalid request</h1>", text)
            if not query.startswith("cursor"):
                self.assertIn(f"400: {query.partition('=')[0]}=", text)
        for path in ("/?user=sys", "/?by=user", "/energy?user=sys", "/account?cluster=a", "/api?x=1", "/admin?x=1", "/search?x=1", "/cluster?limit=1", "/account/physics?since=1&until=99999999999",
                     f"/search?q={'a' * 257}"):
            self.assertEqual(self.get(path, ADMINISTRATOR)[0], 400, path)
        run = f"/job/{self.job(4106)['uuid']}"
        for query in ("from=x", "from=-1", "from=1e3", "from=10m&to=5m", "to=0", "from=1&from=2", "to=99999999999", "part=1"):
            self.assertEqual(self.get(f"{run}?{query}")[0], 400, query)
        self.assertEqual(self.get(f"{run}?from=&to=")[0], 200)
        # fields of a form that were left empty ask for nothing
        self.assertEqual(self.get("/jobs?state=&cluster=&since=&until=&sort=&user=")[0], 200)

    def test_a_list_without_runs_says_what_to_do(self):
        everything = '<a href="?">see all runs</a>'
        self.assertIn("Your jobs are listed here", self.page("/", OTHER))
        self.assertIn("your own, and those of accounts that you coordinate", self.page("/jobs", OTHER))
        self.assertIn(everything, self.page("/jobs?name=nothing"))
        self.assertIn(everything, self.page("/jobs?name=nothing", ADMINISTRATOR))
        self.assertNotIn(everything, self.page("/jobs?sort=-energy_joules", OTHER))
        self.assertIn("An account is listed once", self.page("/account", OTHER))

    def test_jobs_are_chosen_and_sorted(self):
        found = [number for _, number in ROW.findall(self.page("/jobs?state=TIMEOUT&account=physics&sort=start"))]
        wanted = [str(4100 + number) for number in range(240, 0, -1) if number % 9 == 4 and number % 6 in (0, 1)]
        self.assertEqual(found, wanted)
        # what goes on is on top
        self.assertEqual(ROW.findall(self.page("/"))[0][1], "4100")
        self.assertIn('<option value="TIMEOUT" selected>', self.page("/jobs?state=TIMEOUT"))
        self.assertIn("<option selected>MOON</option>", self.page("/jobs?state=MOON"))

    def judged_jobs(self) -> list[dict]:
        """Those that have ended, once the server has judged them all."""
        end = time.monotonic() + SECONDS
        while True:
            jobs = [job for job in json.loads(self.get("/api/v1/jobs?limit=1000", ADMINISTRATOR)[1])["jobs"] if "end_time" in job]
            if all("verdict_rules" in job for job in jobs):
                return jobs
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def test_jobs_are_chosen_by_their_verdicts(self):
        jobs = self.judged_jobs()
        kinds = {job["verdict_kind"] for job in jobs}
        self.assertLessEqual({"trouble", "not-enough-data"}, kinds)
        for kind in kinds:
            text = self.page(f"/jobs?verdict={kind}&limit=1000", ADMINISTRATOR)
            wanted = {job["uuid"] for job in jobs if job["verdict_kind"] == kind}
            self.assertEqual(set(re.findall(r'href="/job/([0-9a-f-]{36})"', text)), wanted)
            self.assertIn(f'<option value="{kind}" selected>', text)
            # as the report of a run has it
            for uuid in sorted(wanted)[:5]:
                verdict = json.loads(self.get(f"/api/v1/jobs/{uuid}/report", ADMINISTRATOR)[1])["verdict"]
                self.assertEqual(verdict["kind"], kind)
                self.assertIn(f'<td class="verdict">{html.escape(verdict["title"])}</td>', text)
        for going, kind in (("RUNNING", "running"), ("PENDING", "waiting")):
            self.assertEqual(ROW.findall(self.page(f"/jobs?state={going}&limit=1000")), ROW.findall(self.page(f"/jobs?verdict={kind}&limit=1000")))

    def test_energy_is_in_one_unit_in_a_table(self):
        for path in ("/jobs?limit=50", "/account/physics"):
            units = re.findall(r'<td class="number">~?[\d.]+(J|kJ|kWh|MWh)</td>', self.page(path, ADMINISTRATOR))
            self.assertEqual(set(units), {"kWh"}, path)
        shown = dict(re.findall(r'>(\d+)</a>(?:(?!</tr>).)*<td class="number">~?([\d.]+)kWh</td>', self.page("/jobs?limit=50", ADMINISTRATOR)))
        known = {number: self.job(int(number))["energy_joules"] / 3.6e6 for number in list(shown)[:10]}
        self.assertLess(min(known.values()), 1)
        for number, kwh in known.items():
            self.assertAlmostEqual(float(shown[number]), kwh, delta=0.05, msg=number)

    def test_what_was_estimated_has_a_mark_in_a_list(self):
        """Where a meter of the run was none: the list itself does not read what each meter counted."""
        text = self.page("/jobs?limit=20", ADMINISTRATOR)
        marks = re.findall(r'>(\d+)</a>(?:(?!</tr>).)*<td class="number">(~?)[\d.]+kWh</td><td class="number">(~?)[\d.]+k?g</td>', text)
        for number, energy, emissions in marks:
            job = self.job(int(number))
            meters = json.loads(self.get(f"/api/v1/jobs/{job['uuid']}", ADMINISTRATOR)[1])["energy"]
            is_estimated = any(meter.get("quality", "measured") != "measured" and "energy_joules" in meter for meter in meters)
            self.assertEqual((energy, emissions, job.get("energy_estimated", False)), ("~" * is_estimated, "~" * is_estimated, is_estimated), number)
        self.assertIn(("4106", "~", "~"), marks)
        self.assertIn("~ stands before what is estimated", text)

    def test_a_run_that_goes_on_has_the_time_until_now(self):
        began = self.job(4100)["start_time"]
        (ran,) = re.findall(r'>4100</a>.*?<td class="number">(\d+)m(\d\d)s</td>', self.page("/jobs?state=RUNNING"))
        self.assertAlmostEqual(60 * int(ran[0]) + int(ran[1]), time.time() - began, delta=SECONDS)

    def test_columns_are_chosen_and_stay_so(self):
        text = self.page("/jobs?column=wait_seconds&column=cpu_unused_seconds&state=TIMEOUT", ADMINISTRATOR)
        titles = re.findall(r"<th scope=\"col\"[^>]*>(?:<a [^>]*>)?([^<]+)", text)
        self.assertEqual(titles[titles.index("GPUs") + 1:titles.index("Verdict")], ["CPU used", "Memory used", "Waited", "CPU time unused"])
        # all runs of made-pages.c waited for 400 s
        self.assertEqual(set(re.findall(r'<td class="number">(6m40s)</td>', text)), {"6m40s"})
        self.assertEqual(re.findall(r'value="(\w+)" checked', text), ["wait_seconds", "cpu_unused_seconds"])
        self.assertIn('href="?state=TIMEOUT&amp;column=wait_seconds&amp;column=cpu_unused_seconds&amp;sort=-energy_joules">Energy</a>', text)
        # one that the table has anyhow comes once
        self.assertEqual(self.page("/jobs?column=energy_joules").count(">Energy</a></th>"), 1)

    def test_programs_have_all_runs_with_all_columns(self):
        for path, user in (("/jobs?column=wait_seconds&state=TIMEOUT", ADMINISTRATOR), ("/?column=wait_seconds&state=TIMEOUT", OWNER)):
            link = html.unescape(re.search(r'href="(/api/v1/jobs[^"]*)">As a table', self.page(path, user))[1])
            status, text = self.get(link, user)
            self.assertEqual(status, 200, text)
            rows = list(csv.DictReader(io.StringIO(text)))
            self.assertEqual({row["state"] for row in rows}, {"TIMEOUT"})
        link = html.unescape(re.search(r'href="(/api/v1/jobs[^"]*)">As a table', self.page("/jobs?limit=20", ADMINISTRATOR))[1])
        status, headers, text = self.reply(link, ADMINISTRATOR)
        listed = json.loads(self.get("/api/v1/jobs?limit=1000", ADMINISTRATOR)[1])["jobs"]
        self.assertEqual([row["uuid"] for row in csv.DictReader(io.StringIO(text))], [run["uuid"] for run in listed])
        self.assertNotIn("X-Next-Cursor", headers)
        # a document is by pages
        self.assertEqual(self.get("/api/v1/jobs?limit=all", ADMINISTRATOR)[0], 400)

    def groups(self, path: str, user: str = ADMINISTRATOR) -> dict[str, list[str]]:
        rows = re.findall(r'<tr><th scope="row" class="name">(?:<a [^>]*>)?([^<]*)(.*?)</tr>', self.page(path, user), re.DOTALL)
        return {html.unescape(name): re.findall(r"<td[^>]*>([^<]*)", cells) for name, cells in rows}

    def test_runs_are_grouped_with_sums_and_medians(self):
        since = self.now - 20 * 86400
        runs = json.loads(self.get(f"/api/v1/jobs?limit=1000&since={since}", ADMINISTRATOR)[1])["jobs"]
        for by in ("name", "account", "user", "partition", "cluster"):
            groups = self.groups(f"/jobs?by={by}&since={since}")
            self.assertEqual({name: int(cells[0]) for name, cells in groups.items()}, collections.Counter(run.get(by, "–") for run in runs), by)
        shares = [100 * run["cpu_seconds"] / run["cpus"] / (run["end_time"] - run["start_time"]) for run in runs if run.get("user") == "bin" and "end_time" in run]
        shown = self.groups(f"/jobs?by=user&since={since}")["bin"][2]
        self.assertAlmostEqual(float(shown.removesuffix("%")), statistics.median_low(shares), delta=0.1)

    def test_groups_are_sorted_and_lead_to_their_runs(self):
        text = self.page("/jobs?by=account&sort=energy_joules&state=COMPLETED", ADMINISTRATOR)
        self.assertRegex(text, r'aria-sort="ascending"><a href="[^"]*sort=-energy_joules">Energy</a>')
        self.assertIn('<a href="?state=COMPLETED&amp;sort=energy_joules&amp;account=physics">physics</a>', text)
        runs = json.loads(self.get("/api/v1/jobs?limit=1000&user=daemon", ADMINISTRATOR)[1])["jobs"]
        self.assertEqual(set(self.groups("/?by=account", OWNER)), {run["account"] for run in runs})
        # the titles of the table put groups in order, and one's own runs have one user
        self.assertEqual(['name="sort"' in self.page(path) for path in ("/jobs", "/jobs?by=", "/jobs?by=account")], [True, True, False])
        status, text = self.get("/?by=user", OWNER)
        self.assertEqual(status, 400)
        self.assertIn("not name, account, partition or cluster", text)

    def test_what_jobs_are_sorted_by_is_shown(self):
        sort = "-memory_unused_byte_seconds"
        text = self.page(f"/jobs?sort={sort}", ADMINISTRATOR)
        self.assertIn(">Memory unused by hours</a></th>", text)
        (first, *_) = json.loads(self.get(f"/api/v1/jobs?limit=1&sort={sort}", ADMINISTRATOR)[1])["jobs"]
        self.assertEqual(ROW.findall(text)[0][1], first["raw_id"])
        unused = first["memory_allocated_bytes"] - first["memory_peak_bytes"] * first["nodes"]
        hours = unused * (first["end_time"] - first["start_time"]) / 3600
        shown, unit = re.search(r'<td class="number">([0-9.]+)([GTP])iBh</td><td class="verdict">', text).groups()
        self.assertAlmostEqual(float(shown) * {"G": 2**30, "T": 2**40, "P": 2**50}[unit], hours, delta=0.05 * hours)
        self.assertNotIn(">Memory unused by hours</a></th>", self.page("/jobs", ADMINISTRATOR))

    def test_titles_put_jobs_into_their_order(self):
        text = self.page("/jobs?state=TIMEOUT")
        link = html.unescape(re.search(r'<th [^>]*><a href="([^"]+)">Energy</a>', text)[1])
        self.assertEqual(link, "?state=TIMEOUT&sort=-energy_joules")
        text = self.page(f"/jobs{link}")
        self.assertRegex(text, r'<th scope="col" class="number" aria-sort="descending"><a href="[^"]*sort=energy_joules">Energy</a>')
        joules = [self.job(int(number))["energy_joules"] for _, number in ROW.findall(text)[:5]]
        self.assertEqual(joules, sorted(joules, reverse=True))
        # a search has an order of its own
        self.assertNotIn("sort=", self.page("/search?q=ada"))

    def test_periods_are_a_click_away(self):
        text = self.page("/jobs?state=TIMEOUT&since=2026-01-01&until=2026-02-01")
        link = html.unescape(re.search(r'<a href="([^"]+)">30 days</a>', text)[1])
        self.assertEqual(link, "?state=TIMEOUT&since=-30d")
        self.assertIn(' aria-current="true">30 days</a>', self.page(f"/jobs{link}"))

    def test_what_is_chosen_stays_on_the_next_page(self):
        text = self.page("/jobs?account=a%2Fb+%26+%3Cc%3E&sort=-end&limit=20")
        following = html.unescape(re.search(r'rel="next" href="([^"]+)"', text)[1])
        self.assertIn("account=a%2Fb%20%26%20%3Cc%3E&sort=-end&limit=20&cursor=", following)
        second = self.page(f"/jobs{following}")
        self.assertFalse(set(ROW.findall(text)) & set(ROW.findall(second)))
        self.assertIn(">From the beginning</a>", second)
        table = html.unescape(re.search(r'href="(/api/v1/jobs[^"]+)"', text)[1])
        # titles, and all forty runs of the account
        self.assertEqual(self.get(table)[1].count("\n"), 41)

    def test_a_job_has_its_parts(self):
        job = self.job(4107)
        text = self.page(f"/job/{job['uuid']}")
        for word in ("<h1>Job 4107 on alps</h1>", "CANCELLED", "What it used, of what it was given", "NVIDIA A100-SXM4-40GB", "lifecycle", "owid", "estimated", "ledgers of nodes", "n[17-18]"):
            self.assertIn(word, text)
        bar = float(re.search(r'(?s)>CPUs</th><td><svg class="jm-bar".*?class="jm-number">([\d.]+)%', text)[1])
        self.assertAlmostEqual(bar, 100 * job["cpu_seconds"] / job["elapsed"] / 32 if "elapsed" in job else 39, delta=0.1)
        self.assertIn("data-refresh", self.page(f"/job/{self.job(4100)['uuid']}"))
        self.assertNotIn("data-refresh", text)
        # as the scheduler and both nodes report them, each once
        steps = re.search(r'(?s)<caption id="steps">.*?</table>', text)[0]
        self.assertEqual(re.findall(r'<tr><td>([^<]*)</td>', steps), ["0", "batch", "extern"])
        # as the library's rules have it
        self.assertRegex(text, r'(?s)<h2>Advice</h2>\n<div class="jm-hint [a-z-]*">.*16 CPUs for each GPU')
        # what nobody measured is no zero
        unmeasured = self.page(f"/job/{self.job(4124)['uuid']}")
        self.assertNotIn("energy", self.job(4124))
        self.assertIn('<th scope="row">Energy</th><td>unknown, neither measured nor estimated</td>', unmeasured)
        for heading in ("Energy by meter", "Emission factors"):
            self.assertIn(f"<h2>{heading}</h2>", text)
            self.assertNotIn(f"<h2>{heading}</h2>", unmeasured)
        # part of it is, and so its sum is one of estimates
        self.assertIn("in part or as a whole estimated", text)

    def test_history_is_shown(self):
        text = self.page(f"/job/{self.job(4100)['uuid']}")
        self.assertRegex(text, r'(?s)<h2>History</h2>.*PENDING.*Priority.*RUNNING')

    def test_nodes_have_their_own_words(self):
        text = self.page("/cluster")
        for word in ("allocated", "mixed", "idle", "drained"):
            self.assertIn(f'state={word}">{word}</a>', text)
        self.assertIn("disk | broken &quot;sda&quot;", text)
        self.assertIn("maint1", text)
        self.assertIn('<th scope="row"><a href="/jobs?cluster=alps&amp;since=-1d&amp;node=rec3">rec3</a>', self.page("/cluster?cluster=alps&state=idle"))
        self.assertIn("No node is in this state now.", self.page("/cluster?state=moon"))
        # who said so, and for whom it is kept, is reported to administrators
        self.assertNotIn("alice", text)
        self.assertIn("<td>alice</td>", self.page("/cluster", ADMINISTRATOR))

    def test_lists_begin_with_what_was_wasted(self):
        links = re.findall(r'href="\?(since=-7d&amp;[^"]*)"', self.page("/jobs", ADMINISTRATOR))
        self.assertIn("since=-7d&amp;sort=-cpu_unused_seconds", links)
        for link in links:
            self.assertEqual(self.get("/jobs?" + html.unescape(link), ADMINISTRATOR)[0], 200, link)
        (order,) = (link for link in links if "cpu_unused" in link)
        shown = re.findall(r'href="/job/([0-9a-f-]{36})"', self.page("/jobs?" + html.unescape(order), ADMINISTRATOR))
        jobs = json.loads(self.get("/api/v1/jobs?limit=50&" + html.unescape(order), ADMINISTRATOR)[1])["jobs"]
        self.assertEqual(shown, [job["uuid"] for job in jobs])

    def test_use_of_the_cluster_is_drawn_and_counted(self):
        """Of four nodes of 8 CPUs and 2 GPUs: one is full, one has 2 CPUs and a GPU in use, one is drained."""
        text = self.page("/cluster")
        for hint in ("10 of 32", "3 of 8", "700MiB of 21GiB"):
            self.assertIn(f'<p class="hint">{hint}</p>', text)
        drawn = re.findall(r'class="(use\d|closed)"[^>]*><title>([^<]*)</title>', text)
        self.assertEqual(drawn, [
            ("use4", "rec1: allocated, 8 of 8 CPUs in use"), ("use1", "rec2: mixed, 2 of 8 CPUs in use"),
            ("use0", "rec3: idle, 0 of 8 CPUs in use"), ("closed", "rec4: drained, 0 of 8 CPUs in use"),
        ])
        # 197 tasks of an array and others
        self.assertRegex(text, r'JobArrayTaskLimit</th><td class="number">197</td><td class="number">197</td>')
        self.assertNotIn("Who has the CPUs", text)
        of_all = self.page("/cluster", ADMINISTRATOR)
        self.assertRegex(of_all, r'sort=-cpu_unused_seconds&amp;user=ada">ada</a></th><td class="number">9</td><td class="number">10</td>')
        self.assertEqual(["CPU hours allocated per day" in page for page in (text, of_all)], [False, True])
        self.assertNotIn("What running jobs have not used", text)
        # the archive's run of 32 CPUs has used the time of one
        self.assertRegex(of_all, r'(?s)What running jobs have not used.*user=daemon">daemon</a></th><td class="number">1</td>'
                                 r'<td class="number">32</td><td class="number">31</td>')

    def list_hours(self, page: str) -> list[tuple[str, str]]:
        """Each hour with the cells behind it."""
        table = page[page.index('id="hours-0"'):]
        return re.findall(r'(?s)<tr><td><time datetime="([^"]*)">[^<]*</time></td>(.*?)</tr>', table[:table.index("</table>")])

    def count_each_second(self, hour: int) -> list[str]:
        """CPUs, GPUs, watts and waiting runs of each second of the hour, in the mean."""
        jobs = json.loads(self.get("/api/v1/jobs?cluster=alps&limit=1000", ADMINISTRATOR)[1])["jobs"]
        sums = [0.0, 0.0, 0.0, 0.0]
        for second in range(hour, hour + 3600):
            for job in jobs:
                start, end = job.get("start_time"), job.get("end_time") or self.now
                if start and start <= second < end:
                    sums[0] += job.get("cpus", 0)
                    sums[1] += job.get("gpus_allocated", 0)
                    sums[2] += job.get("energy_joules", 0) / (end - start)
                sums[3] += job.get("submit_time", second + 1) <= second < (start or end)
        return [f"{one / 3600:.3g}" for one in sums]

    def test_the_last_day_is_shown_by_the_hour(self):
        text = self.page("/cluster", ADMINISTRATOR)
        hours = self.list_hours(text)
        self.assertIn(len(hours), (24, 25, 26))
        hour = (self.now // 3600 - 9) * 3600
        cells = dict(hours)[time.strftime("%Y-%m-%dT%H:00:00Z", time.gmtime(hour))]
        cpus, memory, gpus, power, waiting = re.findall(r'<td class="number">([^<]*)</td>', cells)
        self.assertRegex(memory, r"^[\d.]+[GM]iB$")
        self.assertEqual([cpus, gpus, power.removesuffix("W"), waiting], self.count_each_second(hour))
        for title in ("CPUs allocated, of 32", "Memory allocated, of 21GiB", "GPUs allocated, of 8", "Power of jobs", "Jobs waiting"):
            self.assertIn(f"<figcaption>{title}</figcaption>", text)
        self.assertNotIn("By the hour", self.page("/cluster"))

    def test_hours_are_those_of_a_week_at_most(self):
        text = self.page("/cluster?since=-7d", ADMINISTRATOR)
        self.assertIn('<a href="?since=-7d" aria-current="true">Last week</a>', text)
        self.assertIn(len(self.list_hours(text)), (168, 169, 170))
        for since in ("-8d", "now", "2001-01-01"):
            self.assertEqual(self.get(f"/cluster?since={since}", ADMINISTRATOR)[0], 400, since)

    def test_administrators_begin_with_the_worst_of_the_week(self):
        text = self.page("/", ADMINISTRATOR)
        for name, title, sort in (("worst-cpus", "CPU time unused", "cpu_unused_seconds"), ("worst-memory", "Memory unused", "memory_unused_byte_seconds")):
            self.assertIn(f'<a href="/jobs?since=-7d&amp;sort=-{sort}">{title}</a>', text)
            table = text[text.index(f'id="{name}"'):]
            shown = re.findall(r'href="/job/([0-9a-f-]{36})"', table[:table.index("</table>")])
            jobs = json.loads(self.get(f"/api/v1/jobs?limit=5&since=-7d&sort=-{sort}", ADMINISTRATOR)[1])["jobs"]
            self.assertEqual(shown, [job["uuid"] for job in jobs])
        # no run of the week has accelerators whose use is known
        self.assertNotIn("worst-gpus", text)
        self.assertNotIn("The worst of the week", self.page("/?sort=-cpus", ADMINISTRATOR))
        for user in (OWNER, COORDINATOR):
            self.assertNotIn("The worst of the week", self.page("/", user))

    def test_sums_are_those_of_the_api(self):
        since = self.now - 20 * 86400
        usage = json.loads(self.get(f"/api/v1/usage?since={since}&until={self.now}&account=physics")[1])["usage"]
        text = self.page(f"/account/physics?since={since}&until={self.now}")
        self.assertIn(f"<dd>{usage[0]['runs']}</dd>", text)
        self.assertIn(f"<dd>{usage[0]['allocated_cpu_seconds'] / 3600:.0f} h</dd>", text)
        # and so are the hours of each fate together, but for their rounding
        fates = re.findall(r'<th scope="row">(?:Productive|Idle|Lost to [a-z ]+|Not observed)</th><td class="number">([\d.]+) h', text)
        self.assertEqual(len(fates), 6)
        self.assertAlmostEqual(sum(map(float, fates)), usage[0]["allocated_cpu_seconds"] / 3600, delta=4)
        energy = self.page("/energy")
        for word in ("owid", "yearly", "measured", "estimated", "Energy per day", "CO₂e per day"):
            self.assertIn(word, energy)
        # how much of it was measured, of an account by the meters of its runs in the API
        (table,) = re.findall(r'(?s)id="measured-accounts".*?</table>', energy)
        shown = {name: cells for name, *cells in re.findall(r'<tr><th scope="row">([^<]*)</th><td class="number">([\d.]+)%</td><td class="number">([\d.]+)%</td></tr>', table)}
        since = int(time.time()) // 86400 * 86400 - 30 * 86400
        runs = json.loads(self.get(f"/api/v1/jobs?parts=energy&limit=1000&since={since}", ADMINISTRATOR)[1])["jobs"]
        some = [run for run in runs if run["account"] == "physics" and "energy_joules" in run]
        measured = sum(meter["energy_joules"] for run in some for meter in run["energy"] if meter.get("quality") == "measured")
        self.assertAlmostEqual(float(shown["physics"][1]), 100 * measured / sum(run["energy_joules"] for run in some), delta=1)
        self.assertRegex(energy, time.strftime(r'(?s)id="measured-days".*<th scope="row">%Y-%m-%d</th>', time.gmtime(time.time() - 86400)))

    def test_hours_of_each_group_are_those_that_its_runs_were_given(self):
        since, until = self.now - 20 * 86400, self.now
        begun = [job for job in json.loads(self.get(f"/api/v1/jobs?limit=1000&since={since}&until={until}", ADMINISTRATOR)[1])["jobs"] if "start_time" in job]
        jobs = [job for job in begun if "end_time" in job]
        for group in ("account", "user", "partition"):
            text = self.page(f"/goodput?group={group}&since={since}&until={until}", ADMINISTRATOR)
            (table,) = re.findall(r'(?s)id="cpu-hours".*?</table>', text)
            rows = {html.unescape(name): [float(cell) for cell in re.findall(r'<td class="number">([\d.]+) h', cells)] for name, cells in re.findall(r'(?s)<tr><th scope="row">(?:<a [^>]*>)?([^<]*)(?:</a>)?</th>(.*?)</tr>', table)}
            self.assertEqual(set(rows), {job[group] for job in begun})
            for name in set(rows) - {job[group] for job in begun if "end_time" not in job}:
                given = sum(job["cpus"] * (min(job["end_time"], until) - max(job["start_time"], since)) for job in jobs if job[group] == name)
                # time in prolog or epilog is known of few
                self.assertIn(len(rows[name]), (7, 8))
                # but for the rounding of each
                self.assertAlmostEqual(rows[name][0], given / 3600, delta=0.6)
                self.assertAlmostEqual(sum(rows[name][1:]), given / 3600, delta=4)
        for group in ("node", "cluster", "month"):
            self.assertIn(f'<option value="{group}" selected>', self.page(f"/goodput?group={group}"))
        for group in ("day", "name", "moon", "user,account", "user&group=node"):
            self.assertEqual(self.get(f"/goodput?group={group}")[0], 400, group)
        # of runs that one sees
        self.assertIn("No run that you may see ran in this period", self.page("/goodput", OTHER))
        self.assertIn('<a href="/goodput">', self.page("/account", ADMINISTRATOR))

    def test_the_use_of_the_hours_of_a_day_is_for_prometheus(self):
        """Each second is of just one class, and all together are what was allocated."""
        self.await_text("/metrics", ADMINISTRATOR, "jobmetrics_server_goodput_cpu_seconds{")
        text = self.get("/metrics", ADMINISTRATOR)[1]
        sums: dict[str, dict[str, float]] = {}
        for partition, name, value in re.findall(r'(?m)^jobmetrics_server_goodput_cpu_seconds{cluster="[^"]*",partition="([^"]*)",class="([a-z_]+)"} (\S+)$', text):
            classes = sums.setdefault(partition, {})
            classes[name] = classes.get(name, 0) + float(value)
        until = int(time.time()) - 3600
        since = until - 86400
        jobs = [job for job in json.loads(self.get("/api/v1/jobs?limit=1000", ADMINISTRATOR)[1])["jobs"] if 0 < job.get("start_time", 0) < until]
        (partition,) = {job["partition"] for job in jobs}
        own = [job for job in jobs if job.get("end_time", until) > since]

        def given(those: list[dict]) -> int:
            return sum(job["cpus"] * (min(job.get("end_time", until), until) - max(job["start_time"], since)) for job in those)

        ended = given([job for job in own if "end_time" in job])
        self.assertGreater(ended, 0)
        # the server asked some seconds before, and the scheduler may have come later
        counted = sum(sums[partition].values())
        self.assertLess(min(abs(counted - ended), abs(counted - given(own))), sum(job["cpus"] for job in own) * SECONDS)
        self.assertEqual(set(sums[partition]) - {"prolog_epilog"}, {"productive", "idle", "lost_to_failure", "lost_to_preemption", "lost_to_time_limit", "unobserved"})

    def test_runs_of_one_name_have_their_spread(self):
        runs = json.loads(self.get("/api/v1/jobs?name=train.sh&user=daemon&limit=1000")[1])["jobs"]
        text = self.page("/jobs?name=train.sh")
        self.assertIn(f"<h2>All {len(runs)} jobs together</h2>", text)
        shares = sorted(100 * run["cpu_seconds"] / run["cpus"] / (run["end_time"] - run["start_time"]) for run in runs if "cpu_seconds" in run and "end_time" in run)
        wanted = [f"{share:.1f}%" for share in (shares[0], shares[(len(shares) - 1) // 2], shares[-1])]
        (row,) = re.findall(r'<th scope="row">CPU efficiency</th>(.*)</tr>', text)
        self.assertEqual(re.findall(r'<td class="number">([^<]*)</td>', row), [*wanted, str(len(shares))])
        failed = [run["uuid"] for run in runs if run["state"] in ("FAILED", "TIMEOUT", "OUT_OF_MEMORY", "NODE_FAIL")]
        (line,) = re.findall(r"<p>Failed: (.*)</p>", text)
        self.assertEqual(len(re.findall(r'<a href="/job/', line)), min(len(failed), 20))
        self.assertLessEqual(set(re.findall(r'href="/job/([^"]+)"', line)), set(failed))
        # what a link chose can be seen, and is sent with the rest of the form
        self.assertRegex(text, r'<input id="by-name" name="name"[^>]* value="train.sh">')
        self.assertNotIn("jobs together", self.page("/jobs"))

    def test_runs_by_the_pattern_of_a_name_are_together(self):
        def members(path: str) -> tuple[list[str], list[str]]:
            text = self.page(path, ADMINISTRATOR)
            return re.findall("<h2>All ([0-9]+) jobs together</h2>", text), sorted(uuid for uuid, _ in ROW.findall(text))

        runs = json.loads(self.get("/api/v1/jobs?limit=1000", ADMINISTRATOR)[1])["jobs"]
        for pattern, begin in (("train.*", "train."), ("l*qcd, ensemble ?", "lattice")):
            wanted = sorted(run["uuid"] for run in runs if "name" in run and run["name"].startswith(begin))
            self.assertEqual(members(f"/jobs?limit=1000&name={urllib.parse.quote(pattern)}"), ([str(len(wanted))], wanted), pattern)
        # one sees the same runs as before
        self.assertEqual(members("/jobs?name=nothing*"), ([], []))
        self.assertNotIn("md_npt_310K", self.page("/jobs?name=m*", OTHER))
        # the API and the search have the same
        for path in ("/api/v1/jobs?limit=1000&name=train.*", "/api/v1/jobs?limit=1000&name=train.sh"):
            self.assertEqual(len(json.loads(self.get(path, ADMINISTRATOR)[1])["jobs"]), sum(run.get("name") == "train.sh" for run in runs), path)
        text = self.page("/search?q=train.*", ADMINISTRATOR)
        self.assertGreater(len(ROW.findall(text)), 10)
        self.assertIn('<a href="/jobs?name=train.%2A">', text)

    def test_a_requeued_job_counts_once_among_those_of_its_name(self):
        for number, ended_before in ((5000, 20000), (5000, 0), (5001, 0)):
            subprocess.run([MADE_PAGES, self.store, str(self.now - ended_before), str(number), "ended"], check=True, timeout=SECONDS)
        text = self.page("/jobs?name=asked%20about")
        self.assertIn("<h2>All 2 jobs together</h2>", text)
        self.assertEqual(sorted(number for _, number in ROW.findall(text)), ["9100", "9100", "9101"])

    def test_search_finds_by_any_name(self):
        job = self.job(4107)
        for words, wanted in (("4107", {"4107"}), (job["uuid"], {"4107"}), (job["uuid"].upper(), {"4107"}), ("sys", set()), ("%", set())):
            found = {number for _, number in ROW.findall(self.page(f"/search?q={urllib.parse.quote(words)}"))}
            self.assertEqual(found, wanted, words)
        for words in ("daemon", "physics", "train.sh", "  train.sh "):
            self.assertEqual(len(ROW.findall(self.page(f"/search?q={urllib.parse.quote(words)}"))) > 10, True, words)


class Comparison(PagesTest):
    def setUp(self):
        super().setUp()
        self.start()

    def cells(self, text: str) -> dict[str, list[str]]:
        """Of the table, by the title of their row; the difference is behind a slash."""
        rows = re.findall(r'(?s)<tr><th scope="row">(.*?)</th>(.*?)</tr>', text)
        return {title: [re.sub("<[^>]*>", "", cell.replace(" <span", "/<span")) for cell in re.findall("(?s)<td[^>]*>(.*?)</td>", row)] for title, row in rows}

    def test_has_the_figures_of_each_run(self):
        text = self.page(self.comparison(4106, 4112, 4107))
        cells = self.cells(text)
        self.assertEqual(cells["State"], [self.job(number)["state"] for number in (4106, 4112, 4107)])
        self.assertEqual([html.unescape(name) for name in cells["Name"]], [self.job(number)["name"] for number in (4106, 4112, 4107)])
        first, second, third = cells["CPU time"]
        self.assertNotIn("/", first)
        seconds = [self.job(number)["cpu_seconds"] for number in (4106, 4112)]
        self.assertEqual(second.partition("/")[2], f"{round(100 * (seconds[1] / seconds[0] - 1)):+d}%")
        self.assertRegex(third, r"/-\d")
        for number in (4106, 4112, 4107):
            self.assertIn(f"<dt>Job {number}</dt>", text)
            self.assertIn(f'href="/job/{self.job(number)["uuid"]}"', text)

    def test_shows_what_is_estimated_and_what_is_absent(self):
        text = self.page(self.comparison(4112, 4124))
        self.assertTrue(self.cells(text)["Energy"][0].startswith("~"))
        self.assertEqual(self.cells(text)["Energy"][1], "–/")
        self.assertIn("~ before what is estimated", text)
        # of neither the energy was measured
        text = self.page(self.comparison(4124, 4138))
        self.assertNotIn("Energy", self.cells(text))

    def test_ends_with_the_verdict(self):
        cells = self.cells(self.page(self.comparison(4106, 4107)))
        self.assertEqual(list(cells)[-1], "Verdict")
        self.assertEqual(cells["Verdict"], ["not enough data", "trouble"])

    def test_is_kept_up_to_date_while_a_run_goes_on(self):
        self.assertIn("data-refresh", self.page(self.comparison(4106, 4100)))
        self.assertNotIn("data-refresh", self.page(self.comparison(4106, 4107)))

    def test_plots_have_a_line_for_each_run(self):
        plots = re.findall(r'(?s)<svg[^>]*class="jm-plot".*?</svg>', self.page(self.comparison(4106, 4112, 4107)))
        self.assertEqual([re.search("<title>([^<]*)</title>", plot)[1] for plot in plots], ["CPUs that were busy", "Memory", "Power"])
        for plot in plots:
            self.assertIn(">4106<", plot)
            self.assertIn(">4112<", plot)
            self.assertNotIn(">4107<", plot)
            # both begin at the begin of the axis
            self.assertIn(">0<", plot)
        text = self.page(self.comparison(4106, 4112, 4107))
        self.assertIn(">4107 (no profile)<", text)
        self.assertIn("has a profile over time: 4107.</p>", text)
        text = self.page(self.comparison(4106, 4107))
        self.assertNotIn("jm-plots", text)
        self.assertIn("There are no records over time", text)

    def test_a_foreign_run_is_as_one_that_never_was(self):
        foreign = self.job(4104)["uuid"]
        absent = "00000000-0000-4000-8000-000000000000"
        own = self.job(4106)["uuid"]
        status, text = self.get(f"/compare?run={own}&run={absent}")
        self.assertEqual(status, 404)
        self.assertEqual(self.get(f"/compare?run={own}&run={foreign}"), (status, text.replace(absent, foreign)))
        self.assertEqual(self.get(f"/compare?run={own}&run={foreign}", ADMINISTRATOR)[0], 200)

    def test_two_to_six_are_compared(self):
        own = self.job(4106)["uuid"]
        for n, wanted in ((0, 400), (1, 400), (2, 200), (6, 200), (7, 400), (101, 400)):
            self.assertEqual(self.get("/compare?" + "&".join([f"run={own}"] * n))[0], wanted, n)
        self.assertIn("two to 6 runs can be compared, not 1", self.get(f"/compare?run={own}")[1])
        for query in (f"run={own}&run=", f"run={own}&run=%3Cscript%3E", f"run={own}&run={own}&user=sys"):
            status, text = self.get(f"/compare?{query}")
            self.assertIn(status, (400, 404), query)
            self.assertNotIn("<script>", text)

    def test_runs_are_chosen_from_a_list(self):
        text = self.page("/jobs")
        form = re.search(r'(?s)<form action="/compare".*?</form>', text)[0]
        self.assertEqual(len(re.findall('<input type="checkbox" name="run"', form)), len(ROW.findall(text)))
        self.assertIn("<button>Compare chosen runs</button>", form)

    def test_the_run_before_is_a_click_away(self):
        text = self.page(f"/job/{self.job(4106)['uuid']}")
        path = html.unescape(re.search(r'<a href="(/compare[^"]*)">Compare with the run before</a>, job 4112', text)[1])
        self.assertEqual(path, self.comparison(4112, 4106))
        self.assertEqual(self.get(path)[0], 200)


class MadeDatabase(http.server.BaseHTTPRequestHandler):
    """A time series database that knows the memory and power of every run."""

    broken = False

    def log_message(self, *_):
        pass

    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        result, start = [], float(form.get("start", ["0"])[0])
        if "jobmetrics_job_memory_used_bytes" in form["query"][0]:
            result = [{"metric": {}, "values": [[start, "1048576"], [start + 60, "NaN"], [start + 120, "2097152"]]}]
        elif "jobmetrics_job_energy_joules_total" in form["query"][0]:
            result = [{"metric": {"domain": name, "quality": "measured"}, "values": [[start, "5"], [start + 60, "7"]]} for name in ("dram<", "package")]
        body = json.dumps({"status": "success", "data": {"resultType": "matrix", "result": result}}).encode()
        self.send_response(500 if self.broken else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Plots(PagesTest):
    """What a run used over time."""

    def plots(self, number: int) -> list[str]:
        return re.findall(r'(?s)<svg[^>]*class="jm-plot".*?</svg>', self.page(f"/job/{self.job(number)['uuid']}"))

    def test_come_of_the_records_of_its_nodes(self):
        self.start()
        plots = self.plots(4106)
        self.assertEqual([re.search("<title>([^<]*)</title>", plot)[1] for plot in plots], ["CPUs that were busy", "Memory", "Power"])
        for plot in plots:
            self.assertIn(">n17<", plot)
            self.assertIn(">n18<", plot)
        self.assertEqual(self.plots(4107), [])
        self.assertNotIn("Over time", self.page(f"/job/{self.job(4107)['uuid']}"))

    def test_many_nodes_have_a_plot_each(self):
        self.fill("900", "wide")
        self.start()
        text = self.page(f"/job/{self.job(5000)['uuid']}")
        groups = re.findall(r'(?s)<details class="jm-multiples"><summary>([^<]*)</summary>(.*?)</details>', text)
        self.assertEqual([title for title, _ in groups], [f"{what}, on the 32 of 40 nodes with the lowest mean" for what in ("CPUs that were busy", "Memory")])
        names = [re.findall(r"(?s)<svg[^>]*>\s*<title>([^<]*)</title>", group) for _, group in groups]
        # of each ten nodes the first are busy least; memory is the same on all
        self.assertEqual(names[0][:5], ["n17", "n27", "n37", "n47", "n24"])
        self.assertEqual(names[1], [f"n{number}" for number in range(17, 49)])
        # all have one scale
        for _, group in groups:
            self.assertEqual(len(set(re.findall(r'data-highest="([^"]*)"', group))), 1)
        self.assertNotIn("jm-multiples", self.page(f"/job/{self.job(4106)['uuid']}"))

    def test_come_of_the_time_series_database_else(self):
        handler = type("Handler", (MadeDatabase,), {})
        database = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        thread = threading.Thread(target=database.serve_forever)
        thread.start()
        for end in (thread.join, database.server_close, database.shutdown):
            self.addCleanup(end)
        self.start(f"--server.tsdb=http://127.0.0.1:{database.server_address[1]}")
        plots = self.plots(4107)
        self.assertEqual([re.search("<title>([^<]*)</title>", plot)[1] for plot in plots], ["Memory", "Power"])
        self.assertIn("dram&lt;", plots[1])
        # those of the ledgers are believed before it
        self.assertIn("CPUs that were busy", "".join(self.plots(4106)))
        handler.broken = True
        self.assertIn("The time series cannot be read now.", self.page(f"/job/{self.job(4107)['uuid']}"))


class AllocationTargets(PagesTest):
    """Of a file like the cluster role's."""

    def start_with(self, text: str) -> None:
        path = self.folder / "targets.conf"
        path.write_text(text)
        self.start(f"--server.targets-file={path}")

    def test_are_shown_with_what_was_had(self):
        target = "[Target {0}]\nCluster=alps\nAccount={1}\nResource=cpu\nYears=2\nFrom=2026-01-01\nTo=2099-01-01\n"
        self.start_with(target.format("physics <b>", "physics") + target.format("biology", "biology"))
        text = self.page("/cluster", ADMINISTRATOR)
        self.assertIn("physics &lt;b&gt;", text)
        (row,) = re.findall(r'<tr><th scope="row">biology</th>(.*)</tr>', text)
        usage = json.loads(self.get("/api/v1/usage?account=biology", ADMINISTRATOR)[1])["usage"]
        cells = re.findall(r'<td class="number">([\d.]+)', row)
        self.assertEqual((float(cells[0]), float(cells[2])), (2, round(usage[0]["allocated_cpu_seconds"] / 365 / 86400, 2)))
        # of an account with runs that one may see
        self.assertIn("physics", self.page("/cluster"))
        self.assertNotIn("biology", self.page("/cluster"))
        self.assertNotIn("Allocation targets", self.page("/cluster", OTHER))
        self.assertNotIn("biology", self.page("/cluster?cluster=jura", ADMINISTRATOR))

    def test_that_are_invalid_are_refused(self):
        path = self.folder / "targets.conf"
        path.write_text("[Target x]\nCluster=alps\n")
        ended = subprocess.run([EXPORTER, "server", f"--server.store={self.store}", f"--server.targets-file={path}"], capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("--server.targets-file", ended.stderr)


class WithoutAScheduler(PagesTest):
    def test_the_page_says_which_option_names_one(self):
        self.start()
        self.assertIn("--server.scheduler=NAME", self.page("/cluster"))

    def test_one_that_does_not_answer_is_shown(self):
        self.start(f"--server.scheduler=slurm,cluster=alps,directory={self.folder}/none")
        self.await_text("/cluster", ADMINISTRATOR, "did not answer")
        self.assertIn(f"{self.folder}/none", self.page("/cluster", ADMINISTRATOR))
        self.assertNotIn(f"{self.folder}/none", self.page("/cluster"))
        self.assertIn("notice bad", self.page("/admin", ADMINISTRATOR))

    def test_a_store_that_cannot_be_read_is_said(self):
        self.store.unlink()
        self.store.write_text("this is no database\n" * 500)
        self.start()
        status, text = self.get("/")
        self.assertEqual(status, 503)
        self.assertIn("the archive cannot be read now", text)


if __name__ == "__main__":
    sys.exit(tap.run(EachPage, WhoSeesWhat, WhatIsShown, Comparison, Plots, AllocationTargets, WithoutAScheduler))
