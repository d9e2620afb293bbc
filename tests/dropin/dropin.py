# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the originals' dashboards ask, as recorded beside this file."""

import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent
# of Grafana's own, for a scrape each 15 s and an hour on the screen
INTERVALS = {"__rate_interval": "1m", "__range": "1h", "__interval": "15s"}


def read_queries(name: str) -> list[str]:
    lines = (FOLDER / name).read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def fill_in(query: str, **variables: str) -> str:
    """As Grafana replaces $NAME and ${NAME}."""
    known = {**INTERVALS, **variables}
    return re.sub(r"\$(?:\{(\w+)\}|(\w+))", lambda found: known[found[1] or found[2]], query)
