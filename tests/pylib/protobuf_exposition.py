# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prometheus' protobuf exposition, decoded by hand from what client_model's metrics.proto says."""

import dataclasses
import struct

from remote_write import decode_label, fields, read_varint

ACCEPT = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"
CONTENT_TYPE = "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited"
# the number of a type, and of the field that has its value
TYPES = {0: ("counter", 3), 1: ("gauge", 2), 3: ("untyped", 5)}


@dataclasses.dataclass
class Family:
    name: str
    type: str
    samples: list[tuple[dict[str, str], float]]


def decode_metric(message: bytes, value_field: int) -> tuple[dict[str, str], float]:
    parts = list(fields(message))
    labels = dict(decode_label(value) for number, value in parts if number == 1)
    (value,) = [dict(fields(value))[1] for number, value in parts if number == value_field]
    return labels, struct.unpack("<d", value)[0]


def decode_family(message: bytes) -> Family:
    parts = list(fields(message))
    (name,) = [value.decode() for number, value in parts if number == 1]
    (kind,) = [value for number, value in parts if number == 3]
    word, value_field = TYPES[kind]
    return Family(name, word, [decode_metric(value, value_field) for number, value in parts if number == 4])


def decode(body: bytes) -> list[Family]:
    families = []
    at = 0
    while at < len(body):
        length, at = read_varint(body, at)
        families.append(decode_family(body[at : at + length]))
        at += length
    return families
