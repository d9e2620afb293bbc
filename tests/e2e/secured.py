# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Servers with TLS that want to know who asks, as Prometheus's web configuration makes them."""

import base64
import json
import pathlib
import ssl
import subprocess
import urllib.request

from programs import SLOWNESS

LOGIN = ("ada", "l0velace")
HASHES = {
    LOGIN[1]: "$2b$05$abcdefghijklmnopqrstuusMqI1zAKQF3rIK8bvF/q23GPGKjzaNS",
    "another": "$2b$05$abcdefghijklmnopqrstuu1SwD0bzRjMCptAMfZGKFhzTGIE1aPuG",
}
NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
HERE = "IP:127.0.0.1"


def openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


def fetch(url: str) -> str:
    """Whatever certificate the server has; servers that do not ask who it is pass over the name."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    name = base64.b64encode(":".join(LOGIN).encode()).decode()
    request = urllib.request.Request(url, headers={"Authorization": f"Basic {name}"})
    with urllib.request.urlopen(request, timeout=20 * SLOWNESS, context=context if url.startswith("https:") else None) as answer:
        return answer.read().decode()


class Authority:
    def __init__(self, folder: pathlib.Path, name: str):
        self.base = str(folder / name)
        self.file = pathlib.Path(f"{self.base}.crt")
        is_one = ["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"]
        openssl("req", "-x509", *NEW_KEY, "-keyout", f"{self.base}.key", "-out", str(self.file), "-days", "2", "-subj", f"/CN={name}", *is_one)

    def write_config(self, name: str = HERE, days: int = 2, password: str = LOGIN[1]) -> pathlib.Path:
        """Of a server whose certificate is signed by this authority; with a day less than none it has expired."""
        server = f"{self.base}-server"
        extensions = pathlib.Path(f"{server}.ext")
        extensions.write_text(f"subjectAltName={name}\n")
        signing = ["-CA", str(self.file), "-CAkey", f"{self.base}.key", "-CAcreateserial", "-extfile", str(extensions)]
        openssl("req", *NEW_KEY, "-keyout", f"{server}.key", "-out", f"{server}.csr", "-subj", "/CN=server")
        openssl("x509", "-req", "-in", f"{server}.csr", *signing, "-days", str(days), "-out", f"{server}.crt")
        config = pathlib.Path(f"{server}.yml")
        tls = {"cert_file": f"{server}.crt", "key_file": f"{server}.key"}
        config.write_text(json.dumps({"tls_server_config": tls, "basic_auth_users": {LOGIN[0]: HASHES[password]}}))
        return config
