#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Situations of the web server, played against a server without jobs.

usage: test-web-server.py WEB-SERVER SANITIZER
"""

import base64
import concurrent.futures
import contextlib
import gzip
import http.client
import os
import pathlib
import select
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pylib"))
import tap  # noqa: E402
from unix_socket import await_listener  # noqa: E402

SERVER = os.path.abspath(sys.argv[1])
SANITIZER = sys.argv[2]
PATIENCE_S = 20
ALICE = "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"  # secret
SLOW = "$2b$10$abcdefghijklmnopqrstuuTL3rBAB2FTLNnpGNZhAYflp5RzALnWK"  # slow
BOB = "$2y$05$ABCDEFGHIJKLMNOPQRSTUuy7.SRQp6zzmDqpwAozFshLprLplpb1m"  # other


def openssl(*args):
    subprocess.run(["openssl", *args], check=True, capture_output=True)


def make_authority(folder, name):
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", f"{folder}/{name}.key", "-out", f"{folder}/{name}.crt", "-days", "2",
            "-subj", f"/CN={name}", "-addext", "basicConstraints=critical,CA:TRUE",
            "-addext", "keyUsage=critical,keyCertSign")


def make_certificate(folder, authority, name, alternative):
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", f"{folder}/{name}.key", "-out", f"{folder}/{name}.csr", "-subj", f"/CN={name}")
    extensions = os.path.join(folder, f"{name}.ext")
    with open(extensions, "w") as file:
        file.write(f"subjectAltName={alternative}\n")
    openssl("x509", "-req", "-in", f"{folder}/{name}.csr", "-CA", f"{folder}/{authority}.crt",
            "-CAkey", f"{folder}/{authority}.key", "-CAcreateserial", "-days", "2",
            "-extfile", extensions, "-out", f"{folder}/{name}.crt")


class Certificates:
    """Made once, for all tests."""

    folder = None

    @classmethod
    def get(cls):
        if cls.folder is None:
            cls.folder = tempfile.mkdtemp(prefix="jobmetrics-certificates-")
            make_authority(cls.folder, "ca")
            make_authority(cls.folder, "stranger")
            make_certificate(cls.folder, "ca", "server", "DNS:localhost,IP:127.0.0.1")
            make_certificate(cls.folder, "ca", "second", "DNS:localhost,IP:127.0.0.1")
            make_certificate(cls.folder, "ca", "client", "DNS:prometheus.example.org")
            make_certificate(cls.folder, "stranger", "foe", "DNS:prometheus.example.org")
        return cls.folder


def environment(config=None, **variables):
    """LeakSanitizer of Debian 12 crashes where GnuTLS has run in a thread that has ended."""
    result = dict(os.environ, **variables)
    if config is not None and "tls_server_config" in config:
        result["ASAN_OPTIONS"] = result.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    return result


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=PATIENCE_S)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(PATIENCE_S)
        self.sock.connect(self.path)


class WebServerTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="jobmetrics-web-")
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path + ".new", "w") as file:
            file.write(text)
        os.rename(path + ".new", path)
        return path

    def start(self, *args, config=None, listen=("127.0.0.1:0",), command=(), variables=None, name=None, **kwargs):
        arguments = [*command, SERVER, *args]
        for address in listen:
            arguments += ["--listen", address]
        if config is not None:
            path = self.write("web.yml", config)
            arguments += ["--config", name or path]
        self.log = open(os.path.join(self.folder, "log"), "w+")
        self.server = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=self.log, text=True,
                                       env=environment(config, **(variables or {})), **kwargs)
        self.addCleanup(self.stop)
        self.addresses = []
        for line in self.server.stdout:
            if line == "ready\n":
                break
            self.addresses.append(line.split()[1])
        else:
            self.fail("the server did not start: " + self.read_log())
        if self.addresses and not self.addresses[0].startswith("unix:"):
            self.port = int(self.addresses[0].rsplit(":", 1)[1])

    def refuse_to_start(self, *args, config=None):
        arguments = [SERVER, *args]
        if config is not None:
            arguments += ["--config", self.write("web.yml", config)]
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=PATIENCE_S, env=environment(config))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def stop(self):
        if self.server.poll() is None:
            self.server.send_signal(signal.SIGTERM)
        try:
            status = self.server.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()
            status = "hangs"
        self.server.stdout.close()
        log = self.read_log()
        self.log.close()
        self.assertEqual(status, 0, log)
        self.assertNotIn("assertion '", log)
        self.assertNotIn("invalid", log)
        self.assertNotIn("Sanitizer", log)

    def read_log(self):
        self.log.flush()
        with open(self.log.name) as file:
            return file.read()

    def fetch(self, path, method="GET", headers=None, body=None, connection=None):
        connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            reply = connection.getresponse()
            return reply, reply.read()
        finally:
            connection.close()

    def status(self, *args, **kwargs):
        return self.fetch(*args, **kwargs)[0].status

    def raw(self, data):
        """Sends bytes as they are; returns all that comes back until the end, which may come before all is sent."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as client:
            with contextlib.suppress(ConnectionResetError, BrokenPipeError):
                client.sendall(data)
            return self.read_to_end(client)

    def read_to_end(self, client):
        got = b""
        try:
            while chunk := client.recv(65536):
                got += chunk
        except ConnectionResetError:
            pass
        return got

    def wait_for(self, condition, what):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.05)
        self.fail(what + ": " + self.read_log())


class Plain(WebServerTest):
    def test_a_page_is_served_on_each_address(self):
        path = os.path.join(self.folder, "socket")
        self.start(listen=("127.0.0.1:0", ":0", "localhost:0", "unix:" + path))
        for address in self.addresses:
            if address.startswith("unix:"):
                self.assertEqual(self.status("/small", connection=UnixConnection(path)), 200)
                self.assertEqual(os.stat(path).st_mode & 0o777, 0o660)
            else:
                host, port = address.rsplit(":", 1)
                host = "127.0.0.1" if host == "[::]" else host.strip("[]")
                connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE_S)
                self.assertEqual(self.status("/small", connection=connection), 200)
        self.server.send_signal(signal.SIGTERM)
        self.server.wait(PATIENCE_S)
        self.assertFalse(os.path.exists(path))

    def test_ipv6_is_served(self):
        try:
            socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        except OSError as error:
            self.skipTest(f"this host has no ::1: {error}")
        self.start(listen=("[::1]:0",))
        self.assertEqual(self.status("/small", connection=http.client.HTTPConnection("::1", self.port)), 200)

    def test_head_has_the_length_and_sends_no_body(self):
        self.start()
        reply, body = self.fetch("/text", method="HEAD")
        self.assertEqual((reply.status, body), (200, b""))
        self.assertEqual(int(reply.headers["Content-Length"]), len(self.fetch("/text")[1]))

    def test_other_methods_are_refused(self):
        self.start()
        for method, body in ("POST", b"x" * 60000), ("PUT", b""), ("DELETE", None), ("OPTIONS", None):
            reply, _ = self.fetch("/text", method=method, body=body)
            self.assertEqual(reply.status, 405, method)
            self.assertEqual(reply.headers["Allow"], "GET, HEAD")
        self.assertIn(b" 404 ", self.raw(b"OPTIONS * HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n"))
        self.assertIn(b"HTTP/1.1 4", self.raw(b"CONNECT a:80 HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n"))

    def test_a_large_body_is_not_waited_for(self):
        self.start()
        self.assertEqual(self.raw(b"POST /text HTTP/1.1\r\nConnection: close\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n"), b"")
        self.assertEqual(self.status("/small"), 200)

    def test_an_unknown_page_is_plain_404(self):
        self.start()
        reply, body = self.fetch("/nothing")
        self.assertEqual((reply.status, body), (404, b"404: no such page\n"))
        self.assertEqual(reply.headers["Content-Type"], "text/plain; charset=utf-8")

    def test_no_path_leads_out(self):
        self.start()
        for path in "/../etc/passwd", "/%2e%2e/etc/passwd", "/text/../../etc/passwd", "/text%00", "//text", "/text/":
            self.assertIn(self.status(path), (400, 404), path)

    def test_a_query_keeps_repeated_keys(self):
        self.start()
        reply, body = self.fetch("/query?collect[]=a+b&x=1&collect%5B%5D=c%26d", headers={"User-Agent": "tester"})
        self.assertEqual((reply.status, body), (200, b"a b|c&d tester\n"))
        self.assertEqual(self.status("/query?collect[]=%zz"), 400)
        self.assertEqual(self.status("/query?" + "a=1&" * 300), 400)

    def test_gzip_is_sent_to_those_who_ask(self):
        self.start()
        plain = self.fetch("/text")[1]
        reply, body = self.fetch("/text", headers={"Accept-Encoding": "gzip"})
        self.assertEqual(reply.headers["Content-Encoding"], "gzip")
        self.assertEqual(gzip.decompress(body), plain)
        reply, body = self.fetch("/text", headers={"Accept-Encoding": "gzip;q=0"})
        self.assertIsNone(reply.headers["Content-Encoding"])
        self.assertEqual(reply.headers["Vary"], "Accept-Encoding, Accept")
        self.assertIsNone(self.fetch("/small", headers={"Accept-Encoding": "gzip"})[0].headers["Content-Encoding"])

    def test_ranges_are_not_cut_out(self):
        self.start()
        reply, body = self.fetch("/text", headers={"Range": "bytes=0-3"})
        self.assertEqual(reply.status, 200)
        self.assertGreater(len(body), 1000)

    def test_old_clients_are_served(self):
        path = os.path.join(self.folder, "socket")
        self.start(listen=("127.0.0.1:0", "unix:" + path))
        self.assertIn(b"small\n", self.raw(b"GET /small HTTP/1.0\r\n\r\n"))
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(path)
            client.sendall(b"GET /small HTTP/1.0\r\n\r\n")
            self.assertIn(b"small\n", self.read_to_end(client))

    def test_nonsense_is_no_harm(self):
        self.start()
        for data in (b"\0" * 1000, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /small HTTP/1.1\r\n\r\n",
                     b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"GET http:// HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n"):
            self.assertNotIn(b" 200 ", self.raw(data))
        self.assertEqual(self.status("/small"), 200)

    def test_what_proxies_read_differently_is_400(self):
        self.start()
        get, post = b"GET /small HTTP/1.1\r\nConnection: close\r\nHost: a\r\n", b"POST /echo HTTP/1.1\r\nConnection: close\r\nHost: a\r\n"
        chunks = b"Transfer-Encoding: chunked\r\n"
        heads = [
            get + b"Host: b\r\n",
            get.replace(b"Host: a", b"Host: a, b"),
            get.replace(b"/small", b"http://b/small"),
            post + b"Content-Length: 5\r\n" + chunks,
            post + chunks + b"Content-Length: 5\r\n",
            post + b"Content-Length: 5\r\nContent-Length: 6\r\n",
            post + b"Content-Length : 5\r\n",
            *(post + b"Content-Length: %s\r\n" % length for length in (b"-1", b"+0", b"5, 5", b"0x5", b"5 5", b"", b"9" * 30)),
            post + chunks + chunks,
            post + b"Transfer-Encoding: identity\r\n",
            post.replace(b"1.1", b"1.0") + chunks,
            get.replace(b"\r\n", b"\n"),
            get + b"X: a\n",
            get + b"X: a\rY: b\r\n",
            get + b"X: a\r\n b\r\n",
            get + b"X: a\r\n\tb\r\n",
            get + b"no colon\r\n",
            get + b"X: \0\r\n",
            get + b"X\0: a\r\n",
            get.replace(b"/small", b"/small\0"),
            get.replace(b"/small", b"/small#x"),
            get.replace(b"GET ", b"GET  "),
        ]
        for path in (b"/api%2fx", b"/api/%2Fx", b"/api/a%5cb", b"/api/a\\b", b"/api/%00", b"/api/./a", b"/api/../small", b"/api/%2e%2E/small", b"/api/.%2e", b"/."):
            heads.append(get.replace(b"/small", path))
        for head in heads:
            with self.subTest(head):
                answer = self.raw(head + b"\r\n")
                self.assertTrue(answer.startswith(b"HTTP/1.1 400 "), answer)
                self.assertIn(b"\r\n\r\n400: a ", answer.replace(b"400: more than one", b"400: a"))
        self.assertIn(b"\r\n400: a line", self.raw(b"GET /small HTTP/1.1\nHost: a\n\n"))
        for path in (b"/api/...", b"/api/a..b", b"/api/%41?a=/../%2f", b"http://A/api/x"):
            self.assertIn(b" 200 ", self.raw(get.replace(b"/small", path) + b"\r\n"), path)
        self.assertIn(b" 200 ", self.raw(b"\r\n" + get + b"\r\n"))

    def test_a_head_may_come_byte_by_byte_and_be_long(self):
        self.start()
        long = b"X: " + b"x" * 60000 + b"\r\n"
        for data in (b"GET /small HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n", b"GET /small HTTP/1.1\r\nConnection: close\r\nHost: a\r\n" + long + b"\r\n"):
            with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as client:
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for i in range(40):
                    client.sendall(data[i : i + 1])
                client.sendall(data[40:])
                self.assertTrue(self.read_to_end(client).endswith(b"small\n"))
        body = b"x" * 9000
        head = b"POST /echo HTTP/1.1\r\nConnection: close\r\nHost: a\r\n" + long + b"Content-Length: 9000\r\n\r\n"
        self.assertTrue(self.raw(head + body).endswith(b"\r\n\r\n" + body))

    ORIGINS = (
        ({}, 200),
        ({"Origin": "{own}"}, 200),
        ({"Origin": "{own}", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Origin": "https://proxied.example.org", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": "{own}.example.org"}, 403),
        ({"Origin": "{own}0"}, 403),
        ({"Origin": "ftp{own}"}, 403),
        ({"Origin": "http://elsewhere.example.org"}, 403),
        ({"Origin": "{own}", "Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "{own}", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    )

    def check_origins(self, connect, own):
        for headers, status in Plain.ORIGINS:
            headers = {name: value.format(own=own) for name, value in headers.items()}
            with self.subTest(headers):
                reply, body = self.fetch("/echo", method="POST", body=b"x", headers=headers, connection=connect())
                self.assertEqual((reply.status, body), (status, b"x" if status == 200 else b"403: a page of another site sent this request\n"))
                self.assertEqual(self.fetch("/small", headers=headers, connection=connect())[0].status, 200)

    def test_a_page_of_another_site_changes_nothing(self):
        self.start()
        connect = lambda: http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)  # noqa: E731
        self.check_origins(connect, f"http://127.0.0.1:{self.port}")
        # behind a proxy that speaks TLS
        own = {"Origin": f"https://127.0.0.1:{self.port}"}
        self.assertEqual(self.status("/echo", method="POST", body=b"x", headers=own), 200)

    def test_a_huge_head_is_refused_by_what_is_huge(self):
        self.start()
        for n in (63000, 64000, 65500, 66000, 70000, 300000, 3000000):
            long = b"x" * n
            for status, head in (
                (431 if n > 64000 else 200, b"GET /small HTTP/1.1\r\nConnection: close\r\nHost: a\r\nX: " + long),
                (414 if n > 63000 else 200, b"GET /small?x=" + long + b" HTTP/1.1\r\nConnection: close\r\nHost: a"),
            ):
                with self.subTest(n=n, status=status):
                    self.assertIn(b"HTTP/1.1 %d " % status, self.raw(head + b"\r\n\r\n"))
        self.assertEqual(self.status("/small"), 200)

    def test_a_handler_that_does_not_answer_is_500(self):
        self.start()
        self.assertEqual(self.status("/forget"), 500)

    def test_an_answer_may_come_later(self):
        self.start()
        with concurrent.futures.ThreadPoolExecutor() as pool:
            held = pool.submit(self.fetch, "/hold")
            self.wait_for(lambda: self.status("/release") == 200 and held.done(), "no answer came")
            self.assertEqual(held.result()[1], b"released\n")

    def test_a_client_that_left_is_not_missed(self):
        self.start()
        with socket.create_connection(("127.0.0.1", self.port)) as client:
            client.sendall(b"GET /hold HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n")
        self.assertEqual(self.status("/release"), 200)
        self.assertEqual(self.status("/small"), 200)

    def test_no_descriptor_is_lost(self):
        self.start()
        folder = f"/proc/{self.server.pid}/fd"
        self.status("/small")
        before = len(os.listdir(folder))
        for _ in range(50):
            self.status("/small")
            socket.create_connection(("127.0.0.1", self.port)).close()
        self.wait_for(lambda: len(os.listdir(folder)) <= before, "descriptors are lost")


class Routes(WebServerTest):
    LONGEST = 10000

    def test_a_prefix_takes_all_that_is_below_it_and_the_longest_wins(self):
        self.start()
        self.assertEqual(self.fetch("/api/jobs/7")[1], b"/api/jobs/7")
        self.assertEqual(self.fetch("/api/")[1], b"/api/")
        self.assertEqual(self.fetch("/api/deep/7")[1], b"deep\n")
        for path in "/api", "/apis/":
            self.assertEqual(self.status(path), 404, path)

    def test_each_has_its_methods(self):
        self.start()
        reply, _ = self.fetch("/echo")
        self.assertEqual((reply.status, reply.headers["Allow"]), (405, "POST, PUT"))
        self.assertEqual(self.fetch("/echo", method="DELETE", body=b"x")[0].status, 405)
        self.assertEqual(self.fetch("/echo", method="PUT", body=b"x")[0].headers["X-Method"], "PUT ")

    def test_a_body_comes_as_it_was_sent(self):
        self.start()
        for body in b"", b"x", bytes(range(256)) * 39, b"x" * self.LONGEST:
            reply, echo = self.fetch("/echo", method="POST", body=body)
            self.assertEqual((reply.status, echo), (200, body))
            chunks = iter([body[:100], body[100:]]) if len(body) > 100 else iter([body or b"y"])
            reply, echo = self.fetch("/echo", method="POST", body=chunks)
            self.assertEqual((reply.status, echo), (200, body or b"y"))

    def test_a_longer_body_is_refused_however_it_is_sent(self):
        self.start()
        long_body = b"x" * (self.LONGEST + 1)
        self.assertEqual(self.status("/echo", method="POST", body=long_body), 413)
        for n in 1, 3000:
            chunks = iter([long_body, b"y" * n])
            self.assertEqual(self.status("/echo", method="POST", body=chunks), 413)
        self.assertEqual(self.status("/slow", method="POST", body=long_body), 413)

    def test_a_body_without_end_is_cut(self):
        """However fast it comes: a socket that is only shut down takes all that its sender can send."""
        self.start(config=f"basic_auth_users:\n  alice: {ALICE}\n")
        most_chunks = 64
        for path in b"/echo", b"/small", b"/open", b"/nothing":
            head = b"POST " + path + b" HTTP/1.1\r\nConnection: close\r\nHost: a\r\n"
            self.assertEqual(self.raw(head + b"Content-Length: 99999999999\r\n\r\n"), b"")
            with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as client:
                client.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n")
                with self.assertRaises((BrokenPipeError, ConnectionResetError), msg=path):
                    for _ in range(most_chunks):
                        client.sendall(b"100000\r\n" + b"x" * 0x100000 + b"\r\n")
        self.assertEqual(self.status("/open"), 200)

    def test_a_length_that_is_none_is_thrown_out_without_a_word(self):
        self.start()
        for length in b"-5", b"-1", b"+5", b"", b"99999999999999999999":
            answer = self.raw(b"GET /small HTTP/1.1\r\nConnection: close\r\nHost: a\r\nContent-Length: " + length + b"\r\n\r\n")
            self.assertNotIn(b" 200 ", answer, length)
        self.assertEqual(self.status("/small"), 200)
        self.assertEqual(self.read_log(), "")

    def test_what_is_slow_holds_nobody_up(self):
        self.start()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            began = time.monotonic()
            slow = [pool.submit(self.fetch, "/slow?ms=1500") for _ in range(2)]
            time.sleep(0.3)
            self.assertEqual(self.status("/small"), 200)
            self.assertLess(time.monotonic() - began, 1.4)
            for answer in slow:
                reply, body = answer.result()
                self.assertEqual((reply.status, reply.headers["X-Slow"]), (200, "yes"))

    def test_more_slow_requests_than_threads_wait_for_each_other(self):
        self.start()
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(lambda _: self.status("/slow?ms=100"), range(6)))
        self.assertEqual(answers, [200] * 6)

    def test_what_is_slow_has_all_of_its_request(self):
        self.start()
        reply, body = self.fetch("/slow", method="POST", body=b"x" * 77, headers={"User-Agent": "snail"})
        self.assertEqual((reply.status, body), (200, b"snail 77\n"))
        self.assertEqual(self.status("/slow/forget"), 500)

    def test_a_client_that_leaves_what_is_slow_is_no_harm(self):
        self.start()
        for _ in range(4):
            with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as client:
                client.sendall(b"GET /slow?ms=200 HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n")
        self.assertEqual(self.status("/slow?ms=1"), 200)

    def test_what_takes_too_long_is_stopped(self):
        self.start("--work-ms", "200")
        self.assertEqual(self.status("/slow/endless"), 503)

    def test_what_takes_long_is_stopped_when_its_client_goes(self):
        """There are two threads, of which one is a user's."""
        self.start()
        for _ in range(3):
            with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as client:
                client.sendall(b"GET /slow/endless HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n")
        self.assertEqual(self.status("/slow?ms=1"), 200)

    def test_the_end_waits_for_what_is_slow(self):
        self.start()
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as client:
            client.sendall(b"GET /slow?ms=500 HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n")
            time.sleep(0.2)
            self.server.send_signal(signal.SIGTERM)
            self.assertEqual(self.server.wait(PATIENCE_S), 0)


class Parts(WebServerTest):
    """A reply that goes out while it is made."""

    MANY = 1000
    # of a mebibyte: what the kernel keeps for a client that does not read, and one that waits behind it
    MOST_MADE = 12

    def count(self):
        return tuple(map(int, self.fetch("/count")[1].split()))

    def ask_for_many(self):
        client = socket.create_connection(("127.0.0.1", self.port), PATIENCE_S)
        self.addCleanup(client.close)
        client.sendall(f"GET /slow/parts?kib=1024&n={self.MANY} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        self.assertTrue(client.recv(1000).startswith(b"HTTP/1.1 200 "))
        return client

    def test_come_whole_and_in_order(self):
        self.start()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        for n in 1, 5, 30:
            connection.request("GET", f"/slow/parts?kib=100&n={n}")
            reply = connection.getresponse()
            body = reply.read()
            self.assertEqual(body, b"".join(b"%c" % (ord("a") + i % 26) * 102400 for i in range(n)))
            self.assertEqual((reply.status, reply.headers["X-Slow"], reply.headers["Content-Type"]), (200, "yes", "text/plain"))
            self.assertEqual((reply.headers["Transfer-Encoding"], reply.headers["Content-Length"]), ("chunked", None))
            self.assertIsNone(reply.headers["Connection"])
        connection.close()

    def test_have_headers_of_their_own(self):
        self.start()
        reply, body = self.fetch("/slow/parts?kib=100&n=3", method="HEAD")
        self.assertEqual((reply.status, reply.headers["Content-Type"], reply.headers["Content-Length"], body), (200, "text/plain", None, b""))

    def test_are_not_for_old_clients_to_which_half_would_look_whole(self):
        self.start()
        self.assertTrue(self.raw(b"GET /slow/parts?kib=100&n=3 HTTP/1.0\r\nHost: a\r\n\r\n").startswith(b"HTTP/1.0 505 "))

    def test_that_stay_half_are_not_taken_for_whole(self):
        self.start()
        with self.assertRaises((http.client.IncompleteRead, ConnectionResetError)):
            self.fetch("/slow/parts?kib=100&n=3&half=1")
        self.assertEqual(self.status("/slow?ms=1"), 200)

    def test_wait_for_a_client_that_does_not_read_until_it_is_cut(self):
        self.start("--read-ms", "1500")
        client = self.ask_for_many()
        self.wait_for(lambda: self.count()[0] == 0, "the worker waits")
        self.assertLess(self.count()[1], self.MOST_MADE)
        self.assertLess(len(self.read_to_end(client)), self.MOST_MADE << 20)

    def test_end_when_their_client_goes(self):
        self.start()
        client = self.ask_for_many()
        self.assertEqual(self.count()[0], 1)
        client.close()
        self.wait_for(lambda: self.count()[0] == 0, "the worker waits")
        self.assertLess(self.count()[1], self.MOST_MADE)

    def test_may_take_longer_than_other_work_and_not_for_ever(self):
        self.start("--work-ms", "200")
        self.assertEqual(len(self.fetch("/slow/parts?kib=1&n=6&ms=100")[1]), 6 * 1024)
        with self.assertRaises((http.client.IncompleteRead, ConnectionResetError)):
            self.fetch(f"/slow/parts?kib=1&n={self.MANY}&ms=100")
        self.wait_for(lambda: self.count()[0] == 0, "the worker goes on")

    def test_that_nobody_takes_do_not_outlive_the_server(self):
        self.start()
        self.ask_for_many()
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(PATIENCE_S), 0)


class Hostile(WebServerTest):
    def test_a_slow_client_holds_nobody_up_and_is_thrown_out(self):
        self.start("--ask-ms", "1500")
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as slow:
            started = time.monotonic()
            try:
                for byte in b"GET /small HTTP/1.1\r\nConnection: close\r\nHost: a\r\nX: " + b"x" * 1000:
                    slow.send(bytes([byte]))
                    self.assertEqual(self.status("/small"), 200)
                    time.sleep(0.05)
            except (BrokenPipeError, ConnectionResetError):
                pass
            self.assertLess(time.monotonic() - started, 10)

    def test_a_silent_client_is_thrown_out(self):
        self.start("--ask-ms", "300")
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as silent:
            self.assertEqual(self.read_to_end(silent), b"")

    def test_a_client_that_does_not_read_is_thrown_out(self):
        self.start("--read-ms", "500")
        folder = f"/proc/{self.server.pid}/fd"
        before = len(os.listdir(folder))
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as deaf:
            deaf.sendall(b"GET /big HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n")
            self.wait_for(lambda: len(os.listdir(folder)) > before, "it did not come in")
            self.wait_for(lambda: len(os.listdir(folder)) == before, "it stays")
            self.assertEqual(self.status("/small"), 200)

    def test_one_client_too_many_throws_out_the_slowest(self):
        self.start("--clients", "4")
        waiting = [socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) for _ in range(4)]
        waiting[3].sendall(b"GET /hold HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n")
        self.wait_for(lambda: self.status("/small") == 200, "no room")
        self.assertEqual(self.read_to_end(waiting[0]), b"")
        self.assertEqual(self.status("/release"), 200)
        self.assertIn(b"released", self.read_to_end(waiting[3]))
        for client in waiting:
            client.close()

    def test_clients_that_read_nothing_make_room(self):
        self.start()
        deaf = [socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) for _ in range(48)]
        for client in deaf:
            self.addCleanup(client.close)
            client.sendall(b"GET /big HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n")
        # one that is answered later would take the room that another has made
        for client in deaf:
            self.assertTrue(select.select([client], [], [], PATIENCE_S)[0], "no answer")
        self.wait_for(lambda: self.status("/small") == 200, "no room")
        self.assertEqual([self.status("/small") for _ in range(38)], [200] * 38)

    def test_too_many_requests_at_once_learn_so(self):
        self.start("--requests", "1")
        clients = []

        def is_told():
            clients.append(socket.create_connection(("127.0.0.1", self.port), PATIENCE_S))
            clients[-1].sendall(b"GET /hold HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n")
            reply, _ = self.fetch("/small")
            return reply.status == 503 and reply.headers["Retry-After"] == "1"

        self.wait_for(is_told, "no limit")
        for client in clients:
            client.close()


USERS = f"basic_auth_users:\n  alice: {ALICE}\n  bob: {BOB}\n"


class KeptAlive(WebServerTest):
    """Requests after each other on one connection."""

    def connect(self):
        client = socket.create_connection(("127.0.0.1", self.port), PATIENCE_S)
        self.addCleanup(client.close)
        return client

    def ask(self, client, path="/small", method="GET", headers="", behind=b""):
        """Status, body and whether the connection stays."""
        client.sendall(f"{method} {path} HTTP/1.1\r\nHost: a\r\n{headers}\r\n".encode() + behind)
        reply = http.client.HTTPResponse(client, method=method)
        self.addCleanup(reply.close)
        reply.begin()
        body = reply.read()
        return reply.status, body, not reply.will_close

    def is_over(self, client):
        return self.read_to_end(client) == b""

    def test_one_connection_serves_many(self):
        self.start()
        client = self.connect()
        for path, status in (("/small", 200), ("/text", 200), ("/none", 404), ("/api/a", 200), ("/big", 200), ("/slow?ms=1", 200), ("/small", 200)):
            self.assertEqual(self.ask(client, path)[::2], (status, True), path)
        self.assertEqual(self.ask(client, "/small", "HEAD"), (200, b"", True))
        self.assertEqual(self.ask(client, "/small")[1], b"small\n")

    def test_it_ends_after_what_is_not_clear_to_end(self):
        self.start()
        for headers, behind in (("Connection: close\r\n", b""), ("Connection: keep-alive, close\r\n", b""), ("Content-Length: 0\r\n", b""),
                                ("Content-Length: 5\r\n", b"hello"), ("Transfer-Encoding: chunked\r\n", b"0\r\n\r\n"),
                                ("", b"GET /small HTTP/1.1\r\nHost: a\r\n\r\n"), ("", b"x")):
            client = self.connect()
            self.assertEqual(self.ask(client)[2], True)
            self.assertEqual(self.ask(client, headers=headers, behind=behind), (200, b"small\n", False), headers)
            self.assertTrue(self.is_over(client), headers)

    def test_each_request_is_looked_at(self):
        self.start()
        for headers in ("Host: b\r\n", "Content-Length: 1\r\nContent-Length: 1\r\n", "A : b\r\n", "Transfer-Encoding: chunked, gzip\r\n"):
            client = self.connect()
            self.assertEqual(self.ask(client)[::2], (200, True))
            self.assertEqual(self.ask(client, headers=headers)[::2], (400, False), headers)
            self.assertTrue(self.is_over(client), headers)

    def test_each_request_logs_in(self):
        self.start(config=USERS)
        client = self.connect()
        login = "Authorization: {Authorization}\r\n".format(**basic("alice", "secret"))
        self.assertEqual(self.ask(client)[::2], (401, True))
        self.assertEqual(self.ask(client, headers=login)[::2], (200, True))
        self.assertEqual(self.ask(client)[::2], (401, True))

    def test_who_says_nothing_more_goes_in_time(self):
        self.start("--idle-ms", "300")
        client = self.connect()
        self.assertEqual(self.ask(client)[2], True)
        self.assertTrue(self.is_over(client))

    def test_a_next_request_has_its_time_and_no_more(self):
        self.start("--ask-ms", "300")
        client = self.connect()
        self.assertEqual(self.ask(client)[2], True)
        client.sendall(b"GET /small")
        self.assertTrue(self.is_over(client))

    def test_who_is_idle_makes_room(self):
        self.start("--clients", "4")
        idle = [self.connect() for _ in range(3)]
        for client in idle:
            self.assertEqual(self.ask(client)[2], True)
        asking = self.connect()
        asking.sendall(b"GET /small")
        self.assertEqual([self.ask(self.connect())[0] for _ in range(3)], [200] * 3)
        for client in idle:
            self.assertTrue(self.is_over(client))
        asking.sendall(b" HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n")
        self.assertIn(b" 200 ", self.read_to_end(asking))

    def test_who_leaves_leaves_nothing(self):
        self.start()
        folder = f"/proc/{self.server.pid}/fd"
        self.assertEqual(self.status("/small"), 200)
        before = len(os.listdir(folder))
        for _ in range(20):
            client = self.connect()
            self.ask(client)
            client.close()
        self.wait_for(lambda: len(os.listdir(folder)) <= before, "descriptors are lost")

    def test_the_end_waits_for_nobody_who_is_idle(self):
        self.start()
        clients = [self.connect() for _ in range(5)]
        for client in clients:
            self.assertEqual(self.ask(client)[2], True)
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(PATIENCE_S), 0)
        for client in clients:
            self.assertTrue(self.is_over(client))

    def test_local_users_have_one_request_each(self):
        path = os.path.join(self.folder, "socket")
        self.start("--local", path)
        client = socket.socket(socket.AF_UNIX)
        self.addCleanup(client.close)
        client.settimeout(PATIENCE_S)
        client.connect(path)
        self.assertEqual(self.ask(client)[::2], (200, False))
        self.assertTrue(self.is_over(client))


class Start(WebServerTest):
    def test_a_taken_port_is_reported(self):
        self.start()
        message = self.refuse_to_start("--listen", f"127.0.0.1:{self.port}")
        self.assertIn(f"cannot listen on 127.0.0.1:{self.port}: ", message)
        self.assertIn("in use", message)
        self.assertIn("in use", self.refuse_to_start("--listen", f":{self.port}"))

    def test_a_foreign_address_is_reported(self):
        self.assertIn("cannot listen on 192.0.2.1:9010", self.refuse_to_start("--listen", "192.0.2.1:9010"))
        self.assertIn("cannot listen on no.invalid:9010", self.refuse_to_start("--listen", "no.invalid:9010"))

    def test_a_stale_socket_is_replaced_and_a_live_one_is_not(self):
        path = os.path.join(self.folder, "socket")
        with socket.socket(socket.AF_UNIX) as stale:
            stale.bind(path)
        self.start(listen=("unix:" + path,))
        self.assertIn("another process listens there", self.refuse_to_start("--listen", "unix:" + path))
        self.assertEqual(self.status("/small", connection=UnixConnection(path)), 200)

    def test_a_file_is_never_replaced_by_a_socket(self):
        path = self.write("precious", "data")
        self.assertIn("no socket", self.refuse_to_start("--listen", "unix:" + path))
        self.assertTrue(os.path.isfile(path))

    def test_a_broken_web_yml_is_reported(self):
        message = self.refuse_to_start(config="basic_auth_users:\n  alice: hunter2\n")
        self.assertIn("web.yml:2: alice: not a bcrypt hash", message)

    def test_bad_certificates_are_reported(self):
        good = Certificates.get()
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        cases = {
            "missing.crt: No such file": ("missing.crt", f"{good}/server.key"),
            "pipe: not an ordinary file": (pipe, f"{good}/server.key"),
            "cert_file: not a certificate": (f"{good}/server.key", f"{good}/server.key"),
            "missing.key: No such file": (f"{good}/server.crt", "missing.key"),
            "key_file: not a private key": (f"{good}/server.crt", f"{good}/server.crt"),
            "key_file: does not fit its certificate": (f"{good}/server.crt", f"{good}/second.key"),
        }
        for expected, (certificate, key) in cases.items():
            config = f"tls_server_config:\n  cert_file: {certificate}\n  key_file: {key}\n"
            message = self.refuse_to_start(config=config)
            self.assertIn(expected, message)
            self.assertRegex(message, r"web\.yml:[23]: ")

    def test_a_bad_client_authority_is_reported(self):
        config = tls_config() + f"  client_ca_file: {Certificates.get()}/client.key\n  client_auth_type: RequireAndVerifyClientCert\n"
        self.assertIn("client_ca_file: holds no certificates", self.refuse_to_start(config=config))


class Activation(WebServerTest):
    def test_sockets_of_a_socket_unit_are_served(self):
        listener = socket.create_server(("127.0.0.1", 0))
        descriptor = listener.fileno()
        # A shell gives the process its own number, as the service manager would.
        command = ["sh", "-c", 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@" 3<&%d' % descriptor, "sh"]
        self.start("--systemd", listen=(), command=command, pass_fds=[descriptor])
        self.port = listener.getsockname()[1]
        listener.close()
        self.assertEqual(self.status("/small"), 200)

    def test_systemd_itself_passes_them(self):
        program = shutil.which("systemd-socket-activate")
        if program is None:
            self.skipTest("systemd-socket-activate is not installed")
        path = os.path.join(self.folder, "socket")
        process = subprocess.Popen([program, "-l", path, SERVER, "--systemd"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.log = open(os.path.join(self.folder, "log"), "w+")
            self.addCleanup(self.log.close)
            await_listener(path, 30)
            self.assertEqual(self.status("/small", connection=UnixConnection(path)), 200)
        finally:
            process.terminate()
            process.wait()

    def test_without_a_socket_unit_it_says_so(self):
        self.assertIn("--web.systemd-socket: no socket came from a socket unit", self.refuse_to_start("--systemd"))

    def test_the_service_manager_is_notified(self):
        path = os.path.join(self.folder, "notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(path)
            manager.settimeout(PATIENCE_S)
            self.start(variables={"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "200000"})
            self.assertEqual(manager.recv(100), b"READY=1")
            self.assertEqual(manager.recv(100), b"WATCHDOG=1")
            self.assertEqual(manager.recv(100), b"WATCHDOG=1")
            self.server.send_signal(signal.SIGTERM)
            while (message := manager.recv(100)) == b"WATCHDOG=1":
                pass
            self.assertEqual(message, b"STOPPING=1")


def tls_config(name="server"):
    folder = Certificates.get()
    return f"tls_server_config:\n  cert_file: {folder}/{name}.crt\n  key_file: {folder}/{name}.key\n"


class Tls(WebServerTest):
    def context(self, client=None, **versions):
        context = ssl.create_default_context(cafile=f"{Certificates.get()}/ca.crt")
        if client is not None:
            context.load_cert_chain(f"{Certificates.get()}/{client}.crt", f"{Certificates.get()}/{client}.key")
        for name, version in versions.items():
            setattr(context, name, version)
        return context

    def connection(self, **kwargs):
        return http.client.HTTPSConnection("localhost", self.port, context=self.context(**kwargs), timeout=PATIENCE_S)

    def tls_status(self, path="/small", headers=None, **kwargs):
        return self.status(path, headers=headers, connection=self.connection(**kwargs))

    def assert_thrown_out(self, **kwargs):
        with self.assertRaises((ssl.SSLError, ConnectionError, http.client.HTTPException)):
            self.tls_status(**kwargs)

    def peer(self):
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as plain:
            with self.context().wrap_socket(plain, server_hostname="localhost") as client:
                return client.getpeercert()["subject"][0][0][1], client.version(), client.shared_ciphers()

    def test_a_page_is_served(self):
        self.start(config=tls_config())
        self.assertEqual(self.tls_status(), 200)
        reply, body = self.fetch("/text", connection=self.connection())
        self.assertEqual((reply.status, body.count(b"\n")), (200, 2000))
        self.assertNotIn(b" 200 ", self.raw(b"GET /small HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n"))

    def test_one_connection_serves_many(self):
        self.start(config=tls_config())
        connection = self.connection()
        self.addCleanup(connection.close)
        connection.connect()
        first = connection.sock
        for _ in range(5):
            connection.request("GET", "/big")
            self.assertGreater(len(connection.getresponse().read()), 1 << 16)
        self.assertIs(connection.sock, first)

    def test_a_connection_from_before_a_new_web_yml_is_over(self):
        self.start(config=tls_config())
        connection = self.connection()
        self.addCleanup(connection.close)
        connection.request("GET", "/small")
        self.assertEqual(connection.getresponse().read(), b"small\n")
        self.write("web.yml", tls_config() + f"  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: {Certificates.get()}/ca.crt\n")
        self.wait_for(lambda: not self.comes_in(), "it is not taken up")
        with self.assertRaises((ssl.SSLError, ConnectionError, http.client.HTTPException)):
            connection.request("GET", "/small")
            connection.getresponse()

    def comes_in(self):
        try:
            return self.tls_status() == 200
        except (ssl.SSLError, ConnectionError, http.client.HTTPException):
            return False

    def test_what_proxies_read_differently_is_400(self):
        self.start(config=tls_config())
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as plain:
            with self.context().wrap_socket(plain, server_hostname="localhost") as client:
                client.sendall(b"GET /small HTTP/1.1\r\nConnection: close\r\nHost: a\r\nHost: b\r\n\r\n")
                self.assertTrue(self.read_to_end(client).startswith(b"HTTP/1.1 400 "))

    def test_a_page_of_another_site_changes_nothing(self):
        self.start(config=tls_config())
        Plain.check_origins(self, self.connection, f"https://localhost:{self.port}")
        other = {"Origin": f"http://localhost:{self.port}"}
        self.assertEqual(self.status("/echo", method="POST", body=b"x", headers=other, connection=self.connection()), 403)

    def test_relative_names_start_at_web_yml(self):
        for suffix in ".crt", ".key":
            shutil.copy(f"{Certificates.get()}/server{suffix}", self.folder)
        self.start(config="tls_server_config: {cert_file: server.crt, key_file: server.key}", name="web.yml", cwd=self.folder)
        self.assertEqual(self.tls_status(), 200)

    def test_certificate_and_key_may_stand_in_web_yml(self):
        texts = {}
        for name, suffix in ("cert", "crt"), ("key", "key"):
            with open(f"{Certificates.get()}/server.{suffix}") as file:
                texts[name] = "".join("    " + line for line in file)
        self.start(config=f"tls_server_config:\n  cert: |\n{texts['cert']}  key: |\n{texts['key']}")
        self.assertEqual(self.tls_status(), 200)

    def test_versions_are_kept_to(self):
        self.start(config=tls_config() + "  min_version: TLS13\n")
        self.assertEqual(self.tls_status(), 200)
        self.assert_thrown_out(maximum_version=ssl.TLSVersion.TLSv1_2)

    def test_the_highest_version_is_kept_to(self):
        self.start(config=tls_config() + "  max_version: TLS12\n")
        self.assertEqual(self.peer()[1], "TLSv1.2")
        self.assert_thrown_out(minimum_version=ssl.TLSVersion.TLSv1_3)

    def test_curves_are_kept_to(self):
        self.start(config=tls_config() + "  curve_preferences: [X25519]\n")
        done = {}
        for curve in "X25519", "P-521":
            done[curve] = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{self.port}", "-groups", curve],
                                         stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S).returncode
        self.assertEqual(done["X25519"], 0)
        self.assertNotEqual(done["P-521"], 0)

    def test_clients_are_verified(self):
        self.start(config=tls_config() + f"  client_ca_file: {Certificates.get()}/ca.crt\n"
                   "  client_auth_type: RequireAndVerifyClientCert\n")
        self.assertEqual(self.tls_status(client="client"), 200)
        self.assert_thrown_out(client="foe")
        self.assert_thrown_out()

    def test_clients_are_verified_if_they_say_who_they_are(self):
        self.start(config=tls_config() + f"  client_ca_file: {Certificates.get()}/ca.crt\n"
                   "  client_auth_type: VerifyClientCertIfGiven\n")
        self.assertEqual(self.tls_status(client="client"), 200)
        self.assertEqual(self.tls_status(), 200)
        self.assert_thrown_out(client="foe")

    def test_any_client_certificate_may_do(self):
        self.start(config=tls_config() + "  client_auth_type: RequireAnyClientCert\n")
        self.assertEqual(self.tls_status(client="foe"), 200)
        self.assert_thrown_out()

    def test_a_client_certificate_may_be_asked_for_only(self):
        self.start(config=tls_config() + "  client_auth_type: RequestClientCert\n")
        self.assertEqual(self.tls_status(client="foe"), 200)
        self.assertEqual(self.tls_status(), 200)

    def test_clients_need_a_name_that_is_allowed(self):
        common = tls_config() + f"  client_ca_file: {Certificates.get()}/ca.crt\n  client_auth_type: RequireAndVerifyClientCert\n"
        self.start(config=common + "  client_allowed_sans: [a.example.org, prometheus.example.org]\n")
        self.assertEqual(self.tls_status(client="client"), 200)
        self.assert_thrown_out(client="second")

    def test_clients_may_be_allowed_by_address(self):
        common = tls_config() + f"  client_ca_file: {Certificates.get()}/ca.crt\n  client_auth_type: RequireAndVerifyClientCert\n"
        self.start(config=common + "  client_allowed_sans: [127.0.0.1]\n")
        self.assertEqual(self.tls_status(client="second"), 200)
        self.assert_thrown_out(client="client")

    def test_a_handshake_that_does_not_end_is_cut(self):
        self.start("--ask-ms", "500", config=tls_config())
        clients = [socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) for _ in range(40)]
        self.assertEqual(self.tls_status(), 200)
        for client in clients:
            self.assertEqual(self.read_to_end(client), b"")
            client.close()

    def test_a_deaf_client_holds_nobody_up(self):
        self.start("--read-ms", "500", config=tls_config())
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as plain:
            with self.context().wrap_socket(plain, server_hostname="localhost") as deaf:
                deaf.sendall(b"GET /big HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n")
                end = time.monotonic() + 1.5
                while time.monotonic() < end:
                    self.assertEqual(self.tls_status(), 200)

    def test_new_certificates_are_taken_up(self):
        for suffix in ".crt", ".key":
            shutil.copy(f"{Certificates.get()}/server{suffix}", self.folder)
        self.start(config="tls_server_config: {cert_file: server.crt, key_file: server.key}")
        self.assertEqual(self.peer()[0], "server")

        shutil.copy(f"{Certificates.get()}/second.crt", f"{self.folder}/server.crt")
        self.wait_for(lambda: self.peer() and "does not fit" in self.read_log(), "the misfit was not told")
        self.assertEqual(self.peer()[0], "server")
        shutil.copy(f"{Certificates.get()}/second.key", f"{self.folder}/server.key")
        self.wait_for(lambda: self.peer()[0] == "second", "the old certificate stays")
        self.assertEqual(self.read_log().count("does not fit"), 1)

    def test_a_web_yml_that_was_emptied_leaves_tls_and_what_clients_must_show(self):
        verifying = (tls_config() + f"  client_ca_file: {Certificates.get()}/ca.crt\n"
                     "  client_auth_type: RequireAndVerifyClientCert\n  client_allowed_sans: [prometheus.example.org]\n")
        self.start(config=verifying)
        for text, lack in (
            ("", "lacks tls_server_config"),
            (tls_config(), "lacks a client_auth_type that requires"),
            (tls_config() + "  client_auth_type: RequireAnyClientCert\n", "lacks a client_auth_type that verifies"),
            (verifying.replace("  client_allowed_sans: [prometheus.example.org]\n", ""), "lacks client_allowed_sans"),
        ):
            self.write("web.yml", text)
            self.wait_for(lambda: self.tls_status(client="client") == 200 and lack in self.read_log(), lack)
            self.assert_thrown_out()
            self.assert_thrown_out(client="second")
        self.assertNotIn(b" 200 ", self.raw(b"GET /small HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\r\n"))

    def test_a_certificate_that_expires_is_reported(self):
        self.start(config=tls_config())
        self.assertIn("the server's certificate expires at", self.read_log())
        openssl("x509", "-in", f"{Certificates.get()}/server.crt", "-signkey", f"{Certificates.get()}/server.key",
                "-days", "0", "-out", f"{self.folder}/old.crt")
        shutil.copy(f"{Certificates.get()}/server.key", f"{self.folder}/old.key")
        self.write("web.yml", "tls_server_config: {cert_file: old.crt, key_file: old.key}")

        def is_told():
            # whoever comes has it looked at
            socket.create_connection(("127.0.0.1", self.port), PATIENCE_S).close()
            return "the server's certificate expired at" in self.read_log()

        self.wait_for(is_told, "not told")
        self.assertEqual(self.read_log().count("expired at"), 1)

    def test_other_versions_need_a_restart(self):
        self.start(config=tls_config())
        self.write("web.yml", tls_config() + "  min_version: TLS13\n")
        self.wait_for(lambda: self.tls_status() and "need a restart" in self.read_log(), "not told")
        self.assertEqual(self.tls_status(maximum_version=ssl.TLSVersion.TLSv1_2), 200)


def basic(user, password):
    return {"Authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()}


class Settings(WebServerTest):
    def test_users_come_in_by_password(self):
        self.start(config=USERS)
        for _ in range(2):
            self.assertEqual(self.status("/small", headers=basic("alice", "secret")), 200)
            self.assertEqual(self.status("/small", headers=basic("bob", "other")), 200)
            self.assertEqual(self.status("/small", headers=basic("alice", "other")), 401)
            self.assertEqual(self.status("/small", headers=basic("mallory", "secret")), 401)
        reply, _ = self.fetch("/nothing")
        self.assertEqual(reply.status, 401)
        self.assertTrue(reply.headers["WWW-Authenticate"].startswith("Basic realm="))
        reply, body = self.fetch("/small?a=b", headers={"Accept": "text/html,*/*"})
        self.assertEqual((reply.status, reply.headers["Content-Type"]), (401, "text/html; charset=utf-8"))
        self.assertTrue(reply.headers["WWW-Authenticate"].startswith("Basic realm="))
        self.assertIn(b"<h1>Sign in</h1>", body)
        for value in "Basic", "Basic ", "Basic !!", "Bearer x", "Basic " + "A" * 5000, "Basic YWxpY2U=":
            self.assertEqual(self.status("/small", headers={"Authorization": value}), 401, value)

    def test_a_route_may_be_open_to_all(self):
        self.start(config=USERS)
        self.assertEqual(self.status("/open"), 200)
        self.assertEqual(self.status("/open", headers=basic("alice", "wrong")), 200)
        for path in "/small", "/open/", "/%6fpens", "//open":
            self.assertEqual(self.status(path), 401, path)
        self.assertEqual(self.status("/open/../small"), 400)

    def test_many_log_ins_at_once_are_all_answered(self):
        self.start(config=USERS)
        with concurrent.futures.ThreadPoolExecutor(30) as pool:
            answers = list(pool.map(lambda i: self.status("/small", headers=basic("bob", f"guess{i}")), range(60)))
        self.assertLessEqual(set(answers), {401, 503})
        self.assertIn(401, answers)
        self.assertEqual(self.status("/small", headers=basic("alice", "secret")), 200)

    def test_those_who_guess_lock_nobody_out(self):
        """Fifty at once, each trying again as soon as it hears; an honest client comes in at its first try."""
        self.start(config=f"basic_auth_users:\n  carol: {SLOW}\n  dave: {SLOW}\n")
        is_over = threading.Event()

        def guess(i):
            while not is_over.is_set():
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S, source_address=("127.0.0.2", 0))
                try:
                    self.status("/small", headers=basic("carol", f"guess{i}"), connection=connection)
                except OSError:
                    pass

        with concurrent.futures.ThreadPoolExecutor(50) as pool:
            for i in range(50):
                pool.submit(guess, i)
            try:
                self.wait_for(lambda: self.status("/small") == 401, "it does not answer")
                # from elsewhere, and from where the guesses come for another user
                self.assertEqual(self.status("/small", headers=basic("carol", "slow")), 200)
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S, source_address=("127.0.0.2", 0))
                self.assertEqual(self.status("/small", headers=basic("dave", "slow"), connection=connection), 200)
            finally:
                is_over.set()

    def test_headers_are_on_every_reply(self):
        self.start(config="http_server_config:\n  headers:\n    X-Frame-Options: deny\n    X-Content-Type-Options: nosniff\n")
        for path in "/small", "/nothing", "/../x":
            reply, _ = self.fetch(path)
            self.assertEqual(reply.headers["X-Frame-Options"], "deny")
            self.assertEqual(reply.headers["X-Content-Type-Options"], "nosniff")

    def test_the_rate_is_limited(self):
        self.start(config="rate_limit:\n  interval: 1h\n  burst: 3\n")
        self.assertEqual([self.status("/small") for _ in range(5)], [200, 200, 200, 429, 429])

    def test_a_new_web_yml_is_taken_up_and_a_broken_one_is_not(self):
        self.start(config=USERS)
        self.assertEqual(self.status("/small"), 401)

        self.write("web.yml", "basic_auth_users: {")
        self.wait_for(lambda: self.status("/small") == 401 and "not YAML" in self.read_log(), "not told")
        self.assertEqual(self.status("/small"), 401)
        self.assertEqual(self.read_log().count("not YAML"), 1)

        os.remove(os.path.join(self.folder, "web.yml"))
        self.wait_for(lambda: self.status("/small") == 401 and "No such file" in self.read_log(), "not told")

        self.write("web.yml", USERS.replace("alice", "carol"))
        self.wait_for(lambda: self.status("/small", headers=basic("carol", "secret")) == 200, "not taken up")
        self.assertEqual(self.status("/small", headers=basic("alice", "secret")), 401)

    def test_a_web_yml_that_was_emptied_opens_no_door(self):
        self.start(config=USERS)
        self.write("web.yml", "")
        self.wait_for(lambda: self.status("/small") == 401 and "lacks basic_auth_users" in self.read_log(), "not told")
        self.assertEqual(self.status("/small"), 401)
        self.assertEqual(self.status("/small", headers=basic("alice", "secret")), 200)

    def test_a_web_yml_that_is_being_written_does_not_open_the_door(self):
        self.start(config=USERS)
        with open(os.path.join(self.folder, "web.yml"), "w"):
            for _ in range(5):
                self.assertEqual(self.status("/small"), 401)
        self.write("web.yml", USERS)
        self.assertEqual(self.status("/small", headers=basic("alice", "secret")), 200)

    def resident_kb(self):
        if SANITIZER != "none":
            self.skipTest("a sanitizer takes memory of its own")
        with open(f"/proc/{self.server.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

    def test_memory_stays_small(self):
        self.start()
        for _ in range(20):
            self.status("/text", headers={"Accept-Encoding": "gzip"})
        self.assertLess(self.resident_kb(), 10 * 1024)

    def test_tls_does_not_load_the_authorities_of_the_system(self):
        self.start(config=tls_config())
        context = ssl.create_default_context(cafile=f"{Certificates.get()}/ca.crt")
        for _ in range(20):
            connection = http.client.HTTPSConnection("localhost", self.port, context=context, timeout=PATIENCE_S)
            self.assertEqual(self.status("/text", connection=connection), 200)
        self.assertLess(self.resident_kb(), 16 * 1024)


if __name__ == "__main__":
    try:
        sys.exit(tap.run(Plain, KeptAlive, Routes, Parts, Hostile, Start, Activation, Tls, Settings))
    finally:
        if Certificates.folder is not None:
            shutil.rmtree(Certificates.folder)
