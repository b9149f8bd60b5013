#!/bin/sh
# setup.sh - installs missing packages. Fast and silent if there are none.
#
#     tools/setup.sh          for building: a C compiler, cmake, make, pkg-config; zlib and libzstd for compressed files;
#                             SQLite; libpq; clang, lld and wasi-libc, to compile the web board to WebAssembly
#     tools/setup.sh test     also for testing: cmocka, clang with its sanitizer and fuzzer runtimes, clang-format,
#                             sqlite3; curl, jq and Python to query the server; Chromium, Node and npm to test the page;
#                             PostgreSQL and the requirements of its test library; valgrind; mypy; DuckDB and bundlers (from npm);
#                             rsvg-convert for PNG images; nginx, logrotate and openssl for docs/operations/
#     tools/setup.sh python   for building the Python package: the packages for building, and Python's headers
#     tools/setup.sh deb      for building Debian packages: debhelper and lintian, and the headers of Python and
#                             PostgreSQL; debootstrap, to try the packages in a clean root
#     tools/setup.sh bench    also for benchmarks: stockfish, pgn-extract, zstd, bc, wrk, llvm for profiles
#
# On Debian and its derivatives the packages are installed by name, with sudo if necessary. On other systems they are
# only listed, and the script succeeds if there are a compiler, cmake and make. npm packages go to node_modules in web/,
# test/table/ and test/bundlers/.
set -eu

level=${1:-build}
missing=

has() { command -v "$1" >/dev/null 2>&1; }
has_admin() { has "$1" || [ -x "/usr/sbin/$1" ]; }
need() { missing="$missing $1"; }

has_header() {
    printf '#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include <stdint.h>\n#include <%s>\n' "$1" |
        cc -E - >/dev/null 2>&1
}

# The folder of clang's runtime libraries has the fuzzer's.
has_fuzzer() {
    has clang && ls "$(clang -print-resource-dir)"/lib/*/libclang_rt.fuzzer*.a >/dev/null 2>&1
}

# Clang's runtime is named after the version that `clang` is, or will be when it is installed.
runtime_package() {
    if has clang; then
        version=$(clang -dumpversion)
    else
        version=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\).*/\1/p')
    fi
    echo "libclang-rt-${version%%.*}-dev$1"
}

# The headers of Debian's Python, and the module for virtual environments.
has_python_headers() {
    [ -x /usr/bin/python3 ] && [ -e "$(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ]
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

# Headless Chromium, which takes half the time, if there is a package of it.
browser_package() {
    apt-cache show chromium-headless-shell >/dev/null 2>&1 && echo chromium-headless-shell || echo chromium
}

list_missing() {
    missing=
    has cc || need gcc
    has_header string.h || need libc6-dev
    has cmake || need cmake
    has make || need make
    has pkg-config || need pkg-config
    has_header zlib.h || need zlib1g-dev
    has_header zstd.h || need libzstd-dev
    has_header sqlite3ext.h || need libsqlite3-dev
    has_header postgresql/libpq-fe.h || has_header libpq-fe.h || need libpq-dev
    case $level in test | bench | python | deb)
        [ -x /usr/bin/python3 ] || need python3
        has_python_headers || need python3-dev
        ;;
    esac
    case $level in test | bench)
        /usr/bin/python3 -c 'import venv, ensurepip' 2>/dev/null || need python3-venv
        /usr/bin/python3 -c 'import mypy' 2>/dev/null || need mypy
        /usr/bin/python3 -c 'import pandas' 2>/dev/null || need python3-pandas
        /usr/bin/python3 -c 'import matplotlib' 2>/dev/null || need python3-matplotlib
        has_header cmocka.h || need libcmocka-dev
        has sqlite3 || need sqlite3
        has curl || need curl
        has jq || need jq
        has clang || need clang
        has tcc || need tcc
        has clang-format || need clang-format
        has_fuzzer || need "$(runtime_package "")"
        has_postgres || need "postgresql-$(postgres_version)"
        has_postgres_headers || need "postgresql-server-dev-$(postgres_version)"
        perl -MIPC::Run -e 1 2>/dev/null || need libipc-run-perl
        has valgrind || need valgrind
        has rsvg-convert || need librsvg2-bin
        has_admin nginx || need nginx-light
        has_admin logrotate || need logrotate
        has openssl || need openssl
        ;;
    esac
    case $level in deb)
        has dpkg-buildpackage || need dpkg-dev
        has dh || need debhelper
        has dh_python3 || need dh-python
        has lintian || need lintian
        has debootstrap || need debootstrap
        has_postgres_headers || need "postgresql-server-dev-$(postgres_version)"
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

# Without these the program is built, and serves everything except the board.
list_missing_for_web() {
    missing=
    "$(dirname "$0")/../bindings/wasm/build.sh" --check 2>/dev/null || missing=" clang lld wasi-libc $(runtime_package -wasm32)"
    case $level in test | bench)
        has node || need nodejs
        has npm || need npm
        ;;
    esac
    case $level in
    test) has chromium-headless-shell || has "$(browser_package)" || need "$(browser_package)" ;;
    bench) has chromium || need chromium ;;
    esac
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

list_all_missing() {
    list_missing_for_web
    for_web=$missing
    list_missing
}

# Installs what is missing, in one call.
install_missing() {
    list_all_missing
    [ -n "$missing$for_web" ] || return 0
    if has apt-get && { [ "$(id -u)" -eq 0 ] || has sudo; }; then
        export DEBIAN_FRONTEND=noninteractive
        as_root apt-get -qq update || echo "setup: the package lists could not be refreshed" >&2
        # Only now can the names of all packages be known for certain.
        list_all_missing
        echo "setup: installing$missing$for_web" >&2
        # The system may not know what the web board needs.
        # shellcheck disable=SC2086
        as_root apt-get -qq install -y --no-install-recommends $missing $for_web >&2 ||
            as_root apt-get -qq install -y --no-install-recommends $missing >&2 || true
        list_all_missing
    fi
}

ask_for() { echo "setup: please install, by the names your system has for these Debian packages:$1" >&2; }

# install_npm_packages FOLDER PACKAGE - installs the packages in FOLDER's package.json. A copy of the lock file next to
# the packages shows whether they are up to date; PACKAGE is one of them.
install_npm_packages() {
    has npm || return 0
    folder=$(dirname "$0")/../$1
    if [ -d "$folder/node_modules/$2" ] && cmp -s "$folder/package-lock.json" "$folder/node_modules/.lock"; then
        return 0
    fi
    if (cd "$folder" && npm ci --no-audit --no-fund --loglevel=error >&2); then
        cp "$folder/package-lock.json" "$folder/node_modules/.lock"
    else
        echo "setup: npm could not install the packages of $1" >&2
    fi
}

install_missing
if [ -n "$missing" ]; then
    ask_for "$missing"
    has cc && has cmake && has make || exit 1
    echo "setup: continuing without them" >&2
fi
if [ -n "$for_web" ]; then
    ask_for "$for_web"
    echo "setup: continuing without them; tabiya serve will not show the board" >&2
fi
case $level in
test | bench)
    install_npm_packages web playwright-core
    install_npm_packages test/table @duckdb
    install_npm_packages test/bundlers webpack
    ;;
esac
