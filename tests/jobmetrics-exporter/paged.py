# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A server with pages of made accounts, which asks a proxy who looks at them."""

import http.client
import json
import os
import re
import subprocess
import sys
import time

from local import SECONDS, LocalTest
from slurm_scripts import write_scripts

MADE_PAGES, EXPORTER = map(os.path.abspath, sys.argv[1:3])
SECRET = "between-us-two"
# a user with jobs, one who coordinates an account, an administrator, one without jobs
OWNER, COORDINATOR, ADMINISTRATOR, OTHER = "daemon", "bin", "games", "mail"
NASTY = "<script>alert(1)</script>\"'><b>&amp;"
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def headers_of(user: str) -> dict[str, str]:
    return {"X-Jobmetrics-Secret": SECRET, "X-Remote-User": user}


class PagesTest(LocalTest):
    def setUp(self):
        super().setUp()
        self.now = int(time.time())
        self.store = self.folder / "accounts.db"
        self.fill()

    def fill(self, *more: str) -> None:
        subprocess.run([MADE_PAGES, self.store, str(self.now), *more], check=True, timeout=SECONDS)

    def start(self, *options: str) -> None:
        secret = self.folder / "secret"
        secret.write_text(f"{SECRET}\n")
        secret.chmod(0o600)
        listen = ["--web.listen-address=127.0.0.1:0", "--server.proxy-addresses=127.0.0.1", f"--server.proxy-secret-file={secret}"]
        self.addCleanup(self.check_log)
        self.launch([EXPORTER, "server", f"--server.store={self.store}", *listen, *options], r"listening on 127", "stderr")
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", self.said)[1])

    def check_log(self) -> None:
        """No page may have had the program complain of itself."""
        self.assertNotIn("level=error", self.said)
        self.assertNotIn("assertion", self.said)

    def start_with_scheduler(self) -> None:
        """Which has answered once."""
        scripts = self.folder / "slurm"
        scripts.mkdir()
        write_scripts(scripts)
        self.start(f"--server.scheduler=slurm,cluster=alps,directory={scripts}")
        self.await_text("/cluster", ADMINISTRATOR, "maint1")

    def await_text(self, path: str, user: str, text: str) -> None:
        end = time.monotonic() + SECONDS
        while text not in self.get(path, user)[1]:
            self.assertLess(time.monotonic(), end, f"{path}: {text} does not come")
            time.sleep(0.05)

    def reply(self, path: str, user: str | None, **headers: str) -> tuple[int, http.client.HTTPMessage, str]:
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            client.request("GET", path, headers={**headers, **(headers_of(user) if user else {})})
            answer = client.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            client.close()

    def get(self, path: str, user: str | None = OWNER) -> tuple[int, str]:
        status, _, text = self.reply(path, user)
        return status, text

    def page(self, path: str, user: str = OWNER) -> str:
        status, text = self.get(path, user)
        self.assertEqual(status, 200, f"{path}: {text[:2000]}")
        return text

    def job(self, number: int) -> dict:
        (job,) = json.loads(self.get(f"/api/v1/jobs?job={number}", ADMINISTRATOR)[1])["jobs"]
        return job

    def paths(self) -> list[str]:
        """One of each kind, which all of a site's people may ask for."""
        return ["/", "/jobs", f"/job/{self.job(4107)['uuid']}", f"/job/{self.job(4100)['uuid']}", f"/job/{self.job(4106)['uuid']}", "/account", "/account/physics", "/account/a/b%20%26%20%3Cc%3E",
                self.comparison(4112, 4106, 4107), "/jobs?by=name&column=wait_seconds", "/cluster", "/cluster?cluster=alps&state=idle", "/energy", "/goodput", "/goodput?group=node", "/search", "/search?q=daemon", "/search?q=nothing", "/api"]



    def comparison(self, *numbers: int) -> str:
        return "/compare?" + "&".join(f"run={self.job(number)['uuid']}" for number in numbers)
