#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What Python reads out of an archive, from its database and from a server that has it, and imports into one.

usage: test-archive.py EXPORTER MAKE-ARCHIVE CLI
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from datetime import datetime, timezone

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pylib"))
import tap  # noqa: E402
import unix_socket  # noqa: E402
from introspection import JobMetrics  # noqa: E402
from gi.repository import Gio, GLib  # noqa: E402, I001

SECONDS = 60
GRID_ENGINE = pathlib.Path(__file__).resolve().parent.parent / "fixtures" / "gridengine-log" / "accounting"
GIB = 2**30
NOW = int(time.time())
HOUR, DAY = 3600, 86400

WAITS = ("compared_waits", "usual_wait_seconds", "long_wait_seconds", "expected_start_time", "wait_error_seconds", "scheduler_start_error_seconds")


def described_member(job: int, minutes: int, cpus: int = 2, user: str = "eve") -> str:
    """A line about a run of a series."""
    start = NOW - (60 + 20 - job) * DAY
    return f"{job} user_name={user} account=physics state=COMPLETED start_time={start} end_time={start + 60 * minutes} nodes=1 cpus={cpus} name=%'\";--"


def described_holder(job: int, seconds: int, user: str = "holder", place: str = "partition=batch node_list=n1") -> str:
    """A line about a run that goes on, and uses two of its CPUs. Of the GPUs of a new one its scheduler lists what it asked for alone."""
    return (
        f"{job} user_name={user} account=biology {place} state=RUNNING reason=Resources start_time={NOW - seconds} seen_time={NOW} nodes=1"
        f" cpus=16 cpu_us={2 * seconds * 1000000} memory_allocated_bytes={64 * GIB} memory_peak_bytes={(8 if seconds > 600 else 0) * GIB}"
        + (" gpus_allocated=1" if seconds > 600 else " gpus_requested=2")
    )


def described_waiter(job: int, partition: str = "batch", reason: str = "Priority", user: str = "waiter", nodes: int = 1) -> str:
    return (
        f"{job} user_name={user} account=biology partition={partition} state=PENDING reason={reason} submit_time={NOW - 100 + job} seen_time={NOW}"
        f" nodes={nodes} cpus={4 * nodes} memory_requested_bytes={16 * nodes * GIB}"
    )


def described_sleeper(hours: int) -> str:
    """Run number `hours` of a partition waited so long, and began six hours after the one before; its scheduler was wrong by 45 s."""
    start = NOW - 20 * DAY + hours * 6 * HOUR
    return (
        f"{100 + hours} user_name=sleeper account=night partition=night state=COMPLETED submit_time={start - hours * HOUR} start_time={start}"
        f" end_time={start + 60} scheduler_start_time={start - 45} time_limit_seconds={2 * HOUR if hours % 2 else 3 * HOUR} nodes=1 cpus={4 + hours % 3}"
    )


def described_run(job: int, user: str, days_ago: int, used_gib: int) -> str:
    """A line of make-archive's input."""
    account = "physics" if user == "ada" else "chemistry"
    end = NOW - days_ago * DAY
    return (
        f"{job} user_name={user} account={account} state=COMPLETED start_time={end - 3600} end_time={end} nodes=1 cpus={1 if user == 'bob' else 2} gpus_allocated=0"
        f" cpu_us={3600 * 1000000} memory_allocated_bytes={8 * GIB} memory_peak_bytes={used_gib * GIB}"
        + (f" step=batch step.cpus=2 step.cpu_us=1500000 step.start_time={NOW - DAY}" if job == 1 else "")
    )


class Readers:
    """The same of both kinds of an archive."""

    place: str

    def setUp(self):
        self.archive = JobMetrics.Archive.open(self.place, None, None)

    def test_list_the_runs_of_last_week_by_the_memory_that_they_left_unused(self):
        wanted = JobMetrics.RunFilter.new()
        wanted.set_users(["ada"])
        wanted.set_period(NOW - 7 * DAY, 0)
        wanted.set_sort("-memory_unused_byte_seconds")
        runs = self.archive.list_runs(wanted, 0, None)
        self.assertEqual([run["raw_id"] for run in runs], ["3", "1", "2"])
        self.assertEqual([run["raw_id"] for run in self.archive.list_runs(wanted, 2, None)], ["3", "1"])

    def refusal(self, *question: object) -> int:
        with self.assertRaises(GLib.Error) as caught:
            self.archive.ask(*question, None)
        return caught.exception.code

    def test_answer_in_the_words_of_grafana(self):
        def ask(name: str, **body: object) -> object:
            return json.loads(self.archive.ask(f"/grafana/{name}", None, GLib.Bytes.new(json.dumps(body).encode()), None).get_data())

        self.assertEqual(json.loads(self.archive.ask("/grafana", None, None, None).get_data()), {"status": "ok"})
        self.assertLessEqual({"ada", "bob"}, set(ask("search", target="users")))
        week = {name: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(NOW + days * DAY)) for name, days in (("from", -7), ("to", 1))}
        (table,) = ask("query", range=week, targets=[{"target": "jobs", "payload": {"user": "bob"}}])
        self.assertEqual([row[2:5] for row in table["rows"]], [["5", None, "bob"]])
        self.assertEqual(self.refusal("/grafana/query", None, GLib.Bytes.new(b"{}")), JobMetrics.Error.INVALID)
        self.assertEqual(self.refusal("/grafana/nothing", None, None), JobMetrics.Error.ABSENT)

    def test_answer_in_the_words_of_ceems(self):
        answer = json.loads(self.archive.ask("/ceems/api/v1/users/admin", ["role", "user"], None, None).get_data())
        self.assertLessEqual({("ada", "physics"), ("bob", "chemistry")}, {(one["name"], one["projects"][0]) for one in answer["data"]})
        self.assertEqual(self.refusal("/ceems/api/v1/units", ["from", "yesterday"], None), JobMetrics.Error.INVALID)

    def test_take_a_users_place_as_administrators_of_the_stats_server_do(self):
        def jobs(user: str) -> list[dict]:
            window = ["X-Dashboard-User", user, "from", str(NOW - 30 * DAY), "to", str(NOW)]
            return json.loads(self.archive.ask("/batchjob/api/jobs", window, None, None).get_data())["data"]

        self.assertEqual({job["user"] for job in jobs("bob")}, {"bob"})
        self.assertLessEqual({"ada", "bob"}, {job["user"] for job in jobs("all")})

    def test_make_a_table_of_runs(self):
        wanted = JobMetrics.RunFilter.new()
        wanted.set_users(["ada"])
        wanted.set_period(NOW - 7 * DAY, 0)
        wanted.set_sort("-memory_unused_byte_seconds")
        table = JobMetrics.Table.new_of_runs("jobid,elapsed,mem_alloc,peak")
        table.add_optional_columns("energy,peak")
        for run in self.archive.list_runs(wanted, 2, None):
            table.add_run(run, None, None)
        self.assertEqual([quantity.name for quantity in table.list_columns()][:2], ["jobid", "elapsed_seconds"])
        self.assertEqual(
            [line.split() for line in table.to_text(80, True, False).splitlines()],
            [["JOBID", "ELAPSED", "MEM-ALLOC", "PEAK"], ["3", "1h00m00s", "8.0GiB", "1.0GiB"], ["1", "1h00m00s", "8.0GiB", "4.0GiB"]],
        )
        self.assertEqual([row["memory_peak_bytes"] for row in json.loads(table.to_json())], [GIB, 4 * GIB])
        self.assertEqual(table.to_csv(True).splitlines()[1], f"3,3600,{8 * GIB},{GIB},,")
        with self.assertRaises(GLib.Error):
            JobMetrics.Table.new_of_runs("jobid,moods")

    def test_find_runs_by_the_verdict_that_the_archive_has_of_them(self):
        wanted = JobMetrics.RunFilter.new()
        wanted.set_verdicts(["waste"])
        wanted.set_sort("-memory_unused_byte_seconds")
        runs = self.archive.list_runs(wanted, 0, None)
        self.assertEqual([run["raw_id"] for run in runs], ["4", "3", "1", "2"])
        self.assertEqual({run["verdict_kind"] for run in runs}, {"waste"})
        self.assertEqual({run["verdict"] for run in runs}, {"waste: One CPU of 2 was used"})
        wanted.set_verdicts(["good", "trouble"])
        self.assertEqual([run["raw_id"] for run in self.archive.list_runs(wanted, 0, None)], ["5"])
        with self.assertRaises(GLib.Error) as caught:
            wanted.set_verdicts(["splendid"])
        self.assertTrue(caught.exception.matches(JobMetrics.Error.quark(), JobMetrics.Error.INVALID))

    def test_take_one_run_after_the_other(self):
        taken = []
        wanted = JobMetrics.RunFilter.new()
        wanted.set_users(["ada", "bob"])
        wanted.set_sort("start")
        self.archive.read_runs(wanted, 0, lambda run, _: taken.append(run["raw_id"]), None, None)
        self.assertEqual(taken, ["4", "2", "1", "3", "5"])

    def test_find_a_job_s_newest_run(self):
        run, n_runs = self.archive.find_job("3", "alps", None)
        self.assertEqual((run["raw_id"], n_runs), ("3", 1))
        with self.assertRaises(GLib.Error) as caught:
            self.archive.find_job("77", None, None)
        self.assertTrue(caught.exception.matches(JobMetrics.Error.quark(), JobMetrics.Error.ABSENT))

    def test_read_a_run_with_its_parts_and_its_report(self):
        run, _ = self.archive.find_job("1", None, None)
        uuid = run["uuid"]
        whole = self.archive.find_run(uuid, None)
        self.assertEqual((whole["cluster"], whole["jobid"], whole["user"], whole["memory_peak_bytes"]), ("alps", "1", "ada", 4 * GIB))
        self.assertEqual((whole["end_time"] - whole["start_time"]).total_seconds(), whole["elapsed_seconds"])
        self.assertEqual(whole["cpu_efficiency_percent"], 100 * whole["cpu_seconds"] / whole["cpus"] / whole["elapsed_seconds"])
        self.assertEqual(set(dict(whole)), {quantity.name for quantity in JobMetrics.Run.list_quantities()})
        with self.assertRaises(KeyError):
            whole["mem"]
        made = JobMetrics.Run.new("alps", "7")
        made["user"], made["cpu_seconds"], made["uid"] = "ada", 1.5, 1000
        self.assertEqual({name: value for name, value in dict(made).items() if value is not None},
                         {"cluster": "alps", "raw_id": "7", "jobid": "7", "user": "ada", "cpu_seconds": 1.5, "uid": 1000})
        (step,) = whole.steps
        self.assertEqual((step.name, step.node, step["cpus"], step["cpu_seconds"], step.memory_peak_bytes), ("batch", None, 2, 1.5, None))
        self.assertIs(type(step.cpus), int)
        self.assertEqual(step.start_time, datetime.fromtimestamp(NOW - DAY, timezone.utc))
        self.assertEqual({name for name, value in dict(step).items() if value is not None}, {"name", "cpus", "cpu_seconds", "start_time"})
        with self.assertRaises(AttributeError):
            step.gpu_model
        self.assertEqual((whole.nodes, whole.devices, whole.energies), ([], [], []))
        report = self.archive.read_report(uuid, None)
        self.assertEqual(report.get_value(JobMetrics.Quantity.of_run("cpu_efficiency_percent")), (True, 50))
        self.assertEqual(json.loads(report.to_json([]))["job"]["raw_id"], "1")
        self.assertTrue(self.archive.add_series(report, None))

    def test_compare_a_run_with_the_others_of_its_job(self):
        """Of series 11 to 15 that took 50 to 70 minutes, and 16 that took three hours; 17 had twice the CPUs, 18 is another user's."""
        figures = {}
        for job in ("11", "16", "17", "18"):
            run, _ = self.archive.find_job(job, None, None)
            report = self.archive.read_report(run["uuid"], None)
            self.assertTrue(self.archive.add_siblings(report, None))
            figures[job] = json.loads(report.to_json([]))["figures"]
        long = figures["16"]
        self.assertEqual((long["siblings"], long["usual_elapsed_seconds"], long["elapsed_of_usual"]), (5, 3600, 3))
        # the median of 10, 5, 0, 5 and 10 minutes is the median deviation
        self.assertAlmostEqual(long["elapsed_deviation"], 120 / (1.4826 * 5), places=9)
        # what came after a run does not count
        self.assertFalse({"siblings", "usual_elapsed_seconds", "elapsed_deviation"} & {*figures["11"], *figures["17"], *figures["18"]})

    def test_suggest_what_the_next_run_should_ask_for(self):
        run, _ = self.archive.find_job("16", None, None)
        suggestion = self.archive.suggest(run["user"], None, run["name"], JobMetrics.RUN_SUGGESTION_CONFIDENCE, None)
        self.assertGreaterEqual(suggestion.get_n_runs(), 6)
        self.assertIn(f" of {run['name']}", suggestion.to_string())
        with self.assertRaisesRegex(GLib.Error, "no run of nobody called none in the last 180 days"):
            self.archive.suggest("nobody", None, "none", 0.95, None)

    def test_suggest_with_the_confidence_that_servers_accept(self):
        run, _ = self.archive.find_job("16", None, None)
        for confidence in (0.5, 0.99):
            self.assertGreaterEqual(self.archive.suggest(run["user"], None, run["name"], confidence, None).get_n_runs(), 6)
        for confidence in (-1, 0, 0.49, 0.995, 1, float("nan")):
            with self.assertRaisesRegex(GLib.Error, "not from 0.5 to 0.99") as caught:
                self.archive.suggest(run["user"], None, run["name"], confidence, None)
            self.assertTrue(caught.exception.matches(JobMetrics.Error.quark(), JobMetrics.Error.INVALID))

    def test_make_a_data_frame_of_runs(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        wanted = JobMetrics.RunFilter.new()
        wanted.set_users(["ada", "bob"])
        table = self.archive.to_dataframe(wanted)
        self.assertEqual(list(table.index), ["5", "3", "1", "2", "4"])
        self.assertEqual((table.loc["2", "user"], table.loc["2", "account"]), ("ada", "physics"))
        self.assertEqual((table.loc["2", "cpu_efficiency_percent"], table.loc["2", "memory_peak_bytes"]), (50, 7 * GIB))
        self.assertEqual(table.loc["2", "end_time"] - table.loc["2", "start_time"], pandas.Timedelta(hours=1))
        # nobody measured its energy
        self.assertNotIn("energy_joules", table.columns)
        wanted.set_users(["nobody"])
        self.assertTrue(self.archive.to_dataframe(wanted).empty)
        self.assertEqual(list(self.archive.to_dataframe(max=1).index), list(self.archive.to_dataframe().index[:1]))

    def test_show_a_report_in_a_notebook(self):
        run, _ = self.archive.find_job("1", None, None)
        page = self.archive.read_report(run["uuid"], None)._repr_html_()
        self.assertIn("<title>Job 1</title>", page)
        self.assertIn("<h2>Verdict: ", page)

    def statistics(self, groups: JobMetrics.UsageGroups, *users: str, **chosen: object) -> list[dict]:
        wanted = JobMetrics.RunFilter.new()
        wanted.set_users(users)
        for name, value in chosen.items():
            getattr(wanted, f"set_{name}")(value)
        return self.archive.list_statistics(wanted, groups, None).unpack()

    def test_find_how_runs_fared(self):
        """Each of ada's used one of two CPUs for an hour, and 4, 7, 1 and 1 of 8 GiB; bob's used its CPU and 7 GiB. Nobody knows when they were submitted."""
        bob, ada = sorted(self.statistics(JobMetrics.UsageGroups.USER, "ada", "bob"), key=lambda row: row["runs"])
        self.assertEqual((bob["user"], bob["runs"], bob["cpu_efficiency_ratio"], bob["allocated_cpu_seconds"]), ("bob", 1, 1, HOUR))
        expected = {"user": "ada", "runs": 4, "completed_runs": 4, "failed_runs": 0, "duration_median_seconds": HOUR, "allocated_cpu_seconds": 8 * HOUR,
                    "cpu_efficiency_ratio": 0.5, "unused_cpu_seconds": 4 * HOUR, "memory_efficiency_ratio": 13 / 32, "lost_cpu_seconds": 0}
        self.assertEqual({name: ada[name] for name in expected}, expected)
        self.assertFalse({"wait_median_seconds", "energy_joules", "cluster", "day_start_time"} & set(ada))
        self.assertEqual(self.statistics(JobMetrics.UsageGroups.USER, "ada", states=["FAILED"]), [])
        self.assertEqual(self.statistics(JobMetrics.UsageGroups.NONE, "nobody")[0]["runs"], 0)

    def test_find_how_long_runs_waited(self):
        """24 runs waited 1 to 24 hours."""
        by = JobMetrics.UsageGroups
        (night,) = self.statistics(by.PARTITION | by.STATE, "sleeper")
        self.assertEqual((night["partition"], night["state"], night["runs"]), ("night", "COMPLETED", 24))
        waits = [night[f"wait_{name}_seconds"] / HOUR for name in ("min", "median", "mean", "p90", "max")]
        self.assertEqual(waits, [1, 12, 12.5, 22, 24])
        days = self.statistics(by.DAY, "sleeper")
        self.assertEqual(sum(day["runs"] for day in days), 24)
        self.assertEqual(days[0]["day_start_time"], (NOW - 20 * DAY + 6 * HOUR + 60) // DAY * DAY)

    def test_refuse_statistics_that_are_not_kept(self):
        for groups, chosen in ((JobMetrics.UsageGroups.MONTH, {}), (JobMetrics.UsageGroups.USER, {"job": "1"}), (JobMetrics.UsageGroups.USER, {"name": "a"})):
            with self.assertRaises(GLib.Error) as caught:
                self.statistics(groups, "ada", **chosen)
            self.assertTrue(caught.exception.matches(JobMetrics.Error.quark(), JobMetrics.Error.INVALID))

    def test_list_the_names_of_users_with_their_runs_and_days(self):
        """Ada's last run ended a day ago, and her first one began an hour before 20 days ago."""
        by, runs, days = JobMetrics.UsageGroups, {}, {}
        wanted = JobMetrics.RunFilter.new()
        wanted.set_accounts(["physics", "chemistry"])
        for sums in self.archive.list_usage(wanted, by.USER | by.DAY, None):
            name = sums.get_name(by.USER)
            runs[name] = runs.get(name, 0) + sums.get_amount(JobMetrics.UsageQuantity.RUNS)
            days.setdefault(name, []).append(sums.get_day())
        self.assertEqual({name: runs[name] for name in ("ada", "bob")}, {"ada": 4, "bob": 1})
        self.assertEqual((min(days["ada"]), max(days["ada"])), ((NOW - 20 * DAY - HOUR) // DAY * DAY, (NOW - DAY - 1) // DAY * DAY))

    def test_refuse_sums_by_how_runs_ended(self):
        wanted, state = JobMetrics.RunFilter.new(), JobMetrics.UsageGroups.STATE
        for what, list_sums in (("days", lambda: self.archive.list_usage(wanted, state, None)), ("runs", lambda: self.archive.list_totals(wanted, state, None, None))):
            with self.assertRaisesRegex(GLib.Error, f"sums of {what} are not by .*state") as caught:
                list_sums()
            self.assertTrue(caught.exception.matches(JobMetrics.Error.quark(), JobMetrics.Error.INVALID))

    def test_add_up_usage_by_account(self):
        wanted = JobMetrics.RunFilter.new()
        wanted.set_users(["ada", "bob"])
        wanted.set_period(NOW - 30 * DAY, 0)
        usage = self.archive.list_usage(wanted, JobMetrics.UsageGroups.ACCOUNT, None)
        runs = {sums.get_name(JobMetrics.UsageGroups.ACCOUNT): sums.get_amount(JobMetrics.UsageQuantity.RUNS) for sums in usage}
        self.assertEqual(runs, {"chemistry": 1, "physics": 4})
        groups = JobMetrics.UsageGroups.ACCOUNT | JobMetrics.UsageGroups.DAY
        self.assertEqual(JobMetrics.usage_groups_parse("account,day"), groups)
        with self.assertRaises(GLib.Error):
            JobMetrics.usage_groups_parse("account,moon")
        table = JobMetrics.Table.new_of_sums("account,runs,allocated_cpu_seconds,cpu_seconds,energy_joules,currency")
        for sums in usage:
            table.add_usage(sums)
        with self.assertRaises(GLib.Error):
            table.sort("month", True)
        table.sort("runs", True)
        # ada's have two CPUs for an hour, bob's one, and each used one; the currency is of costs
        self.assertEqual(
            [line.split() for line in table.to_text(80, True, False).splitlines()],
            [["ACCOUNT", "RUNS", "CPU-HOURS", "CPU-TIME", "ENERGY"], ["physics", "4", "8.0", "4h00m00s", "-"], ["chemistry", "1", "1.0", "1h00m00s", "-"]],
        )
        rows = [{"account": "physics", "runs": 4, "allocated_cpu_seconds": 8 * HOUR, "cpu_seconds": 4 * HOUR}]
        rows.append({"account": "chemistry", "runs": 1, "allocated_cpu_seconds": HOUR, "cpu_seconds": HOUR})
        self.assertEqual([json.loads(line) for line in table.to_json_lines().splitlines()], rows)
        self.assertEqual(json.loads(table.to_json()), rows)
        table.sort("account", False)
        self.assertEqual([line.split(",")[0] for line in table.to_csv(False).splitlines()], ["chemistry", "physics"])

    def test_add_up_what_runs_left_unused_and_cost(self):
        wanted = JobMetrics.RunFilter.new()
        wanted.set_users(["ada", "bob"])
        wanted.set_period(NOW - 30 * DAY, 0)
        prices = JobMetrics.PriceList.new_from_text("prices.conf", b"[all]\nCpuHour=0.5\n[chemistry]\nAccount=chemistry\nKwh=1\n")
        account = JobMetrics.UsageGroups.ACCOUNT
        sums = {totals.get_name(account): totals for totals in self.archive.list_totals(wanted, account, prices, None)}
        self.assertEqual(list(sums), ["chemistry", "physics"])
        quantities = {quantity.name: quantity for quantity in JobMetrics.RunTotals.list_quantities()}
        found = {name: sums["physics"].get_value(quantity) for name, quantity in quantities.items()}
        self.assertEqual(found["runs"], (True, 4))
        # of two CPUs for an hour each used one; of 8 GiB 4, 7, 1 and 1
        self.assertEqual((found["cpu_unused_seconds"], found["cpu_efficiency_percent"]), ((True, 4 * 3600), (True, 50)))
        self.assertEqual(found["memory_unused_byte_seconds"], (True, (4 + 1 + 7 + 7) * GIB * 3600))
        self.assertEqual((found["cost"], found["unpriced_runs"]), ((True, 4), (True, 0)))
        self.assertFalse(found["gpu_unused_seconds"][0] or found["idle_cpus"][0])
        # nobody measured its energy
        self.assertEqual([sums["chemistry"].get_value(quantities[name]) for name in ("cost", "unpriced_runs")], [(True, 0), (True, 1)])

    def test_group_runs_with_sums_and_medians(self):
        """Each of ada's used one of two CPUs for an hour, and 4, 7, 1 and 1 of 8 GiB; bob's used its CPU and 7 GiB."""
        wanted = JobMetrics.RunFilter.new()
        wanted.set_users(["ada", "bob"])
        wanted.set_period(NOW - 30 * DAY, 0)
        by = JobMetrics.UsageGroups
        for group, names in ((by.USER, ["ada", "bob"]), (by.ACCOUNT, ["physics", "chemistry"]), (by.PARTITION, [""]), (by.CLUSTER, ["alps"]), (by.NONE, [None])):
            found, has_more = self.archive.list_groups(wanted, group, 5, None, None)
            self.assertEqual(([one.get_name(group) for one in found], has_more), (names, False))
        groups, _ = self.archive.list_groups(wanted, by.USER, 100000, "memory_unused_byte_seconds", None)
        table = JobMetrics.Table.new_of_sums(f"user,{JobMetrics.ARCHIVE_GROUP_COLUMNS}")
        for group in groups:
            table.add_totals(group)
        figures = ("median_elapsed_seconds", "allocated_cpu_seconds", "cpu_unused_seconds", "median_cpu_efficiency_percent", "allocated_memory_byte_seconds",
                   "memory_unused_byte_seconds", "median_memory_share_percent", "allocated_gpu_seconds")
        bob = dict(zip(figures, (HOUR, HOUR, 0, 100, 8 * GIB * HOUR, GIB * HOUR, 87.5, 0), strict=True))
        ada = dict(zip(figures, (HOUR, 8 * HOUR, 4 * HOUR, 50, 32 * GIB * HOUR, 19 * GIB * HOUR, 12.5, 0), strict=True))
        self.assertEqual(json.loads(table.to_json()), [{"user": "bob", "runs": 1, **bob}, {"user": "ada", "runs": 4, **ada}])

    def test_group_no_more_runs_than_one_asks_for(self):
        """5, 3 and 1 began last."""
        wanted = JobMetrics.RunFilter.new()
        wanted.set_users(["ada", "bob"])
        groups, has_more = self.archive.list_groups(wanted, JobMetrics.UsageGroups.USER, 3, "-runs", None)
        runs = {quantity.name: quantity for quantity in JobMetrics.RunTotals.list_quantities()}["runs"]
        self.assertEqual([(one.get_name(JobMetrics.UsageGroups.USER), one.get_value(runs)) for one in groups], [("ada", (True, 2)), ("bob", (True, 1))])
        self.assertTrue(has_more)
        with self.assertRaises(GLib.Error) as caught:
            self.archive.list_groups(wanted, JobMetrics.UsageGroups.USER, 3, "-moods", None)
        self.assertTrue(caught.exception.matches(JobMetrics.Error.quark(), JobMetrics.Error.INVALID))

    def test_group_runs_by_the_name_of_their_jobs(self):
        wanted = JobMetrics.RunFilter.new()
        wanted.set_users(["eve", "ada"])
        groups, _ = self.archive.list_groups(wanted, JobMetrics.UsageGroups.NAME, 100, "-runs", None)
        table = JobMetrics.Table.new_of_sums("name,runs,median_elapsed_seconds")
        for group in groups:
            table.add_totals(group)
        # 50 to 70, 60 and 180 minutes of eve's, 60 of ada's, which have no name
        self.assertEqual(table.to_csv(False).splitlines(), ["\"%'\"\";--\",7,3600", ",4,3600"])

    def test_forecast_what_is_spent_of_a_budget(self):
        """Chemistry's run had a CPU for the last hour of the first of six days, which cost 0.5."""
        end = NOW
        begin, over = (time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(end + days * DAY)) for days in (-1, 5))
        prices = JobMetrics.PriceList.new_from_text("prices.conf", f"[all]\nCpuHour=0.5\n[b]\nAccount=chemistry\nFrom={begin}\nTo={over}\nBudget=4\n".encode())
        self.assertEqual(prices.list_problems(), [])
        quantities = {quantity.name: quantity for quantity in JobMetrics.RunTotals.list_quantities()}
        names = ("cost", "budget_used_percent", "budget_forecast")
        for now, expected in ((end - 2 * 3600, [(True, 0), (True, 0), (False, 0)]), (end, [(True, 0.5), (True, 12.5), (True, 3)]),
                              (end + DAY, [(True, 0.5), (True, 12.5), (True, 1.5)]), (end + 9 * DAY, [(True, 0.5), (True, 12.5), (True, 0.5)])):
            (sums,) = self.archive.list_budgets(prices, now, None)
            self.assertEqual([sums.get_value(quantities[name]) for name in names], expected)

    def test_add_up_what_runs_emitted(self):
        """Four runs of physics had two CPUs for an hour each, of a server that embodies a gram an hour for each of its CPUs; nobody measured their energy."""
        wanted = JobMetrics.RunFilter.new()
        wanted.set_accounts(["physics"])
        wanted.set_users(["ada", "bob"])
        wanted.set_period(NOW - 30 * DAY, 0)
        site = JobMetrics.SiteCarbon.new_from_text("carbon.conf", b"[Site]\nPue=1.2\nPueSource=a\n[n]\nKgCo2e=8.766\nYears=1\nCpus=1\nSource=b\n")
        self.assertEqual((site.list_problems(), site.get_pue(0, NOW), site.get_market_factor(0, NOW)[0]), ([], (True, 1.2), False))
        (sums,) = self.archive.list_carbon(wanted, JobMetrics.UsageGroups.NONE, site, None)
        found = {quantity.name: sums.get_value(quantity) for quantity in JobMetrics.RunTotals.list_quantities()}
        self.assertEqual((found["embodied_grams"], found["unembodied_runs"], found["energy_known_percent"]), ((True, 8), (True, 0), (True, 0)))
        self.assertFalse(found["emissions_direct_grams"][0] or found["energy_joules"][0] or found["sci_direct_grams_per_run"][0])

    def test_list_the_queue(self):
        """Why a run waited is not shown of one that has begun."""
        wanted = JobMetrics.RunFilter.new()
        wanted.set_users(["holder", "waiter"])
        wanted.set_states(["PENDING", "RUNNING"])
        table = JobMetrics.Table.new_of_runs("jobid,state,reason,partition,cpus")
        for run in self.archive.list_runs(wanted, 0, None):
            table.add_run(run, None, None)
        table.sort("jobid", False)
        waiting = [[str(job), "PENDING", "Dependency" if job == 36 else "Priority", "other" if job == 35 else "batch", "4"] for job in range(31, 37)]
        running = [[job, "RUNNING", "-", "batch", "16"] for job in ("21", "22")]
        self.assertEqual([line.split() for line in table.to_text(80, False, False).splitlines()], running + waiting)

    def test_say_which_waiting_jobs_would_fit(self):
        """21 holds 16 CPUs and 64 GiB on n1 for two hours, and uses 2 and 8; 22 began just now; 31 to 36 want four and 16 each."""
        wanted = JobMetrics.RunFilter.new()
        wanted.set_users(["holder", "waiter"])
        fitting, n_waiting = self.archive.list_fitting(wanted, None)
        self.assertEqual(([run["raw_id"] for run in fitting], n_waiting), (["31", "32", "33"], 5))
        (totals,) = self.archive.list_totals(wanted, JobMetrics.UsageGroups.NONE, None, None)
        held = {quantity.name: totals.get_value(quantity)[1] for quantity in JobMetrics.RunTotals.list_quantities()}
        self.assertEqual((held["cpus"], held["memory_allocated_bytes"], held["memory_unused_bytes"]), (32, 128 * GIB, 120 * GIB))
        self.assertEqual(held["gpus_allocated"], 3)
        self.assertEqual(held["idle_cpus"], 28)

    def test_say_which_waiting_jobs_would_fit_on_several_nodes(self):
        """23 and 24 leave 14 CPUs and 56 GiB on each of two nodes, room for three parts of four and 16 each: 37 wants three nodes, 41 comes too late."""
        wanted = JobMetrics.RunFilter.new()
        wanted.set_users(["wide"])
        fitting, n_waiting = self.archive.list_fitting(wanted, None)
        self.assertEqual(([run["raw_id"] for run in fitting], n_waiting), (["38", "39", "40", "42"], 6))


    def test_say_when_a_run_that_waits_may_begin(self):
        """Of the 24 runs of the partition that waited 1 to 24 hours, 12 waited longer than the run has so far."""
        run, _ = self.archive.find_job("131", None, None)
        report = self.archive.read_report(run["uuid"], None) if run["uuid"] else JobMetrics.RunReport.new(run, None)
        self.assertTrue(self.archive.add_siblings(report, None))
        known = {name: report.get_value(JobMetrics.Quantity.of_run(name)) for name in WAITS}
        self.assertEqual((known["compared_waits"], known["usual_wait_seconds"], known["long_wait_seconds"]), ((True, 24), (True, 12 * HOUR), (True, 20 * HOUR)))
        self.assertEqual(known["expected_start_time"], (True, NOW - 12.5 * HOUR + 19 * HOUR))
        # the 13th began when ten had begun before it was submitted, of which half had waited 5 hours: 8 too few; so were others by 8 to 14
        self.assertEqual((known["wait_error_seconds"], known["scheduler_start_error_seconds"]), ((True, 11 * HOUR), (True, 45)))
        sentence = JobMetrics.RunVerdict.new(report, []).get_sentence()
        self.assertIn("Of the last 24 similar runs, half began within 12h00m00s of being ready and four of five within 20h00m00s.", sentence)
        self.assertRegex(sentence, r"By what those took that waited longer than it has so far, it begins in about 6h(?:2\dm\d\ds|30m00s)\.")
        self.assertIn("Half of such estimates were off by 11h00m00s or less, half of the scheduler's by 45.00s or less.", sentence)


class ADatabase(Readers, unittest.TestCase):
    cli: str

    def test_says_in_full_at_a_terminal_when_a_run_may_begin(self):
        done = subprocess.run([self.cli, "report", f"--store={self.place}", "131"], capture_output=True, text=True, timeout=SECONDS, check=True)
        self.assertRegex(" ".join(done.stdout.split()), r"it begins in about 6h(?:2\dm\d\ds|30m00s)\. Half of such estimates were off by 11h00m00s or less, .* More: ")
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 80)

    def test_has_no_pages_and_learns_nothing_by_itself(self):
        self.assertIsNone(self.archive.get_url())
        self.assertTrue(self.archive.refresh(None))


class AServer(Readers, unittest.TestCase):
    def test_that_is_not_there_is_named(self):
        gone = JobMetrics.Archive.open("unix:/nonexistent/socket", None, None)
        with self.assertRaises(GLib.Error) as caught:
            gone.list_runs(JobMetrics.RunFilter.new(), 0, None)
        self.assertIn("/nonexistent/socket", str(caught.exception))
        self.assertIn("is jobmetrics-exporter server running there?", str(caught.exception))


class AnImporter(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="jobmetrics-")
        self.addCleanup(holder.cleanup)
        self.place = f"sqlite:{holder.name}/jobs.db"
        self.importer = JobMetrics.Importer.new(self.place, "old")
        self.complaints = []
        self.importer.connect("complained", lambda _, text: self.complaints.append(text))

    def read(self, format: str, text: bytes) -> bool:
        return self.importer.read_stream(format, Gio.MemoryInputStream.new_from_bytes(GLib.Bytes.new(text)), None)

    def test_reads_the_accounting_of_another_scheduler(self):
        progress = []
        self.importer.connect("progressed", lambda _, n_bytes, n_rows: progress.append((n_bytes, n_rows)))
        text = GRID_ENGINE.read_bytes()
        self.assertTrue(self.read("gridengine-log", text))
        archive = JobMetrics.Archive.open(self.place, None, None)
        runs = archive.list_runs(JobMetrics.RunFilter.new(), 0, None)
        self.assertEqual(self.importer.get_n_runs(), sum(line.count(b":") > 40 for line in text.splitlines()))
        self.assertEqual(len({run["raw_id"] for run in runs}), len(runs))
        self.assertEqual({run["cluster"] for run in runs}, {"old"})
        self.assertEqual(sum(n_bytes for n_bytes, _ in progress), len(text))

    def test_passes_over_what_it_cannot_read_and_says_so(self):
        self.assertTrue(self.read("gridengine-log", GRID_ENGINE.read_bytes() + b"nonsense\n" * 20))
        self.assertGreater(self.importer.get_n_runs(), 0)
        self.assertEqual(self.importer.get_n_bad(), 20)
        self.assertEqual(len(self.complaints), 10)

    def test_refuses_what_it_does_not_know(self):
        self.assertIn("sacct", JobMetrics.Importer.list_formats())
        with self.assertRaises(GLib.Error) as caught:
            self.read("xml", b"")
        self.assertIn("xml: no format of accounting", str(caught.exception))
        self.importer = JobMetrics.Importer.new(self.place, None)
        with self.assertRaises(GLib.Error) as caught:
            self.read("sacct", b"")
        self.assertIn("of which cluster", str(caught.exception))


def make_database(make_archive: str, uri: str) -> None:
    runs = ((1, "ada", 2, 4), (2, "ada", 3, 7), (3, "ada", 1, 1), (4, "ada", 20, 1), (5, "bob", 0, 7))
    members = [*((11 + i, minutes) for i, minutes in enumerate((50, 55, 60, 65, 70, 180))), (17, 60, 4), (18, 60, 2, "mal")]
    now = [described_holder(21, 7200), described_holder(22, 60), *map(described_waiter, (31, 32, 33, 34)),
           described_waiter(35, partition="other"), described_waiter(36, reason="Dependency"),
           *map(described_sleeper, range(1, 25)),
           f"131 user_name=sleeper account=night partition=night state=PENDING submit_time={int(NOW - 12.5 * HOUR)} time_limit_seconds={2 * HOUR} nodes=1 cpus=4",
           *(described_holder(job, 7200, "wide", f"partition=wide node_list=n{job}") for job in (23, 24)),
           *(described_waiter(job, "wide", user="wide", nodes=nodes) for job, nodes in ((37, 3), (38, 2), (39, 1), (40, 2), (41, 2), (42, 1)))]
    lines = "".join(f"{line}\n" for line in (*(described_run(*run) for run in runs), *(described_member(*member) for member in members), *now))
    subprocess.run([make_archive, uri], input=lines, text=True, check=True)


def main(exporter: str, make_archive: str, cli: str) -> int:
    with tempfile.TemporaryDirectory(prefix="jobmetrics-") as folder:
        uri, socket = f"sqlite:{folder}/jobs.db", f"{folder}/socket"
        make_database(make_archive, uri)
        ADatabase.place, AServer.place = uri, f"unix:{socket}"
        ADatabase.cli = cli
        judged_by_server = ["server", f"--server.store={uri}", "--once"]
        subprocess.run([exporter, *judged_by_server], stdout=subprocess.DEVNULL, check=True)
        options = [f"--server.store={uri}", f"--web.listen-address=unix:{folder}/unused", f"--web.local-socket={socket}"]
        server = subprocess.Popen([exporter, "server", *options, "--server.record-max-age=0"], stderr=subprocess.DEVNULL)
        try:
            unix_socket.await_listener(socket, SECONDS)
            return tap.run(ADatabase, AServer, AnImporter)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(SECONDS)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
