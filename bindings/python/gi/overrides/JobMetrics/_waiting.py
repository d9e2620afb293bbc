# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Answers of the library's asynchronous calls, for asyncio."""

import asyncio
from collections.abc import Callable

from gi.repository import Gio, GLib


async def answer(start: Callable, finish: Callable, *question):
    """What finish() gives, whether a loop of GLib runs in this process or not.

    The wait is in a thread of the asyncio loop's executor.
    """
    cancellable = Gio.Cancellable()
    loop = asyncio.get_running_loop()
    try:
        return await loop.run_in_executor(None, _wait, start, finish, question, cancellable)
    except asyncio.CancelledError:
        cancellable.cancel()
        raise


def _wait(start: Callable, finish: Callable, question: tuple, cancellable: Gio.Cancellable):
    """Waits in a context of this thread alone, which no other loop needs to run."""
    context = GLib.MainContext.new()
    results = []
    context.push_thread_default()
    try:
        start(*question, cancellable, lambda _, result: results.append(result))
        while not results:
            context.iteration(True)
        return finish(results[0])
    finally:
        context.pop_thread_default()
