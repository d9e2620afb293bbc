#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the command line shows of energy and emissions.

usage: test-energy.py PROGRAM

Job 5 of the fixture was measured, job 14 estimated but for its first second, 15 and 16 were watched by nobody.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, SECONDS, call, environment  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

STEPS = f"--path.rootfs={FIXTURES / 'slurm-v2-steps'}"
ACCOUNTS = f"--power.file={FIXTURES / 'energy-file' / 'slurm-v2-steps.json'}"
LEGEND = "~ is estimated, not measured"


def cells(line: str) -> list[str]:
    return re.split(r" {2,}", line.strip())


class Accounts(unittest.TestCase):
    """list and show with a file of the exporter."""

    def table(self, *arguments: str) -> list[list[str]]:
        done = call("list", STEPS, ACCOUNTS, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [cells(line) for line in done.stdout.partition("\n\n")[0].splitlines()]

    def test_energy_and_emissions_have_columns(self):
        rows = self.table()
        self.assertEqual(rows[0][-2:], ["ENERGY", "CO2"])
        self.assertEqual({row[0]: row[-2:] for row in rows[1:]},
                         {"5": ["5.0kJ", "600mg"], "14": ["~7.2kJ", "~961mg"], "15": ["-", "-"], "16": ["-", "-"]})

    def test_an_estimate_is_explained_where_there_is_one(self):
        self.assertIn(LEGEND, call("list", STEPS, ACCOUNTS).stdout)
        self.assertNotIn(LEGEND, call("list", STEPS, ACCOUNTS, "--filter=jobid == 5").stdout)
        self.assertNotIn(LEGEND, call("list", STEPS, ACCOUNTS, "--no-headers").stdout)

    def test_without_accounts_there_are_no_such_columns_and_not_a_word(self):
        done = call("list", STEPS)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn("ENERGY", done.stdout)
        self.assertNotIn("CO2", done.stdout)

    def test_the_file_of_the_exporter_is_found_in_the_root(self):
        with tempfile.TemporaryDirectory() as root:
            folder = pathlib.Path(root, "run", "jobmetrics-exporter")
            folder.mkdir(parents=True)
            for name in ("proc", "sys"):
                shutil.copytree(FIXTURES / "slurm-v2-steps" / name, pathlib.Path(root, name), symlinks=True)
            text = (FIXTURES / "energy-file" / "slurm-v2-steps.json").read_text(encoding="utf-8")
            (folder / "energy.json").write_text(text, encoding="utf-8")
            done = call("list", f"--path.rootfs={root}", "--columns=jobid,energy")
        self.assertIn("~7.2kJ", done.stdout)

    def test_jobs_are_sorted_and_chosen_by_energy(self):
        self.assertEqual([row[0] for row in self.table("--sort=-energy")[1:]], ["14", "5", "15", "16"])
        self.assertEqual([row[0] for row in self.table("--sort=co2")[1:]], ["5", "14", "15", "16"])
        self.assertEqual([row[0] for row in self.table("--filter=energy > 0.0015kWh")[1:]], ["14"])
        self.assertEqual([row[0] for row in self.table("--filter=co2 < 0.7g && watts > 0.09kW")[1:]], ["5"])
        self.assertEqual([row[0] for row in self.table("--filter=energy_covered_seconds_total < 1m")[1:]], ["14"])

    def test_a_filter_with_a_wrong_unit_says_which_there_are(self):
        for expression, units in (("energy > 3kg", "joules"), ("watts > 1kWh", "watts"), ("co2 > 2J", "grams")):
            done = call("list", STEPS, f"--filter={expression}")
            self.assertEqual(done.returncode, 2)
            self.assertIn(units, done.stderr)

    def test_programs_get_joules_and_grams(self):
        lines = call("list", STEPS, ACCOUNTS, "--csv", encoding=None).stdout.decode().split("\r\n")
        self.assertTrue(lines[0].endswith(",energy_joules,emissions_grams,estimated"))
        estimated = [line.rpartition(",")[2] for line in lines[1:] if line]
        marked = [" ".join(name for name, mark in (("energy_joules", row[-2]), ("emissions_grams", row[-1])) if mark.startswith("~")) for row in self.table()[1:]]
        self.assertEqual(estimated, marked)
        self.assertIn("energy_joules", "".join(estimated))
        self.assertTrue(lines[1].endswith(",5000,0.6,"))
        self.assertTrue(lines[3].endswith(",,,"))
        job = json.loads(call("list", STEPS, ACCOUNTS, "--json").stdout)["jobs"][0]
        self.assertEqual(job["metrics"]["energy_joules_total"], [
            {"labels": {"domain": "package", "quality": "measured"}, "value": 4500},
            {"labels": {"domain": "dram", "quality": "measured"}, "value": 500},
        ])

    def test_an_account_is_found_by_id_and_start_whatever_else_is_shown(self):
        """An exporter that knew less of a job wrote its account below another uuid."""
        row = call("list", STEPS, "--csv", "--columns=jobid,start_time", "--user=bob", "--no-headers").stdout
        accounts = json.loads((FIXTURES / "energy-file" / "slurm-v2-steps.json").read_text(encoding="utf-8"))
        uuid = next(iter(accounts["accounts"]))
        account = accounts["accounts"].pop(uuid)
        account |= {"job": "slurm/5", "start_us": round(float(row.split(",")[1]) * 1e6)}
        accounts["accounts"]["00000000-0000-5000-8000-000000000000"] = account
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            json.dump(accounts, file)
            file.flush()
            for arguments in (["--columns=jobid,energy"], ["--columns=jobid,co2,energy", "--sort=-energy"],
                              ["--columns=jobid,energy", "--filter=energy > 1kJ"], ["--columns=jobid", "--filter=co2 > 1mg"]):
                done = call("list", STEPS, f"--power.file={file.name}", "--no-headers", "--user=bob", *arguments)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                shown = cells(done.stdout)
                self.assertEqual([shown[0], shown[-1]], ["5", "5.0kJ" if "energy" in arguments[0] else "5"])

    def section(self, title: str, job: str, *arguments: str) -> list[list[str]]:
        done = call("show", STEPS, job, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.partition(f"\n{title}\n")[2].partition("\n\n")[0].splitlines()
        return [cells(line) for line in lines]

    def test_a_job_is_shown_domain_by_domain(self):
        rows = self.section("Energy", "5", ACCOUNTS)
        self.assertEqual(rows[0], ["DOMAIN", "ENERGY", "NOW", "QUALITY", "KNOWN"])
        self.assertEqual([row[:4] for row in rows[1:]], [
            ["package", "4.5kJ", "90W", "measured"],
            ["dram", "0.50kJ", "5.0W", "measured"],
            ["all", "5.0kJ", "95W", "-"],
        ])
        self.assertRegex(rows[1][4], r"^1m00s, \d+\.\d% of its life$")

    def test_what_is_estimated_is_called_so(self):
        rows = self.section("Energy", "14", ACCOUNTS)
        self.assertEqual(rows[1:3], [["node", "0.0090kJ", "-", "measured", "1.00s"], ["node", "~7.2kJ", "~12W", "estimated", "30.00s"]])

    def test_grams_have_their_provenance(self):
        self.assertEqual(self.section("Emissions (CO2 equivalent)", "5", ACCOUNTS), [
            ["600mg", "from measured energy"],
            ["400mg", "by owid of FR: average, lifecycle, statistic"],
            ["200mg", "by global of world: average, lifecycle, statistic"],
        ])
        self.assertIn(["~960mg", "from estimated energy"], self.section("Emissions (CO2 equivalent)", "14", ACCOUNTS))

    def test_a_job_without_accounts_has_no_such_section(self):
        self.assertEqual(self.section("Energy", "15", ACCOUNTS), [])
        self.assertEqual(self.section("Energy", "5"), [])

    def test_a_file_that_is_not_there_or_broken_is_said_so(self):
        done = call("list", STEPS, "--power.file=/nowhere/energy.json")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--power.file=/nowhere/energy.json", done.stderr)
        broken = FIXTURES / "energy-file" / "README.md"
        done = call("list", STEPS, f"--power.file={broken}")
        self.assertEqual(done.returncode, 0)
        self.assertIn("not a file of energy accounts", done.stderr)
        self.assertNotIn("ENERGY", done.stdout)


class Sources(unittest.TestCase):
    """list, show and metrics with sources of their own."""

    def test_list_shows_watts_and_since_when(self):
        done = call("list", STEPS, "--power.source=estimate")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(cells(done.stdout.splitlines()[0])[-1], "WATTS")
        self.assertRegex(cells(done.stdout.splitlines()[1])[-1], r"^~\d")
        self.assertIn("counted since this command began", done.stdout)
        self.assertIn(LEGEND, done.stdout)

    def test_show_says_how_short_it_looked(self):
        done = call("show", "5", STEPS, "--power.source=estimate")
        self.assertRegex(done.stdout, r"package +~\S+ +~\S+ +estimated +1\.\d\ds, 0\.0% of its life")

    def test_a_scrape_has_the_source(self):
        done = call("metrics", STEPS, "--power.source=estimate", "--metrics.include=*power_source_up")
        self.assertIn('jobmetrics_node_power_source_up{source="estimate"} 1', done.stdout)

    def test_a_source_or_provider_that_is_invalid_gives_status_2(self):
        for option, message in (
            ("--power.source=moods", "not one of those that there are"),
            ("--power.source=estimate,moods=1", "no such property: moods"),
            ("--power.source=file", "path"),
        ):
            for command in (["list"], ["show", "5"], ["metrics"]):
                done = call(*command, STEPS, option)
                self.assertEqual((done.returncode, done.stdout), (2, ""), (command, option, done.stderr))
                self.assertEqual(len(done.stderr.splitlines()), 1)
                self.assertIn(message, done.stderr)


class Power(unittest.TestCase):
    QUICK = "--interval=0.1"

    def power(self, situation: str, *arguments: str):
        return call("power", f"--path.rootfs={FIXTURES / situation}", self.QUICK, *arguments)

    def table(self, text: str, title: str) -> list[list[str]]:
        lines = text.partition(f"{title}\n")[2].partition("\n\n")[0].splitlines()
        return [cells(line) for line in lines]

    def test_each_domain_of_a_source_has_a_line(self):
        done = self.power("power-hwmon")
        self.assertEqual(done.returncode, 0)
        rows = self.table(done.stdout, "Sources")
        self.assertEqual(rows[0], ["SOURCE", "STATE", "AGE", "DOMAIN", "WATTS", "ENERGY"])
        self.assertEqual([row[:5] for row in rows[1:]], [
            ["hwmon", "up", "-", "node", "287W"],
            ["hwmon", "up", "-", "package-0", "-"],
            ["hwmon", "up", "-", "package-1", "-"],
        ])

    def test_jobs_system_and_idle_take_what_was_measured(self):
        done = self.power("power-hwmon")
        rows = self.table(done.stdout, "Who takes it")
        self.assertEqual(rows[0], ["DOMAIN", "JOBS", "SYSTEM", "IDLE", "ALL"])
        self.assertEqual(rows[1][0], "package")
        self.assertEqual((rows[2][0], rows[3][0]), ("rest", "all"))
        for watts in rows[2][4], rows[3][4]:
            self.assertAlmostEqual(float(watts.removesuffix("W")), 287, delta=15)

    def test_a_source_that_is_down_has_a_reason(self):
        done = self.power("slurm-v2-steps", "--power.source=file,path=/nowhere", "--power.source=cray", "--power.source=estimate")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"file +down")
        self.assertRegex(done.stdout, r"(?m)^  file: .*/nowhere: No such file or directory$")
        self.assertRegex(done.stdout, r"(?m)^  cray: .*pm_counters: No such file or directory$")

    def test_an_estimate_is_called_so(self):
        done = self.power("slurm-v2-steps", "--power.source=estimate")
        self.assertRegex(done.stdout, r"estimate +up +- +package-0 +~")
        self.assertTrue(done.stdout.endswith(f"{LEGEND}\n"))

    def test_programs_get_base_units(self):
        done = self.power("power-hwmon", "--json")
        document = json.loads(done.stdout)
        self.assertEqual(document["sources"][0]["source"], "hwmon")
        self.assertIs(document["sources"][0]["power_source_up"], True)
        self.assertEqual(document["sources"][0]["domains"][0]["power_watts"], 287)
        self.assertEqual([shares["domain"] for shares in document["split"]], ["package", "rest"])

    def test_without_a_source_the_status_is_1_and_doctor_is_heard(self):
        done = self.power("slurm-v2-steps")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no power source of this node could be read", done.stderr)
        self.assertIn("power.meters", done.stderr)
        self.assertIn("--power.source=estimate", done.stderr)
        document = json.loads(self.power("slurm-v2-steps", "--json").stdout)
        self.assertEqual(document, {"sources": [], "split": []})

    def test_what_is_invalid_gives_status_2(self):
        done = call("power", f"--path.rootfs={FIXTURES / 'power-hwmon'}", "--json", "--power.source=moods")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        for arguments in (["--interval=nan"], ["--interval=0"], ["argument"]):
            self.assertEqual(call("power", *arguments).returncode, 2)


class EnergyAlone(unittest.TestCase):
    def test_is_that_of_jobs_though_nothing_else_is_asked_for(self):
        # what spins here is in whatever cgroup the tests are in, so that the job is one of run's
        spin = "import sys\nprint(flush=True)\nsys.stdin.close()\nwhile True: pass"
        with subprocess.Popen([PROGRAM, "run", "--", sys.executable, "-c", spin], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=environment()) as process:  # fmt: skip
            process.stdout.readline()
            asked = ["--collect=power", "--power.source=estimate"]
            text = call("metrics", *asked).stdout
            document = json.loads(call("metrics", "--format=json", *asked).stdout)
            process.terminate()
        joules = [float(number) for number in re.findall(r'jobmetrics_job_energy_joules_total\{.*domain="package".*\} (\S+)', text)]
        if not joules:
            self.skipTest("no cgroup can be made here, so there is no job")
        self.assertGreater(max(joules), 0)
        self.assertNotIn("jobmetrics_job_cpu_seconds_total", text)
        self.assertNotIn("cpu_seconds_total", {name for job in document["jobs"] for name in job["metrics"]})


class MetersThatMayNotBeRead(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="jobmetrics-meters-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name, "root")
        shutil.copytree(FIXTURES / "power-rapl-server", self.root)
        for counter in self.root.rglob("energy_uj"):
            counter.chmod(0)

    def call(self, *arguments: str) -> subprocess.CompletedProcess:
        """Without the right of root to read everything."""
        powerless = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
        return subprocess.run(
            [*powerless, PROGRAM, *arguments, f"--path.rootfs={self.root}"],
            env=environment(), stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=SECONDS,
        )

    def test_nobody_hears_of_a_meter_that_nobody_named(self):
        for command in (["top", "--once", "--interval=0.1"], ["metrics"]):
            done = self.call(*command)
            self.assertEqual(done.returncode, 0)
            self.assertNotIn("energy_uj", done.stderr)

    def test_one_that_was_named_is_missed(self):
        done = self.call("metrics", "--power.source=rapl-powercap")
        self.assertIn("energy_uj: Permission denied", done.stderr)

    def test_power_reports_it(self):
        done = self.call("power", "--interval=0.1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("energy_uj: Permission denied", done.stderr)


class Emissions(unittest.TestCase):
    def test_the_world_is_asked_by_default(self):
        done = call("emissions")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        titles, row = (cells(line) for line in done.stdout.splitlines())
        self.assertEqual(titles, ["PROVIDER", "ZONE", "G/KWH", "METHOD", "SCOPE", "QUALITY", "SINCE", "UNTIL", "AGE"])
        self.assertEqual(row[:2] + row[3:6], ["global", "world", "average", "lifecycle", "statistic"])
        self.assertRegex(row[2], r"^\d+\.\d$")

    def test_each_provider_has_its_answer_or_its_reason(self):
        done = call("emissions", "--emissions.provider=fixed,factor=55,zone=site", "--emissions.provider=owid,zone=XX")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"fixed +site +55\.0 +average +unknown +statistic +- +- +-")
        self.assertIn("owid,zone=XX is down: ", done.stdout)

    def test_programs_get_grams_per_joule(self):
        done = call("emissions", "--json", "--emissions.provider=fixed,factor=360", "--emissions.provider=owid,zone=XX")
        fixed, owid = json.loads(done.stdout)["providers"]
        self.assertEqual((fixed["provider"], fixed["zone"], fixed["emission_provider_up"]), ("fixed", "site", True))
        self.assertAlmostEqual(fixed["emission_factor_grams_per_joule"], 0.0001)
        self.assertEqual(fixed["emission_factor_age_seconds"], 0)
        self.assertNotIn("valid_until_time", fixed)
        self.assertIs(owid["emission_provider_up"], False)
        self.assertIn("XX", owid["reason"])

    def test_no_answer_gives_status_1(self):
        self.assertEqual(call("emissions", "--emissions.provider=owid,zone=XX").returncode, 1)

    def test_what_is_invalid_gives_status_2(self):
        for argument in ("--emissions.provider=moods", "--emissions.provider=fixed,factor=-1", "argument"):
            done = call("emissions", argument)
            self.assertEqual((done.returncode, done.stdout), (2, ""), argument)
            self.assertEqual(len(done.stderr.splitlines()), 1)


class Doctor(unittest.TestCase):
    def test_doctor_looks_at_what_is_configured(self):
        done = call("doctor", STEPS, "--power.source=cray", "--emissions.provider=owid,zone=moods", "--json")
        seen = {finding["topic"]: finding["seen"] for finding in json.loads(done.stdout)["findings"]}
        self.assertIn("cray", seen["power.sources"])
        self.assertIn("moods", seen["emissions.providers"])


if __name__ == "__main__":
    sys.exit(tap.run(Accounts, Sources, Power, EnergyAlone, MetersThatMayNotBeRead, Emissions, Doctor))
