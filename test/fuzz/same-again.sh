#!/bin/sh
# same-again.sh - runs a fuzz target on the same inputs every time: same-again.sh TARGET
#
# The inputs are those in corpus/<target> and what a fixed seed derives from them within four seconds. Values that the
# target compares are not used for mutation, since addresses are among them. `make fuzz` searches for new inputs.
set -eu

target=$1
name=$(basename "$target")
seeds=$(dirname "$0")/corpus/$name
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT

set -- "$new"
[ ! -d "$seeds" ] || set -- "$new" "$seeds"
# A crash is a failure; the fuzzer's own exit code for one would mean a skipped test.
"$target" -seed=1 -use_cmp=0 -max_total_time=4 -verbosity=0 -error_exitcode=1 -artifact_prefix="$target-" "$@"
