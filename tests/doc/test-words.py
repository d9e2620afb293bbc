#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether what users read does without the words of refused-words.txt: the manual, man pages, help texts, messages, alerts, dashboards, the API reference; comments and names of tests; and the manual without long sentences.

usage: test-words.py
       test-words.py --list    print each place, and how many there are
"""

import collections
import functools
import io
import pathlib
import re
import sys
import tokenize
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "pylib"))
import tap  # noqa: E402

TABLE = HERE / "refused-words.txt"
# of these folders the texts, and of code the string literals
CODE = ["libjobmetrics", "jobmetrics-cli", "jobmetrics-exporter"]
PLACES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "doc", "data", *CODE]
TEXTS = {".conf", ".css", ".html", ".in", ".ini", ".json", ".md", ".scd", ".sql", ".svg", ".xml", ".yml"}
# a comment, a character, a string: whichever begins first
C_TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|'(?:\\.|[^'\\\n])+'|\"((?:\\.|[^\"\\\n])*)\"", re.DOTALL)
# what is no prose of a page: fenced and indented code, headings, rows of tables, comments; names and addresses within it
NO_PROSE = re.compile(r"(?ms)^```.*?^```$|<!--.*?-->|^ {4,}\S[^\n]*$|^[#|][^\n]*$")
CODE_OR_TARGET = re.compile(r"`[^`]*`|\]\([^)]*\)")
END_OF_SENTENCE = re.compile(r"(?<=[.!?])[)\"*]*\s+|\n\s*\n|\n\s*(?:[-*]|\d+\.) ")
LONGEST_SENTENCE = 30
LONGEST_LINE = 100
# the API reference is made of these; names of parameters are code
DOC_COMMENT = re.compile(r"/\*\*\n(.*?)\*/", re.DOTALL)
PARAMETER = re.compile(r"@\w+")
INCLUDE = re.compile(r"^\s*#\s*include\b", re.ASCII)

NEXT_LINE = re.compile(r"\s*\n[ *]*")
# titles of others' works
QUOTED = re.compile(r'"[^"]*"')
NAME_OF_TEST = re.compile(r"\btest_\w+")
# of the refused words, those that programmers may use
OF_PROGRAMMERS = ("preset", "by nobody", "a site's accounts", "teller")

Text = tuple[int, str]


@functools.cache
def refused() -> dict[re.Pattern, str]:
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {re.compile(rf"\b(?:{words})\b", re.IGNORECASE): instead for words, instead in rows}


@functools.cache
def refused_in_comments() -> re.Pattern:
    patterns = [words.pattern for words in refused() if not any(words.search(text) for text in OF_PROGRAMMERS)]
    return re.compile("|".join(patterns), re.IGNORECASE)


def texts_of_c(source: str) -> list[Text]:
    """The string literals, each with its line; those that only white space divides are one text, as they are to the compiler."""
    texts: list[Text] = []
    end = None
    for token in C_TOKEN.finditer(source):
        if token[1] is None:
            continue
        start = source.rfind("\n", 0, token.start()) + 1
        if INCLUDE.match(source[start : token.start()]):
            continue
        if end is not None and not source[end : token.start()].strip():
            texts[-1] = (texts[-1][0], texts[-1][1] + token[1])
        else:
            texts.append((source.count("\n", 0, token.start()) + 1, token[1]))
        end = token.end()
    return [(line, text.replace("\\n", " ").replace("\\t", " ")) for line, text in texts]


def texts_of(path: pathlib.Path) -> list[Text]:
    source = path.read_text(encoding="utf-8")
    if path.suffix in {".c", ".h"}:
        return texts_of_c(source)
    return list(enumerate(source.splitlines(), 1))


def texts_of_api(source: str) -> list[Text]:
    """Comments that documentation is made of, each with its line."""
    return [(source.count("\n", 0, comment.start()) + 1, PARAMETER.sub("", comment[1])) for comment in DOC_COMMENT.finditer(source)]


def comments_with(words: re.Pattern, source: str) -> list[Text]:
    comments = [token for token in C_TOKEN.finditer(source) if token[0].startswith("/")]
    bare = [QUOTED.sub("", NEXT_LINE.sub(" ", one[0])) for one in comments]
    return [(source.count("\n", 0, one.start()) + 1, one[0]) for one, text in zip(comments, bare, strict=True) if words.search(text)]


def texts_of_python(source: str) -> list[Text]:
    """Comments and docstrings, each with its line."""
    texts: list[Text] = []
    before = tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        is_docstring = token.type == tokenize.STRING and before in {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
        if token.type == tokenize.COMMENT or is_docstring:
            texts.append((token.start[0], token.string))
        if token.type not in {tokenize.COMMENT, tokenize.NL}:
            before = token.type
    return texts


def files() -> list[pathlib.Path]:
    """What is read by users and lies in the tree, not what a build has left there."""
    found = []
    for place in PLACES:
        path = TOP / place
        below = sorted(path.rglob("*")) if path.is_dir() else [path]
        found += [file for file in below if file.suffix in TEXTS | {".c", ".h"} and "node_modules" not in file.parts]
    return found


def hits(path: pathlib.Path) -> list[str]:
    api = texts_of_api(path.read_text(encoding="utf-8")) if path.is_relative_to(TOP / "libjobmetrics") else []
    return [
        f"{path.relative_to(TOP)}:{line}: {word[0]} (write: {instead}): {text.strip()}"
        for line, text in texts_of(path) + api
        for words, instead in refused().items()
        for word in words.finditer(text)
    ]


def long_sentences(page: str) -> list[str]:
    prose = CODE_OR_TARGET.sub("", NO_PROSE.sub("\n\n", page))
    sentences = (" ".join(sentence.split()) for sentence in END_OF_SENTENCE.split(prose))
    return [sentence for sentence in sentences if len(re.findall(r"\w\S*", sentence)) > LONGEST_SENTENCE]


def long_lines(page: str) -> list[str]:
    """Lines of prose that could be shorter; a picture's is one word."""
    lines = NO_PROSE.sub("\n\n", page).splitlines()
    return [line for line in lines if len(line) > LONGEST_LINE and not line.startswith("![") and " " in line.strip("-* ")]


def pages() -> list[pathlib.Path]:
    return [*(TOP / name for name in PLACES if name.endswith(".md")), *sorted((TOP / "doc").rglob("*.md"))]


class TheScanner(unittest.TestCase):
    def test_takes_strings_of_c_and_no_comments(self):
        source = '/* "told" */\n#include "told.h"\nf (\'"\', "a \\"told\\" b"); // "told"\n'
        self.assertEqual(texts_of_c(source), [(3, 'a \\"told\\" b')])

    def test_takes_comments_of_the_api_and_no_others(self):
        source = "/* told */\n/**\n * f:\n * @told: one\n *\n * Was told.\n */\n"
        found = [(line, word[0]) for line, text in texts_of_api(source) for words in refused() for word in words.finditer(text)]
        self.assertEqual(found, [(2, "told")])

    def test_joins_strings_that_a_line_divides(self):
        self.assertEqual(texts_of_c('f ("for want"\n   " of memory", "b")'), [(1, "for want of memory"), (2, "b")])

    def test_finds_words_in_any_case_and_no_parts_of_words(self):
        found = [text for text in ("Told", "told_at", "I have told.", "retold") if any(w.search(text) for w in refused())]
        self.assertEqual(found, ["Told", "I have told."])


    def test_finds_sentences_that_are_too_long(self):
        words = " ".join(["word"] * LONGEST_SENTENCE)
        self.assertEqual(long_sentences(f"# Title\n{words}. {words}\n\n- {words}\n- `code` {words}\n\n| {words} | {words} |\n"), [])
        self.assertEqual(long_sentences(f"Short.\n{words}\nmore. Short."), [f"{words} more."])


    def test_finds_lines_that_are_too_long(self):
        words = " ".join(["word"] * LONGEST_LINE)
        address = f"- <https://{'a' * LONGEST_LINE}>"
        self.assertEqual(long_lines(f"| {words} |\n\n```\n{words}\n```\n\n{address}\n![{words}](a.png)\nShort.\n{words}\n"), [words])


class Comments(unittest.TestCase):
    def test_are_found_and_strings_are_not(self):
        self.assertEqual(comments_with(refused_in_comments(), 'f ("told");\n/* It tells. */\n'), [(2, "/* It tells. */")])
        self.assertEqual(comments_with(refused_in_comments(), '/* "Not told", 1990 */\n'), [])
        self.assertEqual(len(comments_with(refused_in_comments(), "/* For want\n * of memory. */\n")), 1)

    def test_are_found_in_python_with_docstrings(self):
        source = '"""Tells."""\nx = """\ntold\n"""  # told\n'
        self.assertEqual(texts_of_python(source), [(1, '"""Tells."""'), (4, "# told")])

    def test_have_no_refused_word(self):
        for path in [file for folder in [*CODE, "tests"] for file in sorted((TOP / folder).rglob("*.[ch]"))]:
            with self.subTest(path=str(path.relative_to(TOP))):
                self.assertEqual(comments_with(refused_in_comments(), path.read_text(encoding="utf-8")), [])

    def test_of_python_have_no_refused_word(self):
        words = refused_in_comments()
        for path in sorted((TOP / "tests").rglob("*.py")):
            with self.subTest(path=str(path.relative_to(TOP))):
                texts = texts_of_python(path.read_text(encoding="utf-8"))
                self.assertEqual([(line, text) for line, text in texts if words.search(text)], [])


class NamesOfTests(unittest.TestCase):
    def test_have_no_refused_word(self):
        words = refused_in_comments()
        for path in sorted(file for file in (TOP / "tests").rglob("test-*") if file.suffix in {".c", ".py"}):
            with self.subTest(path=str(path.relative_to(TOP))):
                names = set(NAME_OF_TEST.findall(path.read_text(encoding="utf-8")))
                self.assertEqual([name for name in names if words.search(name.replace("_", " "))], [])


class WhatUsersRead(unittest.TestCase):
    def test_is_found(self):
        read = {str(path.relative_to(TOP)) for path in files()}
        for path in ("README.md", "doc/explanation/faq.md", "doc/man/jobmetrics-cli.1.scd", "data/prometheus/jobmetrics.alerts.yml"):
            self.assertIn(path, read)

    def test_has_no_refused_word(self):
        for path in files():
            with self.subTest(path=str(path.relative_to(TOP))):
                self.assertEqual(hits(path), [])

    def test_has_no_sentence_that_is_too_long(self):
        for path in pages():
            with self.subTest(path=str(path.relative_to(TOP))):
                self.assertEqual(long_sentences(path.read_text(encoding="utf-8")), [])

    def test_has_no_line_that_is_too_long(self):
        # a program writes the page of metrics
        for path in set(pages()) - {TOP / "doc" / "reference" / "metrics.md"}:
            with self.subTest(path=str(path.relative_to(TOP))):
                self.assertEqual(long_lines(path.read_text(encoding="utf-8")), [])


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        places = [hit for path in files() for hit in hits(path)]
        print(*places, sep="\n")
        print(dict(collections.Counter(hit.split("/")[0].split(":")[0] for hit in places)), len(places))
        sys.exit(0)
    sys.exit(tap.run(TheScanner, Comments, NamesOfTests, WhatUsersRead))
