#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reports of jobs of a real Slurm: by mail, at the command line, on pages, and in Slurm's own accounting.

usage: test-reports.py EXPORTER SPEND CLI

Figures must agree with sacct's, with the node's, and with what the jobs are known to use.
"""

import base64
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request
import xml.etree.ElementTree as etree

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "pylib"), str(HERE)]
import tap  # noqa: E402
from lab import NODE, SLURM_LAB, Unfit, seconds_of  # noqa: E402
from programs import SLOWNESS, turn, wait_for  # noqa: E402
from reporting import Site, unfit_because  # noqa: E402

ADDRESS = "ada@example.org"
NAME = "half asleep"
CPU_SECONDS = 12
CPUS = 2
MEGABYTES = 32
# of some ten; sacct has whole seconds of time, and does not count slurmstepd
PERCENT_TOLERANCE = 1
# jobstats has no figures of runs that are shorter
SHORT_SECONDS = 60
# twice what the site's rules ask for
IDLE_SECONDS = 6
# that a job remains at most, for what fails must not block others for ever
STAY_SECONDS = 180 * SLOWNESS
MEGABYTE = 1 << 20

site: Site


class Jobs(unittest.TestCase):
    """Ada's spends some CPU seconds, and then holds two CPUs and much memory for nothing; ben's ends at once, when it has its turn."""

    ada: str
    ben: str

    def figures(self, report: dict, *names: str) -> list:
        return [report["figures"].get(name) for name in names]

    def test_run(self):
        script = f"exec {site.spend} {CPU_SECONDS} 1 {MEGABYTES} {STAY_SECONDS}"
        mail = ["--mail-type=END", f"--mail-user={ADDRESS}"]
        Jobs.ada = site.lab.sbatch("ada", script, "-n1", f"-c{CPUS}", "--mem=600", "-J", NAME, *mail)
        Jobs.ben = site.lab.sbatch("ben", f"exec {site.spend} 0.1 1 8 0", "-n1", "--mem=100", "-J", "short")
        Jobs.spent = site.lab.await_spent("ada", self.ada)

    def test_that_go_on_have_a_report(self):
        def known() -> dict | None:
            report = site.report(self.ada)
            return report if report and report["figures"].get("elapsed_seconds", 0) > 0 else None

        report = wait_for("the archive knows for how long it has run", 60, known, every=0.5)
        self.assertTrue(report["running"])
        self.assertEqual((report["job"]["user"], report["job"]["state"]), ("ada", "RUNNING"))
        self.assertEqual(self.figures(report, "cpus", "nodes"), [CPUS, 1])
        self.assertIn(f"Job {self.ada}", site.ask_cli("report", self.ada))

    def test_that_go_on_for_nothing_are_reported_to_their_owner(self):
        """By what the archive has from the node, for Slurm says nothing of that until their end."""

        def told() -> str | None:
            site.refresh()
            state = f"--state-file={site.folder / 'alerts'}"
            text = site.ask_cli("alert", "--dry-run", f"--config.file={site.config}", state)
            return text if "CPUs are idle" in text else None

        text = wait_for("the alert", 60, told, every=2)
        self.assertRegex(text, r"(?m)^To: ada@users\.example\.org$")
        self.assertIn(self.ada, text)
        self.assertEqual((text.count("To: "), site.sink.mails), (1, []))

    def test_that_go_on_hold_what_they_do_not_use(self):
        def held() -> dict | None:
            site.refresh()
            rows = json.loads(site.ask_cli("usage", "--now", "--json"))
            return next((row for row in rows if row.get("user") == "ada" and {"idle_cpus", "memory_unused_bytes"} <= set(row)), None)

        row = wait_for("the archive knows what it has used", 60, held, every=2)
        self.assertEqual((row["runs"], row["cpus"], row["memory_allocated_bytes"]), (1, CPUS, 600 * MEGABYTE))
        # at most one of two CPUs was busy, and for some seconds alone
        self.assertTrue(CPUS - 1 <= row["idle_cpus"] <= CPUS, row)
        self.assertTrue(400 * MEGABYTE < row["memory_unused_bytes"] < (600 - MEGABYTES) * MEGABYTE, row)

    def test_that_go_on_have_the_comment_that_jobstats_reads(self):
        """From the node's ledger. scontrol takes it while the job runs alone, for its end; of sacctmgr's, Slurm 22.05 makes small letters."""

        def known() -> dict | None:
            report = json.loads(site.ask_cli("report", "--json", self.ada, ledger=True))
            is_long = report["figures"]["elapsed_seconds"] >= SHORT_SECONDS
            return report if is_long and report["figures"].get("idle_at_end_seconds", 0) >= IDLE_SECONDS else None

        figures = wait_for("it is none of the short ones, and idles", SHORT_SECONDS + 30, known, every=0.5)["figures"]
        comment = site.ask_cli("report", "--jobstats", self.ada, ledger=True).strip()
        self.assertRegex(comment, r"^JS1:[A-Za-z0-9+/=]+$")
        for user in ("ben", "slurm"):
            self.assertEqual(self.may_comment(user, comment), user == "slurm", user)
        Jobs.comment, Jobs.figures_then = comment, figures

    def may_comment(self, user: str, comment: str) -> bool:
        update = [SLURM_LAB, "as", user, "scontrol", "update", f"JobId={self.ada}", f"AdminComment={comment}"]
        return subprocess.run(update, env=site.lab.environment, cwd="/", capture_output=True, timeout=60 * SLOWNESS, check=False).returncode == 0

    def test_are_not_mailed_about_before_their_end(self):
        self.assertEqual(site.sink.mails, [])

    def test_end(self):
        site.lab.release(self.ada)
        for job in (self.ada, self.ben):
            site.lab.accounted(job, "elapsed")

    def test_are_mailed_about_at_their_end(self):
        """Of which the archive knows nothing before the mail has them look: nobody else has for a while."""
        (mail,) = wait_for("the mail", 90, lambda: site.mails_of(ADDRESS))
        self.assertIn("COMPLETED", mail.get_body(("plain",)).get_content())


class Ended(unittest.TestCase):
    """Ada's job."""

    def setUp(self):
        if not hasattr(Ended, "report"):
            Ended.job, Ended.report = Jobs.ada, None
            Ended.report = site.await_whole_report(self.job)
            Ended.uuid = self.report["job"]["uuid"]
        self.assertIsNotNone(self.report, "it did not come before")

    def accounted(self, *fields: str) -> list[str]:
        return site.lab.ask("sacct", "-n", "-P", "-X", "-j", self.job, "-o", ",".join(fields)).split("|")

    def check_efficiency(self, percent: float) -> None:
        """Slurm 22.05 now and then accounts a task twice; then what the task knows is the truth."""
        cpus, elapsed = map(int, self.accounted("alloccpus", "elapsedraw"))
        spent = (seconds_of(site.lab.accounted(self.job, "totalcpu")), Jobs.spent)
        expected = [100 * seconds / (cpus * elapsed) for seconds in spent]
        tap.comment(f"CPU efficiency {percent:.1f} %, by sacct {expected[0]:.1f}, by the program {expected[1]:.1f}")
        self.assertLessEqual(min(abs(percent - one) for one in expected), PERCENT_TOLERANCE)

    def cpu_bar(self, text: str) -> float:
        found = re.search(r"(?m)^ +CPUs +\[[| ]*([\d.]+)%\]$", text)
        self.assertIsNotNone(found, text)
        return float(found[1])


class Mail(Ended):
    def setUp(self):
        super().setUp()
        (self.mail,) = wait_for("the mail", 90, lambda: site.mails_of(ADDRESS))

    def parts(self) -> dict[str, str | bytes]:
        parts = {part.get_content_type(): part.get_content() for part in self.mail.walk() if not part.is_multipart()}
        return {kind: said.replace("\r\n", "\n") if isinstance(said, str) else said for kind, said in parts.items()}

    def test_comes_once_and_says_of_what(self):
        self.assertEqual(len(site.sink.mails), 1)
        self.assertRegex(self.mail["Subject"], rf"^Slurm Job_id={self.job} Name={NAME} Ended, ")
        self.assertEqual((self.mail["From"], self.mail["To"]), ("The cluster <hpc@example.org>", ADDRESS))
        self.assertEqual((self.mail["X-Jobmetrics-Job"], self.mail["Auto-Submitted"]), (self.job, "auto-generated"))

    def test_has_the_report_as_text_and_html(self):
        parts = self.parts()
        for kind in ("text/plain", "text/html"):
            for text in (f"Job {self.job}", NAME, "physics", "COMPLETED", NODE, f"{site.server.url}/job/{self.uuid}"):
                self.assertIn(text, parts[kind], kind)

    def test_has_it_on_paper_where_that_was_built(self):
        paper = self.parts().get("application/pdf")
        self.assertEqual(paper is not None and paper.startswith(b"%PDF-"), makes_pdf())

    def test_has_its_plots_as_pictures_where_they_can_be_drawn(self):
        pictures = {part["Content-ID"]: part.get_content() for part in self.mail.walk() if part.get_content_type() == "image/png"}
        named = set(re.findall(r'<img src="cid:([^"]+)"', self.parts()["text/html"]))
        self.assertEqual({f"<{name}>" for name in named}, set(pictures))
        self.assertEqual(bool(pictures), makes_pdf())
        self.assertTrue(all(picture.startswith(b"\x89PNG") for picture in pictures.values()))

    def test_has_the_efficiency_that_sacct_shows(self):
        text = self.parts()["text/plain"]
        self.check_efficiency(self.cpu_bar(text))
        self.assertIn(f"{self.cpu_bar(text)}", self.parts()["text/html"])

    def test_has_advice(self):
        for text in self.parts()["text/plain"], self.parts()["text/html"]:
            self.assertIn("Very short run", text)


def makes_pdf() -> bool:
    done = site.run_cli("report", "--pdf", Jobs.ada, text=False)
    if done.returncode != 0 and b"this build of jobmetrics makes no PDF" in done.stderr:
        return False
    assert done.stdout.startswith(b"%PDF-"), done.stderr
    return True


class Report(Ended):
    def test_agrees_with_sacct(self):
        cpus, elapsed, state, limit = self.accounted("alloccpus", "elapsedraw", "state", "timelimitraw")
        figures = self.report["figures"]
        self.assertEqual((figures["cpus"], figures["elapsed_seconds"], self.report["job"]["state"]), (int(cpus), int(elapsed), state))
        self.assertEqual(figures["time_limit_seconds"], int(limit) * 60)
        self.assertEqual(figures["memory_allocated_bytes"], 600 * MEGABYTE)
        self.check_efficiency(figures["cpu_efficiency_percent"])

    def test_agrees_with_the_node(self):
        text = site.scrape()
        joules = sum(one.value for one in text.find("jobmetrics_job_energy_joules_total", jobid=self.job))
        grams = sum(one.value for one in text.find("jobmetrics_job_emissions_grams_total", jobid=self.job))
        figures = self.report["figures"]
        tap.comment(f"{figures['energy_joules']} J, on the node {joules}; {figures['emissions_grams']} g, on the node {grams}")
        self.assertGreater(joules, 0)
        self.assertAlmostEqual(figures["energy_joules"], joules, delta=0.01)
        self.assertAlmostEqual(figures["emissions_grams"], grams, delta=0.001)
        self.assertIn("energy_joules", self.report["estimated"])
        seconds = text.value("jobmetrics_job_cpu_seconds_total", jobid=self.job)
        self.assertAlmostEqual(figures["cpu_seconds"], seconds, delta=0.01)

    def test_has_advice(self):
        rules = {advice["rule"] for advice in self.report["advice"]}
        self.assertLessEqual({"very-short", "cpu-low", "memory-mostly-unused", "cpus-idle-at-end"}, rules)

    def test_is_read_at_a_terminal_by_its_owner(self):
        text = site.ask_cli("report", "--full", self.job, user="ada")
        for part in (f"Job {self.job}", NAME, "COMPLETED", "Found in: the archive of the site", "Very short run"):
            self.assertIn(part, text)
        self.check_efficiency(self.cpu_bar(text))

    def test_is_a_page(self):
        root = etree.fromstring(site.ask_cli("report", "--html", self.job, user="ada"))
        self.assertEqual(root.find("body/h1").text, f"Job {self.job}")

    def test_is_of_nobody_else(self):
        done = site.run_cli("report", self.job, user="ben")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(f"{self.job}: no such job was found: no such job in the archive", done.stderr)


class Page(Ended):
    def test_of_a_job_is_for_its_owner(self):
        status, text = site.page(f"/job/{self.uuid}", "ada")
        self.assertEqual(status, 200)
        for part in (self.job, NAME, "Over time", "Energy and emissions"):
            self.assertIn(part, text)

    def test_of_a_job_is_for_nobody_else(self):
        self.assertEqual(site.page(f"/job/{self.uuid}", "ben")[0], 404)
        ben = wait_for("the archive knows of it", 60, lambda: site.report(Jobs.ben), every=0.5)["job"]["uuid"]
        self.assertEqual([site.page(f"/job/{ben}", user)[0] for user in ("ben", "ada", "root")], [200, 404, 200])

    def test_has_ones_own_jobs_alone(self):
        for user, own, other in (("ada", Jobs.ada, Jobs.ben), ("ben", Jobs.ben, Jobs.ada)):
            status, text = site.page("/", user)
            self.assertEqual((status, f">{own}<" in text, f">{other}<" in text), (200, True, False), user)

    def test_is_for_nobody_who_is_not_known(self):
        with self.assertRaises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(f"{site.server.url}/job/{self.uuid}", timeout=10 * SLOWNESS)
        self.assertEqual(caught.exception.code, 401)


class Comment(Ended):
    """What jobstats reads from Slurm's accounting."""

    def test_is_there_as_it_was_written(self):
        kept = site.lab.accounted(self.job, "admincomment")
        self.assertEqual(kept, Jobs.comment)
        summary = json.loads(gzip.decompress(base64.b64decode(kept.removeprefix("JS1:"))))
        tap.comment(f"{summary}")
        node, figures = summary["nodes"][NODE], Jobs.figures_then
        self.assertEqual((list(summary["nodes"]), node["cpus"], node["total_memory"]), ([NODE], CPUS, 600 * MEGABYTE))
        self.assertAlmostEqual(node["total_time"], figures["cpu_seconds"], delta=0.2)
        self.assertAlmostEqual(node["total_time"], Jobs.spent, delta=0.5)
        self.assertEqual(node["used_memory"], figures["memory_resident_peak_bytes"])
        self.assertGreaterEqual(summary["total_time"], SHORT_SECONDS)


def main() -> int:
    global site
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    reason = unfit_because()
    if reason:
        tap.skip_all(reason)
    with turn(), tempfile.TemporaryDirectory(prefix="jobmetrics-e2e-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # the jobs' users read the lab's files
        site = Site(*sys.argv[1:4], folder)
        try:
            site.start()
            return tap.run(Jobs, Mail, Report, Page, Comment)
        except Unfit as unfit:
            tap.skip_all(str(unfit))
        finally:
            site.stop()


if __name__ == "__main__":
    sys.exit(main())
