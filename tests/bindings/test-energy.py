#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a program in Python sees of energy and emissions, and meters and providers that it brings itself."""

import asyncio
import contextlib
import functools
import logging
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from datetime import datetime, timedelta, timezone
from unittest import mock

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from introspection import JobMetrics  # noqa: E402

BURN = FIXTURES / "slurm-v2-burn"
EMPTY = FIXTURES / "empty"
NONE = FIXTURES / "power-none"
CONTRACT = JobMetrics.EmissionFactor.new("contract", "hydro", 3600, scope="lifecycle")
NOON = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
LEFT_BEHIND = """
import time
import gi
gi.require_version("JobMetrics", "1.0")
from gi.repository import JobMetrics

class Slow(JobMetrics.Source, JobMetrics.EmissionProvider):
    is_asked = False
    def do_fetch(self, cancellable):
        self.is_asked = True
        time.sleep(0.3)
        return JobMetrics.EmissionFactor.new("slow", "zone", 1)

class Meter(JobMetrics.Source, JobMetrics.PowerSource):
    def do_read(self, readings):
        time.sleep(0.01)

def busy():
    slow = Slow()
    kept = JobMetrics.Node(host={root!r}, power_sources=[Meter()], emission_providers=[slow])
    if {sampled!r}:
        kept = JobMetrics.Sampler(kept, 0.001)
    while not slow.is_asked:
        time.sleep(0.001)
    return kept

{end}
"""


class Wattmeter(JobMetrics.Source, JobMetrics.PowerSource):
    def do_read(self, readings):
        readings.add_power("node", 300e6)


def open_provider(specification: str) -> JobMetrics.EmissionProvider:
    return JobMetrics.registry_open(JobMetrics.SourceKind.EMISSIONS, specification, JobMetrics.Host(EMPTY))


class Contract(JobMetrics.Source, JobMetrics.EmissionProvider):
    def do_fetch(self, cancellable):
        return CONTRACT


def variant(base: type, **methods):
    """An object of a class that differs from another in some methods."""
    return type(base.__name__, (base,), {"__module__": __name__, **methods})()


def fail(*arguments):
    raise ZeroDivisionError("a bug")


@contextlib.contextmanager
def silenced():
    """Gives what the library's logger says."""
    said = []
    with mock.patch("gi.overrides.JobMetrics._sources.log.warning", lambda form, *words: said.append(form % words)):
        yield said


def sample_twice(root, meter, provider=None, between=lambda: None) -> JobMetrics.Snapshot:
    """Energy is of an interval, which has to have some length."""
    providers = [] if provider is None else [provider]
    with JobMetrics.Node(host=root, power_sources=[meter], emission_providers=providers) as node:
        node.wait()
        node.sample()
        between()
        time.sleep(0.01)
        return node.sample()


def work(root: pathlib.Path, job: int, seconds: float) -> None:
    """The job's CPU time goes on."""
    path = next(root.glob(f"sys/fs/cgroup/system.slice/*/job_{job}/cpu.stat"))
    figures = dict(line.split() for line in path.read_text().splitlines())
    for name in ("usage_usec", "user_usec"):
        figures[name] = int(figures[name]) + int(seconds * 1e6)
    path.write_text("".join(f"{name} {value}\n" for name, value in figures.items()))


@functools.cache
def snapshot_of_work() -> JobMetrics.Snapshot:
    """Of three jobs, of which the second worked twice as long as the first, and the third three times."""
    with tempfile.TemporaryDirectory(prefix="jobmetrics-") as folder:
        root = pathlib.Path(folder) / "node"
        shutil.copytree(BURN, root, symlinks=True)
        return sample_twice(root, Wattmeter(), Contract(), lambda: [work(root, job, 0.1 * job) for job in (1, 2, 3)])


NODE = ("node", "measured")
KINDS = {kind.value_nick: kind for kind in map(JobMetrics.SubjectKind, range(JobMetrics.N_SUBJECT_KINDS))}


class ANodeWithAMeter(unittest.TestCase):
    def setUp(self):
        self.snapshot = snapshot_of_work()

    def test_gives_each_job_its_joules(self):
        joules = [job.energy_joules_total[NODE] for job in self.snapshot]
        self.assertGreater(joules[0], 0)
        self.assertEqual(joules, sorted(joules))
        self.assertTrue(all(job.power_watts[NODE] > 0 for job in self.snapshot))
        self.assertTrue(all(job.energy_covered_seconds_total[NODE] > 0 for job in self.snapshot))

    def test_gives_away_what_was_measured_and_no_more(self):
        node = self.snapshot.node
        jobs = sum(job.energy_joules_total[NODE] for job in self.snapshot)
        rest = self.snapshot.system.energy_joules_total[NODE] + self.snapshot.idle.energy_joules_total[NODE]
        self.assertAlmostEqual(jobs + rest, node.energy_joules_total["Wattmeter", "node"], places=5)

    def test_reckons_grams_with_the_factor_and_says_which(self):
        for job in self.snapshot:
            grams = job.emissions_grams_total["measured"]
            self.assertAlmostEqual(grams, job.energy_joules_total[NODE] / 1000, places=5)  # 3600 g/kWh
            key = ("contract", "hydro", "average", "lifecycle", "statistic", "measured")
            self.assertEqual(job.emissions_by_factor_grams_total, {key: grams})
            self.assertIsNone(job.marginal_emissions_grams_total)

    def subjects_of(self, info):
        of_node = {"node": self.snapshot.node, "system": self.snapshot.system, "idle": self.snapshot.idle, "grid": self.snapshot.grid}
        kinds = info.kinds
        found = [one for name, one in of_node.items() if kinds >> KINDS[name] & 1]
        return found + (list(self.snapshot) if kinds >> KINDS["job"] & 1 else [])

    def test_has_a_tuple_where_there_are_several_labels(self):
        node = self.snapshot.node
        self.assertEqual(node.power_watts, {("Wattmeter", "node"): 300.0})
        self.assertEqual(node.power_source_up, {"Wattmeter": 1})
        self.assertEqual(self.snapshot.grid.emission_provider_up, {("contract", "hydro"): 1})
        quantities = [one for kind in KINDS.values() for one in JobMetrics.Quantity.list_of_subject(kind)]
        for info in [one.get_metric_info() for one in quantities]:
            for key in [key for subject in self.subjects_of(info) for key in (subject[info.name] or {} if info.n_labels else {})]:
                self.assertEqual(1 if isinstance(key, str) else len(key), info.n_labels, info.name)
            self.assertEqual(len(info.labels), info.n_labels, info.name)

    def test_shows_energy_in_dicts_and_json(self):
        job = self.snapshot["3"]
        metrics = job.to_dict()["metrics"]
        (joules,) = metrics["energy_joules_total"]
        self.assertEqual(joules["labels"], {"domain": "node", "quality": "measured"})
        self.assertAlmostEqual(joules["value"], job.energy_joules_total[NODE])
        (grams,) = metrics["emissions_by_factor_grams_total"]
        names = ["provider", "zone", "method", "scope", "factor_quality", "quality"]
        values = ["contract", "hydro", "average", "lifecycle", "statistic", "measured"]
        self.assertEqual(grams["labels"], dict(zip(names, values)))
        watts = [{"labels": {"source": "Wattmeter", "domain": "node"}, "value": 300}]
        self.assertEqual(self.snapshot.to_dict()["node"]["power_watts"], watts)
        self.assertIn('"energy_joules_total":[{"labels":{"domain":"node",', self.snapshot.to_json())

    def test_shows_energy_in_a_data_frame(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = self.snapshot.to_dataframe()
        self.assertEqual(frame.loc["2", "energy_joules_total[node, measured]"], self.snapshot["2"].energy_joules_total[NODE])
        self.assertIn("emissions_grams_total[measured]", frame.columns)
        self.assertIn("emissions_by_factor_grams_total[contract, hydro, average, lifecycle, statistic, measured]", frame.columns)

    def test_is_silent_about_what_it_lacks(self):
        with JobMetrics.Node(host=BURN, power_sources=[], emission_providers=[]) as node:
            job = node.sample()["1"]
        self.assertIsNone(job.energy_joules_total)
        self.assertNotIn("energy_joules_total", job)


class Settings(unittest.TestCase):
    def test_are_specifications_or_sources(self):
        node = JobMetrics.Node(
            host=NONE,
            power_sources=["estimate", Wattmeter()],
            emission_providers=("owid,zone=FR", Contract()),
            share_idle=True,
            energy_files=[pathlib.Path("/no/such/file")],
        )
        self.assertEqual(node.props.power_sources, ["estimate"])
        self.assertEqual(node.props.emission_providers, ["owid,zone=FR"])
        self.assertEqual(node.props.energy_files, ["/no/such/file"])
        self.assertTrue(node.props.share_idle)
        node.wait(timedelta(seconds=10))
        snapshot = node.sample()
        self.assertEqual(set(snapshot.node.power_source_up), {"estimate", "Wattmeter"})
        self.assertEqual(set(snapshot.grid.emission_provider_up), {("owid", "FR"), ("contract", "hydro")})

    def test_call_an_estimate_an_estimate(self):
        with JobMetrics.Node(host=NONE, power_sources=["estimate"]) as node:
            node.sample()
            time.sleep(0.01)
            idle = node.sample().idle.energy_joules_total
        self.assertTrue(idle)
        self.assertTrue(all(quality == "estimated" for _, quality in idle), idle)

    def test_that_are_invalid_get_one_clear_message(self):
        for settings, kind, message in (
            ({"power_sources": "ipmi"}, TypeError, "^power_sources: a list of specifications or of JobMetrics.PowerSource"),
            ({"power_sources": [3]}, TypeError, "^power_sources: .* is wanted, not 3$"),
            ({"power_sources": [Contract()]}, TypeError, "^power_sources: a list of specifications or of JobMetrics.P"),
            ({"power_sources": Wattmeter()}, TypeError, "^power_sources: a list"),
            ({"power_sources": ["ipmi,interval=soon"]}, JobMetrics.InvalidError, "not a value of interval: soon"),
            ({"emission_providers": ["nobody"]}, JobMetrics.InvalidError, "^nobody: not one of those that there are: owid"),
            ({"emission_providers": ["owid,zone=\0"]}, ValueError, "^emission_providers: a NUL character"),
            ({"share_idle": 1}, TypeError, "^share_idle: True or False is wanted, not 1$"),
            ({"energy_files": "/run/energy"}, TypeError, "^energy_files: a list of paths is wanted"),
        ):
            with self.subTest(settings), self.assertRaisesRegex(kind, message):
                JobMetrics.Node(host=EMPTY, **settings)

    def test_of_the_librarys_own_sources_are_given_by_name(self):
        provider = open_provider("fixed,factor=12.5,zone=site,method=marginal")
        self.assertEqual(provider.fetch().method, JobMetrics.EmissionMethod.MARGINAL)
        with self.assertRaisesRegex(JobMetrics.InvalidError, "0 to 5000: -1"):
            open_provider("fixed,factor=-1")
        with self.assertRaisesRegex(JobMetrics.AbsentError, "ATLANTIS"):
            open_provider("owid,zone=ATLANTIS")


class AFactor(unittest.TestCase):
    def test_reports_where_it_comes_from(self):
        factor = JobMetrics.EmissionFactor.new("rte", "FR", 21.7, "average", "direct", "estimated", NOON)
        self.assertEqual((factor.provider, factor.zone, factor.grams_per_kwh), ("rte", "FR", 21.7))
        self.assertEqual(factor.method, JobMetrics.EmissionMethod.AVERAGE)
        self.assertEqual(factor.scope, JobMetrics.EmissionScope.DIRECT)
        self.assertEqual(factor.quality, JobMetrics.EmissionQuality.ESTIMATED)
        self.assertEqual((factor.valid_from, factor.valid_until, factor.age), (NOON, None, timedelta(0)))
        self.assertEqual(repr(factor), "<EmissionFactor rte/FR: 21.7 g/kWh, average, direct, estimated>")

    def test_knows_how_old_it_is(self):
        then = datetime.now(timezone.utc) - timedelta(hours=1)
        factor = JobMetrics.EmissionFactor.new("rte", "FR", 21.7, valid_until=then)
        self.assertEqual(factor.valid_until, then)
        self.assertAlmostEqual(factor.age, timedelta(hours=1), delta=timedelta(minutes=1))

    def test_is_the_same_as_its_like(self):
        like = JobMetrics.EmissionFactor.new("contract", "hydro", 3600, scope=JobMetrics.EmissionScope.LIFECYCLE)
        self.assertEqual(CONTRACT, like)
        self.assertEqual(len({CONTRACT, like}), 1)
        self.assertNotEqual(CONTRACT, JobMetrics.EmissionFactor.new("contract", "hydro", 3600))
        self.assertNotEqual(CONTRACT, 3600)

    def test_that_cannot_be_is_refused(self):
        for arguments, kind, message in (
            (("me", "here", -1), ValueError, "^grams_per_kwh: no electricity emits -1$"),
            (("me", "here", float("nan")), ValueError, "^grams_per_kwh: no electricity emits nan$"),
            (("me", "here", "12"), TypeError, "^grams_per_kwh: a number is wanted, not '12'$"),
            ((None, "here", 12), TypeError, "^provider: text is wanted, not None$"),
            (("me", "he\0re", 12), ValueError, "^zone: a NUL character"),
            (("me", "here", 12, "mean"), ValueError, "^method: one of average, marginal is wanted, not 'mean'$"),
            (("me", "here", 12, "average", 7), ValueError, "^scope: one of unknown, direct, lifecycle is wanted, not 7$"),
            (("me", "here", 12, "average", "direct", 1.5), TypeError, "^quality: one of measured, estimated, statistic"),
            (("me", "here", 12, 0, 0, 0, datetime(2026, 3, 1)), ValueError, "^valid_from: .* has no time zone$"),
            (("me", "here", 12, 0, 0, 0, 1.5), TypeError, "^valid_from: "),
        ):
            with self.subTest(message), self.assertRaisesRegex(kind, message):
                JobMetrics.EmissionFactor.new(*arguments)


class AProvider(unittest.TestCase):
    def test_is_awaited_in_asyncio(self):
        for provider in (Contract(), open_provider("fixed,factor=12.5"), open_provider("global")):
            self.assertEqual(asyncio.run(provider.factor()), provider.fetch())

    def test_lets_others_run_meanwhile(self):
        go = threading.Event()

        async def main():
            waiting = asyncio.ensure_future(variant(Contract, do_fetch=lambda *_: go.wait(60) and CONTRACT).factor())
            await asyncio.sleep(0)
            self.assertFalse(waiting.done())
            go.set()
            return await waiting

        self.assertEqual(asyncio.run(main()), CONTRACT)

    def test_can_be_cancelled(self):
        asked = threading.Event()
        seen = []

        def wait(provider, cancellable):
            asked.set()
            while not cancellable.is_cancelled():
                time.sleep(0.001)
            seen.append("cancelled")
            raise JobMetrics.UnavailableError("not now")

        async def main():
            waiting = asyncio.ensure_future(variant(Contract, do_fetch=wait).factor())
            await asyncio.to_thread(asked.wait, 60)
            waiting.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await waiting

        asyncio.run(main())
        self.assertEqual(seen, ["cancelled"])

    def test_is_asked_as_often_as_it_says(self):
        self.assertEqual(Contract().get_interval(), 900)
        for interval in (60, timedelta(minutes=1)):
            self.assertEqual(variant(Contract, do_get_interval=lambda self: interval).get_interval(), 60)

    def test_that_refuses_says_why(self):
        def refuse(*arguments):
            raise JobMetrics.DeniedError("contract: the token is not valid")

        with self.assertRaisesRegex(JobMetrics.DeniedError, "^contract: the token is not valid$"):
            asyncio.run(variant(Contract, do_fetch=refuse).factor())
        snapshot = sample_twice(EMPTY, Wattmeter(), variant(Contract, do_fetch=refuse))
        self.assertIsInstance(snapshot.collectors["emissions"].error, JobMetrics.DeniedError)
        self.assertEqual(list(snapshot.grid.emission_provider_up.values()), [0])
        self.assertIsNone(snapshot.node.emissions_grams_total)

    def test_with_a_bug_breaks_nothing_else(self):
        for do_fetch, message in (
            (fail, r"Contract\.do_fetch: ZeroDivisionError: a bug$"),
            (lambda *_: None, r"Contract\.do_fetch: TypeError: a JobMetrics\.EmissionFactor is wanted, not None$"),
            (lambda *_: 12.5, r"Contract\.do_fetch: TypeError: a JobMetrics\.EmissionFactor is wanted, not 12\.5$"),
        ):
            with self.subTest(message), silenced() as said:
                snapshot = sample_twice(EMPTY, Wattmeter(), variant(Contract, do_fetch=do_fetch))
                self.assertRegex(str(snapshot.collectors["emissions"].error), message)
                self.assertRegex(said[0], message)
                self.assertIsNone(snapshot.node.emissions_grams_total)
                self.assertGreater(snapshot.node.energy_joules_total["Wattmeter", "node"], 0)

    def test_that_says_nonsense_of_its_interval_is_asked_all_the_same(self):
        for do_get_interval in (fail, lambda self: "often", lambda self: -1):
            with silenced() as said:
                self.assertEqual(variant(Contract, do_get_interval=do_get_interval).get_interval(), 900)
            self.assertRegex(said[0], r"^Contract\.do_get_interval: ")


class AMeter(unittest.TestCase):
    def test_that_fails_is_down_and_gives_no_number(self):
        def half(meter, readings):
            readings.add_power("node", 5e6)
            raise OSError(5, "Input/output error", "/dev/ttyUSB0")

        for do_read, message in (
            (half, "/dev/ttyUSB0"),
            (fail, "ZeroDivisionError: a bug"),
            (lambda _, readings: readings.add_power("node", -1), "OverflowError"),
            (lambda _, readings: readings.add_power("node", float("nan")), "TypeError"),
            (lambda _, readings: readings.add_power("node", "312"), "TypeError"),
            (lambda _, readings: readings.add_power(None, 312), "TypeError"),
            (lambda _, readings: readings.add_power("node", float("inf")), "."),
        ):
            with self.subTest(message), silenced():
                snapshot = sample_twice(EMPTY, variant(Wattmeter, do_read=do_read), Contract())
                self.assertRegex(str(snapshot.collectors["power"].error), r"Wattmeter\.do_read: .*" + message)
                self.assertEqual(list(snapshot.node.power_source_up.values()), [0])
                self.assertIsNone(snapshot.node.energy_joules_total)
                self.assertIsNone(snapshot.node.emissions_grams_total)

    def test_that_has_gone_says_so(self):
        def read(*arguments):
            open("/no/such/meter")

        snapshot = sample_twice(EMPTY, variant(Wattmeter, do_read=read))
        self.assertRegex(str(snapshot.collectors["power"].error), "/no/such/meter")
        self.assertEqual(list(snapshot.node.power_source_up.values()), [0])

    def test_that_is_an_estimate_is_called_so(self):
        snapshot = sample_twice(EMPTY, variant(Wattmeter, do_is_estimate=lambda self: True))
        self.assertEqual(set(snapshot.idle.energy_joules_total), {("node", "estimated")})

    def test_that_cannot_say_whether_it_measures_is_not_believed_to(self):
        for do_is_estimate in (fail, lambda self: "perhaps"):
            with silenced() as said:
                snapshot = sample_twice(EMPTY, variant(Wattmeter, do_is_estimate=do_is_estimate))
            self.assertEqual(set(snapshot.idle.energy_joules_total), {("node", "estimated")})
            self.assertRegex(said[0], r"^Wattmeter\.do_is_estimate: ")

    def test_has_a_forecast_or_none(self):
        with self.assertRaisesRegex(Exception, "no forecasts"):
            open_provider("global").forecast(None)
        hours = [int(NOON.timestamp() * 1e6) + number * 3600000000 for number in range(4)]
        forecast = [JobMetrics.EmissionFactor.new("test", "GB", grams, valid_from=begin, valid_until=begin + 3600000000) for grams, begin in zip((90, 60, 30, 80), hours)]
        self.assertEqual(JobMetrics.emission_factor_find_start(forecast, hours[0], hours[3] + 3600000000, 7200000000), (True, hours[1], 45, 75))
        self.assertFalse(JobMetrics.emission_factor_find_start(forecast[1:], hours[0], hours[3], 3600000000)[0])

    def test_must_have_its_methods_and_be_one_thing(self):
        with self.assertRaisesRegex(TypeError, "^Nothing lacks do_read$"):
            type("Nothing", (JobMetrics.Source, JobMetrics.PowerSource), {"__module__": __name__})()
        with self.assertRaisesRegex(TypeError, "^Nobody lacks do_fetch$"):
            type("Nobody", (JobMetrics.Source, JobMetrics.EmissionProvider), {"__module__": __name__})()
        methods = ("do_list_children", "do_open_cgroup", "do_read", "do_list_processes", "do_close_cgroup")
        namespace = {"__module__": __name__, **dict.fromkeys(methods, fail)}
        with self.assertRaisesRegex(TypeError, "do_read.*ambiguous"):
            type("Both", (JobMetrics.Source, JobMetrics.PowerSource, JobMetrics.CgroupReader), namespace)()


class TheEnd(unittest.TestCase):
    """Of nodes that nobody closed, while a provider in Python is being asked in its own thread."""

    def assert_ends(self, end: str, sampled: bool) -> None:
        program = LEFT_BEHIND.format(root=str(EMPTY), sampled=sampled, end=end)
        done = subprocess.run(
            [sys.executable, "-c", program], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
        )
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_of_a_node_that_is_let_go_harms_nobody(self):
        self.assert_ends("busy()", False)
        self.assert_ends("busy()", True)

    def test_of_a_program_harms_nobody(self):
        self.assert_ends("kept = busy()", False)
        self.assert_ends("kept = busy()", True)

    def test_of_a_node_that_is_in_a_circle_harms_nobody(self):
        self.assert_ends("circle = [busy()]; circle.append(circle); del circle\nimport gc; gc.collect()", False)


if __name__ == "__main__":
    logging.getLogger("jobmetrics").addHandler(logging.NullHandler())
    sys.exit(tap.run(ANodeWithAMeter, Settings, AFactor, AProvider, AMeter, TheEnd))
