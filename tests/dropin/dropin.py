# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Queries that the originals' dashboards and programs ask, as the tables beside this file have them."""

import pathlib
import re
from typing import NamedTuple

FOLDER = pathlib.Path(__file__).resolve().parent
TABLES = sorted(FOLDER.glob("*.queries"))
# of Grafana's own, for a scrape each 15 s and an hour on the screen, and of dashboards'
VARIABLES = {"__rate_interval": "1m", "__range": "1h", "__interval": "15s", "interval": "2m", "diff": "3600", "cluster": "alps", "host": ".*",
             "gpu": "(GPU-1|GPU-2)", "node": "n1"}


class Query(NamedTuple):
    verdict: str
    text: str


def read_table(path: pathlib.Path) -> list[Query]:
    lines = path.read_text().splitlines()
    return [Query(*line.split(" ", 1)) for line in lines if line and not line.startswith("#")]


def read_dialects(path: pathlib.Path) -> list[str]:
    return re.search("^# dialects: (.*)$", path.read_text(), re.MULTILINE)[1].split()


def list_names(text: str) -> set[str]:
    """Of the metrics that have a matcher."""
    return set(re.findall(r"([a-zA-Z_:][\w:]*)\s*\{", text))


def fill_in(text: str, **variables: str) -> str:
    """As Grafana replaces $NAME and ${NAME}."""
    known = {**VARIABLES, **variables}
    return re.sub(r"\$(?:\{(\w+)\}|(\w+))", lambda found: known.get(found[1] or found[2], found[0]), text)
