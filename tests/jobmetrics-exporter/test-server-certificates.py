#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Who shows the server role a certificate is whom it names, or nobody.

usage: test-server-certificates.py MADE-ACCOUNTS EXPORTER
"""

import http.client
import json
import os
import pathlib
import re
import ssl
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

from local import ALICE, SECONDS, LocalTest  # noqa: E402

MADE_ACCOUNTS, EXPORTER = map(os.path.abspath, sys.argv[1:3])
NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
OWN = {"5", "10", "15", "20", "25"}
PHYSICS = {str(number) for number in range(2, 26, 2)}
ALL = {str(number) for number in range(1, 26)}
NO_NAME = "403: your certificate names no good user"


def variables() -> dict[str, str]:
    """LeakSanitizer of Debian 12 crashes where GnuTLS has run in a thread that has ended."""
    return {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}


def openssl(*arguments: object, said: bytes | None = None) -> bytes:
    return subprocess.run(["openssl", *map(str, arguments)], input=said, check=True, capture_output=True).stdout


def split(der: bytes) -> tuple[bytes, bytes]:
    """The first value of DER with its head, and what follows."""
    head, length = 2, der[1]
    if length & 0x80:
        head += length & 0x7F
        length = int.from_bytes(der[2:head])
    return der[: head + length], der[head + length :]


def sequence(content: bytes, tag: int = 0x30) -> bytes:
    length = len(content)
    head = bytes([length]) if length < 0x80 else b"\x82" + length.to_bytes(2)
    return bytes([tag]) + head + content


class Authority:
    def __init__(self, folder: pathlib.Path, name: str):
        self.folder, self.key, self.certificate = folder, folder / f"{name}.key", folder / f"{name}.crt"
        openssl("req", "-x509", *NEW_KEY, "-keyout", self.key, "-out", self.certificate, "-days", "2", "-subj", f"/CN={name}",
                "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")

    def sign(self, name: str, subject: str, *extensions: str) -> pathlib.Path:
        """A file with a certificate and its key."""
        both, request, further = (self.folder / f"{name}.{kind}" for kind in ("pem", "csr", "ext"))
        further.write_text("\n".join(extensions))
        openssl("req", *NEW_KEY, "-keyout", both, "-out", request, "-utf8", "-subj", subject)
        certificate = openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial", "-days", "2", "-extfile", further)
        both.write_bytes(both.read_bytes() + certificate)
        return both

    def sign_changed(self, name: str, subject: str, was: bytes, becomes: bytes) -> pathlib.Path:
        """With other bytes in it, in place of what matches, which openssl would not write."""
        both = self.sign(name, subject)
        der = openssl("x509", "-in", both, "-outform", "DER")
        content = der[len(der) - len(split(der)[0]) + 4 :]
        body, rest = split(content)
        algorithm, _ = split(rest)
        changed_body, n_changes = re.subn(was, lambda _: becomes, body)
        if n_changes != 1 or len(changed_body) != len(body):
            raise AssertionError(body)
        body = changed_body
        signature = openssl("dgst", "-sha256", "-sign", self.key, said=body)
        changed = sequence(body + algorithm + sequence(b"\0" + signature, 0x03))
        key = openssl("pkey", "-in", both)
        both.write_bytes(key + ssl.DER_cert_to_PEM_cert(changed).encode())
        return both


class Certificates:
    folder: pathlib.Path

    @classmethod
    def make(cls) -> None:
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.kept.name)
        cls.site, cls.other = Authority(cls.folder, "site"), Authority(cls.folder, "other")
        cls.server = cls.site.sign("server", "/CN=localhost", "subjectAltName=IP:127.0.0.1")
        for user in ("daemon", "bin", "games", "mail", "root"):
            setattr(cls, user, cls.site.sign(user, f"/O=Site/CN={user}"))


class CertificateTest(LocalTest):
    OPTIONS = ("--server.certificate-name=common-name",)

    def start(self, auth: str = "RequireAndVerifyClientCert", users: str = "", options: tuple[str, ...] = OPTIONS) -> None:
        store, config = self.folder / "accounts.db", self.folder / "web.yml"
        subprocess.run([MADE_ACCOUNTS, store], check=True, timeout=SECONDS)
        tls = f"  cert_file: {Certificates.server}\n  key_file: {Certificates.server}\n  client_auth_type: {auth}\n"
        if auth != "NoClientCert":
            tls += f"  client_ca_file: {Certificates.site.certificate}\n"
        config.write_text(f"tls_server_config:\n{tls}{users}")
        self.launch([EXPORTER, "server", f"--server.store={store}", "--web.listen-address=127.0.0.1:0", f"--web.config.file={config}", *options],
                    r"listening on 127", "stderr", **variables())
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", self.said)[1])

    def answer(self, certificate: pathlib.Path | None, **headers: str) -> tuple[int, set[str] | str]:
        """Whose runs are reported; 0 for who is let into no conversation."""
        context = ssl.create_default_context(cafile=Certificates.site.certificate)
        if certificate is not None:
            context.load_cert_chain(certificate)
        client = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=SECONDS, context=context)
        try:
            client.request("GET", "/api/v1/jobs", headers={name.replace("_", "-"): value for name, value in headers.items()})
            got = client.getresponse()
            text = got.read().decode()
        except (OSError, http.client.HTTPException):
            return 0, ""
        finally:
            client.close()
        return got.status, {job["raw_id"] for job in json.loads(text)["jobs"]} if got.status == 200 else text.strip()


class AVerifiedCertificate(CertificateTest):
    def test_is_whom_its_common_name_names(self):
        self.start()
        for certificate, runs in ((Certificates.daemon, OWN), (Certificates.bin, PHYSICS), (Certificates.games, ALL), (Certificates.mail, set()), (Certificates.root, set())):
            self.assertEqual(self.answer(certificate), (200, runs))

    def test_is_nobody_where_that_is_not_set(self):
        self.start(options=())
        self.assertEqual(self.answer(Certificates.daemon), (401, "401: the request names no user"))

    def test_is_asked_for_where_it_may_be_missing(self):
        self.start(auth="VerifyClientCertIfGiven")
        self.assertEqual(self.answer(Certificates.daemon), (200, OWN))
        self.assertEqual(self.answer(None), (401, "401: the request names no user"))

    def test_of_two_names_or_none_is_nobody(self):
        self.start()
        site = Certificates.site
        for name, subject in (("two", "/CN=daemon/CN=games"), ("same", "/CN=daemon/CN=daemon"), ("none", "/O=daemon"), ("comma", r"/CN=daemon,CN\=games"),
                              ("blank", "/CN=daemon games"), ("letter", "/CN=dæmon"), ("joined", "/CN=games+CN=daemon")):
            self.assertEqual(self.answer(site.sign(name, subject)), (403, NO_NAME), subject)

    def test_with_a_name_that_ends_early_is_nobody(self):
        self.start()
        ends = Certificates.site.sign_changed("ends", "/CN=gamesXdaemon", b"gamesXdaemon", b"games\0daemon")
        self.assertEqual(self.answer(ends), (403, NO_NAME))
        whole = Certificates.site.sign_changed("whole", "/CN=gamez", b"gamez", b"games")
        self.assertEqual(self.answer(whole), (200, ALL), "what changes it leaves it whole")

    def test_holds_beside_the_password_of_the_same_user_alone(self):
        self.start(users=f"basic_auth_users:\n  alice: {ALICE}\n  daemon: {ALICE}\n")
        self.assertEqual(self.answer(Certificates.daemon)[0], 401)
        self.assertEqual(self.answer(Certificates.daemon, Authorization="Basic YWxpY2U6c2VjcmV0"), (403, "403: you are two different users"))
        self.assertEqual(self.answer(Certificates.daemon, Authorization="Basic ZGFlbW9uOnNlY3JldA=="), (200, OWN))


class OtherCertificates(CertificateTest):
    def test_are_not_let_in(self):
        self.start()
        other = Certificates.other.sign("stranger", "/CN=games")
        late = Certificates.site.sign_changed("late", "/CN=games", rb"(?<=Z\x17\r)\d\d", b"01")
        for certificate in (None, other, late):
            self.assertEqual(self.answer(certificate)[0], 0, certificate)
        self.assertEqual(self.answer(Certificates.games), (200, ALL))

    def test_that_nobody_looked_at_name_nobody(self):
        """Whoever asks for some certificate is shown some."""
        other = Certificates.other.sign("forged", "/CN=games")
        for auth in ("RequestClientCert", "RequireAnyClientCert", "NoClientCert"):
            self.start(auth=auth)
            for certificate in (other, Certificates.games):
                self.assertEqual(self.answer(certificate), (401, "401: the request names no user"), auth)


class AHeaderBesideACertificate(CertificateTest):
    FORGED = (403, "403: a user is named by somebody who is no trusted proxy")

    def test_changes_nobody(self):
        self.start()
        for user in ("daemon", "games"):
            self.assertEqual(self.answer(Certificates.daemon, X_Remote_User=user), self.FORGED)
            self.assertEqual(self.answer(Certificates.daemon, X_Remote_User=user, X_Jobmetrics_Secret="guessed"), self.FORGED)

    def test_of_a_trusted_proxy_is_believed(self):
        """Whose certificate is its own."""
        secret = self.folder / "secret"
        secret.write_text("between-us-two\n")
        secret.chmod(0o600)
        self.start(options=(*self.OPTIONS, "--server.proxy-addresses=127.0.0.1", f"--server.proxy-secret-file={secret}"))
        proxy = Certificates.site.sign("proxy", "/CN=proxy.example.org")
        self.assertEqual(self.answer(proxy, X_Remote_User="daemon", X_Jobmetrics_Secret="between-us-two"), (200, OWN))
        self.assertEqual(self.answer(Certificates.games, X_Remote_User="daemon"), self.FORGED)
        self.assertEqual(self.answer(Certificates.daemon), (200, OWN))


class Settings(unittest.TestCase):
    def test_that_are_invalid_are_refused(self):
        done = subprocess.run([EXPORTER, "server", "--server.certificate-name=email"], capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--server.certificate-name", done.stderr)
        self.assertIn("email", done.stderr)


if __name__ == "__main__":
    Certificates.make()
    sys.exit(tap.run(AVerifiedCertificate, OtherCertificates, AHeaderBesideACertificate, Settings))
