#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What becomes of a scheduler's mails, with a mail program and a mail server that keep what they are given.

usage: test-mail.py PROGRAM MAIL-PROGRAM MADE-ACCOUNTS

Run 7 of the archive is of sys, on the cluster alps.
"""

import contextlib
import email
import email.policy
import json
import os
import pathlib
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, SECONDS, environment  # noqa: E402
from smtp_sink import LOGIN, Sink, make_certificates  # noqa: E402

MAIL_PROGRAM, MADE_ACCOUNTS = map(os.path.abspath, sys.argv[2:4])
BEGAN = "Slurm Job_id=7 Name=train Began, Queued time 00:00:03"
ENDED = "Slurm Job_id=7 Name=train Ended, Run time 00:01:40, COMPLETED, ExitCode 0"
# What the made run has come to: it took 100 seconds.
VERDICT = "too short to judge"
# As Slurm 22.05 reports run 7; not each version reports its start.
SLURM = {"SLURM_JOB_ID": "7", "SLURM_CLUSTER_NAME": "alps", "SLURM_JOB_USER": "sys", "SLURM_JOB_MAIL_TYPE": "Ended",
         "SLURM_JOB_STATE": "COMPLETED"}
START = {"SLURM_JOB_START_TIME": str(1772323200 + 7)}
# Keeps its arguments and its input.
SENDMAIL = """#!/usr/bin/python3
import json, os, sys
with open("{folder}/given.json", "w") as file:
    json.dump({{"arguments": sys.argv[1:], "text": sys.stdin.buffer.read().decode("latin-1"), "uid": os.getuid()}}, file)
"""


class MailTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="jobmetrics-mail-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.folder.chmod(0o777)  # nobody writes there
        self.sendmail = self.write("sendmail", SENDMAIL.format(folder=self.folder), 0o755)

    def write(self, name: str, text: str, mode: int = 0o644) -> str:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)
        return str(path)

    def run_mail(self, *arguments: str, options=(), text: bytes = b"", **variables: str) -> subprocess.CompletedProcess:
        config = self.folder / "mail.conf"
        if not config.exists():
            config.write_text("", encoding="utf-8")
        # never what this machine has
        own = [f"--config.file={config}", f"--sendmail={self.sendmail}", "--wait=0", "--store=/nonexistent", *options]
        if any(option.startswith("--server") for option in options):
            own.remove("--store=/nonexistent")
        plain = {name: value for name, value in environment(**variables).items() if name.startswith("SLURM") <= (name in variables)}
        return subprocess.run([PROGRAM, "mail", *own, *arguments], input=text, capture_output=True, timeout=SECONDS, env=plain, check=False)

    def given(self) -> dict:
        return json.loads((self.folder / "given.json").read_text(encoding="utf-8"))

    def is_given(self) -> bool:
        return (self.folder / "given.json").exists()

    def mail(self, *arguments: str, **options) -> email.message.EmailMessage:
        """What the mail program is given."""
        done = self.run_mail(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.parse(self.given()["text"].encode("latin-1"))

    def parse(self, text: bytes) -> email.message.EmailMessage:
        mail = email.message_from_bytes(text, policy=email.policy.strict)
        self.assertEqual(mail["Auto-Submitted"], "auto-generated")
        self.assertIsNotNone(mail["Date"].datetime)
        self.assertRegex(mail["Message-ID"], r"^<[^<>@\s]+@[^<>@\s]+>$")
        self.assertTrue(all(len(line) <= 998 for line in text.splitlines()))
        self.assertTrue(text.isascii())
        return mail

    def accounts(self) -> str:
        path = self.folder / "accounts.db"
        subprocess.run([MADE_ACCOUNTS, path], check=True, timeout=SECONDS)
        return f"--store={path}"


class Notices(MailTest):
    """What is no job's end."""

    def test_are_passed_on_as_they_are(self):
        mail = self.mail("-s", BEGAN, "alice@example.org", text=b"Two lines\nof text\n", **SLURM | {"SLURM_JOB_MAIL_TYPE": "Began"})
        self.assertEqual((mail["Subject"], mail["To"], mail["X-Jobmetrics-Job"]), (BEGAN, "alice@example.org", "7"))
        self.assertEqual((mail.get_content_type(), mail.get_content()), ("text/plain", "Two lines\nof text\n"))
        self.assertEqual(self.given()["arguments"], ["-i", "--", "alice@example.org"])

    def test_of_old_versions_are_known_by_their_subject(self):
        for subject in (BEGAN, "SLURM Job_id=7 Name=a Ended, b Began, Queued time 00:01:00", "Slurm Job_id=7 Name=x Reached time limit, Run time 1"):
            with self.subTest(subject):
                mail = self.mail("-s", subject, "alice", options=[self.accounts()])
                self.assertEqual((mail.get_content_type(), mail.get_content().strip()), ("text/plain", ""))

    def test_are_not_about_jobs_at_all(self):
        mail = self.mail("-s", "The printer is out of paper", "alice", text=b"Refill it.\n")
        self.assertEqual((mail.get_content(), mail["X-Jobmetrics-Job"]), ("Refill it.\n", None))

    def test_are_text_in_any_charset(self):
        mail = self.mail("-s", "Größe \U0001f600", "alice", text="naïve\n.\nFrom here\n".encode() + b"x" * 5000)
        self.assertEqual(mail["Subject"], "Größe \U0001f600")
        self.assertEqual(mail.get_content().splitlines(), ["naïve", ".", "From here", "x" * 5000])
        self.assertEqual(self.mail("-s", "s", "alice", text=b"na\xefve \0 text").get_content().rstrip("\n"), "naïve   text")

    def test_are_bounded(self):
        text = self.mail("-s", "s" * 9000, "alice", text=b"0123456789abcde\n" * 100000).get_content()
        self.assertTrue(text.endswith("[the rest is left out]\n"))
        self.assertLess(len(text), 1 << 21)

    def test_need_no_end_of_their_input(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, writer)
        done = subprocess.run([PROGRAM, "mail", "--config.file=/dev/null", f"--sendmail={self.sendmail}", "-s", "s", "alice"], stdin=reader,
                              timeout=SECONDS, capture_output=True, env=environment(), check=False)
        os.close(reader)
        self.assertEqual((done.returncode, self.is_given()), (0, True), done.stderr)

    def test_come_from_whom_the_site_says(self):
        self.write("mail.conf", "[mail]\nfrom=Der Größte <hpc@example.org>\nenvelope-from=bounces@example.org\nreply-to=help@example.org\n"
                                "domain=users.example.org\n[report]\nwait=1\n[archive]\nstore=/nonexistent\n[alert]\nunknown=1\n")
        mail = self.mail("-s", "s", "alice,bob@example.com")
        self.assertEqual((mail["From"], mail["Reply-To"]), ("Der Größte <hpc@example.org>", "help@example.org"))
        self.assertEqual(mail["To"], "alice@users.example.org, bob@example.com")
        self.assertEqual(self.given()["arguments"], ["-i", "-f", "bounces@example.org", "--", "alice@users.example.org", "bob@example.com"])

    def test_go_out_in_spite_of_a_wrong_file(self):
        self.write("mail.conf", "[mail]\nreply-to=help@example.org\nform=hpc@example.org\n")
        done = self.run_mail("-s", "s", "alice")
        self.assertEqual((done.returncode, self.is_given()), (0, True))
        self.assertIn("[mail] form: no such setting", done.stderr.decode())

    def test_can_be_looked_at(self):
        done = self.run_mail("-s", BEGAN, "alice", options=["--dry-run"])
        self.assertEqual((done.returncode, self.is_given()), (0, False))
        self.assertEqual(self.parse(done.stdout)["Subject"], BEGAN)


class Reports(MailTest):
    def check(self, mail: email.message.EmailMessage, *texts: str) -> None:
        self.assertEqual(mail.get_content_type(), "multipart/alternative")
        plain, html = mail.iter_parts()
        self.assertEqual((plain.get_content_type(), html.get_content_type()), ("text/plain", "text/html"))
        for part in (plain, html):
            for text in ("Job 7", "biology", *texts):
                self.assertIn(text, part.get_content())

    def test_are_part_of_the_mail_of_an_end(self):
        mail = self.mail("-s", ENDED, "alice", options=[self.accounts()], **SLURM, **START)
        self.assertEqual(mail["Subject"], f"{ENDED}, {VERDICT}")
        self.check(mail, VERDICT)

    def test_come_behind_what_the_scheduler_says(self):
        mail = self.mail("-s", ENDED, "alice", options=[self.accounts()], text=b"a < b\n", **SLURM, **START)
        plain, html = mail.iter_parts()
        self.assertRegex(plain.get_content(), r"^a < b\n\n[= \n]*Job 7\n")
        self.assertIn("a &lt; b", html.get_content())

    def test_are_on_paper_too(self):
        done = self.run_mail("-s", ENDED, "alice", options=[self.accounts(), "--pdf"], **SLURM, **START,
                             ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")  # fontconfig keeps what it read
        self.assertEqual(done.returncode, 0, done.stderr)
        mail = self.parse(self.given()["text"].encode())
        if b"no PDF: " in done.stderr:  # built without cairo
            self.check(mail)
            return
        self.assertEqual(mail.get_content_type(), "multipart/mixed")
        shown, paper = mail.iter_parts()
        self.check(shown)
        self.assertEqual((paper.get_content_type(), paper.get_filename()), ("application/pdf", "job-7.pdf"))
        self.assertTrue(paper.get_content().startswith(b"%PDF-"))

    def test_are_of_nobody_else(self):
        mail = self.mail("-s", ENDED, "alice", options=[self.accounts()], **SLURM | START | {"SLURM_JOB_USER": "daemon"})
        self.assertIn("There is no report of this job: 7: no such job in the archive", mail.get_content())
        mail = self.mail("-s", ENDED, "alice", options=[self.accounts()], **SLURM | START | {"SLURM_CLUSTER_NAME": "jura"})
        self.assertIn("no such job", mail.get_content())

    def test_are_of_no_earlier_run(self):
        mail = self.mail("-s", ENDED, "alice", options=[self.accounts()], text=b"ended\n", **SLURM)
        self.assertEqual(mail.get_content(), "ended\n\nThere is no report of this job: 7: the archive knows of an earlier run alone\n")
        mail = self.mail("-s", ENDED, "alice", options=[self.accounts()], **SLURM, SLURM_JOB_START_TIME=str(int(START["SLURM_JOB_START_TIME"]) + 60))
        self.assertIn("no such job", mail.get_content())

    def test_may_come_late(self):
        late = threading.Timer(1, self.accounts)
        late.start()
        self.addCleanup(late.join)
        options = [f"--store={self.folder}/accounts.db", "--wait=20"]
        self.check(self.mail("-s", ENDED, "alice", options=options, **SLURM, **START))

    def set_state(self, state: str) -> None:
        with contextlib.closing(sqlite3.connect(self.folder / "accounts.db")) as accounts, accounts:
            accounts.execute("UPDATE run SET state = ?", (state,))

    def test_wait_until_the_scheduler_says_how_it_ended(self):
        """A node knows that it ended, and not how."""
        options = [self.accounts(), "--wait=20"]
        self.set_state("ENDED")
        late = threading.Timer(1, self.set_state, ["COMPLETED"])
        late.start()
        self.addCleanup(late.join)
        self.check(self.mail("-s", ENDED, "alice", options=options, **SLURM, **START), "COMPLETED")

    def test_do_without_how_it_ended_where_nobody_says(self):
        options = [self.accounts(), "--wait=0"]
        self.set_state("ENDED")
        self.check(self.mail("-s", ENDED, "alice", options=options, **SLURM, **START), "ENDED")

    def test_are_not_waited_for_for_ever(self):
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(str(self.folder / "socket"))
        listener.listen()
        begin = time.monotonic()
        mail = self.mail("-s", ENDED, "alice", options=[f"--server=unix:{self.folder}/socket"], **SLURM)
        self.assertIn("the archive does not answer", mail.get_content())
        self.assertLess(time.monotonic() - begin, 25)

    def test_are_not_there_of_whole_arrays(self):
        mail = self.mail("-s", "Slurm Array Summary Job_id=7_* (9) Name=n Ended, Mixed, ExitCode [0-1]", "alice", options=[self.accounts()], **SLURM, **START)
        self.assertIn("jobmetrics-cli history --job=7\n", mail.get_content())

    def test_say_in_one_line_why_there_is_none(self):
        done = self.run_mail("-s", ENDED, "alice", **SLURM)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr.decode(), r"^jobmetrics-cli: no report: .*/nonexistent.*\n$")
        self.assertEqual(len(self.parse(self.given()["text"].encode()).get_content().splitlines()), 1)


class OtherSchedulers(MailTest):
    def test_grid_engine_has_a_text(self):
        text = b"Job 7 (train) Complete\n User             = sys\n Exit Status      = 0\n"
        mail = self.mail("-s", "Job 7 (train) Complete", "sys@node1", text=text)
        self.assertTrue(mail.get_content().startswith(text.decode()))
        self.assertIn("There is no report of this job", mail.get_content())
        mail = self.mail("-s", "Job-array task 7.3 (train) Started", "sys@node1", text=text)
        self.assertEqual((mail.get_content(), mail["X-Jobmetrics-Job"]), (text.decode(), "7_3"))

    def pbs(self, body: str, job: str = "7.server", to: str = "alice@a.example bob@b.example ") -> email.message.EmailMessage:
        """With its standard output and error closed."""
        text = f"To: {to}\nSubject: PBS JOB {job}\n\n{body}"
        call = [PROGRAM, "mail", "--config.file=/dev/null", f"--sendmail={self.sendmail}", "--wait=0", "--store=/nonexistent", "-f", "adm", to]
        done = subprocess.run(["/bin/sh", "-c", 'exec "$@" >&- 2>&-', "sh", *call], input=text.encode(), timeout=SECONDS, env=environment(), check=False)
        self.assertEqual(done.returncode, 0)
        return self.parse(self.given()["text"].encode("latin-1"))

    def test_pbs_has_a_message(self):
        mail = self.pbs("PBS Job Id: 7.server\nJob Name:   train\nBegun execution\n")
        self.assertEqual((mail["Subject"], mail["From"], mail["To"]), ("PBS JOB 7.server", "adm", "alice@a.example, bob@b.example"))
        self.assertEqual(mail.get_content(), "PBS Job Id: 7.server\nJob Name:   train\nBegun execution\n")
        self.assertEqual(self.given()["arguments"], ["-i", "-f", "adm", "--", "alice@a.example", "bob@b.example"])

    def test_pbs_reports_ends_in_the_text(self):
        mail = self.pbs("PBS Job Id: 7.server\nJob Name:   train\nExecution terminated\nExit_status=0\n")
        self.assertRegex(mail.get_content(), r"Exit_status=0\n\nThere is no report of this job: ")
        mail = self.pbs("PBS Job Id: 7[2].server\nJob Name:   train\nExecution terminated\nExit_status=0\n", job="7[2].server")
        self.assertEqual(mail["X-Jobmetrics-Job"], "7_2")

    def test_slurm_gives_no_options(self):
        """The program itself, with a file of the site's."""
        etc = self.folder / "etc"
        etc.mkdir()
        for name in ("passwd", "group", "nsswitch.conf", "ld.so.cache", "localtime", "hosts"):
            if pathlib.Path("/etc", name).exists():
                shutil.copy(f"/etc/{name}", etc)
        (etc / "jobmetrics").mkdir()
        (etc / "jobmetrics/mail.conf").write_text(f"[mail]\nsendmail={self.sendmail}\n[report]\nwait=0\n[archive]\nstore=/nonexistent\n", encoding="utf-8")
        inside = ["unshare", "--mount", "sh", "-c", 'mount --bind "$1" /etc || exit 99; shift; exec "$@"', "sh", str(etc)]
        if subprocess.run([*inside, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no mounts can be made here")
        done = subprocess.run([*inside, MAIL_PROGRAM, "-s", BEGAN, "alice"], capture_output=True, stdin=subprocess.DEVNULL, timeout=SECONDS,
                              env={"SLURM_JOB_MAIL_TYPE": "Began"}, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.parse(self.given()["text"].encode())["Subject"], BEGAN)


class Strangers(MailTest):
    """What users can write into a job's name, and where it is to be mailed to."""

    def test_give_no_options(self):
        for recipient in ("--sendmail=/bin/true", "-oQ/tmp", "|/bin/sh", "/etc/passwd", "--config.file=/tmp/x", "\\root", '"a b"@example.org', "a@", "@b"):
            with self.subTest(recipient):
                done = self.run_mail("-s", BEGAN, recipient)
                self.assertEqual((done.returncode, self.is_given()), (1, False))
                self.assertIn(f"no address: {recipient.split()[0]}", done.stderr.decode().replace("\\\\", "\\"))

    def test_give_the_mail_program_no_options_either(self):
        # without a file of the site's nothing is sent: nobody is left to send it to
        for arguments in (["-s", BEGAN, "--dry-run"], ["-s", "--help", "--help"], ["--config.file=/tmp/x", "-s", BEGAN, "alice"], [], ["-s", BEGAN]):
            with self.subTest(arguments):
                done = subprocess.run([MAIL_PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
                self.assertEqual(done.returncode, 1 if arguments[:1] == ["-s"] and len(arguments) > 2 else 2, done.stderr)
                self.assertEqual(done.stdout, b"")

    def test_keep_no_mail_from_others(self):
        done = self.run_mail("-s", BEGAN, "alice@example.org,-x")
        self.assertEqual((done.returncode, self.given()["arguments"]), (1, ["-i", "--", "alice@example.org"]))

    def test_write_no_headers(self):
        mail = self.mail("-s", "a\r\nBcc: mallory@example.org\n\nbody", "alice")
        self.assertEqual((mail["Subject"], mail["Bcc"]), ("a  Bcc: mallory@example.org  body", None))

    def test_are_reported_once_and_not_without_number(self):
        done = self.run_mail("-s", BEGAN, ",".join(["alice"] * 3 + [f"u{i}" for i in range(100)]))
        self.assertEqual((done.returncode, len(self.given()["arguments"])), (1, 2 + 50))
        self.assertIn("u49: one too many", done.stderr.decode())


class MailPrograms(MailTest):
    def test_do_not_run_as_root(self):
        self.mail("-s", BEGAN, "alice")
        self.assertEqual(self.given()["uid"] == 0, False)

    def failing(self, script: str, message: str, *options: str) -> None:
        self.write("sendmail", script, 0o755)
        done = self.run_mail("-s", BEGAN, "alice", options=options)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), f"^jobmetrics-cli: not delivered: '{re.escape(BEGAN)}': {self.sendmail}: {message}\n$")

    def test_fail(self):
        self.failing("#!/bin/sh\ncat > /dev/null\necho no space >&2\necho left >&2\nexit 75\n", "exit status 75: no space left")
        self.failing("#!/bin/sh\nkill -9 $$\n", "killed by signal 9")
        self.failing("#!/bin/sh\nexec sleep 60\n", "not done after 1 s", "--timeout=1")

    def test_are_not_there(self):
        self.sendmail = "/nonexistent/sendmail"
        done = self.run_mail("-s", BEGAN, "alice")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/nonexistent/sendmail", done.stderr.decode())


class Servers(MailTest):
    PLAIN = "--smtp-tls=none"

    def smtp(self, sink: Sink, *options: str, to: str = "alice@example.org", text: bytes = b"", scheme: str = "smtp") -> subprocess.CompletedProcess:
        own = [f"--smtp={scheme}://127.0.0.1:{sink.port}", "--from=The cluster <hpc@example.org>", *options]
        return self.run_mail("-s", BEGAN, to, options=own, text=text)

    def login(self, password: str = LOGIN[1], mode: int = 0o600) -> str:
        return f"--smtp-login-file={self.write('login', f'username={LOGIN[0]}{chr(10)}password={password}{chr(10)}', mode)}"

    def test_are_given_mails(self):
        with Sink() as sink:
            done = self.smtp(sink, self.PLAIN, "--envelope-from=bounces@example.org", to="alice@example.org bob@example.org", text=b"one\n.\n..two\n")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual([mail[:2] for mail in sink.mails], [("bounces@example.org", ["alice@example.org"]), ("bounces@example.org", ["bob@example.org"])])
            content = sink.mails[0][2]
        self.assertEqual(content.count(b"\n"), content.count(b"\r\n"))
        mail = self.parse(content)
        self.assertEqual((mail["From"], mail["To"]), ("The cluster <hpc@example.org>", "alice@example.org, bob@example.org"))
        self.assertEqual(mail.get_content().splitlines(), ["one", ".", "..two"])

    def test_are_trusted_by_their_certificate(self):
        tls, authority = make_certificates(self.folder)
        with Sink(tls, require_starttls=True) as sink:
            done = self.smtp(sink, f"--smtp-ca-file={authority}")
            self.assertEqual((done.returncode, len(sink.mails)), (0, 1), done.stderr)
            done = self.smtp(sink)
            self.assertEqual((done.returncode, len(sink.mails)), (1, 1))
            self.assertIn("certificate", done.stderr.decode())
        with Sink(tls, implicit=True) as sink:
            done = self.smtp(sink, f"--smtp-ca-file={authority}", scheme="smtps")
            self.assertEqual((done.returncode, len(sink.mails)), (0, 1), done.stderr)

    def test_get_nothing_in_the_clear(self):
        with Sink() as sink:
            done = self.smtp(sink)
            self.assertEqual((done.returncode, sink.mails), (1, []))

    def test_know_who_sends(self):
        tls, authority = make_certificates(self.folder)
        with Sink(tls, require_starttls=True, auth_required=True) as sink:
            self.assertEqual(self.smtp(sink, f"--smtp-ca-file={authority}").returncode, 1)
            done = self.smtp(sink, f"--smtp-ca-file={authority}", self.login("wrong"))
            self.assertEqual((done.returncode, sink.mails), (1, []))
            self.assertNotIn("wrong", done.stderr.decode())
            done = self.smtp(sink, f"--smtp-ca-file={authority}", self.login())
            self.assertEqual((done.returncode, len(sink.mails), sink.logins[-1]), (0, 1, LOGIN), done.stderr)
            done = self.smtp(sink, f"--smtp-ca-file={authority}", self.login(mode=0o644))
            self.assertEqual((done.returncode, len(sink.mails)), (1, 1))

    def test_refuse_some(self):
        with Sink() as sink:
            sink.answers = {"bob@example.org": ["550 who?"], "carol@example.org": ["451 later"]}
            done = self.smtp(sink, self.PLAIN, to="bob@example.org,carol@example.org,alice@example.org")
            self.assertEqual(done.returncode, 1)
            self.assertEqual([mail[1] for mail in sink.mails], [["carol@example.org"], ["alice@example.org"]])
        self.assertRegex(done.stderr.decode(), "not delivered: .*: bob@example.org: .*550")

    def test_refuse_for_long(self):
        with Sink() as sink:
            sink.answers = {"alice@example.org": ["451 later"] * 9}
            done = self.smtp(sink, self.PLAIN)
            self.assertEqual((done.returncode, len(sink.answers["alice@example.org"])), (1, 6))

    def test_are_silent(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            sink = Sink()
            sink.port = listener.getsockname()[1]
            begin = time.monotonic()
            done = self.smtp(sink, self.PLAIN, "--timeout=1", to="a@example.org,b@example.org")
            self.assertEqual(done.returncode, 1)
            self.assertLess(time.monotonic() - begin, SECONDS / 2)
        self.assertIn("imed out", done.stderr.decode())
        self.assertEqual(self.smtp(sink, self.PLAIN).returncode, 1)

    def test_are_not_meant(self):
        for url, reason in (("http://example.org", "not smtp://"), ("smtp://", "not smtp://"), ("smtp://u:p@example.org", "belong into")):
            with self.subTest(url):
                done = self.run_mail("-s", BEGAN, "alice", options=[f"--smtp={url}"])
                self.assertEqual(done.returncode, 1)
                self.assertIn(reason, done.stderr.decode())
                self.assertNotIn("u:p", done.stderr.decode())
        done = self.run_mail("-s", BEGAN, "alice", options=["--smtp=smtp://mail.example.org", self.PLAIN, self.login()])
        self.assertIn("not sent in the clear", done.stderr.decode())


if __name__ == "__main__":
    sys.exit(tap.run(Notices, Reports, OtherSchedulers, Strangers, MailPrograms, Servers))
