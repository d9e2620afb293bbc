#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The example of signing in by OpenID Connect, data/config/apache-openidc.conf, with a real Apache and a provider that is made here.

usage: test-sign-in.py MADE-PAGES EXPORTER
"""

import base64
import hashlib
import hmac
import http.cookiejar
import http.server
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "pylib"))
import tap  # noqa: E402

from paged import ADMINISTRATOR, OTHER, OWNER, SECONDS, SECRET, PagesTest  # noqa: E402

EXAMPLE = HERE.parent.parent / "data" / "config" / "apache-openidc.conf"
MODULES = pathlib.Path("/usr/lib/apache2/modules")
NEEDED = ("mpm_event", "authn_core", "authz_core", "authz_user", "headers", "proxy", "proxy_http", "auth_openidc")
CLIENT, CLIENT_SECRET = "jobmetrics", "of-this-client"
CODE = "once"


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Provider(http.server.ThreadingHTTPServer):
    """Signs everybody in as one user, as whom the test says."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.user, self.nonce = "", ""

    def make_token(self) -> str:
        now = int(time.time())
        head = {"alg": "HS256", "typ": "JWT"}
        claims = {"iss": self.url, "sub": "4711", "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": self.nonce, "preferred_username": self.user}
        text = ".".join(encode(json.dumps(part).encode()) for part in (head, claims))
        return f"{text}.{encode(hmac.digest(CLIENT_SECRET.encode(), text.encode(), hashlib.sha256))}"


class Handler(http.server.BaseHTTPRequestHandler):
    server: Provider

    def log_message(self, *_):
        pass

    def reply(self, document: dict) -> None:
        body = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        url, path = self.server.url, urllib.parse.urlparse(self.path)
        if path.path == "/.well-known/openid-configuration":
            self.reply({
                "issuer": url, "authorization_endpoint": f"{url}/authorize", "token_endpoint": f"{url}/token", "jwks_uri": f"{url}/keys",
                "response_types_supported": ["code"], "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["HS256"],
                "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            })
        elif path.path == "/keys":
            self.reply({"keys": []})
        else:
            asked = dict(urllib.parse.parse_qsl(path.query))
            self.server.nonce = asked["nonce"]
            self.send_response(302)
            self.send_header("Location", asked["redirect_uri"] + "?" + urllib.parse.urlencode({"code": CODE, "state": asked["state"]}))
            self.send_header("Content-Length", "0")
            self.end_headers()

    def do_POST(self):
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        is_client = self.headers["Authorization"] == "Basic " + base64.b64encode(f"{CLIENT}:{CLIENT_SECRET}".encode()).decode()
        if is_client and form.get("code") == CODE:
            self.reply({"access_token": "unused", "token_type": "Bearer", "expires_in": 300, "id_token": self.server.make_token()})
        else:
            self.send_error(401)


class Apache(PagesTest):
    def setUp(self):
        super().setUp()
        self.start()
        self.provider = Provider()
        thread = threading.Thread(target=self.provider.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.provider.server_close)
        self.addCleanup(self.provider.shutdown)
        self.start_apache()

    def start_apache(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.apache_port = free.getsockname()[1]
        config = self.folder / "apache.conf"
        config.write_text("\n".join([
            *(f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in NEEDED),
            f"ServerName 127.0.0.1\nListen 127.0.0.1:{self.apache_port}\nPidFile {self.folder}/pid\nErrorLog {self.folder}/apache.log\nUser daemon\nGroup daemon",
            f"Define OIDC_PROVIDER {self.provider.url}", f"Define OIDC_CLIENT {CLIENT}", f"Define OIDC_SECRET {CLIENT_SECRET}",
            "Define OIDC_PASSPHRASE of-this-test", f"Define JOBMETRICS_URL http://127.0.0.1:{self.port}", f"Define JOBMETRICS_SECRET {SECRET}",
            f'Include "{EXAMPLE}"\n',
        ]))
        log = self.enterContext((self.folder / "apache.log").open("w"))
        process = subprocess.Popen(["apache2", "-X", "-f", str(config)], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.addCleanup(process.wait, SECONDS)
        self.addCleanup(process.terminate)
        self.await_apache(process)

    def await_apache(self, process: subprocess.Popen) -> None:
        end = time.monotonic() + SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.apache_port), SECONDS).close()
                return
            except ConnectionRefusedError:
                self.assertIsNone(process.poll(), (self.folder / "apache.log").read_text())
                self.assertLess(time.monotonic(), end, "Apache does not listen")
                time.sleep(0.05)

    def browse(self, path: str, user: str, **headers: str) -> str:
        """As a browser that has no cookie yet."""
        self.provider.user = user
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), cookies)
        request = urllib.request.Request(f"http://127.0.0.1:{self.apache_port}{path}", headers={"Accept": "text/html", **headers})
        with opener.open(request, timeout=SECONDS) as reply:
            self.assertEqual(reply.url, request.full_url)
            return reply.read().decode()

    def test_whom_the_provider_names_is_signed_in(self):
        self.assertRegex(self.browse("/", OWNER), rf"You are </span>{OWNER}<")

    def test_each_sees_their_own_runs(self):
        for user, numbers in ((OWNER, ["4107"]), (OTHER, []), ("whom-no-machine-knows", []), (ADMINISTRATOR, ["4107"])):
            jobs = json.loads(self.browse("/api/v1/jobs?job=4107", user))["jobs"]
            self.assertEqual([job["raw_id"] for job in jobs], numbers, user)

    def test_a_name_that_the_browser_sends_counts_for_nothing(self):
        sent = {"X-Remote-User": ADMINISTRATOR, "X-Jobmetrics-Secret": SECRET}
        self.assertEqual(json.loads(self.browse("/api/v1/jobs?job=4107", OTHER, **sent))["jobs"], [])

    def test_a_program_without_a_session_is_asked_to_sign_in(self):
        with self.assertRaises(urllib.error.HTTPError) as caught:
            self.browse("/api/v1/jobs", OWNER, Accept="application/json")
        self.assertEqual(caught.exception.code, 401)
        caught.exception.close()


if __name__ == "__main__":
    if shutil.which("apache2") is None or not (MODULES / "mod_auth_openidc.so").exists():
        tap.skip_all("no apache2 with libapache2-mod-auth-openidc")
    sys.exit(tap.run(Apache))
