#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether the samples of the manual do what it says. samples.py explains how a sample says how it is tried.

usage: test-samples.py BUILD PREFIX LIBDIR
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
TOP = TESTS.parent
sys.path[:0] = [str(TESTS / "pylib"), str(TESTS / "doc")]
import tap  # noqa: E402
from fixtures import FIXTURES  # noqa: E402
from installation import Installation  # noqa: E402
from samples import Sample, samples_of  # noqa: E402

# which tests of their own try
ELSEWHERE = {"python.md", "abi.md", "troubleshooting.md"}
PAGES = [page for page in sorted(TOP.glob("doc/*/*.md")) if page.name not in ELSEWHERE]
FIXTURE = FIXTURES / "slurm-v2-burn"
FIXTURE_OF = {"Services": FIXTURES / "services-v2"}
RECORDED = TESTS / "expected" / "slurm-v2-burn.prom"
ENERGY = TESTS / "doc" / "energy.prom"
RULES = TOP / "data" / "prometheus" / "jobmetrics.rules.yml"
STRICT = ["-std=c17", "-Wall", "-Wextra", "-Werror"]
BODY = """#include <jobmetrics.h>
void body (JmNode *node, JmSnapshot *snapshot, guint subject);
void
body (G_GNUC_UNUSED JmNode *node, G_GNUC_UNUSED JmSnapshot *snapshot, G_GNUC_UNUSED guint subject)
{
%s}
"""
# Each has a node sample with a source of its own, and prints /metrics.
WITH_SOURCE_IN_C = """#include <jobmetrics.h>
#include <string.h>
%(text)s
int
main (int argc, char **argv)
{
  const char *none[] = { NULL };
  const char *estimate[] = { "estimate", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHost) host = jm_host_new (argc > 1 ? argv[1] : NULL);
  g_autoptr (JmNode) node =
    g_initable_new (JM_TYPE_NODE, NULL, &error, "host", host, "power-sources", estimate,
                    "gpu-sources", none, "emission-providers", none, NULL);
  g_autoptr (JmSource) source =
    g_initable_new (%(lower)s_get_type (), NULL, &error, "host", host, NULL);
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autofree char *text = NULL;

  jm_node_add_source (node, source);
  snapshot = jm_node_sample (node, NULL, &error);
  jm_node_wait_for_answers (node, 10000);
  g_clear_pointer (&snapshot, jm_snapshot_unref);
  snapshot = jm_node_sample (node, NULL, &error);
  text = jm_text_encoder_to_string (encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS);
  g_print ("%%s", text);

  return 0;
}
"""
WITH_SOURCE_IN_VALA = """%(text)s
void main (string[] args) {
    try {
        string[] none = {}, estimate = { "estimate" };
        var host = new JobMetrics.Host (args[1]);
        var node = (JobMetrics.Node) Initable.new (typeof (JobMetrics.Node), null, "host", host, "power-sources", estimate,
            "gpu-sources", none, "emission-providers", none);
        node.add_source ((JobMetrics.Source) Initable.new (typeof (%(name)s), null, "host", host));
        node.sample ();
        node.wait_for_answers (10000);
        print ("%%s", new JobMetrics.TextEncoder ().to_string (node.sample (), JobMetrics.TextFormat.PROMETHEUS));
    } catch (Error error) {
        printerr ("%%s", error.message);
    }
}
"""
WITH_SOURCE_IN_PYTHON = """import sys
import gi
gi.require_version("JobMetrics", "1.0")
from gi.repository import JobMetrics
%(text)s
with JobMetrics.Node(host=sys.argv[1], power_sources=["estimate"], gpu_sources=[], emission_providers=[]) as node:
    node.add_source(%(name)s())
    node.sample()
    node.wait()
    print(JobMetrics.TextEncoder().to_string(node.sample(), JobMetrics.TextFormat.PROMETHEUS), end="")
"""
# "..." stands for what differs from run to run
SERIES = re.compile(r"^(?P<series>(?P<name>\w+)(?:\{(?P<labels>[^{}]*)\})?) (?P<value>[-+.\deE]+|\.\.\.)$")
STEPS = 24 * 60


def start_of_series(name: str, value: str) -> str:
    """A value that stays for a gauge, one that grows for a counter."""
    number = "1" if value == "..." else value
    return f"{number}+1x{STEPS}" if name.endswith("_total") else f"{number}+0x{STEPS}"


def recorded_series() -> list[tuple[str, str]]:
    series = []
    for line in [line for file in (RECORDED, ENERGY) for line in file.read_text(encoding="utf-8").splitlines()]:
        match = SERIES.match(line)
        if match and match["labels"] != "...":
            labels = f'instance="node1",job="jobmetrics",{match["labels"] or ""}'.rstrip(",")
            series.append((f"{match['name']}{{{labels}}}", start_of_series(match["name"], match["value"])))
    return series


def fixture_of(sample: Sample) -> str:
    return str(FIXTURE_OF.get(sample.name, FIXTURE))


class TheManual(unittest.TestCase):
    build: str
    installation: Installation
    samples: list[Sample]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def clone(self) -> pathlib.Path:
        """The source tree as it looks to who has built it in "build"."""
        folder = self.folder / "clone"
        folder.mkdir()
        for path in TOP.iterdir():
            if not path.name.startswith("build"):
                (folder / path.name).symlink_to(path)
        (folder / "build").symlink_to(self.build)
        return folder

    @classmethod
    def environment(cls) -> dict[str, str]:
        environment = cls.installation.environment()
        environment["PATH"] = f"{cls.installation.prefix / 'bin'}:{environment['PATH']}"
        environment["PYTHONPATH"] = str(TOP / "bindings" / "python")
        return environment

    def run_command(self, sample: Sample, *command: str, cwd: pathlib.Path | None = None) -> str:
        done = subprocess.run(
            command,
            cwd=cwd or self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        self.assertEqual(done.returncode, 0, f"{sample}: {' '.join(command)}\n{done.stdout}{done.stderr}")
        self.said = done.stderr
        return done.stdout

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def each(self, language: str, how: str | None = None) -> list[Sample]:
        found = [s for s in self.samples if s.language == language and s.how == how and s.why_not is None]
        self.assertNotEqual(found, [], f"no {language} {how or ''} in the manual")
        return found

    def need(self, program: str) -> None:
        if shutil.which(program) is None:
            self.skipTest(f"{program} is not installed")

    def check_output(self, sample: Sample, output: str) -> None:
        if sample.output is not None:
            self.assertEqual(output, sample.output, str(sample))

    def pkg_config(self, sample: Sample) -> list[str]:
        return self.run_command(sample, "pkg-config", "--cflags", "--libs", "jobmetrics-1.0").split()

    # --- programs ----------------------------------------------------------------

    def built_from_c(self, sample: Sample, text: str, *options: str) -> str:
        source, program = self.write(f"{sample.name}.c", text), str(self.folder / sample.name)
        self.run_command(sample, os.environ.get("CC", "cc"), *STRICT, *options, source, "-o", program, *self.pkg_config(sample))
        return program

    def built_from_vala(self, sample: Sample, text: str) -> str:
        source, program = self.write(f"{sample.name}.vala", text), str(self.folder / sample.name)
        vapis = self.installation.prefix / "share" / "vala" / "vapi"
        self.run_command(sample, "valac", f"--vapidir={vapis}", "--pkg=jobmetrics-1.0", "-o", program, source)
        return program

    def check_metrics(self, sample: Sample, metrics: str) -> None:
        self.assertIsNotNone(sample.output, f"{sample}: no output is shown")
        self.assertEqual(set(sample.output.splitlines()) - set(metrics.splitlines()), set(), f"{sample}\n{metrics}")

    def test_has_programs_in_c_that_are_built_and_run(self):
        for sample in self.each("c", "run"):
            self.check_output(sample, self.run_command(sample, self.built_from_c(sample, sample.text), str(FIXTURE)))

    def test_has_pieces_of_c_that_are_built(self):
        for sample in self.each("c", "body"):
            source = self.write("body.c", BODY % sample.text)
            flags = self.pkg_config(sample)
            self.run_command(sample, os.environ.get("CC", "cc"), *STRICT, "-c", source, "-o", f"{source}.o", *flags)

    def test_has_sources_in_c_that_a_node_takes(self):
        for sample in self.each("c", "source"):
            text = WITH_SOURCE_IN_C % {"text": sample.text, "lower": sample.name.lower()}
            program = self.built_from_c(sample, text, "-Wno-unused-parameter")
            self.check_metrics(sample, self.run_command(sample, program, fixture_of(sample)))

    def test_has_programs_in_vala_that_are_built_and_run(self):
        self.need("valac")
        for sample in self.each("vala", "run"):
            self.check_output(sample, self.run_command(sample, self.built_from_vala(sample, sample.text), str(FIXTURE)))

    def test_has_sources_in_vala_that_a_node_takes(self):
        self.need("valac")
        for sample in self.each("vala", "source"):
            program = self.built_from_vala(sample, WITH_SOURCE_IN_VALA % {"text": sample.text, "name": sample.name})
            self.check_metrics(sample, self.run_command(sample, program, fixture_of(sample)))

    def test_has_programs_in_python_that_run(self):
        for sample in self.each("python", "run"):
            self.check_output(sample, self.run_command(sample, sys.executable, "-c", sample.text, str(FIXTURE)))

    def test_has_sources_in_python_that_a_node_takes(self):
        for sample in self.each("python", "source"):
            text = WITH_SOURCE_IN_PYTHON % {"text": sample.text, "name": sample.name}
            self.check_metrics(sample, self.run_command(sample, sys.executable, "-c", text, fixture_of(sample)))

    def test_has_commands_that_do_what_it_says(self):
        clone = self.clone()
        for sample in self.each("sh", "run"):
            # an archive in the clone stands for the server's
            text = sample.text.replace("/var/lib/jobmetrics-server/accounts.db", "accounts.db")
            self.check_output(sample, self.run_command(sample, "sh", "-euc", text, cwd=clone))

    # --- Prometheus --------------------------------------------------------------

    def unit_test(self, queries: list[Sample]) -> str:
        lines = [f"rule_files: ['{RULES}']", "evaluation_interval: 1m", "tests:", "  - interval: 1m", "    input_series:"]
        for series, values in recorded_series():
            lines += [f"      - series: '{series}'", f"        values: '{values}'"]
        lines.append("    promql_expr_test:")
        for query in queries:
            indented = "".join(f"          {line}\n" for line in f"count (\n{query.text}) > bool 0".splitlines())
            lines += ["      - expr: |", indented.rstrip("\n"), "        eval_time: 12h", "        exp_samples:"]
            lines += ["          - labels: '{}'", "            value: 1"]
        return "\n".join(lines) + "\n"

    def test_has_queries_to_which_a_recorded_node_has_answers(self):
        self.need("promtool")
        queries = self.each("promql")
        path = self.write("queries.yml", self.unit_test(queries))
        self.run_command(queries[0], "promtool", "test", "rules", path)

    def test_has_queries_and_rules_that_ask_for_metrics_that_exist(self):
        known = set(re.findall(r"`(jobmetrics_\w+)`", (TOP / "doc" / "reference" / "metrics.md").read_text()))
        for sample in [*self.each("promql"), *self.each("yaml", "rules")]:
            asked = set(re.findall(r"(?<![:\w])jobmetrics_\w+", sample.text))
            self.assertEqual(asked - known, set(), str(sample))

    def test_has_rules_that_prometheus_takes(self):
        self.need("promtool")
        for sample in self.each("yaml", "rules"):
            self.run_command(sample, "promtool", "check", "rules", self.write("rules.yml", sample.text))

    def test_has_configurations_that_prometheus_takes(self):
        self.need("promtool")
        for sample in self.each("yaml", "prometheus"):
            # the rules are a sample of their own
            text = re.sub(r"(?m)^rule_files:\n(?: +- .*\n)+", "", sample.text)
            self.run_command(sample, "promtool", "check", "config", self.write("prometheus.yml", text))

    # --- what the daemon reads ------------------------------------------------------

    def run_once(self, sample: Sample, *options: str) -> None:
        output = self.run_command(sample, "jobmetrics-exporter", "node", "--once", f"--path.rootfs={FIXTURE}", *options)
        self.assertEqual(self.said, "", str(sample))
        self.assertIn("jobmetrics_build_info", output, str(sample))

    def test_has_configuration_files_that_the_daemon_takes(self):
        for sample in self.each("ini", "config"):
            self.run_once(sample, f"--config.file={self.write('node.conf', sample.text)}")

    def test_has_scheduler_definitions_that_the_daemon_takes(self):
        for number, sample in enumerate(self.each("ini", "scheduler")):
            name = re.search(r"(?m)^Name=(.*)$", sample.text)[1]
            (self.folder / str(number)).mkdir()
            self.write(f"{number}/{name}.conf", sample.text)
            self.run_once(sample, f"--schedulers={self.folder / str(number)}")

    def make_certificates(self, sample: Sample) -> None:
        for name, file in (("node", "node"), ("prometheus-ca", "prometheus-ca")):
            self.run_command(
                sample,
                *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={name}"),
                *("-keyout", f"{file}.key", "-out", f"{file}.crt"),
            )

    def serve(self, path: str) -> tuple[int, str]:
        """Starts the daemon, ends it as soon as it listens, and gives its status and what it said."""
        command = ["jobmetrics-exporter", "node", f"--web.config.file={path}", f"--path.rootfs={FIXTURE}"]
        command.append(f"--web.listen-address=unix:{self.folder}/socket")
        process = subprocess.Popen(command, env=self.environment(), stderr=subprocess.PIPE, text=True)
        said = ""
        for line in process.stderr:
            said += line
            if "listening" in line:
                process.send_signal(signal.SIGTERM)
        return process.wait(timeout=30), said

    def test_has_a_web_yml_that_the_daemon_takes(self):
        self.need("openssl")
        for sample in self.each("yaml", "web"):
            self.make_certificates(sample)
            status, said = self.serve(self.write("web.yml", sample.text))
            self.assertEqual(status, 0, f"{sample}: {said}")
            self.assertIn("(TLS)", said, str(sample))

    # --- what is not tried ----------------------------------------------------------

    def test_says_why_it_does_not_try_the_rest(self):
        untried = [sample for sample in self.samples if sample.why_not is not None]
        for sample in untried:
            tap.comment(f"{sample}: {sample.language}: {sample.why_not}")
            self.assertGreater(len(sample.why_not.split()), 1, str(sample))


if __name__ == "__main__":
    TheManual.samples = [sample for page in PAGES for sample in samples_of(page)]
    TheManual.build = sys.argv[1]
    TheManual.installation = Installation(*sys.argv[1:])
    try:
        status = tap.run(TheManual)
    finally:
        TheManual.installation.remove()
    sys.exit(status)
