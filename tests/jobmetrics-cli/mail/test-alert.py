#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Who is notified of what about running jobs, and how often.

usage: test-alert.py PROGRAM MAKE-RUNNING

In the archive that MAKE-RUNNING makes ada has run 7, which has used nothing, and bob run 8, which works.
"""

import datetime
import email
import email.policy
import fcntl
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, SECONDS, environment  # noqa: E402

MAKE_RUNNING = os.path.abspath(sys.argv[2])
DAY = 24 * 60 * 60
# Keeps each mail in a file of its own; ends its caller where one is named.
SENDMAIL = """#!/usr/bin/python3
import os, signal, sys
text = sys.stdin.buffer.read()
open("{folder}/mails/%s-%d" % (sys.argv[-1], len(os.listdir("{folder}/mails"))), "wb").write(text)
if os.path.exists("{folder}/kill-" + sys.argv[-1]):
    os.kill(os.getppid(), signal.SIGKILL)
if os.path.exists("{folder}/refuse-" + sys.argv[-1]):
    sys.exit(75)
"""


def advice(user: str, job: str, kind: str = "cpu-idle", text: str = "It used 1 of 64 CPUs.", **more: str) -> dict:
    return {"user": user, "job": job, "kind": kind, "text": text, **more}


class AlertTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="jobmetrics-alert-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "mails").mkdir()
        for folder in (self.folder, self.folder / "mails"):
            folder.chmod(0o777)  # nobody writes there
        self.state = self.folder / "state"
        script = self.folder / "sendmail"
        script.write_text(SENDMAIL.format(folder=self.folder), encoding="utf-8")
        script.chmod(0o755)
        self.config = self.folder / "mail.conf"
        self.config.write_text(f"[mail]\nsendmail={script}\n[alert]\nstate-file={self.state}\n[report]\nwait=1\n", encoding="utf-8")

    def alert(self, findings: list[dict], *options: str) -> subprocess.CompletedProcess:
        path = self.folder / "advice"
        path.write_text("".join(json.dumps(finding) + "\n" for finding in findings), encoding="utf-8")
        return subprocess.run([PROGRAM, "alert", f"--config.file={self.config}", f"--advice={path}", *options], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=SECONDS, env=environment(), check=False)

    def told(self, findings: list[dict], *options: str) -> list[str]:
        """Who was notified, by this call."""
        before = set(self.names())
        done = self.alert(findings, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return sorted(name.rsplit("-", 1)[0] for name in set(self.names()) - before)

    def names(self) -> list[str]:
        return [path.name for path in (self.folder / "mails").iterdir()]

    def mail(self, name: str) -> email.message.EmailMessage:
        return email.message_from_bytes((self.folder / "mails" / name).read_bytes(), policy=email.policy.strict)

    def age(self, days: float) -> None:
        """Makes what was sent so much older."""
        lines = []
        for line in self.state.read_text(encoding="utf-8").splitlines():
            words = line.split("\t")
            lines.append("\t".join([str(int(words[0]) - int(days * DAY)), *words[1:]]) if len(words) == 3 else line)
        self.state.write_text("\n".join(lines) + "\n", encoding="utf-8")


class Letters(AlertTest):
    def test_go_to_each_owner(self):
        findings = [advice("bob", "12", "gpu-idle", "Free <them>.", cluster="alps"), advice("alice", "100"), advice("alice", "9")]
        self.assertEqual(self.told(findings), ["alice", "bob"])
        mail = self.mail("alice-0")
        self.assertEqual((mail["To"], mail["Subject"], mail["Auto-Submitted"]), ("alice", "2 of your jobs need a look", "auto-generated"))
        plain, html = mail.iter_parts()
        self.assertLess(plain.get_content().index("Job 9\n"), plain.get_content().index("Job 100\n"))
        mail = self.mail("bob-1")
        self.assertEqual(mail["Subject"], "Your job 12 needs a look")
        plain, html = mail.iter_parts()
        self.assertIn("Job 12 on alps\n  Free <them>.\n", plain.get_content())
        self.assertIn("Free &lt;them&gt;.", html.get_content())

    def test_go_where_owners_are_reached(self):
        book = self.folder / "book"
        book.write_text("# who\nalice\ta@example.org\n", encoding="utf-8")
        self.assertEqual(self.told([advice("alice", "1"), advice("bob", "2")], f"--addresses={book}", "--domain=users.example.org"),
                         ["a@example.org", "bob@users.example.org"])
        book.write_text("alice |sh\n", encoding="utf-8")
        done = self.alert([advice("alice", "1")], f"--addresses={book}")
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{book}: line 1: |sh: ", done.stderr)

    def test_can_be_looked_at(self):
        done = self.alert([advice("alice", "1")], "--dry-run", "--domain=example.org")
        self.assertEqual((done.returncode, self.names(), self.state.exists()), (0, [], False))
        self.assertTrue(done.stdout.startswith("To: alice@example.org\nSubject: Your job 1 needs a look\n\n"))

    def test_have_room_for_so_much(self):
        self.assertEqual(self.told([advice("alice", str(i)) for i in range(60)]), ["alice"])
        plain, _ = self.mail("alice-0").iter_parts()
        self.assertEqual(plain.get_content().count("It used"), 50)
        self.assertIn("And 10 more. ", plain.get_content())


class HowOften(AlertTest):
    def test_no_user_gets_the_like_again_for_days(self):
        findings = [advice("alice", "1"), advice("bob", "2")]
        self.assertEqual(self.told(findings), ["alice", "bob"])
        self.assertEqual(self.told([*findings, advice("alice", "3")]), [])
        self.assertEqual(self.told([*findings, advice("alice", "3", "gpu-idle")]), ["alice"])
        plain, _ = self.mail("alice-2").iter_parts()
        self.assertEqual(plain.get_content().count("Job "), 1)
        self.age(6.5)
        self.assertEqual(self.told(findings), [])
        self.age(0.6)
        self.assertEqual(self.told(findings), ["alice", "bob"])

    def test_the_site_says_for_how_long(self):
        self.assertEqual(self.told([advice("alice", "1")]), ["alice"])
        self.age(1.5)
        self.assertEqual(self.told([advice("alice", "1")], "--quiet-days=2"), [])
        self.assertEqual(self.told([advice("alice", "1")], "--quiet-days=1"), ["alice"])
        self.age(0.001)
        self.assertEqual(self.told([advice("alice", "1")], "--quiet-days=0"), ["alice"])

    def test_what_is_past_is_forgotten(self):
        self.told([advice("alice", "1"), advice("bob", "2")])
        self.age(8)
        self.told([advice("carol", "3")])
        self.assertEqual(self.state.read_text(encoding="utf-8").count("\t"), 2)
        self.assertEqual(self.state.stat().st_mode & 0o777, 0o600)

    def test_one_is_notified_twice_where_it_is_killed(self):
        findings = [advice("alice", "1"), advice("bob", "2"), advice("carol", "3")]
        (self.folder / "kill-bob").touch()
        # nobody else may end what root runs
        self.assertEqual(self.alert(findings, "--sendmail-user=root").returncode, -9)
        (self.folder / "kill-bob").unlink()
        self.assertEqual(sorted(self.names()), ["alice-0", "bob-1"])
        self.assertEqual(self.told(findings), ["bob", "carol"])
        self.assertEqual(self.told(findings), [])

    def test_who_was_not_reached_is_notified_later(self):
        (self.folder / "refuse-alice").touch()
        done = self.alert([advice("alice", "1"), advice("bob", "2")])
        self.assertEqual(done.returncode, 1)
        self.assertIn("not delivered: 'Your job 1 needs a look'", done.stderr)
        (self.folder / "refuse-alice").unlink()
        self.assertEqual(self.told([advice("alice", "1"), advice("bob", "2")]), ["alice"])

    def test_so_many_are_reported_at_once(self):
        findings = [advice(f"u{i}", str(i)) for i in range(5)]
        done = self.alert(findings, "--max-mails=3")
        self.assertEqual((done.returncode, len(self.names())), (0, 3))
        self.assertIn("2 more get their mail the next time", done.stderr)
        self.assertEqual(self.told(findings), ["u3", "u4"])

    def test_work_days_are_monday_to_friday(self):
        today = datetime.datetime.now(datetime.timezone.utc).weekday()
        self.assertEqual(self.told([advice("alice", "1")], "--work-days-only"), ["alice"] if today < 5 else [])


class State(AlertTest):
    def test_no_user_is_notified_where_it_cannot_be_kept(self):
        done = self.alert([advice("alice", "1")], f"--state-file={self.folder}/none/state")
        self.assertEqual((done.returncode, self.names()), (1, []))
        self.assertIn("none/state", done.stderr)

    def test_no_user_is_notified_where_it_is_invalid(self):
        for text in ("x\talice\tcpu-idle\n", "12\talice\n", "12\t\tcpu-idle\n", "-1\talice\tcpu-idle\n"):
            with self.subTest(text):
                self.state.write_text("# a\n" + text, encoding="utf-8")
                done = self.alert([advice("alice", "1")])
                self.assertEqual((done.returncode, self.names()), (1, []))
                self.assertIn(f"{self.state}: line 2: not a time", done.stderr)

    def test_two_do_not_report_at_once(self):
        with open(f"{self.state}.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            done = self.alert([advice("alice", "1")])
        self.assertEqual((done.returncode, self.names()), (1, []))
        self.assertIn("somebody else alerts", done.stderr)


class Accounts(AlertTest):
    def alert(self, findings: list[dict], *options: str) -> subprocess.CompletedProcess:
        return subprocess.run([PROGRAM, "alert", f"--config.file={self.config}", *options], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=SECONDS, env=environment(), check=False)

    def test_report_what_running_jobs_do(self):
        store = self.folder / "accounts.db"
        subprocess.run([MAKE_RUNNING, store], check=True, timeout=SECONDS)
        self.assertEqual(self.told([], f"--store={store}"), ["ada"])
        plain, _ = self.mail("ada-0").iter_parts()
        self.assertIn("Job 7 on alps\n  No CPU was used. The run lasted for ", plain.get_content())
        self.assertEqual(self.told([], f"--store={store}"), [])

    def test_are_judged_by_the_rules_of_the_site(self):
        store, rules = self.folder / "accounts.db", self.folder / "site" / "etc" / "jobmetrics" / "advice"
        subprocess.run([MAKE_RUNNING, store], check=True, timeout=SECONDS)
        rules.mkdir(parents=True)
        (rules / "site.conf").write_text("[cpus-unused]\nWhen=\n", encoding="utf-8")
        self.assertEqual(self.told([], f"--store={store}", f"--path.rootfs={self.folder / 'site'}"), [])
        self.assertEqual(self.told([], f"--store={store}"), ["ada"])

    def test_are_not_there(self):
        done = self.alert([], "--store=/nonexistent")
        self.assertEqual((done.returncode, self.names()), (1, []))
        self.assertIn("/nonexistent", done.stderr)
        self.assertEqual(self.alert([], "--store=/nonexistent", "--server=unix:/nonexistent").returncode, 2)


COMMAND = """#!/bin/sh
echo "$@" >> {folder}/commands
test ! -e {folder}/refuse-command
"""
POLICIES = """[idle gpus]
exempt-qos = long, vip*
command = {command} --quiet {{job}} {{user}}
[idle sessions]
of = cpus
only-names = inter*
"""


class IdleRuns(AlertTest):
    """In the archive that began six hours ago, ada's run 20 has not used its accelerators for four hours, nor eve's session its CPUs for five. bob's
    run works, carol's and gina's may be exempt, dave's was not seen for an hour, and a node of frank's works."""

    def setUp(self):
        super().setUp()
        self.store, self.decisions = self.folder / "accounts.db", self.folder / "decisions"
        script = self.folder / "command"
        script.write_text(COMMAND.format(folder=self.folder), encoding="utf-8")
        script.chmod(0o755)
        self.enable(POLICIES.format(command=script))
        subprocess.run([MAKE_RUNNING, self.store, str(int(time.time()))], check=True, timeout=SECONDS)

    def enable(self, policies: str) -> None:
        self.config.write_text(f"[mail]\nsendmail={self.folder}/sendmail\n[alert]\nstate-file={self.state}\ndecisions-file={self.decisions}\n{policies}",
                               encoding="utf-8")

    def alert(self, findings: list[dict], *options: str) -> subprocess.CompletedProcess:
        return subprocess.run([PROGRAM, "alert", f"--config.file={self.config}", f"--store={self.store}", "--idle", *options], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=SECONDS, env=environment(), check=False)

    def commands(self) -> list[str]:
        path = self.folder / "commands"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    def decided(self) -> list[tuple[str, str, str]]:
        lines = self.decisions.read_text(encoding="utf-8").splitlines() if self.decisions.exists() else []
        return [(one["policy"], one["job"], one["decision"]) for one in map(json.loads, lines)]

    def replay(self, *jobs: str) -> list[tuple[str, str, str]]:
        done = self.alert([], "--replay=-6h")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [line.split() for line in done.stdout.splitlines()[1:]]
        return [(row[5], row[4], row[6]) for row in rows if row[4] in jobs]

    def keep(self, job: str, until: float) -> None:
        with sqlite3.connect(self.store) as store:
            self.assertEqual(store.execute("UPDATE run SET kept_until_time = ? WHERE raw_id = ?", (int(until), job)).rowcount, 1)
        store.close()

    def test_get_what_the_replay_showed(self):
        shown = self.replay("20", "24")
        self.assertEqual(sorted(shown), [("gpus", "20", "command"), ("gpus", "20", "notice"), ("sessions", "24", "notice"), ("sessions", "24", "record")])
        self.assertFalse(self.decisions.exists() or self.state.exists())
        self.assertEqual(self.told([]), ["ada", "eve"])
        self.assertEqual((self.told([]), self.commands()), ([], []))
        self.age(1.1 / 24)
        self.assertEqual((self.told([]), self.commands()), ([], ["--quiet 20 ada"]))
        self.assertEqual((self.told([]), self.commands()), ([], ["--quiet 20 ada"]))
        self.assertEqual(sorted(one for one in self.decided() if one[2] in ("notice", "command", "record")), sorted(shown))
        first = json.loads(self.decisions.read_text(encoding="utf-8").splitlines()[-2])
        self.assertAlmostEqual(time.time() - first["idle_since"], 4 * 3600, delta=600)

    def test_are_named_to_their_owner_with_a_way_out(self):
        self.assertEqual(self.told([]), ["ada", "eve"])
        plain, _ = self.mail(next(name for name in self.names() if name.startswith("ada"))).iter_parts()
        self.assertIn("Job 20 on alps\n  The job has not used its accelerators since ", plain.get_content())
        self.assertIn("jobmetrics-cli keep 20 --for 4h", plain.get_content())
        self.assertNotIn("no mail of the same kind", plain.get_content())

    def test_are_exempt_where_nobody_knows_better(self):
        self.told([])
        self.assertEqual([one for one in self.decided() if one[1] in ("22", "26")], [("gpus", "26", "exempt"), ("gpus", "22", "exempt")])
        self.assertEqual({one[1] for one in self.decided()}, {"20", "22", "24", "26"})

    def test_are_left_alone_in_quiet_hours(self):
        now = datetime.datetime.now(datetime.timezone.utc)
        hours = [f"{(now + datetime.timedelta(hours=by)).hour:02}:00" for by in (-7, 2)]
        self.enable(f"[idle gpus]\ncommand = {self.folder}/command {{job}}\nquiet-hours = {hours[0]}-{hours[1]}\n")
        self.assertEqual((self.told([]), self.replay("20"), self.commands()), ([], [], []))
        self.enable(f"[idle gpus]\ncommand = {self.folder}/command {{job}}\n")
        self.assertIn("ada", self.told([]))
        self.age(1.1 / 24)
        self.enable(f"[idle gpus]\ncommand = {self.folder}/command {{job}}\nquiet-hours = {hours[0]}-{hours[1]}\n")
        self.assertEqual((self.told([]), self.commands()), ([], []))

    def test_are_kept_by_their_owner(self):
        self.told([])
        self.age(1.1 / 24)
        self.keep("20", time.time() + 3600)
        self.assertEqual((self.told([]), self.commands()), ([], []))
        self.assertIn(("gpus", "20", "kept"), self.decided())
        # once that is over, there is a notice before anything else
        self.keep("20", time.time() - 60)
        self.assertEqual((self.told([]), self.commands()), (["ada"], []))
        self.age(1.1 / 24)
        self.keep("20", time.time() - 2 * 3600)
        self.told([])
        self.assertEqual(self.commands(), ["--quiet 20 ada"])

    def test_end_by_no_notice_that_was_perhaps_sent(self):
        (self.folder / "kill-ada").touch()
        self.assertEqual(self.alert([], "--sendmail-user=root").returncode, -9)
        (self.folder / "kill-ada").unlink()
        self.assertEqual([name for name in self.names() if name.startswith("ada")], ["ada-0"])
        self.assertEqual(self.told([]), ["eve"])
        self.age(1.1 / 24)
        self.assertEqual((self.told([]), self.commands()), (["ada"], []))
        self.age(1.1 / 24)
        self.assertEqual((self.told([]), self.commands()), ([], ["--quiet 20 ada"]))

    def test_end_by_no_notice_that_was_not_sent(self):
        (self.folder / "refuse-ada").touch()
        for _ in range(2):
            self.assertEqual(self.alert([]).returncode, 1)
            self.age(2 / 24)
        self.assertEqual((self.commands(), self.decided().count(("gpus", "20", "not-informed"))), ([], 2))
        (self.folder / "refuse-ada").unlink()
        self.assertEqual((self.told([]), self.commands()), (["ada"], []))

    def test_are_ended_later_where_the_command_fails(self):
        self.told([])
        self.age(1.1 / 24)
        (self.folder / "refuse-command").touch()
        done = self.alert([])
        self.assertEqual(done.returncode, 1)
        self.assertIn("policy gpus, job 20: ", done.stderr)
        self.assertEqual([step for step in self.decided() if step[1] == "20"][-2:], [("gpus", "20", "command"), ("gpus", "20", "failed")])
        (self.folder / "refuse-command").unlink()
        self.assertEqual((self.told([]), self.commands()), ([], ["--quiet 20 ada"] * 2))
        self.assertEqual(self.decided()[-1], ("gpus", "20", "done"))

    def test_are_left_alone_where_decisions_cannot_be_kept(self):
        self.decisions.mkdir()
        done = self.alert([])
        self.assertEqual((done.returncode, self.names()), (1, []))
        self.assertIn(f"{self.decisions}: ", done.stderr)

    def test_are_under_policies_that_can_be_meant(self):
        for line, said in (("command = scancel {job}", "not a program with its full path"), ("quiet-hours = 9-17", "not two times of a day"),
                           ("grace = 0", "not between"), ("graze = 600", "no such setting")):
            with self.subTest(line):
                self.enable(f"[idle gpus]\n{line}\n")
                done = self.alert([])
                self.assertEqual((done.returncode, self.names()), (1, []))
                self.assertIn(said, done.stderr)


class Administrators(AlertTest):
    def test_see_all_of_it(self):
        self.told([advice("alice", "1")])
        done = self.alert([advice("bob", "2", cluster="alps"), advice("alice", "1")], "--report")
        self.assertEqual((done.returncode, self.names()), (0, ["alice-0"]))
        title, alice, bob = done.stdout.splitlines()
        self.assertEqual(title.split(), ["USER", "CLUSTER", "JOB", "KIND", "MAILED", "ADVICE"])
        self.assertIn(time.strftime("%Y-", time.gmtime()), alice)
        self.assertEqual(bob.split()[:5], ["bob", "alps", "2", "cpu-idle", "-"])

    def test_are_mailed_all_of_it(self):
        self.assertEqual(self.told([advice("alice", "1")], "--report-to=admin@example.org"), ["admin@example.org", "alice"])
        self.assertEqual(self.told([advice("alice", "1")], "--report-to=admin@example.org"), ["admin@example.org"])
        self.assertIn("It used 1 of 64 CPUs.", self.mail("admin@example.org-1").get_content())
        self.assertEqual(self.told([], "--report-to=admin@example.org"), [])

    def test_learn_what_is_wrong(self):
        path = self.folder / "wrong"
        for text in ("{", "[]", '{"user": "a", "job": "1", "kind": "k"}', '{"user": "a b", "job": "1", "kind": "k", "text": "t"}'):
            with self.subTest(text):
                path.write_text("\n" + text, encoding="utf-8")
                done = self.alert([], f"--advice={path}")
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"{path}: line 2: ", done.stderr)
        self.assertEqual(self.alert([], "x").returncode, 2)
        self.config.write_text("[alert]\nquiet=1\n", encoding="utf-8")
        done = self.alert([])
        self.assertEqual(done.returncode, 2)
        self.assertIn("[alert] quiet: no such setting", done.stderr)


if __name__ == "__main__":
    sys.exit(tap.run(Letters, HowOften, State, Accounts, IdleRuns, Administrators))
