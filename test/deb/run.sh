#!/bin/sh
# run.sh - the Debian packages in a clean root, as users install them: test/deb/run.sh FOLDER
#
# FOLDER contains the output of `make deb`. debootstrap creates a minimal Debian in a folder, from the mirror that this
# system uses; apt installs the packages there, and inside.sh tries each. Skipped (77) without debootstrap or root.
set -eu
here=$(realpath "$(dirname "$0")")
debs=$(realpath "$1")

skip() {
    echo "$1"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip "needs root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
ls "$debs"/*.deb >/dev/null 2>&1 || skip "there are no packages in $debs"
. /etc/os-release
[ "${VERSION_CODENAME:-}" = bookworm ] || skip "this is not Debian 12"

root=$(mktemp -d)
chmod 755 "$root"
trap 'rm -rf --one-file-system "$root"' EXIT

# The package sources of this system, including proxies and certificates.
mirror=$(apt-get indextargets --format '$(URI)' 'Created-By: Packages' | sed -n 's|/dists/bookworm/main/binary.*||p' | head -n 1)
[ -n "$mirror" ] || skip "no Debian mirror is configured"
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 ||
    { tail "$root.log"; rm -f "$root.log"; skip "debootstrap failed"; }
rm -f "$root.log"
rm -f "$root/etc/apt/sources.list"
cp -a /etc/apt/. "$root/etc/apt/"
mkdir "$root/debs"
cp "$debs"/*.deb "$root/debs"
cp "$here/inside.sh" "$root/debs"
cp examples/famous.pgn "$root/debs"
unshare --mount --pid --fork --kill-child sh -c '
    mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/dev/shm" || true
    exec chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 http_proxy="${http_proxy:-}" \
        https_proxy="${https_proxy:-}" sh /debs/inside.sh' sh "$root"
