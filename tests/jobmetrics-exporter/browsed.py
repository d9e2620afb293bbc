# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The pages in a real browser."""

import shutil
import subprocess
import tempfile

from paged import OWNER, PagesTest, headers_of

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    webdriver = None

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
SECONDS = 45
PHONE, DESK = 320, 1280


def start_browser(folder: str, with_script: bool) -> "webdriver.Chrome":
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    # a sandbox is refused to root, and all pages are our own
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server", f"--user-data-dir={folder}/{with_script}"):
        options.add_argument(argument)
    if not with_script:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service(DRIVER), options=options)
    browser.set_page_load_timeout(SECONDS)
    browser.set_script_timeout(SECONDS)
    browser.execute_cdp_cmd("Network.enable", {})
    return browser


class Browsers:
    """One with JavaScript and one without: to begin one takes longer than what a test does with it."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.all: dict[bool, webdriver.Chrome] = {}

    def get(self, with_script: bool) -> "webdriver.Chrome":
        if with_script not in self.all:
            self.all[with_script] = start_browser(self.folder.name, with_script)
        return self.all[with_script]

    def close(self) -> None:
        for browser in self.all.values():
            browser.quit()
        self.folder.cleanup()


BROWSERS = Browsers()


class BrowserTest(PagesTest):
    def open(self, width: int, user: str = OWNER, with_script: bool = True, is_dark: bool = False) -> "webdriver.Chrome":
        browser = BROWSERS.get(with_script)
        browser.get("about:blank")
        browser.get_log("browser")
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
        browser.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": headers_of(user)})
        self.resize(browser, width)
        scheme = "dark" if is_dark else "light"
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        return browser

    def resize(self, browser, width: int) -> None:
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width == PHONE})

    def go(self, browser, path: str) -> None:
        browser.get(f"http://127.0.0.1:{self.port}{path}")

    def wait(self, browser, condition) -> None:
        WebDriverWait(browser, SECONDS, 0.05).until(condition)

    def assert_quiet(self, browser, path: str) -> None:
        """Neither the script nor the policy that it is under has a complaint."""
        self.assertEqual([one["message"] for one in browser.get_log("browser")], [], path)


def lacks() -> str | None:
    if webdriver is None or CHROMIUM is None or DRIVER is None:
        return "no chromium with chromedriver and python3-selenium"
    version = subprocess.run([CHROMIUM, "--version"], capture_output=True, text=True, timeout=SECONDS, check=False)
    return None if version.returncode == 0 else f"chromium does not run: {version.stderr}"
