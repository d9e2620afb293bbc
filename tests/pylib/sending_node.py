# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A daemon that sends its metrics to a server."""

import re
import signal
import subprocess
import threading
import urllib.request

SECONDS = 60


class SendingNode:
    """A daemon that sends its metrics each second, and as a node sweeps twice a second; its log is read meanwhile."""

    def __init__(self, exporter: str, sender: str, *options: str, role: str = "node"):
        """Its sender is `otlp` or `remote-write`."""
        self.sender = sender
        command = [exporter, role, "--web.listen-address=127.0.0.1:0", f"--{sender}.interval=1", *options]
        if role == "node":
            command.append("--sample.interval=0.5")
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.log: list[str] = []
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()
        self.url = re.search(r"listening on (\S+:\d+)", self.wait_for_log("listening on"))[1]

    def _read(self):
        for line in self.process.stderr:
            with self.changed:
                self.log.append(line)
                self.changed.notify_all()

    def lines(self, words: str) -> list[str]:
        return [line for line in self.log if words in line]

    def wait_for_log(self, words: str) -> str:
        with self.changed:
            if not self.changed.wait_for(lambda: self.lines(words), SECONDS):
                raise AssertionError(f"{words!r} is not in the log: {self.log}")
            return self.lines(words)[0]

    def scrape(self, path: str = "metrics") -> str:
        with urllib.request.urlopen(f"http://{self.url}/{path}", timeout=SECONDS) as reply:
            return reply.read().decode()

    def figures(self) -> dict[str, float]:
        """Of its sender, without the beginning of their names."""
        found = re.findall(rf"^jobmetrics_{self.sender.replace('-', '_')}_(\w+) (\S+)$", self.scrape(), re.MULTILINE)
        return {name: float(value) for name, value in found}

    def end(self, how: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(how)
        status = self.process.wait(SECONDS)
        self.reader.join()
        return status

    def __enter__(self) -> "SendingNode":
        return self

    def __exit__(self, *_):
        self.end()
        self.process.stderr.close()
