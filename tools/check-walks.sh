#!/bin/bash
# check-walks.sh - the tables of docs/architecture.md are correct: each file defines the functions named next to it, no
# table has 15 rows or more, and no walk skips a station: what a station does is called, or put into a table of
# functions, in the file of an earlier station of the same walk.
set -u
cd "$(dirname "$0")/.." || exit 2

failures=0
complain() {
    echo "docs/architecture.md: $*" >&2
    failures=$((failures + 1))
}

# is_called NAME FILE... - is the function named in one of these files, elsewhere than where it is defined?
is_called() {
    local name=$1
    shift
    grep -hE "(^|[^a-zA-Z0-9_])$name([^a-zA-Z0-9_]|$)" "$@" | grep -vqE "^[a-zA-Z][a-zA-Z0-9_ *]*[ *]$name\("
}

n=0 passed=()
while IFS='|' read -r before number file names _; do
    number=${number// /} file=${file//[\` ]/}
    [ -z "$before$number$file" ] && passed=() # between two tables
    if [[ $number =~ ^[0-9]+$ ]]; then
        n=$((n + 1))
        [ "$number" -lt 15 ] || complain "station $number: a walk has at most 14"
    elif [[ -n $number || $file != */*.* ]]; then
        continue
    fi
    [ -f "$file" ] || { complain "station $number: no such file: $file"; continue; }
    is_linked=
    [[ $names == *[a-z]* ]] || is_linked='a table'
    for name in ${names//[\`,]/ }; do
        case $file in
        *.[ch]) grep -Eq "^[a-z].*[ *]$name\(.*[^;]$" "$file" || complain "station $number: $file does not define $name" ;;
        *) grep -Eq "function $name\(|(const|class) $name( |$)|^ +(async )?$name\(.*\{$" "$file" || complain "station $number: $file does not define $name" ;;
        esac
        [ ${#passed[@]} -gt 0 ] || is_linked=first
        [ -n "$is_linked" ] || ! is_called "$name" "${passed[@]}" || is_linked=yes
    done
    [ -n "$is_linked" ] || complain "station $number: nothing in ${passed[-1]} or before names what $file does ($names): a station is missing"
    passed+=("$file")
done <docs/architecture.md
[ "$n" -ge 30 ] || complain "only $n stations found"
[ "$failures" -eq 0 ]
