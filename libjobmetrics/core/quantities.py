#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Turns core/quantities.ini into C.

usage: quantities.py FILE metric-id | metrics | quantity-id | quantities | run-quantities | derivations |
                     run-field-id | run-fields | run-part-columns | new-columns |
                     run-columns | usage-id | usage | run-sums | report-figures | batchjob

These are the headers with the enumerations of metrics, of all quantities and of those that the archive keeps or adds up, and the
rows of the tables behind them: of metrics, of quantities, of those that runs have, of expressions, of the archive's
columns, of what adds these to older databases, of those that a list of archived runs may have, of what is added up by day or over nodes,
of the lines of reports, and of the names in another API.
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
KEYS = {"name", "short", "heading", "title", "help", "format", "about", "run", "derive", "keep", "usage", "report"}
KEYS_OF_COLUMNS = {"column", "spread", "origin", "most", "integer", "key", "batchjob"}
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
# What becomes of what waits for each, in SQL: what is not known is null. As core/jm-figures.c has them.
OPERATIONS = {
    "sum": "({a} + {b})",
    "sum_of_known": "coalesce ({a} + {b}, {a}, {b})",
    "difference": "(CASE WHEN {a} < {b} THEN 0.0 ELSE {a} - {b} END)",
    "interval": "(CASE WHEN {a} >= {b} THEN {a} - {b} END)",
    "product": "({a} * {b})",
    "ratio": "({a} / nullif ({b}, 0.0))",
    "share": "(100.0 * {a} / nullif ({b}, 0.0))",
    "part": "(CASE WHEN 100.0 * {a} / nullif ({b}, 0.0) > 100 THEN 100.0 ELSE 100.0 * {a} / nullif ({b}, 0.0) END)",
}
# What core/jm-figures.c has room for.
MAX_WAITING = 4
MAX_STEPS = 8
# Memory over days would pass what 64 bits hold: it is added up in whole mebibytes.
UNIT_OF_MEMORY = 1 << 20
# The archive's tables of parts; that of runs is no part.
PARTS = ("step", "node", "device", "energy", "record")
# What the archive knows of a run in other ways than by its columns.
KNOWN_OTHERWISE = {"cluster", "scheduler", "raw_id"}
# What a run is found by is not reckoned from its nodes.
KEYS_OF_RUNS = {"START_TIME"}
# What a run of ten years can have of it a sum of a day still holds.
MOST_MEMORY, MOST_AMOUNT, MOST_THINGS = 1 << 52, 1 << 60, 1 << 24
# How many of a column's units are one of the quantity's, by the end of its name.
PARTS_OF_UNIT = {"us": 10**6, "uj": 10**6, "ug": 10**6, "ppm": 10**6}
MOST = {
    "TEXT": 255,
    "TIME": 253402300799,  # 9999-12-31
    "BYTES": MOST_MEMORY,
    "DURATION": MOST_AMOUNT,
    "JOULES": MOST_AMOUNT,
    "GRAMS": MOST_AMOUNT,
}
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
class Column:
    tables: dict[str, tuple[str, int]]  # the name in each, and the version that brought it
    origin: int | None
    most: int
    is_text: bool
    is_time: bool  # 0 where it is not known
    is_key: bool
    is_spread: bool
    parts: int  # of the quantity's unit, in the columns
    batchjob: str | None


@dataclass
class Usage:
    word: str
    column: str

    @property
    def is_in_millionths(self) -> bool:
        return parts_of(self.column, "") == 10**6

    @property
    def unit(self) -> int:
        return UNIT_OF_MEMORY if "_mib_" in self.column else 1


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
    column: Column | None
    usage: Usage | None
    report: int | None  # the place of its line
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


def parts_of(column: str, format: str) -> int:
    parts = PARTS_OF_UNIT.get(column.rpartition("_")[2], 1)
    return parts // 100 if format == "PERCENT" and parts > 1 else parts


def read_column(name: str, row: dict[str, str], format: str, integer: bool) -> Column:
    column = row.get("column", name)
    tables = {}
    for word in row["keep"].split():
        match = re.fullmatch(r"(\w+)(?::(\w+))?(?:@(\d+))?", word)
        if not match or match[1] not in ("run", *PARTS):
            raise ValueError(f"no such table: {word}")
        tables[match[1]] = (match[2] or column, int(match[3] or 0))
    if ("run" in tables) != ("origin" in row):
        raise ValueError("columns of runs, and no others, have a place of their origin")
    return Column(
        tables=tables,
        origin=int(row["origin"]) if "origin" in row else None,
        most=int(row.get("most", MOST.get(format, MOST_THINGS))),
        is_text=format == "TEXT" and not integer,
        is_time=format == "TIME",
        is_key=row.get("key") == "yes",
        is_spread=row.get("spread") == "yes",
        parts=parts_of(column, format),
        batchjob=row.get("batchjob"),
    )


def read_usage(row: dict[str, str]) -> Usage:
    word, _, column = row["usage"].partition(":")
    return Usage(word, column or row.get("column", row["name"]))


def read_row(number: str, given: configparser.SectionProxy) -> Quantity:
    """The keys of a metric stand for themselves: without a collector there is none of them."""
    is_metric = "collector" in given
    known = KEYS | (KEYS_OF_METRICS if is_metric else set()) | (KEYS_OF_COLUMNS if "keep" in given else set())
    if unknown := set(given) - known:
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
    format = given.get("format", by_unit).upper()
    return Quantity(
        number=number,
        name=row["name"],
        short=row.get("short"),
        heading=row.get("heading", row.get("short", row["name"]).upper().replace("_", "-")),
        title=row.get("title"),
        help=row["help"],
        metric_help=row.get("metric_help", row["help"]),
        format=format,
        run=row.get("run"),
        derive=derive,
        column=read_column(row["name"], row, format, given.getboolean("integer", False)) if "keep" in row else None,
        usage=read_usage(row) if "usage" in row else None,
        report=int(row["report"]) if "report" in row else None,
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
    origins = sorted(one.column.origin for one in quantities if one.column and one.column.origin is not None)
    if origins != list(range(len(origins))):
        sys.exit("each column of runs has a place of its own for its origin, and none is left out")
    places = sorted(one.report for one in quantities if one.report is not None)
    if places != list(range(len(places))):
        sys.exit("each line of a report has a place of its own, and none is left out")
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
    print(NOTICE.format(name="jm-metric-id-private.h", what="the metrics that there are"))
    print("#pragma once\n\ntypedef enum\n{")
    for one in metrics:
        print(f"  JM_METRIC_{one.number}, /* {one.metric} */")
    print("} JmMetric;\n")
    print(f"#define JM_N_METRICS (JM_METRIC_{metrics[-1].number} + 1)")


def write_metrics(quantities: list[Quantity]) -> None:
    print(NOTICE.format(name="jm-metrics.inc", what="the table of metrics"))
    for one in metrics_of(quantities):
        kinds = " | ".join(f"OF ({kind.upper()})" for kind in one.about)
        labels = ", ".join([*map(quote, one.labels), "NULL"])
        print(
            f"[JM_METRIC_{one.number}] = {{ JM_COLLECTOR_{one.collector}, {kinds},\n"
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


def is_followed(one: Quantity) -> bool:
    """Whether the figure of a run follows from others of the run, in place of those of its nodes."""
    return bool(one.derive) and one.run in (None, "own")


def write_sql(one: Quantity, rows: dict[str, Quantity], is_operand: bool = False) -> str | None:
    """What the archive knows of it, in its base unit; None for a text."""
    kept = followed = None
    if one.format == "TEXT":
        return None
    if one.column and "run" in one.column.tables:
        name = one.column.tables["run"][0]
        kept = f"CAST ({f'nullif ({name}, 0)' if one.column.is_time else name} AS DOUBLE PRECISION)"
        kept = f"({kept} / {one.column.parts})" if one.column.parts > 1 else kept
        if is_operand and one.column.is_spread:
            kept = OPERATIONS["ratio"].format(a=kept, b=write_sql(rows["nodes"], rows))
    if is_followed(one):
        waiting = []
        for kind, name in one.derive:
            if kind == "quantity":
                waiting.append(write_sql(rows[name], rows, is_operand=True))
            else:
                b, a = waiting.pop(), waiting.pop()
                waiting.append(OPERATIONS[name].format(a=a, b=b))
        (followed,) = waiting
    return f"coalesce ({kept}, {followed})" if kept and followed else kept or followed


def write_run_columns(quantities: list[Quantity]) -> None:
    """What is kept of a run, and what follows from that."""
    rows = {one.number.lower(): one for one in quantities}
    kept = {one.number.lower() for one in run_fields(quantities)}
    known = kept | KNOWN_OTHERWISE
    size = 0
    while size < len(known):
        size = len(known)
        for one in filter(is_followed, quantities):
            if {name for kind, name in one.derive if kind == "quantity"} <= known:
                known.add(one.number.lower())
    print(NOTICE.format(name="jm-run-columns.inc", what="the columns of a list of archived runs"))
    for one in quantities:
        if (name := one.number.lower()) in known:
            field = f"JM_RUN_FIELD_{one.number}" if name in kept else "JM_N_RUN_FIELDS"
            is_spread = name in kept and one.column.is_spread
            print(f"{{ JM_QUANTITY_{one.number}, {field}, {is_spread:d},\n  {quote(write_sql(one, rows))} }},")


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
            print(f"{{ JM_QUANTITY_{one.number}, {not is_followed(one):d}, {len(one.derive)},\n  {{ {steps} }} }},")


def run_fields(quantities: list[Quantity]) -> list[Quantity]:
    """Texts, numbers, and figures of what a run used, each in the order in which they came."""
    fields = [one for one in quantities if one.column and "run" in one.column.tables]
    return sorted(fields, key=lambda one: (not one.column.is_text, is_used(one), one.column.origin))


def is_used(one: Quantity) -> bool:
    """What has been measured of a run that has ended; the rest says who and when it was, and what it was given."""
    return bool(one.collector) and one.lasts


def part_columns(quantities: list[Quantity], table: str) -> list[Quantity]:
    """The parts of keys, other texts, and numbers."""
    kept = [one for one in quantities if one.column and table in one.column.tables]
    return sorted(kept, key=lambda one: (not one.column.is_key, not one.column.is_text))


def write_run_field_id(quantities: list[Quantity]) -> None:
    """Texts come first, and what may not have been measured last."""
    fields = run_fields(quantities)
    print(NOTICE.format(name="jm-run-field-id-private.h", what="what the archive keeps of a run"))
    print("#pragma once\n\ntypedef enum\n{")
    for one in fields:
        print(f"  JM_RUN_FIELD_{one.number},")
    print("  JM_N_RUN_FIELDS,\n} JmRunField;\n")
    print(f"#define JM_N_RUN_TEXTS {sum(one.column.is_text for one in fields)}")
    print(f"#define JM_FIRST_RUN_FIGURE {sum(not is_used(one) for one in fields)}")
    print(f"#define JM_USAGE_FIRST_MEASURED {sum(not is_used(one) for one in usage_quantities(quantities))}")


def usage_quantities(quantities: list[Quantity]) -> list[Quantity]:
    """What is known of each run, then what may not have been measured."""
    return sorted((one for one in quantities if one.usage), key=is_used)


def write_usage_id(quantities: list[Quantity]) -> None:
    summed = usage_quantities(quantities)
    print(NOTICE.format(name="jm-usage-quantity.h", what="what the archive adds up by day"))
    print("#pragma once\n\n#include <glib.h>\n\nG_BEGIN_DECLS\n\n/**\n * JmUsageQuantity:")
    for one in summed:
        print(wrap(f"`{one.name}`: {one.help}", f" * @JM_USAGE_QUANTITY_{one.usage.word.upper()}:", " *   "))
    print(" *\n * What is added up by day.\n *\n * Since: 0.1\n */\ntypedef enum\n{")
    for one in summed:
        print(f"  JM_USAGE_QUANTITY_{one.usage.word.upper()},")
    print("} JmUsageQuantity;\n")
    print("/**\n * JM_N_USAGE_QUANTITIES:\n *\n * How many #JmUsageQuantity there are.\n *\n * Since: 0.1\n */")
    print(f"#define JM_N_USAGE_QUANTITIES (JM_USAGE_QUANTITY_{summed[-1].usage.word.upper()} + 1)\n\nG_END_DECLS")


def write_usage(quantities: list[Quantity]) -> None:
    print(NOTICE.format(name="jm-usage.inc", what="the columns of the archive's table of days"))
    for one in usage_quantities(quantities):
        count = quote(one.usage.column.rpartition("_")[0] + "_runs" if is_used(one) else None)
        print(
            f"[JM_USAGE_QUANTITY_{one.usage.word.upper()}] = {{ JM_QUANTITY_{one.number}, {quote(one.usage.column)}, {count},\n"
            f"  {one.usage.is_in_millionths:d}, {one.usage.unit} }},"
        )


def write_run_fields(quantities: list[Quantity]) -> None:
    print(NOTICE.format(name="jm-run-fields.inc", what="the columns of the archive's table of runs"))
    for one in run_fields(quantities):
        print(
            f"[JM_RUN_FIELD_{one.number}] = {{ JM_QUANTITY_{one.number}, {quote(one.column.tables['run'][0])},\n"
            f"  G_GINT64_CONSTANT ({one.column.most}), {one.column.origin}, {one.column.parts} }},"
        )


def write_run_sums(quantities: list[Quantity]) -> None:
    print(NOTICE.format(name="jm-run-sums.inc", what="figures of runs that follow from those of nodes"))
    for one in quantities:
        if one.column and {"run", "node"} <= one.column.tables.keys() and one.number not in KEYS_OF_RUNS:
            is_sum = one.sum or one.run == "sum"
            print(f"{{ JM_QUANTITY_{one.number}, JM_RUN_FIELD_{one.number}, {is_sum:d} }},")


def write_report_figures(quantities: list[Quantity]) -> None:
    print(NOTICE.format(name="jm-report-figures.inc", what="the further figures of a report"))
    for one in sorted((one for one in quantities if one.report is not None), key=lambda one: one.report):
        print(f"JM_QUANTITY_{one.number},")


def write_batchjob(quantities: list[Quantity]) -> None:
    print(NOTICE.format(name="jm-batchjob.inc", what="runs in the words of the batch job stats server"))
    for one in run_fields(quantities):
        if one.column.batchjob:
            print(f"{{ {quote(one.column.batchjob)}, JM_RUN_FIELD_{one.number} }},")


def write_run_part_columns(quantities: list[Quantity]) -> None:
    """The columns of each table, and, by quantity, in which of them it is, counted from 1."""
    columns = {table: part_columns(quantities, table) for table in PARTS}
    print(NOTICE.format(name="jm-run-part-columns.inc", what="the columns of the archive's tables of parts"))
    for table in PARTS:
        print(f"static const JmRunPartColumn {table}_columns[] = {{")
        for one in columns[table]:
            name, flags = one.column.tables[table][0], f"{one.column.is_key:d}, {one.column.is_text:d}"
            print(f"  {{ JM_QUANTITY_{one.number}, {quote(name)}, {flags}, {one.column.parts} }},")
        print("};")
    print("static const guint8 places[JM_N_RUN_PART_KINDS][JM_N_QUANTITIES] = {")
    for table in PARTS:
        places = ", ".join(f"[JM_QUANTITY_{one.number}] = {place}" for place, one in enumerate(columns[table], 1))
        print(f"  [JM_RUN_PART_KIND_{table.upper()}] = {{ {places} }},")
    print("};")


def write_new_columns(quantities: list[Quantity]) -> None:
    """By version of the database, what adds its columns."""
    print(NOTICE.format(name="jm-new-columns.inc", what="what adds columns to the archive"))
    tables = {"run": run_fields(quantities)} | {f"run_{table}": part_columns(quantities, table) for table in PARTS}
    added: dict[int, list[str]] = {}
    for table, columns in tables.items():
        for one in columns:
            name, since = one.column.tables[table.removeprefix("run_")]
            type = "TEXT" if one.column.is_text else "INTEGER"
            default = " NOT NULL DEFAULT 0" if table == "run" and one.column.is_time else ""
            added.setdefault(since, []).append(f'"ALTER TABLE {table} ADD COLUMN {name} {type}{default};"')
    for version in sorted(added.keys() - {0}):
        print(f"[{version}] =", "\n  ".join(added[version]) + ",")


WRITERS = {
    "metric-id": write_metric_id,
    "metrics": write_metrics,
    "quantity-id": write_quantity_id,
    "quantities": write_quantities,
    "run-quantities": write_run_quantities,
    "derivations": write_derivations,
    "run-field-id": write_run_field_id,
    "run-fields": write_run_fields,
    "run-part-columns": write_run_part_columns,
    "new-columns": write_new_columns,
    "run-columns": write_run_columns,
    "usage-id": write_usage_id,
    "usage": write_usage,
    "run-sums": write_run_sums,
    "report-figures": write_report_figures,
    "batchjob": write_batchjob,
}


def main() -> None:
    file, what = sys.argv[1:]
    WRITERS[what](read(pathlib.Path(file)))


if __name__ == "__main__":
    main()
