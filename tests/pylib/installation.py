# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What `meson install` makes of a build, in a folder of its own."""

import os
import pathlib
import subprocess
import tempfile


class Installation:
    def __init__(self, build: str, prefix: str, libdir: str):
        """Both paths are those of the build; libdir is below prefix."""
        self._folder = tempfile.TemporaryDirectory(prefix="jobmetrics-")
        self.root = pathlib.Path(self._folder.name)
        self.prefix = self.root / prefix.lstrip("/")
        self.libdir = self.prefix / libdir
        command = ["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", str(self.root)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        self._tell_where_it_is(prefix)

    def _tell_where_it_is(self, prefix: str) -> None:
        """PKG_CONFIG_SYSROOT_DIR would move the other libraries, too."""
        for file in (self.libdir / "pkgconfig").glob("*.pc"):
            text = file.read_text()
            if f"prefix={prefix}\n" not in text:
                raise RuntimeError(f"{file}: does not have its prefix in one place")
            file.write_text(text.replace(f"prefix={prefix}\n", f"prefix={self.prefix}\n"))

    def environment(self) -> dict[str, str]:
        """In which compilers and programs find the installation, and no other."""
        return {
            **os.environ,
            "PKG_CONFIG_PATH": str(self.libdir / "pkgconfig"),
            "LD_LIBRARY_PATH": str(self.libdir),
            "GI_TYPELIB_PATH": str(self.libdir / "girepository-1.0"),
        }

    def remove(self) -> None:
        self._folder.cleanup()
