# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later

from typing import Any

# Other libraries, of which these stubs know nothing
def __getattr__(name: str) -> Any: ...
