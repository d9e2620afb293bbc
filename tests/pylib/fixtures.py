# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the build has unpacked tests/fixtures: that of the running test, or the one named build."""

import os
import pathlib

TESTS = pathlib.Path(__file__).resolve().parent.parent
FIXTURES = pathlib.Path(os.environ.get("G_TEST_BUILDDIR", TESTS.parent / "build" / "tests")) / "fixtures"
