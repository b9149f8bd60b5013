#!/bin/bash
# check-walks.sh - the tables of docs/architecture.md are correct: each file defines the functions named next
# to it, and no table has 15 rows or more.
set -u
cd "$(dirname "$0")/.." || exit 2

failures=0
complain() {
    echo "docs/architecture.md: $*" >&2
    failures=$((failures + 1))
}

n=0
while IFS='|' read -r _ number file names _; do
    number=${number// /} file=${file//[\` ]/}
    [[ $number =~ ^[0-9]+$ ]] || continue
    n=$((n + 1))
    [ "$number" -lt 15 ] || complain "station $number: a walk has at most 14"
    [ -f "$file" ] || { complain "station $number: no such file: $file"; continue; }
    for name in ${names//[\`,]/ }; do
        grep -Eq "^[a-z].*[ *]$name\(.*[^;]$" "$file" || complain "station $number: $file does not define $name"
    done
done <docs/architecture.md
[ "$n" -ge 30 ] || complain "only $n stations found"
[ "$failures" -eq 0 ]
