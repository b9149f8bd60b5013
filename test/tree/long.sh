#!/bin/bash
# long.sh - counts the positions after seven and eight half-moves: test/tree/long.sh PROGRAM
#
# Seven fit into 4 GB of memory without runs on disk; eight take 3 GB of temporary files, and runs in addition.
set -u
PATH=$(dirname "$(realpath "$1")"):$PATH
expected="1 20 400 5362 72078 822518 9417681 96400068 988187354"
new="1 20 400 5362 72013"
actual=$(tabiya tree grow --count --depth 8 --memory 4G) || exit 1
echo "$actual"
[ "$(awk 'NR > 1 { print $2 }' <<<"$actual" | xargs)" = "$expected" ] &&
    [ "$(awk 'NR > 1 && NR < 7 { print $3 }' <<<"$actual" | xargs)" = "$new" ]
