#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What schedulers run when a job begins and ends: whatever happens it ends with 0, and keeps no job waiting.

usage: test-hook.py HOOK CLI
"""

import fcntl
import os
import pathlib
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pylib"))
import tap  # noqa: E402

HOOK, CLI = map(os.path.abspath, sys.argv[1:3])
# Far more than any bound of the hook's own, which ends it by itself before.
SECONDS = 60
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}\n"
SLURM = {"SLURM_JOB_ID": "5", "SLURM_JOB_USER": "alice", "SLURM_JOB_CPUS_PER_NODE": "4(x2)", "SLURM_JOB_GPUS": "0,2-3"}


class Exporter:
    """One that listens on a socket, and does what a test says with each who comes."""

    def __init__(self, path: pathlib.Path, serve):
        self.heard: list[bytes] = []
        self.serve = serve
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen()
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with client:
                request = b""
                while b"job=" not in request and (part := client.recv(65536)):
                    request += part
                self.heard.append(request)
                try:
                    self.serve(self, client)
                except OSError:
                    pass

    def __enter__(self) -> "Exporter":
        return self

    def __exit__(self, *_) -> None:
        self.over.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(SECONDS)


def answer(exporter: Exporter, client: socket.socket) -> None:
    client.sendall(ANSWER)


def say_nothing(exporter: Exporter, client: socket.socket) -> None:
    exporter.over.wait(SECONDS)


class HookTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.top = pathlib.Path(temporary.name)
        self.jobs, self.gpus, self.socket = self.top / "jobs", self.top / "gpus", self.top / "socket"

    def run_hook(self, *words: str, program: tuple[str, ...] = (HOOK,), environment: dict[str, str] | None = None, **more) -> str:
        """What it says on standard error. It waits for the exporter for a short time, or as long as the test sets it."""
        places = [f"--directory={self.jobs}", f"--socket={self.socket}", "--wait=0.1"]
        command = [*program, *places, *words]
        variables = {key: os.fsencode(value) for key, value in (SLURM if environment is None else environment).items()}
        done = subprocess.run(command, env=variables, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False, **more)
        self.assertEqual((done.returncode, done.stdout), (0, b""), done.stderr)
        return done.stderr.decode()

    def files(self, folder: pathlib.Path | None = None) -> list[str]:
        folder = folder or self.jobs
        return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []

    def lines(self, name: str) -> list[str]:
        return (self.jobs / name).read_text().splitlines()


class EachScheduler(HookTest):
    def test_a_job_of_slurm_is_written_down_and_removed(self):
        for program in ((HOOK,), (CLI, "hook")):
            with self.subTest(program=program):
                self.run_hook("prolog", program=program)
                self.assertEqual(self.files(), ["5"])
                self.assertEqual(self.lines("5")[:4], [f"{name}={value}" for name, value in SLURM.items()])
                self.assertRegex(self.lines("5")[4], r"^JOBMETRICS_PROLOG_TIME=\d{10}$")
                self.assertEqual((self.jobs / "5").stat().st_mode & 0o7777, 0o644)
                self.run_hook("epilog", program=program)
                self.assertEqual(self.files(), [])

    def test_a_job_of_flux_is_written_down_and_removed(self):
        told = {"FLUX_JOB_ID": "1234", "FLUX_JOB_USERID": "1000"}
        self.run_hook("prolog", "--scheduler=flux", environment=told)
        self.assertEqual(self.lines("fNH"), ["FLUX_JOB_ID=fNH", "FLUX_JOB_USERID=1000"])
        self.run_hook("epilog", "--scheduler=flux", environment=told)
        self.assertEqual(self.files(), [])

    def test_a_job_of_grid_engine_is_written_down_and_removed(self):
        told = {"JOB_ID": "12", "SGE_TASK_ID": "3", "USER": "alice", "SLURM_JOB_ID": "7"}
        self.run_hook("prolog", "--scheduler=gridengine", environment=told)
        self.assertEqual(self.lines("gridengine-12.3"), ["JOB_ID=12.3", "USER=alice"])
        self.run_hook("epilog", "--scheduler=gridengine", environment=told)
        self.assertEqual(self.files(), [])

    def test_a_prologue_of_torque_learns_by_its_place_who_a_job_is(self):
        words = ["77.head", "alice", "users", "relax", "nodes=1", "batch", "physics"]
        self.run_hook("prolog", "--scheduler=torque", *words, environment={"PBS_JOBID": "9"})
        expected = ["PBS_JOBID=77.head", "PBS_JOB_USER=alice", "PBS_JOBNAME=relax", "PBS_QUEUE=batch", "PBS_JOB_ACCOUNT=physics"]
        self.assertEqual(self.lines("77.head"), expected)
        self.run_hook("epilog", "--scheduler=torque", "77.head", "alice", "users", "relax", "4711", environment={})
        self.assertEqual(self.files(), [])

    def test_a_prologue_of_pbs_knows_parts_of_arrays(self):
        self.run_hook("prolog", "--scheduler=pbs", "1235[7].pbs01", "alice", "users", environment={})
        self.assertEqual(self.lines("1235[7].pbs01"), ["PBS_JOBID=1235[7].pbs01", "PBS_JOB_USER=alice"])
        for word in ("", ".", "../7", "7[].x", "7[1].", "7.a/b", "7;x", "x7", "7" * 200):
            self.assertIn("the scheduler gives no job", self.run_hook("prolog", "--scheduler=pbs", "--", word, environment={}))
        self.assertEqual(self.files(), ["1235[7].pbs01"])

    def test_a_program_does_what_it_is_called_like(self):
        names = {"jobmetrics-prolog": SLURM, "10-jobmetrics-prolog.sh": SLURM}
        names |= {"jobmetrics-flux-prolog": {"FLUX_JOB_ID": "f5"}, "jobmetrics-gridengine-prolog": {"JOB_ID": "5"}}
        for name, told in names.items():
            with self.subTest(name=name):
                for event in ("prolog", "epilog"):
                    link = self.top / name.replace("prolog", event)
                    link.symlink_to(HOOK)
                    subprocess.run([link, self.jobs], env=told, check=True, capture_output=True, timeout=SECONDS)
                    self.assertEqual(len(self.files()), event == "prolog")

    def test_a_link_of_the_sites_own_leads_to_one_of_ours(self):
        (self.top / "jobmetrics-flux-prolog").symlink_to(HOOK)
        (self.top / "80-epilog").symlink_to("jobmetrics-flux-prolog")
        self.run_hook("prolog", "--scheduler=flux", environment={"FLUX_JOB_ID": "f5"})
        subprocess.run([self.top / "80-epilog", self.jobs], env={"FLUX_JOB_ID": "f5"}, check=True, capture_output=True, timeout=SECONDS)
        self.assertEqual(self.files(), [])


class TheExporterIsTold(HookTest):
    def test_the_exporter_hears_which_job_begins_and_which_ends(self):
        with Exporter(self.socket, answer) as exporter:
            for event in ("prolog", "epilog"):
                self.assertEqual(self.run_hook(event, "--wait=20"), "")
        for event, request in zip(("prolog", "epilog"), exporter.heard, strict=True):
            head, _, body = request.partition(b"\r\n\r\n")
            self.assertTrue(head.startswith(f"POST /hook/{event} HTTP/1.1\r\n".encode()))
            self.assertIn(b"\r\nContent-Length: %d\r\n" % len(body), head)
            self.assertEqual(body, b"job=5&scheduler=slurm")

    def test_what_an_id_has_of_marks_is_escaped(self):
        with Exporter(self.socket, answer) as exporter:
            self.run_hook("epilog", "--wait=20", "--scheduler=pbs", "1235[7].pbs01", environment={})
        self.assertTrue(exporter.heard[0].endswith(b"job=1235%5B7%5D.pbs01&scheduler=pbs"))

    def test_a_prolog_writes_first_and_an_epilog_removes_last(self):
        seen = []

        def look(exporter: Exporter, client: socket.socket) -> None:
            seen.append(self.files())
            client.sendall(ANSWER)

        with Exporter(self.socket, look):
            self.run_hook("prolog", "--wait=20")
            self.run_hook("epilog", "--wait=20")
        self.assertEqual(seen, [["5"], ["5"]])
        self.assertEqual(self.files(), [])

    def test_an_exporter_that_never_answers_is_given_up(self):
        """It answers no hook before the hook has ended."""
        with Exporter(self.socket, say_nothing):
            self.assertIn("no answer in time", self.run_hook("prolog"))
            self.assertEqual(self.files(), ["5"])
        self.socket.unlink()
        with Exporter(self.socket, say_nothing):
            self.assertIn("no answer in time", self.run_hook("epilog"))
            self.assertEqual(self.files(), [])

    def test_an_exporter_that_answers_byte_by_byte_is_given_up(self):
        def drip(exporter: Exporter, client: socket.socket) -> None:
            while not exporter.over.wait(0.001):
                client.sendall(b"H")

        with Exporter(self.socket, drip):
            self.assertRegex(self.run_hook("prolog"), "no answer in time|none of HTTP")
        self.assertEqual(self.files(), ["5"])

    def test_a_socket_that_nobody_accepts_at_is_given_up(self):
        with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as other, socket.socket(socket.AF_UNIX) as third:
            listener.bind(str(self.socket))
            listener.listen(0)
            for knocking in (other, third):
                knocking.setblocking(False)
                knocking.connect_ex(str(self.socket))
            self.assertIn("no answer in time", self.run_hook("prolog"))
        self.assertEqual(self.files(), ["5"])

    def test_without_an_exporter_the_files_are_written_and_removed(self):
        self.assertIn("No such file", self.run_hook("prolog"))
        self.assertEqual(self.files(), ["5"])
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(self.socket))
        self.assertIn("refused", self.run_hook("epilog"))
        self.assertEqual(self.files(), [])
        self.assertIn("too long", self.run_hook("prolog", "--socket=/" + "a" * 200))

    def test_an_answer_of_any_kind_is_no_harm(self):
        answers = {b"": "none of HTTP", b"\0" * 5000: "none of HTTP", b"HTTP/1.1 2": "none of HTTP", b"HTTP/1.1 -20 x\r\n": "none of HTTP"}
        answers |= {b"HTTP/2 200 \r\n\r\n": "none of HTTP", b"220 ready\r\n": "none of HTTP", b"HTTP/1.1 999 \r\n\r\n": "999"}
        answers |= {b"HTTP/1.1 403 Forbidden\r\n\r\n403: not\x1b[31m you\nsecond": "403: 403: not?[31m you\n"}
        answers |= {b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * 100000: ""}
        for bytes_, words in answers.items():
            with self.subTest(bytes_=bytes_[:40]), Exporter(self.socket, lambda _, client, text=bytes_: client.sendall(text)):
                said = self.run_hook("prolog", "--wait=20")
                self.assertIn(words, said)
                self.assertEqual(said.count("\n"), bool(words))
            self.socket.unlink()


class NoJobIsFailed(HookTest):
    def test_a_command_line_that_is_wrong_is_said_and_fails_nobody(self):
        wrong = (["begin"], [], ["prolog", "--scheduler=x"], ["prolog", "--wait=-1"], ["prolog", "--wait=x"], ["prolog", "--nonsense"])
        for words in wrong:
            with self.subTest(words=words):
                self.assertEqual(self.run_hook(*words).count("\n"), 1)
                self.assertEqual(self.run_hook(*words, program=(CLI, "hook")).count("\n"), 1)
        self.assertEqual(self.files(), [])

    def test_a_job_that_is_none_has_no_file(self):
        for told in ({}, {"SLURM_JOB_ID": ""}, {"SLURM_JOB_ID": "../7"}, {"SLURM_JOB_ID": "7\n"}, {"SLURM_JOB_ID": "-1"}):
            for event in ("prolog", "epilog"):
                self.assertIn("the scheduler gives no job", self.run_hook(event, environment=told))
        self.assertEqual(self.files(), [])

    def test_an_environment_of_any_size_and_kind_is_no_harm(self):
        hostile = {f"X{i}": "y" * 50 for i in range(20000)}
        hostile |= {"SLURM_JOB_USER": "x" * 100000, "SLURM_JOB_NAME": "a\nSLURM_JOB_UID=0\x1b", "SLURM_JOB_QOS": "\udcff\udcfe"}
        hostile |= {"G_DEBUG": "fatal-warnings,fatal-criticals", "G_MESSAGES_DEBUG": "all", "LC_ALL": "x", "LOCPATH": "/nowhere", "TMPDIR": "/nowhere"}
        for program in ((HOOK,), (CLI, "hook")):
            self.run_hook("prolog", program=program, environment={**hostile, "SLURM_JOB_ID": "5", "SLURM_JOB_UID": "1000"})
            lines = (self.jobs / "5").read_bytes().split(b"\n")
            expected = [b"SLURM_JOB_ID=5", b"SLURM_JOB_UID=1000", b"SLURM_JOB_QOS=\xff\xfe", b"SLURM_JOB_NAME=aSLURM_JOB_UID=0"]
            self.assertEqual(lines[:4], expected)

    def test_a_folder_that_is_none_is_said_and_fails_nobody(self):
        self.jobs.write_text("a file where the folder should be")
        for event in ("prolog", "epilog"):
            self.assertIn(str(self.jobs), self.run_hook(event, f"--gpu-directory={self.jobs}"))
        self.assertIn("/proc/self/nowhere", self.run_hook("prolog", "--directory=/proc/self/nowhere"))

    def test_a_file_that_cannot_be_written_is_left_nowhere(self):
        self.jobs.mkdir()
        self.assertIn("File too large", self.run_limited())
        self.assertEqual(self.files(), [])
        (self.jobs / "5").mkdir()
        self.assertIn(str(self.jobs / "5"), self.run_hook("prolog"))
        self.assertEqual(self.files(), ["5"])

    def run_limited(self) -> str:
        return self.run_hook("prolog", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))

    def test_streams_that_are_closed_are_not_written_into_files(self):
        shell = f"exec 0<&- 1>&- 2>&-; exec '{HOOK}' prolog --directory='{self.jobs}' --socket='{self.socket}'"
        done = subprocess.run(["/bin/sh", "-c", shell], env={**SLURM, "PATH": "/bin:/usr/bin"}, timeout=SECONDS, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.lines("5")[0], "SLURM_JOB_ID=5")
        self.assertNotIn("jobmetrics-hook", (self.jobs / "5").read_text())

    def test_a_mode_that_the_site_gave_its_folder_stays(self):
        self.jobs.mkdir(0o750)
        self.run_hook("prolog", umask=0o077)
        self.assertEqual(self.jobs.stat().st_mode & 0o7777, 0o750)
        self.assertEqual((self.jobs / "5").stat().st_mode & 0o7777, 0o644)

    def test_an_epilog_removes_nothing_else(self):
        self.jobs.mkdir()
        (self.jobs / "6").touch()
        (self.top / "x").touch()
        self.run_hook("epilog")
        self.run_hook("epilog", environment={"SLURM_JOB_ID": "../x", "SLURM_JOB_SLUID": "*"})
        self.assertEqual(self.files(), ["6"])
        self.assertTrue((self.top / "x").exists())


class Accelerators(HookTest):
    def begin(self, job: str, gpus: str) -> str:
        told = {"SLURM_JOB_ID": job, "SLURM_JOB_GPUS": gpus}
        return self.run_hook("prolog", f"--gpu-directory={self.gpus}", environment=told)

    def end(self, job: str) -> str:
        return self.run_hook("epilog", f"--gpu-directory={self.gpus}", environment={"SLURM_JOB_ID": job})

    def maps(self) -> dict[str, str]:
        return {name: (self.gpus / name).read_text() for name in self.files(self.gpus)}

    def test_each_device_has_a_file_with_the_jobs_that_have_it(self):
        self.begin("5", "0,2-3")
        self.assertEqual(self.maps(), {"0": "5\n", "2": "5\n", "3": "5\n"})
        self.begin("6", "3,GPU-12345678")
        self.assertEqual(self.maps(), {"0": "5\n", "2": "5\n", "3": "5\n6\n", "GPU-12345678": "6\n"})
        self.end("5")
        self.assertEqual(self.maps(), {"3": "6\n", "GPU-12345678": "6\n"})
        self.end("6")
        self.assertEqual(self.maps(), {})

    def test_a_prolog_that_runs_twice_names_its_job_once(self):
        self.begin("5", "0")
        self.begin("5", "0")
        self.assertEqual(self.maps(), {"0": "5\n"})

    def test_what_others_wrote_beside_a_job_stays(self):
        self.gpus.mkdir()
        (self.gpus / "0").write_text("4 alice\n55\n5 bob\n")
        self.end("5")
        self.assertEqual(self.maps(), {"0": "4 alice\n55\n"})

    def test_what_is_no_device_has_no_file(self):
        for gpus in ("", "..", "0/1", "99999", "3-1", "-1", "none", "GPU-../x", "a,b", "gpu:2"):
            self.begin("5", gpus)
            self.assertEqual(self.maps(), {}, gpus)

    def test_no_link_is_followed(self):
        self.gpus.mkdir()
        (self.top / "precious").write_text("data\n")
        (self.gpus / "0").symlink_to(self.top / "precious")
        self.assertIn(str(self.gpus / "0"), self.begin("5", "0"))
        self.end("5")
        self.assertEqual((self.top / "precious").read_text(), "data\n")

    def test_a_folder_that_somebody_keeps_locked_is_given_up(self):
        self.gpus.mkdir()
        descriptor = os.open(self.gpus, os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        self.assertIn("locked", self.begin("5", "0"))
        self.assertEqual(self.maps(), {})
        self.assertEqual(self.files(), ["5"])


class LeftOverCgroups(HookTest):
    """In cgroups that are made for the test, where they can be."""

    def setUp(self):
        super().setUp()
        self.made: list[pathlib.Path] = []
        self.addCleanup(self.clean)
        self.number = str(900000000 + os.getpid())
        self.root = self.find_root()
        self.job = self.make(self.root / f"slurm_test{os.getpid()}" / "uid_0" / f"job_{self.number}")

    def find_root(self) -> pathlib.Path:
        mounts = [line.split() for line in pathlib.Path("/proc/mounts").read_text().splitlines()]
        roots = [pathlib.Path(mount[1]) for mount in mounts if mount[2] in ("cgroup", "cgroup2") and mount[1].startswith("/sys/fs/cgroup")]
        for root in roots:
            try:
                (root / f"slurm_test{os.getpid()}").mkdir()
                self.made.append(root / f"slurm_test{os.getpid()}")
                return root
            except OSError:
                continue
        self.skipTest("no cgroup can be made here")

    def make(self, path: pathlib.Path) -> pathlib.Path:
        for folder in reversed([path, *path.parents]):
            if not folder.exists():
                folder.mkdir()
                self.made.append(folder)
        return path

    def clean(self) -> None:
        for folder in sorted(self.made, key=lambda path: -len(path.parts)):
            if folder.is_dir():
                folder.rmdir()

    def end(self, *words: str) -> None:
        self.run_hook("epilog", *words, environment={"SLURM_JOB_ID": self.number})

    def test_empty_cgroups_are_removed_from_the_leaves_up(self):
        self.make(self.job / "step_batch" / "user" / "task_0")
        self.make(self.job / "step_0")
        other = self.make(self.job.parent / f"job_{self.number}0")
        self.end("--remove-empty-cgroups")
        self.assertFalse(self.job.exists())
        self.assertTrue(other.exists())

    def test_empty_cgroups_are_found_in_slices_of_slices(self):
        first = f"jobmetricstest{os.getpid()}"
        jobs = [self.make(self.root.joinpath(*path, "slurmstepd.scope", f"job_{self.number}"))
                for path in ([f"{first}.slice"], [f"{first}.slice", f"{first}-a.slice", f"{first}-a-b.slice"])]
        other = self.make(self.root / f"{first}.slice" / "container" / "slurmstepd.scope" / f"job_{self.number}")
        self.end("--remove-empty-cgroups")
        self.assertEqual([job.exists() for job in jobs], [False, False])
        self.assertTrue(other.exists())

    def test_nothing_is_removed_unless_that_is_asked_for(self):
        self.end()
        self.assertTrue(self.job.exists())

    def test_a_job_with_a_process_is_left_as_it_is(self):
        busy = self.make(self.job / "step_batch")
        empty = self.make(self.job / "step_0")
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
            try:
                (busy / "cgroup.procs").write_text(str(process.pid))
                self.end("--remove-empty-cgroups")
                self.assertTrue(busy.exists() and empty.exists())
            finally:
                process.stdin.close()
                process.wait()
        self.end("--remove-empty-cgroups")
        self.assertFalse(self.job.exists())

    def test_the_next_jobs_cgroup_and_the_users_stay(self):
        self.run_hook("epilog", "--remove-empty-cgroups", environment={"SLURM_JOB_ID": "1"})
        self.assertTrue(self.job.exists())
        self.end("--remove-empty-cgroups")
        self.assertTrue(self.job.parent.exists())


if __name__ == "__main__":
    sys.exit(tap.run(EachScheduler, TheExporterIsTold, NoJobIsFailed, Accelerators, LeftOverCgroups))
