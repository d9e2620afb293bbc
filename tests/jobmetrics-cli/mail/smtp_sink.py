# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A mail server on a loopback address that keeps what it is given."""

import asyncio
import pathlib
import ssl
import subprocess
import threading

from aiosmtpd.smtp import SMTP, AuthResult

LOGIN = ("clerk", "open sesame")


def make_certificates(folder: pathlib.Path) -> tuple[ssl.SSLContext, str]:
    """Of a server on 127.0.0.1, and the file of the authority that signed its certificate."""

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], check=True, capture_output=True, timeout=60)

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    openssl("req", "-x509", *key, "-days", "2", "-subj", "/CN=authority", "-keyout", f"{folder}/ca.key", "-out", f"{folder}/ca.crt")
    openssl("req", *key, "-subj", "/CN=server", "-keyout", f"{folder}/server.key", "-out", f"{folder}/server.csr")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n", encoding="utf-8")
    openssl("x509", "-req", "-in", f"{folder}/server.csr", "-CA", f"{folder}/ca.crt", "-CAkey", f"{folder}/ca.key", "-CAcreateserial",
            "-days", "2", "-extfile", f"{folder}/names", "-out", f"{folder}/server.crt")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/server.crt", f"{folder}/server.key")
    return context, f"{folder}/ca.crt"


class Sink:
    """What it answers to a recipient is taken from its list in answers; once there is none, 250."""

    def __init__(self, tls: ssl.SSLContext | None = None, implicit: bool = False, **options):
        self.mails: list[tuple[str, list[str], bytes]] = []
        self.logins: list[tuple[str, str]] = []
        self.answers: dict[str, list[str]] = {}
        self._tls = tls
        self._implicit = implicit
        self._options = options
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def __enter__(self):
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(30)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_):
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _listen(self):
        context = None if self._implicit else self._tls
        implicit = self._tls if self._implicit else None
        return await self._loop.create_server(
            lambda: SMTP(self, hostname="sink", tls_context=context, authenticator=self._authenticate, loop=self._loop, **self._options),
            "127.0.0.1", 0, ssl=implicit)

    async def _close(self):
        self._server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _authenticate(self, _server, _session, _envelope, _mechanism, login):
        said = (login.login.decode(), login.password.decode())
        self.logins.append(said)
        return AuthResult(success=said == LOGIN, handled=False)

    async def handle_RCPT(self, _server, _session, envelope, address, _options):
        if answers := self.answers.get(address):
            return answers.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server, _session, envelope):
        self.mails.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        return "250 OK"
