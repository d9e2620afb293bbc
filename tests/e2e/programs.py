# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that a test starts, and stops by their process id."""

import contextlib
import fcntl
import json
import os
import pathlib
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

# How many times slower than others this machine is: loads last as much longer, and so may all that is waited for.
SLOWNESS = int(os.environ.get("JOBMETRICS_TEST_SLOWNESS", "1"))
STOP_SECONDS = 15 * SLOWNESS
UNAUTHORIZED = 401


@contextlib.contextmanager
def turn() -> Iterator[None]:
    """Waits while the same test runs elsewhere on this machine: ports, users and cgroups have one owner."""
    with open(pathlib.Path(tempfile.gettempdir()) / "jobmetrics-e2e.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class Late(AssertionError):
    """What was waited for has not come."""


def wait_for(what: str, seconds: float, ask: Callable[[], T | None], every: float = 0.1) -> T:
    """Asks until the answer is true, and gives it back."""
    deadline = time.monotonic() + seconds * SLOWNESS
    while True:
        answer = ask()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise Late(f"not within {seconds * SLOWNESS} s: {what}; the last answer was {answer!r}")
        time.sleep(every)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(url: str) -> bool:
    """Whatever its certificate; one that wants to know who asks answers, too."""
    context = ssl._create_unverified_context() if url.startswith("https:") else None
    try:
        with urllib.request.urlopen(url, timeout=2 * SLOWNESS, context=context):
            return True
    except urllib.error.HTTPError as error:
        return error.code == UNAUTHORIZED
    except (urllib.error.URLError, OSError):
        return False


class Program:
    """A server on a loopback port, with its output in a file."""

    def __init__(self, name: str, command: list[str], port: int, ready: str, folder: pathlib.Path, scheme: str = "http"):
        self.port = port
        self.address = f"127.0.0.1:{port}"
        self.url = f"{scheme}://{self.address}"
        self.log = folder / f"{name}-{port}.log"
        self.name = name
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            wait_for(f"{name} answers", 20, lambda: self._ready(ready))
        except AssertionError:
            self.stop()
            raise

    def _ready(self, path: str) -> bool:
        if self.process.poll() is not None:
            raise AssertionError(f"{self.name} ended with {self.process.returncode}:\n{self.output()}")
        return answers(self.url + path)

    def output(self) -> str:
        return self.log.read_text(errors="replace")[-4000:]

    def stop(self) -> int:
        """Asks it to end, and gives its exit status."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"{self.name} did not end within {STOP_SECONDS} s of SIGTERM:\n{self.output()}")


class Exporter(Program):
    def __init__(
        self,
        program: str,
        folder: pathlib.Path,
        *options: str,
        role: str = "node",
        within: Sequence[str] = (),
        port: int | None = None,
        scheme: str = "http",
    ):
        """On a port where another has been it is that one, begun anew; `within` is a command that runs a command."""
        port = port or free_port()
        command = [*within, program, role, f"--web.listen-address=127.0.0.1:{port}", *options]
        super().__init__(f"exporter-{role}", command, port, "/-/ready", folder, scheme)


class Prometheus(Program):
    def __init__(
        self,
        target: str,
        folder: pathlib.Path,
        *rules: pathlib.Path,
        seconds: float = 1,
        further: Sequence[dict] = (),
        options: Sequence[str] = (),
    ):
        """The further ones are scrape configurations, the options its own."""
        port = free_port()
        every = f"{round(1000 * seconds * SLOWNESS)}ms"
        targets = [{"targets": [target]}]
        config = folder / "prometheus.yml"
        config.write_text(
            json.dumps(
                {
                    # the step of a subquery that names none as well: of a minute's, a young series may have no point
                    "global": {"scrape_interval": every, "scrape_timeout": every, "evaluation_interval": every},
                    "rule_files": [str(path) for path in rules],
                    "scrape_configs": [{"job_name": "jobmetrics", "static_configs": targets}, *further],
                }
            )
        )
        command = [
            "prometheus",
            f"--config.file={config}",
            f"--storage.tsdb.path={folder / 'prometheus'}",
            f"--web.listen-address=127.0.0.1:{port}",
            *options,
        ]
        super().__init__("prometheus", command, port, "/-/ready", folder)

    def find(self, expression: str) -> list[dict]:
        """As Prometheus reports it: a metric and a value each."""
        url = f"http://{self.address}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
        with urllib.request.urlopen(url, timeout=10 * SLOWNESS) as answer:
            return json.load(answer)["data"]["result"]

    def query(self, expression: str) -> float | None:
        """The value of an expression that has one; None when it has none yet."""
        result = self.find(expression)
        if len(result) > 1:
            raise AssertionError(f"{expression} has {len(result)} values: {result}")
        return float(result[0]["value"][1]) if result else None
