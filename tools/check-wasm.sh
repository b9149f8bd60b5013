#!/bin/bash
# check-wasm.sh - the core compiles for WebAssembly, without any C library: tools/check-wasm.sh GENERATED_FOLDER
set -eu
cd "$(dirname "$0")/.."

generated=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

clang --print-targets 2>/dev/null | grep -q wasm32 || { echo "clang for wasm32 is not installed"; exit 77; }

failed=0
for source in src/{base,position,rules,notation}/*.c "$generated"/tables.c "$generated"/openings.c; do
    [ -e "$source" ] || continue
    clang --target=wasm32 -nostdlib -ffreestanding -nostdlibinc -std=c11 -O2 \
        -Wall -Wextra -Wconversion -Wshadow -Werror -Wno-missing-braces -Iinclude -Isrc -c "$source" -o "$work/object.o" || failed=1
done
exit $failed
