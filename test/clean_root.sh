# clean_root.sh - a minimal Debian in a folder, to try what users do on a fresh machine. Sourced by the tests that need
# one; they are skipped (77) where it cannot be made.
#
#     make_root           sets `root`, which is removed at the end
#     in_root COMMAND...  runs a command there

skip() {
    echo "$1"
    exit 77
}

# The package sources are those of this system, including proxies and certificates.
make_root() {
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    command -v debootstrap >/dev/null || skip "debootstrap is not installed"
    # shellcheck disable=SC1091
    . /etc/os-release
    [ "${VERSION_CODENAME:-}" = bookworm ] || skip "this is not Debian 12"
    mirror=$(apt-get indextargets --format '$(URI)' 'Created-By: Packages' | sed -n 's|/dists/bookworm/main/binary.*||p' | head -n 1)
    [ -n "$mirror" ] || skip "no Debian mirror is configured"
    root=$(mktemp -d)
    chmod 755 "$root"
    trap 'rm -rf --one-file-system "$root"' EXIT
    debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 ||
        { tail "$root.log"; rm -f "$root.log"; skip "debootstrap failed"; }
    rm -f "$root.log" "$root/etc/apt/sources.list"
    cp -a /etc/apt/. "$root/etc/apt/"
}

in_root() {
    unshare --mount --pid --fork --kill-child sh -c '
        mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && mount -t tmpfs tmpfs "$0/dev/shm" || true
        exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 http_proxy="${http_proxy:-}" \
            https_proxy="${https_proxy:-}" "$@"' "$root" "$@"
}
