#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints the manual page of a command, out of the one page that has them all, or the names of the commands.

usage: command-page.py jobmetrics-cli.1.scd [COMMAND]
"""

import pathlib
import re
import sys

PROGRAM = "jobmetrics-cli"


def split(text: str, pattern: str) -> list[tuple[str, str]]:
    """Each head that matches, and what follows it."""
    parts = re.split(f"(?m)^({pattern})$", text)
    return [(parts[i], parts[i + 1].strip("\n")) for i in range(1, len(parts), 2)]


def read_sections(text: str) -> dict[str, str]:
    return {head[2:]: body for head, body in split(text, "# .*")}


def names_in(text: str) -> list[str]:
    return re.findall(r"\*([a-z]+)\*", text)


def list_commands(sections: dict[str, str]) -> list[tuple[str, str]]:
    """Each command, and what its entry says; lines behind a `++` are not indented."""
    return [(re.match(r"\*([a-z]+)\*", head)[1], re.sub("(?m)^\t", "", body)) for head, body in split(sections["COMMANDS"], r"\*[a-z]+\*.*(?=\n\t)")]


def make_synopsis(sections: dict[str, str], name: str) -> str:
    lines = []
    for line in sections["SYNOPSIS"].split("\n\n"):
        commands, rest = re.match(rf"\*{PROGRAM} ([a-z*|]+)\*(.*)$", line).groups()
        if name in commands.replace("*", "").split("|"):
            lines.append(f"*{PROGRAM} {name}*{rest}")
    return "\n\n".join(lines)


def find_options(sections: dict[str, str], name: str) -> tuple[str, list[str]]:
    """The options of a command, and the sections that explain them."""
    common = sections["OPTIONS"].split("\nOf *")[0].strip("\n")
    options, further = [common], []
    for intro, body in split(sections["OPTIONS"], r"Of \*[^\n]*(?:,\n.*)?[:,]"):
        if name in names_in(re.split(", see |, beside ", intro)[0]):
            options.append(body)
            further += [section for section in re.findall(r"\*([A-Z][A-Z ]+)\*", intro) if section not in further]
    return "\n\n".join(options), further


def find_status(sections: dict[str, str], name: str) -> str:
    paragraphs = re.split(r"(?m)^(?=Of \*)", sections["EXIT STATUS"])
    return "\n".join(part for part in paragraphs[1:] if name in names_in(re.split(r"[:\n]", part)[0])).strip("\n")


def find_examples(sections: dict[str, str], name: str) -> str:
    examples = re.findall(r"(?m)^([^`\n]+\n\n```\n.*?\n```)$", sections["EXAMPLES"], re.S)
    return "\n\n".join(example for example in examples if re.search(rf"{PROGRAM} {name}\b", example))


def make_page(sections: dict[str, str], name: str, text: str) -> str:
    summary = re.sub(r"[*_\\]", "", re.split(r"[.:;(]", text.replace("\n", " "))[0]).strip()
    options, further = find_options(sections, name)
    parts = {"NAME": f"{PROGRAM}-{name} - {summary[0].lower()}{summary[1:]}", "SYNOPSIS": make_synopsis(sections, name), "DESCRIPTION": text, "OPTIONS": options}
    parts |= {section: sections[section] for section in further}
    parts |= {"EXIT STATUS": find_status(sections, name), "EXAMPLES": find_examples(sections, name)}
    manual = sections["SEE ALSO"].split("\n\n")[-1]
    parts["SEE ALSO"] = f"*{PROGRAM}*(1), which has all commands, *jobmetrics-exporter*(8)\n\n{manual}"
    head = f'{PROGRAM}-{name}(1) "jobmetrics" "jobmetrics"\n\n'
    return head + "\n\n".join(f"# {title}\n\n{body}" for title, body in parts.items() if body) + "\n"


def main() -> int:
    sections = read_sections(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    commands = dict(list_commands(sections))
    if len(sys.argv) > 2:
        sys.stdout.write(make_page(sections, sys.argv[2], commands[sys.argv[2]]))
    else:
        print("\n".join(commands))
    return 0


sys.exit(main())
