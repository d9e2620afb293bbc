#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Turns core/quantities.ini into C.

usage: quantities.py FILE metric-id | metrics | quantity-id | quantities

These are the headers with the enumerations of metrics and of all quantities, and the rows of the tables behind them.
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
KEYS = {"name", "short", "heading", "title", "help", "format"}
KEYS_OF_METRICS = {"collector", "about", "kind", "unit", "labels", "lasts", "sum"}
DEFAULTS = {"about": "job step task", "kind": "gauge", "unit": "count", "labels": "", "format": "text"}
FORMATS = {
    "bytes": "bytes",
    "nanoseconds": "duration",
    "microseconds": "duration",
    "microjoules": "joules",
    "microwatts": "watts",
    "micrograms": "grams",
    "micrograms_per_kwh": "grams_per_joule",
}
KINDS = ("gauge", "counter")
OF_JOBS = {"job", "step", "task", "job_gpu"}
WIDTH = 88


@dataclass
class Quantity:
    number: str
    name: str
    short: str | None
    heading: str
    title: str | None
    help: str
    format: str
    collector: str | None
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


def read_row(number: str, given: configparser.SectionProxy) -> Quantity:
    """The keys of a metric stand for themselves: without a collector there is none of them."""
    is_metric = "collector" in given
    if unknown := set(given) - KEYS - (KEYS_OF_METRICS if is_metric else set()):
        raise ValueError(f"unknown keys: {', '.join(sorted(unknown))}")
    row = DEFAULTS | dict(given)
    if row["kind"] not in KINDS:
        raise ValueError(f"no such kind: {row['kind']}")
    about = row["about"].split()
    is_counter = row["kind"] == "counter"
    by_unit = FORMATS.get(row["unit"], "count") if is_metric else row["format"]
    return Quantity(
        number=number,
        name=row["name"],
        short=row.get("short"),
        heading=row.get("heading", row.get("short", row["name"]).upper()),
        title=row.get("title"),
        help=row["help"],
        format=given.get("format", by_unit).upper(),
        collector=row["collector"].upper() if is_metric else None,
        about=about,
        kind=row["kind"],
        unit=row["unit"].upper(),
        labels=row["labels"].split(),
        lasts=given.getboolean("lasts", fallback=is_counter or not OF_JOBS & set(about)),
        sum=given.getboolean("sum", fallback=is_counter),
    )


def read(file: pathlib.Path) -> list[Quantity]:
    sections = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",))
    sections.read_string(file.read_text())
    quantities = []
    for section in sections.sections():
        try:
            quantities.append(read_row(section.upper(), sections[section]))
        except (KeyError, ValueError) as error:
            sys.exit(f"{file}: [{section}]: {error}")
    return quantities


def quote(text: str | None) -> str:
    if text is None:
        return "NULL"
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


def metrics_of(quantities: list[Quantity]) -> list[Quantity]:
    """They come first, so that a metric has the number of its quantity."""
    metrics = [one for one in quantities if one.collector]
    if metrics != quantities[: len(metrics)]:
        sys.exit("rows with a collector stand before all others")
    return metrics


def write_metric_id(quantities: list[Quantity]) -> None:
    metrics = metrics_of(quantities)
    print(NOTICE.format(name="jm-metric-id.h", what="the metrics that there are"))
    print("#pragma once\n\n#include <glib.h>\n\nG_BEGIN_DECLS\n")
    print("/**\n * JmMetric:")
    for one in metrics:
        print(wrap(f"`{one.metric}`: {one.help}", f" * @JM_METRIC_{one.number}:", " *   "))
    print(" *\n * Everything that is measured. jm_metric_get_info() has name, unit and meaning of")
    print(" * each; the manual's table of metrics is made from it.\n *\n * Since: 0.1\n */\ntypedef enum\n{")
    for one in metrics:
        print(f"  JM_METRIC_{one.number},")
    print("} JmMetric;\n")
    print("/**\n * JM_N_METRICS:\n *\n * How many #JmMetric there are.\n *\n * Since: 0.1\n */")
    print(f"#define JM_N_METRICS (JM_METRIC_{metrics[-1].number} + 1)\n\nG_END_DECLS")


def write_metrics(quantities: list[Quantity]) -> None:
    print(NOTICE.format(name="jm-metrics.inc", what="the table of metrics"))
    for one in metrics_of(quantities):
        kinds = " | ".join(f"OF ({kind.upper()})" for kind in one.about)
        labels = ", ".join([*map(quote, one.labels), "NULL"])
        print(
            f"[JM_METRIC_{one.number}] = {{ JM_METRIC_{one.number}, JM_COLLECTOR_{one.collector}, {kinds},\n"
            f"  JM_METRIC_KIND_{one.kind.upper()}, {one.lasts:d}, JM_UNIT_{one.unit}, {one.sum:d}, {quote(one.metric)},\n"
            f"  (const char *const[]){{ {labels} }}, {len(one.labels)},\n"
            f"  {quote(one.help)} }},"
        )


def write_quantity_id(quantities: list[Quantity]) -> None:
    print(NOTICE.format(name="jm-quantity-id-private.h", what="the quantities that there are"))
    print("#pragma once\n\ntypedef enum\n{")
    for one in quantities:
        print(f"  JM_QUANTITY_{one.number}, /* {one.name} */")
    print("  JM_N_QUANTITIES,\n} JmQuantityId;")


def write_quantities(quantities: list[Quantity]) -> None:
    print(NOTICE.format(name="jm-quantities.inc", what="the table of quantities"))
    for one in quantities:
        print(
            f"[JM_QUANTITY_{one.number}] = {{ {quote(one.name)}, {quote(one.short)}, {quote(one.heading)},\n"
            f"  {quote(one.title)}, {quote(one.help)}, JM_FORMAT_{one.format} }},"
        )


WRITERS = {
    "metric-id": write_metric_id,
    "metrics": write_metrics,
    "quantity-id": write_quantity_id,
    "quantities": write_quantities,
}


def main() -> None:
    file, what = sys.argv[1:]
    WRITERS[what](read(pathlib.Path(file)))


if __name__ == "__main__":
    main()
