#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether the type stubs have all there is, and type checkers accept the examples with them.

usage: test-stubs.py [--update]

--update writes anew what follows from the library's tables.
"""

import ast
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from introspection import JobMetrics  # noqa: E402
from gi.repository import GObject  # noqa: E402, I001

STUBS = TESTS.parent / "bindings" / "python" / "gi-stubs"
STUB = STUBS / "repository" / "JobMetrics.pyi"
MARK = "# Below: written by `meson compile update-stubs`\n"
EXAMPLES = sorted(map(str, (TESTS.parent / "bindings" / "examples").glob("*.py")))
OVERRIDES = ("Node", "Snapshot", "Sampler", "Host", "Source", "Job", "Place", "Process", "Metrics")
OVERRIDES += ("EmissionFactor", "EmissionProvider", "Gpu", "GpuGrants", "GpuReport", "JobProfile", "JobRecord")
OVERRIDES += ("Ledger", "LedgerFilter", "Run", "RunPart")
FIELD_TYPES = {"jobid": "str", "uuid": "str", "uid": "int | None", "nodes": "int | None", "cpus_granted": "int | None", "submit_time": "datetime | None"}
MISUSE = """
import gi
gi.require_version("JobMetrics", "1.0")
from gi.repository import JobMetrics

node = JobMetrics.Node(host="/", level="steps", collectors=["cpus"])
for job in node.sample():
    print(job.user + 1, job.memory_used, job.id.upper())
"""


def property_of(name: str, kind: str) -> str:
    return f"    @property\n    def {name}(self) -> {kind}: ...\n"


def type_of(info: JobMetrics.MetricInfo) -> str:
    whole = JobMetrics.unit_get_info(info.unit).divisor == 1
    number = "int" if whole else "float"
    if not info.n_labels:
        return f"{number} | None"
    key = "str" if info.n_labels == 1 else f"tuple[{', '.join(['str'] * info.n_labels)}]"
    return f"dict[{key}, {number}] | None"


# A class has what a device is, and by whose word a job has it, as fields of its own.
HAS_FIELDS = {JobMetrics.SubjectKind.GPU: "info", JobMetrics.SubjectKind.JOB_GPU: "share_ratio"}


def figures(kind: JobMetrics.SubjectKind) -> str:
    infos = [one.get_metric_info() for one in JobMetrics.Quantity.list_of_subject(kind)]
    return "".join(property_of(info.name, type_of(info)) for info in infos if info.name != HAS_FIELDS.get(kind))


def fields() -> str:
    names = [JobMetrics.job_field_get_name(JobMetrics.JobField(n)) for n in range(JobMetrics.N_JOB_FIELDS)]
    return "".join(property_of(name, FIELD_TYPES.get(name, "str | None")) for name in names if name != "start_time")


# Those that the overrides take in their own way.
NODE_ARGUMENTS = {
    "host": "Host | _Path",
    "level": "SubjectKind | _LevelName",
    "collectors": "Iterable[_CollectorName | Collector] | CollectorSet",
    "power_sources": "Iterable[str | PowerSource]",
    "gpu_sources": "Iterable[str | GpuMapper]",
    "emission_providers": "Iterable[str | EmissionProvider]",
}


def type_of_setting(setting: JobMetrics.Setting) -> str:
    kinds = JobMetrics.SettingKind
    if setting.is_list:
        return "Iterable[str]" if setting.kind == kinds.TEXT else "Iterable[_Path]"
    is_time = setting.kind == kinds.DURATION or setting.argument == "SECONDS"
    return {kinds.FLAG: "bool", kinds.TEXT: "str"}.get(setting.kind, "int | timedelta" if is_time else "int")


def node_arguments() -> str:
    settings = [s for s in JobMetrics.Node.list_settings() if s.property is not None and s.group != "host"]
    arguments = {s.property.replace("-", "_"): type_of_setting(s) for s in settings} | NODE_ARGUMENTS
    lines = "".join(f"        {name}: {kind} | None = None,\n" for name, kind in arguments.items())
    return f"    def __init__(\n        self,\n        *,\n{lines}    ) -> None: ...\n"


def is_enum(name: str) -> bool:
    member = getattr(JobMetrics, name)
    return isinstance(member, type) and issubclass(member, GObject.GEnum)


def enum(name: str) -> str:
    kind = getattr(JobMetrics, name)
    members = {key: value for key, value in vars(kind).items() if isinstance(value, kind)}
    return "".join(f"    {key}: {name}\n" for key in sorted(members, key=members.get))


def literal(name: str, texts: list[str]) -> str:
    return f"{name} = Literal[{', '.join(f'{text!r}' for text in texts)}]\n".replace("'", '"')


def literals() -> str:
    """Texts that may be given for members of enumerations."""
    jobs = range(JobMetrics.SubjectKind.JOB, JobMetrics.SubjectKind.TASK + 1)
    collectors = map(JobMetrics.Collector, range(JobMetrics.N_COLLECTORS))
    lines = [
        literal("_LevelName", [JobMetrics.SubjectKind(number).value_nick for number in jobs]),
        literal("_CollectorName", [JobMetrics.collector_get_name(collector) for collector in collectors]),
    ]
    for name in ("EmissionMethod", "EmissionScope", "EmissionQuality"):
        kind = getattr(JobMetrics, name)
        members = sorted(value for value in vars(kind).values() if isinstance(value, kind))
        lines.append(literal(f"_{name}Name", [member.value_nick for member in members]))
    return "".join(lines)


def tables() -> str:
    classes = [(f"{name}(_Enum)", enum(name)) for name in filter(is_enum, dir(JobMetrics))]
    kinds = {name: getattr(JobMetrics.SubjectKind, name.upper()) for name in ("Node", "System", "Idle", "Grid", "Job")}
    kinds |= {"Gpu": JobMetrics.SubjectKind.GPU, "JobGpu": JobMetrics.SubjectKind.JOB_GPU}
    classes += [(f"_{name}Figures", figures(kind)) for name, kind in kinds.items()]
    classes += [("_JobFields", fields())]
    gpu_fields = map(JobMetrics.GpuField, range(JobMetrics.N_GPU_FIELDS))
    classes += [("_GpuFields", "".join(property_of(JobMetrics.gpu_field_get_name(f), "str | None") for f in gpu_fields))]
    classes += [("_NodeArguments", node_arguments())]
    return literals() + "\n" + "\n".join(f"class {head}:\n{body}" for head, body in classes)


def up_to_date() -> str:
    return STUB.read_text().partition(MARK)[0] + MARK + "\n" + tables()


def names_in(body: list[ast.stmt]) -> set[str]:
    names = {node.name for node in body if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))}
    return names | {node.target.id for node in body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}


def methods_of(cls: type) -> set[str]:
    """Of the library's own class, but for what Python does by itself."""
    info = getattr(cls, "__info__", None)
    infos = info.get_methods() if hasattr(info, "get_methods") else []
    return {method.get_name() for method in infos if method.is_method()} - {"ref", "unref"}


class TheStubs(unittest.TestCase):
    def test_follow_the_tables_of_the_library(self):
        self.assertEqual(STUB.read_text(), up_to_date(), "run: meson compile update-stubs")

    def test_have_all_that_the_module_has(self):
        tree = ast.parse(STUB.read_text())
        public = {name for name in dir(JobMetrics) if not name.startswith("_")}
        structs = {name for name in public if name.endswith(("Class", "Interface"))}
        self.assertEqual(public - structs - names_in(tree.body), set())

    def test_have_no_function_or_number_that_the_library_lacks(self):
        body = ast.parse(STUB.read_text()).body
        names = names_in([node for node in body if isinstance(node, ast.FunctionDef | ast.AnnAssign)])
        self.assertLess({"quantity_of_subject", "N_SUBJECT_KINDS"}, names)
        self.assertEqual([name for name in sorted(names) if not hasattr(JobMetrics, name)], [])

    def test_have_all_methods_of_the_library(self):
        for node in ast.parse(STUB.read_text()).body:
            if isinstance(node, ast.ClassDef) and hasattr(JobMetrics, node.name):
                with self.subTest(node.name):
                    self.assertEqual(methods_of(getattr(JobMetrics, node.name)) - names_in(node.body), set())

    def test_have_all_methods_of_the_overrides(self):
        classes = {node.name: node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ClassDef)}
        for name in OVERRIDES:
            public = {member for member in vars(getattr(JobMetrics, name)) if not member.startswith("_")}
            inherited = {"get"} if name == "Metrics" else set()
            with self.subTest(name):
                self.assertEqual(public - inherited - names_in(classes[name].body), set())


class TypeCheckers(unittest.TestCase):
    """Find the stubs as they would be found beside an installed PyGObject."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="jobmetrics-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {**os.environ, "PYTHONUSERBASE": str(self.folder / "user"), "HOME": str(self.folder)}
        command = [sys.executable, "-c", "import site; print(site.getusersitepackages())"]
        place = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True).stdout.strip()
        shutil.copytree(STUBS, pathlib.Path(place) / "gi-stubs")
        self.misuse = self.folder / "misuse.py"
        self.misuse.write_text(MISUSE)

    def complaints(self, *command: str) -> str:
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        return "" if done.returncode == 0 else done.stdout + done.stderr

    def mypy(self, *files: str) -> str:
        if shutil.which("mypy") is None:
            self.skipTest("mypy is not installed")
        return self.complaints("mypy", "--strict", "--ignore-missing-imports", f"--python-executable={sys.executable}", *files)

    def pyright(self, *files: str) -> str:
        if shutil.which("pyright") is None:
            self.skipTest("pyright is not installed; Debian has none")
        return self.complaints("pyright", f"--pythonpath={sys.executable}", *files)

    def assert_faults_found(self, complaints: str) -> None:
        lines = [line for line in complaints.splitlines() if "error" in line and "misuse.py" in line]
        for word in ("level", "+", "memory_used"):
            self.assertTrue(any(word in line for line in lines), f"{word}:\n{complaints}")

    def test_mypy_accepts_the_examples(self):
        self.assertEqual("".join(self.mypy(example) for example in EXAMPLES), "")

    def test_mypy_finds_what_is_wrong(self):
        self.assert_faults_found(self.mypy(str(self.misuse)))

    def test_pyright_accepts_the_examples(self):
        self.assertEqual(self.pyright(*EXAMPLES), "")

    def test_pyright_finds_what_is_wrong(self):
        self.assert_faults_found(self.pyright(str(self.misuse)))


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        STUB.write_text(up_to_date())
    else:
        sys.exit(tap.run(TheStubs, TypeCheckers))
