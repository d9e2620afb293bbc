# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Sockets that have a path."""

import pathlib
import socket
import time


def await_listener(path: str | pathlib.Path, seconds: float) -> None:
    """The path is there before anybody listens behind it."""
    end = time.monotonic() + seconds
    while True:
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(str(path))
                return
            except (FileNotFoundError, ConnectionRefusedError) as error:
                if time.monotonic() > end:
                    raise AssertionError(f"nobody listens at {path}: {error}") from error
        # nothing shows when somebody begins to listen
        time.sleep(0.02)
