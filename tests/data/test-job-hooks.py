#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the hooks of PBS, Flux, Grid Engine and HTCondor write, with a stand-in for what their schedulers give them.

usage: test-job-hooks.py HOOK
"""

import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import types
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
HOOKS = TESTS.parent / "data" / "hooks"
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

HOOK = os.path.abspath(sys.argv[1])
SECONDS = 30
HOSTILE_IDS = ["", ".", "..", "../7", "/etc/passwd", "7/8", "7\n8", "-rf", "$(id)", "7 8", "7.a;b", "\0", "é", "7.\ud800"]


class HookCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.top = pathlib.Path(temporary.name)
        self.jobs = self.top / "jobs"

    def names(self) -> list[str]:
        return sorted(path.name for path in self.top.rglob("*") if path.is_file())

    def lines(self, name: str) -> list[str]:
        return (self.jobs / name).read_text(encoding="utf-8").splitlines()

    def assert_root_alone_writes(self, name: str) -> None:
        self.assertEqual((self.jobs / name).stat().st_mode & 0o7777, 0o644)
        self.assertEqual(self.jobs.stat().st_mode & 0o7777, 0o755)


class TheHookOfPBS(HookCase):
    """A hook is a program that pbs_python runs with a module pbs, and that ends in accept () or reject ()."""

    def pbs_with(self, event: str, **attributes) -> types.ModuleType:
        pbs = types.ModuleType("pbs")
        pbs.EXECJOB_BEGIN, pbs.EXECJOB_END, pbs.EXECJOB_ABORT, pbs.LOG_WARNING = 1, 2, 3, 4
        pbs.accepted, pbs.messages = 0, []
        pbs.hook_config_filename = str(self.top / "config.json")
        (self.top / "config.json").write_text(f'{{"directory": "{self.jobs}", "socket": "{self.top / "socket"}"}}')
        pbs.logmsg = lambda level, text: pbs.messages.append(text)

        def accept():
            pbs.accepted += 1
            raise SystemExit(0)

        happening = types.SimpleNamespace(type=getattr(pbs, event), job=types.SimpleNamespace(**attributes), accept=accept)
        pbs.event = lambda: happening
        return pbs

    def run_hook(self, event: str, **attributes) -> types.ModuleType:
        pbs = self.pbs_with(event, **attributes)
        source = (HOOKS / "jobmetrics-pbs-hook.py").read_text()
        sys.modules["pbs"] = pbs
        self.addCleanup(sys.modules.pop, "pbs", None)
        with self.assertRaises(SystemExit):
            exec(compile(source, "hook", "exec"), {"__name__": "hook"})
        self.assertEqual(pbs.accepted, 1)
        return pbs

    def test_the_beginning_of_a_job_of_pbs_reports_who_it_is(self):
        self.run_hook(
            "EXECJOB_BEGIN",
            id="1234.pbs01",
            Job_Name="relax",
            queue=types.SimpleNamespace(name="workq"),
            euser="alice",
            Job_Owner="alice@login1.example.org",
            Account_Name="physics",
            project="_pbs_project_default",
            Resource_List={"nodect": 2},
            ctime=1795247000,
            stime=1795247950,
        )
        expected = ["PBS_JOBID=1234.pbs01", "PBS_JOBNAME=relax", "PBS_QUEUE=workq", "PBS_JOB_USER=alice", "PBS_JOB_ACCOUNT=physics"]
        expected += ["PBS_JOB_NODES=2", "PBS_JOB_SUBMIT_TIME=1795247000", "PBS_JOB_START_TIME=1795247950"]
        self.assertEqual(self.lines("1234.pbs01"), expected)
        self.assert_root_alone_writes("1234.pbs01")
        self.assertEqual(self.names(), ["1234.pbs01", "config.json"])

    def test_what_pbs_does_not_report_is_missing(self):
        self.run_hook("EXECJOB_BEGIN", id="7.pbs01", Job_Owner="bob@login1", queue="workq", project="chemistry", Job_Name=None)
        self.assertEqual(self.lines("7.pbs01"), ["PBS_JOBID=7.pbs01", "PBS_QUEUE=workq", "PBS_JOB_USER=bob", "PBS_JOB_ACCOUNT=chemistry"])

    def exporter(self, *answers: bytes | None) -> list[tuple[bytes, bool]]:
        """What it is asked, and whether the job has a file by then; it says nothing at all where there is no answer."""
        heard: list[tuple[bytes, bool]] = []
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.top / "socket"))
        listener.listen()
        over = threading.Event()

        def serve() -> None:
            for answer in answers:
                with listener.accept()[0] as client:
                    heard.append((client.recv(65536), (self.jobs / "7.pbs01").exists()))
                    if answer is None:
                        over.wait(SECONDS)
                    else:
                        client.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        self.addCleanup(listener.close)
        self.addCleanup(thread.join, SECONDS)
        self.addCleanup(over.set)
        return heard

    def test_the_exporter_is_notified_while_the_file_of_a_job_of_pbs_is_there(self):
        heard = self.exporter(*2 * [b"HTTP/1.1 200 OK\r\n\r\n"])
        for event in ("EXECJOB_BEGIN", "EXECJOB_END"):
            self.assertEqual(self.run_hook(event, id="7.pbs01").messages, [])
        self.assertEqual([request.split(b" HTTP")[0] for request, _ in heard], [b"POST /hook/prolog", b"POST /hook/epilog"])
        self.assertTrue(all(request.endswith(b"\r\n\r\njob=7.pbs01&scheduler=pbs") for request, _ in heard))
        self.assertEqual([is_there for _, is_there in heard], [True, True])
        self.assertEqual(list(self.jobs.iterdir()), [])

    def test_an_exporter_that_does_not_answer_keeps_no_job_of_pbs(self):
        """It would go on saying nothing for far longer than the hook takes."""
        self.exporter(b"nonsense", None)
        self.assertIn("nonsense", self.run_hook("EXECJOB_BEGIN", id="7.pbs01").messages[0])
        self.assertEqual(len(self.run_hook("EXECJOB_END", id="7.pbs01").messages), 1)
        self.assertEqual(list(self.jobs.iterdir()), [])

    def test_the_part_of_an_array_of_pbs_has_a_file_of_its_own(self):
        self.run_hook("EXECJOB_BEGIN", id="1235[7].pbs01", Job_Name="sweep")
        self.assertEqual(self.lines("1235[7].pbs01"), ["PBS_JOBID=1235[7].pbs01", "PBS_JOBNAME=sweep"])

    def test_the_end_of_a_job_of_pbs_removes_its_file(self):
        for event in ("EXECJOB_END", "EXECJOB_ABORT"):
            self.run_hook("EXECJOB_BEGIN", id="7.pbs01")
            self.run_hook("EXECJOB_BEGIN", id="8.pbs01")
            self.run_hook(event, id="7.pbs01")
            self.assertEqual(self.names(), ["8.pbs01", "config.json"])
        self.assertEqual(self.run_hook("EXECJOB_END", id="7.pbs01").messages, [])

    def test_a_hostile_name_of_a_job_of_pbs_stays_on_its_line(self):
        name = 'x\nPBS_JOB_USER=root\r\0\x1b[31m\x85\u2028"$(touch pwned)`id`; \ud800'
        self.run_hook("EXECJOB_BEGIN", id="7.pbs01", Job_Name=name, euser="alice")
        lines = (self.jobs / "7.pbs01").read_text(encoding="utf-8").split("\n")
        self.assertEqual([line.partition("=")[0] for line in lines], ["PBS_JOBID", "PBS_JOBNAME", "PBS_JOB_USER", ""])
        self.assertEqual(lines[1], 'PBS_JOBNAME=xPBS_JOB_USER=root[31m\u2028"$(touch pwned)`id`; ?')

    def test_a_job_of_pbs_with_another_name_than_an_id_has_no_file(self):
        for event in ("EXECJOB_BEGIN", "EXECJOB_END"):
            for name in [*HOSTILE_IDS, "7.pbs01\n", "7" * 200, "7[].pbs01"]:
                with self.subTest(event=event, name=name):
                    self.run_hook(event, id=name, Job_Name="x")
                    self.assertEqual(self.names(), ["config.json"])

    def test_no_failure_of_the_hook_fails_a_job_of_pbs(self):
        self.jobs.write_text("a file where the folder should be")
        self.assertEqual(len(self.run_hook("EXECJOB_BEGIN", id="7.pbs01").messages), 1)

    def test_a_full_disk_leaves_half_a_file_of_pbs_nowhere(self):
        self.jobs.mkdir()
        (self.jobs / "7.pbs01").mkdir()
        (self.jobs / "7.pbs01" / "x").touch()
        self.assertEqual(len(self.run_hook("EXECJOB_BEGIN", id="7.pbs01").messages), 1)
        self.assertEqual(self.names(), ["config.json", "x"])


class TheHooksOfFlux(HookCase):
    """flux-imp runs them as root, with the id and the user in the environment."""

    def run_hook(self, name: str, **environment: str) -> None:
        link = self.top / name
        if not link.is_symlink():
            link.symlink_to(HOOK)
        encoded = {key: value.encode("utf-8", "surrogatepass") for key, value in environment.items()}
        done = subprocess.run([link, self.jobs], env=encoded, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, b""))

    def begin(self, **environment: str) -> None:
        self.run_hook("jobmetrics-flux-prolog", **environment)

    def end(self, **environment: str) -> None:
        self.run_hook("jobmetrics-flux-epilog", **environment)

    def files(self) -> list[str]:
        return sorted(path.name for path in self.jobs.iterdir()) if self.jobs.is_dir() else []

    def test_the_prolog_of_flux_reports_whose_job_it_is(self):
        self.begin(FLUX_JOB_ID="f2Xk9Yw", FLUX_JOB_USERID="1000")
        self.assertEqual(self.lines("f2Xk9Yw"), ["FLUX_JOB_ID=f2Xk9Yw", "FLUX_JOB_USERID=1000"])
        self.assert_root_alone_writes("f2Xk9Yw")

    def test_an_id_of_flux_is_written_as_in_the_name_of_the_unit(self):
        """The numbers and their words are those of RFC 19 of Flux."""
        words = {"0": "f1", "57": "fz", "1234": "fNH", "1888": "fZZ", "3364": "f211", "65535": "fLUv", "4294967295": "f7YXq9G"}
        words |= {"633528662": "fxyzzy", "6731191091817518": "fuZZybuNNy", "ƒuZZybuNNy": "fuZZybuNNy"}
        for told, word in words.items():
            with self.subTest(told=told):
                self.begin(FLUX_JOB_ID=told)
                self.assertEqual(self.files(), [word])
                self.assertEqual(self.lines(word), [f"FLUX_JOB_ID={word}"])
                self.end(FLUX_JOB_ID=told)
                self.assertEqual(self.files(), [])

    def test_the_epilog_of_flux_removes_the_file_of_its_job_alone(self):
        self.begin(FLUX_JOB_ID="f21")
        self.begin(FLUX_JOB_ID="f22")
        self.end(FLUX_JOB_ID="f21")
        self.end(FLUX_JOB_ID="f23")
        self.assertEqual(self.files(), ["f22"])

    def test_what_is_no_id_of_flux_has_no_file(self):
        ids = [name for name in HOSTILE_IDS if "\0" not in name]
        for name in [*ids, "f", "ƒ", "f/../x", "f0", "fOIl", "x21", "f" + "z" * 12, "-1", "9" * 20, "0x10"]:
            with self.subTest(name=name):
                self.begin(FLUX_JOB_ID=name, FLUX_JOB_USERID="1000")
                self.end(FLUX_JOB_ID=name)
                self.assertEqual(self.files(), [])
        self.begin()
        self.assertEqual(self.files(), [])

    def test_a_user_of_flux_that_is_no_number_is_missing(self):
        for user in ("", "root", "1000\nFLUX_JOB_ID=f3", "-1", "$(id)"):
            with self.subTest(user=user):
                self.begin(FLUX_JOB_ID="f21", FLUX_JOB_USERID=user)
                self.assertEqual(self.lines("f21"), ["FLUX_JOB_ID=f21"])

    def test_no_failure_of_the_hook_fails_a_job_of_flux(self):
        self.jobs.write_text("a file where the folder should be")
        self.begin(FLUX_JOB_ID="f21", FLUX_JOB_USERID="1000")


class TheHooksOfGridEngine(HookCase):
    """sge_shepherd runs them as root where the queue says root@, with the environment of the job."""

    BURN = {"JOB_ID": "12", "SGE_TASK_ID": "undefined", "USER": "alice", "JOB_NAME": "burn", "QUEUE": "all.q", "SGE_ACCOUNT": "sge"}
    BURN |= {"NSLOTS": "2", "PE": "smp", "PATH": "/nowhere"}

    def run_hook(self, name: str, **environment: str) -> None:
        link = self.top / name
        if not link.is_symlink():
            link.symlink_to(HOOK)
        encoded = {key: value.encode("utf-8", "surrogatepass") for key, value in environment.items()}
        done = subprocess.run([link, self.jobs], env=encoded, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, b""))

    def begin(self, **environment: str) -> None:
        self.run_hook("jobmetrics-gridengine-prolog", **environment)

    def end(self, **environment: str) -> None:
        self.run_hook("jobmetrics-gridengine-epilog", **environment)

    def files(self) -> list[str]:
        return sorted(path.name for path in self.jobs.iterdir()) if self.jobs.is_dir() else []

    def test_the_prolog_of_grid_engine_reports_whose_job_it_is(self):
        self.begin(**self.BURN)
        told = ["JOB_ID=12", "USER=alice", "JOB_NAME=burn", "QUEUE=all.q", "SGE_ACCOUNT=sge", "NSLOTS=2", "PE=smp"]
        self.assertEqual(self.lines("gridengine-12.1"), told)
        self.assert_root_alone_writes("gridengine-12.1")

    def test_a_task_of_an_array_of_grid_engine_has_a_file_of_its_own(self):
        for task in ("2", "3"):
            self.begin(**{**self.BURN, "SGE_TASK_ID": task})
        self.assertEqual(self.files(), ["gridengine-12.2", "gridengine-12.3"])
        self.assertEqual(self.lines("gridengine-12.3")[0], "JOB_ID=12.3")
        self.end(**{**self.BURN, "SGE_TASK_ID": "2"})
        self.assertEqual(self.files(), ["gridengine-12.3"])

    def test_what_is_no_id_of_grid_engine_has_no_file(self):
        for name in [*(name for name in HOSTILE_IDS if "\0" not in name), "9" * 20, "12.1"]:
            with self.subTest(name=name):
                self.begin(**{**self.BURN, "JOB_ID": name})
                self.end(**{**self.BURN, "JOB_ID": name})
                self.assertEqual(self.files(), [])

    def test_a_hostile_name_of_a_job_of_grid_engine_stays_on_its_line(self):
        self.begin(**{**self.BURN, "JOB_NAME": "a\nUSER=root\033[31m", "SGE_TASK_ID": "../7"})
        self.assertEqual(self.files(), ["gridengine-12.1"])
        self.assertEqual(self.lines("gridengine-12.1")[1:3], ["USER=alice", "JOB_NAME=aUSER=root[31m"])

    def test_no_failure_of_the_hook_fails_a_job_of_grid_engine(self):
        self.jobs.write_text("a file where the folder should be")
        self.begin(**self.BURN)
        self.end(**self.BURN)


class TheSlotsOfHTCondor(HookCase):
    """condor_who -long prints an ad for each slot, NAME = EXPRESSION, and an empty line between them."""

    ALICE = 'Name = "slot1_1@ep1"\nJobId = "12.0"\nRemoteOwner = "alice@example.org"\nRemoteGroup = "physics"\nJobStart = 1795247950\nGlobalJobId = "c1#12.0#1795247000"\n'
    BOB = 'Name = "slot1_2@ep1"\nJobId = "13.4"\nRemoteOwner = "bob@example.org"\nRank = 0.0\nStart = TARGET.x =?= 1\n'
    IDLE = 'Name = "slot1@ep1"\nState = "Unclaimed"\n'

    def setUp(self):
        super().setUp()
        self.jobs.mkdir()

    def run_hook(self, *ads: str) -> str:
        command = [sys.executable, HOOKS / "jobmetrics-condor-slots", self.jobs, "-"]
        text = "\n".join(ads).encode("utf-8", "surrogatepass")
        done = subprocess.run(command, input=text, capture_output=True, timeout=SECONDS, check=False)
        # what it prints would become a part of the machine's ad
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        return done.stderr.decode()

    def test_each_slot_of_htcondor_that_runs_a_job_has_a_file(self):
        self.assertEqual(self.run_hook(self.IDLE, self.ALICE, self.BOB), "")
        self.assertEqual(self.names(), ["slot1_1", "slot1_2"])
        expected = ["CONDOR_JOB_ID=12.0", "CONDOR_JOB_USER=alice", "CONDOR_JOB_ACCOUNT=physics"]
        expected += ["CONDOR_JOB_SUBMIT_TIME=1795247000", "CONDOR_JOB_START_TIME=1795247950"]
        self.assertEqual(self.lines("slot1_1"), expected)
        self.assertEqual(self.lines("slot1_2"), ["CONDOR_JOB_ID=13.4", "CONDOR_JOB_USER=bob"])
        self.assert_root_alone_writes("slot1_1")

    def test_the_next_job_of_a_slot_of_htcondor_replaces_the_former(self):
        self.run_hook(self.ALICE)
        self.run_hook(self.ALICE.replace("12.0", "14.0"))
        self.assertEqual(self.lines("slot1_1")[0], "CONDOR_JOB_ID=14.0")

    def test_when_another_job_of_a_slot_of_htcondor_was_submitted_is_not_said(self):
        self.run_hook(self.ALICE.replace("#12.0#", "#2.0#"))
        self.assertNotIn("SUBMIT", (self.jobs / "slot1_1").read_text(encoding="utf-8"))

    def test_a_slot_of_htcondor_without_a_job_has_no_file(self):
        (self.jobs / "other").touch()
        self.run_hook(self.ALICE, self.BOB)
        self.run_hook(self.BOB)
        self.assertEqual(self.names(), ["other", "slot1_2"])
        self.run_hook(self.IDLE)
        self.assertEqual(self.names(), ["other"])

    def test_a_hostile_owner_of_a_slot_of_htcondor_stays_on_its_line(self):
        owner = r"\"$(touch pwned)\\\0" + "\x1b[31m\x85\r\ud800"
        self.run_hook(self.ALICE.replace("alice@example.org", owner))
        lines = (self.jobs / "slot1_1").read_text(encoding="utf-8").split("\n")
        self.assertEqual([line.partition("=")[0] for line in lines][:2], ["CONDOR_JOB_ID", "CONDOR_JOB_USER"])
        self.assertEqual(len(lines), 6)
        self.assertTrue(lines[1].startswith('CONDOR_JOB_USER="$(touch pwned)\\\\0[31m'), lines[1])

    def test_a_slot_of_htcondor_with_another_name_has_no_file(self):
        for name in [*HOSTILE_IDS, "slot", "slot1/x", "slot1@../x", "slot1@ep1\\n", "SLOT1@ep1"]:
            with self.subTest(name=name):
                self.run_hook(f'Name = "{name}"\nJobId = "12.0"\n')
                self.assertEqual(self.names(), [])
        for job in ("", "12", "12.0.0", "12.x", "../12.0"):
            with self.subTest(job=job):
                self.run_hook(f'Name = "slot1@ep1"\nJobId = "{job}"\n')
                self.assertEqual(self.names(), [])

    def test_a_startd_of_htcondor_that_does_not_answer_leaves_the_files_as_they_are(self):
        self.run_hook(self.ALICE)
        (self.top / "condor_who").write_text("#!/bin/sh\necho no startd >&2\nexit 1\n")
        (self.top / "condor_who").chmod(0o755)
        command = [sys.executable, HOOKS / "jobmetrics-condor-slots", self.jobs]
        done = subprocess.run(command, env={"PATH": str(self.top)}, capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("condor_who: status 1: no startd", done.stderr)
        self.assertEqual(self.names(), ["condor_who", "slot1_1"])

    def test_the_startd_of_htcondor_is_asked_for_its_slots(self):
        (self.top / "condor_who").write_text(f"#!/bin/sh\n[ \"$1\" = -long ] && printf '{self.ALICE}'\n")
        (self.top / "condor_who").chmod(0o755)
        command = [sys.executable, HOOKS / "jobmetrics-condor-slots", self.jobs]
        subprocess.run(command, env={"PATH": str(self.top)}, timeout=SECONDS, check=True)
        self.assertEqual(self.lines("slot1_1")[0], "CONDOR_JOB_ID=12.0")


if __name__ == "__main__":
    sys.exit(tap.run(TheHookOfPBS, TheHooksOfFlux, TheHooksOfGridEngine, TheSlotsOfHTCondor))
