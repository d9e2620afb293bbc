#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a fuzz target for JM_FUZZ_SECONDS (5), starting from the fixtures' files that match.

usage: run-fuzz.py TARGET PATTERN ...

A pattern matches the end of a file's path, as pathlib's match() has it: cpu.stat, proc/*/io.
What crashed the target is left beside it.
"""

import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pylib"))
from fixtures import FIXTURES  # noqa: E402

# five more find but one of a hundred branches more; each run begins with another seed
SECONDS = "5"
SLOWEST_INPUT_SECONDS = 5
MOST_MEGABYTES = 2048


def collect(patterns: list[str], corpus: pathlib.Path) -> None:
    for folder, _, names in os.walk(FIXTURES):
        for name in names:
            path = pathlib.Path(folder) / name
            if not path.is_symlink() and any(path.match(pattern) for pattern in patterns):
                content = path.read_bytes()
                (corpus / hashlib.sha256(content).hexdigest()).write_bytes(content)


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    target = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        collect(sys.argv[2:], pathlib.Path(folder))
        if not os.listdir(folder):
            print(f"no fixture matches {sys.argv[2:]}", file=sys.stderr)
            return 1
        return subprocess.run(
            [
                target,
                f"-max_total_time={os.environ.get('JM_FUZZ_SECONDS', SECONDS)}",
                f"-timeout={SLOWEST_INPUT_SECONDS}",
                f"-rss_limit_mb={MOST_MEGABYTES}",
                f"-artifact_prefix={target}-",
                # its own, 77, is what Meson takes for a test that was skipped
                "-error_exitcode=1",
                "-print_final_stats=1",
                folder,
            ],
            stdin=subprocess.DEVNULL,
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
