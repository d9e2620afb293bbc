# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The Prometheus text format, as a scraper reads it."""

import re
import urllib.request
from dataclasses import dataclass

from programs import SLOWNESS

LINE = re.compile(r"^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: -?\d+)?$")
LABEL = re.compile(r'([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)",?')
ESCAPES = {"\\n": "\n", '\\"': '"', "\\\\": "\\"}


@dataclass(frozen=True)
class Series:
    name: str
    labels: dict[str, str]
    value: float


def parse_line(line: str) -> Series:
    match = LINE.match(line)
    if match is None:
        raise ValueError(f"not a line of the text format: {line!r}")
    name, labels, value = match.groups()
    found = {key: re.sub(r"\\.", lambda escape: ESCAPES[escape[0]], text) for key, text in LABEL.findall(labels or "")}
    if LABEL.sub("", labels or ""):
        raise ValueError(f"not labels: {labels!r}")
    return Series(name, found, float(value))


class Scrape:
    def __init__(self, text: str):
        self.series = [parse_line(line) for line in text.splitlines() if line and not line.startswith("#")]

    def find(self, name: str, **labels: str) -> list[Series]:
        return [one for one in self.series if one.name == name and labels.items() <= one.labels.items()]

    def one(self, name: str, **labels: str) -> Series:
        found = self.find(name, **labels)
        if len(found) != 1:
            raise AssertionError(f"{len(found)} series of {name}{labels}, expected one: {found}")
        return found[0]

    def value(self, name: str, **labels: str) -> float | None:
        """None when there is no such series yet."""
        found = self.find(name, **labels)
        if len(found) > 1:
            raise AssertionError(f"{len(found)} series of {name}{labels}: {found}")
        return found[0].value if found else None


def scrape(address: str, seconds: float = 10) -> Scrape:
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=seconds * SLOWNESS) as answer:
        return Scrape(answer.read().decode())
