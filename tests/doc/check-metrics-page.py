#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the page of metrics that is kept with the one that the metric table makes."""

import difflib
import pathlib
import sys

kept, made = (pathlib.Path(name).read_text(encoding="utf-8").splitlines(keepends=True) for name in sys.argv[1:3])
difference = list(difflib.unified_diff(kept, made, sys.argv[1], sys.argv[2]))
sys.stdout.writelines(difference)
if difference:
    print(f"\nThe page is not what the table says: cp {sys.argv[2]} {sys.argv[1]}")
    sys.exit(1)
