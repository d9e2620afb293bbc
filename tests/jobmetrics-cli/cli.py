# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The program under test, started with and without a terminal."""

import codecs
import fcntl
import os
import pathlib
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = sys.argv[1]
# How many times slower than others this machine is.
SLOWNESS = int(os.environ.get("JOBMETRICS_TEST_SLOWNESS", "1"))
SECONDS = 30 * SLOWNESS


def environment(**changes: str) -> dict[str, str]:
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM", "LANGUAGE")}
    return plain | {"LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "xterm"} | changes


def call(*arguments: str, **options) -> subprocess.CompletedProcess:
    """Runs the program to its end, without a terminal."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("env", environment())
    if "input" not in options:
        options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("encoding", "utf-8")
    return subprocess.run([PROGRAM, *arguments], stderr=subprocess.PIPE, timeout=SECONDS, **options)


class Terminal:
    """A program at a terminal of its own."""

    def __init__(self, *command: str, columns: int = 80, rows: int = 24, **changes: str):
        self.text = ""
        # a read may end within a letter
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.status = None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execvpe(command[0], command, environment(**changes))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)

    def _read(self, end: float) -> bool:
        """Returns whether there may be more."""
        ready, _, _ = select.select([self.fd], [], [], max(0, end - time.monotonic()))
        try:
            chunk = os.read(self.fd, 65536) if ready else b""
        except OSError:  # EIO: nobody has the other side open any more
            chunk = b""
        self.text += self.decoder.decode(chunk)
        return chunk != b""

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def is_echoing(self) -> bool:
        return bool(termios.tcgetattr(self.fd)[3] & termios.ECHO)

    def expect(self, text: str) -> str:
        """Waits for text, and takes all up to its end."""
        end = time.monotonic() + SECONDS
        while text not in self.text:
            if not self._read(end):
                raise AssertionError(f"{text!r} did not come; instead: {self.text!r}")
        before, self.text = self.text.split(text, 1)
        return before + text

    def finish(self) -> str:
        """Waits for the end, and takes all that is left."""
        end = time.monotonic() + SECONDS
        while self._read(end):
            pass
        _, status = os.waitpid(self.pid, 0)
        self.status = os.waitstatus_to_exitcode(status)
        return self.text.replace("\r\n", "\n")
