# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A site that reports: a Slurm whose mails go through jobmetrics-mail, a node with a ledger, the archive, and a mail server."""

import base64
import email
import email.message
import email.policy
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "jobmetrics-cli" / "mail"))
from lab import CLUSTER, NODE, SLURM_LAB, Lab, Unfit  # noqa: E402
from metrics import Scrape  # noqa: E402
from programs import SLOWNESS, Exporter, Program, free_port, wait_for  # noqa: E402
from smtp_sink import Sink  # noqa: E402

# Between two readings that nobody asks for: longer than all of it lasts, so that a mail has them read itself.
INTERVAL_SECONDS = 3600
ASK_SECONDS = 60 * SLOWNESS
PASSWORD = "secret"
HASH = "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"
# whom the node lets in, and the user as whom slurmctld runs
READER, MAILER = "accounts", "slurm"
# its nodes have reported its end, and its scheduler has not
ENDED = "ENDED"
# Jobs of a test are short, and idle for seconds.
RULES = """[Thresholds]
short=1s
very_short=1h
idle_end=3s
usual_memory_per_cpu=16MiB
observed=20
"""
MAIL_CONFIG = """[mail]
from=The cluster <hpc@example.org>
domain=users.example.org
smtp=smtp://127.0.0.1:{port}
smtp-tls=none
[report]
pdf=true
wait={wait}
[archive]
server={server}
login-file={login}
"""
MAIL_PROGRAM = """#!/bin/sh
exec {cli} mail --config.file={config} --path.rootfs={site} "$@"
"""


class Site:
    def __init__(self, exporter: str, spend: str, cli: str, folder: pathlib.Path):
        self.program = os.path.abspath(exporter)
        self.cli = os.path.abspath(cli)  # it runs elsewhere
        self.folder = folder
        self.lab = Lab(folder)
        self.running: list[Program] = []
        self.spend = folder / "spend"
        shutil.copy(spend, self.spend)
        self.socket = folder / "socket"
        self.ledger = folder / "ledger.db"
        self.root = folder / "site"
        self.config = folder / "mail.conf"

    def start(self) -> None:
        if subprocess.run(["setpriv", f"--reuid={MAILER}", "--clear-groups", "test", "-x", self.cli], check=False).returncode:
            raise Unfit("the build directory is closed to other users")
        rules = self.root / "etc" / "jobmetrics" / "advice"
        rules.mkdir(parents=True)
        (rules / "site.conf").write_text(RULES)
        self.sink = Sink().__enter__()
        self.lab.up("--mail-prog", str(self.write_mail_program()))
        self.lab.ask("sacctmgr", "--immediate", "add", "user", MAILER, "account=root", f"cluster={CLUSTER}", "adminlevel=operator")
        self.start_node()
        self.start_server()

    def write_mail_program(self) -> pathlib.Path:
        program = self.folder / "mail-program"
        program.write_text(MAIL_PROGRAM.format(cli=shlex.quote(self.cli), config=self.config, site=self.root))
        program.chmod(0o755)
        return program

    def write_login(self, user: str) -> pathlib.Path:
        """For this user, and readable for it alone; root reads the node's."""
        login = self.folder / f"{user}.login"
        login.write_text(f"username={user}\npassword={PASSWORD}\n")
        login.chmod(0o600)
        if user == MAILER:
            shutil.chown(login, user)
        return login

    def write_web_config(self, user: str) -> pathlib.Path:
        config = self.folder / f"{user}.yml"
        config.write_text(json.dumps({"basic_auth_users": {user: HASH}}))
        return config

    def start_node(self) -> None:
        self.exporter = Exporter(
            self.program,
            self.folder,
            f"--node.name={NODE}",
            f"--cluster={CLUSTER}",
            "--metrics.job-label=uuid",
            "--sample.interval=1",
            "--sample.linger=1000",
            f"--ledger.file={self.ledger}",
            "--power.source=estimate",
            "--emissions.provider=fixed,factor=400",
            f"--web.config.file={self.write_web_config(READER)}",
        )
        self.running.append(self.exporter)

    def start_server(self) -> None:
        """Which learns of what is new when it is asked to."""
        nodes = self.folder / "nodes.json"
        nodes.write_text(json.dumps([{"targets": [self.exporter.address], "labels": {"cluster": CLUSTER}}]))
        port = free_port()
        server = f"http://127.0.0.1:{port}"
        self.config.write_text(
            MAIL_CONFIG.format(port=self.sink.port, wait=80, server=server, login=self.write_login(MAILER))
        )
        self.server = Exporter(
            self.program,
            self.folder,
            f"--server.store={self.folder / 'accounts.db'}",
            f"--server.history=sacct,cluster={CLUSTER}",
            f"--server.interval={INTERVAL_SECONDS}",
            f"--server.nodes-file={nodes}",
            f"--server.nodes-login-file={self.write_login(READER)}",
            f"--web.local-socket={self.socket}",
            f"--web.config.file={self.write_web_config(MAILER)}",
            role="server",
            within=self.lab.within,
            port=port,
        )
        self.running.append(self.server)

    def stop(self) -> None:
        for program in reversed(self.running):
            program.stop()
        self.lab.down()
        if hasattr(self, "sink"):
            self.sink.__exit__()

    # --- who says what ---

    def scrape(self) -> Scrape:
        login = base64.b64encode(f"{READER}:{PASSWORD}".encode()).decode()
        request = urllib.request.Request(f"{self.exporter.url}/metrics", headers={"Authorization": f"Basic {login}"})
        with urllib.request.urlopen(request, timeout=10 * SLOWNESS) as answer:
            return Scrape(answer.read().decode())

    def run_cli(self, *arguments: str, user: str = "root", ledger: bool = False, text: bool = True) -> subprocess.CompletedProcess:
        """The command line of the build, as this user, who asks the server's local socket, or else the ledger."""
        place = f"--ledger.file={self.ledger}" if ledger else f"--server=unix:{self.socket}"
        command = [SLURM_LAB, "as", user, self.cli, *arguments, f"--path.rootfs={self.root}", place]
        environment = {**self.lab.environment, "LC_ALL": "C.UTF-8"}
        return subprocess.run(command, env=environment, cwd="/", stdin=subprocess.DEVNULL, capture_output=True, text=text, timeout=ASK_SECONDS, check=False)

    def ask_cli(self, *arguments: str, user: str = "root", ledger: bool = False) -> str:
        done = self.run_cli(*arguments, user=user, ledger=ledger)
        if done.returncode != 0:
            raise AssertionError(f"{arguments} as {user}: {done.returncode}: {done.stderr}")
        return done.stdout

    def refresh(self) -> None:
        """It does so at most each ten seconds, however often it is asked."""
        self.lab.ask("curl", "-sS", "--fail", "-X", "POST", "--unix-socket", str(self.socket), "http://localhost/api/v1/refresh")

    def report(self, job: str, user: str = "root") -> dict | None:
        """None as long as the archive has no such job; once more they look for what is new."""
        self.refresh()
        done = self.run_cli("report", "--json", job, user=user)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def await_whole_report(self, job: str) -> dict:
        """Once the scheduler and the node have reported its end."""

        def whole() -> dict | None:
            report = self.report(job)
            is_told = report and not report["running"] and report["job"]["state"] != ENDED
            return report if is_told and "energy_joules" in report["figures"] else None

        return wait_for(f"the archive has all of job {job}", 60, whole, every=0.5)

    def page(self, path: str, user: str) -> tuple[int, str]:
        return self.lab.ask_socket(self.socket, path, user)

    def mails_of(self, address: str) -> list[email.message.EmailMessage]:
        return [email.message_from_bytes(text, policy=email.policy.default) for _, to, text in list(self.sink.mails) if address in to]


def unfit_because() -> str | None:
    if os.geteuid() != 0:
        return "needs root to run a Slurm"
    if shutil.which("slurmctld") is None:
        return "Slurm is not installed (tests/install-dependencies lab)"
    return None
