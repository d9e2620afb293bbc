# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Farms of nodes whose ledgers the exporter's own code writes and serves, and which are killed."""

import json
import pathlib
import subprocess

from daemon import Failure
from plan import Node

LOGIN = ("alice", "secret")
HASH = "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"


def make_login(folder: pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    """What nodes know of those who may read them, and the server's own file."""
    config, login = folder / "web.yml", folder / "login"
    config.write_text(f"basic_auth_users:\n  {LOGIN[0]}: {HASH}\n")
    login.write_text("username={}\npassword={}\n".format(*LOGIN))
    login.chmod(0o600)
    return config, login


class Farm:
    def __init__(self, program: str, config: pathlib.Path, folder: pathlib.Path, nodes: list[Node]):
        self.nodes = {node.name: node for node in nodes}
        self.command = [program, str(config), str(folder)]
        self.log = folder.with_suffix(".log")
        folder.mkdir()
        self.n_kills = 0
        self.start()

    def start(self) -> None:
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
        for answer in self._ask([f"open {node.name} {node.seconds_ahead} {node.host}" for node in self.nodes.values()]):
            name, address = answer.split()
            self.nodes[name].address = address

    def _ask(self, lines: list[str], n_answers: int | None = None) -> list[str]:
        """Answers to the first of them alone are waited for, where so many are given."""
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()
        answers = [self.process.stdout.readline() for _ in lines[:n_answers]]
        if not all(answers):
            self._fail(self.process.wait())
        return answers

    def record(self, told: list[tuple[str, Node, dict]], kill_after: int | None = None) -> None:
        """A farm that is killed after so many does all of it again once it is back, as nodes do that are not sure."""
        lines = [f"{what} {node.name} {json.dumps(record)}" for what, node, record in told]
        if kill_after is not None:
            self._ask(lines, kill_after)
            self.kill()
            self.start()
        self._ask(lines)

    def empty(self, node: Node, seconds_ahead: int) -> None:
        self._ask([f"empty {node.name} {seconds_ahead}"])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._close()
        self.n_kills += 1

    def end(self) -> None:
        self.process.stdin.close()
        status = self.process.wait(60)
        self.process.stdout.close()
        if status != 0:
            self._fail(status)

    def _fail(self, status: int) -> None:
        raise Failure(f"a farm ended with {status}:\n{self.log.read_text(errors='replace')[-3000:]}")

    def _close(self) -> None:
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            # what it did not read any more
            pass
        self.process.stdout.close()
