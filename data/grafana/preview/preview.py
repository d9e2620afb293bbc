#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT
"""Draws the dashboards with Grafana's own components, of what a Prometheus answers; README.md says what it needs."""

import argparse
import functools
import http.server
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
VARIABLE = re.compile(r"\$(?:\{(\w+)(?::\w+)?\}|(\w+))")
PIXELS = 1616
ROW_PIXELS = 38
HEAD_PIXELS = 64
PAGE = """<!doctype html><meta charset="utf-8"><title>{title}</title><link rel="stylesheet" href="/preview.css"><body style="margin:0"><div id="root"></div>
<script>window.__grafana_public_path__ = "/"; window.preview = {preview}</script><script src="/preview.js"></script>"""


class Asker:
    """Asks as Grafana does: a graph of a point every few pixels, a table of the end of the time."""

    def __init__(self, url: str, begin: float, end: float, interval: int, values: dict[str, str]):
        self.url, self.begin, self.end = url.rstrip("/"), begin, end
        self.step = max(interval, math.ceil((end - begin) / 700))
        rate = max(self.step + interval, 4 * interval)
        self.values = {"cluster": ".*", **values, "__range": f"{round(end - begin)}s", "__rate_interval": f"{rate}s"}

    def _get(self, path: str, **parameters: object) -> list[dict]:
        with urllib.request.urlopen(f"{self.url}/api/v1/{path}?{urllib.parse.urlencode(parameters)}", timeout=60) as answer:
            return json.load(answer)["data"]["result"]

    def ask(self, target: dict) -> list[dict]:
        query = VARIABLE.sub(lambda match: self.values[match[1] or match[2]], target["expr"])
        if target["instant"]:
            return self._get("query", query=query, time=self.end)
        begin = math.ceil(self.begin / self.step) * self.step
        found = self._get("query_range", query=query, start=begin, end=self.end, step=self.step)
        return [series | {"values": self._with_gaps(series["values"])} for series in found]

    def _with_gaps(self, points: list[list]) -> list[list]:
        """A point without a value where there is none, so that no line leads over it."""
        out = []
        for point in points:
            if out and point[0] - out[-1][0] > 1.5 * self.step:
                out.append([out[-1][0] + self.step, None])
            out.append(point)
        return out


def bundle(modules: pathlib.Path, out: pathlib.Path) -> None:
    (out / "build").mkdir()
    (out / "build" / "img").symlink_to(modules / "@grafana/ui/dist/public/img")
    environment = {"NODE_PATH": str(modules), "PATH": "/usr/bin:/bin"}
    options = ["--bundle", "--jsx=transform", f"--outfile={out / 'preview.js'}", '--define:process.env.NODE_ENV="production"', "--log-level=error"]
    loaders = ["--loader:.svg=dataurl", "--loader:.ttf=empty"]
    subprocess.run([modules / ".bin/esbuild", HERE / "preview.jsx", *options, *loaders], check=True, env=environment)


def height_of(board: dict, before: str | None) -> int:
    rows = [panel["gridPos"]["y"] for panel in board["panels"] if panel["type"] == "row" and panel["title"] == before]
    rows = rows or [panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in board["panels"]]
    return max(rows) * ROW_PIXELS + HEAD_PIXELS


def write_page(board: dict, asker: Asker, theme: str, out: pathlib.Path) -> None:
    answers = {
        panel["id"]: {target["refId"]: asker.ask(target) for target in panel["targets"]} for panel in board["panels"] if panel["type"] != "row"
    }
    preview = {"board": board, "answers": answers, "chosen": asker.values, "from": asker.begin, "to": asker.end, "theme": theme}
    text = json.dumps(preview).replace("</", "<\\/")
    out.write_text(PAGE.format(title=board["title"], preview=text), encoding="utf-8")


def photograph(url: str, height: int, picture: pathlib.Path) -> None:
    with tempfile.TemporaryDirectory() as profile:
        options = [f"--user-data-dir={profile}", "--no-sandbox", "--hide-scrollbars", "--virtual-time-budget=20000", "--enable-logging=stderr"]
        command = ["chromium", "--headless=new", *options, f"--window-size={PIXELS},{height}", f"--screenshot={picture}", url]
        done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=True)
    for line in done.stderr.splitlines():
        if ":CONSOLE" in line:
            print(line, file=sys.stderr)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", type=pathlib.Path, help="the node_modules of npm")
    parser.add_argument("prometheus", help="its address, such as http://localhost:9090")
    parser.add_argument("folder", type=pathlib.Path, help="where to put the pictures")
    parser.add_argument("--board", action="append", help="one of the dashboards, such as job; all unless given")
    parser.add_argument("--value", action="append", default=[], metavar="NAME=VALUE", help="of a variable, such as jobid=17")
    parser.add_argument("--end", type=float, default=time.time(), help="the end of the time, in seconds since 1970")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--interval", type=int, default=30, help="of scrapes, in seconds")
    parser.add_argument("--before", metavar="TITLE", help="of the first part that is no longer in the picture")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    options = parser.parse_args()
    values = dict(value.split("=", 1) for value in options.value)
    asker = Asker(options.prometheus, options.end - 60 * options.minutes, options.end, options.interval, values)
    with tempfile.TemporaryDirectory() as name:
        site = pathlib.Path(name)
        bundle(options.modules.resolve(), site)
        handler = functools.partial(Quiet, directory=str(site))
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            for file in sorted(HERE.parent.glob("*.json")):
                if options.board and file.stem not in options.board:
                    continue
                board = json.loads(file.read_text(encoding="utf-8"))
                write_page(board, asker, options.theme, site / "page.html")
                picture = options.folder / f"dashboard-{file.stem}.png"
                photograph(f"http://127.0.0.1:{server.server_port}/page.html", height_of(board, options.before), picture)
            server.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
