#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""module-dir.py PREFIX: where this Python looks for modules of a prefix; for /usr on Debian beside python3-gi."""

import sys
import sysconfig

# Debian's, with the base from which each of them starts
SCHEMES = {"/usr": ("deb_system", "/usr"), "/usr/local": ("posix_local", "/usr")}


def main(prefix: str) -> str:
    scheme, base = SCHEMES.get(prefix, ("", prefix))
    if scheme not in sysconfig.get_scheme_names():
        scheme, base = "posix_prefix", prefix
    return sysconfig.get_path("purelib", scheme, vars={"base": base, "platbase": base})


if __name__ == "__main__":
    print(main(*sys.argv[1:]))
