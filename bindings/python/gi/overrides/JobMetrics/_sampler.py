# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A node that is sampled in the background, for asyncio."""

import atexit
import sys
import weakref

from gi.module import get_introspection_module
from gi.overrides import override

from . import _arguments, _waiting
from ._node import Node

JobMetrics = get_introspection_module("JobMetrics")

_running: weakref.WeakSet = weakref.WeakSet()


# A sweep under way may ask sources in Python, which is about to go.
@atexit.register
def _stop_all() -> None:
    for sampler in list(_running):
        JobMetrics.Sampler.stop(sampler)


@override
class Sampler(JobMetrics.Sampler):
    """Samples a node every so many seconds, in a thread of its own, and whenever somebody asks.

    The node is the sampler's from then on. Ended by stop(), or at the end of a with block.
    """

    __module__ = "gi.overrides.JobMetrics"

    def __new__(cls, node, interval=5.0):
        if not isinstance(node, Node):
            raise _arguments.wrong_type("node", "a JobMetrics.Node", node)
        every = _arguments.milliseconds("interval", interval, 1)
        node.hand_over("a sampler")
        sampler = JobMetrics.Sampler.new(node, every)
        sampler._node = node
        _running.add(sampler)
        return sampler

    def __init__(self, node, interval=5.0):
        pass  # the library's constructor did it all

    @staticmethod
    def new(node, interval_ms):
        return Sampler(node, _arguments.whole("interval_ms", interval_ms, 1, 2**32 - 1) / 1000)

    @property
    def latest(self):
        """The latest snapshot; None before the first is done."""
        return self.get_latest()

    @property
    def previous(self):
        """The snapshot before the latest, for what is a rate; None before the second is done."""
        return self.get_previous()

    async def sample(self, max_age=0.0):
        """The latest snapshot if it is no older than max_age seconds, else a new one.

        Works in any asyncio loop, whether a loop of GLib runs in this process or not.
        """
        oldest = _arguments.milliseconds("max_age", max_age, 0)
        return await _waiting.answer(self.sample_async, self.sample_finish, oldest)

    async def processes(self, job):
        """The processes of a job as they are now: of one in a snapshot, or by its id or uuid."""
        return await _waiting.answer(self.list_processes_async, self.list_processes_finish, _arguments.job(job))

    async def attend(self, job) -> bool:
        """Has a job read at once, between two samples; False where the node has none of that id or uuid."""
        return await _waiting.answer(self.attend_async, self.attend_finish, _arguments.job(job))

    def stop(self) -> None:
        """Ends the sampling, and gives back what the node holds."""
        super().stop()
        self._node.let_go()

    def __del__(self):
        # The library would wait for the sampler's thread, and that for this one if it asks a source in Python.
        if not sys.is_finalizing():
            self.stop()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
