# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A server with a local socket, which is asked by root and by others."""

import glob
import os
import pathlib
import pwd
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

# long for a busy machine, and shorter than the minute in which questions to others are given up
SECONDS = 45
STRANGER = 65533  # nobody's
ALICE = "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"  # secret
# Asks as another user, who need not be able to read this file.
ASK = """
import os, socket, sys
os.setgroups([])
os.setgid(int(sys.argv[1]))
os.setuid(int(sys.argv[1]))
client = socket.socket(socket.AF_UNIX)
client.settimeout(20)
try:
    client.connect(sys.argv[2])
    client.sendall(sys.stdin.buffer.read())
    while got := client.recv(65536):
        sys.stdout.buffer.write(got)
except ConnectionError:
    pass
"""


def message_of(path: str, body: bytes | None = None, *headers: str) -> bytes:
    method = "GET" if body is None else "POST"
    lines = [f"{method} {path} HTTP/1.1", "Host: local", "Connection: close", *headers]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")


def join_chunks(body: bytes) -> bytes:
    """Fails where the last one is not there."""
    whole = b""
    while True:
        size, _, body = body.partition(b"\r\n")
        n = int(size, 16)
        if n == 0:
            return whole
        whole, body = whole + body[:n], body[n + 2:]


def reply_of(got: bytes) -> tuple[int, str]:
    if not got:
        return 0, ""
    head, _, body = got.partition(b"\r\n\r\n")
    if b"\r\nTransfer-Encoding: chunked" in head:
        body = join_chunks(body)
    return int(head.split()[1]), body.decode()


def needs_root() -> None:
    if os.geteuid() != 0:
        raise unittest.SkipTest("only root can ask as another user")


class LocalTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.folder.chmod(0o755)
        self.socket = self.folder / "socket"

    def ask_as_self(self, path: str, body: bytes | None) -> tuple[int, str]:
        got = b""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(SECONDS)
            try:
                client.connect(str(self.socket))
                client.sendall(message_of(path, body))
                while part := client.recv(65536):
                    got += part
            except ConnectionError:
                pass
        return reply_of(got)

    def ask(self, path: str, body: bytes | None = None, uid: int | None = None) -> tuple[int, str]:
        if uid is None:
            return self.ask_as_self(path, body)
        command = [sys.executable, "-I", "-c", ASK, str(uid), str(self.socket)]
        done = subprocess.run(command, input=message_of(path, body), capture_output=True, timeout=SECONDS, check=False, cwd="/")
        self.assertEqual(done.stderr, b"")
        return reply_of(done.stdout)

    def ask_by_network(self, path: str, *headers: str, body: bytes | None = None) -> tuple[int, str]:
        got = b""
        with socket.create_connection(("127.0.0.1", self.port), SECONDS) as client:
            client.sendall(message_of(path, body, *headers))
            while part := client.recv(65536):
                got += part
        return reply_of(got)

    def launch(self, command: list[str], ready: str, stream: str, **variables: str) -> subprocess.Popen:
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: subprocess.PIPE}
        process = subprocess.Popen(command, text=True, env={**os.environ, **variables}, **pipes)
        self.addCleanup(self.finish, process, stream)
        self.said = ""
        for line in getattr(process, stream):
            self.said += line
            if re.search(ready, line):
                return process
        raise AssertionError(f"it ended with {process.wait()}: {self.said}")

    def finish(self, process: subprocess.Popen, stream: str) -> None:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        with getattr(process, stream) as pipe:
            self.said += pipe.read()
        self.assertIn(process.wait(SECONDS), (0, -signal.SIGKILL))


def start_postgresql(test: "LocalTest") -> tuple[str, int]:
    """The URI of a database, and the process of its server, which ends with the test."""
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if not programs:
        raise unittest.SkipTest("there is no PostgreSQL server here")
    folder = test.folder / "postgresql"
    folder.mkdir()
    who = {}
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        who = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    data = str(folder / "data")
    common = {"cwd": "/", "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **who}
    done = subprocess.run([f"{programs[-1]}/initdb", "-D", data, "-U", "jm", "-A", "trust", "-N"], timeout=120, check=False, **common)
    if done.returncode != 0:
        raise unittest.SkipTest("initdb makes no cluster here")
    server = subprocess.Popen([f"{programs[-1]}/postgres", "-D", data, "-k", str(folder), "-h", "", "-F", "-c", "deadlock_timeout=10min"], **common)
    test.addCleanup(server.wait)
    test.addCleanup(server.send_signal, signal.SIGINT)
    end = time.monotonic() + SECONDS
    while subprocess.run([f"{programs[-1]}/pg_isready", "-q", "-h", str(folder)], check=False, **common).returncode != 0:
        if time.monotonic() > end:
            raise AssertionError("PostgreSQL does not begin")
        time.sleep(0.1)
    return f"postgresql://jm@/postgres?host={folder}", server.pid
