#!/bin/bash
# generate.sh - the games that bench/generate makes are legal, distinct and reproducible:
#
#     test/cli/generate.sh GENERATE PROGRAM
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
expect() { [ "$2" = "$3" ] || { echo "$1: \"$2\", not \"$3\""; failed=1; }; }

"$1" 20000 7 >"$work/games.pgn"
expect "good games" "$("$2" check --warnings "$work/games.pgn" | sed 's/, [0-9]* plies//')" "20000 games, 20000 good, 0 bad, 0 warnings"
expect "distinct games" "$("$2" pgn --unique "$work/games.pgn" | grep -c '^\[Event ')" 20000
"$1" 2500 7 >"$work/fewer.pgn"
expect "fewer games" "$(head -c "$(stat -c %s "$work/fewer.pgn")" "$work/games.pgn" | cmp - "$work/fewer.pgn" && echo same)" same
expect "another seed" "$("$1" 2500 8 | "$2" pgn --unique - "$work/games.pgn" | grep -c '^\[Event ')" 22500
exit $failed
