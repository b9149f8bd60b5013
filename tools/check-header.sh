#!/bin/sh
# check-header.sh - each public header compiles alone, as C99, C11 and C++: tools/check-header.sh CC
set -eu
cd "$(dirname "$0")/.."

cc=$1
flags="-Wall -Wextra -pedantic -Werror -fsyntax-only"

checked=
for header in include/*.h; do
    for standard in c99 c11; do
        # shellcheck disable=SC2086
        "$cc" -x c -std=$standard $flags "$header"
    done
    for cxx in g++ clang++; do
        command -v $cxx >/dev/null || continue
        for standard in c++11 c++17; do
            # shellcheck disable=SC2086
            $cxx -x c++ -std=$standard $flags "$header"
        done
        checked=1
    done
done
[ -n "$checked" ] || { echo "no C++ compiler"; exit 77; }
