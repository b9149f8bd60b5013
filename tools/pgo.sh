#!/bin/sh
# pgo.sh - the profile-guided build in build/pgo: builds with counters, runs bench/train.c, and builds again with
# the profile. Uses clang if it is installed with its profile tool, because its code is faster; CC=gcc selects gcc.
set -eu
cd "$(dirname "$0")/.."

if [ -z "${CC:-}" ] && command -v clang >/dev/null && command -v llvm-profdata >/dev/null; then
    CC=clang
    export CC
fi

build=build/pgo
jobs=$(nproc 2>/dev/null || echo 2)

# Old counters would be added to.
rm -rf "$build"

cmake --preset pgo -DTABIYA_PGO=generate >/dev/null
cmake --build "$build" --parallel "$jobs" --target train
LLVM_PROFILE_FILE="$PWD/$build/train.profraw" "$build/bench/train" examples/*.pgn
if [ -e "$build/train.profraw" ]; then
    version=$("${CC:-clang}" -dumpversion)
    merge=$(command -v llvm-profdata || command -v "llvm-profdata-${version%%.*}")
    "$merge" merge -o "$build/train.profdata" "$build/train.profraw"
fi

cmake --preset pgo >/dev/null
cmake --build "$build" --parallel "$jobs"
