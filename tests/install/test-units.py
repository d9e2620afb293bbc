#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What systemd thinks of the installed units.

usage: test-units.py BUILD PREFIX LIBDIR
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from installation import Installation  # noqa: E402

SERVICE = "jobmetrics-exporter-node.service"
ROLES = ("cluster", "server")
SOCKET = "jobmetrics-exporter-node.socket"
# each by itself, and those that one would have together
ALONE = sorted(path.name for path in (TESTS.parent / "data" / "systemd" / "drop-ins").glob("*.conf"))
DROP_INS = (*([name] for name in ALONE), ["filesystem.conf", "network.conf", "perf.conf", "power-ipmi.conf", "power-perf.conf", "process-details.conf"])
# in tenths, of 100; what the network and the look at all processes cost
MAX_EXPOSURE = 20


class TheUnits(unittest.TestCase):
    installation: Installation

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.units = pathlib.Path(folder.name)
        self.unit = self.add_unit(SERVICE)

    def add_unit(self, name: str) -> str:
        prefix = self.installation.prefix
        unit = (prefix / "lib" / "systemd" / "system" / name).read_text()
        # where the program will be, and where this installation has it
        unit, found = re.subn(r"^ExecStart=(/\S*?)(?=/bin/)", f"ExecStart={prefix}", unit, flags=re.MULTILINE)
        self.assertEqual(found, 1)
        (self.units / name).write_text(unit)
        return unit

    def add_example(self, name: str, folder: pathlib.Path) -> None:
        folder.mkdir(exist_ok=True)
        shutil.copy(self.installation.prefix / "share" / "doc" / "jobmetrics" / name, folder)

    def analyze(self, *command: str) -> str:
        done = subprocess.run(
            ["systemd-analyze", "--no-pager", *command],
            env={**os.environ, "SYSTEMD_UNIT_PATH": f"{self.units}:"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def verify(self, name: str) -> None:
        said = self.analyze("verify", "--man=no", str(self.units / name)).splitlines()
        self.assertEqual([line for line in said if "jobmetrics" in line or str(self.units) in line], [])

    def settings(self) -> dict[str, str]:
        lines = self.unit.replace("\\\n", " ").splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))

    def test_are_well_formed(self):
        self.verify(SERVICE)

    def test_are_well_formed_with_each_drop_in(self):
        folder = self.units / f"{SERVICE}.d"
        for names in DROP_INS:
            with self.subTest(names):
                for name in names:
                    self.add_example(name, folder)
                self.verify(SERVICE)
                shutil.rmtree(folder)

    def test_give_the_program_the_options_of_a_drop_in(self):
        folder = self.units / f"{SERVICE}.d"
        self.add_example("process-bpf.conf", folder)
        self.assertIn("\nEnvironment=JOBMETRICS_BPF=--collector.process.bpf\n", (folder / "process-bpf.conf").read_text())
        self.assertIn(" $JOBMETRICS_BPF ", self.unit)

    def test_come_with_no_other_drop_in(self):
        examples = self.installation.prefix / "share" / "doc" / "jobmetrics"
        self.assertEqual({file.name for file in examples.glob("*.conf")}, {name for names in DROP_INS for name in names})

    def test_are_well_formed_with_a_socket(self):
        self.add_example(SOCKET, self.units)
        self.verify(SOCKET)

    def test_expose_little(self):
        table = self.analyze("security", "--offline=yes", f"--threshold={MAX_EXPOSURE}", str(self.units / SERVICE))
        tap.comment(table.strip().splitlines()[-1])

    def test_of_the_other_roles_are_well_formed_and_expose_little(self):
        for role in ROLES:
            name = f"jobmetrics-exporter-{role}.service"
            self.assertIn(f"/bin/jobmetrics-exporter {role} ", self.add_unit(name))
            self.verify(name)
            self.analyze("security", "--offline=yes", f"--threshold={MAX_EXPOSURE}", str(self.units / name))
        self.assertRegex((self.units / "jobmetrics-exporter-server.service").read_text(), r"(?m)^MemoryHigh=\d+G\nMemoryMax=\d+G$")

    def test_of_alerts_are_well_formed_and_expose_little(self):
        name = "jobmetrics-alert.service"
        unit = self.add_unit(name)
        timer = "jobmetrics-alert.timer"
        shutil.copy(self.installation.prefix / "lib" / "systemd" / "system" / timer, self.units)
        for one in name, timer:
            self.verify(one)
        self.analyze("security", "--offline=yes", f"--threshold={MAX_EXPOSURE}", str(self.units / name))
        # where jobmetrics-cli alert keeps who was notified
        self.assertIn("StateDirectory=jobmetrics\n", unit)

    def test_leave_the_jobs_processes_in_sight(self):
        settings = self.settings()
        self.assertIn(settings.get("ProtectProc", "default"), ["default"])
        self.assertIn(settings.get("ProcSubset", "all"), ["all"])
        self.assertIn(settings.get("PrivateUsers", "no"), ["no"])

    def test_keep_the_jobs_records_where_it_may_be_written(self):
        settings = self.settings()
        files = re.findall(r"--(?:ledger|power)\.file=(\S+)", settings["ExecStart"])
        state = f"%S/{settings['StateDirectory']}"
        self.assertEqual(files, [f"{state}/ledger.db", f"{state}/energy.json"])
        self.assertEqual(settings["RuntimeDirectory"], "jobmetrics-exporter")
        # with DynamicUser systemd makes a directory private that outlives the unit
        self.assertEqual(settings.get("RuntimeDirectoryPreserve", "no"), "no")

    def test_run_a_program_that_knows_the_role(self):
        program, role = self.settings()["ExecStart"].split()[:2]
        environment = self.installation.environment()
        done = subprocess.run(
            [program, role, "--help"], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--web.systemd-socket", done.stdout)


def main(arguments: list[str]) -> int:
    if shutil.which("systemd-analyze") is None:
        tap.skip_all("systemd-analyze is not installed")
    TheUnits.installation = Installation(*arguments)
    try:
        return tap.run(TheUnits)
    finally:
        TheUnits.installation.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
