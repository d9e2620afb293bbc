#!/bin/sh
# install.sh [--prefix=DIR] [--root=DIR]: install jobmetrics from the folder that this file is in.
#
#   --prefix=DIR  where programs, units and manual go (default: /usr/local). With /usr and /usr/local the settings are in /etc, with any
#                 other prefix in DIR/etc, and nobody need be root.
#   --root=DIR    the root of an image, for which nothing is started or reloaded
#
# DIR/share/jobmetrics/uninstall removes what was installed, but for settings that were changed.
#
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
set -eu

here=$(cd "$(dirname "$0")" && pwd)
prefix=/usr/local root=

usage() { sed -n '2,/^# DIR/s/^# \{0,1\}//p' "$0"; }
die() { echo "install.sh: $*" >&2; exit 1; }

for option; do
    case $option in
    --prefix=/*) prefix=${option#*=} ;;
    --root=/*) root=${option#*=} ;;
    -h | --help) usage && exit ;;
    *) usage >&2 && exit 2 ;;
    esac
done
prefix=${prefix%/} root=${root%/}
case $prefix in
/usr | /usr/local) settings=/etc ;;
*) settings=$prefix/etc ;;
esac
manifest=$root$prefix/share/jobmetrics/manifest
uninstall=$root$prefix/share/jobmetrics/uninstall

# FROM TO: a copy at once, so that a program that runs keeps its own file
copy() {
    mkdir -p "$(dirname "$2")"
    cp -P "$1" "$2.new"
    mv -f "$2.new" "$2"
}

# FROM TO: with the paths of this installation in the place of those of a package
copy_with_paths() {
    mkdir -p "$(dirname "$2")"
    sed "s|/usr/bin/|$prefix/bin/|g; s|/usr/libexec/|$prefix/libexec/|g; s|/usr/share/|$prefix/share/|g; s|/etc/default/|$settings/default/|g; s|/etc/jobmetrics|$settings/jobmetrics|g" \
        "$1" > "$2.new"
    mv -f "$2.new" "$2"
}

install_file() { # FILE, relative to here
    to=$prefix/$1
    case $1 in
    lib/systemd/* | share/jobmetrics/prometheus/config/*) copy_with_paths "$here/$1" "$root$to" ;;
    *) copy "$here/$1" "$root$to" ;;
    esac
    echo "file $to" >> "$manifest.new"
}

# A setting that is there stays.
install_setting() { # FILE, relative to here/etc
    to=$settings/$1
    [ -e "$root$to" ] || copy_with_paths "$here/etc/$1" "$root$to"
    copy_with_paths "$here/etc/$1" "$manifest.sample"
    echo "setting $(cksum < "$manifest.sample" | tr ' ' -) $to" >> "$manifest.new"
    rm -f "$manifest.sample"
}

install_files() {
    [ -x "$here/bin/jobmetrics-exporter" ] || die "$here: not the folder that the archive has"
    mkdir -p "$(dirname "$manifest")" || die "cannot write to $root$prefix (run it as root, or name a --prefix)"
    : > "$manifest.new"
    (cd "$here" && find bin lib libexec share -type f -o -type l) | LC_ALL=C sort > "$manifest.list"
    while read -r file; do install_file "$file"; done < "$manifest.list"
    (cd "$here/etc" && find . -type f) | sed 's|^\./||' | LC_ALL=C sort > "$manifest.list"
    while read -r file; do install_setting "$file"; done < "$manifest.list"
    rm -f "$manifest.list"
}

# Files of an earlier version that this one has not.
remove_leftovers() {
    [ -e "$manifest" ] || return 0
    while read -r kind path; do
        [ "$kind" = file ] || continue
        grep -qxF "file $path" "$manifest.new" || rm -f "$root$path"
    done < "$manifest"
}

write_uninstall() {
    cat > "$uninstall" << 'EOF'
#!/bin/sh
# uninstall: remove what install.sh has installed here. Settings that were changed stay, and what was recorded of jobs (/var/lib).
set -eu

manifest=$(cd "$(dirname "$0")" && pwd)/manifest
EOF
    cat >> "$uninstall" << EOF
prefix=$prefix settings=$settings
# the root of an image, as install.sh --root was given it
root=\${manifest%"\$prefix/share/jobmetrics/manifest"}
EOF
    cat >> "$uninstall" << 'EOF'
if [ -z "$root" ] && [ "$(id -u)" -eq 0 ] && command -v systemctl > /dev/null; then
    now=
    [ ! -d /run/systemd/system ] || now=--now
    for role in node cluster server; do
        systemctl --quiet disable $now "jobmetrics-exporter-$role.service" 2> /dev/null || true
    done
fi
remove_unchanged() { # CHECKSUM FILE
    [ ! -e "$2" ] || [ "$(cksum < "$2" | tr ' ' -)" != "$1" ] || rm -f "$2"
}
while read -r kind rest; do
    case $kind in
    file) rm -f "$root$rest" ;;
    setting) remove_unchanged "${rest%% *}" "$root${rest#* }" ;;
    esac
done < "$manifest"
rm -f "$manifest" "$0"

# folders from the deepest up, where nothing else is in them; a prefix of the system's own stays
for folder in "$prefix/libexec/jobmetrics" "$prefix/share/jobmetrics" "$prefix/share/doc/jobmetrics" "$settings/jobmetrics"; do
    [ ! -d "$root$folder" ] || find "$root$folder" -depth -type d -exec rmdir {} + 2> /dev/null || true
done
case $prefix in
/usr | /usr/local) ;;
*) find "$root$prefix" -depth -type d -exec rmdir {} + 2> /dev/null || true ;;
esac
[ -n "$root" ] || [ ! -d /run/systemd/system ] || [ "$(id -u)" -ne 0 ] || systemctl daemon-reload
EOF
    chmod 755 "$uninstall"
}

prepare_system() {
    case $prefix in /usr | /usr/local) ;; *) return 0 ;; esac
    [ -z "$root" ] && [ "$(id -u)" -eq 0 ] || return 0
    ! command -v restorecon > /dev/null || restorecon -RF "$prefix/bin" "$prefix/libexec/jobmetrics" "$prefix/lib/systemd" 2> /dev/null || true
    ! command -v systemd-sysusers > /dev/null || systemd-sysusers "$prefix/lib/sysusers.d/jobmetrics.conf" || true
    ! command -v systemd-tmpfiles > /dev/null || systemd-tmpfiles --create "$prefix/lib/tmpfiles.d/jobmetrics.conf" || true
    [ ! -d /run/systemd/system ] || systemctl daemon-reload
}

install_files
remove_leftovers
mv -f "$manifest.new" "$manifest"
write_uninstall
prepare_system
echo "jobmetrics is installed in $root$prefix, its settings in $root$settings/jobmetrics; to remove it: $uninstall"
case $prefix in
/usr | /usr/local) echo "next: systemctl enable --now jobmetrics-exporter-node" ;;
*) echo "next: $prefix/bin/jobmetrics-exporter node --config.file=$settings/jobmetrics/node.conf" ;;
esac
