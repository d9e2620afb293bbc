#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether `meson install` puts everything where it belongs, and nothing else.

usage: test-install.py [--update] BUILD PREFIX LIBDIR FEATURE ...

installed-files.txt says what is expected: paths below the prefix, and behind "#" the feature without which a file
is missing. --update writes it anew; then give new lines their features.
"""

import pathlib
import re
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "pylib"))
import tap  # noqa: E402
from installation import Installation  # noqa: E402

EXPECTED = TESTS / "install" / "installed-files.txt"
# whose pages the library's functions make
REFERENCE = "share/doc/jobmetrics-1.0"
HEADER = [line for line in pathlib.Path(__file__).read_text().splitlines()[1:3]]


def expected_files() -> dict[str, str]:
    """Paths and the features that they belong to; most to none."""
    lines = [line for line in EXPECTED.read_text().splitlines() if line and not line.startswith("#")]
    pairs = [line.partition(" # ") for line in lines]
    return {path.strip(): feature.strip() for path, _, feature in pairs}


def installed_files(installation: Installation) -> set[str]:
    libdir = str(installation.libdir.relative_to(installation.prefix))
    paths = [path for path in installation.root.rglob("*") if path.is_symlink() or not path.is_dir()]
    inside = {str(path.relative_to(installation.prefix)) for path in paths if path.is_relative_to(installation.prefix)}
    outside = {f"/{path.relative_to(installation.root)}" for path in paths if not path.is_relative_to(installation.prefix)}
    generic = {re.sub(rf"^{re.escape(libdir)}/", "@libdir@/", path) for path in inside}
    generic = {re.sub(rf"^({REFERENCE}/).*", r"\1", path) for path in generic}
    generic = {re.sub(r"/power-\w+\.conf$", "/power-@source@.conf", path) for path in generic}
    generic = {re.sub(r"^lib/python3[\d.]*/(dist|site)-packages/", "@python@/", path) for path in generic}
    return {re.sub(r"\.so(\.\d+)\.[\d.]+$", r".so\1.@version@", path) for path in generic} | outside


def update(installation: Installation, features: list[str]) -> None:
    known = expected_files() if EXPECTED.exists() else {}
    # what this build was not asked for is kept
    found = {path: known.get(path, "") for path in installed_files(installation)}
    found |= {path: feature for path, feature in known.items() if feature and feature not in features}
    lines = [f"{path} # {feature}" if feature else path for path, feature in sorted(found.items())]
    EXPECTED.write_text("\n".join([*HEADER, "", *lines]) + "\n")


class TheInstalledFiles(unittest.TestCase):
    installation: Installation
    features: list[str]

    def test_are_those_that_are_expected(self):
        wanted = {path for path, feature in expected_files().items() if not feature or feature in self.features}
        found = installed_files(self.installation)
        changes = [f"missing: {path}" for path in sorted(wanted - found)]
        changes += [f"not expected: {path}" for path in sorted(found - wanted)]
        self.assertEqual(changes, [], "\n".join([*changes, "(meson compile update-installed-files)"]))

    def test_are_readable_by_all_and_written_by_their_owner(self):
        for path in self.installation.root.rglob("*"):
            if not path.is_symlink():
                self.assertEqual(path.stat().st_mode & 0o022, 0, path)
                self.assertEqual(path.stat().st_mode & 0o444, 0o444, path)

    def test_name_no_folder_of_the_build(self):
        source = str(TESTS.parent).encode()
        for path in self.installation.root.rglob("*"):
            if path.suffix in {".pc", ".h", ".gir", ".vapi", ".service", ".conf", ".typelib"}:
                self.assertNotIn(source, path.read_bytes(), path)
    def test_have_no_page_of_the_manual_with_a_link_that_leads_nowhere(self):
        manual = self.installation.prefix / "share/doc/jobmetrics/manual"
        links = [(page, link) for page in manual.rglob("*.md") for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())]
        self.assertGreater(len(links), 50)
        self.assertEqual([f"{page.name}: {link}" for page, link in links if not (page.parent / link).exists()], [])

    def test_are_where_the_man_pages_say(self):
        if "man" not in self.features:
            self.skipTest("the build has no man pages")
        for page in ("man1/jobmetrics-cli.1", "man1/jobmetrics-cli-ledger.1", "man8/jobmetrics-exporter.8"):
            text = (self.installation.prefix / "share/man" / page).read_text()
            text = re.sub(r"\\f[A-Z]|\\&", "", text).replace("\\-", "-")
            places = re.findall(r"[\w./-]*/share/doc/[\w./-]*\w", text)
            self.assertNotEqual(places, [], page)
            for place in places:
                self.assertTrue((self.installation.root / place.lstrip("/")).exists(), f"{page}: {place}")


def main(arguments: list[str]) -> int:
    updating = arguments[:1] == ["--update"]
    build, prefix, libdir, *features = arguments[1:] if updating else arguments
    installation = Installation(build, prefix, libdir)
    try:
        if updating:
            update(installation, features)
            return 0
        TheInstalledFiles.installation, TheInstalledFiles.features = installation, features
        return tap.run(TheInstalledFiles)
    finally:
        installation.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
