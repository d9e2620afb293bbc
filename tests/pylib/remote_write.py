# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a receiver of Prometheus remote write 1.0 gets, decoded by hand from what the formats' pages say."""

import contextlib
import dataclasses
import http.server
import struct
import threading

STALE = 0x7FF0000000000002


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def uncompress(data: bytes) -> bytes:
    """The block format: https://github.com/google/snappy/blob/main/format_description.txt"""
    size, at = read_varint(data, 0)
    out = bytearray()
    while at < len(data):
        tag = data[at]
        at += 1
        kind = tag & 3
        if kind == 0:
            length = tag >> 2
            if length >= 60:
                extra = length - 59
                length = int.from_bytes(data[at : at + extra], "little")
                at += extra
            out += data[at : at + length + 1]
            at += length + 1
            continue
        if kind == 1:
            length = (tag >> 2 & 7) + 4
            offset = (tag >> 5) << 8 | data[at]
            at += 1
        else:
            width = 2 if kind == 2 else 4
            length = (tag >> 2) + 1
            offset = int.from_bytes(data[at : at + width], "little")
            at += width
        for _ in range(length):
            out.append(out[-offset])
    if len(out) != size:
        raise ValueError(f"{len(out)} bytes instead of {size}")
    return bytes(out)


def fields(message: bytes):
    """Number and value of each field: a number, 8 bytes, or a message's bytes."""
    at = 0
    while at < len(message):
        key, at = read_varint(message, at)
        if key & 7 == 0:
            value, at = read_varint(message, at)
        elif key & 7 == 1:
            value, at = message[at : at + 8], at + 8
        elif key & 7 == 2:
            length, at = read_varint(message, at)
            value, at = message[at : at + length], at + length
        else:
            raise ValueError(f"wire type {key & 7}")
        yield key >> 3, value


@dataclasses.dataclass
class Sample:
    labels: list[tuple[str, str]]
    value: float
    is_stale: bool
    time_ms: int

    @property
    def name(self) -> str:
        return self.of("__name__")

    def of(self, label: str) -> str:
        return dict(self.labels).get(label, "")


def decode_label(message: bytes) -> tuple[str, str]:
    parts = {number: value.decode() for number, value in fields(message)}
    return parts.get(1, ""), parts.get(2, "")


def decode_series(message: bytes):
    parts = list(fields(message))
    labels = [decode_label(value) for number, value in parts if number == 1]
    for sample in (dict(fields(value)) for number, value in parts if number == 2):
        bits = sample.get(1, bytes(8))
        is_stale = int.from_bytes(bits, "little") == STALE
        yield Sample(labels, struct.unpack("<d", bits)[0], is_stale, sample.get(2, 0))


def decode(body: bytes) -> list[Sample]:
    series = [value for number, value in fields(uncompress(body)) if number == 1]
    return [sample for message in series for sample in decode_series(message)]


class Receiver:
    """A server on a port of loopback that keeps what it takes; answers lists what it says first, before it takes all:
    status, headers and, where there is one, a body."""

    path = "/api/v1/write"
    decode = staticmethod(decode)

    def __init__(self, port: int = 0, answers: tuple[tuple, ...] = ()):
        self.requests: list[list] = []
        self.headers: list[dict[str, str]] = []
        self.refused: list[list] = []
        self.answers = list(answers)
        self.changed = threading.Condition()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self.port = self.server.server_port
        self.url = f"http://127.0.0.1:{self.port}{self.path}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def _handler(receiver):  # noqa: N805 - the handler's own is self
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, headers, *answer = receiver.take(dict(self.headers), receiver.decode(body))
                self.send_response(status)
                for name, value in {"Content-Length": str(len(b"".join(answer))), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                with contextlib.suppress(OSError):
                    self.wfile.write(b"".join(answer))

            def log_message(self, *_):
                pass

        return Handler

    def take(self, headers: dict[str, str], samples: list) -> tuple:
        with self.changed:
            answer = self.answers.pop(0) if self.answers else (204, {})
            (self.requests if answer[0] < 300 else self.refused).append(samples)
            self.headers.append(headers)
            self.changed.notify_all()
            return answer

    def wait_for(self, is_enough, seconds: float) -> None:
        """Waits until is_enough(requests)."""
        with self.changed:
            if not self.changed.wait_for(lambda: is_enough(self.requests), seconds):
                raise AssertionError(f"not within {seconds} s; {len(self.requests)} requests, {len(self.refused)} refused")

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def __enter__(self) -> "Receiver":
        return self

    def __exit__(self, *_):
        self.close()
