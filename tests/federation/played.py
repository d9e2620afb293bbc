# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Nodes that are played: each has a port of its own, and answers as its kind does."""

import http.server
import json
import socket
import ssl
import threading
import time
import urllib.parse

from plan import Kind, Node

# just within the server's patience, which is 30 s
SLOW_SECONDS = 29
HUGE_BYTES = 9 << 20


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        try:
            self.server.player.answer(self)
        except OSError:
            # the server was killed meanwhile
            pass

    def reply(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


class HttpServer(http.server.ThreadingHTTPServer):
    daemon_threads = True
    player: "Player"


class Player:
    """One node; what it reports is in `records`, which grows. Its port is any free one, unless one is given."""

    def __init__(self, node: Node, port: int = 0, tls: ssl.SSLContext | None = None):
        self.node = node
        self.records: list[object] = []
        self.has_ended = threading.Event()
        self.n_asked = 0
        if node.kind in (Kind.DEAD, Kind.DEAF):
            self.socket = self._hold_port(node.host, port, node.kind == Kind.DEAF)
            port = self.socket.getsockname()[1]
        else:
            self.server = HttpServer((node.host, port), Handler)
            if tls:
                self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
            self.server.player = self
            port = self.server.server_address[1]
            threading.Thread(target=self.server.serve_forever, daemon=True).start()
        node.address = f"{node.host}:{port}"

    @staticmethod
    def _hold_port(host: str, port: int, listens: bool) -> socket.socket:
        """Nobody else gets the port meanwhile. One that listens has its queue full."""
        one = socket.socket()
        one.bind((host, port))
        if listens:
            one.listen(0)
        return one

    def tell(self, record: object) -> None:
        if isinstance(record, dict):
            record = {**record, "position": len(self.records) + 1}
        self.records.append(record)

    def close(self) -> None:
        self.has_ended.set()
        if hasattr(self, "server"):
            self.server.shutdown()
            self.server.server_close()
        else:
            self.socket.close()

    # --- answers

    def _page(self, query: dict[str, list[str]]) -> dict:
        if "after" not in query:
            return {"records": [], "next": 0, "more": False}
        # as a node does with a position that is of another ledger
        after = int(query["after"][0])
        after = 0 if after > len(self.records) else after
        limit = int(query["limit"][0])
        told = self.records[after : after + limit]
        return {"records": told, "next": after + len(told), "more": after + len(told) < len(self.records)}

    def _break(self, handler: Handler, page: bytes) -> None:
        """One after the other of the ways in which a page is none."""
        self.n_asked += 1
        ways = (
            lambda: handler.reply(200, page, Content_Length=str(len(page) + 1000)),
            lambda: handler.reply(500, b"out of order\n"),
            lambda: handler.reply(200, b"<html>welcome</html>"),
            lambda: handler.reply(200, b" " * HUGE_BYTES + page),
            lambda: handler.reply(302, b"", Location=f"http://{self.node.address}/ledger"),
            lambda: handler.reply(200, json.dumps({"records": [], "next": self.n_asked, "more": True}).encode()),
            lambda: handler.reply(200, b'{"records": [[[[[[[[[[', Content_Type="text/plain"),
            lambda: handler.reply(200, json.dumps({"records": {}, "next": -1, "more": 7}).encode()),
            lambda: handler.reply(204, b""),
            lambda: handler.wfile.write(b"\x00\x01nothing of HTTP\r\n\r\n"),
        )
        ways[self.n_asked % len(ways)]()

    def answer(self, handler: Handler) -> None:
        page = json.dumps(self._page(urllib.parse.parse_qs(urllib.parse.urlsplit(handler.path).query))).encode()
        if self.node.kind == Kind.SILENT:
            self.has_ended.wait()
        elif self.node.kind == Kind.BEFORE:
            handler.reply(404, b"404: not found\n")
        elif self.node.kind == Kind.BROKEN:
            self._break(handler, page)
        elif self.node.kind == Kind.SLOW:
            self._drip(handler, page)
        else:
            handler.reply(200, page)

    def _drip(self, handler: Handler, page: bytes) -> None:
        """Its answer comes in pieces, the last of them just in time."""
        end = time.monotonic() + SLOW_SECONDS
        head = b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n"
        handler.wfile.write(head)
        while not self.has_ended.wait(min(1, max(0, end - time.monotonic()))) and time.monotonic() < end:
            handler.wfile.write(b"X-Wait: a little\r\n")
            handler.wfile.flush()
        handler.wfile.write(b"\r\n" + page)
