#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""top at a terminal, and without one.

usage: test-top.py PROGRAM
"""

import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unicodedata
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "pylib")]
import tap  # noqa: E402
from cli import PROGRAM, SECONDS, call, environment  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from top_terminal import Window  # noqa: E402

EMPTY = f"--path.rootfs={FIXTURES / 'empty'}"
STEPS = f"--path.rootfs={FIXTURES / 'slurm-v2-steps'}"
ACCOUNTS = f"--power.file={FIXTURES / 'energy-file' / 'slurm-v2-steps.json'}"
HOOKS = f"--path.rootfs={FIXTURES / 'slurm-v2-hooks'}"
HOSTILE = f"--path.rootfs={FIXTURES / 'hostile'}"
HINTS = "q quit  Enter open"
QUICK = "--interval=0.1"


def jobs_of(picture: str) -> list[str]:
    """The ids of the jobs in a picture, in their order."""
    return re.findall(r"(?m)^[▸▾x+ -] (\d+) ", picture)


def expect_jobs(window: Window, title: str, *jobs: str) -> None:
    """A picture may be looked at while it is drawn."""
    window.wait_until(lambda picture: title in picture and jobs_of(picture) == list(jobs), f"{title!r} over {jobs}")


def width_of(text: str) -> int:
    """In cells of a terminal."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text if not unicodedata.combining(c))


class Pages(unittest.TestCase):
    def check_usage_error(self, message: str, *arguments: str) -> None:
        done = call("top", *arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(message, done.stderr)

    def test_what_is_invalid_gives_one_message_and_status_2(self):
        self.check_usage_error("--interval=0:", "--interval=0")
        self.check_usage_error("--interval=nan", "--interval=nan")
        self.check_usage_error("soon", "--interval=soon")
        self.check_usage_error("--count=-1", "-n", "-1")
        self.check_usage_error("--sort: no such column: 'colour' (there are JOBID, USER,", "--sort=colour")
        self.check_usage_error("--sort=mem,-cpu%: top sorts by one column", "--sort=mem,-cpu%")
        self.check_usage_error("--sort: no column is named", "--sort=")
        self.check_usage_error("--sort: no such column: 'partition'", "--sort=partition")
        self.check_usage_error("--json", "--json")
        self.check_usage_error("argument", "argument")
        self.check_usage_error("--path.rootfs=/nowhere", "--path.rootfs=/nowhere")

    def test_a_page_shows_the_jobs_and_has_no_colours(self):
        done = call("top", "--once", QUICK, STEPS, "--sort=jobid")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(jobs_of(done.stdout), ["5", "14", "15", "16"])
        self.assertIn("PRESSURE%", done.stdout)
        self.assertNotIn("\033", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^▸ 5 +bob +chemistry +steps +2 +0\.0 +20\.6s +47MiB +49MiB +400MiB ")

    def test_pages_are_sorted_as_lists_are(self):
        for sort in ("jobid", "-jobid", "mem", "-mem", "memory_used_bytes", "-CPU_TIME", "-cpu-time", "-user", "mem_limit"):
            page = call("top", "--once", QUICK, STEPS, f"--sort={sort}").stdout
            listed = call("list", STEPS, f"--sort={sort}", "--columns=jobid", "--no-headers").stdout
            self.assertEqual(jobs_of(page), listed.split(), sort)

    def test_energy_has_columns_where_it_is_known(self):
        done = call("top", "--once", QUICK, STEPS, ACCOUNTS, "--sort=-energy")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"PRESSURE% +WATTS +[▾]?ENERGY +AGE")
        self.assertRegex(done.stdout, r"(?m)^▸ 5 .* 95W +5\.0kJ ")
        self.assertRegex(done.stdout, r"(?m)^▸ 14 .* ~12W +~7\.2kJ ")
        self.assertEqual(jobs_of(done.stdout), ["14", "5", "15", "16"])
        self.assertNotIn("WATTS", call("top", "--once", QUICK, STEPS).stdout)

    def test_the_watts_of_the_node_stand_behind_its_jobs(self):
        page = call("top", "--once", QUICK, STEPS, "--power.source=estimate").stdout
        self.assertRegex(page.splitlines()[0], r" 4 jobs running  ~[0-9.]+W, jobs ~[0-9.]+W ")
        meter = FIXTURES / "power-hwmon"
        page = call("top", "--once", QUICK, f"--path.rootfs={meter}").stdout
        watts = re.search(r" 0 jobs running  ([0-9]+)W, jobs 0W ", page.splitlines()[0])
        self.assertIsNotNone(watts, page)
        self.assertAlmostEqual(int(watts[1]), 287, delta=60)

    def test_accounts_of_another_program_report_no_watts_of_the_node(self):
        page = call("top", "--once", QUICK, STEPS, ACCOUNTS).stdout
        self.assertNotIn("W, jobs", page)

    def test_a_page_shows_parts_on_demand(self):
        done = call("top", "--once", QUICK, STEPS, "--expand", "--user=bob")
        self.assertEqual(jobs_of(done.stdout), ["5"])
        for part in ("├─ batch ", "│  └─ task 0 ", "└─ step 0 ", "   ├─ task 0 ", "   │  └─ load "):
            self.assertIn(f"\n  {part}", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^  +│     └─ 3311 S load +0\.0 +27\.3s +31MiB +[^ ]+ +8 +2 +[0-9dhm]+$")
        self.assertNotIn("slurmstepd", done.stdout)

    def test_a_node_without_jobs_has_a_page(self):
        done = call("top", "--once", QUICK, EMPTY)
        self.assertEqual(done.returncode, 0)
        self.assertIn("No jobs on this node.", done.stdout)

    def test_pages_are_as_many_as_were_asked_for(self):
        done = call("top", "-n", "3", QUICK, STEPS)
        self.assertEqual(done.stdout.count("JOBID"), 3)

    def test_an_output_that_is_closed_early_ends_it(self):
        with subprocess.Popen(
            [PROGRAM, "top", "-n", "1000000", QUICK, STEPS],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            process.stdout.readline()
            process.stdout.close()
            process.wait(SECONDS)
            self.assertNotIn(process.returncode, (0, -signal.SIGABRT, -signal.SIGSEGV))

    def test_a_full_disk_is_a_failure(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = call("top", "--once", QUICK, EMPTY, stdout=full)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left on device", done.stderr)

    def test_without_a_terminal_there_is_no_live_view(self):
        done = call("top", STEPS)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^jobmetrics-cli: .*--once.*\n$")

    def test_rates_are_those_since_the_page_before(self):
        with tempfile.TemporaryDirectory(prefix="jobmetrics-") as folder:
            root = pathlib.Path(folder) / "root"
            shutil.copytree(FIXTURES / "slurm-v2-hooks", root, symlinks=True)
            command = [PROGRAM, "top", "-n", "2", "--interval=1", f"--path.rootfs={root}", "--sort=jobid"]
            with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, encoding="utf-8") as process:
                first = "".join(process.stdout.readline() for _ in range(6))
                spend(next(root.glob("sys/fs/cgroup/system.slice/*/job_2/cpu.stat")), microseconds=500_000)
                second, _ = process.communicate(timeout=SECONDS)
        self.assertEqual(self.cpu_percent_of_2(first), 0)
        # half a CPU second of one CPU; the second page cannot come sooner, only later
        self.assertTrue(0 < self.cpu_percent_of_2(second) <= 50.0, second)

    def cpu_percent_of_2(self, page: str) -> float:
        return float(re.search(r"(?m)^▸ 2 +alice +physics +burn +1 +([0-9.]+) ", page).group(1))


def spend(file: pathlib.Path, microseconds: int) -> None:
    """Lets a cgroup's CPU time grow. In place: the file may be open."""
    text = re.sub(r"(usage_usec|user_usec) (\d+)", lambda m: f"{m[1]} {int(m[2]) + microseconds}", file.read_text())
    with open(file, "r+", encoding="utf-8") as opened:
        opened.write(text)


class Live(unittest.TestCase):
    def test_80_by_24_shows_the_node_the_jobs_and_the_keys(self):
        with Window() as window:
            window.show(STEPS, "--sort=jobid")
            picture = window.expect(HINTS)
            lines = picture.splitlines()
            self.assertIn("4 jobs running", lines[0])
            self.assertRegex(lines[1], r"^CPU \[.*\] .* CPUs, jobs have 5$")
            self.assertRegex(lines[2], r"^Mem \[█+.*\] 13\.4%, 528MiB of 3\.8GiB$")
            self.assertRegex(lines[3], r"^  JOBID▴ USER +NAME +CPUS +CPU% CPU-TIME +MEM +MEM% +AGE$")
            self.assertEqual(jobs_of(picture), ["5", "14", "15", "16"])

    def test_80_columns_have_watts_where_they_are_known(self):
        with Window() as window:
            window.show(STEPS, "--power.source=estimate", "--sort=jobid", "--interval=0.3")
            picture = window.wait_until(lambda picture: re.search(r"(?m)^▸ 5 .* ~[0-9.]+W ", picture), "watts")
            lines = picture.splitlines()
            self.assertRegex(lines[0], r" 4 jobs running  ~[0-9.]+W, jobs ~[0-9.]+W ")
            self.assertRegex(lines[3], r"^  JOBID▴ USER +NAME +CPUS +CPU% +MEM +MEM% +WATTS +AGE$")
            self.assertLessEqual(max(map(width_of, lines)), 80)

    def test_q_and_control_c_give_the_terminal_back(self):
        for key in ("q", "C-c", "C-\\"):
            with Window() as window:
                before, after = window.folder / "before", window.folder / "after"
                window.run(f"stty -a > {before}; {window.top(STEPS)}; stty -a > {after}; echo done")
                window.expect(HINTS)
                self.assertEqual((window.mode("alternate_on"), window.mode("cursor_flag")), ("1", "0"))
                window.press(key)
                picture = window.expect("status 0\ndone")
                self.assertNotIn("JOBID", picture)
                self.assertEqual(before.read_text(), after.read_text())
                self.assertEqual((window.mode("alternate_on"), window.mode("cursor_flag")), ("0", "1"))

    def test_a_job_opens_and_closes(self):
        with Window(lines=30) as window:
            window.show(STEPS, "--sort=jobid")
            window.expect(HINTS)
            window.press("Enter")
            picture = window.expect("└─ load")
            self.assertIn("▾ 5 ", picture)
            window.press("Down", "Left", "Left")
            window.expect("▸ 5 ")
            window.press("e")
            window.expect("▾ 14 ")

    def test_processes_are_sorted_and_stay_so(self):
        with Window(lines=30) as window:
            window.show(STEPS, "--sort=jobid", "--interval=0.5")
            window.expect(HINTS)
            window.press("Enter")
            picture = window.expect("└─ 3315 S load")
            self.assertLess(picture.index("3271 S srun"), picture.index("3281 S srun"))
            # the second look has rates
            picture = window.wait_until(
                lambda picture: re.search(r"(?m)3311 S load +0\.0 +27\.3s +31MiB ", picture), "a rate"
            )
            self.assertLessEqual(max(map(width_of, picture.splitlines())), 80)
            window.press("s", "s", "s", "s", "s", "s", "r")
            window.wait_until(
                lambda picture: "▴MEM " in picture and 0 <= picture.find("3281 S srun") < picture.find("3271 S srun"), "the least memory first"
            )

    def test_arrows_and_pages_move_the_selection_along(self):
        with Window(lines=10) as window:
            window.show(STEPS, "--sort=jobid", "--expand")
            window.expect(HINTS)
            self.assertIn("▾ 5 ", window.picture())
            window.press("End")
            window.expect("└─ extern")
            window.press("Home", "NPage", "Down")
            window.expect_no("▾ 5 ")

    def test_jobs_are_sorted_and_reversed(self):
        with Window() as window:
            window.show(STEPS, "--sort=-mem")
            expect_jobs(window, "▾MEM ", "5", "14", "15", "16")
            window.press("r")
            expect_jobs(window, "▴MEM ", "16", "15", "14", "5")
            window.press("<")
            expect_jobs(window, "▾CPU-TIME", "5", "15", "14", "16")
            window.press("s", ">")
            window.expect("▾MEM%")

    def test_a_filter_shows_at_once_what_it_leaves(self):
        with Window() as window:
            window.show(HOOKS)
            window.expect(HINTS)
            window.press("/")
            window.type("GP")
            self.assertEqual(jobs_of(window.expect("Jobs that contain: GP")), ["3"])
            window.press("Enter")
            window.expect("filter: GP  q quit")
            window.press("Escape")
            window.wait_until(lambda picture: sorted(jobs_of(picture)) == ["2", "3"], "both jobs")

    def test_one_users_jobs_are_shown(self):
        with Window() as window:
            window.show(HOOKS)
            window.expect(HINTS)
            window.press("u")
            window.type("alice")
            window.expect("all): alice")
            window.press("Enter")
            self.assertEqual(jobs_of(window.expect("user: alice  q quit")), ["2"])

    def test_the_interval_changes_and_rests(self):
        with Window() as window:
            window.show(STEPS)
            window.expect("every 2s")
            window.press("+")
            window.expect("every 3s")
            window.press("-", "-")
            window.expect("every 1s")
            window.press("p")
            window.expect("paused")

    def test_space_reads_the_node_at_once(self):
        with Window() as window:
            window.show(STEPS, "--interval=3600")
            # one sweep has no rates
            self.assertRegex(window.expect(HINTS), r"(?m)^▸ 5 .* 2 +- +20\.6s")
            window.wait_until(
                lambda picture: window.press("Space") or re.search(r"(?m)^▸ 5 .* 2 +0\.0 +20\.6s", picture), "a rate"
            )

    def test_help_comes_and_goes(self):
        with Window() as window:
            window.show(STEPS)
            window.expect(HINTS)
            window.press("?")
            self.assertNotIn("JOBID", window.expect("Any key goes back."))
            window.press("x")
            window.expect(HINTS)

    def test_a_terminal_may_shrink_and_grow(self):
        with Window() as window:
            window.show(STEPS, "--interval=3600")
            window.expect("CPU-TIME")
            window.resize(50, 24)
            window.expect_no("CPU-TIME")
            window.resize(30, 5)
            window.expect("Terminal too small")
            window.resize(160, 30)
            self.assertIn("PRESSURE%", window.expect("WRITE/s"))

    def test_a_terminal_that_is_too_small_at_first_is_no_failure(self):
        with Window(columns=20, lines=3) as window:
            window.show(STEPS)
            window.expect("Terminal too sma")
            window.press("q")
            self.assertEqual(window.status(), 0)

    def test_it_is_suspended_and_goes_on(self):
        with Window() as window:
            window.tmux("new-session", "-d", "-x", "80", "-y", "24", "bash --norc --noprofile -i")
            window.tmux("send-keys", "-l", "PS1=ready; " + shlex.join([PROGRAM, "top", STEPS]))
            window.press("Enter")
            window.expect(HINTS)
            window.press("C-z")
            window.expect("Stopped")
            self.assertEqual(window.mode("alternate_on"), "0")
            window.resize(100, 24)
            window.type("fg")
            window.press("Enter")
            window.expect("MEM-LIMIT")
            self.assertEqual(window.mode("alternate_on"), "1")
            window.press("q")
            window.wait_until(lambda _: window.mode("alternate_on") == "0", "the shell")


class Ends(unittest.TestCase):
    def end(self, window: Window, number: int) -> str:
        window.show(STEPS)
        window.expect(HINTS)
        window.kill(number)
        return window.expect("status")

    def test_sigterm_gives_the_terminal_back(self):
        with Window() as window:
            self.assertIn("status 143", self.end(window, signal.SIGTERM))
            self.assertEqual((window.mode("alternate_on"), window.mode("cursor_flag")), ("0", "1"))

    def test_sighup_gives_the_terminal_back(self):
        with Window() as window:
            self.assertIn("status 129", self.end(window, signal.SIGHUP))
            self.assertEqual(window.mode("alternate_on"), "0")

    def test_a_terminal_that_goes_away_ends_it(self):
        with Window() as window:
            # the shell stays, to report how it ended
            window.run("trap : HUP; " + window.top(STEPS))
            window.expect(HINTS)
            window.tmux("kill-server")
            self.assertIn(window.status(), (1, 129))

    def test_a_terminal_that_goes_away_ends_it_even_where_nobody_says_so(self):
        with Window() as window:
            window.run("trap : HUP; " + window.top(STEPS).replace("sh -c ", "setsid sh -c ", 1))
            window.expect(HINTS)
            window.tmux("kill-server")
            self.assertEqual(window.status(), 1)

    def test_an_unknown_terminal_gets_one_message(self):
        with Window() as window:
            window.run(f"TERM=martian {shlex.join([PROGRAM, 'top', STEPS])}; echo status $?")
            picture = window.expect("status 1")
            self.assertIn("TERM=martian: not a known terminal", picture)

    def test_messages_come_after_the_screen(self):
        with Window(columns=150) as window:
            window.show(HOSTILE)
            window.expect(HINTS)
            window.press("q")
            self.assertIn("not NAME=VALUE", window.expect("status 0"))


class Looks(unittest.TestCase):
    def test_colours_are_left_out_where_they_are_unwanted(self):
        for arguments, changes in ((["--color=never"], {}), ([], {"NO_COLOR": "1"})):
            with Window(**changes) as window:
                window.show(STEPS, QUICK, *arguments)
                window.expect(" 0.0 ")
                self.assertNotRegex(window.picture("-e"), r"\033\[[0-9;]*\b3[0-7]\b")

    def test_an_idle_job_has_a_colour(self):
        with Window() as window:
            window.show(STEPS, QUICK)
            window.press("Down")
            window.expect(" 0.0 ")
            self.assertRegex(window.picture("-e"), r"\033\[33m0\.0")

    def test_a_terminal_without_utf8_gets_ascii_alone(self):
        with Window(LC_ALL="C") as window:
            window.show(STEPS, "--expand")
            picture = window.expect("`- load")
            self.assertTrue(picture.isascii(), picture)
            self.assertIn("Mem [|||", picture)

    def test_hostile_names_break_nothing(self):
        with Window() as window:
            window.show(HOSTILE, "--expand")
            picture = window.expect(HINTS)
            self.assertNotRegex(picture, r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
            self.assertEqual(sorted(jobs_of(picture)), ["2", "3"])

    def test_wide_names_leave_the_columns_in_line(self):
        with tempfile.TemporaryDirectory(prefix="jobmetrics-") as folder, Window() as window:
            root = pathlib.Path(folder) / "root"
            shutil.copytree(FIXTURES / "slurm-v2-hooks", root, symlinks=True)
            file = root / "run/jobmetrics/jobs/2"
            file.write_text(file.read_text().replace("JOB_NAME=burn", "JOB_NAME=日本語の計算"))
            window.show(f"--path.rootfs={root}", "--sort=jobid")
            picture = window.expect("日本語の計算")
            rows = [line for line in picture.splitlines() if line[2:3] in ("2", "3")]
            self.assertEqual(len(rows), 2, picture)
            self.assertEqual(width_of(rows[0]), width_of(rows[1]), picture)


class OnThisMachine(unittest.TestCase):
    def test_a_command_that_runs_as_a_job_comes_works_and_ends(self):
        with Window() as window:
            window.show("--interval=0.5")
            window.expect(HINTS)
            name = f"top-{os.getpid()}"
            window.press("/")
            window.type(name)
            window.press("Enter")
            window.expect(f"filter: {name}")
            with subprocess.Popen(
                [PROGRAM, "run", f"--name={name}", "--", "sh", "-c", "while :; do :; done"],
                env=environment(),
                stderr=subprocess.PIPE,
            ) as job:
                try:
                    self.check_life(window, job, name)
                finally:
                    job.terminate()
                    job.communicate()

    def check_life(self, window: Window, job: subprocess.Popen, name: str) -> None:
        try:
            # a share of the CPUs that is neither unknown nor none
            window.wait_until(lambda picture: re.search(rf"{name} .* (?!0\.0)[0-9]+\.[0-9] ", picture), "the job at work")
        except AssertionError:
            job.terminate()
            if "cgroup" not in job.communicate()[1].decode():
                self.skipTest("no cgroup can be made here, so a command is no job")
            raise
        job.terminate()
        window.wait_until(lambda picture: re.search(rf"(?m)^x .* {name} ", picture), "its end")


if __name__ == "__main__":
    if shutil.which("tmux") is None:
        tap.skip_all("tmux is not installed")
    if "without ncurses" in call("top", STEPS).stderr:
        tap.comment("built without ncurses: there are pages alone")
        sys.exit(tap.run(Pages, part=True))
    sys.exit(tap.run(Pages, Live, Ends, Looks, OnThisMachine))
