#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What webhooks of users get, and what no user's file can do.

usage: test-webhook.py PROGRAM
"""

import contextlib
import fcntl
import getpass
import http.server
import json
import os
import pathlib
import pwd
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, SECONDS, SLOWNESS, environment  # noqa: E402

ME = getpass.getuser()
# which mails have, too
SHORT = f"--timeout={3 * SLOWNESS}"
HOSTILE = "```\n<!channel> @all @room *b* [x](http://e.example/) <http://e.example/|y> & \x1b[31m \u202e `c` \\ \" {{7*7}} ${jndi:x}\n~~~\n```\n# h"
FORMATS = ("json", "slack", "teams", "mattermost", "matrix")
SENDMAIL = """#!/usr/bin/python3
import os, sys
sys.stdin.buffer.read()
open("{folder}/mails/%s-%d" % (sys.argv[-1], len(os.listdir("{folder}/mails"))), "w").close()
sys.exit(75 if os.path.exists("{folder}/refuse") else 0)
"""


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.command, self.path, dict(self.headers), json.loads(body)))
        reply = self.server.replies.pop(0) if len(self.server.replies) > 1 else self.server.replies[0]
        reply(self)

    do_POST = do_PUT = do_GET = answer

    def log_message(self, *_):
        pass


def replies(status: int, body: bytes = b"ok", **headers: str):
    def reply(handler: Handler) -> None:
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)
    return reply


def hangs(handler: Handler) -> None:
    handler.server.ended.wait(SECONDS)


def does_not_end(handler: Handler) -> None:
    handler.send_response(200)
    handler.end_headers()
    with contextlib.suppress(OSError):
        while True:
            handler.wfile.write(b"x" * 65536)


class Receiver(http.server.ThreadingHTTPServer):
    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests, self.replies, self.ended, self.n_connections = [], [replies(200)], threading.Event(), 0
        self.host = f"127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self):
        self.n_connections += 1
        return super().get_request()

    def end(self):
        self.ended.set()
        self.shutdown()
        self.server_close()


class WebhookTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="jobmetrics-webhook-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        for name in ("mails", "notify"):
            (self.folder / name).mkdir()
        for folder in (self.folder, self.folder / "mails"):
            folder.chmod(0o777)  # nobody writes there
        (self.folder / "notify").chmod(0o755)
        script = self.folder / "sendmail"
        script.write_text(SENDMAIL.format(folder=self.folder), encoding="utf-8")
        script.chmod(0o755)
        self.receiver = Receiver()
        self.addCleanup(self.receiver.end)
        self.file = self.folder / "notify" / ME

    def config(self, hosts: str | None = None) -> str:
        path = self.folder / "mail.conf"
        path.write_text(f"[mail]\nsendmail={self.folder}/sendmail\nwebhook-hosts={hosts or f'http://{self.receiver.host}'}\n"
                        f"webhook-file={self.folder}/notify/{{user}}\n[alert]\nstate-file={self.folder}/state\nquiet-days=0\n", encoding="utf-8")
        return str(path)

    def choose(self, url: str | None = None, **more: str) -> None:
        """What the user's file has."""
        lines = [f"url={url or f'http://{self.receiver.host}/hook'}", *(f"{name}={value}" for name, value in more.items())]
        self.file.write_text("[mine]\n" + "\n".join(lines) + "\n", encoding="utf-8")
        self.file.chmod(0o600)

    def choose_several(self, n: int, url: str | None = None) -> None:
        self.file.write_text("".join(f"[h{i}]\nurl={url or f'http://{self.receiver.host}/hook'}\n" for i in range(n)), encoding="utf-8")
        self.file.chmod(0o600)

    def give_to(self, users: list[str]) -> None:
        for user in users:
            path = self.folder / "notify" / user
            path.write_bytes(self.file.read_bytes())
            path.chmod(0o600)
            os.chown(path, pwd.getpwnam(user).pw_uid, -1)

    def alert(self, *options: str, hosts: str | None = None, text: str = "It used 1 of 64 CPUs.", users=(ME,), status: int = 0) -> str:
        """What it complains about; mails are sent in any case."""
        path = self.folder / "advice"
        path.write_text("".join(json.dumps({"user": user, "job": "7", "kind": "cpu-idle", "text": text}) + "\n" for user in users), encoding="utf-8")
        (self.folder / "state").unlink(missing_ok=True)
        before = len(list((self.folder / "mails").iterdir()))
        done = subprocess.run([PROGRAM, "alert", f"--config.file={self.config(hosts)}", f"--advice={path}", *options], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=SECONDS, env=environment(), check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(len(list((self.folder / "mails").iterdir())) - before, len(set(users)))
        self.assertNotIn("/hook", done.stderr)  # URLs are secrets
        return done.stderr

    def body(self) -> dict:
        self.assertEqual(len(self.receiver.requests), 1)
        return self.receiver.requests.pop()[3]


class Formats(WebhookTest):
    def test_each_gets_what_it_expects(self):
        bodies = {}
        for name in FORMATS:
            self.choose(f"http://{self.receiver.host}" if name == "matrix" else None, format=name, token="s3cret", room="!a:b.example")
            self.assertEqual(self.alert(), "")
            (method, path, headers, bodies[name]), = self.receiver.requests
            self.receiver.requests.clear()
            self.assertEqual(headers["Authorization"], "Bearer s3cret")
            self.assertEqual(headers["Content-Type"], "application/json; charset=utf-8")
            if name == "matrix":
                self.assertEqual(method, "PUT")
                self.assertRegex(path, r"^/_matrix/client/v3/rooms/(?i:%21a%3Ab)\.example/send/m\.room\.message/[0-9a-f-]{36}$")
            else:
                self.assertEqual((method, path), ("POST", "/hook"))
        self.assertEqual({key: value for key, value in bodies["json"].items() if key != "text"},
                         {"event": "alert", "user": ME, "subject": "Your job 7 needs a look"})
        self.assertIn("It used 1 of 64 CPUs.", bodies["json"]["text"])
        for name in ("slack", "mattermost"):
            self.assertTrue(bodies[name]["text"].startswith("```\nYour job 7 needs a look\n\n"), bodies[name])
        self.assertEqual(bodies["matrix"]["msgtype"], "m.notice")
        attachment, = bodies["teams"]["attachments"]
        self.assertEqual((bodies["teams"]["type"], attachment["contentType"]), ("message", "application/vnd.microsoft.card.adaptive"))
        self.assertEqual(attachment["content"]["body"][0]["inlines"][0]["text"], "Your job 7 needs a look")

    def test_hostile_text_stays_text(self):
        for name in FORMATS:
            with self.subTest(name):
                self.choose(f"http://{self.receiver.host}" if name == "matrix" else None, format=name, token="x", room="!a:b")
                self.assertEqual(self.alert(text=HOSTILE), "")
                body = self.body()
                whole = json.dumps(body, ensure_ascii=False)
                self.assertNotRegex(whole, "[\u202a-\u202e]|\\\\u001b")
                self.assertIn("{{7*7}}", whole)
                if name in ("slack", "mattermost"):
                    self.assertEqual(body["text"].count("`"), 6)
                    self.assertRegex(body["text"], "(?s)^```\n.*\n```$")
                if name == "slack":
                    self.assertNotRegex(body["text"], "[<>]|&(?!amp;|lt;|gt;)")
                if name == "teams":
                    self.assertEqual(set(re.findall(r'"type": "(\w+)"', whole)), {"message", "AdaptiveCard", "RichTextBlock", "TextRun"})
                if name == "matrix":
                    self.assertEqual((body["m.mentions"], "formatted_body" in body), ({}, False))

    def test_long_text_is_cut(self):
        self.choose(format="teams")
        self.assertEqual(self.alert(text="\"\\\u00e9\n" * 700, users=(ME, ME, ME)), "")
        self.assertLess(len(json.dumps(self.body(), ensure_ascii=False).encode()), 28 * 1024)


class Receivers(WebhookTest):
    def setUp(self):
        super().setUp()
        self.choose()

    def test_that_are_busy_are_asked_again(self):
        for reply in (replies(500), replies(429, Retry_After="1"), replies(503, b"<html>busy")):
            self.receiver.replies, self.receiver.requests = [reply, replies(204, b"")], []
            self.assertEqual(self.alert(), "")
            self.assertEqual(len(self.receiver.requests), 2)

    def test_that_refuse_are_asked_once(self):
        for reply, why in ((replies(404, b"secret"), "HTTP 404"), (replies(200, b" <!DOCTYPE html>log in"), "the answer is a web page"),
                           (replies(302, Location=f"http://{self.receiver.host}/other"), "HTTP 302")):
            self.receiver.replies, self.receiver.requests = [reply], []
            self.assertIn(f"webhook mine of {ME}: {self.receiver.host}: {why}\n", self.alert())
            self.assertEqual([path for _, path, _, _ in self.receiver.requests], ["/hook"])

    def test_that_do_not_end_have_it(self):
        self.receiver.replies = [does_not_end]
        self.assertEqual(self.alert(), "")
        self.assertEqual(len(self.receiver.requests), 1)

    def test_that_hang_or_stay_busy_do_not_hold_up_the_mail(self):
        for reply, why in ((hangs, "Timeout was reached"), (replies(429, Retry_After="86400"), "HTTP 429")):
            self.receiver.replies, self.receiver.requests = [reply], []
            self.assertIn(why, self.alert(SHORT))
            self.assertEqual(len(self.receiver.requests), 1)

    def test_that_are_down_are_left_out_after_some_users(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            host = f"127.0.0.1:{unused.getsockname()[1]}"
            self.choose(f"http://{host}/hook")
            # only root can give files away
            users = [ME, *(["daemon", "bin", "sys", "mail"] if os.getuid() == 0 else [])]
            self.give_to(users[1:])
            complaints = self.alert(SHORT, hosts=f"http://{host}", users=users)
            self.assertEqual(complaints.count("webhook mine of "), min(3, len(users)))
            self.assertEqual(complaints.count(f"webhooks at {host}: 3 failures in a row"), 1 if len(users) > 1 else 0)

    def test_are_not_left_out_for_one_user(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            host = f"127.0.0.1:{unused.getsockname()[1]}"
            self.choose_several(4, f"http://{host}/hook")
            complaints = self.alert(SHORT, hosts=f"http://{host}")
            self.assertEqual((complaints.count("webhook h"), complaints.count("in a row")), (4, 0))
        for reply, n in ((replies(429, Retry_After="86400"), 4), (hangs, 1)):
            self.choose_several(4)
            self.receiver.replies, self.receiver.requests = [reply], []
            complaints = self.alert(SHORT)
            self.assertEqual((complaints.count("webhook h"), complaints.count("in a row")), (4, 0))
            self.assertEqual((len(self.receiver.requests), complaints.count("no time was left")), (n, 4 - n))

    def test_are_asked_once_where_no_certificate_can_be_read(self):
        self.choose(f"https://{self.receiver.host}/hook")
        self.assertIn(f"webhook mine of {ME}: {self.receiver.host}: ", self.alert("--webhook-ca-file=/nonexistent", hosts=self.receiver.host))
        self.assertEqual(self.receiver.n_connections, 1)

    def test_are_one_of_two_ways(self):
        (self.folder / "refuse").touch()
        self.assertIn("not delivered: ", self.alert())
        self.receiver.replies = [replies(400)]
        self.assertIn("HTTP 400", self.alert(status=1))

    def test_get_the_events_that_the_user_wants(self):
        for events, n in (("end", 0), ("alert", 1), ("end, alert", 1), ("", 0)):
            self.choose(events=events)
            self.receiver.requests.clear()
            self.assertEqual(self.alert(), "")
            self.assertEqual(len(self.receiver.requests), n, events)

    def test_get_ends_of_runs(self):
        for subject, kind, n in (("Slurm Job_id=7 Name=t Began, Queued time 00:00:03", "Began", 0),
                                 ("Slurm Job_id=7 Name=<!here> Ended, Run time 00:01:40, COMPLETED, ExitCode 0", "Ended", 1)):
            done = subprocess.run([PROGRAM, "mail", f"--config.file={self.config()}", "--wait=0", "--store=/nonexistent", "-s", subject, ME], input="",
                                  capture_output=True, text=True, timeout=SECONDS, check=False,
                                  env=environment(SLURM_JOB_ID="7", SLURM_CLUSTER_NAME="alps", SLURM_JOB_USER=ME, SLURM_JOB_MAIL_TYPE=kind))
            self.assertEqual((done.returncode, len(self.receiver.requests)), (0, n), done.stderr)
        body = self.body()
        self.assertEqual([body[key] for key in ("event", "user", "cluster", "job", "subject")], ["end", ME, "alps", "7", subject])


class Hosts(WebhookTest):
    def test_are_those_that_the_site_lists(self):
        host = self.receiver.host
        port = urllib.parse.urlsplit(f"http://{host}").port
        for url, hosts in ((f"http://{host}/hook", "hooks.slack.com"), (f"http://{host}/hook", host), (f"http://{host}/hook", "http://127.0.0.1"),
                           (f"http://localhost:{port}/hook", f"http://{host}"), (f"http://2130706433:{port}/hook", f"http://127.0.0.2:{port}"),
                           (f"http://127.0.0.1:{port}.example.org/hook", f"http://{host}"), (f"http://example.org#@{host}/hook", f"http://{host}"),
                           ("file:///etc/passwd", f"http://{host}"), (f"http://user@{host}/hook", f"http://{host}"),
                           (f"http://x@{host}/hook", f"http://{host}"), (f"gopher://{host}/hook", f"http://{host}")):
            with self.subTest(url=url, hosts=hosts):
                self.choose(url)
                self.assertRegex(self.alert(hosts=hosts), "the site does not list its host|its url is invalid or contains a user")
                self.assertEqual(self.receiver.requests, [])

    def test_of_a_pattern_have_public_addresses(self):
        port = self.receiver.server_port
        # libcurl takes names below localhost for this machine
        self.choose(f"http://a.localhost:{port}/hook")
        self.assertIn("its address is not public", self.alert(hosts=f"http://*.localhost:{port}"))
        self.assertEqual(self.receiver.requests, [])
        self.assertEqual(self.alert(hosts=f"hooks.slack.com, http://a.localhost:{port}"), "")
        self.assertEqual(len(self.receiver.requests), 1)

    def test_are_none_unless_the_site_lists_one(self):
        self.choose()
        self.assertEqual(self.alert(hosts=" "), "")
        self.assertEqual(self.receiver.requests, [])


class Files(WebhookTest):
    def refuse(self, why: str, n: int = 0) -> None:
        complaints = self.alert()
        self.assertRegex(complaints, why)
        self.assertEqual(complaints.count("\n"), 1)
        self.assertEqual(len(self.receiver.requests), n)

    def test_are_not_there(self):
        self.assertEqual(self.alert(users=(ME, "nobody-here")), "")

    def test_of_another_are_not_read(self):
        self.choose()
        if os.getuid() == 0:
            os.chown(self.file, 1, -1)
            self.refuse("its owner is another user")
            return
        path = self.folder / "notify" / "daemon"
        self.file.rename(path)
        self.assertIn("its owner is another user", self.alert(users=("daemon",)))

    def test_that_others_can_change_are_not_read(self):
        self.choose()
        for mode in (0o620, 0o602):
            self.file.chmod(mode)
            self.refuse("others may change it")

    def test_that_are_none_are_not_read(self):
        self.choose()
        there = self.file.rename(self.folder / "notify" / "there")
        for make in (lambda: self.file.symlink_to(there), lambda: os.mkfifo(self.file), self.file.mkdir, lambda: self.file.symlink_to("/dev/zero")):
            make()
            self.refuse("not an ordinary file")
            if self.file.is_dir():
                self.file.rmdir()
            else:
                self.file.unlink()

    def test_are_short(self):
        self.choose()
        with open(self.file, "a", encoding="utf-8") as file:
            file.write("#" * 16384)
        self.refuse("longer than 16 KiB")
        with open(self.file, "r+", encoding="utf-8") as file:
            file.truncate(16384)
        self.assertEqual(self.alert(), "")
        self.assertEqual(len(self.receiver.requests), 1)

    def test_lose_a_section_that_is_wrong_alone(self):
        good = f"[good]\nurl=http://{self.receiver.host}/hook\n"
        for bad, why in (("", "url: not an address"), ("url=http://a b/\n", "url: not an address"), ("url=http://a\nformat=irc\n", "format"),
                         ("url=http://a\nformat=matrix\n", "Matrix needs a token"), ("url=http://a\ntoken=a b\n", "token: empty, too long or with spaces"),
                         ("url=http://a\nevents=all\n", "events: not end or alert"), ("url=http://a\ncommand=/bin/sh\n", "command"),
                         ("url=http://a\ntoken=a\\r\\nHost: b\n", "token: empty, too long or with spaces")):
            with self.subTest(bad):
                self.receiver.requests.clear()
                self.file.write_text("[bad]\n" + bad + good, encoding="utf-8")
                self.refuse(why, 1)
        for text in ("nonsense", "[a\n"):
            self.receiver.requests.clear()
            self.file.write_text(text, encoding="utf-8")
            self.refuse("not an INI file")

    def test_have_so_many_webhooks(self):
        for n in (5, 300):
            self.receiver.requests.clear()
            self.choose_several(n)
            self.refuse(f": {n} sections, of which the first 4 count", 4)

    def test_that_do_not_come_are_not_waited_for_again_and_again(self):
        users = [ME, *(["bin", "daemon", "mail", "sys"] if os.getuid() == 0 else [])]
        self.choose()
        self.give_to(users[1:])
        # a file with a lease is one that another host's file system has not got now
        self.addCleanup(signal.signal, signal.SIGIO, signal.signal(signal.SIGIO, signal.SIG_IGN))
        with contextlib.ExitStack() as files:
            for user in users:
                file = files.enter_context(open(self.folder / "notify" / user, "r+b"))
                fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
            complaints = self.alert(users=users)
        self.assertEqual(complaints.count("webhooks of "), min(3, len(users)))
        self.assertEqual(complaints.count("webhooks: 3 files in a row did not come"), 1 if len(users) > 1 else 0)
        self.assertEqual(self.receiver.requests, [])


if __name__ == "__main__":
    sys.exit(tap.run(Formats, Receivers, Hosts, Files))
