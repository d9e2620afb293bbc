# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Debian's packages of this tree, built in a folder that may be kept, and what a former release would have been."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
from collections.abc import Sequence

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAMS = ("dpkg-buildpackage", "dh", "dh_python3", "lintian", "gi-docgen", "rpmbuild")
# at the top of the tree, and anywhere
BESIDE_THE_TREE = re.compile(r"build.*|run|\.git|\.ci")
NOT_OF_THE_TREE = re.compile(r"__pycache__|.*\.pyc")
# no packages of debugging information, which nobody here would look at
ENVIRONMENT = {"DEB_BUILD_OPTIONS": f"nocheck noautodbgsym terse parallel={len(os.sched_getaffinity(0))}"}
FORMER_VERSION = "0.0.9"
# what a site has of it: the programs, and what shows their figures
OF_THE_FORMER = ("jobmetrics-exporter_", "jobmetrics-cli_", "jobmetrics-dashboards_", "jobmetrics-prometheus_")
# a line that the former release had in each of its configuration files
FORMER_LINE = "# from before the first release\n"


class Failure(Exception):
    """What could not be built; has the output of what failed."""


def run(*command: object, folder: pathlib.Path | None = None, **environment: str) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode != 0:
        raise Failure(f"{' '.join(str(word) for word in command)}\n{done.stdout[-4000:]}")
    return done.stdout


def files_of_the_tree() -> list[pathlib.Path]:
    found = []
    for folder, folders, names in os.walk(TOP):
        at_the_top = pathlib.Path(folder) == TOP
        kept = [name for name in sorted(folders + names) if not NOT_OF_THE_TREE.fullmatch(name)]
        kept = [name for name in kept if not (at_the_top and BESIDE_THE_TREE.fullmatch(name))]
        folders[:] = [name for name in kept if name in folders]
        found += [pathlib.Path(folder, name) for name in kept if name in names]
    return found


def state_of_the_tree() -> str:
    """Another one where any file is another, or was written since."""
    digest = hashlib.sha256(repr(ENVIRONMENT).encode())
    for path in files_of_the_tree():
        status = path.lstat()
        digest.update(f"{path}\0{status.st_mtime_ns}\0{status.st_size}\n".encode())
    return digest.hexdigest()


class Packages:
    """Those of this tree, in `folder`."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder.resolve()
        self.source = self.folder / "jobmetrics"
        self._built = self.folder / "built"

    @property
    def files(self) -> list[pathlib.Path]:
        return sorted(self.folder.glob("*.deb"))

    @property
    def changes(self) -> list[pathlib.Path]:
        return sorted([*self.folder.glob("*.changes"), *self.folder.glob("*.dsc")])

    @property
    def sources(self) -> list[pathlib.Path]:
        """The source package: its description, and the archive that this names."""
        return sorted([*self.folder.glob("*.dsc"), *self.folder.glob("*.tar.gz")])

    def build(self) -> None:
        """Nothing is done where the tree is as it was when they were built."""
        state = state_of_the_tree()
        if self._built.exists() and self._built.read_text() == state:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        self._copy()
        for path in self.folder.glob("*[._]*.*"):
            path.unlink()
        run("dpkg-source", "-Zgzip", "-z1", "--tar-ignore=obj-*", "-b", self.source.name, folder=self.folder)
        run("dpkg-buildpackage", "-b", "-us", "-uc", "-nc", folder=self.source, **ENVIRONMENT)
        self._built.write_text(state)

    def _copy(self) -> None:
        """What was compiled before is kept, for only what has changed to be compiled again."""
        self.source.mkdir(exist_ok=True)
        for path in self.source.iterdir():
            if path.name.startswith("obj-"):
                continue
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        for path in files_of_the_tree():
            copy = self.source / path.relative_to(TOP)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy, follow_symlinks=False)

    def make_former(self, folder: pathlib.Path) -> None:
        """The same programs under a lower version, with other configuration files: nothing is compiled."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for package in self.files:
            # the others are new with the upgrade
            if not package.name.startswith(OF_THE_FORMER):
                continue
            unpacked = folder / "unpacked"
            run("dpkg-deb", "-R", package, unpacked)
            age(unpacked)
            run("dpkg-deb", "--root-owner-group", "-Znone", "-b", unpacked, folder / package.name)
            shutil.rmtree(unpacked)


def age(unpacked: pathlib.Path) -> None:
    control = unpacked / "DEBIAN" / "control"
    text = control.read_text()
    version = re.search(r"(?m)^Version: (\S+)$", text)[1]
    control.write_text(text.replace(version, FORMER_VERSION))
    listed = unpacked / "DEBIAN" / "conffiles"
    for name in listed.read_text().split() if listed.exists() else []:
        file = unpacked / name.lstrip("/")
        file.write_text(FORMER_LINE + file.read_text())
    # it would have to be made anew
    (unpacked / "DEBIAN" / "md5sums").unlink(missing_ok=True)


def field(package: pathlib.Path, name: str) -> str:
    return run("dpkg-deb", "-f", package, name).strip()


def contents(package: pathlib.Path) -> Sequence[str]:
    """Paths of its files and links."""
    lines = run("dpkg-deb", "-c", package).splitlines()
    return [line.split(maxsplit=5)[5].split(" -> ")[0].lstrip(".") for line in lines if not line.startswith("d")]
