#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Fills the settings that each command has into the completions of a shell.

usage: fill-completions.py PROGRAM SHELL TEMPLATE

Settings are declared once, in C, and a command, or a role of the daemon, lists its own with --list-settings. In the template
@settings COMMAND@ stands for those of a command, @valued COMMAND@ for the options of those that take a value,
@settings@ for those of all, @values@ for what may follow them.
"""

import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

# Their values begin with a name that the shell asks the program for, or with one of these.
ASKED = {"power.source": " auto", "gpu.source": " auto", "emissions.provider": ""}


class Setting(NamedTuple):
    name: str
    group: str
    kind: str
    is_list: str
    argument: str
    preset: str
    preset_help: str
    low: str
    high: str
    choices: str
    help: str


def run(*command: str) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def commands_of(program: str) -> list[str]:
    listed = re.split(r"(?m)^(?:Commands|Roles):$", run(program, "--help").stdout)[1]
    return re.findall(r"(?m)^  ([a-z]+) +[a-z]", listed)


def settings_of(program: str, command: str) -> list[Setting]:
    done = run(program, command, "--list-settings")
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return [Setting(*line.split("\t")) for line in done.stdout.splitlines()]


def quoted(text: str, special: str) -> str:
    return re.sub(f"([{re.escape(special)}])", r"\\\1", text)


# the daemon's: those of the command line are in its template
METRICS = ("metrics.include", "metrics.exclude")


class Writer:
    """For one program, by whose name its functions begin."""

    def __init__(self, program: str):
        self.program = pathlib.Path(program).name
        self.functions = self.program.replace("-", "_")


class Bash(Writer):
    def option(self, setting: Setting) -> str:
        return f"--{setting.name}" + ("" if setting.kind == "flag" else "=")

    def options(self, settings: list[Setting]) -> str:
        return " ".join(map(self.option, settings))

    def value(self, setting: Setting) -> str | None:
        if setting.name in METRICS:
            how = f'-W "$(_{self.functions}_metrics)"'
        elif setting.name in ASKED:
            how = f'-W "$(_{self.functions}_sources --{setting.name}){ASKED[setting.name]}"'
        elif setting.kind in ("directory", "file"):
            how = "-d" if setting.kind == "directory" else "-f"
        else:
            how = f"-W '{setting.choices.replace(',', ' ')}'" if setting.choices else None
        return how and f"    --{setting.name}) how=({how}) ;;"


class Zsh(Writer):
    ACTIONS = {"directory": "_directories", "file": "_files"}

    def action(self, setting: Setting) -> str:
        if setting.name in ASKED:
            others = "".join(f"; compadd {name}" for name in ASKED[setting.name].split())
            return f"{{_{self.functions}_sources --{setting.name}{others}}}"
        if setting.name in METRICS:
            return f"_{self.functions}_metrics"
        return f"({setting.choices.replace(',', ' ')})" if setting.choices else self.ACTIONS.get(setting.kind, "")

    def option(self, setting: Setting) -> str:
        help_text = quoted(setting.help.replace("'", "’"), "[]:\\")
        if setting.kind == "flag":
            return f"'--{setting.name}[{help_text}]'"
        argument = re.sub(r"[^a-z].*", "", setting.argument.lower())
        return f"'{'*' if setting.is_list else ''}--{setting.name}=[{help_text}]:{argument}:{self.action(setting)}'"

    def options(self, settings: list[Setting]) -> str:
        return " \\\n            ".join(map(self.option, settings))


class Fish(Writer):
    ACTIONS = {"directory": "-x -a '(__fish_complete_directories)'", "file": "-r -F", "flag": ""}

    def action(self, setting: Setting) -> str:
        if setting.name in ASKED:
            return f"-x -a '(__{self.functions}_sources --{setting.name}){ASKED[setting.name]}'"
        if setting.name in METRICS:
            return f"-x -a '(__{self.functions}_metrics)'"
        return f"-x -a '{setting.choices.replace(',', ' ')}'" if setting.choices else self.ACTIONS.get(setting.kind, "-x")

    def line(self, setting: Setting, commands: list[str]) -> str:
        condition = f"-n '__{self.functions}_of {' '.join(commands)}'"
        parts = [f"complete -c {self.program}", condition, f"-l {setting.name}", self.action(setting)]
        help_text = quoted(setting.help, "'\\")
        return " ".join(part for part in [*parts, f"-d '{help_text}'"] if part)


def valued_of(settings: list[Setting]) -> str:
    return " ".join(f"--{setting.name}" for setting in settings if setting.kind != "flag")


def fill(program: str, shell: str, template: str) -> str:
    by_command = {command: settings_of(program, command) for command in commands_of(program)}
    every = {setting.name: setting for settings in by_command.values() for setting in settings}

    def takers(setting: Setting) -> list[str]:
        return [command for command, settings in by_command.items() if setting.name in {s.name for s in settings}]

    template = re.sub(r"@valued (\w+)@", lambda match: valued_of(by_command[match[1]]), template)
    if shell == "fish":
        lines = [Fish(program).line(setting, takers(setting)) for setting in every.values()]
        return template.replace("@settings@", "\n".join(lines))
    writer = Bash(program) if shell == "bash" else Zsh(program)
    filled = re.sub(r"@settings (\w+)@", lambda match: writer.options(by_command[match[1]]), template)
    if shell == "bash":
        values = [Bash(program).value(setting) for setting in every.values()]
        filled = filled.replace("@values@", "\n".join(value for value in values if value))
    return filled


if __name__ == "__main__":
    print(fill(sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).read_text(encoding="utf-8")), end="")
