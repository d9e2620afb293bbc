#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""GET /ledger: the records of jobs, page by page, to those whom they are for.

usage: test-ledger-page.py LEDGER-SERVER EXPORTER
"""

import base64
import contextlib
import grp
import json
import os
import pathlib
import pwd
import re
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.parse

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

from local import ALICE, SECONDS, STRANGER, LocalTest, needs_root  # noqa: E402

SERVER, EXPORTER = map(os.path.abspath, sys.argv[1:3])
OTHER = 65532
PASSWORD = "Authorization: Basic " + base64.b64encode(b"alice:secret").decode()
# A little more than a page of the most records that there are.
MANY = 1023


class LedgerTest(LocalTest):
    def setUp(self):
        super().setUp()
        self.ledger = self.folder / "ledger"

    def fill(self, n: int) -> None:
        uids = [f"--uid={uid}" for uid in (STRANGER, OTHER)]
        subprocess.run([SERVER, f"--fill={n}", *uids, self.ledger], check=True, timeout=SECONDS)

    def start(self, *options: str, config: str | None = None) -> subprocess.Popen:
        command = [SERVER, f"--local={self.socket}", *options, str(self.ledger)]
        if config is not None:
            (self.folder / "web.yml").write_text(config)
            command.insert(1, f"--config={self.folder / 'web.yml'}")
        process = self.launch(command, "^ready$", "stdout")
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", self.said)[1])
        return process

    def page(self, uid: int | None = None, **query: object) -> dict:
        status, text = self.ask("/ledger?" + urllib.parse.urlencode(query), uid=uid)
        self.assertEqual(status, 200, text)
        page = json.loads(text)
        self.assertEqual(sorted(page), sorted(["more", "next", "records"] + ["newest", "cut"] * ("newest" in query)))
        return page

    def ids(self, uid: int | None = None, **query: object) -> list[int]:
        return [int(record["jobid"]) for record in self.page(uid, **query)["records"]]


class Pages(LedgerTest):
    def test_a_page_has_the_records_behind_a_position(self):
        self.fill(5)
        self.start()
        first = self.page(limit=2)
        self.assertEqual([record["jobid"] for record in first["records"]], ["1", "2"])
        self.assertTrue(first["more"])
        self.assertEqual(first["next"], first["records"][-1]["position"])
        second = self.page(limit=3, after=first["next"])
        self.assertEqual([record["jobid"] for record in second["records"]], ["3", "4", "5"])
        self.assertFalse(second["more"])
        self.assertEqual(self.page(after=second["next"]), {"records": [], "next": second["next"], "more": False})

    def test_a_collector_gets_each_record_though_they_come_meanwhile(self):
        self.fill(40)
        self.start()
        told, after = [], 0
        for added in (7, 0, 13, 0, 0):
            if added:
                self.fill(added)
            more = True
            while more:
                page = self.page(limit=9, after=after)
                told += [int(record["jobid"]) for record in page["records"]]
                after, more = page["next"], page["more"]
        self.assertEqual(told, list(range(1, 61)))

    def test_a_page_ends_at_a_bound_whatever_is_asked_for(self):
        self.fill(MANY)
        self.start()
        self.assertEqual(len(self.ids()), 100)
        page = self.page(limit=4000000000)
        self.assertEqual((len(page["records"]), page["more"]), (1000, True))
        page = self.page(limit=4000000000, after=page["next"])
        self.assertEqual((len(page["records"]), page["more"]), (MANY - 1000, False))

    def test_the_newest_are_reported_without_those_before_them(self):
        self.fill(120)
        self.start()
        last = self.page(after=2**62)["next"]
        page = self.page(newest=3)
        self.assertEqual([record["jobid"] for record in page["records"]], ["118", "119", "120"])
        self.assertEqual((page["next"], page["more"], page["newest"], page["cut"]), (page["records"][-1]["position"], False, 3, False))
        self.assertEqual(self.page(newest=3, after=last)["records"], page["records"])
        self.assertEqual(self.ids(newest=110), list(range(11, 121)))
        self.assertEqual(self.ids(newest=200), list(range(1, 121)))
        self.assertFalse(self.page(newest=200)["cut"])
        self.assertEqual(self.ids(newest=2, account="even", state="lost"), [110, 120])
        self.assertEqual(self.ids(newest=2, job="7"), [7])
        self.fill(1)
        self.assertEqual(self.ids(after=page["next"]), [121])

    def test_the_newest_end_at_a_bound_and_that_is_said(self):
        self.fill(MANY)
        self.start()
        page = self.page(newest=4000000000)
        self.assertEqual([int(record["jobid"]) for record in page["records"]], list(range(MANY - 999, MANY + 1)))
        self.assertTrue(page["cut"])
        self.assertFalse(self.page(newest=1000)["cut"])

    def test_a_page_that_passes_over_records_begins_behind_them_next_time(self):
        self.fill(9)
        self.start()
        page = self.page(job="2")
        self.assertEqual([record["jobid"] for record in page["records"]], ["2"])
        self.assertEqual(page["next"], self.page()["next"])
        self.assertEqual(self.page(job="2", after=page["next"])["records"], [])

    def test_a_position_of_another_ledger_reports_all_again(self):
        self.fill(3)
        self.start()
        self.assertEqual(self.ids(after=2**63 - 1), [1, 2, 3])

    def test_records_are_chosen(self):
        self.fill(20)
        self.start()
        self.assertEqual(self.ids(user=f"user{OTHER}"), list(range(1, 21, 2)))
        self.assertEqual(self.ids(account="even", state="lost"), [10, 20])
        self.assertEqual(self.ids(state="ended", limit=3, account="odd"), [1, 3, 5])
        self.assertEqual(self.ids(since=1700000000 + 18), [18, 19, 20])
        self.assertEqual(self.ids(until="2023-11-14T22:13:21Z"), [1, 2])
        self.assertEqual(self.ids(since="2023-11-14T22:13:25", until=f"@{1700000000 + 6}"), [5, 6, 7])

    def test_a_value_that_is_none_is_reported_by_its_name(self):
        self.fill(1)
        self.start()
        wrong = {"after=-1", "after=x", "after=", "after=9223372036854775808", "limit=0", "limit=-1", "limit=1e3", "limit=", "newest=0", "job="}
        wrong |= {"user=", "account=" + "a" * 300, "state=x", "since=never", "until=", "since=1%0a2", "after=1&after=2"}
        for query in sorted(wrong):
            with self.subTest(query=query):
                status, text = self.ask("/ledger?" + query)
                self.assertEqual(status, 400)
                self.assertIn(query.split("=")[0] + "=", text)
                self.assertEqual(text.count("\n"), 1)

    def test_a_ledger_that_is_not_there_is_reported(self):
        self.start()
        status, text = self.ask("/ledger")
        self.assertEqual(status, 503)
        self.assertIn(str(self.ledger), text)

    def start_daemon(self, *options: str, **variables: str) -> None:
        command = [EXPORTER, "node", "--web.listen-address=127.0.0.1:0", f"--web.local-socket={self.socket}"]
        self.launch([*command, f"--path.rootfs={FIXTURES / 'slurm-v2-burn'}", *options], r"listening on .*127\.0\.0\.1:\d+", "stderr",
                    **variables)

    def test_a_daemon_reports_what_it_recorded(self):
        self.fill(2)
        self.start_daemon(f"--ledger.file={self.ledger}", "--ledger.max-age=0", f"--ledger.readers={STRANGER}")
        self.assertEqual(self.ids(), [1, 2])

    def test_a_daemon_reports_what_runs_when_it_is_asked_for(self):
        self.start_daemon(f"--ledger.file={self.ledger}")
        end = time.monotonic() + SECONDS
        page = self.page(state="running", after=7)
        while not page["records"] and time.monotonic() < end:
            page = self.page(state="running", after=7)
        self.assertEqual({(record["state"], "position" in record) for record in page["records"]}, {("running", False)})
        self.assertEqual((page["next"], page["more"]), (7, False))
        self.assertEqual(self.ids(), [])
        self.assertEqual(self.ids(newest=5), [])

    def test_a_daemon_whose_ledger_is_of_a_later_version_leaves_it_alone(self):
        self.fill(2)
        with contextlib.closing(sqlite3.connect(self.ledger)) as ledger:
            ledger.execute("PRAGMA user_version = 99")
        before = self.ledger.read_bytes()
        self.start_daemon(f"--ledger.file={self.ledger}")
        end = time.monotonic() + SECONDS
        while not (found := re.findall(r"(?m)^jobmetrics_ledger_up (\d)$", self.ask("/metrics")[1])):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        self.assertEqual(found, ["0"])
        self.assertIn("made by a later jobmetrics", self.ask("/ledger/status")[1])
        self.assertEqual(self.ledger.read_bytes(), before)

    def test_a_daemon_without_a_ledger_says_so(self):
        self.start_daemon()
        status, text = self.ask("/ledger")
        self.assertEqual(status, 404)
        self.assertIn("--ledger.file", text)
        self.assertEqual(self.ask("/ledger/status"), (status, text))

    def status(self, **wanted: bool) -> dict:
        """As soon as what is wanted is reported, or is reported no more."""
        end = time.monotonic() + SECONDS
        while True:
            status, text = self.ask("/ledger/status")
            self.assertEqual(status, 200, text)
            told = json.loads(text)
            if all((told.get(name, 0) != 0) == is_there for name, is_there in wanted.items()):
                return told
            self.assertLess(time.monotonic(), end, text)
            time.sleep(0.01)

    def test_a_daemon_reports_how_its_ledger_fares(self):
        self.fill(2)
        self.start_daemon(f"--ledger.file={self.ledger}", "--ledger.max-age=0")
        told = self.status()
        self.assertGreater(told.pop("size_bytes"), 0)
        self.assertEqual(told, {"file": str(self.ledger), "open": True, "records": 2, "waiting_records": 0,
                                "dropped_records": 0, "given_up_records": 0})

    def test_a_daemon_reports_since_when_it_cannot_write_until_it_can(self):
        folder = self.folder / "disk"
        folder.mkdir()
        self.ledger = folder / "ledger"
        begin = time.time()
        self.start_daemon(f"--ledger.file={self.ledger}", "--sample.interval=1")
        self.status(size_bytes=True)
        folder.rename(self.folder / "gone")
        told = self.status(error=True)
        self.assertIn(str(folder), told["error"])
        self.assertTrue(begin <= told["error_since"] <= time.time(), told)
        self.assertEqual(self.status(error=True)["error_since"], told["error_since"])
        folder.mkdir()
        self.assertNotIn("error_since", self.status(error=False))

    def test_a_daemon_that_has_no_ledger_open_reports_why(self):
        self.ledger.write_text("a letter")
        self.start_daemon(f"--ledger.file={self.ledger}")
        told = self.status()
        self.assertEqual((told["file"], told["open"]), (str(self.ledger), False))
        self.assertIn(str(self.ledger), told["error"])
        self.assertLessEqual(told["error_since"], time.time())
        self.assertNotIn("records", told)

    def test_a_daemon_of_a_unit_keeps_another_ledger_until_it_ends(self):
        memory = self.folder / "memory"
        memory.mkdir()
        self.start_daemon(f"--ledger.file={self.folder / 'nowhere' / 'ledger'}", RUNTIME_DIRECTORY=f"{memory}:/run/other")
        told = self.status(size_bytes=True)
        self.assertEqual((told["open"], told["makeshift"], told["records"]), (True, True, 0))
        self.assertIn("nowhere", told["error"])
        self.assertTrue((memory / "ledger.db").exists())
        self.assertEqual(self.page(state="running")["more"], False)
        self.assertIn("\njobmetrics_ledger_up 0\n", self.ask("/metrics")[1])

    def test_how_a_ledger_fares_is_for_root_on_the_node(self):
        needs_root()
        self.start_daemon(f"--ledger.file={self.ledger}")
        self.assertEqual(self.ask("/ledger/status", uid=STRANGER)[0], 403)
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", self.said)[1])
        self.assertEqual(self.ask_by_network("/ledger/status")[0], 403)


class WhoIsTold(LedgerTest):
    def test_the_network_has_to_log_in(self):
        self.fill(3)
        process = self.start()
        status, text = self.ask_by_network("/ledger")
        self.assertEqual(status, 403)
        self.assertIn("basic_auth_users", text)
        process.send_signal(signal.SIGTERM)
        process.wait(SECONDS)

        self.start(config=f"basic_auth_users:\n  alice: {ALICE}\n")
        self.assertEqual(self.ask_by_network("/ledger")[0], 401)
        status, text = self.ask_by_network("/ledger", PASSWORD)
        self.assertEqual((status, len(json.loads(text)["records"])), (200, 3))

    def test_a_user_sees_own_records_alone(self):
        needs_root()
        self.fill(6)
        self.start()
        self.assertEqual(self.ids(), [1, 2, 3, 4, 5, 6])
        self.assertEqual(self.ids(uid=STRANGER), [2, 4, 6])
        self.assertEqual(self.ids(uid=STRANGER, newest=2), [4, 6])
        self.assertEqual(self.ids(uid=OTHER), [1, 3, 5])
        self.assertEqual(self.ids(uid=OTHER - 1), [])
        self.assertEqual(self.ids(uid=STRANGER, user=f"user{OTHER}"), [])
        self.assertEqual(self.ids(uid=STRANGER, job="1"), [])

    def test_a_user_whom_the_site_lets_sees_all(self):
        needs_root()
        self.fill(4)
        someone = next(user for user in pwd.getpwall() if user.pw_uid not in (0, os.geteuid()))
        group = grp.getgrgid(someone.pw_gid).gr_name
        for readers in (str(someone.pw_uid), f"root, {someone.pw_name}", f"nobody-here,@{group}"):
            with self.subTest(readers=readers):
                process = self.start(f"--readers={readers}")
                self.assertEqual(self.ids(uid=someone.pw_uid), [1, 2, 3, 4])
                self.assertEqual(self.ids(uid=STRANGER), [2, 4])
                process.send_signal(signal.SIGTERM)
                process.wait(SECONDS)
        self.start(f"--readers=,@,@nobody-here,{someone.pw_name}x,@{someone.pw_name}x")
        self.assertEqual(self.ids(uid=someone.pw_uid), [])


if __name__ == "__main__":
    sys.exit(tap.run(Pages, WhoIsTold))
