#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Users read the series of their own runs out of a real Prometheus, and no others, however they ask.

usage: test-query-guard.py MADE-ACCOUNTS EXPORTER
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "pylib"), str(TESTS / "jobmetrics-exporter")]
import tap  # noqa: E402

from guarded import LATER, GuardTest, fill  # noqa: E402
from programs import Prometheus  # noqa: E402

MADE_ACCOUNTS, EXPORTER = map(os.path.abspath, sys.argv[1:3])
THEN = 1772323200
AGAIN = THEN + 10**6
JURA = "00000000-0000-0000-0000-00000000000a"
OWN, OTHER = (f'cluster="alps",jobid="{number}"' for number in (10, 1))
REFUSED = None

# Daemon's own are 10 and 15; 5 was daemon's and is sys's since it came again. What foreign series are worth shows in any sum.
# By hand: what is asked for, and when if not THEN; the values of what is reported, or that it is refused.
QUERIES = (
    ("used{%s}" % OWN, THEN, [10]),
    ("used{%s} + used{%s}" % (OWN, OWN), THEN, [20]),
    ('used{cluster="alps",jobid=~"10|15"}', THEN, [10, 15]),
    ('used{cluster="alps",jobid=~"(10|15)"}', THEN, [10, 15]),
    ('sum(used{cluster="alps",jobid=~"10|15"})', THEN, [25]),
    ('{__name__=~".+",%s}' % OWN, THEN, [10, 1]),
    ('count({cluster="alps",jobid="10"}) or vector(7)', THEN, [2]),
    ("used{%s} @ %d" % (OWN, THEN), AGAIN, [10]),
    ("used{%s} offset 1s" % OWN, THEN + 1, [10]),
    ("max_over_time(used{%s}[1h:1m])" % OWN, THEN, [10]),
    ('used{cluster="alps",jobid="10",jobid="1"}', THEN, []),
    ('used{cluster="alps",jobid="10",jobid=~".*"}', THEN, [10]),
    ('used{cluster="alps",jobid="10",owner!="daemon"}', THEN, []),
    ('used{cluster="alps",jobid="1\\x30"}', THEN, [10]),
    ("used{cluster='alps',jobid=`10`}", THEN, [10]),
    ('label_replace(used{%s},"jobid","1","","")' % OWN, THEN, [10]),
    ('sum(absent(used{cluster="alps",jobid="10",owner="sys"}))', THEN, [1]),
    ("1", THEN, [1]),
    ("used", THEN, REFUSED),
    ("used{%s}" % OTHER, THEN, REFUSED),
    ('used{cluster="alps",jobid="5"}', THEN + 50, [5]),
    ('used{cluster="alps",jobid="5"}', AGAIN, REFUSED),
    ('used{cluster="alps",jobid="5"} @ %d' % (THEN + 50), THEN + 50, [5]),
    ('used{cluster="alps",jobid="5"} @ %d' % AGAIN, THEN + 50, REFUSED),
    ('used{cluster="alps",jobid="5"} offset -1000000s', THEN, REFUSED),
    ('used{cluster="jura",jobid="10"}', THEN, REFUSED),
    ('used{jobid="10"}', THEN, REFUSED),
    ('used{cluster=~"al.*|jura",jobid="10"}', THEN, REFUSED),
    ('used{cluster="alps",jobid=~"10|1|"}', THEN, REFUSED),
    ('used{cluster="alps",jobid=~"1.*"}', THEN, REFUSED),
    ('used{cluster="alps",jobid=~"10|.*"}', THEN, REFUSED),
    ('used{cluster="alps",jobid!="1"}', THEN, REFUSED),
    ('used{cluster="alps",jobid!~"1|5"}', THEN, REFUSED),
    ('used{cluster="alps",jobid=""}', THEN, REFUSED),
    ('used{cluster="alps",owner="daemon"}', THEN, REFUSED),
    ("used{%s} or used" % OWN, THEN, REFUSED),
    ("used{%s} or on() used{%s}" % (OWN, OTHER), THEN, REFUSED),
    ("used # {%s}" % OWN, THEN, REFUSED),
    ("used{} # }{\n", THEN, REFUSED),
    ('used{owner="\\"},{%s"}' % "cluster=\\\"alps\\\",jobid=\\\"10\\\"", THEN, REFUSED),
    ("topk(1, used) + 0 * on() group_left used{%s}" % OWN, THEN, REFUSED),
    ("count(count by (jobid) (used))", THEN, REFUSED),
    ("max_over_time((used)[1h:1m])", THEN, REFUSED),
    ("scalar(used{%s})" % OTHER, THEN, REFUSED),
    ("timestamp(used{%s}) * used{%s}" % (OTHER, OWN), THEN, REFUSED),
    ("absent(used{%s})" % OTHER, THEN, REFUSED),
    ('count_values("jobid", used)', THEN, REFUSED),
    ("ALERTS", THEN, REFUSED),
    ("loads", THEN, REFUSED),
)


def line(name: str, value: int, when: int, **labels: str) -> str:
    told = ",".join(f'{key}="{text}"' for key, text in labels.items())
    return f"{name}{{{told}}} {value} {when}\n"


def tell(uuids: dict[str, str]) -> str:
    """As OpenMetrics. Foreign ones are of sys, and worth a million."""
    daemon, sys_ = {"owner": "daemon"}, {"owner": "sys"}
    foreign = 10**6
    used = [
        line("used", 10, THEN, cluster="alps", jobid="10", uuid=uuids["10"], **daemon),
        line("used", 15, THEN, cluster="alps", jobid="15", uuid=uuids["15"], **daemon),
        line("used", 5, THEN, cluster="alps", jobid="5", uuid=uuids["5"], **daemon),
        line("used", foreign, AGAIN, cluster="alps", jobid="5", uuid=LATER, **sys_),
        line("used", foreign, THEN, cluster="alps", jobid="1", uuid=uuids["1"], **sys_),
        line("used", foreign, THEN, cluster="jura", jobid="10", uuid=JURA, **sys_),
        line("used", foreign, THEN, jobid="10", **sys_),
        line("used", foreign, THEN, cluster="alps", jobid="", **sys_),
    ]
    cores = [
        line("cores", 1, THEN, cluster="alps", jobid="10", uuid=uuids["10"], **daemon),
        line("cores", foreign, THEN, cluster="alps", jobid="1", uuid=uuids["1"], **sys_),
    ]
    loads = [line("loads", foreign, THEN, node="sys-node", cluster="alps")]
    kinds = (("used", used), ("cores", cores), ("loads", loads))
    return "".join(f"# TYPE {name} gauge\n" + "".join(lines) for name, lines in kinds) + "# EOF\n"


class ARealPrometheus(GuardTest):
    def setUp(self):
        super().setUp()
        store = self.folder / "accounts.db"
        self.uuids = fill(MADE_ACCOUNTS, store)
        told, blocks = self.folder / "told", self.folder / "prometheus"
        told.write_text(tell(self.uuids))
        subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", told, blocks], check=True, capture_output=True)
        prometheus = Prometheus("127.0.0.1:1", self.folder, seconds=60, options=["--storage.tsdb.retention.time=100y"])
        self.addCleanup(prometheus.stop)
        self.launch_server(EXPORTER, store, prometheus.url)

    def values(self, user: str, query: str, when: int) -> list[float] | None:
        """Asked for at once, and over a time, by each form; what is reported is the same."""
        at, over = {"time": str(when)}, {"start": str(when), "end": str(when), "step": "1"}
        answers = []
        for path, fields in (("query", at), ("query_range", over)):
            fields = {"query": query, **fields}
            answers += [self.get(user, path, **fields), self.post(user, path, fields.items())]
        statuses = {status for status, _ in answers}
        self.assertEqual(len(statuses), 1, (query, answers))
        if statuses == {403}:
            return REFUSED
        self.assertEqual(statuses, {200}, (query, answers))
        self.assertNotIn('"sys', json.dumps(answers), query)
        return self.values_of(query, [answer["data"] for _, answer in answers])

    def values_of(self, query: str, told: list[dict]) -> list[float]:
        found = []
        for data in told:
            kind, result = data["resultType"], data["result"]
            points = [result] if kind == "scalar" else [one["value"] if kind == "vector" else one["values"][0] for one in result]
            found.append(sorted(float(value) for _, value in points))
        self.assertTrue(all(one == found[0] for one in found), (query, found))
        return found[0]

    def test_shows_users_what_is_theirs(self):
        for query, when, expected in QUERIES:
            with self.subTest(query=query):
                self.assertEqual(self.values("daemon", query, when), expected if expected is REFUSED else sorted(expected))

    def test_shows_each_the_run_that_a_number_had(self):
        own, later = (f'used{{uuid="{uuid}"}}' for uuid in (self.uuids["5"], LATER))
        self.assertEqual(self.values("daemon", own, THEN), [5])
        self.assertEqual(self.values("daemon", later, AGAIN), REFUSED)
        self.assertEqual(self.values("sys", own, THEN), REFUSED)
        status, answer = self.get("sys", "query", query=later, time=str(AGAIN))
        self.assertEqual((status, [one["metric"]["owner"] for one in answer["data"]["result"]]), (200, ["sys"]))

    def test_reports_series_and_labels_what_is_theirs(self):
        """Its answers are Prometheus' own, for each way to ask."""
        when = {"start": str(THEN - 60), "end": str(AGAIN + 60)}
        match = ("match[]", 'used{%s}' % OWN)
        _, series = self.post("daemon", "series", [match, *when.items()])
        self.assertEqual(series["data"], [{"__name__": "used", "cluster": "alps", "jobid": "10", "uuid": self.uuids["10"], "owner": "daemon"}])
        every = ("match[]", "{%s}" % OWN)
        for name, expected in (("__name__", ["cores", "used"]), ("owner", ["daemon"]), ("jobid", ["10"]), ("node", [])):
            self.assertEqual(self.get("daemon", f"label/{name}/values", every, **when)[1]["data"], expected)
            self.assertEqual(self.get("daemon", f"label/{name}/values", **when)[0], 403)
        _, labels = self.post("daemon", "labels", [every, *when.items()])
        self.assertEqual(labels["data"], ["__name__", "cluster", "jobid", "owner", "uuid"])
        self.assertEqual(self.get("daemon", "labels", **when)[0], 403)

    def test_shows_administrators_all(self):
        status, answer = self.get("games", "query", query="count(used)", time=str(THEN))
        self.assertEqual((status, answer["data"]["result"][0]["value"][1]), (200, "7"))
        self.assertIn("sys-node", self.get("games", "label/node/values", start=str(THEN - 60), end=str(THEN))[1]["data"])

    def test_reports_what_is_wrong_in_its_own_words(self):
        status, answer = self.get("daemon", "query", query="rate(used{%s})" % OWN)
        self.assertEqual((status, answer["errorType"]), (400, "bad_data"))
        self.assertIn("expected type range vector", answer["error"])
        self.assertEqual(self.get("mail", "status/buildinfo")[0], 200)
        self.assertEqual(self.get("mail", "metadata")[0], 200)


if __name__ == "__main__":
    if shutil.which("prometheus") is None:
        tap.skip_all("prometheus is not installed")
    sys.exit(tap.run(ARealPrometheus))
