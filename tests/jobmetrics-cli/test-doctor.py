#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What doctor prints, and how it ends.

usage: test-doctor.py PROGRAM
"""

import http.server
import json
import os
import pathlib
import re
import shutil
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, SECONDS, TESTS, Terminal, call, environment  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

SOUND = f"--path.rootfs={FIXTURES / 'slurm-v2-hooks'}"
AILING = f"--path.rootfs={FIXTURES / 'empty'}"
HOSTILE = f"--path.rootfs={FIXTURES / 'hostile'}"
AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"]
AS_SOMEBODY = ["setpriv", "--reuid=4242", "--regid=4242", "--clear-groups", "--inh-caps=-all"]


class Page(unittest.TestCase):
    def test_a_sound_node_gives_status_0(self):
        done = call("doctor", SOUND)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn("Problems", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^✓ cgroup\.version +cgroup v2 at /sys/fs/cgroup$")
        self.assertRegex(done.stdout, r"(?m)^! cgroup\.io .*\n +→ ")

    def test_an_ailing_node_gives_status_1_and_problems_first(self):
        done = call("doctor", AILING)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertEqual(re.findall(r"(?m)^(Problems|Notes|Good)$", done.stdout), ["Problems", "Notes", "Good"])
        self.assertRegex(done.stdout, r"\AProblems\n✗ cgroup\.version .*\n +→ .*mount -t cgroup2")

    def test_quiet_reports_problems_alone(self):
        self.assertEqual(call("doctor", "--quiet", SOUND).stdout, "")
        done = call("doctor", "-q", AILING)
        self.assertEqual(done.returncode, 1)
        self.assertNotRegex(done.stdout, "Notes|Good")

    def test_ascii_is_enough_where_there_is_no_more(self):
        done = call("doctor", AILING, env=environment(LC_ALL="C"))
        self.assertTrue(done.stdout.isascii())
        for mark in ("x cgroup.version", "! host.live", "+ proc.mount", " -> "):
            self.assertIn(mark, done.stdout)

    def test_what_is_invalid_gives_status_2(self):
        for arguments in (["argument"], ["--bad"], ["--path.rootfs=/nowhere"], ["--schedulers=/nowhere"]):
            done = call("doctor", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_a_broken_definition_is_named(self):
        done = call("doctor", SOUND, f"--schedulers={FIXTURES}", f"--schedulers={TESTS.parent / 'data/schedulers'}")
        self.assertEqual(done.returncode, 0)
        done = call("doctor", SOUND, f"--schedulers={TESTS.parent / 'data/systemd/drop-ins'}")
        self.assertEqual(done.returncode, 1)
        self.assertIn("process-details.conf: ", done.stdout)

    def test_the_ledger_is_looked_for_where_the_exporter_keeps_it(self):
        self.assertRegex(call("doctor", SOUND).stdout, r"(?m)^! ledger +/.+/var/lib/jobmetrics-exporter/ledger\.db: no ledger")
        told = json.loads(call("doctor", SOUND, "--ledger.file=/etc/passwd", "--json").stdout)
        self.assertIn(("ledger", "problem"), [(finding["topic"], finding["severity"]) for finding in told["findings"]])

    def test_nothing_in_a_fixture_steers_a_terminal(self):
        done = call("doctor", HOSTILE)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertNotRegex(done.stdout, r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")

    def test_a_full_disk_is_a_failure(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = call("doctor", SOUND, stdout=full)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left on device", done.stderr)


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        body = self.server.body if isinstance(self.server.body, bytes) else json.dumps(self.server.body).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self):
        return "local"

    def log_message(self, *_):
        pass


class AnExporter(unittest.TestCase):
    """What one that runs says of its ledger."""

    SOUND = {"file": "/var/ledger.db", "open": True, "records": 5, "size_bytes": 4096, "waiting_records": 0}
    SOUND |= {"dropped_records": 7, "given_up_records": 0}

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="jobmetrics-doctor-")
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "socket")
        self.exporter = socketserver.UnixStreamServer(self.path, Answer)
        self.exporter.asked = []
        self.exporter.status = 200
        threading.Thread(target=self.exporter.serve_forever, daemon=True).start()
        self.addCleanup(self.exporter.server_close)
        self.addCleanup(self.exporter.shutdown)

    def told(self, body: object) -> list[dict]:
        self.exporter.body = body
        done = call("doctor", SOUND, f"--socket={self.path}", "--json", "--quiet", env=environment(TZ="UTC"))
        told = json.loads(done.stdout)
        self.assertEqual((done.returncode, done.stderr), (1 if told["problems"] else 0, ""))
        self.assertEqual({finding["topic"] for finding in told["findings"]} - {"ledger"}, set())
        return [(finding["seen"], finding["remedy"]) for finding in told["findings"]]

    def about_the_ledger(self, *options: str) -> list[dict]:
        told = json.loads(call("doctor", SOUND, "--json", *options).stdout)
        return [finding for finding in told["findings"] if finding["topic"] == "ledger"]

    def test_whose_ledger_is_sound_is_no_problem(self):
        self.assertEqual(self.told(self.SOUND), [])
        self.assertEqual(self.exporter.asked, ["/ledger/status"])

    def test_that_cannot_write_says_since_when_and_why(self):
        error = {"error": "/var/ledger.db: database or disk is full", "error_since": 1795341600.25, "waiting_records": 3}
        [(seen, remedy)] = self.told(self.SOUND | error)
        self.assertRegex(seen, "^/var/ledger.db: cannot be written since 2026-11-22 10:00:00, and 3 records wait: .*disk is full$")
        self.assertIn("what waits is written then", remedy)

    def test_that_gave_up_records_says_how_many_and_when(self):
        [(seen, remedy)] = self.told(self.SOUND | {"given_up_records": 12, "given_up_time": 1795341600})
        self.assertEqual(seen, "/var/ledger.db: the exporter gave up 12 records since its start, the last at 2026-11-22 10:00:00")
        self.assertIn("make room", remedy)

    def test_that_has_no_ledger_open_says_why(self):
        [(seen, remedy)] = self.told({"file": "/var/ledger.db", "open": False, "error": "/var: read-only", "error_since": 1795341600})
        self.assertEqual(seen, "/var/ledger.db: could not be opened at 2026-11-22 10:00:00, and no record is kept: /var: read-only")
        self.assertIn("restart the exporter", remedy)

    def test_that_keeps_another_ledger_says_so(self):
        error = {"makeshift": True, "error": "/var: read-only", "error_since": 1795341600}
        [(seen, remedy)] = self.told(self.SOUND | error)
        self.assertEqual(seen, "/var/ledger.db: is kept in memory since 2026-11-22 10:00:00, until the exporter ends: /var: read-only")
        self.assertIn("restart the exporter", remedy)

    def test_that_reports_nothing_changes_nothing(self):
        bare = self.about_the_ledger()
        for status, body in ((403, b"403: no\n"), (404, b"404: no ledger\n"), (200, b"{"), (200, b"[]"), (200, b'{"error": 1}'), (200, b"5")):
            self.exporter.status, self.exporter.body = status, body
            self.assertEqual(self.about_the_ledger(f"--socket={self.path}"), bare, body)
        os.unlink(self.path)
        self.assertEqual(self.about_the_ledger(f"--socket={self.path}"), bare)

    def test_that_does_not_answer_is_not_waited_for(self):
        with socket.socket(socket.AF_UNIX) as mute:
            path = self.path + "-mute"
            mute.bind(path)
            mute.listen()
            self.assertEqual(self.about_the_ledger(f"--socket={path}"), self.about_the_ledger())

    def test_steers_no_terminal(self):
        self.exporter.body = self.SOUND | {"file": "/\033[2J", "error": "\033[31m\n\u202e", "error_since": 1e300, "waiting_records": -1}
        done = call("doctor", SOUND, f"--socket={self.path}")
        self.assertEqual(done.returncode, 1)
        self.assertNotRegex(done.stdout, r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]")


class AServer(unittest.TestCase):
    """On the same machine: which nodes it cannot read."""

    def told(self, body: object, severity: str = "problem") -> list[dict]:
        with tempfile.TemporaryDirectory(prefix="jobmetrics-doctor-") as folder:
            root = pathlib.Path(folder, "root")
            shutil.copytree(FIXTURES / "slurm-v2-hooks", root, symlinks=True)
            socket = root / "run/jobmetrics-server/socket"
            socket.parent.mkdir(parents=True)
            with socketserver.UnixStreamServer(str(socket), Answer) as server:
                server.asked, server.status, server.body = [], 200, body
                threading.Thread(target=server.serve_forever, daemon=True).start()
                done = call("doctor", f"--path.rootfs={root}", "--json", env=environment(TZ="UTC"))
                server.shutdown()
            self.assertEqual(server.asked, ["/api/v1/health"])
        findings = json.loads(done.stdout)["findings"]
        return [(finding["seen"], finding["remedy"]) for finding in findings if (finding["topic"], finding["severity"]) == ("ledger", severity)]

    def test_names_each_node_with_the_reason(self):
        node = {"cluster": "alps", "node": "n1", "problem": "https://n1:9010/ledger: 403 Forbidden", "since_time": 1795341600}
        [(seen, remedy)] = self.told({"status": "degraded", "nodes": {"failed": 1, "failed_nodes": [node]}})
        reason = "https://n1:9010/ledger: 403 Forbidden"
        self.assertEqual(seen, f"the server cannot read node n1 of alps since 2026-11-22 10:00:00: {reason}")
        self.assertIn("server --check", remedy)

    def test_names_each_peer_with_the_reason_and_the_last_success(self):
        since, last = {"since_time": 1795341600}, {"last_success_time": 1795338000}
        history = {"history": "slurmdb,uri=mysql://me:secret@db", "problem": "db: gone", **since, "last_success_time": None}
        scheduler = {"scheduler": "slurm,cluster=alps", "topic": "nodes", "problem": "no controller", **since, **last}
        well = {"tsdb": "prometheus", "problem": None, "since_time": None, **last}
        told = self.told({"status": "degraded", "histories": [history, 5], "time_series": [well], "schedulers": [scheduler, {}]})
        self.assertEqual(
            [seen for seen, _ in told],
            [
                "the server cannot read history slurmdb since 2026-11-22 10:00:00 (never read completely): db: gone",
                "the server cannot read scheduler slurm about its nodes since 2026-11-22 10:00:00 (last complete reading: 2026-11-22 09:00:00): no controller",
            ],
        )

    def test_names_what_it_passes_over(self):
        jobs = {"scheduler": "slurm,cluster=alps", "topic": "jobs", "problem": None, "since_time": None, "unread": ["squeue: ArrayTaskID: 1,3,...", 5, None]}
        told = self.told({"status": "ok", "schedulers": [jobs, jobs | {"topic": "nodes", "unread": []}, jobs | {"unread": 5}]}, "note")
        [(seen, remedy)] = [row for row in told if "could not be read" in row[0]]
        self.assertEqual(seen, "scheduler slurm: a value or record of its jobs could not be read: squeue: ArrayTaskID: 1,3,...")
        self.assertIn("report", remedy)

    def test_that_reads_all_or_says_nothing_is_no_problem(self):
        for body in ({"status": "ok", "nodes": {"failed": 0, "failed_nodes": []}}, {"status": "ok"}, b"{", b"[]", {"nodes": {"failed_nodes": [5]}}):
            self.assertEqual(self.told(body), [], body)


class ADefinition(unittest.TestCase):
    """What somebody sees who writes a scheduler's definition."""

    def write(self, text):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        path = os.path.join(folder, "site.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def try_out(self, fixture, job_pattern, *paths):
        path = self.write(f"[Scheduler]\nName=site\n[Cgroup]\nJob={job_pattern}\n")
        return path, call("doctor", f"--scheduler={path}", f"--path.rootfs={FIXTURES / fixture}", *paths)

    def test_what_it_matches_here_is_shown(self):
        replaced = self.write("[Scheduler]\nName=slurm\n[Cgroup]\nJob=/slurm_%n/uid_%u/job_%j\n")
        own = os.path.join(os.path.dirname(replaced), "slurm.conf")
        os.rename(replaced, own)
        result = call("doctor", f"--scheduler={own}", f"--path.rootfs={FIXTURES / 'slurm-v1-steps'}")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout, r"jobs.found +\d+ jobs: /slurm_n1/uid_\d+/job_\d+ is the job \d+")

    def test_two_that_claim_one_path_are_refused_and_both_are_named(self):
        path, result = self.try_out("empty", "/slurm/uid_%u/job_%j")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"/slurm/uid_1000/job_1 is a job by both {path} and slurm.conf (built in)", result.stdout)

    def test_a_path_that_is_none_is_explained(self):
        _, result = self.try_out("slurm-v2-plain", "/site/%c/job_%J;**.slice/site.scope/%j",
                                 "/site/west/job_12[3]", "/site/west/job_..", "/site/west", "/elsewhere",
                                 "/a.slice/site.scope/x", "/site/west/job_1/below")
        self.assertEqual(result.returncode, 0, result.stdout)
        text = " ".join(result.stdout.split())
        self.assertIn("/site/west/job_12[3]: the job 12[3]", text)
        self.assertIn("/site/west/job_..: no job: job_.. is not job_%J, which /site/%c/job_%J wants there", text)
        self.assertIn("/site/west: no job: it ends where /site/%c/job_%J wants job_%J", text)
        self.assertIn("/elsewhere: no job, and like none of the patterns", text)
        self.assertIn("/a.slice/site.scope/x: no job: x is not %j, which **.slice/site.scope/%j wants there", text)
        self.assertIn("/site/west/job_1/below: a part of the job 1", text)

    def test_what_is_wrong_with_it_is_named(self):
        path, result = self.try_out("slurm-v2-plain", "/site/%s_%s")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{path}: Cgroup: Job: placeholders that cannot be distinguished: %s_%s",
                      " ".join(result.stdout.split()))

    def test_it_may_be_named_from_where_somebody_is(self):
        path = self.write("[Scheduler]\nName=site\n[Cgroup]\nJob=/site/%j\n")
        result = call("doctor", f"--scheduler={os.path.relpath(path)}", SOUND)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn(f"{path} is a sound definition of site", result.stdout)

    def test_jobs_without_cgroups_are_shown_too(self):
        definition = TESTS.parent / "data/schedulers/gridengine.conf"
        result = call("doctor", f"--scheduler={definition}", f"--path.rootfs={FIXTURES / 'gridengine'}")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout, r"jobs.found +4 jobs: /gridengine/\S+ is the job \S+, ")

    def test_a_path_alone_is_invalid(self):
        result = call("doctor", "/slurm")
        self.assertEqual(result.returncode, 2)
        self.assertIn("/slurm: doctor takes no arguments without --scheduler", result.stderr)


class Json(unittest.TestCase):
    def test_json_has_every_finding(self):
        done = call("doctor", "--json", AILING)
        self.assertEqual(done.returncode, 1)
        listed = json.loads(done.stdout)
        self.assertEqual(listed["problems"], 1)
        self.assertEqual({finding["severity"] for finding in listed["findings"]}, {"good", "note", "problem"})
        problem = next(finding for finding in listed["findings"] if finding["severity"] == "problem")
        self.assertEqual(set(problem), {"severity", "topic", "seen", "remedy"})
        self.assertEqual(problem["topic"], "cgroup.version")

    def test_quiet_json_has_problems_alone(self):
        listed = json.loads(call("doctor", "--json", "--quiet", AILING).stdout)
        self.assertEqual([finding["severity"] for finding in listed["findings"]], ["problem"])
        self.assertEqual(json.loads(call("doctor", "--json", "--quiet", SOUND).stdout)["findings"], [])


class AtATerminal(unittest.TestCase):
    def at_terminal(self, *arguments: str, **options) -> str:
        with Terminal(PROGRAM, "doctor", *arguments, **options) as terminal:
            return terminal.finish()

    def test_colours_are_for_terminals(self):
        self.assertIn("\033[31m✗\033[0m", self.at_terminal(AILING))
        self.assertNotIn("\033", call("doctor", AILING).stdout)
        self.assertNotIn("\033", self.at_terminal(AILING, NO_COLOR="1"))

    def test_sentences_are_broken_to_fit(self):
        text = self.at_terminal(f"--path.rootfs={FIXTURES / 'slurm-v1-steps'}", "--color=never", columns=60)
        fitting = self.at_terminal(SOUND, "--color=never", columns=60)
        for line in (text + fitting).splitlines():
            # what has no blank in it cannot be broken
            self.assertTrue(len(line) <= 60 or len(line.split()) <= 2 or "/" in line.split()[-1], line)
        self.assertNotIn("\n\n\n", fitting)


class ThisMachine(unittest.TestCase):
    def findings(self, *before: str) -> dict[str, dict]:
        done = subprocess.run(
            [*before, PROGRAM, "doctor", "--json"],
            capture_output=True,
            encoding="utf-8",
            env=environment(),
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(done.stderr, "")
        return {finding["topic"]: finding for finding in json.loads(done.stdout)["findings"]}

    def test_a_running_machine_is_known(self):
        found = self.findings()
        self.assertEqual(found["host.live"]["severity"], "good")
        self.assertEqual(found["proc.mount"]["severity"], "good")
        self.assertIn("clock", found)

    def test_root_learns_that_it_sees_more(self):
        if os.geteuid() != 0:
            self.skipTest("only root is root")
        self.assertIn("setpriv", self.findings()["host.user"]["remedy"])

    def findings_of_another(self, before: list[str]) -> dict:
        if os.geteuid() != 0:
            self.skipTest("only root can look as another user")
        if shutil.which("setpriv") is None:
            self.skipTest("setpriv is not installed")
        if subprocess.run([*before, "test", "-x", pathlib.Path(PROGRAM).resolve()], check=False).returncode:
            self.skipTest("the build directory is closed to other users")
        return self.findings(*before)

    def test_an_unprivileged_daemon_learns_what_is_lacking(self):
        found = self.findings_of_another(AS_NOBODY)
        for topic in ("proc.io", "proc.fd", "proc.environ", "proc.exe"):
            self.assertEqual(found[topic]["severity"], "note", topic)
            self.assertIn("process-details.conf", found[topic]["remedy"])
            self.assertIn("Permission denied", found[topic]["seen"])

    def test_an_ordinary_user_is_not_asked_to_edit_the_system(self):
        found = self.findings_of_another(AS_SOMEBODY)
        for topic in ("proc.io", "proc.fd", "proc.environ", "proc.exe"):
            self.assertIn("an administrator can have the exporter read", found[topic]["remedy"])
        for topic, finding in found.items():
            self.assertNotIn("/etc/systemd", finding.get("remedy", ""), topic)


if __name__ == "__main__":
    sys.exit(tap.run(Page, AnExporter, AServer, ADefinition, Json, AtATerminal, ThisMachine))
