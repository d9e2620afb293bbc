#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Turns core/quantities.ini into C.

usage: quantities.py FILE metric-id | metrics | quantity-id | quantities | run-quantities | derivations

These are the headers with the enumerations of metrics and of all quantities, and the rows of the tables behind them: of
metrics, of quantities, of those that runs have, and of expressions.
"""

import ast
import configparser
import graphlib
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
KEYS = {"name", "short", "heading", "title", "help", "format", "about", "run", "derive"}
KEYS_OF_METRICS = {"collector", "metric_help", "kind", "unit", "labels", "lasts", "sum"}
DEFAULTS = {"about": "job step task", "kind": "gauge", "unit": "count", "labels": "", "format": "text"}
FORMATS = {
    "bytes": "bytes",
    "nanoseconds": "duration",
    "microseconds": "duration",
    "microjoules": "joules",
    "microwatts": "watts",
    "micrograms": "grams",
    "micrograms_per_kwh": "grams_per_joule",
    "parts_per_million": "ratio",
}
KINDS = ("gauge", "counter")
JOININGS = ("own", "sum", "most", "least")
OPERATIONS = ("sum", "sum_of_known", "difference", "product", "ratio", "share", "part")
# What core/jm-figures.c has room for.
MAX_WAITING = 4
MAX_STEPS = 8
OF_JOBS = {"job", "step", "task", "job_gpu"}
# Of a name in this format the word is a part.
UNITS = {
    "DURATION": "seconds",
    "PERCENT": "percent",
    "BYTES": "bytes",
    "JOULES": "joules",
    "WATTS": "watts",
    "GRAMS": "grams",
}
WIDTH = 88


@dataclass
class Quantity:
    number: str
    name: str
    short: str | None
    heading: str
    title: str | None
    help: str
    metric_help: str
    format: str
    run: str | None
    derive: list[tuple[str, str]]
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

    @property
    def words(self) -> set[str]:
        """What a column of it may be called, as jm_quantity_is_called() has it, and what stands above it."""
        names = {self.name, self.short or self.name}
        percents = {f"{name}%" for name in names} if self.format == "PERCENT" else set()
        return names | percents | {f"{name}_total" for name in names} | {self.heading.lower().replace("-", "_")}


def read_expression(text: str) -> list[tuple[str, str]]:
    """Its steps, which are operations, or the quantity that is an operand, each with its name: operands come first."""

    def walk(node: ast.expr) -> list[tuple[str, str]]:
        match node:
            case ast.Name(name):
                return [("quantity", name)]
            case ast.Call(ast.Name(operation), [a, b]) if operation in OPERATIONS:
                return [*walk(a), *walk(b), ("operation", operation)]
        raise ValueError(f"no such expression: {text}")

    steps = walk(ast.parse(text, mode="eval").body)
    waiting = [sum(1 if kind == "quantity" else -1 for kind, _ in steps[: i + 1]) for i in range(len(steps))]
    if max(waiting) > MAX_WAITING or len(steps) > MAX_STEPS:
        raise ValueError(f"too long an expression: {text}")
    return steps


def read_row(number: str, given: configparser.SectionProxy) -> Quantity:
    """The keys of a metric stand for themselves: without a collector there is none of them."""
    is_metric = "collector" in given
    if unknown := set(given) - KEYS - (KEYS_OF_METRICS if is_metric else set()):
        raise ValueError(f"unknown keys: {', '.join(sorted(unknown))}")
    row = DEFAULTS | dict(given)
    if row["kind"] not in KINDS:
        raise ValueError(f"no such kind: {row['kind']}")
    if row.get("run", "own") not in JOININGS:
        raise ValueError(f"no such way to join: {row['run']}")
    derive = read_expression(row["derive"]) if "derive" in row else []
    if not derive and is_metric and "run" in row:
        derive = [("quantity", number.lower())]
    about = row["about"].split()
    is_counter = row["kind"] == "counter"
    by_unit = FORMATS.get(row["unit"], "count") if is_metric else row["format"]
    return Quantity(
        number=number,
        name=row["name"],
        short=row.get("short"),
        heading=row.get("heading", row.get("short", row["name"]).upper().replace("_", "-")),
        title=row.get("title"),
        help=row["help"],
        metric_help=row.get("metric_help", row["help"]),
        format=given.get("format", by_unit).upper(),
        run=row.get("run"),
        derive=derive,
        collector=row["collector"].upper() if is_metric else None,
        about=about,
        kind=row["kind"],
        unit=row["unit"].upper(),
        labels=row["labels"].split(),
        lasts=given.getboolean("lasts", fallback=is_counter or not OF_JOBS & set(about)),
        sum=given.getboolean("sum", fallback=is_counter),
    )


def check(quantities: list[Quantity]) -> None:
    """A word above two columns of one subject misleads, and so does a name without its base unit."""
    seen = {}
    for one in quantities:
        unit = UNITS.get(one.format)
        if unit and unit not in one.name and "job" in one.about:
            sys.exit(f"[{one.number.lower()}]: no {unit} in the name {one.name}")
        for subject in {"job" if subject in ("step", "task") else subject for subject in one.about}:
            for word in one.words:
                other = seen.setdefault((subject, word), one)
                if other is not one:
                    sys.exit(f"[{one.number.lower()}]: [{other.number.lower()}] of a {subject} is called {word}, too")


def read(file: pathlib.Path) -> list[Quantity]:
    sections = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",))
    sections.read_string(file.read_text())
    quantities = []
    for section in sections.sections():
        try:
            quantities.append(read_row(section.upper(), sections[section]))
        except (KeyError, ValueError) as error:
            sys.exit(f"{file}: [{section}]: {error}")
    check(quantities)
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
        print(wrap(f"`{one.metric}`: {one.metric_help}", f" * @JM_METRIC_{one.number}:", " *   "))
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
            f"  {quote(one.metric_help)} }},"
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


def write_run_quantities(quantities: list[Quantity]) -> None:
    print(NOTICE.format(name="jm-run-quantities.inc", what="the quantities that runs have"))
    for one in quantities:
        if one.run:
            print(f"{{ JM_QUANTITY_{one.number}, JM_JOINING_{one.run.upper()} }},")


def write_derivations(quantities: list[Quantity]) -> None:
    """Each behind those that it follows from."""
    rows = {one.number.lower(): one for one in quantities}
    needed = {name: {operand for kind, operand in one.derive if kind == "quantity"} for name, one in rows.items()}
    for name, operands in needed.items():
        if unknown := operands - rows.keys():
            sys.exit(f"[{name}]: no such quantities: {', '.join(sorted(unknown))}")
    order = graphlib.TopologicalSorter({name: operands - {name} for name, operands in needed.items()})
    print(NOTICE.format(name="jm-derivations.inc", what="the expressions of quantities"))
    for one in (rows[name] for name in order.static_order()):
        if one.derive:
            steps = ", ".join(
                f"{{ OPERATION_QUANTITY, JM_QUANTITY_{name.upper()} }}"
                if kind == "quantity"
                else f"{{ OPERATION_{name.upper()}, 0 }}"
                for kind, name in one.derive
            )
            is_joined = one.run not in (None, "own")
            print(f"{{ JM_QUANTITY_{one.number}, {is_joined:d}, {len(one.derive)},\n  {{ {steps} }} }},")


WRITERS = {
    "metric-id": write_metric_id,
    "metrics": write_metrics,
    "quantity-id": write_quantity_id,
    "quantities": write_quantities,
    "run-quantities": write_run_quantities,
    "derivations": write_derivations,
}


def main() -> None:
    file, what = sys.argv[1:]
    WRITERS[what](read(pathlib.Path(file)))


if __name__ == "__main__":
    main()
