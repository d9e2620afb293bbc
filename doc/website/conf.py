# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The manual as a website, for Sphinx. make-website runs it."""

import pathlib
import re
import shutil

from myst_parser.parsers.sphinx_ import MystParser
from pygments.lexers.special import TextLexer

project = "jobmetrics"
author = "The jobmetrics authors"
extensions = ["myst_parser"]
root_doc = "README"
exclude_patterns = ["api", "website"]
source_suffix = {".md": "markdown", ".scd": "scdoc"}
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
# else a line that begins with a per cent sign is lost
myst_disable_syntax = ["myst_line_comment"]
# it does not know names of recorded series in PromQL
suppress_warnings = ["misc.highlighting_failure"]
smartquotes = False
html_theme = "theme"
html_theme_path = ["."]
html_title = "jobmetrics"
html_use_index = False
html_copy_source = False

# names on the front page of what is a page on the website alone
MAN_PAGES = {
    "`man jobmetrics-cli`": "[`man jobmetrics-cli`](man/jobmetrics-cli.1.scd)",
    "`man jobmetrics-exporter`": "[`man jobmetrics-exporter`](man/jobmetrics-exporter.8.scd)",
}
API = {"| The API reference |": '| <a href="api/overview.html">The API reference</a> |'}


def navigation_of(front_page: str) -> str:
    """A table of contents for each heading of the front page, of the pages that it links."""
    trees = ""
    for title, part in re.findall(r"(?ms)^##+ ([^\n]*)\n(.*?)(?=^##|\Z)", front_page):
        pages = re.findall(r"\]\(([^)]*)\.(?:md|scd)\)", part)
        if pages:
            trees += "\n".join(["", "```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```", ""])
    return trees


def complete_the_front_page(app, page: str, source: list[str]) -> None:
    if page == root_doc:
        links = MAN_PAGES | (API if "api" in app.config.html_context else {})
        for text, link in links.items():
            source[0] = source[0].replace(text, link)
        source[0] += navigation_of(source[0])


class ScdocParser(MystParser):
    """A man page, made Markdown."""

    supported = ("scdoc",)

    def parse(self, inputstring: str, document) -> None:
        super().parse(markdown_of(inputstring), document)


def markdown_of(scdoc: str) -> str:
    title, _, text = scdoc.partition("\n")
    parts = re.split(r"(?ms)^(\t?```$.*?^\t?```$)", re.sub(r"(?m)^;.*\n", "", text))
    parts[::2] = ["\n\n".join(map(paragraph, re.split(r"\n{2,}", part))) for part in parts[::2]]
    parts[1::2] = ["\n" + re.sub(r"(?m)^\t", "", part) + "\n" for part in parts[1::2]]
    return f"# {title.partition(' ')[0]}\n\n" + "".join(parts)


def paragraph(text: str) -> str:
    if text.startswith("#"):
        return f"#{text}"
    term, is_term, definition = text.partition("\n\t")
    if is_term and not term.startswith("\t"):
        return f"{inline(term)}\n: {inline(definition)}"
    return inline(text.replace("\t", "  "))


def inline(text: str) -> str:
    """*bold* and _underlined_, which Markdown has in another way."""
    marks, is_open = {"*": "b", "_": "i"}, {"*": False, "_": False}

    def mark(match: re.Match) -> str:
        found = match[0]
        if found == "++\n":
            return "<br>\n"
        if found not in marks:
            return f"&#{ord(found[-1])};"
        is_open[found] = not is_open[found]
        return f"<{'' if is_open[found] else '/'}{marks[found]}>"

    return re.sub(r"\+\+\n|\\.|\*|(?<!\w)_|_(?!\w)|[<>&`\[\]~|]", mark, text)


def complete_the_website(app, failed: Exception | None) -> None:
    if failed is None:
        place = pathlib.Path(app.outdir)
        shutil.copy(place / f"{root_doc}.html", place / "index.html")
        if "api" in app.config.html_context:
            shutil.copytree(app.config.html_context["api"], place / "api")


def setup(app) -> None:
    app.add_source_parser(ScdocParser)
    app.add_lexer("conf", TextLexer)
    app.connect("source-read", complete_the_front_page)
    app.connect("build-finished", complete_the_website)
