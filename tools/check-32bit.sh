#!/bin/bash
# check-32bit.sh - everything compiles for 32-bit pointers without warnings, even with -pedantic: tools/check-32bit.sh
#
# Only syntax and types are checked, with the headers of this machine, so no 32-bit libraries are needed.
# tools/test-platforms.sh builds and runs the tests there.
set -eu
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v clang >/dev/null && clang --print-targets 2>/dev/null | grep -q 'x86 ' || { echo "clang for x86 is not installed"; exit 77; }

# glibc needs a list of missing functions, which only its 32-bit package has.
mkdir "$work/gnu"
: >"$work/gnu/stubs-32.h"
flags=(--target=i686-linux-gnu -fsyntax-only -std=c11 -D_FILE_OFFSET_BITS=64 -D_DEFAULT_SOURCE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wno-macro-redefined -Werror -Iinclude -Isrc -Iprogram/common -Iprogram/server -Iprogram/cli
    -Ibindings/sql -Iprogram/cli/{commands,pgn,rows,tree,help}
    -isystem "$work" -isystem "/usr/include/$(uname -m)-linux-gnu" -isystem /usr/include/postgresql)

sources=(src/{base,position,rules,notation,support,pgn,codec,value,opening,readers,row,query,table,tree}/*.c)
if [ -e /usr/include/sqlite3ext.h ]; then
    sources+=(src/{search,store,store/sqlite,store/sqlite/index}/*.c program/*/*.c program/cli/*/*.c src/io/*.c bindings/{sql,sqlite}/*.c)
fi
# Runs one compiler for all files, because starting it takes longer than compiling most of them. The command is the one
# that the driver would run, with more inputs.
command=$(clang "${flags[@]}" -### -x c /dev/null 2>&1 | tail -n 1)
[[ $command == *'"-cc1"'*' "/dev/null"' ]] || { echo "clang's compiler command has an unexpected form: $command"; exit 1; }
eval "${command% \"/dev/null\"} \"\${sources[@]}\""
