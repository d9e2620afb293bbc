# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Debian's packages on a machine: installed and used without any further step, upgraded, and purged."""

import importlib
import json
import os
import pathlib
import subprocess
import time
import urllib.parse
import urllib.request

import tap
from machine import ADDRESS, CLI, EXAMPLES, UNIT, run
from metrics import scrape
from programs import SLOWNESS, answers, wait_for

slurm = importlib.import_module("test-slurm")

PACKAGES = pathlib.Path("/lab/packages")
FORMER = pathlib.Path("/lab/former")
FORMER_LINE = "# from before the first release\n"
PROMETHEUS_UNIT = "jobmetrics-prometheus.service"
PROMETHEUS = "127.0.0.1:9013"
NODE_CONF = pathlib.Path("/etc/jobmetrics/node.conf")
SERVER_CONF = pathlib.Path("/etc/jobmetrics/server.conf")
LEDGER = pathlib.Path("/var/lib/jobmetrics-exporter/ledger.db")
# below these nothing of ours may be left; the user stays, as policy has it
PLACES = ("/etc", "/lib/systemd", "/opt", "/run", "/usr", "/var")
# what others keep of everything that there was
OF_OTHERS = ("/var/log/", "/var/lib/dpkg/", "/var/lib/apt/", "/var/cache/", "/run/log/", "/run/udev/")


def install(folder: pathlib.Path) -> None:
    """As an administrator would: apt takes what else is needed from Debian, where it is not there yet."""
    began = time.monotonic()
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    # what an administrator has written stays; the machine's disk ends with it
    wanted = ("Dpkg::Options::=--force-confold", "Dpkg::Options::=--force-unsafe-io", "APT::Sandbox::User=root")
    options = [word for option in wanted for word in ("-o", option)]
    run("apt-get", "install", "-q", "-y", *options, *(str(file) for file in sorted(folder.glob("*.deb"))))
    tap.comment(f"{folder}: installed in {time.monotonic() - began:.0f} s")


def is_active(unit: str) -> bool:
    return run("systemctl", "show", "--value", "--property=ActiveState", unit).strip() == "active"


def is_enabled(unit: str) -> bool:
    return run("systemctl", "show", "--value", "--property=UnitFileState", unit).strip() == "enabled"


def ask_prometheus(query: str) -> list[dict]:
    url = f"http://{PROMETHEUS}/api/v1/query?{urllib.parse.urlencode({'query': query})}"
    with urllib.request.urlopen(url, timeout=10 * SLOWNESS) as response:
        return json.load(response)["data"]["result"]


def cpu_seconds(job: str) -> float | None:
    found = scrape(ADDRESS).find("jobmetrics_job_cpu_seconds_total", jobid=job)
    return found[0].value if found else None


class AFreshInstallation(slurm.Situation):
    """Of the former release: nothing was done but apt-get install."""

    job: str

    def test_has_started_what_a_node_runs_and_nothing_else(self):
        self.assertTrue(is_active(UNIT) and is_enabled(UNIT))
        self.assertTrue(is_active(PROMETHEUS_UNIT) and is_enabled(PROMETHEUS_UNIT))
        for role in ("cluster", "server"):
            unit = f"jobmetrics-exporter-{role}.service"
            self.assertFalse(is_active(unit) or is_enabled(unit), unit)

    def test_shows_a_job_of_slurms(self):
        wait_for("the exporter is ready", 20, lambda: answers(f"http://{ADDRESS}/-/ready"))
        type(self).job = slurm.world.lab.sbatch("ada", f"{slurm.world.spend} 3 1 16 3600", "-n1", "--mem=200")
        wait_for("the job has used CPU time", 60, lambda: (cpu_seconds(self.job) or 0) > 2, every=0.5)
        # which is reported once nothing more can be learnt
        (found,) = wait_for("it is told whose it is", 60, lambda: scrape(ADDRESS).find("jobmetrics_job_info", jobid=self.job), every=0.5)
        info = found.labels
        self.assertEqual((info["user"], info["account"], info["scheduler"]), ("ada", "physics", "slurm"))
        self.assertRegex(run(CLI, "list"), rf"(?m)^{self.job} +ada +physics ")

    def test_shows_it_in_prometheus(self):
        query = f'jobmetrics_job_cpu_seconds_total{{jobid="{self.job}"}}'
        (found,) = wait_for("Prometheus has the job", 120, lambda: ask_prometheus(query), every=1)
        self.assertEqual((found["metric"]["job"], found["metric"]["instance"]), ("jobmetrics", "localhost:9010"))

    def test_has_rules_in_prometheus(self):
        with urllib.request.urlopen(f"http://{PROMETHEUS}/api/v1/rules", timeout=10 * SLOWNESS) as response:
            groups = json.load(response)["data"]["groups"]
        self.assertLessEqual({"jobmetrics-alerts"}, {group["name"] for group in groups})

    def test_has_a_user_of_its_own(self):
        run("getent", "passwd", "jobmetrics-exporter")


class AnUpgrade(slurm.Situation):
    """To this release, while the job runs."""

    def test_goes_on_with_what_was_counted(self):
        cls = type(self)
        cls.before = cpu_seconds(AFreshInstallation.job)
        cls.pid = slurm.world.exporter.pid()
        NODE_CONF.write_text(NODE_CONF.read_text() + "sample.linger=300\n")
        installed = run("dpkg-query", "-W", "-f", "${Version}", "jobmetrics-exporter")
        install(PACKAGES)
        self.assertNotEqual(run("dpkg-query", "-W", "-f", "${Version}", "jobmetrics-exporter"), installed)
        wait_for("the exporter is ready", 20, lambda: answers(f"http://{ADDRESS}/-/ready"))
        wait_for("the job is shown again", 30, lambda: cpu_seconds(AFreshInstallation.job), every=0.5)
        self.assertGreaterEqual(cpu_seconds(AFreshInstallation.job), self.before)

    def test_runs_the_new_program(self):
        self.assertNotIn(slurm.world.exporter.pid(), (0, self.pid))
        self.assertEqual(run("dpkg", "--audit"), "")
        self.assertTrue(is_active(UNIT) and is_active(PROMETHEUS_UNIT))

    def test_keeps_what_was_written_into_a_configuration_file(self):
        self.assertIn("sample.linger=300", NODE_CONF.read_text())
        self.assertIn(FORMER_LINE, NODE_CONF.read_text())

    def test_brings_what_is_new(self):
        program = "from gi.repository import JobMetrics; print([j for j in JobMetrics.Node().sample()])"
        self.assertRegex(run("python3", "-c", program), rf"\b{AFreshInstallation.job}\b")
        self.assertTrue((EXAMPLES / "manual" / "README.md").exists())

    def test_brings_the_files_that_nobody_has_written_to(self):
        self.assertNotIn(FORMER_LINE, SERVER_CONF.read_text())

    def test_keeps_the_ledger(self):
        job = AFreshInstallation.job
        slurm.world.lab.ask("scancel", job)

        def recorded() -> list[dict]:
            said = run(CLI, "ledger", "--json")
            # a line before it says that there is none yet
            records = json.loads(said[said.index("[") :])
            return [record for record in records if record["jobid"] == job and record["state"] == "ended"]

        (record,) = wait_for("the job is in the ledger", 60, recorded, every=1)
        self.assertGreaterEqual(record["metrics"]["cpu_seconds_total"], self.before)
        # later tests have clusters and settings of their own
        NODE_CONF.write_text(NODE_CONF.read_text().replace("sample.linger=300\n", ""))


class TheAutopkgtest(slurm.Situation):
    """What debian/tests asks of the packages, by the program that runs such tests, on a machine as it wants one."""

    # of the sources, to which the packages belong
    SOURCES = pathlib.Path("/lab/sources")

    def test_passes(self):
        (description,) = self.SOURCES.glob("*.dsc")
        packages = [str(file) for file in sorted(PACKAGES.glob("*.deb"))]
        # its own limits are those of faster machines
        limits = [f"--timeout-factor={SLOWNESS}", "--timeout-copy=3000"]
        command = ["autopkgtest", *limits, f"--output-dir={slurm.world.folder / 'autopkgtest'}", *packages, str(description), "--", "null"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        tap.comment("\n".join(f"  {line}" for line in done.stdout.splitlines()[-200:]))
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"(?m)^a-job +PASS$")


class TheRemoval(slurm.Situation):
    """The last of all."""

    def installed(self) -> list[str]:
        names = run("dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n").splitlines()
        return [line.split()[0] for line in names if "jobmetrics" in line and line.split()[1] != "not-installed"]

    def test_ends_what_runs_and_keeps_what_is_kept(self):
        self.assertIn("jobmetrics-exporter", self.installed())
        slurm.world.exporter.start()
        run("apt-get", "remove", "-y", *self.installed())
        self.assertFalse(is_active(UNIT) or is_active(PROMETHEUS_UNIT))
        self.assertFalse(answers(f"http://{ADDRESS}/metrics"))
        self.assertTrue(LEDGER.exists() and NODE_CONF.exists())
        self.assertFalse(pathlib.Path(CLI).exists() or EXAMPLES.exists())

    def test_leaves_nothing_once_it_is_purged(self):
        run("apt-get", "purge", "-y", *self.installed())
        self.assertEqual(self.installed(), [])
        of_the_tests = [str(slurm.world.folder), "/etc/systemd/system/jobmetrics-exporter-node."]
        command = ["find", *PLACES, "-xdev", "-iname", "*jobmetrics*", "-not", "-path", "/usr/share/doc/*/changelog*"]
        found = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout.split("\n")
        left = [path for path in found if path and not path.startswith((*OF_OTHERS, *of_the_tests))]
        self.assertEqual(left, [])

    def test_leaves_no_unit_behind_that_systemd_knows(self):
        run("systemctl", "daemon-reload")
        time.sleep(1)
        command = ["systemctl", "list-unit-files", "--no-legend", "--no-pager", "jobmetrics*"]
        listed = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
        self.assertEqual([line for line in listed.splitlines() if "jobmetrics-exporter-node.socket" not in line], [])
