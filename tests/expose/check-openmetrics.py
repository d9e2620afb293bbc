#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a program and has the Python client of Prometheus parse what it prints, in both formats."""

import subprocess
import sys

SKIP = 77

try:
    from prometheus_client import openmetrics, parser
    import prometheus_client.openmetrics.parser
except ImportError:
    print("skipped: the Debian package python3-prometheus-client is not installed")
    sys.exit(SKIP)

LABELS = {
    "",
    "a/b",
    "plain",
    'a "quoted" \\ line\nbreak',
    "tab\tcarriage\rbell\x07",
    "\ufffd",
    "cut short \ufffd\ufffd",
    "\U0001f40d",
    "\ufffd\ufffd\ufffd",
    "\ufffd\ufffd",
    '{a="b"} 1 # EOF\n# EOF',
    "ends in a backslash\\",
}


def read(program, form):
    return subprocess.run([program, form], check=True, stdout=subprocess.PIPE).stdout.decode()


def executables(families):
    samples = [s for f in families for s in f.samples if s.name == "jobmetrics_job_executable_cpu_seconds_total"]
    labels = [s.labels["executable"] for s in samples]
    assert len(set(labels)) == len(labels), "a label comes twice"
    return set(labels)


def names(families):
    return {s.name for f in families for s in f.samples}


om = list(openmetrics.parser.text_string_to_metric_families(read(sys.argv[1], "openmetrics")))
text = list(parser.text_string_to_metric_families(read(sys.argv[1], "prometheus")))

assert executables(om) == LABELS, executables(om) ^ LABELS
assert names(om) == names(text), names(om) ^ names(text)
assert all(f.documentation for f in om), "a family without help"

units = {f.name: f.unit for f in om}
assert units["jobmetrics_job_cpu_seconds"] == "seconds"
assert units["jobmetrics_job_memory_used_bytes"] == "bytes"
types = {f.name: f.type for f in om}
assert types["jobmetrics_job"] == "info"
assert types["jobmetrics_job_cpu_seconds"] == "counter"
