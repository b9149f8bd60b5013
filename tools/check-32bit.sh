#!/bin/bash
# check-32bit.sh - everything compiles where a pointer has 32 bits, without a warning, nor one of -pedantic: tools/check-32bit.sh
#
# Only the grammar and the types are looked at, with the headers of this machine: no library for 32 bits is needed.
# tools/test-platforms.sh builds and runs the tests there.
set -eu
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v clang >/dev/null && clang --print-targets 2>/dev/null | grep -q 'x86 ' || { echo "clang for x86 is not installed"; exit 77; }

# glibc asks for a list of missing functions, which only its package for 32 bits has.
mkdir "$work/gnu"
: >"$work/gnu/stubs-32.h"
flags=(--target=i686-linux-gnu -fsyntax-only -std=c11 -D_FILE_OFFSET_BITS=64 -D_DEFAULT_SOURCE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wno-macro-redefined -Werror -Iinclude -Isrc -Iprogram/common/input -Iprogram/common -Iprogram/server -Iprogram/cli
    -Ibindings/sql -Iprogram/cli/{commands,pgn,rows,tree,help}
    -isystem "$work" -isystem "/usr/include/$(uname -m)-linux-gnu" -isystem /usr/include/postgresql)

sources=(src/{base,position,rules,notation,support,game,codec,chessgame,games,row,query,table,tree}/*.c)
if [ -e /usr/include/sqlite3ext.h ]; then
    sources+=(src/{search,store,store/sqlite,store/sqlite/index}/*.c program/*/*.c program/{common/input,cli/*}/*.c bindings/{sql,sqlite}/*.c)
fi
failed=0
for source in "${sources[@]}"; do
    clang "${flags[@]}" "$source" || failed=1
done
exit $failed
