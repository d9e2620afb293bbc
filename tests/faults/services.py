# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a daemon asks beside files, in all the ways in which it does not answer: a BMC, a grid, a command, a library."""

import http.server
import json
import os
import pathlib
import threading
import time
from random import Random

BMC_WATTS = range(200, 400)
COMMAND_WATTS = range(100, 200)
GPU_POWERS = range(100_000, 300_000)
CHASSIS = "/redfish/v1/Chassis"
BMC_PAGES = {
    CHASSIS: {"@odata.id": CHASSIS, "Members": [{"@odata.id": f"{CHASSIS}/1"}], "Members@odata.count": 1},
    f"{CHASSIS}/1": {
        "@odata.id": f"{CHASSIS}/1",
        "Id": "1",
        "ChassisType": "RackMount",
        "Links": {"ComputerSystems": [{"@odata.id": "/redfish/v1/Systems/1"}]},
        "Power": {"@odata.id": f"{CHASSIS}/1/Power"},
    },
}
MANNERS = ["well"] * 12 + ["error", "close", "trickle", "garbage", "large", "empty", "redirect", "wait", "unsized"]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "Server"

    def log_message(self, *_) -> None:
        pass

    def page(self) -> dict:
        path = self.path.partition("?")[0]
        if path in BMC_PAGES:
            return BMC_PAGES[path]
        if path.startswith(CHASSIS):
            return {"@odata.id": path, "PowerControl": [{"PowerConsumedWatts": self.server.choose(BMC_WATTS)}]}
        now = time.strftime("%Y-%m-%dT%H:%M:00+00:00", time.gmtime())
        return {"total_count": 1, "results": [{"taux_co2": 42, "date_heure": now}]}

    def reply(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", headers.pop("length", str(len(body))))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        body = json.dumps(self.page()).encode()
        manner = self.server.manner()
        try:
            getattr(self, f"answer_{manner}")(body)
        except OSError:
            # whoever asked has gone
            self.close_connection = True

    do_POST = do_DELETE = do_GET

    def answer_well(self, body: bytes) -> None:
        self.reply(body)

    def answer_error(self, body: bytes) -> None:
        self.reply(b"no", self.server.choose([400, 401, 403, 404, 429, 500, 503]))

    def answer_close(self, body: bytes) -> None:
        self.reply(body[:7], length=str(len(body)))
        self.close_connection = True

    def answer_unsized(self, body: bytes) -> None:
        self.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n" + body)
        self.close_connection = True

    def answer_trickle(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for byte in body:
            self.wfile.write(bytes([byte]))
            if self.server.ending.wait(0.05):
                break

    def answer_garbage(self, body: bytes) -> None:
        self.reply(self.server.choose([b"\xff\x00{", b"[" * 3000, b"{}", b"null", b'{"PowerControl":7,"results":{}}', b'{"PowerControl":[{"PowerConsumedWatts":"412"}]}']))

    def answer_large(self, body: bytes) -> None:
        self.reply(b" " * 2_000_000 + body)

    def answer_empty(self, body: bytes) -> None:
        self.reply(b"")

    def answer_redirect(self, body: bytes) -> None:
        self.reply(b"", 302, Location=self.path)

    def answer_wait(self, body: bytes) -> None:
        self.server.ending.wait(3)
        self.close_connection = True


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, random: Random):
        super().__init__(("127.0.0.1", 0), Handler)
        self.random = random
        self.ending = threading.Event()
        self.is_sound = False
        self._lock = threading.Lock()
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()

    def handle_error(self, *_) -> None:
        """A client that leaves in the middle is what is meant here."""

    def choose(self, choices):
        with self._lock:
            return self.random.choice(choices)

    def manner(self) -> str:
        return "well" if self.is_sound else self.choose(MANNERS)

    @property
    def port(self) -> int:
        return self.server_address[1]

    def end(self) -> None:
        self.ending.set()
        self.shutdown()
        self.server_close()


def replace(path: pathlib.Path, text: str, mode: int = 0o644) -> None:
    beside = path.with_suffix(".new")
    beside.write_text(text)
    beside.chmod(mode)
    os.replace(beside, path)


class Command:
    """A program that reports watts, another time not, or not only, or never ends."""

    def __init__(self, path: pathlib.Path, random: Random):
        self.path = path
        self.random = random
        self.change(is_sound=True)

    def change(self, is_sound: bool = False) -> None:
        watts = self.random.choice(COMMAND_WATTS)
        others = [
            "exit 3",
            "echo wrong >&2; exit 1",
            "kill -9 $$",
            "sleep 30",
            "sleep 30 & echo 150",
            "yes 150",
            "printf 15",
            "echo 150; echo 150",
            "printf '\\377\\000\\n'",
            "exec 1>&-; sleep 5",
        ]
        line = f"echo {watts}" if is_sound or self.random.random() < 0.5 else self.random.choice(others)
        replace(self.path, f"#!/bin/sh\n{line}\n", 0o755)


class Accelerator:
    """A library that fails, loses its device, or does not return."""

    FUNCTIONS = ["nvmlDeviceGetPowerUsage", "nvmlDeviceGetUtilizationRates", "nvmlDeviceGetMemoryInfo", "nvmlDeviceGetTotalEnergyConsumption", "nvmlDeviceGetName"]

    def __init__(self, path: pathlib.Path, random: Random):
        self.path = path
        self.random = random
        self.energy = 1_000_000_000
        self.held = {"utilization": {37}, "memory-used": {1_073_741_824}, "power": {300_000}}
        self.write({"utilization": 37, "memory-used": 1_073_741_824, "power": 300_000})

    def write(self, values: dict[str, int], more: str = "", library: str = "") -> None:
        # without samples: a mean is what no file ever said
        text = f"[library]\ndriver=550.54.15\nsamples-kept=0\n{library}\n[0]\nname=NVIDIA H100 80GB HBM3\nuuid=GPU-5ab2c6c8-0b5b-4c5e-9a53-0d8f4a1e9c01\n"
        text += f"pci=00000000:3B:00.0\nminor=0\nmemory-total=85899345920\nenergy={self.energy}\n{more}\n"
        replace(self.path, text + "".join(f"{key}={value}\n" for key, value in values.items()))

    def change(self, is_sound: bool = False) -> None:
        random = self.random
        values = {"utilization": random.randrange(101), "memory-used": random.randrange(1 << 30, 1 << 36), "power": random.choice(GPU_POWERS)}
        for key, value in values.items():
            self.held[key].add(value)
        self.energy += random.randrange(100_000)
        more = library = ""
        if not is_sound and random.random() < 0.5:
            more = "".join(f"error.{function}={random.choice([3, 4, 15, 999])}\n" for function in random.sample(self.FUNCTIONS, 2))
        if not is_sound and random.random() < 0.1:
            library = f"hang={random.choice(self.FUNCTIONS)}"
        if not is_sound and random.random() < 0.1:
            more += f"lost-after={random.randrange(50)}\n"
        self.write(values, more, library)
