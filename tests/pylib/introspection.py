# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""JobMetrics as a program in Python gets it. Where there is no PyGObject, whoever asks for it is skipped."""

import tap

try:
    import gi
except ImportError:
    tap.skip_all("PyGObject is not installed")

gi.require_version("JobMetrics", "1.0")
from gi.repository import JobMetrics  # noqa: E402, F401
