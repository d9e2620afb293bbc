#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A column of the archive that no jobmetrics has, from a row to a database that is there already.

usage: test-new-column.py BUILD

A copy of the table of quantities gets a row: all that doc/how-to/hacking.md asks for. What is made of it is made anew, and the files that depend on that are
compiled and linked with the rest of the build.
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

CORE = TOP / "libjobmetrics" / "core"
MADE = {name: f"core/jm-{name}-private.h" for name in ("run-field-id", "quantity-id")}
MADE |= {name: f"core/jm-{name}.inc" for name in ("run-fields", "run-part-columns", "new-columns", "quantities")}
PROGRAM = "tests/archive/test-archive-versions"
OBJECTS = "libjobmetrics/libjobmetrics-internal.a.p/"
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

    def add_quantity(self) -> None:
        """The last, so that all others keep their numbers, and a text, which stands amid the columns of the archive."""
        table = (CORE / "quantities.ini").read_text()
        version = 1 + max([13, *map(int, re.findall(r"(?m)^keep =.*@(\d+)", table))])
        origin = 1 + max(map(int, re.findall(r"(?m)^origin = (\d+)$", table)))
        row = f"\n[made_up]\nname = made_up\nhelp = Made up.\nabout = nothing\nkeep = run@{version}\norigin = {origin}\n"
        copy = self.folder / "quantities.ini"
        copy.write_text(table + row)
        for what, name in MADE.items():
            made = self.folder / "library" / name
            made.parent.mkdir(parents=True, exist_ok=True)
            made.write_text(subprocess.run([CORE / "quantities.py", copy, what], check=True, capture_output=True, text=True).stdout)

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
        self.add_quantity()
        commands = {entry["output"]: entry for entry in json.loads((self.build / "compile_commands.json").read_text())}
        named = [f"libjobmetrics/{name}" for name in MADE.values() if not name.endswith("quantity-id-private.h")]
        depend = [part.split(":")[0] for part in self.ninja("deps").split("\n\n") if any(name in part.split() for name in named)]
        objects = [name for name in depend if name.startswith(OBJECTS)]
        for name in ("core_jm-run-field.c.o", "core_jm-quantity.c.o"):
            self.assertIn(OBJECTS + name, objects)
        made = [self.compile(commands[name]["file"], commands[name]["command"], f"{number}.o") for number, name in enumerate(objects)]
        (own,) = [entry["command"] for output, entry in commands.items() if output.startswith(f"{PROGRAM}.p/")]
        made.append(self.compile(TESTS / "archive" / "made-up-column.c", own, "program.o"))
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
