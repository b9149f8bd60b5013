#!/bin/bash
# build-windows.sh - builds for Windows with MinGW, in build/windows: tools/build-windows.sh [TARGET]...
#
# The sources of SQLite, zlib and libzstd are fetched first, if they are not there, and a build for this machine in
# build/release makes the tables and tabiya.wasm. Exits with 77 if something is missing, after saying what.
set -eu
cd "$(dirname "$0")/.."
command -v x86_64-w64-mingw32-gcc >/dev/null ||
    { echo "build-windows: MinGW is missing: apt-get install gcc-mingw-w64-x86-64" >&2; exit 77; }
jobs=$(nproc 2>/dev/null || echo 2)
third=$PWD/build/third-party
tools/fetch-sources.sh "$third"
mkdir -p build/windows
log=build/windows/build.log
run() { "$@" >>"$log" 2>&1 || { tail -n 30 "$log"; exit 1; }; }
: >"$log"
run cmake --preset release
run cmake --build build/release --parallel "$jobs" --target tabiya_cli
run cmake -S . -B build/windows -DCMAKE_TOOLCHAIN_FILE=packaging/cmake/windows.cmake -DCMAKE_BUILD_TYPE=Release \
    "-DTABIYA_HOST_BUILD=$PWD/build/release" "-DTABIYA_THIRD_PARTY=$third" -DTABIYA_POSTGRES=OFF -DTABIYA_DUCKDB=OFF \
    -DTABIYA_PYTHON=OFF -DTABIYA_WASM=OFF -DTABIYA_BENCH=OFF -DTABIYA_SMALL_CMOCKA=ON -DTABIYA_TEST_QUICK=ON \
    "-DCMAKE_CROSSCOMPILING_EMULATOR=$(command -v wine64 || command -v wine || ls /usr/lib/wine/wine64 2>/dev/null || true)"
[ $# -gt 0 ] || set -- products
run cmake --build build/windows --parallel "$jobs" --target "$@"
