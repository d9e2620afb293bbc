# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A whole daemon under test: started, asked, ended, and what it left behind."""

import http.client
import os
import pathlib
import re
import signal
import subprocess
import time

# Far beyond the patience of the daemon, which answers a scrape after 5 s at the latest, on a machine that is busy.
ANSWER_SECONDS = 60
END_SECONDS = 60
COMPLAINTS = re.compile(r"AddressSanitizer|LeakSanitizer|runtime error|assertion '|GLib(?:-\w+)?-(?:CRITICAL|WARNING)|libsoup-CRITICAL")


class Failure(Exception):
    """Something that must never happen."""


class Daemon:
    def __init__(self, program: str, options: list[str], environment: dict[str, str], folder: pathlib.Path, number: int, role: str = "node"):
        self.folder = folder
        self.log = folder / f"log-{number}"
        self.reports = folder / f"report-{number}"
        sanitizer = f"log_path={self.reports}:exitcode=99"
        variables = {
            **os.environ,
            "ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:{sanitizer}",
            "UBSAN_OPTIONS": f"{os.environ.get('UBSAN_OPTIONS', '')}:{sanitizer}",
            **environment,
        }
        command = [program, role, "--web.listen-address=127.0.0.1:0", *options]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=variables)
        self.port = self._await_port()

    def _await_port(self) -> int:
        end = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < end:
            found = re.search(r"listening on 127\.0\.0\.1:(\d+)", self.log.read_text(errors="replace"))
            if found:
                return int(found[1])
            if self.process.poll() is not None:
                raise Failure(f"it ended with {self.process.returncode} instead of beginning:\n{self.tail()}")
            time.sleep(0.02)
        self.process.kill()
        raise Failure(f"it does not listen:\n{self.tail()}")

    def tail(self) -> str:
        reports = "\n".join(path.read_text(errors="replace")[:6000] for path in sorted(self.folder.glob(f"{self.reports.name}.*")))
        return f"{reports}\n--- log\n{self.log.read_text(errors='replace')[-3000:]}"

    def get(self, path: str = "/metrics", **headers: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
        try:
            connection.request("GET", path, headers=headers)
            reply = connection.getresponse()
            return reply.status, reply.read()
        except TimeoutError:
            raise Failure(f"GET {path} had no answer within {ANSWER_SECONDS} s:\n{self.tail()}") from None
        except (OSError, http.client.HTTPException) as error:
            try:
                # a connection is lost a moment before the process has gone
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                pass
            state = "runs on" if self.process.poll() is None else f"ended with {self.process.returncode}"
            raise Failure(f"GET {path}: {error!r}; the daemon {state}:\n{self.tail()}") from None
        finally:
            connection.close()

    def count(self, what: str) -> int:
        """Of its open files (fd) or threads (task)."""
        return len(os.listdir(f"/proc/{self.process.pid}/{what}"))

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._refuse_complaints()

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failure(f"SIGTERM does not end it within {END_SECONDS} s:\n{self.tail()}") from None
        self._refuse_complaints()
        if status != 0:
            raise Failure(f"it ended with {status} after SIGTERM:\n{self.tail()}")

    def _refuse_complaints(self) -> None:
        if any(self.folder.glob(f"{self.reports.name}.*")) or COMPLAINTS.search(self.log.read_text(errors="replace")):
            raise Failure(f"it complains:\n{self.tail()}")
