# common.sh: names that the steps of the portable build share; a step is run with ARCH as its argument.
#
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034 # the steps use them
set -eu
export LC_ALL=C.UTF-8

here=$(dirname "$(readlink -f "$0")")
top=$(dirname "$(dirname "$here")")

# oldest glibc that the programs run with: Enterprise Linux 8's
glibc=2.28
zig_version=0.13.0

work=$(readlink -m "${JM_PORTABLE_DIR:-$top/build-portable}")
pool=$work/pool           # what was fetched, checked against pins
arch=${1:-$(uname -m)}
root=$work/$arch/root     # headers and archives for the target, below usr/
sources=$work/$arch/sources
triplet=$arch-linux-gnu
libdir=$root/usr/lib/$triplet

case $arch in
x86_64) debian=amd64 ;;
aarch64) debian=arm64 ;;
*) echo "portable: no such architecture: $arch (x86_64, aarch64)" >&2; exit 2 ;;
esac

say() { printf 'portable: %s\n' "$*"; }
die() { printf 'portable: %s\n' "$*" >&2; exit 1; }

# packages with an archive of Debian's
rows_from_debian() { sed '/^#/d' "$here/libraries" | while read -r _ _ package _; do [ "$package" = - ] || echo "$package"; done; }
