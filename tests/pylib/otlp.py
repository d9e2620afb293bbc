# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a receiver of OTLP gets by HTTP, decoded by hand from what opentelemetry-proto says."""

import dataclasses
import gzip
import struct

import remote_write
from remote_write import fields

CUMULATIVE = 2
NO_RECORDED_VALUE = 1


@dataclasses.dataclass
class Point:
    """One number, with all that stands around it."""

    name: str
    description: str
    unit: str
    kind: str  # gauge, counter or updowncounter
    attributes: dict[str, str]
    resource: dict[str, str]
    start_ns: int
    time_ns: int
    value: float | None
    flags: int


def decode_attributes(message: bytes, number: int) -> dict[str, str]:
    pairs = [dict(fields(value)) for n, value in fields(message) if n == number]
    names = [pair[1].decode() for pair in pairs]
    if len(set(names)) != len(names):
        raise ValueError(f"an attribute twice: {names}")
    return {pair[1].decode(): dict(fields(pair[2]))[1].decode() for pair in pairs}


def decode_metric(message: bytes, resource: dict[str, str]):
    parts = dict(fields(message))
    (number,) = {5, 7} & set(parts)
    data = list(fields(parts[number]))
    kind = "gauge"
    if number == 7:
        if dict(data)[2] != CUMULATIVE:
            raise ValueError("not cumulative")
        kind = "counter" if dict(data).get(3) else "updowncounter"
    texts = [parts.get(n, b"").decode() for n in (1, 2, 3)]
    for point in (value for n, value in data if n == 1):
        one = dict(fields(point))
        start, time = (struct.unpack("<Q", one.get(n, bytes(8)))[0] for n in (2, 3))
        value = struct.unpack("<d", one[4])[0] if 4 in one else None
        yield Point(*texts, kind, decode_attributes(point, 7), resource, start, time, value, one.get(8, 0))


def decode(body: bytes) -> list[Point]:
    points = []
    for part in (value for n, value in fields(gzip.decompress(body)) if n == 1):
        (resource,) = [decode_attributes(value, 1) for n, value in fields(part) if n == 1]
        for scope in (value for n, value in fields(part) if n == 2):
            metrics = [value for n, value in fields(scope) if n == 2]
            points += [point for metric in metrics for point in decode_metric(metric, resource)]
    return points


def encode_partial_success(n_rejected: int, words: str) -> bytes:
    part = b"\x08" + bytes([n_rejected]) + b"\x12" + bytes([len(words)]) + words.encode()
    return b"\x0a" + bytes([len(part)]) + part


class Receiver(remote_write.Receiver):
    """A server that takes metrics by OTLP."""

    path = "/v1/metrics"
    decode = staticmethod(decode)
