# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""One seed: a node whose jobs come and go, a daemon that watches it, and whatever can go wrong around both."""

import os
import pathlib
import socket
import subprocess
import tempfile
import threading
import time
from random import Random

from checks import Truth
from control import Control
from daemon import ANSWER_SECONDS, Daemon, Failure
from records import check_records
from services import Accelerator, Command, Server
from world import World

RECOVERY_SECONDS = 60
# which gives no number of a directory twice, as the kernel gives none of a cgroup
MEMORY = pathlib.Path("/dev/shm")
LINGER = 1
# of a million calls; a spell is of a dozen
RATES = {
    "tree": {"error": 4000, "short": 2000, "garbled": 3000, "slow": 2000, "spell": 2000},
    "text": {"error": 4000, "slow": 2000, "spell": 2000},
    "pipe": {"error": 50_000, "slow": 20_000},
    "socket": {"error": 30_000, "short": 50_000, "garbled": 20_000, "slow": 20_000, "spell": 5000},
    "library": {"error": 20_000, "spell": 5000},
    "cgroup": {"error": 10_000, "slow": 2000, "spell": 3000},
}
# of what is written once and for all there are fewer calls, and no more of them fail
STORE_RATES = {"error": 5000, "short": 20_000, "slow": 10_000, "spell": 2000}
DISK_ERRORS = [28, 5, 30, 122]  # ENOSPC, EIO, EROFS, EDQUOT


class Campaign:
    def __init__(self, program: str, fixtures: pathlib.Path, nvml: str, seed: int, spared: list[str]):
        self.program = program
        self.seed = seed
        self.random = Random(seed)
        self.spared = spared
        self.holder = tempfile.TemporaryDirectory(prefix="jobmetrics-faults-", dir=MEMORY if MEMORY.is_dir() else None)
        self.folder = pathlib.Path(self.holder.name)
        self.store = self.folder / "store"
        self.store.mkdir()
        self.ledger = self.store / "ledger.db"
        self.control = Control(self.folder / "control", seed)
        self.world = World(self.folder, fixtures, self.control, Random(seed + 1))
        self.server = Server(Random(seed + 2))
        self.command = Command(self.folder / "watts", Random(seed + 3))
        self.accelerator = Accelerator(self.folder / "gpus.conf", Random(seed + 4))
        self.nvml = nvml
        self.control.set_places(self.world.tree, self.store, [self.server.port])
        self._set_rates()
        self.world.bear("17")
        self.n_daemons = 0
        self.n_records = 0
        self.store_fails = False
        self.level = self.random.choice(["job", "job", "step", "task"])
        self.truth = Truth(self.world, self.accelerator, self._sound_text())
        self.daemon: Daemon | None = None
        self.failure: Failure | None = None
        self.has_ended = threading.Event()
        # answers are looked at in the order in which they came
        self.one_scrape = threading.Lock()

    def close(self) -> None:
        if self.daemon and self.daemon.process.poll() is None:
            self.control.release()
            self.daemon.process.kill()
            self.daemon.process.wait()
        self.server.end()
        self.holder.cleanup()

    def _set_rates(self) -> None:
        scale = self.random.choice([1, 3, 3, 10])
        for place, rates in RATES.items():
            if place not in self.spared:
                self.control.set_rate(place, **{kind: int(rate * scale) for kind, rate in rates.items()})
        self.control.page.slow_us = self.random.choice([1000, 10_000, 100_000])

    # --- the daemon

    def _options(self) -> list[str]:
        credentials = self.world.tree / "credentials"
        credentials.write_text("username=reader\npassword=secret\n")
        credentials.chmod(0o600)
        url = f"http://127.0.0.1:{self.server.port}"
        return [
            f"--path.rootfs={self.world.tree}",
            f"--sample.linger={LINGER}",
            "--sample.interval=0.1",
            f"--sample.level={self.level}",
            "--power.source=rapl-powercap",
            f"--power.source=redfish,url={url},credentials-file=/credentials,auth=basic,interval=1,timeout=1",
            f"--power.source=command,command={self.command.path},unit=W,domain=psys,interval=1,timeout=1",
            f"--gpu.source=nvml,library={self.nvml}",
            f"--emissions.provider=rte,url={url}",
            "--emissions.provider=fixed,factor=300,scope=direct",
            f"--ledger.file={self.ledger}",
        ]

    def _environment(self) -> dict[str, str]:
        return {
            "FAULT_CONTROL": str(self.control.path),
            "FAULT_LOG": str(self.folder / "faults"),
            "NVML_STAND_IN": str(self.accelerator.path),
            "GIO_USE_PROXY_RESOLVER": "dummy",
        }

    def _sound_text(self) -> str:
        """What one sweep of a sound node says."""
        self.server.is_sound = True
        command = [self.program, "node", "--once", *self._options()]
        environment = {**os.environ, **self._environment()}
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=ANSWER_SECONDS, check=False, env=environment)
        if done.returncode != 0:
            raise Failure(f"a sound node cannot be read:\n{done.stderr}")
        (self.folder / "sound").write_text(done.stdout)
        return done.stdout

    def start(self) -> None:
        self.truth.has_restarted = self.n_daemons > 0
        self.n_daemons += 1
        self.daemon = Daemon(self.program, self._options(), self._environment(), self.folder, self.n_daemons)

    # --- what happens around it

    def _scrape_on(self) -> None:
        """In a thread of its own: somebody always asks."""
        random = Random(self.seed + 5)
        try:
            while not self.has_ended.is_set():
                kind = random.randrange(10)
                if kind == 0:
                    self._ask_otherwise(random)
                elif kind == 1:
                    self._leave_early()
                else:
                    self.scrape()
                self.has_ended.wait(random.random() * 0.1)
        except Failure as failure:
            self.failure = failure
        except Exception as error:  # noqa: BLE001 - reported by the main thread
            self.failure = Failure(repr(error))
            raise

    def scrape(self) -> str:
        with self.one_scrape:
            status, body = self.daemon.get()
            if status != 200:
                raise Failure(f"a scrape was answered by {status}: {body[:200]!r}")
            text = body.decode()
            self.truth.check(text)
        return text

    def _ask_otherwise(self, random: Random) -> None:
        path = random.choice(["/", "/-/healthy", "/-/ready", "/metrics?collect[]=cpu", "/nowhere"])
        status, _ = self.daemon.get(path)
        if status not in (200, 404, 503):
            raise Failure(f"GET {path} was answered by {status}")

    def _leave_early(self) -> None:
        with socket.create_connection(("127.0.0.1", self.daemon.port), timeout=ANSWER_SECONDS) as client:
            client.sendall(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")

    def _happen(self) -> None:
        random, world = self.random, self.world
        world.tick()
        if len(world.runs) < 6 and random.random() < 0.1:
            again = [run.job for run in world.ended[-5:] if run.job not in {other.job for other in world.runs}]
            world.bear(random.choice(again) if again and random.random() < 0.2 else None)
        if len(world.runs) > 2 and random.random() < 0.08:
            world.end(random.choice(world.runs[1:]))
        if random.random() < 0.05:
            self.command.change()
        if random.random() < 0.05:
            self.accelerator.change()
        self._check()

    def _check(self) -> None:
        if self.failure:
            raise self.failure
        if self.daemon.process.poll() is not None:
            raise Failure(f"it ended with {self.daemon.process.returncode}:\n{self.daemon.tail()}")

    def _for(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._happen()
            time.sleep(0.02)

    def _fill_disk(self) -> None:
        self.control.page.disk = self.random.choice(DISK_ERRORS)
        self._for(1)
        self.control.page.disk = 0

    def _hang(self) -> None:
        """Something hangs for longer than the daemon has patience; the answers go on all the same."""
        self.control.hang(self.random.choice(["tree", "text", "store"] if self.store_fails else ["tree", "text"]))
        self._for(7)
        self.control.release()

    # --- and what becomes of it

    def trouble(self, seconds: float, with_hang: bool) -> None:
        self.server.is_sound = False
        self.control.page.is_armed = 1
        self._for(seconds)
        if self.store_fails and self.random.random() < 0.5:
            self._fill_disk()
        if with_hang:
            self._hang()
        self.control.page.is_armed = 0

    def recover(self) -> None:
        """Nothing goes wrong any more, and nothing moves: all of it must be reported, as it is."""
        self.server.is_sound = True
        self.command.change(is_sound=True)
        self.accelerator.change(is_sound=True)
        while len(self.world.runs) > 3:
            self.world.end(self.world.runs[-1])
        while len(self.world.runs) < 3:
            self.world.bear()
        end = time.monotonic() + RECOVERY_SECONDS
        lacking = ["everything"]
        while lacking:
            self._check()
            if time.monotonic() > end:
                raise Failure("it does not recover, and lacks\n" + "\n".join(lacking[:20]) + f"\n{self.daemon.tail()}")
            time.sleep(0.1)
            text = self.scrape()
            lacking = self.truth.missing(text) or (["the ended jobs' leave"] if "_end_time_seconds{" in text else [])

    def live(self, n_troubles: int, seconds: float, with_hang: bool, by_force: bool) -> None:
        """One daemon, from its start to its end. What a scraper was shown outlives one that is killed, where it could be
        written."""
        self.store_fails = not by_force
        self.control.set_rate("store", **(STORE_RATES if self.store_fails else dict.fromkeys(STORE_RATES, 0)))
        self.start()
        self.has_ended.clear()
        scraper = threading.Thread(target=self._scrape_on)
        scraper.start()
        try:
            held = []
            for i in range(n_troubles):
                self.trouble(seconds, with_hang and i == 0)
                self.recover()
                held.append((self.daemon.count("fd"), self.daemon.count("task")))
            # files are opened when they are first wanted
            if held[-1][0] > held[0][0] * 1.2 + 20 or held[-1][1] > held[0][1] + 6:
                raise Failure(f"descriptors and threads grow: {held}")
            if by_force:
                self.control.page.is_armed = 1
                self._for(0.3)
        finally:
            self.has_ended.set()
            scraper.join()
            self.control.page.is_armed = 0
        self._check()
        if by_force:
            self.daemon.kill()
        else:
            self.daemon.end()
            self.n_records = check_records(self.world, self.ledger, self.truth.sweeps)

    def summary(self) -> str:
        kinds: dict[str, int] = {}
        for (_, kind), n in self.control.counts().items():
            kinds[kind] = kinds.get(kind, 0) + n
        told = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))
        return (
            f"seed {self.seed}: {self.control.total()} faults ({told}), {self.n_daemons} daemons, "
            f"{self.world.n_runs} jobs, {self.n_records} records, {self.truth.n_scrapes} scrapes, {self.truth.n_figures} figures"
        )
