#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a person asks: each question is answered in three clicks from the start page, and by one command in 80 columns.

usage: test-tasks.py MADE-PAGES EXPORTER CLI

Clicks are on links and buttons by their text. To write into a field or to choose from a list, by its label, is none.
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "pylib"), str(HERE.parent / "jobmetrics-cli")]
import tap  # noqa: E402

from browsed import BROWSERS, DESK, BrowserTest, lacks  # noqa: E402
from cli import Terminal  # noqa: E402
from local import ALICE  # noqa: E402
from paged import ADMINISTRATOR, EXPORTER, OWNER, SECONDS, PagesTest  # noqa: E402
from slurm_scripts import write_scripts  # noqa: E402

try:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import Select
except ImportError:
    pass  # lacks() says so

CLI = os.path.abspath(sys.argv[3])
CONFIG = HERE.parent.parent / "data" / "config"
MAX_CLICKS = 3
COLUMNS = 80
WEEK = 7 * 86400
WAITING, IDLE, LAST_MONTH, LATELY, YESTERDAY = range(901, 906)
# Their figures are those of made-pages.c
RUNS_OF_A_MONTH, RUN_SECONDS, KWH_OF_A_RUN = 240, 3600, 2


def find_most_wasteful(now: int) -> int:
    """The job of the last week's that had most memory for nothing: of 16 GiB on each of its two nodes, for as long as it ran."""
    wasted = {}
    for number in range(1, RUNS_OF_A_MONTH + 1):
        start, wall = now - number * 30 * 86400 // RUNS_OF_A_MONTH - 4 * 3600, 600 + number * 2311 % 12000
        if number % 6 in (0, 1, 2) and start + wall > now - WEEK:
            wasted[4100 + number] = 2 * (16 - 2 - number % 14) * wall
    return max(wasted, key=wasted.get)


class TasksTest(PagesTest):
    def setUp(self):
        super().setUp()
        today = datetime.datetime.fromtimestamp(self.now, datetime.UTC).replace(hour=0, minute=0, second=0)
        if self.now - today.replace(day=1).timestamp() < RUN_SECONDS:
            self.skipTest("this month has not lasted as long as a job of it")
        month = today.replace(day=1)
        moments = {
            LAST_MONTH: month - datetime.timedelta(days=10),
            YESTERDAY: today - datetime.timedelta(hours=9, minutes=30),
        }
        n_before = 1 + (moments[YESTERDAY] < month)
        self.energy_before, self.energy_since = (f"{KWH_OF_A_RUN * n:.1f}kWh" for n in (n_before, 3 - n_before))
        for number, kind in ((WAITING, "waiting"), (IDLE, "idle"), (LAST_MONTH, "ended"), (YESTERDAY, "ended"), (LATELY, "ended")):
            now = self.now
            self.now = int(moments[number].timestamp()) if number in moments else now
            self.fill(str(number), kind)
            self.now = now


class Pages(TasksTest, BrowserTest):
    def setUp(self):
        super().setUp()
        self.start_with_scheduler()

    def begin(self, user: str = OWNER) -> None:
        self.browser, self.clicks = self.open(DESK, user), 0
        self.go(self.browser, "/")

    def click(self, text: str) -> None:
        """What is there once the page has been loaded anew."""
        self.clicks += 1
        self.assertLessEqual(self.clicks, MAX_CLICKS)
        (one, *_) = self.browser.find_elements(By.LINK_TEXT, text) or self.browser.find_elements(By.XPATH, f"//button[normalize-space()='{text}']")
        before = self.browser.find_element(By.TAG_NAME, "html")
        one.click()
        self.wait(self.browser, lambda b: b.find_element(By.TAG_NAME, "html") != before)

    def field(self, label: str):
        (name,) = self.browser.find_elements(By.XPATH, f"//label[normalize-space()='{label}']")
        return self.browser.find_element(By.ID, name.get_attribute("for"))

    def write(self, label: str, text: str) -> None:
        self.field(label).send_keys(text)

    def choose(self, label: str, option: str) -> None:
        Select(self.field(label)).select_by_visible_text(option)

    def jobs(self) -> list[str]:
        return [one.text for one in self.browser.find_elements(By.CSS_SELECTOR, "tbody th a[href^='/job/']")]

    def assert_shown(self, *texts: str) -> None:
        shown = " ".join(self.browser.find_element(By.TAG_NAME, "main").text.split())
        for text in texts:
            self.assertIn(text, shown)

    def row(self, first: str) -> list[str]:
        """The cells behind that first one."""
        (row,) = self.browser.find_elements(By.XPATH, f"//tr[th[normalize-space()='{first}']]")
        return [cell.text for cell in row.find_elements(By.TAG_NAME, "td")]

    def test_which_of_my_jobs_last_week_wasted_most_memory(self):
        self.begin()
        self.click("Memory unused")
        self.assertEqual(self.jobs()[0], str(find_most_wasteful(self.now)))

    def test_why_did_4102_fail(self):
        self.begin()
        self.write("Search jobs", "4102")
        self.click("Search")
        self.click("4102")
        self.assert_shown("Verdict: trouble: Failed", "exit code 1")

    def test_who_idles_gpus_now(self):
        self.begin(ADMINISTRATOR)
        self.click("Jobs")
        self.choose("State", "Running")
        self.click("Show")
        self.click(str(4100 + IDLE))
        self.assert_shown("User daemon", "Verdict: waste: No GPU was used", "3h00m")

    def test_is_this_run_slower_than_the_last(self):
        self.begin()
        self.write("Search jobs", "4106")
        self.click("Search")
        self.click("4106")
        self.click("Compare with the run before")
        self.assertEqual([one.split() for one in self.row("Run time")], [["1h12m12s"], ["41m06s", "-43%"]])

    def test_what_did_my_group_use_this_month(self):
        self.begin()
        self.click("Accounts")
        self.click("tides")
        self.click("This month")
        self.assert_shown("Account tides", f"Energy {self.energy_since}")

    def test_why_is_my_job_still_waiting(self):
        self.begin()
        self.click(str(4100 + WAITING))
        self.assert_shown("Verdict: waiting", "The scheduler's reason is Priority: jobs with a higher priority come first.")

    def test_who_used_node_n1_yesterday_at_14(self):
        self.begin(ADMINISTRATOR)
        self.click("Jobs")
        self.write("Node", "n1")
        self.write("Since", "yesterday 14:00")
        self.write("Until before", "yesterday 14:01")
        self.click("Show")
        self.assertEqual(self.jobs(), [str(4100 + YESTERDAY)])
        self.assert_shown("daemon")

    def test_was_my_last_job_any_good(self):
        self.begin()
        self.choose("Order", "Ended last")
        self.click("Show")
        last = self.jobs()[0]
        self.click(last)
        self.assertEqual(last, str(4100 + LATELY))
        self.assert_shown("Verdict: not enough data", "Unknown: CPU use, memory use")

    def test_how_much_energy_did_an_account_use_last_month(self):
        self.begin()
        self.click("Accounts")
        self.click("tides")
        self.click("Last month")
        self.assert_shown(f"Energy {self.energy_before}")

    def test_which_nodes_are_drained_and_why(self):
        self.begin()
        self.click("Cluster")
        self.assert_shown("Nodes that are drained or down, with the reason")
        self.assertIn('disk | broken "sda" = bad ünïcode', self.row("rec4"))


class Asked(TasksTest):
    def start_for(self, user: str) -> None:
        self.login, config = self.folder / "login", self.folder / "web.yml"
        self.login.write_text(f"username={user}\npassword=secret\n")
        self.login.chmod(0o600)
        config.write_text(f"basic_auth_users:\n  {user}: {ALICE}\n")
        self.launch([EXPORTER, "server", f"--server.store={self.store}", "--web.listen-address=127.0.0.1:0", f"--web.config.file={config}"],
                    r"listening on 127", "stderr")
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", self.said)[1])



class Commands(Asked):
    def show(self, *command: str) -> list[str]:
        with Terminal(CLI, *command, columns=COLUMNS) as terminal:
            text = re.sub(r"\x1b\[[0-9;]*m", "", terminal.finish())
            self.assertEqual(terminal.status, 0, text)
        lines = text.splitlines()
        self.assertLessEqual(max(map(len, lines)), COLUMNS, text)
        return lines

    def ask(self, command: str, *more: str, user: str = OWNER) -> list[str]:
        self.start_for(user)
        return self.show(command, f"--server=http://127.0.0.1:{self.port}", f"--login-file={self.login}", *more)

    def ask_scheduler(self, *command: str) -> list[str]:
        scripts = self.folder / "slurm"
        scripts.mkdir()
        write_scripts(scripts)
        return self.show(*command, f"--cluster.scheduler=slurm,cluster=alps,directory={scripts}")

    def cells(self, lines: list[str], row: int) -> dict[str, str]:
        """By the titles above them."""
        return dict(zip(re.split(r" {2,}", lines[0].strip()), re.split(r" {2,}", lines[row].strip()), strict=False))

    def assert_told(self, lines: list[str], *texts: str) -> None:
        told = " ".join(" ".join(lines).split())
        for text in texts:
            self.assertIn(text, told)

    def test_which_of_my_jobs_last_week_wasted_most_memory(self):
        lines = self.ask("history", "--since=-7d", "--sort=-memory_unused_byte_seconds")
        first = self.cells(lines, 1)
        self.assertEqual(first["JOBID"], str(find_most_wasteful(self.now)))
        self.assertRegex(first["MEM-UNUSED"], r"^[1-9]\d*GiBh$")

    def test_why_did_4102_fail(self):
        self.assert_told(self.ask("report", "4102"), "Verdict: trouble: Failed", "exit code 1")

    def test_who_idles_gpus_now(self):
        lines = self.ask("history", "--all", "--state=RUNNING", "--sort=gpu", user=ADMINISTRATOR)
        first = self.cells(lines, 1)
        self.assertEqual((first["JOBID"], first["USER"], first["GPU%"]), (str(4100 + IDLE), "daemon", "0.0"))

    def test_is_this_run_slower_than_the_last(self):
        lines = self.ask("compare", "4106")
        self.assertEqual(lines[0].split(), ["4112", "4106"])
        (run_time,) = [line for line in lines if re.match("Run time  ", line)]
        self.assertEqual(run_time.split()[2:], ["1h12m12s", "41m06s", "-43%"])

    def test_was_the_energy_of_4106_measured(self):
        lines = self.ask("history", "--job=4106", "--columns=jobid,energy")
        self.assertRegex(lines[1], r"^4106 +~\d+kJ$")
        self.assertEqual(lines[-1], "~ is estimated, not measured")

    def test_what_did_my_group_use_this_month(self):
        lines = self.ask("usage", "--by=account", "--account=tides")
        self.assertEqual((self.cells(lines, 1)["ACCOUNT"], self.cells(lines, 1)["ENERGY"]), ("tides", self.energy_since))

    def test_why_is_my_job_still_waiting(self):
        self.assert_told(self.ask("report", str(4100 + WAITING)), "waiting", "The scheduler's reason is Priority: jobs with a higher priority come first.")

    def test_why_do_jobs_wait_by_the_scheduler(self):
        lines = self.ask_scheduler("queue", "--state=PENDING", "--user=ben")
        self.assertIn("DependencyNeverSatisfied", [self.cells(lines, row)["REASON"] for row in range(1, len(lines))])

    def test_who_used_node_n1_yesterday_at_14(self):
        lines = self.ask("history", "--node=n1", "--at=yesterday 14:00", user=ADMINISTRATOR)
        self.assertEqual(len(lines), 2, lines)
        self.assertEqual((self.cells(lines, 1)["JOBID"], self.cells(lines, 1)["USER"]), (str(4100 + YESTERDAY), "daemon"))

    def test_was_my_last_job_any_good(self):
        first = self.cells(self.ask("history", "--limit=1"), 1)
        self.assertEqual((first["JOBID"], first["VERDICT"]), (str(4100 + LATELY), "not enough data"))

    def test_how_much_energy_did_an_account_use_last_month(self):
        lines = self.ask("usage", "--by=account", "--account=tides", "--since=last month", "--until=this month")
        self.assertEqual((self.cells(lines, 1)["ACCOUNT"], self.cells(lines, 1)["ENERGY"]), ("tides", self.energy_before))

    def test_which_nodes_are_drained_and_why(self):
        lines = self.ask_scheduler("nodes", "--reasons")
        self.assertEqual(len(lines), 2, lines)
        self.assertIn('disk | broken "sda" = bad', self.cells(lines, 1)["REASON"])


class Examples(Asked):
    """Of other programs that show a user's runs: what they ask is answered, with the members that they take."""

    def fill_address(self, address: str) -> str:
        values = {"__user.login": OWNER, "__from:date:seconds": str(self.now - WEEK), "__to:date:seconds": str(self.now)}
        return re.sub(r"\$\{([^}]+)\}", lambda found: values[found[1]], address)

    def test_the_panels_of_grafana_have_rows_with_each_of_their_columns(self):
        self.start()
        panels = json.loads((CONFIG / "grafana-my-jobs.json").read_text())["panels"]
        for target in [target for panel in panels for target in panel["targets"]]:
            rows = json.loads(self.page(self.fill_address(target["url"])))[target["root_selector"]]
            lacks_of = [{column["selector"] for column in target["columns"]} - set(row) for row in rows]
            self.assertIn(set(), lacks_of, target["url"])

    def test_the_widget_of_open_ondemand_takes_what_there_is(self):
        text = (CONFIG / "ondemand-my-jobs.html.erb").read_text()
        self.start_for(OWNER)
        command = [CLI, *re.search(r"%w\[jobmetrics-cli ([^\]]+)\]", text)[1].split(), f"--server=http://127.0.0.1:{self.port}", f"--login-file={self.login}"]
        jobs = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=SECONDS).stdout)
        self.assertEqual(len(jobs), 10)
        members = set(re.findall(r"job\['(\w+)'\]", text))
        self.assertEqual(members, {"uuid", "raw_id", "name", "state"})
        for job in jobs:
            self.assertLessEqual(members, set(job))
            self.assertTrue(job["verdict"]["title"])


if __name__ == "__main__":
    classes = [Commands, Examples, Pages]
    if reason := lacks():
        tap.comment(f"SKIP the pages: {reason}")
        classes.remove(Pages)
    try:
        failed = tap.run(*classes, part=Pages not in classes)
    finally:
        BROWSERS.close()
    sys.exit(failed)
