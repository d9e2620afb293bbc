# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A daemon that a test runs and asks."""

import os
import re
import signal
import subprocess
import urllib.error
import urllib.request

# long for a busy machine, and shorter than the minute in which questions to others are given up
SECONDS = 45


class Daemon:
    """A daemon on a free port of loopback; its address is in what it logs."""

    def __init__(self, program: str, role: str, *options: str, pass_fds: tuple[int, ...] = (), **variables: str):
        command = [program, role, "--web.listen-address=127.0.0.1:0", *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, **variables},
                                        pass_fds=pass_fds)
        self.before = ""
        for line in self.process.stderr:
            found = re.search(r"listening on (\S+:\d+)", line)
            if found:
                self.url = f"http://{found[1]}"
                self.greeting = line
                return
            self.before += line
        raise AssertionError(f"it ended with {self.process.wait()}")

    def __enter__(self) -> "Daemon":
        return self

    def log_until(self, words: str) -> str:
        said = ""
        for line in self.process.stderr:
            said += line
            if words in line:
                return said
        raise AssertionError(f"it ended with {self.process.wait()}: {said}")

    def end(self) -> str:
        """Ends it in order, and gives what it logged meanwhile."""
        self.process.send_signal(signal.SIGTERM)
        said = self.process.stderr.read()
        self.process.wait(SECONDS)
        return said

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end()
        self.process.stderr.close()

    def get(self, path: str, **headers: str):
        request = urllib.request.Request(self.url + path, headers={k.replace("_", "-"): v for k, v in headers.items()})
        return urllib.request.urlopen(request, timeout=SECONDS)

    def status_of(self, path: str) -> tuple[int, str]:
        try:
            with self.get(path) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
