#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Turns core/quantities.ini into C.

usage: quantities.py FILE metric-id | metrics

metric-id is the header with the enumeration of metrics, metrics are the rows of the table behind it.
"""

import configparser
import pathlib
import re
import sys
from dataclasses import dataclass

NOTICE = """/* {name}: {what}, made by core/quantities.py
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
"""
KEYS = {"name", "help", "collector", "about", "kind", "unit", "labels", "lasts", "sum"}
DEFAULTS = {"about": "job step task", "kind": "gauge", "unit": "count", "labels": ""}
KINDS = ("gauge", "counter")
OF_JOBS = {"job", "step", "task", "job_gpu"}
WIDTH = 88


@dataclass
class Quantity:
    number: str
    name: str
    help: str
    collector: str
    about: list[str]
    kind: str
    unit: str
    labels: list[str]
    lasts: bool
    sum: bool

    @property
    def metric(self) -> str:
        """What it is called on /metrics, behind the prefix of its subject."""
        return self.name + "_total" if self.kind == "counter" else self.name


def read(file: pathlib.Path) -> list[Quantity]:
    sections = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",))
    sections.read_string(file.read_text())
    quantities = []
    for title in sections.sections():
        given = sections[title]
        if unknown := set(given) - KEYS:
            sys.exit(f"{file}: [{title}] has unknown keys: {', '.join(sorted(unknown))}")
        row = DEFAULTS | dict(given)
        if row["kind"] not in KINDS or not re.fullmatch(r"[a-z][a-z0-9_]*", title):
            sys.exit(f"{file}: [{title}] has a kind or a title that there is not")
        about = row["about"].split()
        is_counter = row["kind"] == "counter"
        quantities.append(
            Quantity(
                number=title.upper(),
                name=row["name"],
                help=row["help"],
                collector=row["collector"].upper(),
                about=about,
                kind=row["kind"],
                unit=row["unit"].upper(),
                labels=row["labels"].split(),
                lasts=given.getboolean("lasts", fallback=is_counter or not OF_JOBS & set(about)),
                sum=given.getboolean("sum", fallback=is_counter),
            )
        )
    return quantities


def quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def wrap(text: str, first: str, rest: str) -> str:
    lines, line = [], first
    for word in text.split():
        if len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = rest + word
        else:
            line += f" {word}"
    return "\n".join([*lines, line])


def write_metric_id(quantities: list[Quantity]) -> None:
    print(NOTICE.format(name="jm-metric-id.h", what="the metrics that there are"))
    print("#pragma once\n\n#include <glib.h>\n\nG_BEGIN_DECLS\n")
    print("/**\n * JmMetric:")
    for one in quantities:
        print(wrap(f"`{one.metric}`: {one.help}", f" * @JM_METRIC_{one.number}:", " *   "))
    print(" *\n * Everything that is measured. jm_metric_get_info() has name, unit and meaning of")
    print(" * each; the manual's table of metrics is made from it.\n *\n * Since: 0.1\n */\ntypedef enum\n{")
    for one in quantities:
        print(f"  JM_METRIC_{one.number},")
    print("} JmMetric;\n")
    print("/**\n * JM_N_METRICS:\n *\n * How many #JmMetric there are.\n *\n * Since: 0.1\n */")
    print(f"#define JM_N_METRICS (JM_METRIC_{quantities[-1].number} + 1)\n\nG_END_DECLS")


def write_metrics(quantities: list[Quantity]) -> None:
    print(NOTICE.format(name="jm-metrics.inc", what="the table of metrics"))
    for one in quantities:
        kinds = " | ".join(f"OF ({kind.upper()})" for kind in one.about)
        labels = ", ".join([*map(quote, one.labels), "NULL"])
        print(
            f"[JM_METRIC_{one.number}] = {{ JM_METRIC_{one.number}, JM_COLLECTOR_{one.collector}, {kinds},\n"
            f"  JM_METRIC_KIND_{one.kind.upper()}, {one.lasts:d}, JM_UNIT_{one.unit}, {one.sum:d}, {quote(one.metric)},\n"
            f"  (const char *const[]){{ {labels} }}, {len(one.labels)},\n"
            f"  {quote(one.help)} }},"
        )


WRITERS = {"metric-id": write_metric_id, "metrics": write_metrics}


def main() -> None:
    file, what = sys.argv[1:]
    WRITERS[what](read(pathlib.Path(file)))


if __name__ == "__main__":
    main()
