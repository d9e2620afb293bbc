#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A column of the archive that no jobmetrics has, from a row to a database that is there already.

usage: test-new-column.py BUILD

In copies of two files a field gets its enumerator, amid the others, and its row: all that doc/hacking.md asks for. The files that depend on them are
compiled with these, and linked with the rest of the build.
"""

import json
import pathlib
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
TOP = TESTS.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402

HEADER, ROWS = "store/jm-run-field.h", "store/jm-run-field.c"
PROGRAM = "tests/store/test-archive-versions"
OBJECTS = "libjobmetrics/libjobmetrics-internal.a.p/store_"
FIXTURE = TESTS / "fixtures" / "archives" / "version-5.sql"
OF_ACCOUNTING = "user_name={0} made_up={0} start_time={0} end_time={0} cpu_us={0}".format("accounting")


class ANewColumn(unittest.TestCase):
    build: pathlib.Path

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="jobmetrics-column-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def ninja(self, *words: str) -> str:
        return subprocess.run(["ninja", "-C", self.build, "-t", *words], check=True, capture_output=True, text=True).stdout

    def change(self, name: str, before: str, added: str) -> None:
        path = self.folder / "library" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = (TOP / "libjobmetrics" / name).read_text()
        self.assertEqual(text.count(before), 1)
        path.write_text(text.replace(before, before + added))

    def add_field(self) -> None:
        rows = re.findall(r"\[JM_RUN_FIELD_\w+\] = \{([^}]*)\}", (TOP / "libjobmetrics" / ROWS).read_text())
        # quantity, name, maximum, place and, in some, the version
        version = 1 + max([5, *(int(since) for row in rows for since in row.split(",")[4:])])
        (work_dir,) = re.findall(r"(?m)^  \[JM_RUN_FIELD_WORK_DIR\].*\n", (TOP / "libjobmetrics" / ROWS).read_text())
        self.change(HEADER, "  JM_RUN_FIELD_WORK_DIR,\n", "  JM_RUN_FIELD_MADE_UP,\n")
        self.change(ROWS, work_dir, f'  [JM_RUN_FIELD_MADE_UP] = {{ JM_QUANTITY_WORK_DIR, "made_up", WORD, {len(rows)}, {version} }},\n')

    def compile(self, source: pathlib.Path | str, command: str, name: str) -> pathlib.Path:
        """As the build does, but for warnings, and with the changed files before the others."""
        target = self.folder / name
        words = [word for word in shlex.split(command) if word not in ("-fanalyzer", "-Werror", "-MD") and not word.startswith("-W")]
        for option in ("-o", "-c", "-MQ", "-MF"):
            if option in words:
                at = words.index(option)
                del words[at : at + 2]
        compiler = [words.pop(0)] if words[0] != "ccache" else [words.pop(0), words.pop(0)]
        subprocess.run([*compiler, f"-I{self.folder / 'library'}", *words, "-O0", "-w", "-c", source, "-o", target], cwd=self.build, check=True)
        return target

    def make_program(self) -> pathlib.Path:
        self.add_field()
        commands = {entry["output"]: entry for entry in json.loads((self.build / "compile_commands.json").read_text())}
        depend = [part.split(":")[0] for part in self.ninja("deps").split("\n\n") if f"libjobmetrics/{HEADER}" in part]
        objects = [name for name in depend if name.startswith(OBJECTS)]
        self.assertTrue(any(name.endswith("jm-run-field.c.o") for name in objects), objects)
        made = []
        for number, name in enumerate(objects):
            source = self.folder / "library" / ROWS if name.endswith("store_jm-run-field.c.o") else commands[name]["file"]
            made.append(self.compile(source, commands[name]["command"], f"{number}.o"))
        (own,) = [entry["command"] for output, entry in commands.items() if output.startswith(f"{PROGRAM}.p/")]
        made.append(self.compile(TESTS / "store" / "made-up-column.c", own, "program.o"))
        link = shlex.split(self.ninja("commands", PROGRAM).splitlines()[-1])
        link[link.index("-o") + 1] = str(self.folder / "program")
        (at,) = [i for i, word in enumerate(link) if word.startswith(f"{PROGRAM}.p/")]
        link[at : at + 1] = [str(path) for path in made]
        subprocess.run(link, cwd=self.build, check=True)
        return self.folder / "program"

    def runs(self, program: pathlib.Path, store: pathlib.Path) -> dict[str, list[tuple[str, str]]]:
        done = subprocess.run([program, store], check=True, capture_output=True, text=True, timeout=60)
        found: dict[str, list[tuple[str, str]]] = {}
        for number, origins, made_up in re.findall(r"(?m)^(\S+): (.*); (.*)$", done.stdout):
            found.setdefault(number, []).append((origins, made_up))
        return found

    def test_is_in_new_databases_and_comes_to_old_ones(self):
        program = self.make_program()
        old, new = self.folder / "old.db", self.folder / "new.db"
        with sqlite3.connect(old) as database:
            database.executescript(FIXTURE.read_text())
        for store in (new, old):
            self.assertEqual(self.runs(program, store)["42"], [(OF_ACCOUNTING, "of the night")])
        later, earlier = self.runs(program, old)["7"]
        self.assertIn(" cpus=accounting cpu_us=ledger memory_peak_bytes=ledger energy_uj=ledger", later[0])
        self.assertTrue(earlier[0].endswith(" nodes=accounting cpus=accounting"), earlier)
        self.assertEqual((later[1], earlier[1]), ("none", "none"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    ANewColumn.build = pathlib.Path(sys.argv[1]).resolve()
    sys.exit(tap.run(ANewColumn))
