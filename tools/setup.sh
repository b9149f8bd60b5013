#!/bin/sh
# setup.sh - install what is missing. Quick and silent when nothing is.
#
#     tools/setup.sh          to build:  a C compiler, cmake, make; zlib and libzstd for compressed files; SQLite; libmicrohttpd;
#                             libpq
#     tools/setup.sh test     and to test:  cmocka, clang with its sanitizer and fuzzer runtime, pkg-config, sqlite3, curl, jq
#                             and Python to ask the server, PostgreSQL with what its test library needs, valgrind
#     tools/setup.sh bench    and to compare:  stockfish, pgn-extract, zstd, bc, wrk, llvm for profiles
#
# On Debian and its kin the packages are installed by name, with sudo where that is needed. Elsewhere they are named,
# and the work goes on if a compiler, cmake and make are there.
set -eu

level=${1:-build}
missing=

has() { command -v "$1" >/dev/null 2>&1; }
need() { missing="$missing $1"; }

has_header() {
    printf '#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include <stdint.h>\n#include <%s>\n' "$1" |
        cc -E - >/dev/null 2>&1
}

# The folder of clang's runtime libraries has the fuzzer's.
has_fuzzer() {
    has clang && ls "$(clang -print-resource-dir)"/lib/*/libclang_rt.fuzzer*.a >/dev/null 2>&1
}

# Named after the version that `clang` is, or will be when it is installed.
fuzzer_package() {
    if has clang; then
        version=$(clang -dumpversion)
    else
        version=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\).*/\1/p')
    fi
    echo "libclang-rt-${version%%.*}-dev"
}

has_postgres() {
    has pg_config && [ -x "$(pg_config --bindir)/postgres" ]
}

has_postgres_headers() {
    has pg_config && [ -e "$(pg_config --includedir-server)/postgres.h" ] && [ -e "$(pg_config --pgxs)" ]
}

# The version of PostgreSQL that this system has.
postgres_version() {
    apt-cache depends postgresql 2>/dev/null | sed -n 's/.*Depends: postgresql-\([0-9]*\).*/\1/p'
}

list_missing() {
    missing=
    has cc || need gcc
    has_header string.h || need libc6-dev
    has cmake || need cmake
    has make || need make
    has_header zlib.h || need zlib1g-dev
    has_header zstd.h || need libzstd-dev
    has_header sqlite3ext.h || need libsqlite3-dev
    has_header microhttpd.h || need libmicrohttpd-dev
    has_header postgresql/libpq-fe.h || has_header libpq-fe.h || need libpq-dev
    case $level in test | bench)
        has_header cmocka.h || need libcmocka-dev
        has pkg-config || need pkg-config
        has sqlite3 || need sqlite3
        has curl || need curl
        has jq || need jq
        [ -x /usr/bin/python3 ] || need python3
        has clang || need clang
        has_fuzzer || need "$(fuzzer_package)"
        has_postgres || need "postgresql-$(postgres_version)"
        has_postgres_headers || need "postgresql-server-dev-$(postgres_version)"
        perl -MIPC::Run -e 1 2>/dev/null || need libipc-run-perl
        has valgrind || need valgrind
        ;;
    esac
    case $level in bench)
        has llvm-profdata || need llvm
        has zstd || need zstd
        has wrk || need wrk
        has stockfish || [ -x /usr/games/stockfish ] || need stockfish
        has bc || need bc
        has pgn-extract || [ -x /usr/games/pgn-extract ] || need pgn-extract
        ;;
    esac
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

install_missing() {
    export DEBIAN_FRONTEND=noninteractive
    echo "setup: installing$missing" >&2
    as_root apt-get -qq update || echo "setup: the package lists could not be refreshed" >&2
    # Only now can the name of clang's runtime be known for certain.
    list_missing
    # shellcheck disable=SC2086
    as_root apt-get -qq install -y --no-install-recommends $missing >&2
}

list_missing
[ -n "$missing" ] || exit 0

if has apt-get && { [ "$(id -u)" -eq 0 ] || has sudo; }; then
    if install_missing; then
        exit 0
    fi
fi

list_missing
[ -n "$missing" ] || exit 0
echo "setup: please install, by the names your system has for these Debian packages:$missing" >&2
if has cc && has cmake && has make; then
    echo "setup: going on without them" >&2
else
    exit 1
fi
