#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The server role beside a real Prometheus: what runs used that no ledger reported.

usage: test-time-series.py EXPORTER ACCOUNTED

Prometheus gets samples of hours ago, one every 30 s, which are written out below: a job of two nodes on one of which the
exporter begins anew, and which is requeued; one of which a node reported nothing; and one of the same id in another cluster.
"""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "pylib"), str(HERE)]
import tap  # noqa: E402
from programs import SLOWNESS, Program, Prometheus, free_port, turn, wait_for  # noqa: E402

EXPORTER, ACCOUNTED = map(os.path.abspath, sys.argv[1:3])
SECONDS = 60 * SLOWNESS
STEP = 30
GIB = 2**30
T0 = int(time.time()) // 3600 * 3600 - 3 * 3600

# cluster, id, begin, end, nodes
FIRST = ("alps", "17", T0, T0 + 1800, 2)
AGAIN = ("alps", "17", T0 + 1860, T0 + 3600, 1)
HALF = ("alps", "18", T0, T0 + 600, 2)
OTHER = ("beta", "17", T0, T0 + 1800, 1)
UNSEEN = ("alps", "19", T0, T0 + 600, 1)
RUNS = (FIRST, AGAIN, HALF, OTHER, UNSEEN)


class Samples:
    """In the order of time for each metric, as promtool reads them."""

    def __init__(self):
        self.metrics: dict[str, list[str]] = {}

    def add(self, metric: str, labels: dict[str, str], values) -> None:
        text = ",".join(f'{name}="{value}"' for name, value in labels.items())
        lines = self.metrics.setdefault(metric, [])
        lines += [f"{metric}{{{text}}} {value} {T0 + after}" for after, value in values]

    def text(self) -> str:
        out = []
        for metric, lines in self.metrics.items():
            kind = "counter" if metric.endswith("_total") else "gauge"
            out += [f"# TYPE {metric.removesuffix('_total')} {kind}", *lines]
        return "\n".join([*out, "# EOF", ""])


def every(begin: int, end: int, value):
    """From the begin to the end, and for as long as an ended job is shown."""
    return [(at, value(min(at, end))) for at in range(begin, end + 121, STEP)]


def make_first(samples: Samples) -> None:
    """One and a half CPUs on n1, half a one on n2. The exporter on n1 forgets its energy at 900 s."""
    for replica in ("a", "b"):
        n1 = {"instance": "n1:9010", "jobid": "17", "replica": replica}
        samples.add("jobmetrics_job_info", {**n1, "cluster": "alps"}, every(0, 1800, lambda at: 1))
        samples.add("jobmetrics_job_cpu_seconds_total", n1, every(0, 1800, lambda at: 1.5 * at))
        samples.add("jobmetrics_job_memory_peak_bytes", n1, every(0, 1800, lambda at: 3 * GIB))
        measured = {**n1, "domain": "cpu", "quality": "measured"}
        samples.add("jobmetrics_job_energy_joules_total", measured, every(0, 1800, lambda at: 100 * (at if at <= 900 else at - 930)))
        gpu = {**n1, "domain": "gpu", "quality": "measured"}
        samples.add("jobmetrics_job_energy_joules_total", gpu, every(0, 1800, lambda at: 10 * at))
        samples.add("jobmetrics_job_emissions_grams_total", {**n1, "quality": "measured"}, every(0, 1800, lambda at: at / 100))
        samples.add("jobmetrics_job_cpus", n1, every(0, 1800, lambda at: 4))
        samples.add("jobmetrics_job_memory_resident_peak_bytes", n1, every(0, 1800, lambda at: 2 * GIB))
        device = {**n1, "gpu": "nvidia3"}
        samples.add("jobmetrics_job_gpu_busy_seconds_total", device, every(0, 1800, lambda at: 0.25 * at))
        samples.add("jobmetrics_job_gpu_observed_seconds_total", device, every(0, 1800, lambda at: at))
        samples.add("jobmetrics_job_gpu_memory_peak_bytes", device, every(0, 1800, lambda at: 8 * GIB))
        samples.add("jobmetrics_job_gpu_memory_size_bytes", device, every(0, 1800, lambda at: 80 * GIB))


def make_n2(samples: Samples) -> None:
    """What the first run left is shown until the second has begun, which takes two CPUs."""
    n2 = {"instance": "n2:9010", "jobid": "17"}

    def both(first, second):
        return [(at, first(min(at, 1800)) if at <= 1860 else second(min(at, 3600) - 1860)) for at in range(0, 3721, STEP)]

    samples.add("jobmetrics_job_info", {**n2, "cluster": "alps"}, both(lambda at: 1, lambda at: 1))
    samples.add("jobmetrics_job_cpu_seconds_total", n2, both(lambda at: 0.5 * at, lambda at: 2 * at))
    samples.add("jobmetrics_job_memory_peak_bytes", n2, both(lambda at: 5 * GIB, lambda at: GIB))
    energy = {**n2, "domain": "cpu", "quality": "measured"}
    samples.add("jobmetrics_job_energy_joules_total", energy, both(lambda at: 50 * at, lambda at: 200 * at))
    emissions = [(at, (min(at, 3600) - 1860) / 100) for at in range(1890, 3721, STEP)]
    samples.add("jobmetrics_job_emissions_grams_total", {**n2, "quality": "measured"}, emissions)


def make_others(samples: Samples) -> None:
    n1 = {"instance": "n1:9010", "jobid": "18"}
    samples.add("jobmetrics_job_info", {**n1, "cluster": "alps"}, every(0, 600, lambda at: 1))
    samples.add("jobmetrics_job_cpu_seconds_total", n1, every(0, 600, lambda at: at))
    b1 = {"instance": "b1:9010", "jobid": "17"}
    samples.add("jobmetrics_job_info", {**b1, "cluster": "beta"}, every(0, 1800, lambda at: 1))
    samples.add("jobmetrics_job_cpu_seconds_total", b1, every(0, 1800, lambda at: at / 18))


class World:
    def begin(self, folder: pathlib.Path) -> None:
        samples = Samples()
        for make in (make_first, make_n2, make_others):
            make(samples)
        text = folder / "samples.txt"
        text.write_text(samples.text())
        blocks = ["promtool", "tsdb", "create-blocks-from", "openmetrics", text, folder / "prometheus"]
        subprocess.run(blocks, check=True, capture_output=True, timeout=SECONDS)
        self.prometheus = Prometheus("127.0.0.1:9", folder)
        wait_for("the samples", 30, lambda: self.prometheus.query(f"count(jobmetrics_job_info @ {T0 + 60})") == 5)
        self.url = f"http://{self.prometheus.address}"
        self.store = folder / "accounts.db"
        self.accounted(str(self.store))
        self.said = [self.fill(), self.fill()]

    @staticmethod
    def accounted(*arguments: str) -> str:
        lines = "".join(" ".join(map(str, run)) + "\n" for run in RUNS)
        return subprocess.run([ACCOUNTED, *arguments], input=lines, check=True, stdout=subprocess.PIPE, text=True, timeout=SECONDS).stdout

    def fill(self) -> dict[str, str]:
        options = [f"--server.store={self.store}", f"--server.tsdb={self.url}/"]
        done = subprocess.run([EXPORTER, "server", *options, "--once"], check=True, stdout=subprocess.PIPE, text=True, timeout=SECONDS)
        return dict(line.rsplit(" ", 1) for line in done.stdout.splitlines() if not line.startswith("#"))

    def ask_ceems(self, path: str, **query: str) -> list[dict]:
        """As the user whom the server runs as."""
        path, port = f"/ceems/api/v1/{path}?{urllib.parse.urlencode(query)}", free_port()
        local = self.store.with_name("socket")
        options = [f"--server.store={self.store}", f"--web.listen-address=127.0.0.1:{port}", f"--web.local-socket={local}"]
        server = Program("server", [EXPORTER, "server", *options], port, "/-/ready", self.store.parent)
        try:
            with socket.socket(socket.AF_UNIX) as peer, contextlib.closing(http.client.HTTPConnection("localhost")) as connection:
                peer.connect(str(local))
                connection.sock = peer
                connection.request("GET", path)
                return json.load(connection.getresponse())["data"]
        finally:
            server.stop()

    def select(self, columns: str, run: tuple, more: str = "run") -> list[tuple]:
        with sqlite3.connect(self.store) as database:
            where = "cluster.name = ? AND raw_id = ? AND moment = ?"
            return database.execute(f"SELECT {columns} FROM {more} JOIN cluster ON cluster.id = cluster_id WHERE {where}", run[:3]).fetchall()


world = World()


class Figures(unittest.TestCase):
    def test_are_those_of_all_nodes(self):
        # 1.5 * 1800 + 0.5 * 1800 s; (90000 + 87000) + 18000 + 90000 J; n2 reported no emissions
        expected = [(3600_000000, 5 * GIB, 285000_000000, None)]
        self.assertEqual(world.select("cpu_us, memory_peak_bytes, energy_uj, emissions_ug", FIRST), expected)

    def test_of_a_requeued_job_are_its_own(self):
        # 2 * 1740 s; 200 * 1740 J; 17.4 g
        expected = [(3480_000000, GIB, 348000_000000, 17_400000)]
        self.assertEqual(world.select("cpu_us, memory_peak_bytes, energy_uj, emissions_ug", AGAIN), expected)

    def test_of_the_same_id_elsewhere_are_apart(self):
        self.assertEqual(world.select("cpu_us, energy_uj", OTHER), [(100_000000, None)])

    def test_are_absent_where_a_node_reported_nothing(self):
        for run in (HALF, UNSEEN):
            self.assertEqual(world.select("cpu_us, memory_peak_bytes, energy_uj", run), [(None, None, None)])

    def test_have_energy_in_detail(self):
        parts = world.select("run_energy.name, quality, run_energy.energy_uj", FIRST, "run_energy JOIN run ON run.id = run_id")
        self.assertEqual(sorted(parts), [("cpu", "measured", 267000_000000), ("gpu", "measured", 18000_000000)])

    def test_are_those_of_each_node_and_device(self):
        nodes = world.select("node, run_node.cpus, run_node.cpu_us, memory_resident_peak_bytes", FIRST, "run_node JOIN run ON run.id = run_id")
        self.assertEqual(sorted(nodes), [("n1", 4, 2700_000000, 2 * GIB), ("n2", None, 900_000000, None)])
        devices = world.select("node, run_device.name, gpu_busy_us, gpu_observed_us, gpu_memory_peak_bytes, gpu_memory_size_bytes", FIRST,
                               "run_device JOIN run ON run.id = run_id")
        self.assertEqual(devices, [("n1", "nvidia3", 450_000000, 1800_000000, 8 * GIB, 80 * GIB)])
        for run in (HALF, UNSEEN):
            self.assertEqual(world.select("node", run, "run_node JOIN run ON run.id = run_id"), [])

    def test_have_the_energy_of_accelerators_in_the_words_of_ceems(self):
        # FIRST and AGAIN: what is not of the GPU, 267000 and 348000 J, and 18000 J of it
        units = world.ask_ceems("units/admin", uuid="17", cluster_id="alps")
        energies = [(unit["total_cpu_energy_usage_kwh"]["total"], unit.get("total_gpu_energy_usage_kwh")) for unit in units]
        self.assertEqual(sorted(energies), [(267000 / 3.6e6, {"total": 0.005}), (348000 / 3.6e6, None)])

    def test_are_counted_and_read_once(self):
        first, second = world.said
        names = [f"jobmetrics_server_tsdb_{what}_total" for what in ("filled_runs", "lacking_runs", "failed_runs", "failures")]
        self.assertEqual([first[name] for name in names], ["3", "2", "0", "0"])
        self.assertEqual([second[name] for name in names], ["0", "0", "0", "0"])


class Series(unittest.TestCase):
    def setUp(self):
        self.series = {}
        for line in world.accounted("--series", world.url, "61").splitlines():
            jobid, name, domain, unit, *points = line.split("\t")
            values = {int(time): float(value) for time, value in (point.split("=") for point in points)}
            self.series.setdefault((jobid, name, domain, unit), []).append(values)

    def test_have_no_more_points_than_asked_for(self):
        self.assertGreater(len(self.series), 0)
        for all_of in self.series.values():
            for values in all_of:
                self.assertLessEqual(len(values), 61)

    def test_are_sums_over_nodes(self):
        (first, again, other) = self.series["17", "cpu", "", "cpus"]
        self.assertAlmostEqual(first[T0 + 1200], 2, 3)
        self.assertAlmostEqual(again[T0 + 1860 + 29 * 40], 2, 3)
        self.assertAlmostEqual(other[T0 + 1200], 1 / 18, 3)
        self.assertAlmostEqual(self.series["17", "power", "gpu", "watts"][0][T0 + 1200], 10, 3)
        self.assertAlmostEqual(self.series["17", "power", "cpu", "watts"][0][T0 + 1500], 150, 3)

    def test_of_what_nobody_reported_are_not_there(self):
        self.assertNotIn("memory", {name for _, name, _, _ in self.series})


def main() -> int:
    for program in ("prometheus", "promtool"):
        if shutil.which(program) is None:
            tap.skip_all(f"{program} is not installed")
    with turn(), tempfile.TemporaryDirectory(prefix="jobmetrics-e2e-") as name:
        try:
            world.begin(pathlib.Path(name))
            return tap.run(Figures, Series)
        finally:
            if hasattr(world, "prometheus"):
                world.prometheus.stop()


if __name__ == "__main__":
    sys.exit(main())
