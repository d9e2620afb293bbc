#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds Debian's packages of jobmetrics, installs them on a virtual machine with systemd and cgroup v2, and tries them there.

usage: test-vm.py FOLDER [CLASS ...]
       test-vm.py FOLDER trixie|sid|htcondor    lets that Debian's Slurm, or trixie's HTCondor, run jobs of every kind, and compares
       test-vm.py --image    only makes the machine's image, which is kept, where there is none yet

FOLDER keeps the build and what the last run left. inside/ has what runs on the machine: what the suite vm tries, or the
classes named of inside/test-machine.py.
"""

import os
import pathlib
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
TOP = TESTS.parent
sys.path.insert(0, str(TESTS / "pylib"))
import debian_packages  # noqa: E402
import tap  # noqa: E402
from debian_packages import Failure, Packages, run  # noqa: E402

LAB_VM = TESTS / "lab" / "slurm-lab-vm"
PROGRAMS = ("qemu-system-x86_64", "mmdebstrap", "mke2fs", "gcc", "meson", *debian_packages.PROGRAMS)
# what jobmetrics and its tests need there beside the lab
PACKAGES = (
    "libcurl3-gnutls",
    "libglib2.0-0",
    "libglib2.0-dev",
    "libgmime-3.0-0",
    "libjson-glib-dev",
    "libsoup-3.0-0",
    "libjson-glib-1.0-0",
    "libyajl2",
    "libmariadb3",
    "libpq5",
    "libyaml-0-2",
    "libcrypt1",
    "libprotobuf-c1",
    "libsnappy1v5",
    "libisal2",
    "libbpf1",
    "zlib1g",
    "python3-gi",
    "gir1.2-glib-2.0",
    "gir1.2-json-1.0",
    "prometheus",
    "autopkgtest",
    "dpkg-dev",
)
CARRIED = ("install-dependencies", "lab", "e2e", "pylib", "jobmetrics-cli", "vm/inside")
# of the emulated machine; some 6 minutes are enough where nothing else runs, and others may work for more than an hour
SECONDS = 4500
SLOWNESS = 8
MEMORY_MIB = 3072
# of the emulator itself
BESIDE_MIB = 512


def available_mib() -> int:
    """What processes can still have here, in the kernel's own estimate."""
    lines = pathlib.Path("/proc/meminfo").read_text().splitlines()
    fields = dict(line.split(":") for line in lines)
    return int(fields["MemAvailable"].split()[0]) // 1024


def make_image(debian: str = "bookworm", packages: tuple[str, ...] = PACKAGES) -> None:
    run(LAB_VM, "build", SLURM_LAB_VM_DEBIAN=debian, SLURM_LAB_VM_PACKAGES=",".join(packages))


def unfit_because() -> str | None:
    """Each of these reasons stands in MAY_SKIP of run-all.py."""
    if os.geteuid() != 0:
        return "needs root to make an image of a virtual machine"
    if platform.machine() != "x86_64":
        return f"the virtual machine is x86_64, this one is {platform.machine()}"
    if platform.freedesktop_os_release().get("VERSION_CODENAME") != "bookworm":
        return "programs that are built here would not run on Debian 12"
    lacking = [program for program in PROGRAMS if shutil.which(program) is None]
    if lacking:
        return f"{' '.join(lacking)}: not installed (tests/install-dependencies build package vm)"
    if available_mib() < MEMORY_MIB + BESIDE_MIB:
        return f"{available_mib()} MiB of memory are too little for the virtual machine, which wants {MEMORY_MIB + BESIDE_MIB}"
    return None


class Suite:
    """What is tried on the machine: a script that runs there, and what it needs of the tests."""

    script = HERE / "inside" / "script"
    needed = CARRIED

    def __init__(self, folder: pathlib.Path, classes: list[str]):
        self.classes = classes
        self.folder = folder.resolve()
        self.build = self.folder / "build"
        self.carried = self.folder / "carried"
        self.environment = {
            "SLURM_LAB_VM_PACKAGES": ",".join(PACKAGES),
            "SLURM_LAB_VM_RUN": str(self.folder / "run"),
            "SLURM_LAB_VM_SECONDS": str(SECONDS),
            "SLURM_LAB_VM_MEMORY": str(MEMORY_MIB),
        }

    def make_image(self) -> None:
        make_image()

    def build_programs(self) -> None:
        if not (self.build / "build.ninja").exists():
            options = ["--prefix=/usr", "-Dtests=false", "-Dintrospection=enabled", "-Dsystemd=enabled"]
            run("meson", "setup", self.build, TOP, *options)
        run("meson", "compile", "-C", self.build)

    def pack(self) -> None:
        """Puts together what goes to the machine."""
        shutil.rmtree(self.carried, ignore_errors=True)
        self.carried.mkdir(parents=True)
        self.install_into(self.carried)
        paths = [f"tests/{path}" for path in self.needed]
        run("tar", "-C", TOP, "--exclude=__pycache__", "-cf", self.carried / "tests.tar", *paths)
        run("gcc", "-O1", "-pthread", "-o", self.carried / "spend", TESTS / "e2e" / "spend.c")
        (self.carried / "slowness").write_text(f"{SLOWNESS}\n")
        (self.carried / "classes").write_text(" ".join(self.classes))

    def install_into(self, folder: pathlib.Path) -> None:
        installed = self.folder / "installed"
        shutil.rmtree(installed, ignore_errors=True)
        run("meson", "install", "-C", self.build, "--no-rebuild", "--quiet", "--destdir", installed)
        run("tar", "--owner=root", "--group=root", "-C", installed, "-cf", folder / "install.tar", ".")

    def run_inside(self) -> int:
        """Passes on what the machine prints."""
        command = [LAB_VM, "run", self.script, *sorted(self.carried.iterdir())]
        done = subprocess.run(command, env={**os.environ, **self.environment}, stdin=subprocess.DEVNULL)
        return done.returncode


class ModernSuite(Suite):
    """What is built here runs on later Debians."""

    script = HERE / "inside" / "modern"
    needed = ("lab/slurm-packaged", "vm/inside/condor.py", "vm/inside/modern.py")
    # what the programs and the script need there
    packages = tuple(
        "libglib2.0-0 libsoup-3.0-0 libjson-glib-1.0-0 libyajl2 libmariadb3 libyaml-0-2 libcrypt1 libprotobuf-c1 libisal2 libbpf1 python3".split()
    )

    def __init__(self, folder: pathlib.Path, scheduler: str):
        super().__init__(folder, [scheduler])
        # trixie has no Apptainer
        further = {"trixie": "podman crun busybox-static uidmap", "sid": "podman crun busybox-static uidmap apptainer", "htcondor": "htcondor"}
        self.packages += tuple(further[scheduler].split())
        self.environment |= {
            "SLURM_LAB_VM_DEBIAN": "sid" if scheduler == "sid" else "trixie",
            "SLURM_LAB_VM_PACKAGES": ",".join(self.packages),
            "SLURM_LAB_VM_MEMORY": "4096",
        }

    def make_image(self) -> None:
        make_image(self.environment["SLURM_LAB_VM_DEBIAN"], self.packages)


class PackagedSuite(Suite):
    """The same with Debian's packages, this release's and what a former one would have had."""

    def __init__(self, folder: pathlib.Path, classes: list[str]):
        super().__init__(folder, classes)
        self.packages = Packages(self.folder / "packages")

    def build_programs(self) -> None:
        self.packages.build()

    def install_into(self, folder: pathlib.Path) -> None:
        (folder / "packages").mkdir()
        for package in self.packages.files:
            shutil.copy(package, folder / "packages")
        self.packages.make_former(folder / "former")
        (folder / "sources").mkdir()
        for file in self.packages.sources:
            shutil.copy(file, folder / "sources")


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    reason = unfit_because()
    if reason:
        tap.skip_all(reason)
    if sys.argv[1:] == ["--image"]:
        return tried(make_image)
    if sys.argv[2:] in (["trixie"], ["sid"], ["htcondor"]):
        return run_suite(ModernSuite(pathlib.Path(sys.argv[1]), sys.argv[2]))
    return run_suite(PackagedSuite(pathlib.Path(sys.argv[1]), sys.argv[2:]))


def tried(*actions: Callable[[], None]) -> int:
    try:
        for action in actions:
            began = time.monotonic()
            action()
            tap.comment(f"{action.__name__.replace('_', ' ')}: {time.monotonic() - began:.0f} s")
    except Failure as failure:
        tap.comment(str(failure))
        return 1
    return 0


def run_suite(suite: Suite) -> int:
    return tried(suite.build_programs, suite.pack, suite.make_image) or suite.run_inside()


if __name__ == "__main__":
    sys.exit(main())
