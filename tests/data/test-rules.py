#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether Prometheus' own tool takes the rules that are installed, and what they give for made-up figures."""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(TOP / "tests" / "pylib"))
import tap  # noqa: E402
from rules import metrics_of_the_product  # noqa: E402

RULES = sorted((TOP / "data" / "prometheus").glob("*.yml"))
METRIC = re.compile(r"(?<![:\w])jobmetrics_\w+(?!:)")
RECORDED = re.compile(r"\w+:jobmetrics_\w+:\w+")


class TheRules(unittest.TestCase):
    def promtool(self, *arguments) -> None:
        done = subprocess.run(["promtool", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_are_taken_by_prometheus(self):
        self.promtool("check", "rules", *RULES)

    def test_give_jobs_that_have_ended_what_they_took(self):
        self.promtool("test", "rules", HERE / "accounting.test.yml")

    def test_count_jobs_that_no_scrape_has_seen(self):
        self.promtool("test", "rules", HERE / "ledger.test.yml")

    def test_report_how_well_users_and_accounts_use_what_they_are_given(self):
        self.promtool("test", "rules", HERE / "efficiency.test.yml")

    def test_alert_when_a_job_or_an_exporter_wants_a_look(self):
        self.promtool("test", "rules", HERE / "alerts.test.yml")

    def test_have_alerts_each_of_which_is_seen_to_be_raised_and_not_to_be(self):
        raised = re.findall(r"alertname: (\w+)\n +eval_time: \w+\n +exp_alerts:(.*)\n", (HERE / "alerts.test.yml").read_text(encoding="utf-8"))
        for kind, names in (("raised", {name for name, rest in raised if not rest}), ("not", {name for name, rest in raised if rest == " []"})):
            self.assertEqual(names, set(self.alerts()), kind)

    def test_say_of_each_alert_what_it_means_and_what_may_be_done(self):
        for name, text in self.alerts().items():
            self.assertRegex(text, r"\n +summary: \S", name)
            self.assertRegex(text, r"\n +description: \S", name)

    def test_are_all_in_the_manual(self):
        manual = "".join(page.read_text(encoding="utf-8") for page in TOP.glob("doc/*/*.md"))
        self.assertEqual([name for name in self.alerts() if f"`{name}`" not in manual], [])

    @staticmethod
    def alerts() -> dict[str, str]:
        """By name what stands below it."""
        text = (TOP / "data" / "prometheus" / "jobmetrics.alerts.yml").read_text(encoding="utf-8")
        _, *parts = re.split(r"- alert: ", text)
        return {part.partition("\n")[0]: part for part in parts}

    def test_ask_for_metrics_that_exist(self):
        known = metrics_of_the_product()
        for path in RULES:
            expressions = re.sub(r"(?m)#.*$", "", path.read_text(encoding="utf-8"))
            self.assertEqual(set(METRIC.findall(expressions)) - known, set(), path.name)

    def test_record_all_that_the_manual_and_they_themselves_ask_for(self):
        recorded = {name for path in RULES for name in re.findall(r"record: (\S+)", path.read_text(encoding="utf-8"))}
        self.assertGreater(len(recorded), 5)
        for path in [*RULES, *sorted(TOP.glob("doc/*/*.md"))]:
            self.assertEqual(set(RECORDED.findall(path.read_text(encoding="utf-8"))) - recorded, set(), path.name)


if __name__ == "__main__":
    if shutil.which("promtool") is None:
        tap.skip_all("promtool (Debian package prometheus) is not installed")
    sys.exit(tap.run(TheRules))
