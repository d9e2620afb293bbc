#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether the dashboards for Grafana are what their tables make, and ask for what there is.

tests/e2e/test-dialects.py asks a real Prometheus what they ask.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
TOP = TESTS.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from dashboards import FILES, GRAFANA, VARIABLE, panels_of, queries, read, variables_in  # noqa: E402
from rules import metrics_of_the_product, recorded_names  # noqa: E402

# who has a link to one, or a home page, has it for good
UIDS = {name: f"jobmetrics-{name}" for name in ("account", "cluster", "energy", "job", "node", "user")}
VALUES = {"cluster": ".*", "user": "ada", "account": "physics", "instance": "node1:9010", "jobid": "17", "__range": "6h", "__rate_interval": "2m"}
METRIC = re.compile(r"(?<![:\w])jobmetrics_\w+(?!:)")
RECORDED = re.compile(r"\w+:jobmetrics_\w+:\w+")
OWN = {"__all", "__range", "__rate_interval", "__url_time_range", "__value", "__field"}
WIDTH = 24


class TheDashboards(unittest.TestCase):
    def setUp(self):
        self.boards = {path.stem: read(path) for path in FILES}

    def panels(self):
        for name, board in self.boards.items():
            for panel in panels_of(board):
                yield f"{name}: {panel['title']}", panel

    def test_are_what_their_tables_make(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, GRAFANA / "make-dashboards.py", folder], check=True)
            made = {path.name: path.read_text(encoding="utf-8") for path in pathlib.Path(folder).iterdir()}
        self.assertEqual(set(made), {path.name for path in FILES})
        for path in FILES:
            self.assertEqual(path.read_text(encoding="utf-8"), made[path.name], f"python3 data/grafana/make-dashboards.py makes another {path.name}")

    def test_keep_their_addresses(self):
        self.assertEqual({name: board["uid"] for name, board in self.boards.items()}, UIDS)

    def test_say_of_each_panel_what_it_shows_and_in_which_unit(self):
        for what, panel in self.panels():
            self.assertGreater(len(panel["description"].split()), 4, what)
            self.assertNotEqual(panel["fieldConfig"]["defaults"]["unit"], "", what)
            self.assertNotEqual(panel["targets"], [], what)

    def test_distinguish_their_panels(self):
        for name, board in self.boards.items():
            ids = [panel["id"] for panel in board["panels"]]
            self.assertEqual(len(ids), len(set(ids)), name)
            titles = [panel["title"] for panel in panels_of(board)]
            self.assertEqual(len(titles), len(set(titles)), name)
            taken = set()
            for panel in board["panels"]:
                place = panel["gridPos"]
                cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
                self.assertLessEqual(place["x"] + place["w"], WIDTH, panel["title"])
                self.assertEqual(cells & taken, set(), f"{name}: {panel['title']} lies on another")
                taken |= cells

    def test_show_nothing_old_as_being_so_now(self):
        """The last value of a course may be of hours ago."""
        for name, board in self.boards.items():
            part, found = "", 0
            for panel in board["panels"]:
                part = panel["title"] if panel["type"] == "row" else part
                for target in panel.get("targets", []) if part == "Now" else []:
                    self.assertTrue(target["instant"], f"{name}: {panel['title']}")
                    found += 1
            self.assertEqual(found > 0, name != "job", name)

    def test_leave_no_gaps(self):
        for name, board in self.boards.items():
            lines: dict[int, int] = {}
            for place in (panel["gridPos"] for panel in board["panels"]):
                lines[place["y"]] = lines.get(place["y"], 0) + place["w"]
            self.assertEqual({y: width for y, width in lines.items() if width != WIDTH}, {}, name)

    def test_begin_bars_and_areas_at_zero(self):
        for what, panel in self.panels():
            defaults = panel["fieldConfig"]["defaults"]
            if panel["type"] == "bargauge" or defaults.get("custom", {}).get("fillOpacity", 0) > 0:
                self.assertEqual(defaults["min"], 0, what)

    def test_call_nothing_bad_that_they_do_not_say(self):
        """Without thresholds of its own, Grafana has a panel's values turn red at 80, whatever they are."""
        for what, panel in self.panels():
            if panel["type"] in ("bargauge", "stat"):
                first, *others = panel["fieldConfig"]["defaults"]["thresholds"]["steps"]
                self.assertIsNone(first["value"], what)
                self.assertEqual(bool(others), panel["options"].get("colorMode") == "value", what)

    def test_take_no_label_for_a_number(self):
        """A table formats the number of a job, too, as the unit says that all its columns have."""
        for what, panel in self.panels():
            if panel["type"] == "table":
                self.assertEqual(panel["fieldConfig"]["defaults"]["unit"], "string", what)
                columns = panel["transformations"][1]["options"]["renameByName"].values()
                units = {one["matcher"]["options"] for one in panel["fieldConfig"]["overrides"] if one["properties"][0]["id"] == "unit"}
                self.assertLessEqual(set(columns), units, what)

    def test_have_the_variables_that_they_ask_with(self):
        for name, board in self.boards.items():
            variables = {variable["name"] for variable in board["templating"]["list"]}
            self.assertEqual(variables_in(json.dumps(board)) - OWN, variables, name)

    def test_lead_to_one_another(self):
        led = set()
        for name, board in self.boards.items():
            for url in re.findall(r'"url": "(/d/[^"]*)"', json.dumps(board)):
                uid, variables = re.match(r"/d/([\w-]+)\?(.*)$", url).groups()
                self.assertIn(uid, UIDS.values(), name)
                goal = self.boards[uid.removeprefix("jobmetrics-")]
                named = set(re.findall(r"var-(\w+)=", variables))
                self.assertLessEqual(named, {variable["name"] for variable in goal["templating"]["list"]}, url)
                led.add((name, goal["uid"].removeprefix("jobmetrics-")))
        for way in (("user", "job"), ("account", "job"), ("account", "user"), ("cluster", "account"), ("energy", "user"), ("node", "job"), ("job", "node")):
            self.assertIn(way, led)

    def test_ask_the_prometheus_that_is_chosen(self):
        for what, panel in self.panels():
            for source in (panel["datasource"], *(target["datasource"] for target in panel["targets"])):
                self.assertEqual(source, {"type": "prometheus", "uid": "${datasource}"}, what)

    def test_ask_for_what_there_is(self):
        known, recorded = metrics_of_the_product(), recorded_names()
        for query in queries():
            self.assertEqual(set(METRIC.findall(RECORDED.sub("", query.expression))) - known, set(), query)
            self.assertEqual(set(RECORDED.findall(query.expression)) - recorded, set(), query)
        for board in self.boards.values():
            for variable in board["templating"]["list"]:
                self.assertEqual(set(METRIC.findall(json.dumps(variable))) - known, set(), variable["name"])

    def test_ask_in_words_that_prometheus_understands(self):
        if shutil.which("promtool") is None:
            self.skipTest("promtool (Debian package prometheus) is not installed")
        rules = [{"record": f"query:{number}", "expr": query.filled(VALUES)} for number, query in enumerate(queries())]
        self.assertGreater(len(rules), 100)
        with tempfile.TemporaryDirectory() as folder:
            # JSON is YAML
            file = pathlib.Path(folder) / "queries.yml"
            file.write_text(json.dumps({"groups": [{"name": "panels", "rules": rules}]}), encoding="utf-8")
            done = subprocess.run(["promtool", "check", "rules", file], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{len(rules)} rules found", done.stdout)

    def test_divide_what_runs_were_given(self):
        """Of 10 CPU hours in one partition 6 were productive, 1 idle and 3 lost in two ways; another cluster has as many."""
        if shutil.which("promtool") is None:
            self.skipTest("promtool (Debian package prometheus) is not installed")
        hours = {"productive": 6, "idle": 1, "lost_to_failure": 2, "lost_to_time_limit": 1, "unobserved": 0}
        series = [
            {"series": f'jobmetrics_server_goodput_cpu_seconds{{cluster="{cluster}",partition="batch",class="{name}"}}', "values": str(3600 * value)}
            for cluster in ("alps", "jura") for name, value in hours.items()
        ]
        wanted = {"CPU hours": 10, "CPUs productive": 0.6, "CPUs idle": 0.1, "CPUs lost": 0.3, "CPUs not observed": 0, "GPU hours": None, "GPUs lost": None}
        asked = {query.name: query.filled(VALUES | {"cluster": "alps"}) for query in queries() if query.panel == "Goodput of partitions"}
        labels = '{cluster="alps", partition="batch"}'
        tests = [{"expr": asked[name], "eval_time": "0s", "exp_samples": [] if value is None else [{"labels": labels, "value": value}]} for name, value in wanted.items()]
        (graph,) = [query.filled(VALUES | {"cluster": "alps"}) for query in queries() if query.panel == "CPU hours by class"]
        tests.append({"expr": graph, "eval_time": "0s", "exp_samples": [{"labels": f'{{class="{name}"}}', "value": value} for name, value in hours.items()]})
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "goodput.yml"
            file.write_text(json.dumps({"tests": [{"input_series": series, "promql_expr_test": tests}]}), encoding="utf-8")
            done = subprocess.run(["promtool", "test", "rules", file], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_leave_no_variable_to_prometheus(self):
        for query in queries():
            self.assertIsNone(VARIABLE.search(query.filled(VALUES)), query)

    def test_are_each_described_in_the_manual(self):
        page = (TOP / "doc" / "how-to" / "grafana.md").read_text(encoding="utf-8")
        for name in self.boards:
            self.assertTrue(f"`{name}.json`" in page, name)

    def test_are_installed(self):
        build = (TOP / "data" / "meson.build").read_text(encoding="utf-8")
        for path in FILES:
            self.assertIn(f"'grafana/{path.name}'", build)


if __name__ == "__main__":
    sys.exit(tap.run(TheDashboards))
