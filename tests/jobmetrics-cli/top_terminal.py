# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A real terminal, with keys and a picture: a window of a tmux of its own."""

import os
import pathlib
import shlex
import subprocess
import tempfile
import time

from cli import PROGRAM, SECONDS, environment


class Window:
    """Runs a shell script; the program in it, if it was called by self.top(), can be signalled."""

    def __init__(self, columns: int = 80, lines: int = 24, **changes: str):
        self._folder = tempfile.TemporaryDirectory(prefix="jobmetrics-")
        self.folder = pathlib.Path(self._folder.name)
        self._environment = {name: value for name, value in environment(**changes).items() if name != "TMUX"}
        self._size = (str(columns), str(lines))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(self._command("kill-server"), capture_output=True)
        self._folder.cleanup()

    def _command(self, *arguments: str) -> list[str]:
        return ["tmux", "-u", "-S", str(self.folder / "socket"), "-f", "/dev/null", *arguments]

    def tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            self._command(*arguments),
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=SECONDS,
        )
        if done.returncode != 0:
            raise AssertionError(f"tmux {arguments}: {done.stderr}")
        return done.stdout

    def top(self, *arguments: str) -> str:
        """What makes a shell call it, and report how it ended."""
        command = shlex.join([PROGRAM, "top", *arguments])
        start = shlex.quote(f"echo $$ > {self.folder}/pid; exec {command}")
        return f"sh -c {start}; echo $? > {self.folder}/status; echo status $(cat {self.folder}/status)"

    def run(self, script: str, shell: str = "sh") -> None:
        """The script's terminal has the environment's TERM, if it names one."""
        columns, lines = self._size
        self.tmux("new-session", "-d", "-x", columns, "-y", lines, f"{shell} -c {shlex.quote(script + '; exec cat')}")

    def show(self, *arguments: str) -> None:
        self.run(self.top(*arguments))

    def press(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        self.tmux("send-keys", "-l", text)

    def resize(self, columns: int, lines: int) -> None:
        self.tmux("resize-window", "-x", str(columns), "-y", str(lines))

    def picture(self, *options: str) -> str:
        return self.tmux("capture-pane", "-p", *options)

    def mode(self, name: str) -> str:
        return self.tmux("display-message", "-p", f"#{{{name}}}").strip()

    def wait_until(self, is_so, what: str) -> str:
        """Looks at the picture until it is so."""
        end = time.monotonic() + SECONDS
        while True:
            picture = self.picture()
            if is_so(picture):
                return picture
            if time.monotonic() > end:
                raise AssertionError(f"{what} did not come; instead:\n{picture}")
            time.sleep(0.05)

    def expect(self, text: str) -> str:
        return self.wait_until(lambda picture: text in picture, repr(text))

    def expect_no(self, text: str) -> str:
        return self.wait_until(lambda picture: text not in picture, f"a picture without {text!r}")

    def kill(self, signal: int) -> None:
        os.kill(int((self.folder / "pid").read_text()), signal)

    def status(self) -> int:
        """Waits for the end of the program, whether the window is there or not."""
        file = self.folder / "status"
        end = time.monotonic() + SECONDS
        while not (file.exists() and file.read_text().strip()):
            if time.monotonic() > end:
                raise AssertionError("the program did not end")
            time.sleep(0.05)
        return int(file.read_text())
