#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The pages in a browser, with JavaScript and without, wide and narrow, for eyes, ears and fingers.

usage: test-pages-browser.py MADE-PAGES EXPORTER
"""

import base64
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "pylib"))
import tap  # noqa: E402

from browsed import BROWSERS, DESK, PHONE, BrowserTest, lacks  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from paged import ADMINISTRATOR, EXPORTER  # noqa: E402

try:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    pass  # lacks() says so

AXE = HERE / "axe-core" / "axe.min.js"
WIDTH = "return document.documentElement.scrollWidth"
LOOK_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"
FETCHES = "return performance.getEntriesByType('resource').filter(one => one.initiatorType === 'fetch').length"
RUN_AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ['violations']}).then(
    found => done(found.violations.map(one => one.id + ': ' + one.nodes.map(node => node.html + ' ' + node.failureSummary).join('; '))),
    problem => done(['axe: ' + problem]));
"""


class Eyes(BrowserTest):
    def setUp(self):
        super().setUp()
        self.start_with_scheduler()

    def test_the_energy_of_all_runs_is_in_sight_on_a_desk(self):
        browser = self.open(DESK, ADMINISTRATOR)
        self.go(browser, "/jobs")
        right = browser.execute_script("return [...document.querySelectorAll('th')].find(title => title.textContent == 'Energy').getBoundingClientRect().right")
        self.assertLessEqual(right, DESK)

    def test_no_page_is_wider_than_its_screen(self):
        paths = [*self.paths(), "/admin"]
        for with_script in (True, False):
            browser = self.open(DESK, ADMINISTRATOR, with_script)
            for path in paths:
                self.go(browser, path)
                self.assertTrue(browser.find_element(By.TAG_NAME, "h1").is_displayed())
                self.assertEqual(bool(browser.find_elements(By.CSS_SELECTOR, ".live button")), with_script and "data-refresh" in browser.page_source, path)
                for width in (DESK, PHONE):
                    self.resize(browser, width)
                    self.assertLessEqual(browser.execute_script(WIDTH), width, path)
                self.assert_quiet(browser, path)

    def test_tables_scroll_in_their_own_box(self):
        browser = self.open(PHONE)
        self.go(browser, "/")
        widths = browser.execute_script("const box = document.querySelector('.scroll'); return [box.clientWidth, box.scrollWidth]")
        self.assertLess(widths[0], PHONE)
        self.assertGreater(widths[1], PHONE)

    def test_paper_has_what_is_reported_and_no_more(self):
        browser = self.open(DESK)
        self.go(browser, f"/job/{self.job(4107)['uuid']}")
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        for selector, is_seen in (("nav", False), (".search", False), ("h1", True), ("#steps", True), (".jm-bar", True)):
            self.assertEqual(browser.find_element(By.CSS_SELECTOR, selector).is_displayed(), is_seen, selector)
        paper = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
        self.assertTrue(base64.b64decode(paper["data"]).startswith(b"%PDF-"))


class EarsAndFingers(BrowserTest):
    def setUp(self):
        super().setUp()
        self.start_with_scheduler()

    def find_violations(self, browser) -> list[str]:
        browser.execute_script(AXE.read_text())
        return browser.execute_async_script(RUN_AXE)

    def test_the_checker_finds_what_is_wrong(self):
        browser = self.open(DESK)
        self.go(browser, "/")
        browser.execute_script("document.querySelector('label').remove(); document.documentElement.removeAttribute('lang')")
        found = {one.partition(":")[0] for one in self.find_violations(browser)}
        self.assertIn("html-has-lang", found)

    def test_no_page_keeps_anybody_out(self):
        paths = [*self.paths(), "/admin", "/job/nobody", "/jobs?limit=0"]
        for width, is_dark, paths in ((DESK, False, paths), (PHONE, True, ["/", paths[2], paths[8], "/energy"])):
            browser = self.open(width, ADMINISTRATOR, is_dark=is_dark)
            for path in paths:
                self.go(browser, path)
                self.assertEqual(self.find_violations(browser), [], f"{path} at {width}")

    def active(self, browser, attribute: str) -> str:
        return browser.switch_to.active_element.get_attribute(attribute) or ""

    def press(self, browser, key: str) -> None:
        browser.switch_to.active_element.send_keys(key)

    def test_the_keyboard_comes_to_a_job(self):
        for with_script in (True, False):
            browser = self.open(DESK, with_script=with_script)
            self.go(browser, "/")
            self.press(browser, Keys.TAB)
            self.assertEqual(self.active(browser, "class"), "skip")
            self.assertGreaterEqual(browser.switch_to.active_element.location["y"], 0)
            # past all that is on every page
            self.press(browser, Keys.ENTER)
            # the form, periods, lists and titles stand before the first job
            for _ in range(60):
                self.press(browser, Keys.TAB)
                if "/job/" in self.active(browser, "href"):
                    break
            self.assertNotEqual(browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle"), "none")
            self.press(browser, Keys.ENTER)
            self.wait(browser, lambda b: re.search(r"/job/[0-9a-f-]{36}$", b.current_url))
            self.assertIn("4100", browser.find_element(By.TAG_NAME, "h1").text)

    def test_a_form_works_without_a_script(self):
        browser = self.open(PHONE, with_script=False)
        self.go(browser, "/jobs")
        browser.find_element(By.CSS_SELECTOR, "#by-state option[value=TIMEOUT]").click()
        browser.find_element(By.ID, "by-account").send_keys("physics")
        browser.find_element(By.CSS_SELECTOR, ".filter button").click()
        self.wait(browser, lambda b: "state=TIMEOUT" in b.current_url)
        states = {one.text for one in browser.find_elements(By.CSS_SELECTOR, "#runs ~ tbody .state")}
        self.assertEqual(states, {"TIMEOUT"})
        browser.find_element(By.ID, "q").send_keys("4107", Keys.ENTER)
        self.wait(browser, lambda b: "/search?q=4107" in b.current_url)
        self.assertEqual(len(browser.find_elements(By.CSS_SELECTOR, "tbody tr")), 1)


    def test_runs_are_chosen_and_compared_without_a_script(self):
        browser = self.open(PHONE, with_script=False)
        self.go(browser, "/")
        for number in (4106, 4112):
            browser.find_element(By.CSS_SELECTOR, f"input[aria-label='Choose job {number}']").click()
        browser.find_element(By.CSS_SELECTOR, "form[action='/compare'] button").click()
        self.wait(browser, lambda b: "/compare?run=" in b.current_url)
        heads = [one.text.split()[0] for one in browser.find_elements(By.CSS_SELECTOR, "thead th")]
        self.assertEqual(heads, ["4106", "4112"])
        self.assertEqual(len(browser.find_elements(By.CSS_SELECTOR, "figure svg")), 3)

    def test_words_of_plots_can_be_read_on_any_screen(self):
        for width, most in ((PHONE, 12), (375, 14), (DESK, 17)):
            browser = self.open(width)
            for path in (f"/job/{self.job(4106)['uuid']}", self.comparison(4112, 4106)):
                self.go(browser, path)
                sizes = browser.execute_script(
                    "return [...document.querySelectorAll('.jm-plots svg')].map(svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width *"
                    " Math.min(...[...svg.querySelectorAll('text')].map(text => parseFloat(getComputedStyle(text).fontSize))))")
                self.assertEqual(len(sizes), 3)
                self.assertTrue(all(7.5 <= size <= most for size in sizes), f"{path} at {width}: {sizes}")

    def test_a_part_of_plots_is_chosen_without_a_script(self):
        browser = self.open(DESK, with_script=False)
        self.go(browser, self.comparison(4112, 4106))
        browser.find_element(By.ID, "by-from").send_keys("10m")
        browser.find_element(By.ID, "by-to").send_keys("15m", Keys.ENTER)
        self.wait(browser, lambda b: "from=10m&to=15m" in b.current_url)
        self.assertEqual(self.times(browser), ["10m", "12m", "14m"])
        browser.find_element(By.LINK_TEXT, "Whole run").click()
        self.wait(browser, lambda b: "from=" not in b.current_url)
        self.assertIn("1h", self.times(browser))

    def times(self, browser) -> list[str]:
        words = [one.text for one in browser.find_elements(By.CSS_SELECTOR, "figure:first-child text")]
        return [word for word in words if re.fullmatch(r"(\d+h)?(\d+m)?", word)]

    def test_a_line_has_the_colour_of_its_title(self):
        for is_dark in (False, True):
            browser = self.open(DESK, is_dark=is_dark)
            self.go(browser, self.comparison(4112, 4107, 4106))
            for i in (0, 2):
                title, line = (browser.execute_script(f"return getComputedStyle(document.querySelector('{selector}')).{name}")
                               for selector, name in ((f"thead .jm-plot-fill-{i}", "fill"), (f"figure .jm-plot-line-{i}", "stroke")))
                self.assertEqual(title, line)


class WithAScript(BrowserTest):
    def setUp(self):
        super().setUp()
        self.start()

    def has(self, browser, number: int) -> bool:
        return f">{number}</a>" in browser.execute_script("return document.querySelector('main').innerHTML")

    def test_a_page_is_kept_up_to_date(self):
        browser = self.open(DESK)
        self.go(browser, "/")
        self.assertFalse(self.has(browser, 5001))
        link = browser.find_element(By.LINK_TEXT, "4101")
        browser.execute_script("arguments[0].focus()", link)
        self.fill("901")
        browser.execute_script(LOOK_AGAIN)
        self.wait(browser, lambda b: self.has(b, 5001))
        # who was at a link still is
        self.assertEqual(browser.switch_to.active_element.text, "4101")
        said = browser.find_element(By.CSS_SELECTOR, ".live [role=status]")
        self.assertEqual(said.text, "Updated every 30 s.")
        self.assert_quiet(browser, "/")

    def test_ticked_boxes_stay(self):
        browser = self.open(DESK)
        self.go(browser, "/")
        browser.find_element(By.CSS_SELECTOR, "input[name=run]").click()
        browser.execute_script("document.activeElement.blur()")
        self.fill("903")
        browser.execute_script(LOOK_AGAIN)
        box = browser.find_element(By.CSS_SELECTOR, "input[name=run]")
        self.assertTrue(box.is_selected())
        box.click()
        browser.execute_script("document.activeElement.blur()")
        browser.execute_script(LOOK_AGAIN)
        self.wait(browser, lambda b: self.has(b, 5003))

    def test_nothing_moves_while_it_is_paused(self):
        browser = self.open(DESK)
        self.go(browser, "/")
        button = browser.find_element(By.CSS_SELECTOR, ".live button")
        button.click()
        self.assertEqual(button.text, "Resume updates")
        self.fill("902")
        browser.execute_script(LOOK_AGAIN)
        button.click()
        self.wait(browser, lambda b: self.has(b, 5002))
        self.assertEqual(browser.execute_script(FETCHES), 1)

    def test_a_server_that_went_is_said(self):
        browser = self.open(DESK)
        self.go(browser, "/")
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
        browser.execute_script(LOOK_AGAIN)
        self.wait(browser, lambda b: "does not answer" in b.find_element(By.CSS_SELECTOR, ".live [role=status]").text)
        self.assertTrue(self.has(browser, 4100))

    def test_a_session_that_ended_is_said(self):
        browser = self.open(DESK)
        self.go(browser, "/")
        browser.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {}})
        browser.execute_script(LOOK_AGAIN)
        self.wait(browser, lambda b: "You are signed out." in b.find_element(By.CSS_SELECTOR, ".live [role=status]").text)
        self.assertTrue(self.has(browser, 4100))

    def test_values_of_all_plots_are_those_of_the_time_that_is_pointed_at(self):
        browser = self.open(DESK)
        self.go(browser, f"/job/{self.job(4106)['uuid']}")
        svg = browser.find_element(By.CSS_SELECTOR, "svg.jm-plot")
        self.point(browser, svg, 0.5)
        said = [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".values")]
        # of a run of 41 minutes with 16 CPUs and 16 GiB on each of two nodes
        self.assertRegex(said[0], r"^(19|20|21)m\d\ds: n17 [\d.]+, n18 [\d.]+, given 16$")
        self.assertRegex(said[1], r"^(19|20|21)m\d\ds: n17 [\d.]+GiB, n18 [\d.]+GiB, given 16GiB$")
        self.assertRegex(said[2], r"^(19|20|21)m\d\ds: n17 \d+W, n18 \d+W$")

    def test_each_of_many_nodes_has_values_on_a_phone(self):
        self.fill("900", "wide")
        browser = self.open(PHONE)
        self.go(browser, f"/job/{self.job(5000)['uuid']}")
        browser.find_element(By.CSS_SELECTOR, ".jm-multiples summary").click()
        svg = browser.find_element(By.CSS_SELECTOR, ".jm-multiples svg")
        self.assertGreater(svg.size["width"], 0.8 * PHONE)
        self.assertLessEqual(browser.execute_script(WIDTH), PHONE)
        sizes = browser.execute_script("return [...arguments[0].querySelectorAll('text')].map(one => one.getBoundingClientRect().height)", svg)
        self.assertGreater(min(sizes), 9)
        self.point(browser, svg, 0.5)
        said = [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".jm-multiples[open] .values")]
        self.assertRegex(said[0], r"^\d\dm\d\ds: n17 [\d.]+, given 16$")
        self.assertRegex(said[31], r"^\d\dm\d\ds: n\d\d [\d.]+, given 16$")
        self.assertRegex(browser.find_element(By.CSS_SELECTOR, ".jm-plots .values").text, r"^\d\dm\d\ds: CPUs \d+")

    def test_what_was_unfolded_stays_so(self):
        browser = self.open(DESK)
        self.go(browser, "/")
        browser.find_element(By.CSS_SELECTOR, "summary").click()
        browser.execute_script("document.activeElement.blur()")
        self.fill("904")
        browser.execute_script(LOOK_AGAIN)
        self.wait(browser, lambda b: self.has(b, 5004))
        self.assertTrue(browser.find_element(By.TAG_NAME, "details").get_property("open"))

    def test_a_drag_that_is_broken_off_leaves_nothing(self):
        browser = self.open(DESK)
        self.go(browser, f"/job/{self.job(4106)['uuid']}")
        svg = browser.find_element(By.CSS_SELECTOR, "svg.jm-plot")
        self.point(browser, svg, 0.25).click_and_hold().perform()
        self.point(browser, svg, 0.5)
        part = browser.find_element(By.CSS_SELECTOR, ".part.dragged")
        self.assertGreater(float(part.get_attribute("width")), 0)
        browser.execute_script("arguments[0].dispatchEvent(new PointerEvent('pointercancel'))", svg)
        self.assertEqual(part.get_attribute("width"), "0")
        self.point(browser, svg, 0.75).release().perform()
        self.assertEqual(part.get_attribute("width"), "0")
        self.assertNotIn("from=", browser.current_url)

    def test_what_is_dragged_over_fills_the_plots_and_is_in_the_link(self):
        browser = self.open(DESK)
        self.go(browser, f"/job/{self.job(4106)['uuid']}")
        svg = browser.find_element(By.CSS_SELECTOR, "svg.jm-plot")
        self.point(browser, svg, 0.25).click_and_hold().perform()
        self.point(browser, svg, 0.5).release().perform()
        self.wait(browser, lambda b: "from=" in b.current_url)
        begin, end = (int(number) for number in re.search(r"from=(\d+)s&to=(\d+)s", browser.current_url).groups())
        self.assertAlmostEqual(begin, 0.25 * 2466, delta=30)
        self.assertAlmostEqual(end, 0.5 * 2466, delta=30)
        frames = browser.find_elements(By.CSS_SELECTOR, ".jm-plot-frame")
        self.assertEqual({(one.get_attribute("data-from"), one.get_attribute("data-to")) for one in frames}, {(str(begin), str(end))})
        self.assert_quiet(browser, "/job")

    def point(self, browser, svg, share: float) -> "ActionChains":
        """At that share of what is within the axes, which have their places in the picture's own pixels."""
        frame = svg.find_element(By.CSS_SELECTOR, ".jm-plot-frame")
        left, right = (float(frame.get_attribute(f"data-{name}")) for name in ("left", "right"))
        width = float(svg.get_dom_attribute("viewBox").split()[2])
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", svg)
        x = ((left + share * (right - left)) / width - 0.5) * svg.rect["width"]
        pointer = ActionChains(browser).move_to_element_with_offset(svg, round(x), 0)
        pointer.perform()
        return ActionChains(browser)

    def test_a_drawing_can_be_made_larger(self):
        browser = self.open(PHONE)
        self.go(browser, "/energy")
        figure = browser.find_element(By.TAG_NAME, "figure")
        button = figure.find_element(By.TAG_NAME, "button")
        before = figure.find_element(By.TAG_NAME, "svg").size["width"]
        button.click()
        self.assertEqual(button.get_attribute("aria-pressed"), "true")
        self.assertGreater(figure.find_element(By.TAG_NAME, "svg").size["width"], 2 * before)
        self.assertLessEqual(browser.execute_script(WIDTH), PHONE)


class TheNode(BrowserTest):
    def test_has_a_page_that_looks_and_works_like_these(self):
        self.launch([EXPORTER, "node", "--web.listen-address=127.0.0.1:0", f"--path.rootfs={FIXTURES / 'slurm-v2-burn'}"], r"listening on 127", "stderr")
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", self.said)[1])
        browser = self.open(DESK)
        self.go(browser, "/")
        browser.execute_script(AXE.read_text())
        self.assertEqual(browser.execute_async_script(RUN_AXE), [])
        for width in (DESK, PHONE):
            self.resize(browser, width)
            self.assertLessEqual(browser.execute_script(WIDTH), width)
        self.assert_quiet(browser, "/")


if __name__ == "__main__":
    if reason := lacks():
        tap.skip_all(reason)
    try:
        failed = tap.run(Eyes, EarsAndFingers, WithAScript, TheNode)
    finally:
        BROWSERS.close()
    sys.exit(failed)
