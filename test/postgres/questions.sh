#!/bin/bash
# questions.sh - the queries of test/query/questions_more.txt, with a server (cluster.sh): the games and their first
# plies equal those of a database file with the same games. The last line is "N passed, N failed".
set -u
tabiya=$PG_BUILD/tabiya
url="postgresql:///postgres?host=$PGHOST&user=postgres"
root=$PWD
work=$PG_TEMP/questions
mkdir -p "$work"
cd "$work" || exit 1
passed=0 failed=0

# The first third of the long file suffices: it contains every kind of ending.
awk '/^\[Event / { n++ } n <= 1000' "$root/examples/selfplay.pgn" >games.pgn
psql -X -q -c 'CREATE EXTENSION tabiya'
for db in games.db "$url"; do
    "$tabiya" import "$db" "$root/examples/famous.pgn" games.pgn >/dev/null || exit 1
done
while IFS= read -r query; do
    [[ $query == '#'* ]] && continue
    "$tabiya" find games.db --tsv "$query" >file.out 2>&1
    "$tabiya" find "$url" --tsv "$query" >server.out 2>&1
    if cmp -s file.out server.out; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $query"
        diff file.out server.out | head -n 6
    fi
done <"$root/test/query/questions_more.txt"
[ "$passed" -ge 250 ] || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
