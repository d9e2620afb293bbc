#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A node as sites have it: jobmetrics installed by apt, started by systemd without any right, cgroup v2, Slurm with our hooks.

usage: test-machine.py SPEND [CLASS ...]

Runs as root within the virtual machine, and leaves it as it happens to be. With names of classes, only these are tried,
and without any, all but those of FURTHER.
"""

import contextlib
import importlib
import json
import os
import pathlib
import pwd
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent.parent
sys.path[:0] = [str(HERE), str(TESTS / "pylib"), str(TESTS / "e2e")]
import tap  # noqa: E402
import installed  # noqa: E402
from installed import AFreshInstallation, AnUpgrade, TheAutopkgtest, TheRemoval  # noqa: E402
from lab import CLUSTER  # noqa: E402
from machine import ADDRESS, CLI, EXAMPLES, EXPORTER, HOOK_FILES, HOOKS, SOCKET, UNIT, Cgroup, Service, run  # noqa: E402
from metrics import Scrape  # noqa: E402
from predecessors import ThePredecessors  # noqa: E402
from programs import SLOWNESS, Prometheus, wait_for  # noqa: E402

slurm = importlib.import_module("test-slurm")

MEGABYTE = 1 << 20
MAX_EXPOSURE = 2.0
NO_CAPABILITIES = {"CapInh": 0, "CapPrm": 0, "CapEff": 0, "CapBnd": 0, "CapAmb": 0}
CAP_DAC_READ_SEARCH, CAP_SYS_PTRACE = 1 << 2, 1 << 19
RUNTIME_FILE = pathlib.Path("/run/jobmetrics-exporter/energy.json")
STATE = pathlib.Path("/var/lib/jobmetrics-exporter/")
PARANOID = pathlib.Path("/proc/sys/kernel/perf_event_paranoid")
# Opens the clock of a whole CPU: who may do that may open a processor's energy counters.
COUNT_BY_PERF = """
import ctypes, struct
SOFTWARE, SIZE, CPU_CLOCK, EVERYONE, CPU, NO_GROUP, PERF_EVENT_OPEN = 1, 64, 0, -1, 0, -1, 298
event = ctypes.create_string_buffer(struct.pack("IIQ48x", SOFTWARE, SIZE, CPU_CLOCK))
libc = ctypes.CDLL(None, use_errno=True)
if libc.syscall(PERF_EVENT_OPEN, event, EVERYONE, CPU, NO_GROUP, 0) < 0:
    raise OSError(ctypes.get_errno(), "perf_event_open")
"""
DENIED = re.compile(r'level=warn msg="collector (process|files): /proc/\d+/\w+: Permission denied"')
SLOW = re.compile(r"the sweep of the node takes more than \d+ s: ")
PYTHON = "from gi.repository import JobMetrics; print([j for j in JobMetrics.Node().sample()])"


class Machine(slurm.World):
    """The end-to-end tests' world, with the installed exporter in its unit and our hooks in slurm.conf."""

    def start(self, packages: pathlib.Path) -> None:
        installed.install(packages)
        self.lab.up("--prolog", str(HOOKS / "jobmetrics-prolog"), "--epilog", str(HOOKS / "jobmetrics-epilog"))
        self.exporter = self._run(Service())

    def put_to_use(self) -> None:
        """As all but the first classes want it."""
        self.exporter.start()
        self.prometheus = self._run(Prometheus(ADDRESS, self.folder))

    def job_cgroup(self, job: str) -> Cgroup:
        return Cgroup(self.lab.cgroup_of("memory", job))


world: Machine


class Situation(slurm.Situation):
    def assert_between(self, low: float, value: float | None, high: float, what: str) -> None:
        self.assertIsNotNone(value, what)
        self.assertTrue(low <= value <= high, f"{what}: {value}, not from {low} to {high}")

    def assert_follows(self, name: str, uuid: str, kernel: Callable[[], float]) -> None:
        """A counter is no less than the kernel had before, once it was sampled again, and no more than it has now."""
        before = kernel()

        def sampled_since() -> tuple[float] | None:
            value = world.value(name, uuid)
            # whole microseconds either way
            return (value,) if value is not None and value >= before - 1e-6 else None

        (seen,) = wait_for(f"{name} of {uuid} reaches {before}", slurm.SAMPLE_SECONDS, sampled_since)
        self.assertLessEqual(seen, kernel() + 1e-6, name)

    def assert_has_ended_since(self, began: float, job: str, uuid: str) -> None:
        """A job ends for the kernel when its last cgroup goes, which is after its end for Slurm."""
        end = wait_for("the end is seen", 30, lambda: world.value("jobmetrics_job_end_time_seconds", uuid), every=0.5)
        noticed = time.time()
        # sacct has whole seconds
        self.assert_between(int(began), ended_at(job), end, "end time in sacct")
        self.assert_between(began, end, noticed, "end time")


class ThisRelease(Situation):
    def test_is_put_to_use(self):
        world.put_to_use()


class TheUnit(Situation):
    def test_runs_without_any_right(self):
        status = world.exporter.process_status()
        self.assertEqual({name: int(status[name], 16) for name in NO_CAPABILITIES}, NO_CAPABILITIES)
        self.assertNotIn("0", status["Uid"].split())
        self.assertEqual((status["NoNewPrivs"], status["Seccomp"]), ("1", "2"))

    def test_exposes_little(self):
        table = run("systemd-analyze", "--no-pager", "security", UNIT)
        tap.comment(table)
        last = table.strip().splitlines()[-1]
        self.assertLessEqual(float(last.partition(":")[2].split()[0]), MAX_EXPOSURE, last)

    def test_is_ready_only_when_it_serves(self):
        self.assertEqual(world.exporter.state("Type"), "notify")
        self.assertEqual(world.exporter.state("ActiveState"), "active")
        self.assertTrue(world.exporter.scrape().find("jobmetrics_build_info"))

    def test_notifies_the_watchdog_that_it_lives(self):
        def told() -> int:
            return int(world.exporter.state("WatchdogTimestampMonotonic"))

        before = told()
        wait_for("the watchdog hears of it", 30, lambda: told() > before, every=0.5)


class EnergyInTheUnit(Situation):
    """Estimated, since the machine has no meter."""

    OPTIONS = ("--power.source=estimate", "--emissions.provider=fixed,factor=360")

    def used(self) -> float:
        found = world.scrape().find("jobmetrics_system_energy_joules_total")
        return sum(one.value for one in found)

    def test_is_reported_as_estimated_alone(self):
        world.exporter.start(*self.OPTIONS)
        wait_for("what runs beside jobs has taken energy", 30, self.used, every=0.5)
        found = world.scrape().find("jobmetrics_system_energy_joules_total")
        parts = {(one.labels["domain"], one.labels["quality"]) for one in found}
        self.assertEqual(parts, {("package", "estimated"), ("dram", "estimated")})

    def test_may_be_read_by_every_user_as_long_as_the_unit_runs(self):
        wait_for("it has been written", 60, RUNTIME_FILE.exists, every=0.5)
        self.assertIn("accounts", json.loads(run("runuser", "-u", "nobody", "--", "cat", str(RUNTIME_FILE))))
        kept = subprocess.run(["runuser", "-u", "nobody", "--", "ls", f"{STATE}/"], capture_output=True, text=True)
        self.assertNotEqual(kept.returncode, 0)
        self.assertIn("Permission denied", kept.stderr)

    def test_goes_on_after_the_unit_was_stopped(self):
        before = self.used()
        world.exporter.stop()
        self.assertFalse(RUNTIME_FILE.exists())
        world.exporter.start(*self.OPTIONS)
        self.assertGreaterEqual(wait_for("it is told again", 30, self.used, every=0.5), before)
        world.exporter.start()

    def test_is_counted_by_perf_only_with_the_drop_in_for_that(self):
        # Debian's own 3 keeps perf from all but CAP_SYS_ADMIN, 2 is the kernel's
        before = PARANOID.read_text()
        tap.comment(f"perf_event_paranoid is {before.strip()}")
        if int(before) > 2:
            self.assertIn("PermissionError", self.count_by_perf("power-perf.conf"))
        PARANOID.write_text("2")
        self.addCleanup(PARANOID.write_text, before)
        self.assertIn("PermissionError", self.count_by_perf())
        self.assertNotIn("Error", self.count_by_perf("power-perf.conf"))

    def count_by_perf(self, *drop_ins: str) -> str:
        """What a program says that does so in a unit like the exporter's."""
        probe = world.folder / "count-by-perf.py"
        probe.write_text(COUNT_BY_PERF)
        unit = re.sub(r"ExecStart=(.*\\\n)*.*", f"ExecStart=/usr/bin/python3 {probe}", world.exporter.unit_text())
        unit = unit.replace("Type=notify", "Type=oneshot").replace("Restart=on-failure\n", "")
        return world.exporter.try_unit("count-by-perf.service", unit, drop_ins)


class AJob(Situation):
    """Two steps, the second of two tasks, that are over with their work and stay."""

    SCRIPT = "srun -n1 {spend} 2 1 16 0\nsrun -n2 {spend} 3 1 40 3600"
    TASKS = ("step_1/user/task_0", "step_1/user/task_1")

    @property
    def cgroup(self) -> Cgroup:
        return world.job_cgroup(self.job)

    def value(self, name: str, **labels: str) -> float | None:
        return world.scrape().value(name, uuid=self.uuid, **labels)

    def test_is_known_by_what_its_prolog_wrote(self):
        cls = type(self)
        cls.job = world.lab.sbatch("ada", self.SCRIPT.format(spend=world.spend), "-n2", "--mem=400")
        cls.uuid = world.await_job(cls.job)
        info = world.scrape().one("jobmetrics_job_info", uuid=self.uuid).labels
        wanted = {
            "scheduler": "slurm",
            "cluster": CLUSTER,
            "user": "ada",
            "uid": str(pwd.getpwnam("ada").pw_uid),
            "account": "physics",
            "partition": "batch",
        }
        self.assertEqual({name: info.get(name) for name in wanted}, wanted)

    def test_has_the_kernels_cpu_seconds(self):
        for task in self.TASKS:
            wait_for(f"{task} has spent its CPU seconds", 60, lambda task=task: self.has_spent(task, 3), every=0.5)
        self.assert_follows("jobmetrics_job_cpu_seconds_total", self.uuid, self.cgroup.cpu_seconds)

    def has_spent(self, task: str, seconds: float) -> bool:
        cgroup = self.cgroup.below(task)
        return cgroup.has("cpu.stat") and cgroup.cpu_seconds() >= seconds

    def test_has_the_kernels_memory(self):
        self.assert_follows("jobmetrics_job_memory_peak_bytes", self.uuid, lambda: self.cgroup.number("memory.peak"))
        page = world.scrape()
        self.assertEqual(page.value("jobmetrics_job_memory_limit_bytes", uuid=self.uuid), 400 * MEGABYTE)
        used = page.value("jobmetrics_job_memory_used_bytes", uuid=self.uuid)
        self.assert_close(used, self.cgroup.number("memory.current"), 0.05, "memory used")
        rss = page.value("jobmetrics_job_memory_rss_bytes", uuid=self.uuid)
        self.assert_close(rss, self.cgroup.field("memory.stat", "anon"), 0.05, "anonymous memory")
        self.assertGreater(rss, 80 * MEGABYTE)

    def test_has_the_kernels_stall_times(self):
        for resource in ("cpu", "memory", "io"):
            for share in ("some", "full"):
                name = f"jobmetrics_job_{resource}_pressure_{share}_seconds_total"
                self.assert_follows(name, self.uuid, lambda r=resource, s=share: self.cgroup.stalled_seconds(r, s))

    def test_has_no_figures_of_controllers_that_slurm_leaves_off(self):
        self.assertFalse(self.cgroup.has("io.stat") or self.cgroup.has("pids.current"))
        page = world.scrape()
        for name in ("io_read_bytes_total", "io_writes_total", "pids", "pids_limit"):
            self.assertEqual(page.find(f"jobmetrics_job_{name}", uuid=self.uuid), [])

    def test_keeps_from_the_unprivileged_what_is_its_owners(self):
        page = world.scrape()
        self.assertEqual(page.find("jobmetrics_job_process_read_bytes_total", uuid=self.uuid), [])
        self.assertEqual(page.find("jobmetrics_job_open_files", uuid=self.uuid), [])
        self.assertGreaterEqual(page.value("jobmetrics_job_processes", uuid=self.uuid), 3)

    def test_is_seen_by_a_program_in_python(self):
        self.assertRegex(run("python3", "-c", PYTHON), rf"\b{self.job}\b")

    def test_is_seen_by_another_user_at_a_terminal(self):
        listed = json.loads(run("runuser", "-u", "ben", "--", CLI, "list", "--json"))
        mine = [job for job in listed["jobs"] if job["jobid"] == self.job]
        self.assertEqual([(job["uuid"], job["user"], job["account"]) for job in mine], [(self.uuid, "ada", "physics")])
        self.assertIn(self.uuid, run("runuser", "-u", "ben", "--", CLI, "show", self.job))

    def test_stays_the_same_when_the_exporter_begins_anew(self):
        before = self.value("jobmetrics_job_cpu_seconds_total")
        start_time = self.value("jobmetrics_job_start_time_seconds")
        world.exporter.start("--sample.level=task")
        self.assertEqual(world.await_job(self.job), self.uuid)
        self.assertGreaterEqual(self.value("jobmetrics_job_cpu_seconds_total"), before)
        self.assertEqual(self.value("jobmetrics_job_start_time_seconds"), start_time)

    def test_has_steps_and_tasks(self):
        page = world.scrape()
        steps = {one.labels["step"] for one in page.find("jobmetrics_step_cpu_seconds_total", uuid=self.uuid)}
        # that of step 0 has ended, and may be on display
        self.assertEqual(steps - {"0"}, {"1", "batch", "extern"})
        for index, task in enumerate(self.TASKS):
            shown = page.value("jobmetrics_task_cpu_seconds_total", uuid=self.uuid, step="1", task=str(index))
            self.assert_between(3, shown, self.cgroup.below(task).cpu_seconds() + 1e-6, f"CPU seconds of {task}")
        step = page.value("jobmetrics_step_cpu_seconds_total", uuid=self.uuid, step="1")
        self.assert_between(6, step, self.cgroup.below("step_1").cpu_seconds() + 1e-6, "CPU seconds of step 1")

    def test_shows_more_to_an_exporter_that_may_look_into_processes(self):
        name = "process-details.conf"
        world.exporter.add_drop_in(name, (EXAMPLES / name).read_text())
        world.exporter.start()
        capabilities = int(world.exporter.process_status()["CapEff"], 16)
        self.assertEqual(capabilities, CAP_SYS_PTRACE | CAP_DAC_READ_SEARCH)
        self.assertEqual(world.await_job(self.job), self.uuid)
        page = world.scrape()
        self.assertIsNotNone(page.value("jobmetrics_job_process_read_bytes_total", uuid=self.uuid))
        self.assertGreater(page.value("jobmetrics_job_process_rchar_bytes_total", uuid=self.uuid) or 0, 0)
        self.assertGreater(page.value("jobmetrics_job_open_files", uuid=self.uuid) or 0, 0)
        executable = str(world.spend)
        self.assertTrue(page.find("jobmetrics_job_executable_cpu_seconds_total", uuid=self.uuid, executable=executable))
        world.exporter.remove_drop_in(name)
        world.exporter.start()

    def test_has_an_end_once_it_is_cancelled(self):
        world.await_job(self.job)
        self.assertIsNone(self.value("jobmetrics_job_end_time_seconds"))
        before = self.value("jobmetrics_job_cpu_seconds_total")
        asked = time.time()
        world.lab.ask("scancel", self.job)
        self.assert_has_ended_since(asked, self.job, self.uuid)
        self.assertGreaterEqual(self.value("jobmetrics_job_cpu_seconds_total"), before)
        wait_for("the epilog has removed what the prolog wrote", 30, lambda: not (HOOK_FILES / self.job).exists())


def ended_at(job: str) -> int:
    """What the accounting has, seconds since 1970."""

    def known() -> int | None:
        end = world.lab.ask("env", "SLURM_TIME_FORMAT=%s", "sacct", "-n", "-P", "-X", "-j", job, "-o", "end")
        return int(end) if end.isdigit() else None

    return wait_for(f"sacct knows when job {job} ended", 60, known, every=0.5)


class JobsThatEnded(Situation):
    def test_as_soon_as_they_began_are_shown(self):
        submitted = time.time()
        job = world.lab.sbatch("ben", "exec true", "-n1", "--mem=100")
        ended_at(job)
        uuid = world.await_job(job)
        page = world.scrape()
        info = page.one("jobmetrics_job_info", uuid=uuid).labels
        self.assertEqual((info["user"], info["account"]), ("ben", "chemistry"))
        self.assertGreater(page.value("jobmetrics_job_cpu_seconds_total", uuid=uuid), 0)
        self.assert_has_ended_since(submitted, job, uuid)

    def test_for_lack_of_memory_show_what_the_kernel_killed(self):
        job = world.lab.sbatch("ben", f"exec {world.spend} 1 1 400 60", "-n1", "--mem=100")
        ended_at(job)
        self.assertEqual(world.lab.ask("sacct", "-n", "-P", "-X", "-j", job, "-o", "state"), "OUT_OF_MEMORY")
        uuid = world.await_job(job)
        page = world.scrape()
        self.assertGreaterEqual(page.value("jobmetrics_job_memory_oom_kills_total", uuid=uuid), 1)
        self.assertGreaterEqual(page.value("jobmetrics_job_memory_failures_total", uuid=uuid), 1)
        self.assert_between(95 * MEGABYTE, page.value("jobmetrics_job_memory_peak_bytes", uuid=uuid), 100 * MEGABYTE, "peak")


@contextlib.contextmanager
def ended(process: subprocess.Popen) -> Iterator[subprocess.Popen]:
    """Whatever comes of it, it does not run on."""
    with process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(30 * SLOWNESS)


class ACommandThatIsRunAsAJob(Situation):
    """Outside Slurm all controllers are there."""

    IO_FIELDS = {"read_bytes": "rbytes", "write_bytes": "wbytes", "reads": "rios", "writes": "wios"}
    SCRIPT = (
        "dd status=none if=/dev/zero of={file} bs=1M count=24 oflag=direct &&"
        " dd status=none if={file} of=/dev/null bs=1M iflag=direct && rm {file} && echo done && exec sleep 3600"
    )

    def info(self) -> dict[str, str] | None:
        found = world.scrape().find("jobmetrics_job_info", scheduler="local")
        named = [one.labels for one in found if one.labels.get("name") == "writer"]
        return named[0] if named else None

    def test_has_block_io_and_pids(self):
        with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
            folder = pathlib.Path(name)
            report = folder / "report.json"
            script = self.SCRIPT.format(file=folder / "data")
            command = [CLI, "run", "--json", f"--output={report}", "--name=writer", "--", "sh", "-c", script]
            with ended(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)) as process:
                self.assertEqual(process.stdout.readline(), "done\n")
                self.look_at(wait_for("the job is on /metrics", 10, self.info))
            self.check_report(json.loads(report.read_text()))

    def look_at(self, info: dict[str, str]) -> None:
        self.assertEqual(info["user"], "root")
        cgroup = Cgroup(pathlib.Path(f"/sys/fs/cgroup/jobmetrics/job_{info['jobid']}"))
        # it moves nothing any more, and the last sample may be from when it did
        wait_for(
            "the kernel's figures are sampled",
            slurm.SAMPLE_SECONDS,
            lambda: self.shown(info["uuid"]) == self.in_kernel(cgroup),
            every=0.5,
        )
        figures = self.shown(info["uuid"])
        self.assertEqual(figures["pids"], [1])
        for name in ("read_bytes", "write_bytes"):
            self.assert_between(24 * MEGABYTE, sum(figures[name]), 30 * MEGABYTE, name)

    def shown(self, uuid: str) -> dict[str, list[float]]:
        page = world.scrape()
        io = {name: page.find(f"jobmetrics_job_io_{name}_total", uuid=uuid) for name in self.IO_FIELDS}
        series = {"pids": page.find("jobmetrics_job_pids", uuid=uuid), **io}
        return {name: sorted(one.value for one in found) for name, found in series.items()}

    def in_kernel(self, cgroup: Cgroup) -> dict[str, list[int]]:
        io = {name: sorted(cgroup.io(field).values()) for name, field in self.IO_FIELDS.items()}
        return {"pids": [cgroup.number("pids.current")], **io}

    def check_report(self, report: dict) -> None:
        self.assertEqual(report["notes"], [])
        figures = report["figures"]
        self.assertEqual(figures["cpu_seconds"]["source"], "cgroup")
        self.assertEqual(figures["io_write_bytes"]["source"], "cgroup")
        self.assert_between(24 * MEGABYTE, figures["io_write_bytes"]["value"], 30 * MEGABYTE, "bytes written")

    def test_is_treated_well_in_a_cgroup_of_its_own(self):
        # without a cgroup it is the same anywhere, and so are signals, terminals and exit codes
        command = [sys.executable, TESTS / "jobmetrics-cli" / "test-run.py", CLI, "InACgroup", "Energy"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        tap.comment("\n".join(f"  {line}" for line in done.stdout.splitlines()))
        self.assertEqual(done.returncode, 0, done.stderr)
        skipped = [line for line in done.stdout.splitlines() if "# SKIP" in line]
        # the service has the place of the exporter that one of them starts
        self.assertEqual([line for line in skipped if "an exporter may be there" not in line], [])


class TheServiceManager(Situation):
    def test_replaces_an_exporter_that_hangs(self):
        name = "impatient.conf"
        world.exporter.add_drop_in(name, f"[Service]\nWatchdogSec={SLOWNESS}\nTimeoutAbortSec=2\nRestartSec=1\n")
        world.exporter.start()
        hung = world.exporter.pid()
        os.kill(hung, signal.SIGSTOP)
        wait_for("another has come", 30, lambda: world.exporter.pid() not in (0, hung), every=0.5)
        wait_for("it serves", 30, self.serves, every=0.5)
        self.assertGreaterEqual(int(world.exporter.state("NRestarts")), 1)
        world.exporter.remove_drop_in(name)

    def serves(self) -> Scrape | None:
        try:
            return world.exporter.scrape()
        except OSError:
            return None

    def test_starts_it_for_whom_connects(self):
        world.exporter.listen()
        self.assertIn(SOCKET, world.exporter.state("TriggeredBy").split())
        self.assertTrue(world.exporter.scrape().find("jobmetrics_build_info"))
        self.assertEqual(world.exporter.state("ActiveState"), "active")

    def test_holds_the_socket_while_it_begins_anew(self):
        before = world.exporter.pid()
        run("systemctl", "restart", UNIT)
        self.assertTrue(world.exporter.scrape().find("jobmetrics_build_info"))
        self.assertNotIn(world.exporter.pid(), (0, before))

    def test_ends_it_in_order(self):
        run("systemctl", "stop", SOCKET)
        began = time.monotonic()
        world.exporter.stop()
        self.assertLess(time.monotonic() - began, 5 * SLOWNESS)
        # systemd forgets the state of a unit that has ended well
        end = world.exporter.journal("--output=cat").rpartition("\nStopping ")[2]
        self.assertIn(f"{UNIT}: Deactivated successfully.", end)
        self.assertNotIn("Main process exited", end)

    def test_heard_once_of_each_right_that_was_lacking(self):
        # an emulated machine may be slow, and says so
        complaints = [(pid, text) for pid, text in world.exporter.complaints() if not SLOW.search(text)]
        unknown = [text for _, text in complaints if not DENIED.search(text)]
        self.assertEqual(unknown, [])
        said = [(pid, DENIED.search(text)[1]) for pid, text in complaints]
        self.assertEqual(len(said), len(set(said)), "\n".join(text for _, text in complaints))


FIRST = (AFreshInstallation, AnUpgrade)
ALL = (
    *FIRST,
    ThisRelease,
    TheUnit,
    EnergyInTheUnit,
    slurm.OneJob,
    slurm.OtherJobs,
    slurm.Scrapers,
    AJob,
    JobsThatEnded,
    ACommandThatIsRunAsAJob,
    TheServiceManager,
    ThePredecessors,
    TheAutopkgtest,
    TheRemoval,
)
# They take minutes, and what they try changes seldom: the suite vm-further names them.
FURTHER = (ThePredecessors, TheAutopkgtest)


def classes(names: list[str]) -> list[type[Situation]]:
    """Those of these names, with what they want before them."""
    if not names:
        return [case for case in ALL if case not in FURTHER]
    named = [case for case in ALL if case.__name__ in names]
    # what begins with a former release ends with this one, and all others want it
    return [case for case in ALL if case in named or case is ThisRelease or (case in FIRST and set(FIRST) & set(named))]


def main() -> int:
    global world
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= {case.__name__ for case in ALL}:
        print(__doc__, file=sys.stderr)
        return 2
    wanted = classes(sys.argv[2:])
    with tempfile.TemporaryDirectory(prefix="jobmetrics-", dir="/var") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # the jobs' users read the lab's files
        world = slurm.world = Machine(EXPORTER, sys.argv[1], folder)
        world.start(installed.FORMER if AFreshInstallation in wanted else installed.PACKAGES)
        return tap.run(*wanted, part=len(sys.argv) > 2)


if __name__ == "__main__":
    sys.exit(main())
