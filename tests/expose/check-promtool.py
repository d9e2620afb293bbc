#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a program and has promtool check the text format that it prints."""

import shutil
import subprocess
import sys

SKIP = 77

if shutil.which("promtool") is None:
    print("skipped: promtool (Debian package prometheus) is not installed")
    sys.exit(SKIP)

text = subprocess.run([sys.argv[1], "prometheus"], check=True, stdout=subprocess.PIPE).stdout
assert len(text.splitlines()) > 100, "hardly anything to check"
sys.exit(subprocess.run(["promtool", "check", "metrics"], input=text).returncode)
