#!/bin/bash
# valgrind.sh - a selection of the unit tests under valgrind, which detects reads of uninitialized memory,
# unlike the address sanitizer: tools/valgrind.sh [TEST...]
#
# One for each kind of reader and writer, and one of the database, the tables, the tree and the server. They run as the
# release is compiled, thirty times slower. The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 2

command -v valgrind >/dev/null || { echo "valgrind: missing; to have it: apt-get install valgrind" >&2; exit 2; }
[ $# -gt 0 ] || set -- base64_position boardinfo chessgame_read cmbr cmbr_file cmbr_golden fen fen_usual game games iccf json \
    nag note opening packed_golden pgn_build pgn_read pgn_tags pgn_write query_answers query_read query_truth registry \
    san_lenient san_write setup uci db db_limits db_row http_head limits query_part rows table tree

tests=("${@/#/test_}")
jobs=$(nproc 2>/dev/null || echo 2)
logs=build/valgrind # of the tests that failed
rm -rf $logs
mkdir -p $logs
cmake --preset release >/dev/null &&
    cmake --build build/release --parallel "$jobs" --target "${tests[@]}" >$logs/build.log 2>&1 ||
    { tail -n 30 $logs/build.log; exit 2; }
rm $logs/build.log

check() {
    valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
        "build/release/test/$1" >"$logs/$1.log" 2>&1 && rm "$logs/$1.log"
}
export -f check
export logs
printf '%s\n' "${tests[@]}" | xargs -P "$jobs" -I '{}' bash -c 'check {}'
failed=0
for log in $logs/*.log; do
    [ -e "$log" ] || continue
    failed=$((failed + 1))
    echo "$(basename "$log" .log):"
    grep -v '^\[' "$log" | head -n 40
done
echo "$((${#tests[@]} - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
