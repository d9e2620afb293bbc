#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The daemon's node role as an administrator meets it.

usage: test-node.py EXPORTER HANGING-EXPORTER
"""

import base64
import concurrent.futures
import contextlib
import gzip
import os
import pathlib
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import daemon  # noqa: E402
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402

EXPORTER = sys.argv[1]
HANGING_EXPORTER = sys.argv[2]
BURN = f"--path.rootfs={FIXTURES / 'slurm-v2-burn'}"
SECONDS = daemon.SECONDS

USAGE = 2
FAILURE = 1


def run(*options: str, **more) -> subprocess.CompletedProcess:
    return subprocess.run([EXPORTER, *options], capture_output=True, text=True, timeout=SECONDS, check=False, **more)


def once(*options: str) -> str:
    done = run("node", "--once", BURN, *options)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


def families(text: str) -> set[str]:
    return set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE))


class Daemon(daemon.Daemon):
    def __init__(self, *options: str, program: str = EXPORTER, **variables: str):
        super().__init__(program, "node", BURN, *options, **variables)


class WrongOptions(unittest.TestCase):
    """Each is one message that names the option and the value, and an exit status that says so."""

    def refuse(self, status: int, *words: str, options: tuple[str, ...]) -> None:
        done = run(*options)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_an_option_that_does_not_exist(self):
        self.refuse(USAGE, "--nonsense", options=("node", "--nonsense"))

    def test_a_word_too_many(self):
        self.refuse(USAGE, "extra", options=("node", "extra"))

    def test_a_number_that_is_none(self):
        self.refuse(USAGE, "--sample.interval", "soon", options=("node", "--sample.interval=soon"))

    def test_a_number_out_of_bounds(self):
        self.refuse(USAGE, "--sample.interval", "0", options=("node", "--sample.interval=0"))
        self.refuse(USAGE, "max-executables", "-3", options=("node", "--collector.process.max-executables=-3"))

    def test_a_level_that_does_not_exist(self):
        self.refuse(USAGE, "--sample.level", "cpu", options=("node", "--sample.level=cpu"))

    def test_a_collector_that_does_not_exist(self):
        self.refuse(USAGE, "--collector.weather", options=("node", "--collector.weather"))

    def test_a_metric_that_does_not_exist(self):
        self.refuse(USAGE, "--metrics.include", "jobmetrics_shoe", options=("node", "--web.listen-address=127.0.0.1:0", "--metrics.include=jobmetrics_shoe"))

    def test_a_label_that_does_not_exist(self):
        self.refuse(USAGE, "--metrics.info-label", "shoe", options=("node", "--web.listen-address=127.0.0.1:0", "--metrics.info-label=shoe"))

    def test_a_page_that_is_none(self):
        for path in ("metrics", "/metrics?x", "/a b", "/-/ready"):
            self.refuse(USAGE, "--web.telemetry-path", path, options=("node", f"--web.telemetry-path={path}"))

    def test_an_address_without_a_port(self):
        self.refuse(USAGE, "--web.listen-address", "here", options=("node", "--web.listen-address=here"))

    def test_directories_that_do_not_exist(self):
        for option in ("--path.rootfs", "--path.procfs", "--path.sysfs", "--path.cgroupfs", "--schedulers"):
            self.refuse(USAGE, option, "/nonexistent", options=("node", f"{option}=/nonexistent"))

    def test_a_configuration_file_that_does_not_exist(self):
        self.refuse(USAGE, "/nonexistent", options=("node", "--config.file=/nonexistent"))

    def test_pipes_in_place_of_files(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "pipe")
            os.mkfifo(pipe)
            self.refuse(USAGE, pipe, "not an ordinary file", options=("node", f"--config.file={pipe}"))
            self.refuse(USAGE, pipe, "not an ordinary file", options=("node", f"--web.config.file={pipe}"))
            done = run("node", "--once", BURN, f"--power.file={pipe}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"{pipe}: not an ordinary file", done.stderr)

    def test_a_role_that_does_not_exist(self):
        done = run("gardener")
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("gardener", done.stderr)

    def test_a_port_that_is_taken(self):
        with Daemon() as daemon:
            address = daemon.url.removeprefix("http://")
            self.refuse(FAILURE, address, options=("node", f"--web.listen-address={address}"))

    def test_settings_before_the_port(self):
        with Daemon() as daemon:
            listen = f"--web.listen-address={daemon.url.removeprefix('http://')}"
            for option in ("--metrics.include=jobmetrics_shoe", "--power.source=shoe", "--emissions.provider=fixed,factor=x"):
                self.refuse(USAGE, option.split("=")[-1], options=("node", listen, option))


class ConfigurationFile(unittest.TestCase):
    def written(self, text: str) -> str:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name, "node.conf")
        path.write_text(text)
        return f"--config.file={path}"

    def test_holds_options(self):
        text = once(self.written("[node]\ncluster=elsewhere\nmetrics.include=jobmetrics_job_*;process_*\n"))
        self.assertIn('cluster="elsewhere"', text)
        self.assertTrue(all(name.startswith(("jobmetrics_job_", "process_")) for name in families(text)), families(text))

    def test_turns_collectors_off(self):
        self.assertNotIn("jobmetrics_job_threads", families(once(self.written("[node]\ncollector.threads=false\n"))))

    def test_has_less_to_say_than_the_command_line(self):
        text = once(self.written("[node]\ncluster=elsewhere\n"), "--cluster=here")
        self.assertIn('cluster="here"', text)

    def test_with_an_option_that_does_not_exist_is_refused(self):
        option = self.written("[node]\nshoe=7\n")
        done = run("node", "--once", BURN, option)
        self.assertEqual(done.returncode, USAGE)
        self.assertIn(f"{option.split('=')[1]}: [node] shoe: no such setting", done.stderr)

    def test_with_a_value_that_is_invalid_is_refused_even_where_it_does_not_count(self):
        option = self.written("[node]\nsample.interval=soon\n")
        done = run("node", "--once", BURN, option, "--sample.interval=5")
        self.assertEqual(done.returncode, USAGE)
        self.assertIn(f"{option.split('=')[1]}: [node] sample.interval=soon: not a number", done.stderr)

    def test_turns_flags_on_that_the_command_line_turns_off(self):
        option = self.written("[node]\ncollector.disable-defaults=true\ncollector.cpu=true\n")
        self.assertNotIn("jobmetrics_node_cpus", families(once(option)))
        self.assertIn("jobmetrics_node_cpus", families(once(option, "--no-collector.disable-defaults")))

    def test_that_is_no_key_file_is_refused(self):
        done = run("node", "--once", BURN, self.written("cluster: elsewhere\n"))
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("node.conf", done.stderr)


class Once(unittest.TestCase):
    NAME = b"a\x1b]0;title\x07\xc2\x9b\xe2\x80\xae"

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="jobmetrics-hostile-")
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name, "root")
        shutil.copytree(FIXTURES / "slurm-v2-steps", root, symlinks=True)
        for environ in root.glob("proc/*/environ"):
            environ.chmod(0o644)
            environ.write_bytes(re.sub(rb"SLURM_JOB_NAME=[^\0]*", b"SLURM_JOB_NAME=" + self.NAME, environ.read_bytes()))
        self.command = [EXPORTER, "node", "--once", f"--path.rootfs={root}"]

    def output_at_a_terminal(self) -> bytes:
        terminal, programs_end = pty.openpty()
        chunks = []
        with subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=programs_end, stderr=subprocess.DEVNULL):
            os.close(programs_end)
            # EIO once the program has closed it
            with contextlib.suppress(OSError):
                while chunk := os.read(terminal, 65536):
                    chunks.append(chunk)
        os.close(terminal)
        return b"".join(chunks)

    def test_steers_no_terminal_by_a_name(self):
        text = self.output_at_a_terminal()
        self.assertIn(b'name="a?]0;title???"', text)
        self.assertNotRegex(text.replace(b"\r\n", b"\n"), rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]")

    def test_gives_programs_the_name_itself(self):
        done = subprocess.run(self.command, capture_output=True, timeout=SECONDS, check=True)
        self.assertIn(b'name="' + self.NAME + b'"', done.stdout)


class Samples(unittest.TestCase):
    """What administrators begin with: right as it is, and with every line that is commented out."""

    FOLDER = TESTS.parent / "data" / "config"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def copies(self, name: str):
        text = (self.FOLDER / name).read_text()
        # sentences stand one space from their mark
        for copy in text, re.sub(r"(?m)^#(?=\S|  )", "", text):
            (self.folder / name).write_text(copy)
            yield copy

    def test_of_the_configuration_file_are_taken(self):
        """With all settings left out, and with all that need no word of the site's own, such as FILE."""
        text = (self.FOLDER / "node.conf").read_text()
        full, n_taken = re.subn(r"(?m)^#(?=[a-z.-]+=[^A-Z]+$)", "", text.replace("#cluster=NAME", "cluster=mycluster"))
        self.assertGreater(n_taken, 30)
        for copy in text, full:
            (self.folder / "node.conf").write_text(copy)
            done = run("node", "--once", BURN, f"--config.file={self.folder}/node.conf")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('cluster="mycluster"', done.stdout)

    def test_of_web_yml_are_taken(self):
        for name in "node", "prometheus-ca":
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                            "-keyout", self.folder / f"{name}.key", "-out", self.folder / f"{name}.crt", "-subj", f"/CN={name}"],
                           check=True, capture_output=True)
        for copy in self.copies("web.yml"):
            with Daemon(f"--web.config.file={self.folder}/web.yml") as daemon:
                self.assertEqual("(TLS)" in daemon.greeting, "\ntls_server_config:" in copy)

    def test_of_the_units_options_name_what_there_is(self):
        *_, copy = self.copies("jobmetrics-exporter")
        options = re.search(r"^JOBMETRICS_OPTIONS=(.*)$", copy, re.MULTILINE)[1].split()
        self.assertEqual([option.split("=")[0] for option in options], ["--config.file"])


class ThePlainProgram(unittest.TestCase):
    def test_reports_its_version_with_a_role_and_without(self):
        plain = run("--version")
        self.assertRegex(plain.stdout, r"^jobmetrics-exporter \d+\.\d+\.\d+\n$")
        self.assertEqual(run("node", "--version").stdout, plain.stdout)

    def test_says_nothing_when_its_reader_has_enough(self):
        process = subprocess.Popen([EXPORTER, "node", "--once", BURN], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdout.close()
        self.assertEqual(process.stderr.read(), "")
        process.stderr.close()
        self.assertEqual(process.wait(SECONDS), 0)


class Choices(unittest.TestCase):
    def test_of_collectors(self):
        names = families(once("--collector.disable-defaults", "--collector.cpu"))
        self.assertIn("jobmetrics_job_cpu_seconds_total", names)
        self.assertNotIn("jobmetrics_job_memory_used_bytes", names)
        self.assertNotIn("jobmetrics_node_cpus", names)

    def test_of_steps_and_tasks(self):
        text = once("--sample.level=task")
        self.assertRegex(text, r'jobmetrics_step_cpu_seconds_total\{[^}]*step="batch"\}')
        self.assertRegex(text, r'jobmetrics_task_cpu_seconds_total\{[^}]*step="0",task="0"\}')
        self.assertNotIn("jobmetrics_step_", once())

    def test_of_metrics(self):
        text = once("--metrics.exclude=jobmetrics_*_pressure_*", "--metrics.exclude=process_*")
        self.assertFalse([name for name in families(text) if "pressure" in name or name.startswith("process_")])

    def test_of_labels(self):
        info = re.search(r"^jobmetrics_job_info\{(.*)\} 1$", once("--metrics.info-label=user"), re.MULTILINE)[1]
        self.assertEqual(re.findall(r'(\w+)="', info), ["jobid", "uuid", "user"])

    def test_of_executables(self):
        text = once("--collector.process.max-executables=0")
        found = set(re.findall(r'executable_cpu_seconds_total\{.*executable="([^"]*)"', text))
        self.assertEqual(found, {"other"})

    def test_of_cpus(self):
        v1 = f"--path.rootfs={FIXTURES / 'slurm-v1-multi'}"
        text = once(v1, "--collector.percpu.max-cpus=1")
        jobs = re.findall(r'percpu_seconds_total\{jobid="(\d+)"', text)
        self.assertEqual(len(jobs), len(set(jobs)))
        self.assertGreater(once(v1).count("jobmetrics_job_percpu_seconds_total{"), len(jobs))


class IntervalOfMemoryStat(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name, "root")
        shutil.copytree(FIXTURES / "slurm-v2-steps", self.root, symlinks=True)

    def rss_of_a_later_sweep(self, daemon: Daemon, than: str) -> tuple[str, str]:
        """When another sweep than that was, and the anonymous memory of a job in it."""
        time_of = re.compile(r"^jobmetrics_sweep_time_seconds (\S+)", re.MULTILINE)
        while True:
            text = daemon.status_of("/metrics")[1]
            found = time_of.search(text)[1]
            if found != than:
                return found, re.search(r"^jobmetrics_job_memory_rss_bytes\{.*\} (\S+)", text, re.MULTILINE)[1]

    def read_twice(self, *options: str) -> tuple[str, str]:
        with Daemon(f"--path.rootfs={self.root}", *options) as daemon:
            sweep, before = self.rss_of_a_later_sweep(daemon, "")
            for file in self.root.rglob("memory.stat"):
                file.chmod(0o644)
                file.write_text(re.sub(r"^anon \d+$", "anon 4711", file.read_text(), flags=re.MULTILINE))
            return before, self.rss_of_a_later_sweep(daemon, sweep)[1]

    def test_is_kept(self):
        before, after = self.read_twice("--collector.memory.stat.interval=3600")
        self.assertEqual(before, after)

    def test_is_nothing_by_default(self):
        self.assertEqual(self.read_twice()[1], "4711")


class Dialects(unittest.TestCase):
    """Names of another exporter, for dashboards that are there already."""

    OTHER = "slurm-job-exporter"
    SERIES = 'slurm_job_memory_usage{account="chemistry",slurmjobid="1",user="bob"}'

    def test_alone(self):
        text = once(f"--metrics.dialect={self.OTHER}")
        self.assertIn(self.SERIES, text)
        self.assertNotIn("jobmetrics_", text)

    def test_beside_the_own_names(self):
        text = once(f"--metrics.dialect=native,{self.OTHER}")
        self.assertIn(self.SERIES, text)
        self.assertIn("jobmetrics_build_info", families(text))

    def test_at_a_path_of_their_own(self):
        with Daemon() as daemon:
            status, text = daemon.status_of(f"/dialects/{self.OTHER}")
            self.assertEqual(status, 200)
            self.assertIn(self.SERIES, text)
            self.assertNotIn("jobmetrics_", text)
            self.assertEqual(daemon.status_of("/dialects/klingon"), (404, "There is no such dialect.\n"))

    def test_at_a_port_of_their_own(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        with Daemon(f"--web.listen-address=127.0.0.1:{port}", f"--metrics.dialect-port={self.OTHER}={port}") as daemon:
            self.assertIn("jobmetrics_job_info", daemon.status_of("/metrics")[1])
            daemon.log_until(f"listening on 127.0.0.1:{port}")
            daemon.url = f"http://127.0.0.1:{port}"
            text = daemon.status_of("/metrics")[1]
            self.assertIn(self.SERIES, text)
            self.assertNotIn("jobmetrics_", text)

    def test_of_a_site(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "site.conf"
            file.write_text("[Dialect]\nName=site\n[site_cpus]\nHelp=h\nSource=jobmetrics_job_cpus\nLabels=job={jobid}\n")
            text = once(f"--dialects={folder}", "--metrics.dialect=site")
            self.assertIn('site_cpus{job="1"} ', text)
            file.write_text("[Dialect]\nName=site\n[site_cpus]\nHelp=h\nSource=jobmetrics_job_cores\n")
            done = run("node", "--once", BURN, f"--dialects={folder}")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"{file}: site_cpus: Source: no metric of jobmetrics: jobmetrics_job_cores", done.stderr)

    def test_that_there_is_not(self):
        for option in ("--metrics.dialect=klingon", "--metrics.dialect-port=klingon=9798"):
            done = run("node", "--once", BURN, option)
            self.assertEqual(done.returncode, USAGE)
            self.assertIn("no dialect: klingon (there are native, ", done.stderr)


class Definitions(unittest.TestCase):
    """One that a site drops into its directory."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "node"
        shutil.copytree(FIXTURES / "services-v2", self.root, symlinks=True)
        self.at_root = f"--path.rootfs={self.root}"

    def drop(self) -> None:
        site = self.root / "etc/jobmetrics/schedulers"
        site.mkdir(parents=True)
        shutil.copy(TESTS.parent / "data/schedulers/optional/systemd.conf", site)

    @staticmethod
    def schedulers(text: str) -> set[str]:
        return set(re.findall(r'^jobmetrics_job_info\{[^}]*scheduler="([^"]+)"', text, re.MULTILINE))

    def scrape(self, daemon: Daemon) -> set[str]:
        with daemon.get("/metrics") as reply:
            return self.schedulers(reply.read().decode())

    def test_are_taken_at_the_next_start(self):
        with Daemon(self.at_root) as daemon:
            before = self.scrape(daemon)
            self.drop()
            running = self.scrape(daemon)
        with Daemon(self.at_root) as daemon:
            after = self.scrape(daemon)
        self.assertEqual((before, running, after), (set(), set(), {"systemd"}))

    def test_that_are_broken_cost_themselves_alone(self):
        self.drop()
        (self.root / "etc/jobmetrics/schedulers/site.conf").write_text("[Scheduler]\nName=site\n[Cgroup]\nJob=/%s_%s\n")
        done = run("node", "--once", self.at_root)
        self.assertEqual(self.schedulers(done.stdout), {"systemd"})
        self.assertIn("site.conf: Cgroup: Job: placeholders that cannot be distinguished: %s_%s", done.stderr)


class Pages(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.__exit__)

    def test_metrics_in_prometheus_words(self):
        with self.daemon.get("/metrics") as reply:
            self.assertEqual(reply.headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
            self.assertIn("jobmetrics_job_cpu_seconds_total", families(reply.read().decode()))

    def test_metrics_as_openmetrics(self):
        with self.daemon.get("/metrics", Accept="application/openmetrics-text;version=1.0.0") as reply:
            self.assertEqual(reply.headers["Content-Type"], "application/openmetrics-text; version=1.0.0; charset=utf-8")
            self.assertTrue(reply.read().decode().endswith("\n# EOF\n"))

    def test_metrics_compressed(self):
        with self.daemon.get("/metrics", Accept_Encoding="gzip") as reply:
            self.assertEqual(reply.headers["Content-Encoding"], "gzip")
            self.assertIn("jobmetrics_job_info", gzip.decompress(reply.read()).decode())

    def test_metrics_of_the_exporter_itself(self):
        text = self.daemon.status_of("/metrics")[1]
        value = {name: float(re.search(rf"^process_{name} (\S+)$", text, re.MULTILINE)[1])
                 for name in ("start_time_seconds", "cpu_seconds_total", "resident_memory_bytes", "virtual_memory_bytes",
                              "open_fds", "max_fds")}
        began = pathlib.Path(f"/proc/{self.daemon.process.pid}").stat().st_ctime
        self.assertLess(abs(value["start_time_seconds"] - began), 5)
        self.assertGreater(value["virtual_memory_bytes"], value["resident_memory_bytes"])
        self.assertGreater(value["max_fds"], value["open_fds"])
        again = self.daemon.status_of("/metrics?collect[]=cpu")[1]
        started = re.compile(r"^process_start_time_seconds .*$", re.MULTILINE)
        self.assertEqual(started.search(again)[0], started.search(text)[0])

    def test_metrics_at_another_path(self):
        with Daemon("--web.telemetry-path=/probe/node") as daemon:
            self.assertIn("jobmetrics_job_info", families(daemon.status_of("/probe/node")[1]))
            self.assertEqual(daemon.status_of("/metrics")[0], 404)
            self.assertIn('href="/probe/node"', daemon.status_of("/")[1])
        with Daemon("--web.telemetry-path=/") as daemon:
            self.assertIn("jobmetrics_job_info", families(daemon.status_of("/")[1]))

    def test_metrics_of_some_collectors(self):
        names = families(self.daemon.status_of("/metrics?collect[]=cpu&collect[]=pressure")[1])
        self.assertIn("jobmetrics_job_cpu_seconds_total", names)
        self.assertIn("jobmetrics_job_io_pressure_some_seconds_total", names)
        self.assertNotIn("jobmetrics_job_memory_used_bytes", names)

    def test_metrics_of_all_collectors_but_some(self):
        names = families(self.daemon.status_of("/metrics?exclude[]=cpu")[1])
        self.assertNotIn("jobmetrics_job_cpu_seconds_total", names)
        self.assertIn("jobmetrics_job_memory_used_bytes", names)

    def test_metrics_of_a_collector_that_does_not_exist(self):
        self.assertEqual(self.daemon.status_of("/metrics?collect[]=weather"), (400, "no such collector: weather\n"))
        self.assertEqual(self.daemon.status_of("/metrics?collect[]=cpu&exclude[]=memory")[0], 400)

    def test_the_page_for_people(self):
        status, text = self.daemon.status_of("/")
        self.assertEqual(status, 200)
        for word in ("<td>alice</td>", "<td>physics</td>", "<td>burn</td>", "memory.stat", 'href="/metrics"'):
            self.assertIn(word, text)

    def test_health(self):
        self.assertEqual(self.daemon.status_of("/-/healthy")[0], 200)
        self.daemon.status_of("/metrics")  # waits for a sweep
        self.assertEqual(self.daemon.status_of("/-/ready")[0], 200)
        self.assertEqual(self.daemon.status_of("/shoe")[0], 404)
        self.assertEqual(self.daemon.status_of("/shoe/../metrics")[0], 400)
        self.assertEqual(self.daemon.status_of("/-%2Fhealthy")[0], 400)


class Log(unittest.TestCase):
    def test_names_what_a_sweep_missed_though_nobody_scrapes(self):
        with Daemon("--power.source=file,path=/nowhere/watts") as daemon:
            for line in daemon.process.stderr:
                if "collector power: power source file" in line:
                    break
            self.assertIn("/nowhere/watts", line)


class Passwords(unittest.TestCase):
    USERS = "basic_auth_users:\n  alice: $2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW\n"

    def test_are_not_asked_of_a_supervisor(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "web.yml")
            path.write_text(self.USERS)
            with Daemon(f"--web.config.file={path}") as daemon:
                self.assertEqual(daemon.status_of("/-/healthy")[0], 200)
                self.assertIn(daemon.status_of("/-/ready")[0], (200, 503))
                for page in "/metrics", "/", "/shoe":
                    self.assertEqual(daemon.status_of(page)[0], 401, page)


class Hangup(unittest.TestCase):
    """SIGHUP has the configuration read again, and never ends the daemon."""

    OTHER = Passwords.USERS.replace("alice", "bob")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.conf = pathlib.Path(folder.name, "node.conf")
        self.web = pathlib.Path(folder.name, "web.yml")
        self.conf.write_text("[node]\ncluster=one\n")
        self.web.write_text(Passwords.USERS)

    def start(self) -> Daemon:
        daemon = Daemon(f"--config.file={self.conf}", f"--web.config.file={self.web}")
        self.addCleanup(daemon.__exit__)
        return daemon

    def hang_up(self, daemon: Daemon, until: str) -> str:
        daemon.process.send_signal(signal.SIGHUP)
        return daemon.log_until(until)

    def status(self, daemon: Daemon, user: str) -> int:
        login = base64.b64encode(f"{user}:secret".encode()).decode()
        try:
            with daemon.get("/metrics", Authorization=f"Basic {login}") as reply:
                return reply.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def test_takes_up_passwords_at_once(self):
        daemon = self.start()
        self.assertEqual(self.status(daemon, "alice"), 200)
        self.web.write_text(self.OTHER)
        self.hang_up(daemon, "web.yml: read again")
        self.assertEqual((self.status(daemon, "alice"), self.status(daemon, "bob")), (401, 200))

    def test_takes_up_the_level_of_messages_and_names_what_needs_a_restart(self):
        daemon = self.start()
        self.conf.write_text("[node]\ncluster=two\nmetrics.exclude=process_*\nlog.format=json\n")
        said = self.hang_up(daemon, "web.yml: read again")
        self.assertIn('"msg":"changed, but not before a restart: cluster, metrics.exclude"', said)

    def test_keeps_what_it_has_where_the_new_is_wrong(self):
        daemon = self.start()
        self.conf.write_text("[node]\nshoe=7\n")
        self.web.write_text("basic_auth_users: {")
        said = self.hang_up(daemon, "the previous configuration stays")
        self.assertIn("[node] shoe: no such setting; the previous settings stay", said)
        self.assertEqual(self.status(daemon, "alice"), 200)

    def test_notifies_the_service_manager(self):
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            path = os.path.join(folder, "notify")
            manager.bind(path)
            manager.settimeout(SECONDS)
            with Daemon(NOTIFY_SOCKET=path) as daemon:
                self.assertEqual(manager.recv(100), b"READY=1")
                daemon.process.send_signal(signal.SIGHUP)
                self.assertRegex(manager.recv(100), rb"^RELOADING=1\nMONOTONIC_USEC=\d+$")
                self.assertEqual(manager.recv(100), b"READY=1")
                self.assertEqual(daemon.status_of("/-/healthy")[0], 200)


class Names(unittest.TestCase):
    def test_that_are_hostile_do_not_break_the_page(self):
        with Daemon(f"--path.rootfs={FIXTURES / 'hostile'}") as daemon:
            text = daemon.status_of("/")[1]
        self.assertIn("quote&quot;back\\slash", text)
        self.assertNotIn('quote"', text)


class FilesThatHang(unittest.TestCase):
    """A read of the kernel's that does not come back costs its figures, and nothing else."""

    PATIENCE = 5
    # of which the daemon answers more with 503
    REQUESTS_AT_ONCE = 40
    # with four cgroups each
    JOBS = 1300

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.hang = self.folder / "hang"
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.manager.close)
        self.manager.bind(str(self.folder / "notify"))
        self.manager.settimeout(SECONDS)

    def start(self, *options: str, **variables: str) -> Daemon:
        daemon = Daemon(*options, program=HANGING_EXPORTER, HANG_WHILE=str(self.hang), **variables)
        self.addCleanup(daemon.__exit__)
        self.addCleanup(self.hang.unlink, missing_ok=True)
        self.wait_for(lambda: daemon.status_of("/metrics")[0] == 200, "no sweep comes to its end")
        return daemon

    def hang_files(self, daemon: Daemon) -> None:
        """Until a scrape is not content any more with the sweep before, and waits for the next."""
        self.hang.touch()
        while True:
            scrape = threading.Thread(target=daemon.status_of, args=("/metrics",), daemon=True)
            scrape.start()
            scrape.join(1)
            if scrape.is_alive():
                return

    def await_hang(self, daemon: Daemon) -> None:
        """Until it is known that they hang."""
        self.hang_files(daemon)
        self.wait_for(lambda: daemon.status_of("/-/ready")[0] == 503, "nothing hangs")

    def scrape(self, daemon: Daemon) -> tuple[int, float]:
        before = time.monotonic()
        status, _ = daemon.status_of("/metrics")
        return status, time.monotonic() - before

    def sweep_time(self, text: str) -> float:
        return float(re.search(r"^jobmetrics_sweep_time_seconds (\S+)", text, re.MULTILINE)[1])

    def sockets_of_clients_that_left(self, daemon: Daemon) -> int:
        port = int(daemon.url.rsplit(":", 1)[1])
        close_wait = "08"
        lines = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
        return sum(line.split()[1].endswith(f":{port:04X}") and line.split()[3] == close_wait for line in lines)

    def wait_for(self, condition, what: str) -> None:
        end = time.monotonic() + SECONDS
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.05)

    def test_are_not_waited_for(self):
        daemon = self.start()
        self.await_hang(daemon)
        began = time.time()
        status, text = daemon.status_of("/metrics")
        self.assertEqual(status, 200)
        # the age is shown: it is that of the sweep before
        self.assertLessEqual(self.sweep_time(text), began)
        self.assertIn("jobmetrics_job_info", families(text))
        self.assertEqual(daemon.status_of("/-/ready"), (503, "The sweep of the node hangs: the figures are old.\n"))
        self.assertEqual(daemon.status_of("/-/healthy")[0], 200)
        # who comes later need not wait for what is known to hang; a busy machine delays some of them, but not all
        with concurrent.futures.ThreadPoolExecutor(self.REQUESTS_AT_ONCE // 2) as pool:
            statuses, seconds = zip(*pool.map(lambda _: self.scrape(daemon), range(2 * self.REQUESTS_AT_ONCE)))
        self.assertEqual(set(statuses), {200})
        self.assertLess(min(seconds), self.PATIENCE)
        self.hang.unlink()
        self.wait_for(lambda: daemon.status_of("/-/ready")[0] == 200, "it does not come back")
        self.assertGreater(self.sweep_time(daemon.status_of("/metrics")[1]), began)
        self.assertEqual(daemon.end().count("takes more than 5 s"), 1)

    def test_keep_no_connection_whose_client_left(self):
        daemon = self.start()
        self.hang_files(daemon)
        address = "127.0.0.1", int(daemon.url.rsplit(":", 1)[1])
        for _ in range(self.REQUESTS_AT_ONCE + 1):
            with socket.create_connection(address) as client:
                client.sendall(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
        began = time.monotonic()
        self.assertEqual(daemon.status_of("/-/healthy")[0], 200)
        self.wait_for(lambda: self.sockets_of_clients_that_left(daemon) == 0, "connections stay half closed")
        self.assertLess(time.monotonic() - began, self.PATIENCE)

    def test_do_not_hold_up_the_end(self):
        daemon = self.start()
        self.await_hang(daemon)
        self.assertEqual(daemon.status_of("/metrics")[0], 200)
        self.assertIn("left behind", daemon.end())
        self.assertTrue(self.hang.exists())
        self.assertEqual(daemon.process.returncode, 0)

    def end_while_cgroups_vanish(self, goes_on: bool) -> None:
        # as cgroups, in no file of a disk, which would remember at the end what is gone
        memory = tempfile.TemporaryDirectory(dir="/dev/shm")
        self.addCleanup(memory.cleanup)
        root = pathlib.Path(memory.name, "root")
        shutil.copytree(FIXTURES / "slurm-v2-burn", root, symlinks=True)
        scope = root / "sys" / "fs" / "cgroup" / "system.slice" / "n2_slurmstepd.scope"
        for number in range(self.JOBS):
            (scope / f"job_{1000 + number}" / "step_0" / "user" / "task_0").mkdir(parents=True)
        daemon = self.start(f"--path.rootfs={root}", "--sample.level=task")
        self.await_hang(daemon)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            gone = pool.submit(shutil.rmtree, scope)
            if goes_on:
                self.hang.unlink()
            began = time.monotonic()
            said = daemon.end()
            took = time.monotonic() - began
            gone.result()
        self.assertEqual(daemon.process.returncode, 0, said)
        self.assertNotIn("level=error", said)
        self.assertLess(took, SECONDS)

    def test_do_not_hold_up_the_end_while_cgroups_vanish(self):
        self.end_while_cgroups_vanish(False)

    def test_that_go_on_do_not_hold_up_the_end_while_cgroups_vanish(self):
        self.end_while_cgroups_vanish(True)

    def test_rouse_the_watchdog(self):
        period = 0.4
        daemon = self.start(NOTIFY_SOCKET=str(self.folder / "notify"), WATCHDOG_USEC=str(int(period * 1e6)))
        self.assertEqual(self.manager.recv(100), b"READY=1")
        self.assertEqual(self.manager.recv(100), b"WATCHDOG=1")
        self.hang_files(daemon)
        self.assertEqual(daemon.status_of("/metrics")[0], 200)
        self.manager.setblocking(False)
        with self.assertRaises(BlockingIOError):
            while True:
                self.manager.recv(100)
        time.sleep(2 * period)
        with self.assertRaises(BlockingIOError):
            self.manager.recv(100)
        self.hang.unlink()
        self.manager.settimeout(SECONDS)
        self.assertEqual(self.manager.recv(100), b"WATCHDOG=1")


class WithoutPrivileges(unittest.TestCase):
    @unittest.skipUnless(os.geteuid() == 0, "only root can give its rights up")
    def test_says_what_it_may_not_read_and_shows_the_rest(self):
        """The machine itself: somebody else's processes may not be looked into."""
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", EXPORTER, "node", "--once"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("jobmetrics_node_cpus", families(done.stdout))


if __name__ == "__main__":
    sys.exit(tap.run(WrongOptions, ConfigurationFile, Samples, ThePlainProgram, Once, Choices, IntervalOfMemoryStat, Dialects, Definitions, Pages, Log, Passwords, Hangup, Names, FilesThatHang, WithoutPrivileges))
