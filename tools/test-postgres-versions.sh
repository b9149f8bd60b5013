#!/bin/bash
# test-postgres-versions.sh - the extension and the program beside other versions of PostgreSQL than this system has.
#
#     tools/test-postgres-versions.sh [SUITE...]      of Debian; trixie and sid, where none is named
#
# Of each suite a minimal Debian is put into a folder by debootstrap, from the mirror that this system uses, with its compiler and
# its PostgreSQL. The extension is compiled there, without warnings, and the tests of test/postgres run with the library and the
# program of build/release. The folders are in build/postgres-versions and are kept for the next time. Root and debootstrap
# are needed. A suite that cannot be had is left out, with a line that says why. The last line is "N passed, N failed"; the exit
# code is 0 if something was tested and nothing failed.
set -u
cd "$(dirname "$0")/.." || exit 2

top=$PWD/build/postgres-versions
build=build/release
passed=0 failed=0
say() { printf '%s: %s\n' "$suite" "$*"; }

# inside ROOT COMMAND - in the folder as if it were all there is. Debian's scripts want /proc.
inside() {
    # shellcheck disable=SC2016
    unshare --mount --pid --fork --kill-child sh -c '
        mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/dev/shm" || exit 1
        exec chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" sh -c "$2"' sh "$1" "$2"
}

# fetch SUITE - a Debian with a compiler and the newest PostgreSQL that the suite has
fetch() {
    local root=$top/$1 mirror
    [ ! -e "$root/done" ] || return 0
    if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
        say "not tested; root and debootstrap are needed"
        return 1
    fi
    # shellcheck disable=SC2016
    mirror=$(apt-get indextargets --format '$(URI)' 'Created-By: Packages' | sed -n 's|/dists/[a-z]*/main/binary.*||p' | head -n 1)
    mkdir -p "$top" && rm -rf --one-file-system "$root"
    debootstrap --variant=minbase "$1" "$root" "${mirror:?no mirror of Debian is known}" >"$root.log" 2>&1 ||
        { say "not tested; debootstrap failed, see $root.log"; return 1; }
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" && chmod 755 "$root/usr/sbin/policy-rc.d"
    # shellcheck disable=SC2016
    inside "$root" 'version=$(apt-cache search --names-only "^postgresql-server-dev-[0-9]+$" | sed "s/.*-dev-\([0-9]*\) .*/\1/" | sort -n | tail -n 1)
        apt-get -qq install -y --no-install-recommends "postgresql-$version" "postgresql-server-dev-$version" gcc make curl jq \
            libipc-run-perl libsqlite3-0' >>"$root.log" 2>&1 || { say "not tested; apt-get failed, see $root.log"; return 1; }
    touch "$root/done"
}

# The sources of the extension and the tests; what is built of the rest is that of this system, whose C library is older.
copy() {
    local to=$1/tabiya
    rm -rf "$to" && mkdir -p "$to/$build/src" "$to/$build/test" "$to/$build/postgres" "$to/test"
    mkdir -p "$to/bindings"
    cp -r bindings/postgres bindings/sql "$to/bindings"
    mkdir -p "$to/src" && cp -r src/base src/support src/io "$to/src"
    cp -r include examples docs "$to"
    cp -r test/postgres test/sql test/query test/transcript.sh "$to/test"
    cp "$build/src/libtabiya.a" "$to/$build/src" && cp "$build/tabiya" "$to/$build" &&
        cp "$build/test/postgres_copy_games" "$build/test/postgres_hostile" "$to/$build/test"
}

# attempt NAME COMMAND... - in the folder, beside a server of its own
attempt() {
    local name=$1
    shift
    # shellcheck disable=SC2016
    if inside "$top/$suite" "cd /tabiya && PG_CONFIG=\$(ls /usr/lib/postgresql/*/bin/pg_config) test/postgres/cluster.sh $build $*" >"$top/$suite.$name.log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        say "$name failed, see $top/$suite.$name.log"
        tail -n 20 "$top/$suite.$name.log"
    fi
}

# names FOLDER - of its tests, but for `install`, which is the first
names() { find "test/postgres/$1" -type f -printf '%f\n' | sed 's/\.[a-z]*$//; /^install$/d' | sort | tr '\n' ' '; }

test_suite() {
    fetch "$suite" || return
    copy "$top/$suite" || { say 'not tested; make build, and the tests of build/release, come first'; return; }
    say "$(inside "$top/$suite" '/usr/lib/postgresql/*/bin/postgres --version')"
    inside "$top/$suite" "cd /tabiya && make -s -C $build/postgres -f /tabiya/bindings/postgres/Makefile TABIYA_BUILD=/tabiya/$build \
        PG_CONFIG=\$(ls /usr/lib/postgresql/*/bin/pg_config)" >"$top/$suite.make.log" 2>&1 || true
    if [ -e "$top/$suite/tabiya/$build/postgres/tabiya.so" ] && [ ! -s "$top/$suite.make.log" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        say "the compiler complains:"
        head -n 20 "$top/$suite.make.log"
    fi
    local name
    attempt regress test/postgres/regress.sh sql install "$(names sql)"
    attempt isolation test/postgres/regress.sh specs "$(names specs)"
    for name in tap installcheck answers hostile cli questions citus_setup; do attempt "$name" "test/postgres/$name.sh"; done
}

cmake --preset release >/dev/null &&
    cmake --build "$build" --parallel "$(nproc)" --target tabiya_cli tabiya_postgres postgres_copy_games postgres_hostile >/dev/null || exit 2
[ $# -gt 0 ] || set -- trixie sid
for suite in "$@"; do test_suite; done
echo "$passed passed, $failed failed"
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
