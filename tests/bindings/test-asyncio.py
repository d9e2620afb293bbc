#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether a node can be sampled in the background of a Python program, and waited for in asyncio."""

import asyncio
import pathlib
import subprocess
import sys
import threading
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from introspection import JobMetrics  # noqa: E402
from gi.repository import Gio, GLib  # noqa: E402, I001

BURN = FIXTURES / "slurm-v2-burn"
AN_HOUR = 3600
AT_THE_END = """
import gi
gi.require_version("JobMetrics", "1.0")
from gi.repository import JobMetrics

class Slow(JobMetrics.Source, JobMetrics.CgroupReader):
    def do_list_children(self, path):
        for _ in range(10000):
            pass
        return []
    do_open_cgroup = do_read = do_list_processes = do_close_cgroup = lambda *arguments: None

node = JobMetrics.Node()
node.add_source(Slow())
sampler = JobMetrics.Sampler(node, 0.001)
while sampler.latest is None:
    pass
"""


def sampler(interval: float = AN_HOUR) -> JobMetrics.Sampler:
    return JobMetrics.Sampler(JobMetrics.Node(host=BURN), interval)


async def jobs_of(a_sampler: JobMetrics.Sampler, **age) -> list[str]:
    return [job.id for job in await a_sampler.sample(**age)]


class Awaiting(unittest.TestCase):
    def test_gives_a_snapshot(self):
        with sampler() as background:
            self.assertEqual(asyncio.run(jobs_of(background)), ["1", "2", "3"])

    def test_works_beside_a_main_loop_of_glib(self):
        loop = GLib.MainLoop()
        thread = threading.Thread(target=loop.run)
        thread.start()
        with sampler() as background:
            self.assertEqual(asyncio.run(jobs_of(background)), ["1", "2", "3"])
        loop.quit()
        thread.join()

    def test_works_below_a_main_loop_of_glib(self):
        loop = GLib.MainLoop()
        found = []

        def work():
            with sampler() as background:
                found.extend(asyncio.run(jobs_of(background)))
            GLib.idle_add(loop.quit)

        thread = threading.Thread(target=work)
        thread.start()
        loop.run()
        thread.join()
        self.assertEqual(found, ["1", "2", "3"])

    def test_lets_others_run_meanwhile(self):
        async def main():
            with sampler() as background:
                waiting = asyncio.gather(*(background.sample() for _ in range(20)))
                turns = 0
                while not waiting.done():
                    turns += 1
                    await asyncio.sleep(0)
                return turns, await waiting

        turns, snapshots = asyncio.run(main())
        self.assertGreater(turns, 1)
        self.assertEqual([len(snapshot) for snapshot in snapshots], [3] * 20)

    def test_takes_an_old_answer_only_where_that_will_do(self):
        async def main():
            with sampler() as background:
                first = await background.sample()
                return first, await background.sample(max_age=AN_HOUR), await background.sample()

        first, same, new = asyncio.run(main())
        self.assertEqual(first.get_time(), same.get_time())
        self.assertNotEqual(first.get_time(), new.get_time())

    def test_can_be_cancelled(self):
        async def main():
            with sampler() as background:
                waiting = asyncio.ensure_future(background.sample())
                await asyncio.sleep(0)
                waiting.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await waiting
                return len(await background.sample())

        self.assertEqual(asyncio.run(main()), 3)

    def test_gives_the_processes_of_a_job(self):
        async def main():
            with sampler() as background:
                job = (await background.sample())["1"]
                return await asyncio.gather(background.processes(job), background.processes("1"))

        by_job, by_id = asyncio.run(main())
        self.assertTrue(by_job)
        self.assertEqual([process.pid for process in by_job], [process.pid for process in by_id])

    def test_has_no_processes_of_a_job_that_is_not_there(self):
        with sampler() as background:
            with self.assertRaisesRegex(JobMetrics.AbsentError, "^4: no such job on this node$"):
                asyncio.run(background.processes("4"))

    def test_one_that_was_stopped_ends_at_once(self):
        background = sampler()
        background.stop()
        with self.assertRaises(GLib.Error) as caught:
            asyncio.run(jobs_of(background))
        self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CLOSED))
        self.assertEqual(caught.exception.message, "the sampler was stopped")

    def test_refuses_an_age_that_is_invalid(self):
        with sampler() as background:
            with self.assertRaisesRegex(ValueError, "^max_age: -1 seconds is not"):
                asyncio.run(jobs_of(background, max_age=-1))
            with self.assertRaisesRegex(TypeError, "^max_age: a number of seconds is wanted, not 'old'$"):
                asyncio.run(jobs_of(background, max_age="old"))


class ASampler(unittest.TestCase):
    def test_has_its_node_for_itself(self):
        node = JobMetrics.Node(host=BURN)
        with JobMetrics.Sampler(node, AN_HOUR):
            for use in (node.sample, node.close, lambda: JobMetrics.Sampler(node)):
                with self.assertRaisesRegex(RuntimeError, "^the node belongs to a sampler$"):
                    use()

    def test_has_the_latest_snapshot_at_hand(self):
        with sampler() as background:
            asyncio.run(background.sample())
            self.assertEqual(len(background.latest), 3)
        self.assertEqual(len(background.latest), 3)

    def test_that_still_runs_at_the_end_of_a_program_does_no_harm(self):
        done = subprocess.run(
            [sys.executable, "-c", AT_THE_END], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    sys.exit(tap.run(Awaiting, ASampler))
