#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the next run should ask for, by the command line from a database and from a server, by the API and on the page of a run.

usage: test-suggest.py MADE-PAGES EXPORTER PROGRAM

Of daemon's job train.sh there are forty runs on two nodes each, which were given 32 GiB and four hours.
"""

import calendar
import html
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time
import unittest.mock
import urllib.parse

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import jsonschema  # noqa: E402
import tap  # noqa: E402

from local import SECONDS, LocalTest, needs_root  # noqa: E402

MADE_PAGES, EXPORTER, PROGRAM = map(os.path.abspath, sys.argv[1:4])
DAEMON, BIN, SYS = 1, 2, 3
GIB = 2**30
NASTY = "<script>alert(1)</script>\"'><b>&amp;"


class SuggestTest(LocalTest):
    def setUp(self):
        super().setUp()
        self.program = shutil.copy(PROGRAM, self.folder / "jobmetrics-cli")
        self.store = self.folder / "accounts.db"
        subprocess.run([MADE_PAGES, self.store, str(int(time.time()))], check=True, timeout=SECONDS)

    def start(self) -> None:
        listen = ["--web.listen-address=127.0.0.1:0", f"--web.local-socket={self.socket}"]
        self.launch([EXPORTER, "server", f"--server.store={self.store}", *listen], r"listening on 127", "stderr")

    def call(self, *arguments: str, place: str = "", uid: int | None = None, user: str = "daemon") -> subprocess.CompletedProcess:
        options = {} if uid is None else {"user": uid, "group": uid, "extra_groups": []}
        command = [self.program, "suggest", place or f"--store={self.store}", *arguments, *([f"--user={user}"] if user else [])]
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=self.folder, check=False,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC"}, **options)

    def text(self, *arguments: str, **options: object) -> str:
        done = self.call(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def document(self, *arguments: str, **options: object) -> dict:
        document = json.loads(self.text("--json", *arguments, **options))
        self.check_start(document)
        return document

    def check_start(self, document: dict) -> None:
        """Takes out the start, which each answer has from its own moment on."""
        start = document.pop("expected_start_time", None)
        if "usual_wait_seconds" in document:
            self.assertLessEqual(abs(start - document["usual_wait_seconds"] - time.time()), SECONDS)
        else:
            self.assertIsNone(start)

    def get(self, uid: int | None = None, **query: str) -> tuple[int, str]:
        return self.ask(f"/api/v1/suggestion?{urllib.parse.urlencode(query)}", uid=uid)


class Grid(http.server.BaseHTTPRequestHandler):
    """Stands in for three services: half hours of 300 g/kWh, and of 100 in the fourth hour; a server that is stale has yesterday's."""

    def make_uk(self, moments: list[str], grams: list[float]) -> dict:
        intensity = [{"forecast": value, "actual": None, "index": "high"} for value in grams]
        return {"data": [{"from": moments[number], "to": moments[number + 1], "intensity": intensity[number]} for number in range(len(grams))]}

    def make_maps(self, moments: list[str], grams: list[float]) -> dict:
        # hours: each second half hour is left out
        points = [{"carbonIntensity": grams[number], "datetime": moments[number]} for number in range(0, len(grams), 2)]
        return {"zone": "DE", "forecast": points, "updatedAt": moments[0], "temporalGranularity": "hourly"}

    def make_watttime(self, moments: list[str], grams: list[float]) -> dict:
        points = [{"point_time": moment, "value": value / 0.45359237} for moment, value in zip(moments, grams)]
        return {"data": points, "meta": {"region": "CAISO_NORTH", "signal_type": "co2_moer", "units": "lbs_co2_per_mwh", "data_point_period_seconds": 1800}}

    def do_GET(self) -> None:
        self.server.paths.append(self.path)
        secret = self.headers.get("auth-token") or self.headers.get("Authorization")
        self.server.secrets.append(secret)
        begin = int(time.time()) // 1800 * 1800 - self.server.age
        moments = [time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime(begin + 1800 * number)) for number in range(41)]
        grams = [100 if 6 <= number < 8 else 300 for number in range(40)]
        make = self.make_maps if "carbon-intensity" in self.path else self.make_watttime if self.path.startswith("/v3/forecast") else self.make_uk
        answer = {"token": "given"} if self.path == "/login" else make(moments, grams)
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass


class Start(SuggestTest):
    def setUp(self):
        super().setUp()
        self.grid = http.server.HTTPServer(("127.0.0.1", 0), Grid)
        self.grid.age, self.grid.paths, self.grid.secrets = 0, [], []
        thread = threading.Thread(target=self.grid.serve_forever)
        thread.start()
        self.addCleanup(self.grid.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(self.grid.shutdown)
        self.provider = f"--emissions.provider=uk-carbon-intensity,url=http://127.0.0.1:{self.grid.server_port}"

    def by(self, hours: float) -> str:
        return time.strftime("--by=%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + hours * 3600))

    def find_start(self, provider: str) -> tuple[dict, int]:
        """Within one half hour: also when the hour of the least factor begins."""
        while True:
            self.grid.paths.clear()
            self.grid.secrets.clear()
            begin = int(time.time()) // 1800
            start = self.document("train.sh", "--carbon", self.by(19), provider)["start"]
            if int(time.time()) // 1800 == begin:
                return start, begin * 1800 + 3 * 3600

    def test_a_run_starts_where_the_forecast_is_lowest(self):
        start, low = self.find_start(self.provider)
        length = start["usual_elapsed_seconds"]
        # the hour of 100 g/kWh is within the run, or the run within the hour
        self.assertLessEqual(start["start_time"], low)
        self.assertGreaterEqual(start["start_time"] + length, low + min(length, 3600))
        mean = (100 * min(length, 3600) + 300 * (length - min(length, 3600))) / length
        self.assertAlmostEqual(start["emission_factor_grams_per_joule"] * 3.6e6, mean, places=3)
        self.assertEqual((start["provider"], start["zone"], start["method"], start["scope"], start["runs"]), ("uk-carbon-intensity", "GB", "average", "direct", 40))
        self.assertRegex(self.grid.paths[0], r"^/intensity/\d{4}-\d\d-\d\dT\d\d:\d\dZ/fw48h$")
        saved = start["usual_power_watts"] * length * (start["emission_factor_now_grams_per_joule"] - start["emission_factor_grams_per_joule"])
        self.assertAlmostEqual(start["saved_grams"], saved, places=6)
        # half of the energy of these runs was estimated
        self.assertEqual(start["estimated"], ["usual_power_watts", "saved_grams"])
        text = self.text("train.sh", "--carbon", self.by(19), self.provider)
        self.assertRegex(" ".join(text.split()), r"At their ~\S+ that is ~\S+ less\. \(~: estimated\)")
        self.assertIn("by the forecast of uk-carbon-intensity for GB", " ".join(text.split()))
        self.assertLessEqual(max(map(len, text.splitlines())), 80, text)

    def test_other_providers_find_the_same_start(self):
        for provider, found, paths, secrets in (
                ("electricity-maps,zone=DE", ("electricity-maps", "DE", "average", "lifecycle"),
                 ["/v3/carbon-intensity/forecast?horizonHours=72&emissionFactorType=lifecycle&zone=DE"], ["of maps"]),
                ("watttime,region=CAISO_NORTH", ("watttime", "CAISO_NORTH", "marginal", "direct"),
                 ["/login", "/v3/forecast?region=CAISO_NORTH&signal_type=co2_moer&horizon_hours=72"], ["Basic YW5uOnNlY3JldA==", "Bearer given"])):
            place = f"--emissions.provider={provider},url=http://127.0.0.1:{self.grid.server_port}"
            with unittest.mock.patch.dict(os.environ, ELECTRICITY_MAPS_TOKEN="of maps", WT_USERNAME="ann", WT_PASSWORD="secret"):
                start, low = self.find_start(place)
            length = start["usual_elapsed_seconds"]
            self.assertEqual((start["provider"], start["zone"], start["method"], start["scope"]), found)
            self.assertEqual((self.grid.paths, self.grid.secrets), (paths, secrets))
            self.assertLessEqual(start["start_time"], low)
            self.assertGreaterEqual(start["start_time"] + length, low + min(length, 3600))
            self.assertAlmostEqual(start["emission_factor_now_grams_per_joule"] * 3.6e6, 300, places=3)

    def test_the_usual_wait_of_the_hour_stands_beside_the_start(self):
        start = self.document("train.sh", "--carbon", self.by(19), self.provider)["start"]
        runs = json.loads(subprocess.run([self.program, "history", "--json", "--all", "--limit=0", f"--store={self.store}", "--user=daemon", "--name=train.sh"], check=True,
                                         capture_output=True, text=True, timeout=SECONDS).stdout)
        for waits, seconds, moment in (("compared_waits", "usual_wait_seconds", start["start_time"]), ("compared_waits_now", "usual_wait_now_seconds", time.time())):
            distances = [(run, (run["submit_time"] - moment) % 86400) for run in runs]
            near = sorted(run["start_time"] - run["submit_time"] for run, distance in distances if min(distance, 86400 - distance) <= 3600)
            self.assertEqual(start[waits], len(near))
            self.assertEqual(start.get(seconds), near[len(near) // 2] if len(near) >= 5 else None)

    def test_without_a_forecast_there_is_no_advice(self):
        for age, hours, provider, reason in ((86400, 19, self.provider, "does not have the time of a run"), (0, 0.001, self.provider, "would end behind --by"),
                                             (0, 19, "--emissions.provider=global", "has no forecasts"),
                                             (0, 19, "--emissions.provider=uk-carbon-intensity,url=http://127.0.0.1:1", "127.0.0.1:1")):
            self.grid.age = age
            done = self.call("train.sh", "--carbon", self.by(hours), provider, "--json")
            self.assertEqual(done.returncode, 1)
            self.assertNotIn("start", json.loads(done.stdout))
            self.assertIn("no advice on the start: ", done.stderr)
            self.assertIn(reason, done.stderr)
        for arguments in (["--carbon"], [self.by(1)]):
            done = self.call("train.sh", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("--carbon and --by=TIME go together", done.stderr)


class Command(SuggestTest):
    def test_has_what_runs_of_the_job_used(self):
        found = self.document("train.sh")
        self.assertEqual((found["user"], found["cluster"], found["name"], found["runs"]), ("daemon", "alps", "train.sh", 40))
        requests = {request["name"]: request for request in found["requests"]}
        # of each node, and of those that were killed at least what they had
        memory = requests["memory_per_node"]
        self.assertEqual((memory["asked_bytes"], memory["most_bytes"], memory["runs"]), (16 * GIB, 16 * GIB, 40))
        self.assertEqual(requests["time_limit"]["asked_seconds"], 14400)
        self.assertNotIn("suggested_cpus", requests["cpus"])
        self.assertEqual(set(requests["gpus"]), {"name", "runs", "asked_gpus", "policies"})

    def test_fits_a_terminal_and_a_script(self):
        for arguments in (["train.sh"], ["train.sh", "--full"], ["train.sh", "--confidence=60%"]):
            text = self.text(*arguments)
            self.assertLessEqual(max(map(len, text.splitlines())), 80, text)
            self.assertRegex(text, r"(?m)^#SBATCH --mem=\d+G$")
            self.assertRegex(text, r"(?m)^#SBATCH --time=[\d:-]+$")
        self.assertIn("most of last 10", self.text("train.sh", "--full"))

    def test_a_script_names_its_job(self):
        script = self.folder / "train.sh"
        for lines, name in (
            ("", "train.sh"),
            ("#SBATCH --job-name='lattice qcd, ensemble 7' # a comment", "lattice qcd, ensemble 7"),
            ("#SBATCH -N 2 -J train.sh\n#SBATCH -Jfold", "fold"),
            ("#SBATCH --job train.sh", "train.sh"),
            ("\n# SBATCH -J other\n#SBATCH -J 'unbalanced\n#SBATCH --output=-J\necho\n#SBATCH -J other", "train.sh"),
        ):
            script.write_text(f"#!/bin/sh\n{lines}\nsrun true\n", encoding="utf-8")
            user = "bin" if name == "fold" else "daemon"
            self.assertEqual(self.document("./train.sh", user=user)["name"], name, lines)
        script.write_bytes(b"#!/bin/sh\n#SBATCH -J \xff\x00\n\x00\xff" * 9000)
        self.assertEqual(self.document(str(script))["name"], "train.sh")
        script.write_text("#SBATCH --mem-per-cpu=2G\n", encoding="utf-8")
        self.assertRegex(self.text(str(script)), r"(?m)^#SBATCH --mem=\d+G +# instead of --mem-per-cpu$")

    def test_without_a_name_the_last_job_is_meant(self):
        last = self.document()
        self.assertEqual(last, self.document("--last"))
        self.assertEqual(last, self.document(last["name"]))

    def test_names_of_any_kind_are_names(self):
        self.assertEqual(self.document(NASTY)["runs"], 40)
        for name in ("%", "train_sh", "' OR '1'='1", "two\nlines", "\x1b[31m"):
            done = self.call(name)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("no run of daemon called", done.stderr)
            self.assertNotIn("\x1b", done.stderr)

    def test_wrong_words_are_refused(self):
        for message, arguments in (
            ("--confidence: not from 0.5 to 0.99", ["--confidence=1", "a"]),
            ("--confidence: not from 0.5 to 0.99", ["--confidence=nan", "a"]),
            ("one SCRIPT or JOBNAME", ["a", "b"]),
            ("one SCRIPT or JOBNAME", ["--last", "a"]),
            ("./none.sh: No such file", ["./none.sh"]),
            ("a folder is no script", ["/"]),
            ("the name of a job is missing", [""]),
        ):
            done = self.call(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(message, done.stderr)


class Server(SuggestTest):
    WAITS = ("compared_waits", "usual_wait_seconds", "long_wait_seconds", "wait_error_seconds")
    NONE = {
        "confidence": 0.95, "runs": 0, "sentence": "No suggestion: 0 runs have ended, and at least 5 are needed.", "options": [], "requests": [],
    }

    def test_suggests_what_its_database_suggests(self):
        self.start()
        place = f"--server=unix:{self.socket}"
        for arguments in (["train.sh"], ["train.sh", "--confidence=0.8"], [NASTY], ["--last"]):
            self.assertEqual(self.document(*arguments, place=place), self.document(*arguments))
        status, text = self.get(name="train.sh", user="daemon", confidence="0.8")
        answer = json.loads(text)
        self.check_start(answer)
        self.assertEqual((status, answer), (200, self.document("train.sh", "--confidence=0.8")))

    def test_a_server_is_asked_once(self):
        """One that answers nothing else: a second question would fail."""
        self.start()
        status, text = self.get(name="train.sh", user="daemon")
        self.assertEqual(status, 200)
        paths = []

        class One(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                paths.append(self.path)
                self.send_response(200 if self.path.startswith("/api/v1/suggestion?") else 500)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *arguments: object) -> None:
                pass

        server = http.server.HTTPServer(("127.0.0.1", 0), One)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        self.addCleanup(server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(server.shutdown)
        place = f"--server=http://127.0.0.1:{server.server_port}"
        self.assertEqual(self.document("train.sh", place=place), self.document("train.sh"))
        self.assertEqual([urllib.parse.parse_qs(path.partition("?")[2]) for path in paths], [{"user": ["daemon"], "name": ["train.sh"], "confidence": ["0.94999999999999996"]}])
        # what cannot be a figure is not known
        text = json.dumps({"confidence": 0.95, "runs": 9, "cluster": "alps", "user": ["ada"], "name": "\x1b[31m", "usual_wait_seconds": -1, "requests": [
            7, {"name": "cpus", "runs": -4, "asked_cpus": "x", "policies": {}}, {"name": "time_limit", "runs": 7, "suggested_seconds": 1e300, "policies": [None]}]})
        done = self.call("train.sh", place=place)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.startswith("No suggestion: 9 runs of "), done.stdout)
        self.assertRegex(done.stdout, r"time limit +- +- +- +- +7 +- +-\n")
        self.assertNotIn("\x1b", done.stdout)
        # an answer of another kind is refused
        text = '{"requests":7,"confidence":0.95}'
        done = self.call("train.sh", place=place)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("the answer is no suggestion", done.stderr)

    def test_keeps_runs_from_those_who_may_not_see_them(self):
        needs_root()
        self.start()
        place = f"--server=unix:{self.socket}"
        self.assertEqual(self.document("train.sh", place=place, uid=DAEMON, user="")["runs"], 40)
        self.assertEqual(self.call("train.sh", place=place, uid=SYS).returncode, 1)
        self.assertEqual(self.get(DAEMON, name="train.sh")[0], 200)
        for uid, query in ((SYS, {"name": "train.sh"}), (SYS, {"name": "train.sh", "user": "daemon"}), (BIN, {"name": "train.sh", "user": "daemon"})):
            status, text = self.get(uid, **query)
            self.assertEqual((status, json.loads(text)), (200, self.NONE))
        # one who sees all runs of a partition knows better how long these waited
        seen, known = json.loads(self.get(DAEMON)[1]), self.document()
        self.check_start(seen)
        self.assertNotEqual(seen["compared_waits"], known["compared_waits"])
        self.assertEqual(*({name: value for name, value in one.items() if name not in self.WAITS} for one in (seen, known)))
        # a coordinator sees those of the account
        status, text = self.get(BIN, name="lattice qcd, ensemble 7", user="daemon")
        self.assertEqual((status, json.loads(text)["runs"]), (200, 40))

    def test_is_as_it_is_described(self):
        self.start()
        api = json.loads(self.ask("/openapi.json")[1])
        schema = {**api["components"]["schemas"]["suggestion"], "components": api["components"]}
        for query in ({"name": "train.sh", "user": "daemon"}, {"name": NASTY, "user": "daemon"}, {"name": "fold", "user": "bin", "cluster": "alps"}):
            status, text = self.get(**query)
            self.assertEqual(status, 200)
            jsonschema.Draft202012Validator(schema).validate(json.loads(text))
        for query in ({"name": "a", "confidence": "2"}, {"name": "a", "limit": "3"}):
            status, text = self.get(**query)
            self.assertEqual(status, 400, text)
            self.assertIn(list(query)[-1], text)
        self.assertEqual(self.ask("/api/v1/suggestion?name=a&user=b&user=c")[0], 400)

    def test_runs_are_listed_by_their_name(self):
        self.start()
        for name, count in (("train.sh", 40), (NASTY, 40), ("train", 0)):
            listed = self.ask(f"/api/v1/jobs?limit=1000&name={urllib.parse.quote(name)}")[1]
            self.assertEqual(len(json.loads(listed)["jobs"]), count)

    def test_the_wait_of_a_run_that_is_not_submitted_is_that_of_its_partition(self):
        # each run of made-pages.c began 400 s after it was submitted
        sentence = r"Expected wait if submitted now: of the last (\d+) similar runs, half began within 6m40s of being ready and four of five within 6m40s\."
        self.start()
        for place in (f"--store={self.store}", f"--server=unix:{self.socket}"):
            (n_runs,) = re.findall(sentence, " ".join(self.text("train.sh", place=place).split()))
            document = self.document("train.sh", place=place)
            self.assertEqual({name: document[name] for name in self.WAITS},
                             {"compared_waits": int(n_runs), "usual_wait_seconds": 400, "long_wait_seconds": 400, "wait_error_seconds": 0})
            # a run each three hours, in 7 days: too few of them at this time of the day
            self.assertIn(int(n_runs), range(50, 60))
            moments = re.findall(r"Submitted now, it would start at about (\S+ \S+) UTC\.", " ".join(self.text("train.sh", place=place).split()))
            start = calendar.timegm(time.strptime(moments[0], "%Y-%m-%d %H:%M"))
            self.assertLessEqual(abs(start - time.time() - 400), 60 + SECONDS)
        # of the few runs that others may see nothing is expected
        self.assertNotIn("usual_wait_seconds", json.loads(self.get(uid=SYS, name="train.sh")[1]))

    def test_the_page_of_a_run_has_the_sentence(self):
        self.start()
        for name in ("train.sh", NASTY):
            jobs = json.loads(self.ask(f"/api/v1/jobs?limit=1&name={urllib.parse.quote(name)}")[1])["jobs"]
            page = self.ask(f"/job/{jobs[0]['uuid']}")[1]
            part = re.search(r"(?s)<h2>For the next run</h2>\n<p>(.*?) <a href=\"([^\"]*)\">", page)
            self.assertEqual(html.unescape(part[1]), self.document(name)["sentence"])
            status, listed = self.ask(html.unescape(part[2]))
            self.assertEqual(status, 200)
            self.assertEqual(len(set(re.findall(r'href="/job/([^"]*)"', listed))), 40)


if __name__ == "__main__":
    sys.exit(tap.run(Start, Command, Server))
