#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the exporter's settings into the manual and the configuration files, from their declaration in C.

usage: settings-tables.py EXPORTER [--check]

What stands between the marks in the manual, in the man page and in data/config is written anew; --check only reports
whether it is up to date.
"""

import pathlib
import re
import subprocess
import sys
import textwrap
from typing import Callable, NamedTuple

DOC = pathlib.Path(__file__).resolve().parent
MADE = "made by doc/settings-tables.py: meson compile update-settings"


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


def listed_by(exporter: str, role: str) -> list[Setting]:
    listed = subprocess.run([exporter, role, "--list-settings"], capture_output=True, text=True, check=True).stdout
    return [Setting(*line.split("\t")) for line in listed.splitlines()]


def settings_of_node(exporter: str) -> list[Setting]:
    settings = listed_by(exporter, "node")
    collectors = [s for s in settings if s.group == "collectors" and s.preset == "true"]
    one_for_all = collectors[0]._replace(name="collector.NAME", preset="on", help="Whether a collector works")
    return [one_for_all if s is collectors[0] else s for s in settings if s not in collectors[1:]]


def settings_beside_the_nodes(exporter: str, role: str) -> list[Setting]:
    of_node = listed_by(exporter, "node")
    return [setting for setting in listed_by(exporter, role) if setting not in of_node]


def settings_of_cluster(exporter: str) -> list[Setting]:
    return settings_beside_the_nodes(exporter, "cluster")


def settings_of_server(exporter: str) -> list[Setting]:
    return settings_beside_the_nodes(exporter, "server")


def remarks(setting: Setting, mark: Callable[[str], str]) -> str:
    """What follows the help."""
    text = ""
    if setting.choices:
        text += ": " + ", ".join(map(mark, setting.choices.split(",")))
    if setting.kind in ("count", "duration"):
        text += f" ({setting.low} to {setting.high})"
    return text + ("; several times" if setting.is_list else "")


def row(setting: Setting) -> str:
    option = f"`--{setting.name}{'=' if setting.argument else ''}{setting.argument}`"
    if setting.name == "collector.NAME":
        option += ", `--no-collector.NAME`"
    preset = f"`{setting.preset}`" if setting.preset else setting.preset_help
    text = re.sub(r"\bjobmetrics_job_info\b|\bmemory\.stat\b", r"`\g<0>`", setting.help)
    return f"| {option} | {preset} | {text}{remarks(setting, lambda word: f'`{word}`')} |"


def table(settings: list[Setting]) -> str:
    return "\n".join(["| option | default | meaning |", "| --- | --- | --- |", *map(row, settings)])


def plain(text: str) -> str:
    return re.sub(r"([_*\\])", r"\\\1", text)


def term(setting: Setting) -> str:
    option = f"*--{setting.name}*"
    if setting.argument:
        option += "=" + re.sub(r"[A-Z]+", r"_\g<0>_", setting.argument)
    if setting.name == "collector.NAME":
        option += ", *--no-collector.NAME*"
    preset = plain(setting.preset or setting.preset_help)
    text = plain(setting.help) + remarks(setting, lambda word: f"*{word}*") + "."
    return f"{option}\n\t{text}{f' Default: {preset}.' if preset else ''}\n"


def terms(settings: list[Setting]) -> str:
    return "\n".join(map(term, settings))


# what a program is asked on its command line alone
NOT_IN_FILES = ("config.file", "once", "check")


def key(setting: Setting) -> str:
    """A key of a configuration file: commented out, with what goes without saying, or the kind of thing that it takes."""
    text = setting.help + remarks(setting._replace(is_list=""), str)
    if setting.is_list:
        text += "; several, apart by semicolons"
    if setting.preset_help:
        text += f". Without it: {setting.preset_help}"
    value = setting.preset or setting.argument or "true"
    return "\n".join([*textwrap.wrap(f"{text}.", 118, initial_indent="# ", subsequent_indent="# "), f"#{setting.name}={value}\n"])


def keys_of(role: str) -> Callable[[list[Setting]], str]:
    def keys(settings: list[Setting]) -> str:
        return f"[{role}]\n" + "\n".join(key(setting) for setting in settings if setting.name not in NOT_IN_FILES)

    return keys


def all_of(role: str) -> Callable[[str], list[Setting]]:
    return lambda exporter: listed_by(exporter, role)


# file, the mark before, the mark after, what stands between them, and of which settings
PLACES = [
    ("reference/configuration.md", f"<!-- {MADE} -->\n", "\n<!-- end -->", table, settings_of_node),
    ("reference/cluster.md", f"<!-- {MADE} -->\n", "\n<!-- end -->", table, settings_of_cluster),
    ("reference/accounting.md", f"<!-- {MADE} -->\n", "\n<!-- end -->", table, settings_of_server),
    ("man/jobmetrics-exporter.8.scd", f"; {MADE}\n\n", "\n; end of settings", terms, settings_of_node),
    ("man/jobmetrics-exporter.8.scd", f"; of cluster, {MADE}\n\n", "\n; end of settings of cluster", terms, settings_of_cluster),
    ("man/jobmetrics-exporter.8.scd", f"; of server, {MADE}\n\n", "\n; end of settings of server", terms, settings_of_server),
    *(
        (f"../data/config/{role}.conf", f"# {MADE}\n\n", "\n# end of settings", keys_of(role), all_of(role))
        for role in ("node", "cluster", "server")
    ),
]


def main() -> int:
    status = 0
    for name, begin, end, write, settings_of in PLACES:
        path = DOC / name
        before, found, rest = path.read_text(encoding="utf-8").partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise SystemExit(f"{path}: no marks")
        text = before + begin + write(settings_of(sys.argv[1])) + end + after
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif text != path.read_text(encoding="utf-8"):
            print(f"{path} is not true: meson compile update-settings", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
