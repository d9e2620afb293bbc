#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the command line shows of jobs that ended, from a ledger and from an exporter that keeps one.

usage: test-ledger.py PROGRAM MAKE-LEDGER

In the ledger are job 1 of alice, job 2 of bob, the end of which nobody saw, and job 3 of alice, which runs. An exporter is played by
a server of two records a page.
"""

import csv
import http.server
import io
import json
import os
import pathlib
import re
import socketserver
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, SECONDS, Terminal, call, environment  # noqa: E402
from top_terminal import Window  # noqa: E402

MAKE_LEDGER = sys.argv[2]
TITLES = ["JOBID", "USER", "NAME", "BEGIN", "ELAPSED", "STATE", "CPU-TIME", "EFF%", "PEAK"]
PAGE = 2


class Exporter(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """As the local socket of one that keeps a ledger."""

    daemon_threads = True

    def __init__(self, path: str, records: list[dict]):
        self.records = [record for record in records if record["state"] != "running"]
        self.running = [record for record in records if record["state"] == "running"]
        self.status = 200
        self.body = None
        self.most = PAGE  # of the newest; None where it knows no such question
        self.asked = []
        super().__init__(path, Answer)

    def answer(self, question: dict[str, str]) -> dict:
        if question.get("state") == "running":
            return {"records": self.running, "next": 0, "more": False}
        if "newest" in question and self.most is not None:
            return self.answer_with_newest(int(question["newest"]), question.get("state"))
        after = int(question.get("after", 0))
        behind = [record for record in self.records if record["position"] > after]
        page = behind[:PAGE]
        return {"records": page, "next": page[-1]["position"] if page else after, "more": len(behind) > PAGE}

    def answer_with_newest(self, wanted: int, state: str | None) -> dict:
        meant = [record for record in self.records if state in (None, record["state"])]
        told = meant[-min(wanted, self.most) :]
        return {"records": told, "next": 99, "more": False, "newest": wanted, "cut": len(told) < min(wanted, len(meant))}


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        question = dict(urllib.parse.parse_qsl(url.query))
        self.server.asked.append((url.path, question))
        body = self.server.body or json.dumps(self.server.answer(question)).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self):
        return "local"

    def log_message(self, *_):
        pass


class WithALedger(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="jobmetrics-ledger-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = f"--ledger.file={self.make_ledger()}"

    def make_ledger(self, *arguments: str) -> str:
        path = str(self.folder / f"ledger{len(arguments)}.db")
        subprocess.run([MAKE_LEDGER, path, *arguments], check=True, timeout=SECONDS)
        return path

    def jobs(self, *options: str) -> list[str]:
        done = call("ledger", "--columns=jobid", "--no-headers", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split()

    def records(self, *options: str) -> list[dict]:
        return [json.loads(line) for line in call("ledger", "--format=lines", *options).stdout.splitlines()]


class Records(WithALedger):
    def test_have_a_line_each_in_the_order_in_which_they_ended(self):
        done = call("ledger", self.file)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        titles, *lines = done.stdout.splitlines()
        self.assertEqual(titles.split()[: len(TITLES)], TITLES)
        self.assertEqual([line.split()[0] for line in lines], ["1", "2", "3"])
        self.assertRegex(lines[1], r"^2 +bob +md +2026-11-22 11:00:00 +1h00m00s +lost +1h00m00s +50.0 +512MiB ")

    def test_are_those_that_are_asked_for(self):
        self.assertEqual(self.jobs(self.file, "--user=alice"), ["1", "3"])
        self.assertEqual(self.jobs(self.file, "--user=1002,carol"), ["2"])
        self.assertEqual(self.jobs(self.file, "--account=chemistry"), ["2"])
        self.assertEqual(self.jobs(self.file, "--state=running"), ["3"])
        self.assertEqual(self.jobs(self.file, "--state=lost"), ["2"])
        self.assertEqual(self.jobs(self.file, "--filter=peak > 1GiB"), [])
        self.assertEqual(self.jobs(self.file, "--filter=user == alice && cpus == 2"), ["1", "3"])

    def test_are_those_that_ran_meanwhile(self):
        self.assertEqual(self.jobs(self.file, "--since=2026-11-22 11:30"), ["2", "3"])
        self.assertEqual(self.jobs(self.file, "--until=2026-11-22 10:30"), ["1"])
        self.assertEqual(self.jobs(self.file, "--since=2026-11-22T10:30", "--until=2026-11-22T11:30"), ["1", "2"])
        self.assertEqual(self.jobs(self.file, "--until=2026-11-22"), [])

    def test_are_the_last_where_there_is_a_limit(self):
        self.assertEqual(self.jobs(self.file, "--limit=2"), ["2", "3"])
        self.assertEqual(self.jobs(self.file, "--limit=1", "--user=bob"), ["2"])
        self.assertEqual(self.jobs(self.file, "--limit=9"), ["1", "2", "3"])

    def test_are_read_to_the_end_however_many_there_are(self):
        many = f"--ledger.file={self.make_ledger('1234')}"
        self.assertEqual(self.jobs(many), [str(i + 1) for i in range(1234)])
        self.assertEqual(self.jobs(many, "--limit=2"), ["1233", "1234"])

    def test_are_an_array_of_json(self):
        records = json.loads(call("ledger", self.file, "--json").stdout)
        self.assertEqual(records, json.loads(call("ledger", self.file, "--format=json").stdout))
        self.assertEqual(records, self.records(self.file))
        self.assertEqual([record["state"] for record in records], ["ended", "lost", "running"])
        self.assertEqual(json.loads(call("ledger", self.file, "--json", "--user=carol").stdout), [])

    def test_are_values_in_base_units(self):
        lines = list(csv.DictReader(io.StringIO(call("ledger", self.file, "--csv").stdout)))
        self.assertEqual([line["jobid"] for line in lines], ["1", "2", "3"])
        self.assertEqual(lines[0]["begin_time"], "1795341600")
        self.assertEqual(lines[0]["elapsed_seconds"], "3600")
        self.assertEqual(lines[0]["energy_joules"], "36000")
        self.assertEqual(lines[0]["emissions_grams"], "")
        self.assertEqual(lines[2]["end_time"], "")

    def test_steer_no_terminal(self):
        for options in ((), ("1",), ("--csv",), ("--json",)):
            with Terminal(PROGRAM, "ledger", self.file, "--color=never", *options, columns=200) as terminal:
                self.assertNotIn("\033[2J", terminal.finish(), options)

    def test_fit_a_terminal(self):
        with Terminal(PROGRAM, "ledger", self.file, "--color=never", columns=80) as terminal:
            lines = terminal.finish().splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertEqual(lines[0].split(), TITLES[:8])

    def test_that_nobody_meant_are_no_failure(self):
        done = call("ledger", self.file, "--user=carol")
        self.assertEqual((done.returncode, done.stderr), (0, "jobmetrics-cli: no job in the ledger matches\n"))


class Pages(WithALedger):
    def test_report_how_much_was_observed(self):
        page = call("ledger", self.file, "1").stdout
        self.assertIn("Job 1\n", page)
        self.assertRegex(page, r"(?m)^  Life +99.0%  read when its last process had gone$")
        self.assertRegex(page, r"(?m)^  CPU +█+.▁+ +at most 1.0 CPUs$")
        self.assertNotIn("Pressure", page)

    def test_have_bars_without_utf_8(self):
        page = call("ledger", self.file, "1", env=environment(LC_ALL="C")).stdout
        self.assertRegex(page, r"(?m)^  CPU +#+._+ +at most 1.0 CPUs$")

    def test_follow_each_other(self):
        done = call("ledger", self.file, "2", "1")
        self.assertLess(done.stdout.index("Job 2\n"), done.stdout.index("\nJob 1\n"))

    def test_are_lines_where_columns_are_named(self):
        self.assertEqual(self.jobs(self.file, "1", "3"), ["1", "3"])

    def test_of_a_job_that_is_not_there_are_missed(self):
        done = call("ledger", self.file, "4711", "1")
        self.assertEqual((done.returncode, done.stderr), (1, "jobmetrics-cli: 4711: no such job in the ledger\n"))
        self.assertIn("Job 1\n", done.stdout)

    def test_are_found_by_uuid(self):
        self.assertEqual(self.jobs(self.file, self.records(self.file)[1]["uuid"]), ["2"])

    def test_have_their_course_as_values(self):
        lines = list(csv.DictReader(io.StringIO(call("ledger", self.file, "1", "--profile").stdout)))
        self.assertEqual(sum(float(line["cpu_seconds"] or 0) for line in lines), 900)
        self.assertEqual(lines[0]["time"], "1795341600")
        self.assertEqual(lines[0]["memory_peak_bytes"], str(512 << 20))


class AnExporter(WithALedger):
    def setUp(self):
        super().setUp()
        self.path = str(self.folder / "socket")
        self.exporter = Exporter(self.path, self.records(self.file))
        threading.Thread(target=self.exporter.serve_forever, daemon=True).start()
        self.addCleanup(self.exporter.server_close)
        self.addCleanup(self.exporter.shutdown)
        self.socket = f"--socket={self.path}"

    def check_failure(self, *words: str) -> None:
        done = call("ledger", self.socket, "--json")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1)
        for word in (self.path, *words):
            self.assertIn(word, done.stderr)

    def test_is_asked_page_by_page(self):
        self.assertEqual(self.records(self.socket), self.records(self.file))
        self.exporter.records = [dict(self.exporter.records[0], position=i) for i in range(1, 6)]
        self.assertEqual(len(self.records(self.socket, "--state=ended")), 5)

    def test_hands_records_on_as_they_were_written(self):
        record = {name: value for name, value in self.exporter.records[0].items() if name != "position"}
        text = '{"position":1,"weather":[1.50, 2e0],' + json.dumps(record)[1:]
        self.exporter.body = f'{{"next": 1, "records": [{text} ], "more": false, "newest": 9, "cut": false}}'.encode()
        self.assertEqual(call("ledger", self.socket, "--format=lines", "--state=ended").stdout, text + "\n")

    def many(self) -> None:
        self.exporter.running = []
        self.exporter.records = [dict(self.exporter.records[0], position=i, key=f"k{i}", jobid=str(i)) for i in range(1, 10)]

    def asked(self) -> list[str]:
        return [" ".join(sorted(question)) for _, question in self.exporter.asked]

    def test_reports_the_newest_without_those_before_them(self):
        self.many()
        self.assertEqual(self.jobs(self.socket, "--limit=2"), ["8", "9"])
        self.assertEqual(self.asked(), ["state", "newest"])
        self.assertEqual(self.jobs(self.socket, "--limit=1", "--state=ended"), ["9"])
        self.assertEqual(self.asked()[2:], ["newest state"])

    def test_reports_what_runs_behind_the_newest(self):
        self.assertEqual(self.jobs(self.socket, "--limit=2"), ["2", "3"])
        self.assertEqual(self.jobs(self.socket, "--limit=1", "--state=running"), ["3"])

    def test_that_cuts_the_newest_is_read_from_the_first_on(self):
        self.many()
        self.assertEqual(self.jobs(self.socket, "--limit=4"), ["6", "7", "8", "9"])
        self.assertIn("after limit", self.asked())

    def test_that_knows_no_newest_is_read_from_the_first_on(self):
        self.many()
        self.exporter.most = None
        self.assertEqual(self.jobs(self.socket, "--limit=2"), ["8", "9"])
        self.assertEqual(self.jobs(self.socket, "--limit=2", "--state=ended"), ["8", "9"])

    def test_whose_newest_are_not_all_meant_is_read_from_the_first_on(self):
        self.many()
        for record in self.exporter.records[-2:]:
            record["user"] = "bob"
        self.assertEqual(self.jobs(self.socket, "--limit=2", "--user=alice"), ["6", "7"])

    def test_learns_what_is_wanted(self):
        self.jobs(self.socket, "--account=physics", "--since=@5", "--state=ended")
        path, question = self.exporter.asked[-1]
        self.assertEqual(path, "/ledger")
        self.assertEqual((question["account"], question["since"]), ("physics", "5"))

    def test_may_report_more_than_was_asked_for(self):
        self.assertEqual(self.jobs(self.socket, "--user=bob"), ["2"])
        self.assertEqual(self.jobs(self.socket, "--columns=jobid", "3"), ["3"])

    def test_reports_one_that_ends_meanwhile_once(self):
        running = self.exporter.running[0]
        last = self.exporter.records[-1]["position"]
        ended = dict(running, state="ended", position=last + 1, ended=True, end_time=running["seen_time"])
        self.exporter.records.append(ended)
        self.assertEqual(self.jobs(self.socket), ["1", "2", "3"])

    def test_is_asked_who_ran_at_a_past_time(self):
        done = call("list", self.socket, "--at=2026-11-22 11:10", "--columns=jobid,cpus_used", "--no-headers")
        self.assertEqual((done.returncode, done.stdout.split()), (0, ["2", "1"]))
        _, question = self.exporter.asked[-1]
        self.assertEqual((question["since"], question["until"]), ("1795345800", "1795345801"))

    def test_that_is_not_there_is_named_with_what_to_do(self):
        os.unlink(self.path)
        self.check_failure("is jobmetrics-exporter running", "--ledger.file")

    def test_that_keeps_none_says_so(self):
        self.exporter.status = 404
        self.check_failure("keeps no ledger", "ledger.file")

    def test_that_shows_this_user_nothing_says_so(self):
        self.exporter.status = 403
        self.check_failure("gives this user no records")

    def test_lacks_a_broken_record_alone(self):
        broken = [{}, [], dict(self.exporter.records[0], state="asleep"), dict(self.exporter.records[0], key=5)]
        self.exporter.body = json.dumps({"records": broken + self.exporter.records, "next": 9, "more": False}).encode()
        for command in (["ledger", "--state=ended"], ["list", "--at=2026-11-22 10:10"]):
            done = call(*command, self.socket, "--columns=jobid", "--no-headers")
            self.assertEqual((done.returncode, done.stdout.split()[0]), (0, "1"), done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1)
            self.assertIn("is left out", done.stderr)

    def test_that_talks_nonsense_is_not_believed(self):
        for body in (b"{", b"[]", b'{"records": 5}', b'{"records": [], "next": 0, "more": true}', b"5"):
            self.exporter.body = body
            self.check_failure()


class APastTime(WithALedger):
    """Jobs 1, 2 and 3 follow each other from 10:00 on, of an hour each; their profiles have points of 16 s and end after half an hour."""

    def listed(self, time: str, *options: str) -> str:
        done = call("list", self.file, f"--at=2026-11-22 {time}", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def jobs_at(self, time: str, *options: str) -> list[str]:
        return self.listed(time, "--columns=jobid", "--no-headers", *options).split()

    def test_has_the_jobs_that_ran_then(self):
        self.assertEqual(self.jobs_at("09:59:59"), [])
        self.assertEqual(self.jobs_at("10:00"), ["1"])
        self.assertEqual(self.jobs_at("10:59:59"), ["1"])
        self.assertEqual(self.jobs_at("11:00"), ["2"])
        self.assertEqual(self.jobs_at("13:00"), ["3"])

    def test_has_a_table_below_the_time_and_the_width_of_points(self):
        heading, blank, titles, line = self.listed("10:10").splitlines()
        self.assertEqual((heading, blank), ("2026-11-22 10:10:00  means over 16s", ""))
        self.assertEqual(titles.split(), ["JOBID", "USER", "ACCOUNT", "NAME", "CPUS", "CPUS-USED", "MEM", "MEM-LIMIT", "THREADS", "AGE"])
        self.assertEqual(line.split(), ["1", "alice", "physics", "train?[2J", "2", "1", "512MiB", "-", "-", "-"])

    def test_has_the_figures_of_then(self):
        columns = ("--columns=cpus_used,cpu_time,mem,peak", "--no-headers")
        self.assertEqual(self.listed("10:10", *columns).split(), ["1", "10m00s", "512MiB", "-"])
        self.assertEqual(self.listed("10:20", *columns).split(), ["0", "15m00s", "512MiB", "-"])
        self.assertEqual(self.listed("10:45", *columns).split(), ["-", "-", "-", "-"])
        self.assertIn("no figures of that time", self.listed("10:45"))

    def test_is_filtered(self):
        self.assertEqual(self.jobs_at("10:10", "--filter=cpus_used > 0.5"), ["1"])
        self.assertEqual(self.jobs_at("10:20", "--filter=cpus_used > 0.5"), [])
        self.assertEqual(self.jobs_at("10:10", "--user=bob"), [])

    def test_has_json_and_csv(self):
        found = json.loads(self.listed("10:10", "--json"))
        self.assertEqual(found["time"], 1795342200)
        self.assertEqual([(job["jobid"], job["cpus_used"]) for job in found["jobs"]], [("1", 1)])
        self.assertEqual(found["jobs"][0]["metrics"]["memory_used_bytes"], 512 << 20)
        (row,) = csv.DictReader(io.StringIO(self.listed("10:10", "--csv")))
        self.assertEqual((row["cpus_used"], row["memory_used_bytes"], row["threads"]), ("1", str(512 << 20), ""))

    def test_is_found_among_many(self):
        self.file = f"--ledger.file={self.make_ledger('3000')}"
        self.assertEqual(self.jobs_at("10:33:20.25"), ["2001"])
        self.assertEqual(self.jobs_at("10:33:20.75"), [])

    def test_lacks_a_broken_record_alone(self):
        path = self.file.removeprefix("--ledger.file=")
        with sqlite3.connect(path) as ledger:
            ledger.execute("UPDATE record SET begin_us = (SELECT min(begin_us) FROM record), content = x'00' WHERE job = '2'")
        done = call("list", self.file, "--at=2026-11-22 10:10", "--columns=jobid", "--no-headers")
        self.assertEqual((done.returncode, done.stdout), (0, "1\n"))
        self.assertIn("is left out", done.stderr)

    def test_that_cannot_be_is_named(self):
        for message, arguments in (
            ("--at: 'soon' is not a time, such as 2026-11-22", ["--at=soon"]),
            ("this time has not come yet", ["--at=2999-01-01"]),
            ("--at cannot be combined with --watch or --steps", ["--at=-1h", "--steps"]),
            ("need --at=TIME", ["--socket=/nowhere"]),
        ):
            done = call("list", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(message, done.stderr)


class TopOfAPastTime(WithALedger):
    def setUp(self):
        super().setUp()
        self.options = (self.file, "--at=2026-11-22 10:14:50")

    def test_is_one_page(self):
        done = call("top", "--once", *self.options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^n1  1 job running +means over 16s  2026-11-22  10:14:50\n")
        self.assertRegex(done.stdout, r"(?m)^  1 +alice +physics +train\?\[2J +2 +50\.0 +14m50s +512MiB ")

    def test_goes_back_and_on_by_points(self):
        with Window() as window:
            window.show(*self.options)
            window.expect("10:14:50")
            self.assertIn(", . step", window.picture())
            window.type(".")
            window.wait_until(lambda picture: "10:15:06" in picture and re.search(r"train.* 12\.5 ", picture), "a point of which 4 s were busy")
            window.type(".")
            window.wait_until(lambda picture: "10:15:22" in picture and re.search(r"train.* 0\.0 ", picture), "a job at rest")
            window.type(",,,")
            window.expect("10:14:34")
            window.type("<<<<<<")
            window.expect("No jobs then.")
            window.type(">")
            window.wait_until(lambda picture: "10:01:14" in picture and "train" in picture, "the first job again")
            window.type("q")
            self.assertEqual(window.status(), 0)

    def test_that_cannot_be_read_is_a_failure(self):
        done = call("top", "--once", "--at=-1h", f"--ledger.file={self.folder / 'missing'}")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("missing", done.stderr)


class WhatCannotBe(WithALedger):
    def check(self, message: str, *arguments: str, status: int = 2) -> None:
        done = call("ledger", *arguments)
        self.assertEqual((done.returncode, done.stdout), (status, ""), arguments)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(message, done.stderr)

    def test_is_named(self):
        self.check("--since: 'soon' is not a time, such as 2026-11-22", "--since=soon")
        self.check("--until: '' is not a time", "--until=")
        self.check("--since=today is later than --until=yesterday", "--since=today", "--until=yesterday")
        self.check("--limit=0: not a number", "--limit=0")
        self.check("--limit=-1: not a number", "--limit=-1")
        self.check("--state=asleep: neither running, ended nor lost", "--state=asleep")
        self.check("--format=xml: not one of table, json, lines and csv", "--format=xml")
        self.check("cannot be combined", "--json", "--csv")
        self.check("--profile: a job id is missing", "--profile")
        self.check("no such column: 'moods' (see ledger --columns=help)", "--columns=moods")
        self.check("cpus > : at character 8", "--filter=cpus > ")

    def test_of_a_file_is_named_with_the_file(self):
        missing = str(self.folder / "missing.db")
        self.check(missing, f"--ledger.file={missing}", status=1)
        self.check("without --ledger.file the exporter is asked", f"--ledger.file={missing}", status=1)
        text = self.folder / "text"
        text.write_text("no ledger\n", encoding="utf-8")
        self.check(str(text), f"--ledger.file={text}", status=1)

    def test_columns_are_listed(self):
        told = call("ledger", "--columns=help").stdout
        self.assertRegex(told, r"(?m)^elapsed_seconds +elapsed ")
        self.assertRegex(told, r"(?m)^memory_peak_bytes +peak ")


if __name__ == "__main__":
    sys.exit(tap.run(Records, Pages, AnExporter, APastTime, TopOfAPastTime, WhatCannotBe))
