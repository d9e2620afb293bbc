#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the command line shows of a site's archive, from its database and from the server that keeps it.

usage: test-accounts-commands.py MADE-ACCOUNTS EXPORTER PROGRAM

In the archive are runs 1 to 25: every fifth is of daemon, the others of sys, each with 2 CPUs for 100 seconds, of which it used 1.5.
"""

import csv
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import time
import unittest
import xml.etree.ElementTree

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

from local import SECONDS, LocalTest, needs_root, start_postgresql  # noqa: E402
from slurm_scripts import write_scripts  # noqa: E402
from unix_socket import await_listener  # noqa: E402

MADE_ACCOUNTS, EXPORTER, PROGRAM = map(os.path.abspath, sys.argv[1:4])
DAEMON, BIN, SYS = 1, 2, 3
FIXTURES = TESTS / "fixtures"
CONDOR = FIXTURES / "condor-history-23.9" / "jobs.jsonl"
GRID_ENGINE = FIXTURES / "gridengine-log" / "accounting"
PBS = FIXTURES / "pbs-log" / "20221004"


class WithAccounts(LocalTest):
    def setUp(self):
        super().setUp()
        self.program = shutil.copy(PROGRAM, self.folder / "jobmetrics-cli")
        self.store = str(self.folder / "accounts.db")

    def call(self, *arguments: str, uid: int | None = None, **options) -> subprocess.CompletedProcess:
        if uid is not None:
            options |= {"user": uid, "group": uid, "extra_groups": []}
        environment = {**os.environ, "TZ": "UTC", "LC_ALL": "C.UTF-8", "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder / "user")}
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, timeout=SECONDS,
                              env=environment, check=False, **{"cwd": "/", **options})

    def told(self, *arguments: str, uid: int | None = None) -> str:
        done = self.call(*arguments, uid=uid)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def runs(self, *arguments: str, uid: int | None = None) -> list[dict]:
        return json.loads(self.told("history", "--json", *arguments, uid=uid))

    def ids(self, *arguments: str, uid: int | None = None) -> list[int]:
        return [int(run["raw_id"]) for run in self.runs(*arguments, uid=uid)]


class Store(WithAccounts):
    def setUp(self):
        super().setUp()
        self.place = f"--store={self.make()}"

    def make(self) -> str:
        subprocess.run([MADE_ACCOUNTS, self.store], check=True, timeout=SECONDS)
        return self.store

    def test_reports_the_last_runs_first_and_twenty_of_them(self):
        self.assertEqual(self.ids(self.place, "--all"), list(range(25, 5, -1)))
        self.assertEqual(self.ids(self.place, "--all", "--sort=start", "--limit=3"), [1, 2, 3])
        self.assertEqual(self.ids(self.place, "--all", "--limit=0"), list(range(25, 0, -1)))

    def test_reports_the_runs_that_are_meant(self):
        self.assertEqual(self.ids(self.place, "--user=daemon"), [25, 20, 15, 10, 5])
        self.assertEqual(self.ids(self.place, "--user=daemon,sys", "--account=physics", "--limit=2"), [24, 22])
        self.assertEqual(self.ids(self.place, "--job=7"), [7])
        self.assertEqual(self.ids(self.place, "--all", "--limit=2", '--name=a "name",\ufffd with\nlines'), [25, 24])
        self.assertEqual(self.ids(self.place, "--all", "--name=a"), [])
        self.assertEqual(self.ids(self.place, "--all", "--cluster=jura"), [])
        self.assertEqual(self.ids(self.place, "--all", "--until=2026-03-01T00:00:03Z"), [2, 1])
        self.assertEqual(self.ids(self.place, "--all", "--state=FAILED"), [])

    def test_finds_runs_by_their_verdicts(self):
        self.assertEqual(self.ids(self.place, "--all", "--verdict=too-short", "--limit=2"), [25, 24])
        self.assertEqual(self.ids(self.place, "--all", "--verdict=waste,good"), [])
        # the archive has judged it: its records are not read
        self.assertEqual(self.told("history", self.place, "--job=7", "--columns=jobid,verdict", "--no-headers").split(maxsplit=1), ["7", "too short to judge\n"])

    def test_compares_runs_with_the_first(self):
        lines = self.told("compare", self.place, "7", "8").splitlines()
        self.assertEqual(lines[0].split(), ["7", "8"])
        self.assertTrue(any(re.fullmatch(r"Run time +1m40s +1m40s +=", line) for line in lines), lines)
        self.assertTrue(any(line.startswith("Verdict ") for line in lines), lines)
        self.assertTrue(all(len(line) <= 80 for line in lines), lines)
        document = json.loads(self.told("compare", self.place, "--json", "7", "8", "9"))
        self.assertEqual([run["jobid"] for run in document["runs"]], ["7", "8", "9"])
        elapsed = next(row for row in document["quantities"] if row["name"] == "elapsed_seconds")
        self.assertEqual((elapsed["values"], elapsed["differences"]), ([100, 100, 100], [None, 0, 0]))
        rows = {row["quantity"]: row for row in csv.DictReader(io.StringIO(self.told("compare", self.place, "--csv", "7", "8")))}
        self.assertEqual((rows["cpus"]["7"], rows["cpus"]["8"], rows["cpus"]["difference 8"]), ("2", "2", "0"))
        uuid = self.runs(self.place, "--job=9")[0]["uuid"]
        self.assertEqual(json.loads(self.told("compare", self.place, "--json", uuid, "7"))["runs"][0]["jobid"], "9")

    def test_lists_runs_as_reportseff_does(self):
        lines = self.told("history", self.place, "--job=7", "--format=reportseff").splitlines()
        self.assertEqual(lines[0].split(), ["JobID", "State", "Elapsed", "TimeEff", "CPUEff", "MemEff"])
        self.assertEqual([line.split() for line in lines[1:]], [["7", "COMPLETED", "00:01:40", "---", "0.8%", "---"]])
        colored = self.told("history", self.place, "--job=7", "--format=reportseff", "--no-headers", "--color=always")
        self.assertIn("\33[31m0.8%\33[0m", colored)
        self.assertEqual(self.call("history", self.place, "--format=reportseff", "--columns=jobid").returncode, 2)
        self.assertEqual(self.call("usage", self.place, "--format=reportseff").returncode, 2)

    def test_compares_a_run_with_the_one_before_or_up_to_six_that_are_there(self):
        for ids in ([], list("1234567")):
            self.assertEqual(self.call("compare", self.place, *ids).returncode, 2)
        done = self.call("compare", self.place, "7", "4711")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("4711", done.stderr)

    def test_reports_a_table(self):
        lines = self.told("history", self.place, "--job=7").splitlines()
        self.assertEqual(lines[0].split(), ["JOBID", "USER", "ELAPSED", "STATE", "EFF%", "PEAK%", "VERDICT", "NAME", "BEGAN", "CPU-TIME", "ENERGY", "CPUS"])
        self.assertIn("1m40s", lines[1])
        # 1.5 of 200 seconds
        self.assertEqual(self.told("history", self.place, "--job=7", "--columns=jobid,eff,co2", "--no-headers").split(), ["7", "0.8", "-"])

    def test_sorts_by_a_figure(self):
        self.assertEqual(self.ids(self.place, "--user=daemon", "--sort=-start_time", "--limit=2"), [25, 20])
        self.assertEqual(self.ids(self.place, "--user=daemon", "--sort=start_time", "--limit=2"), [5, 10])
        heads = self.told("history", self.place, "--job=7", "--sort=-cpu_unused_seconds").splitlines()[0]
        self.assertIn("CPU-UNUSED-SECONDS", heads.split())

    def test_a_heading_names_its_column(self):
        for columns in ("jobid,peak,peak%", "JOBID,PEAK,PEAK%"):
            heads = self.told("history", self.place, "--job=7", f"--columns={columns}").splitlines()[0]
            self.assertEqual(heads.split(), ["JOBID", "PEAK", "PEAK%"])

    def test_reports_what_follows_from_what_is_kept(self):
        columns = "cpu_available_seconds,cpu_unused_seconds,cpus_used,memory_per_gpu_bytes"
        (row,) = csv.DictReader(io.StringIO(self.told("history", self.place, "--job=7", "--csv", f"--columns={columns}"), newline=""))
        self.assertEqual(list(row.values()), ["200", "198.5", "0.015", ""])

    def test_lists_what_wasted_most_first(self):
        text = self.told("history", self.place, "--all", "--limit=0", "--sort=-cpu_unused_seconds", "--csv", "--columns=cpu_unused_seconds")
        wasted = [float(row["cpu_unused_seconds"]) for row in csv.DictReader(io.StringIO(text, newline="")) if row["cpu_unused_seconds"]]
        self.assertGreater(len(wasted), 20)
        self.assertEqual(wasted, sorted(wasted, reverse=True))

    def test_reports_values_with_commas(self):
        (row,) = csv.DictReader(io.StringIO(self.told("history", self.place, "--job=7", "--csv"), newline=""))
        self.assertEqual((row["raw_id"], row["cpu_seconds"], row["energy_joules"], row["emissions_grams"]), ("7", "1.5", "3.000001", ""))

    def test_reports_sums(self):
        rows = list(csv.DictReader(io.StringIO(self.told("usage", self.place, "--since=2026-03-01", "--csv"), newline="")))
        self.assertEqual([(row["user"], row["runs"], row["cpu_seconds"]) for row in rows], [("daemon", "5", "7.5"), ("sys", "20", "30")])
        table = self.told("usage", self.place, "--since=2026-03-01", "--until=2026-03-02", "--by=day")
        told = dict(zip(*map(str.split, table.splitlines()), strict=True))
        # nobody reported emissions
        self.assertEqual([told[title] for title in ("DAY", "RUNS", "WALL", "CO2")], ["2026-03-01", "25", "41m40s", "-"])
        self.assertEqual(json.loads(self.told("usage", self.place, "--since=2026-03-02", "--json")), [])

    def test_adds_up_what_was_not_used(self):
        """Of 2 CPUs for 100 s each run used 1.5 s."""
        rows = json.loads(self.told("usage", self.place, "--waste", "--since=2026-03-01", "--json"))
        self.assertEqual([(row["user"], row["runs"], row["allocated_cpu_seconds"], row["cpu_unused_seconds"]) for row in rows],
                         [("sys", 20, 4000, 3970), ("daemon", 5, 1000, 992.5)])
        self.assertNotIn("memory_unused_byte_seconds", rows[0])
        # runs 1 to 25 began at their second and ended 100 s later: so much of them was in the first minute
        (half,) = json.loads(self.told("usage", self.place, "--waste", "--by=cluster", "--since=2026-03-01", "--until=2026-03-01T00:01:00Z", "--json"))
        self.assertAlmostEqual(half["allocated_cpu_seconds"], 2 * sum(60 - number for number in range(1, 26)))
        table = self.told("usage", self.place, "--waste", "--since=2026-03-01", "--by=account")
        self.assertEqual([line.split()[:5] for line in table.splitlines()], [["ACCOUNT", "RUNS", "CPU-HOURS", "UNUSED", "EFF%"],
                                                                             ["biology", "13", "0.7", "0.7", "0.8"], ["physics", "12", "0.7", "0.7", "0.8"]])
        self.assertEqual(json.loads(self.told("usage", self.place, "--waste", "--since=2026-03-02", "--json")), [])
        # the command of its own is the same, and so is its usual period
        for options in (["--since=2026-03-01", "--by=account,month", "--csv"], ["--now"], ["--format=json"]):
            kind = [] if "--now" in options else ["--waste"]
            self.assertEqual(self.told("waste", self.place, *options), self.told("usage", self.place, *kind, *options), options)
        self.assertEqual(self.told("waste", self.place, "--since=2026-03-01", "--by=account"), table)
        for options in (["--cost"], ["--now", "--since=2026-03-01"], ["many"], ["--by=size"]):
            self.assertEqual(self.call("waste", self.place, *options).returncode, 2, options)

    def test_groups_runs(self):
        """Of 2 CPUs for 100 s each run used 1.5 s."""
        names = ("account", "runs", "median_elapsed_seconds", "allocated_cpu_seconds", "cpu_unused_seconds", "median_cpu_efficiency_percent")
        rows = json.loads(self.told("history", self.place, "--all", "--by=account", "--json"))
        self.assertEqual([[row[name] for name in names] for row in rows], [["biology", 13, 100, 2600, 2580.5, 0.75], ["physics", 12, 100, 2400, 2382, 0.75]])
        rows = list(csv.DictReader(io.StringIO(self.told("history", self.place, "--all", "--by=user,account", "--sort=runs", "--csv"), newline="")))
        self.assertEqual({(row["user"], row["account"]): row["runs"] for row in rows},
                         {("daemon", "biology"): "3", ("daemon", "physics"): "2", ("sys", "biology"): "10", ("sys", "physics"): "10"})
        self.assertEqual([row["runs"] for row in rows], ["2", "3", "10", "10"])
        done = self.call("history", self.place, "--all", "--by=account", "--limit=1")
        self.assertEqual([line.split()[:4] for line in done.stdout.splitlines()], [["ACCOUNT", "RUNS", "MED-TIME", "CPU-HOURS"], ["biology", "13", "1m40s", "0.7"]])
        self.assertIn("showing 1 of 2 groups; --limit=0 shows all", done.stderr)
        done = self.call("history", self.place, "--all", "--by=account", "--sort=size")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("sort: 'size' is no figure of groups", done.stderr)
        self.assertEqual(json.loads(self.told("history", self.place, "--user=nobody", "--by=name", "--json")), [])
        self.assertEqual({row["name"]: row["runs"] for row in json.loads(self.told("usage", self.place, "--waste", "--by=name", "--since=2026-03-01", "--json"))},
                         {row["name"]: row["runs"] for row in json.loads(self.told("history", self.place, "--all", "--by=name", "--limit=0", "--json"))})

    def test_shows_how_what_was_given_was_used(self):
        """Of 2 CPUs for 100 s each run used 1.5 s, and no accelerator."""
        (row,) = json.loads(self.told("usage", self.place, "--goodput", "--by=account,month", "--account=biology", "--since=2026-03-01", "--json"))
        self.assertEqual((row["account"], row["month"], row["allocated_cpu_seconds"]), ("biology", "2026-03", 2600))
        self.assertEqual([row[f"cpu_{fate}_seconds"] for fate in ("productive", "idle", "lost_to_failure", "unobserved")], [19.5, 2580.5, 0, 0])
        self.assertNotIn("gpu_productive_seconds", row)
        (line,) = csv.DictReader(io.StringIO(self.told("usage", self.place, "--goodput", "--by=cluster", "--since=2026-03-01", "--csv"), newline=""))
        self.assertEqual([line[name] for name in ("cpu_productive_seconds", "cpu_goodput_percent", "gpu_idle_seconds")], ["37.5", "0.75", ""])
        table = self.told("usage", self.place, "--goodput", "--since=2026-03-01").splitlines()
        self.assertEqual([len(table), table[0].split()], [3, ["USER", "CPU-HOURS", "PRODUCTIVE", "IDLE", "FAILED", "PREEMPT", "TIMEOUT", "UNOBSERVED", "GOOD%"]])
        self.assertEqual(max(map(len, table)), len(table[0]))
        self.assertLessEqual(len(table[0]), 80)
        done = self.call("usage", self.place, "--goodput", "--waste")
        self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_adds_up_what_runs_cost(self):
        prices = self.folder / "prices.conf"
        prices.write_text("[Prices]\nCurrency=EUR\n[all]\nCpuHour=0.36\n[physics]\nAccount=physics\nCpuHour=3.6\nKwh=-1\n"
                          "[twice]\nAccount=physics\nFrom=2026-01-01\nCpuHour=9\n", encoding="utf-8")
        call = ("usage", self.place, "--cost", f"--prices.file={prices}", "--by=account,month", "--since=2026-01-01")
        done = self.call(*call, "--csv")
        rows = list(csv.DictReader(io.StringIO(done.stdout, newline="")))
        # 13 runs of biology at 200 CPU seconds each; of physics' cost the energy is a part that has no price
        self.assertEqual([(row["account"], row["month"], row["runs"], row["cost"], row["unpriced_runs"], row["currency"]) for row in rows],
                         [("biology", "2026-03", "13", "0.26", "0", "EUR"), ("physics", "2026-03", "12", "2.4", "12", "EUR")])
        self.assertEqual(done.stderr, f"jobmetrics-cli: {prices}: physics: Kwh: not a number from 0 to 1000000: -1\n"
                                      f"jobmetrics-cli: {prices}: twice: for the same runs and time as: physics\n")
        self.assertRegex(self.call(*call).stdout, r"COST +UNPRICED +CURRENCY\n.*0\.26 +0 +EUR\n.*2\.40 +12 +EUR\n")
        # some of the energy of physics was estimated: 36 J at 1 EUR for 3.6 J, beside 12 runs at 0.2 EUR
        prices.write_text("[all]\nCpuHour=3.6\nKwh=1000000\n", encoding="utf-8")
        self.assertRegex(self.call(*call).stdout, r" 13\.43 +0\n.* ~12\.40 +0\n\n~ is estimated, not measured\n$")
        biology, physics = json.loads(self.told(*call, "--json"))
        self.assertEqual([biology.get("estimated"), physics["estimated"]], [None, ["energy_joules", "cost"]])
        self.assertAlmostEqual(physics["cost"], 12.4, places=4)
        done = self.call("usage", self.place, "--cost", "--prices.file=/nonexistent/prices")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("/nonexistent/prices", done.stderr)
        # a file of the folder that one works in
        done = self.call(*(word for word in call if not word.startswith("--prices")), "--prices.file=prices.conf", "--json", cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(done.stdout), [biology, physics])

    def test_a_list_has_the_figures_of_reports(self):
        """What rests on the site's prices, and on other runs of the job: each run had 2 CPUs for 100 s, as 19 others of the user."""
        (self.folder / "etc/jobmetrics").mkdir(parents=True)
        (self.folder / "etc/jobmetrics/prices.conf").write_text("[all]\nCpuHour=3.6\n", encoding="utf-8")
        names = "jobid,cost,siblings,usual_elapsed_seconds"
        call = ("history", self.place, f"--columns={names}", "--csv", "--no-headers")
        self.assertEqual(self.told(*call, "--job=24", f"--path.rootfs={self.folder}"), "24,0.2,19,100,\n")
        self.assertEqual(self.told(*call, "--job=24"), "24,,19,100,\n")
        call = ("history", self.place, "--user=daemon", "--columns=cost", "--csv", "--no-headers", "--sort=-cost")
        self.assertEqual(self.told(*call, "--limit=2", f"--path.rootfs={self.folder}"), "0.2,\n0.2,\n")

    def test_exports_charges(self):
        prices = self.folder / "prices.conf"
        prices.write_text("[all]\nCpuHour=0.36\n", encoding="utf-8")
        call = ("usage", self.place, "--focus", f"--prices.file={prices}", "--by=account", "--since=2026-03-01T00:00:00Z")
        done = self.call(*call)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("Currency is missing", done.stderr)
        prices.write_text("[Prices]\nCurrency=EUR\n[all]\nCpuHour=0.36\n", encoding="utf-8")
        text = self.told(*call, "--until=2026-03-15")
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        # https://focus.finops.org/focus-specification/v1-2/: what each data set has
        mandatory = {"BilledCost", "BillingAccountId", "BillingAccountName", "BillingCurrency", "BillingPeriodEnd", "BillingPeriodStart", "ChargeCategory",
                     "ChargeClass", "ChargeDescription", "ChargePeriodEnd", "ChargePeriodStart", "ContractedCost", "EffectiveCost", "InvoiceIssuerName",
                     "ListCost", "PricingQuantity", "PricingUnit", "ProviderName", "PublisherName", "ServiceCategory", "ServiceName"}
        self.assertEqual(mandatory - set(rows[0]), set())
        self.assertTrue(all(name.startswith("x_") or name[0].isupper() for name in rows[0]))
        biology, physics = rows
        for name, expected in (("BilledCost", "0.26"), ("EffectiveCost", "0.26"), ("BillingCurrency", "EUR"), ("SubAccountId", "biology"),
                               ("BillingPeriodStart", "2026-03-01T00:00:00Z"), ("BillingPeriodEnd", "2026-04-01T00:00:00Z"),
                               ("ChargePeriodStart", "2026-03-01T00:00:00Z"), ("ChargePeriodEnd", "2026-03-15T00:00:00Z"), ("ChargeCategory", "Usage"),
                               ("ChargeClass", ""), ("ServiceCategory", "Compute"), ("ConsumedUnit", "CPU-Hours"), ("x_Runs", "13"), ("x_UnpricedRuns", "0")):
            self.assertEqual(biology[name], expected, name)
        self.assertAlmostEqual(float(biology["ConsumedQuantity"]), 2600 / 3600)
        self.assertAlmostEqual(float(physics["x_EnergyKwh"]), 36 / 3.6e6)

    def test_says_what_is_left_of_budgets(self):
        """Biology's 13 runs cost 0.26; that of the year 2000 had none."""
        prices = self.folder / "prices.conf"
        prices.write_text("[Prices]\nCurrency=EUR\n[all]\nCpuHour=0.36\n"
                          "[spring]\nAccount=biology\nFrom=2026-03-01\nTo=2026-03-11\nBudget=0.5\n"
                          "[old]\nAccount=biology\nFrom=2000-01-01\nTo=2000-02-01\nBudget=10\n"
                          "[later]\nAccount=physics\nFrom=9000-01-01\nTo=9001-01-01\nBudget=10\n"
                          "[bad]\nAccount=physics\nTo=2027-01-01\nBudget=many\n[endless]\nAccount=physics\nFrom=2026-01-01\nBudget=1\n", encoding="utf-8")
        call = ("usage", self.place, "--budgets", f"--prices.file={prices}")
        done = self.call(*call, "--json")
        spring, old, later = json.loads(done.stdout)
        self.assertEqual(spring, {"account": "biology", "budget_start_time": 1772323200, "budget_end_time": 1773187200, "budget_elapsed_seconds": 864000,
                                  "budget": 0.5, "cost": 0.26, "budget_used_percent": 52, "budget_forecast": 0.26, "runs": 13, "unpriced_runs": 0,
                                  "currency": "EUR"})
        self.assertEqual((old["cost"], old["budget_forecast"], old["runs"]), (0, 0, 0))
        self.assertEqual((later["cost"], later["budget_elapsed_seconds"]), (0, 0))
        self.assertNotIn("budget_forecast", later)
        self.assertEqual(done.stderr, f"jobmetrics-cli: {prices}: bad: Budget: not a number from 0 to 1e12: many\n"
                                      f"jobmetrics-cli: {prices}: endless: missing: To\n")
        self.assertRegex(self.call(*call).stdout, r" BUDGET +COST +USED% (?s:.*)\nCOST is of the runs that you may see\.")
        self.assertRegex(self.call(*call).stdout, r"biology +2026-03-01 +2026-03-11 +10\.0 +0\.50 +0\.26 +52\.0 +0\.26 +13 +0 +EUR\n")
        self.assertEqual(len(self.call(*call, "--account=physics", "--csv").stdout.splitlines()), 2)
        self.assertRegex(self.call(*call, "--format=html").stdout, r"(?s)<h1>Budgets</h1>.*<th scope=\"row\">biology</th>.*Sums: jobmetrics-cli usage --budgets --csv ")

    def test_a_report_has_the_source_of_its_energy(self):
        """Accounting alone has that of biology, and nobody knows whether it was measured."""
        for account, quality in (("biology", "by the scheduler's accounting"), ("physics", "in part or as a whole estimated")):
            job = self.ids(self.place, f"--account={account}")[0]
            self.assertRegex(self.told("report", "--full", self.place, str(job)), rf"(?m)^ +Energy: .*, {quality}$")

    def test_adds_up_what_runs_emitted(self):
        """Of 3 J each run of physics measured 2 and emitted 0.6 mg: six of them by direct factors, six by those of the life cycle."""
        site = self.folder / "carbon.conf"
        # 1 g an hour for each of 100 CPUs; 36 g/kWh are 10 ug/J
        site.write_text("[Site]\nPue=1.5\nPueSource=a meter\nMarketGramsPerKwh=36\nMarketSource=a contract\n"
                        "[node]\nKgCo2e=4383\nYears=5\nCpus=100\nSource=a sheet\n", encoding="utf-8")
        call = ("usage", self.place, "--carbon", "--by=account", "--since=2026-03-01", "--until=2026-03-02")
        *rows, basis = json.loads(self.told(*call, "--json", f"--carbon.file={site}"))
        biology, physics = rows
        for name, expected in (("energy_joules", 36), ("energy_known_percent", 100), ("energy_measured_joules", 24), ("energy_estimated_joules", 12),
                               ("energy_measured_percent", 100 * 2 / 3), ("facility_energy_joules", 54), ("direct_energy_joules", 18),
                               ("emissions_direct_grams", 6 * 0.0006 * 1.5), ("emissions_lifecycle_grams", 6 * 0.0006 * 1.5),
                               ("emissions_known_percent", 100), ("emissions_market_grams", 54 * 1e-5), ("embodied_grams", 12 * 200 / 3600),
                               ("sci_direct_grams_per_cpu_hour", (0.0054 + 6 * 200 / 3600) / (6 * 200 / 3600)),
                               ("sci_lifecycle_grams_per_run", (0.0054 + 6 * 200 / 3600) / 6)):
            self.assertAlmostEqual(physics[name], expected, places=4, msg=name)
        self.assertEqual((biology["energy_known_percent"], biology["emissions_known_percent"], biology["unembodied_runs"]), (100, 0, 0))
        self.assertFalse({"energy_measured_joules", "energy_measured_percent", "emissions_direct_grams", "sci_direct_grams_per_run"} & biology.keys())
        names = {"energy_joules", "facility_energy_joules", "emissions_direct_grams", "emissions_lifecycle_grams"}
        self.assertTrue(names <= set(physics["estimated"]), physics)
        self.assertFalse([name for name in physics["estimated"] if name.endswith("_percent")] + biology.get("estimated", []))
        table = self.told(*call).splitlines()
        self.assertEqual([(told["ACCOUNT"], told["ENERGY"]) for told in (dict(zip(table[0].split(), line.split(), strict=True)) for line in table[1:3])],
                         [("biology", "39J"), ("physics", "~36J")])
        self.assertIn("~ is estimated, not measured", table)
        self.assertEqual(basis["sources"], ["Pue 1.5: a meter", "MarketGramsPerKwh 36: a contract", "node 4383 kg, 5 years: a sheet"])
        again = list(csv.DictReader(io.StringIO(self.told(*shlex.split(basis["command_of_sums"])[1:]), newline="")))
        self.assertEqual([float(row["energy_joules"]) for row in again], [row["energy_joules"] for row in rows])
        self.assertEqual([row["estimated"].split() for row in again], [[], physics["estimated"]])
        runs = csv.DictReader(io.StringIO(self.told("history", self.place, "--all", "--limit=0", "--csv"), newline=""))
        self.assertEqual({row["account"] for row in runs if "energy_joules" in row["estimated"].split()}, {"physics"})
        self.assertEqual(float(again[1]["emissions_direct_grams"]), physics["emissions_direct_grams"])
        runs = list(csv.DictReader(io.StringIO(self.told(*shlex.split(basis["command_of_runs"])[1:]), newline="")))
        self.assertAlmostEqual(sum(float(run["energy_joules"]) for run in runs if run["account"] == "physics"), physics["energy_joules"])

        # day by day, each run with its part of the day
        days = list(csv.DictReader(io.StringIO(self.told(*call[:3], "--by=day,account", "--since=2026-03-01", "--until=2026-03-02", "--csv"), newline="")))
        self.assertEqual({row["day_start_time"] for row in days}, {"1772323200"})
        self.assertEqual([float(row["energy_joules"]) for row in days], [row["energy_joules"] for row in rows])

        # the same on paper: names that mean something to XML, and each part with its names
        page = xml.etree.ElementTree.fromstring(self.told(*call, "--format=html", f"--carbon.file={site}"))
        words = ["".join(cell.itertext()) for cell in page.iter() if cell.tag in ("h1", "td", "th")]
        self.assertEqual(words[0], "Energy and emissions: from 2026-03-01 until 2026-03-02")
        self.assertEqual([words.count(word) for word in ("ACCOUNT", "physics", "biology", "~36J", "MARKET", "Pue 1.5: a meter")], [2, 2, 2, 1, 1, 1])
        self.assertIn(f"Sums: {basis['command_of_sums']}", words)
        pages = subprocess.run([self.program, *call, "--format=pdf", f"--carbon.file={site}"], capture_output=True, check=True, timeout=SECONDS).stdout
        self.assertEqual((pages[:5], pages.rstrip()[-5:]), (b"%PDF-", b"%%EOF"))
        self.assertIn("--format=html: not one of table, json, lines, csv and reportseff", self.call("history", self.place, "--format=html").stderr)

        # one that changes under way: each run has the mean of its own time
        runs = [(float(run["start_time"]), float(run["end_time"]), float(run["energy_joules"])) for run in runs if run["account"] == "physics"]
        moment = int(sum(start + end for start, end, _ in runs) / 2 / len(runs))
        self.assertTrue([start for start, end, _ in runs if start < moment < end])
        site.write_text("".join(f"[{name}]\n{limit}={time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(moment))}\nPue={pue}\nPueSource=a meter\n"
                                for name, limit, pue in (("before", "To", 1.5), ("after", "From", 1.25))), encoding="utf-8")
        *rows, _ = json.loads(self.told(*call, "--json", f"--carbon.file={site}"))
        (found,) = (row for row in rows if row["account"] == "physics")
        before = [min(max(moment - start, 0), end - start) / (end - start) for start, end, _ in runs]
        expected = sum(joules * (1.25 + 0.25 * share) for (_, _, joules), share in zip(runs, before, strict=True))
        self.assertAlmostEqual(found["facility_energy_joules"], expected, places=6)
        self.assertAlmostEqual(found["pue"], expected / found["energy_joules"], places=6)
        self.assertAlmostEqual(found["emissions_direct_grams"] + found["emissions_lifecycle_grams"], expected * 0.0006 / 3, delta=1e-7)

        # with no file: what the machines had, and nothing that follows from the site
        site.write_text("", encoding="utf-8")
        *rows, _ = json.loads(self.told(*call, "--json", f"--carbon.file={site}"))
        self.assertAlmostEqual(rows[1]["emissions_direct_grams"], 6 * 0.0006)
        self.assertFalse({"pue", "facility_energy_joules", "emissions_market_grams", "sci_direct_grams_per_run"} & rows[1].keys())
        self.assertIn("The PUE is not known", self.told(*call, f"--carbon.file={site}"))
        self.assertEqual(self.call(*call, "--carbon.file=/nonexistent/carbon").returncode, 1)

    def test_reports_all_of_one_run(self):
        page = self.told("job", "7", self.place)
        for text in ("Job 7", "alps", "CPU efficiency  0.8%", "Steps", "batch"):
            self.assertIn(text, page)
        document = json.loads(self.told("job", "7", self.place, "--json"))
        self.assertEqual(document["job"]["cpu_seconds"], 1.5)
        self.assertEqual(json.loads(self.told("job", f"--uuid={document['job']['uuid']}", self.place, "--json")), document)
        done = self.call("job", "99", self.place)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("99: no such job", done.stderr)

    def test_is_found_whole_and_looked_after(self):
        self.assertIn("whole", self.told("store", "check", self.place))
        self.told("store", "vacuum", self.place)
        self.assertEqual(self.told("store", "forget", "2000-01-01", self.place), "0 runs are dropped\n")
        self.assertEqual(len(self.ids(self.place, "--all", "--limit=0")), 25)


# Of each job its row and those of its steps: the first had one task, the other four. What they share is between.
SHARED = "a|p|q|COMPLETED|1772323200|1772323200|1772323200|1772330400|1440|7200|0:0|1|4"
HAD = "cpu=4,mem=8G,node=1"
SACCT = f"""7|7|ada|1000|{SHARED}||{HAD}|{HAD}|n1|x|08:00:00|08:00:00|00:00:00||0
7.batch|7.batch|||{SHARED}|1|{HAD}||n1|batch|08:00:00|08:00:00|00:00:00|6G|0
8|8|ben|1001|{SHARED}||{HAD}|{HAD}|n1|x|08:00:00|08:00:00|00:00:00||0
8.batch|8.batch|||{SHARED}|1|{HAD}||n1|batch|00:00:01|00:00:01|00:00:00|1M|0
8.0|8.0|||{SHARED}|4|{HAD}||n1|x|08:00:00|08:00:00|00:00:00|1G|0
"""


class Database(Store):
    """The same of a PostgreSQL."""

    def make(self) -> str:
        uri = start_postgresql(self)[0]
        subprocess.run([MADE_ACCOUNTS, uri], check=True, timeout=SECONDS)
        return uri

    def test_is_copied_by_its_own_program(self):
        done = self.call("store", "backup", str(self.folder / "copy"), self.place)
        self.assertEqual(done.returncode, 1)
        self.assertIn("pg_dump", done.stderr)


class Server(WithAccounts):
    def start(self, *options: str) -> None:
        subprocess.run([MADE_ACCOUNTS, self.store, "1500"], check=True, timeout=SECONDS)
        listen = [f"--web.listen-address=unix:{self.folder}/unused", f"--web.local-socket={self.socket}"]
        self.launch([EXPORTER, "server", f"--server.store={self.store}", *listen, *options], r"listening on", "stderr")
        await_listener(self.socket, SECONDS)
        self.place = f"--server=unix:{self.socket}"

    def test_shows_users_their_own(self):
        needs_root()
        self.start()
        self.assertEqual(self.ids(self.place, uid=DAEMON), [25, 20, 15, 10, 5])
        self.assertEqual(self.ids(self.place, "--all", uid=DAEMON), [25, 20, 15, 10, 5])
        self.assertIn("Job 25, ", self.told("report", self.place, uid=DAEMON))
        self.assertIn("Job 24, ", self.told("report", self.place, uid=SYS))
        self.assertEqual(self.ids(self.place, "--all", "--limit=2", uid=SYS), [24, 23])
        self.assertEqual(self.call("job", "7", self.place, uid=DAEMON).returncode, 1)
        self.assertIn("Job 7", self.told("job", "7", self.place, uid=SYS))
        self.assertEqual([row["runs"] for row in json.loads(self.told("usage", self.place, "--since=2026-01-01", "--json", uid=DAEMON))], [5])
        self.assertEqual([row["runs"] for row in json.loads(self.told("usage", self.place, "--waste", "--since=2026-01-01", "--json", uid=DAEMON))], [5])

    def test_compares_a_run_with_those_that_the_viewer_may_see(self):
        """24 is of sys and physics, as nine others of the same name are; ten of sys are of biology, which a coordinator of physics does not see."""
        needs_root()
        self.start()
        for uid, expected in ((SYS, 19), (BIN, 9)):
            report = json.loads(self.told("report", "24", "--json", self.place, uid=uid))
            self.assertEqual((report["figures"]["siblings"], report["figures"]["usual_elapsed_seconds"]), (expected, 100))
            status, text = self.ask(f"/api/v1/jobs/{report['job']['uuid']}/report", uid=uid)
            self.assertEqual((status, json.loads(text)["figures"]["siblings"]), (200, expected))
        self.assertEqual(self.call("report", "24", self.place, uid=DAEMON).returncode, 1)

    def test_reports_the_same_as_its_database(self):
        self.start()
        store = f"--store={self.store}"
        for command in (("history", "--all", "--limit=0"), ("history", "--all", "--limit=1200", "--csv"), ("job", "7"),
                        ("history", "--all", "--limit=0", "--json"), ("job", "7", "--json"),
                        ("usage", "--since=2020-01-01", "--by=cluster,user,account,partition,day", "--csv"),
                        ("history", "--all", "--sort=-cpu_unused_seconds", "--csv", "--columns=jobid,cpu_unused_seconds"),
                        ("history", "--all", "--limit=0", "--sort=waited"),
                        ("history", "--all", "--limit=0", "--by=name,user,partition", "--csv"),
                        ("usage", "--since=2020-01-01", "--by=cluster"),
                        ("usage", "--waste", "--since=2020-01-01", "--by=cluster,user,account,partition,month", "--csv"),
                        ("usage", "--carbon", "--since=2020-01-01", "--until=2026-04-01", "--by=account,month", "--csv"),
                        ("usage", "--now", "--json")):
            self.assertEqual(self.told(*command, self.place), self.told(*command, store), command)

    def test_the_peak_of_the_largest_task_is_that_of_a_job_of_one(self):
        (self.folder / "saved").write_text(SACCT)
        self.told("import", f"--store={self.store}", "--format=sacct", "--cluster=rec", str(self.folder / "saved"))
        self.start()
        for user, job, share in (("ada", "7", 75), ("ben", "8", None)):
            report = json.loads(self.told("report", job, "--cluster=rec", "--json", self.place))
            figures = report["figures"]
            self.assertEqual((figures.get("memory_peak_bytes"), figures.get("memory_share_percent")), (share and 6 << 30, share), job)
            status, text = self.ask(f"/api/v1/statistics?cluster=rec&user={user}&since=2026-03-01&until=2026-03-02")
            (row,) = json.loads(text)["statistics"]
            self.assertEqual((status, row["runs"], row["memory_efficiency_ratio"]), (200, 1, share and share / 100))
            (row,) = json.loads(self.told("usage", "--waste", f"--user={user}", "--since=2026-03-01", "--json", self.place))
            self.assertEqual((row["runs"], row.get("memory_share_percent")), (1, share))

    def test_reports_what_waits_and_runs_with_state_and_reason(self):
        """As the recorded queue has it."""
        write_scripts(self.folder)
        self.start(f"--server.scheduler=slurm,cluster=rec,directory={self.folder}", "--server.scheduler-interval=1")
        end = time.monotonic() + SECONDS
        while not self.runs("--cluster=rec", "--limit=0", "--all", self.place):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        told = {run["job_id"]: (run["state"], run.get("reason")) for run in self.runs("--cluster=rec", "--all", self.place)}
        expected = {"4": ("PENDING", "PartitionTimeLimit"), "3_[4-200%3]": ("PENDING", "JobArrayTaskLimit"), "20": ("RUNNING", None)}
        self.assertEqual({job: told[job] for job in expected}, expected)
        title, *lines = self.told("history", "--cluster=rec", "--all", self.place).splitlines()
        self.assertIn(" REASON ", title)
        rows = {line.split()[0]: line.split() for line in lines}
        for job, (state, reason) in expected.items():
            self.assertEqual((rows[job][3], rows[job][6]), (state, reason or "-"))
            # a run that goes on has run for some time
            self.assertEqual(rows[job][2] == "-", state == "PENDING", rows[job])
        self.assertNotIn("REASON", self.told("history", "--state=COMPLETED", "--all", self.place))
        for command in ("report", "job"):
            self.assertRegex(self.told(command, "4", "--cluster=rec", self.place), r"PENDING(, |\n +Reason +)PartitionTimeLimit")
            self.assertIn("RUNNING", self.told(command, "20", "--cluster=rec", self.place))

    def test_lets_its_database_be_looked_after(self):
        self.start()
        source = self.folder / "accounting"
        first = GRID_ENGINE.read_text(encoding="utf-8").splitlines(keepends=True)
        source.write_text("".join(first) * 400, encoding="utf-8")
        ended = threading.Event()

        def write() -> None:
            number = 0
            while not ended.is_set():
                number += 1
                self.call("import", f"--store={self.store}", f"--cluster=c{number}", "--format=gridengine-log", str(source))

        writer = threading.Thread(target=write)
        writer.start()
        try:
            for number in range(5):
                self.assertIn("whole", self.told("store", "check", f"--store={self.store}"))
                copy = self.folder / f"copy{number}"
                self.told("store", "backup", str(copy), f"--store={self.store}")
                self.assertIn("whole", self.told("store", "check", f"--store={copy}"))
                self.told("store", "vacuum", f"--store={self.store}")
        finally:
            ended.set()
            writer.join()
        self.assertEqual(len(self.ids(self.place, "--all", "--cluster=alps", "--limit=0")), 25)


class AFileThatNamesTheArchive(WithAccounts):
    """The site's, and a user's own."""

    def setUp(self):
        super().setUp()
        subprocess.run([MADE_ACCOUNTS, self.store], check=True, timeout=SECONDS)
        self.root = f"--path.rootfs={self.folder}"

    def write(self, path: str, *lines: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(("[archive]", *lines, "")), encoding="utf-8")

    def of_site(self, *lines: str) -> None:
        self.write("etc/jobmetrics/cli.conf", *lines)

    def of_user(self, *lines: str) -> None:
        self.write("user/jobmetrics/cli.conf", *lines)

    def complaint(self, *arguments: str) -> str:
        done = self.call("history", "--all", self.root, *arguments)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        return done.stderr

    def test_is_asked_without_options(self):
        self.of_site(f"store={self.store}")
        self.assertEqual(self.ids(self.root, "--all", "--limit=2"), [25, 24])
        self.assertIn("Job 7, ", self.told("report", "7", self.root))

    def test_has_less_to_say_than_the_user_and_the_command_line(self):
        self.of_site("store=/dev/null")
        self.complaint()
        self.of_user(f"store={self.store}")
        self.assertEqual(self.ids(self.root, "--all", "--limit=1"), [25])
        self.of_site("server=https://127.0.0.1:1", "login-file=/none")
        self.assertEqual(self.ids(self.root, "--all", "--limit=1"), [25])
        self.of_user("store=/dev/null")
        self.assertEqual(self.ids(self.root, "--all", "--limit=1", f"--store={self.store}"), [25])

    def test_is_asked_by_the_login_of_a_user_or_of_the_command_line(self):
        self.of_site("server=https://127.0.0.1:1", "login-file=/none", "ca-file=~/ca.crt")
        self.of_user("login-file=/of/user")
        self.assertIn("/of/user", self.complaint())
        self.assertIn("/of/command", self.complaint("--login-file=/of/command"))
        (self.folder / "login").write_text("username=ada\npassword=secret\n")
        (self.folder / "login").chmod(0o600)
        self.assertIn(f"{self.folder}/ca.crt", self.complaint(f"--login-file={self.folder}/login"))

    def test_is_not_there_for_a_login_alone(self):
        self.of_user("login-file=/of/user")
        self.assertIn("no server", self.complaint())

    def test_names_a_login_in_the_home_of_each_user(self):
        self.of_site("server=https://127.0.0.1:1", "login-file=~/login")
        self.assertIn(f"{self.folder}/login", self.complaint())
        (self.folder / "login").write_text("username=ada\npassword=secret\n")
        (self.folder / "login").chmod(0o600)
        self.assertIn("127.0.0.1:1", self.complaint())

    def test_that_is_wrong_is_named_with_what_is(self):
        for line, reason in (("serve=https://localhost", "no such setting"), ("store", "cli.conf"), ("ca-file=/ca\nstore=a", "are for a --server"),
                             (f"store={self.store}\nserver=https://localhost", "cannot be combined")):
            self.of_site(line)
            complaint = self.complaint()
            self.assertIn("etc/jobmetrics/cli.conf", complaint)
            self.assertIn(reason, complaint)


class AServerThatAnswers(WithAccounts):
    """Not as it should."""

    def answer_with(self, *answers: bytes) -> None:
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(str(self.socket))
        listener.listen()

        def serve() -> None:
            for answer in answers:
                try:
                    client, _ = listener.accept()
                except OSError:
                    return
                with client:
                    client.recv(65536)
                    client.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()

    def complaint(self, *answers: bytes) -> str:
        self.socket.unlink(missing_ok=True)
        self.answer_with(*answers)
        done = self.call("history", "--all", "--limit=0", f"--server=unix:{self.socket}")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        return done.stderr

    def test_badly_is_reported_in_one_line(self):
        def reply(body: bytes, status: str = "200 OK") -> bytes:
            return f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body

        run = b'{"cluster": "a", "raw_id": "1"}'
        page = b'{"jobs": [' + run + b'], "next": "1-2"}'
        self.assertIn("no jobs", self.complaint(reply(b"{}")))
        self.assertIn("raw_id", self.complaint(reply(b'{"jobs": [{"cluster": "a"}]}')))
        self.assertIn("cpu_seconds: cannot be", self.complaint(reply(b'{"jobs": [{"cluster": "a", "raw_id": "1", "cpu_seconds": "x"}]}')))
        self.assertIn("leads nowhere", self.complaint(reply(page), reply(page)))
        self.complaint(reply(b"not json"))
        self.complaint(reply(page)[:-5])
        self.complaint(reply(b"403: who are you\n", "403 Forbidden"))
        self.complaint(reply(page), b"")

    def test_not_at_all_is_reported(self):
        done = self.call("history", f"--server=unix:{self.folder}/none")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is jobmetrics-exporter server running there?", done.stderr)

    def test_in_no_usual_place_is_reported(self):
        done = self.call("history", f"--path.rootfs={self.folder}")
        self.assertEqual(done.returncode, 1)
        for text in ("run/jobmetrics-server/socket", "var/lib/jobmetrics-server/accounts.db", "--server=URL or --store=URI"):
            self.assertIn(text, done.stderr)


class Archives(WithAccounts):
    def take(self, archive: pathlib.Path, kind: str, **options) -> subprocess.CompletedProcess:
        return self.call("import", f"--store={self.store}", "--cluster=old", f"--format={kind}", str(archive), **options)

    def all(self) -> str:
        return self.told("history", "--all", "--limit=0", "--sort=start", "--csv", f"--store={self.store}")

    def all_but_when_it_was_seen(self) -> list[dict[str, str]]:
        """What sacct printed is true of the moment when it is read, for runs that have not ended."""
        rows = csv.DictReader(io.StringIO(self.all(), newline=""))
        return [{name: value for name, value in row.items() if name != "seen_time"} for row in rows]

    def test_are_there_once_however_often_they_are_imported(self):
        for archive, kind, status, n_runs in ((GRID_ENGINE, "gridengine-log", 0, 7), (PBS, "pbs-log", 1, 4), (CONDOR, "condor-history", 0, 19)):
            self.store = str(self.folder / f"{kind}.db")
            done = self.take(archive, kind)
            self.assertEqual(done.returncode, status, done.stderr)
            first = self.all()
            self.assertEqual(len(list(csv.reader(io.StringIO(first, newline="")))), 1 + n_runs)
            runs = json.loads(self.told("history", "--all", "--limit=0", "--json", f"--store={self.store}"))
            self.assertEqual(["verdict_rules" in run for run in runs], ["end_time" in run for run in runs])
            self.take(archive, kind)
            self.assertEqual(self.all(), first)
            self.assertIn("whole", self.told("store", "check", f"--store={self.store}"))

    def test_storage_that_slurm_gave_has_its_price(self):
        """Two hours of 4 CPUs, 8 GiB and 50 GiB of local disk; of 4 CPUs and 20 GiB of a burst buffer; of 4 CPUs; and one whose list is not known."""
        saved, prices = self.folder / "saved", self.folder / "prices.conf"
        lists = (f"{HAD},gres/localtmp=50G", f"bb/datawarp=20480,{HAD}", HAD, "")
        saved.write_text("".join(f"{n}|{n}|ada|1000|{SHARED}||{had}|{HAD}|n1|x|08:00:00|08:00:00|00:00:00||0\n" for n, had in enumerate(lists, 1)), encoding="utf-8")
        self.assertEqual(self.take(saved, "sacct").returncode, 0)
        text = "[Prices]\nCurrency=EUR\n[all]\nCpuHour=0.25\nGibHour.gres/localtmp=0.01\nGibHour.bb/datawarp=0.1\n"
        prices.write_text(text, encoding="utf-8")
        call = ("usage", f"--store={self.store}", f"--prices.file={prices}", "--by=account", "--since=2026-03-01")
        (row,) = json.loads(self.told(*call, "--cost", "--json"))
        # 8 CPU hours each at 0.25, 100 GiB hours at 0.01, 40 at 0.1
        self.assertEqual([row[name] for name in ("runs", "cost", "storage_cost", "unpriced_runs")], [4, 4 * 2 + 1 + 4, 5, 1])
        self.assertEqual(row["allocated_storage_byte_seconds"], 140 * 3600 * 2**30)
        self.assertRegex(self.told(*call, "--cost"), r"STORAGE-GIB-HOURS(?s:.*) STORAGE-COST .*\n.* 140\.0 .* 13\.00 +5\.00 +1 +EUR")
        compute, storage = csv.DictReader(io.StringIO(self.told(*call, "--focus"), newline=""))
        names = ("ServiceCategory", "BilledCost", "ConsumedQuantity", "ConsumedUnit", "SubAccountId", "x_Runs", "x_UnpricedRuns")
        self.assertEqual([compute[name] for name in names], ["Compute", "8", "32", "CPU-Hours", "a", "4", "1"])
        self.assertEqual([storage[name] for name in names], ["Storage", "5", "140", "GiB-Hours", "a", "", ""])
        # half of the time
        (row,) = json.loads(self.told(*call, "--cost", "--json", "--until=2026-03-01T01:00:00Z"))
        self.assertEqual((row["cost"], row["storage_cost"]), (6.5, 2.5))
        prices.write_text("[all]\nCpuHour=0.25\n", encoding="utf-8")
        (row,) = json.loads(self.told(*call, "--cost", "--json"))
        self.assertEqual((row["cost"], row["unpriced_runs"], {"storage_cost", "allocated_storage_byte_seconds"} & row.keys()), (8, 0, set()))
        self.assertNotIn("STORAGE", self.told(*call, "--cost"))

    def test_may_be_what_sacct_printed(self):
        # the fixture has a delimiter that nobody can write into a name, and a name that has a |
        text = (FIXTURES / "sacct-22.05" / "sacct").read_bytes()
        delimiter = re.search(rb"\x1f[0-9a-f]{8}", text)[0]
        saved = self.folder / "saved"
        saved.write_bytes(text.replace(b"|", b"/").replace(delimiter, b"|"))
        self.assertEqual(self.take(saved, "sacct").returncode, 0)
        first = self.all_but_when_it_was_seen()
        self.assertIn("\n9,ada,REQUEUED", "\n" + self.told("history", "--all", "--limit=0", "--csv", "--columns=jobid,user,state", f"--store={self.store}").replace("\r", ""))
        self.take(saved, "sacct")
        self.assertEqual(self.all_but_when_it_was_seen(), first)

    def test_have_their_bad_lines_reported(self):
        bad = self.folder / "bad"
        bad.write_bytes(GRID_ENGINE.read_bytes() + b"what\n" + b"x" * 3000000 + b"\n" + b"no end")
        done = self.take(bad, "gridengine-log")
        self.assertEqual(done.returncode, 1)
        n_lines = len(GRID_ENGINE.read_bytes().splitlines())
        for number in (1, 2, 3):
            self.assertIn(f"line {n_lines + number}: cannot read the record", done.stderr)
        self.assertIn("7 runs, 3 bad lines", done.stderr)

    def test_are_imported_to_their_end_after_a_kill(self):
        lines = [line for line in GRID_ENGINE.read_text(encoding="utf-8").splitlines(keepends=True) if not line.startswith("#")]
        fields = lines[0].split(":")
        many = [":".join([*fields[:5], str(number), *fields[6:]]) for number in range(1, 12001)]
        archive = self.folder / "many"
        archive.write_text("".join(many), encoding="utf-8")

        command = [self.program, "import", f"--store={self.store}", "--cluster=old", "--format=gridengine-log", "-"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            process.stdin.write("".join(many[:9000]))
            process.stdin.flush()
            end = time.monotonic() + SECONDS
            while self.call("history", "--all", "--limit=1", "--no-headers", f"--store={self.store}").stdout == "":
                self.assertLess(time.monotonic(), end)
            process.kill()
        self.assertIn("whole", self.told("store", "check", f"--store={self.store}"))
        n_before = len(self.ids("--all", "--limit=0", f"--store={self.store}"))
        self.assertTrue(0 < n_before < 12000, n_before)

        self.assertEqual(self.take(archive, "gridengine-log").returncode, 0)
        self.assertEqual(sorted(self.ids("--all", "--limit=0", f"--store={self.store}")), list(range(1, 12001)))
        self.assertIn("whole", self.told("store", "check", f"--store={self.store}"))


class AServerThatIsChecked(WithAccounts):
    def check(self, *options: str) -> tuple[int, list[str]]:
        command = [EXPORTER, "server", "--check", f"--server.store={self.store}", *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        return done.returncode, done.stdout.splitlines()

    def test_reports_each_thing(self):
        subprocess.run([MADE_ACCOUNTS, self.store], check=True, timeout=SECONDS)
        history = f"gridengine-log,cluster=a,path={GRID_ENGINE}"
        status, lines = self.check(f"--server.history={history}")
        self.assertEqual((status, lines), (0, ["settings: ok", "server.store: ok", f"{history}: read", "rules of advice: read"]))

    def test_counts_lines_that_are_passed_over_by_a_reading(self):
        log = pathlib.Path(self.folder, "accounting")
        log.write_text("no such columns\n" + pathlib.Path(GRID_ENGINE).read_text() + "nor here\n")
        command = [EXPORTER, "server", "--once", f"--server.store={self.store}", f"--server.history=gridengine-log,cluster=a,path={log}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "(?m)^jobmetrics_server_history_unread_records_total 2$")
        self.assertEqual(done.stderr.count("passed over"), 1, done.stderr)

    def test_asks_each_history(self):
        for name, script in (("sacct", "echo 'sacct: error: Access denied' >&2; exit 1"), ("sacctmgr", "echo a")):
            (self.folder / name).write_text(f"#!/bin/sh\n{script}\n")
            (self.folder / name).chmod(0o755)
        history = f"sacct,cluster=a,directory={self.folder}"
        status, lines = self.check(f"--server.history={history}")
        self.assertEqual(status, 1)
        (line,) = [line for line in lines if line.startswith(history)]
        self.assertIn("Access denied", line)

    def test_reads_a_history_that_is_asked(self):
        subprocess.run([MADE_ACCOUNTS, self.store], check=True, timeout=SECONDS)
        folder = pathlib.Path(self.folder)
        history = f"sacct,cluster=a,directory={folder}"
        status, lines = self.check(f"--server.history={history}")
        self.assertEqual((status, lines[2].split(": ")[:2]), (1, [history, f"{folder}/sacct"]))
        for name, script, word, status in (("sacctmgr", "exit 0", None, 1), ("sacct", "exit 1", None, 1), ("sacct", "exit 0", "read", 0)):
            (folder / name).write_text(f"#!/bin/sh\n{script}\n")
            (folder / name).chmod(0o755)
            found, lines = self.check(f"--server.history={history}")
            self.assertEqual((found, lines[2] == f"{history}: {word}"), (status, status == 0), lines)

    def test_makes_nothing(self):
        status, lines = self.check()
        self.assertEqual((status, lines[1]), (0, "server.store: none yet, it is made at the first start"))
        self.assertFalse(pathlib.Path(self.store).exists())

    def test_fails_where_something_is_amiss(self):
        status, lines = self.check(f"--server.nodes-file={self.folder}/none.json")
        self.assertEqual(status, 1)
        self.assertRegex(lines[2], "server.nodes-file: .*none.json")
        pathlib.Path(self.store).write_text("no database", encoding="utf-8")
        self.assertEqual(self.check()[0], 1)
        self.assertEqual(self.check("--server.history=nobody")[0], 2)


class CommandLine(WithAccounts):
    def test_says_what_is_invalid(self):
        for message, arguments in (
            ("--store and --server cannot be combined", ["history", "--store=a", "--server=unix:b"]),
            ("--login-file and --ca-file are for", ["usage", "--login-file=a", "--store=a"]),
            ("--sort: neither end, start, submit nor a figure of runs: size", ["history", "--sort=size"]),
            ("--verdict: none of good, waste, trouble", ["history", "--verdict=splendid"]),
            ("--by: 'moon'", ["usage", "--by=moon"]),
            ("--by: month, node and name need --waste", ["usage", "--by=month"]),
            ("--by: month, node and name need --waste", ["usage", "--by=account,node"]),
            ("--by: month, node and name need --waste", ["usage", "--by=user,name"]),
            ("--by: --now cannot be grouped by day", ["usage", "--now", "--by=day"]),
            ("--by: --focus cannot be grouped by day, node or name", ["usage", "--focus", "--by=node"]),
            ("--by: --carbon cannot be grouped by node", ["usage", "--carbon", "--by=node"]),
            ("--by: 'moon'", ["history", "--by=moon"]),
            ("--by: history cannot group by day", ["history", "--by=user,day"]),
            ("--by has columns of its own", ["history", "--by=user", "--columns=jobid"]),
            ("--by has columns of its own", ["history", "--by=user", "--format=reportseff"]),
            ("--waste, --now, --goodput, --cost, --focus, --budgets and --carbon cannot be", ["usage", "--waste", "--cost"]),
            ("--focus: CSV alone", ["usage", "--focus", "--json"]),
            ("--budgets: without --since", ["usage", "--budgets", "--since=-1d"]),
            ("--now: without --since and --until", ["usage", "--now", "--since=-1d"]),
            ("no such column: 'x'", ["history", "--columns=x"]),
            ("--uuid=x: not a uuid", ["job", "--uuid=x"]),
            ("one JOB", ["job"]),
            ("--format=xml", ["import", "--format=xml"]),
            ("--store=URI is missing", ["import", "--format=ledger", "a"]),
            ("--cluster=NAME is missing", ["import", "--format=sacct", "--store=a", "b"]),
            ("none of check", ["store", "burn"]),
            ("FILE is wanted", ["store", "backup"]),
        ):
            done = self.call(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(message, done.stderr)

    def test_makes_no_database_by_looking(self):
        for command in (["history"], ["store", "check"], ["store", "vacuum"]):
            self.assertEqual(self.call(*command, f"--store={self.store}").returncode, 1)
        self.assertFalse(pathlib.Path(self.store).exists())


if __name__ == "__main__":
    sys.exit(tap.run(Store, Database, Server, AFileThatNamesTheArchive, AServerThatAnswers, Archives, AServerThatIsChecked, CommandLine))
