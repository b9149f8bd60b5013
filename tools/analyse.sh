#!/bin/bash
# analyse.sh - static analysis: clang-tidy (configured in .clang-tidy) and gcc's -fanalyzer, on all sources that are
# built here: tools/analyse.sh [FILE...]
#
# Exits with 1 if either reports something. gcc's analyser does not know what callers guarantee, and runs out of memory
# for long functions; the checks that do not work well for C are turned off below, with the reason.
set -u
cd "$(dirname "$0")/.." || exit 2

jobs=$(nproc 2>/dev/null || echo 2)
build=build/release
gcc_flags=(
    -fanalyzer
    # Version 12 does not follow loops over an array: each plane of a board is "uninitialized". Valgrind and clang check
    # this.
    -Wno-analyzer-use-of-uninitialized-value
    # It considers a pointer lost that is part of a larger structure, or reached through a hash. LeakSanitizer checks
    # this.
    -Wno-analyzer-malloc-leak
    # It does not know that a length of 0 goes with NULL.
    -Wno-analyzer-null-argument
)
for program in clang-tidy gcc cmake jq; do
    command -v $program >/dev/null || { echo "analyse: $program is missing; to have it: apt-get install $program" >&2; exit 2; }
done
cmake --preset release >/dev/null && cmake --build $build --target tabiya_tables tabiya_openings >/dev/null || exit 2

# The sources of the products that this machine can build, each once, although some are compiled in several ways.
list() {
    jq -r '.[].file' $build/compile_commands.json | sed "s,^$PWD/,," |
        grep -E '^(src|program|bindings/(sqlite|postgres))/' | sort -u
}
files=("$@")
[ $# -gt 0 ] || mapfile -t files < <(list)

found=0
echo "== clang-tidy, ${#files[@]} files"
printf '%s\0' "${files[@]}" | xargs -0 -n 4 -P "$jobs" clang-tidy --quiet -p $build 2>/dev/null || found=1

# The compiler's command for FILE, with the analyser and without an object.
analyse_with_gcc() {
    local command
    command=$(jq -r --arg file "$PWD/$1" '[.[] | select(.file == $file)][0].command' $build/compile_commands.json |
        sed 's/ -o [^ ]*\.o / -o \/dev\/null /; s/^.*ccache //')
    (cd $build && eval "$command ${gcc_flags[*]}")
}
export -f analyse_with_gcc
export build
echo "== gcc -fanalyzer, ${#files[@]} files"
for file in "${files[@]}"; do
    analyse_with_gcc "$file" || found=1
done
exit $found
