#!/bin/bash
# run-fuzz.sh - runs every fuzz target for some time: tools/run-fuzz.sh SECONDS
#
# New inputs are kept in build/fuzz/corpus/<target>, so that the next run continues from there. An input that fails is
# stored in build/fuzz as crash-...; pass it to its target as an argument to reproduce the failure.
set -eu
cd "$(dirname "$0")/.."

seconds=$1
seeds=$PWD/test/fuzz/corpus
failed=0

cmake --preset fuzz >/dev/null
cmake --build build/fuzz --parallel "$(nproc 2>/dev/null || echo 2)"

cd build/fuzz
for target in test/fuzz_*; do
    [[ -f $target && -x $target ]] || continue
    name=$(basename "$target")
    inputs=("corpus/$name")
    [ ! -d "$seeds/$name" ] || inputs+=("$seeds/$name")
    mkdir -p "corpus/$name"
    echo "$name: $seconds seconds"
    if "$target" -max_total_time="$seconds" -print_final_stats=1 "${inputs[@]}" >"$name.log" 2>&1; then
        grep -E 'number_of_executed_units|new_units_added' "$name.log"
    else
        tail -n 60 "$name.log"
        failed=$((failed + 1))
    fi
done
[ "$failed" -eq 0 ] || { echo "fuzz: $failed targets failed" >&2; exit 1; }
