#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a program in Python sees of accelerators, and libraries and maps of them that it brings itself."""

import errno
import json
import logging
import pathlib
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from introspection import JobMetrics  # noqa: E402

BURN = FIXTURES / "slurm-v2-burn"  # three jobs: 1, 2, 3
HOOK = JobMetrics.GpuOrigin.HOOK
KIND = JobMetrics.SubjectKind


def of_gpu(name: str) -> JobMetrics.Quantity:
    return JobMetrics.Quantity.of_subject(KIND.GPU, name)


class Cards(JobMetrics.Source, JobMetrics.GpuMapper):
    """A library: two devices, of which the second is divided."""

    def do_read_devices(self, report):
        report.add_device(JobMetrics.Gpu.new("0", 0, uuid="GPU-a", model="Card 9", vendor="nvidia"))
        report.add_value(of_gpu("utilization_ratio"), 930000)
        report.add_value(of_gpu("memory_size_bytes"), 80 << 30)
        report.add_value(of_gpu("memory_used_bytes"), 40 << 30)
        report.add_labelled_value(of_gpu("temperature_celsius"), "gpu", 63500)
        report.add_device(JobMetrics.Gpu.new("1", 1, uuid="GPU-b", model="Card 9"))
        report.add_value(of_gpu("utilization_ratio"), 0)
        report.add_device(JobMetrics.Gpu.new("1.7", 1, uuid="MIG-c", parent="1", profile="3g.40gb"))


class Map(JobMetrics.Source, JobMetrics.GpuMapper):
    """Whose they are, and of no device what it does."""

    GRANTS = {"1": [("0", 1.0)], "2": [("MIG-c", 0.5)]}

    def do_map_job(self, job, cgroups, grants):
        for device, share in self.GRANTS.get(job.get_id(), []):
            grants.add(HOOK, device, share)


class Both(Cards):
    def do_map_job(self, job, cgroups, grants):
        assert cgroups, "a job has a cgroup here"
        if job.get_id() == "3":
            grants.add_index(HOOK, 0)


def sample(*sources, **settings) -> JobMetrics.Snapshot:
    with JobMetrics.Node(host=BURN, gpu_sources=list(sources), **settings) as node:
        node.wait()
        return node.sample()


class DevicesOfANode(unittest.TestCase):
    def setUp(self):
        self.snapshot = sample(Cards())

    def test_are_reported_with_what_they_are(self):
        first, second, instance = self.snapshot.gpus
        self.assertEqual((first.name, first.uuid, first["model"], first.vendor), ("0", "GPU-a", "Card 9", "nvidia"))
        self.assertIsNone(first.parent)
        self.assertEqual((instance.parent, instance.profile), ("1", "3g.40gb"))
        self.assertEqual(second.instances, [instance])
        self.assertEqual(first.instances, [])

    def test_are_reported_with_what_they_do(self):
        first, second, instance = self.snapshot.gpus
        self.assertEqual(first.utilization_ratio, 0.93)
        self.assertEqual(first["memory_used_bytes"], 40 << 30)
        self.assertEqual(first.temperature_celsius, {"gpu": 63.5})
        self.assertEqual(second.utilization_ratio, 0)
        self.assertIsNone(instance.utilization_ratio)

    def test_say_whether_they_are_used(self):
        self.assertEqual([gpu.state for gpu in self.snapshot.gpus], ["free", "split", "free"])

    def test_describe_themselves(self):
        first, *_ = self.snapshot.gpus
        self.assertEqual(repr(first), "<GPU 0 Card 9: 93% busy, 40.0 GiB>")
        self.assertIn("uuid", dir(first))
        self.assertNotIn("info", dict(first))
        with self.assertRaises(AttributeError):
            _ = first.colour

    def test_are_the_same_in_json(self):
        told = json.loads(self.snapshot.to_json())["gpus"]
        self.assertEqual([gpu["gpu"] for gpu in told], ["0", "1", "1.7"])
        for gpu, of_json in zip(self.snapshot.gpus, told):
            self.assertEqual(gpu.to_dict(), of_json)
        self.assertEqual(told[0]["metrics"]["utilization_ratio"], 0.93)

    def test_are_none_where_nothing_reports_them(self):
        with JobMetrics.Node(host=BURN, gpu_sources=[]) as node:
            snapshot = node.sample()
        self.assertEqual(snapshot.gpus, [])
        self.assertNotIn("gpus", snapshot.to_dict())


class DevicesOfAJob(unittest.TestCase):
    def test_are_those_that_a_map_in_python_names(self):
        snapshot = sample(Cards(), Map())
        devices = {job.id: [(gpu.name, gpu.share_ratio, gpu.origin) for gpu in job.gpu_devices] for job in snapshot}
        self.assertEqual(devices, {"1": [("0", 1.0, "hook")], "2": [("1.7", 0.5, "hook")], "3": []})
        (mine,) = snapshot["1"].gpu_devices
        self.assertEqual(mine.gpu, snapshot.gpus[0])
        self.assertEqual(mine.job, snapshot["1"])
        self.assertEqual(mine.utilization_ratio, 0.93)
        self.assertEqual(snapshot["1"].allocated_gpus, 1)
        self.assertEqual(snapshot.gpus[0].jobs, [mine])
        self.assertEqual(mine.to_dict()["origin"], "hook")

    def test_may_be_reported_by_the_library_itself(self):
        snapshot = sample(Both(), gpu_order=["1.7", "0"])
        self.assertEqual([gpu.name for gpu in snapshot["3"].gpu_devices], ["1.7"])

    def test_are_fields_too(self):
        job = sample(Cards(), Map())["1"]
        self.assertEqual(job.format("gpu_devices"), "0")
        self.assertEqual(job.format("gpu%"), "93.0%")
        self.assertEqual(job.format("gpu_mem"), "40GiB")


class Failing(Cards):
    def do_read_devices(self, report):
        raise OSError(errno.EIO, "the bus is gone")


class WhatASourceDoesWrong(unittest.TestCase):
    def test_costs_its_own_devices_alone(self):
        snapshot = sample(Failing(), Cards())
        self.assertEqual(len(snapshot.gpus), 3)
        self.assertRegex(str(snapshot.collectors["gpu"].error), "the bus is gone")
        self.assertEqual(snapshot.node.gpu_library_up, {"Failing": 0, "Cards": 1})

    def test_of_a_map_costs_the_map_alone(self):
        def fail(self, job, cgroups, grants):
            raise ZeroDivisionError("a bug")

        mapper = type("Broken", (Map,), {"__module__": __name__, "do_map_job": fail})()
        snapshot = sample(Cards(), mapper)
        self.assertEqual(len(snapshot.gpus), 3)
        self.assertRegex(str(snapshot.collectors["gpu"].error), r"Broken\.do_map_job: ZeroDivisionError")

    def test_is_said_when_it_is_made(self):
        with self.assertRaisesRegex(TypeError, "^Nothing lacks do_read_devices or do_map_job$"):
            type("Nothing", (JobMetrics.Source, JobMetrics.GpuMapper), {"__module__": __name__})()

    def test_is_refused_with_a_message(self):
        report, grants = JobMetrics.GpuReport.new(), JobMetrics.GpuGrants.new()
        gpu = JobMetrics.Gpu.new("0")
        for call, kind, message in (
            (lambda: report.add_value(of_gpu("utilization_ratio"), 1), ValueError, "^add_device.. comes first"),
            (lambda: report.add_process(1), ValueError, "^add_device.. comes first"),
            (lambda: report.add_device("0"), TypeError, "^gpu: a JobMetrics.Gpu is wanted, not '0'"),
            (lambda: report.get_device(0), IndexError, "^device 0: there are 0"),
            (lambda: JobMetrics.Gpu.new(None), TypeError, "^name: text is wanted"),
            (lambda: JobMetrics.Gpu.new("0", colour="red"), TypeError, "^a GPU has no field 'colour', but uuid, "),
            (lambda: grants.add(HOOK, None), TypeError, "^device: text is wanted"),
            (lambda: grants.add(99, "0"), ValueError, ""),
            (lambda: JobMetrics.Node(gpu_order="0"), TypeError, "^gpu_order: a list of text is wanted, not '0'"),
            (lambda: JobMetrics.Node(gpu_sources=Cards()), TypeError, "^gpu_sources: a list of specifications"),
        ):
            with self.assertRaisesRegex(kind, message):
                call()
        report.add_device(gpu)
        with self.assertRaisesRegex(ValueError, "cpus is no metric of a GPU"):
            report.add_value(JobMetrics.Quantity.of_subject(KIND.JOB, "cpus"), 1)
        with self.assertRaisesRegex(ValueError, "has 1 labels, not 0"):
            report.add_value(of_gpu("temperature_celsius"), 1)


if __name__ == "__main__":
    logging.getLogger("jobmetrics").addHandler(logging.NullHandler())
    sys.exit(tap.run(DevicesOfANode, DevicesOfAJob, WhatASourceDoesWrong))
