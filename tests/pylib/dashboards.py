# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The dashboards for Grafana that are installed: their panels, and what these ask."""

import json
import pathlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

GRAFANA = pathlib.Path(__file__).resolve().parent.parent.parent / "data" / "grafana"
FILES = sorted(GRAFANA.glob("*.json"))
# $name, ${name} and ${name:format}, and Grafana's own, $__range
VARIABLE = re.compile(r"\$(?:\{(\w+)(?::\w+)?\}|(\w+))")


@dataclass(frozen=True)
class Query:
    board: str
    panel: str
    name: str
    expression: str

    def __str__(self) -> str:
        return f"{self.board}: {self.panel}{self.name and f' ({self.name})'}"

    @property
    def key(self) -> tuple[str, str, str]:
        return self.board, self.panel, self.name

    def filled(self, values: dict[str, str]) -> str:
        """As Grafana asks it."""
        return VARIABLE.sub(lambda match: values[match[1] or match[2]], self.expression)


def variables_in(text: str) -> set[str]:
    return {match[1] or match[2] for match in VARIABLE.finditer(text)}


def read(path: pathlib.Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def panels_of(board: dict) -> list[dict]:
    """Those that show something: no titles of parts."""
    return [panel for panel in board["panels"] if panel["type"] != "row"]


def name_of(panel: dict, target: dict) -> str:
    """Where a panel has several queries: that of the column, or of the line."""
    return target["legendFormat"] if len(panel["targets"]) > 1 else ""


def queries() -> Iterator[Query]:
    for path in FILES:
        for panel in panels_of(read(path)):
            for target in panel["targets"]:
                yield Query(path.stem, panel["title"], name_of(panel, target), target["expr"])
