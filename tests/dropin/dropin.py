# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Queries that the originals' dashboards and programs ask, as the tables beside this file have them.

A line has what comes of a query, whether the guard lets the job's owner ask it, and the query. It is

- answered: from the names of the dialects;
- rules: from series that the original's recording rules make of such names, as recording-rules has it;
- other: it needs series of an exporter that is not replaced, such as node_exporter;
- empty: of names that no dialect has, as it says,

and let or, where a part of it names no run, refused. Administrators may ask all of them.
"""

import pathlib
import re
from typing import NamedTuple

FOLDER = pathlib.Path(__file__).resolve().parent
TABLES = sorted(FOLDER.glob("*.queries"))
# of Grafana's own, for a scrape each 15 s and an hour on the screen, and of dashboards'
VARIABLES = {"__rate_interval": "1m", "__range": "1h", "__interval": "15s", "interval": "2m", "diff": "3600", "cluster": "alps", "host": ".*",
             "gpu": "(GPU-1|GPU-2)", "node": "n1", "user": "ada", "account": "physics", "job": ".*", "provider": "owid", "country_code": "FR",
             "__interval_ms": "15000"}


class Query(NamedTuple):
    verdict: str
    guard: str
    text: str


def read_table(path: pathlib.Path) -> list[Query]:
    lines = path.read_text().splitlines()
    return [Query(*line.split(" ", 2)) for line in lines if line and not line.startswith("#")]


def read_dialects(path: pathlib.Path) -> list[str]:
    return re.search("^# dialects: (.*)$", path.read_text(), re.MULTILINE)[1].split()


def read_rules() -> dict[str, set[str]]:
    """Each series that a rule makes, and what it reads."""
    rows = [line.split() for line in (FOLDER / "recording-rules").read_text().splitlines() if not line.startswith("#")]
    return {record: set(names) for record, *names in rows}


def read_fields(endpoint: str) -> dict[str, str]:
    """Of an answer of CEEMS' API server: equal, or what differs."""
    rows = [line.split(" ", 2) for line in (FOLDER / "ceems-api.fields").read_text().splitlines() if not line.startswith("#")]
    return {name: verdict for of, name, verdict in rows if of == endpoint}


def list_names(text: str) -> set[str]:
    """Of the metrics that have a matcher, and of rules' series."""
    choices = re.findall(r'__name__=~"([^"]*)"', text)
    return set(re.findall(r"([a-zA-Z_:][\w:]*)\s*\{", text)).union(re.findall(r"\b\w+:\w+:\w+\b", text), *(names.split("|") for names in choices))


def fill_in(text: str, **variables: str) -> str:
    """As Grafana replaces $NAME, ${NAME} and ${NAME:FORMAT}."""
    known = {**VARIABLES, **variables}
    return re.sub(r"\$(?:\{(\w+)(?::\w+)?\}|(\w+))", lambda found: known.get(found[1] or found[2], found[0]), text)
