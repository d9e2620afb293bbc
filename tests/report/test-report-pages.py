#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of a run as text, HTML, JSON and PDF.

usage: test-report-pages.py PRINT-REPORT [--update|--without-pdf]

A build without cairo makes no PDF. With --update the expected pages are written anew; look at what `git diff` says then.
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
import xml.etree.ElementTree as etree

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

PRINT_REPORT = os.path.abspath(sys.argv[1])
EXPECTED = TESTS / "expected" / "report"
SECONDS = 60
# What a name has in it: nothing of it may reach a terminal or a browser as it is.
ESCAPE, NEW_LINE_AND_TURN, MARKUP = "\033", "\n\u202e", "<b>&\"'"
PAGES = {
    "gpus.txt": ("text", "2", "2"),
    "cpus.txt": ("text", "1", "0"),
    "narrow.txt": ("text", "2", "2", "56"),
    "bare.txt": ("text", "bare", "0"),
    "many.txt": ("text", "130", "0"),
    "gpus.json": ("json", "2", "2"),
    "bare.json": ("json", "bare", "0"),
}


def printed(*arguments: str) -> bytes:
    environment = {**os.environ, "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    done = subprocess.run([PRINT_REPORT, *arguments], capture_output=True, timeout=SECONDS, env=environment, check=True)
    return done.stdout


def text_of(*arguments: str) -> str:
    return printed(*arguments).decode()


def update() -> None:
    EXPECTED.mkdir(exist_ok=True)
    for name, arguments in PAGES.items():
        (EXPECTED / name).write_text(text_of(*arguments), encoding="utf-8")


class Text(unittest.TestCase):
    maxDiff = None

    def test_is_as_expected(self):
        for name, arguments in PAGES.items():
            self.assertEqual(text_of(*arguments), (EXPECTED / name).read_text(encoding="utf-8"), name)

    def test_fits_its_width(self):
        for width in ("48", "56", "80", "100"):
            for line in text_of("text", "2", "2", width).splitlines():
                self.assertLessEqual(len(line), int(width), line)

    def test_of_another_width_than_a_page_may_have_is_that_of_one(self):
        self.assertEqual(max(map(len, text_of("text", "2", "2", "3").splitlines())), 48)
        self.assertEqual(max(map(len, text_of("text", "2", "2", "5000").splitlines())), 120)

    def test_says_the_same_with_colors(self):
        colored = text_of("color", "2", "2")
        self.assertIn("\033[33m", colored)
        self.assertEqual(re.sub("\033\\[[0-9]+m", "", colored), text_of("text", "2", "2"))

    def test_steers_no_terminal(self):
        page = text_of("text", "hostile", "0")
        self.assertNotIn(ESCAPE, page)
        self.assertNotIn("\u202e", page)
        self.assertIn("Job <b>&\"'?[31m??", page)

    def test_knows_of_no_figure_that_nobody_reported(self):
        page = text_of("text", "bare", "0")
        self.assertRegex(page, r"(?m)^ +CPUs  -$")
        self.assertRegex(page, r"(?m)^ +Energy: unknown, neither measured nor estimated$")
        self.assertNotIn("[", page)
        self.assertNotIn("As much as", page)
        self.assertNotIn("Advice", page)

    def test_says_how_many_nodes_it_leaves_out(self):
        page = text_of("text", "130", "0")
        self.assertIn("and 30 more", page)
        self.assertNotIn("n101", page)


class Json(unittest.TestCase):
    def test_has_the_facts_in_base_units(self):
        report = json.loads(text_of("json", "2", "2"))
        self.assertEqual(list(report), ["job", "running", "origin", "figures", "estimated", "nodes", "gpus", "verdict", "advice"])
        self.assertEqual(report["figures"]["elapsed_seconds"], 7200)
        self.assertEqual(report["figures"]["memory_allocated_bytes"], 64 << 30)
        self.assertEqual(report["estimated"], ["energy_joules", "emissions_grams"])
        self.assertEqual([node["name"] for node in report["nodes"]], ["n01", "n02"])
        self.assertEqual([gpu["node"] for gpu in report["gpus"]], ["n01", "n01", "n02", "n02"])
        self.assertEqual([piece["level"] for piece in report["advice"]], ["act", "warning", "note"])
        self.assertIsNone(report["advice"][2]["action"])

    def test_leaves_out_what_nobody_reported(self):
        report = json.loads(text_of("json", "bare", "0"))
        self.assertEqual((report["figures"], report["nodes"], report["gpus"], report["advice"]), ({}, [], [], None))

    def test_changes_no_name(self):
        text = text_of("json", "hostile", "0")
        report = json.loads(text)
        self.assertEqual(report["nodes"][0]["name"], f"{MARKUP}{ESCAPE}[31m{NEW_LINE_AND_TURN}")
        self.assertEqual(report["advice"][0]["title"], report["nodes"][0]["name"])
        self.assertNotIn("\u202e", text)


class Html(unittest.TestCase):
    def parsed(self, *arguments: str) -> etree.Element:
        page = text_of("html", *arguments)
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        return etree.fromstring(page)

    def test_is_well_formed_and_has_no_styles_of_its_own_nor_scripts(self):
        for arguments in (("2", "2"), ("1", "0"), ("bare", "0"), ("hostile", "0"), ("20", "1")):
            page = self.parsed(*arguments)
            for element in page.iter():
                self.assertNotIn("style", element.attrib)
                self.assertNotRegex(" ".join(element.attrib), r"\bon[a-z]+")
                self.assertNotIn(element.tag.rpartition("}")[2], ("script", "link", "img", "iframe", "b"))

    def test_needs_nothing_from_elsewhere(self):
        page = text_of("html", "2", "2")
        self.assertNotRegex(page, r"(src|href)=|url\(|@import")

    def test_shows_names_as_they_are(self):
        page = text_of("html", "hostile", "0")
        self.assertIn("&lt;b&gt;&amp;", page)
        self.assertNotIn("<b>", page)
        self.assertNotIn(ESCAPE, page)

    def test_has_headings_and_tables_that_say_what_they_are(self):
        page = self.parsed("2", "2")
        headings = [element.text for element in page.iter("h2")]
        self.assertEqual(headings, ["Verdict: trouble: 2 of 4 GPUs did nothing", "Advice", "Over time", "Nodes", "GPUs",
                                    "Energy and emissions", "Energy by meter", "About the job", "What else was seen"])
        for table in page.iter("table"):
            self.assertTrue(table.find("caption").text)
        for head in page.iter("th"):
            self.assertIn(head.get("scope"), ("col", "row"))

    def test_has_a_plot_of_each_course_that_is_known(self):
        self.assertEqual(len(list(self.parsed("2", "2").iter("figure"))), 6)
        self.assertEqual(len(list(self.parsed("1", "0").iter("figure"))), 4)
        self.assertEqual(len(list(self.parsed("bare", "0").iter("figure"))), 0)

    def test_has_no_bar_of_what_is_absent(self):
        self.assertNotIn("<svg", text_of("html", "bare", "0"))


class Pdf(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "report.pdf"

    def pages(self, *arguments: str) -> list[str]:
        content = printed("pdf", *arguments)
        self.assertTrue(content.startswith(b"%PDF-"))
        self.path.write_bytes(content)
        if shutil.which("pdftotext") is None:
            self.fail("pdftotext is missing: tests/install-dependencies test")
        done = subprocess.run(["pdftotext", "-layout", self.path, "-"], capture_output=True, text=True, timeout=SECONDS, check=True)
        return done.stdout.split("\f")[:-1]

    def test_has_numbered_pages_of_a4_with_text_to_be_copied(self):
        pages = self.pages("2", "2")
        self.assertGreater(len(pages), 2)
        for number, page in enumerate(pages, start=1):
            self.assertIn(f"Page {number} of {len(pages)}", page)
        for text in ("Job 4711", "train-model", "42.0%", "2 of 4 GPUs did nothing", "CPUs that were busy", "n02"):
            self.assertIn(text, pages[0])
        done = subprocess.run(["pdfinfo", self.path], capture_output=True, text=True, timeout=SECONDS, check=True)
        self.assertRegex(done.stdout, r"(?m)^Page size: .* \(A4\)$")

    def test_of_many_nodes_says_on_each_page_what_the_columns_are(self):
        pages = [page for page in self.pages("130", "0") if re.search(r"(?m)^n\d\d ", page)]
        self.assertGreater(len(pages), 1)
        for page in pages:
            self.assertRegex(page, r"Node +CPUs")

    def test_of_a_run_of_which_nothing_is_known_is_one_page(self):
        (page,) = self.pages("bare", "0")
        self.assertIn("Job 12", page)


class NoPdf(unittest.TestCase):
    def test_is_made_without_cairo(self):
        done = subprocess.run([PRINT_REPORT, "pdf", "2", "2"], capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("makes no PDF", done.stderr)


if __name__ == "__main__":
    if sys.argv[2:] == ["--update"]:
        update()
    else:
        of_pdf = NoPdf if sys.argv[2:] == ["--without-pdf"] else Pdf
        sys.exit(tap.run(Text, Json, Html, of_pdf, part=True))
