#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of a job as its users ask for it, wherever it is known.

usage: test-report.py PROGRAM MAKE-REPORTED MAKE-LEDGER [EXPORTER]

In the archive is job 7, twice: a run of two nodes of four CPUs, of which three and one were busy for an hour, and an older one; and the
tasks of the arrays 12 and 400, of which accounting alone knows. In the ledger are job 1 of alice and job 3, which runs.
"""

import base64
import contextlib
import gzip
import http.server
import json
import os
import pathlib
import re
import signal
import socketserver
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import xml.etree.ElementTree as etree

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, SECONDS, Terminal, call, environment  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from unix_socket import await_listener  # noqa: E402

MAKE_REPORTED, MAKE_LEDGER = sys.argv[2:4]
EXPORTER = sys.argv[4] if len(sys.argv) > 4 else None
NODE = f"--path.rootfs={FIXTURES / 'slurm-v2-steps'}"
RUNNING = "5"


class ReportTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.store = self.folder / "accounts.db"
        self.ledger = self.folder / "ledger.db"
        self.place = f"--store={self.store}"

    def make(self) -> None:
        subprocess.run([MAKE_REPORTED, self.store], check=True, timeout=SECONDS)

    def make_ledger(self) -> None:
        subprocess.run([MAKE_LEDGER, self.ledger], check=True, timeout=SECONDS)

    def report(self, *arguments: str, **options) -> str:
        done = call("report", "--full", *arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def document(self, *arguments: str) -> dict:
        done = call("report", "--json", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def refused(self, *arguments: str) -> str:
        done = call("report", *arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        return done.stderr


class Accounts(ReportTest):
    def setUp(self):
        super().setUp()
        self.make()

    def test_report_the_newest_run_on_all_of_its_nodes(self):
        done = call("report", "--full", "7", self.place)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the newest of 2 runs", done.stderr)
        for text in ("Job 7", "newer", "Found in: the archive of the site", "2 of 2 nodes", "Nodes: 2 (n1, n2)", "1h00m00s of at most 4h00m00s"):
            self.assertIn(text, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^ +CPUs  \[\|{25} +50\.0%\]$")
        self.assertRegex(done.stdout, r"(?m)^  n1 +4 +3h00m00s +75\.0% ")
        self.assertRegex(done.stdout, r"(?m)^  n2 +4 +1h00m00s +25\.0% ")
        self.assertRegex(done.stdout, r"(?m)^  package +measured +1440kJ$")

    def brief(self, *arguments: str) -> list[str]:
        done = call("report", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def test_answer_in_twelve_lines_of_eighty_cells_first(self):
        lines = self.brief("7", self.place)
        self.assertLessEqual(len(lines), 12)
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertEqual(lines[:2], ["Job 7, newer, ada: COMPLETED", "2 nodes, 8 CPUs, 8.0GiB on each, 1h00m00s from 2026-03-01 00:00:00 UTC"])
        self.assertRegex(lines[2], r"^ +CPUs  \[\|{25} +50\.0%\]$")
        self.assertEqual(lines[5:7], ["       Verdict: waste: Low CPU use (4h00m00s CPU time unused)",
                                      "        Reason: The run used 50.0% of the time of its 8 CPUs; well-fitted ones"])
        self.assertEqual(lines[-1], "          More: jobmetrics-cli report --full 7")

    def test_have_no_bar_of_what_is_not_known(self):
        runs = json.loads(call("history", "--json", "--all", "--job=7", self.place).stdout)
        (uuid,) = (run["uuid"] for run in runs if run["name"] == "older")
        lines = self.brief(f"--uuid={uuid}", self.place)
        self.assertEqual(lines[2:4], ["          CPUs  -", "        Memory  -"])
        self.assertIn("       Verdict: not enough data", lines)
        self.assertEqual(lines[-1], f"          More: jobmetrics-cli report --full --uuid={uuid}")

    def test_of_an_array_are_about_its_tasks_together(self):
        lines = self.brief("12", self.place)
        self.assertEqual([line.split() for line in lines], [
            ["Job", "array", "12,", "sweep:", "3", "tasks"],
            ["least", "median", "most"],
            ["CPU", "efficiency", "50.0%", "75.0%", "100.0%"],
            ["Run", "time", "1h00m00s", "1h00m00s", "1h00m00s"],
            ["States:", "2", "COMPLETED,", "1", "FAILED"],
            ["Verdicts:", "1", "not", "enough", "data,", "1", "trouble:", "Failed,", "1", "waste:", "Low", "CPU", "use"],
            ["Failed:", "12_3"],
            "Cause: 12_3: The cause of its end is not known: the scheduler reports".split(),
            ["the", "state", "FAILED."],
            ["Worst", "task:", "12_2,", "2h00m00s", "CPU", "time", "unused"],
            ["More:", "jobmetrics-cli", "history", "--job=12"],
        ])
        self.assertIn("Job 12_3, sweep, ben: FAILED", self.brief("12_3", self.place))

    def test_of_a_large_array_name_tasks_that_failed_or_took_much_longer(self):
        """Of 40 tasks the first 25 failed, and the last took five hours, the others one."""
        lines = self.brief("400", self.place)
        self.assertIn(max(map(len, lines)), range(75, 81))
        text = " ".join(" ".join(lines).split())
        self.assertIn("States: 25 FAILED, 15 COMPLETED", text)
        self.assertIn("Failed: 400_1, 400_2, 400_3, ", text)
        self.assertIn(" 400_19, 400_20 and 5 more Cause: 400_1: The cause of its end is not ", text)
        self.assertEqual(text.count(": The cause of its end"), 3)
        self.assertIn("Stragglers: 400_40 with 5h00m00s; the median is 1h00m00s", text)

    def test_begin_with_the_cause_of_a_bad_end(self):
        cause = "The cause of its end is not known: the scheduler reports the state FAILED."
        for options in ((), ("--full",)):
            text = "\n".join(self.brief("400_3", *options, self.place))
            labels = re.findall(r"(?m)^ *([A-Z][\w ]*): ", text)
            self.assertLess(labels.index("Cause"), labels.index("Verdict"))
            self.assertIn(f"Cause: {cause}", " ".join(text.split()))
        page = call("report", "--html", "400_3", self.place).stdout
        self.assertIn(f'<p><strong>Cause:</strong> {cause}</p>\n<h2>Verdict: trouble: Failed</h2>', page)
        verdict = json.loads(call("report", "--json", "400_3", self.place).stdout)["verdict"]
        self.assertEqual((verdict["cause"], verdict["cause_rule"], verdict["title"]), (cause, None, "trouble: Failed"))
        self.assertNotIn("Cause", "\n".join(self.brief("400_40", "--full", self.place)))

    def test_of_an_array_are_an_object_for_programs(self):
        array = json.loads(call("report", "--json", "400", self.place).stdout)
        self.assertEqual((array["array_jobid"], array["cluster"], array["user"], array["tasks"], array["has_more"]), ("400", "alps", "ben", 40, False))
        self.assertEqual(array["states"], {"FAILED": 25, "COMPLETED": 15})
        self.assertEqual(array["figures"]["elapsed_seconds"], {"least": 3600, "median": 3600, "most": 18000, "tasks": 40})
        self.assertEqual([task["jobid"] for task in array["failed"]], [f"400_{number}" for number in range(1, 26)])
        self.assertEqual({task["state"] for task in array["failed"]}, {"FAILED"})
        self.assertEqual([(task["jobid"], task["elapsed_seconds"], task["cause"]) for task in array["stragglers"]], [("400_40", 18000, None)])
        # a task has the report of a run
        self.assertEqual(json.loads(call("report", "--json", "400_40", self.place).stdout)["job"]["job_id"], "400_40")
        # three tasks are too few for a median
        self.assertEqual(json.loads(call("report", "--json", "12", self.place).stdout)["stragglers"], [])

    def test_of_jobs_by_name_are_about_all_of_them(self):
        chosen = ("--user=ben", "--since=2026-01-01", self.place)
        exact, pattern = (self.brief(f"--name={name}", *chosen) for name in ("sweep", "s?ee*"))
        count = len(json.loads(call("history", "--json", "--limit=0", "--user=ben", "--name=sweep", self.place).stdout))
        self.assertEqual(exact[0], f"Jobs named sweep: {count}")
        self.assertEqual((pattern[0], pattern[1:]), (f"Jobs named s?ee*: {count}", exact[1:]))
        self.assertLess(max(map(len, exact)), 81)
        summary = json.loads(call("report", "--json", "--name=s*p", *chosen).stdout)
        self.assertEqual((summary["name"], summary["user"], summary["tasks"]), ("s*p", "ben", count))
        self.assertNotIn("array_jobid", summary)
        self.assertEqual({task["state"] for task in summary["failed"]}, {"FAILED"})

    def test_of_jobs_by_name_are_of_one_user_and_a_period(self):
        for options, status, why in ((("--user=ada", "--since=2026-01-01"), 1, "fewer than two jobs of such a name"), (("--user=ben", "--since=2030-01-01"), 1, "fewer than two jobs"),
                                     (("--user=ben", "--html"), 1, "as text or as JSON"), (("--user=ben", "12"), 2, "one JOB at most"),
                                     (("--user=ben", "--since=x"), 1, "x")):
            done = call("report", "--name=sweep", *options, self.place)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(why, done.stderr)

    def test_are_printed_as_seff_prints_them(self):
        self.assertEqual(self.brief("7", "--format=seff", self.place), [
            "Job ID: 7", "Cluster: alps", "User/Group: ada/-", "State: COMPLETED", "Nodes: 2", "Cores per node: 4", "CPU Utilized: 04:00:00",
            "CPU Efficiency: 50.00% of 08:00:00 core-walltime", "Job Wall-clock time: 01:00:00", "Memory Utilized: 4.00 GB", "Memory Efficiency: 25.00% of 16.00 GB",
        ])

    def test_without_a_job_are_asked_for_the_last_run_of_the_user(self):
        done = call("report", self.place)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("root: no run of this user was found", done.stderr)
        with contextlib.closing(sqlite3.connect(self.store)) as store, store:
            store.execute("UPDATE run SET user_name = 'root' WHERE raw_id IN ('7', '14')")
        self.assertIn("Job 12_2, sweep, root", self.brief(self.place)[0])

    def at(self, seconds: int) -> str:
        return time.strftime("--at=%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))

    def test_are_of_the_run_that_went_on_at_a_time(self):
        with contextlib.closing(sqlite3.connect(self.store)) as store, store:
            store.execute("UPDATE run SET user_name = 'root' WHERE raw_id IN ('7', '14')")
            ((begin, end),) = store.execute("SELECT start_time, end_time FROM run WHERE raw_id = '7' ORDER BY start_time LIMIT 1")
        for seconds in (begin + 1, end - 1):
            self.assertIn("Job 7, ", self.brief(self.at(seconds), self.place)[0])
            self.assertIn("Job 7, ", self.brief("7", self.at(seconds), self.place)[0])
        # one that waited then was not running
        with contextlib.closing(sqlite3.connect(self.store)) as store, store:
            store.execute("UPDATE run SET start_time = 0, end_time = 0, state = 'PENDING', submit_time = ? WHERE raw_id = '14'", (begin - 2 * 86400,))
        for job, whose in (((), "yours"), (("14",), "this job")):
            done = call("report", *job, self.at(begin - 86400), self.place)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(f"the archive has no run of {whose} that was running at that time", done.stderr)
        self.assertEqual(call("report", "--at=never", self.place).returncode, 1)
        done = call("report", "--at=1970-01-01", self.place)
        self.assertEqual(done.returncode, 1)
        self.assertIn("1970-01-01: not a time after 1970", done.stderr)
        self.assertEqual(call("report", "--at=today", "--name=a*", self.place).returncode, 2)

    def test_give_programs_the_figures(self):
        report = self.document("7", self.place)
        self.assertEqual(report["figures"]["cpu_efficiency_percent"], 50)
        self.assertEqual(report["figures"]["energy_joules"], 1440000)
        self.assertEqual(report["figures"]["time_share_percent"], 25)
        self.assertNotIn("emissions_grams", report["figures"])
        self.assertEqual([node["figures"]["cpu_seconds"] for node in report["nodes"]], [10800, 3600])
        self.assertFalse(report["running"])
        self.assertIsInstance(report["advice"], list)

    def test_report_a_uuid(self):
        uuid = self.document("7", self.place)["job"]["uuid"]
        self.assertIn("newer", self.report(f"--uuid={uuid}", self.place))

    def test_report_what_accounting_alone_knows(self):
        runs = json.loads(call("history", "--json", "--all", "--job=7", self.place).stdout)
        (uuid,) = (run["uuid"] for run in runs if run["name"] == "older")
        page = self.report(f"--uuid={uuid}", self.place)
        self.assertIn("Source: the scheduler's accounting", page)
        self.assertRegex(page, r"(?m)^ +CPUs  -$")

    def judged(self, *arguments: str) -> list[list[str]]:
        done = call("history", "--job=7", "--csv", "--no-headers", "--columns=name,verdict,cpu_unused_seconds", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line.split(",") for line in done.stdout.splitlines()]

    def test_list_each_run_with_the_verdict_of_its_report(self):
        report = self.document("7", self.place)
        self.assertEqual(report["verdict"]["title"], "waste: Low CPU use")
        self.assertEqual((report["verdict"]["wasted"], report["verdict"]["amount"]), ("cpu_unused_seconds", 14400))
        self.assertEqual(self.judged(self.place), [["newer", "waste: Low CPU use", "14400"], ["older", "not enough data", ""]])
        self.assertIn("       Verdict: waste: Low CPU use (4h00m00s CPU time unused)\n", call("report", "--full", "7", self.place).stdout)

    def listed(self, *arguments: str) -> list[dict]:
        done = call("history", "--json", "--all", "--job=7", *arguments, self.place)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_list_for_programs_the_verdict_of_each_report(self):
        newer, older = self.listed()
        self.assertEqual(newer["verdict"], self.document("7", self.place)["verdict"])
        self.assertEqual(older["verdict"]["kind"], "not-enough-data")
        # of more runs than whose records are read it is left out
        for limit in ("0", "1001"):
            self.assertFalse([run for run in self.listed(f"--limit={limit}") if "verdict" in run])
        self.assertTrue(all("verdict" in run for run in self.listed("--limit=1000")))

    def test_are_sorted_by_what_was_wasted(self):
        # of the older one nothing is known, which is neither more nor less
        for order in ("-cpu_unused_seconds", "cpu_unused_seconds", "-memory_unused_bytes"):
            self.assertEqual([name for name, *_ in self.judged(self.place, "--limit=1", f"--sort={order}")], ["newer"])
        self.assertEqual([name for name, *_ in self.judged(self.place, "--sort=end")], ["older", "newer"])

    def test_of_another_cluster_show_nothing(self):
        done = call("report", "7", self.place, "--cluster=jura")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("7: no such job was found: no such job in the archive", done.stderr)

    def test_make_the_comment_that_jobstats_reads(self):
        (line,) = call("report", "7", "--jobstats", self.place).stdout.splitlines()
        self.assertTrue(line.startswith("JS1:"))
        summary = json.loads(gzip.decompress(base64.b64decode(line.removeprefix("JS1:"))))
        self.assertEqual([summary["nodes"][node]["total_time"] for node in ("n1", "n2")], [10800, 3600])
        self.assertEqual([summary["nodes"][node]["used_memory"] for node in ("n1", "n2")], [1 << 30, 1 << 30])

    def test_make_a_page_of_its_own(self):
        page = call("report", "7", "--html", self.place).stdout
        root = etree.fromstring(page)
        self.assertEqual(root.find("body/h1").text, "Job 7")
        self.assertNotIn("style=", page)
        self.assertIn("CPUs that were busy", page)

    def await_verdict(self, job: str) -> None:
        """The server stores what it judges soon after its start."""
        until = time.monotonic() + SECONDS
        while "verdict_title" not in self.document(job, self.place)["job"]:
            self.assertLess(time.monotonic(), until, "the server has not judged")
            time.sleep(0.05)

    def test_are_the_same_from_a_server(self):
        if EXPORTER is None:
            self.fail("a build of the command line alone has no server to test with")
        path = self.folder / "socket"
        server = subprocess.Popen(
            [EXPORTER, "server", f"--server.store={self.store}", f"--web.listen-address=unix:{self.folder}/unused", f"--web.local-socket={path}", "--server.record-max-age=0"],
            stderr=subprocess.PIPE, text=True, env=environment(),
        )
        try:
            await_listener(path, SECONDS)
            self.await_verdict("7")
            self.assertEqual(self.document("7", f"--server=unix:{path}"), self.document("7", self.place))
            self.assertEqual(self.judged(f"--server=unix:{path}"), self.judged(self.place))
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=SECONDS)


class Exporter(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """As the local socket of one that keeps a ledger."""

    daemon_threads = True

    def __init__(self, path: str, records: list[dict]):
        self.records = records
        super().__init__(path, Answer)


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        is_running = "state=running" in self.path
        told = [record for record in self.server.records if (record["state"] == "running") == is_running]
        body = json.dumps({"records": told, "next": 9, "more": False}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self):
        return "local"

    def log_message(self, *_):
        pass


class Ledger(ReportTest):
    def setUp(self):
        super().setUp()
        self.make_ledger()
        self.place = f"--ledger.file={self.ledger}"

    def test_reports_a_job_that_ended(self):
        page = self.report("1", self.place)
        for text in ("Job 1", "alice, account physics", "train?[2J", "the ledger of this node", "99.0% of its life"):
            self.assertIn(text, page)
        self.assertNotIn("\033", page)
        self.assertRegex(page, r"(?m)^ +CPUs  \[\|+ +50\.0%\]$")

    def test_reports_a_job_that_runs(self):
        page = self.report("3", self.place)
        self.assertIn("State: RUNNING", page)
        self.assertIn("and goes on", page)
        self.assertTrue(self.document("3", self.place)["running"])

    def test_reports_no_other_cluster(self):
        self.assertEqual(call("report", "1", "--cluster=jura", self.place).returncode, 1)

    def test_is_the_same_from_its_exporter(self):
        records = json.loads(call("ledger", "--json", self.place).stdout)
        path = str(self.folder / "socket")
        with Exporter(path, records) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.assertEqual(self.report("1", f"--socket={path}"), self.report("1", self.place))
            self.assertEqual(self.report("3", f"--socket={path}"), self.report("3", self.place))
            server.shutdown()

    def test_is_not_asked_where_there_is_none(self):
        done = call("report", "1", f"--socket={self.folder}/none")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(f"{self.folder}/none", done.stderr)
        self.assertNotIn("accounts", done.stderr)


class Node(ReportTest):
    def test_reports_a_job_that_runs_here(self):
        page = self.report(RUNNING, NODE)
        for text in (f"Job {RUNNING}", "bob, account chemistry", "State: RUNNING", "this node as it is now"):
            self.assertIn(text, page)
        self.assertTrue(self.document(RUNNING, NODE)["running"])

    def test_knows_of_no_other_and_says_who_was_asked(self):
        done = call("report", "999", NODE)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        for text in ("999: no such job was found", "no archive is found", "jobmetrics-exporter/socket", "no such job runs on this node"):
            self.assertIn(text, done.stderr)


class Output(ReportTest):
    def setUp(self):
        super().setUp()
        self.make_ledger()
        self.job = ("1", f"--ledger.file={self.ledger}")
        self.file = self.folder / "report"

    def test_goes_to_a_file(self):
        self.file.write_text("before")
        self.assertEqual(self.report(*self.job, f"--output={self.file}"), "")
        self.assertEqual(self.file.read_text(encoding="utf-8"), self.report(*self.job))

    def test_leaves_a_file_alone_that_cannot_be_replaced(self):
        done = call("report", *self.job, f"--output={self.folder}/none/report")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/none/report", done.stderr)
        done = call("report", *self.job, f"--output={self.folder}")
        self.assertEqual(done.returncode, 1)
        self.assertIn("Is a directory", done.stderr)

    def test_leaves_a_link_and_a_pipe_what_they_are(self):
        link, pipe = self.folder / "link", self.folder / "pipe"
        link.symlink_to(self.file)
        self.file.write_text("before")
        self.report(*self.job, f"--output={link}")
        self.assertTrue(link.is_symlink())
        self.assertIn("Job 1", self.file.read_text(encoding="utf-8"))
        os.mkfifo(pipe)
        reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True)
        self.report(*self.job, f"--output={pipe}")
        self.assertIn("Job 1", reader.communicate(timeout=SECONDS)[0])
        self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode))

    def test_is_colored_at_a_terminal(self):
        with Terminal(PROGRAM, "report", "--full", *self.job, columns=70) as terminal:
            page = terminal.finish()
        self.assertEqual(terminal.status, 0)
        self.assertIn("\033[1m", page)
        self.assertEqual(max(len(re.sub("\033\\[[0-9]+m", "", line)) for line in page.splitlines()), 70)
        self.assertNotIn("\033", self.report(*self.job, "--color=never"))
        self.assertIn("\033", self.report(*self.job, "--color=always"))

    def test_of_pdf_is_nothing_for_a_terminal(self):
        with Terminal(PROGRAM, "report", "--pdf", *self.job) as terminal:
            said = terminal.finish()
        self.assertEqual(terminal.status, 2)
        self.assertIn("--output=FILE", said)

    def test_of_pdf_is_one_or_says_that_the_build_makes_none(self):
        done = call("report", "--pdf", *self.job, f"--output={self.file}")
        if done.returncode == 0:
            self.assertTrue(self.file.read_bytes().startswith(b"%PDF-"))
        else:
            self.assertIn("this build of jobmetrics makes no PDF", done.stderr)
            self.assertFalse(self.file.exists())

    def test_ends_quietly_where_nobody_reads_it(self):
        read, write = os.pipe()
        os.close(read)
        done = call("report", *self.job, stdout=write, restore_signals=False)
        os.close(write)
        self.assertEqual((done.returncode, done.stderr), (128 + signal.SIGPIPE, ""))

    def test_that_is_invalid_is_refused(self):
        for arguments, reason in (
            (("1", "2"), "one JOB"),
            (("1", "--uuid=2f4e3b0c-7a52-5d10-9c61-0d6f9a5f0c11"), "one JOB"),
            (("--uuid=7",), "--uuid=7: not a uuid"),
            (("1", "--html", "--json"), "cannot be combined"),
            (("1", "--jobstats", "--pdf"), "cannot be combined"),
            (("1", "--full", "--format=seff"), "cannot be combined"),
            (("1", "--format=text", "--html"), "cannot be combined"),
            (("1", "--format=sef"), "--format=sef: not one of"),
            (("1", "--store=a", "--server=unix:b"), "cannot be combined"),
        ):
            self.assertIn(reason, self.refused(*arguments), arguments)


if __name__ == "__main__":
    sys.exit(tap.run(Accounts, Ledger, Node, Output))
