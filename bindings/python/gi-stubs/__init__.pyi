# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later

from typing import Any

def require_version(namespace: str, version: str) -> None: ...

# What other stubs would tell
def __getattr__(name: str) -> Any: ...
