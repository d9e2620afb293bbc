#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Traced commands in the daemon of a cluster: who may report them, what is refused, and what is shown.

usage: test-trace.py EXPORTER CLI
"""

import base64
import http.client
import json
import os
import pathlib
import pwd
import re
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "pylib"), str(pathlib.Path(__file__).parent)]
import daemon  # noqa: E402
import tap  # noqa: E402
from local import ALICE, STRANGER, LocalTest, needs_root  # noqa: E402

EXPORTER, CLI = sys.argv[1:3]
EXAMPLES = TESTS.parent / "bindings" / "examples"
PATIENCE = 60
RECORD = json.loads((TESTS / "fixtures" / "trace" / "record.json").read_text(encoding="utf-8"))
LABELS = 'jobid="26515966",username="ada",hostname="n0042",pid="4711"'
TOKEN = "correct-horse-battery"
# A cluster that is up and empty.
SLURM = """#!/bin/sh
case "$0 $2" in
*"/scontrol config") echo "ClusterName             = empty" ;;
esac
"""


def write_slurm(folder: pathlib.Path) -> str:
    for name in ("squeue", "sinfo", "sshare", "sdiag", "sacctmgr", "scontrol"):
        (folder / name).write_text(SLURM)
        (folder / name).chmod(0o755)
    return f"--cluster.scheduler=slurm,directory={folder}"


class Situation(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.token = self.folder / "token"
        self.token.write_text(f"{TOKEN}\n")
        self.token.chmod(0o600)

    def start(self, *options: str) -> daemon.Daemon:
        running = daemon.Daemon(EXPORTER, "cluster", "--cluster.interval=1", write_slurm(self.folder), *options)
        self.addCleanup(running.__exit__)
        return running

    def start_with_token(self, *options: str) -> daemon.Daemon:
        return self.start("--trace.enabled", f"--trace.token-file={self.token}", *options)

    def post(self, running: daemon.Daemon, body, authorization: str | None = f"Bearer {TOKEN}") -> tuple[int, str]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(f"{running.url}/trace", data, {"Content-Type": "application/json"})
        if authorization is not None:
            request.add_header("Authorization", authorization)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def records(self, running: daemon.Daemon) -> list[dict]:
        with running.get("/trace") as reply:
            self.assertEqual(reply.headers["Content-Type"], "application/json")
            return json.load(reply)

    def figures(self, running: daemon.Daemon) -> dict[str, float]:
        """Once a second at the most are these new."""
        end = time.monotonic() + PATIENCE
        status, text = running.status_of("/metrics")
        while status != 200:
            self.assertLess(time.monotonic(), end, text)
            time.sleep(0.1)
            status, text = running.status_of("/metrics")
        return {series: float(value) for series, value in re.findall(r"^(\w*(?:slurm_proc|_trace_)\S*) (\S+)$", text, re.MULTILINE)}


class Senders(Situation):
    def test_get_nothing_unless_it_is_wanted(self):
        running = self.start()
        self.assertEqual(running.status_of("/trace")[0], 404)
        self.assertEqual(self.post(running, RECORD, None)[0], 404)
        self.assertEqual(self.figures(running), {})

    def test_need_the_token(self):
        running = self.start_with_token()
        for wrong in (None, "Bearer ", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", TOKEN):
            self.assertEqual(self.post(running, RECORD, wrong)[0], 401, wrong)
        self.assertEqual(self.records(running), [])
        self.assertEqual(self.post(running, RECORD), (200, ""))
        self.assertEqual(len(self.records(running)), 1)

    def test_without_a_token_are_unknown(self):
        self.assertEqual(self.post(self.start("--trace.enabled"), RECORD, None)[0], 403)

    def test_are_let_in_by_a_password_too(self):
        config = self.folder / "web.yml"
        config.write_text(f"basic_auth_users:\n  alice: {ALICE}\n")
        running = self.start_with_token(f"--web.config.file={config}")
        secret = base64.b64encode(b"alice:secret").decode()
        wrong = base64.b64encode(b"alice:wrong").decode()
        self.assertEqual(self.post(running, RECORD, f"Basic {secret}")[0], 200)
        self.assertEqual(self.post(running, RECORD, f"Basic {wrong}")[0], 401)
        self.assertEqual(self.post(running, RECORD)[0], 200)
        self.assertEqual(running.status_of("/trace")[0], 401)

    def test_with_a_password_that_nobody_looks_at_are_refused(self):
        secret = base64.b64encode(b"alice:secret").decode()
        self.assertEqual(self.post(self.start_with_token(), RECORD, f"Basic {secret}")[0], 403)

    def test_are_anybody_where_it_is_open(self):
        running = self.start("--trace.enabled", "--trace.open")
        self.assertEqual(self.post(running, RECORD, None), (200, ""))

    def test_learn_what_is_wrong(self):
        running = self.start_with_token()
        self.assertEqual(self.post(running, b"{"), (400, "400: body: not an object of JSON\n"))
        self.assertEqual(self.post(running, {**RECORD, "job_id": 0}), (400, "400: job_id: out of range\n"))
        self.assertEqual(self.post(running, {**RECORD, "mem": "much"}), (400, "400: mem: not a whole number\n"))
        self.assertEqual(self.post(running, b" " * (64 * 1024 + 1))[0], 413)

    def test_are_slowed_down(self):
        running = self.start_with_token()
        connection = http.client.HTTPConnection(running.url.removeprefix("http://"), timeout=PATIENCE)
        self.addCleanup(connection.close)
        said = []
        end = time.monotonic() + PATIENCE
        while 429 not in said and time.monotonic() < end:
            connection.request("POST", "/trace", b"{", {"Authorization": f"Bearer {TOKEN}"})
            reply = connection.getresponse()
            reply.read()
            said.append(reply.status)
        self.assertEqual((reply.status, reply.headers["Retry-After"]), (429, "1"))
        self.assertGreaterEqual(said.count(400), 1024)
        self.assertEqual(self.figures(running)['jobmetrics_trace_refused_total{reason="too-often"}'], 1)

    def test_need_a_token_that_others_cannot_read(self):
        self.token.chmod(0o644)
        command = [EXPORTER, "cluster", "--trace.enabled", f"--trace.token-file={self.token}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--trace.token-file", done.stderr)
        self.assertNotIn(TOKEN, done.stderr)


class Readers(Situation):
    def test_see_what_was_reported(self):
        running = self.start_with_token()
        self.post(running, RECORD)
        told = {key: value for key, value in RECORD.items() if key != "io_wait"}
        self.assertEqual(self.records(running), [told])

    def test_see_nodes_and_steps_beside_each_other(self):
        running = self.start_with_token()
        for host in ("n1", "n2"):
            for step in ("0", "1"):
                self.post(running, {**RECORD, "hostname": host, "step": step})
        self.assertEqual(
            [(record["hostname"], record["step"]) for record in self.records(running)],
            [("n1", "0"), ("n1", "1"), ("n2", "0"), ("n2", "1")],
        )

    def test_get_a_page_that_runs_nothing_of_others(self):
        running = self.start_with_token()
        script = "<script>alert(1)</script>"
        self.assertEqual(self.post(running, {**RECORD, "username": script, "step": '"><b>'})[0], 200)
        with running.get("/trace", Accept="text/html,*/*") as reply:
            self.assertEqual(reply.headers["Content-Type"], "text/html; charset=utf-8")
            page = reply.read().decode()
        self.assertNotIn("<script>", page)
        self.assertNotIn("<b>", page)
        self.assertIn("<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>", page)
        titles = re.findall(r"<th[ >]", page)
        cells = re.findall(r"<td[ >]", page)
        self.assertEqual(len(titles), len(cells))
        self.assertEqual(self.records(running)[0]["username"], script)

    def test_choose_the_form_by_the_query_too(self):
        running = self.start_with_token()
        self.assertEqual(running.status_of("/trace?format=json"), (200, "[]\n"))
        self.assertIn("<table>", running.status_of("/trace?format=html")[1])

    def test_scrape_the_figures(self):
        running = self.start_with_token()
        self.post(running, RECORD)
        self.post(running, b"{")
        self.post(running, RECORD, None)
        found = self.figures(running)
        for series, value in {
            f"slurm_proc_pid{{{LABELS}}}": 4711,
            f"slurm_proc_cpu_usage{{{LABELS}}}": 187.5,
            f"slurm_proc_mem_usage{{{LABELS}}}": 1073741824,
            f"slurm_proc_threadcount{{{LABELS}}}": 12,
            f"slurm_proc_write_bytes{{{LABELS}}}": 8192,
            f"slurm_proc_read_bytes{{{LABELS}}}": 4096,
            "jobmetrics_trace_records_total": 1,
            'jobmetrics_trace_refused_total{reason="malformed"}': 1,
            'jobmetrics_trace_refused_total{reason="denied"}': 1,
            'jobmetrics_trace_refused_total{reason="too-often"}': 0,
            'jobmetrics_trace_refused_total{reason="full"}': 0,
        }.items():
            self.assertEqual(found[series], value, series)

    def test_choose_metrics_by_name(self):
        running = self.start_with_token("--metrics.include=slurm_proc_pid")
        self.post(running, RECORD)
        self.assertEqual(list(self.figures(running)), [f"slurm_proc_pid{{{LABELS}}}"])

    def test_see_it_no_more_when_nobody_reports_it_anew(self):
        running = self.start_with_token("--trace.max-age=1")
        self.post(running, RECORD)
        end = time.monotonic() + PATIENCE
        while self.records(running):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)


class LocalSenders(LocalTest):
    def setUp(self):
        super().setUp()
        needs_root()
        slurm = self.folder / "slurm"
        slurm.mkdir()
        command = [EXPORTER, "cluster", "--web.listen-address=127.0.0.1:0", f"--web.local-socket={self.socket}"]
        self.launch([*command, write_slurm(slurm), "--trace.enabled"], r"listening on 127", "stderr")

    def test_report_themselves_alone(self):
        uid = pwd.getpwnam("daemon").pw_uid
        own = json.dumps({**RECORD, "username": "daemon"}).encode()
        self.assertEqual(self.ask("/trace", own, uid), (200, ""))
        status, said = self.ask("/trace", json.dumps(RECORD).encode(), uid)
        self.assertEqual((status, said), (403, "403: username: not yours\n"))

    def test_have_the_number_as_a_name_where_they_have_no_other(self):
        own = json.dumps({**RECORD, "username": str(STRANGER)}).encode()
        self.assertEqual(self.ask("/trace", own, STRANGER)[0], 200)

    def test_report_everybody_as_root(self):
        self.assertEqual(self.ask("/trace", json.dumps(RECORD).encode()), (200, ""))
        status, text = self.ask("/trace")
        self.assertEqual((status, json.loads(text)[0]["username"]), (200, "ada"))


class Wrapper(Situation):
    def await_record(self, running: daemon.Daemon) -> dict:
        end = time.monotonic() + PATIENCE
        while not self.records(running):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        return self.records(running)[0]

    def test_in_python_is_shown_and_ends_as_its_command_does(self):
        running = self.start_with_token()
        environment = {**os.environ, "SLURM_JOB_ID": "78", "TRACE_TOKEN": TOKEN}
        command = [sys.executable, EXAMPLES / "trace-command.py", running.url, "0.1", "--", "sh", "-c", "cat; exit 7"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)
        try:
            record = self.await_record(running)
        finally:
            process.communicate(timeout=PATIENCE)
        self.assertEqual((record["job_id"], record["threads"]), (78, 2))
        self.assertGreater(record["mem"], 0)
        self.assertEqual(process.returncode, 7)

    def test_is_shown_while_its_command_runs(self):
        running = self.start_with_token()
        command = [CLI, "trace", f"--url={running.url}", f"--token-file={self.token}", "--job=77", "--interval=0.1"]
        environment = {**os.environ, "SLURM_STEP_ID": "3", "SLURM_CLUSTER_NAME": "east"}
        process = subprocess.Popen([*command, "--", "cat"], stdin=subprocess.PIPE, env=environment)
        try:
            record = self.await_record(running)
        finally:
            process.communicate(timeout=PATIENCE)
        self.assertEqual((record["job_id"], record["step"], record["cluster"]), (77, "3", "east"))
        self.assertEqual(record["threads"], 1)
        self.assertEqual(process.returncode, 0)


if __name__ == "__main__":
    sys.exit(tap.run(Senders, Readers, LocalSenders, Wrapper))
