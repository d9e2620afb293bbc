#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Joules and grams of a real Slurm's jobs, where the counters' truth is known.

usage: test-energy.py EXPORTER SPEND INGEST [DCMI.SO]

The jobs, their cgroups and their processes are the machine's. Its sockets count energy that lab/move-counters puts there,
and a simulated BMC reports what the whole node takes; without the BMC's module the situations that need it are left out.
"""

import importlib
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "pylib"))
sys.path.insert(0, str(HERE))
import tap  # noqa: E402
from ingested import ingest  # noqa: E402
from lab import CLUSTER, NODE, Unfit  # noqa: E402
from metrics import Scrape, Series  # noqa: E402
from programs import SLOWNESS, Exporter, Prometheus, turn, wait_for  # noqa: E402
from rules import write_quick_rules  # noqa: E402
from sockets import SOCKETS, Bmc, Mover, Sockets  # noqa: E402

slurm = importlib.import_module("test-slurm")

MICRO = 1_000_000
WATTS = {"package-0": 60, "dram-0": 8, "package-1": 40, "dram-1": 5}
BMC_WATTS = 260
# how often its program is run, which takes a second each time
BMC_SECONDS = 2
GRAMS_PER_KWH = 360
GRAMS_PER_JOULE = GRAMS_PER_KWH / 3.6e6
# figures are reported in whole micrograms, whose fractions are cut off
GRAM_STEP = 1e-6
JOB_ENERGY = "jobmetrics_job_energy_joules_total"
JOB_GRAMS = "jobmetrics_job_emissions_grams_total"
HOLDERS = ("job", "system", "idle")
COUNTERS, BMC = "rapl-powercap", "ipmi-command"
NO_BMC = "no simulated BMC without openipmi, libopenipmi-dev and freeipmi-tools"


def microjoules(series: list[Series]) -> int:
    return sum(round(one.value * MICRO) for one in series)


class Account:
    """What one scrape reports of energy, in microjoules."""

    def __init__(self, text: Scrape):
        self.text = text

    def measured(self, source: str, domain: str) -> int:
        return microjoules(self.text.find("jobmetrics_node_energy_joules_total", source=source, domain=domain))

    def counted(self, part: str) -> int:
        """By the counters of all sockets."""
        return sum(self.measured(COUNTERS, f"{part}-{socket}") for socket in range(SOCKETS))

    def held(self, holder: str, part: str) -> int:
        return microjoules(self.text.find(f"jobmetrics_{holder}_energy_joules_total", domain=part))

    def given(self, part: str) -> int:
        """To the jobs, to what is no job's, and to nobody."""
        return sum(self.held(holder, part) for holder in HOLDERS)

    def of(self, uuid: str) -> dict[str, int]:
        return {one.labels["domain"]: microjoules([one]) for one in self.text.find(JOB_ENERGY, uuid=uuid)}

    def swept(self) -> float:
        return self.text.one("jobmetrics_sweep_time_seconds").value


class World(slurm.World):
    """A Slurm, two sockets whose counters move, a BMC, the exporter that finds them in /sys, and Prometheus."""

    def __init__(self, exporter: str, spend: str, ingest: str, module: str | None, folder: pathlib.Path):
        super().__init__(exporter, spend, folder)
        self.ingest = ingest
        self.module = module
        self.sockets = Sockets(folder / "machine")
        # both begin anew while the jobs run
        self.sockets.let_it_begin_anew_after("package-0", joules=300)
        self.sockets.let_it_begin_anew_after("dram-1", joules=30)
        self.mover = None

    def start(self) -> None:
        self.lab.up()
        sources = [COUNTERS]
        if self.module is not None:
            self.bmc = self._run(Bmc(self.module, self.folder, BMC_WATTS))
            sources.append(f'{BMC},interval={BMC_SECONDS},command="{self.bmc.command}"')
        self.options = [
            f"--node.name={NODE}",
            # known from the start, else a job's uuid is another one after the exporter began anew
            f"--cluster={CLUSTER}",
            "--metrics.job-label=uuid",
            "--sample.linger=1000",
            *(f"--power.source={source}" for source in sources),
            f"--ledger.file={self.folder / 'ledger.db'}",
            f"--emissions.provider=fixed,factor={GRAMS_PER_KWH}",
        ]
        self.start_exporter()
        # once it has read them, all that goes into them counts
        self.account()
        self.move()
        rules = write_quick_rules(self.folder, SLOWNESS)
        self.prometheus = self._run(Prometheus(self.exporter.address, self.folder, rules))

    def start_exporter(self, port: int | None = None) -> None:
        self.exporter = self._run(Exporter(self.program, self.folder, *self.options, within=self.sockets.within, port=port))

    def stop_exporter(self) -> int:
        self.running.remove(self.exporter)
        return self.exporter.stop()

    def move(self) -> None:
        self.mover = Mover(self.sockets, WATTS)

    def hold(self) -> tuple[dict[str, float], Account]:
        """Stops the counters: how many joules they went on by, and what a sweep reports that began since."""
        mover, self.mover = self.mover, None
        moved = mover.stop()
        stopped = time.time()
        return moved, wait_for("another sweep", 10, lambda: self.account_after(stopped))

    def stop(self) -> None:
        if self.mover is not None:
            self.mover.stop()
        super().stop()

    def account(self) -> Account:
        return Account(self.scrape())

    def later_account(self, before: Account, sweeps: int = 2) -> Account:
        """Of so many sweeps later: a scrape makes one."""
        for _ in range(sweeps):
            least = before.swept()
            before = wait_for("another sweep", 10, lambda least=least: self.account_after(least), every=0.5)
        return before

    def account_after(self, time: float) -> Account | None:
        account = self.account()
        return account if account.swept() > time else None


world: World


class Situation(unittest.TestCase):
    def assert_nothing_is_lost(self, account: Account) -> None:
        for part in ("package", "dram"):
            self.assertGreater(account.counted(part), 0, part)
            self.assertEqual(account.given(part), account.counted(part), part)

    def assert_grams(self, grams: float, energy: int, holders: int, what: str) -> None:
        self.assertAlmostEqual(grams, energy / MICRO * GRAMS_PER_JOULE, delta=holders * GRAM_STEP, msg=what)


class TwoJobs(Situation):
    """One keeps a CPU busy, one sleeps."""

    uuids: dict[str, str] = {}

    def of(self, name: str) -> dict[str, int]:
        return world.account().of(self.uuids[name])

    def test_that_run_on_a_node_are_given_joules(self):
        busy = world.lab.sbatch("ada", f"exec {world.spend} 3000 1 8 0", "-n1", "--mem=100", "-J", "busy")
        asleep = world.lab.sbatch("ben", "exec sleep 3000", "-n1", "--mem=100", "-J", "asleep")
        type(self).jobs = {"busy": busy, "asleep": asleep}
        self.uuids.update({name: world.await_job(job) for name, job in self.jobs.items()})
        wait_for("the busy one has 100 J", 60, lambda: self.of("busy").get("package", 0) > 100 * MICRO, every=0.5)
        for name, uuid in self.uuids.items():
            tap.comment(f"{name}: {self.of(name)} microjoules")
            self.assertLessEqual({"package", "dram"}, set(self.of(name)), name)
            self.assertIsNotNone(world.scrape().value("jobmetrics_job_power_watts", uuid=uuid, domain="package"), name)

    def test_and_what_is_not_theirs_add_up_to_the_counters(self):
        account = world.account()
        for part in ("package", "dram"):
            shares = {holder: account.held(holder, part) for holder in HOLDERS}
            tap.comment(f"{part}: {shares} of {account.counted(part)} microjoules")
        self.assert_nothing_is_lost(account)

    def test_differ_in_the_processors_energy_as_they_do_in_work(self):
        account = world.account()
        busy, asleep = (account.of(self.uuids[name])["package"] for name in ("busy", "asleep"))
        self.assertGreater(busy, 0.95 * (busy + asleep))

    def test_emit_what_they_take_times_the_factor(self):
        account = world.account()
        for name, uuid in self.uuids.items():
            grams = account.text.one(JOB_GRAMS, uuid=uuid, quality="measured").value
            tap.comment(f"{name}: {grams} g of {sum(account.of(uuid).values())} microjoules")
            self.assert_grams(grams, sum(account.of(uuid).values()), 1, name)
            told = account.text.one("jobmetrics_job_emissions_by_factor_grams_total", uuid=uuid, provider="fixed").value
            self.assertAlmostEqual(told, grams, delta=GRAM_STEP)
            self.assertEqual(account.text.find(JOB_GRAMS, uuid=uuid, quality="estimated"), [])

    def test_and_what_is_not_theirs_emit_what_the_node_does(self):
        account = world.account()
        parts = [one.value for holder in HOLDERS for one in account.text.find(f"jobmetrics_{holder}_emissions_grams_total")]
        node = account.text.one("jobmetrics_node_emissions_grams_total", quality="measured").value
        tap.comment(f"{sum(parts)} g of the node's {node} g")
        self.assertAlmostEqual(sum(parts), node, delta=len(parts) * GRAM_STEP)
        self.assert_grams(node, sum(account.given(part) for part in ("package", "dram", "rest")), len(parts), "the node")


class TheCounters(Situation):
    def test_begin_anew_and_nothing_is_lost(self):
        for domain in ("package-0", "dram-1"):
            wait_for(f"{domain} begins anew", 60, lambda domain=domain: world.sockets.has_begun_anew(domain))
        moved, account = world.hold()
        world.move()
        tap.comment(f"moved {moved} J")
        for domain, joules in moved.items():
            self.assertEqual(account.measured(COUNTERS, domain), int(joules * MICRO), domain)
        self.assert_nothing_is_lost(account)


class TheBmc(Situation):
    """It measures the whole: sockets, memory, and what has no counter."""

    def setUp(self):
        if world.module is None:
            self.skipTest(NO_BMC)

    def is_up(self) -> bool:
        return world.scrape().value("jobmetrics_node_power_source_up", source=BMC) == 1

    def assert_rest_is_what_the_parts_leave(self, before: Account, after: Account) -> None:
        node = after.measured(BMC, "node") - before.measured(BMC, "node")
        parts = sum(after.counted(part) - before.counted(part) for part in ("package", "dram"))
        rest = after.given("rest") - before.given("rest")
        tap.comment(f"node {node}, sockets and memory {parts}, rest {rest} microjoules")
        self.assertGreater(rest, 0)
        self.assertEqual(rest, node - parts)

    def test_leaves_as_rest_what_no_counter_has(self):
        before = world.account()
        self.assertEqual(before.text.value("jobmetrics_node_power_watts", source=BMC, domain="node"), BMC_WATTS)
        self.assert_rest_is_what_the_parts_leave(before, world.later_account(before, 5))

    def test_costs_nothing_but_its_own_figures_when_it_refuses(self):
        world.bmc.say("refused")
        wait_for("it is told to be down", 60, lambda: not self.is_up(), every=0.5)
        before = world.account()
        after = world.later_account(before)
        self.assertEqual(after.given("rest"), before.given("rest"))
        self.assertGreater(after.counted("package"), before.counted("package"))
        self.assert_nothing_is_lost(after)

    def test_is_heard_again(self):
        world.bmc.say(f"{BMC_WATTS}")
        wait_for("it is told to be up", 120, self.is_up, every=0.5)
        # what it took while it was silent is caught up with first
        before = world.later_account(world.account(), 10)
        self.assert_rest_is_what_the_parts_leave(before, world.later_account(before, 5))


class AnExporterThatBeginsAnew(Situation):
    def test_goes_on_with_the_jobs_joules(self):
        _, type(self).before = world.hold()
        port = int(world.exporter.address.partition(":")[2])
        self.assertEqual(world.stop_exporter(), 0)
        world.start_exporter(port)
        # nothing has gone into the counters since
        after = world.account()
        for name, uuid in TwoJobs.uuids.items():
            now, then = after.of(uuid), self.before.of(uuid)
            for part in ("package", "dram"):
                self.assertEqual(now[part], then[part], f"{part} of the {name} one")
            self.assertGreaterEqual(sum(now.values()), sum(then.values()))
        for holder in ("system", "idle"):
            self.assertEqual(after.held(holder, "package"), self.before.held(holder, "package"), holder)

    def test_counts_on_from_there(self):
        before = world.account()
        world.move()
        after = wait_for("the counters have moved", 30, lambda: self.account_of(before, 200 * MICRO), every=0.5)
        for part in ("package", "dram"):
            self.assertEqual(after.given(part) - before.given(part), after.counted(part) - before.counted(part))
        uuid = TwoJobs.uuids["busy"]
        self.assertGreater(after.of(uuid)["package"], self.before.of(uuid)["package"])

    def account_of(self, before: Account, energy: int) -> Account | None:
        account = world.account()
        return account if account.counted("package") - before.counted("package") > energy else None


class AJobThatEnded(Situation):
    def test_keeps_its_joules_on_display(self):
        uuid = TwoJobs.uuids["busy"]
        before = world.account()
        world.lab.ask("scancel", TwoJobs.jobs["busy"])
        wait_for("its end is seen", 30, lambda: world.value("jobmetrics_job_end_time_seconds", uuid), every=0.5)
        ended = world.later_account(world.account(), 1)
        later = world.later_account(ended)
        self.assertGreaterEqual(ended.of(uuid)["package"], before.of(uuid)["package"])
        self.assertEqual(later.of(uuid), ended.of(uuid))
        self.assertEqual(later.text.find("jobmetrics_job_power_watts", uuid=uuid), [])
        grams = later.text.one(JOB_GRAMS, uuid=uuid, quality="measured").value
        self.assertEqual(grams, ended.text.one(JOB_GRAMS, uuid=uuid, quality="measured").value)

    def test_is_distinguished_from_what_goes_on(self):
        before = world.account()
        after = world.later_account(before)
        for part in ("package", "dram"):
            self.assertEqual(after.given(part) - before.given(part), after.counted(part) - before.counted(part))


class TheAccounts(Situation):
    """Of a site, which have the scheduler's word and the ledger's."""

    def test_have_the_joules_that_the_node_reported(self):
        uuid, job = TwoJobs.uuids["busy"], TwoJobs.jobs["busy"]
        energy = sum(world.account().of(uuid).values())
        wait_for("slurmdbd knows its end", 60, lambda: "CANCELLED" in world.lab.ask("sacct", "-n", "-X", "-j", job, "-o", "state"), every=0.5)
        told = ingest(world.ingest, world.lab, world.folder / "ledger.db")
        self.assertEqual(len(told), 4, "two databases, read twice")
        for where, runs in told.items():
            (run,) = [run for run in runs if run["raw_id"] == job]
            self.assertEqual(int(run["energy_uj"]), energy, where)
            self.assertEqual(run["state"], "CANCELLED", where)
            self.assertGreater(int(run["emissions_ug"]), 0, where)


class SeenByPrometheus(Situation):
    SINCE = "[30m]"

    def test_the_jobs_counters_only_grow(self):
        for name in (JOB_ENERGY, JOB_GRAMS):
            self.assertEqual(world.prometheus.query(f"max(resets({name}{self.SINCE}))"), 0, name)
        for holder in ("system", "idle"):
            name = f"jobmetrics_{holder}_energy_joules_total"
            self.assertEqual(world.prometheus.query(f"max(resets({name}{self.SINCE}))"), 0, name)

    def test_as_the_nodes_do_though_the_exporter_began_anew(self):
        name = f'jobmetrics_node_energy_joules_total{{source="{COUNTERS}"}}'
        self.assertEqual(world.prometheus.query(f"max(resets({name}{self.SINCE}))"), 0)
        # else the questions above would be none
        self.assertEqual(world.prometheus.query(f"max(changes(process_start_time_seconds{self.SINCE}))"), 1)

    def test_have_the_value_that_the_exporter_reports(self):
        uuid = TwoJobs.uuids["busy"]
        value = world.scrape().value(JOB_ENERGY, uuid=uuid, domain="package")
        expression = f'{JOB_ENERGY}{{uuid="{uuid}", domain="package"}}'
        wait_for(f"Prometheus has {value}", 10, lambda: world.prometheus.query(expression) == value)

    def test_add_up_to_their_users_figures_when_nothing_is_left_of_them(self):
        """They have lived on while the exporter began anew, and have ended; now the exporter is gone, too."""
        world.lab.ask("scancel", TwoJobs.jobs["asleep"])
        for uuid in TwoJobs.uuids.values():
            wait_for("its end is seen", 30, lambda uuid=uuid: world.value("jobmetrics_job_end_time_seconds", uuid), every=0.5)
        last = world.account().text
        totals = {"cpu_seconds": "", "energy_joules": "_quality", "emissions_grams": "_quality"}
        told = {
            (user, total): sum(one.value for one in last.find(f"jobmetrics_job_{total}_total", uuid=TwoJobs.uuids[name]))
            for user, name in (("ada", "busy"), ("ben", "asleep"))
            for total in totals
        }
        for (user, total), value in told.items():
            written = f'sum(instance_jobid:jobmetrics_job_{total}_total:max{{user="{user}"}})'
            wait_for(f"{written} is {value}", 30, lambda written=written, value=value: self.is_near(world.prometheus.query(written), value))
        world.stop_exporter()
        wait_for("no job is known", 30, lambda: world.prometheus.query("absent(jobmetrics_job_info)") == 1)
        for (user, total), value in told.items():
            increase = f"cluster_user_account{totals[total]}:jobmetrics_job_{total}:increase1m"
            taken = world.prometheus.query(f'sum(sum_over_time({increase}{{user="{user}"}}{self.SINCE}))')
            tap.comment(f"{user}: {increase} {taken}, the job has {value}")
            self.assertTrue(self.is_near(taken, value), f"{user}: {increase} {taken}, not {value}")

    @staticmethod
    def is_near(told: float | None, value: float) -> bool:
        """A millionth of it, or a millionth: they are sums and differences of decimal fractions."""
        return told is not None and math.isclose(told, value, rel_tol=1e-6, abs_tol=1e-6)


ALL = (TwoJobs, TheCounters, TheBmc, AnExporterThatBeginsAnew, AJobThatEnded, TheAccounts, SeenByPrometheus)


def unfit_because() -> str | None:
    reason = slurm.unfit_because()
    if reason is None and subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
        return "no mounts can be made here"
    return reason


def module_of(arguments: list[str]) -> str | None:
    has_programs = all(shutil.which(name, path="/usr/sbin:/usr/bin") for name in ("ipmi_sim", "ipmi-dcmi"))
    return arguments[0] if arguments and has_programs else None


def main() -> int:
    global world
    if len(sys.argv) not in (4, 5):
        print(__doc__, file=sys.stderr)
        return 2
    reason = unfit_because()
    if reason:
        tap.skip_all(reason)
    with turn(), tempfile.TemporaryDirectory(prefix="jobmetrics-e2e-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # the jobs' users read the lab's files
        world = World(*sys.argv[1:4], module_of(sys.argv[4:]), folder)
        try:
            world.start()
            return tap.run(*ALL)
        except Unfit as unfit:
            tap.skip_all(str(unfit))
        finally:
            world.stop()


if __name__ == "__main__":
    sys.exit(main())
